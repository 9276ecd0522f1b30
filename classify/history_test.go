package classify

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// clockTime reads a time of one day of the tests: "02:14:00".
func clockTime(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", "2024-03-01 "+clock)
	if err != nil {
		panic(err)
	}
	return t
}

// madeTry builds a try for a test; each option changes it.
func madeTry(n int, ending Ending, cause string, opts ...func(*Try)) *Try {
	t := &Try{Identity: Identity{DagID: "d", RunID: "r", TaskID: "t", MapIndex: -1, Try: n}, Source: fmt.Sprintf("attempt=%d.log", n),
		Ending: ending, EndingCertainty: Proven, Cause: cause, Certainty: Unknown, Segments: 1}
	if ending == NegativeReturnCode {
		t.Signal = 9
	}
	for _, o := range opts {
		o(t)
	}
	return t
}

func ranFrom(from, to string) func(*Try) {
	return func(t *Try) { t.StartedAt, t.EndedAt = clockTime(from), clockTime(to) }
}
func noticedAt(when string) func(*Try)   { return func(t *Try) { t.NoticedAt = clockTime(when) } }
func onHost(name string) func(*Try)      { return func(t *Try) { t.Host = name } }
func surely(c Certainty) func(*Try)      { return func(t *Try) { t.Certainty = c } }
func ofTries(most int) func(*Try)        { return func(t *Try) { t.MaxTries = most } }
func bySignal(n int) func(*Try)          { return func(t *Try) { t.Signal = n } }
func stateSetTo(state string) func(*Try) { return func(t *Try) { t.SetTo = state } }
func onAirflow(v string) func(*Try)      { return func(t *Try) { t.Airflow = v } }
func queuedAt(when string) func(*Try)    { return func(t *Try) { t.QueuedAt = clockTime(when) } }
func seeing(e Evidence) func(*Try)       { return func(t *Try) { t.Evidence = append(t.Evidence, e) } }
func writingOn(text string) func(*Try) {
	return func(t *Try) { t.AfterEnd = append(t.AfterEnd, Evidence{Witness: "log", Place: Place{Text: text}}) }
}
func verdictStands(off int64, c string) func(*Try) {
	return func(t *Try) { t.Verdict = &Place{Source: t.Source, Offset: off, At: clockTime(c), Text: "the verdict"} }
}
func raising(typ, message string) func(*Try) {
	return func(t *Try) { t.Exception = &Exception{Type: typ, Message: message, Root: typ} }
}
func saying(texts ...string) func(*Try) {
	return func(t *Try) {
		t.LastWords = &Place{Source: t.Source, Offset: -1, Text: texts[len(texts)-1]}
		if len(texts) > 1 {
			t.Tail = texts
		}
	}
}

var testOptions = historyOptions{HeartbeatTimeout: 300 * time.Second, RetryDelay: 5 * time.Minute, Now: clockTime("23:00:00")}

func findingIDs(t *Task) (ids []string) {
	for _, f := range t.Findings {
		ids = append(ids, f.ID)
	}
	return ids
}

func findingOf(task *Task, id string) *Finding {
	for i := range task.Findings {
		if task.Findings[i].ID == id {
			return &task.Findings[i]
		}
	}
	return nil
}

func TestBuildTask(t *testing.T) {
	task := buildTask([]*Try{madeTry(5, Success, ""), madeTry(2, Unfinished, ""), madeTry(0, Unfinished, "")}, testOptions)
	if task.DagID != "d" || task.MapIndex != -1 || task.Identity.Try != 0 {
		t.Errorf("identity %+v", task.Identity)
	}
	if !slices.Equal(task.Numbers, []int{2, 5}) || !slices.Equal(task.Missing, []int{3, 4}) {
		t.Errorf("numbers %v, missing %v", task.Numbers, task.Missing)
	}
	if c := task.Tries[0].Cause; c != "died-unnoticed" {
		t.Errorf("a silent log before a later try: cause %q", c)
	}
	if c := task.Tries[2].Cause; c != "" {
		t.Errorf("a silent log of unknown number: cause %q", c)
	}
	if one := buildTask([]*Try{madeTry(1, Unfinished, "unknown")}, testOptions); one.Tries[0].Cause != "unknown" || one.Findings != nil {
		t.Errorf("one silent log: %q, %v", one.Tries[0].Cause, one.Findings)
	}
	if none := buildTask(nil, testOptions); none.Timeline != nil || none.Findings != nil || none.Cost.Running != nil {
		t.Errorf("no try: %+v", none)
	}
}

func TestGaps(t *testing.T) {
	for want, numbers := range map[string][]int{
		"Try 2 has neither":                            {1, 3},
		"Tries 2 and 3 have neither":                   {1, 4},
		"Tries 3, 5 to 9 and 11 have neither":          {2, 4, 10, 12},
		"Tries 2 to 999999998 have neither":            {1, 999999999},
		"34, 36, 38, 40 and those of 4 more gaps have": {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49},
	} {
		var tries []*Try
		for _, n := range numbers {
			tries = append(tries, madeTry(n, Unfinished, ""))
		}
		task := buildTask(tries, testOptions)
		f := findingOf(task, "missing-try")
		if f == nil || !strings.Contains(f.Says, want) || len(task.Missing) > 100 || len(f.Tries) > 100 {
			t.Errorf("tries %v: %+v, want %q", numbers, f, want)
		}
		if last := task.Gaps[len(task.Gaps)-1]; last.To != numbers[len(numbers)-1]-1 {
			t.Errorf("tries %v: gaps %v", numbers, task.Gaps)
		}
	}
}

