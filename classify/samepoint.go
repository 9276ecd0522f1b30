package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

func markTold(told map[*Try]bool, g []*point) {
	for _, p := range g {
		told[p.try] = true
	}
}

func (h *history) pointsWhere(fits func(*Try) bool) (list []*point) {
	for _, t := range h.triesWhere(fits) {
		if p := pointOf(t); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// diedSilently says whether a try was ended by SIGKILL or just stopped, and nothing better than memory explains it.
func diedSilently(t *Try) bool {
	switch t.Ending {
	case NegativeReturnCode:
		if t.Signal != 9 && (t.Signal != 0 || t.ExitCode == nil || *t.ExitCode != -9) {
			return false
		}
	case TruncatedThenZombie:
		if t.Signal != 0 && t.Signal != 9 {
			return false
		}
	case Unfinished:
		if t.Cause != "died-unnoticed" && !ofMemory(t) {
			return false
		}
	default:
		return false
	}
	switch t.Cause {
	case "", "unknown", "died-unnoticed", "sigkill-unknown", "heartbeat-timeout", "worker-killed", "evidence-expired":
		return true
	case "airflow-sigkill", "false-zombie", "worker-shutdown", "heartbeats-lost", "orphan-reset", "scheduler-restart", "executor-mismatch", "superseded",
		"marked-failed", "marked-success", "cleared", "dagrun-timeout", "dagrun-deleted", "task-removed", "setter-unknown":
		return false
	}
	return ofMemory(t) || t.Certainty == Possible || t.Certainty == Unknown || t.Certainty == ""
}

func ofMemory(t *Try) bool {
	switch t.Cause {
	case "memory", "memory-container", "memory-child", "memory-node":
		return true
	}
	return false
}

func crashed(t *Try) bool {
	if !t.Ending.Failed() {
		return false
	}
	return t.Cause == "segfault" || t.Cause == "abort" || t.Cause == "native-crash"
}

// yields says whether a try's cause gives way to memory: no witness or record of Airflow explains the death.
func yields(t *Try) bool {
	switch t.Cause {
	case "", "unknown", "died-unnoticed", "sigkill-unknown", "heartbeat-timeout", "evidence-expired", "memory":
		return true
	case "memory-container", "memory-child", "memory-node":
		return false
	}
	return t.Certainty == Possible || t.Certainty == Unknown || t.Certainty == ""
}

// memorySamePoint tells of tries that were killed or fell silent at the same point, and gives them the cause memory.
func (h *history) memorySamePoint(g []*point, groups [][]*point) {
	f, doubts := h.samePointFinding("memory-same-point", g)
	var elsewhere []int
	for _, other := range groups {
		if other[0] != g[0] {
			for _, p := range other {
				elsewhere = append(elsewhere, p.try.Identity.Try)
			}
		}
	}
	if len(elsewhere) > 0 {
		slices.Sort(elsewhere)
		f.Why += fmt.Sprintf(" %s died elsewhere.", capital(tellTries(elsewhere)))
	}
	proven := 0
	for _, p := range g {
		if ofMemory(p.try) && p.try.Certainty == Proven {
			proven++
		}
	}
	switch {
	case proven == len(g):
		f.Certainty = Proven
		f.Says += ": out of memory, as a witness says of each."
	case proven > 0:
		f.Certainty = Likely
		f.Says += ": out of memory, as a witness says of some of them."
	case doubts || len(elsewhere) >= len(g):
		f.Certainty = Possible
		f.Says += ": out of memory is possible."
	default:
		f.Certainty = Likely
		f.Says += ": out of memory is the likely cause."
	}
	if proven < len(g) {
		f.Why += " Not excluded: a time limit outside Airflow, a failed probe, a person with kill -9."
	}
	for _, p := range g {
		if yields(p.try) {
			takeMemory(p.try, leastSure(f.Certainty, Likely))
		}
	}
	h.add(f)
}

// takeMemory sets what only the history shows of one try.
func takeMemory(t *Try, c Certainty) {
	t.Cause, t.Certainty = "memory", c
	proof := *t.LastWords
	t.Proof = &proof
	t.Candidates = slices.DeleteFunc(slices.Clone(t.Candidates), func(c Candidate) bool { return c.Cause == "memory" })
}

func (h *history) crashSamePoint(g []*point) {
	f, doubts := h.samePointFinding("crash-same-point", g)
	f.Certainty = Likely
	if doubts {
		f.Certainty = Possible
	}
	var how []string
	for _, p := range g {
		if name := causeWords(p.try.Cause); !slices.Contains(how, name) {
			how = append(how, name)
		}
	}
	f.Says += ": " + tellList(how) + " in the code that runs there."
	f.Why += " Not excluded: broken input, a library that does not fit the host."
	h.add(f)
}

func causeWords(cause string) string {
	switch cause {
	case "segfault":
		return "a segmentation fault"
	case "abort":
		return "an abort"
	case "native-crash":
		return "a crash"
	}
	return cause
}

// samePointFinding tells what tries at one point have in common; doubts says that something else explains it as well.
func (h *history) samePointFinding(id string, g []*point) (f Finding, doubts bool) {
	tries := make([]*Try, len(g))
	for i, p := range g {
		tries[i] = p.try
		f.Evidence = append(f.Evidence, Evidence{Rule: id, Witness: "log", Place: *p.try.LastWords, Says: fmt.Sprintf("the last words of try %d", p.try.Identity.Try)})
	}
	f.ID, f.Tries = id, numbersOf(tries)
	words := brief(g[0].try.LastWords.Text)
	f.Says = fmt.Sprintf("%s stopped at the same line (%s)", capital(tellTries(f.Tries)), words)

	lines := len(g[0].lines)
	for _, p := range g[1:] {
		lines = min(lines, alike(g[0], p))
	}
	strong := len(g) > 2 || lines > 1 || g[0].counted()
	var why []string
	if lines > 1 {
		why = append(why, fmt.Sprintf("The last %d lines agree.", lines))
	}
	hosts, unknown := hostsOf(tries)
	switch {
	case len(hosts) > 1:
		why = append(why, fmt.Sprintf("They ran on %d hosts (%s), so no single host is to blame.", len(hosts), tellList(hosts)))
	case len(hosts) == 1 && !unknown:
		why = append(why, fmt.Sprintf("All ran on one host (%s), which could be the reason too.", hosts[0]))
		doubts = !strong
	default:
		why = append(why, "Their hosts are not known, so one bad host could be the reason too.")
		doubts = !strong
	}
	if long, ok := equallyLong(tries); ok {
		why = append(why, fmt.Sprintf("All lived equally long (about %s), which a time limit or a probe explains as well.", tellSeconds(long)))
		doubts = true
	}
	if lagsDiffer(tries) {
		why = append(why, "The time from the last words to the death differs widely, so the work behind that line need not have been the same.")
		doubts = true
	}
	if last := f.Tries[len(f.Tries)-1]; h.succeededAfter(last) {
		why = append(why, "A later try got past that point and succeeded.")
		doubts = true
	}
	f.Why = strings.Join(why, " ")
	return f, doubts
}

// hostsOf lists the hosts of tries, each once, in order of the tries.
func hostsOf(tries []*Try) (hosts []string, unknown bool) {
	for _, t := range tries {
		switch {
		case t.Host == "":
			unknown = true
		case !slices.Contains(hosts, t.Host):
			hosts = append(hosts, t.Host)
		}
	}
	return hosts, unknown
}

// equallyLong says whether all tries lived as long as each other, within a tenth.
func equallyLong(tries []*Try) (about time.Duration, ok bool) {
	shortest, longest := 0.0, 0.0
	for i, t := range tries {
		s, known := t.Duration()
		if !known {
			return 0, false
		}
		if i == 0 || s < shortest {
			shortest = s
		}
		longest = max(longest, s)
	}
	return time.Duration(longest * float64(time.Second)), longest > 0 && longest-shortest <= longest/10
}

// lagsDiffer says whether one try worked on behind its last words for much longer than another.
func lagsDiffer(tries []*Try) bool {
	var short, long time.Duration = -1, -1
	for _, t := range tries {
		if t.Ending != NegativeReturnCode || t.Verdict == nil || t.Verdict.At.IsZero() || t.LastWords == nil || t.LastWords.At.IsZero() {
			continue
		}
		lag := max(0, t.Verdict.At.Sub(t.LastWords.At))
		if short < 0 || lag < short {
			short = lag
		}
		long = max(long, lag)
	}
	return long > 3*short+time.Minute
}

// scattered tells of tries that were killed or fell silent at different points: their surroundings are the suspect.
func (h *history) scattered(groups [][]*point) {
	most, all := 0, 0
	for _, g := range groups {
		most, all = max(most, len(g)), all+len(g)
	}
	if len(groups) < 2 || most > 1 && 2*most > all { // most of them share a point: the others are told with it
		return
	}
	f := Finding{ID: "scattered", Certainty: Likely}
	var tries []*Try
	var words []string
	for _, g := range groups {
		for _, p := range g {
			tries = append(tries, p.try)
		}
		if len(words) < 3 {
			words = append(words, brief(g[0].try.LastWords.Text))
		}
	}
	slices.SortStableFunc(tries, byNumber)
	f.Tries = numbersOf(tries)
	for _, t := range tries {
		f.Evidence = append(f.Evidence, Evidence{Rule: f.ID, Witness: "log", Place: *t.LastWords, Says: fmt.Sprintf("the last words of try %d", t.Identity.Try)})
	}
	if len(groups) > 3 {
		words = append(words, "others")
	}
	f.Says = fmt.Sprintf("%s were killed or fell silent at different points (%s).", capital(tellTries(f.Tries)), tellList(words))
	switch hosts, unknown := hostsOf(tries); {
	case len(hosts) > 1:
		f.Why = fmt.Sprintf("They ran on %d hosts (%s): look at what takes workers away before you look at the task.", len(hosts), tellList(hosts))
	case len(hosts) == 1 && !unknown:
		f.Why = fmt.Sprintf("All ran on one host (%s): it or its neighbours are suspects as well.", hosts[0])
	default:
		f.Why = "Their hosts are not known."
	}
	if most > 1 {
		f.Certainty = Possible
	}
	h.add(f)
}
