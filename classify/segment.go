package classify

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// segment is one run of a process within a try: from a start record to the next.
type segment struct {
	facts      []*fact
	words      *words // the last of the task's own words so far
	printed    *words // the last of them that came through stdout or stderr
	first      time.Time
	last       time.Time
	fine       bool
	place      Place // last record
	ran        bool  // a process began to run the task
	attempt    bool  // "Starting attempt" or its like was seen
	ended      bool  // a record that ends a segment was seen
	final      bool  // and it was no deferral or reschedule
	fresh      bool  // nothing but start records so far
	midline    bool  // the last line has no line end
	structured bool  // records of Airflow 3
	oldFamily  bool  // records of 1.10.0 to 1.10.3
	errors     []fact
}

// maxFacts bounds the facts of one name that a segment keeps: the first and the last half.
const maxFacts = 8

func (s *segment) add(f fact) {
	seen, middle := 0, 0
	for i := range s.facts {
		if s.facts[i].name == f.name {
			if seen++; seen == maxFacts/2+1 {
				middle = i
			}
		}
	}
	if seen >= maxFacts {
		s.facts = append(s.facts[:middle], s.facts[middle+1:]...)
	}
	s.facts = append(s.facts, &f)
}

func (s *segment) firstOf(names ...string) *fact {
	for i := range s.facts {
		for _, n := range names {
			if s.facts[i].name == n {
				return s.facts[i]
			}
		}
	}
	return nil
}

func (s *segment) lastOf(names ...string) *fact {
	for i := len(s.facts) - 1; i >= 0; i-- {
		for _, n := range names {
			if s.facts[i].name == n {
				return s.facts[i]
			}
		}
	}
	return nil
}

// state finds the first own state record with one of the states.
func (s *segment) state(states ...string) *fact {
	for i := range s.facts {
		if s.facts[i].name != "state" {
			continue
		}
		for _, st := range states {
			if s.facts[i].value("state") == st {
				return s.facts[i]
			}
		}
	}
	return nil
}

// tryLog gathers what the records of one try say.
type tryLog struct {
	id       Identity
	named    bool   // the path names the try
	folder   bool   // and nothing but the try
	inner    int    // N of "Starting attempt N"
	max      int    // M of "attempt N of M"
	ti       reprTI // as the log's own start records print it
	task     string // task id from "Executing <Task(…): task>"
	date     string // logical date, as spelled
	operator string
	host     string
	pid      int
	uuids    map[string]bool
	airflow  string
	segs     []*segment
	nsegs    int
	spans    []Span
	words    *words // of segments that are not kept
	reader   []fact
	records  int
	known    int // records in a format that is Airflow's
	first    time.Time
	gapped   bool // a part of the log was not read
}

func (t *tryLog) cur() *segment {
	if len(t.segs) == 0 {
		t.segs = append(t.segs, &segment{fresh: true})
		t.nsegs = 1
	}
	return t.segs[len(t.segs)-1]
}

// maxSegments bounds the segments that are kept whole: a sensor may have thousands.
const maxSegments = 3

// plausible reads a try number; what no try can have is unknown.
func plausible(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1_000_000 {
		return 0
	}
	return n
}

// refused takes back a segment that a second process opened and that was not allowed to run, while the first one lives.
func (t *tryLog) refused() {
	n := len(t.segs)
	if n < 2 || t.segs[n-1].attempt || t.segs[n-1].words != nil || t.segs[n-2].ended {
		return
	}
	t.segs = t.segs[:n-1]
	t.nsegs--
}

func (t *tryLog) begin1() {
	if len(t.segs) >= maxSegments {
		old := t.segs[0]
		t.closeSpan(old, t.segs[1])
		if old.words != nil {
			t.words = old.words
		}
		t.segs = append(t.segs[:0], t.segs[1:]...)
	}
	t.segs = append(t.segs, &segment{fresh: true})
	t.nsegs++
}

