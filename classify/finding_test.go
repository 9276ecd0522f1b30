package classify

import (
	"slices"
	"strings"
	"testing"
)

func TestFindings(t *testing.T) {
	const words = "building profile matrix"
	killed := func(n int, opts ...func(*Try)) *Try {
		return madeTry(n, NegativeReturnCode, "sigkill-unknown", append([]func(*Try){saying(words)}, opts...)...)
	}
	silent := func(n int, opts ...func(*Try)) *Try {
		return madeTry(n, TruncatedThenZombie, "heartbeat-timeout", append([]func(*Try){saying(words), surely(Proven)}, opts...)...)
	}
	failed := func(n int, typ, message string, opts ...func(*Try)) *Try {
		return madeTry(n, Traceback, "user-exception", append([]func(*Try){raising(typ, message), surely(Proven)}, opts...)...)
	}
	for name, tc := range map[string]struct {
		tries []*Try
		want  []string
	}{
		"one kill":            {[]*Try{killed(1)}, nil},
		"two kills, one line": {[]*Try{killed(1), killed(2)}, []string{"memory-same-point"}},
		"kill and silence":    {[]*Try{killed(1), silent(2)}, []string{"memory-same-point"}},
		"silence and a later try": {[]*Try{madeTry(1, Unfinished, "", saying(words)), killed(2)},
			[]string{"memory-same-point"}},
		"may still run":                    {[]*Try{killed(1), madeTry(2, Unfinished, "", saying(words))}, nil},
		"three, and so one wasted":         {[]*Try{killed(1), killed(2), killed(3)}, []string{"memory-same-point", "retries-wasted"}},
		"no words of the task's own":       {[]*Try{madeTry(1, NegativeReturnCode, "sigkill-unknown"), madeTry(2, NegativeReturnCode, "sigkill-unknown")}, []string{"same-cause"}},
		"one with words, one without":      {[]*Try{killed(1), madeTry(2, NegativeReturnCode, "sigkill-unknown")}, []string{"same-cause"}},
		"Airflow's own SIGKILL":            {[]*Try{killed(1), madeTry(2, NegativeReturnCode, "airflow-sigkill", saying(words), surely(Possible))}, []string{"mixed-causes"}},
		"a spot node, proven":              {[]*Try{madeTry(1, TruncatedThenZombie, "spot-reclaimed", saying(words), surely(Proven)), silent(2)}, []string{"mixed-causes"}},
		"a spot node, only possible":       {[]*Try{madeTry(1, TruncatedThenZombie, "spot-reclaimed", saying(words), surely(Possible)), silent(2)}, []string{"memory-same-point"}},
		"set from outside at one line":     {[]*Try{madeTry(1, ExternallySet, "marked-failed", saying(words)), madeTry(2, ExternallySet, "marked-failed", saying(words))}, []string{"same-cause"}},
		"SIGTERM at one line":              {[]*Try{madeTry(1, NegativeReturnCode, "sigterm-unknown", bySignal(15), saying(words)), madeTry(2, NegativeReturnCode, "sigterm-unknown", bySignal(15), saying(words))}, []string{"same-cause"}},
		"success at the same line":         {[]*Try{killed(1), madeTry(2, Success, "", saying(words))}, []string{"flaky-then-success"}},
		"counter elsewhere":                {[]*Try{killed(1, saying("table 3 of 30 merged")), killed(2, saying("table 17 of 30 merged"))}, []string{"scattered"}},
		"other lines":                      {[]*Try{killed(1, saying("left loaded")), killed(2, saying("right loaded"))}, []string{"scattered"}},
		"most at one line":                 {[]*Try{killed(1), killed(2, saying("left loaded")), killed(3), killed(4)}, []string{"memory-same-point", "retries-wasted"}},
		"half at one line":                 {[]*Try{killed(1), killed(2, saying("left loaded")), killed(3), killed(4, saying("right loaded"))}, []string{"memory-same-point", "scattered", "retries-wasted"}},
		"a loop that tells nothing":        {[]*Try{killed(1, saying("poll", "poll", "poll")), killed(2, saying("poll", "poll", "poll"))}, []string{"same-cause"}},
		"segfaults at one line":            {[]*Try{madeTry(1, NegativeReturnCode, "segfault", bySignal(11), saying(words)), madeTry(2, NegativeReturnCode, "segfault", bySignal(11), saying(words)), madeTry(3, NegativeReturnCode, "segfault", bySignal(11), saying(words))}, []string{"crash-same-point", "retries-wasted"}},
		"segfaults at other lines":         {[]*Try{madeTry(1, NegativeReturnCode, "segfault", bySignal(11), saying("a")), madeTry(2, NegativeReturnCode, "segfault", bySignal(11), saying("b"))}, nil},
		"a segfault and a kill":            {[]*Try{killed(1), madeTry(2, NegativeReturnCode, "segfault", bySignal(11), saying(words))}, []string{"mixed-causes"}},
		"same error":                       {[]*Try{failed(1, "KeyError", "'row 17'"), failed(2, "KeyError", "'row 23'")}, []string{"same-error"}},
		"same error in a DAG's module":     {[]*Try{failed(1, "unusual_prefix_0123456789abcdef0123456789abcdef01234567_x.LedgerError", "no"), failed(2, "unusual_prefix_1123456789abcdef0123456789abcdef01234567_x.LedgerError", "no")}, []string{"same-error"}},
		"three same errors":                {[]*Try{failed(1, "KeyError", "'a'"), failed(2, "KeyError", "'a'"), failed(3, "KeyError", "'a'")}, []string{"same-error", "retries-wasted"}},
		"other type":                       {[]*Try{failed(1, "KeyError", "'a'"), failed(2, "ValueError", "'a'")}, []string{"same-cause"}},
		"other message":                    {[]*Try{failed(1, "KeyError", "'a'"), failed(2, "KeyError", "'b'")}, []string{"same-cause"}},
		"other exit code":                  {[]*Try{failed(1, "AirflowException", "Bash command failed. The command returned a non-zero exit code 1."), failed(2, "AirflowException", "Bash command failed. The command returned a non-zero exit code 137.")}, []string{"same-cause"}},
		"other errno":                      {[]*Try{failed(1, "OSError", "[Errno 28] No space left"), failed(2, "OSError", "[Errno 12] No space left")}, []string{"same-cause"}},
		"two shutdowns are no error":       {[]*Try{madeTry(1, Traceback, "worker-shutdown", raising("AirflowException", "Task received SIGTERM signal"), bySignal(15)), madeTry(2, Traceback, "worker-shutdown", raising("AirflowException", "Task received SIGTERM signal"), bySignal(15))}, []string{"same-cause"}},
		"same errors, then success":        {[]*Try{failed(1, "ConnectionError", "refused"), failed(2, "ConnectionError", "refused"), madeTry(3, Success, "")}, []string{"same-error", "flaky-then-success"}},
		"errors with a kill among them":    {[]*Try{failed(1, "KeyError", "'a'"), killed(2), failed(3, "KeyError", "'a'")}, []string{"same-error", "mixed-causes"}},
		"zombie, then set from outside":    {[]*Try{silent(1), madeTry(2, ExternallySet, "false-zombie", stateSetTo("up_for_retry"))}, []string{"mixed-causes"}},
		"zombie, then SIGTERM":             {[]*Try{silent(1), madeTry(2, Traceback, "sigterm-unknown", bySignal(15), saying(words))}, []string{"mixed-causes"}},
		"a person cleared, then success":   {[]*Try{madeTry(1, ExternallySet, "cleared"), madeTry(2, Success, "")}, nil},
		"success, then a failure":          {[]*Try{madeTry(1, Success, ""), failed(2, "KeyError", "'a'")}, nil},
		"skipped after a failure":          {[]*Try{failed(1, "KeyError", "'a'"), madeTry(2, Skipped, "skip")}, nil},
		"success, then a purge":            {[]*Try{madeTry(1, Success, "", verdictStands(900, "02:00:00"), writingOn("Detected zombie job: {...}"))}, []string{"success-then-killed"}},
		"success, then SIGTERM in its log": {[]*Try{madeTry(1, Success, "", verdictStands(900, "02:00:00"), seeing(Evidence{Witness: "log", Place: Place{Source: "attempt=1.log", Offset: 1200, Text: "Received SIGTERM. Terminating subprocesses."}}))}, []string{"success-then-killed"}},
		"a purge, then success":            {[]*Try{madeTry(1, Success, "", verdictStands(900, "02:00:40"), seeing(Evidence{Witness: "scheduler", Place: Place{Source: "scheduler.log", Offset: 7, At: clockTime("02:00:10"), Text: "Detected zombie job: {...}"}}))}, []string{"undead"}},
		"a timeout's SIGTERM, swallowed":   {[]*Try{madeTry(1, Success, "", verdictStands(900, "02:00:40"), seeing(Evidence{Witness: "log", Place: Place{Source: "attempt=1.log", Offset: 7, Text: "Received SIGTERM."}}))}, nil},
		"words after the purge":            {[]*Try{silent(1, writingOn("isles step 4"))}, []string{"undead"}},
		"alive long after the purge":       {[]*Try{silent(1, ranFrom("02:00:00", "02:20:00"), noticedAt("02:10:00"))}, []string{"undead"}},
		"alive 40 s after, by two clocks":  {[]*Try{silent(1, ranFrom("02:00:00", "02:10:40"), noticedAt("02:10:00"))}, nil},
		"overlap":                          {[]*Try{silent(1, ranFrom("02:00:00", "02:20:00"), saying("a")), madeTry(2, Success, "", ranFrom("02:10:00", "02:30:00"))}, []string{"flaky-then-success", "double-execution"}},
		"overlap of 40 s by two clocks":    {[]*Try{silent(1, ranFrom("02:00:00", "02:10:40")), madeTry(2, Success, "", ranFrom("02:10:00", "02:30:00"))}, []string{"flaky-then-success"}},
		"overlap of 17 s on one host":      {[]*Try{madeTry(1, Success, "", ranFrom("17:53:40", "17:54:21"), onHost("vm")), madeTry(2, ExternallySet, "superseded", ranFrom("17:54:04", "17:54:35"), onHost("vm"))}, []string{"double-execution"}},
		"a leftover of an external set": {[]*Try{madeTry(1, ExternallySet, "orphan-reset", ranFrom("02:00:00", "02:12:00"), verdictStands(9, "02:10:05")), madeTry(2, Success, "", ranFrom("02:10:00", "02:30:00"))},
			[]string{"flaky-then-success"}},
		"another process owns the try": {[]*Try{madeTry(1, ExternallySet, "superseded", surely(Proven))}, []string{"double-execution"}},
		"pid mismatch, then success":   {[]*Try{madeTry(1, Success, "", seeing(Evidence{Place: Place{Text: "Recorded pid 16883 does not match the current pid 16428"}}))}, []string{"double-execution"}},
		"a gap":                        {[]*Try{madeTry(2, NeverStarted, ""), madeTry(4, Unfinished, "")}, []string{"missing-try", "never-ran"}},
		"nothing before try 2":         {[]*Try{killed(2)}, nil},
		"never started, twice":         {[]*Try{madeTry(1, NeverStarted, "import-error"), madeTry(2, NeverStarted, "import-error")}, []string{"same-cause", "never-ran"}},
		"never started, once":          {[]*Try{madeTry(1, NeverStarted, "image-pull")}, nil},
		"logs that are gone":           {[]*Try{madeTry(1, LogMissing, "unknown"), madeTry(2, LogMissing, "unknown")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			task := buildTask(tc.tries, testOptions)
			if got := findingIDs(task); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
				for _, f := range task.Findings {
					t.Logf("%+v", f)
				}
			}
		})
	}
}

