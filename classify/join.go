package classify

import (
	"slices"
	"sort"
	"strings"
	"time"
)

// skew is how far the clocks of two hosts may disagree.
const skew = 60 * time.Second

// joiner ties what schedulers and workers recorded to tries.
type joiner struct {
	tries    []*Try
	byTask   map[string][]*Try // dag.task -> tries
	byUUID   map[string]*Try
	mentions []mention
	index    map[string][]int // dag.task -> mentions
	uuidIDs  map[string]Identity
	podIDs   map[string]Identity
	used     map[int]bool
	byTI     map[string][]int // id of the task instance -> mentions that name nothing else
	byFolder map[string][]int // folder of a try's logs -> mentions in its siblings
}

func dottedKey(dag, task string) string { return dag + "." + task }

func newJoiner(tries []*Try, mentions []mention) *joiner {
	j := &joiner{tries: tries, byTask: map[string][]*Try{}, byUUID: map[string]*Try{}, mentions: mentions, index: map[string][]int{},
		uuidIDs: map[string]Identity{}, podIDs: map[string]Identity{}, used: map[int]bool{}, byTI: map[string][]int{}, byFolder: map[string][]int{}}
	for i := range mentions {
		m := &mentions[i]
		if m.uuid != "" && m.id.TaskID != "" {
			j.uuidIDs[m.uuid] = m.id
		}
		if m.pod != "" && m.id.TaskID != "" {
			j.podIDs[m.pod] = m.id
		}
	}
	for i := range mentions {
		m := &mentions[i]
		if m.id.TaskID == "" && m.dotted == "" {
			if id, ok := j.uuidIDs[m.uuid]; ok && m.uuid != "" {
				m.id = id
			} else if id, ok := j.podIDs[m.pod]; ok && m.pod != "" {
				m.id = id
			}
		}
		if m.folder != "" {
			j.byFolder[m.folder] = append(j.byFolder[m.folder], i)
		}
		switch {
		case m.uuid != "" && m.dotted == "" && m.id.TaskID == "":
			j.byTI[m.uuid] = append(j.byTI[m.uuid], i)
		case m.dotted != "":
			j.index[m.dotted] = append(j.index[m.dotted], i)
		case m.id.TaskID != "":
			k := dottedKey(m.id.DagID, m.id.TaskID)
			j.index[k] = append(j.index[k], i)
		}
	}
	for _, t := range tries {
		if t.TaskID != "" && t.DagID != "" {
			k := dottedKey(t.DagID, t.TaskID)
			j.byTask[k] = append(j.byTask[k], t)
		} else if t.own != nil && t.own.ti.dotted != "" {
			j.byTask[t.own.ti.dotted] = append(j.byTask[t.own.ti.dotted], t)
		}
		if t.own != nil {
			for u := range t.own.uuids {
				j.byUUID[u] = t
			}
		}
	}
	return j
}

// sameInstance says whether a mention can speak of the task instance of a try.
func sameInstance(m *mention, t *Try) bool {
	if m.id.RunID != "" && t.RunID != "" && !sameRun(m.id.RunID, t.RunID) {
		if t.own == nil || t.own.date == "" || !sameRun(m.id.RunID, t.own.date) {
			return false
		}
	}
	if m.id.MapIndex != MapUnknown && t.MapIndex != MapUnknown && m.id.MapIndex != t.MapIndex {
		return false
	}
	return true
}

// of lists the mentions of a try, in the order in which they were written. A mention without a try number belongs to the
// try that ran, or had run last, at its time.
func (j *joiner) of(t *Try) []int {
	var keys []string
	if t.DagID != "" && t.TaskID != "" {
		keys = append(keys, dottedKey(t.DagID, t.TaskID))
	} else if t.own != nil && t.own.ti.dotted != "" {
		keys = append(keys, t.own.ti.dotted)
	}
	var out []int
	for _, key := range keys {
		for _, i := range j.index[key] {
			if j.belongs(i, t, key) {
				out = append(out, i)
			}
		}
	}
	if t.own != nil {
		for u := range t.own.uuids {
			out = append(out, j.byTI[u]...)
		}
		if t.own.name.attempt {
			for _, i := range j.byFolder[t.own.name.folder+"\x00"+folderOf(t.Source)] {
				if j.mentions[i].id.Try == t.Identity.Try {
					out = append(out, i)
				}
			}
		}
	}
	sort.Ints(out)
	return slices.Compact(out)
}

func (j *joiner) belongs(i int, t *Try, key string) bool {
	m := &j.mentions[i]
	if !sameInstance(m, t) {
		return false
	}
	if m.uuid != "" && t.own != nil && len(t.own.uuids) > 0 && m.fact != "finished" {
		if t.own.uuids[m.uuid] {
			return true
		}
		if o := j.byUUID[m.uuid]; o != nil && o != t {
			return false
		}
	}
	if m.id.Try != 0 && t.Try != 0 {
		return m.id.Try == t.Try
	}
	rivals := j.byTask[key]
	if len(rivals) <= 1 {
		return j.inTime(m, t)
	}
	best := j.latestBefore(rivals, m)
	if best != nil && best.StartedAt.IsZero() && t.Try != 0 { // none of them began: what was said of the instance before names the try
		if n := j.tryNumberNear(m, i); n != 0 {
			return n == t.Try
		}
	}
	return j.inTime(m, t) && best == t
}

