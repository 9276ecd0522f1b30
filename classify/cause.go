package classify

import (
	"strings"
)

// because is a cause with what proves it.
type because struct {
	cause      string
	certainty  Certainty
	proof      *Place
	candidates []Candidate
}

func proven(cause string, f *fact) because {
	b := because{cause: cause, certainty: Proven}
	if f != nil {
		p := f.place
		b.proof = &p
	}
	return b
}

// unknownOf is a cause that nothing proves, with what is not excluded.
func unknownOf(cause string, candidates ...Candidate) because {
	return because{cause: cause, certainty: Unknown, candidates: candidates}
}

// cause says why, as far as the try's own log does.
func (t *tryLog) cause(d *decision) because {
	s := d.seg
	if f := s.lastOf("user-rule"); f != nil && d.ending.Failed() {
		b := because{cause: f.rule.Cause, certainty: Likely}
		p := f.place
		b.proof = &p
		return b
	}
	switch d.ending {
	case Success, Rescheduled, Deferred, Unrecognized:
		return because{}
	case Skipped:
		return proven("skip", d.f)
	case Traceback:
		return t.tracebackCause(s, d)
	case NegativeReturnCode:
		return s.signalCause(d)
	case ExternallySet:
		return s.setterCause(d)
	case NeverStarted:
		return s.neverStartedCause(d)
	case LogMissing:
		return t.missingCause(d)
	}
	// Unfinished: the log stops.
	if f := s.firstOf("heartbeat-limit", "heartbeats-lost"); f != nil {
		return proven("heartbeats-lost", f)
	}
	if f := s.firstOf("sigterm-supervisor"); f != nil {
		return proven("worker-shutdown", f)
	}
	if f := s.firstOf("sigterm-task"); f != nil {
		b := sigtermUnknown()
		p := f.place
		b.proof = &p
		return b
	}
	return unknownOf("unknown")
}

func sigtermUnknown() because {
	return unknownOf("sigterm-unknown",
		Candidate{"pod-deleted", Possible, "a deleted pod forwards SIGTERM to its process"},
		Candidate{"worker-shutdown", Possible, "a worker that shuts down ends its tasks"},
		Candidate{"node-drained", Possible, "a drained node deletes its pods"})
}

func memoryCandidate() Candidate {
	return Candidate{"memory", Possible, "the kernel sends SIGKILL when memory runs out; nothing in this log says that it did"}
}

// signalCause explains a death by signal.
func (s *segment) signalCause(d *decision) because {
	if f := s.firstOf("heartbeat-limit", "heartbeats-lost"); before(f, d.f) {
		return proven("heartbeats-lost", f)
	}
	if f := s.lastOf("escalated"); f != nil && d.signal == 9 {
		if sup := s.firstOf("sigterm-supervisor"); sup != nil {
			return proven("worker-shutdown", sup)
		}
		return proven("airflow-sigkill", f)
	}
	if f := s.firstOf("sigterm-supervisor"); f != nil {
		return proven("worker-shutdown", f)
	}
	switch d.signal {
	case 9:
		b := unknownOf("sigkill-unknown", memoryCandidate(),
			Candidate{"pod-deleted", Possible, "a pod that is not gone after its grace period is killed"},
			Candidate{"worker-killed", Possible, "somebody or something may have sent the signal by hand"})
		return b
	case 11:
		return proven("segfault", d.f)
	case 6:
		return proven("abort", d.f)
	case 4, 7, 8, 31:
		return proven("native-crash", d.f)
	case 15:
		return sigtermUnknown()
	}
	return unknownOf("signal-unknown", Candidate{"worker-killed", Possible, "somebody or something may have sent the signal by hand"})
}

