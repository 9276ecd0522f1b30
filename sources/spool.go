package sources

import (
	"fmt"
	"io"
)

const spoolBlock = 1 << 20

// spool is a stream read into memory, in blocks so that growing copies nothing.
type spool struct {
	blocks [][]byte // all of spoolBlock bytes but the last
	size   int64
}

// readSpool reads r to its end, which must come within limit bytes.
func readSpool(r io.Reader, limit int64) (*spool, error) {
	s := new(spool)
	for {
		b := make([]byte, min(spoolBlock, max(limit-s.size, 0)+1))
		n, err := io.ReadFull(r, b)
		s.blocks = append(s.blocks, b[:n])
		s.size += int64(n)
		if s.size > limit {
			return nil, fmt.Errorf("a zip in a stream must be held in memory, and this one is larger than %d bytes", limit)
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return s, nil
		default:
			return nil, err
		}
	}
}

func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < s.size {
		b := s.blocks[off/spoolBlock]
		m := copy(p[n:], b[off%spoolBlock:])
		n += m
		off += int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
