package classify

import (
	"fmt"
	"slices"
)

// Heard is a record of a scheduler, executor, worker or triggerer, as the row of a try keeps it that nobody's log is at
// hand for. Where a later scan has that log, the record is joined to it as if it had just been read.
type Heard struct {
	Fact    string // word of the vocabulary in rules/facts.go
	Rule    string
	Says    string
	Cause   string
	Witness string
	Place
	Identity
	Dotted, UUID, Celery, Host, Pod, Process, Folder string
	PID                                              int
	State, ExecutorState, Code                       string
	Values                                           map[string]string
}

// maxHeard and maxValue bound what the row of one try keeps; a row must stay below maxRow.
const (
	maxHeard = 40
	maxValue = 2000
)

// keepHeard notes the records that made the row of a try without a log.
func keepHeard(t *Try, list []*mention) {
	t.own.heard = slices.Clone(list[:min(len(list), maxHeard)])
}

func (m *mention) heard() Heard {
	h := Heard{Fact: m.fact, Rule: m.rule, Says: m.says, Cause: m.cause, Witness: m.witness, Place: m.place, Identity: m.id, Dotted: m.dotted,
		UUID: m.uuid, Celery: m.celery, Host: m.host, Pod: m.pod, Process: m.process, Folder: m.folder, PID: m.pid, State: m.state,
		ExecutorState: m.estate, Code: m.code}
	h.Values = m.v.all(maxValue)
	return h
}

// all are the values of at most so many bytes by their keys, as value finds them.
func (v *values) all(most int) (all map[string]string) {
	add := func(key string) {
		if s := v.value(key); s != "" && len(s) <= most {
			if all == nil {
				all = map[string]string{}
			}
			all[key] = s
		}
	}
	for i := range v.caps {
		add(v.caps[i].Name)
	}
	for key := range v.consts {
		add(key)
	}
	for key := range v.fields {
		add(key)
	}
	return all
}

type savedHeard struct {
	Fact    string `json:"fact"`
	Rule    string `json:"rule"`
	Says    string `json:"says"`
	Cause   string `json:"cause"`
	Witness string `json:"witness"`
	savedPlace
	DagID     string            `json:"dag_id"`
	RunID     string            `json:"run_id"`
	TaskID    string            `json:"task_id"`
	MapIndex  *int              `json:"map_index"`
	TryNumber int               `json:"try_number"`
	Dotted    string            `json:"dotted"`
	UUID      string            `json:"uuid"`
	Celery    string            `json:"celery"`
	Host      string            `json:"host"`
	Pod       string            `json:"pod"`
	Process   string            `json:"process"`
	Folder    string            `json:"folder"`
	PID       int               `json:"pid"`
	State     string            `json:"state"`
	Executor  string            `json:"executor_state"`
	Code      string            `json:"code"`
	Values    map[string]string `json:"values"`
}

func (e *rowErrors) heard(all []savedHeard) (list []*mention) {
	for i := range all {
		s := &all[i]
		p := e.place("heard", &s.savedPlace)
		m := &mention{fact: s.Fact, rule: s.Rule, says: s.Says, cause: s.Cause, witness: s.Witness, place: *p, at: p.At,
			id:     Identity{DagID: s.DagID, RunID: s.RunID, TaskID: s.TaskID, MapIndex: MapUnknown, Try: s.TryNumber},
			dotted: s.Dotted, uuid: s.UUID, celery: s.Celery, host: s.Host, pod: s.Pod, pid: s.PID, process: s.Process, folder: s.Folder,
			state: s.State, estate: s.Executor, code: s.Code, v: values{consts: s.Values}}
		e.want(s.Fact != "", "a record says nothing")
		e.want(s.TryNumber >= 0 && s.TryNumber <= maxNumber, "try_number %d is out of range", s.TryNumber)
		if s.MapIndex != nil {
			m.id.MapIndex = *s.MapIndex
			e.want(m.id.MapIndex >= -1, "map_index %d is out of range", m.id.MapIndex)
		}
		list = append(list, m)
	}
	return list
}

// logIndex finds the log that a row without one could speak of.
type logIndex map[string][]*Try

func (x logIndex) add(t *Try) {
	for _, k := range logKeys(t) {
		x[k] = append(x[k], t)
	}
}

// of is nil where no log beside the scan of t can be its own.
func (x logIndex) of(t *Try) *Try {
	for _, k := range logKeys(t) {
		for _, o := range x[k] {
			if !sameScan(o, t) && couldBe(o, t) {
				return o
			}
		}
	}
	return nil
}

// logKeys are the names by which records of others and a log can be known to speak of one task instance.
func logKeys(t *Try) (keys []string) {
	if t.DagID != "" && t.TaskID != "" {
		keys = append(keys, "d\x00"+dottedKey(t.DagID, t.TaskID))
	} else if t.own.ti.dotted != "" {
		keys = append(keys, "d\x00"+t.own.ti.dotted)
	}
	for _, u := range sortedKeys(t.own.uuids) {
		keys = append(keys, "u\x00"+u)
	}
	n := t.own.name
	if t.own.noLog {
		n = parseName(t.Source)
	}
	if n.attempt && n.folder != "" {
		keys = append(keys, fmt.Sprintf("f\x00%s\x00%d", n.folder, t.Identity.Try))
	}
	return keys
}
