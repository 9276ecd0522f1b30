package main

import (
	"fmt"
	"strings"

	"github.com/fatih/color"

	"lastwords/classify"
)

// unrecognized says what is wrong with an input that holds no try.
func unrecognized(t *classify.Try) string {
	switch {
	case t.Size != 0:
		return "not an Airflow task log"
	case t.Source == "-":
		return "stdin is empty; what did the command before the pipe say?"
	}
	return "an empty file"
}

// tryBlock writes the verdict over one try for a person who has to act on it. A try that needs nobody takes two lines.
func (p *page) tryBlock(t *classify.Try, task *classify.Task) {
	if t.Ending == classify.Unrecognized {
		p.line(paint(p.pal.doubt, "unrecognized"), "  ", clean(t.Source), ": ", unrecognized(t))
		return
	}
	if !t.Ending.Failed() {
		p.goodTry(t)
		return
	}
	p.headline(t)
	p.line(p.identity(t))
	p.field("retry", p.retrySentence(t, task))
	if age := p.ageSentence(t, task); age != "" {
		p.field("age", age)
	}
	if when := p.whenText(t); when != "" {
		p.field("when", when)
	}
	if where := whereText(t); where != "" {
		p.field("where", where)
	}
	p.proofFields(t)
	p.doubtFields(t, laterTry(t, task))
	if p.verbose {
		p.everything(t)
	}
}

// goodTry writes a try that needs nobody.
func (p *page) goodTry(t *classify.Try) {
	p.line(paint(p.pal.good, sure(string(t.Ending), t.EndingCertainty)), "  ", p.identity(t))
	var parts []string
	if when := p.whenText(t); when != "" {
		parts = append(parts, when)
	}
	if where := whereText(t); where != "" {
		parts = append(parts, where)
	}
	if len(parts) > 0 {
		p.hang(2, "", nil, strings.Join(parts, "; "))
	}
	if t.Verdict != nil {
		p.line("  ", paint(p.pal.faint, placeName(t.Verdict)), "  ", clean(t.Verdict.Text))
	}
	if p.verbose {
		p.everything(t)
	}
}

func (p *page) headline(t *classify.Try) {
	s := paint(p.tone(t), sure(string(t.Ending), t.EndingCertainty))
	switch {
	case t.Signal > 0:
		s += " by " + signalName(t.Signal)
	case t.SetTo != "":
		s += " to " + clean(t.SetTo)
		if t.SetBy != "" {
			s += " by " + clean(t.SetBy)
		}
	case t.ExitCode != nil && *t.ExitCode != 0:
		s += fmt.Sprintf(", exit code %d", *t.ExitCode)
	}
	if t.Cause != "" {
		s += ", cause " + paint(p.toneOf(t.Certainty), sure(clean(t.Cause), t.Certainty))
	}
	p.line(s)
}

// tone is red for a recorded failure and yellow for what is open.
func (p *page) tone(t *classify.Try) *color.Color {
	switch {
	case t.Ending == classify.Unfinished, t.Ending == classify.LogMissing, t.Ending == classify.Unrecognized:
		return p.pal.doubt
	case t.Ending.Failed():
		return p.pal.bad
	}
	return p.pal.good
}

func (p *page) toneOf(c classify.Certainty) *color.Color {
	if c == classify.Proven || c == classify.Likely {
		return p.pal.bad
	}
	return p.pal.doubt
}

func (p *page) identity(t *classify.Try) string {
	if t.DagID == "" && t.TaskID == "" {
		s := "dag and task not known"
		if t.Try > 0 {
			s += ", " + tryOf(t)
		}
		return s + "  " + clean(t.Source)
	}
	s := paint(p.pal.name, taskTitle(t.Identity, t.Source))
	if t.RunID != "" {
		s += "  " + clean(t.RunID)
	}
	return s + "  " + tryOf(t)
}