// closeSpan notes what a segment did and what the try did between it and the next one.
func (t *tryLog) closeSpan(s, next *segment) {
	if s.first.IsZero() || s.last.IsZero() {
		return
	}
	t.addSpan(Span{Phase: "running", From: s.first, To: s.last})
	if next == nil || next.first.IsZero() {
		return
	}
	phase := ""
	if s.firstOf("deferred") != nil {
		phase = "deferred"
	} else if s.firstOf("rescheduled", "startup-rescheduled") != nil {
		phase = "rescheduled"
	}
	if phase != "" && next.first.After(s.last) {
		t.addSpan(Span{Phase: phase, From: s.last, To: next.first})
	}
}

// maxSpans bounds the spans of a try; beyond it the last running and waiting spans grow.
const maxSpans = 400

func (t *tryLog) addSpan(s Span) {
	if len(t.spans) >= maxSpans {
		for i := len(t.spans) - 1; i >= 0; i-- {
			if t.spans[i].Phase == s.Phase {
				t.spans[i].To = s.To
				return
			}
		}
	}
	t.spans = append(t.spans, s)
}

// endsSegment lists the facts after which a start record begins something new; the value says whether the try was over.
var endsSegment = map[string]bool{
	"state": true, "rescheduled": false, "startup-rescheduled": false, "deferred": false, "return-code": true,
	"task-error": true, "job-failed": true, "system-exit": true, "top-level-error": true, "dag-not-found": true,
	"exited-abnormally": true, "signal": true, "externally-set": true, "server-terminated": true, "task-killed": true,
	"skipping": true, "reaped": true, "not-able": false, "start-failed": true, "interrupted": true, "verdict": true,
}

// starts lists the facts that open a segment.
var starts = map[string]bool{
	"deps-met": true, "attempt": true, "resumed": true, "executing": true, "bundles-loaded": true,
	"process-started": true, "command": true, "running-on": true, "env": true,
}

// taskSink turns the records of one stream into tries.
type taskSink struct {
	m       *matcher
	source  string
	name    logName
	tries   []*tryLog
	order   int
	facts   []fact   // room for those of one record
	dump    bool     // inside a faulthandler dump on stderr
	writer  Identity // of the records, where they name their try
	foreign bool     // the start records of another task instance stand inside this try's output
	gapAt   int      // order of the last record before a part that was not read
}

func newTaskSink(m *matcher, source string, name logName) *taskSink {
	return &taskSink{m: m, source: source, name: name}
}

func (k *taskSink) cur() *tryLog {
	if len(k.tries) == 0 {
		k.tries = append(k.tries, k.newTry())
	}
	return k.tries[len(k.tries)-1]
}

func (k *taskSink) newTry() *tryLog {
	t := &tryLog{id: Identity{MapIndex: MapUnknown}}
	if k.name.attempt {
		t.id, t.named = k.name.Identity, true
		t.folder = k.name.TaskID == ""
	} else {
		t.id.merge(k.name.Identity)
	}
	return t
}

// record takes one record, whole.
func (k *taskSink) record(r *record) {
	k.order++
	t := k.cur()
	if r.origin == "logging_mixin.py" || r.origin == "base_task_runner.py" {
		if t.airflow == "" || t.airflow == "1.10" {
			if inner, ok := unwrapNested(r); ok && (r.origin == "base_task_runner.py" || nestedOrigin(inner.origin)) {
				r = &inner
			}
		}
	}
	facts := k.facts[:0]
	if k.trusted(t, r) {
		facts = k.m.fire(facts, "task", r, k.source, k.order)
		k.facts = facts
		facts = k.mine(t, facts)
	}
	if k.fromReader(t, r, facts) {
		if r.family != rawLine || len(facts) > 0 { // a bare host name above a log tells nothing
			k.readerRecord(t, r, facts)
		}
		return
	}
	if len(facts) > 0 {
		t = k.route(t, facts, r)
	}
	s := t.cur()
	t.records++
	if r.family != rawLine && r.family != plainLine && r.family != bareLine {
		t.known++
	}
	if structured(r) || r.fields != nil && r.family == plainLine {
		s.structured = true
	}
	if r.origin == "jobs.py" || r.origin == "models.py" {
		s.oldFamily = true
	}
	at := r.at(k.m.zone)
	if !at.IsZero() {
		if s.first.IsZero() {
			s.first = at
		}
		if t.first.IsZero() {
			t.first = at
		}
		s.last, s.fine = at, r.when.fine
	}
	s.midline = r.cut
	k.learnFamily(t, r)
	if len(facts) == 0 {
		if k.own(r) && !(r.anyone && isExceptionLine(r.text)) {
			s.words = k.say(s.words, r)
			if r.user {
				s.printed = s.words
			}
			s.fresh = false
		} else {
			s.note(k, r)
		}
		s.place = k.m.place(r, k.source)
		return
	}
	for i := range facts {
		f := facts[i]
		if f.rule.Fact == "" {
			s.own(f)
			continue
		}
		f.words = s.words
		if carriesException(f.name) {
			if x, ok := exceptionOf(r); ok {
				f.exc = &x
			}
		}
		k.learn(t, s, &f)
		s = t.cur()
		s.add(f)
	}
	s.place = facts[len(facts)-1].place
}

