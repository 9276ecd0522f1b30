package sources

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// zip yields the regular members of a zip. A zip that cannot seek is read into memory first; one that can may still
// have a directory that takes as much. Stored members of a zip can seek.
func (u *unpacker) zip(ctx context.Context, c *content) {
	at, size := c.at, c.length
	if at == nil || size > smallWindow {
		if u.hold(ctx, c.budget) != nil {
			return
		}
	}
	if at == nil {
		s, err := readSpool(c.reader(), u.limits.Memory-c.budget.spooled)
		if err != nil {
			u.fail(c.name, err, "unpack it and scan what comes out")
			return
		}
		c.budget.spooled += s.size
		defer func() { c.budget.spooled -= s.size }()
		at, size = s, s.size
	}
	c.budget.in = max(c.budget.in, size)
	dir := &guarded{at: at, left: u.limits.Memory}
	z, err := zip.NewReader(dir, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		u.fail(c.name, fmt.Errorf("its directory cannot be read: %w", err), hintDamaged)
		return
	}
	dir.left = -1
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(uint64(u.limits.Memory)),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1)))
	for i, f := range z.File {
		if ctx.Err() != nil {
			return
		}
		if !f.Mode().IsRegular() {
			continue
		}
		left := len(z.File) - i
		err := c.budget.member()
		if err == nil {
			u.zipMember(ctx, c, at, f)
			left--
			err = c.budget.over
		}
		if err != nil && left > 0 {
			u.problem(Problem{c.name, fmt.Errorf("%w: %d of %d entries were not read", err, left, len(z.File)), hintByHand})
			return
		}
	}
}

// zipMember yields what is in one member. An error in it does not touch the others.
func (u *unpacker) zipMember(ctx context.Context, c *content, at io.ReaderAt, f *zip.File) {
	m := c.inside(f.Name, int64(f.UncompressedSize64))
	m.modified = f.Modified
	if f.Flags&1 != 0 {
		u.problem(Problem{m.name, errors.New("encrypted"), "unpack it by hand with its password and scan what comes out"})
		return
	}
	if f.Method == zip.Store && f.CompressedSize64 == f.UncompressedSize64 {
		pos, err := f.DataOffset()
		if err == nil {
			m.at, m.length = io.NewSectionReader(at, pos, m.size), m.size
			err = u.member(ctx, m)
		}
		if err != nil {
			u.fail(m.name, err, hintDamaged)
		}
		return
	}
	r, err := f.Open()
	if err != nil {
		u.fail(m.name, err, "unpack it by hand and scan what comes out")
		return
	}
	defer r.Close()
	below := int64(f.CompressedSize64)
	l := &layer{watched: watched{name: m.name}, dec: r, below: &below, budget: c.budget}
	u.through(ctx, m, l)
	if l.err != nil {
		u.problem(broken(m.name, l.err, l.out))
	}
}

// guarded is a zip while its directory is read: a directory may not make more of memory than is left.
type guarded struct {
	at   io.ReaderAt
	left int64 // negative: no limit
}

func (g *guarded) ReadAt(p []byte, off int64) (int, error) {
	if g.left >= 0 {
		if g.left -= int64(len(p)); g.left < 0 {
			g.left = 0
			return 0, errors.New("it is too large")
		}
	}
	return g.at.ReadAt(p, off)
}
