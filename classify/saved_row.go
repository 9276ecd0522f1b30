package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Rows of a saved scan, as cmd/lastwords writes them (row_try.go, row_kept.go, row_task.go). Types are strict, unknown
// fields are passed over: newer versions add some. A null stands for what is not known.

type savedTry struct {
	DagID     string   `json:"dag_id"`
	RunID     string   `json:"run_id"`
	TaskID    string   `json:"task_id"`
	MapIndex  *int     `json:"map_index"`
	TryNumber int      `json:"try_number"`
	MaxTries  int      `json:"max_tries"`
	Source    string   `json:"source"`
	Sources   []string `json:"sources"`

	Ending          Ending     `json:"ending"`
	EndingCertainty Certainty  `json:"ending_certainty"`
	Cause           string     `json:"cause"`
	Certainty       Certainty  `json:"certainty"`
	RecordedBy      RecordedBy `json:"recorded_by"`
	Signal          int        `json:"signal"`
	ExitCode        *int       `json:"exit_code"`
	Exception       *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Root    string `json:"root"`
		File    string `json:"file"`
		Line    int    `json:"line"`
	} `json:"exception"`
	SetTo string `json:"set_to"`
	SetBy string `json:"set_by"`

	Verdict   *savedPlace `json:"verdict"`
	Proof     *savedPlace `json:"proof"`
	LastWords *savedPlace `json:"last_words"`

	Evidence   []savedEvidence `json:"evidence"`
	Candidates []Candidate     `json:"candidates"`
	Witnesses  []WitnessView   `json:"witnesses"`
	Chain      []Step          `json:"chain"`
	Joined     []Join          `json:"joined"`

	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	NoticedAt time.Time `json:"noticed_at"`
	Retry     string    `json:"retry"`
	NextTryAt time.Time `json:"next_try_at"`

	Host         string     `json:"host"`
	Pod          string     `json:"pod"`
	Node         string     `json:"node"`
	PID          int        `json:"pid"`
	Operator     string     `json:"operator"`
	Airflow      string     `json:"airflow"`
	Segments     int        `json:"segments"`
	SearchedFrom *int64     `json:"searched_from"`
	Next         []NextStep `json:"next"`

	Kept savedKept `json:"kept"`
}

