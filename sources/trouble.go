package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

var (
	errVanished = errors.New("vanished while scanning")
	errLoop     = errors.New("symbolic link loop")
)

// trouble turns an error of the system about a path into a problem with a hint. found says that the path was found by
// walking.
func trouble(name string, err error, found bool) Problem {
	err = bare(err)
	switch {
	case errors.Is(err, fs.ErrNotExist) && found:
		return Problem{name, fmt.Errorf("%w: %w", errVanished, err), "it was moved or deleted meanwhile; scan again for a full picture"}
	case errors.Is(err, fs.ErrNotExist):
		return Problem{name, err, "check the path: ls -l " + quote(name)}
	case errors.Is(err, fs.ErrPermission):
		return Problem{name, err, "run as its owner or ask for read permission: ls -ld " + quote(name)}
	case errors.Is(err, syscall.ELOOP):
		return Problem{name, fmt.Errorf("%w: %w", errLoop, err), "see where it leads: ls -l " + quote(name)}
	case errors.Is(err, syscall.EISDIR) && name == "-":
		return Problem{name, errors.New("standard input is a directory"), "lastwords scan DIR"}
	case errors.Is(err, syscall.ENAMETOOLONG):
		return Problem{name, err, "start further down: lastwords scan a directory nearer to it"}
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return Problem{name, err, "raise the limit of open files: ulimit -n 4096"}
	}
	return Problem{name, err, ""}
}

// bare drops the call and the path from an error: the problem's Source names the path already.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// quote makes a name one word for a shell.
func quote(name string) string {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=:+,@%") == "" && name != "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
