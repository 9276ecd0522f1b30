package classify

import (
	"strings"
	"time"
)

// open is what a try keeps of its log so that records from outside can still decide it.
type open struct {
	name     logName
	weak     bool // nobody in the log recorded the ending, or only a likely success
	ran      bool // a start record is there
	silent   bool // the log holds nothing of the try
	first    time.Time
	last     time.Time
	end      time.Time // when the record that ends the try was written
	words    *words
	ti       reprTI
	uuids    map[string]bool
	task     string
	date     string
	noReport bool // the result could not be reported
	findings bool // a finishing record stands at the end
	midline  bool
	noLog    bool       // only others' records name the try
	before   *Judgment  // its cause before the history was known
	saved    *savedRow  // where a saved row tells of it
	told     *told      // what saved rows brought
	heard    []*mention // the records that made the row of a try without a log
}

// verdict makes a row of what one try's own log says.
func (t *tryLog) verdict(m *matcher, source string, size, from int64) *Try {
	d := t.decide()
	t.resolveIdentity()
	y := &Try{Identity: t.id, MaxTries: t.max, Source: source, Ending: d.ending, EndingCertainty: d.sure, RecordedBy: d.by,
		Signal: d.signal, ExitCode: d.code, SetTo: d.setTo, Host: strings.Clone(t.host), PID: t.pid, Operator: strings.Clone(t.operator), Airflow: t.airflow,
		Segments: t.nsegs, SearchedFrom: from, Size: size}
	if t.gapped {
		y.Segments = 0
	}
	if source != "" {
		y.Sources = []string{source}
	}
	if d.ending == Unfinished || d.ending == LogMissing {
		y.EndingCertainty = Unknown
		if d.ending == LogMissing && d.f != nil {
			y.EndingCertainty = Likely
		}
	}
	if d.f != nil && d.ending != Unfinished {
		y.Verdict = d.place
	}
	if d.ending == Traceback && d.exc != nil {
		x := d.exc.Exception
		x.Message = clean(x.Message)
		y.Exception = &x
	}
	b := t.cause(&d)
	y.Cause, y.Certainty, y.Proof, y.Candidates = b.cause, b.certainty, b.proof, b.candidates
	if y.Cause == "" {
		y.Certainty = Unknown
	}
	y.Evidence = t.evidence(&d)
	t.lastWords(y, &d)
	t.times(y, &d, m.zone)
	y.Retry = d.retry()
	y.own = t.openness(&d, y)
	if y.Ending == Success && !d.weak && t.named && !t.folder && len(y.AfterEnd) == 0 && len(y.Evidence) < 2 && len(y.Spans) < 2 { // one of thousands: it keeps little
		y.own, y.Spans, y.Tail, y.Evidence = closedWell, nil, nil, nil
		if y.LastWords != nil {
			y.LastWords.Text = short(y.LastWords.Text)
		}
	}
	return y
}

// closedWell stands for what the logs of all successes with a name keep open: nothing.
var closedWell = &open{name: logName{attempt: true, folder: "its own"}, ran: true}

// short keeps the beginning of a text, as a copy.
func short(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}

func (t *tryLog) openness(d *decision, y *Try) *open {
	o := &open{weak: d.weak, ran: t.ranAtAll(), silent: t.records == 0, first: t.first, ti: t.ti, uuids: t.uuids,
		task: t.task, date: t.date, words: d.seg.words, last: y.EndedAt, midline: d.seg.midline}
	if d.f != nil && d.ending != LogMissing {
		o.end = d.f.place.At
	}
	o.findings = d.ending == Success && d.weak
	o.noReport = d.seg.lastOf("report-failed") != nil
	return o
}

func (t *tryLog) ranAtAll() bool {
	if t.nsegs > len(t.segs) {
		return true
	}
	for _, s := range t.segs {
		if s.ran || s.words != nil {
			return true
		}
	}
	return false
}

// resolveIdentity completes the ids from the log's own start records.
func (t *tryLog) resolveIdentity() {
	if t.ti.dotted != "" {
		task := t.id.TaskID
		if task == "" {
			task = t.task
		}
		dag, tsk := t.ti.split(task)
		id := Identity{DagID: dag, TaskID: tsk, RunID: t.ti.run, MapIndex: t.ti.mapIdx}
		if !t.named || t.folder {
			if t.ti.mapIdx >= 0 {
				t.id.MapIndex = t.ti.mapIdx // the command line of a mapped try does not always name it
			}
			t.id.merge(id)
		} else {
			t.id.merge(Identity{DagID: dag, TaskID: tsk, RunID: t.ti.run, MapIndex: MapUnknown})
		}
	}
	if t.id.TaskID == "" {
		t.id.TaskID = t.task
	}
	if t.inner != 0 && (t.id.Try == 0 || !t.named) {
		t.id.Try = t.inner
	}
}