func TestMemorySamePointCertainty(t *testing.T) {
	const words = "right loaded"
	tail := saying("reading", "left loaded", words)
	killed := func(n int, opts ...func(*Try)) *Try {
		return madeTry(n, NegativeReturnCode, "sigkill-unknown", append([]func(*Try){tail}, opts...)...)
	}
	for name, tc := range map[string]struct {
		tries []*Try
		want  Certainty
		why   string
	}{
		"several hosts":              {[]*Try{killed(1, onHost("a")), killed(2, onHost("b"))}, Likely, "2 hosts (a and b)"},
		"one host":                   {[]*Try{killed(1, onHost("a")), killed(2, onHost("a"))}, Likely, "one host (a)"},
		"hosts not known":            {[]*Try{killed(1), killed(2)}, Likely, "hosts are not known"},
		"one host, one line alike":   {[]*Try{killed(1, onHost("a"), func(t *Try) { t.Tail = nil }), killed(2, onHost("a"), func(t *Try) { t.Tail = nil })}, Possible, "one host (a)"},
		"lived equally long":         {[]*Try{killed(1, onHost("a"), ranFrom("01:00:00", "01:10:00")), killed(2, onHost("b"), ranFrom("02:00:00", "02:10:20"))}, Possible, "equally long (about 10 min)"},
		"lived unequally long":       {[]*Try{killed(1, onHost("a"), ranFrom("01:00:00", "01:10:00")), killed(2, onHost("b"), ranFrom("02:00:00", "02:14:00"))}, Likely, "2 hosts"},
		"a later try got past it":    {[]*Try{killed(1, onHost("a")), killed(2, onHost("b")), madeTry(3, Success, "")}, Possible, "got past that point"},
		"others died elsewhere":      {[]*Try{killed(1, onHost("a")), killed(2, onHost("b")), killed(3, saying("x")), killed(4, saying("y"))}, Possible, "Tries 3 and 4 died elsewhere"},
		"a witness says so of one":   {[]*Try{killed(1, onHost("a")), madeTry(2, NegativeReturnCode, "memory-child", tail, surely(Proven))}, Likely, "Not excluded"},
		"a witness says so of all":   {[]*Try{madeTry(1, NegativeReturnCode, "memory-child", tail, surely(Proven)), madeTry(2, NegativeReturnCode, "memory-child", tail, surely(Proven))}, Proven, ""},
		"worked on for hours behind": {[]*Try{killed(1, onHost("a"), diedAt("01:00:00", "01:00:02")), killed(2, onHost("b"), diedAt("02:00:00", "05:00:00"))}, Possible, "differs widely"},
	} {
		t.Run(name, func(t *testing.T) {
			task := buildTask(tc.tries, testOptions)
			f := findingOf(task, "memory-same-point")
			if f == nil {
				t.Fatalf("no finding: %v", findingIDs(task))
			}
			if f.Certainty != tc.want || !strings.Contains(f.Why, tc.why) {
				t.Errorf("%s, %q: want %s, %q", f.Certainty, f.Why, tc.want, tc.why)
			}
			if !strings.HasPrefix(f.Says, "Tries 1 and 2 stopped at the same line (`right loaded`): out of memory") {
				t.Errorf("says %q", f.Says)
			}
		})
	}
}

