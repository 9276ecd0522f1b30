package classify

import (
	"bytes"
	"errors"
	"io"
	"time"
)

// documentMost is the size up to which a document is read whole.
const documentMost = 32 << 20

// walk collects the elements of the value that starts at b[i] and returns the place behind it, or -1.
type walk func(d *document, i int) int

// document is an input that is one value, not lines: the answer of an API, a JSON array, a Python literal. It is read
// whole; texts are decoded in place, when they are asked for.
type document struct {
	b     []byte
	code  coding
	names *sharedNames
	json  jsonText
	open  opener
	count counter

	items   []item
	tags    map[tag]*tag
	foreign bool // it holds Kubernetes objects only
	err     error

	at   int // the next item
	line Line
	rest []byte
	more bool
}

// item is one text of a document.
type item struct {
	from, to int32 // where it stands in the document
	how      decoding
	no       int64
	offset   int64
	at       int64 // nanoseconds since 1970, 0: none
	tag      *tag  // never nil
}

// tag is what items that came from one place share.
type tag struct {
	stream, origin, level string
	labels                *Labels
}

// counter finds the physical line of places that are asked for in rising order.
type counter struct {
	pos   int   // in the text
	no    int64 // lines before pos, plus one
	start int   // where that line begins, in the text
	off   int64 // bytes of the input before pos
	begin int64 // bytes of the input before start
}

func (c *counter) advance(b []byte, code coding, to int) {
	for {
		i := bytes.IndexByte(b[c.pos:max(to, c.pos)], '\n')
		if i < 0 {
			break
		}
		c.off += code.units(b[c.pos : c.pos+i+1])
		c.pos += i + 1
		c.no++
		c.start, c.begin = c.pos, c.off
	}
	if to > c.pos {
		c.off += code.units(b[c.pos:to])
		c.pos = to
	}
}

// readDocument reads r and collects its elements.
func readDocument(r io.Reader, code coding, mark int, w walk, names *sharedNames) *document {
	d := &document{code: code, names: names, tags: map[tag]*tag{}, err: io.EOF}
	b, err := readMost(r, documentMost)
	if err != nil {
		d.err = err
		return d
	}
	b = b[min(mark, len(b)):]
	if code != utf8Text {
		b = code.appendUTF8(make([]byte, 0, len(b)/2+len(b)/8), b)
	}
	d.b = b
	d.json = jsonText{b: b}
	d.open = opener{names: names}
	d.count = counter{no: 1, off: int64(mark), begin: int64(mark)}
	for i := d.json.space(0); i < len(b); i = d.json.space(i) {
		if i = w(d, i); i < 0 {
			d.broken(d.json.bad)
			break
		}
	}
	if d.foreign = d.foreign && len(d.items) > 0; d.foreign {
		d.items = nil
	}
	return d
}

func (d *document) broken(i int) {
	if d.open.json.bad > i {
		i = d.open.json.bad // inside an element
	}
	d.count.advance(d.b, d.code, i)
	d.err = &Broken{What: "the document", Offset: d.count.off, No: d.count.no}
}

// readMost reads r, up to most bytes.
func readMost(r io.Reader, most int) ([]byte, error) {
	b := make([]byte, 0, 64<<10)
	empty := 0
	for {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(4*cap(b), most+1)), b...)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case len(b) > most:
			return nil, &TooLarge{Limit: documentMost, What: "a document that is one JSON value",
				Hint: "export it in lines (ndjson) or in smaller parts"}
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		}
		if empty++; n > 0 {
			empty = 0
		}
		if empty > emptyReads {
			return nil, io.ErrNoProgress
		}
	}
}

// add appends an item whose element begins at elem and whose text stands at text; the line is text's, and the
// element's offset if that is on the same line.
func (d *document) add(elem int, text span, how decoding, at time.Time, t tag) {
	d.count.advance(d.b, d.code, elem)
	offset := d.count.off
	if d.count.pos != elem {
		offset = d.count.begin // it lies before what was counted
	}
	d.count.advance(d.b, d.code, text.from)
	it := item{from: int32(text.from), to: int32(text.to), how: how, no: d.count.no,
		offset: max(d.count.begin, offset), tag: d.shared(t)}
	if !at.IsZero() {
		it.at = at.UnixNano()
	}
	d.items = append(d.items, it)
}

