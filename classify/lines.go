package classify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// Line is one physical line of a log, or one element of an export, without what a collector put around it.
type Line struct {
	Text   []byte    // without the line end; valid until the next call of Next; need not be UTF-8
	No     int64     // 1-based physical line, counts \n only; in an export the line on which the text stands; 0: not known
	Offset int64     // of that physical line, or of the element where it begins further right; in bytes after decompression, before decoding
	At     time.Time // the collector's time of the line, in UTC; zero if it gave none, or none with a year
	Stream string    // which container, pod, log stream or label set it came from; empty if the input names none
	Origin string    // emitting file or logger where a label says so ("taskinstance.py"), else empty
	Level  string    // severity where a label says so, as it is spelled there, else empty
	Labels *Labels   // identity where labels say so, else nil; equal labels share one pointer
	Cut    bool      // the line was longer than 128 KiB: Text is its first and last 64 KiB

	tail bool // it is not the first line of its element
}

// Labels is what the labels of a collector say about the task instance and the place that a line came from. Empty
// strings, a nil MapIndex and a zero Try were not given. Nobody may write to it: it is shared.
type Labels struct {
	DagID, RunID, TaskID, ExecutionDate string
	MapIndex                            *int
	Try                                 int
	Host, Pod, Namespace, Container     string
}

// Lines takes away what log collectors, user interfaces and encodings put around Airflow's lines, and yields what is
// left, in the order of the input: an export that lists the newest line first is turned round. It needs bounded
// memory: 256 KiB for anything that has lines, 32 MiB for a JSON document and for an export that has to be turned
// round.
//
// What Airflow itself wrote stays as it is: stamps, JSON records of 2.x and 3.x, the reader's `***` lines, colour.
type Lines struct {
	format string
	open   func() source // a document is opened by the first Next
	top    source
	plain  *physical // top, where nothing has to be taken away
}

// source yields lines; each line's text is valid until the next call.
type source interface {
	next() (Line, error)
}

// NewLines returns the lines of r. The format is learnt from head, the first 16 KiB of r or less; r yields
// everything, from byte 0. Without a head NewLines reads one.
func NewLines(head []byte, r io.Reader) *Lines {
	if len(head) == 0 {
		head, r = readHead(r)
	}
	head = head[:min(len(head), headMost)]
	code, mark := sniffCoding(head)
	text := head[mark:]
	if code != utf8Text {
		text = code.appendUTF8(nil, text)
	}
	names := newNames()

	if len(text) == 0 || ownStart(text) {
		return plainLines(r, code, mark)
	}
	if format, walk := sniffDocument(text); format != "" {
		l := &Lines{format: format}
		l.open = func() source {
			if walk == nil {
				return noLines{}
			}
			d := readDocument(r, code, mark, walk, names)
			if d.foreign {
				l.format = formatKubernetes
			}
			if format == formatREST {
				return d // Airflow's own answer: nothing is wrapped in it
			}
			sample := sampleLines(d, nil)
			d.rewind()
			return stackPeelers(d, learnAll(sample, names))
		}
		return l
	}

	begin := func(p *physical) source { return p }
	format := ""
	if cols, ok := sniffTable(text); ok {
		format = formatCSV
		begin = func(p *physical) source { return newTable(p, cols, names) }
	}
	sample := sampleLines(begin(physicalOf(head, code, mark)), text)
	peels := learnAll(sample, names)
	if format == "" && len(peels) > 0 {
		format = peels[0].format()
	}
	if format == "" {
		return plainLines(r, code, mark)
	}
	top := stackPeelers(begin(newPhysical(r, code, mark)), peels)
	if sample = peeled(sample, peels); exported(format) && newestFirst(len(sample), func(i int) time.Time { return sample[i].At }) {
		top = &turnedLines{below: top}
	}
	return &Lines{format: format, top: top}
}

func plainLines(r io.Reader, code coding, mark int) *Lines {
	p := newPhysical(r, code, mark)
	return &Lines{format: formatPlain, top: p, plain: p}
}

// readHead reads the first bytes of r and returns them with a reader that yields them again.
func readHead(r io.Reader) ([]byte, io.Reader) {
	head := make([]byte, headMost)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return head, io.MultiReader(bytes.NewReader(head), failingReader{err})
	}
	return head, io.MultiReader(bytes.NewReader(head), r)
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// Next returns the next line. At the end it returns io.EOF; *TooLarge and *Broken say which part of a document was
// not read.
func (l *Lines) Next() (Line, error) {
	if l.plain != nil {
		return l.plain.next()
	}
	if l.top == nil {
		l.top = l.open()
	}
	return l.top.next()
}

// Format names the outermost thing that is taken away: "plain" if there is none. "unknown-json" and "kubernetes" are
// JSON or YAML that holds no log; they yield no lines. It is final after the first Next.
func (l *Lines) Format() string { return l.format }

