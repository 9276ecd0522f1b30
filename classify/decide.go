package classify

import (
	"strconv"
	"strings"
)

// decision is what one try's own log says of its ending, before anybody else is heard.
type decision struct {
	seg    *segment
	ending Ending
	sure   Certainty
	by     RecordedBy
	f      *fact  // the record that proves the ending, nil where nobody recorded it
	place  *Place // where in that record, if not at its start
	exc    *raised
	signal int
	code   *int
	setTo  string
	weak   bool // a record from outside may still overrule it
}

// decide applies the order of precedence to the last segment that ran.
func (t *tryLog) decide() decision {
	d := t.decideSegment(t.last())
	if d.f != nil && d.place == nil {
		p := d.f.place
		d.place = &p
	}
	return d
}

// last is the segment that decides: the last one, unless it only was refused while an earlier one ran.
func (t *tryLog) last() *segment {
	if len(t.segs) == 0 {
		return &segment{}
	}
	for i := len(t.segs) - 1; i >= 0; i-- {
		s := t.segs[i]
		if s.ran || s.ended && s.firstOf("not-able") == nil || s.words != nil {
			return s
		}
	}
	return t.segs[len(t.segs)-1]
}

func (t *tryLog) decideSegment(s *segment) decision {
	d := decision{seg: s, sure: Proven, by: ByTaskRunner}

	// The task runner's own final state is sticky.
	if f := s.state("SUCCESS"); f != nil {
		d.ending, d.f = Success, f
		return d
	}
	if f := s.state("SKIPPED"); f != nil {
		d.ending, d.f = Skipped, f
		return d
	}
	v := s.lastOf("verdict")
	if v != nil && s.firstOf("server-terminated", "server-terminated-w") == nil {
		switch v.value("final_state") {
		case "success":
			d.ending, d.f, d.by = Success, v, BySupervisor
			return d
		case "skipped":
			d.ending, d.f, d.by = Skipped, v, BySupervisor
			return d
		case "deferred":
			d.ending, d.f, d.by = Deferred, v, BySupervisor
			if f := s.lastOf("deferred"); f != nil {
				d.f, d.by = f, ByTaskRunner
			}
			return d
		case "up_for_reschedule":
			d.ending, d.f, d.by = Rescheduled, v, BySupervisor
			if f := s.lastOf("rescheduled", "startup-rescheduled"); f != nil {
				d.f, d.by = f, ByTaskRunner
			}
			return d
		}
	}

	failure := s.ownFailure()
	if f := s.lastOf("deferred", "rescheduled", "startup-rescheduled"); f != nil && !after(failure, f) {
		d.ending, d.f = Deferred, f
		if f.name != "deferred" {
			d.ending = Rescheduled
		}
		return d
	}

	// Set from outside, unless the task's own failure had been recorded before.
	if f := s.firstOf("externally-set"); f != nil && !before(s.decided(failure), f) {
		d.ending, d.f, d.by, d.setTo = ExternallySet, f, BySupervisor, f.value("state")
		if d.setTo == "None" {
			d.setTo = ""
		}
		d.signal = s.stopSignal()
		return d
	}
	if f := s.firstOf("server-terminated", "server-terminated-w"); f != nil && !before(failure, f) {
		state := serverState(f)
		if done := s.finishing(); state == "success" && before(done, f) && s.own3(done) {
			d.ending, d.f, d.sure, d.weak = Success, done, Likely, true
			return d
		}
		d.ending, d.f, d.by, d.setTo = ExternallySet, f, BySupervisor, state
		if v != nil {
			d.signal = -codeOf(v.value("exit_code"))
		} else if x := s.lastOf("supervisor-exit"); x != nil {
			d.signal = -codeOf(x.value("exit_code"))
		}
		d.signal = max(d.signal, 0)
		return d
	}
	if f := s.firstOf("owner-mismatch"); f != nil && (s.lastOf("signal-sent") != nil || s.lastOf("sigterm-task") != nil) &&
		(failure == nil || isSigterm(failure.exc) || before(f, failure)) {
		d.ending, d.f, d.by = ExternallySet, f, BySupervisor
		d.signal = s.stopSignal()
		return d
	}

	// The process died by a signal and the supervisor lived to say so.
	if k, sig := s.killed(); k != nil && (!before(failure, k) || failure.name == "trigger-failed") {
		d.ending, d.f, d.by, d.signal = NegativeReturnCode, k, BySupervisor, sig
		if code := -sig; sig != 0 {
			d.code = &code
		}
		return d
	}
	if failure != nil {
		return s.traceback(d, failure)
	}
	if f := s.firstOf("dag-not-found"); f != nil {
		return t.neverFound(d, s)
	}
	if f := s.positiveCode(); f != nil {
		d.ending, d.f = Traceback, f
		code := codeOf(f.firstOf("code", "exit_code"))
		d.code = &code
		if f.name == "return-code" || f.name == "exited-abnormally" {
			d.by = BySupervisor
		}
		return d
	}
	if f := s.lastOf("skipping"); f != nil {
		d.ending, d.f = Skipped, f
		return d
	}
	if f := s.oldSuccess(); f != nil {
		d.ending, d.f, d.by = Success, f, BySupervisor
		return d
	}
	if f := s.firstOf("not-able"); f != nil && !s.ran && s.words == nil {
		d.ending, d.f, d.by = NeverStarted, f, BySupervisor
		return d
	}
	if d2, ok := t.startCrash(d, s); ok {
		return d2
	}
	if f := s.finishing(); f != nil && s.own3(f) && s.lastOf("report-failed") == nil {
		d.ending, d.f, d.sure, d.weak = Success, f, Likely, true
		return d
	}
	if t.records == 0 {
		return t.noLog(d)
	}
	d.ending, d.by, d.weak = Unfinished, ByNobody, true
	if s.firstOf("sigterm-task", "sigterm-supervisor") != nil {
		d.signal = 15
	}
	return d
}