// anyTry draws one try of a history.
func anyTry(t *rapid.T, n int) *Try {
	label := func(s string) string { return fmt.Sprint(s, n) }
	begin := clockTime("01:00:00").Add(time.Duration(rapid.IntRange(0, 20000).Draw(t, label("start"))) * time.Second)
	try := madeTry(n, Endings[rapid.IntRange(0, len(Endings)-1).Draw(t, label("ending"))],
		rapid.SampledFrom([]string{"", "unknown", "sigkill-unknown", "heartbeat-timeout", "user-exception", "segfault", "spot-reclaimed", "airflow-sigkill", "memory-container"}).Draw(t, label("cause")))
	try.Certainty = rapid.SampledFrom([]Certainty{Proven, Likely, Possible, Unknown}).Draw(t, label("certainty"))
	try.Host = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, label("host"))
	if rapid.Bool().Draw(t, label("times")) {
		try.StartedAt = begin
		try.EndedAt = begin.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, label("lived"))) * time.Second)
		if rapid.Bool().Draw(t, label("noticed")) {
			try.NoticedAt = try.EndedAt.Add(time.Duration(rapid.IntRange(-100, 400).Draw(t, label("after"))) * time.Second)
		}
	}
	if words := rapid.SampledFrom([][]string{nil, {"left loaded", "right loaded"}, {"table 3 of 30"}, {"table 4 of 30"}, {"poll", "poll", "poll"}}).Draw(t, label("words")); words != nil {
		saying(words...)(try)
	}
	if try.Ending == Traceback && rapid.Bool().Draw(t, label("raised")) {
		raising("KeyError", rapid.SampledFrom([]string{"'a'", "'b'"}).Draw(t, label("message")))(try)
	}
	try.MaxTries = rapid.IntRange(0, 4).Draw(t, label("max"))
	return try
}

func cloneTries(tries []*Try) []*Try {
	out := make([]*Try, len(tries))
	for i, t := range tries {
		c := *t
		out[i] = &c
	}
	return out
}

func TestHistoryInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tries []*Try
		for n := range rapid.IntRange(1, 6).Draw(t, "tries") {
			if rapid.IntRange(0, 5).Draw(t, fmt.Sprint("there", n)) > 0 {
				tries = append(tries, anyTry(t, n+1))
			}
		}
		mixed := cloneTries(tries)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		print := func(tries []*Try) string {
			task := buildTask(tries, testOptions)
			b, err := json.Marshal(struct {
				*Task
				Notes []string
			}{task, task.Notes()})
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		a, b := print(cloneTries(tries)), print(mixed)
		if a != b {
			t.Fatalf("order matters:\n%s\n%s", a, b)
		}
	})
}

// What must hold whatever the tries are.
func TestHistoryInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tries, before []*Try
		for n := range rapid.IntRange(1, 6).Draw(t, "tries") {
			tries = append(tries, anyTry(t, n+1))
		}
		before = cloneTries(tries)
		task := buildTask(tries, testOptions)
		for i, p := range task.Timeline {
			if !p.To.After(p.From) {
				t.Fatalf("phase %+v", p)
			}
			if i > 0 && p.Try < task.Timeline[i-1].Try {
				t.Fatalf("timeline out of order: %+v", task.Timeline)
			}
		}
		for name, s := range map[string]*float64{"running": task.Cost.Running, "undetected": task.Cost.Undetected, "waiting": task.Cost.Waiting, "avoidable": task.Cost.Avoidable} {
			if s != nil && *s < 0 {
				t.Fatalf("%s = %v", name, *s)
			}
		}
		if c := task.Cost; (c.OnTop != nil) != (c.Undetected != nil && c.Waiting != nil) {
			t.Fatalf("on top: %+v", c)
		}
		for i, try := range task.Tries {
			was := before[i]
			if try.Cause != was.Cause && try.Cause != "died-unnoticed" {
				if try.Cause != "memory" || try.Certainty != Likely && try.Certainty != Possible || !diedSilently(try) || try.Proof == nil {
					t.Fatalf("try %d: %s (%s) became %s (%s)", try.Identity.Try, was.Cause, was.Certainty, try.Cause, try.Certainty)
				}
			}
			if try.Retry == "" {
				t.Fatal("no retry")
			}
		}
		for _, f := range task.Findings {
			if f.Says == "" || f.Why == "" || f.Certainty == "" || len(f.Tries) == 0 || !strings.HasSuffix(f.Says, ".") || !slices.IsSorted(f.Tries) {
				t.Fatalf("finding %+v", f)
			}
		}
	})
}

func BenchmarkBuildTask(b *testing.B) {
	for name, made := range map[string][]*Try{
		"one success":        {madeTry(1, Success, "", ranFrom("01:00:00", "01:10:00"), noticedAt("01:10:00"), saying("done"))},
		"four silent deaths": fourSilentDeaths(),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buildTask(made, testOptions)
			}
		})
	}
}
