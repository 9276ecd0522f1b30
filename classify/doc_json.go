package classify

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonText walks JSON without building anything: exports are read at most once, and places in them must be kept.
// It checks the structure that it needs, no more. Every method returns -1 where the text breaks; bad is the place.
type jsonText struct {
	b   []byte
	bad int
}

func (j *jsonText) fail(i int) int {
	j.bad = min(i, len(j.b))
	return -1
}

// space returns the place of the first byte from i on that is no white space.
func (j *jsonText) space(i int) int {
	for i < len(j.b) {
		switch j.b[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// str returns the place behind the string that starts at i.
func (j *jsonText) str(i int) int {
	if i >= len(j.b) || j.b[i] != '"' {
		return j.fail(i)
	}
	for at := i + 1; ; {
		n := bytes.IndexByte(j.b[at:], '"')
		if n < 0 {
			if nl := bytes.IndexByte(j.b[at:], '\n'); nl >= 0 {
				return j.fail(at + nl)
			}
			return j.fail(len(j.b))
		}
		if nl := bytes.IndexByte(j.b[at:at+n], '\n'); nl >= 0 {
			return j.fail(at + nl) // a JSON string has no raw line feed: a cut record is followed by another line
		}
		slashes := 0
		for k := at + n - 1; k > i && j.b[k] == '\\'; k-- {
			slashes++
		}
		at += n + 1
		if slashes%2 == 0 {
			return at
		}
	}
}

// value returns the place behind the value that starts at i, which is not read.
func (j *jsonText) value(i int) int {
	i = j.space(i)
	if i >= len(j.b) {
		return j.fail(i)
	}
	switch j.b[i] {
	case '"':
		return j.str(i)
	case '{', '[':
	default:
		start := i
		for i < len(j.b) && (asciiAlnum(j.b[i]) || j.b[i] == '-' || j.b[i] == '+' || j.b[i] == '.') {
			i++
		}
		if i == start {
			return j.fail(i)
		}
		return i
	}
	depth := 0
	for i < len(j.b) {
		switch j.b[i] {
		case '"':
			if i = j.str(i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return j.fail(i)
}

// object calls f with each key, as it is spelled, and the place of its value. f returns the place behind the value
// where it read it, 0 where it did not, and -1 to stop.
func (j *jsonText) object(i int, f func(key []byte, at int) int) int {
	if i >= len(j.b) || j.b[i] != '{' {
		return j.fail(i)
	}
	i = j.space(i + 1)
	if i < len(j.b) && j.b[i] == '}' {
		return i + 1
	}
	for {
		end := j.str(i)
		if end < 0 {
			return -1
		}
		key := j.b[i+1 : end-1]
		i = j.space(end)
		if i >= len(j.b) || j.b[i] != ':' {
			return j.fail(i)
		}
		at := j.space(i + 1)
		if at >= len(j.b) {
			f(key, at)
			return j.fail(at)
		}
		i = f(key, at)
		if i == 0 {
			i = j.value(at)
		}
		if i < 0 {
			return -1
		}
		var done bool
		if i, done = j.comma(i, '}'); i < 0 || done {
			return i
		}
	}
}

// array calls f with the place of each element; f returns what object's does.
func (j *jsonText) array(i int, f func(at int) int) int {
	if i >= len(j.b) || j.b[i] != '[' {
		return j.fail(i)
	}
	i = j.space(i + 1)
	if i < len(j.b) && j.b[i] == ']' {
		return i + 1
	}
	for {
		if i >= len(j.b) {
			return j.fail(i)
		}
		end := f(i)
		if end == 0 {
			end = j.value(i)
		}
		if end < 0 {
			return -1
		}
		var done bool
		if i, done = j.comma(end, ']'); i < 0 || done {
			return i
		}
	}
}

// comma returns the place of what follows a comma, or the place behind the closing bracket.
func (j *jsonText) comma(i int, closing byte) (next int, done bool) {
	i = j.space(i)
	switch {
	case i >= len(j.b):
		return j.fail(i), false
	case j.b[i] == closing:
		return i + 1, true
	case j.b[i] == ',':
		return j.space(i + 1), false
	}
	return j.fail(i), false
}

// decodeJSON decodes the inside of a JSON string over itself and returns the part of b that it takes. It never grows.
// Escapes that make no sense stay as they are.
func decodeJSON(b []byte) []byte {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return b
	}
	out := b[:i]
	for i < len(b) {
		c := b[i]
		if c != '\\' {
			n := bytes.IndexByte(b[i:], '\\')
			if n < 0 {
				n = len(b) - i
			}
			out = append(out, b[i:i+n]...)
			i += n
			continue
		}
		if i+1 >= len(b) {
			out = append(out, c)
			break
		}
		switch e := b[i+1]; e {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '"', '\\', '/':
			out = append(out, e)
		case 'u':
			r, n := hexRune(b[i+2:], 4)
			if n == 0 {
				out = append(out, c, e)
				break
			}
			if utf16.IsSurrogate(r) {
				low, m := rune(0), 0
				if bytes.HasPrefix(b[i+6:], []byte(`\u`)) {
					low, m = hexRune(b[i+8:], 4)
				}
				if pair := utf16.DecodeRune(r, low); m > 0 && pair != utf8.RuneError {
					r, n = pair, n+6
				} else {
					r = utf8.RuneError
				}
			}
			i += n
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c, e)
		}
		i += 2
	}
	return out
}

// hexRune reads n hexadecimal digits; it returns 0, 0 where there are fewer.
func hexRune(b []byte, n int) (rune, int) {
	if len(b) < n {
		return 0, 0
	}
	var r rune
	for _, c := range b[:n] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, 0
		}
		r = r<<4 | rune(c)
	}
	return r, n
}

// compactJSON takes the white space between the tokens of valid JSON away, over itself.
func compactJSON(b []byte) []byte {
	out := b[:0]
	quoted := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		if quoted {
			out = append(out, c)
			switch c {
			case '\\':
				if i++; i < len(b) {
					out = append(out, b[i])
				}
			case '"':
				quoted = false
			}
			continue
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			quoted = true
		}
		out = append(out, c)
	}
	return out
}
