package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Exit statuses.
const (
	statusDone        = 0
	statusCheckFailed = 1
	statusUsage       = 2
	statusUnread      = 3
	statusInterrupted = 130
	statusPipe        = 141 // as if SIGPIPE had ended the program
)

// usageError is a wrong call: exit status 2.
type usageError struct{ say, hint string }

func (e *usageError) Error() string { return e.say }

// wrong makes a usageError; hint may be empty.
func wrong(hint, format string, args ...any) error {
	return &usageError{say: fmt.Sprintf(format, args...), hint: hint}
}

// complain prints err as `lastwords: …` and its hint, every line of it clean.
func complain(w io.Writer, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "lastwords: %s\n", clean(strings.TrimSuffix(line, "\n")))
	}
	var u *usageError
	if errors.As(err, &u) && u.hint != "" {
		fmt.Fprintf(w, "hint: %s\n", clean(u.hint))
	}
}
