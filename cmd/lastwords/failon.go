package main

import (
	"fmt"
	"slices"

	"lastwords/classify"
)

// failing counts the shown tries and findings that --fail-on names. Patterns are allowed; "any" is every ending that
// needs attention.
func failing(names []string, s *shown) (n int, first string) {
	hit := func(what, source string) {
		n++
		if first == "" {
			first = what + " in " + source
		}
	}
	for _, t := range s.tries {
		switch task := s.of[t]; {
		case t.Ending.Failed() && slices.Contains(names, "any"), slices.ContainsFunc(names, func(p string) bool { return glob(p, string(t.Ending)) }):
			hit(string(t.Ending), tryName(t))
		case t.Cause != "" && anyGlob(names, t.Cause):
			hit(t.Cause, tryName(t))
		default:
			for _, id := range findingsOf(t, task) {
				if anyGlob(names, id) {
					hit(id, tryName(t))
					break
				}
			}
		}
	}
	for _, f := range s.findings {
		if anyGlob(names, f.ID) {
			hit(f.ID, "the report")
		}
	}
	return n, first
}

// check sets the exit status that --fail-on asks for.
func (p *program) check(o options, s *shown) {
	if len(o.failOn) == 0 {
		return
	}
	n, first := failing(o.failOn, s)
	if n == 0 {
		return
	}
	p.status = max(p.status, statusCheckFailed)
	if !o.quiet {
		fmt.Fprintf(p.env.Stderr, "lastwords: --fail-on: %s (%s)\n", count(n, "hit", "hits"), clean(first))
	}
}

// taskName names a task instance in one word: dag/run/task, with /map_index where it is mapped.
func taskName(id classify.Identity) string {
	name := or(id.DagID, "?") + "/" + or(id.RunID, "?") + "/" + or(id.TaskID, "?")
	if id.MapIndex >= 0 {
		name += fmt.Sprintf("/%d", id.MapIndex)
	}
	return name
}

// tryName names a try for a message.
func tryName(t *classify.Try) string {
	if t.DagID == "" && t.TaskID == "" {
		return or(t.Source, "a log without a name")
	}
	return fmt.Sprintf("%s try %d", taskName(t.Identity), t.Try)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
