package classify

import (
	"bytes"
	"io"
	"time"
)

// firstWindow is how much of a log's end is read at first; it grows until the verdict, its cause block and the last words
// are in hand, or to the window that the options allow.
const firstWindow int64 = 16 << 10

// causeWindow is how much of a failing log is read at least: what a failure was caused by stands shortly before it.
const causeWindow = 64 << 10

// LineLimit is the size above which lines are not counted unless the options ask for it.
const LineLimit = 1 << 20

// Tail judges a plain task log from its first bytes and its end. ok is false for logs that have to be read from end to end:
// those that are not plain, those of schedulers and workers, and all where the options say so.
func (c *Classifier) Tail(name string, head []byte, at io.ReaderAt, size int64, modified time.Time) (p *Part, ok bool) {
	if c.opt.Full {
		return nil, false
	}
	if _, plain := SniffFormat(head); !plain {
		return nil, false
	}
	shape := learnShape(headLines(head))
	room := c.room.Get().(*[]byte)
	defer c.room.Put(room)
	e := ending{head: head, at: at, size: size, room: *room}
	for window := min(firstWindow, c.opt.TailWindow); ; window = wider(window, c.opt.TailWindow) {
		s := c.scan(name, shape, modified)
		if s.sieve.all && s.flow.mode == "" {
			return nil, false
		}
		err := e.grow(window)
		*room = e.room
		if err != nil {
			s.in.part.Problem(err, "the log changed while it was read")
		}
		if e.from == 0 {
			all := e.bytes()
			s.Add(0, all, s.Sift(all))
			if s.flow.mode == "" && s.component() {
				return nil, false
			}
			return s.Close(size, -1), true
		}
		start := head[:bytes.LastIndexByte(head, '\n')+1]
		end := e.bytes()
		end = end[bytes.IndexByte(end, '\n')+1:]
		first := size - int64(len(end))
		begun, ended := s.parts(start, end)
		s.Add(0, start, begun)
		if s.flow.mode == "" && s.component() {
			return nil, false
		}
		s.flow.mode = "task"
		s.Gap()
		s.Add(first, end, ended)
		s.flow.flush()
		if window < c.opt.TailWindow && err == nil && !s.flow.task.settled(window) {
			continue
		}
		if (c.opt.LineNumbers || size <= LineLimit && s.flow.task.failed()) && err == nil {
			return c.counted(name, shape, &e, start, end, modified), true
		}
		return s.Close(size, first), true
	}
}

// wider is the window after one that did not decide: where neither the first nor the next one holds the end of the story,
// the log most likely just stops, and all that may be read is read at once.
func wider(window, most int64) int64 {
	if window < causeWindow {
		return min(causeWindow, most)
	}
	return most
}

// ending is the end of a log as far as it was read: it stands at the end of room.
type ending struct {
	head []byte
	at   io.ReaderAt
	size int64
	from int64 // offset of its first byte; 0: all of the log is there
	have int64 // bytes that are there
	room []byte
}

func (e *ending) bytes() []byte { return e.room[int64(len(e.room))-e.have:] }

// grow reads back to a window from the log's end; where that meets the head, the whole log is there.
func (e *ending) grow(window int64) error {
	from := e.size - window
	whole := from <= int64(len(e.head))
	if whole {
		from = int64(len(e.head))
	}
	need := e.size - from
	if whole {
		need = e.size
	}
	if int64(len(e.room)) < need {
		room := make([]byte, max(need, 4*firstWindow))
		copy(room[int64(len(room))-e.have:], e.bytes())
		e.room = room
	}
	missing := e.size - from - e.have
	to := int64(len(e.room)) - e.have
	n, err := e.at.ReadAt(e.room[to-missing:to], from)
	e.have += missing
	e.from = from
	if int64(n) < missing {
		clear(e.room[to-missing+int64(n) : to])
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	} else {
		err = nil
	}
	if whole {
		copy(e.room[int64(len(e.room))-e.have-int64(len(e.head)):], e.head)
		e.have, e.from = e.size, 0
	}
	return err
}

// counted judges the same windows again, with the lines between them counted.
func (c *Classifier) counted(name string, shape lineShape, e *ending, start, end []byte, modified time.Time) *Part {
	lines := int64(0)
	room := c.chunk.Get().(*[]byte)
	defer c.chunk.Put(room)
	buf := *room
	first := e.size - int64(len(end))
	for off := int64(0); off < first; {
		n, err := e.at.ReadAt(buf[:min(int64(len(buf)), first-off)], off)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		off += int64(n)
		if err != nil && n == 0 {
			break
		}
	}
	s := c.scan(name, shape, modified)
	begun, ended := s.parts(start, end)
	s.Add(0, start, begun)
	s.flow.mode = "task"
	s.Gap()
	s.CountFrom(lines)
	s.Add(first, end, ended)
	return s.Close(e.size, first)
}

// parts sifts the beginning and the end of a log, without the idle records of an ordinary one.
func (s *Scan) parts(start, end []byte) (begun, ended Sifted) {
	a, b := s.sieve.sift(start), s.sieve.sift(end)
	if s.trims() {
		o := newOrdinary(&s.flow.path.Identity)
		if trimmed, ok := o.trim(start, a); ok {
			if more, ok := o.trim(end, b); ok {
				return Sifted{trimmed}, Sifted{more}
			}
		}
	}
	return Sifted{a}, Sifted{b}
}

// gap begins an unknown stretch: a segment that had ended cannot be what follows.
func (k *taskSink) gap() {
	t := k.cur()
	if s := t.cur(); s.ended {
		t.begin1()
		n := t.cur()
		n.ran, n.fresh = true, false
		n.structured, n.oldFamily = s.structured, s.oldFamily
	}
	t.gapped = true
	k.gapAt = k.order
}

// settled says whether the end of the log that was read so far decides.
func (k *taskSink) settled(window int64) bool {
	t := k.cur()
	d := t.decide()
	words := d.seg.words
	if d.f != nil && d.f.words != nil {
		words = d.f.words
	}
	spoken := words != nil && words.order > k.gapAt
	switch d.ending {
	case Success, Skipped, Deferred, Rescheduled:
		return spoken && !d.weak || window >= causeWindow && d.f != nil && d.f.order > k.gapAt
	case Unfinished, LogMissing:
		return false
	}
	return window >= causeWindow && spoken && (d.ending != Traceback || d.exc != nil) && d.f != nil && d.f.order > k.gapAt
}

// failed says whether the try needs somebody's attention, so that its rows are shown with their line numbers.
func (k *taskSink) failed() bool { return k.cur().decide().ending.Failed() }
