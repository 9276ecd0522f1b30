package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// savedRow marks a try as one that a saved row told of.
type savedRow struct {
	scan *savedScan

	// What it said. As long as that holds, so does what the row says of witnesses and next steps.
	ending    Ending
	cause     string
	certainty Certainty
	evidence  int
}

// asSaved says whether a try is still what its saved row said.
func (t *Try) asSaved() bool {
	if t.own == nil || t.own.saved == nil {
		return false
	}
	s := t.own.saved
	return t.Ending == s.ending && t.Cause == s.cause && t.Certainty == s.certainty && len(t.Evidence) == s.evidence
}

// sameScan says whether two tries are rows of one saved scan, which knew them apart.
func sameScan(a, b *Try) bool {
	return a.own != nil && b.own != nil && a.own.saved != nil && b.own.saved != nil && a.own.saved.scan == b.own.saved.scan
}

// carried are the counts of saved scans: their files are not at hand.
type carried struct {
	files  map[string]int
	bytes  int64
	unseen int
}

func (c *carried) add(s *Summary) {
	for kind, n := range c.files {
		s.Files[kind] += n
	}
	s.Bytes += c.bytes
}

// restore puts the inputs of saved scans in the place of the files that hold the rows: a part for each source that a row
// names, as if it had been read. Tries that are there more than once are merged. parts and the result are in order of
// their names.
func restore(parts []*Part) ([]*Part, carried) {
	old := carried{files: map[string]int{}}
	var rest []*Part
	var scans []*savedScan
	seen := map[[32]byte]bool{}
	atHand := map[string]bool{}
	for _, p := range parts {
		if p.saved == nil {
			rest = append(rest, p)
			atHand[p.Name] = true
			continue
		}
		told := false
		for _, scan := range p.saved {
			if told = told || scan.summary != nil; seen[scan.digest] {
				continue // the same file under another name
			}
			seen[scan.digest] = true
			scans = append(scans, scan)
			if s := scan.summary; s != nil {
				for kind, n := range s.Files {
					old.files[kind] += n
				}
				old.bytes += s.Bytes
				old.unseen += s.Unseen
			}
		}
		bare := &Part{Name: p.Name, problems: p.problems, Modified: p.Modified}
		if !told { // rows without the count of what they were made of: count the file that is there
			bare.Kind, bare.Bytes = p.Kind, p.Bytes
		}
		rest = append(rest, bare)
	}
	if len(scans) == 0 {
		return rest, old
	}
	l := newLedger(rest)
	for _, scan := range scans {
		l.scan(scan)
	}
	bySource := map[string]*Part{}
	part := func(name string) *Part {
		p := bySource[name]
		if p == nil {
			p = &Part{Name: name}
			bySource[name] = p
			rest = append(rest, p)
		}
		return p
	}
	tries, records := l.left()
	for _, t := range tries {
		p := part(t.Source)
		p.tries = append(p.tries, t)
	}
	for _, m := range inOrder(records) {
		p := part(m.place.Source)
		if len(p.others) == 0 {
			p.others = []*chronicle{{source: p.Name}}
		}
		again := *m // the row keeps its own
		p.others[0].add(&again, wholeNote)
	}
	for _, scan := range scans {
		for _, x := range scan.problems {
			if atHand[x.Source] {
				continue // it was read again
			}
			if p := part(x.Source); !slices.Contains(p.problems, x) {
				p.problems = append(p.problems, x)
			}
		}
	}
	slices.SortStableFunc(rest, func(a, b *Part) int { return strings.Compare(a.Name, b.Name) })
	return rest, old
}

// inOrder puts the records of each source in the order of their places there, each once.
func inOrder(records []*mention) []*mention {
	at := func(a, b *mention) int {
		return cmp.Or(strings.Compare(a.place.Source, b.place.Source), cmp.Compare(a.place.Offset, b.place.Offset), cmp.Compare(a.place.Line, b.place.Line))
	}
	slices.SortStableFunc(records, at)
	return slices.CompactFunc(records, func(a, b *mention) bool { return at(a, b) == 0 && a.rule == b.rule && a.id == b.id && a.uuid == b.uuid })
}

// ledger finds tries that are there more than once: in saved scans, or beside their log.
type ledger struct {
	inputs map[string]bool   // names of inputs at hand
	rows   map[string]*entry // by source, number and identity; by source and number where that is one try
	tries  map[instance]*Try // logs at hand by the try that they name
	list   []*entry
}

// entry is a try, or what was put in its place.
type entry struct {
	t     *Try
	fresh bool // its log is at hand
}

