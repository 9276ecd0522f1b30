package main

import (
	"io"
	"io/fs"
	"time"
)

// Env is everything outside the program that Run may use.
type Env struct {
	Stdin     io.Reader
	StdinTTY  bool
	Stdout    io.Writer
	Stderr    io.Writer
	StdoutTTY bool
	StderrTTY bool
	Width     int // columns of the terminal behind Stdout; 0: not known
	Now       func() time.Time
	Getenv    func(string) string

	OpenDir func(name string) (fs.FS, error)        // for --rules and `rules test`
	Create  func(place, name string) (Draft, error) // for --out; name is used where place is a directory
}

// Draft is a file that appears at its place as a whole or not at all.
type Draft interface {
	io.Writer
	Commit() error // puts it in place
	Abort()        // drops it; harmless after Commit
}