// trusted says whether a record can be Airflow's own in this log: each family of versions writes its own shape of line, and
// a few emitters were gone after 1.10.3.
func (k *taskSink) trusted(t *tryLog, r *record) bool {
	switch t.airflow {
	case "3":
		if r.family == textLine || r.family == oldJSONLine || r.family == celeryLine {
			return r.origin == "scheduler_job_runner.py"
		}
	case "2":
		if structured(r) && r.origin != "supervisor" {
			return false
		}
		switch r.origin {
		case "models.py", "__init__.py", "jobs.py", "helpers.py":
			return false
		}
	}
	return true
}

// mine leaves out facts that name another task instance: a task that runs Airflow itself prints them.
func (k *taskSink) mine(t *tryLog, facts []fact) []fact {
	out := facts[:0]
	for i := range facts {
		f := &facts[i]
		switch f.name {
		case "deps-met", "running-on":
			ti := parseTI(f.value("ti"))
			if other := k.other(t, ti.dotted, ti.mapIdx); other && !t.cur().ended {
				k.foreign = true
				continue
			}
			k.foreign = false
		case "attempt", "executing", "env", "command", "process-started":
			if k.foreign {
				continue
			}
		case "state":
			id := markingIdentity(f.place.Text)
			if id.DagID != "" && id.TaskID != "" && k.other(t, dottedKey(id.DagID, id.TaskID), id.MapIndex) {
				continue
			}
		}
		out = append(out, *f)
	}
	return out
}

// other says whether ids name a task instance that is certainly not this try's.
func (k *taskSink) other(t *tryLog, dotted string, mapIndex int) bool {
	known := t.ti.dotted
	if t.id.DagID != "" && t.id.TaskID != "" {
		known = dottedKey(t.id.DagID, t.id.TaskID)
	}
	if known == "" || dotted == "" {
		return false
	}
	return known != dotted
}

// own keeps what a user's rule saw.
func (s *segment) own(f fact) {
	f.name = "user-rule"
	s.add(f)
	s.fresh = false
}

// note keeps records of the task runner at level ERROR that no rule explains: in old versions the exception's own text
// is the record.
func (s *segment) note(k *taskSink, r *record) {
	if r.anyone && isExceptionLine(r.text) && (r.level == "WARNING" || r.level == "ERROR") { // an excerpt without stamps
		x := raised{at: r.textPos}
		x.Type, x.Message = typeAndMessage(r.text)
		x.Root, x.text = x.Type, x.Message
		s.errors = append(s.errors, fact{name: "error-record", order: k.order, words: s.words, level: r.level, exc: &x, place: k.m.place(r, k.source)})
		return
	}
	if r.level != "ERROR" && r.level != "CRITICAL" {
		return
	}
	switch r.origin {
	case "taskinstance.py", "models.py", "__init__.py":
	default:
		return
	}
	f := fact{name: "error-record", when: r.when, order: k.order, more: r.more, words: s.words, level: r.level}
	f.place = k.m.place(r, k.source)
	if x, ok := exceptionOf(r); ok {
		f.exc = &x
	}
	if len(s.errors) < 8 {
		s.errors = append(s.errors, f)
	}
}

