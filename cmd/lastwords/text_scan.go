package main

import (
	"fmt"
	"slices"
	"strings"

	"lastwords/classify"
)

// scanText writes the report of a scan: what the first screen must say, then a block for each task instance that needs
// attention.
func (p *page) scanText(s *shown) {
	worst := worstFirst(s.tasks)
	p.totals(s, worst)
	p.counts(s)
	p.together(s)
	p.spanning(s.findings)
	p.worstList(worst)
	for _, t := range worst {
		p.line()
		p.taskBlock(t)
	}
	p.problems(s.report.Problems)
}

// totals says how much there is and how much of it needs somebody.
func (p *page) totals(s *shown, worst []*classify.Task) {
	failed := 0
	for _, t := range s.tries {
		if t.Ending.Failed() {
			failed++
		}
	}
	if s.filtered {
		p.line("filters let ", thousands(len(s.tries)), " of ", count(len(s.report.Tries), "try", "tries"), " through")
	}
	tone := p.pal.name
	if failed == 0 && len(s.tries) > s.report.Summary.Endings[classify.Unrecognized] {
		tone = p.pal.good
	}
	p.line(paint(tone, headline(failed, len(worst), s)))
	if s := outlooks(worst); s != "" {
		p.hang(2, "", nil, s)
	}

	var parts []string
	for _, f := range tallies(s.report.Summary.Files) {
		parts = append(parts, thousands(f.n)+" "+clean(f.name))
	}
	read := "files: " + strings.Join(parts, ", ") + " (" + size(s.report.Summary.Bytes) + ")"
	if len(parts) == 0 {
		read = size(s.report.Summary.Bytes)
	}
	if n := len(s.report.Problems); n > 0 {
		read += "; " + paint(p.pal.bad, count(n, "input was", "inputs were")+" not read, see the end")
	}
	p.hang(0, "", nil, read+"; times in "+p.clock.name(p.clock.now))
	for _, t := range s.tries {
		if t.Ending == classify.Unrecognized {
			p.hang(0, "", nil, paint(p.pal.doubt, "unrecognized")+"  "+clean(t.Source)+": "+unrecognized(t))
		}
	}
	if n := s.report.Summary.Unseen; n > 0 {
		p.hang(0, "", nil, count(n, "more try is", "more tries are")+
			" named only by other logs, without a record that ends them, and not counted")
	}
}

// headline says how much needs somebody.
func headline(failed, instances int, s *shown) string {
	tasks := count(s.instances(), "task instance", "task instances")
	switch {
	case s.report.Summary.Tries == s.report.Summary.Endings[classify.Unrecognized]:
		return "no try was found"
	case len(s.tries) == 0:
		return "none of " + count(s.report.Summary.Tries, "try", "tries") + " passes the filters"
	case failed == 0:
		return count(len(s.tries), "try", "tries") + " of " + tasks + ", and none needs attention"
	}
	return fmt.Sprintf("%s of %s failed or unfinished, in %s of %s", thousands(failed),
		count(len(s.tries), "try", "tries"), thousands(instances), tasks)
}

// outlooks counts task instances by what becomes of them.
func outlooks(worst []*classify.Task) string {
	n := map[outlook]int{}
	for _, t := range worst {
		n[outlookOf(t)]++
	}
	var parts []string
	for o := noRetry; o <= recovered; o++ {
		if n[o] > 0 {
			parts = append(parts, thousands(n[o])+" "+o.String())
		}
	}
	return strings.Join(parts, ", ")
}

