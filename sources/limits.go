package sources

import (
	"fmt"
	"io"
)

// Options say where standard input comes from and how much an archive may cost.
type Options struct {
	Stdin  io.Reader // what "-" reads; nil is answered with a Problem
	Limits Limits    // a zero field takes its default
}

// Limits bound what one input may cost, so that a small file cannot fill the memory or keep a scan busy for ever.
// What lies behind a limit is a Problem, never silence.
type Limits struct {
	Members   int   // of one outermost archive, nested ones included; default 100,000
	Bytes     int64 // out of all decompressors of one outermost archive; default 1 TiB
	Ratio     int64 // how many times its size a thing may expand to; default 1000
	RatioFrom int64 // bytes of output before Ratio is looked at; default 64 MiB
	Memory    int64 // for a zip that cannot seek, a zip's directory and a zstd window, in bytes; default 32 MiB
	Depth     int   // archives inside archives, and compression over compression; default 3
}

func (l Limits) orDefault() Limits {
	return Limits{
		Members:   orElse(l.Members, 100_000),
		Bytes:     orElse(l.Bytes, 1<<40),
		Ratio:     orElse(l.Ratio, 1000),
		RatioFrom: orElse(l.RatioFrom, 64<<20),
		Memory:    orElse(l.Memory, 32<<20),
		Depth:     orElse(l.Depth, 3),
	}
}

func orElse[T int | int64](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// budget is what one outermost archive has used up. Only the goroutine that consumes the archive touches it, so that
// the place where a limit strikes does not depend on timing.
type budget struct {
	limits  Limits
	in      int64 // bytes of the outermost input used so far, or its size where it can seek
	out     int64 // bytes out of all decompressors
	members int
	over    error // the limit that struck; sticky
	spooled int64 // bytes of zips held in memory
	heavy   bool  // holds the unpacker's gate
}

// limit is the error of a limit that struck.
type limit string

func (l limit) Error() string { return string(l) }

// member counts one more member.
func (b *budget) member() error {
	b.members++
	if b.over == nil && b.members > b.limits.Members {
		b.over = limit(fmt.Sprintf("more than %d members", b.limits.Members))
	}
	return b.over
}

// expand counts n more bytes of output of a decompressor that has made out bytes of in bytes so far.
func (b *budget) expand(n int, in, out int64) error {
	b.out += int64(n)
	switch {
	case b.over != nil:
	case b.out > b.limits.Bytes:
		b.over = limit(fmt.Sprintf("more than %d bytes when decompressed", b.limits.Bytes))
	case out > b.limits.RatioFrom && out/b.limits.Ratio > in, b.out > b.limits.RatioFrom && b.out/b.limits.Ratio > b.in:
		b.over = limit(fmt.Sprintf("expands more than %d times: stopped after %d bytes", b.limits.Ratio, b.out))
	}
	return b.over
}
