package classify

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// KindSaved is the kind of an input whose lines are rows that lastwords wrote with -o json.
const KindSaved = "lastwords-json"

// maxRow is the longest row that is read, in bytes.
const maxRow = 1 << 20

// savedKinds are the kinds of rows by which a saved scan is recognised. Those that are not read are no surprise.
var savedKinds = map[string]bool{"try": true, "task": true, "finding": true, "problem": true, "summary": true,
	"cost": true, "what-if": true, "inspect": true, "latency": true, "plan": true}

// savedScan is the rows that one run wrote: all up to a summary.
type savedScan struct {
	tries    []*Try
	problems []Problem
	summary  *savedSummary // nil where the rows end without one
	digest   [sha256.Size]byte
	rows     int
}

// isSaved says whether head begins with a row of a saved scan. Lines that lastwords wrote on stderr may stand before it.
func isSaved(head []byte) bool {
	if len(head) == 0 || bytes.IndexByte([]byte("{lh \r\n\x00\xef\xff\xfe"), head[0]) < 0 {
		return false // most logs
	}
	code, mark := sniffCoding(head)
	head = head[mark:]
	if code != utf8Text {
		head = code.appendUTF8(nil, head[:min(len(head), headMost)&^1])
	}
	for range 20 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimSpace(line)
		switch {
		case len(line) > 0 && line[0] == '{':
			if !bytes.Contains(line[:min(len(line), headMost)], []byte(`"schema"`)) {
				return false
			}
			schema, kind := envelope(line)
			return schema > 0 && savedKinds[kind]
		case len(line) > 0 && !bytes.HasPrefix(line, []byte("lastwords: ")) && !bytes.HasPrefix(line, []byte("hint: ")):
			return false
		case len(rest) == 0:
			return false
		}
		head = rest
	}
	return false
}

// envelope reads the two fields that every row has, wherever they stand; the row need not be complete.
func envelope(line []byte) (schema int, kind string) {
	j := jsonText{b: line}
	j.object(0, func(key []byte, at int) int {
		switch string(key) {
		case "schema":
			if end := j.value(at); end > 0 {
				schema, _ = strconv.Atoi(string(line[at:end]))
			}
		case "kind":
			if end := j.str(at); end > 0 {
				kind = string(line[at+1 : end-1])
			}
		}
		if schema != 0 && kind != "" {
			return -1
		}
		return 0
	})
	return schema, kind
}

// savedPart reads a saved scan, or several behind each other. ok is false where r holds something else; nothing was read
// from it then.
func savedPart(name string, head []byte, r io.Reader, modified time.Time) (p *Part, ok bool) {
	if !isSaved(head) {
		return nil, false
	}
	p = &Part{Name: name, Modified: modified, Kind: KindSaved, Format: formatPlain}
	code, mark := sniffCoding(head)
	s := savedReader{part: p, sum: sha256.New(), kinds: map[string]int{}, schemas: map[int]int{}}
	if mark > 0 {
		_, _ = io.CopyN(io.Discard, r, int64(mark))
	}
	if code != utf8Text {
		r = &utf16Reader{r: r, code: code}
	}
	s.read(bufio.NewReaderSize(r, 64<<10))
	return p, true
}

// savedReader reads rows one by one. What it cannot use is counted and said once.
type savedReader struct {
	part *Part
	scan *savedScan
	sum  hash.Hash

	no      int            // of the line
	kinds   map[string]int // unknown kinds
	schemas map[int]int    // newer schemas
	bad     int            // rows that are not as the contract says
	first   string         // the first of them
}

func (s *savedReader) read(r *bufio.Reader) {
	for {
		line, cut, err := readRow(r)
		if len(line) > 0 || cut {
			s.no++
			s.line(bytes.TrimSpace(line), cut)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.part.readProblem(err)
			}
			break
		}
	}
	s.close()
	s.tell()
}

// readRow reads a line. Of one that is longer than a row may be nothing is kept.
func readRow(r *bufio.Reader) (line []byte, cut bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		switch {
		case cut:
		case len(line)+len(piece) > maxRow:
			line, cut = nil, true
		case line == nil && err == nil:
			return piece, false, nil
		default:
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, cut, err
		}
	}
}

func (s *savedReader) line(line []byte, cut bool) {
	switch {
	case cut:
		s.reject(fmt.Errorf("longer than %d KiB", maxRow>>10))
		return
	case len(line) == 0:
		return
	case line[0] != '{':
		if bytes.HasPrefix(line, []byte("lastwords: ")) || bytes.HasPrefix(line, []byte("hint: ")) {
			return // stderr in the same file
		}
		s.reject(errors.New("no row"))
		return
	}
	if s.scan == nil {
		s.scan = &savedScan{}
		s.sum.Reset()
	}
	s.sum.Write(line)
	s.sum.Write([]byte("\n"))
	schema, kind := envelope(line)
	if schema > Schema {
		s.schemas[schema]++
		return
	}
	if schema < 1 || kind == "" {
		if !json.Valid(line) {
			s.reject(errors.New("no whole row"))
			return
		}
		s.reject(errors.New("neither schema nor kind"))
		return
	}
	var err error
	switch kind {
	case "try":
		var t *Try
		if t, err = decodeTry(line); err == nil {
			t.own.saved.scan = s.scan
			s.scan.tries = append(s.scan.tries, t)
		}
	case "problem":
		var p Problem
		if p, err = decodeProblem(line); err == nil {
			s.scan.problems = append(s.scan.problems, p)
		}
	case "summary":
		var sum *savedSummary
		if sum, err = decodeSummary(line); err == nil {
			s.scan.summary = sum
		}
	case "task", "finding":
		if !json.Valid(line) {
			err = errors.New("no whole row")
		}
	default:
		s.kinds[kind]++
	}
	if err != nil {
		s.reject(err)
		return
	}
	s.scan.rows++
	if kind == "summary" {
		s.close()
	}
}

