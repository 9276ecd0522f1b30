package classify

import (
	"strconv"
	"strings"
	"time"
)

// heard is what the records about one try say together.
type heard struct {
	zombie, mismatch, finished, podFailed, poolDied, verdict, y2, exit, lost, stuck, notStarted, reset, startFailed, handled *mention
	queuedMismatch                                                                                                           *mention
	runTimeout                                                                                                               *mention
	queued                                                                                                                   *mention
	raised                                                                                                                   *mention
	all                                                                                                                      []*mention
}

func hear(list []*mention) *heard {
	h := &heard{all: list}
	keep := func(p **mention, m *mention) {
		if *p == nil {
			*p = m
		}
	}
	for _, m := range list {
		switch m.fact {
		case "zombie":
			// A purge long before the log's last record is no death record of what came after it.
			keep(&h.zombie, m)
		case "mismatch":
			if m.state == "running" || m.state == "restarting" {
				keep(&h.mismatch, m)
			} else {
				keep(&h.queuedMismatch, m)
			}
		case "finished":
			h.finished = m
		case "pod-failed":
			if h.podFailed == nil || m.cause != "" && h.podFailed.cause == "" {
				h.podFailed = m
			}
		case "pool-child-died", "worker-lost":
			keep(&h.poolDied, m)
		case "verdict":
			h.verdict = m
		case "server-terminated-w":
			keep(&h.y2, m)
		case "supervisor-exit":
			h.exit = m
		case "heartbeats-lost":
			keep(&h.lost, m)
		case "stuck-queued":
			keep(&h.stuck, m)
		case "pod-not-started":
			keep(&h.notStarted, m)
		case "orphans-reset":
			keep(&h.reset, m)
		case "start-failed":
			keep(&h.startFailed, m)
		case "zombie-handled":
			keep(&h.handled, m)
		case "queued":
			h.queued = m
		case "celery-raised":
			h.raised = m
		}
	}
	return h
}

// judge revises a try by what was heard of it.
func (j *joiner) judge(t *Try, list []*mention) {
	h := hear(list)
	h.runTimeout = j.timeout(t)
	j.facts(t, h)
	switch {
	case t.own == nil:
	case t.Ending == Unfinished, t.Ending == LogMissing, t.Ending == Success && t.own.weak:
		j.open(t, h)
	case t.Ending == ExternallySet:
		j.setter(t, h)
	case t.Ending == NegativeReturnCode:
		if h.podFailed != nil && h.podFailed.cause != "" {
			j.because(t, h.podFailed, h.podFailed.cause, Proven)
		}
	case t.Ending == Success:
		for _, m := range h.all {
			if m.fact == "zombie" && !m.at.IsZero() {
				t.AfterEnd = append(t.AfterEnd, m.evidence())
			}
		}
	}
	for _, m := range h.all {
		if m == nil {
			continue
		}
		switch m.fact {
		case "zombie", "mismatch", "pod-failed", "pool-child-died", "worker-lost", "stuck-queued", "orphans-reset", "heartbeats-lost",
			"server-terminated-w", "pod-not-started":
			if len(t.Evidence) < 16 && t.Ending.Failed() {
				t.Evidence = append(t.Evidence, m.evidence())
			}
		}
	}
}

// timeout is the last record that the run of a try ran out of time.
func (j *joiner) timeout(t *Try) *mention {
	if t.DagID == "" {
		return nil
	}
	k := timedOut{dag: t.DagID}
	if t.RunID != "" {
		k.date = namesOfRun(t.RunID).date
	}
	list := j.timeouts[k]
	for n := len(list) - 1; n >= 0; n-- {
		j.step()
		if m := j.mention(list[n]); t.RunID == "" || sameRun(m.id.RunID, t.RunID) {
			return m
		}
	}
	return nil
}

func (m *mention) evidence() Evidence {
	return Evidence{Rule: m.rule, Witness: m.witness, Place: m.place, Says: m.says, Object: m.object()}
}

func (m *mention) object() string {
	switch {
	case m.pod != "":
		return m.pod
	case m.host != "":
		return m.host
	}
	return m.celery
}