type savedPlace struct {
	Source string    `json:"source"`
	Line   int64     `json:"line"`
	Offset *int64    `json:"offset"`
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

type savedEvidence struct {
	Rule    string `json:"rule"`
	Witness string `json:"witness"`
	savedPlace
	Until  time.Time `json:"until"`
	Says   string    `json:"says"`
	Object string    `json:"object"`
}

type savedKept struct {
	Said     []string        `json:"said"`
	Spans    [][]string      `json:"spans"` // phase, from, to
	AfterEnd []savedEvidence `json:"after_end"`
	QueuedAt time.Time       `json:"queued_at"`
	Size     int64           `json:"size"`
	Before   *struct {
		Cause      string      `json:"cause"`
		Certainty  Certainty   `json:"certainty"`
		Proof      *savedPlace `json:"proof"`
		Candidates []Candidate `json:"candidates"`
	} `json:"before"`
	Heard  []savedHeard `json:"heard"`
	NoLog  bool         `json:"no_log"`
	Ran    bool         `json:"ran"`
	Silent bool         `json:"silent"`
	TI     string       `json:"ti"`
	UUIDs  []string     `json:"uuids"`
	Date   string       `json:"date"`
}

type savedSummary struct {
	Tries  int            `json:"tries"`
	Files  map[string]int `json:"files"`
	Bytes  int64          `json:"bytes"`
	Unseen int            `json:"unseen"`
}

// maxNumber is the largest try number of a saved row, as it is of a log's name.
const maxNumber = 999_999_999

// rowErrors collects what is wrong with a row.
type rowErrors struct{ err error }

func (e *rowErrors) want(ok bool, format string, args ...any) {
	if !ok && e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

func (e *rowErrors) oneOf(field, s string, all ...string) {
	e.want(s == "" || slices.Contains(all, s), "%s %s is not known", field, clean(brief(s)))
}

func (e *rowErrors) certainty(field string, c Certainty) {
	e.oneOf(field, string(c), string(Proven), string(Likely), string(Possible), string(Unknown))
}

// time: a year beyond four digits cannot be written again.
func (e *rowErrors) time(field string, t time.Time) {
	e.want(t.IsZero() || t.Year() > 0 && t.Year() < 9999, "%s is no year of ours", field)
}

func (e *rowErrors) place(field string, s *savedPlace) *Place {
	if s == nil {
		return nil
	}
	p := &Place{Source: s.Source, Line: s.Line, Offset: -1, At: s.At, Text: s.Text}
	e.want(s.Line >= 0, "line of %s is negative", field)
	if s.Offset != nil {
		p.Offset = *s.Offset
		e.want(p.Offset >= 0, "offset of %s is negative", field)
	}
	e.time("at of "+field, p.At)
	return p
}

func (e *rowErrors) evidence(field string, all []savedEvidence) []Evidence {
	var out []Evidence
	for i := range all {
		s := &all[i]
		e.time("until of "+field, s.Until)
		out = append(out, Evidence{Rule: s.Rule, Witness: s.Witness, Place: *e.place(field, &s.savedPlace), Until: s.Until, Says: s.Says, Object: s.Object})
	}
	return out
}

func (e *rowErrors) candidates(all []Candidate) []Candidate {
	for _, c := range all {
		e.certainty("certainty of a candidate", c.Certainty)
	}
	return all
}

func decodeTry(line []byte) (*Try, error) {
	var s savedTry
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, rowError(err)
	}
	var e rowErrors
	e.want(slices.Contains(Endings[:], s.Ending), "ending %s is not known", clean(brief(string(s.Ending))))
	e.certainty("ending_certainty", s.EndingCertainty)
	e.certainty("certainty", s.Certainty)
	e.oneOf("recorded_by", string(s.RecordedBy), string(ByTaskRunner), string(BySupervisor), string(ByScheduler), string(ByExecutor),
		string(ByTriggerer), string(ByPerson), string(ByNobody))
	e.want(s.TryNumber >= 0 && s.TryNumber <= maxNumber, "try_number %d is out of range", s.TryNumber)
	e.want(s.MaxTries >= 0 && s.Signal >= 0 && s.PID >= 0 && s.Segments >= 0 && s.Kept.Size >= 0, "a count is negative")
	t := &Try{Identity: Identity{DagID: s.DagID, RunID: s.RunID, TaskID: s.TaskID, MapIndex: MapUnknown, Try: s.TryNumber}, MaxTries: s.MaxTries,
		Source: s.Source, Sources: s.Sources, Ending: s.Ending, EndingCertainty: s.EndingCertainty, Cause: s.Cause, Certainty: s.Certainty,
		RecordedBy: s.RecordedBy, Signal: s.Signal, ExitCode: s.ExitCode, SetTo: s.SetTo, SetBy: s.SetBy,
		Verdict: e.place("verdict", s.Verdict), Proof: e.place("proof", s.Proof), LastWords: e.place("last_words", s.LastWords),
		Evidence: e.evidence("evidence", s.Evidence), Candidates: e.candidates(s.Candidates), Witnesses: s.Witnesses, Chain: s.Chain, Joined: s.Joined,
		StartedAt: s.StartedAt, EndedAt: s.EndedAt, NoticedAt: s.NoticedAt, Retry: s.Retry, Host: s.Host, Pod: s.Pod, Node: s.Node, PID: s.PID,
		Operator: s.Operator, Airflow: s.Airflow, Segments: s.Segments, SearchedFrom: -1, Size: -1, Next: s.Next}
	if s.MapIndex != nil {
		t.MapIndex = *s.MapIndex
		e.want(t.MapIndex >= -1, "map_index %d is out of range", t.MapIndex)
	}
	if s.SearchedFrom != nil {
		t.SearchedFrom = *s.SearchedFrom
		e.want(t.SearchedFrom >= 0, "searched_from is negative")
	}
	if x := s.Exception; x != nil {
		t.Exception = &Exception{Type: x.Type, Message: x.Message, Root: x.Root, File: x.File, Line: x.Line}
	}
	for _, at := range []struct {
		field string
		time.Time
	}{{"started_at", t.StartedAt}, {"ended_at", t.EndedAt}, {"noticed_at", t.NoticedAt}, {"queued_at", s.Kept.QueuedAt}, {"next_try_at", s.NextTryAt}} {
		e.time(at.field, at.Time)
	}
	for _, c := range t.Chain {
		e.time("at of chain", c.At)
	}
	e.kept(t, &s.Kept)
	if e.err != nil {
		return nil, e.err
	}
	return t, nil
}

// kept makes again what the log of the try had told and the row does not show.
func (e *rowErrors) kept(t *Try, k *savedKept) {
	if len(k.Said) > 0 {
		t.Tail = k.Said
		if t.LastWords != nil {
			t.Tail = append(t.Tail, t.LastWords.Text)
		}
	}
	for _, s := range k.Spans {
		t.Spans = append(t.Spans, e.span(s))
	}
	if len(t.Spans) == 0 && t.Segments > 0 && !t.StartedAt.IsZero() && !t.EndedAt.IsZero() { // a copy of the log may have begun earlier
		t.Spans = []Span{{Phase: "running", From: t.StartedAt, To: t.EndedAt}}
	}
	t.AfterEnd, t.QueuedAt = e.evidence("after_end", k.AfterEnd), k.QueuedAt
	if k.Size > 0 {
		t.Size = k.Size
	}
	o := &open{noLog: k.NoLog, ran: k.Ran, silent: k.Silent || k.NoLog, first: t.StartedAt, last: t.EndedAt, end: t.NoticedAt, date: k.Date}
	o.weak = t.Ending == Unfinished || t.Ending == LogMissing || t.Ending == Success && t.EndingCertainty == Likely
	o.findings = t.Ending == Success && o.weak
	if k.NoLog {
		o.heard = e.heard(k.Heard)
	}
	if k.TI != "" {
		e.want(validTI(k.TI), "ti is no task instance")
		o.ti = parseTI(k.TI)
	}
	for _, u := range k.UUIDs {
		if o.uuids == nil {
			o.uuids = map[string]bool{}
		}
		o.uuids[u] = true
	}
	if !k.NoLog && t.Ending != Unrecognized {
		o.name = parseName(t.Source)
	}
	if b := k.Before; b != nil {
		e.certainty("certainty before", b.Certainty)
		t.Cause, t.Certainty, t.Proof, t.Candidates = b.Cause, b.Certainty, e.place("proof before", b.Proof), e.candidates(b.Candidates)
	}
	t.own = o
	o.told = &told{len(t.Evidence), len(t.AfterEnd)}
	o.saved = &savedRow{ending: t.Ending, cause: t.Cause, certainty: t.Certainty, evidence: len(t.Evidence)}
}

func (e *rowErrors) span(s []string) (out Span) {
	if len(s) != 3 {
		e.want(false, "a span has %d parts", len(s))
		return out
	}
	out.Phase = s[0]
	e.oneOf("phase", s[0], "queued", "running", "deferred", "rescheduled", "undetected", "waiting")
	for i, at := range []*time.Time{&out.From, &out.To} {
		if s[i+1] == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339Nano, s[i+1])
		e.want(err == nil, "a span's time %s is none", clean(brief(s[i+1])))
		e.time("a span", t)
		*at = t
	}
	return out
}

