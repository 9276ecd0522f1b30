package classify

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// stoppage is a try that was stopped from outside, and when.
type stoppage struct {
	at  int64 // µs
	try *Try
}

const (
	purgeBefore = 30 * time.Second // a live try notices its purge at its next heartbeat
	exitAfter   = 20 * time.Second // a supervisor ends the process of a try that was stopped
)

// fileStops puts the tries that were stopped from outside in the order of time, and finds which of them the purges that
// name nobody fit.
func (j *joiner) fileStops() {
	if len(j.purges)+len(j.exits) == 0 {
		return
	}
	for _, t := range j.tries {
		if t.Ending == ExternallySet && t.own != nil && !t.own.end.IsZero() {
			j.stops = append(j.stops, stoppage{microsOf(t.own.end), t})
		}
	}
	slices.SortStableFunc(j.stops, func(a, b stoppage) int { return cmp.Compare(a.at, b.at) })
	j.purgesOf = map[*Try][]int{}
	for _, i := range j.purges {
		switch list := j.stopsNear(j.noteAt(i).at, purgeBefore); len(list) {
		case 0:
			j.purgesAny = append(j.purgesAny, i)
		case 1:
			j.purgesOf[list[0].try] = append(j.purgesOf[list[0].try], i)
		}
	}
	byTime := func(a, b int) int { return cmp.Or(cmp.Compare(j.noteAt(a).at, j.noteAt(b).at), cmp.Compare(a, b)) }
	slices.SortFunc(j.purgesAny, byTime)
	slices.SortFunc(j.exits, byTime)
}

func (j *joiner) noteAt(i int) *note {
	l := j.names.log(i)
	return j.names.logs[l].note(i - j.names.first[l])
}

// stopsNear are the tries that were stopped less than d before or after a time.
func (j *joiner) stopsNear(at int64, d time.Duration) []stoppage {
	j.step()
	from := sort.Search(len(j.stops), func(k int) bool { return j.stops[k].at > at-d.Microseconds() })
	to := sort.Search(len(j.stops), func(k int) bool { return j.stops[k].at >= at+d.Microseconds() })
	return j.stops[from:max(from, to)]
}

// within are those of a list, in order of time, that stand in [from, to).
func (j *joiner) within(list []int, from, to int64) []int {
	a := sort.Search(len(list), func(k int) bool { return j.noteAt(list[k]).at >= from })
	b := sort.Search(len(list), func(k int) bool { return j.noteAt(list[k]).at >= to })
	return list[a:max(a, b)]
}

// nameless joins records without ids by time where only one try fits: zombies of 2.0 and 2.1, and what a supervisor of 3.0
// wrote about the process that it ended. logged says whether the try is one of those with a log.
func (j *joiner) nameless(t *Try, logged bool) {
	if t.Ending != ExternallySet || t.own == nil || t.own.end.IsZero() || len(j.purges)+len(j.exits) == 0 {
		return
	}
	end := microsOf(t.own.end)
	if t.Cause == "setter-unknown" {
		from, to := end-purgeBefore.Microseconds()+1, end+time.Second.Microseconds()
		list := j.purgesOf[t]
		if !logged {
			list = j.within(j.purgesAny, from, to)
		}
		for _, i := range list {
			j.step()
			if at := j.noteAt(i).at; at >= from && at < to {
				m := j.mention(i)
				j.because(t, m, "false-zombie", Likely)
				t.Evidence = append(t.Evidence, m.evidence())
				j.used[i] = true
				break
			}
		}
	}
	others := len(j.stopsNear(end, exitAfter))
	if logged {
		others--
	}
	if t.Signal != 0 || others > 0 {
		return
	}
	first := -1
	for _, i := range j.within(j.exits, end-time.Second.Microseconds(), end+exitAfter.Microseconds()) {
		j.step()
		if first >= 0 && i > first {
			continue
		}
		if signal := max(0, -codeOf(j.mention(i).code)); signal > 0 {
			t.Signal, first = signal, i
		}
	}
}
