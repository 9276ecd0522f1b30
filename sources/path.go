package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// path is a file, pipe or directory that the user named.
type path struct {
	arg string
	opt Options
}

func (p path) Logs(ctx context.Context, workers int, yield func(Log), problem func(Problem)) {
	u := newUnpacker(p.opt, yield, problem)
	name := filepath.ToSlash(p.arg)
	info, err := os.Stat(p.arg)
	if err != nil {
		problem(trouble(name, err, false))
		return
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		u.tree(ctx, p.arg, max(workers, 1))
	case mode.IsRegular():
		u.file(ctx, new(scratch), nil, p.arg, name, true)
	case mode&fs.ModeSocket != 0, mode&fs.ModeDevice != 0 && mode&fs.ModeCharDevice == 0:
		problem(Problem{name, errors.New("is a " + special(mode)), "name a file, a pipe or a directory"})
	default:
		u.pipe(ctx, p.arg)
	}
}

// special names a kind of file that is no log.
func special(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// pipe yields what comes through a named pipe, a character device or the like, once somebody writes into it.
func (u *unpacker) pipe(ctx context.Context, arg string) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened)
	go func() { // opening blocks until there is a writer
		f, err := os.Open(arg)
		select {
		case done <- opened{f, err}:
		case <-ctx.Done():
			if err == nil {
				f.Close()
			}
		}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			u.problem(trouble(filepath.ToSlash(arg), o.err, false))
			return
		}
		defer o.f.Close()
		u.stream(ctx, filepath.ToSlash(arg), o.f)
	case <-ctx.Done():
	}
}
