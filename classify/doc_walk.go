package classify

import (
	"bytes"
	"errors"
	"io"
	"time"
)

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
		d.add(i, text.from, text, asString, at, t)
	}
	return end
}

// walkHits reads an answer of Elasticsearch's or OpenSearch's _search.
func walkHits(d *document, i int) int {
	defer d.byTime()
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
	defer d.byTime()
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
		d.add(i, text.from, text, asString, clock, t)
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
	d.items = append(d.items, item{from: int32(i), to: int32(end), how: asCompact, no: int32(d.count.no), offset: int32(d.count.begin),
		tag: d.shared(tag{})})
	return end
}

// physicalText adds a text that holds many lines of one physical line; it may be a Python literal.
func (d *document) physicalText(i int, text span, host string) {
	d.count.advance(d.b, d.code, i)
	no, offset := int32(d.count.no), int32(d.count.begin)
	d.count.advance(d.b, d.code, text.to) // before its bytes change
	text.to = text.from + len(decodeJSON(d.b[text.from:text.to]))
	if pythonList(d.b[text.from:text.to]) {
		d.python(text, no, offset)
		return
	}
	d.addText(text, host, no, offset)
}

// addText adds a decoded text of many lines that stands on one physical line.
func (d *document) addText(text span, host string, no, offset int32) {
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
func (d *document) python(literal span, no, offset int32) {
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
	no, offset := int32(d.count.no), int32(d.count.begin)
	d.count.advance(d.b, d.code, len(d.b))
	d.python(span{i, len(d.b)}, no, offset)
	return len(d.b)
}
