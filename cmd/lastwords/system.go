package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	_ "time/tzdata" // zone names work where the system has none

	"golang.org/x/term"
)

// system is the Env of the process.
func system() Env {
	env := Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		StdinTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Now:       time.Now,
		Getenv:    os.Getenv,
		OpenDir:   openDir,
		Create:    create,
	}
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		env.Width = w
	}
	return env
}

// openDir opens a directory for reading.
func openDir(name string) (fs.FS, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, plain(err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s: not a directory", name)
	}
	return os.DirFS(name), nil
}

// plain takes the system call's name out of an error: "logs: no such file or directory".
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}

// draft is a temporary file beside its place.
type draft struct {
	*os.File
	place string
	done  bool
}

// create starts a file at place, or under name in place where that is a directory (or ends with a separator).
func create(place, name string) (Draft, error) {
	dir := os.IsPathSeparator(place[len(place)-1])
	if info, err := os.Stat(place); err == nil && info.IsDir() {
		dir = true
	}
	if dir {
		if err := os.MkdirAll(place, 0o777); err != nil {
			return nil, plain(err)
		}
		place = filepath.Join(place, name)
	}
	if info, err := os.Stat(place); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(place, os.O_WRONLY, 0) // a device or pipe: /dev/stdout
		if err != nil {
			return nil, plain(err)
		}
		return &draft{File: f}, nil
	}
	f, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+".*")
	if err != nil {
		var p *fs.PathError
		if errors.As(err, &p) {
			return nil, fmt.Errorf("%s: %w", place, p.Err)
		}
		return nil, err
	}
	return &draft{File: f, place: place}, nil
}

func (d *draft) Commit() error {
	if d.place == "" {
		return d.Close()
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(d.place); err == nil {
		mode = info.Mode().Perm()
	}
	if err := errors.Join(d.Chmod(mode), d.Close()); err != nil {
		return err
	}
	if err := os.Rename(d.Name(), d.place); err != nil {
		return err
	}
	d.done = true
	return nil
}

func (d *draft) Abort() {
	if d.done {
		return
	}
	d.Close()
	if d.place != "" {
		os.Remove(d.Name())
	}
}
