package sources

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gunzip reads the members of a gzip file one after the other. NULs after the last are padding; anything else there
// is an error, after all that could be read.
type gunzip struct {
	br *bufio.Reader
	z  gzip.Reader
}

var errTrailing = errors.New("other bytes follow the compressed data")

const rawBuffer = 64 << 10

// gunzip returns a decompressor of r and what to call when it is no longer needed.
func (u *unpacker) gunzip(_ context.Context, _ *content, r io.Reader) (io.Reader, func(), error) {
	g, ok := u.gunzips.Get().(*gunzip)
	if !ok {
		g = &gunzip{br: bufio.NewReaderSize(nil, rawBuffer)}
	}
	g.br.Reset(r)
	free := func() {
		g.br.Reset(nil)
		u.gunzips.Put(g)
	}
	if err := g.z.Reset(g.br); err != nil {
		free()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, nil, err
	}
	g.z.Multistream(false)
	return g, free, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next goes on to the next member; io.EOF where there is none.
func (g *gunzip) next() error {
	magic, err := g.br.Peek(2)
	for len(magic) > 0 && magic[0] == 0 {
		g.br.Discard(1)
		magic, err = g.br.Peek(2)
	}
	switch {
	case len(magic) == 0:
		return err
	case !has(magic, "\x1f\x8b"):
		return errTrailing
	}
	if err := g.z.Reset(g.br); err != nil {
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	g.z.Multistream(false)
	return nil
}
