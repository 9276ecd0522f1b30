package classify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// fourSilentDeaths is the worked example: retries = 3, delay 5 min, each death noticed 5 min after the last sign of life.
func fourSilentDeaths() (tries []*Try) {
	begin := clockTime("01:00:00")
	for n := 1; n <= 4; n++ {
		t := madeTry(n, TruncatedThenZombie, "heartbeat-timeout", saying("building profile matrix"), ofTries(4))
		t.StartedAt, t.EndedAt, t.NoticedAt = begin, begin.Add(20*time.Minute), begin.Add(25*time.Minute)
		begin = t.NoticedAt.Add(5 * time.Minute)
		tries = append(tries, t)
	}
	return tries
}

func secondsEqual(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	switch {
	case want < 0 && got != nil:
		t.Errorf("%s = %v, want unknown", name, *got)
	case want >= 0 && got == nil:
		t.Errorf("%s is unknown, want %v", name, want)
	case want >= 0 && *got != want:
		t.Errorf("%s = %v, want %v", name, *got, want)
	}
}

func TestCostOfFourSilentDeaths(t *testing.T) {
	c := buildTask(fourSilentDeaths(), testOptions).Cost
	secondsEqual(t, "undetected", c.Undetected, 20*60)
	secondsEqual(t, "waiting", c.Waiting, 15*60)
	secondsEqual(t, "on top", c.OnTop, 35*60)
	secondsEqual(t, "running", c.Running, 80*60)
	secondsEqual(t, "avoidable", c.Avoidable, 2*(5+20+5)*60) // twice a wait, a run and an unseen death
	secondsEqual(t, "queued", c.Queued, -1)
	secondsEqual(t, "deferred", c.Deferred, 0)
	if c.Estimated {
		t.Error("nothing is estimated here")
	}
}

func TestCostOfOneHeartbeat(t *testing.T) {
	task := buildTask([]*Try{
		madeTry(1, TruncatedThenZombie, "heartbeat-timeout", ranFrom("02:00:00", "02:14:00"), noticedAt("02:19:10")),
		madeTry(2, Success, "", ranFrom("02:24:10", "02:30:00"), noticedAt("02:30:00")),
	}, testOptions)
	secondsEqual(t, "undetected", task.Cost.Undetected, 310)
	secondsEqual(t, "waiting", task.Cost.Waiting, 300)
	secondsEqual(t, "on top", task.Cost.OnTop, 610)
	secondsEqual(t, "avoidable", task.Cost.Avoidable, 0)
	if got := bars(task); got != "1 running 840, 1 undetected 310, 1 waiting 300, 2 running 350" {
		t.Error(got)
	}
}

