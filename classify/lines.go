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
	Offset int64     // where that line begins, or its element if further right; bytes after decompression, before decoding
	At     time.Time // the collector's time of the line, in UTC; zero if it gave none, or none with a year
	Stream string    // which container, pod, log stream or label set it came from; empty if the input names none
	Origin string    // emitting file or logger where a label says so ("taskinstance.py"), else empty
	Level  string    // severity where a label says so, as it is spelled there, else empty
	Labels *Labels   // identity where labels say so, else nil; equal labels share one pointer
	Cut    bool      // the line was longer than 128 KiB: Text is its first and last 64 KiB

	tail bool // it is not the first line of its element
	mine bool // the sieve has seen that no rule fires on it: a record of the task's own code
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
	line   Line
	plain  *physical // top, where nothing has to be taken away
}

// source yields lines; each line's text is valid until the next call.
type source interface {
	next(l *Line) error
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
		text = code.appendUTF8(nil, text[:len(text)&^1])
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
	sample = peeled(sample, peels)
	if exported(format) && newestFirst(len(sample), func(i int) time.Time { return sample[i].At }) {
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
		var line Line
		err := l.plain.next(&line)
		return line, err
	}
	if l.top == nil {
		l.top = l.open()
	}
	l.line = Line{}
	err := l.top.next(&l.line)
	return l.line, err
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
	if isSaved(head) {
		return KindSaved, false
	}
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

func (noLines) next(*Line) error { return io.EOF }
