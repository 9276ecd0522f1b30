package main

import (
	"slices"

	"lastwords/classify"
)

// parts are the seconds that one try (or all of them) spent in each phase, in the order of phaseNames.
type parts struct {
	seconds   [len(phaseNames)]float64
	known     [len(phaseNames)]bool
	estimated [len(phaseNames)]bool
}

// partsOf adds up the phases of one try.
func partsOf(phases []classify.Phase) parts {
	var s parts
	for _, p := range phases {
		k := slices.Index(phaseNames[:], p.Phase)
		if k < 0 || p.From.IsZero() || p.To.Before(p.From) {
			continue
		}
		s.seconds[k] += p.To.Sub(p.From).Seconds()
		s.known[k] = true
		s.estimated[k] = s.estimated[k] || p.Estimated
	}
	return s
}

// partsOfCost are the parts that a cost holds.
func partsOfCost(c *classify.Cost) parts {
	var s parts
	for k, v := range []*float64{c.Queued, c.Running, c.Deferred, c.Rescheduled, c.Undetected, c.Waiting} {
		if v != nil {
			s.seconds[k], s.known[k] = *v, true
		}
	}
	return s
}

// text is one part in seconds: "310", "~310" where it is estimated, "-" where it is not known.
func (s parts) text(k int) string {
	if !s.known[k] {
		return "-"
	}
	v := decimal(s.seconds[k], true)
	if s.seconds[k] >= 100 {
		v = decimal(float64(int64(s.seconds[k]+0.5)), true)
	}
	if s.estimated[k] {
		return "~" + v
	}
	return v
}

// phasesOf are the phases of one try in order of time.
func phasesOf(t *classify.Task, try int) []classify.Phase {
	var own []classify.Phase
	for _, p := range t.Timeline {
		if p.Try == try {
			own = append(own, p)
		}
	}
	slices.SortStableFunc(own, func(a, b classify.Phase) int { return a.From.Compare(b.From) })
	return own
}

// triesOf are the numbers of tries that a timeline has a row for.
func triesOf(t *classify.Task) []int {
	all := slices.Clone(t.Numbers)
	for _, p := range t.Timeline {
		if !slices.Contains(all, p.Try) {
			all = append(all, p.Try)
		}
	}
	slices.Sort(all)
	return all
}
