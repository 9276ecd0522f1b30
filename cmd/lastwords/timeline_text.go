package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/fatih/color"

	"lastwords/classify"
)

// Glyphs of the phases, in the order of phaseNames: plain ones, and those for a terminal.
var (
	plainGlyphs = [...]string{".", "#", "d", "r", "!", "-"}
	fancyGlyphs = [...]string{"░", "█", "▒", "▚", "×", "·"}
)

// phaseWords are the phases as the legend explains them.
var phaseWords = [...]string{"queued", "running", "deferred", "rescheduled", "undetected (dead but unnoticed)", "waiting for retry"}

// timelineText draws a timeline for each task instance that needed more than one try.
func (p *program) timelineText(w *bufio.Writer, o options, s *shown) error {
	g := p.page(w, o)
	tasks := costliest(s.tasks)
	g.hang(0, "", nil, costTotal(tasks))
	if len(tasks) > 0 {
		g.hang(0, "", nil, "times in "+g.clock.name(g.clock.now)+"; "+g.legend(tasks))
	}
	for _, t := range tasks {
		g.line()
		g.timelineBlock(t)
	}
	g.problems(s.report.Problems)
	return w.Flush()
}

func (p *page) glyph(k int) string {
	if p.fancy {
		return fancyGlyphs[k]
	}
	return plainGlyphs[k]
}

func (p *page) phaseTone(k int) *color.Color {
	return [...]*color.Color{p.pal.faint, p.pal.good, p.pal.run, p.pal.run, p.pal.bad, p.pal.doubt}[k]
}

// legend explains the glyphs that occur.
func (p *page) legend(tasks []*classify.Task) string {
	var used [len(phaseNames)]bool
	for _, t := range tasks {
		all := partsOf(t.Timeline)
		for k, known := range all.known {
			used[k] = used[k] || known
		}
	}
	var words []string
	for k, word := range phaseWords {
		if used[k] {
			words = append(words, p.glyph(k)+" "+word)
		}
	}
	return strings.Join(words, "  ")
}

// timelineBlock draws one task instance: bars, seconds, cost.
func (p *page) timelineBlock(t *classify.Task) {
	p.line(strings.TrimRight(paint(p.pal.name, taskTitle(t.Identity, sourceOf(t)))+"  "+clean(t.RunID), " "))
	a, drawn := newAxis(t.Timeline)
	tries := triesOf(t)
	if drawn {
		p.bars(t, tries, a)
	} else {
		p.line("  no times are known")
	}
	p.secondsTable(t, tries)
	if s := missingTries(t); s != "" {
		p.hang(2, "", nil, s)
	}
	if s := costSentence(&t.Cost); s != "" {
		p.hang(2, "", nil, s)
	}
	for _, note := range notes(t) {
		p.hang(2, "", nil, clean(note))
	}
}

// columns is the width that drawings may take.
func (p *page) columns() int {
	if p.width == 0 {
		return 80
	}
	return max(p.width, 40)
}

func (p *page) bars(t *classify.Task, tries []int, a axis) {
	label := len("try " + fmt.Sprint(tries[len(tries)-1]) + " ")
	room := p.columns() - 2 - label - 3 // two edges, and the last column stays free
	for _, try := range tries {
		row := a.bar(phasesOf(t, try), room)
		p.line("  ", pad(fmt.Sprintf("try %d", try), label), "|", p.strip(row), "|")
	}
	p.line(strings.Repeat(" ", 3+label), p.scale(a, room))
	for _, c := range a.cuts {
		p.hang(2, "", nil, fmt.Sprintf("left out of the drawing: %s without a try, from %s to %s",
			span(c.to.Sub(c.from).Seconds()), p.clock.full(c.from), p.clock.full(c.to)))
	}
}

// strip paints a bar, each stretch of one phase at once.
func (p *page) strip(row []byte) string {
	var b strings.Builder
	for i := 0; i < len(row); {
		j := i
		for j < len(row) && row[j] == row[i] {
			j++
		}
		if row[i] == 0 {
			b.WriteString(strings.Repeat(" ", j-i))
		} else {
			k := int(row[i] - 1)
			b.WriteString(paint(p.phaseTone(k), strings.Repeat(p.glyph(k), j-i)))
		}
		i = j
	}
	return b.String()
}

// scale writes times under a bar of n columns: its ends and, with room, its middle.
func (p *page) scale(a axis, n int) string {
	from, to := p.clock.full(a.from), p.clock.near(a.to, a.from)
	if n < cells(from)+cells(to)+2 {
		from, to = p.clock.hour(a.from), p.clock.hour(a.to)
	}
	gap := n - cells(from) - cells(to)
	middle := p.clock.hour(a.instant(n/2, n))
	if len(a.cuts) == 0 && gap > cells(middle)+8 {
		left := n/2 - cells(from)
		if left > 2 && left+cells(middle)+2 < gap {
			return from + strings.Repeat(" ", left) + middle + strings.Repeat(" ", gap-left-cells(middle)) + to
		}
	}
	return from + strings.Repeat(" ", max(gap, 1)) + to
}

// secondsTable writes the seconds of each part, a line a try and one for all.
func (p *page) secondsTable(t *classify.Task, tries []int) {
	all := partsOfCost(&t.Cost)
	rows := make([]parts, len(tries))
	show := [len(phaseNames)]bool{1: true, 4: true, 5: true}
	for i, try := range tries {
		rows[i] = partsOf(phasesOf(t, try))
		for k, known := range rows[i].known {
			show[k] = show[k] || known
		}
	}
	endings := map[int]string{}
	for _, try := range t.Tries {
		endings[try.Try] = strings.TrimSuffix(string(try.Ending)+", "+clean(try.Cause), ", ")
	}
	head := "seconds"
	line := func(label string, s parts, ending string) {
		text := pad(label, len(head))
		for k, name := range phaseNames {
			if show[k] {
				text += "  " + padLeft(s.text(k), len(name))
			}
		}
		if room := p.columns() - cells(text) - 4; ending != "" && room >= 12 {
			text += "  " + cut(ending, room)
		}
		p.line("  ", text)
	}
	names := head
	for k, name := range phaseNames {
		if show[k] {
			names += "  " + name
		}
	}
	p.line("  ", paint(p.pal.faint, names))
	for i, try := range tries {
		line(fmt.Sprintf("try %d", try), rows[i], endings[try])
	}
	line("all", all, "")
}