func carriesException(name string) bool {
	switch name {
	case "task-error", "job-failed", "top-level-error", "system-exit", "trigger-failed", "executing", "process-started",
		"command", "running-on", "start-failed", "exited-abnormally", "dag-not-found", "import-failed", "env":
		return true
	}
	return false
}

// fromReader says whether a record is what a log reader put above or instead of the log: lines with stars, the bare name of
// a host, a folded heading of the page, and what it could not get.
func (k *taskSink) fromReader(t *tryLog, r *record, facts []fact) bool {
	if r.family == readerLine || r.origin == "reader" || len(facts) > 0 && strings.HasPrefix(facts[0].name, "reader-") {
		return true
	}
	if t.records > 0 {
		return false
	}
	switch r.family {
	case rawLine:
		text := strings.TrimSpace(r.text)
		return strings.HasPrefix(text, "▶") || strings.HasPrefix(text, "▼") || k.order == 1 && !strings.ContainsAny(text, " {}()=\"'[")
	case jsonLine:
		return r.origin == "" && (strings.HasPrefix(r.text, "::group::Log message source details") || r.text == "::endgroup::")
	case bareLine:
		return strings.HasPrefix(r.text, "::group::Log message source details") || r.text == "::endgroup::"
	}
	return false
}

func (k *taskSink) readerRecord(t *tryLog, r *record, facts []fact) {
	t.reader = append(t.reader, fact{name: "reader-line", place: k.m.place(r, k.source), order: k.order})
	t.reader = append(t.reader, facts...)
	if src := r.fields["sources"]; src != "" { // the answer of 3.x lists them in one record
		var list []string
		if json.Unmarshal([]byte(src), &list) == nil {
			for _, s := range list {
				o := record{family: readerLine, origin: "reader", textPos: r.textPos}
				o.text = "*** " + s
				t.reader = append(t.reader, k.m.fire(nil, "task", &o, k.source, k.order)...)
			}
		}
	}
	if id, ok := identityInText(r.text); ok {
		t.id.merge(id.Identity)
		if id.attempt {
			t.named = true
		}
	}
	if len(t.reader) > 60 {
		t.reader = append(t.reader[:30], t.reader[len(t.reader)-30:]...)
	}
}

// identityInText finds a log path inside a reader's line.
func identityInText(text string) (logName, bool) {
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == '\'' || c == '"' || c == ',' }) {
		w = strings.TrimRight(w, ".:")
		if i := strings.Index(w, "/log/"); i >= 0 && strings.HasPrefix(w, "http") {
			w = w[i+len("/log/"):]
		}
		if n := parseName(w); n.attempt && n.TaskID != "" {
			n.folder = ""
			return n, true
		}
	}
	return logName{}, false
}

// route decides to which try and segment a record belongs that opens something.
func (k *taskSink) route(t *tryLog, facts []fact, r *record) *tryLog {
	for i := range facts {
		f := &facts[i]
		preExecute := f.name == "group" && strings.HasPrefix(f.value("name"), "Pre Execute")
		preTask := f.name == "group" && strings.HasPrefix(f.value("name"), "Pre task")
		if !starts[f.name] && !preExecute && !preTask {
			continue
		}
		s := t.cur()
		if ti := f.value("ti"); ti != "" && f.name == "deps-met" && t.ti.dotted != "" && t.ti != parseTI(ti) && !t.named {
			return k.next(t)
		}
		switch {
		case f.name == "attempt":
			n := plausible(f.value("try"))
			if t.inner != 0 && n != t.inner {
				return k.next(t)
			}
			if s.attempt || s.ended && !s.fresh {
				if t.inner == 0 && !t.named && s.final {
					return k.next(t)
				}
				t.begin1()
			}
		case (f.name == "deps-met" || preTask) && s.attempt && !s.fresh && s.words != nil: // a later try, appended; or a second process that will be refused
			t.begin1()
		case preTask:
		case s.ended && !s.fresh:
			if s.final && !t.named && structured(r) {
				return k.next(t)
			}
			t.begin1()
		case f.name == "resumed" && !s.fresh, (f.name == "bundles-loaded" || preExecute) && s.ran && !s.fresh:
			t.begin1()
		}
	}
	return t
}

