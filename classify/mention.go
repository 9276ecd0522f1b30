package classify

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
)

// mention is a record of a scheduler, executor, worker or triggerer that speaks of a try.
type mention struct {
	fact    string
	rule    string
	says    string
	cause   string
	witness string // scheduler, worker, triggerer
	place   Place
	at      time.Time
	id      Identity
	dotted  string // dag_id.task_id where the split is not certain
	uuid    string // id of the task instance (3.x)
	celery  string // id of the celery task
	host    string
	pod     string
	pid     int
	process string
	folder  string // of the try's logs, where the record stands in a sibling of one
	state   string // the database's word for the state
	estate  string // the executor's
	code    string
	v       values
	full    string // the whole record, of one that is kept by its text
}

// names says whether the mention names a task instance at all.
func (m *mention) names() bool { return m.id.TaskID != "" || m.dotted != "" || m.uuid != "" }

// componentSink turns the records of a component's log into mentions.
type componentSink struct {
	m         *matcher
	path      logName
	order     int
	chronicle chronicle
	runs      map[string]taken // process -> the try that it took last
	beat      string           // the task instance whose heartbeat failed last
	beatAt    time.Time
	refused   int // place+1 of the last pod that could not be made and names no try
	refusedAt time.Time
}

// taken is what a worker's process was given to run.
type taken struct {
	id           Identity
	dotted, uuid string
}

// uuidOf reads an id, bare or as UUID('…').
func uuidOf(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "UUID('"), "')")
	if len(s) != 36 {
		return ""
	}
	return s
}

func (k *componentSink) record(r *record) {
	k.order++
	for _, f := range k.m.fire(nil, "scheduler", r, k.chronicle.source, k.order) {
		f := f
		switch f.name {
		case "heartbeat-failed": // names the try whose supervisor gives up a little later without a name
			k.beat, k.beatAt = uuidOf(f.value("ti_id")), f.place.At
			continue
		case "bookkeeping", "fail-fast", "import-failed", "chatter":
			continue
		}
		k.mention(&f, r)
	}
}