// The formats that are not named by a prefix or by the shape of a JSON object.
const (
	formatPlain       = "plain"
	formatCSV         = "csv"
	formatREST        = "rest-json"
	formatJSON        = "json" // Airflow's own JSON records, pretty-printed or in an array
	formatUnknownJSON = "unknown-json"
	formatKubernetes  = "kubernetes"
)

// SniffFormat tells from the first bytes of an input what NewLines would take away. Where plain is true, that is
// nothing: lines can be cut at \n without NewLines. It does not allocate for text and JSON records that begin as
// Airflow writes them.
func SniffFormat(head []byte) (format string, plain bool) {
	if len(head) == 0 || ownStart(head) {
		return formatPlain, true
	}
	l := NewLines(head, bytes.NewReader(head))
	code, mark := sniffCoding(head)
	return l.format, l.plain != nil && code == utf8Text && mark == 0
}

// ownStart says whether head begins as Airflow's own logs do, with nothing before it. False is no answer.
//
//	[2026-11-30T17:51:25.388+0000] {local_task_job_runner.py:123} INFO - …   also 1.10's stamp and the web UI's
//	2025-11-18T18:09:06.247180Z [info     ] Process exited                 [supervisor] exit_code=-9
//	{"timestamp":"2026-02-06T09:37:41.890482Z","level":"info","event":"…"}
//	{"asctime": "2021-03-23 09:54:29,611", "filename": "taskinstance.py", "lineno": 1063, "levelname": "INFO", "message": "…"
//	*** Reading local file: /opt/airflow/logs/…
func ownStart(head []byte) bool {
	if head[0] == '{' {
		line := head[:min(len(head), 4<<10)]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		j := jsonText{b: line}
		var s shape
		j.object(0, func(key []byte, at int) int {
			var first byte
			if at < len(line) {
				first = line[at]
			}
			if s |= shapeOfKey(key, first); s.own() {
				return -1
			}
			return 0
		})
		return s.own() && !bytes.Contains(line, []byte(`"kubernetes":`))
	}
	if bytes.HasPrefix(head, []byte("*** ")) {
		return true
	}
	b := skipControls(head)
	if len(b) > 0 && b[0] == '[' {
		b = skipControls(b[1:])
		return len(b) > 10 && allDigits(b[:4]) && b[4] == '-' && allDigits(b[5:7]) && b[7] == '-' && allDigits(b[8:10])
	}
	_, n := clockISO(b)
	if n == 0 || n >= 29 { // nanoseconds are a collector's
		return false
	}
	b = skipControls(b[n:])
	return len(b) > 1 && b[0] == ' ' && bytes.HasPrefix(skipControls(b[1:]), []byte("[")) && ownAfterStamp(b[1:])
}

// TooLarge is returned for a document that is too large to be read whole. None of its lines were yielded.
type TooLarge struct {
	Limit int64 // bytes
	What  string
	Hint  string
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("%s is larger than %d MiB: %s", e.What, e.Limit>>20, e.Hint)
}

// Broken is returned where a document ends or stops making sense. What stands before was yielded.
type Broken struct {
	What   string
	Offset int64 // in bytes after decompression, before decoding
	No     int64 // physical line
}

func (e *Broken) Error() string {
	return fmt.Sprintf("%s breaks off at byte %d (line %d): lines before it were read", e.What, e.Offset, e.No)
}

// noLines has no lines.
type noLines struct{}

func (noLines) next() (Line, error) { return Line{}, io.EOF }

const (
	layersMost  = 3        // prefixes inside each other, e.g. compose, a timestamp, CRI
	sampleMost  = 64       // lines that a layer is learnt from
	sampleBytes = 64 << 10 // and bytes
)

// stackPeelers puts peelers over a source, outermost first.
func stackPeelers(s source, peels []peeler) source {
	for _, p := range peels {
		p.reset()
		s = &stage{below: s, peel: p}
	}
	return s
}

// learnAll finds the layers around the lines of a sample, outermost first.
func learnAll(sample []Line, names *sharedNames) []peeler {
	var peels []peeler
	for inner := sample; len(peels) < layersMost; {
		p := learn(inner, names)
		if p == nil || len(peels) > 0 && sameObjects(p, peels[len(peels)-1]) {
			break
		}
		peels = append(peels, p)
		inner = peeled(sample, peels)
	}
	return peels
}

// sameObjects says whether two peelers take the same objects: what a collector merged into Airflow's record stays
// there, and is no second layer.
func sameObjects(p, outer peeler) bool {
	_, inner := p.(*objects)
	return inner && p.format() == outer.format()
}

