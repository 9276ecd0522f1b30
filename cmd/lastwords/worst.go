package main

import (
	"cmp"
	"slices"

	"lastwords/classify"
)

// lost is the time that failed tries of a task instance took, with what came on top, in seconds.
func lost(t *classify.Task) float64 {
	var s float64
	for _, try := range t.Tries {
		if !try.Ending.Failed() {
			continue
		}
		if d, ok := try.Duration(); ok {
			s += d
		}
		if t.Cost.OnTop == nil && t.Cost.Undetected == nil {
			u, _ := try.Undetected()
			s += u
		}
	}
	if t.Cost.OnTop != nil {
		return s + *t.Cost.OnTop
	}
	for _, part := range []*float64{t.Cost.Undetected, t.Cost.Waiting} {
		if part != nil {
			s += *part
		}
	}
	return s
}

// lostText is lost for people; "-" where no time is known.
func lostText(t *classify.Task) string {
	if s := lost(t); s > 0 {
		return span(s)
	}
	return "-"
}

// worstFirst orders the task instances that need attention: no retry left before retries to come, then by the time
// that was lost. The order of the report (by name) decides the rest.
func worstFirst(tasks []*classify.Task) []*classify.Task {
	type ranked struct {
		t *classify.Task
		o outlook
		s float64
	}
	var all []ranked
	for _, t := range tasks {
		if needsAttention(t) {
			all = append(all, ranked{t, outlookOf(t), lost(t)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.o, b.o), cmp.Compare(b.s, a.s))
	})
	worst := make([]*classify.Task, len(all))
	for i, r := range all {
		worst[i] = r.t
	}
	return worst
}

// lastFailed is the last failed try of t, or its last try where none failed.
func lastFailed(t *classify.Task) *classify.Try {
	for _, try := range slices.Backward(t.Tries) {
		if try.Ending.Failed() {
			return try
		}
	}
	return t.Tries[len(t.Tries)-1]
}
