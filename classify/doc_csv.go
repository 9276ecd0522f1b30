package classify

import "bytes"

// columns says which cells of a row hold what; -1: none.
type columns struct {
	comma                      byte
	text, clock, origin, level int
	stream                     []int // from the outermost in
	id                         map[int]string
}

// rowMost bounds a row: a quote that is never closed must not swallow the file.
const rowMost = 1 << 20

// sniffTable says whether head begins with the header of a CSV export, and which columns it has. One cell must be
// named as exports name the line of a log.
//
//	date,name,message                       (a watcher's log out of a dashboard)
//	@timestamp,@message                     (CloudWatch Logs Insights)
//	Date,Host,Service,Message               (Datadog)
//	"@timestamp","kubernetes.pod.name",message  (Kibana)
func sniffTable(head []byte) (columns, bool) {
	c := columns{text: -1, clock: -1, origin: -1, level: -1, id: map[int]string{}}
	end := bytes.IndexByte(head, '\n')
	if end < 0 || end > 4096 {
		return c, false
	}
	header := trimCR(head[:end])
	c.comma = ','
	for _, sep := range []byte{',', ';', '\t'} {
		if bytes.IndexByte(header, sep) >= 0 {
			c.comma = sep
			break
		}
	}
	clockRank := 0
	for i, cell := range bytes.Split(header, []byte{c.comma}) {
		name := string(bytes.ToLower(bytes.Trim(bytes.TrimSpace(cell), `"`)))
		if len(name) > 64 || !columnName(name) {
			return c, false
		}
		switch name {
		case "message", "@message", "log", "textpayload", "line", "_raw", "content", "logmessage", "logentry",
			"jsonpayload.message", "event.original", "body":
			if c.text < 0 {
				c.text = i
			}
		case "@timestamp", "timestamp", "_time", "timegenerated", "time", "date", "datetime", "ts", "receivetimestamp":
			if r := columnClock(name); clockRank == 0 || r < clockRank {
				c.clock, clockRank = i, r
			}
		case "name", "logger", "logger_name", "filename", "source_file", "process", "labels.process":
			c.origin = i
		case "severity", "level", "levelname", "status", "log_level":
			c.level = i
		case "@logstream", "logstreamname", "logstream", "stream", "pod", "pod_name", "podname", "kubernetes.pod_name",
			"kubernetes.pod.name", "container", "container_name", "containername", "kubernetes.container_name",
			"kubernetes.container.name", "service", "resource.labels.pod_name", "resource.labels.container_name":
			c.stream = append(c.stream, i)
		case "dag_id", "task_id", "run_id", "execution_date", "try_number", "map_index":
			c.id[i] = name
		case "labels.workflow":
			c.id[i] = "dag_id"
		case "labels.task-id", "labels.task_id":
			c.id[i] = "task_id"
		case "labels.execution-date":
			c.id[i] = "execution_date"
		case "labels.try-number":
			c.id[i] = "try_number"
		case "labels.map-index":
			c.id[i] = "map_index"
		case "host", "hostname":
			c.id[i] = "host"
		}
	}
	if c.text < 0 {
		return c, false
	}
	below, _, _ := bytes.Cut(head[end+1:], []byte("\n"))
	if bytes.IndexByte(header, c.comma) < 0 { // one column: only with a quoted cell below, "log" may be a host name
		return c, len(below) > 0 && below[0] == '"'
	}
	return c, len(trimCR(below)) == 0 || below[0] == '"' || bytes.IndexByte(below, c.comma) >= 0
}

// columnName says whether s reads like a column's name and not like a line of a log.
func columnName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case asciiAlnum(c), c == '_', c == '-', c == '.', c == '@', c == ' ' && i > 0, c == '/', c == ':', c == '#':
		default:
			return false
		}
	}
	return s == "" || s[0] < '0' || s[0] > '9'
}

func columnClock(name string) int {
	switch name {
	case "@timestamp", "timestamp", "_time", "timegenerated":
		return 1
	case "date", "datetime", "receivetimestamp":
		return 3
	}
	return 2
}

// table yields the cells that hold log lines. Quoting is that of encoding/csv with LazyQuotes; it is done here
// because each line of a cell keeps its physical line.
type table struct {
	below *physical
	cols  columns
	names *sharedNames
	begun bool // the header was read

	text   []byte  // of the row's cells that are wanted
	pieces []piece // in text, each up to where the next begins
	column int
	quoted bool // a quoted cell goes on in the next physical line
	at     int  // the next piece to hand out
	got    Line // the physical line
	about  Line // what the other cells say
	err    error
}