// next opens another try in the same stream. Start records that already stand in a fresh segment of t move over to it.
func (k *taskSink) next(t *tryLog) *tryLog {
	n := k.newTry()
	if k.name.attempt && len(k.tries) > 0 {
		n.id.Try = 0
	}
	s := t.cur()
	if s.fresh && len(t.segs) > 1 {
		t.segs = t.segs[:len(t.segs)-1]
		t.nsegs--
		n.segs, n.nsegs = []*segment{s}, 1
		n.ti, n.host, n.first = t.ti, "", s.first
	}
	n.airflow = t.airflow
	if !k.name.attempt {
		n.id.DagID, n.id.TaskID, n.id.RunID, n.id.MapIndex = "", "", "", MapUnknown
	}
	k.tries = append(k.tries, n)
	return n
}

// learn takes identity, host and the like from a fact, and notes what it does to its segment.
func (k *taskSink) learn(t *tryLog, s *segment, f *fact) {
	if final, ends := endsSegment[f.name]; ends {
		s.ended = true
		s.final = s.final || final
		if f.name != "not-able" {
			s.fresh = false
		}
	} else if !starts[f.name] && f.name != "group" && f.name != "endgroup" && f.name != "dagbag" && f.name != "deps-not-met" {
		s.fresh = false
	}
	switch f.name {
	case "not-able":
		t.refused()
	case "deps-met", "deps-not-met", "running-on":
		if ti := f.value("ti"); ti != "" {
			t.ti = parseTI(ti)
		}
		if h := firstWord(f.value("host")); h != "" {
			t.host = h
		}
		s.ran = s.ran || f.name == "running-on"
	case "attempt":
		t.inner = plausible(f.value("try"))
		t.max, _, _ = leadingInt(f.value("max"))
		s.ran, s.attempt = true, true
	case "resumed":
		s.ran, s.attempt = true, true
	case "executing":
		t.operator, t.task, t.date = f.value("operator"), f.value("task"), f.value("date")
		s.ran = true
	case "process-started":
		t.pid, _ = strconv.Atoi(f.value("pid"))
		s.ran = true
	case "command":
		if id, ok := commandIdentity(argv(f.value("argv"))); ok {
			t.id.merge(id)
		}
		s.ran = true
	case "env":
		envIdentity(t, f)
	case "bundles-loaded", "dagbag":
		s.ran = true
	case "state":
		if id := markingIdentity(f.place.Text); id.DagID != "" {
			t.id.merge(id)
		}
	}
	if ti := f.value("ti"); strings.Contains(ti, "UUID('") {
		structuredIdentity(t, map[string]string{"ti": ti})
	}
}

// structuredIdentity takes what 3.3 puts beside every record of the task process.
func structuredIdentity(t *tryLog, v map[string]string) bool {
	if id := v["ti_id"]; len(id) == 36 {
		t.addUUID(id)
	}
	if id := firstOf(v, "task_instance_id", "workload_id"); len(id) == 36 {
		t.addUUID(id)
	}
	if ti := v["ti"]; strings.Contains(ti, "UUID('") {
		id := keyFields(ti)
		t.id.merge(id)
		if i := strings.Index(ti, "UUID('"); i >= 0 && len(ti) >= i+42 {
			t.addUUID(ti[i+6 : i+42])
		}
	}
	if v["task_id"] == "" || v["dag_id"] == "" {
		return false
	}
	id := Identity{DagID: v["dag_id"], TaskID: v["task_id"], RunID: v["run_id"], MapIndex: MapUnknown}
	if m, err := strconv.Atoi(v["map_index"]); err == nil {
		id.MapIndex = m
	}
	id.Try, _ = strconv.Atoi(v["try_number"])
	t.id.merge(id)
	return true
}

