package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Scan reads one plain log in blocks of whole lines. Sift may be called for several blocks at once, Add takes the blocks
// in their order. A log that is not plain (an export, a collector's prefix, UTF-16) cannot be scanned: use Stream.
//
//	if s, ok := c.Scan(name, head, modified); ok {
//		s.Add(0, block, s.Sift(block))
//		part := s.Close(size)
//	}
type Scan struct {
	in     *input
	sieve  *sieve
	flow   *flow
	open   bool
	begun  int
	lines  int64 // before the next block; -1: not counted, a part of the log was skipped
	gapped bool
	line   Line
}

// Sifted is what a block holds that can matter.
type Sifted struct{ kept kept }

// LongLine is how long a line may be before its middle is dropped; LongJSON is the same for a log of JSON lines.
const (
	LongLine = 1 << 20
	LongJSON = 32 << 20
)

// Scan begins to read a log whose first bytes are head. ok is false for a log that is not plain.
func (c *Classifier) Scan(name string, head []byte, modified time.Time) (s *Scan, ok bool) {
	_, plain := SniffFormat(head)
	if !plain {
		return nil, false
	}
	return c.scan(name, learnShape(headLines(head)), modified), true
}

func (c *Classifier) scan(name string, shape lineShape, modified time.Time) *Scan {
	p := &Part{Name: name, Modified: modified, Format: "plain"}
	in := c.newInput(name, p)
	s := &Scan{in: in}
	s.flow = in.flow(&s.line)
	s.flow.shape = shape
	s.flow.learnt = true
	s.sieve = c.emitters.sieve(shape)
	return s
}

// headLines cuts the lines of a log's first bytes; the last one may be cut off.
func headLines(head []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := head
		for n := 0; len(rest) > 0 && n < learnLines; n++ {
			line, more, _ := bytes.Cut(rest, []byte{'\n'})
			if !yield(line) {
				return
			}
			rest = more
		}
	}
}

// MaxLine is the longest line that the log's shape has a use for.
func (s *Scan) MaxLine() int {
	if s.sieve.json {
		return LongJSON
	}
	return LongLine
}

// Sift looks through a block of whole lines. It keeps nothing of it.
func (s *Scan) Sift(block []byte) Sifted { return Sifted{s.sieve.sift(block)} }

// Add takes a block that begins at offset, with what Sift kept of it. The block may be used again afterwards.
func (s *Scan) Add(offset int64, block []byte, k Sifted) {
	if s.begun < 3 && s.begun >= 0 { // a reader's heading, or a first record whose time counts
		s.beginning(offset, block, &k.kept)
	}
	if s.open {
		s.feed(offset, block, k.kept.lead)
	}
	s.feed(offset, block, k.kept.lines)
	s.feed(offset, block, k.kept.tail)
	if k.kept.any {
		s.open = k.kept.open
	}
	if s.lines >= 0 {
		s.lines += k.kept.count
	}
}

// beginning adds the log's first lines to what was kept, whatever they are.
func (s *Scan) beginning(offset int64, block []byte, k *kept) {
	var first []stretch
	no := int64(0)
	for at := 0; at < len(block) && s.begun+len(first) < 3; no++ {
		end := bytes.IndexByte(block[at:], '\n')
		if end < 0 {
			end = len(block) - at
		}
		first = append(first, stretch{from: at, to: at + end, no: no})
		at += end + 1
	}
	s.begun += len(first)
	if len(first) == 0 {
		return
	}
	last := first[len(first)-1].from
	drop := func(list []stretch) []stretch {
		for len(list) > 0 && list[0].from <= last {
			list = list[1:]
		}
		return list
	}
	rest := drop(k.lead)
	if s.sieve.classify(block[first[len(first)-1].from:first[len(first)-1].to]) != more {
		rest = nil
	}
	if s.sieve.all {
		rest = nil
	}
	k.lines = append(append(first, rest...), drop(k.lines)...)
	k.lead, k.tail = nil, drop(k.tail)
}

func (s *Scan) feed(offset int64, block []byte, list []stretch) {
	for _, p := range list {
		s.line = Line{Text: block[p.from:p.to], Offset: offset + int64(p.from), mine: p.mine}
		if s.lines >= 0 {
			s.line.No = s.lines + p.no + 1
		}
		s.flow.line(&s.line)
	}
}

// Gap says that a part of the log is not read: what follows is not what follows in the log. Lines are counted no more.
func (s *Scan) Gap() {
	s.gapped, s.open, s.lines = true, false, -1
	s.flow.flush()
	s.flow.task.gap()
}

// CountFrom says how many lines stand before the next block, where a part of the log was skipped.
func (s *Scan) CountFrom(lines int64) { s.lines = lines }

// TooLong notes a line whose middle was dropped although it had to be read whole.
func (s *Scan) TooLong(offset int64) {
	s.in.part.Problem(fmt.Errorf("the line at offset %d is longer than %d MiB", offset, s.MaxLine()>>20), "its middle was not read")
}

// Close ends the log, of size bytes, that was read from an offset on (0 or -1: all of it).
func (s *Scan) Close(size, from int64) *Part {
	s.in.finish(size, from)
	return s.in.part
}

// component says whether the log is a scheduler's, worker's or the like, as far as its first lines tell: such a log is read
// from end to end.
func (s *Scan) component() bool {
	f := s.flow
	if f.mode != "" {
		return f.mode == "component"
	}
	if f.rec != nil {
		f.flush()
	}
	mode, _ := f.emittedBy()
	return mode == "component" || f.score.task+f.score.weak == 0
}

// Stream reads a log once, from its first byte to its last, in bounded memory. head is its beginning, which r yields again.
func (c *Classifier) Stream(name string, head []byte, r io.Reader, modified time.Time) *Part {
	if len(head) == 0 {
		head, r = readHead(r)
	}
	if p, ok := savedPart(name, head, r, modified); ok {
		return p
	}
	p := &Part{Name: name, Modified: modified}
	in := c.newInput(name, p)
	lines := NewLines(head, r)
	for {
		l, err := lines.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				p.readProblem(err)
			}
			break
		}
		in.line(&l)
	}
	p.Format = lines.Format()
	in.finish(-1, -1)
	return p
}

// Whole judges a log that is in memory from its first byte to its last.
func (c *Classifier) Whole(name string, log []byte, modified time.Time) *Part {
	s, ok := c.Scan(name, log, modified)
	if !ok {
		return c.Stream(name, log, bytes.NewReader(log), modified)
	}
	k := s.sieve.sift(log)
	if s.trims() {
		o := newOrdinary(&s.flow.path.Identity)
		k, _ = o.trim(log, k)
	}
	s.Add(0, log, Sifted{k})
	return s.Close(int64(len(log)), -1)
}

// trims says whether idle records may be left out: the name says everything that they do.
func (s *Scan) trims() bool {
	n := s.flow.path
	return n.attempt && n.sibling == "" && n.known() && !s.sieve.json && !s.sieve.all
}
