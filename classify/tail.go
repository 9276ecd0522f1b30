package classify

import (
	"bytes"
	"io"
	"time"
)

// firstWindow is how much of a log's end is read at first; it grows fourfold until the verdict, its cause block and the
// last words are in hand, or to the window that the options allow.
const firstWindow = 16 << 10

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
	var buf []byte
	for window := int64(firstWindow); ; window = min(window*4, c.opt.TailWindow) {
		s, plain := c.Scan(name, head, modified)
		if !plain || s.sieve.all && s.flow.mode == "" {
			return nil, false
		}
		from := size - window
		if from <= int64(len(head)) {
			from = int64(len(head))
		}
		var err error
		if buf, err = grow(buf, at, from, size); err != nil {
			s.in.part.Problem(err, "the log changed while it was read")
		}
		if from == int64(len(head)) {
			all := append(bytes.Clone(head), buf...)
			s.Add(0, all, s.Sift(all))
			if s.flow.mode == "" && s.component() {
				return nil, false
			}
			return s.Close(size, -1), true
		}
		start := head[:bytes.LastIndexByte(head, '\n')+1]
		s.Add(0, start, s.Sift(start))
		if s.flow.mode == "" && s.component() {
			return nil, false
		}
		s.flow.mode = "task"
		s.Gap()
		end := buf[bytes.IndexByte(buf, '\n')+1:]
		first := size - int64(len(end))
		s.Add(first, end, s.Sift(end))
		s.flow.flush()
		if window < c.opt.TailWindow && err == nil && !s.flow.task.settled(window) {
			continue
		}
		if (c.opt.LineNumbers || size <= LineLimit && s.flow.task.failed()) && err == nil {
			return c.counted(name, head, at, size, modified, first, end)
		}
		return s.Close(size, first), true
	}
}

// grow reads the part before what buf holds of a log's end.
func grow(buf []byte, at io.ReaderAt, from, size int64) ([]byte, error) {
	missing := size - from - int64(len(buf))
	if missing <= 0 {
		return buf[int64(len(buf))-(size-from):], nil
	}
	next := make([]byte, size-from)
	copy(next[missing:], buf)
	n, err := at.ReadAt(next[:missing], from)
	if int64(n) == missing {
		return next, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return append(next[:n:n], buf...), err
}

// counted judges the same windows again with the lines before the end counted.
func (c *Classifier) counted(name string, head []byte, at io.ReaderAt, size int64, modified time.Time, first int64, end []byte) (*Part, bool) {
	lines := int64(0)
	buf := make([]byte, 256<<10)
	for off := int64(0); off < first; {
		n, err := at.ReadAt(buf[:min(int64(len(buf)), first-off)], off)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		off += int64(n)
		if err != nil && n == 0 {
			break
		}
	}
	s, _ := c.Scan(name, head, modified)
	start := head[:bytes.LastIndexByte(head, '\n')+1]
	s.Add(0, start, s.Sift(start))
	s.flow.mode = "task"
	s.Gap()
	s.CountFrom(lines)
	s.Add(first, end, s.Sift(end))
	return s.Close(size, first), true
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
