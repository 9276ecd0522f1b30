package classify

import "time"

// Schema is the version of the JSON contract that every row carries. Fields are only ever added to it.
const Schema = 1

// Ending says how a log ended: one of the closed list below.
type Ending string

// The endings. Their meaning is printed by `lastwords explain NAME`.
const (
	Success             Ending = "success"
	Skipped             Ending = "skipped"
	Rescheduled         Ending = "rescheduled"
	Deferred            Ending = "deferred"
	Traceback           Ending = "traceback"
	NegativeReturnCode  Ending = "negative-return-code"
	TruncatedThenZombie Ending = "truncated-then-zombie"
	ExternallySet       Ending = "externally-set"
	NeverStarted        Ending = "never-started"
	Unfinished          Ending = "unfinished"
	LogMissing          Ending = "log-missing"
	Unrecognized        Ending = "unrecognized"
)

// Endings lists all endings, the good ones first, in the order in which reports print them.
var Endings = [...]Ending{Success, Skipped, Rescheduled, Deferred, Traceback, NegativeReturnCode, TruncatedThenZombie,
	ExternallySet, NeverStarted, Unfinished, LogMissing, Unrecognized}

// Failed says whether a try with this ending needs somebody's attention.
func (e Ending) Failed() bool {
	switch e {
	case Success, Skipped, Rescheduled, Deferred, Unrecognized:
		return false
	}
	return true
}

// Certainty says how sure a statement is.
type Certainty string

// The certainties, surest first.
const (
	Proven   Certainty = "proven"
	Likely   Certainty = "likely"
	Possible Certainty = "possible"
	Unknown  Certainty = "unknown"
)

// RecordedBy names who wrote the record that ends a try.
type RecordedBy string

// The recorders of an ending.
const (
	ByTaskRunner RecordedBy = "task-runner"
	BySupervisor RecordedBy = "supervisor"
	ByScheduler  RecordedBy = "scheduler"
	ByExecutor   RecordedBy = "executor"
	ByTriggerer  RecordedBy = "triggerer"
	ByPerson     RecordedBy = "person"
	ByNobody     RecordedBy = "nobody"
)

// MapUnknown is the map index of a log that names neither a mapped nor an unmapped task instance.
const MapUnknown = -2

// Identity names a task instance and one of its tries as Airflow spells them. Empty strings and zero numbers are
// unknown; they are never guessed.
type Identity struct {
	DagID    string
	RunID    string // 1.10 to 2.1: the execution date as spelled
	TaskID   string
	MapIndex int // -1: not mapped, MapUnknown: not known
	Try      int // 1-based, 0: not known
}

// Place points at a record: where it stands and what it says.
type Place struct {
	Source string
	Line   int64 // 1-based, counts \n only; 0: not counted
	Offset int64 // bytes after decompression, before decoding; -1: not known
	At     time.Time
	Text   string // without control characters, cut to MaxText bytes
}

// MaxText is the number of bytes of a record's text that a Place keeps.
const MaxText = 600

// Exception is the exception that ended a try.
type Exception struct {
	Type    string // with its module where the log prints it
	Message string
	Root    string // type of the first exception of the chain; equals Type where there is no chain
	File    string // innermost frame of the user's own code
	Line    int
}

// Evidence is a record that a rule fired on.
type Evidence struct {
	Rule    string
	Witness string // log, scheduler, worker, triggerer; later pod, event, node, kernel, audit, database, rest
	Place
	Until  time.Time // end of an interval (aggregated events), else zero
	Says   string    // one sentence
	Object string    // pod, host, process or executor id that it speaks of, else empty
}

// Candidate is a cause that is not excluded.
type Candidate struct {
	Cause     string
	Certainty Certainty
	Why       string
}

// WitnessView says what one witness contributes.
type WitnessView struct {
	Witness string
	Stance  string // agrees, contradicts, silent, expired, not-asked
	Why     string
}

// Step is one link from the root of a death to its means.
type Step struct {
	Step    string
	At      time.Time
	Witness string
}

// Join says how a witness was tied to the try.
type Join struct {
	Object string
	By     string // container-id, pod-uid, annotations, pod-name, host-pid, ids, labels, node-time, only-one
}

// NextStep is something that a person can do now.
type NextStep struct {
	Say    string
	Run    string // a command, or empty
	Safety string // inspect, low-risk, mutating
}