func newLedger(parts []*Part) *ledger {
	l := &ledger{inputs: map[string]bool{}, rows: map[string]*entry{}, tries: map[instance]*Try{}}
	for _, p := range parts {
		if len(p.tries) == 0 && p.Kind == "" {
			continue
		}
		l.inputs[p.Name] = true
		keys := rowKeys(p.tries)
		for i, t := range p.tries {
			e := &entry{t: t, fresh: true}
			l.list = append(l.list, e)
			for _, k := range keys[i] {
				l.rows[k] = e
			}
			if k := siblingKey(t); k != (instance{}) && l.tries[k] == nil {
				l.tries[k] = t
			}
		}
	}
	return l
}

// rowKeys names each of the tries of one scan, most exact name first.
func rowKeys(tries []*Try) [][]string {
	lone := map[string]int{}
	loose := func(t *Try) string { return fmt.Sprintf("%s\x00%d", t.Source, t.Identity.Try) }
	for _, t := range tries {
		lone[loose(t)]++
	}
	nth := map[string]int{}
	out := make([][]string, len(tries))
	for i, t := range tries {
		k := loose(t)
		full := fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%d", k, t.DagID, t.TaskID, runKey(t.RunID), t.MapIndex)
		nth[full]++
		out[i] = append(out[i], fmt.Sprintf("%s\x00%d", full, nth[full]))
		if lone[k] == 1 {
			out[i] = append(out[i], k)
		}
	}
	return out
}

// scan enters the rows of one saved scan.
func (l *ledger) scan(s *savedScan) {
	keys := rowKeys(s.tries)
	for i, t := range s.tries {
		old := l.find(keys[i], t)
		log := l.tries[siblingKey(t)]
		switch {
		case old != nil && old.fresh:
			old.t.graft(t)
			continue
		case (t.own.noLog || t.Ending == Unrecognized) && l.inputs[t.Source]:
			continue // the input is at hand and says it again, or no longer
		case log != nil:
			if !t.own.noLog {
				log.Sources = mergeNames(log.Sources, t.Sources)
			}
			log.graft(t)
			continue
		case old != nil:
			old.replace(t)
			l.know(keys[i], old)
			continue
		}
		e := &entry{t: t}
		l.list = append(l.list, e)
		l.know(keys[i], e)
	}
}

func (l *ledger) know(keys []string, e *entry) {
	for _, k := range keys {
		l.rows[k] = e
	}
}

func (l *ledger) find(keys []string, t *Try) *entry {
	for _, k := range keys {
		if e := l.rows[k]; e != nil && !sameScan(e.t, t) && couldBe(e.t, t) {
			return e
		}
	}
	return nil
}

// replace keeps, of two rows of one try, the one that knows more of its end, else the later one.
func (e *entry) replace(t *Try) {
	a, b := e.t, t
	if cmp.Or(cmp.Compare(decided(t), decided(e.t)), lastOf(t).Compare(lastOf(e.t)), 1) > 0 {
		a, b = t, e.t
	}
	a.graft(b)
	e.t = a
}

// left are the saved tries that stay. Where others' records made the row of a try and a log is there that may be its
// own, the records go on as if they had just been read.
func (l *ledger) left() (tries []*Try, records []*mention) {
	logs := logIndex{}
	any := map[*savedScan]bool{} // the scans that have a log; nil: the inputs at hand
	for _, e := range l.list {
		if t := e.t; t.own != nil && !t.own.noLog {
			logs.add(t)
			any[scanOf(t)] = true
		}
	}
	for _, e := range l.list {
		t := e.t
		switch {
		case e.fresh:
		case len(t.own.heard) > 0 && (logs.of(t) != nil || nobodys(t) && (len(any) > 1 || len(any) == 1 && !any[scanOf(t)])):
			records = append(records, t.own.heard...)
		default:
			tries = append(tries, t)
		}
	}
	return tries, records
}

func scanOf(t *Try) *savedScan {
	if t.own.saved == nil {
		return nil
	}
	return t.own.saved.scan
}

// nobodys says whether nothing names the try of a row.
func nobodys(t *Try) bool {
	return t.own.noLog && t.TaskID == "" && t.own.ti.dotted == "" && parseName(t.Source).folder == ""
}

// couldBe says whether nothing that is known of two tries tells them apart.
func couldBe(a, b *Try) bool {
	same := func(x, y string) bool { return x == "" || y == "" || x == y }
	return same(a.DagID, b.DagID) && same(a.TaskID, b.TaskID) && (same(a.RunID, b.RunID) || sameRun(a.RunID, b.RunID)) &&
		(a.MapIndex == b.MapIndex || a.MapIndex == MapUnknown || b.MapIndex == MapUnknown) &&
		(a.Identity.Try == b.Identity.Try || a.Identity.Try == 0 || b.Identity.Try == 0)
}

