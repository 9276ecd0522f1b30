package classify

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lastwords/rules"
)

// Options say how logs are read and judged.
type Options struct {
	Rules            rules.Set
	Now              time.Time
	LogZone          *time.Location // zone of stamps that name none; nil is UTC
	HeartbeatTimeout time.Duration
	RetryDelay       time.Duration
	Full             bool     // read logs that can seek from end to end
	LineNumbers      bool     // count lines of logs above LineLimit, too
	TailWindow       int64    // how far from its end a log is searched
	Given            Identity // what the user says of an anonymous log

	Stop func() bool // asked now and then by Report; once it is true, what others recorded is joined to no more tries
}

// Classifier judges logs. It is safe for concurrent use.
type Classifier struct {
	opt      Options
	m        matcher
	emitters *emitters
	room     sync.Pool // *[]byte, for the ends of logs
	chunk    sync.Pool // *[]byte, for counting lines
}

// New makes a Classifier; zero options get their defaults.
func New(opt Options) *Classifier {
	if opt.TailWindow <= 0 {
		opt.TailWindow = 1 << 20
	}
	if opt.HeartbeatTimeout <= 0 {
		opt.HeartbeatTimeout = 300 * time.Second
	}
	if opt.RetryDelay <= 0 {
		opt.RetryDelay = 5 * time.Minute
	}
	if opt.LogZone == nil {
		opt.LogZone = time.UTC
	}
	c := &Classifier{opt: opt, m: matcher{set: opt.Rules, zone: opt.LogZone}}
	c.chunk.New = func() any { b := make([]byte, 256<<10); return &b }
	c.room.New = func() any { b := make([]byte, 4*firstWindow); return &b }
	if r, ok := opt.Rules.Rule("state"); ok { // besides state-success
		c.m.stateRules = []*rules.Rule{r}
	}
	c.emitters = newEmitters(opt.Rules)
	return c
}

// Part is what one input says: tries with the verdicts of their own logs, and what others recorded about tries.
type Part struct {
	Name     string
	Kind     string // task-log, scheduler-log, worker-log, triggerer-log, dag-processor-log, api-server-log, lastwords-json, other, …
	Bytes    int64
	Modified time.Time
	Format   string // of the collector or export around the lines, "plain" without
	Named    bool   // the user named this very input

	tries    []*Try
	others   []*chronicle // what components recorded about tries
	problems []Problem
	stray    int // fragments that name no try
	saved    []*savedScan
}

// Problem adds something that could not be read.
func (p *Part) Problem(err error, hint string) {
	p.problems = append(p.problems, Problem{Source: p.Name, Err: err.Error(), Hint: hint})
}

func (p *Part) readProblem(err error) {
	var large *TooLarge
	switch {
	case errors.As(err, &large):
		p.Problem(err, "split the export, or save it as JSON lines")
	default:
		p.Problem(err, "what could be read is reported")
	}
}

// input routes the lines of one input to the streams that are interleaved in it.
type input struct {
	c     *Classifier
	name  string
	path  logName
	part  *Part
	flows map[string]*flow
	order []*flow
}

func (c *Classifier) newInput(name string, p *Part) *input {
	return &input{c: c, name: name, path: parseName(name), part: p, flows: map[string]*flow{}}
}

// maxFlows bounds the interleaved streams of one input; lines of further ones go to the last flow and are said.
const maxFlows = 20000

func (in *input) line(l *Line) {
	in.flow(l).line(l)
}

func (in *input) flow(l *Line) *flow {
	if l.Stream == "" && l.Labels == nil && len(in.order) == 1 && in.order[0].key == "" {
		return in.order[0]
	}
	key := l.Stream
	if l.Labels != nil {
		b := l.Labels
		m := ""
		if b.MapIndex != nil {
			m = fmt.Sprint(*b.MapIndex)
		}
		if b.TaskID != "" {
			key = fmt.Sprintf("\x00%s\x00%s\x00%s%s\x00%s\x00%d", b.DagID, b.TaskID, b.RunID, b.ExecutionDate, m, b.Try)
		}
	}
	if f := in.flows[key]; f != nil {
		return f
	}
	if len(in.order) >= maxFlows {
		if len(in.order) == maxFlows {
			in.part.Problem(fmt.Errorf("more than %d interleaved streams", maxFlows), "split the input by pod or container")
		}
		return in.order[len(in.order)-1]
	}
	f := newFlow(in, key, l)
	in.flows[key] = f
	in.order = append(in.order, f)
	return f
}