// neverFound: the process began but there was no DAG or task to run.
func (t *tryLog) neverFound(d decision, s *segment) decision {
	d.ending, d.f = NeverStarted, s.firstOf("dag-not-found")
	return d
}

// noLog: only what a reader said, or nothing at all.
func (t *tryLog) noLog(d decision) decision {
	d.ending, d.by, d.weak = LogMissing, ByNobody, true
	for i := range t.reader {
		if strings.HasPrefix(t.reader[i].name, "reader-") && t.reader[i].name != "reader-line" {
			d.f = &t.reader[i]
		}
	}
	return d
}

// startCrash: a start record whose continuation is a traceback is the supervisor's own crash.
func (t *tryLog) startCrash(d decision, s *segment) (decision, bool) {
	for i := len(s.facts) - 1; i >= 0; i-- {
		f := s.facts[i]
		if f.name == "start-failed" {
			d.ending, d.f, d.by = Traceback, f, BySupervisor
			if f.exc != nil {
				d.exc, d.place = f.exc, excPlace(f)
			}
			return d, true
		}
		if f.exc != nil && starts[f.name] && s.words == nil {
			d.ending, d.f, d.exc, d.by, d.place = Traceback, f, f.exc, BySupervisor, excPlace(f)
			return d, true
		}
	}
	return d, false
}

// ownFailure finds the record of the exception that ended the segment: the first one, for callbacks and mails that fail
// later print the task's exception again.
func (s *segment) ownFailure() *fact {
	if f := s.firstOf("task-error", "system-exit"); f != nil {
		return f
	}
	fail := s.state("UP_FOR_RETRY", "FAILED")
	// 1.10 to 2.0.1: an ERROR record of the task runner whose text is the exception's own.
	for i := len(s.errors) - 1; i >= 0; i-- {
		e := &s.errors[i]
		if fail != nil && e.order > fail.order {
			continue
		}
		if e.exc != nil || fail != nil {
			if first := s.firstError(fail); first != nil {
				return first
			}
			return e
		}
	}
	if f := s.firstOf("trigger-failed", "top-level-error"); f != nil {
		return f
	}
	if f := s.firstOf("job-failed"); f != nil && (f.exc != nil || fail != nil) {
		return f
	}
	if fail != nil && s.killedBefore(fail) == nil {
		return fail
	}
	return nil
}

// firstError is the first ERROR record with a traceback, else the last one before the state.
func (s *segment) firstError(state *fact) *fact {
	for i := range s.errors {
		if e := &s.errors[i]; e.exc != nil && (state == nil || e.order < state.order) {
			return e
		}
	}
	return nil
}

// killedBefore finds a record of death by signal that stands before f: then f is bookkeeping (2.1.3 to 2.3.4).
func (s *segment) killedBefore(f *fact) *fact {
	if k, _ := s.killed(); k != nil && k.order < f.order {
		return k
	}
	return nil
}

