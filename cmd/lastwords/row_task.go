package main

import (
	"maps"
	"slices"

	"lastwords/classify"
)

// task writes a row of kind "task".
func (e *encoder) task(t *classify.Task) {
	e.row("task")
	e.identity(t.Identity)
	e.key("tries")
	e.ints(t.Numbers)
	e.key("missing_tries")
	e.ints(t.Missing)
	e.key("missing_ranges")
	e.open('[')
	for _, g := range t.Gaps {
		e.ints([]int{g.From, g.To})
	}
	e.close(']')
	e.key("findings")
	e.open('[')
	for i := range t.Findings {
		e.open('{')
		e.finding(&t.Findings[i])
		e.close('}')
	}
	e.close(']')
	e.key("timeline")
	e.open('[')
	for _, p := range t.Timeline {
		e.open('{')
		e.key("try")
		e.intOr(int64(p.Try), 0)
		e.key("phase")
		e.text(p.Phase)
		e.key("from")
		e.time(p.From)
		e.key("to")
		e.time(p.To)
		e.key("estimated")
		e.bool(p.Estimated)
		e.close('}')
	}
	e.close(']')
	e.cost(&t.Cost)
	e.end()
}

func (e *encoder) finding(f *classify.Finding) {
	e.key("id")
	e.text(f.ID)
	e.key("says")
	e.text(f.Says)
	e.key("tries")
	e.ints(f.Tries)
	e.key("certainty")
	e.textOr(string(f.Certainty))
	e.key("why")
	e.textOr(f.Why)
	e.evidence(f.Evidence)
}

func (e *encoder) cost(c *classify.Cost) {
	e.key("cost")
	e.open('{')
	for _, part := range []struct {
		name string
		s    *float64
	}{{"running_s", c.Running}, {"deferred_s", c.Deferred}, {"rescheduled_s", c.Rescheduled},
		{"undetected_s", c.Undetected}, {"waiting_s", c.Waiting}, {"queued_s", c.Queued},
		{"on_top_s", c.OnTop}, {"avoidable_s", c.Avoidable}} {
		e.key(part.name)
		e.secondsAt(part.s)
	}
	e.key("estimated")
	e.bool(c.Estimated)
	e.key("money")
	e.null()
	e.close('}')
}

// spanning writes a row of kind "finding": one that spans task instances.
func (e *encoder) spanning(f *classify.Finding) {
	e.row("finding")
	e.finding(f)
	e.key("where")
	e.texts(f.Where)
	e.end()
}

// problem writes a row of kind "problem".
func (e *encoder) problem(p classify.Problem) {
	e.row("problem")
	e.key("source")
	e.textOr(p.Source)
	e.key("error")
	e.text(p.Err)
	e.key("hint")
	e.textOr(p.Hint)
	e.end()
}

// summary writes the last row. All counts are those of the whole input; shown is what filters left.
func (e *encoder) summary(s classify.Summary, shown int) {
	e.row("summary")
	e.key("tries")
	e.int(int64(s.Tries))
	e.key("tasks")
	e.int(int64(s.Tasks))
	e.key("endings")
	e.open('{')
	for _, name := range classify.Endings {
		if n := s.Endings[name]; n > 0 {
			e.key(string(name))
			e.int(int64(n))
		}
	}
	e.close('}')
	e.counts("causes", s.Causes)
	e.counts("findings", s.Findings)
	e.counts("files", s.Files)
	e.key("bytes")
	e.int(s.Bytes)
	e.key("unseen")
	e.int(int64(s.Unseen))
	e.key("shown")
	e.int(int64(shown))
	e.end()
}

// counts writes an object of numbers, its keys in order. They may be the user's own, so they are escaped.
func (e *encoder) counts(name string, all map[string]int) {
	e.key(name)
	e.open('{')
	for _, k := range slices.Sorted(maps.Keys(all)) {
		e.text(k)
		e.buf = append(e.buf, ':')
		e.int(int64(all[k]))
	}
	e.close('}')
}