func (in *input) finish(size, from int64) {
	if size == 0 {
		in.order = nil // no line: the flow was made before the log was read
	}
	kinds := map[string]int{}
	for _, f := range in.order {
		f.finish(size, from)
		kinds[f.kind]++
	}
	best := "other"
	for _, f := range in.order {
		if kinds[f.kind] > kinds[best] || best == "other" && f.kind != "other" {
			best = f.kind
		}
	}
	p := in.part
	p.Kind = best
	if len(in.order) == 0 {
		switch p.Format {
		case "kubernetes":
			p.Kind = "kubernetes"
		case "unknown-json":
			p.Kind = "other"
		default:
			if in.path.attempt && in.path.sibling == "" { // an empty log
				p.Kind = "task-log"
				t := newTaskSink(&in.c.m, in.name, in.path).cur()
				y := t.verdict(&in.c.m, in.name, size, from)
				y.own.name = in.path
				p.tries = append(p.tries, y)
			} else {
				p.Kind = "empty"
			}
		}
	}
}

// flow is one stream of lines: a file, or what one container, pod or label set wrote into a shared one.
type flow struct {
	in      *input
	key     string
	path    logName
	labels  *Labels
	shape   lineShape
	learnt  bool
	pending []Line
	size    int
	rec     *record // the record that is being put together, or nil
	room    record  // where it stands
	task    *taskSink
	others  []*taskSink // of tries that the records themselves name, beside that of task
	comp    *componentSink
	score   scores
	now     *taskSink // that took the last record
	records int
	mode    string // "", task, component
	kind    string
}

func newFlow(in *input, key string, l *Line) *flow {
	f := &flow{in: in, key: key, path: in.path, labels: l.Labels}
	if b := l.Labels; b != nil && b.TaskID != "" {
		id := Identity{DagID: b.DagID, TaskID: b.TaskID, RunID: b.RunID, MapIndex: -1, Try: b.Try}
		if id.RunID == "" {
			id.RunID = b.ExecutionDate
		}
		if b.MapIndex != nil {
			id.MapIndex = *b.MapIndex
		}
		f.path = logName{Identity: id, attempt: true}
	}
	f.task = newTaskSink(&in.c.m, in.name, f.path)
	f.comp = &componentSink{m: &in.c.m, path: in.path, chronicle: chronicle{source: in.name}}
	switch {
	case in.path.sibling == "scheduler":
		f.mode = "component"
	case f.path.attempt && in.path.sibling == "":
		f.mode = "task"
	case in.path.sibling == "trigger":
		f.mode = "component"
	}
	return f
}

// learnLines and learnBytes are how much of a stream is looked at before its shape is settled.
const (
	learnLines = 200
	learnBytes = 16 << 10
)

func (f *flow) line(l *Line) {
	if !f.learnt {
		keep := *l
		keep.Text = bytes.Clone(l.Text)
		f.pending = append(f.pending, keep)
		f.size += len(l.Text)
		if len(f.pending) < learnLines && f.size < learnBytes {
			return
		}
		f.learn()
		return
	}
	f.take(l)
}

func (f *flow) learn() {
	head := make([][]byte, len(f.pending))
	for i := range f.pending {
		head[i] = f.pending[i].Text
	}
	f.shape = learnShape(slices.Values(head))
	f.learnt = true
	for i := range f.pending {
		f.take(&f.pending[i])
	}
	f.pending = nil
}

