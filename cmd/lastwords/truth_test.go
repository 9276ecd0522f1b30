package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// truth is what an expect.json or a row of truth.jsonl says of a try; testdata/cases/FIELDS.md explains the fields and
// CONVENTION.md which lines prove an ending. testdata/score/score.py scores by the same meaning.
type truth struct {
	identityRow
	Scenario string
	Airflow  string
	File     string

	Ending         string
	Also           []string `json:"also_acceptable"`
	AlsoAlone      []string `json:"also_acceptable_alone"`
	FromLogAlone   string   `json:"ending_from_log_alone"`
	VerdictFile    string   `json:"verdict_file"`
	VerdictLine    int      `json:"verdict_line"`
	VerdictLinesOK []int    `json:"verdict_lines_ok"`
	AlsoVerdictOK  []struct {
		Ending string
		File   string
		Lines  []int
	} `json:"also_verdict_ok"`
	LastWordsLine int `json:"last_words_line"`

	Exception     string
	RootException string   `json:"root_exception"`
	ExceptionOK   []string `json:"exception_ok"`
	Signal        int
	SignalOK      []int  `json:"signal_ok"` // null among them is 0
	SetTo         string `json:"set_to"`

	Cause          string
	CauseOK        []string `json:"cause_ok"`
	Certainty      string
	CertaintyOK    []string         `json:"certainty_ok"`
	CauseFile      string           `json:"cause_file"`
	CauseLinesOK   []int            `json:"cause_lines_ok"`
	CauseAlsoOK    map[string][]int `json:"cause_also_ok"`
	Memory         string
	MemoryProven   bool   `json:"memory_proven"`
	MemoryProvenOK []bool `json:"memory_proven_ok"`
	MemoryAllowed  bool   `json:"memory_allowed"`

	Tries     []json.RawMessage
	Pattern   string
	PatternOK []string `json:"pattern_ok"`
	ExtraOK   int      `json:"extra_ok"`

	Cost       map[string]float64
	Undetected []float64 `json:"undetected_s_of_tries"`
}

// identityRow are the fields that name a try, in truth.jsonl and in the program's rows.
type identityRow struct {
	DagID    string `json:"dag_id"`
	RunID    string `json:"run_id"`
	TaskID   string `json:"task_id"`
	MapIndex *int   `json:"map_index"`
	Try      int    `json:"try_number"`
}

func (r identityRow) instance() string {
	index := -1
	if r.MapIndex != nil {
		index = *r.MapIndex
	}
	return fmt.Sprintf("%s/%s/%s/%d", r.DagID, r.RunID, r.TaskID, index)
}

func (r identityRow) key() string { return fmt.Sprintf("%s#%d", r.instance(), r.Try) }

// placeRow and row are what a reader of the JSON sees of a try or a task.
type placeRow struct {
	Source string
	Line   *int
	Offset *int64
	Text   string
}

type row struct {
	identityRow
	Source    string
	Ending    string
	Cause     string
	Certainty string
	Signal    int
	SetTo     string `json:"set_to"`
	Exception struct{ Type string }
	Verdict   *placeRow
	Proof     *placeRow
	LastWords *placeRow `json:"last_words"`
	Noticed   string    `json:"noticed_at"`

	UndetectedS *float64 `json:"undetected_s"`
	Findings    []struct{ ID string }
	Cost        map[string]any
}

type summaryRow struct{ Endings, Findings, Files map[string]int }

// answer is what one run of the program gave.
type answer struct {
	status      int
	out, stderr []byte
	tries       []row
	tasks       []row
	spanning    []string // ids of the findings that span task instances
	summary     summaryRow
}