// diedAt sets when the last words were said and when the supervisor saw the process die.
func diedAt(words, verdict string) func(*Try) {
	return func(t *Try) {
		place := *t.LastWords
		place.At = clockTime(words)
		t.LastWords, t.Verdict = &place, &Place{Source: t.Source, At: clockTime(verdict)}
	}
}

func TestMemoryCause(t *testing.T) {
	const words = "right loaded"
	for name, tc := range map[string]struct {
		ending    Ending
		cause     string
		certainty Certainty
		want      string
	}{
		"a lone SIGKILL":         {NegativeReturnCode, "sigkill-unknown", Unknown, "memory"},
		"purged":                 {TruncatedThenZombie, "heartbeat-timeout", Proven, "memory"},
		"silent":                 {Unfinished, "", "", "memory"},
		"worker killed, likely":  {TruncatedThenZombie, "worker-killed", Likely, "worker-killed"},
		"worker killed, unknown": {TruncatedThenZombie, "worker-killed", Unknown, "memory"},
		"a witness":              {NegativeReturnCode, "memory-child", Proven, "memory-child"},
		"a weak guess":           {TruncatedThenZombie, "node-lost", Possible, "memory"},
		"a good reason":          {TruncatedThenZombie, "node-lost", Likely, "node-lost"},
		"Airflow's escalation":   {NegativeReturnCode, "airflow-sigkill", Unknown, "airflow-sigkill"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := madeTry(1, tc.ending, tc.cause, saying(words), surely(tc.certainty))
			odd.Candidates = []Candidate{{Cause: "memory", Certainty: Possible}, {Cause: "pod-deleted", Certainty: Possible}}
			tries := []*Try{odd, madeTry(2, NegativeReturnCode, "sigkill-unknown", saying(words)), madeTry(3, NegativeReturnCode, "sigkill-unknown", saying(words))}
			buildTask(tries, testOptions)
			if odd.Cause != tc.want {
				t.Fatalf("cause %s (%s), want %s", odd.Cause, odd.Certainty, tc.want)
			}
			if tc.want == "memory" && (odd.Certainty != Likely || odd.Proof == nil || odd.Proof.Text != words || len(odd.Candidates) != 1) {
				t.Errorf("certainty %s, proof %v, candidates %v", odd.Certainty, odd.Proof, odd.Candidates)
			}
			if tries[1].Cause != "memory" {
				t.Errorf("try 2: %s", tries[1].Cause)
			}
		})
	}
}