func (t *tryLog) addUUID(id string) {
	if t.uuids == nil {
		t.uuids = map[string]bool{}
	}
	if len(t.uuids) < 8 {
		t.uuids[id] = true
	}
}

func (k *taskSink) learnFamily(t *tryLog, r *record) {
	switch r.family {
	case jsonLine, consoleLine:
		t.airflow = "3"
		structuredIdentity(t, r.fields)
	case oldJSONLine:
		t.airflow = "2"
		if t.id.TaskID == "" {
			oldJSONIdentity(t, r.fields)
		}
	case textLine, customLine:
		if t.airflow != "" {
			return
		}
		switch {
		case strings.Contains(r.text, "', 'tasks', 'run', '"), strings.Contains(r.text, "dep_context="),
			!r.when.naive && r.when.zone == "" && r.when.fine && r.origin != "logging_mixin.py":
			t.airflow = "2"
		case strings.HasPrefix(r.text, "Running %s on host"), strings.Contains(r.text, ": ['airflow', 'run', '"),
			r.origin == "models.py", r.origin == "jobs.py", r.origin == "helpers.py":
			t.airflow = "1.10"
		case r.nested && nestedOrigin(r.origin):
			t.airflow = "1.10"
		}
	}
}

func nestedOrigin(origin string) bool {
	switch origin {
	case "local_task_job.py", "taskinstance.py", "standard_task_runner.py", "jobs.py", "models.py", "helpers.py",
		"base_task_runner.py", "__init__.py", "timeout.py":
		return true
	}
	return false
}

// oldJSONIdentity reads the ids that the JSON format of 2.x adds. Its execution date has lost its signs, but the log id
// that stands beside it keeps them: dag-task-DATE-try.
func oldJSONIdentity(t *tryLog, v map[string]string) {
	id := Identity{DagID: v["dag_id"], TaskID: v["task_id"], RunID: v["run_id"], MapIndex: MapUnknown}
	id.Try, _ = strconv.Atoi(v["try_number"])
	if m, err := strconv.Atoi(v["map_index"]); err == nil {
		id.MapIndex = m
	}
	if id.RunID == "" && id.DagID != "" {
		if rest, ok := strings.CutPrefix(v["log_id"], id.DagID+"-"+id.TaskID+"-"); ok {
			if i := strings.LastIndexByte(rest, '-'); i > 0 {
				id.RunID = rest[:i]
			}
		}
	}
	if id.MapIndex == MapUnknown && id.DagID != "" {
		id.MapIndex = -1
	}
	t.id.merge(id)
}

// envIdentity reads AIRFLOW_CTX_… from one line (2.6 and later) or from lines of their own.
func envIdentity(t *tryLog, f *fact) {
	text := f.place.Text
	for _, m := range f.more {
		text += "\n" + m.text
	}
	value := func(key string) string {
		i := strings.Index(text, key+"=")
		if i < 0 {
			return ""
		}
		v := text[i+len(key)+1:]
		if v != "" && v[0] == '\'' {
			if end := strings.IndexByte(v[1:], '\''); end >= 0 {
				return v[1 : 1+end]
			}
			return ""
		}
		if end := strings.IndexByte(v, '\n'); end >= 0 {
			v = v[:end]
		}
		return strings.TrimSpace(v)
	}
	id := Identity{DagID: value("AIRFLOW_CTX_DAG_ID"), TaskID: value("AIRFLOW_CTX_TASK_ID"), RunID: value("AIRFLOW_CTX_DAG_RUN_ID"), MapIndex: MapUnknown}
	id.Try, _ = strconv.Atoi(value("AIRFLOW_CTX_TRY_NUMBER"))
	t.id.merge(id)
}

