package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kept is what a saved row keeps of a try beside what it shows, so that a later scan of the row builds the same report.
// The log itself is not at hand then, and other tries, or records of schedulers, may be.
type Kept struct {
	Said     []string   // the lines before the last words, oldest first: they tell whether two tries stopped at one point
	Spans    []Span     // where they are more than one run from start to last sign of life
	AfterEnd []Evidence // what stands behind a success
	QueuedAt time.Time
	Size     int64     // of a log that was not read whole; 0: not kept
	Before   *Judgment // the cause before its history was known, where the history changed it

	// For records from outside that may still decide the try.
	Heard  []Heard // the records that made a row without a log
	NoLog  bool    // only others' records name the try: its source is where they stand
	Ran    bool    // a start record is there
	Silent bool    // the log holds nothing of the try
	TI     string
	UUIDs  []string
	Date   string // the logical date as the log spells it
}

// Judgment is the cause of a try as one log and the records about it tell it.
type Judgment struct {
	Cause      string
	Certainty  Certainty
	Proof      *Place
	Candidates []Candidate
}

// Kept returns what a row of the try has to keep; ok is false where the row alone is enough, as it is for most that
// went well.
func (t *Try) Kept() (k Kept, ok bool) {
	o := t.own
	if o == nil {
		o = &open{}
	}
	k.QueuedAt, k.AfterEnd, k.NoLog = t.QueuedAt, t.AfterEnd, o.noLog
	if spoken(t) {
		k.Said = t.Tail
		if n := len(k.Said); n > 0 && t.LastWords != nil && k.Said[n-1] == t.LastWords.Text {
			k.Said = k.Said[:n-1]
		}
	}
	if !plainSpans(t) {
		k.Spans = t.Spans
	}
	if t.SearchedFrom > 0 && t.Source != "" {
		k.Size = max(t.Size, 0)
	}
	if b := o.before; b != nil && (b.Cause != t.Cause || b.Certainty != t.Certainty || !samePlace(b.Proof, t.Proof)) {
		k.Before = b
	}
	if t.Ending == Unfinished || t.Ending == LogMissing {
		k.Ran, k.Silent = o.ran && !o.noLog, o.silent && !o.noLog
	}
	if t.Ending.Failed() {
		k.UUIDs, k.Date = sortedKeys(o.uuids), o.date
	}
	for i := range o.heard {
		k.Heard = append(k.Heard, o.heard[i].heard())
	}
	if o.ti.dotted != "" && (t.DagID == "" || t.TaskID == "") {
		k.TI = o.ti.repr()
	}
	return k, len(k.Said) > 0 || len(k.Spans) > 0 || len(k.AfterEnd) > 0 || !k.QueuedAt.IsZero() || k.Size > 0 || k.Before != nil ||
		k.NoLog || k.Ran || k.Silent || k.TI != "" || len(k.UUIDs) > 0 || k.Date != ""
}

// spoken says whether another try could show that this one stopped at the same point.
func spoken(t *Try) bool {
	switch t.Ending {
	case NegativeReturnCode, TruncatedThenZombie, Unfinished:
		return true
	}
	return crashed(t)
}

// plainSpans says whether a row's start and last sign of life tell all that the spans of a try tell.
func plainSpans(t *Try) bool {
	switch len(t.Spans) {
	case 0:
		return true
	case 1:
		s := t.Spans[0]
		return t.Segments > 0 && s.Phase == "running" && s.From.Equal(t.StartedAt) && s.To.Equal(t.EndedAt)
	}
	return false
}

func samePlace(a, b *Place) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Source == b.Source && a.Line == b.Line && a.Offset == b.Offset && a.Text == b.Text
}

func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// repr spells what parseTI reads.
func (t reprTI) repr() string {
	s := t.dotted
	if t.run == "" {
		return s
	}
	s += " " + t.run
	if t.mapIdx >= 0 {
		s += fmt.Sprintf(" map_index=%d", t.mapIdx)
	}
	return s
}

// settle fixes what a row shows before the history is built: times in milliseconds, so that a length of time is the
// difference of the times beside it and a saved row tells the same, and the cause that the history may change.
func (t *Try) settle() {
	for _, at := range []*time.Time{&t.StartedAt, &t.EndedAt, &t.NoticedAt, &t.QueuedAt} {
		*at = at.Truncate(time.Millisecond)
	}
	for _, p := range []*Place{t.Verdict, t.Proof, t.LastWords} {
		if p != nil {
			p.At = p.At.Truncate(time.Millisecond)
		}
	}
	for _, list := range [][]Evidence{t.Evidence, t.AfterEnd} {
		for i := range list {
			list[i].At, list[i].Until = list[i].At.Truncate(time.Millisecond), list[i].Until.Truncate(time.Millisecond)
		}
	}
	for i := range t.Spans {
		s := &t.Spans[i]
		s.From, s.To = s.From.Truncate(time.Millisecond), s.To.Truncate(time.Millisecond)
	}
	for i := range t.Chain {
		t.Chain[i].At = t.Chain[i].At.Truncate(time.Millisecond)
	}
	if t.own != nil && spoken(t) {
		t.own.before = &Judgment{Cause: t.Cause, Certainty: t.Certainty, Proof: t.Proof, Candidates: t.Candidates}
	}
}

// ownSource says whether a place stands in a log of the try itself.
func (t *Try) ownSource(p *Place) bool {
	if p == nil || t.own != nil && t.own.noLog {
		return false
	}
	return p.Source == t.Source || slices.Contains(t.Sources, p.Source)
}

// validTI says whether s can be the inside of a TaskInstance repr.
func validTI(s string) bool { return s != "" && !strings.ContainsAny(s, "\n\r") }