func (k *componentSink) mention(f *fact, r *record) {
	n := mention{fact: f.name, rule: f.rule.ID, says: f.rule.Title, cause: f.rule.Cause, place: f.place, at: f.place.At,
		id: Identity{MapIndex: MapUnknown}, process: r.process}
	refused := false
	v := &f.values
	n.host = v.value("host")
	n.uuid = uuidOf(v.firstOf("uuid", "ti_id", "task_instance_id"))
	if v.value("workload_type") == "" || v.value("workload_type") == "ExecuteTask" {
		if n.uuid == "" {
			n.uuid = uuidOf(v.value("workload_id"))
		}
	}
	n.pid, _ = strconv.Atoi(v.value("pid"))
	n.state, n.estate = v.value("state"), v.value("estate")
	n.code = v.firstOf("code", "exit_code")
	n.pod = v.firstOf("pod", "pod2", "pod3", "pod4")
	if ti := v.firstOf("ti", "ti2"); ti != "" && !strings.Contains(ti, "UUID(") {
		n.fromTI(parseTI(strings.TrimSuffix(ti, " [")))
	}
	switch f.name {
	case "zombie":
		k.zombie(&n, r.full())
	case "finished":
		k.finished(&n, r.full())
	case "queued", "pod-made":
		n.id = keyFields(v.value("key"))
	case "executor-event":
		if v.value("key") != "" {
			n.id = keyFields(v.value("key"))
		} else {
			n.dotted, n.id.RunID = v.value("dotted"), v.value("run")
			n.id.Try, _ = strconv.Atoi(v.value("try"))
			n.estate = v.value("status")
		}
	case "celery-command", "local-command":
		n.celery, n.uuid = n.uuid, ""
		if id, ok := commandIdentity(argv(v.value("argv"))); ok {
			n.id = id
		}
	case "celery-command-failed":
		n.celery, n.uuid = n.uuid, ""
	case "workload":
		n.celery, n.uuid = n.uuid, ""
		n.fromWorkload(v.value("workload"))
	case "startup-details":
		msg := v.value("msg")
		if !strings.Contains(msg, "StartupDetails") {
			return
		}
		n.fromWorkload(msg)
	case "marking":
		n.id.DagID, n.id.TaskID, n.id.RunID = v.value("dag"), v.value("task"), v.value("run")
		n.id.MapIndex = -1
		if m, err := strconv.Atoi(v.value("map")); err == nil {
			n.id.MapIndex = m
		}
	case "pod-failed":
		n.podIdentity(v)
	case "pod-state":
		k.podState(&n, r.full())
	case "orphans-reset", "stuck-queued":
		if v.value("n") != "" {
			k.listed(n, r)
			return
		}
	case "run-timed-out":
		n.id.DagID, n.id.RunID = v.value("dag"), v.value("run")
	case "trigger-exited":
		if p := strings.Split(v.value("name"), "/"); len(p) >= 5 { // dag/run/task/map/try (2.8 and later)
			l := len(p)
			n.id.DagID, n.id.TaskID, n.id.RunID = p[0], p[l-3], strings.Join(p[1:l-3], "/")
			n.id.MapIndex, _ = strconv.Atoi(p[l-2])
			n.id.Try, _ = strconv.Atoi(p[l-1])
		}
	case "celery-raised":
		k.lastRun(&n, r.process)
	case "pool-child-died", "worker-lost":
		if v.value("signal") != "" {
			n.code = "-" + v.value("signal")
		}
		k.lastRun(&n, v.value("child"))
	case "heartbeats-lost":
		n.v = *v
		if n.uuid == "" && !k.beatAt.IsZero() && n.at.Sub(k.beatAt) < 30*time.Second {
			n.uuid = k.beat
		}
	case "start-failed":
		n.v = *v
		k.lastRun(&n, r.process)
	case "pod-not-started":
		n.v = values{consts: map[string]string{"text": r.full()}}
		refused = !n.names() && n.pod == ""
	case "verdict":
		n.state = v.value("final_state")
	case "server-terminated-w":
		n.v = *v
	}
	if n.fact == "zombie-handled" || n.fact == "zombie-error" {
		n.v = values{}
	}
	if k.path.attempt { // a sibling of the task log: it speaks of that try
		n.folder = k.path.folder + "\x00" + folderOf(k.chronicle.source)
		if k.path.TaskID != "" {
			n.id, n.dotted = k.path.Identity, ""
		}
		n.id.Try = k.path.Identity.Try
	}
	if i := k.add(&n); refused {
		k.refused, k.refusedAt = i+1, n.at
	}
}

func (k *componentSink) add(n *mention) int {
	switch n.fact {
	case "celery-command", "worker-running", "workload", "local-command":
		if _, ok := k.runs[n.process]; n.process != "" && (!ok || n.id.DagID != "" || n.dotted != "") {
			if k.runs == nil {
				k.runs = map[string]taken{}
			}
			k.runs[n.process] = taken{n.id, n.dotted, n.uuid}
		}
	}
	return k.chronicle.add(n, formOf(n.fact))
}

// lastRun gives a dead pool process the try that it took last.
func (k *componentSink) lastRun(n *mention, child string) {
	if o, ok := k.runs[child]; ok && child != "" {
		n.id, n.dotted, n.uuid = o.id, o.dotted, o.uuid
	}
}

func (n *mention) fromTI(t reprTI) {
	n.dotted = t.dotted
	n.id.DagID, n.id.TaskID = t.split("")
	n.id.RunID, n.id.MapIndex = t.run, t.mapIdx
}

// fromWorkload reads a repr that holds TaskInstance(id=UUID('…'), task_id='t', dag_id='d', run_id='r', try_number=1, map_index=-1, …).
func (n *mention) fromWorkload(s string) {
	i := strings.Index(s, "TaskInstance(")
	if i < 0 {
		if i = strings.Index(s, "TaskInstanceDTO("); i < 0 {
			return
		}
	}
	s = s[i:]
	n.id = keyFields(s)
	if j := strings.Index(s, "UUID('"); j >= 0 && len(s) >= j+42 {
		n.uuid = s[j+6 : j+42]
	}
}