// markingIdentity reads "Marking task as FAILED. dag_id=D, task_id=T, run_id=R, map_index=3, execution_date=…".
func markingIdentity(text string) Identity {
	id := Identity{MapIndex: MapUnknown}
	value := func(key string) string {
		i := strings.Index(text, key+"=")
		if i < 0 {
			return ""
		}
		v, _, _ := strings.Cut(text[i+len(key)+1:], ", ")
		return v
	}
	id.DagID, id.TaskID, id.RunID = value("dag_id"), value("task_id"), value("run_id")
	if m, err := strconv.Atoi(value("map_index")); err == nil {
		id.MapIndex = m
	}
	return id
}

// say makes a record the last of the task's own words.
func (k *taskSink) say(before *words, r *record) *words {
	w := &words{place: k.m.place(r, k.source), when: r.when, order: k.order}
	if before != nil {
		w.n = copy(w.texts[:maxTail-1], before.tail()[max(0, before.n-maxTail+1):])
	}
	w.texts[w.n] = w.place.Text
	w.n++
	return w
}

// coreFiles are the files of Airflow that write into task logs on their own account, not on the task's.
var coreFiles = map[string]bool{
	"taskinstance.py": true, "local_task_job.py": true, "local_task_job_runner.py": true, "standard_task_runner.py": true,
	"base_task_runner.py": true, "task_command.py": true, "timeout.py": true, "job.py": true, "base_job.py": true,
	"jobs.py": true, "models.py": true, "crypto.py": true, "skipmixin.py": true, "dagbag.py": true, "plugins_manager.py": true,
	"settings.py": true, "file_task_handler.py": true, "s3_task_handler.py": true, "gcs_task_handler.py": true,
	"task_context_logger.py": true, "configuration.py": true, "secrets_masker.py": true, "listener.py": true,
	"xcom.py": true, "baseoperator.py": true, "abstractoperator.py": true, "scheduler_job.py": true, "logging_config.py": true,
	"scheduler_job_runner.py": true, "event_scheduler.py": true, "cli_action_loggers.py": true, "providers_manager.py": true,
	"operator_helpers.py": true, "helpers.py": true, "dagrun.py": true, "cli.py": true, "cli_config.py": true,
	"python.py": true, "python_operator.py": true, "email.py": true, "retries.py": true,
}

// own says whether a record is the task's own: printed, logged or run by the user's code or operator.
func (k *taskSink) own(r *record) bool {
	switch r.family {
	case readerLine, celeryLine:
		return false
	case textLine, customLine, oldJSONLine:
		return r.origin != "" && !coreFiles[r.origin] || r.origin == "" && r.text != ""
	case jsonLine, consoleLine:
		if r.user {
			return !k.inDump(r)
		}
		k.dump = false
		if r.origin == "task" || r.origin == "supervisor" {
			return false
		}
		if r.origin == "py.warnings" || strings.HasPrefix(r.origin, "airflow.task.operators.airflow.providers.standard.") {
			return false
		}
		if strings.HasPrefix(r.origin, "airflow.") {
			return strings.HasPrefix(r.origin, "airflow.task") || strings.HasPrefix(r.origin, "airflow.providers.")
		}
		return true
	}
	return strings.TrimSpace(r.text) != ""
}

// inDump follows a faulthandler dump on stderr, "Fatal Python error: …" to "Extension modules: …", which is nobody's words.
func (k *taskSink) inDump(r *record) bool {
	t := strings.TrimSpace(r.text)
	if strings.HasPrefix(t, "Fatal Python error:") {
		k.dump = true
		return true
	}
	if !k.dump {
		return false
	}
	switch {
	case t == "", strings.HasPrefix(t, "Current thread "), strings.HasPrefix(t, "Thread 0x"), strings.HasPrefix(t, "File \""),
		strings.HasPrefix(t, "Python runtime state"), strings.HasPrefix(t, "<"), strings.HasPrefix(t, "..."),
		strings.HasPrefix(t, "Current thread's C stack"), strings.HasPrefix(t, "Binary file \""):
		return true
	case strings.HasPrefix(t, "Extension modules:"):
		k.dump = false
		return true
	}
	k.dump = false
	return false
}