// peeled returns what the peelers leave of a sample.
func peeled(sample []Line, peels []peeler) []Line {
	return sampleLines(stackPeelers(&listed{lines: sample}, peels), nil)
}

// listed yields copies of lines that are at hand.
type listed struct {
	lines []Line
	text  []byte
}

func (s *listed) next() (Line, error) {
	if len(s.lines) == 0 {
		return Line{}, io.EOF
	}
	l := s.lines[0]
	s.lines = s.lines[1:]
	s.text = append(s.text[:0], l.Text...) // peelers write to it
	l.Text = s.text
	return l, nil
}

// sampleLines copies the first lines of a source. head is the text that it was made from, nil if that was whole: a
// last line without its end is no sample if there are others.
func sampleLines(s source, head []byte) []Line {
	var lines []Line
	var kept []byte
	for len(lines) < sampleMost && len(kept) < sampleBytes {
		l, err := s.next()
		if err != nil {
			if n := len(lines); n > 1 && len(head) > 0 && head[len(head)-1] != '\n' {
				lines = lines[:n-1]
			}
			break
		}
		kept = append(kept, l.Text...)
		l.Text = kept[len(kept)-len(l.Text):]
		lines = append(lines, l)
	}
	return lines
}

// newestFirst says whether n things with times are listed newest first.
func newestFirst(n int, at func(int) time.Time) bool {
	var first, last time.Time
	var up, down int
	for i := range n {
		t := at(i)
		if t.IsZero() {
			continue
		}
		if first.IsZero() {
			first = t
		} else if t.After(last) {
			up++
		} else if t.Before(last) {
			down++
		}
		last = t
	}
	return down > 2*up && last.Before(first)
}

// exported says whether a format comes from a query, whose answer may list the newest line first: Loki, Cloud
// Logging, Logs Insights, Splunk, Datadog, Kibana and Grafana do so by default. A stream never does.
func exported(format string) bool {
	switch format {
	case formatCSV, "loki-json", "logcli", "grafana-txt", "cloud-logging-json", "cloudwatch-json", "splunk-json",
		"datadog-json", "elasticsearch-json", "journald-json":
		return true
	}
	return false
}

// fit says what a peeler made of a line.
type fit uint8

const (
	fitNone fit = iota
	fitWhole
	fitPart     // taken away, and the line goes on in a later one
	fitLeaveOut // not a line of a log: it is left out
)

// fd is the file descriptor that a container runtime read a line from: the parts of two lines may alternate. 0: not said.
type fd byte

// peeler takes one layer away from a line. It may write to the line's text.
type peeler interface {
	format() string
	peel(l *Line) (fit, fd)
	reset()
}

// stage takes one layer away from the lines of a source, joins the parts of lines that a container runtime split
// and cuts texts that hold several lines.
type stage struct {
	below source
	peel  peeler

	last  string // stream of the last line that fitted
	got   Line   // the line from below
	line  Line   // the line whose text is being handed out
	rest  []byte // lines of its text that are still to come
	more  bool   // there are such
	joins []joint
	err   error
}

// joint is the beginning of a line whose end has not come yet.
type joint struct {
	line Line
	fd   fd
	buf  []byte
	lost bool // of the middle
}

const jointsMost = 64

func (s *stage) next() (Line, error) {
	for {
		if s.more {
			return s.piece(), nil
		}
		if s.err != nil {
			if len(s.joins) > 0 {
				return s.cut(s.flush(0)), nil
			}
			return Line{}, s.err
		}
		got, err := s.below.next()
		if err != nil {
			s.err = err
			continue
		}
		s.got = got
		f, fd := s.peel.peel(&s.got)
		l := s.got
		switch f {
		case fitLeaveOut:
			continue
		case fitNone:
			if l.Stream == "" {
				l.Stream = s.last
			}
			return l, nil
		case fitPart:
			s.last = l.Stream
			if full := s.join(l, fd); full {
				return s.cut(s.flush(0)), nil
			}
			continue
		}
		s.last = l.Stream
		if i := s.jointOf(l, fd); i >= 0 {
			s.joins[i].add(l)
			return s.cut(s.flush(i)), nil
		}
		return s.cut(l), nil
	}
}

func (s *stage) jointOf(l Line, fd fd) int {
	for i := range s.joins {
		if s.joins[i].fd == fd && s.joins[i].line.Stream == l.Stream {
			return i
		}
	}
	return -1
}

// join keeps a part of a line; it says whether the oldest of too many joints must go.
func (s *stage) join(l Line, fd fd) (full bool) {
	i := s.jointOf(l, fd)
	if i < 0 {
		i = len(s.joins)
		s.joins = append(s.joins, joint{line: l, fd: fd})
	}
	s.joins[i].add(l)
	return len(s.joins) > jointsMost
}