// realRun runs the whole program, with its real engine, inside the test.
func realRun(t testing.TB, stdin []byte, args ...string) answer {
	t.Helper()
	var out, stderr bytes.Buffer
	status := Run(context.Background(), args, Env{
		Stdin: bytes.NewReader(stdin), Stdout: &out, Stderr: &stderr,
		Now:     func() time.Time { return at("2026-12-24T00:00:00Z") },
		Getenv:  func(string) string { return "" },
		OpenDir: func(name string) (fs.FS, error) { return os.DirFS(name), nil },
	})
	a := answer{status: status, out: out.Bytes(), stderr: stderr.Bytes()}
	if !slices.Contains(args, "json") {
		return a
	}
	for line := range bytes.Lines(a.out) {
		var r row
		var head struct{ Kind, ID string }
		err := json.Unmarshal(line, &head)
		switch head.Kind {
		case "try", "task":
			err = errors.Join(err, json.Unmarshal(line, &r))
		case "finding":
			a.spanning = append(a.spanning, head.ID)
		case "summary":
			err = errors.Join(err, json.Unmarshal(line, &a.summary))
		}
		if err != nil {
			t.Fatalf("lastwords %s: %v\n%s", strings.Join(args, " "), err, line)
		}
		switch head.Kind {
		case "try":
			a.tries = append(a.tries, r)
		case "task":
			a.tasks = append(a.tasks, r)
		}
	}
	return a
}

// miss is one expectation that was not met.
type miss struct{ kind, where, want, got string }

// missed collects misses of tests that run side by side.
type missed struct {
	mu  sync.Mutex
	all []miss
}

func (m *missed) add(kind, where string, want, got any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, miss{kind, where, fmt.Sprint(want), fmt.Sprint(got)})
}

// open is a miss that is known: a place (a part of miss.where), its kind, how many there are, and why. A list of them
// makes tests fail on misses that are not on it, and on entries that no longer miss.
type open struct {
	where, kind string
	n           int
	why         string
}

// check fails on misses that are not known, and on known ones that are not as many as listed.
func (m *missed) check(t *testing.T, known []open) {
	t.Helper()
	for i, n := range m.unlisted(t, known) {
		if k := known[i]; n != k.n {
			t.Errorf("%s of %s misses %d times, not %d as listed (%s): correct the list", k.kind, k.where, n, k.n, k.why)
		}
	}
}

// unlisted fails on misses that are not known and counts those that are.
func (m *missed) unlisted(t *testing.T, known []open) []int {
	t.Helper()
	seen := make([]int, len(known))
	slices.SortFunc(m.all, func(a, b miss) int { return strings.Compare(a.where+a.kind, b.where+b.kind) })
	for _, s := range m.all {
		i := slices.IndexFunc(known, func(k open) bool { return k.kind == s.kind && strings.Contains(s.where, k.where) })
		if i < 0 {
			t.Errorf("%s of %s:\nwant %s\n got %s", s.kind, s.where, s.want, s.got)
			continue
		}
		seen[i]++
	}
	return seen
}

// ends says whether source is the file name, as the program was given it.
func ends(source, name string) bool {
	source = filepath.ToSlash(source)
	return name != "" && (source == name || strings.HasSuffix(source, "/"+name))
}

func (p *placeRow) source() string {
	if p == nil {
		return ""
	}
	return p.Source
}

// line is 0 where the row has none.
func (p *placeRow) line() int {
	if p == nil || p.Line == nil {
		return 0
	}
	return *p.Line
}

func (p *placeRow) String() string {
	if p == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s:%d %.90s", filepath.Base(p.Source), p.line(), p.Text)
}

// judge compares a row, or no row, with the truth.
func (m *missed) judge(where string, want truth, got *row) {
	if got == nil {
		m.add("ending", where, want.Ending, "no row")
		return
	}
	exact := got.Ending == want.Ending
	right := exact || slices.Contains(want.Also, got.Ending)
	if !right {
		m.add("ending", where, want.Ending, fmt.Sprintf("%s (%s)", got.Ending, got.Cause))
	}
	m.judgeLine(where, want, got, exact, right)
	if s := max(got.Signal, -got.Signal); right && s != want.Signal && !slices.Contains(want.SignalOK, s) {
		m.add("signal", where, want.Signal, got.Signal)
	}
	if exact {
		m.judgeException(where, want, got)
	}
	if want.LastWordsLine > 0 && want.File != "" && got.LastWords.line() != want.LastWordsLine {
		m.add("words", where, want.LastWordsLine, got.LastWords)
	}
	if exact && want.SetTo != "" && strings.HasPrefix(want.Airflow, "2") &&
		!strings.EqualFold(got.SetTo, want.SetTo) && !(got.SetTo == "" && want.SetTo == "None") {
		m.add("set_to", where, want.SetTo, got.SetTo)
	}
	if len(want.CauseOK) > 0 {
		m.judgeCause(where, want, got)
	}
	m.judgeMemory(where, want, got)
}

