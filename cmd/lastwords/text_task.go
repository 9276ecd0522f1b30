package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"

	"lastwords/classify"
)

// taskBlock writes the history of one task instance: a line a try, then what only the history shows.
func (p *page) taskBlock(t *classify.Task) {
	last := t.Tries[len(t.Tries)-1]
	p.line(strings.TrimRight(paint(p.pal.name, taskTitle(t.Identity, last.Source))+"  "+clean(t.RunID), " "))
	o := outlookOf(t)
	say := o.String()
	if o != recovered {
		say = p.retryPhrase(last, t)
		if age := p.ageSentence(last, t); age != "" {
			say = age
		}
	}
	p.hang(2, "", nil, paint(p.outlookTone(o), say))
	p.tryLines(t)
	p.history(t)
	if o != recovered {
		p.advice(last)
	}
	if p.verbose {
		for _, try := range t.Tries {
			if try.Ending.Failed() {
				p.line()
				p.tryBlock(try, t)
			}
		}
	}
}

func (p *page) outlookTone(o outlook) *color.Color {
	switch o {
	case noRetry:
		return p.pal.bad
	case recovered:
		return p.pal.good
	}
	return p.pal.doubt
}

// history writes missing tries, findings and cost.
func (p *page) history(t *classify.Task) {
	if s := missingTries(t); s != "" {
		p.hang(2, "", nil, s)
	}
	for i := range t.Findings {
		p.finding(&t.Findings[i])
	}
	if len(t.Numbers) > 1 {
		if s := costSentence(&t.Cost); s != "" {
			p.para(2, "cost: ", p.pal.faint, s)
		}
	}
}

// missingTries names the gaps, unless a finding does.
func missingTries(t *classify.Task) string {
	if len(t.Missing) == 0 || slices.ContainsFunc(t.Findings, func(f classify.Finding) bool { return f.ID == "missing-try" }) {
		return ""
	}
	return tryNumbers(t.Missing) + " left neither a log nor a record"
}

func (p *page) finding(f *classify.Finding) {
	s := clean(f.Says)
	if f.Why != "" {
		s = strings.TrimSuffix(s, ".") + ". " + clean(f.Why)
	}
	p.para(2, sure(clean(f.ID), f.Certainty)+": ", p.toneOf(f.Certainty), s)
}

// advice writes what is open about the last try and the first thing to do.
func (p *page) advice(t *classify.Try) {
	if len(t.Candidates) > 0 {
		var names []string
		for _, c := range t.Candidates {
			names = append(names, sure(clean(c.Cause), c.Certainty))
		}
		p.para(2, "could be: ", p.pal.faint, strings.Join(names, ", "))
	}
	if len(t.Next) > 0 {
		n := t.Next[0]
		p.para(2, "next: ", p.pal.faint, safety(n.Safety)+clean(n.Say))
		if n.Run != "" {
			p.line("    ", paint(p.pal.run, "$ "+clean(n.Run)))
		}
	}
}

// tryLine is one try in columns.
type tryLine struct {
	tone                                    *color.Color
	number, ending, cause, ended, ran, host string
	place, text                             string
	spoke, words                            string // the last words, where the record above stands in another log than the try's own
}

// tryLines writes a line a try; where the terminal is too narrow for that, place and text go to a second line. What the
// places have in common is written once.
func (p *page) tryLines(t *classify.Task) {
	days := map[string]bool{}
	for _, try := range t.Tries {
		if at := lastSign(try); !at.IsZero() {
			days[p.clock.date(at)] = true
		}
	}
	folder := commonFolder(sourcesOf(t))
	var note []string
	if len(days) == 1 {
		for day := range days {
			note = append(note, "on "+day)
		}
	}
	if folder != "" {
		note = append(note, "in "+clean(folder))
	}
	if own := commonFolder(spokenIn(t)); own != "" && own != folder {
		note = append(note, "last words in "+clean(own))
	}
	if len(note) > 0 {
		p.line("  ", paint(p.pal.faint, strings.Join(note, ", ")))
	}
	lines := make([]tryLine, len(t.Tries))
	var wide [7]int
	short := -1 // the shortest place
	for i, try := range t.Tries {
		l := p.tryLine(try, folder, len(days) > 1)
		lines[i] = l
		if n := cells(l.place); short < 0 || n < short {
			short = n
		}
		for j, s := range []string{l.number, l.ending, l.cause, l.ended, l.ran, l.host, l.place} {
			wide[j] = max(wide[j], cells(s))
		}
	}
	oneLine := wide[6] <= short+maxRagged
	for _, l := range lines {
		used := 4 + 2*len(wide)
		for _, n := range wide {
			used += n
		}
		if p.width > 0 && used+min(cells(l.text), 40) > p.width {
			oneLine = false
		}
	}
	for _, l := range lines {
		p.tryColumns(l, wide, oneLine)
	}
}

