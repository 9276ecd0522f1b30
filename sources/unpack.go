package sources

import (
	"bytes"
	"context"
	"fmt"
	"sync"
)

// unpacker looks at content, takes archives and compression apart and hands each log to yield. One serves all
// goroutines of a source.
type unpacker struct {
	limits  Limits
	yield   func(Log)
	problem func(Problem)
	gate    chan struct{} // one place: only one archive at a time may need up to Limits.Memory
	heads   sync.Pool     // of *[HeadSize]byte
	gunzips sync.Pool     // of *gunzip
	zstds   sync.Pool     // of *zstd.Decoder with a window of at most smallWindow
}

func newUnpacker(opt Options, yield func(Log), problem func(Problem)) *unpacker {
	return &unpacker{limits: opt.Limits, yield: yield, problem: problem, gate: make(chan struct{}, 1)}
}

func (u *unpacker) head() *[HeadSize]byte {
	if h, ok := u.heads.Get().(*[HeadSize]byte); ok {
		return h
	}
	return new([HeadSize]byte)
}

// fail reports a problem, unless it was reported where it arose or comes from the wish to stop.
func (u *unpacker) fail(source string, err error, hint string) {
	if !reported(err) {
		u.problem(Problem{source, err, hint})
	}
}

// unpack yields what is in content whose head has been read.
func (u *unpacker) unpack(ctx context.Context, c *content) {
	if ctx.Err() != nil {
		return
	}
	k, s := sniff(c.head)
	switch k {
	case plain:
		l := Log{Name: c.name, Size: c.size, Modified: c.modified, Head: c.head, Whole: c.whole, At: c.at, Named: c.named}
		if c.at == nil {
			l.Stream = c.reader()
		}
		u.yield(l)
	case foreign:
		u.problem(Problem{c.name, fmt.Errorf("compressed with %s, which is not read", s.name),
			"decompress it first: " + s.command + " " + quote(c.name)})
	case gzipped, zstandard:
		if c.layers >= u.limits.Depth {
			u.problem(Problem{c.name, fmt.Errorf("compressed more than %d times over", u.limits.Depth), hintByHand})
			return
		}
		u.decompress(ctx, c, k)
	case tarball, zipped:
		if c.archives >= u.limits.Depth {
			u.problem(Problem{c.name, fmt.Errorf("archives nested more than %d deep", u.limits.Depth), hintByHand})
			return
		}
		if c.at == nil && c.whole {
			c.at, c.length = bytes.NewReader(c.head), int64(len(c.head))
		}
		if c.budget == nil {
			c.budget = &budget{limits: u.limits, in: c.length}
			defer u.release(c.budget)
		}
		if k == tarball {
			u.tar(ctx, c)
		} else {
			u.zip(ctx, c)
		}
	}
}

const hintByHand = "unpack it by hand and scan what comes out"

// member yields what is in one member of an archive, whose bytes are at m.at or in m.stream.
func (u *unpacker) member(ctx context.Context, m *content) error {
	buf := u.head()
	defer u.heads.Put(buf)
	if m.at == nil {
		m.fill(buf[:])
		if len(m.head) == 0 && m.fault != nil {
			return m.fault
		}
	} else {
		n, err := m.at.ReadAt(buf[:min(HeadSize, m.length)], 0)
		if int64(n) < min(HeadSize, m.length) {
			return err
		}
		m.head, m.whole = buf[:n], int64(n) == m.length
	}
	u.unpack(ctx, m)
	return nil
}

// hold waits until no other archive needs much memory.
func (u *unpacker) hold(ctx context.Context, b *budget) error {
	if b.heavy {
		return nil
	}
	select {
	case u.gate <- struct{}{}:
		b.heavy = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (u *unpacker) release(b *budget) {
	if b.heavy {
		b.heavy = false
		<-u.gate
	}
}
