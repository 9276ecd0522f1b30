package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// against says what a record outside the task's own state line did to a try: ended it from outside, or declared it dead.
func against(e Evidence) string {
	text := strings.ToLower(e.Text)
	switch {
	case strings.Contains(text, "zombie"), strings.Contains(text, "heartbeat timeout"), strings.Contains(text, "without a heartbeat"), strings.Contains(text, "without heartbeat"):
		return "a purge"
	case strings.Contains(text, "externally set to"), strings.Contains(text, "shouldn't be running"):
		return "an external set"
	case strings.Contains(text, "sigterm"):
		return "a SIGTERM"
	}
	return ""
}

// behind says whether a record lies behind the one that ended the try; known is false where neither place nor time tells.
func behind(e Evidence, end *Place) (later, known bool) {
	switch {
	case end == nil:
		return false, false
	case e.Source != "" && e.Source == end.Source && e.Offset != end.Offset && e.Offset >= 0 && end.Offset >= 0:
		return e.Offset > end.Offset, true
	case !e.At.IsZero() && !end.At.IsZero():
		return e.At.After(end.At), true
	}
	return false, false
}

func (h *history) successThenKilled() {
	for _, t := range h.triesWhere(func(t *Try) bool { return t.Ending == Success }) {
		var seen []Evidence
		var what []string
		note := func(e Evidence, sure bool) {
			w := against(e)
			later, known := behind(e, t.Verdict)
			if w == "" && !sure || known && !later || !known && !sure {
				return
			}
			if w == "" {
				w = "a kill"
			}
			seen = append(seen, e)
			if !slices.Contains(what, w) {
				what = append(what, w)
			}
		}
		for _, e := range t.AfterEnd {
			note(e, true)
		}
		for _, e := range t.Evidence {
			note(e, false)
		}
		if len(seen) == 0 {
			continue
		}
		h.add(Finding{
			ID: "success-then-killed", Tries: numbersOf([]*Try{t}), Certainty: leastSure(Proven, t.EndingCertainty), Evidence: seen,
			Says: fmt.Sprintf("%s recorded its own success; %s came after it.", capital(tellTries(numbersOf([]*Try{t}))), tellList(what)),
			Why:  "The task's own state line stands; the database may say something else.",
		})
	}
}

// doubleExecution tells of two tries, or two processes of one try, that were alive at the same time.
func (h *history) doubleExecution() {
	said := map[*Try]bool{}
	for i, a := range h.task.Tries {
		for _, b := range h.task.Tries[i+1:] {
			if both := overlap(a, b); both > 0 {
				said[a], said[b] = true, true
				n := numbersOf([]*Try{a, b})
				f := Finding{ID: "double-execution", Tries: n, Certainty: Likely}
				f.Says = fmt.Sprintf("%s were alive at the same time for %s.", capital(tellTries(n)), tellSeconds(both))
				f.Why = "Their own records overlap by more than clocks differ."
				if a.Host != "" && a.Host == b.Host {
					f.Certainty, f.Why = Proven, "Their own records overlap, on one host and so by one clock."
				}
				h.add(f)
			}
		}
	}
	twins := Finding{ID: "double-execution", Certainty: Proven}
	var why []string
	for _, t := range h.task.Tries {
		if said[t] {
			continue
		}
		reason, c := twin(t, &twins)
		if reason == "" {
			continue
		}
		twins.Tries, twins.Certainty = append(twins.Tries, t.Identity.Try), leastSure(twins.Certainty, c)
		if !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	if len(twins.Tries) > 0 {
		twins.Says = fmt.Sprintf("%s ran while another process worked on the same task instance.", capital(tellTries(twins.Tries)))
		twins.Why = strings.Join(why, " ")
		h.add(twins)
	}
}

// twin says what shows that another process held the try, and how surely; records that say so go to the finding.
func twin(t *Try, f *Finding) (reason string, c Certainty) {
	for _, e := range slices.Concat(t.Evidence, t.AfterEnd) {
		if strings.Contains(e.Text, "does not match the current pid") || strings.Contains(e.Text, "does not match this instance's hostname") {
			f.Evidence = append(f.Evidence, e)
			reason, c = "The supervisor found another process in the database's record of the try.", Proven
		}
	}
	switch {
	case reason != "":
		return reason, c
	case t.Cause == "superseded":
		return "Another process took the try over.", leastSure(Proven, t.Certainty)
	case spansOverlap(t.Spans):
		return "Two stretches of one log overlap in time.", Likely
	}
	return "", ""
}

// overlap is for how long two tries were alive at once, 0 where clocks may explain it. What a try writes while an
// external set ends it is a leftover, not a life.
func overlap(a, b *Try) time.Duration {
	endOf := func(t *Try) time.Time {
		if t.Ending == ExternallySet && t.Verdict != nil && !t.Verdict.At.IsZero() && t.Verdict.At.Before(t.EndedAt) {
			return t.Verdict.At
		}
		return t.EndedAt
	}
	if a.StartedAt.IsZero() || b.StartedAt.IsZero() || a.EndedAt.IsZero() || b.EndedAt.IsZero() {
		return 0
	}
	from, to := a.StartedAt, earliest(endOf(a), endOf(b))
	if b.StartedAt.After(from) {
		from = b.StartedAt
	}
	slack := clockSkew
	if a.Host != "" && a.Host == b.Host {
		slack = 2 * time.Second
	}
	if both := to.Sub(from); both > slack {
		return both
	}
	return 0
}

func spansOverlap(spans []Span) bool {
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			if a.Phase != "running" || b.Phase != "running" || a.To.IsZero() || b.To.IsZero() {
				continue
			}
			from := a.From
			if b.From.After(from) {
				from = b.From
			}
			if earliest(a.To, b.To).Sub(from) > clockSkew {
				return true
			}
		}
	}
	return false
}

// undead tells of records that a try wrote after somebody had recorded its death.
func (h *history) undead() {
	for _, t := range h.task.Tries {
		f := Finding{ID: "undead", Tries: numbersOf([]*Try{t}), Certainty: Proven}
		name := capital(tellTries(f.Tries))
		switch {
		case t.Ending == Success:
			for _, e := range slices.Concat(t.Evidence, t.AfterEnd) {
				if later, known := behind(e, t.Verdict); known && !later && against(e) != "" && against(e) != "a SIGTERM" {
					f.Evidence = append(f.Evidence, e)
				}
			}
			if len(f.Evidence) == 0 {
				continue
			}
			f.Says = fmt.Sprintf("%s went on to its own success after %s.", name, against(f.Evidence[0]))
			f.Why = "The task's own state line is the later record."
		case !t.Ending.Failed() || t.Ending == ExternallySet:
			continue // an external set is followed by its own effects
		case len(t.AfterEnd) > 0:
			f.Evidence = t.AfterEnd
			f.Says = fmt.Sprintf("%s wrote on after its death was recorded.", name)
			f.Why = "Its process outlived whoever was to watch it."
		case !t.NoticedAt.IsZero() && t.EndedAt.Sub(t.NoticedAt) > clockSkew:
			f.Certainty = Likely
			f.Says = fmt.Sprintf("%s wrote on for %s after its death was recorded.", name, tellSeconds(t.EndedAt.Sub(t.NoticedAt)))
			f.Why = "That is more than clocks differ."
		default:
			continue
		}
		h.add(f)
	}
}