// shared returns the one copy of t.
func (d *document) shared(t tag) *tag {
	if p, ok := d.tags[t]; ok {
		return p
	}
	p := &tag{t.stream, t.origin, t.level, t.labels}
	if len(d.tags) < namesMost {
		d.tags[t] = p
	}
	return p
}

// element reads one object of an export at i.
func (d *document) element(i int, outer tag) int {
	end := d.open.read(d.b, i)
	if end < 0 {
		return end
	}
	at, how := d.open.line()
	if how == asNothing {
		return end
	}
	if len(d.items) == 0 {
		d.foreign = true
	}
	d.foreign = d.foreign && d.open.kubeObjs
	l := Line{Stream: outer.stream, Labels: outer.labels}
	d.open.fill(&l)
	d.add(i, at, how, l.At, tag{l.Stream, l.Origin, l.Level, l.Labels})
	return end
}

// turn reverses the items from n on if they are listed newest first.
func (d *document) turn(n int) {
	group := d.items[n:]
	at := func(i int) time.Time {
		if group[i].at == 0 {
			return time.Time{}
		}
		return time.Unix(0, group[i].at)
	}
	if newestFirst(len(group), at) {
		for i, k := 0, len(group)-1; i < k; i, k = i+1, k-1 {
			group[i], group[k] = group[k], group[i]
		}
	}
}

func (d *document) rewind() { d.at, d.more = 0, false }

func (d *document) next() (Line, error) {
	if !d.more {
		if d.at == len(d.items) {
			return Line{}, d.err
		}
		it := &d.items[d.at]
		d.at++
		text := it.how.decode(d.b[it.from:it.to])
		it.to, it.how = it.from+int32(len(text)), asIs
		d.line = Line{No: it.no, Offset: it.offset, Stream: it.tag.stream, Origin: it.tag.origin, Level: it.tag.level,
			Labels: it.tag.labels}
		if it.at != 0 {
			d.line.At = time.Unix(0, it.at).UTC()
		}
		d.rest = text
	}
	l := d.line
	l.Text, d.rest, d.more = firstLine(d.rest)
	d.line.tail = true
	if len(l.Text) > capLine {
		l.Text, l.Cut = bothEnds(l.Text), true
	}
	return l, nil
}

// bothEnds returns a copy of the first and the last 64 KiB of b.
func bothEnds(b []byte) []byte {
	return append(append(make([]byte, 0, capLine), b[:capEnd]...), b[len(b)-capEnd:]...)
}

// sniffDocument says whether head begins a document, of which format, and how its elements are collected. The format
// is empty for everything that has lines. A nil walk goes with formats that have no log in them.
func sniffDocument(head []byte) (format string, w walk) {
	j := &jsonText{b: head}
	i := j.space(0)
	if i == len(head) {
		return "", nil
	}
	switch head[i] {
	case '{':
		return sniffObject(j, i)
	case '[':
		return sniffArray(j, i)
	}
	if yamlObject(head[i:]) {
		return formatKubernetes, nil
	}
	return "", nil
}

// yamlObject says whether b is what kubectl prints with -o yaml.
func yamlObject(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("---"))
	b = bytes.TrimLeft(b, "\r\n")
	if !bytes.HasPrefix(b, []byte("apiVersion: ")) && !bytes.HasPrefix(b, []byte("kind: ")) {
		return false
	}
	return bytes.Contains(b, []byte("\nkind: ")) || bytes.Contains(b, []byte("\napiVersion: ")) ||
		bytes.Contains(b, []byte("\nitems:"))
}