// The histories of the collected cases, told as they read.
func TestFindingSentences(t *testing.T) {
	merged := func(n, table int, host string) *Try {
		return madeTry(n, TruncatedThenZombie, "heartbeat-timeout", func(t *Try) { t.Host = host },
			saying("table "+string(rune('0'+table-1))+" of 30 merged", "table "+string(rune('0'+table))+" of 30 merged"))
	}
	task := buildTask([]*Try{merged(1, 3, "ip-192-0-2-11"), merged(2, 7, "ip-192-0-2-48"), merged(3, 8, "ip-192-0-2-90")}, testOptions)
	f := findingOf(task, "scattered")
	if f == nil || f.Certainty != Likely ||
		f.Says != "Tries 1, 2 and 3 were killed or fell silent at different points (`table 3 of 30 merged`, `table 7 of 30 merged` and `table 8 of 30 merged`)." {
		t.Errorf("%+v", f)
	}
	zoom := saying("zoom 13, 240 MiB held", "zoom 14, 260 MiB held")
	task = buildTask([]*Try{
		madeTry(1, NegativeReturnCode, "sigkill-unknown", zoom, onHost("vm")), madeTry(2, TruncatedThenZombie, "heartbeat-timeout", zoom, onHost("vm")), madeTry(3, NegativeReturnCode, "sigkill-unknown", zoom, onHost("vm")),
	}, testOptions)
	f = findingOf(task, "memory-same-point")
	if f == nil || f.Says != "Tries 1, 2 and 3 stopped at the same line (`zoom 14, 260 MiB held`): out of memory is the likely cause." ||
		f.Why != "The last 2 lines agree. All ran on one host (vm), which could be the reason too. Not excluded: a time limit outside Airflow, a failed probe, a person with kill -9." {
		t.Errorf("%+v", f)
	}
	f = findingOf(task, "retries-wasted")
	if f == nil || f.Says != "Try 3 came after tries 1 and 2 had already shown the same end twice." || f.Certainty != Likely {
		t.Errorf("%+v", f)
	}
}
