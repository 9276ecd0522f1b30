package sources

import (
	"context"
	"fmt"
	"io"
)

// scratch is what one goroutine reads files with.
type scratch struct {
	head [HeadSize]byte
	disk disk
	c    content
}

// file yields what is in the regular file name in dir, or at the path name where dir is nil. A file that fits into
// a head costs three calls: open, read, close.
func (u *unpacker) file(ctx context.Context, s *scratch, dir *folder, name, source string, named bool) {
	if err := s.disk.open(dir, name); err != nil {
		u.problem(trouble(source, fmt.Errorf("open: %w", bare(err)), !named))
		return
	}
	defer s.disk.close()
	n, err := s.disk.start(s.head[:])
	if err != nil {
		u.problem(trouble(source, fmt.Errorf("read: %w", bare(err)), !named))
		return
	}
	s.disk.size = int64(n)
	s.c = content{name: source, named: named, head: s.head[:n], at: &s.disk}
	if n == HeadSize || named {
		if s.c.modified, _, err = s.disk.stat(); err != nil {
			u.problem(trouble(source, bare(err), !named))
			return
		}
		s.disk.size = max(s.disk.size, int64(n)) // files that the kernel makes up have size 0
	}
	s.c.size, s.c.length, s.c.whole = s.disk.size, s.disk.size, s.disk.size == int64(n)
	u.unpack(ctx, &s.c)
}

// ReadAt reads the file as far as it reached when it was opened.
func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	if off >= d.size {
		return 0, io.EOF
	}
	want := min(int64(len(p)), d.size-off)
	var n int64
	for n < want {
		m, err := d.pread(p[n:want], off+n)
		n += int64(m)
		if n == want {
			break
		}
		if err != nil && err != io.EOF {
			return int(n), err
		}
		if m == 0 {
			return int(n), io.ErrUnexpectedEOF
		}
	}
	if want < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}
