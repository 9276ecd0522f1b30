package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// historyOptions are what a history needs and no log tells.
type historyOptions struct {
	HeartbeatTimeout time.Duration // after which the scheduler declares a silent try dead; 0: Airflow's default of 300 s
	RetryDelay       time.Duration
	Now              time.Time
}

// clockSkew is how far the clocks of two hosts may disagree before their order means anything.
const clockSkew = 60 * time.Second

// maxMissing bounds the numbers of gaps that are listed one by one: a name like attempt=999999999.log is no billion of tries.
const maxMissing = 100

// history is one task instance while its findings, timeline and cost are worked out.
type history struct {
	task *Task
	opt  historyOptions
}

// buildTask makes the history of one task instance from its tries, given in any order: it sorts them, finds missing
// numbers, raises causes that only several tries together show, and fills in findings, timeline, cost and retry. It
// owns the tries and changes them.
func buildTask(tries []*Try, opt historyOptions) *Task {
	if opt.HeartbeatTimeout <= 0 {
		opt.HeartbeatTimeout = 300 * time.Second
	}
	t := &Task{Identity: Identity{MapIndex: MapUnknown}, Tries: slices.Clone(tries)}
	slices.SortStableFunc(t.Tries, byNumber)
	for _, try := range t.Tries {
		t.DagID, t.RunID, t.TaskID = cmp.Or(t.DagID, try.DagID), cmp.Or(t.RunID, try.RunID), cmp.Or(t.TaskID, try.TaskID)
		if t.MapIndex == MapUnknown {
			t.MapIndex = try.MapIndex
		}
		if n := len(t.Numbers); try.Identity.Try > 0 && (n == 0 || t.Numbers[n-1] != try.Identity.Try) {
			t.Numbers = append(t.Numbers, try.Identity.Try)
		}
	}
	for i := 1; i < len(t.Numbers); i++ {
		if gap := (Gap{t.Numbers[i-1] + 1, t.Numbers[i] - 1}); gap.From <= gap.To {
			t.Gaps = append(t.Gaps, gap)
		}
		for n := t.Numbers[i-1] + 1; n < t.Numbers[i] && len(t.Missing) < maxMissing; n++ {
			t.Missing = append(t.Missing, n)
		}
	}
	h := &history{task: t, opt: opt}
	h.noteSilentDeaths()
	h.find()
	h.layOut()
	h.estimateRetries()
	return t
}

// spanningFindings are the findings over several task instances. Those of the first list all stand on one.
func spanningFindings([]*Task) []Finding { return nil }

// byNumber orders tries by number, unknown numbers last, and makes the order of equal ones depend on what they say.
func byNumber(a, b *Try) int {
	unknown := func(t *Try) int {
		if t.Identity.Try == 0 {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(unknown(a), unknown(b)), cmp.Compare(a.Identity.Try, b.Identity.Try),
		a.StartedAt.Compare(b.StartedAt), a.EndedAt.Compare(b.EndedAt), a.NoticedAt.Compare(b.NoticedAt),
		cmp.Compare(a.Source, b.Source), cmp.Compare(a.Ending, b.Ending), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Host, b.Host),
	)
}

// next is the first try after the i-th that has a higher number; adjacent says that no number lies between them.
func (h *history) next(i int) (t *Try, adjacent bool) {
	n := h.task.Tries[i].Identity.Try
	if n == 0 {
		return nil, false
	}
	for _, later := range h.task.Tries[i+1:] {
		if later.Identity.Try > n {
			return later, later.Identity.Try == n+1
		}
	}
	return nil, false
}

// noteSilentDeaths names what a later try proves about a log that just stops.
func (h *history) noteSilentDeaths() {
	for i, t := range h.task.Tries {
		if later, _ := h.next(i); t.Ending == Unfinished && later != nil && (t.Cause == "" || t.Cause == "unknown") {
			t.Cause, t.Certainty = "died-unnoticed", Unknown
		}
	}
}

// stillOpen says whether a try may still be running or nobody knows how it ended: it counts neither as failed nor as good.
func stillOpen(t *Try) bool {
	return t.Ending == LogMissing || t.Ending == Unrecognized || t.Ending == Unfinished && t.Cause != "died-unnoticed"
}

// lost says whether a try is known to have failed. A person who clears a try or marks it a success fails nothing.
func lost(t *Try) bool {
	return t.Ending.Failed() && !stillOpen(t) && t.Cause != "cleared" && t.Cause != "marked-success" && t.SetTo != "success"
}

// tellTries names tries by their numbers: "tries 1, 2 and 4".
func tellTries(numbers []int) string {
	var known []string
	for _, n := range numbers {
		if n > 0 {
			known = append(known, fmt.Sprint(n))
		}
	}
	switch len(known) {
	case 0:
		return fmt.Sprintf("%d tries of unknown number", len(numbers))
	case 1:
		return "try " + known[0]
	}
	return "tries " + tellList(known)
}

// maxTold bounds how many gaps a sentence names.
const maxTold = 20

// tellGaps names the numbers of gaps: "try 2", "tries 2 and 3", "tries 2, 5 to 9 and 12".
func tellGaps(gaps []Gap) string {
	var told []string
	for i, g := range gaps {
		if i == maxTold {
			return "tries " + tellList(append(told, fmt.Sprintf("those of %d more gaps", len(gaps)-i)))
		}
		switch told = append(told, fmt.Sprint(g.From)); g.To - g.From {
		case 0:
		case 1:
			told = append(told, fmt.Sprint(g.To))
		default:
			told[len(told)-1] += fmt.Sprintf(" to %d", g.To)
		}
	}
	if len(gaps) == 1 && gaps[0].From == gaps[0].To {
		return "try " + told[0]
	}
	return "tries " + tellList(told)
}

// tellList puts an "and" before the last of several.
func tellList(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

func numbersOf(tries []*Try) []int {
	n := make([]int, len(tries))
	for i, t := range tries {
		n[i] = t.Identity.Try
	}
	return n
}

// capital makes the first letter of a sentence a capital.
func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// brief cuts words that are told inside a sentence.
func brief(s string) string {
	const most = 80
	r := []rune(strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "`", "'"))
	if len(r) > most {
		r = append(r[:most-1], '…')
	}
	return "`" + string(r) + "`"
}

// leastSure is the weakest of several certainties; an empty one does not count.
func leastSure(list ...Certainty) Certainty {
	order := []Certainty{Proven, Likely, Possible, Unknown}
	least := 0
	for _, c := range list {
		least = max(least, slices.Index(order, c))
	}
	return order[least]
}

// tellSeconds prints a length of time for a sentence.
func tellSeconds(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute).Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()+12)/24)
}
