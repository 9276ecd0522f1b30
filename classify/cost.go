package classify

import "time"

// secondsSum is a sum of which parts may be unknown.
type secondsSum struct {
	total time.Duration
	known bool // at least one part is known
	holes bool // at least one part is not
}

func (s *secondsSum) add(d time.Duration) {
	s.total, s.known = s.total+d, true
}

// value is nil where no part is known: a part that is not may be all there was. Where some are, it is their sum, and the
// cost says that it is estimated.
func (s secondsSum) value() *float64 {
	if !s.known || s.holes && s.total == 0 {
		return nil
	}
	v := s.total.Seconds()
	return &v
}

// costSum adds up the parts of a timeline.
type costSum struct {
	running, deferred, rescheduled, undetected, waiting, queued secondsSum
	estimated                                                   bool
}

// life adds what one try did. A log whose segments were not counted may hold a deferral that nobody saw.
func (c *costSum) life(t *Try, phases []Phase) {
	ran := false
	for _, p := range phases {
		d := p.To.Sub(p.From)
		switch p.Phase {
		case "queued":
			c.queued.add(d)
		case "running":
			c.running.add(d)
			ran = true
		case "deferred":
			c.deferred.add(d)
		case "rescheduled":
			c.rescheduled.add(d)
		}
	}
	switch {
	case ran && (len(t.Spans) > 0 || t.Segments > 0), t.Ending == NeverStarted:
		c.running.known, c.deferred.known, c.rescheduled.known = true, true, true
	case !ran:
		c.running.holes, c.deferred.holes, c.rescheduled.holes = true, true, true
	default:
		c.deferred.holes, c.rescheduled.holes = true, true
	}
}

func (c *costSum) undetect(p Phase) Phase {
	c.undetected.add(p.To.Sub(p.From))
	c.estimated = c.estimated || p.Estimated
	return p
}

func (c *costSum) wait(p Phase) Phase {
	c.waiting.add(p.To.Sub(p.From))
	c.estimated = c.estimated || p.Estimated
	return p
}

func (c *costSum) cost() Cost {
	cost := Cost{
		Running: c.running.value(), Undetected: c.undetected.value(), Waiting: c.waiting.value(), Queued: c.queued.value(),
		Deferred: c.deferred.value(), Rescheduled: c.rescheduled.value(),
		Estimated: c.estimated || c.running.holes || c.undetected.holes || c.waiting.holes,
	}
	if cost.Undetected != nil && cost.Waiting != nil {
		v := *cost.Undetected + *cost.Waiting
		cost.OnTop = &v
	}
	return cost
}

// avoidable is all time after the noticing of the try at which the outcome was plain: the second that stopped at the same
// point or raised the same error. Nothing was avoidable where no such finding holds, or where a later try succeeded.
func (h *history) avoidable() (s *float64, estimated bool) {
	first := -1
	for _, f := range h.task.Findings {
		if !foretells(f.ID) || len(f.Tries) < 2 || h.succeededAfter(f.Tries[1]) {
			continue
		}
		for i, t := range h.task.Tries {
			if t.Identity.Try == f.Tries[1] && (first < 0 || i < first) {
				first = i
			}
		}
	}
	if first < 0 {
		if len(h.task.Timeline) == 0 {
			return nil, false
		}
		return new(float64), false
	}
	var sum time.Duration
	from, estimated, ok := h.noticing(first)
	later, _ := h.next(first)
	switch {
	case later == nil:
		return new(float64), false // it was the last: nothing could be saved
	case !ok:
		return nil, false
	}
	for _, p := range h.task.Timeline {
		if p.From.Before(from) {
			p.From = from
		}
		if p.To.After(p.From) {
			sum += p.To.Sub(p.From)
			estimated = estimated || p.Estimated
		}
	}
	v := sum.Seconds()
	return &v, estimated
}

// foretells says whether a finding shows that another try ends as the last one did.
func foretells(id string) bool {
	return id == "memory-same-point" || id == "crash-same-point" || id == "same-error"
}

func (h *history) succeededAfter(number int) bool {
	for _, t := range h.task.Tries {
		if t.Identity.Try > number && t.Ending == Success {
			return true
		}
	}
	return false
}