// killed finds the record that says by which signal the task process died.
func (s *segment) killed() (*fact, int) {
	for i := len(s.facts) - 1; i >= 0; i-- {
		f := s.facts[i]
		switch f.name {
		case "return-code":
			if code := f.value("code"); codeOf(code) < 0 {
				return f, signalOf(-codeOf(code))
			} else if strings.HasPrefix(code, "Negsignal.") {
				return f, 0 // a signal that has no number here
			}
		case "signal":
			n := codeOf(f.value("signal"))
			if n == 0 {
				n = -signalNumber(f.value("signal_name"))
			}
			if n < 0 {
				n = -n
			}
			return f, signalOf(n)
		case "verdict":
			if n := codeOf(f.value("exit_code")); n < 0 && f.value("final_state") != "success" && s.firstOf("signal") == nil {
				return f, -n
			}
		}
	}
	if f := s.firstOf("segfault-banner"); f != nil && s.firstOf("task-error") == nil {
		return f, 11
	}
	if f := s.lastOf("killed-before-finished"); f != nil {
		return f, 9
	}
	if f := s.lastOf("reaped"); f != nil && s.firstOf("task-error") == nil {
		if n := codeOf(f.value("code")); n < 0 {
			return f, -n
		}
	}
	return nil, 0
}

// stopSignal is the signal by which a process went that Airflow stopped.
func (s *segment) stopSignal() int {
	if f := s.lastOf("reaped"); f != nil {
		if n := codeOf(f.value("code")); n < 0 {
			return -n
		}
	}
	if f := s.lastOf("killed-before-finished"); f != nil && s.lastOf("escalated") != nil {
		return 9
	}
	if s.firstOf("sigterm-task") != nil {
		return 15
	}
	return 0
}

// positiveCode finds a record that says that the process exited with a positive code.
func (s *segment) positiveCode() *fact {
	for _, name := range []string{"exited-abnormally", "return-code", "verdict"} {
		f := s.firstOf(name)
		if f == nil {
			continue
		}
		n := codeOf(f.firstOf("code", "exit_code"))
		if n > 0 && !(name == "return-code" && n == 100 && strings.Contains(f.place.Text, "deferral")) {
			return f
		}
		if name == "exited-abnormally" {
			return f
		}
		if name == "verdict" && (f.value("final_state") == "failed" || f.value("final_state") == "up_for_retry") && n >= 0 {
			return f
		}
	}
	if f := s.lastOf("interrupted"); f != nil {
		return f
	}
	if s.firstOf("sigterm-task") != nil {
		if f := s.lastOf("reaped"); f != nil && codeOf(f.value("code")) > 0 {
			return s.firstOf("sigterm-supervisor", "sigterm-task")
		}
	}
	return nil
}

// oldSuccess: up to 1.10.3 a return code of 0 was the only record of a success.
func (s *segment) oldSuccess() *fact {
	f := s.lastOf("return-code")
	if f == nil || codeOf(f.value("code")) != 0 || f.value("code") == "" {
		return nil
	}
	if s.oldFamily {
		return f
	}
	return nil
}

// finishing finds the last record that stands at the end of work that went well.
func (s *segment) finishing() *fact {
	for i := len(s.facts) - 1; i >= 0; i-- {
		f := s.facts[i]
		switch f.name {
		case "finishing":
			return f
		case "command-exit":
			if codeOf(f.value("code")) == 0 {
				return f
			}
			return nil
		case "chatter", "group", "endgroup", "after-failure", "heartbeat-failed", "task-killed", "escalating", "supervisor-exit",
			"server-terminated", "server-terminated-w":
		default:
			return nil
		}
	}
	return nil
}

// own3 says that a finishing record is Airflow 3's, whose task logs have no success line.
func (s *segment) own3(f *fact) bool { return f != nil && s.structured }

// decided is the own failure once the task runner had recorded the state that follows from it.
func (s *segment) decided(failure *fact) *fact {
	if failure == nil || isSigterm(failure.exc) {
		return nil
	}
	if st := s.state("UP_FOR_RETRY", "FAILED"); st != nil {
		return st
	}
	return failure
}