// take makes a record's header or continuation of a line.
func (f *flow) take(l *Line) {
	text := stripANSI(bytes.TrimSuffix(l.Text, []byte("\r")))
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // files put together by PowerShell have one inside
	pos := textPos{no: l.No, offset: l.Offset}
	r, ok := f.shape.header(text)
	if !ok && l.Origin != "" && !(l.tail && f.rec != nil) { // but not a further line of one element of an export
		r = record{family: textLine, origin: l.Origin, level: l.Level}
		r.text, ok = string(text), true
	}
	if !ok {
		pos.text = string(text)
		if f.rec != nil && f.continues(pos.text) {
			f.rec.add(pos)
			return
		}
		if len(bytes.TrimSpace(text)) == 0 {
			return
		}
		r = record{family: rawLine}
		r.text = pos.text
	}
	r.no, r.offset = pos.no, pos.offset
	for i := range r.more {
		if r.more[i].no < 0 {
			r.more[i].no, r.more[i].offset = pos.no, pos.offset
		}
	}
	if r.when.at.IsZero() && !l.At.IsZero() {
		r.when = moment{at: l.At, fine: true}
	}
	if r.level == "" {
		r.level = l.Level
	}
	if r.origin == "" {
		r.origin = l.Origin
	}
	r.mine = l.mine
	r.anyone = f.shape.nameless && (r.family == plainLine || r.family == bareLine)
	f.flush()
	f.room = r
	f.rec = &f.room
}

// continues says whether a line without a header belongs to the record before it. In a JSON log it is raw output; below a
// reader's line it may be another thing that the reader has to say.
func (f *flow) continues(text string) bool {
	if f.rec.family == readerLine || f.rec.family == rawLine && f.records == 0 {
		r := record{family: rawLine}
		r.text = text
		return len(f.in.c.m.fire(nil, "task", &r, "", 0)) == 0
	}
	return !f.shape.json
}

func (f *flow) flush() {
	r := f.rec
	if r == nil {
		return
	}
	f.rec = nil
	f.records++
	f.tally(r)
	if f.mode != "component" {
		f.sink(r).record(r)
	}
	if f.mode != "task" {
		f.comp.record(r)
	}
	if f.mode == "" && f.records == 2000 {
		f.settle()
	}
}

// maxOthers bounds the tries that one stream's records may name.
const maxOthers = 10000

// sink finds the try of a record that names its own: several tries may write JSON lines into one stream. A record that
// names none belongs to the one before it.
func (f *flow) sink(r *record) *taskSink {
	if f.path.attempt || r.fields == nil || r.family != jsonLine && r.family != oldJSONLine || r.fields["task_id"] == "" || r.fields["dag_id"] == "" {
		return f.last()
	}
	id := recordIdentity(r.fields)
	if f.task.writer == (Identity{}) && f.task.order == 0 {
		f.task.writer = id
	}
	for i, k := range append([]*taskSink{f.task}, f.others...) {
		if k.writer == (Identity{}) && i == 0 && len(f.others) == 0 || k.writer.couldBe(id) {
			if k.writer == (Identity{}) {
				k.writer = id
			}
			f.now = k
			return k
		}
	}
	if len(f.others) >= maxOthers {
		return f.last()
	}
	k := newTaskSink(&f.in.c.m, f.in.name, f.path)
	k.writer = id
	f.others = append(f.others, k)
	f.now = k
	return k
}

func (f *flow) last() *taskSink {
	if f.now != nil {
		return f.now
	}
	return f.task
}

// recordIdentity is what a structured record says of the try that wrote it.
func recordIdentity(v map[string]string) Identity {
	t := tryLog{id: Identity{MapIndex: MapUnknown}}
	if v["log_id"] != "" || v["asctime"] != "" || v["execution_date"] != "" {
		oldJSONIdentity(&t, v)
	} else {
		structuredIdentity(&t, v)
	}
	return t.id
}

// couldBe says whether nothing that two identities name tells them apart.
func (id Identity) couldBe(o Identity) bool {
	same := func(a, b string) bool { return a == b || a == "" || b == "" }
	return same(id.DagID, o.DagID) && same(id.TaskID, o.TaskID) && (same(id.RunID, o.RunID) || sameRun(id.RunID, o.RunID)) &&
		(id.MapIndex == o.MapIndex || id.MapIndex == MapUnknown || o.MapIndex == MapUnknown) && (id.Try == o.Try || id.Try == 0 || o.Try == 0)
}

