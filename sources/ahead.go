package sources

import (
	"context"
	"io"
	"time"
)

const (
	aheadBuffers = 4
	aheadSize    = 256 << 10
)

// ahead reads in a goroutine of its own, a few buffers ahead of its consumer, so that decompression or the wait for a
// pipe overlaps with the consumer's work.
type ahead struct {
	done   <-chan struct{} // closed when nobody will read any more
	cancel context.CancelFunc
	full   chan chunk
	free   chan []byte
	ended  chan struct{}

	cur chunk  // being consumed
	buf []byte // the whole of cur's buffer, to be given back
}

// chunk is one buffer's worth of bytes, what had been read from below by then, and what ended the reading.
type chunk struct {
	data []byte
	in   int64
	err  error
}

// startAhead starts to read r. Where fill is set it hands on full buffers only, else whatever a Read brings. in, which
// the goroutine owns from now on, is noted with each chunk; it may be nil.
func startAhead(ctx context.Context, r io.Reader, in *int64, fill bool) *ahead {
	a := &ahead{full: make(chan chunk, aheadBuffers), free: make(chan []byte, aheadBuffers), ended: make(chan struct{})}
	ctx, a.cancel = context.WithCancel(ctx)
	a.done = ctx.Done()
	go a.run(r, in, fill)
	return a
}

func (a *ahead) run(r io.Reader, in *int64, fill bool) {
	defer close(a.ended)
	made := 0
	for {
		var buf []byte
		select {
		case buf = <-a.free:
		default:
			if made < aheadBuffers {
				buf = make([]byte, aheadSize)
				made++
				break
			}
			select {
			case buf = <-a.free:
			case <-a.done:
				return
			}
		}
		c := read(r, buf, fill)
		if in != nil {
			c.in = *in
		}
		select {
		case a.full <- c:
		case <-a.done:
			return
		}
		if c.err != nil {
			return
		}
	}
}

// read brings at least a byte or an error.
func read(r io.Reader, buf []byte, fill bool) chunk {
	n, empty := 0, 0
	for {
		m, err := r.Read(buf[n:])
		n += m
		if m == 0 {
			empty++
		}
		if err == nil && empty == 100 {
			err = io.ErrNoProgress
		}
		if err != nil || n == len(buf) || n > 0 && !fill {
			return chunk{data: buf[:n], err: err}
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.cur.data) == 0 {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.buf != nil {
			a.free <- a.buf // never blocks: there are no more buffers than places
			a.buf = nil
		}
		select {
		case a.cur = <-a.full:
			a.buf = a.cur.data[:cap(a.cur.data)]
		case <-a.done:
			return 0, context.Canceled
		}
	}
	n := copy(p, a.cur.data)
	a.cur.data = a.cur.data[n:]
	return n, nil
}

// stop ends the reading and waits for the goroutine.
func (a *ahead) stop() {
	a.cancel()
	<-a.ended
}

// abandon ends the reading of r, which may be blocked for ever: it is interrupted where the system can do that, and
// left behind where not.
func (a *ahead) abandon(r io.Reader) {
	a.cancel()
	select {
	case <-a.ended:
		return
	default:
	}
	if d, ok := r.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
		<-a.ended
	}
}
