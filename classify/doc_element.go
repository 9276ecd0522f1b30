package classify

import (
	"bytes"
	"strconv"
	"time"
)

// opener reads one element of an export: its text, its time and what its labels say. It is reused.
type opener struct {
	names *sharedNames
	json  jsonText

	text     span // the string that holds the log line, without its quotes
	rank     int  // how sure that is: smaller is surer; 0: no text yet
	bytes    span // journald: the text as an array of numbers
	own      span // an object that Airflow wrote
	event    int  // where its event stands
	ordinal  time.Time
	payload  span // a payload of unknown shape
	clock    time.Time
	clocked  int // rank of the clock
	part     bool
	kubeObjs bool // the payload is a Kubernetes object

	labels              Labels
	origin, level       []byte
	logStream           []byte
	file, service, unit []byte
	fd                  fd
}

type span struct{ from, to int }

func (s span) empty() bool { return s.to <= s.from }

// read reads the object that starts at b[i] and returns the place behind it, or -1.
func (o *opener) read(b []byte, i int) int {
	*o = opener{names: o.names, json: jsonText{b: b}}
	return o.object(i, inRecord, 0)
}

// scope says what the keys of an object mean.
type scope uint8

const (
	inRecord scope = iota
	inPayload
	inLabels
	inKubernetes
	inPodLabels
	inAnnotations
	inPod // Filebeat: {"pod":{"name":"p"},"container":{"name":"c"},"node":{"name":"n"}}
	inContainer
	inHost
	inLocation
)

const openerDepth = 8

func (o *opener) object(i int, in scope, depth int) int {
	if depth == openerDepth {
		return o.json.value(i)
	}
	var s shape
	clock, clocked := o.clock, o.clocked
	end := o.json.object(i, func(key []byte, at int) int {
		var first byte
		if at < len(o.json.b) {
			first = o.json.b[at]
		}
		if in == inRecord || in == inPayload {
			s |= shapeOfKey(key, first)
			if in == inPayload && string(key) == "involvedObject" {
				o.kubeObjs = true
			}
		}
		switch first {
		case '{':
			if sub, ok := scopeOf(key, in); ok {
				return o.object(at, sub, depth+1)
			}
			if in == inRecord && string(key) == "protoPayload" {
				end := o.json.value(at)
				o.payload = span{at, end}
				return end
			}
			return 0
		case '[':
			if string(key) == "MESSAGE" {
				end := o.json.value(at)
				o.bytes = span{at, end}
				return end
			}
			return 0
		}
		end := o.json.value(at)
		if end < 0 {
			return -1
		}
		from, to := at, end
		if first == '"' {
			from, to = at+1, end-1
		}
		o.field(key, span{from, to}, first == '"', in)
		return end
	})
	if end < 0 {
		return end
	}
	if (in == inRecord || in == inPayload) && s.own() {
		o.own = span{i, end}
		o.clock, o.clocked = clock, clocked // its stamp stays in the record
	} else if in == inPayload && o.payload.empty() {
		o.payload = span{i, end}
	}
	return end
}

func scopeOf(key []byte, in scope) (scope, bool) {
	switch in {
	case inRecord, inPayload:
		switch string(key) {
		case "kubernetes":
			return inKubernetes, true
		case "labels", "stream", "fields":
			return inLabels, true
		case "resource":
			return inRecord, true // its labels follow
		case "jsonPayload", "_source", "attributes", "result", "message":
			return inPayload, true
		case "host":
			return inHost, true
		case "sourceLocation":
			return inLocation, true
		}
	case inKubernetes:
		switch string(key) {
		case "labels", "pod_labels":
			return inPodLabels, true
		case "annotations", "pod_annotations":
			return inAnnotations, true
		case "pod":
			return inPod, true
		case "container":
			return inContainer, true
		case "node":
			return inHost, true
		}
	}
	return 0, false
}

// key is the flat spelling of a scope that holds one name.
func (in scope) key() []byte {
	switch in {
	case inPod:
		return []byte("pod_name")
	case inContainer:
		return []byte("container_name")
	}
	return []byte("host")
}