// counts writes endings and causes side by side, or below each other where that does not fit.
func (p *page) counts(s *shown) {
	endings, causes := map[classify.Ending]int{}, map[string]int{}
	for _, t := range s.tries {
		endings[t.Ending]++
		if t.Cause != "" && t.Ending.Failed() {
			causes[t.Cause]++
		}
	}
	if len(endings) == 0 {
		return
	}
	left := []string{paint(p.pal.name, "endings")}
	plain := []int{len("endings")}
	for _, e := range classify.Endings {
		if n := endings[e]; n > 0 {
			name := string(e)
			plain = append(plain, 10+len(name))
			left = append(left, fmt.Sprintf("%8s  %s", thousands(n), paint(p.tone(&classify.Try{Ending: e}), name)))
		}
	}
	right := []string{paint(p.pal.name, "causes of failed tries")}
	for _, c := range tallies(causes) {
		right = append(right, fmt.Sprintf("%8s  %s", thousands(c.n), clean(c.name)))
	}
	p.line()
	if len(right) == 1 || p.width > 0 && p.width < 72 {
		for _, s := range left {
			p.line(s)
		}
		if len(right) > 1 {
			for _, s := range right {
				p.line(s)
			}
		}
		return
	}
	for i := range max(len(left), len(right)) {
		var a, b string
		n := 0
		if i < len(left) {
			a, n = left[i], plain[i]
		}
		if i < len(right) {
			b = right[i]
		}
		p.line(strings.TrimRight(a+strings.Repeat(" ", 36-n)+b, " "))
	}
}

// mostEvents is how many groups of deaths are shown; the rest is a number.
const mostEvents = 10

// together writes deaths that came together.
func (p *page) together(s *shown) {
	all := events(s.tries)
	if len(all) == 0 {
		return
	}
	p.line()
	p.line(paint(p.pal.name, "died together (one event, many tasks)"))
	for i, e := range all {
		if i == mostEvents {
			p.line("  and ", count(len(all)-i, "smaller group", "smaller groups"))
			break
		}
		where := clean(list(e.hosts))
		if len(e.hosts) > 1 {
			where = fmt.Sprintf("%d hosts", len(e.hosts))
		}
		var causes, names []string
		for _, c := range causesOf(e.tries) {
			causes = append(causes, fmt.Sprintf("%d %s", c.n, clean(c.name)))
		}
		for j, t := range e.tries {
			if j == 4 {
				names = append(names, fmt.Sprintf("%d more", len(e.tries)-j))
				break
			}
			names = append(names, taskTitle(t.Identity, t.Source))
		}
		p.hang(2, p.clock.full(e.at)+"  ", nil, fmt.Sprintf("%s on %s (%s): %s",
			count(len(e.tries), "try", "tries"), where, strings.Join(causes, ", "), list(names)))
	}
}

// spanning writes findings that span task instances.
func (p *page) spanning(all []classify.Finding) {
	if len(all) == 0 {
		return
	}
	p.line()
	p.line(paint(p.pal.name, "over several task instances"))
	for i := range all {
		p.finding(&all[i])
	}
}

// listFrom is from how many failing task instances on a list of the worst stands before their blocks.
const listFrom, listMost = 4, 10

// worstList puts the worst task instances on the first screen.
func (p *page) worstList(worst []*classify.Task) {
	worst = slices.DeleteFunc(slices.Clone(worst), func(t *classify.Task) bool { return outlookOf(t) == recovered })
	if len(worst) < listFrom {
		return
	}
	p.line()
	p.line(paint(p.pal.name, "worst first (no retry left, then time lost)"))
	shown := worst[:min(len(worst), listMost)]
	wide := 0
	for _, t := range shown {
		wide = max(wide, len(outlookOf(t).String()))
	}
	for _, t := range shown {
		last := lastFailed(t)
		s := "  " + paint(p.outlookTone(outlookOf(t)), pad(outlookOf(t).String(), wide)) + "  " +
			padLeft(lostText(t), 11) + "  "
		rest := taskTitle(t.Identity, last.Source) + "  " + or(clean(last.Cause), string(last.Ending))
		if p.width > 0 {
			rest = cut(rest, p.width-wide-17)
		}
		p.line(s, rest)
	}
	if n := len(worst) - len(shown); n > 0 {
		p.line("  and ", thousands(n), " more, in the same order below")
	}
}

// problems writes what could not be read.
func (p *page) problems(all []classify.Problem) {
	if len(all) == 0 {
		return
	}
	p.line()
	p.line(paint(p.pal.bad, "not read"))
	for _, x := range all {
		p.hang(2, "", nil, problemText(x))
		if x.Hint != "" {
			p.hang(4, "hint: ", p.pal.faint, clean(x.Hint))
		}
	}
}

// problemText is "source: error", the source not twice.
func problemText(x classify.Problem) string {
	source, text := clean(x.Source), clean(x.Err)
	if source == "" || strings.Contains(text, source) {
		return text
	}
	return source + ": " + text
}