// inTime: a record about a try cannot be much older than its start.
func (j *joiner) inTime(m *mention, t *Try) bool {
	return m.at.IsZero() || t.StartedAt.IsZero() || !m.at.Before(t.StartedAt.Add(-skew))
}

// latestBefore is the try of an instance that had started last at the time of a mention.
func (j *joiner) latestBefore(rivals []*Try, m *mention) *Try {
	var best *Try
	for _, r := range rivals {
		if !sameInstance(m, r) {
			continue
		}
		if !r.StartedAt.IsZero() && !m.at.IsZero() && r.StartedAt.After(m.at.Add(time.Second)) {
			continue
		}
		switch {
		case best == nil, r.StartedAt.After(best.StartedAt), r.StartedAt.Equal(best.StartedAt) && r.Try > best.Try:
			best = r
		}
	}
	return best
}

// run judges every try again with what others recorded about it.
func (j *joiner) run() {
	for _, t := range j.tries {
		list := j.of(t)
		if len(list) == 0 && t.DagID == "" && t.TaskID == "" {
			list = j.onlyOne(t)
		}
		for _, i := range list {
			j.used[i] = true
		}
		j.judge(t, list)
	}
	for _, t := range j.tries {
		j.nameless(t)
	}
}

// onlyOne: an anonymous log beside records that name exactly one task instance.
func (j *joiner) onlyOne(t *Try) []int {
	if len(j.tries) != 1 && !oneFolder(j.tries) {
		return nil
	}
	key, run := "", ""
	var out []int
	for i := range j.mentions {
		m := &j.mentions[i]
		if m.dotted == "" && m.id.TaskID == "" {
			continue
		}
		k := m.dotted
		if k == "" {
			k = dottedKey(m.id.DagID, m.id.TaskID)
		}
		if key != "" && k != key || run != "" && m.id.RunID != "" && !sameRun(run, m.id.RunID) {
			return nil
		}
		key = k
		if run == "" {
			run = m.id.RunID
		}
		if m.id.Try != 0 && t.Try != 0 && m.id.Try != t.Try {
			continue
		}
		if !j.inTime(m, t) || len(j.tries) > 1 && j.latestBefore(j.tries, m) != t {
			continue
		}
		out = append(out, i)
	}
	if len(out) > 0 {
		t.Joined = append(t.Joined, Join{Object: strings.TrimSpace(key), By: "only-one"})
	}
	return out
}

func oneFolder(tries []*Try) bool {
	for _, t := range tries {
		if t.own == nil || t.own.name.folder != tries[0].own.name.folder || !t.own.name.attempt {
			return false
		}
	}
	return len(tries) > 0
}

// heard is what the records about one try say together.
type heard struct {
	zombie, mismatch, finished, podFailed, poolDied, verdict, y2, exit, lost, stuck, notStarted, reset, startFailed, handled *mention
	queuedMismatch                                                                                                           *mention
	runTimeout                                                                                                               *mention
	queued                                                                                                                   *mention
	raised                                                                                                                   *mention
	all                                                                                                                      []*mention
}

func (j *joiner) hear(t *Try, list []int) *heard {
	h := &heard{}
	keep := func(p **mention, m *mention) {
		if *p == nil {
			*p = m
		}
	}
	for _, i := range list {
		m := &j.mentions[i]
		h.all = append(h.all, m)
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
func (j *joiner) judge(t *Try, list []int) {
	h := j.hear(t, list)
	if t.DagID != "" {
		for i := range j.mentions {
			m := &j.mentions[i]
			if m.fact == "run-timed-out" && m.id.DagID == t.DagID && (t.RunID == "" || sameRun(m.id.RunID, t.RunID)) {
				h.runTimeout = m
				j.used[i] = true
			}
		}
	}
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

// nameless joins records without ids by time where only one try fits: zombies of 2.0 and 2.1, and what a supervisor of 3.0
// wrote about the process that it ended.
func (j *joiner) nameless(t *Try) {
	if t.Ending != ExternallySet || t.own == nil || t.own.end.IsZero() {
		return
	}
	for i := range j.mentions {
		m := &j.mentions[i]
		if m.names() || m.at.IsZero() {
			continue
		}
		gap := m.at.Sub(t.own.end)
		switch m.fact {
		case "zombie":
			if t.Cause == "setter-unknown" && gap < time.Second && gap > -30*time.Second && j.onlyStopped(t, m.at, 30*time.Second) {
				j.because(t, m, "false-zombie", Likely)
				t.Evidence = append(t.Evidence, m.evidence())
				j.used[i] = true
			}
		case "supervisor-exit":
			if t.Signal == 0 && gap >= -time.Second && gap < 20*time.Second && j.onlyStopped(t, t.own.end, 20*time.Second) {
				t.Signal = max(0, -codeOf(m.code))
			}
		}
	}
}

// onlyStopped says whether no other try was stopped from outside within d of a time.
func (j *joiner) onlyStopped(t *Try, at time.Time, d time.Duration) bool {
	for _, o := range j.tries {
		if o == t || o.Ending != ExternallySet || o.own == nil || o.own.end.IsZero() {
			continue
		}
		if gap := o.own.end.Sub(at); gap < d && gap > -d {
			return false
		}
	}
	return true
}