// field takes the value of one key.
func (o *opener) field(key []byte, at span, isText bool, in scope) {
	v := o.json.b[at.from:at.to]
	switch in {
	case inPod, inContainer, inHost:
		if string(key) == "name" {
			o.place(in.key(), v)
		}
		return
	case inLocation:
		if string(key) == "file" {
			o.origin = v[bytes.LastIndexByte(v, '/')+1:]
		}
		return
	case inRecord, inPayload:
		switch string(key) {
		case "event":
			o.event = at.from
		case "offset":
			// Airflow's Elasticsearch handler numbers the lines of a try by time.time_ns
			if len(v) == 19 {
				o.ordinal = clockNumber(v)
			}
		}
		if isText {
			if r := textRank(key); r > 0 && (o.rank == 0 || r < o.rank) {
				o.text, o.rank = at, r
				return
			}
		}
		if r := clockRank(key); r > 0 && (o.clocked == 0 || r < o.clocked) {
			if t := clockValue(v); !t.IsZero() {
				o.clock, o.clocked = t, r
			}
		}
	}
	if in != inPodLabels && in != inAnnotations {
		o.place(key, v)
	}
	if in == inPodLabels && hashed(v) {
		return // a value that was shortened to fit a label is no name
	}
	o.identity(key, v, in)
}

// textRank says how sure it is that a key holds the line of the log: 1 is surest, 0 is not.
func textRank(key []byte) int {
	switch string(key) {
	case "log", "_raw", "MESSAGE", "textPayload", "@message":
		return 1
	case "line", "LogMessage", "LogEntry":
		return 2
	case "message", "Message":
		return 3
	case "msg":
		return 4
	}
	return 0
}

func clockRank(key []byte) int {
	switch string(key) {
	case "timestamp", "@timestamp", "__REALTIME_TIMESTAMP", "_time":
		return 1
	case "time", "ts", "TimeGenerated":
		return 2
	case "date", "Date", "receiveTimestamp":
		return 3
	}
	return 0
}

// place takes what says where a line came from.
func (o *opener) place(key, v []byte) {
	l := &o.labels
	first := func(s *string) {
		if *s == "" {
			*s = o.names.of(v)
		}
	}
	switch string(key) {
	case "pod_name", "podName", "PodName", "pod":
		first(&l.Pod)
	case "namespace_name", "namespace", "pod_namespace", "PodNamespace":
		first(&l.Namespace)
	case "container_name", "containerName", "ContainerName", "container", "CONTAINER_NAME":
		first(&l.Container)
	case "host", "hostname", "_HOSTNAME", "node_name", "nodeName", "pod_node_name", "worker_id", "instance":
		first(&l.Host)
	case "logStreamName", "logStream", "@logStream":
		o.logStream = v
	case "file", "filename":
		if bytes.HasSuffix(v, []byte(".py")) {
			o.origin = v
		} else {
			o.file = v
		}
	case "service", "service_name", "tag":
		o.service = v
	case "SYSLOG_IDENTIFIER":
		if o.unit == nil {
			o.unit = v
		}
	case "_SYSTEMD_UNIT":
		o.unit = v
	case "process":
		o.origin, _, _ = bytes.Cut(v, []byte(":"))
	case "logger", "logger_name":
		o.origin = v
	case "severity", "levelname", "level", "log_level", "detected_level":
		o.level = v
	case "status":
		if o.level == nil {
			o.level = v // Datadog
		}
	case "stream":
		switch string(v) {
		case "stdout":
			o.fd = 1
		case "stderr":
			o.fd = 2
		}
	case "logtag", "_p":
		o.part = string(v) == "P"
	}
}

// identity takes what names a try. Annotations hold the names as Airflow spells them, so they win over labels.
func (o *opener) identity(key, v []byte, in scope) {
	if len(v) == 0 || string(v) == "null" {
		return
	}
	l := &o.labels
	if i := bytes.LastIndexByte(key, '/'); i >= 0 {
		key = key[i+1:] // k8s-pod/dag_id
	}
	set := func(s *string) {
		if *s == "" || in == inAnnotations {
			if bytes.IndexByte(v, '\\') >= 0 {
				v = decodeJSON(bytes.Clone(v))
			}
			*s = o.names.of(v)
		}
	}
	switch string(key) {
	case "workflow":
		if in == inLabels { // Composer's name for it
			set(&l.DagID)
		}
	case "dag_id", "dag-id":
		set(&l.DagID)
	case "task_id", "task-id":
		set(&l.TaskID)
	case "run_id", "run-id", "dag_run_id":
		set(&l.RunID)
	case "execution_date", "execution-date", "logical_date", "logical-date":
		set(&l.ExecutionDate)
	case "try_number", "try-number":
		l.Try = tryNumber(v)
	case "map_index", "map-index":
		l.MapIndex = mapIndex(v, o.names)
	}
}

// tryNumber reads a try number; 0 is none.
func tryNumber(v []byte) int {
	if len(v) > 9 || !allDigits(v) {
		return 0
	}
	return decimal(v)
}