func sniffObject(j *jsonText, i int) (format string, w walk) {
	s, end := shapeOf(j, i)
	if s&hasAPIVersion != 0 {
		return formatKubernetes, nil
	}
	if end < 0 && j.bad < len(j.b) {
		return "", nil // cut records, a Python dict: lines
	}
	if format, w := answer(s); format != "" {
		return format, w
	}
	upto := end
	if end < 0 {
		upto = len(j.b)
	}
	lines := bytes.IndexByte(j.b[i:upto], '\n') < 0
	collector := s.collector()
	switch {
	case s.own() && collector == "":
		if lines {
			return "", nil
		}
		return formatJSON, walkElement
	case collector != "":
		if lines {
			return "", nil
		}
		return collector, walkElement
	case s&hasProblem != 0:
		return "", nil // {"detail":"Only application/json or application/x-ndjson is supported"}
	case lines && end > 0 && j.space(end) < len(j.b):
		return "", nil // somebody's own lines
	case s == 0 && end > 0 && end-i < 3:
		return "", nil // {}
	}
	return formatUnknownJSON, nil
}

// answer knows the answers of APIs by their top-level keys.
func answer(s shape) (format string, w walk) {
	switch {
	case s&hasContent != 0 && (s&hasToken != 0 || s&^(hasContent) == 0):
		return formatREST, walkREST
	case s&hasLogEvents != 0, s&hasEvents != 0 && !s.own():
		return "cloudwatch-json", walkInside("events", "logEvents")
	case s&hasResults != 0:
		return "cloudwatch-json", walkInside("results")
	case s&hasHits != 0:
		return "elasticsearch-json", walkHits
	case s&hasStreams != 0, s&hasDataObject != 0 && s&hasStatus != 0:
		return "loki-json", walkLoki
	case s&hasDataArray != 0 && s&hasMessage == 0:
		return "datadog-json", walkInside("data")
	case s&hasEntries != 0:
		return "cloud-logging-json", walkInside("entries")
	}
	return "", nil
}

func sniffArray(j *jsonText, i int) (format string, w walk) {
	k := j.space(i + 1)
	if k >= len(j.b) {
		return "", nil
	}
	rest := j.b[k:]
	switch {
	case rest[0] == '(' && len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"'):
		return formatREST, walkPython
	case rest[0] == '{':
		s, end := shapeOf(j, k)
		if end < 0 && j.bad < len(j.b) {
			return "", nil
		}
		switch {
		case s&hasAPIVersion != 0:
			return formatKubernetes, nil
		case s.collector() != "":
			return s.collector(), walkArray
		case s.own(), s&hasEvent != 0:
			return formatREST, walkContent
		case s&hasMessage != 0:
			return "json-lines", walkArray
		case s == 0 && end > 0 && end-k < 3:
			return "", nil
		}
		return formatUnknownJSON, nil
	case rest[0] == '[' && insightsRow(j, k):
		return "cloudwatch-json", walkArray
	case rest[0] == '[' && len(rest) > 1 && rest[1] == '"':
		// [["host","text"],…]: the reader's pairs as JSON
		if end := j.str(k + 1); end > 0 {
			if end = j.space(end); end+1 < len(j.b) && j.b[end] == ',' && j.b[j.space(end+1):][0] == '"' {
				return formatREST, walkContent
			}
		}
	}
	return "", nil
}

// insightsRow: [{"field":"@timestamp","value":"2024-02-15 17:47:55.619"},{"field":"@message","value":"…"}]
func insightsRow(j *jsonText, i int) bool {
	i = j.space(i + 1)
	return i < len(j.b) && j.b[i] == '{' && bytes.Contains(j.b[i:min(i+64, len(j.b))], []byte(`"field"`))
}

// walkElement collects one object of an export, or one record that Airflow wrote.
func walkElement(d *document, i int) int { return d.element(i, tag{}) }

// walkArray collects the objects of an array.
func walkArray(d *document, i int) int { return d.elements(i, tag{}) }

func (d *document) elements(i int, outer tag) int {
	if i >= len(d.b) || d.b[i] != '[' {
		return d.json.value(i)
	}
	n := len(d.items)
	end := d.json.array(i, func(at int) int {
		switch d.b[at] {
		case '{':
			return d.element(at, outer)
		case '[':
			return d.insights(at)
		}
		return 0
	})
	d.turn(n)
	return end
}

// walkInside collects the arrays under the given keys; logGroup and logStream may stand beside them.
func walkInside(keys ...string) walk {
	return func(d *document, i int) int {
		var outer tag
		return d.json.object(i, func(key []byte, at int) int {
			if at < len(d.b) && d.b[at] == '"' && string(key) == "logStream" {
				if end := d.json.str(at); end > 0 {
					outer.stream = d.names.of(d.b[at+1 : end-1])
				}
			}
			for _, k := range keys {
				if string(key) == k && at < len(d.b) {
					return d.elements(at, outer)
				}
			}
			return 0
		})
	}
}