// setterCause explains a state that was set from outside.
func (s *segment) setterCause(d *decision) because {
	if f := s.firstOf("dagrun-timed-out"); f != nil && d.f.name == "externally-set" {
		return proven("dagrun-timeout", f)
	}
	f := d.f
	switch f.name {
	case "owner-mismatch":
		return proven("superseded", f)
	case "server-terminated", "server-terminated-w":
		return serverCause(f)
	}
	setter := func(c ...Candidate) because { return unknownOf("setter-unknown", c...) }
	person := Candidate{"marked-failed", Possible, "a person or a script marked it"}
	zombie := Candidate{"false-zombie", Possible, "the scheduler purged it although it was alive"}
	switch f.value("state") {
	case "restarting", "shutdown":
		return proven("cleared", f)
	case "removed":
		return proven("task-removed", f)
	case "None":
		if strings.Contains(s.failureText(), "_ti_fkey") || strings.Contains(s.failureText(), "task_instance.") {
			b := proven("dagrun-deleted", f)
			b.certainty = Likely
			return b
		}
		return setter(Candidate{"cleared", Possible, "clearing empties the state"}, Candidate{"dagrun-deleted", Possible, "deleting the run removes the row"})
	case "failed":
		return setter(person, zombie, Candidate{"fail-fast", Possible, "another task of a fail_stop DAG failed"})
	case "success":
		return setter(Candidate{"marked-success", Possible, "a person or a script marked it"}, Candidate{"superseded", Possible, "another process of the same try finished first"})
	case "skipped":
		return setter(Candidate{"dagrun-timeout", Possible, "a run that times out skips what still runs"}, Candidate{"marked-success", Possible, "a person or a script set it"})
	case "up_for_retry":
		return setter(zombie, Candidate{"cleared", Possible, "clearing a running task can end so"})
	case "queued", "scheduled":
		return setter(Candidate{"orphan-reset", Possible, "a scheduler reset it as an orphan"}, Candidate{"executor-mismatch", Possible, "the executor gave it back"}, zombie)
	}
	return setter(person, zombie)
}

// failureText is the text of the last own failure, whatever recorded it.
func (s *segment) failureText() string {
	for i := len(s.facts) - 1; i >= 0; i-- {
		if x := s.facts[i].exc; x != nil {
			return x.text
		}
	}
	for i := len(s.errors) - 1; i >= 0; i-- {
		if x := s.errors[i].exc; x != nil {
			return x.text
		}
	}
	return ""
}

// serverCause explains what the API server of Airflow 3 told the supervisor.
func serverCause(f *fact) because {
	detail := f.value("detail")
	setter := func(c ...Candidate) because { return unknownOf("setter-unknown", c...) }
	switch {
	case strings.Contains(detail, "running_elsewhere"):
		return proven("superseded", f)
	case strings.Contains(detail, "may have been moved to the Task Instanc"):
		return setter(Candidate{"cleared", Possible, "clearing moves the try to the history"},
			Candidate{"orphan-reset", Possible, "a scheduler that starts resets running tries"})
	case strings.Contains(detail, "not_found"):
		return setter(Candidate{"dagrun-deleted", Possible, "the run was deleted"}, Candidate{"cleared", Possible, "clearing gives the next try a new row"},
			Candidate{"orphan-reset", Possible, "a scheduler that starts resets running tries"})
	}
	switch serverState(f) {
	case "restarting":
		return proven("cleared", f)
	case "removed":
		return proven("task-removed", f)
	case "failed":
		return setter(Candidate{"marked-failed", Possible, "a person or a script marked it"},
			Candidate{"false-zombie", Possible, "the scheduler failed it for missing heartbeats"},
			Candidate{"dagrun-timeout", Possible, "the run ran out of time"}, Candidate{"fail-fast", Possible, "another task of a fail_fast DAG failed"})
	case "success":
		return setter(Candidate{"marked-success", Possible, "a person or a script marked it"})
	case "skipped":
		return setter(Candidate{"dagrun-timeout", Possible, "a run that times out skips what still runs"})
	case "queued", "scheduled", "up_for_retry", "":
		return setter(Candidate{"orphan-reset", Possible, "a scheduler reset it"}, Candidate{"false-zombie", Possible, "the scheduler purged it although it was alive"},
			Candidate{"cleared", Possible, "somebody cleared it"})
	}
	return setter()
}

