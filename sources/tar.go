package sources

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// tar yields the regular members of a tar. Links, directories and devices have no bytes of their own there and are
// passed over. Where the tar can seek, so can its members.
func (u *unpacker) tar(ctx context.Context, c *content) {
	r := c.reader()
	if c.at == nil && c.layers == 0 && c.archives == 0 {
		r = counter{r, &c.budget.in}
	}
	t := tar.NewReader(r)
	for n := 0; ctx.Err() == nil; n++ {
		h, err := t.Next()
		if err == io.EOF {
			u.afterTar(c, r)
			return
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			u.fail(c.name, fmt.Errorf("tar damaged after %d entries, the rest was not read: %w", n, err), hintDamaged)
			return
		}
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse && h.Typeflag != tar.TypeCont {
			continue
		}
		if err := c.budget.member(); err != nil {
			u.problem(Problem{c.name, fmt.Errorf("%w, the rest of the tar was not read", err), hintByHand})
			return
		}
		m := c.inside(h.Name, h.Size)
		m.modified = h.ModTime
		w := &watched{name: m.name, r: t}
		if c.at != nil && !sparse(h) {
			if pos, err := r.(io.Seeker).Seek(0, io.SeekCurrent); err == nil && pos+h.Size <= c.length {
				m.at, m.length = io.NewSectionReader(c.at, pos, h.Size), h.Size
			}
		}
		if m.at == nil {
			m.stream = w
		}
		err = u.member(ctx, m)
		if w.err != nil {
			err = w.err
		}
		if err != nil {
			u.fail(m.name, fmt.Errorf("cut off, and what follows in the tar was not read: %w", err), hintDamaged)
			return
		}
		if c.budget.over != nil {
			// Where the limit struck below the tar as well, the layer there says so.
			if _, err := t.Next(); err != io.EOF && !reported(err) {
				u.problem(Problem{c.name, errors.New("stopped at a limit, the rest of the tar was not read"), hintByHand})
			}
			return
		}
	}
}

// afterTar reads what follows the end mark, which should be nothing but NULs, also to have the layer below check
// its sums.
func (u *unpacker) afterTar(c *content, r io.Reader) {
	buf := u.head()
	defer u.heads.Put(buf)
	for {
		n, err := r.Read(buf[:])
		if len(bytes.Trim(buf[:n], "\x00")) > 0 {
			u.problem(Problem{c.name, errors.New("what follows the end of the tar was not read"),
				"joined tars: unpack with tar --ignore-zeros and scan what comes out"})
			return
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			u.fail(c.name, err, hintDamaged)
			return
		}
	}
}

// sparse says whether a member's bytes do not stand in the tar as they are.
func sparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for k := range h.PAXRecords {
		if strings.HasPrefix(k, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// inside is the content of a member of the archive c.
func (c *content) inside(name string, size int64) *content {
	return &content{
		name: c.name + "!/" + strings.TrimPrefix(name, "./"), size: size,
		archives: c.archives + 1, ahead: c.ahead, budget: c.budget, abandon: c.abandon,
	}
}