// piece is the part of a cell that stands on one physical line.
type piece struct {
	column int
	from   int
	line   Line // without text
}

func newTable(p *physical, c columns, names *sharedNames) *table {
	return &table{below: p, cols: c, names: names}
}

func (t *table) next(l *Line) error {
	for {
		for t.at < len(t.pieces) {
			p := &t.pieces[t.at]
			text := t.piece(t.at)
			t.at++
			if p.column != t.cols.text {
				continue
			}
			*l = t.about
			l.No, l.Offset, l.Cut, l.tail = p.line.No, p.line.Offset, p.line.Cut, p.line.tail
			if l.Text = trimCR(text); len(l.Text) > capLine {
				l.Text, l.Cut = bothEnds(l.Text), true
			}
			return nil
		}
		if t.err != nil {
			return t.err
		}
		t.row()
		if !t.begun {
			t.begun, t.pieces = true, t.pieces[:0]
		}
		t.describe()
	}
}

func (t *table) piece(i int) []byte {
	to := len(t.text)
	if i+1 < len(t.pieces) {
		to = t.pieces[i+1].from
	}
	return t.text[t.pieces[i].from:to:to]
}

// row reads one row, which may span physical lines. A row that grows too long is handed out in parts.
func (t *table) row() {
	t.text, t.pieces, t.at = t.text[:0], t.pieces[:0], 0
	for size := 0; size <= rowMost; {
		if t.err = t.below.next(&t.got); t.err != nil {
			return
		}
		l := &t.got
		b, i := l.Text, 0
		size += len(b) + 64
		keep := t.wanted(t.column)
		switch {
		case t.quoted:
			if keep {
				t.pieces = append(t.pieces, piece{t.column, len(t.text), Line{No: l.No, Offset: l.Offset, Cut: l.Cut, tail: true}})
			}
		case len(b) == 0:
			return // a blank line is no row
		default:
			t.column = 0
			i = t.begin(l, b, 0)
			keep = t.wanted(0)
		}
		for i < len(b) {
			c := b[i]
			i++
			switch {
			case t.quoted && c == '"' && i < len(b) && b[i] == '"':
				i++
			case t.quoted && c == '"' && (i == len(b) || b[i] == t.cols.comma):
				t.quoted = false
				continue
			case !t.quoted && c == t.cols.comma:
				t.column++
				i = t.begin(l, b, i)
				keep = t.wanted(t.column)
				continue
			}
			if keep {
				t.text = append(t.text, c)
			}
		}
		if !t.quoted {
			return
		}
	}
}

// begin opens the cell that begins at b[i] and returns where its content begins.
func (t *table) begin(l *Line, b []byte, i int) int {
	if t.wanted(t.column) {
		t.pieces = append(t.pieces, piece{t.column, len(t.text), Line{No: l.No, Offset: l.Offset, Cut: l.Cut}})
	}
	if t.quoted = i < len(b) && b[i] == '"'; t.quoted {
		i++
	}
	return i
}

// cell returns the first line of a cell of the row.
func (t *table) cell(column int) []byte {
	for i, p := range t.pieces {
		if p.column == column {
			return bytes.TrimSpace(t.piece(i))
		}
	}
	return nil
}

func (t *table) wanted(column int) bool {
	if column == t.cols.text || column == t.cols.clock || column == t.cols.origin || column == t.cols.level ||
		t.cols.id[column] != "" {
		return true
	}
	for _, c := range t.cols.stream {
		if c == column {
			return true
		}
	}
	return false
}

// describe reads what the other cells of the row say.
func (t *table) describe() {
	t.about = Line{At: clockValue(t.cell(t.cols.clock)), Origin: t.names.of(t.cell(t.cols.origin)),
		Level: t.names.of(t.cell(t.cols.level))}
	var labels Labels
	for i, name := range t.cols.id {
		cell := t.cell(i)
		if len(cell) == 0 || string(cell) == "-" {
			continue
		}
		v := t.names.of(cell)
		switch name {
		case "dag_id":
			labels.DagID = v
		case "task_id":
			labels.TaskID = v
		case "run_id":
			labels.RunID = v
		case "execution_date":
			labels.ExecutionDate = v
		case "host":
			labels.Host = v
		case "try_number":
			labels.Try = tryNumber(cell)
		case "map_index":
			labels.MapIndex = mapIndex(cell, t.names)
		}
	}
	place := ""
	for _, i := range t.cols.stream {
		place = t.names.path(place, t.names.of(t.cell(i)))
	}
	if place == "" {
		place = labels.Host
	}
	t.about.Stream = t.names.path(labels.key(t.names), place)
	t.about.Labels = t.names.set(labels)
}