// mapIndex reads a map index, -1 included; nil is none.
func mapIndex(v []byte, names *sharedNames) *int {
	if string(v) == "-1" {
		return names.index(-1)
	}
	if len(v) > 9 || !allDigits(v) {
		return nil
	}
	return names.index(decimal(v))
}

// hashed says whether v ends like a value that Airflow's make_safe_label_value shortened: a dash and nine digits of
// an MD5.
func hashed(v []byte) bool {
	n := len(v) - 10
	if n < 0 || v[n] != '-' {
		return false
	}
	_, ok := hexRune(v[n+1:], 7)
	_, all := hexRune(v[n+3:], 7)
	return ok > 0 && all > 0
}

// fill puts what was read into l, on top of what outer layers said.
func (o *opener) fill(l *Line) {
	if !o.clock.IsZero() {
		l.At = o.clock
	} else if !o.ordinal.IsZero() {
		l.At = o.ordinal
	}
	if o.origin != nil {
		l.Origin = o.names.of(o.origin)
	}
	if o.level != nil && o.own.empty() {
		l.Level = o.names.of(o.level)
	}
	n, inner := o.names, &o.labels
	at := n.path(inner.Pod, inner.Container)
	switch {
	case o.logStream != nil:
		at = n.of(o.logStream)
	case at != "":
	case o.file != nil:
		at = n.of(o.file)
	default:
		at = n.path(inner.Host, n.of(o.service), n.of(o.unit))
	}
	l.Stream = n.path(l.Stream, inner.key(n), at)
	if *inner != (Labels{}) {
		merged := *inner
		if l.Labels != nil {
			merged = l.Labels.under(merged)
		}
		l.Labels = n.set(merged)
	}
}

// key spells the identity in the labels as a path, for telling streams apart.
func (l *Labels) key(n *sharedNames) string {
	when, index, try := l.RunID, "", ""
	if when == "" {
		when = l.ExecutionDate
	}
	if l.MapIndex != nil && *l.MapIndex >= 0 {
		index = strconv.Itoa(*l.MapIndex)
	}
	if l.Try > 0 {
		try = strconv.Itoa(l.Try)
	}
	return n.path(l.DagID, l.TaskID, when, index, try)
}

// under returns inner with l's values where it has none.
func (l *Labels) under(inner Labels) Labels {
	for _, f := range [...]struct {
		to   *string
		from string
	}{
		{&inner.DagID, l.DagID}, {&inner.RunID, l.RunID}, {&inner.TaskID, l.TaskID},
		{&inner.ExecutionDate, l.ExecutionDate}, {&inner.Host, l.Host}, {&inner.Pod, l.Pod},
		{&inner.Namespace, l.Namespace}, {&inner.Container, l.Container},
	} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	if inner.MapIndex == nil {
		inner.MapIndex = l.MapIndex
	}
	if inner.Try == 0 {
		inner.Try = l.Try
	}
	return inner
}

// line returns where the text of the element stands and how it is to be decoded.
func (o *opener) line() (span, decoding) {
	switch {
	case o.rank == 1 && o.own.empty(), o.rank == 1 && string(o.json.b[o.text.from:min(o.text.from+1, len(o.json.b))]) == "{":
		return o.text, asString
	case !o.own.empty():
		return o.own, asCompact
	case o.rank > 0:
		return o.text, asString
	case !o.bytes.empty():
		return o.bytes, asBytes
	case !o.payload.empty():
		return o.payload, asCompact
	}
	return span{}, asNothing
}

// mark returns the place whose physical line stands for the element: that of the message, also where the text is the
// whole object.
func (o *opener) mark(text span) int {
	switch {
	case text == o.own && o.event > text.from && o.event < text.to:
		return o.event
	case text == o.own && o.text.from > text.from && o.text.from < text.to:
		return o.text.from
	}
	return text.from
}

// decoding says how a part of a document becomes the text of a line.
type decoding uint8

const (
	asNothing decoding = iota
	asIs
	asString
	asCompact
	asBytes
)

// decode decodes b over itself.
func (d decoding) decode(b []byte) []byte {
	switch d {
	case asString:
		return decodeJSON(b)
	case asCompact:
		return compactJSON(b)
	case asBytes:
		return numbersToBytes(b)
	}
	return b
}

// numbersToBytes decodes journald's spelling of a message that is no UTF-8: [91,50,48,…].
func numbersToBytes(b []byte) []byte {
	out := b[:0]
	n, any := 0, false
	for _, c := range b {
		if c >= '0' && c <= '9' {
			n, any = n*10+int(c-'0'), true
			continue
		}
		if any {
			out = append(out, byte(n))
			n, any = 0, false
		}
	}
	return out
}
