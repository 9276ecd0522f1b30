package sources

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
)

// content is the bytes under one name before anybody has said what they are: a file, a stream, or what came out of an
// archive or a decompressor.
type content struct {
	name     string
	size     int64
	modified time.Time
	named    bool

	head  []byte // the first bytes; shorter than HeadSize only where whole or fault says why
	whole bool
	fault error // what ended the reading of head, where that was no EOF

	at     io.ReaderAt // [0,length), or nil
	length int64
	stream io.Reader // where at is nil: what follows head

	archives int     // archives around this
	layers   int     // decompressors directly around this
	ahead    bool    // a goroutine reads ahead somewhere below
	budget   *budget // of the outermost archive or compressed file; nil outside
	abandon  func()  // wakes a blocked read of the outermost stream, after which nothing of it is needed; or nil
}

// fill reads head from stream into buf.
func (c *content) fill(buf []byte) {
	n := 0
	for n < len(buf) && c.fault == nil {
		var m int
		m, c.fault = c.stream.Read(buf[n:])
		n += m
	}
	c.head = buf[:n]
	if c.fault == io.EOF {
		c.fault, c.whole = nil, true
	}
}

// reader returns the content from its first byte.
func (c *content) reader() io.Reader {
	switch {
	case c.whole:
		return bytes.NewReader(c.head)
	case c.at != nil:
		return io.NewSectionReader(c.at, 0, c.length)
	}
	return &replay{c.head, c.fault, c.stream}
}

// replay reads a head again, then what followed it.
type replay struct {
	head  []byte
	fault error
	rest  io.Reader
}

func (r *replay) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	if r.fault != nil {
		return 0, r.fault
	}
	return r.rest.Read(p)
}

// watched passes a stream on and remembers the error that ended it, as far as the consumer has seen it.
type watched struct {
	name string
	r    io.Reader
	err  error // set only where the error is this stream's own, not one from below
}

func (w *watched) Read(p []byte) (int, error) {
	if w.err != nil {
		return 0, &Broken{w.name, w.err}
	}
	n, err := w.r.Read(p)
	return n, w.see(err)
}

// see remembers err, and says what the consumer gets to see of it.
func (w *watched) see(err error) error {
	if err == nil || err == io.EOF || reported(err) {
		return err
	}
	w.err = err
	return &Broken{w.name, err}
}

// reported says whether an error came from a stream further down, which reports it itself, or from the user's wish
// to stop.
func reported(err error) bool {
	var b *Broken
	return errors.As(err, &b) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// counter counts what is read through it.
type counter struct {
	r io.Reader
	n *int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}