// decided ranks what is known of the end of a try.
func decided(t *Try) int {
	n := 0
	switch {
	case t.Ending == Unrecognized:
	case t.Ending == LogMissing:
		n = 10
	case t.Ending == Unfinished:
		n = 20
	case t.EndingCertainty != Proven:
		n = 30
	default:
		n = 40
	}
	if t.own.noLog {
		n -= 5 // its log tells more
	}
	switch t.Certainty {
	case Proven:
		n += 3
	case Likely:
		n += 2
	case Possible:
		n++
	}
	return n
}

// lastOf is the last time that a row speaks of.
func lastOf(t *Try) time.Time {
	if t.NoticedAt.After(t.EndedAt) {
		return t.NoticedAt
	}
	return t.EndedAt
}

// graft takes over from another row of the same try what records from outside say there and nothing says here: how it
// ended where this log leaves that open, why where it does not know, and what else is unknown.
func (t *Try) graft(from *Try) {
	byOthers := from.Verdict != nil && !from.ownSource(from.Verdict)
	late := from.NoticedAt.IsZero() || t.EndedAt.IsZero() || !from.NoticedAt.Before(t.EndedAt.Add(-skew))
	switch {
	case byOthers && late && decided(t) < 40 && t.own.weak && decided(from) >= 30:
		t.Ending, t.EndingCertainty, t.RecordedBy, t.Verdict, t.NoticedAt = from.Ending, from.EndingCertainty, from.RecordedBy, from.Verdict, from.NoticedAt
		t.Cause, t.Certainty, t.Proof, t.Candidates = from.Cause, from.Certainty, from.Proof, from.Candidates
		t.Signal, t.ExitCode = from.Signal, from.ExitCode
		t.SetTo, t.SetBy = cmp.Or(t.SetTo, from.SetTo), cmp.Or(t.SetBy, from.SetBy)
		t.own.weak, t.own.findings, t.own.end = false, false, from.NoticedAt
	case t.Ending == from.Ending && from.Proof != nil && !from.ownSource(from.Proof) && decided(t) < decided(from):
		t.Cause, t.Certainty, t.Proof, t.Candidates = from.Cause, from.Certainty, from.Proof, from.Candidates
	}
	t.Identity.merge(from.Identity)
	t.Evidence = addOutside(t.Evidence, from.Evidence)
	t.AfterEnd = addOutside(t.AfterEnd, from.AfterEnd)
	for _, j := range from.Joined {
		if !slices.Contains(t.Joined, j) {
			t.Joined = append(t.Joined, j)
		}
	}
	t.Host, t.Pod, t.Node = cmp.Or(t.Host, from.Host), cmp.Or(t.Pod, from.Pod), cmp.Or(t.Node, from.Node)
	t.Operator, t.PID, t.MaxTries = cmp.Or(t.Operator, from.Operator), cmp.Or(t.PID, from.PID), cmp.Or(t.MaxTries, from.MaxTries)
	if t.QueuedAt.IsZero() {
		t.QueuedAt = from.QueuedAt
	}
	if t.own == closedWell { // others share it
		o := *closedWell
		t.own = &o
	}
	t.own.told = &told{len(t.Evidence), len(t.AfterEnd)}
}

// addOutside adds what others than the log itself recorded, once.
func addOutside(list, more []Evidence) []Evidence {
	for _, e := range more {
		if e.Witness != "log" && len(list) < 16 && !slices.ContainsFunc(list, func(o Evidence) bool { return sameRecord(&o, &e) }) {
			list = append(list, e)
		}
	}
	return list
}

func sameRecord(a, b *Evidence) bool {
	return a.Rule == b.Rule && a.Source == b.Source && a.Line == b.Line && a.Offset == b.Offset
}

// told is how much evidence a try had before inputs at hand could add to it.
type told struct{ evidence, after int }

// forgetRepeats drops records that inputs at hand brought and a saved row had brought before.
func (t *Try) forgetRepeats() {
	if t.own == nil || t.own.told == nil {
		return
	}
	n := *t.own.told
	t.Evidence = addOutside(t.Evidence[:n.evidence:n.evidence], t.Evidence[n.evidence:])
	t.AfterEnd = addOutside(t.AfterEnd[:n.after:n.after], t.AfterEnd[n.after:])
}