// insights reads one row of get-query-results: a list of fields and their values.
func (d *document) insights(i int) int {
	var text span
	var at time.Time
	var t tag
	end := d.json.array(i, func(k int) int {
		var field []byte
		var value span
		end := d.json.object(k, func(key []byte, v int) int {
			end := d.json.value(v)
			if end < 0 || d.b[v] != '"' {
				return end
			}
			switch string(key) {
			case "field":
				field = d.b[v+1 : end-1]
			case "value":
				value = span{v + 1, end - 1}
			}
			return end
		})
		switch string(field) {
		case "@message":
			text = value
		case "@timestamp":
			at = clockValue(d.b[value.from:value.to])
		case "@logStream":
			t.stream = d.names.of(d.b[value.from:value.to])
		}
		return end
	})
	if end > 0 && !text.empty() {
		d.add(i, text, asString, at, t)
	}
	return end
}

// walkHits reads an answer of Elasticsearch's or OpenSearch's _search.
func walkHits(d *document, i int) int {
	return d.json.object(i, func(key []byte, at int) int {
		if string(key) != "hits" || at >= len(d.b) || d.b[at] != '{' {
			return 0
		}
		return d.json.object(at, func(key []byte, at int) int {
			if string(key) != "hits" {
				return 0
			}
			return d.elements(at, tag{})
		})
	})
}

// walkLoki reads an answer of Loki's query and query_range: {"data":{"resultType":"streams","result":[{"stream":{labels},
// "values":[["ns","line"],…]}]}}, and what its tail and push APIs speak: {"streams":[…]}.
func walkLoki(d *document, i int) int {
	streams := func(at int) int {
		if at >= len(d.b) || d.b[at] != '[' {
			return 0
		}
		return d.json.array(at, d.lokiStream)
	}
	return d.json.object(i, func(key []byte, at int) int {
		switch string(key) {
		case "streams":
			return streams(at)
		case "data":
			if at >= len(d.b) || d.b[at] != '{' {
				return 0
			}
			return d.json.object(at, func(key []byte, at int) int {
				if string(key) == "result" {
					return streams(at)
				}
				return 0
			})
		}
		return 0
	})
}

func (d *document) lokiStream(i int) int {
	var t tag
	n := len(d.items)
	end := d.json.object(i, func(key []byte, at int) int {
		if at >= len(d.b) {
			return 0
		}
		switch {
		case string(key) == "stream" && d.b[at] == '{':
			d.open = opener{names: d.names, json: jsonText{b: d.b}}
			end := d.open.object(at, inLabels, 0)
			if end > 0 {
				var l Line
				d.open.fill(&l)
				t = tag{l.Stream, l.Origin, l.Level, l.Labels}
				for k := n; k < len(d.items); k++ { // values that stood before their labels
					d.items[k].tag = d.shared(t)
				}
			}
			return end
		case string(key) == "values" && d.b[at] == '[':
			return d.json.array(at, func(at int) int { return d.lokiValue(at, t) })
		}
		return 0
	})
	d.turn(n)
	return end
}

func (d *document) lokiValue(i int, t tag) int {
	if i >= len(d.b) || d.b[i] != '[' {
		return 0
	}
	n := 0
	var clock time.Time
	var text span
	end := d.json.array(i, func(at int) int {
		end := d.json.value(at)
		if end > 0 && d.b[at] == '"' {
			switch n {
			case 0:
				clock = clockNumber(d.b[at+1 : end-1])
			case 1:
				text = span{at + 1, end - 1}
			}
		}
		n++
		return end
	})
	if end > 0 && text.from > 0 {
		d.add(i, text, asString, clock, t)
	}
	return end
}

// walkREST reads Airflow's answer to …/logs/{try}: {"content": …, "continuation_token": …}. content is a text (1.10,
// 2.0), a Python literal in a text (2.x), pairs of host and text, or records (3.x).
func walkREST(d *document, i int) int {
	return d.json.object(i, func(key []byte, at int) int {
		if string(key) != "content" || at >= len(d.b) {
			return 0
		}
		return walkContent(d, at)
	})
}

