package classify

import (
	"fmt"
	"slices"
	"strings"
)

// find works out the findings of one history, in the order in which `lastwords explain` lists them.
func (h *history) find() {
	if len(h.task.Tries) > 1 {
		h.compare()
	}
	h.successThenKilled()
	h.doubleExecution()
	h.undead()
	h.missingTry()
	h.neverRan()
	h.retriesWasted()
}

// compare works out the findings that lay one try beside another.
func (h *history) compare() {
	deaths, crashes := samePoints(h.pointsWhere(diedSilently)), samePoints(h.pointsWhere(crashed))
	told := map[*Try]bool{} // tries whose likeness a finding has told
	for _, g := range deaths {
		if len(g) > 1 {
			h.memorySamePoint(g, deaths)
			markTold(told, g)
		}
	}
	for _, g := range crashes {
		if len(g) > 1 {
			h.crashSamePoint(g)
			markTold(told, g)
		}
	}
	samePoint := len(told) > 0
	h.sameError(told)
	h.sameCause(told, len(deaths) > 1, len(crashes) > 1)
	h.scattered(deaths)
	h.mixedCauses(samePoint)
	h.flakyThenSuccess()
}

func (h *history) add(f Finding) { h.task.Findings = append(h.task.Findings, f) }

func (h *history) triesWhere(fits func(*Try) bool) (list []*Try) {
	for _, t := range h.task.Tries {
		if fits(t) {
			list = append(list, t)
		}
	}
	return list
}

// sameError tells of tracebacks of the same error. The SIGTERM exception is the mark of a stop, not an error of the task.
func (h *history) sameError(told map[*Try]bool) {
	var keys []string
	by := map[string][]*Try{}
	for _, t := range h.task.Tries {
		if t.Ending != Traceback || t.Exception == nil || t.Exception.Type == "" || stopped(t) {
			continue
		}
		k := errorKey(t.Exception)
		if by[k] == nil {
			keys = append(keys, k)
		}
		by[k] = append(by[k], t)
	}
	for _, k := range keys {
		tries := by[k]
		if len(tries) < 2 {
			continue
		}
		f := Finding{ID: "same-error", Tries: numbersOf(tries), Certainty: Proven}
		what := exceptionDir.ReplaceAllString(tries[0].Exception.Type, "")
		if m := strings.TrimSpace(tries[0].Exception.Message); m != "" {
			what += ": " + m
		}
		f.Says = fmt.Sprintf("%s ended with the same error (%s).", capital(tellTries(f.Tries)), brief(what))
		f.Why = "Type and message are equal but for numbers, ids and paths."
		if at := tries[0].Exception; at.File != "" && !slices.ContainsFunc(tries, func(t *Try) bool {
			return t.Exception.File != at.File || t.Exception.Line != at.Line
		}) {
			f.Why += fmt.Sprintf(" All were raised at %s line %d.", at.File, at.Line)
		}
		for _, t := range tries {
			told[t] = true
			if t.Verdict != nil {
				f.Evidence = append(f.Evidence, Evidence{Rule: f.ID, Witness: "log", Place: *t.Verdict, Says: fmt.Sprintf("the error of try %d", t.Identity.Try)})
			}
		}
		h.add(f)
	}
}

// stopped says whether the exception of a try is the effect of a SIGTERM.
func stopped(t *Try) bool {
	switch t.Cause {
	case "worker-shutdown", "sigterm-unknown", "heartbeats-lost":
		return true
	}
	return t.Signal == 15
}

// sameCause tells of failed tries that only share their ending and cause: nothing shows whether it was the same point.
func (h *history) sameCause(told map[*Try]bool, deathsApart, crashesApart bool) {
	type kind struct {
		ending Ending
		cause  string
	}
	var kinds []kind
	by := map[kind][]*Try{}
	for _, t := range h.task.Tries {
		if !lost(t) || told[t] || t.Cause == "" || t.Cause == "unknown" || deathsApart && diedSilently(t) || crashesApart && crashed(t) {
			continue
		}
		k := kind{t.Ending, t.Cause}
		if by[k] == nil {
			kinds = append(kinds, k)
		}
		by[k] = append(by[k], t)
	}
	for _, k := range kinds {
		tries := by[k]
		if len(tries) < 2 {
			continue
		}
		f := Finding{ID: "same-cause", Tries: numbersOf(tries), Certainty: Proven}
		for _, t := range tries {
			f.Certainty = leastSure(f.Certainty, t.EndingCertainty)
			if !strings.HasSuffix(k.cause, "-unknown") && k.cause != "died-unnoticed" {
				f.Certainty = leastSure(f.Certainty, t.Certainty)
			}
		}
		f.Says = fmt.Sprintf("%s ended alike (%s, %s).", capital(tellTries(f.Tries)), k.ending, k.cause)
		f.Why = "Ending and cause are equal."
		if diedSilently(tries[0]) || crashed(tries[0]) {
			f.Why = "No last words tell whether it was at the same point."
		}
		if k.ending == Traceback && !stopped(tries[0]) && slices.ContainsFunc(tries, func(t *Try) bool { return t.Exception != nil }) {
			f.Why = "Their errors differ, so one reason behind them is only possible."
			f.Certainty = leastSure(f.Certainty, Possible)
		}
		h.add(f)
	}
}

