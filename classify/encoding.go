package classify

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	capEnd     = 64 << 10    // bytes that are kept of each end of a line
	capLine    = 2 * capEnd  // a longer line loses its middle
	bufFirst   = 64 << 10    // a small log needs no more
	bufMost    = 2 * capLine // room for a line at the cap and a good read behind it
	headMost   = 16 << 10    // what formats are learnt from
	emptyReads = 100         // reads without a byte or an error before giving up, as in bufio
)

// coding says how the bytes of an input spell text.
type coding uint8

const (
	utf8Text coding = iota
	utf16LE         // PowerShell 5's `>` and Out-File
	utf16BE
)

// sniffCoding tells the coding from the first bytes and how many of them are a byte order mark.
//
// UTF-16 without a mark is known by its NULs: Airflow's lines are nearly all ASCII, so every second byte is zero and
// the others are not. A log full of NULs (a file that a crashed host had preallocated) fails the second half.
func sniffCoding(head []byte) (c coding, mark int) {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return utf8Text, 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16LE, 2
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16BE, 2
	}
	if len(head) > 512 {
		head = head[:512]
	}
	pairs := len(head) / 2
	if pairs < 2 {
		return utf8Text, 0
	}
	var even, odd int
	for i := 0; i+1 < len(head); i += 2 {
		if head[i] == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	switch {
	case odd*10 >= pairs*7 && even*10 <= pairs:
		return utf16LE, 0
	case even*10 >= pairs*7 && odd*10 <= pairs:
		return utf16BE, 0
	}
	return utf8Text, 0
}

// appendUTF8 appends the UTF-8 spelling of b. An odd last byte and lone surrogates become U+FFFD.
func (c coding) appendUTF8(dst, b []byte) []byte {
	if c == utf8Text {
		return append(dst, b...)
	}
	hi, lo := 1, 0
	if c == utf16BE {
		hi, lo = 0, 1
	}
	for len(b) >= 2 {
		r := rune(b[hi])<<8 | rune(b[lo])
		b = b[2:]
		switch {
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
			continue
		case utf16.IsSurrogate(r):
			pair := utf8.RuneError
			if len(b) >= 2 {
				pair = utf16.DecodeRune(r, rune(b[hi])<<8|rune(b[lo]))
			}
			if pair != utf8.RuneError {
				b = b[2:]
			}
			r = pair
		}
		dst = utf8.AppendRune(dst, r)
	}
	if len(b) == 1 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst
}

// units counts the bytes that the text b, which appendUTF8 made, has in the input.
func (c coding) units(b []byte) int64 {
	if c == utf8Text {
		return int64(len(b))
	}
	var n int64
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			n += 2
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		n += 2
		if r > 0xffff {
			n += 2
		}
		b = b[size:]
	}
	return n
}

// newlineAt finds the first line feed of a line that starts at b[0], looking from b[from:] on. It returns -1 if
// there is none.
func (c coding) newlineAt(b []byte, from int) int {
	if c == utf8Text {
		if i := bytes.IndexByte(b[from:], '\n'); i >= 0 {
			return from + i
		}
		return -1
	}
	for {
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		if c == utf16LE {
			if i%2 == 0 && i+1 < len(b) && b[i+1] == 0 {
				return i
			}
		} else if i%2 == 1 && b[i-1] == 0 {
			return i - 1
		}
	}
}

// physical yields the physical lines of an input, decoded. It holds at most bufMost bytes of it.
type physical struct {
	r    io.Reader
	code coding
	mark int // bytes of the byte order mark that are still to be skipped

	buf      []byte
	from, to int // the unread bytes are buf[from:to]
	err      error

	no      int64  // lines that were handed out
	off     int64  // place of buf[from] in the input
	decoded []byte // text of the last line where it had to be decoded
}

func newPhysical(r io.Reader, c coding, mark int) *physical {
	return &physical{r: r, code: c, mark: mark}
}

// physicalOf yields the lines of text that is at hand; it reads from it and never writes to it, as long as no line is
// longer than capLine.
func physicalOf(head []byte, c coding, mark int) *physical {
	return &physical{code: c, buf: head, from: mark, to: len(head), off: int64(mark), err: io.EOF}
}

// next gives l the next line. Its text is valid until the next call and may be written to.
func (p *physical) next(l *Line) error {
	scanned := 0 // bytes behind from that hold no newline
	var dropped int64
	for {
		if i := p.code.newlineAt(p.buf[p.from:p.to], scanned); i >= 0 {
			width := 1
			if p.code != utf8Text {
				width = 2
			}
			p.line(l, i, i+width, dropped)
			return nil
		}
		scanned = p.to - p.from
		if p.code != utf8Text && scanned > 0 {
			scanned -= 2 - scanned%2 // the newline's other byte may be still to come
		}
		if p.err != nil {
			if p.from == p.to {
				return p.err
			}
			p.line(l, p.to-p.from, p.to-p.from, dropped)
			return nil
		}
		if p.to-p.from >= bufMost {
			n := p.middle(p.to - p.from)
			dropped += int64(n)
			p.to -= n
			scanned = min(scanned, capLine)
		}
		p.fill()
	}
}

// middle takes the middle out of the n bytes at from, so that both ends stay, and returns how many bytes it took.
func (p *physical) middle(n int) int {
	tail := n - capEnd
	if p.code != utf8Text {
		tail &^= 1 // units stay whole
	}
	copy(p.buf[p.from+capEnd:], p.buf[p.from+tail:p.from+n])
	return tail - capEnd
}

// line cuts the next line: n bytes of text, used bytes with its end, dropped bytes of it gone before.
func (p *physical) line(l *Line, n, used int, dropped int64) {
	*l = Line{No: p.no + 1, Offset: p.off, Cut: dropped > 0}
	next := p.from + used
	if n > capLine {
		n -= p.middle(n)
		l.Cut = true
	}
	text := p.buf[p.from : p.from+n : p.from+n]
	if p.code != utf8Text {
		p.decoded = p.code.appendUTF8(p.decoded[:0], text)
		text = p.decoded
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	l.Text = text
	p.no++
	p.off += int64(used) + dropped
	p.from = next
}

// fill reads once more, behind the unread bytes. There is room for it when fewer than bufMost are unread.
func (p *physical) fill() {
	switch {
	case p.buf == nil:
		p.buf = make([]byte, bufFirst)
	case p.from > 0 && p.from == p.to:
		p.grow(p.to == len(p.buf))
		p.from, p.to = 0, 0
	case p.from > 0 && len(p.buf)-p.to < len(p.buf)/4:
		old, from := p.buf, p.from
		p.grow(true)
		copy(p.buf, old[from:p.to])
		p.from, p.to = 0, p.to-from
	case p.to == len(p.buf):
		old := p.buf
		p.grow(true)
		copy(p.buf, old[:p.to])
	}
	for range emptyReads {
		n, err := p.r.Read(p.buf[p.to:])
		p.to += n
		p.err = err
		if p.mark > 0 && p.to-p.from >= p.mark {
			p.from += p.mark
			p.off += int64(p.mark)
			p.mark = 0
		}
		if n > 0 || err != nil {
			return
		}
	}
	p.err = io.ErrNoProgress
}

// grow makes the buffer as large as it may become, if it is wanted; the caller copies.
func (p *physical) grow(want bool) {
	if want && len(p.buf) < bufMost {
		p.buf = make([]byte, bufMost)
	}
}