// zombie reads the ids of a zombie record, which each version spells in its own way (airflow-logs Z1 to Z10).
func (k *componentSink) zombie(n *mention, text string) {
	if n.dotted != "" {
		return
	}
	n.v = values{}
	if strings.Contains(text, "Detected zombie job with dag_id ") {
		get := func(from, to string) string {
			i := strings.Index(text, from)
			if i < 0 {
				return ""
			}
			s := text[i+len(from):]
			if to == "" {
				return strings.TrimSpace(s)
			}
			if j := strings.Index(s, to); j >= 0 {
				return s[:j]
			}
			return ""
		}
		n.id.DagID, n.id.TaskID, n.id.RunID = get("dag_id ", ", task_id "), get("task_id ", ", and execution date "), get("execution date ", "")
		n.id.MapIndex = -1
		return
	}
	get := func(key string) string {
		for _, q := range []string{`'`, `"`, `\'`, `\"`} {
			i := strings.Index(text, q+key+q+": ")
			if i < 0 {
				continue
			}
			s := text[i+len(q)*2+len(key)+2:]
			if strings.HasPrefix(s, q) {
				s = s[len(q):]
				if j := strings.Index(s, q); j >= 0 {
					return s[:j]
				}
				return ""
			}
			if j := strings.IndexAny(s, ",}"); j >= 0 {
				return s[:j]
			}
		}
		return ""
	}
	n.id.DagID, n.id.TaskID, n.id.RunID = get("DAG Id"), get("Task Id"), get("Run Id")
	if n.id.TaskID != "" {
		n.id.MapIndex = -1
		if m, err := strconv.Atoi(get("Map Index")); err == nil {
			n.id.MapIndex = m
		}
	}
	n.host, n.celery = get("Hostname"), get("External Executor Id")
	for _, key := range []string{"ti=TaskInstance(", "key=TaskInstanceKey(", "SimpleTaskInstance("} {
		if i := strings.Index(text, key); i >= 0 {
			id := keyFields(text[i:])
			if n.id.Try == 0 {
				n.id.Try = id.Try
			}
			n.id.merge(id)
			if j := strings.Index(text[i:], "UUID('"); j >= 0 && len(text) >= i+j+42 {
				n.uuid = text[i+j+6 : i+j+42]
			}
			break
		}
	}
	if i := strings.Index(text, "Detected <TaskInstance: "); i >= 0 && n.id.TaskID == "" {
		s := text[i+len("Detected <TaskInstance: "):]
		if j := strings.Index(s, " ["); j >= 0 {
			n.fromTI(parseTI(s[:j]))
		}
	}
}

// finished keeps a record of the scheduler by its text.
func (k *componentSink) finished(n *mention, text string) {
	n.uuid = ""
	n.readFinished(text)
	n.full, n.v = text, values{}
}

// readFinished reads the pairs of "TaskInstance Finished: dag_id=d, task_id=t, …".
func (n *mention) readFinished(text string) {
	id := Identity{MapIndex: -1}
	var consts map[string]string
	for key, value := range finishedPairs(text) {
		switch key {
		case "dag_id":
			id.DagID = value
		case "task_id":
			id.TaskID = value
		case "run_id":
			id.RunID = value
		case "map_index":
			if m, err := strconv.Atoi(value); err == nil {
				id.MapIndex = m
			}
		case "try_number":
			id.Try, _ = strconv.Atoi(value)
		case "state":
			n.state = value
		case "executor_state":
			n.estate = value
		case "ti_id":
			n.uuid = value
		case "pid":
			n.pid, _ = strconv.Atoi(firstWord(value))
		case "run_start_date", "queued_dttm", "operator", "max_tries":
			if value != "" && value != "None" {
				if consts == nil {
					consts = map[string]string{}
				}
				consts[key] = value
			}
		}
	}
	n.id, n.v.consts = id, consts
}