// componentKinds are the kinds of log that are no task's.
var componentKinds = [...]string{"scheduler-log", "triggerer-log", "dag-processor-log", "worker-log", "api-server-log"}

// scores counts which emitters a stream's records had.
type scores struct {
	component  [len(componentKinds)]int
	task, weak int // emitters of task logs, and those that task logs share
	context    int // remarks that the scheduler of 2.8 and 2.9 writes into task logs, too
}

// componentKind names the kind of log that an emitter belongs to.
func componentKind(r *record) string {
	if r.family == celeryLine {
		return "worker-log"
	}
	if k, ok := componentOrigins[r.origin]; ok {
		return k
	}
	if r.family == consoleLine || r.family == jsonLine {
		return loggerKind(r.origin)
	}
	if strings.HasPrefix(r.text, "INFO:     ") {
		return "api-server-log"
	}
	return ""
}

var componentOrigins = map[string]string{
	"scheduler_job.py": "scheduler-log", "scheduler_job_runner.py": "scheduler-log", "base_executor.py": "scheduler-log",
	"local_executor.py": "scheduler-log", "executor_loader.py": "scheduler-log", "kubernetes_executor.py": "scheduler-log",
	"kubernetes_executor_utils.py": "scheduler-log", "celery_executor.py": "scheduler-log", "sequential_executor.py": "scheduler-log",
	"celery_executor_utils.py": "scheduler-log", "KubernetesJobWatcher": "scheduler-log", "dagrun.py": "scheduler-log",
	"manager.py": "dag-processor-log", "processor.py": "dag-processor-log", "dag_processing.py": "dag-processor-log",
	"triggerer_job.py": "triggerer-log", "triggerer_job_runner.py": "triggerer-log", "gunicorn": "api-server-log",
	"override.py": "api-server-log", "webserver_command.py": "api-server-log", "serve_logs.py": "worker-log", "uvicorn": "api-server-log",
}

func loggerKind(logger string) string {
	has := func(p string) bool { return len(logger) >= len(p) && logger[:len(p)] == p }
	switch {
	case has("airflow.jobs.scheduler"), has("airflow.executors"), has("airflow.models.dagrun"), has("airflow.providers.cncf.kubernetes.executors"),
		has("airflow.providers.celery.executors.celery_executor.Celery"):
		return "scheduler-log"
	case has("airflow.jobs.triggerer"), has("airflow.triggers"):
		return "triggerer-log"
	case has("airflow.dag_processing.manager"), has("airflow.dag_processing.processor"), has("airflow.dag_processing.dag_processor"):
		return "dag-processor-log"
	case logger == "supervisor", has("celery."), has("airflow.providers.celery"), has("airflow.sdk.execution_time.supervisor"):
		return "worker-log"
	case has("airflow.api_fastapi"), has("uvicorn"), has("http.access"):
		return "api-server-log"
	}
	return ""
}

func (f *flow) tally(r *record) {
	if k := componentKind(r); k != "" {
		f.score.component[slices.Index(componentKinds[:], k)]++
		return
	}
	switch r.origin {
	case "local_task_job.py", "local_task_job_runner.py", "standard_task_runner.py":
		f.score.task += 3
	case "taskinstance.py":
		f.score.weak++
	case "task_context_logger.py", "event_scheduler.py":
		f.score.context++
	case "task", "task.stdout", "task.stderr":
		if r.family == jsonLine || r.family == consoleLine || r.fields != nil {
			f.score.task++
		}
	}
	if r.origin == "airflow.dag_processing.bundles.manager.DagBundlesManager" || r.origin == "airflow.models.dagbag.DagBag" {
		f.score.weak++
	}
}

// settle decides what kind of log the stream is, by the emitters of its records.
func (f *flow) settle() {
	if f.mode == "" {
		f.mode, f.kind = f.emittedBy()
	}
}