func walkContent(d *document, i int) int {
	switch d.b[i] {
	case '"':
		end := d.json.str(i)
		to := end - 1
		if end < 0 {
			if d.json.bad < len(d.b) {
				return end
			}
			to = len(d.b) // cut: what is there can be read
		}
		d.physicalText(i, span{i + 1, to}, "")
		return end
	case '[':
		return d.json.array(i, func(at int) int {
			switch d.b[at] {
			case '"':
				end := d.json.str(at)
				if end > 0 {
					d.physicalText(at, span{at + 1, end - 1}, "")
				}
				return end
			case '[':
				return d.pair(at)
			case '{':
				return d.record(at)
			}
			return 0
		})
	}
	return d.json.value(i)
}

// pair reads ["host", "text"].
func (d *document) pair(i int) int {
	var host string
	var text span
	n := 0
	end := d.json.array(i, func(at int) int {
		end := d.json.value(at)
		if end > 0 && d.b[at] == '"' {
			if n > 0 {
				host = d.names.of(d.b[text.from:text.to])
			}
			text = span{at + 1, end - 1}
			n++
		}
		return end
	})
	if end > 0 && n > 0 {
		d.physicalText(text.from, text, host)
	}
	return end
}

// record takes a structured message as it stands, as one line.
func (d *document) record(i int) int {
	event := i
	end := d.json.object(i, func(key []byte, at int) int {
		if string(key) == "event" {
			event = at
		}
		return 0
	})
	if end < 0 {
		return end
	}
	d.count.advance(d.b, d.code, event)
	d.items = append(d.items, item{from: int32(i), to: int32(end), how: asCompact, no: d.count.no, offset: d.count.begin,
		tag: d.shared(tag{})})
	return end
}

// physicalText adds a text that holds many lines of one physical line; it may be a Python literal.
func (d *document) physicalText(i int, text span, host string) {
	d.count.advance(d.b, d.code, i)
	no, offset := d.count.no, d.count.begin
	d.count.advance(d.b, d.code, text.to) // before its bytes change
	text.to = text.from + len(decodeJSON(d.b[text.from:text.to]))
	if pythonList(d.b[text.from:text.to]) {
		d.python(text, no, offset)
		return
	}
	d.addText(text, host, no, offset)
}

// addText adds a decoded text of many lines that stands on one physical line.
func (d *document) addText(text span, host string, no, offset int64) {
	if text.empty() {
		return
	}
	t := tag{stream: host, labels: d.names.set(Labels{Host: host})}
	d.items = append(d.items, item{from: int32(text.from), to: int32(text.to), how: asIs, no: no, offset: offset, tag: d.shared(t)})
}

// pythonList says whether a text is a list literal and not a line that begins with a bracket.
func pythonList(b []byte) bool {
	return len(b) > 2 && b[0] == '[' && (b[1] == '(' && (b[2] == '\'' || b[2] == '"') ||
		(b[1] == '\'' || b[1] == '"') && bytes.HasSuffix(bytes.TrimSpace(b), []byte{b[1], ']'})) || string(b) == "[]"
}

// python adds the texts of [('host', 'text'), …].
func (d *document) python(literal span, no, offset int64) {
	host := ""
	err := pythonTexts(d.b[literal.from:literal.to], func(text []byte, from int, last bool) {
		if !last {
			host = d.names.of(text)
			return
		}
		from += literal.from
		d.addText(span{from, from + len(text)}, host, no, offset)
		host = ""
	})
	if err != nil && errors.Is(d.err, io.EOF) {
		d.err = &Broken{What: "the Python literal in the answer", Offset: d.count.off, No: d.count.no}
	}
}

// walkPython reads a body that is nothing but such a literal.
func walkPython(d *document, i int) int {
	d.count.advance(d.b, d.code, i)
	no, offset := d.count.no, d.count.begin
	d.count.advance(d.b, d.code, len(d.b))
	d.python(span{i, len(d.b)}, no, offset)
	return len(d.b)
}