func (j *joint) add(l Line) {
	j.buf = append(j.buf, l.Text...)
	j.lost = j.lost || l.Cut
	if n := len(j.buf); n > 2*capLine {
		copy(j.buf[capEnd:], j.buf[n-capEnd:])
		j.buf = j.buf[:capLine]
		j.lost = true
	}
}

func (s *stage) flush(i int) Line {
	j := s.joins[i]
	s.joins = append(s.joins[:i], s.joins[i+1:]...)
	l := j.line
	l.Text, l.Cut = j.buf, j.lost
	if n := len(l.Text); n > capLine {
		copy(l.Text[capEnd:], l.Text[n-capEnd:])
		l.Text, l.Cut = l.Text[:capLine], true
	}
	return l
}

// cut returns the first line of l's text and keeps the others.
func (s *stage) cut(l Line) Line {
	if bytes.IndexByte(l.Text, '\n') < 0 {
		l.Text = trimCR(l.Text)
		return l
	}
	s.line, s.rest, s.more = l, l.Text, true
	return s.piece()
}

func (s *stage) piece() Line {
	l := s.line
	l.Text, s.rest, s.more = firstLine(s.rest)
	s.line.tail = true
	return l
}

// firstLine cuts b behind its first line; a line feed at the very end begins no other line.
func firstLine(b []byte) (line, rest []byte, more bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return trimCR(b), nil, false
	}
	return trimCR(b[:i]), b[i+1:], i+1 < len(b)
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}

// turnedLines yields the lines of an export that lists the newest first, oldest first. Lines without a time belong to
// the one above them.
type turnedLines struct {
	below source
	lines []Line
	at    int // the group that is being handed out: lines[at:upto]
	upto  int
	begin int
	read  bool
	err   error
}

func (t *turnedLines) next() (Line, error) {
	if !t.read {
		t.read = true
		t.err = t.all()
		t.begin = len(t.lines)
	}
	if t.at == t.upto {
		if t.begin == 0 {
			return Line{}, t.err
		}
		t.upto = t.begin
		t.begin--
		for t.begin > 0 && (t.lines[t.begin].tail || t.lines[t.begin].At.IsZero()) {
			t.begin--
		}
		t.at = t.begin
	}
	l := t.lines[t.at]
	t.at++
	return l, nil
}

func (t *turnedLines) all() error {
	size := 0
	for {
		l, err := t.below.next()
		if err != nil {
			return err
		}
		size += len(l.Text) + 128
		if size > documentMost {
			t.lines = nil
			return &TooLarge{Limit: documentMost, What: "an export with the newest line first",
				Hint: "export it oldest first, or turn it round with tac"}
		}
		l.Text = bytes.Clone(l.Text)
		t.lines = append(t.lines, l)
	}
}

// sharedNames keeps one copy of each stream name, label set and tag that recurs.
type sharedNames struct {
	text    map[string]string
	labels  map[labelKey]*Labels
	indices map[int]*int
	scratch []byte
}

type labelKey struct {
	Labels // its MapIndex is nil
	index  int
	mapped bool
}

// namesMost bounds what is kept: an input with more pods than that loses sharing, not correctness.
const namesMost = 4096

func newNames() *sharedNames {
	return &sharedNames{text: map[string]string{}, labels: map[labelKey]*Labels{}, indices: map[int]*int{}}
}

// of returns b as a string.
func (n *sharedNames) of(b []byte) string {
	if s, ok := n.text[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n.text) < namesMost && len(s) <= 512 {
		n.text[s] = s
	}
	return s
}

// path joins the parts that are not empty with a slash.
func (n *sharedNames) path(parts ...string) string {
	used, only := 0, ""
	for _, p := range parts {
		if p != "" {
			used++
			only = p
		}
	}
	if used < 2 {
		return only
	}
	n.scratch = n.scratch[:0]
	for _, p := range parts {
		if p == "" {
			continue
		}
		if len(n.scratch) > 0 {
			n.scratch = append(n.scratch, '/')
		}
		n.scratch = append(n.scratch, p...)
	}
	return n.of(n.scratch)
}

// set returns the shared copy of l, nil if it says nothing.
func (n *sharedNames) set(l Labels) *Labels {
	k := labelKey{Labels: l}
	if l.MapIndex != nil {
		k.index, k.mapped = *l.MapIndex, true
		k.MapIndex = nil
	}
	if k == (labelKey{}) {
		return nil
	}
	if p, ok := n.labels[k]; ok {
		return p
	}
	p := new(Labels)
	*p = l
	if len(n.labels) < namesMost {
		n.labels[k] = p
	}
	return p
}

func (n *sharedNames) index(i int) *int {
	if p, ok := n.indices[i]; ok {
		return p
	}
	p := &i
	if len(n.indices) < namesMost {
		n.indices[i] = p
	}
	return p
}