// evidence lists the facts of the deciding segment by weight: first what decides, then the rest in file order.
func (t *tryLog) evidence(d *decision) []Evidence {
	var out []Evidence
	add := func(f *fact) {
		if f.rule == nil || len(out) >= 12 {
			return
		}
		out = append(out, Evidence{Rule: f.rule.ID, Witness: "log", Place: f.place, Says: f.rule.Title})
	}
	if d.f != nil {
		add(d.f)
	}
	if !d.ending.Failed() && d.ending != Skipped {
		return out
	}
	for i := range d.seg.facts {
		f := d.seg.facts[i]
		if f == d.f || starts[f.name] {
			continue
		}
		switch f.name {
		case "group", "endgroup", "chatter", "dagbag", "finishing", "deps-not-met":
			continue
		}
		add(f)
	}
	return out
}

// lastWords finds what the task's own code said last before the try ended: before the record of the ending where there is
// such a record, else behind it (3.x writes output through another pipe), else in the segments before.
func (t *tryLog) lastWords(y *Try, d *decision) {
	s := d.seg
	w := s.words
	end := d.f
	if d.ending == ExternallySet { // the task may have gone on until it was really stopped
		for _, name := range []string{"reaped", "task-killed", "task-error", "return-code"} {
			if f := s.lastOf(name); after(f, d.f) {
				end = f
				if name == "task-error" {
					end = s.firstOf(name)
				}
				break
			}
		}
		if end == d.f {
			end = nil
		}
	} else if d.ending == NegativeReturnCode || d.ending == Success || d.ending == Skipped {
		if f := s.firstOf("segfault-banner"); before(f, end) {
			end = f
		}
	}
	if end != nil {
		w = end.words
		if s.structured {
			w = s.printedLate(end, w)
		}
	}
	if w == nil {
		w = t.spoke(s)
	}
	if w == nil && d.weak {
		w = s.words
	}
	if w == nil {
		return
	}
	p := w.place
	y.LastWords = &p
	y.Tail = w.tail()
}

// printedLate: in 3.x what a task prints comes through another pipe than what it logs, so that its last lines may stand
// behind the record of its end. What a failing callback prints looks the same; then only what stands before counts.
func (s *segment) printedLate(end *fact, w *words) *words {
	p := s.printed
	if p == nil || p.order < end.order || s.firstOf("after-failure") != nil {
		return w
	}
	if !p.when.at.IsZero() && !end.when.at.IsZero() && p.when.at.Sub(end.when.at) > 2*time.Second {
		return w
	}
	return p
}

// spoke finds the last words of the segments before s.
func (t *tryLog) spoke(s *segment) *words {
	var w *words = t.words
	for _, o := range t.segs {
		if o == s {
			break
		}
		if o.words != nil {
			w = o.words
		}
	}
	return w
}

// times fills started, ended, noticed and the spans.
func (t *tryLog) times(y *Try, d *decision, zone *time.Location) {
	y.StartedAt = t.first
	s := d.seg
	y.EndedAt = s.last
	if d.f != nil && !d.f.place.At.IsZero() && d.ending != LogMissing {
		y.EndedAt = d.f.place.At
		y.NoticedAt = d.f.place.At
	}
	y.PreciseTime = s.fine
	for i, seg := range t.segs {
		var next *segment
		if i+1 < len(t.segs) {
			next = t.segs[i+1]
		}
		t.closeSpan(seg, next)
	}
	y.Spans = t.spans
	if n := len(y.Spans); n > 0 && !y.EndedAt.IsZero() && y.Spans[n-1].Phase == "running" && y.Spans[n-1].To.After(y.EndedAt) &&
		!y.Spans[n-1].From.After(y.EndedAt) {
		y.Spans[n-1].To = y.EndedAt
	}
	if d.ending == Success || d.ending == Skipped {
		for i := range s.facts {
			f := s.facts[i]
			if after(f, d.f) && (f.name == "sigterm-task" || f.name == "sigterm-supervisor" || f.name == "externally-set" || f.name == "zombie" ||
				f.name == "server-terminated") {
				y.AfterEnd = append(y.AfterEnd, Evidence{Rule: f.rule.ID, Witness: "log", Place: f.place, Says: f.rule.Title})
			}
		}
	}
}

// retry says whether the log itself tells that Airflow will try again.
func (d *decision) retry() string {
	s := d.seg
	switch d.ending {
	case Success, Skipped:
		return "none"
	case Rescheduled, Deferred:
		return "none"
	}
	if f := s.state("UP_FOR_RETRY"); f != nil {
		return "due"
	}
	if f := s.state("FAILED"); f != nil {
		return "none"
	}
	if d.ending == ExternallySet {
		switch strings.ToLower(d.setTo) {
		case "up_for_retry", "restarting":
			return "due"
		case "failed", "success", "skipped", "removed":
			return "none"
		}
	}
	return "unknown"
}
