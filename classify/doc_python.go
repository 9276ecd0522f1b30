package classify

import (
	"errors"
	"unicode/utf8"
)

var errPython = errors.New("python literal breaks off")

// pythonDepth is how deep lists and tuples may nest: the reader's answer has two levels.
const pythonDepth = 16

// pythonTexts walks a Python literal of lists, tuples and strings, as repr writes it, and calls f with each string:
// its decoded bytes, which overwrite the literal, where they begin in it, and whether it is the last one of a tuple or list. Nothing is
// evaluated. Strings that end before the text does are yielded before the error.
//
// Airflow 2's REST answer holds such a literal (www and api_connexion log endpoints, seen in 2.8.4 and 2.10.5):
//
//	[('vm', ' INFO - ::group::Log message source details\n*** Found local files:\n…')]
func pythonTexts(b []byte, f func(text []byte, from int, last bool)) error {
	p := pythonText{b: b, f: f}
	if !p.value(0) {
		return errPython
	}
	p.space()
	if p.i < len(p.b) {
		return errPython
	}
	return nil
}

type pythonText struct {
	b []byte
	i int
	f func([]byte, int, bool)
}

func (p *pythonText) space() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\n' || p.b[p.i] == '\r' || p.b[p.i] == '\t') {
		p.i++
	}
}

func (p *pythonText) peek() byte {
	if p.i < len(p.b) {
		return p.b[p.i]
	}
	return 0
}

func (p *pythonText) value(depth int) bool {
	p.space()
	switch c := p.peek(); c {
	case '[', '(', '{':
		if depth == pythonDepth {
			return false
		}
		return p.sequence(depth+1, closingOf(c))
	case '\'', '"':
		from := p.i + 1
		text, ok := p.str(false)
		p.f(text, from, !ok || p.last())
		return ok
	case 'b', 'B', 'u', 'U':
		if p.i+1 < len(p.b) && (p.b[p.i+1] == '\'' || p.b[p.i+1] == '"') {
			p.i++
			from := p.i + 1
			text, ok := p.str(c|0x20 == 'b')
			p.f(text, from, !ok || p.last())
			return ok
		}
	}
	// None, True, 12, -1.5
	start := p.i
	for p.i < len(p.b) && (asciiAlnum(p.b[p.i]) || p.b[p.i] == '-' || p.b[p.i] == '.' || p.b[p.i] == '_' || p.b[p.i] == '+') {
		p.i++
	}
	return p.i > start
}

// last says whether the value before p.i is the last one of its list or tuple.
func (p *pythonText) last() bool {
	p.space()
	if p.peek() != ',' {
		return true
	}
	for _, c := range p.b[p.i+1:] {
		if c != ' ' {
			return c == ')' || c == ']' || c == '}'
		}
	}
	return true
}

func closingOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '{':
		return '}'
	}
	return ']'
}

func (p *pythonText) sequence(depth int, closing byte) bool {
	p.i++
	for {
		p.space()
		if p.peek() == closing {
			p.i++
			return true
		}
		if !p.value(depth) {
			return false
		}
		p.space()
		switch p.peek() {
		case ',', ':':
			p.i++
		case closing:
		default:
			return false
		}
	}
}

// str decodes the string whose quote stands at p.i over itself.
func (p *pythonText) str(raw bool) (text []byte, ok bool) {
	quote := p.b[p.i]
	i := p.i + 1
	out := p.b[i:i:len(p.b)]
	for i < len(p.b) {
		c := p.b[i]
		if c == quote {
			p.i = i + 1
			return out, true
		}
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		if i+1 >= len(p.b) {
			break
		}
		var n int
		out, n = appendPython(out, p.b[i+1:], raw)
		i += 1 + n
	}
	p.i = len(p.b)
	return out, false
}

// appendPython appends what the escape behind a backslash stands for and returns its length. An escape is never
// shorter than what it stands for, so out may be the front of the same array.
func appendPython(out, b []byte, raw bool) ([]byte, int) {
	code := func(r rune, n int) ([]byte, int) {
		switch {
		case raw && r <= 0xff:
			return append(out, byte(r)), n
		case r >= 0xdc80 && r <= 0xdcff:
			return append(out, byte(r-0xdc00)), n // surrogateescape: a byte that was no UTF-8
		}
		return utf8.AppendRune(out, r), n
	}
	switch c := b[0]; c {
	case '\n':
		return out, 1
	case '\\', '\'', '"':
		return append(out, c), 1
	case 'a':
		return append(out, '\a'), 1
	case 'b':
		return append(out, '\b'), 1
	case 'f':
		return append(out, '\f'), 1
	case 'n':
		return append(out, '\n'), 1
	case 'r':
		return append(out, '\r'), 1
	case 't':
		return append(out, '\t'), 1
	case 'v':
		return append(out, '\v'), 1
	case 'x':
		if r, n := hexRune(b[1:], 2); n > 0 {
			return code(r, 3)
		}
	case 'u':
		if r, n := hexRune(b[1:], 4); n > 0 && !raw {
			return code(r, 5)
		}
	case 'U':
		if r, n := hexRune(b[1:], 8); n > 0 && !raw {
			return code(r, 9)
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		r, n := rune(0), 0
		for n < 3 && n < len(b) && b[n] >= '0' && b[n] <= '7' {
			r = r<<3 | rune(b[n]-'0')
			n++
		}
		if raw {
			r &= 0xff
		}
		return code(r, n)
	}
	return append(out, '\\', b[0]), 1
}
