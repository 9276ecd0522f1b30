package classify

import (
	"fmt"
	"slices"
	"time"
)

// A gap is what lies between the end of one try and the start of the next.
type gap struct {
	phase Phase
	kind  gapKind
	early time.Duration // the death was recorded this much before the last sign of life: clocks differ
}

type gapKind uint8

const (
	gapWaiting gapKind = iota // for the retry delay
	gapNone                   // nothing follows
	gapCleared                // the try was final: somebody cleared the task
	gapMissing                // a try without log or record lies in it
	gapUnknown                // a time is not known
)

// noticing is when somebody recorded that a try had ended. Its own record is at once; the death of a silent try is
// noticed by the scheduler, and where its record is not at hand a later try bounds it.
func (h *history) noticing(i int) (at time.Time, estimated, ok bool) {
	t := h.task.Tries[i]
	switch {
	case !t.NoticedAt.IsZero():
		if t.NoticedAt.Before(t.EndedAt) {
			return t.EndedAt, false, true
		}
		return t.NoticedAt, false, true
	case t.EndedAt.IsZero():
		return time.Time{}, false, false
	}
	switch t.Ending {
	case Success, Skipped, Rescheduled, Deferred, Traceback, NegativeReturnCode, ExternallySet, NeverStarted:
		return t.EndedAt, false, true
	case TruncatedThenZombie, Unfinished:
		later, adjacent := h.next(i)
		if later == nil {
			return time.Time{}, false, false
		}
		at = t.EndedAt.Add(h.opt.HeartbeatTimeout)
		if begin := later.StartedAt; !begin.IsZero() {
			if adjacent {
				begin = begin.Add(-h.opt.RetryDelay)
			}
			at = earliest(at, begin)
		}
		if at.Before(t.EndedAt) {
			at = t.EndedAt
		}
		return at, true, true
	}
	return time.Time{}, false, false
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// lived is what one try did from queue to last sign of life, in order.
func lived(t *Try) (phases []Phase) {
	add := func(phase string, from, to time.Time) {
		if !from.IsZero() && !to.IsZero() && !to.Before(from) {
			phases = append(phases, Phase{Try: t.Identity.Try, Phase: phase, From: from, To: to})
		}
	}
	begin := t.StartedAt
	if begin.IsZero() && t.Ending == NeverStarted {
		begin = t.NoticedAt
	}
	add("queued", t.QueuedAt, begin)
	if len(t.Spans) == 0 {
		add("running", t.StartedAt, t.EndedAt)
		return phases
	}
	for _, s := range t.Spans {
		switch s.Phase {
		case "queued", "running", "deferred", "rescheduled":
			if s.To.IsZero() {
				s.To = t.EndedAt
			}
			add(s.Phase, s.From, s.To)
		}
	}
	return phases
}

// final says whether Airflow would not have started another try after this one by itself: what follows was cleared.
func final(t, later *Try) bool {
	switch {
	case t.Ending == Success, t.Ending == Skipped, t.MaxTries > 0 && later.Identity.Try > t.MaxTries:
		return true
	case t.Ending == Unfinished, t.Ending == LogMissing:
		return false
	}
	return settledFailure(t)
}

// gapAfter measures what lies behind the i-th try.
func (h *history) gapAfter(i int) gap {
	t := h.task.Tries[i]
	later, adjacent := h.next(i)
	if later == nil || i+1 < len(h.task.Tries) && h.task.Tries[i+1].Identity.Try == t.Identity.Try {
		return gap{kind: gapNone}
	}
	begin := later.StartedAt
	if !later.QueuedAt.IsZero() {
		begin = later.QueuedAt
	}
	noticed, estimated, ok := h.noticing(i)
	g := gap{phase: Phase{Try: t.Identity.Try, Phase: "waiting", From: noticed, To: begin, Estimated: estimated}}
	if late := t.EndedAt.Sub(t.NoticedAt); !t.NoticedAt.IsZero() && late > 0 && late <= clockSkew {
		g.early = late
	}
	switch {
	case final(t, later):
		g.kind = gapCleared
	case !adjacent:
		g.kind = gapMissing
	case !ok, begin.IsZero(), t.Ending == Deferred, t.Ending == Rescheduled:
		g.kind = gapUnknown
	}
	if g.phase.To.Before(g.phase.From) { // the next try began before this one had ended
		g.phase.To = g.phase.From
	}
	return g
}

// layOut writes the timeline and the cost.
func (h *history) layOut() {
	var sum costSum
	for i, t := range h.task.Tries {
		phases := lived(t)
		sum.life(t, phases)
		noticed, estimated, ok := h.noticing(i)
		switch {
		case t.Ending == NeverStarted && t.EndedAt.IsZero():
			sum.undetected.known = true // nothing ran, so nothing died unseen
		case ok && !t.EndedAt.IsZero():
			phases = append(phases, sum.undetect(Phase{Try: t.Identity.Try, Phase: "undetected", From: t.EndedAt, To: noticed, Estimated: estimated}))
		default:
			sum.undetected.holes = true
		}
		switch g := h.gapAfter(i); g.kind {
		case gapWaiting:
			phases = append(phases, sum.wait(g.phase))
		case gapNone, gapCleared:
			sum.waiting.known = true
		default:
			sum.waiting.holes = true
		}
		for _, p := range phases {
			if p.To.After(p.From) {
				h.task.Timeline = append(h.task.Timeline, p)
			}
		}
	}
	h.task.Cost = sum.cost()
	avoidable, estimated := h.avoidable()
	h.task.Cost.Avoidable = avoidable
	h.task.Cost.Estimated = h.task.Cost.Estimated || estimated
}

// Notes says in sentences what a timeline and its cost do not show by themselves: what was estimated, what was left
// out, and why.
func (t *Task) Notes() (notes []string) {
	h := &history{task: t}
	for i, try := range t.Tries {
		g := h.gapAfter(i)
		later, _ := h.next(i)
		switch {
		case g.kind == gapCleared && g.phase.To.After(g.phase.From):
			notes = append(notes, fmt.Sprintf("The %s between tries %d and %d are not counted as waiting: try %d was the last by its own record, so somebody cleared the task.",
				tellSeconds(g.phase.To.Sub(g.phase.From)), try.Identity.Try, later.Identity.Try, try.Identity.Try))
		case g.kind == gapMissing:
			notes = append(notes, fmt.Sprintf("The time between tries %d and %d is not counted: what lies between them left neither log nor record.", try.Identity.Try, later.Identity.Try))
		case g.kind == gapUnknown && try.Ending != Deferred && try.Ending != Rescheduled:
			notes = append(notes, fmt.Sprintf("The time between tries %d and %d is not counted: the logs do not tell when it began or ended.", try.Identity.Try, later.Identity.Try))
		}
		if g.early > 0 {
			notes = append(notes, fmt.Sprintf("The end of try %d was recorded %s before its last sign of life: two clocks differ, counted as no delay.", try.Identity.Try, tellSeconds(g.early)))
		}
	}
	var guessed []int
	for _, p := range t.Timeline {
		if p.Estimated && p.Phase == "undetected" && !slices.Contains(guessed, p.Try) {
			guessed = append(guessed, p.Try)
		}
	}
	if len(guessed) > 0 {
		notes = append(notes, fmt.Sprintf("When the end of %s was noticed is estimated: no record says it.", tellTries(guessed)))
	}
	if waits := t.waits(); growing(waits) {
		list := make([]string, len(waits))
		for i, w := range waits {
			list[i] = tellSeconds(w)
		}
		notes = append(notes, fmt.Sprintf("The waits grow (%s): exponential back-off, so a next one is likely longer.", tellList(list)))
	}
	return notes
}

// waits are the waits for a retry, in order.
func (t *Task) waits() (list []time.Duration) {
	for _, p := range t.Timeline {
		if p.Phase == "waiting" && !p.Estimated {
			list = append(list, p.To.Sub(p.From))
		}
	}
	return list
}

// growing says whether waits look like exponential back-off: at least two, each half as long again as the one before,
// and by more than a scheduler's own delays.
func growing(waits []time.Duration) bool {
	for i := 1; i < len(waits); i++ {
		if waits[i]*2 < waits[i-1]*3 {
			return false
		}
	}
	return len(waits) >= 2 && waits[len(waits)-1]-waits[0] >= 30*time.Second
}
