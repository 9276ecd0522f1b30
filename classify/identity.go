package classify

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
)

// logName is what a log's name says of it.
type logName struct {
	Identity
	folder  string // everything before attempt=N.log: logs of one folder are tries of one task instance
	attempt bool   // the name follows one of Airflow's layouts
	sibling string // "", trigger, scheduler, rotated: what stands behind attempt=N.log
}

// parseName reads Airflow's log layouts (utils/log/file_task_handler.py):
//
//	dag_id=D/run_id=R/task_id=T/[map_index=I/]attempt=N.log   2.3 and later; a run id may hold slashes; team folders before it
//	D/T/2021-06-21T00:00:00+00:00/N.log                       1.10 to 2.2
//
// and their siblings attempt=N.log.SchedulerJob.log, attempt=N.log.trigger.7.log, attempt=N.log.1.
func parseName(name string) logName {
	n := logName{Identity: Identity{MapIndex: MapUnknown}}
	name = strings.ReplaceAll(name, "\\", "/")
	if strings.Contains(name, "%3D") || strings.Contains(name, "%3A") || strings.Contains(name, "%3d") {
		if u, err := url.PathUnescape(name); err == nil {
			name = u
		}
	}
	base := path.Base(name)
	dir := strings.TrimSuffix(strings.TrimSuffix(name, base), "/")
	if i := strings.Index(base, "attempt="); i == 0 {
		rest := base[len("attempt="):]
		num, tail, ok := leadingInt(rest)
		if !ok {
			return n
		}
		n.attempt, n.Try, n.folder = true, num, dir
		n.sibling = siblingKind(tail)
		n.readFolders(dir)
		return n
	}
	if num, tail, ok := leadingInt(base); ok && strings.HasPrefix(tail, ".log") && num < 10000 {
		parts := strings.Split(dir, "/")
		if k := len(parts); k >= 3 && isISODate(parts[k-1]) {
			n.attempt, n.Try, n.folder = true, num, dir
			n.DagID, n.TaskID, n.RunID, n.MapIndex = parts[k-3], parts[k-2], parts[k-1], -1
			n.sibling = siblingKind(tail)
		}
	}
	return n
}

// readFolders takes ids from "dag_id=D/run_id=R/task_id=T/map_index=I".
func (n *logName) readFolders(dir string) {
	cut := func(key string) (before, after string, ok bool) {
		i := strings.LastIndex("/"+dir, "/"+key+"=")
		if i < 0 {
			return dir, "", false
		}
		return strings.TrimSuffix(dir[:max(i-1, 0)], "/"), dir[i+len(key)+1:], true
	}
	mapped := false
	if before, after, ok := cut("map_index"); ok {
		if v, err := strconv.Atoi(after); err == nil {
			n.MapIndex, mapped = v, true
			dir = before
		}
	}
	before, after, ok := cut("task_id")
	if !ok {
		return
	}
	n.TaskID, dir = after, before
	if before, after, ok := cut("run_id"); ok {
		n.RunID, dir = after, before
	}
	if _, after, ok := cut("dag_id"); ok {
		n.DagID = after
	}
	if !mapped {
		n.MapIndex = -1
	}
}

func siblingKind(tail string) string {
	tail = strings.TrimPrefix(tail, ".log")
	switch {
	case tail == "" || tail == ".gz" || tail == ".zst" || tail == ".json" || tail == ".txt":
		return ""
	case strings.HasPrefix(tail, ".trigger"):
		return "trigger"
	case strings.HasSuffix(strings.TrimSuffix(tail, ".log"), "Job"):
		return "scheduler"
	}
	if len(tail) > 1 && tail[0] == '.' {
		if _, rest, ok := leadingInt(tail[1:]); ok && rest == "" {
			return "rotated"
		}
	}
	return ""
}