func (h *history) mixedCauses(samePoint bool) {
	tries := h.triesWhere(lost)
	var endings, causes []string
	for _, t := range tries {
		if !slices.Contains(endings, string(t.Ending)) {
			endings = append(endings, string(t.Ending))
		}
		if t.Cause != "" && t.Cause != "unknown" && !slices.Contains(causes, t.Cause) {
			causes = append(causes, t.Cause)
		}
	}
	if samePoint || len(endings) < 2 && len(causes) < 2 {
		return
	}
	f := Finding{ID: "mixed-causes", Tries: numbersOf(tries), Certainty: Proven}
	var list []string
	for _, t := range tries {
		f.Certainty = leastSure(f.Certainty, t.EndingCertainty)
		if len(endings) < 2 {
			f.Certainty = leastSure(f.Certainty, t.Certainty)
		}
		how := string(t.Ending)
		if t.Cause != "" && t.Cause != "unknown" {
			how += ", " + t.Cause
		}
		list = append(list, fmt.Sprintf("try %d: %s", t.Identity.Try, how))
	}
	f.Says = fmt.Sprintf("%s failed in different ways (%s).", capital(tellTries(f.Tries)), strings.Join(list, "; "))
	f.Why = "No point is shared, so more than one thing goes wrong, or one thing outside the task that shows in several ways."
	h.add(f)
}

func (h *history) flakyThenSuccess() {
	var tries []*Try
	var good *Try
	for _, t := range h.triesWhere(func(t *Try) bool { return t.Ending == Success && t.Identity.Try > 0 }) {
		good = t // the last one
	}
	if good == nil {
		return
	}
	tries = h.triesWhere(func(t *Try) bool { return lost(t) && t.Identity.Try > 0 && t.Identity.Try < good.Identity.Try })
	if len(tries) == 0 {
		return
	}
	f := Finding{ID: "flaky-then-success", Certainty: leastSure(Proven, good.EndingCertainty)}
	f.Says = fmt.Sprintf("%s failed, then try %d succeeded.", capital(tellTries(numbersOf(tries))), good.Identity.Try)
	for _, t := range tries {
		f.Certainty = leastSure(f.Certainty, t.EndingCertainty)
	}
	f.Why = "What made the others fail was gone, or comes and goes."
	f.Tries = numbersOf(append(tries, good))
	h.add(f)
}

func (h *history) missingTry() {
	missing := h.task.Missing
	if len(missing) == 0 {
		return
	}
	f := Finding{ID: "missing-try", Tries: missing, Certainty: Proven}
	verb := "have"
	if len(missing) == 1 { // the list is cut far beyond that
		verb = "has"
	}
	f.Says = fmt.Sprintf("%s %s neither log nor record, though tries before and after do.", capital(tellGaps(h.task.Gaps)), verb)
	f.Why = "How it ended is not known; it must not be taken for a success."
	if n := h.task.Numbers[0]; n > 1 {
		f.Why += fmt.Sprintf(" Nothing before try %d is at hand either.", n)
	}
	h.add(f)
}

func (h *history) neverRan() {
	tries := h.triesWhere(func(t *Try) bool { return t.Ending == NeverStarted })
	if len(tries) == 0 || len(h.task.Tries) < 2 {
		return
	}
	f := Finding{ID: "never-ran", Tries: numbersOf(tries), Certainty: Proven}
	for _, t := range tries {
		f.Certainty = leastSure(f.Certainty, t.EndingCertainty)
		if t.Verdict != nil {
			f.Evidence = append(f.Evidence, Evidence{Rule: f.ID, Witness: "log", Place: *t.Verdict, Says: fmt.Sprintf("why try %d never started", t.Identity.Try)})
		}
	}
	f.Says = fmt.Sprintf("%s never started, so the task's code was not even asked.", capital(tellTries(f.Tries)))
	f.Why = "Each used up one of the task's tries."
	h.add(f)
}

// retriesWasted tells of tries that only repeated what two had shown. A success after them was not wasted.
func (h *history) retriesWasted() {
	var after []int
	var of *Finding
	for i, f := range h.task.Findings {
		if !foretells(f.ID) || f.Tries[1] == 0 || h.succeededAfter(f.Tries[1]) {
			continue
		}
		var more []int
		for _, n := range h.task.Numbers {
			if n > f.Tries[1] {
				more = append(more, n)
			}
		}
		if len(more) > len(after) {
			after, of = more, &h.task.Findings[i]
		}
	}
	if of == nil {
		return
	}
	h.add(Finding{
		ID: "retries-wasted", Tries: after, Certainty: of.Certainty,
		Says: fmt.Sprintf("%s came after %s had already shown the same end twice.", capital(tellTries(after)), tellTries(of.Tries[:2])),
		Why:  fmt.Sprintf("It rests on the finding %s.", of.ID),
	})
}
