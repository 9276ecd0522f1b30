package main

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"

	"lastwords/classify"
	"lastwords/sources"
)

// blockSize is how much of a log is looked through at a time.
const blockSize = 1 << 20

// longEnd is how much is kept of each end of a line that is too long.
const longEnd = 64 << 10

// block is a run of whole lines on its way: read, sifted by any goroutine, added in order.
type block struct {
	offset int64
	data   []byte
	kept   classify.Sifted
	done   chan struct{}
}

// scanStream reads a log from its first byte to its last. Where it is longer than a block, one goroutine reads, a few sift
// and this one adds.
func scanStream(c *classify.Classifier, l *sources.Log, r io.Reader) *classify.Part {
	s, ok := c.Scan(l.Name, l.Head, l.Modified)
	if !ok {
		return c.Stream(l.Name, l.Head, r, l.Modified)
	}
	cut := &cutter{r: r, max: s.MaxLine(), long: s.TooLong, json: s.MaxLine() > classify.LongLine}
	first, err := cut.next(nil)
	if err == nil {
		err = scanBlocks(s, cut, first)
	} else if len(first.data) > 0 {
		s.Add(first.offset, first.data, s.Sift(first.data))
	}
	p := s.Close(-1, -1)
	if err != nil && !errors.Is(err, io.EOF) {
		p.Problem(err, "what could be read is reported")
	}
	return p
}

func scanBlocks(s *classify.Scan, cut *cutter, first *block) error {
	workers := max(1, runtime.GOMAXPROCS(0))
	work, order := make(chan *block, workers), make(chan *block, workers+1)
	free := make(chan []byte, 2*workers+4)
	var failed error
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer close(work)
		defer close(order)
		for b, err := first, error(nil); ; {
			if len(b.data) > 0 {
				b.done = make(chan struct{})
				order <- b
				work <- b
			}
			if err != nil {
				failed = err
				return
			}
			var buf []byte
			select {
			case buf = <-free:
			default:
			}
			b, err = cut.next(buf)
		}
	}()
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for b := range work {
				b.kept = s.Sift(b.data)
				close(b.done)
			}
		}()
	}
	for b := range order {
		<-b.done
		s.Add(b.offset, b.data, b.kept)
		if cap(b.data) <= 2*blockSize {
			select {
			case free <- b.data[:0]:
			default:
			}
		}
	}
	wg.Wait()
	return failed
}

// cutter cuts a stream into blocks that end with a line's end. A line that fits in no block loses its middle.
type cutter struct {
	r      io.Reader
	rest   []byte // the beginning of a line that the block before did not hold whole
	offset int64  // of the next block
	max    int
	json   bool
	long   func(offset int64)
	eof    error
}

// next returns a block and io.EOF with the last one. buf is used for the block where it is large enough.
func (c *cutter) next(buf []byte) (*block, error) {
	if c.eof != nil {
		return &block{offset: c.offset}, c.eof
	}
	if cap(buf) < blockSize {
		buf = make([]byte, 0, blockSize+blockSize/8)
	}
	buf = append(buf[:0], c.rest...)
	c.rest = c.rest[:0]
	scanned := 0
	for {
		if len(buf) == cap(buf) {
			if len(buf) >= c.max {
				return c.longLine(buf)
			}
			buf = append(buf, make([]byte, len(buf))...)[:len(buf)]
		}
		n, err := c.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil {
			c.eof = err
			b := &block{offset: c.offset, data: buf}
			c.offset += int64(len(buf))
			return b, err
		}
		if len(buf) < blockSize*7/8 {
			continue
		}
		if i := bytes.LastIndexByte(buf[scanned:], '\n'); i >= 0 {
			end := scanned + i + 1
			c.rest = append(c.rest, buf[end:]...)
			b := &block{offset: c.offset, data: buf[:end]}
			c.offset += int64(end)
			return b, nil
		}
		scanned = len(buf)
	}
}

// longLine skips to the end of a line whose beginning fills buf and returns its two ends as a block of one line.
func (c *cutter) longLine(buf []byte) (*block, error) {
	if c.json {
		c.long(c.offset)
	}
	b := &block{offset: c.offset}
	skipped := int64(len(buf))
	ring := append(make([]byte, 0, longEnd), buf[len(buf)-longEnd:]...)
	head := buf[:longEnd]
	chunk := buf[longEnd : longEnd+blockSize/2]
	var err error
	for {
		var n int
		n, err = c.r.Read(chunk)
		line := chunk[:n]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			c.rest = append(c.rest, line[i+1:]...)
			line = line[:i+1]
		}
		skipped += int64(len(line))
		if len(line) >= longEnd {
			ring = append(ring[:0], line[len(line)-longEnd:]...)
		} else {
			ring = append(ring, line...)
			ring = append(ring[:0], ring[max(0, len(ring)-longEnd):]...)
		}
		if err != nil || len(line) < n || bytes.HasSuffix(line, []byte{'\n'}) {
			break
		}
	}
	b.data = append(append(make([]byte, 0, 2*longEnd), head...), ring...)
	c.offset += skipped
	if err != nil {
		c.eof = err
	}
	return b, err
}
