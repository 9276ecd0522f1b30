package main

import (
	"slices"
	"time"

	"lastwords/classify"
)

// filter chooses what is shown of a finished report. Its zero value lets everything through.
type filter struct {
	since, until       time.Time // last sign of life
	runSince, runUntil time.Time // logical date
	dag, task, run     []string  // patterns
	ending, cause      []string
}

func (f *filter) active() bool {
	return !f.since.IsZero() || !f.until.IsZero() || !f.runSince.IsZero() || !f.runUntil.IsZero() ||
		len(f.dag)+len(f.task)+len(f.run)+len(f.ending)+len(f.cause) > 0
}

// shown is the part of a report that passed a filter. A task is in it with its whole history if any of its tries is.
type shown struct {
	report   *classify.Report
	tries    []*classify.Try
	tasks    []*classify.Task
	findings []classify.Finding
	of       map[*classify.Try]*classify.Task
	filtered bool
	noTime   int // tries left out because they have no time at all
	noDate   int // tries left out because their run id holds no date
}

// apply filters r.
func (f *filter) apply(r *classify.Report) *shown {
	s := &shown{report: r, tries: r.Tries, tasks: r.Tasks, findings: r.Findings, of: map[*classify.Try]*classify.Task{}}
	for _, task := range r.Tasks {
		for _, t := range task.Tries {
			s.of[t] = task
		}
	}
	if !f.active() {
		return s
	}
	s.filtered, s.tries, s.tasks, s.findings = true, nil, nil, nil
	left := map[*classify.Try]bool{}
	for _, t := range r.Tries {
		if f.fits(t, s) {
			s.tries = append(s.tries, t)
			left[t] = true
		}
	}
	names := map[string]bool{}
	for _, task := range r.Tasks {
		if slices.ContainsFunc(task.Tries, func(t *classify.Try) bool { return left[t] }) {
			s.tasks = append(s.tasks, task)
			names[taskName(task.Identity)] = true
		}
	}
	for _, g := range r.Findings {
		if len(g.Where) == 0 || slices.ContainsFunc(g.Where, func(w string) bool { return names[w] }) {
			s.findings = append(s.findings, g)
		}
	}
	return s
}

// instances counts the task instances of the tries that are shown.
func (s *shown) instances() int {
	if !s.filtered {
		return s.report.Summary.Tasks
	}
	names := map[classify.Identity]bool{}
	for _, t := range s.tries {
		id := t.Identity
		id.Try = 0
		names[id] = true
	}
	return len(names)
}

func (f *filter) fits(t *classify.Try, s *shown) bool {
	if !anyGlob(f.dag, t.DagID) || !anyGlob(f.task, t.TaskID) || !anyGlob(f.run, t.RunID) ||
		!anyGlob(f.ending, string(t.Ending)) {
		return false
	}
	if len(f.cause) > 0 && !(t.Cause != "" && anyGlob(f.cause, t.Cause)) &&
		!slices.ContainsFunc(findingsOf(t, s.of[t]), func(id string) bool { return anyGlob(f.cause, id) }) {
		return false
	}
	if !f.runSince.IsZero() || !f.runUntil.IsZero() {
		at, ok := logicalDate(t.RunID)
		if !ok {
			s.noDate++
			return false
		}
		if !within(at, f.runSince, f.runUntil) {
			return false
		}
	}
	if !f.since.IsZero() || !f.until.IsZero() {
		at := lastSign(t)
		if at.IsZero() {
			s.noTime++
			return false
		}
		return within(at, f.since, f.until)
	}
	return true
}

// findingsOf are the ids of the findings of task that speak of t.
func findingsOf(t *classify.Try, task *classify.Task) []string {
	if task == nil {
		return nil
	}
	var ids []string
	for _, f := range task.Findings {
		if (len(f.Tries) == 0 || slices.Contains(f.Tries, t.Try)) && !slices.Contains(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// lastSign is the last time that is known of a try: its last sign of life, else whatever else dates it.
func lastSign(t *classify.Try) time.Time {
	for _, at := range []time.Time{t.EndedAt, t.NoticedAt, t.StartedAt, t.QueuedAt} {
		if !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

func within(at, from, to time.Time) bool {
	return (from.IsZero() || !at.Before(from)) && (to.IsZero() || !at.After(to))
}

func anyGlob(patterns []string, s string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return glob(p, s) })
}

// glob says whether s fits pattern, in which * is any run of characters (slashes too) and ? is one.
func glob(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