// facts takes times, host, pid and the like from scheduler records.
func (j *joiner) facts(t *Try, h *heard) {
	if h.queued != nil && (t.StartedAt.IsZero() || !h.queued.at.After(t.StartedAt.Add(skew))) {
		t.QueuedAt = h.queued.at
	}
	if f := h.finished; f != nil {
		if q, _, ok := parseMoment([]byte(f.v.value("queued_dttm"))); ok && t.QueuedAt.IsZero() {
			t.QueuedAt = q.at
		}
		if t.Operator == "" {
			t.Operator = f.v.value("operator")
		}
		if t.PID == 0 {
			t.PID = f.pid
		}
		if most, err := strconv.Atoi(f.v.value("max_tries")); err == nil && most >= 0 && most < maxNumber && t.MaxTries == 0 {
			t.MaxTries = most + 1 // Airflow counts retries there
		}
	}
	for _, m := range h.all {
		if t.Host == "" && m.host != "" {
			t.Host = m.host
		}
		if t.Pod == "" && m.pod != "" {
			t.Pod = m.pod
		}
		if t.Try == 0 && m.id.Try != 0 {
			t.Try = m.id.Try
		}
		if t.DagID == "" && m.id.DagID != "" {
			t.Identity.merge(m.id)
		}
		if t.RunID == "" && m.id.RunID != "" {
			t.RunID = m.id.RunID
		}
		if t.MapIndex == MapUnknown && m.id.MapIndex != MapUnknown {
			t.MapIndex = m.id.MapIndex
		}
	}
	if len(h.all) > 0 && len(t.Joined) == 0 {
		t.Joined = append(t.Joined, Join{Object: h.all[0].witness, By: "ids"})
	}
}

// because sets a cause that a record from outside proves.
func (j *joiner) because(t *Try, m *mention, cause string, c Certainty) {
	t.Cause, t.Certainty, t.Candidates = cause, c, nil
	p := m.place
	t.Proof = &p
}

// end sets an ending that a record from outside proves.
func end(t *Try, m *mention, e Ending, by RecordedBy) {
	t.Ending, t.EndingCertainty, t.RecordedBy = e, Proven, by
	p := m.place
	t.Verdict = &p
	t.NoticedAt = m.at
	if t.own != nil {
		t.own.weak, t.own.end = false, m.at
	}
}