func (s *segment) neverStartedCause(d *decision) because {
	if f := s.firstOf("import-failed"); f != nil {
		return proven("import-error", f)
	}
	if d.f != nil && d.f.name == "dag-not-found" {
		return proven("dag-missing", d.f)
	}
	if f := s.lastOf("deps-not-met"); f != nil {
		dep := f.value("dependency")
		b := unknownOf("unknown", Candidate{"superseded", Possible, "another process runs or ran this try (dependency '" + dep + "' not met)"})
		if dep == "Task Instance Not Running" {
			b = because{cause: "superseded", certainty: Likely}
		}
		p := f.place
		b.proof = &p
		return b
	}
	return unknownOf("unknown")
}

func (t *tryLog) missingCause(d *decision) because {
	b := unknownOf("unknown",
		Candidate{"log-upload-missing", Possible, "the process that would have uploaded the log may be gone"})
	for i := range t.reader {
		if t.reader[i].name == "reader-empty-host" {
			b.candidates = append([]Candidate{{"stuck-queued", Possible, "the try never got a host, so it probably never started"}}, b.candidates...)
			break
		}
	}
	return b
}

// tracebackCause explains an exception by its type and, where Airflow writes it, its text.
func (t *tryLog) tracebackCause(s *segment, d *decision) because {
	p := func(cause string) because {
		b := because{cause: cause, certainty: Proven}
		if d.place != nil {
			b.proof = d.place
		}
		return b
	}
	if f := s.firstOf("heartbeat-limit"); f != nil && isOrNoException(d.exc, "Time since last heartbeat", "SIGTERM") {
		return proven("heartbeats-lost", f)
	}
	if isSigterm(d.exc) || d.exc == nil && s.sigtermOnly() {
		if f := s.firstOf("sigterm-supervisor"); f != nil {
			return proven("worker-shutdown", f)
		}
		b := sigtermUnknown()
		b.proof = d.place
		return b
	}
	if d.exc == nil {
		text := ""
		if d.f != nil {
			text = d.f.place.Text
			switch d.f.name {
			case "system-exit":
				return p("sys-exit")
			case "trigger-failed":
				return p("trigger-failed")
			case "return-code", "exited-abnormally", "verdict":
				if c := d.code; c != nil && *c == 143 {
					if f := s.firstOf("sigterm-supervisor"); f != nil {
						return proven("worker-shutdown", f)
					}
				}
				if f := s.firstOf("sigterm-supervisor"); f != nil {
					return proven("worker-shutdown", f)
				}
				b := p("sys-exit")
				b.certainty = Likely
				b.candidates = []Candidate{{"import-error", Possible, "a process that fails before it can log leaves its code alone"}}
				return b
			}
		}
		if strings.HasPrefix(text, "Bash command failed") {
			return p("bash-exit")
		}
		return p("user-exception")
	}
	x := d.exc
	typ := x.Type
	if i := strings.LastIndexByte(typ, '.'); i >= 0 {
		typ = typ[i+1:]
	}
	switch {
	case typ == "AirflowTaskTimeout":
		return p("execution-timeout")
	case typ == "AirflowSensorTimeout", strings.HasPrefix(x.Message, "Snap. Time is OUT"), strings.HasPrefix(x.Message, "Sensor has timed out;"):
		return p("sensor-timeout")
	case typ == "AirflowFailException":
		return p("fail-exception")
	case typ == "TaskDeferralTimeout", typ == "TaskDeferralError" && strings.Contains(x.Message, "imeout"):
		return p("trigger-timeout")
	case typ == "TaskDeferralError", typ == "TriggerFailureReason", s.firstOf("trigger-failed") != nil:
		return p("trigger-failed")
	case typ == "MemoryError":
		return p("memory-error")
	case typ == "SystemExit":
		return p("sys-exit")
	case isSegfault(x):
		return p("segfault")
	case strings.HasPrefix(x.Message, "Bash command failed"):
		return s.bashCause(p("bash-exit"), x)
	case s.firstOf("dag-not-found") != nil:
		return s.neverStartedCause(d)
	}
	if d.f != nil && d.f.name == "top-level-error" && strings.Contains(x.text, "409") && strings.Contains(x.text, "previous_state") {
		b := p("setter-unknown")
		b.certainty = Unknown
		b.candidates = []Candidate{{"marked-failed", Possible, "the state had been set before the task could report its own"}}
		return b
	}
	if remote, ok := remotePodCause(s, x); ok && launchesPods(t.operator, s, x) {
		b := p(remote)
		if remote != "remote-user-error" && remote != "remote-memory-container" && remote != "remote-native-crash" {
			b.certainty = Likely
		}
		return b
	}
	return p("user-exception")
}