func (s *segment) traceback(d decision, f *fact) decision {
	d.ending, d.f, d.exc = Traceback, f, f.exc
	if f.name == "trigger-failed" {
		if e := s.firstOf("task-error"); e != nil {
			d.f, d.exc = e, e.exc
		}
	}
	if d.exc == nil && f.name == "job-failed" {
		d.exc = nil
	}
	if d.exc != nil {
		d.place = excPlace(d.f)
	}
	if isSigterm(d.exc) || s.sigtermOnly() {
		d.signal = 15
	}
	if isSegfault(d.exc) {
		d.signal = 11
	}
	if c := s.lastOf("return-code"); c != nil {
		n := codeOf(c.value("code"))
		d.code = &n
	} else if c := s.lastOf("exited-abnormally", "verdict"); c != nil {
		n := codeOf(c.value("exit_code"))
		d.code = &n
	}
	if c := s.lastOf("system-exit"); c != nil && c == d.f {
		if n, err := strconv.Atoi(c.firstOf("code", "exit_code")); err == nil {
			d.code = &n
		}
	}
	if d.exc == nil && f.name == "system-exit" {
		d.exc = &raised{Exception: Exception{Type: "SystemExit", Root: "SystemExit", Message: f.firstOf("code", "exit_code")}, at: textPos{no: f.place.Line, offset: f.place.Offset, text: f.place.Text}}
	}
	if d.exc != nil && f.name == "system-exit" && d.exc.at.no <= 0 {
		d.place = nil
	}
	return d
}

// sigtermOnly: the task got SIGTERM and failed without an exception that the log prints.
func (s *segment) sigtermOnly() bool {
	return s.firstOf("sigterm-task", "sigterm-supervisor") != nil && s.firstOf("task-error") == nil && len(s.errors) == 0
}

// excPlace is the place of the exception's "Type: message" line inside its record.
func excPlace(f *fact) *Place {
	p := f.place
	if f.exc == nil {
		return &p
	}
	if at := f.exc.at; at.no > 0 || at.no == 0 && at.offset > 0 {
		p.Line, p.Offset = at.no, at.offset
	}
	text := f.exc.Type
	if f.exc.Message != "" {
		text += ": " + f.exc.Message
	}
	p.Text = clean(text)
	return &p
}

func isSigterm(x *raised) bool {
	if x == nil {
		return false
	}
	return strings.HasPrefix(x.Message, "Task received SIGTERM signal") && strings.HasSuffix(x.Type, "AirflowException") ||
		strings.HasSuffix(x.Type, "AirflowTaskTerminated")
}

// isSegfault says whether an exception is the one that Airflow's own SIGSEGV handler raises.
func isSegfault(x *raised) bool {
	return x != nil && strings.HasSuffix(x.Type, "AirflowException") && strings.HasPrefix(x.Message, "Segmentation Fault detected")
}

func before(a, b *fact) bool { return a != nil && b != nil && a.order < b.order }
func after(a, b *fact) bool  { return a != nil && b != nil && a.order > b.order }

// codeOf reads -9, -9For, Negsignal.SIGKILL and <Negsignal.SIGKILL: -9>.
func codeOf(s string) int {
	s = strings.TrimPrefix(strings.TrimSuffix(s, ">"), "<")
	if i := strings.Index(s, ": "); i >= 0 {
		s = s[i+2:]
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if name, ok := strings.CutPrefix(s, "Negsignal."); ok {
		end := 0
		for end < len(name) && (name[end] >= 'A' && name[end] <= 'Z' || name[end] >= '0' && name[end] <= '9') {
			end++
		}
		return -signalNumber(name[:end])
	}
	end := 0
	if strings.HasPrefix(s, "-") {
		end = 1
	}
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(s[:end]) // "-9For more information", as 2.9.3 to 2.10.2 print it
	return n
}

var signalNumbers = map[string]int{
	"SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGIOT": 6, "SIGBUS": 7, "SIGFPE": 8,
	"SIGKILL": 9, "SIGUSR1": 10, "SIGSEGV": 11, "SIGUSR2": 12, "SIGPIPE": 13, "SIGALRM": 14, "SIGTERM": 15, "SIGSTKFLT": 16,
	"SIGCHLD": 17, "SIGCONT": 18, "SIGSTOP": 19, "SIGXCPU": 24, "SIGXFSZ": 25, "SIGSYS": 31,
}

// signalOf is n if that can be a signal, else 0: not known.
func signalOf(n int) int {
	if n > 64 {
		return 0
	}
	return n
}

func signalNumber(name string) int { return signalNumbers[name] }

// serverState is the current_state that the API server gave as its reason.
func serverState(f *fact) string {
	d := f.value("detail")
	for _, key := range []string{"current_state", "previous_state"} {
		for _, q := range []string{"'", `"`} {
			i := strings.Index(d, q+key+q)
			if i < 0 {
				continue
			}
			v := strings.TrimLeft(d[i+len(key)+2:], ": ")
			if v != "" && (v[0] == '\'' || v[0] == '"') {
				if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
					return v[1 : 1+end]
				}
			}
		}
	}
	return ""
}