func (m *missed) judgeLine(where string, want truth, got *row, exact, right bool) {
	lines := want.VerdictLinesOK
	if len(lines) == 0 && want.VerdictLine > 0 {
		lines = []int{want.VerdictLine}
	}
	if len(lines) == 0 {
		return
	}
	found, also := false, false
	fits := func(file string, lines []int) {
		found = found || ends(got.Verdict.source(), file) && slices.Contains(lines, got.Verdict.line())
	}
	if exact {
		fits(want.VerdictFile, lines)
	}
	for _, o := range want.AlsoVerdictOK {
		if right && (o.Ending == "" || o.Ending == got.Ending) {
			fits(o.File, o.Lines)
			also = true
		}
	}
	switch {
	case found, right && !exact && !also:
	case got.Verdict.line() == 0 && got.Ending == "unfinished" && right: // nobody recorded it
	default:
		m.add("line", where, fmt.Sprint(want.VerdictFile, lines), got.Verdict)
	}
}

func (m *missed) judgeException(where string, want truth, got *row) {
	short := func(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
	if want.Exception == "" && got.Exception.Type == "" {
		return
	}
	for _, ok := range append(want.ExceptionOK, want.Exception, want.RootException) {
		if ok != "" && short(ok) == short(got.Exception.Type) {
			return
		}
	}
	m.add("exception", where, want.Exception, got.Exception.Type)
}

func (m *missed) judgeCause(where string, want truth, got *row) {
	if got.Cause != want.Cause && !slices.Contains(want.CauseOK, got.Cause) {
		m.add("cause", where, want.CauseOK, got.Cause)
		return
	}
	if got.Certainty != want.Certainty && !slices.Contains(want.CertaintyOK, got.Certainty) {
		m.add("certainty", where, want.CertaintyOK, got.Certainty)
	}
	places := maps.Clone(want.CauseAlsoOK)
	if len(want.CauseLinesOK) > 0 {
		if places == nil {
			places = map[string][]int{}
		}
		places[want.CauseFile] = append(slices.Clone(places[want.CauseFile]), want.CauseLinesOK...)
	}
	if len(places) == 0 || got.Proof == nil && got.Certainty == "unknown" {
		return
	}
	for file, lines := range places {
		if ends(got.Proof.source(), file) && slices.Contains(lines, got.Proof.line()) {
			return
		}
	}
	m.add("proof", where, places, got.Proof)
}

// judgeMemory looks for the accusation that no witness proves, and for the proof that was there.
func (m *missed) judgeMemory(where string, want truth, got *row) {
	says := !strings.HasPrefix(got.Cause, "remote-") && (strings.Contains(got.Cause, "memory") || strings.Contains(got.Cause, "oom"))
	proven := says && got.Certainty == "proven"
	likely := says && (proven || got.Certainty == "likely")
	switch {
	case slices.Contains(want.MemoryProvenOK, true) && slices.Contains(want.MemoryProvenOK, false):
	case want.MemoryProven:
		if !proven {
			m.add("memory", where, "memory proven", got.Cause+" "+got.Certainty)
		}
	case (proven || likely && (want.Memory == "no" || want.Memory == "possible")) && !want.MemoryAllowed:
		m.add("FALSE", where, "no memory "+want.Memory, got.Cause+" "+got.Certainty)
	}
}

// pattern looks for the finding that has to hold, and for a memory finding that must not.
func (m *missed) pattern(where string, want truth, found []string) {
	ok := func(id string) bool { return id == want.Pattern || slices.Contains(want.PatternOK, id) }
	if slices.Contains(found, "memory-same-point") && !ok("memory-same-point") {
		m.add("FALSE", where, want.Pattern, "memory-same-point")
	}
	if want.Pattern != "" && !slices.ContainsFunc(found, ok) {
		m.add("pattern", where, want.Pattern, found)
	}
}
