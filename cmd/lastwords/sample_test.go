package main

import (
	"time"

	"lastwords/classify"
)

// sample is a hand-made report in which every ending occurs, with the worked example of the issue: four silent deaths,
// each noticed 5 min after, 5 min of waiting between them: 20 + 15 = 35 min on top.
func sample() *classify.Report {
	b := &builder{report: &classify.Report{Now: at("2024-05-01T03:40:00Z")}}
	b.silentDeaths()
	b.killed()
	b.raised()
	b.setFromOutside()
	b.flaky()
	b.open()
	b.good()
	b.finish()
	return b.report
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

func num(f float64) *float64 { return &f }

type builder struct{ report *classify.Report }

func id(dag, task string, try int) classify.Identity {
	return classify.Identity{DagID: dag, RunID: "scheduled__2024-05-01T00:00:00+00:00", TaskID: task, MapIndex: -1, Try: try}
}

func place(source string, line int64, when, text string) *classify.Place {
	p := &classify.Place{Source: source, Line: line, Offset: line * 97, Text: text}
	if when != "" {
		p.At = at(when)
	}
	return p
}

// try makes a try with what all have.
func try(id classify.Identity, max int, ending classify.Ending, cause string) *classify.Try {
	return &classify.Try{Identity: id, MaxTries: max, Ending: ending, EndingCertainty: classify.Proven, Cause: cause,
		Certainty: classify.Proven, RecordedBy: classify.ByTaskRunner, SearchedFrom: -1, Size: 20_000, Segments: 1,
		Airflow: "2.7.3", Retry: "unknown"}
}

func (b *builder) task(t *classify.Task) {
	t.Identity = t.Tries[0].Identity
	t.Identity.Try = 0
	for _, try := range t.Tries {
		t.Numbers = append(t.Numbers, try.Try)
		if try.Source != "" && len(try.Sources) == 0 {
			try.Sources = []string{try.Source}
		}
	}
	b.report.Tasks = append(b.report.Tasks, t)
	b.report.Tries = append(b.report.Tries, t.Tries...)
}

const folder = "logs/dag_id=etl/run_id=scheduled__2024-05-01T00:00:00+00:00/task_id=load_orders/"

func (b *builder) silentDeaths() {
	task := &classify.Task{}
	start := at("2024-05-01T01:00:00Z")
	for n := 1; n <= 4; n++ {
		log := folder + "attempt=" + string(rune('0'+n)) + ".log"
		t := try(id("etl", "load_orders", n), 4, classify.TruncatedThenZombie, "memory")
		t.Certainty, t.RecordedBy, t.Retry = classify.Likely, classify.ByScheduler, "none"
		t.Source, t.Sources = log, []string{log, "scheduler.log"}
		t.Host, t.PID, t.Operator = "worker-3", 4240+n, "PythonOperator"
		t.StartedAt, t.EndedAt = start, start.Add(14*time.Minute)
		t.NoticedAt = t.EndedAt.Add(5 * time.Minute)
		t.QueuedAt = start.Add(-10 * time.Second)
		t.Verdict = place("scheduler.log", int64(4000+n), t.NoticedAt.Format(time.RFC3339), "Detected zombie job: {'full_filepath': '/dags/etl.py', 'simple_task_instance': <etl.load_orders try 1>}")
		t.LastWords = place(log, 212, t.EndedAt.Format(time.RFC3339), "processed 210000 rows of 900000")
		t.Proof = t.LastWords
		t.Evidence = []classify.Evidence{{Rule: "zombie-detected", Witness: "scheduler", Place: *t.Verdict, Says: "the scheduler found no heartbeat and gave the try up"}}
		t.Candidates = []classify.Candidate{{Cause: "worker-killed", Certainty: classify.Possible, Why: "no worker log was given"}}
		t.Witnesses = []classify.WitnessView{{Witness: "log", Stance: "agrees"}, {Witness: "scheduler", Stance: "agrees", Why: "zombie"},
			{Witness: "pod", Stance: "not-asked"}, {Witness: "kernel", Stance: "not-asked"}, {Witness: "worker", Stance: "silent", Why: "no worker log was given"}}
		t.Next = []classify.NextStep{{Say: "look for a kernel oom line of that minute on the host", Run: "ssh worker-3 'dmesg -T | grep -i oom'", Safety: "inspect"},
			{Say: "give the task more memory, or smaller batches, then clear it", Run: "airflow tasks clear etl -t load_orders -s 2024-05-01 -e 2024-05-01", Safety: "mutating"}}
		task.Tries = append(task.Tries, t)
		for _, p := range []classify.Phase{{Phase: "queued", From: start.Add(-10 * time.Second), To: start},
			{Phase: "running", From: start, To: t.EndedAt}, {Phase: "undetected", From: t.EndedAt, To: t.NoticedAt}} {
			p.Try = n
			task.Timeline = append(task.Timeline, p)
		}
		if n < 4 {
			next := t.NoticedAt.Add(5 * time.Minute)
			task.Timeline = append(task.Timeline, classify.Phase{Try: n, Phase: "waiting", From: t.NoticedAt, To: next, Estimated: n == 2})
			start = next
		}
	}
	task.Findings = []classify.Finding{
		{ID: "memory-same-point", Says: "tries 1, 2, 3 and 4 stopped at the same point, \"processed 210000 rows\"", Tries: []int{1, 2, 3, 4},
			Certainty: classify.Likely, Why: "All ran on one host (worker-3), which weakens it; a time limit is excluded, they lived differently long"},
		{ID: "retries-wasted", Says: "tries 3 and 4 could only end the same way", Tries: []int{3, 4}, Certainty: classify.Likely}}
	task.Cost = classify.Cost{Running: num(4 * 840), Undetected: num(1200), Waiting: num(900), Queued: num(40), OnTop: num(2100), Avoidable: num(2880)}
	b.task(task)
}

func (b *builder) killed() {
	for i, name := range []string{"extract", "train", "score"} {
		t := try(id("ml", name, 1), 3, classify.NegativeReturnCode, "sigkill-unknown")
		t.MapIndex = i - 1
		code := -9
		t.Signal, t.ExitCode, t.Certainty, t.RecordedBy = 9, &code, classify.Unknown, classify.BySupervisor
		t.Source, t.Host, t.PID = "logs/dag_id=ml/task_id="+name+"/attempt=1.log", "worker-7", 99
		t.StartedAt, t.EndedAt = at("2024-05-01T02:10:11.250Z"), at("2024-05-01T02:14:00Z").Add(time.Duration(i)*11*time.Second)
		t.NoticedAt = t.EndedAt
		t.Retry, t.NextTryAt = "due", at("2024-05-01T03:44:10Z")
		t.Verdict = place(t.Source, 118, t.EndedAt.Format(time.RFC3339), "Task exited with return code Negsignal.SIGKILL")
		t.LastWords = place(t.Source, 112, "2024-05-01T02:13:58Z", "epoch 3/10 loss=0.213")
		t.Candidates = []classify.Candidate{{Cause: "memory", Certainty: classify.Possible, Why: "return code -9 proves SIGKILL, not lack of memory"},
			{Cause: "worker-shutdown", Certainty: classify.Possible, Why: "three tries on worker-7 died within a minute"}}
		t.Witnesses = []classify.WitnessView{{Witness: "pod", Stance: "not-asked", Why: "no --kube"}, {Witness: "node", Stance: "not-asked", Why: "no --kube"}}
		t.Next = []classify.NextStep{{Say: "ask the cluster what happened to worker-7", Run: "kubectl get events -A --field-selector involvedObject.name=worker-7", Safety: "inspect"}}
		b.task(&classify.Task{Tries: []*classify.Try{t}})
	}
}

func (b *builder) raised() {
	t := try(id("etl", "check_quality", 2), 2, classify.Traceback, "user-exception")
	t.Source, t.Host, t.Retry = "logs/dag_id=etl/task_id=check_quality/attempt=2.log", "worker-1", "none"
	t.StartedAt, t.EndedAt = at("2024-05-01T03:00:00.5Z"), at("2024-05-01T03:00:01.123Z")
	t.NoticedAt = t.EndedAt
	t.Exception = &classify.Exception{Type: "sqlalchemy.exc.OperationalError", Message: "could not connect to server: \x1b[31mrefused\x1b[0m", Root: "ConnectionRefusedError", File: "/dags/quality.py", Line: 44}
	t.Verdict = place(t.Source, 77, "2024-05-01T03:00:01.123Z", "sqlalchemy.exc.OperationalError: could not connect to server: \x1b[31mrefused\x1b[0m")
	t.LastWords = place(t.Source, 61, "2024-05-01T03:00:01Z", "=cmd|' /C calc'!A0\u202etxt.exe")
	b.task(&classify.Task{Tries: []*classify.Try{t}, Missing: []int{1},
		Findings: []classify.Finding{{ID: "missing-try", Says: "try 1 left neither log nor record", Tries: []int{1}, Certainty: classify.Proven}}})
}

func (b *builder) setFromOutside() {
	t := try(id("billing", "invoice", 1), 1, classify.ExternallySet, "marked-failed")
	t.Source, t.RecordedBy, t.SetTo, t.SetBy, t.Retry = "billing.log.gz", classify.BySupervisor, "failed", "maria", "none"
	t.StartedAt, t.EndedAt = at("2024-04-30T22:00:00Z"), at("2024-05-01T00:30:00Z")
	t.Verdict = place(t.Source, 0, "2024-05-01T00:30:00Z", "State of this instance has been externally set to failed. Terminating instance.")
	t.Verdict.Offset, t.Size, t.SearchedFrom = 2_147_000_000, 2_147_483_648, 2_146_435_072
	t.LastWords = place(t.Source, 0, "2024-05-01T00:29:59Z", "invoice 88123 sent")
	t.LastWords.Offset = 2_146_990_000
	t.Witnesses = []classify.WitnessView{{Witness: "scheduler", Stance: "contradicts", Why: "a DagRun timeout was logged for another run"}}
	t.Chain = []classify.Step{{Step: "marked failed in the UI", At: at("2024-05-01T00:29:55Z"), Witness: "audit"}, {Step: "SIGTERM", At: at("2024-05-01T00:30:00Z"), Witness: "log"}}
	t.Joined = []classify.Join{{Object: "audit row 17", By: "ids"}}
	b.task(&classify.Task{Tries: []*classify.Try{t}})

	n := try(id("billing", "mail", 1), 2, classify.NeverStarted, "image-pull")
	n.Source, n.SearchedFrom, n.Segments, n.RecordedBy, n.Retry = "", -1, 0, classify.ByExecutor, "unknown"
	n.NoticedAt = at("2024-05-01T00:45:00Z")
	n.Pod = "billing-mail-x1"
	n.Verdict = place("scheduler.log", 9120, "2024-05-01T00:45:00Z", "Event: billing-mail-x1 Failed: ErrImagePull")
	b.task(&classify.Task{Tries: []*classify.Try{n}})
}

func (b *builder) flaky() {
	one := try(id("sync", "pull", 1), 3, classify.Traceback, "user-exception")
	one.Source, one.Host = "logs/dag_id=sync/task_id=pull/attempt=1.log", "worker-2"
	one.StartedAt, one.EndedAt = at("2024-04-30T23:50:00Z"), at("2024-04-30T23:55:30Z")
	one.Exception = &classify.Exception{Type: "TimeoutError", Message: "read timed out", Root: "TimeoutError"}
	one.Verdict = place(one.Source, 31, "2024-04-30T23:55:30Z", "TimeoutError: read timed out")
	two := try(id("sync", "pull", 2), 3, classify.Success, "")
	two.Certainty, two.Retry = "", "none"
	two.Source, two.Host = "logs/dag_id=sync/task_id=pull/attempt=2.log", "worker-4"
	two.StartedAt, two.EndedAt = at("2024-05-01T00:00:40Z"), at("2024-05-01T00:03:00Z")
	two.Verdict = place(two.Source, 40, "2024-05-01T00:03:00Z", "Marking task as SUCCESS. dag_id=sync, task_id=pull")
	two.LastWords = place(two.Source, 38, "2024-05-01T00:02:59Z", "pulled 12 files")
	b.task(&classify.Task{Tries: []*classify.Try{one, two},
		Findings: []classify.Finding{{ID: "flaky-then-success", Says: "try 1 failed, try 2 succeeded", Tries: []int{1, 2}, Certainty: classify.Proven}},
		Timeline: []classify.Phase{{Try: 1, Phase: "running", From: one.StartedAt, To: one.EndedAt},
			{Try: 1, Phase: "waiting", From: one.EndedAt, To: two.StartedAt}, {Try: 2, Phase: "running", From: two.StartedAt, To: two.EndedAt}},
		Cost: classify.Cost{Running: num(470), Undetected: num(0), Waiting: num(310), OnTop: num(310), Estimated: true}})
}

func (b *builder) open() {
	t := try(id("etl", "archive", 1), 2, classify.Unfinished, "unknown")
	t.Certainty, t.RecordedBy = classify.Unknown, classify.ByNobody
	t.Source = "logs/dag_id=etl/task_id=archive/attempt=1.log"
	t.StartedAt, t.EndedAt = at("2024-05-01T02:50:00Z"), at("2024-05-01T03:00:00Z")
	t.Verdict = place(t.Source, 9, "2024-05-01T03:00:00Z", "copying part 9")
	t.LastWords = t.Verdict
	b.task(&classify.Task{Tries: []*classify.Try{t}})

	m := try(id("etl", "notify", 1), 0, classify.LogMissing, "log-upload-missing")
	m.Certainty, m.RecordedBy, m.Segments = classify.Possible, classify.ByNobody, 0
	m.Source = "logs/dag_id=etl/task_id=notify/attempt=1.log"
	m.Verdict = place(m.Source, 1, "", "*** Could not read served logs: 404 Client Error")
	b.task(&classify.Task{Tries: []*classify.Try{m}})

	u := try(classify.Identity{MapIndex: classify.MapUnknown}, 0, classify.Unrecognized, "")
	u.Source, u.Certainty, u.RecordedBy, u.Retry, u.Airflow, u.Segments = "notes.txt", "", classify.ByNobody, "", "", 0
	b.task(&classify.Task{Tries: []*classify.Try{u}})
}

func (b *builder) good() {
	for i, e := range []classify.Ending{classify.Success, classify.Skipped, classify.Rescheduled, classify.Deferred} {
		t := try(id("good", string(e), 1), 1, e, "")
		t.Certainty, t.Retry = "", "none"
		if e == classify.Skipped {
			t.Cause, t.Certainty = "skip", classify.Proven
		}
		if e == classify.Success {
			t.EndingCertainty = classify.Likely
		}
		t.Source, t.Host, t.Operator = "logs/dag_id=good/task_id="+string(e)+"/attempt=1.log", "worker-1", "BashOperator"
		t.StartedAt, t.EndedAt = at("2024-05-01T00:00:00Z"), at("2024-05-01T00:00:42Z").Add(time.Duration(i)*time.Hour)
		t.Verdict = place(t.Source, 12, t.EndedAt.Format(time.RFC3339), "Marking task as "+string(e))
		b.task(&classify.Task{Tries: []*classify.Try{t}})
	}
}

func (b *builder) finish() {
	r := b.report
	r.Findings = []classify.Finding{{ID: "double-execution", Says: "two processes of ml.train were alive at the same time", Certainty: classify.Possible,
		Where: []string{"ml/scheduled__2024-05-01T00:00:00+00:00/train/0"}}}
	r.Problems = []classify.Problem{{Source: "logs/broken.gz", Err: "unexpected end of gzip stream", Hint: "copy it again: the file is shorter than it says"},
		{Source: "secret.log", Err: "open secret.log: permission denied"}}
	r.Summary = classify.Summary{Tries: len(r.Tries), Tasks: len(r.Tasks), Endings: map[classify.Ending]int{}, Causes: map[string]int{},
		Findings: map[string]int{"double-execution": 1}, Files: map[string]int{"task": len(r.Tries) - 1, "scheduler": 1, "other": 14},
		Bytes: 2_151_000_000, Unseen: 3, Shown: len(r.Tries)}
	for _, t := range r.Tries {
		r.Summary.Endings[t.Ending]++
		if t.Cause != "" {
			r.Summary.Causes[t.Cause]++
		}
	}
	for _, t := range r.Tasks {
		for _, f := range t.Findings {
			r.Summary.Findings[f.ID]++
		}
	}
}