// emittedBy says to which mode and kind of log the records so far point.
func (f *flow) emittedBy() (mode, kind string) {
	all, most := 0, 0
	for i, n := range f.score.component {
		all += n
		if n > most {
			most, kind = n, componentKinds[i]
		}
	}
	worker, scheduler := f.score.component[slices.Index(componentKinds[:], "worker-log")], f.score.component[0]
	if all == 0 && f.score.context > 0 && f.score.task == 0 {
		return "component", "scheduler-log"
	}
	if all == 0 || f.score.task > 0 && all == worker || f.score.task > all*4 && (scheduler == 0 || !f.shape.console) {
		return "task", ""
	}
	return "component", kind
}

func (f *flow) finish(size, from int64) {
	if !f.learnt {
		f.learn()
	}
	if f.rec != nil {
		f.flush()
	}
	f.settle()
	p := f.in.part
	if f.mode == "component" {
		if f.kind == "" {
			f.kind = "scheduler-log"
			if f.in.path.sibling == "trigger" {
				f.kind = "triggerer-log"
			}
		}
		p.hears(f.comp, f.kind)
		return
	}
	f.kind = "task-log"
	tries := f.task.tries
	for _, k := range f.others {
		tries = append(tries, k.tries...)
	}
	for _, t := range tries {
		if !f.recognised(t) {
			f.kind = "other"
			continue
		}
		if f.fragment(t) {
			p.stray++
			continue
		}
		if f.labels != nil && f.labels.Host != "" && t.host == "" {
			t.host = f.labels.Host
		}
		y := t.verdict(&f.in.c.m, f.in.name, size, from)
		y.Identity.merge(f.in.c.opt.Given)
		if y.own != closedWell {
			y.own.name = f.path
		}
		if f.labels != nil && f.labels.Pod != "" {
			y.Pod = f.labels.Pod
		}
		p.tries = append(p.tries, y)
	}
	if len(f.task.tries) == 0 && f.path.attempt {
		t := f.task.cur()
		y := t.verdict(&f.in.c.m, f.in.name, size, from)
		y.own.name = f.path
		p.tries = append(p.tries, y)
	}
}

// recognised says whether a stream without a telling name is an Airflow task log at all.
func (f *flow) recognised(t *tryLog) bool {
	if f.path.attempt || t.known > 0 || len(t.reader) > 0 {
		return true
	}
	for _, s := range t.segs {
		if len(s.facts) > 0 {
			return true
		}
	}
	return false
}

// fragment: the end of some try in a shared stream that names nobody and does not begin.
func (f *flow) fragment(t *tryLog) bool {
	if f.path.attempt || f.key == "" || t.ranAtAll() && t.nsegs > 1 || len(t.reader) > 0 {
		return false
	}
	s := t.last()
	return !s.ran && t.id.TaskID == "" && t.ti.dotted == "" && !s.final || !s.ran && t.ti.dotted == "" && t.id.TaskID == "" && s.firstOf("return-code") != nil && codeOf(s.firstOf("return-code").value("code")) == 0
}

// Fires says whether a rule fires on a line, or on several that make one record, as a log has them.
func (c *Classifier) Fires(rule *rules.Rule, line string) bool {
	raw := bytes.Split([]byte(line), []byte("\n"))
	s := learnShape(slices.Values(raw))
	kinds := rule.In
	for _, own := range []bool{false, true} {
		r, ok := s.header(stripANSI(raw[0]))
		if !ok {
			r = record{family: rawLine}
			r.text = string(raw[0])
		}
		for _, l := range raw[1:] {
			r.add(textPos{text: string(l)})
		}
		if own {
			inner, ok := unwrapNested(&r)
			if !ok {
				break
			}
			r = inner
		}
		for _, kind := range kinds {
			if kind == "component" {
				kind = "scheduler"
			}
			for _, f := range c.m.fire(nil, kind, &r, "", 0) {
				if f.rule.ID == rule.ID {
					return true
				}
			}
		}
	}
	return false
}
