// Package sources yields named logs and knows where bytes live: on standard input, in files, in directory trees and
// inside archives. It knows nothing of what the lines of a log mean, writes nothing, never follows a name that stands
// in an archive, and never stops at a bad file: it reports a Problem and goes on.
//
//	src := sources.Open("logs/", sources.Options{Stdin: os.Stdin})
//	src.Logs(ctx, 2, func(l sources.Log) { … }, func(p sources.Problem) { … })
//
// What a thing is (gzip, zstd, tar, zip, text) is decided by its first bytes, never by its name.
package sources

import (
	"context"
	"errors"
	"io"
	"regexp"
	"time"
)

// HeadSize is how many bytes a Log's Head holds at most.
const HeadSize = 16 << 10

// A Log is one named run of bytes. All of it, Head included, belongs to the source and is valid only until yield
// returns; then files are closed and buffers used again.
type Log struct {
	Name     string      // as the user would name it: a path with forward slashes, "-", "a.tar.gz!/member"
	Size     int64       // in bytes: on disk, for .gz and .zst compressed; a member's as its archive declares it; -1 for a stream
	Modified time.Time   // zero where unknown; unknown too for files below HeadSize that were found by walking
	Head     []byte      // first bytes, at most HeadSize, decompressed
	Whole    bool        // Head is the whole log
	At       io.ReaderAt // nil where the log cannot seek, else bytes [0,Size); io.ErrUnexpectedEOF where the file shrank
	Stream   io.Reader   // only where At is nil: the log from byte 0, decompressed; see Broken
	Named    bool        // the user named this very file, or standard input; false for files found and for members
}

// A Problem is an input that could not be read, or not to its end. Err does not repeat Source.
type Problem struct {
	Source string // named like a Log
	Err    error
	Hint   string // what to do next; may be empty
}

// A Source yields logs.
type Source interface {
	// Logs calls yield once for each log, from at most workers goroutines at a time, in no order, and problem for
	// each input that could not be read. Both may be called concurrently. It returns when all is read or soon after
	// ctx ended, and its goroutines have ended by then; only a read of standard input or the opening of a pipe that
	// the system cannot interrupt is left behind.
	Logs(ctx context.Context, workers int, yield func(Log), problem func(Problem))
}

// Broken is the error that a Stream ends with where the log cannot be read to its end: cut off, damaged, or over a
// limit. The bytes before it are good. The source reports the same thing as a Problem, once, after yield returned.
type Broken struct {
	Source string
	Err    error
}

func (b *Broken) Error() string { return b.Source + ": " + b.Err.Error() }

func (b *Broken) Unwrap() error { return b.Err }

// Open names a source: "-" is standard input, anything else a file, a pipe or a directory. It reads nothing yet.
// URLs are answered with a Problem.
func Open(arg string, opt Options) Source {
	opt.Limits = opt.Limits.orDefault()
	switch {
	case arg == "-":
		return stdin{opt}
	case isURL.MatchString(arg):
		return remote{arg}
	}
	return path{arg, opt}
}

var isURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// remote is a place that cannot be read yet.
type remote struct{ url string }

func (r remote) Logs(_ context.Context, _ int, _ func(Log), problem func(Problem)) {
	problem(Problem{r.url, errors.New("reading a URL or bucket is not in this version yet"),
		"copy the logs to a directory first, then: lastwords scan DIR"})
}
