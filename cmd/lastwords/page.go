package main

import (
	"bufio"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"
)

// page is where text goes. Its methods expect clean text and pay attention to no errors: the bufio.Writer keeps the
// first one.
type page struct {
	w         *bufio.Writer
	pal       palette
	clock     clock
	width     int  // columns; 0: lines are never broken or cut
	fancy     bool // a terminal that shows block characters
	verbose   bool
	heartbeat time.Duration
}

func (p *page) line(s ...string) {
	for _, s := range s {
		p.w.WriteString(s)
	}
	p.w.WriteByte('\n')
}

// labelWidth is the room for labels in blocks.
const labelWidth = 12

// field writes a labelled line; further lines and what does not fit stand under the first.
func (p *page) field(label string, lines ...string) {
	for _, text := range lines {
		if text == "" {
			continue
		}
		for _, s := range p.wrap(text, 2+labelWidth) {
			head := strings.Repeat(" ", labelWidth)
			if label != "" {
				head = paint(p.pal.faint, pad(label, labelWidth))
			}
			p.line("  ", head, s)
			label = ""
		}
	}
}

// command writes something to run. It is never broken: it must survive copying.
func (p *page) command(run string) {
	p.line(strings.Repeat(" ", 2+labelWidth), paint(p.pal.run, "$ "+run))
}

// hang writes text behind a mark, broken at the width, with the rest indented.
func (p *page) hang(indent int, mark string, c *color.Color, text string) {
	for _, s := range p.wrap(text, indent+cells(mark)) {
		p.line(strings.Repeat(" ", indent), paint(c, mark), s)
		mark = strings.Repeat(" ", cells(mark))
	}
}

// para writes text behind a mark like hang, but with the rest only a little further in: for long sentences.
func (p *page) para(indent int, mark string, c *color.Color, text string) {
	room := strings.Repeat("x", cells(mark))
	for i, s := range p.wrap(room+text, indent+2) {
		if i == 0 {
			p.line(strings.Repeat(" ", indent), paint(c, mark), strings.TrimPrefix(s, room))
			continue
		}
		p.line(strings.Repeat(" ", indent+2), s)
	}
}

// wrap breaks text at blanks so that it fits beside an indent. Words longer than a line stay whole.
func (p *page) wrap(text string, indent int) []string {
	room := p.width - indent
	if p.width == 0 || room < 20 || cells(text) <= room {
		return []string{text}
	}
	var lines []string
	var now strings.Builder
	used := 0
	for _, word := range strings.Split(text, " ") {
		n := cells(word)
		if used > 0 && used+1+n > room {
			lines = append(lines, now.String())
			now.Reset()
			used = 0
		} else if now.Len() > 0 {
			now.WriteByte(' ')
			used++
		}
		now.WriteString(word)
		used += n
	}
	return append(lines, now.String())
}

// narrow counts East Asian ambiguous characters as one column, as terminals do by default.
var narrow = &runewidth.Condition{}

// cells is the number of columns that s takes.
func cells(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return narrow.StringWidth(s)
		}
	}
	return len(s)
}

// pad fills s with blanks to n columns.
func pad(s string, n int) string {
	if m := n - cells(s); m > 0 {
		return s + strings.Repeat(" ", m)
	}
	return s
}

// padLeft is pad for numbers.
func padLeft(s string, n int) string {
	if m := n - cells(s); m > 0 {
		return strings.Repeat(" ", m) + s
	}
	return s
}

// cut shortens s to n columns; what was cut shows as "...".
func cut(s string, n int) string {
	if n <= 0 || cells(s) <= n {
		return s
	}
	return narrow.Truncate(s, n, "...")
}
