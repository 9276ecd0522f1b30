package classify

import "bytes"

// An ordinary log is one of the thousands that go well, or that just stop: one attempt, start records, work, and perhaps
// its own success. Where its name says whose try it is, most of its start records say nothing new, so that they are left
// out before they become records. The verdict is the same with them; a test holds that.

// idle are openings of records that an ordinary log has and that say nothing which its name, or a kept record, does not.
var idle = [][]byte{
	[]byte("Dependencies all met for "), []byte("Running: ["), []byte("Job "), []byte("Exporting env vars: "), []byte("::group::P"),
	[]byte("::endgroup::"), []byte("Done. Returned value was: "), []byte("Task exited with return code 0"),
	[]byte("0 downstream tasks scheduled"), []byte("1 downstream tasks scheduled"), []byte("-----"),
}

// telling are the records of an ordinary log that say something.
var telling = [][]byte{
	[]byte("Starting attempt "), []byte("Executing <"), []byte("Started process "), []byte("Running <TaskInstance: "),
	[]byte("Marking task as SUCCESS"),
}

// ordinary counts what makes a log ordinary while its parts are looked at.
type ordinary struct {
	attempts, successes int
	ti, ids             []byte // how its records name the task instance
}

func newOrdinary(id *Identity) ordinary {
	return ordinary{ti: []byte("<TaskInstance: " + id.DagID + "." + id.TaskID + " "), ids: []byte("dag_id=" + id.DagID + ", task_id=" + id.TaskID + ",")}
}

// names says whether a record names the task instance where it names one at all.
func (o *ordinary) names(msg []byte) bool {
	switch msg[0] {
	case 'D', 'R':
		return !bytes.Contains(msg, o.ti[:len("<TaskInstance: ")]) || bytes.Contains(msg, o.ti)
	case 'M':
		return bytes.Contains(msg, o.ids)
	}
	return true
}

// trim leaves out the idle records of a part of a log, and of the task's own records all but those that can be its last
// words. It is not ok, and nothing is left out, where the part has any other record of Airflow's.
func (o *ordinary) trim(block []byte, k kept) (_ kept, ok bool) {
	out := make([]stretch, 0, 16)
	from := 0 // where the own records begin that stand before no other record yet
	for _, p := range k.lines {
		if p.mine {
			out = append(out, p)
			continue
		}
		msg := message(block[p.from:p.to])
		if len(msg) == 0 || !o.names(msg) {
			return k, false
		}
		switch {
		case opens(msg, telling):
			if msg[0] == 'S' && msg[5] == 'i' { // Starting attempt
				if o.attempts++; o.attempts > 1 {
					return k, false
				}
			}
			if msg[0] == 'M' {
				if o.successes++; o.successes > 1 {
					return k, false
				}
				out = append(out[:from], out[max(from, len(out)-1):]...)
			}
			out = append(out, p)
			from = len(out)
		case opens(msg, idle):
		default:
			return k, false
		}
	}
	if o.attempts == 0 {
		return k, false // nothing would be left of a log that only began to begin
	}
	if n := len(k.lines); n > 0 && o.successes == 0 && (len(out) == 0 || out[len(out)-1] != k.lines[n-1]) {
		out = append(out, k.lines[n-1]) // its last sign of life
	}
	k.lines = out
	if o.successes > 0 && len(k.tail) > 0 {
		return k, false // the task went on after its success
	}
	return k, true
}

func opens(msg []byte, list [][]byte) bool {
	for _, lit := range list {
		if bytes.HasPrefix(msg, lit) {
			return true
		}
	}
	return false
}

// message is what stands behind "{file.py:12} INFO - " of a file that is Airflow's own, or nil.
func message(line []byte) []byte {
	if len(line) < 24 || line[0] != '[' {
		return nil
	}
	if _, _, ok := parseMoment(line[1:]); !ok {
		return nil
	}
	h := line[:min(len(line), 140)]
	i := bytes.Index(h, []byte("} INFO - "))
	if i < 0 {
		return nil
	}
	name := h[:i]
	name = name[bytes.LastIndexByte(name, '{')+1:]
	colon := bytes.IndexByte(name, ':')
	if colon < 0 || colon+1 == len(name) || !coreFiles[string(name[:colon])] {
		return nil
	}
	if _, ok := digits(name[colon+1:], len(name)-colon-1); !ok {
		return nil
	}
	return line[i+len("} INFO - "):]
}
