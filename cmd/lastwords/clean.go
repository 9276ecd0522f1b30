package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text from a log safe to show: control characters, escape sequences, bidirectional overrides, invisible
// characters and bytes that are no UTF-8 come out as visible escapes (`\x1b`, `\u202e`, ␀), a tab as a space. What is
// left holds no byte that a terminal acts on and no line break.
func clean(s string) string {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == 0:
			b.WriteRune('␀')
		case r == '\t':
			b.WriteByte(' ')
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case hidden(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// hidden says whether a character changes what a reader sees without being seen: format characters (bidirectional
// overrides, tags, the byte order mark) and the Unicode line breaks. The joiners that scripts and emoji need stay.
func hidden(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r == 0x200c || r == 0x200d || r == 0xad:
		return false
	case r == 0x2028 || r == 0x2029:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}