func (p *page) tryColumns(l tryLine, wide [7]int, oneLine bool) {
	var b strings.Builder
	b.WriteString("  " + padLeft(l.number, wide[0]) + "  " + paint(l.tone, pad(l.ending, wide[1])))
	used := 4 + wide[0] + wide[1]
	column := func(s string, n int) {
		if n > 0 {
			b.WriteString("  " + pad(s, n))
			used += 2 + n
		}
	}
	column(l.cause, wide[2])
	column(l.ended, wide[3])
	if wide[4] > 0 {
		column(padLeft(l.ran, wide[4]), wide[4])
	}
	column(l.host, wide[5])
	if oneLine {
		column(l.place, wide[6])
		if l.text != "" {
			b.WriteString("  " + p.fit(l.text, used+2))
		}
	}
	p.line(strings.TrimRight(b.String(), " "))
	indent := 4 + wide[0]
	under := func(label, place, text string) {
		p.line(strings.TrimRight(strings.Repeat(" ", indent)+label+paint(p.pal.faint, place)+"  "+
			p.fit(text, indent+cells(label)+cells(place)+2), " "))
	}
	if !oneLine {
		under("", l.place, l.text)
	}
	if l.spoke != "" {
		under("last words ", l.spoke, l.words)
	}
}

// maxRagged is how much longer than the shortest a place may be in one column: tries may be proven in logs far apart.
const maxRagged = 24

// wideText is how much of a record's text a line shows that no terminal limits.
const wideText = 160

// fit cuts s to what is left of the line behind used columns.
func (p *page) fit(s string, used int) string {
	if p.width == 0 {
		return cut(s, wideText) // a zombie record may hold the repr of half a database row
	}
	return cut(s, max(p.width-used, 16))
}

func (p *page) tryLine(t *classify.Try, folder string, withDate bool) tryLine {
	l := tryLine{number: "?", tone: p.tone(t), ending: string(t.Ending), host: clean(or(t.Host, t.Pod))}
	if t.Try > 0 {
		l.number = fmt.Sprint(t.Try)
	}
	if t.EndingCertainty != classify.Proven && t.EndingCertainty != "" {
		l.ending = sure(l.ending, t.EndingCertainty)
	}
	if t.Cause != "" {
		l.cause = sure(clean(t.Cause), t.Certainty)
	}
	if at := lastSign(t); !at.IsZero() {
		l.ended = p.clock.hour(at)
		if withDate {
			l.ended = p.clock.full(at)
		}
	}
	if d, ok := t.Duration(); ok {
		l.ran = span(d)
	}
	if r := tellingRecord(t); r != nil {
		l.place = clean(strings.TrimPrefix(r.Source, folder)) + position(r, ":")
		l.text = clean(r.Text)
		if w := t.LastWords; w != nil && w.Source != r.Source && t.Ending.Failed() {
			l.spoke, l.words = clean(w.Source[strings.LastIndexByte(w.Source, '/')+1:])+position(w, ":"), clean(w.Text)
		}
	} else {
		l.place = "no record"
	}
	return l
}

// tellingRecord is the record to show where there is room for one: what proves the cause, else the ending, else the
// last words.
func tellingRecord(t *classify.Try) *classify.Place {
	switch {
	case t.Proof != nil:
		return t.Proof
	case t.Verdict != nil:
		return t.Verdict
	}
	return t.LastWords
}

// sourcesOf are the sources of the records that a task's lines show.
func sourcesOf(t *classify.Task) []string {
	var all []string
	for _, try := range t.Tries {
		if r := tellingRecord(try); r != nil {
			all = append(all, r.Source)
		}
	}
	return all
}

// spokenIn are the sources of the last words that a task's lines show beside another log's record.
func spokenIn(t *classify.Task) []string {
	var all []string
	for _, try := range t.Tries {
		if r := tellingRecord(try); r != nil && try.LastWords != nil && try.LastWords.Source != r.Source && try.Ending.Failed() {
			all = append(all, try.LastWords.Source)
		}
	}
	return all
}

// commonFolder is the longest folder, with its slash, that all sources are in.
func commonFolder(sources []string) string {
	if len(sources) == 0 {
		return ""
	}
	folder := sources[0]
	for {
		i := strings.LastIndexByte(folder, '/')
		if i < 0 {
			return ""
		}
		folder = folder[:i+1]
		in := 0
		for _, s := range sources {
			if strings.HasPrefix(s, folder) {
				in++
			}
		}
		if in == len(sources) {
			return folder
		}
		folder = folder[:i]
	}
}