func isOrNoException(x *raised, parts ...string) bool {
	if x == nil {
		return true
	}
	for _, p := range parts {
		if strings.Contains(x.Message, p) {
			return true
		}
	}
	return false
}

// bashCause: the command of a BashOperator was killed, or left with a code of its own.
func (s *segment) bashCause(b because, x *raised) because {
	code := ""
	if f := s.lastOf("command-exit"); f != nil {
		code = f.value("code")
	} else if i := strings.LastIndex(strings.TrimRight(x.Message, ". "), " "); i >= 0 {
		code = strings.TrimRight(x.Message, ". ")[i+1:]
	}
	switch code {
	case "-9", "137":
		b.candidates = []Candidate{{"memory-child", Possible, "the command was killed (exit code " + code + "); the kernel does so when memory runs out, and so can anybody"}}
	case "-15", "143":
		b.candidates = []Candidate{{"sigterm-unknown", Possible, "the command may have received SIGTERM; a script can also leave with this code by itself"}}
	case "-11", "139":
		b.candidates = []Candidate{{"segfault", Possible, "the command may have crashed (SIGSEGV)"}}
	}
	return b
}

// launchesPods says whether the exception can be that of an operator that launches pods: a user's text may say the same.
func launchesPods(operator string, s *segment, x *raised) bool {
	if s.lastOf("remote-pod") != nil || strings.Contains(operator, "Kubernetes") || strings.Contains(operator, "Pod") || strings.Contains(operator, "GKE") || strings.Contains(operator, "Eks") {
		return true
	}
	return operator == "" && strings.HasSuffix(x.Type, "AirflowException") || strings.HasSuffix(x.Type, "PodLaunchFailedException")
}

// remotePodCause reads what KubernetesPodOperator says of the pod that it launched.
func remotePodCause(s *segment, x *raised) (string, bool) {
	text := x.text
	if f := s.lastOf("remote-pod"); f != nil {
		text += "\nreason: " + f.value("reason") + " exit_code: " + f.value("code")
	}
	pod := strings.Contains(text, "returned a failure") || strings.Contains(text, "remote_pod:") || s.lastOf("remote-pod") != nil ||
		strings.Contains(text, "Pod Launching failed")
	if !pod {
		return "", false
	}
	switch {
	case strings.Contains(text, "OOMKilled"):
		return "remote-memory-container", true
	case strings.Contains(text, "Evicted"):
		return "remote-pod-deleted", true
	case strings.Contains(text, "ErrImagePull"), strings.Contains(text, "ImagePullBackOff"), strings.Contains(text, "InvalidImageName"):
		return "remote-image-pull", true
	case strings.Contains(text, "CreateContainerConfigError"):
		return "remote-container-config", true
	case exitCodeIn(text, "139"), exitCodeIn(text, "134"):
		return "remote-native-crash", true
	}
	return "remote-user-error", true
}

func exitCodeIn(text, code string) bool {
	for _, k := range []string{"exit_code': " + code, "exit_code: " + code, "exit_code=" + code, "exitCode: " + code} {
		if strings.Contains(text, k) {
			return true
		}
	}
	return false
}