func (s *savedReader) reject(err error) {
	if s.bad++; s.bad == 1 {
		s.first = fmt.Sprintf("line %d: %v", s.no, err)
	}
}

// close ends the rows of one run.
func (s *savedReader) close() {
	if s.scan == nil {
		return
	}
	s.sum.Sum(s.scan.digest[:0])
	s.part.saved = append(s.part.saved, s.scan)
	if s.scan.summary == nil {
		s.part.saved = append(s.part.saved, s.scan.apart()...)
	}
	s.scan = nil
}

// apart takes rows of one try apart that come from several runs whose summaries are not there: rows that somebody picked.
func (s *savedScan) apart() (more []*savedScan) {
	keys := rowKeys(s.tries)
	nth := map[string]int{}
	all := s.tries
	s.tries = nil
	for i, t := range all {
		k := keys[i][0]
		k = k[:strings.LastIndexByte(k, 0)]
		n := nth[k]
		if t.known() {
			nth[k]++
		}
		to := s
		if n > 0 {
			for len(more) < n {
				next := &savedScan{rows: s.rows}
				next.digest = sha256.Sum256(append(s.digest[:], byte(len(more)), byte(len(more)>>8)))
				more = append(more, next)
			}
			to = more[n-1]
		}
		t.own.saved.scan = to
		to.tries = append(to.tries, t)
	}
	return more
}

// tell makes problems of what was not used.
func (s *savedReader) tell() {
	if s.bad > 0 {
		says := s.first
		if s.bad > 1 {
			says += fmt.Sprintf(" (and %d more)", s.bad-1)
		}
		s.part.Problem(errors.New("not a row that lastwords wrote: "+says), "the other rows are reported")
	}
	var unknown []string
	add := func(n int, what string) {
		row := "rows"
		if n == 1 {
			row = "row"
		}
		unknown = append(unknown, fmt.Sprintf("%d %s of %s", n, row, what))
	}
	newer := 0
	for _, schema := range sortedBy(s.schemas, cmp.Compare[int]) {
		newer += s.schemas[schema]
		add(s.schemas[schema], fmt.Sprintf("schema %d", schema))
	}
	for i, kind := range sortedBy(s.kinds, strings.Compare) {
		if i == 5 {
			unknown = append(unknown, "others")
			break
		}
		if len(kind) > 40 {
			kind = kind[:40]
		}
		add(s.kinds[kind], fmt.Sprintf("kind %q", clean(kind)))
	}
	if len(unknown) > 0 {
		hint := "the other rows are reported"
		if newer > 0 {
			hint = "a newer lastwords wrote them: read them with that one"
		}
		s.part.Problem(errors.New("not read: "+tellList(unknown)), hint)
	}
	tries, told := 0, 0
	for _, scan := range s.part.saved {
		if tries += len(scan.tries); scan.summary != nil {
			told += scan.summary.Tries
		}
	}
	if tries == 0 && told > 0 && s.bad == 0 && newer == 0 {
		s.part.Problem(errors.New("a saved scan without a row of kind try: there is nothing to build a report from"),
			"save it with `lastwords scan SOURCE -o json`, without filters")
	}
}

func sortedBy[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	return keys
}

// utf16Reader reads UTF-16 as UTF-8: PowerShell 5 saves what `>` gets so.
type utf16Reader struct {
	r    io.Reader
	code coding
	raw  []byte // bytes that wait for the rest of their character
	text []byte
	err  error
}

func (u *utf16Reader) Read(b []byte) (int, error) {
	for len(u.text) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		buf := make([]byte, 16<<10)
		n, err := u.r.Read(buf)
		u.raw, u.err = append(u.raw, buf[:n]...), err
		whole := len(u.raw) &^ 1
		if whole >= 2 && err == nil && u.code.highSurrogate(u.raw[whole-2:]) {
			whole -= 2
		}
		if err != nil {
			whole = len(u.raw)
		}
		u.text = u.code.appendUTF8(nil, u.raw[:whole])
		u.raw = append(u.raw[:0], u.raw[whole:]...)
	}
	n := copy(b, u.text)
	u.text = u.text[n:]
	return n, nil
}

// highSurrogate says whether the unit at b[0] is the first half of a character.
func (c coding) highSurrogate(b []byte) bool {
	hi := b[1]
	if c == utf16BE {
		hi = b[0]
	}
	return hi&0xfc == 0xd8
}