// finishedPairs yields the keys and values of a list of key=value, whose values may hold commas.
func finishedPairs(text string) iter.Seq2[string, string] {
	text = strings.TrimPrefix(text, "TaskInstance Finished: ")
	begins := func(s string) int { // where the value of a pair begins
		i := strings.IndexByte(s, '=')
		if end := strings.Index(s, ", "); i < 0 || end >= 0 && end < i || strings.ContainsAny(s[:i], " ()'") {
			return -1
		}
		return i + 1
	}
	return func(yield func(string, string) bool) {
		for text != "" {
			next, from := 0, begins(text)
			for next < len(text) {
				i := strings.Index(text[next:], ", ")
				if i < 0 {
					next = len(text)
					break
				}
				if next += i + 2; begins(text[next:]) >= 0 {
					break
				}
			}
			if from > 0 && !yield(text[:from-1], strings.TrimSuffix(text[from:next], ", ")) {
				return
			}
			text = text[next:]
		}
	}
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// podIdentity reads the task key (dag.task.try, without a map index) or the annotations of a failed pod.
func (n *mention) podIdentity(v *values) {
	if key := v.value("key"); key != "" {
		if i := strings.LastIndexByte(key, '.'); i > 0 {
			if try, err := strconv.Atoi(key[i+1:]); err == nil {
				n.id.Try = try
				n.dotted = key[:i]
				n.id.DagID, n.id.TaskID = reprTI{dotted: n.dotted}.split("")
			}
		}
	}
	if a := v.value("annotations"); a != "" {
		get := func(key string) string {
			i := strings.Index(a, "'"+key+"': '")
			if i < 0 {
				return ""
			}
			s := a[i+len(key)+5:]
			if j := strings.IndexByte(s, '\''); j >= 0 {
				return s[:j]
			}
			return ""
		}
		if get("task_id") != "" {
			n.dotted = ""
			n.id.DagID, n.id.TaskID = get("dag_id"), get("task_id")
			n.id.RunID = get("run_id")
			if n.id.RunID == "" {
				n.id.RunID = get("execution_date")
			}
			n.id.Try, _ = strconv.Atoi(get("try_number"))
			n.id.MapIndex = -1
			if m, err := strconv.Atoi(get("map_index")); err == nil {
				n.id.MapIndex = m
			}
		}
	}
	if v.value("creason") == "OOMKilled" {
		n.cause = "memory-container"
	}
	n.v = *v
}

// podState reads which pod failed for which key: "Changing state of KubernetesResults(key=TaskInstanceKey(…), state=…, pod_name='p', …".
func (k *componentSink) podState(n *mention, text string) {
	n.id = keyFields(text)
	if i := strings.Index(text, "pod_name='"); i >= 0 {
		s := text[i+len("pod_name='"):]
		if j := strings.IndexByte(s, '\''); j >= 0 {
			n.pod = s[:j]
		}
	} else if i := strings.Index(text, "), "); i >= 0 {
		if p := strings.Split(text[i+3:], ", "); len(p) > 1 && strings.HasPrefix(p[1], "'") { // (key, state, pod, namespace, version)
			n.pod = strings.Trim(p[1], "'")
		}
	}
	if n.pod == "" || n.pod == "None" {
		n.pod = ""
		if k.refused > 0 && n.at.Sub(k.refusedAt) < 5*time.Second {
			k.chronicle.rename(k.refused-1, n.id) // the pod that could not be made a moment ago was this try's
			k.refused = 0
		}
	}
	n.state = "other"
	if strings.Contains(text, "FAILED") || strings.Contains(text, "to failed") || strings.Contains(text, ", 'failed'") {
		n.state = "failed"
	}
}

// listed makes a mention for each of the reprs that follow a record, one a line.
func (k *componentSink) listed(n mention, r *record) {
	for _, m := range r.more {
		t := strings.TrimSpace(m.text)
		s, ok := strings.CutPrefix(t, "<TaskInstance: ")
		if !ok {
			continue
		}
		if i := strings.LastIndex(s, " ["); i > 0 {
			s = s[:i]
		}
		o := n
		o.fromTI(parseTI(s))
		k.add(&o)
	}
}

// hears adds what a stream of a component's log says.
func (p *Part) hears(k *componentSink, kind string) {
	c := &k.chronicle
	c.close(kind)
	if c.lost > 0 {
		p.Problem(fmt.Errorf("%d records of tries beyond the first %d were not used", c.lost, maxMentions), "split the log by day")
	}
	if c.n > 0 {
		p.others = append(p.others, c)
	}
}
