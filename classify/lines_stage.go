package classify

import (
	"bytes"
	"io"
)

const (
	layersMost  = 3        // prefixes inside each other, e.g. compose, a timestamp, CRI
	sampleMost  = 64       // lines that a layer is learnt from
	sampleBytes = 64 << 10 // and bytes
)

// stackPeelers puts peelers over a source, outermost first.
func stackPeelers(s source, peels []peeler) source {
	for _, p := range peels {
		p.reset()
		s = &stage{below: s, peel: p}
	}
	return s
}

// learnAll finds the layers around the lines of a sample, outermost first.
func learnAll(sample []Line, names *sharedNames) []peeler {
	var peels []peeler
	for inner := sample; len(peels) < layersMost; {
		p := learn(inner, names)
		if p == nil || len(peels) > 0 && sameObjects(p, peels[len(peels)-1]) {
			break
		}
		peels = append(peels, p)
		inner = peeled(sample, peels)
	}
	return peels
}

// sameObjects says whether two peelers take the same objects: what a collector merged into Airflow's record stays
// there, and is no second layer.
func sameObjects(p, outer peeler) bool {
	_, inner := p.(*objects)
	return inner && p.format() == outer.format()
}

// peeled returns what the peelers leave of a sample.
func peeled(sample []Line, peels []peeler) []Line {
	return sampleLines(stackPeelers(&listed{lines: sample}, peels), nil)
}

// listed yields copies of lines that are at hand.
type listed struct {
	lines []Line
	text  []byte
}

func (s *listed) next(l *Line) error {
	if len(s.lines) == 0 {
		return io.EOF
	}
	*l = s.lines[0]
	s.lines = s.lines[1:]
	s.text = append(s.text[:0], l.Text...) // peelers write to it
	l.Text = s.text
	return nil
}

// sampleLines copies the first lines of a source. head is the text that it was made from, nil if that was whole: a
// last line without its end is no sample if there are others.
func sampleLines(s source, head []byte) []Line {
	var lines []Line
	var kept []byte
	var l Line
	for len(lines) < sampleMost && len(kept) < sampleBytes {
		l = Line{}
		if err := s.next(&l); err != nil {
			if n := len(lines); n > 1 && len(head) > 0 && head[len(head)-1] != '\n' {
				lines = lines[:n-1]
			}
			break
		}
		kept = append(kept, l.Text...)
		l.Text = kept[len(kept)-len(l.Text):]
		lines = append(lines, l)
	}
	return lines
}

// fit says what a peeler made of a line.
type fit uint8

const (
	fitNone fit = iota
	fitWhole
	fitPart     // taken away, and the line goes on in a later one
	fitLeaveOut // not a line of a log: it is left out
)

// fd is the file descriptor that a container runtime read a line from: the parts of two lines may alternate. 0: not said.
type fd byte

// peeler takes one layer away from a line. It may write to the line's text.
type peeler interface {
	format() string
	peel(l *Line) (fit, fd)
	reset()
}

// stage takes one layer away from the lines of a source, joins the parts of lines that a container runtime split
// and cuts texts that hold several lines.
type stage struct {
	below source
	peel  peeler

	last  string // stream of the last line that fitted
	line  Line   // the line whose text is being handed out
	rest  []byte // lines of its text that are still to come
	more  bool   // there are such
	joins []joint
	err   error
}

// joint is the beginning of a line whose end has not come yet.
type joint struct {
	line Line
	fd   fd
	buf  []byte
	lost bool // of the middle
}

const jointsMost = 16

func (s *stage) next(l *Line) error {
	for {
		if s.more {
			s.piece(l)
			return nil
		}
		if s.err != nil {
			if len(s.joins) > 0 {
				s.flush(l, 0)
				return nil
			}
			return s.err
		}
		if s.err = s.below.next(l); s.err != nil {
			continue
		}
		f, fd := s.peel.peel(l)
		switch f {
		case fitLeaveOut:
			continue
		case fitNone:
			if l.Stream == "" {
				l.Stream = s.last
			}
			return nil
		case fitPart:
			s.last = l.Stream
			if full := s.join(l, fd); full {
				s.flush(l, 0)
				return nil
			}
			continue
		}
		s.last = l.Stream
		if i := s.jointOf(l, fd); i >= 0 {
			s.joins[i].add(l)
			s.flush(l, i)
			return nil
		}
		s.cut(l)
		return nil
	}
}

func (s *stage) jointOf(l *Line, fd fd) int {
	for i := range s.joins {
		if s.joins[i].fd == fd && s.joins[i].line.Stream == l.Stream {
			return i
		}
	}
	return -1
}

// join keeps a part of a line; it says whether the oldest of too many joints must go.
func (s *stage) join(l *Line, fd fd) (full bool) {
	i := s.jointOf(l, fd)
	if i < 0 {
		i = len(s.joins)
		s.joins = append(s.joins, joint{line: *l, fd: fd})
	}
	s.joins[i].add(l)
	return len(s.joins) > jointsMost
}

func (j *joint) add(l *Line) {
	j.buf = append(j.buf, l.Text...)
	j.lost = j.lost || l.Cut
	if n := len(j.buf); n > 2*capLine {
		copy(j.buf[capEnd:], j.buf[n-capEnd:])
		j.buf = j.buf[:capLine]
		j.lost = true
	}
}

// flush ends a joint and gives l its line.
func (s *stage) flush(l *Line, i int) {
	j := s.joins[i]
	s.joins = append(s.joins[:i], s.joins[i+1:]...)
	*l = j.line
	l.Text, l.Cut = j.buf, j.lost
	if n := len(l.Text); n > capLine {
		copy(l.Text[capEnd:], l.Text[n-capEnd:])
		l.Text, l.Cut = l.Text[:capLine], true
	}
	s.cut(l)
}

// cut leaves the first line of l's text in it and keeps the others.
func (s *stage) cut(l *Line) {
	if bytes.IndexByte(l.Text, '\n') < 0 {
		l.Text = trimCR(l.Text)
		return
	}
	s.line, s.rest, s.more = *l, l.Text, true
	s.piece(l)
}

func (s *stage) piece(l *Line) {
	*l = s.line
	l.Text, s.rest, s.more = firstLine(s.rest)
	s.line.tail = true
}

// firstLine cuts b behind its first line; a line feed at the very end begins no other line.
func firstLine(b []byte) (line, rest []byte, more bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return trimCR(b), nil, false
	}
	return trimCR(b[:i]), b[i+1:], i+1 < len(b)
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}
