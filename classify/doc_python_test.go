package classify

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// pythonSamples are literals as repr writes them, and the texts in them; a text in front of the last one is marked.
func pythonSamples() []struct{ in, want string } {
	return []struct{ in, want string }{
		{`[('vm', ' INFO - ::group::x\n*** Found\n')]`, `"vm", " INFO - ::group::x\n*** Found\n"`},
		{`[('', "it's \"a\"")]`, `"", "it's \"a\""`},
		{`[('h', 'a'), ('h2', 'b\\n\'')]`, `"h", "a"; "h2", "b\\n'"`},
		{`['a', 'b']`, `"a", "b"`},
		{`[('a',), b'\xff\x00']`, `"a"; "\xff\x00"`},
		{`[['h', None, -1.5, True, 'x']]`, `"h", "x"`},
		{`{'k': ('h', 't')}`, `"k"; "h", "t"`},
		{`['\a\b\f\v\r\t\x41\u00e4\U0001F600\101\q\
z']`, `"\a\b\f\v\r\tAä😀A\\qz"`},
		{`['\udc80\ud800\x']`, `"\x80` + "\ufffd" + `\\x"`},
		{`u'x'`, `"x"`},
		{`[]`, ``},
		{` [ ( "h" , "t" ) ] `, `"h", "t"`},
	}
}

func spellPython(in string) (string, error) {
	var b strings.Builder
	err := pythonTexts([]byte(in), func(text []byte, from int, last bool) {
		fmt.Fprintf(&b, "%q", text)
		if last {
			b.WriteString("; ")
		} else {
			b.WriteString(", ")
		}
	})
	return strings.TrimSuffix(b.String(), "; "), err
}

func TestPythonTexts(t *testing.T) {
	for _, c := range pythonSamples() {
		got, err := spellPython(c.in)
		if got != c.want || err != nil {
			t.Errorf("%s: got %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	for in, want := range map[string]string{
		`[('h', 'cut\nof`:                `"h", "cut\nof"`,
		`[('h', 'a') ('h', 'b')]`:        `"h", "a"`,
		`['a'`:                           `"a"`,
		`['a']x`:                         `"a"`,
		`[f(x)]`:                         ``,
		`['\`:                            `""`,
		strings.Repeat("[", 100) + "'a'": ``,
		``:                               ``,
		`b`:                              ``,
	} {
		got, err := spellPython(in)
		if got != want && !(in == `b`) || err == nil && in != `b` {
			t.Errorf("%s: got %s, %v; want %s and an error", in, got, err, want)
		}
	}
}

// Texts survive repr and back.
func TestPythonRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a'\"\\\n\r\t\x00ä€😀nx0u[]()"))).Draw(t, "text")
		quote := rapid.SampledFrom([]byte{'\'', '"'}).Draw(t, "quote")
		got := ""
		if err := pythonTexts([]byte("[('h', "+repr(text, quote)+")]"), func(b []byte, from int, last bool) { got = string(b) }); err != nil || got != text {
			t.Fatalf("%q: got %q, %v", text, got, err)
		}
	})
}

func repr(s string, quote byte) string {
	var b strings.Builder
	b.WriteByte(quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == 'ä':
			b.WriteString(`\xe4`)
		case r == '€':
			b.WriteString(`\u20ac`)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(quote)
	return b.String()
}

func FuzzPythonTexts(f *testing.F) {
	for _, c := range pythonSamples() {
		f.Add([]byte(c.in))
	}
	f.Add([]byte(`[('9f0a1b2c', '{"timestamp":"2025-02-09T17:38:59.606175Z","level":"info","event":" \'run_id\': \'manual__2025-02-09T17:38:58.149998+00:00\',","chan":"stdout","logger":"task"}\n')]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		b := bytes.Clone(in)
		size, end := 0, 0
		_ = pythonTexts(b, func(text []byte, from int, last bool) {
			if from < end || from+len(text) > len(b) || !bytes.Equal(b[from:from+len(text)], text) {
				t.Fatalf("text %q at %d of %q", text, from, in)
			}
			size += len(text)
			end = from + len(text)
			if utf8.Valid(in) && bytes.IndexByte(in, '\\') < 0 && !utf8.Valid(text) {
				t.Fatalf("text %q of %q is no UTF-8", text, in)
			}
		})
		if size > len(in) {
			t.Fatalf("%d bytes of text out of %d", size, len(in))
		}
	})
}