// Try is the verdict over one try of a task instance.
type Try struct {
	Identity
	MaxTries int // M of "attempt N of M", 0: not known

	Source  string   // as it was named to the tool; empty without a log
	Sources []string // every file that was merged into this row

	Ending          Ending
	EndingCertainty Certainty
	Cause           string // a slug, or empty (null)
	Certainty       Certainty
	RecordedBy      RecordedBy

	Signal   int  // 9 for SIGKILL; 0: none named
	ExitCode *int // negative for a signal

	Exception *Exception
	SetTo     string
	SetBy     string

	Verdict   *Place
	Proof     *Place
	LastWords *Place

	Evidence   []Evidence
	Candidates []Candidate
	Witnesses  []WitnessView
	Chain      []Step
	Joined     []Join

	StartedAt time.Time
	EndedAt   time.Time // last sign of life
	NoticedAt time.Time

	Retry     string // due, none, unknown
	NextTryAt time.Time

	Host     string
	Pod      string
	Node     string
	PID      int
	Operator string
	Airflow  string // version or family as far as the log shows it

	Segments     int   // 0: not counted
	SearchedFrom int64 // offset from which the log was read to its end; -1: everything was read
	Size         int64 // bytes of the log, -1: not known

	Next []NextStep

	// What the history needs and rows do not show.
	QueuedAt    time.Time // from scheduler records
	Spans       []Span    // what each segment did, in order
	AfterEnd    []Evidence
	PreciseTime bool     // EndedAt comes from a record with milliseconds
	Tail        []string // texts of the last records of the task's own code, oldest first

	own *open // what its log keeps open for records from outside
}

// HasLog says whether the row rests on the try's own log, and not on others' records alone.
func (t *Try) HasLog() bool { return t.Source != "" && (t.own == nil || !t.own.noLog) }

// Span is a stretch of one try's life.
type Span struct {
	Phase    string // queued, running, deferred, rescheduled, undetected, waiting
	From, To time.Time
}

// Duration is start to last sign of life in seconds; ok is false where either is unknown.
func (t *Try) Duration() (s float64, ok bool) {
	if t.StartedAt.IsZero() || t.EndedAt.IsZero() || t.EndedAt.Before(t.StartedAt) {
		return 0, false
	}
	return t.EndedAt.Sub(t.StartedAt).Seconds(), true
}

// Undetected is the time between the last sign of life and the record of the ending in seconds.
func (t *Try) Undetected() (s float64, ok bool) {
	if t.NoticedAt.IsZero() || t.EndedAt.IsZero() || t.NoticedAt.Before(t.EndedAt) {
		return 0, false
	}
	return t.NoticedAt.Sub(t.EndedAt).Seconds(), true
}

// Finding is what only a history (or several) shows.
type Finding struct {
	ID        string
	Says      string
	Tries     []int
	Certainty Certainty
	Why       string
	Evidence  []Evidence
	// Where is set on findings that span task instances.
	Where []string
}

// Phase is one bar of a timeline.
type Phase struct {
	Try       int
	Phase     string // queued, running, deferred, rescheduled, undetected, waiting
	From, To  time.Time
	Estimated bool
}

// Cost is what a history cost, in seconds. A nil pointer is unknown, which is not zero.
type Cost struct {
	Running     *float64
	Deferred    *float64
	Rescheduled *float64
	Undetected  *float64
	Waiting     *float64
	Queued      *float64
	OnTop       *float64 // undetected + waiting
	Avoidable   *float64 // everything after the noticing of the try at which a finding first held
	Estimated   bool
}

// Gap is the try numbers that are missing between two tries: the first and the last of them.
type Gap struct{ From, To int }

// Task is the history of one task instance.
type Task struct {
	Identity        // Try is 0
	Tries    []*Try // in order of their number
	Numbers  []int
	Missing  []int // numbers that lie between them; the first 100
	Gaps     []Gap // the same, all of them
	Findings []Finding
	Timeline []Phase
	Cost     Cost
}

// Problem is an input, or a part of one, that could not be read.
type Problem struct {
	Source string
	Err    string
	Hint   string
}

// Summary counts what a report holds. It is a function of the input alone.
type Summary struct {
	Tries    int
	Tasks    int
	Endings  map[Ending]int
	Causes   map[string]int
	Findings map[string]int
	Files    map[string]int // kind of file -> count
	Bytes    int64          // size of everything that was named or found
	Unseen   int            // tries that only a scheduler or worker log names, without a record that ends them
	Shown    int            // tries left after filters
}

// Report is everything that is rendered.
type Report struct {
	Tries    []*Try    // all, ordered by identity and try number
	Tasks    []*Task   // histories; task instances whose only try went well are only counted
	Findings []Finding // spanning task instances
	Problems []Problem
	Summary  Summary
	Now      time.Time
}