// bars prints a timeline in short: try, phase, seconds, ~ for estimated.
func bars(task *Task) string {
	var list []string
	for _, p := range task.Timeline {
		s := fmt.Sprintf("%d %s %v", p.Try, p.Phase, p.To.Sub(p.From).Seconds())
		if p.Estimated {
			s += "~"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestTimeline(t *testing.T) {
	spans := func(s ...Span) func(*Try) { return func(t *Try) { t.Spans = s } }
	span := func(phase, from, to string) Span { return Span{Phase: phase, From: clockTime(from), To: clockTime(to)} }
	for name, tc := range map[string]struct {
		tries     []*Try
		bars      string
		onTop     float64
		estimated bool
		notes     []string // one word of each
	}{
		"queued, deferred, resumed": {
			[]*Try{madeTry(1, Success, "", queuedAt("01:00:00"), ranFrom("01:00:10", "01:05:00"), spans(span("running", "01:00:10", "01:00:20"), span("deferred", "01:00:20", "01:04:00"), span("running", "01:04:00", "01:05:00")))},
			"1 queued 10, 1 running 10, 1 deferred 220, 1 running 60", 0, false, nil,
		},
		"the next one is queued before it starts": {
			[]*Try{madeTry(1, Traceback, "user-exception", ranFrom("01:00:00", "01:01:00")), madeTry(2, Success, "", queuedAt("01:06:00"), ranFrom("01:06:30", "01:07:00"))},
			"1 running 60, 1 waiting 300, 2 queued 30, 2 running 30", 300, false, nil,
		},
		"nobody recorded the death: bounded by the next try": {
			[]*Try{madeTry(1, Unfinished, "", ranFrom("01:00:00", "01:10:00")), madeTry(2, Success, "", ranFrom("01:17:00", "01:20:00"))},
			"1 running 600, 1 undetected 120~, 1 waiting 300~, 2 running 180", 420, true, []string{"estimated"},
		},
		"nobody recorded the death: bounded by the heartbeat": {
			[]*Try{madeTry(1, Unfinished, "", ranFrom("01:00:00", "01:10:00")), madeTry(2, Success, "", ranFrom("01:40:00", "01:41:00"))},
			"1 running 600, 1 undetected 300~, 1 waiting 1500~, 2 running 60", 1800, true, []string{"estimated"},
		},
		"still open": {[]*Try{madeTry(1, Unfinished, "", ranFrom("01:00:00", "01:10:00"))}, "1 running 600", -1, true, nil},
		"two clocks": {
			[]*Try{madeTry(1, TruncatedThenZombie, "heartbeat-timeout", ranFrom("01:00:00", "01:10:00"), noticedAt("01:09:30")), madeTry(2, Success, "", ranFrom("01:15:00", "01:16:00"))},
			"1 running 600, 1 waiting 300, 2 running 60", 300, false, []string{"two clocks"},
		},
		"overlap": {
			[]*Try{madeTry(1, TruncatedThenZombie, "heartbeat-timeout", ranFrom("01:00:00", "01:10:00"), noticedAt("01:10:00")), madeTry(2, Success, "", ranFrom("01:05:00", "01:16:00"))},
			"1 running 600, 2 running 660", 0, false, nil,
		},
		"cleared after success": {
			[]*Try{madeTry(1, Success, "", ranFrom("01:00:00", "01:10:00")), madeTry(2, Success, "", ranFrom("09:00:00", "09:10:00"))},
			"1 running 600, 2 running 600", 0, false, []string{"somebody cleared"},
		},
		"cleared after the last try": {
			[]*Try{madeTry(2, Traceback, "user-exception", ofTries(2), ranFrom("01:00:00", "01:10:00")), madeTry(3, Success, "", ofTries(4), ranFrom("09:00:00", "09:10:00"))},
			"2 running 600, 3 running 600", 0, false, []string{"somebody cleared"},
		},
		"a try is missing": {
			[]*Try{madeTry(1, Traceback, "user-exception", ranFrom("01:00:00", "01:10:00")), madeTry(3, Success, "", ranFrom("01:30:00", "01:40:00"))},
			"1 running 600, 3 running 600", -1, true, []string{"neither log nor record"},
		},
		"a log without times": {
			[]*Try{madeTry(1, Traceback, "user-exception"), madeTry(2, Success, "", ranFrom("01:30:00", "01:40:00"))},
			"2 running 600", -1, true, []string{"do not tell"},
		},
		"never started": {
			[]*Try{madeTry(1, NeverStarted, "image-pull", queuedAt("01:00:00"), noticedAt("01:10:00")), madeTry(2, Success, "", ranFrom("01:15:00", "01:16:00"))},
			"1 queued 600, 1 waiting 300, 2 running 60", 300, false, nil,
		},
		"exponential back-off": {
			[]*Try{
				madeTry(1, Traceback, "user-exception", ranFrom("01:00:00", "01:01:00")), madeTry(2, Traceback, "user-exception", ranFrom("01:06:00", "01:07:00")),
				madeTry(3, Traceback, "user-exception", ranFrom("01:17:00", "01:18:00")), madeTry(4, Traceback, "user-exception", ranFrom("01:38:00", "01:39:00")),
			},
			"1 running 60, 1 waiting 300, 2 running 60, 2 waiting 600, 3 running 60, 3 waiting 1200, 4 running 60", 2100, false, []string{"5 min, 10 min and 20 min"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			task := buildTask(tc.tries, testOptions)
			if got := bars(task); got != tc.bars {
				t.Errorf("\n got %s\nwant %s", got, tc.bars)
			}
			secondsEqual(t, "on top", task.Cost.OnTop, tc.onTop)
			if task.Cost.Estimated != tc.estimated {
				t.Errorf("estimated = %v", task.Cost.Estimated)
			}
			notes := task.Notes()
			for i, w := range tc.notes {
				if i >= len(notes) || !strings.Contains(notes[i], w) {
					t.Errorf("notes %q want %q", notes, tc.notes)
				}
			}
			if len(notes) != len(tc.notes) {
				t.Errorf("notes %q want %q", notes, tc.notes)
			}
		})
	}
}

func TestAvoidable(t *testing.T) {
	failed := func(n int, from, to string, message string) *Try {
		return madeTry(n, Traceback, "user-exception", ranFrom(from, to), raising("KeyError", message))
	}
	a, b, c := failed(1, "01:00:00", "01:01:00", "'a'"), failed(2, "01:06:00", "01:07:00", "'a'"), failed(3, "01:12:00", "01:13:00", "'a'")
	for name, tc := range map[string]struct {
		tries []*Try
		want  float64
	}{
		"nothing followed":        {[]*Try{a, b}, 0},
		"a wait and a run":        {[]*Try{a, b, c}, 360},
		"no finding":              {[]*Try{a}, 0},
		"the third one succeeded": {[]*Try{a, b, madeTry(3, Success, "", ranFrom("01:12:00", "01:13:00"))}, 0},
		"no times at all":         {[]*Try{madeTry(1, LogMissing, ""), madeTry(2, LogMissing, "")}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			secondsEqual(t, "avoidable", buildTask(cloneTries(tc.tries), testOptions).Cost.Avoidable, tc.want)
		})
	}
}

func TestRetry(t *testing.T) {
	marking := func(text string) func(*Try) { return seeing(Evidence{Witness: "log", Place: Place{Text: text}}) }
	for name, tc := range map[string]struct {
		try  *Try
		want string
		next string
	}{
		"one of three":           {madeTry(1, Traceback, "user-exception", ofTries(3), ranFrom("01:00:00", "01:10:00")), retryDue, "01:15:00"},
		"the last of three":      {madeTry(3, Traceback, "user-exception", ofTries(3)), retryNone, ""},
		"how many is not known":  {madeTry(1, Traceback, "user-exception"), retryUnknown, ""},
		"number not known":       {madeTry(0, Traceback, "user-exception", ofTries(3)), retryUnknown, ""},
		"recorded as due":        {madeTry(1, Traceback, "user-exception", marking("Marking task as UP_FOR_RETRY. dag_id=d"), ranFrom("01:00:00", "01:10:00")), retryDue, "01:15:00"},
		"recorded as failed":     {madeTry(1, Traceback, "user-exception", ofTries(3), marking("Marking task as FAILED. dag_id=d")), retryNone, ""},
		"fails by design":        {madeTry(1, Traceback, "fail-exception", ofTries(3)), retryNone, ""},
		"sensor timeout":         {madeTry(1, Traceback, "sensor-timeout", ofTries(3)), retryNone, ""},
		"success":                {madeTry(1, Success, "", ofTries(3)), retryNone, ""},
		"marked failed":          {madeTry(1, ExternallySet, "marked-failed", ofTries(3)), retryNone, ""},
		"set to failed":          {madeTry(1, ExternallySet, "setter-unknown", stateSetTo("failed"), ofTries(3)), retryNone, ""},
		"set to up_for_retry":    {madeTry(1, ExternallySet, "false-zombie", stateSetTo("up_for_retry"), ranFrom("01:00:00", "01:10:00")), retryDue, "01:15:00"},
		"noticed later":          {madeTry(1, TruncatedThenZombie, "heartbeat-timeout", ofTries(2), ranFrom("01:00:00", "01:10:00"), noticedAt("01:16:00")), retryDue, "01:21:00"},
		"silent":                 {madeTry(1, TruncatedThenZombie, "heartbeat-timeout", ofTries(2), ranFrom("01:00:00", "01:10:00")), retryDue, "01:20:00"},
		"may still run":          {madeTry(1, Unfinished, "", ofTries(2), ranFrom("01:00:00", "01:10:00")), retryUnknown, ""},
		"may still run, no more": {madeTry(2, Unfinished, "", ofTries(2)), retryNone, ""},
		"deferred":               {madeTry(1, Deferred, "", ofTries(2)), retryNone, ""},
		"signal on 3.0":          {madeTry(1, NegativeReturnCode, "sigkill-unknown", ofTries(3), onAirflow("3.0.6")), retryNone, ""},
		"signal on 3.1.8":        {madeTry(1, NegativeReturnCode, "sigkill-unknown", ofTries(3), onAirflow("3.1.8")), retryDue, ""},
		"user text is no record": {madeTry(1, Traceback, "user-exception", ofTries(3), func(t *Try) { t.Verdict = &Place{Text: "ValueError: Marking task as FAILED"} }), retryDue, ""},
	} {
		t.Run(name, func(t *testing.T) {
			buildTask([]*Try{tc.try}, testOptions)
			next := time.Time{}
			if tc.next != "" {
				next = clockTime(tc.next)
			}
			if tc.try.Retry != tc.want || !tc.try.NextTryAt.Equal(next) {
				t.Errorf("%s at %s, want %s at %s", tc.try.Retry, tc.try.NextTryAt, tc.want, next)
			}
		})
	}
}

func TestRetryInAHistory(t *testing.T) {
	tries := []*Try{
		madeTry(1, Traceback, "user-exception", ofTries(5), ranFrom("01:00:00", "01:01:00")), madeTry(2, Traceback, "user-exception", ofTries(5), ranFrom("01:06:00", "01:07:00")),
		madeTry(3, Traceback, "user-exception", ofTries(5), ranFrom("01:17:00", "01:18:00")),
	}
	buildTask(tries, testOptions)
	var got []string
	for _, try := range tries {
		got = append(got, try.Retry+" "+try.NextTryAt.Format("15:04"))
	}
	if want := []string{"due 01:06", "due 01:17", "due 01:38"}; !slices.Equal(got, want) { // the waits double
		t.Errorf("got %v, want %v", got, want)
	}
}
