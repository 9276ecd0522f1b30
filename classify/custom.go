package classify

import (
	"bytes"
	"iter"
)

// customFormat is a log_format of the user's own: where level, file and message stand, learnt from the first lines.
//
//	2024-03-01 02:00:01|INFO|taskinstance.py:1308|Starting attempt 1 of 3
type customFormat struct {
	levelFirst bool
	sep        []byte // what stands between the later of level and file, and the message
	withLine   bool   // file.py:12, not file.py
}

// learnCustom finds a common header with a level and an Airflow file name that the standard formats do not explain.
func learnCustom(head iter.Seq[[]byte]) *customFormat {
	votes, lines := map[string]int{}, 0
	formats := map[string]*customFormat{}
	for line := range head {
		line = stripANSI(bytes.TrimRight(line, "\r"))
		if len(line) == 0 || bytes.HasPrefix(line, []byte("***")) {
			continue
		}
		var plain lineShape
		if r, ok := plain.header(line); ok && (r.family == textLine || r.family == celeryLine) {
			return nil
		}
		lines++
		if f := guessCustom(line); f != nil {
			key := string(f.sep)
			if f.levelFirst {
				key += "<"
			}
			votes[key]++
			formats[key] = f
		}
	}
	best := ""
	for k, n := range votes {
		if n > votes[best] || n == votes[best] && k < best {
			best = k
		}
	}
	if votes[best] < 2 {
		return nil
	}
	return formats[best]
}

// guessCustom reads one line's header, if it has a level and a *.py name in its first 200 bytes.
func guessCustom(line []byte) *customFormat {
	h := line[:min(len(line), 200)]
	py := bytes.Index(h, []byte(".py"))
	if py < 1 || !isWord(h[py-1]) {
		return nil
	}
	at, level := findLevel(h)
	if at < 0 || !nearby(h, at, py) {
		return nil
	}
	end := py + 3
	f := &customFormat{levelFirst: at < py}
	if end < len(h) && h[end] == ':' {
		n := end + 1
		for n < len(h) && h[n] >= '0' && h[n] <= '9' {
			n++
		}
		if n > end+1 {
			f.withLine = true
			end = n
		}
	}
	if !f.levelFirst {
		end = at + len(level)
	}
	stop := end
	for stop < len(h) && !isWord(h[stop]) && h[stop] != '<' && h[stop] != '*' && stop-end < 6 {
		stop++
	}
	if stop == end {
		return nil
	}
	f.sep = bytes.Clone(h[end:stop])
	return f
}

// nearby says whether level and file name stand in one header: close to each other, and the file is no path and no value.
func nearby(h []byte, level, py int) bool {
	start := py
	for start > 0 && (isWord(h[start-1]) || h[start-1] == '-') {
		start--
	}
	if start > 0 && bytes.IndexByte([]byte("\"'=/."), h[start-1]) >= 0 {
		return false
	}
	gap := start - level
	if gap < 0 {
		gap = level - py
	}
	return gap < 60
}

// findLevel finds a level as a word of its own.
func findLevel(h []byte) (int, string) {
	best, name := -1, ""
	for _, l := range levels {
		if i := bytes.Index(h, []byte(l)); i >= 0 && (i == 0 || !isWord(h[i-1])) &&
			(i+len(l) >= len(h) || !isWord(h[i+len(l)])) && (best < 0 || i < best) {
			best, name = i, l
		}
	}
	return best, name
}

func (f *customFormat) header(line []byte) (r record, ok bool) {
	h := line[:min(len(line), 200)]
	py := bytes.Index(h, []byte(".py"))
	at, level := findLevel(h)
	if py < 1 || at < 0 || (at < py) != f.levelFirst || !nearby(h, at, py) {
		return r, false
	}
	start := py
	for start > 0 && (isWord(h[start-1]) || h[start-1] == '-') {
		start--
	}
	end := py + 3
	if f.withLine {
		if end >= len(h) || h[end] != ':' {
			return r, false
		}
		end++
		for end < len(h) && h[end] >= '0' && h[end] <= '9' {
			end++
		}
	}
	if !f.levelFirst {
		end = at + len(level)
	}
	if !bytes.HasPrefix(line[end:], f.sep) {
		return r, false
	}
	r.family, r.level, r.origin = customLine, level, intern(h[start:py+3])
	if level == "WARN" {
		r.level = "WARNING"
	}
	for i := 0; i+19 < len(h) && i < start; i++ {
		if h[i] == '2' {
			if m, _, ok := parseMoment(h[i:]); ok {
				r.when = m
				break
			}
		}
	}
	r.text = string(line[end+len(f.sep):])
	return r, true
}
