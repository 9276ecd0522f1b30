package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// command is one rival of a group, measured as a whole process.
type command struct {
	name string
	argv []string
	from []string // a command whose output is its input; not part of its processor time and memory
	null bool     // its output goes to /dev/null; else into a file, whose lines are counted
}

// sample is one run of a command, by the operating system's own accounting of the finished process.
type sample struct {
	Wall, CPU float64 // seconds
	RSS       int64   // bytes at the peak
	Answers   int     // lines of output; -1: not kept
}

// runner runs commands one at a time.
type runner struct {
	dir   string // for what commands print
	limit time.Duration
}

// run runs c once.
func (r runner) run(ctx context.Context, c command) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	out, err := os.Create(r.output())
	if err != nil {
		return sample{}, err
	}
	defer out.Close()
	complaints, err := os.Create(filepath.Join(r.dir, "stderr"))
	if err != nil {
		return sample{}, err
	}
	defer complaints.Close()

	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "NO_COLOR=1")
	cmd.Stderr = complaints
	if !c.null {
		cmd.Stdout = out
	}
	began := time.Now()
	feed, err := start(ctx, c, cmd)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w", c.name, err)
	}
	err = cmd.Wait()
	if feed != nil {
		err = errors.Join(err, feed.Wait())
	}
	wall := time.Since(began)
	if err != nil {
		said, _ := os.ReadFile(complaints.Name())
		line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
		return sample{}, fmt.Errorf("%s: %w: %s", c.name, err, line)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	s := sample{
		Wall:    wall.Seconds(),
		CPU:     (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		RSS:     usage.Maxrss << 10,
		Answers: -1,
	}
	if !c.null {
		s.Answers, err = countLines(out)
	}
	return s, err
}

// output is the file with what the last command printed, complaints what it said on stderr.
func (r runner) output() string { return filepath.Join(r.dir, "stdout") }

func (r runner) complaints() (string, error) {
	b, err := os.ReadFile(filepath.Join(r.dir, "stderr"))
	return string(b), err
}

// start starts cmd and, where its input comes from a command, that one before it, which it returns.
func start(ctx context.Context, c command, cmd *exec.Cmd) (*exec.Cmd, error) {
	if c.from == nil {
		return nil, cmd.Start()
	}
	feed := exec.CommandContext(ctx, c.from[0], c.from[1:]...)
	pr, pw, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer pr.Close()
	defer pw.Close()
	feed.Stdout, cmd.Stdin = pw, pr
	if err := feed.Start(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		pr.Close()
		feed.Process.Kill()
		feed.Wait()
		return nil, err
	}
	return feed, nil
}

func countLines(f *os.File) (int, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	buf, lines := make([]byte, 64<<10), 0
	for {
		n, err := f.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
