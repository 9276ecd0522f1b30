package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
)

// program is one run of lastwords.
type program struct {
	env    Env
	engine Engine
	status int // of what was done; errors are ranked in exit
}

// Run runs lastwords with the arguments after its name and returns the exit status. It never exits the process.
func Run(ctx context.Context, args []string, env Env) int { return run(ctx, args, env, wired()) }

func run(ctx context.Context, args []string, env Env, engine Engine) int {
	p := &program{env: env, engine: engine}
	return p.exit(p.main(ctx, args))
}

func (p *program) main(ctx context.Context, args []string) error {
	commands := p.commands()
	c, err := parseCall(args, commands)
	switch {
	case c.version:
		_, err := fmt.Fprintln(p.env.Stdout, versionLine())
		return err
	case err != nil:
		return err
	case c.help:
		return p.help(p.env.Stdout, c, commands)
	}
	return p.dispatch(ctx, c, commands)
}

// exit complains about err, if there is something to say, and picks the exit status.
func (p *program) exit(err error) int {
	var u *usageError
	switch {
	case err == nil:
		return p.status
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return statusPipe
	case errors.As(err, &u):
		complain(p.env.Stderr, err)
		return statusUsage
	case errors.Is(err, errShown):
		return p.status
	}
	complain(p.env.Stderr, err)
	return max(p.status, statusUnread)
}

// errShown ends a command whose complaint stands on stderr already; its status is set.
var errShown = errors.New("shown")

// write renders into stdout or, with --out, into a file that appears as a whole.
func (p *program) write(place, name string, render func(*bufio.Writer) error) error {
	if place == "" {
		w := bufio.NewWriterSize(p.env.Stdout, 64<<10)
		if err := render(w); err != nil {
			return err
		}
		return w.Flush()
	}
	d, err := p.env.Create(place, name)
	if err != nil {
		return wrong("", "--out: %v", err)
	}
	defer d.Abort()
	w := bufio.NewWriterSize(d, 64<<10)
	if err := render(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err := d.Commit(); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}
