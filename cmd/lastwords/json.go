package main

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// encoder appends JSON to its buffer, without reflection. It puts the commas; the caller closes what it opened.
// Everything that is not printable is escaped, so that a row can be shown in a terminal.
type encoder struct{ buf []byte }

func (e *encoder) comma() {
	if n := len(e.buf); n > 0 {
		switch e.buf[n-1] {
		case '{', '[', ':', '\n':
		default:
			e.buf = append(e.buf, ',')
		}
	}
}

func (e *encoder) open(b byte) {
	e.comma()
	e.buf = append(e.buf, b)
}

func (e *encoder) close(b byte) { e.buf = append(e.buf, b) }

// key starts a member; names are ours and need no escapes.
func (e *encoder) key(name string) {
	e.comma()
	e.buf = append(e.buf, '"')
	e.buf = append(e.buf, name...)
	e.buf = append(e.buf, '"', ':')
}

func (e *encoder) null() {
	e.comma()
	e.buf = append(e.buf, "null"...)
}

func (e *encoder) bool(b bool) {
	e.comma()
	e.buf = strconv.AppendBool(e.buf, b)
}

func (e *encoder) int(n int64) {
	e.comma()
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

// intOr writes null for the value that stands for unknown.
func (e *encoder) intOr(n, unknown int64) {
	if n == unknown {
		e.null()
		return
	}
	e.int(n)
}

// seconds writes seconds with at most three decimals.
func (e *encoder) seconds(s float64, known bool) {
	if !known || math.IsNaN(s) || math.IsInf(s, 0) {
		e.null()
		return
	}
	e.comma()
	e.buf = strconv.AppendFloat(e.buf, math.Round(s*1000)/1000, 'f', -1, 64)
}

func (e *encoder) secondsAt(s *float64) {
	if s == nil {
		e.null()
		return
	}
	e.seconds(*s, true)
}

// text writes s; an empty one too.
func (e *encoder) text(s string) {
	e.comma()
	e.buf = append(e.buf, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= 0x80 {
			r, n = utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError && r >= 0xa0 && !hidden(r) { // a byte that is no UTF-8 looks the same when it is read back
				i += n
				continue
			}
		}
		e.buf = append(e.buf, s[from:i]...)
		e.escape(r)
		i += n
		from = i
	}
	e.buf = append(e.buf, s[from:]...)
	e.buf = append(e.buf, '"')
}

func (e *encoder) escape(r rune) {
	switch r {
	case '"', '\\':
		e.buf = append(e.buf, '\\', byte(r))
	case '\n':
		e.buf = append(e.buf, '\\', 'n')
	case '\r':
		e.buf = append(e.buf, '\\', 'r')
	case '\t':
		e.buf = append(e.buf, '\\', 't')
	default:
		if r > 0xffff {
			r -= 0x10000
			e.hex(0xd800 + r>>10)
			r = 0xdc00 + r&0x3ff
		}
		e.hex(r)
	}
}

func (e *encoder) hex(r rune) {
	const digits = "0123456789abcdef"
	e.buf = append(e.buf, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// textOr writes null for an empty string.
func (e *encoder) textOr(s string) {
	if s == "" {
		e.null()
		return
	}
	e.text(s)
}

// time writes RFC 3339 in UTC, with milliseconds where there are any, and null for the zero time.
func (e *encoder) time(t time.Time) {
	if t.IsZero() {
		e.null()
		return
	}
	e.comma()
	layout := `"2006-01-02T15:04:05Z"`
	if t = t.UTC().Truncate(time.Millisecond); t.Nanosecond() != 0 {
		layout = `"2006-01-02T15:04:05.000Z"`
	}
	e.buf = t.AppendFormat(e.buf, layout)
}

func (e *encoder) texts(all []string) {
	e.open('[')
	for _, s := range all {
		e.text(s)
	}
	e.close(']')
}

func (e *encoder) ints(all []int) {
	e.open('[')
	for _, n := range all {
		e.int(int64(n))
	}
	e.close(']')
}