func leadingInt(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' && i < 9 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}

func isISODate(s string) bool {
	_, rest, ok := parseMoment([]byte(s))
	return ok && len(rest) == 0
}

// reprTI is what `<TaskInstance: dag.task run map_index=3 [state]>` says. Ids may hold dots, so that the place where the
// dag id ends is known only from elsewhere.
type reprTI struct {
	dotted string // dag_id.task_id
	run    string
	mapIdx int
}

// parseTI reads the inside of a TaskInstance repr without its state.
func parseTI(s string) reprTI {
	t := reprTI{mapIdx: -1}
	dotted, rest, ok := strings.Cut(s, " ")
	t.dotted = dotted
	if !ok {
		return t
	}
	if i := strings.LastIndex(rest, " map_index="); i >= 0 {
		if v, err := strconv.Atoi(rest[i+len(" map_index="):]); err == nil {
			t.mapIdx = v
			rest = rest[:i]
		}
	}
	t.run = rest
	return t
}

// split gives dag and task where the split is certain: one dot, or a task id that is known from elsewhere.
func (t reprTI) split(task string) (dag, tsk string) {
	if task != "" && strings.HasSuffix(t.dotted, "."+task) {
		return strings.TrimSuffix(t.dotted, "."+task), task
	}
	if strings.Count(t.dotted, ".") == 1 {
		dag, tsk, _ = strings.Cut(t.dotted, ".")
	}
	return dag, tsk
}

// keyFields reads "dag_id='d', task_id='t', run_id='r', try_number=1, map_index=-1", the inside of a TaskInstanceKey.
func keyFields(s string) Identity {
	id := Identity{MapIndex: MapUnknown}
	value := func(key string) (string, bool) {
		i := strings.Index(s, key+"=")
		if i < 0 {
			return "", false
		}
		v := s[i+len(key)+1:]
		if v == "" {
			return "", false
		}
		if v[0] == '\'' || v[0] == '"' {
			end := strings.IndexByte(v[1:], v[0])
			if end < 0 {
				return "", false
			}
			return v[1 : 1+end], true
		}
		end := strings.IndexAny(v, ",) ")
		if end < 0 {
			end = len(v)
		}
		return v[:end], true
	}
	id.DagID, _ = value("dag_id")
	id.TaskID, _ = value("task_id")
	id.RunID, _ = value("run_id")
	if v, ok := value("try_number"); ok {
		id.Try, _ = strconv.Atoi(v)
	}
	if v, ok := value("map_index"); ok {
		if m, err := strconv.Atoi(v); err == nil {
			id.MapIndex = m
		}
	}
	return id
}

// argv reads the inside of a Python list of strings.
func argv(s string) []string {
	var out []string
	for len(s) > 0 {
		s = strings.TrimLeft(s, ", ")
		if s == "" || s[0] != '\'' && s[0] != '"' {
			return out
		}
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return out
		}
		out = append(out, s[1:1+end])
		s = s[end+2:]
	}
	return out
}

// commandIdentity reads "airflow tasks run D T R --map-index 3" (1.10: "airflow run D T DATE"). The program's name may be
// masked, so it is not looked at.
func commandIdentity(args []string) (id Identity, ok bool) {
	id.MapIndex = -1
	i := 1
	if len(args) > 2 && args[0] == "bash" && args[1] == "-c" {
		args = append([]string{}, strings.Fields(args[2])...)
	}
	if len(args) > i && args[i] == "tasks" {
		i++
	}
	if len(args) < i+4 || args[i] != "run" {
		return id, false
	}
	id.DagID, id.TaskID, id.RunID = args[i+1], args[i+2], args[i+3]
	for j, a := range args {
		if a == "--map-index" && j+1 < len(args) {
			if v, err := strconv.Atoi(args[j+1]); err == nil {
				id.MapIndex = v
			}
		}
	}
	return id, true
}

// runKey makes run ids comparable: execution dates are compared as times, everything else as spelled.
func runKey(run string) string {
	if m, rest, ok := parseMoment([]byte(run)); ok && len(rest) == 0 {
		return m.at.UTC().Format(time.RFC3339Nano)
	}
	return run
}

// sameRun says whether two run ids can be one run: equal, equal as times, or one is a run id whose logical date is the
// other (a scheduled run's id is scheduled__DATE, and 1.10 to 2.1 wrote the date alone).
func sameRun(a, b string) bool {
	if a == b {
		return true
	}
	ka, kb := runKey(a), runKey(b)
	if ka == kb {
		return true
	}
	_, da, oka := strings.Cut(a, "__")
	_, db, okb := strings.Cut(b, "__")
	switch {
	case oka && !okb:
		return runKey(da) == kb
	case okb && !oka:
		return runKey(db) == ka
	}
	return false
}

// merge fills what id does not know from other. It is not ok where they contradict each other.
func (id *Identity) merge(other Identity) {
	if id.DagID == "" {
		id.DagID = other.DagID
	}
	if id.RunID == "" {
		id.RunID = other.RunID
	}
	if id.TaskID == "" {
		id.TaskID = other.TaskID
	}
	if id.MapIndex == MapUnknown {
		id.MapIndex = other.MapIndex
	}
	if id.Try == 0 {
		id.Try = other.Try
	}
}

// known says whether the task instance (not the try) is fully named.
func (id Identity) known() bool { return id.DagID != "" && id.RunID != "" && id.TaskID != "" }