func decodeProblem(line []byte) (Problem, error) {
	var s struct {
		Source string `json:"source"`
		Error  string `json:"error"`
		Hint   string `json:"hint"`
	}
	if err := json.Unmarshal(line, &s); err != nil {
		return Problem{}, rowError(err)
	}
	return Problem{Source: s.Source, Err: s.Error, Hint: s.Hint}, nil
}

func decodeSummary(line []byte) (*savedSummary, error) {
	var s savedSummary
	if err := json.Unmarshal(line, &s); err != nil {
		return nil, rowError(err)
	}
	var e rowErrors
	e.want(s.Tries >= 0 && s.Bytes >= 0 && s.Unseen >= 0, "a count is negative")
	for kind, n := range s.Files {
		e.want(n >= 0, "the count of files of kind %s is negative", clean(brief(kind)))
	}
	if e.err != nil {
		return nil, e.err
	}
	return &s, nil
}

// rowError says what is wrong with a row without the words of Go.
func rowError(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := wrong.Field
		if field == "" {
			return fmt.Errorf("a %s stands for a row", wrong.Value)
		}
		return fmt.Errorf("%s is a %s", field, wrong.Value)
	}
	if s := err.Error(); strings.Contains(s, "unexpected end of JSON input") {
		return errors.New("the row breaks off")
	}
	return err
}
