package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing that is wrong in a rule file.
type Error struct {
	File string // as the folder names it
	Line int    // 1-based; 0: the file as a whole
	What string
}

func (e Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
}

// Errors is everything that is wrong in a folder of rule files, by file and line. It is never empty when it is
// returned as an error.
type Errors []Error

// Error says one error a line.
func (e Errors) Error() string {
	var b strings.Builder
	for i, one := range e {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.Error())
	}
	return b.String()
}

// Unwrap lets errors.As find a single Error.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// sorted returns e by file and line, or nil where there is nothing wrong, so that a caller may return it as an error.
func (e Errors) sorted() error {
	if len(e) == 0 {
		return nil
	}
	slices.SortStableFunc(e, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.What, b.What))
	})
	return e
}