func (p *page) whenText(t *classify.Try) string {
	var s string
	switch {
	case !t.StartedAt.IsZero() && !t.EndedAt.IsZero():
		s = p.clock.stretch(t.StartedAt, t.EndedAt) + " " + p.clock.name(t.EndedAt)
	case !lastSign(t).IsZero():
		s = p.clock.full(lastSign(t)) + " " + p.clock.name(lastSign(t))
	default:
		return ""
	}
	if d, ok := t.Duration(); ok {
		s += ", ran " + span(d)
	}
	if u, ok := t.Undetected(); ok && u >= 1 {
		s += fmt.Sprintf("; noticed %s, %s later", p.clock.near(t.NoticedAt, t.EndedAt), span(u))
	}
	return s
}

// whereText names host, pod, node and process, then what ran there.
func whereText(t *classify.Try) string {
	var parts []string
	add := func(label, s string) {
		if s != "" {
			parts = append(parts, label+clean(s))
		}
	}
	add("", t.Host)
	if t.Pod != t.Host {
		add("pod ", t.Pod)
	}
	add("node ", t.Node)
	if t.PID > 0 {
		add("pid ", fmt.Sprint(t.PID))
	}
	add("", t.Operator)
	add("Airflow ", strings.TrimPrefix(t.Airflow, "Airflow "))
	return strings.Join(parts, ", ")
}

// proofFields writes the records: the one that proves the ending, the one that proves the cause, the exception and the
// last words. A record is written once, a source that was named is not named again.
func (p *page) proofFields(t *classify.Try) {
	named, seen := "", ""
	record := func(label string, r *classify.Place) {
		where := placeName(r)
		if r.Source == named && named != "" {
			where = strings.TrimSpace(position(r, "line "))
		}
		if !r.At.IsZero() {
			where = strings.TrimSpace(where + " at " + p.clock.near(r.At, lastSign(t)))
		}
		named = r.Source
		seen += "\n" + r.Text
		p.field(label, or(where, "no place known"))
		if text := clean(r.Text); text != "" {
			p.field("", text)
		}
	}
	if t.Verdict != nil {
		record("verdict", t.Verdict)
	} else {
		p.field("verdict", "no record of an ending")
	}
	if t.Proof != nil && !samePlace(t.Proof, t.Verdict) {
		record("cause", t.Proof)
	}
	if x := t.Exception; x != nil {
		p.exception(x, seen)
	}
	switch {
	case t.LastWords == nil && t.Ending != classify.NeverStarted && t.Ending != classify.LogMissing:
		if !t.HasLog() {
			p.field("last words", "not known: the try's own log is not here")
		} else {
			p.field("last words", "none: the task's own code wrote nothing")
		}
	case t.LastWords == nil:
	case samePlace(t.LastWords, t.Verdict):
		p.field("last words", "the verdict above")
	case samePlace(t.LastWords, t.Proof):
		p.field("last words", "the record above")
	default:
		record("last words", t.LastWords)
	}
	if t.SearchedFrom > 0 && t.Size > t.SearchedFrom {
		p.field("read", fmt.Sprintf("the last %s of %s (--full reads all of it)", size(t.Size-t.SearchedFrom), size(t.Size)))
	}
}

// exception writes what the records above do not say of it.
func (p *page) exception(x *classify.Exception, seen string) {
	var parts []string
	if !strings.Contains(seen, x.Type) || !strings.Contains(seen, x.Message) {
		parts = append(parts, exceptionText(x))
	}
	if x.Root != "" && x.Root != x.Type {
		parts = append(parts, "began as "+clean(x.Root))
	}
	if x.File != "" {
		at := "raised in " + clean(x.File)
		if x.Line > 0 {
			at += fmt.Sprintf(":%d", x.Line)
		}
		parts = append(parts, at)
	}
	if len(parts) > 0 {
		p.field("exception", strings.Join(parts, ", "))
	}
}