// open decides a log that does not say itself how it ended.
func (j *joiner) open(t *Try, h *heard) {
	last := t.own.last
	later := func(m *mention) bool {
		return m != nil && (m.at.IsZero() || last.IsZero() || !m.at.Before(last.Add(-skew)))
	}
	v := h.verdict
	code := 0
	if v != nil {
		code = codeOf(v.code)
	}
	said := ""
	if v != nil {
		said = v.v.value("final_state")
	}
	switch {
	case t.own.findings && h.finished != nil && h.finished.state == "success" && t.finishedWell(h):
		j.succeed(t, h, h.finished, Success)
		return
	case v != nil && said == "SERVER_TERMINATED":
		e := v
		if h.y2 != nil {
			e = h.y2
		}
		end(t, e, ExternallySet, BySupervisor)
		t.Signal = max(0, -code)
		j.setCause(t, serverCauseOf(e))
		j.setter(t, h)
		return
	case h.y2 != nil && later(h.y2):
		end(t, h.y2, ExternallySet, BySupervisor)
		if h.exit != nil {
			t.Signal = max(0, -codeOf(h.exit.code))
		}
		j.setCause(t, serverCauseOf(h.y2))
		j.setter(t, h)
		return
	case v != nil && code < 0:
		end(t, v, NegativeReturnCode, BySupervisor)
		t.Signal = -code
		c := code
		t.ExitCode = &c
		d := decision{ending: NegativeReturnCode, signal: t.Signal, seg: &segment{}, f: &fact{place: v.place, name: "verdict"}}
		j.setCause(t, d.seg.signalCause(&d))
		if h.lost != nil {
			j.because(t, h.lost, "heartbeats-lost", Proven)
		}
		return
	case h.zombie != nil && later(h.zombie) && !t.finishedWell(h):
		end(t, h.zombie, TruncatedThenZombie, ByScheduler)
		j.zombieCause(t, h)
		return
	case v != nil && (said == "success" || said == "skipped"), h.finished != nil && (h.finished.state == "success" || h.finished.state == "skipped") && t.Ending != LogMissing:
		m := v
		if m == nil {
			m = h.finished
			said = m.state
		}
		e := Success
		if said == "skipped" {
			e = Skipped
		}
		j.succeed(t, h, m, e)
		return
	case h.poolDied != nil && later(h.poolDied):
		end(t, h.poolDied, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.podFailed != nil && later(h.podFailed) && (t.own.ran || !t.own.silent):
		end(t, h.podFailed, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.mismatch != nil && later(h.mismatch):
		end(t, h.mismatch, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.lost != nil && later(h.lost):
		end(t, h.lost, TruncatedThenZombie, BySupervisor)
		j.zombieCause(t, h)
		return
	case v != nil && (said == "failed" || said == "up_for_retry"):
		end(t, v, Traceback, BySupervisor)
		c := code
		t.ExitCode = &c
		j.because(t, v, "sys-exit", Likely)
		return
	case h.mismatch != nil:
		end(t, h.mismatch, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	}
	if !t.own.ran && (t.Ending == LogMissing || t.own.silent || t.Ending == Unfinished) {
		j.neverStarted(t, h)
	}
}

// succeed sets a good ending that the supervisor's or the scheduler's account proves.
func (j *joiner) succeed(t *Try, h *heard, m *mention, e Ending) {
	by := BySupervisor
	if m == h.finished {
		by = ByScheduler
	}
	at, ended := t.NoticedAt, t.EndedAt
	end(t, m, e, by)
	t.NoticedAt, t.EndedAt = at, ended
	t.Cause, t.Certainty, t.Candidates, t.Proof, t.Retry = "", Unknown, nil, nil, "none"
	if e == Skipped {
		j.because(t, m, "skip", Proven)
	}
}

// finishedWell: the scheduler's own account says success after the purge.
func (t *Try) finishedWell(h *heard) bool {
	if h.zombie == nil {
		return true
	}
	if h.finished != nil && h.finished.state == "success" && !h.finished.at.Before(h.zombie.at) {
		return true
	}
	return h.verdict != nil && h.verdict.v.value("final_state") == "success" && h.verdict.at.Before(h.zombie.at) && h.finished != nil && h.finished.state == "success"
}

func (j *joiner) setCause(t *Try, b because) {
	t.Cause, t.Certainty, t.Proof, t.Candidates = b.cause, b.certainty, b.proof, b.candidates
}

func serverCauseOf(m *mention) because {
	f := fact{name: "server-terminated-w", place: m.place, values: m.v}
	return serverCause(&f)
}

// zombieCause explains a silent death as far as the records about it do.
func (j *joiner) zombieCause(t *Try, h *heard) {
	if t.Retry == "" {
		t.Retry = "unknown"
	}
	switch {
	case h.podFailed != nil && h.podFailed.cause != "":
		j.because(t, h.podFailed, h.podFailed.cause, Proven)
		return
	case h.lost != nil:
		j.because(t, h.lost, "heartbeats-lost", Proven)
		return
	case t.Cause == "worker-shutdown" && t.Certainty == Proven, t.Cause == "heartbeats-lost":
		return
	case h.poolDied != nil:
		c := Likely
		if h.poolDied.cause != "" && strings.HasPrefix(h.poolDied.code, "-") {
			c = Proven
		}
		j.because(t, h.poolDied, "worker-killed", c)
		t.Candidates = []Candidate{memoryCandidate()}
		return
	case h.podFailed != nil:
		j.because(t, h.podFailed, "worker-killed", Likely)
		t.Candidates = []Candidate{memoryCandidate(), {"pod-deleted", Possible, "the pod may have been deleted, evicted or preempted"}}
		return
	}
	t.Cause, t.Certainty = "heartbeat-timeout", Unknown
	if h.zombie != nil {
		t.Certainty = Proven
		p := h.zombie.place
		t.Proof = &p
	} else if h.mismatch != nil {
		t.Cause = "worker-killed"
		t.Certainty = Likely
		p := h.mismatch.place
		t.Proof = &p
	}
	t.Candidates = []Candidate{
		{"worker-killed", Possible, "the process that supervised the task is gone; the log does not say what ended it"},
		memoryCandidate(),
		{"node-lost", Possible, "a lost host takes everything with it"},
		{"pod-deleted", Possible, "a deleted or evicted pod leaves no last line"},
	}
	if h.zombie != nil && h.mismatch == nil {
		return
	}
}

// neverStarted: no start record, and somebody recorded why.
func (j *joiner) neverStarted(t *Try, h *heard) {
	for _, m := range []*mention{h.queuedMismatch, h.stuck, h.notStarted, h.podFailed, h.startFailed} {
		if m == nil {
			continue
		}
		if m == h.podFailed && m.state == "other" {
			continue
		}
		by := ByExecutor
		if m.fact == "stuck-queued" || m.fact == "mismatch" {
			by = ByScheduler
		}
		if m.fact == "mismatch" {
			by = ByExecutor
		}
		end(t, m, NeverStarted, by)
		j.neverCause(t, m, h)
		return
	}
}

func (j *joiner) neverCause(t *Try, m *mention, h *heard) {
	if r := h.startFailed; r != nil {
		cause := startFailure(r)
		if cause != "" {
			j.because(t, r, cause, Proven)
			return
		}
	}
	if m.fact == "mismatch" && h.notStarted != nil {
		m = h.notStarted
	}
	switch m.fact {
	case "stuck-queued":
		j.because(t, m, "stuck-queued", Proven)
	case "mismatch":
		j.because(t, m, "executor-mismatch", Proven)
		if m.estate == "failed" {
			t.Cause = "executor-failed-queued"
		}
		t.Candidates = []Candidate{{"import-error", Possible, "the DAG file may have failed to import in the worker"},
			{"image-pull", Possible, "its pod may not have started"}, {"worker-killed", Possible, "the worker may have died before the task began"}}
		t.Certainty = Likely
	case "pod-not-started":
		reason := m.v.value("text")
		cause := "executor-failed-queued"
		switch {
		case strings.Contains(reason, "ImagePull"), strings.Contains(reason, "ErrImage"), strings.Contains(reason, "InvalidImageName"):
			cause = "image-pull"
		case strings.Contains(reason, "CreateContainer"):
			cause = "container-config"
		case strings.Contains(reason, "has been pending"):
			cause = "unschedulable"
		case strings.Contains(reason, "exceeded quota"):
			cause = "quota"
		}
		j.because(t, m, cause, Proven)
		if cause == "executor-failed-queued" {
			t.Certainty = Likely
			t.Candidates = []Candidate{{"image-pull", Possible, "the image may not have been there"}, {"node-lost", Possible, "the node may have gone"},
				{"pod-deleted", Possible, "the pod may have been deleted"}}
		}
	default:
		j.because(t, m, "executor-failed-queued", Likely)
	}
}

// startFailure reads why a worker could not start the process.
func startFailure(m *mention) string {
	text := m.place.Text
	switch {
	case strings.Contains(text, "could not be found; either it does not exist or it failed to parse"):
		return "import-error"
	case strings.Contains(text, "not found"):
		return "dag-missing"
	case strings.Contains(text, "does not match"):
		return "superseded"
	}
	return ""
}

// setter looks for who set the state: a purge, a run that timed out, a reset, an executor's report.
func (j *joiner) setter(t *Try, h *heard) {
	settled := t.Certainty == Proven && t.Cause != "setter-unknown" && t.Cause != ""
	if settled && t.Cause != "superseded" {
		return
	}
	at := t.NoticedAt
	if t.own != nil && !t.own.end.IsZero() {
		at = t.own.end
	}
	near := func(m *mention, d time.Duration) bool {
		return m != nil && (m.at.IsZero() || at.IsZero() || m.at.Before(at.Add(skew)) && m.at.After(at.Add(-d)))
	}
	switch {
	case near(h.runTimeout, 10*time.Minute):
		j.because(t, h.runTimeout, "dagrun-timeout", Proven)
		if h.runTimeout.at.IsZero() {
			t.Certainty = Likely
		}
	case near(h.zombie, 10*time.Minute) && t.SetTo != "success" && t.SetTo != "skipped":
		j.because(t, h.zombie, "false-zombie", Proven)
	case near(h.reset, 10*time.Minute):
		j.because(t, h.reset, "orphan-reset", Proven)
	case near(h.queuedMismatch, 2*time.Minute):
		j.because(t, h.queuedMismatch, "executor-mismatch", Likely)
	case near(h.mismatch, 2*time.Minute):
		j.because(t, h.mismatch, "executor-mismatch", Likely)
	}
}
