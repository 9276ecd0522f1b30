package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// layer is one decompression as its consumer sees it: it counts what comes out, stops at the limits and remembers the
// error that it ended with.
type layer struct {
	watched // without its reader
	dec     io.Reader
	below   *int64 // bytes that dec has taken from below; belongs to the goroutine that runs dec
	in      int64  // the same, as of the bytes last delivered
	out     int64
	ahead   *ahead // runs dec, or nil
	budget  *budget
	root    bool // the outermost input feeds this layer: its in is the budget's
}

func (l *layer) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, &Broken{l.name, l.err}
	}
	var n int
	var err error
	if l.ahead != nil {
		n, err = l.ahead.Read(p)
		l.in = l.ahead.cur.in
	} else {
		n, err = l.dec.Read(p)
		l.in = *l.below
	}
	l.out += int64(n)
	if l.root {
		l.budget.in = l.in
	}
	if over := l.budget.expand(n, l.in, l.out); over != nil {
		err = over
	}
	return n, l.see(err)
}

// decompress yields what is in a gzip or zstd stream.
func (u *unpacker) decompress(ctx context.Context, c *content, k kind) {
	root := c.budget == nil
	if root {
		c.budget = &budget{limits: u.limits}
		defer u.release(c.budget)
	}
	below := new(int64)
	open := u.gunzip
	if k == zstandard {
		open = u.unzstd
	}
	dec, free, err := open(ctx, c, counter{c.reader(), below})
	if err != nil {
		u.fail(c.name, err, hintDamaged)
		return
	}
	defer free()
	l := &layer{watched: watched{name: c.name}, dec: dec, below: below, budget: c.budget, root: root}
	u.through(ctx, c, l)
	if l.err != nil {
		u.problem(broken(c.name, l.err, l.out))
	}
}

// through yields what comes out of a layer over c.
func (u *unpacker) through(ctx context.Context, c *content, l *layer) {
	buf := u.head()
	defer u.heads.Put(buf)
	inner := *c
	inner.at, inner.length, inner.stream, inner.whole, inner.fault = nil, 0, l, false, nil
	inner.layers++
	inner.fill(buf[:])
	if len(inner.head) == 0 && inner.fault != nil {
		return
	}
	if !inner.whole && inner.fault == nil && !c.ahead {
		inner.ahead = true
		l.ahead = startAhead(ctx, l.dec, l.below, true)
		defer l.ahead.stop()
		if c.abandon != nil && c.archives == 0 {
			defer c.abandon()
		}
	}
	u.unpack(ctx, &inner)
}

const hintDamaged = "what could be read is reported; fetch or copy the file again"

// broken says why a decompressor stopped after out bytes.
func broken(name string, err error, out int64) Problem {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Problem{name, fmt.Errorf("cut off: its compressed data ends too early, after %d bytes of content: %w", out, err), hintDamaged}
	case errors.Is(err, errWindow):
		return Problem{name, err, "decompress it by hand: zstd -dc --long=31 " + quote(name) + " | lastwords"}
	case errors.As(err, new(limit)):
		return Problem{name, err, "if it is no zip bomb, " + hintByHand}
	}
	return Problem{name, fmt.Errorf("damaged after %d bytes of content: %w", out, err), hintDamaged}
}
