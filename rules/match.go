package rules

import (
	"regexp"
	"strings"
	"sync"
	"unsafe"
)

// lazyRegexp is a rule's regular expression, compiled when the rule's literals were first found. Most are never needed.
type lazyRegexp struct {
	once sync.Once
	re   *regexp.Regexp
}

func (l *lazyRegexp) get(text string) *regexp.Regexp {
	l.once.Do(func() { l.re, _ = regexp.Compile(text) }) // Load has compiled it once: it cannot fail here
	return l.re
}

// Match is the fast test: does a record with this message have the rule's literals, and none of those that it must not
// have? It allocates nothing and keeps neither msg nor more.
//
// The first literal opens the message, unless `at: anywhere`. With `more`, the other literals (and with `at: anywhere`
// the first one, too) may stand in one of the continuation lines instead; `not` looks at the message alone.
// A rule that has a regexp fires only if Captures finds it as well.
func (r *Rule) Match(msg []byte, more [][]byte) bool {
	if len(r.Literal)+len(r.Either) == 0 {
		return false
	}
	rest := r.Literal
	if len(r.Either) > 0 {
		if !r.either(msg, more) {
			return false
		}
	} else if r.At != "anywhere" {
		first := rest[0]
		if len(msg) < len(first) || string(msg[:len(first)]) != first {
			return false
		}
		rest = rest[1:]
	}
	for _, lit := range rest {
		if contains(msg, lit) {
			continue
		}
		if !r.More || !anyContains(more, lit) {
			return false
		}
	}
	for _, lit := range r.Not {
		if contains(msg, lit) {
			return false
		}
	}
	return true
}

// either says whether one of the alternatives stands where the first literal would.
func (r *Rule) either(msg []byte, more [][]byte) bool {
	for _, lit := range r.Either {
		if r.At != "anywhere" {
			if len(msg) >= len(lit) && string(msg[:len(lit)]) == lit {
				return true
			}
		} else if contains(msg, lit) || r.More && anyContains(more, lit) {
			return true
		}
	}
	return false
}

// contains is bytes.Contains for a string, which would copy a literal of more than 32 bytes for each record.
func contains(b []byte, lit string) bool {
	return strings.Contains(unsafe.String(unsafe.SliceData(b), len(b)), lit) // the string is gone before b can change
}

// textPart is a run of literal text and the hole that follows it; the last part may have no hole.
type textPart struct{ lit, name string }

// cutText splits "Started process {pid} to run task" at its holes; err says what is wrong with it.
func cutText(text string) (parts []textPart, err string) {
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			return append(parts, textPart{lit: text}), ""
		}
		end := strings.IndexByte(text[open:], '}')
		if end < 2 {
			return nil, "a hole is {name}"
		}
		if len(parts) > 0 && open == 0 {
			return nil, "nothing stands between two holes"
		}
		parts = append(parts, textPart{text[:open], text[open+1 : open+end]})
		text = text[open+end+1:]
	}
	return parts, ""
}

// fillText appends what stands in the holes of a rule's text to out. A hole reaches to the first occurrence of what follows
// it, the last one to the end of the line. It is not ok where the message has another shape.
func fillText(shape, msg string, out []Capture) (_ []Capture, ok bool) {
	if i := strings.IndexByte(msg, '\n'); i >= 0 {
		msg = msg[:i]
	}
	for name := ""; ; {
		open := strings.IndexByte(shape, '{')
		lit := shape
		if open >= 0 {
			lit = shape[:open]
		}
		at := 0
		if name != "" {
			at = strings.Index(msg, lit)
			if lit == "" && open < 0 {
				at = len(msg)
			}
		} else if !strings.HasPrefix(msg, lit) {
			at = -1
		}
		if at < 0 {
			return out, false
		}
		if name != "" {
			out = append(out, Capture{name, msg[:at]})
		}
		msg = msg[at+len(lit):]
		if open < 0 {
			return out, true
		}
		end := strings.IndexByte(shape[open:], '}')
		name, shape = shape[open+1:open+end], shape[open+end+1:]
	}
}

func anyContains(lines [][]byte, lit string) bool {
	for _, l := range lines {
		if contains(l, lit) {
			return true
		}
	}
	return false
}

// Capture is a named part of a record.
type Capture struct{ Name, Value string }

// Captures appends what the rule's text or regexp captures to out, without groups that took no part in the match. It is
// not ok where the rule has a text or regexp that does not match: then the rule does not fire. The text is the message; for
// a rule with `more`, message, continuation lines and fields, joined by \n. Values are parts of the text. Safe for
// concurrent use.
func (r *Rule) Captures(text string, out []Capture) (_ []Capture, ok bool) {
	if r.Text != "" {
		return fillText(r.Text, text, out)
	}
	if r.Regexp == "" {
		return out, true
	}
	lazy := r.lazy
	if lazy == nil {
		lazy = new(lazyRegexp)
	}
	re := lazy.get(r.Regexp)
	if re == nil {
		return out, false
	}
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return out, false
	}
	for i, name := range re.SubexpNames() {
		if name != "" && at[2*i] >= 0 {
			out = append(out, Capture{name, text[at[2*i]:at[2*i+1]]})
		}
	}
	return out, true
}
