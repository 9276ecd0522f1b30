package classify

import (
	"bytes"
	"strconv"
	"time"
)

// shape is what the top-level keys of a JSON object tell: which collector wrote it, or Airflow itself.
type shape uint64

const (
	hasEvent shape = 1 << iota // a string
	hasTimestamp
	hasLevel
	hasLogger
	hasAsctime
	hasMessage
	hasLog // a string
	hasStream
	hasTime
	hasDate
	hasKubernetes
	hasJournal // MESSAGE
	hasRealtime
	hasPodName
	hasPod
	hasLabels
	hasLine
	hasTry
	hasPayload
	hasEntry
	hasSource
	hasIndex
	hasResult
	hasPreview
	hasAtMessage
	hasAtTimestamp
	hasStreamName
	hasAttributes
	hasPlace // host, source_type, file, tag, container_name: a collector's
	hasAPIVersion
	hasRaw

	// of answers
	hasContent
	hasToken
	hasEvents
	hasLogEvents
	hasResults
	hasStatistics
	hasHits
	hasDataObject
	hasDataArray
	hasStreams
	hasEntries
	hasStatus
	hasProblem // detail, title: a refusal
)

func shapeOfKey(key []byte, value byte) shape {
	isText, isObject, isArray := value == '"', value == '{', value == '['
	when := func(ok bool, s shape) shape {
		if ok {
			return s
		}
		return 0
	}
	switch string(key) {
	case "event":
		return when(isText, hasEvent)
	case "timestamp":
		return hasTimestamp
	case "level":
		return hasLevel
	case "logger":
		return hasLogger
	case "asctime", "levelname":
		return hasAsctime
	case "message", "msg":
		return when(isText || isObject, hasMessage)
	case "log":
		return when(isText, hasLog)
	case "stream":
		return hasStream
	case "time":
		return hasTime
	case "date":
		return hasDate
	case "kubernetes":
		return when(isObject, hasKubernetes)
	case "MESSAGE":
		return hasJournal
	case "__REALTIME_TIMESTAMP", "__CURSOR", "_HOSTNAME", "_BOOT_ID":
		return hasRealtime
	case "podName", "containerName":
		return hasPodName
	case "pod", "container":
		return when(isText, hasPod)
	case "labels", "fields":
		return when(isObject, hasLabels)
	case "line":
		return when(isText, hasLine)
	case "try_number", "run_id", "map_index":
		return hasTry
	case "textPayload", "jsonPayload", "protoPayload":
		return hasPayload
	case "insertId", "logName", "resource", "receiveTimestamp":
		return hasEntry
	case "_source":
		return when(isObject, hasSource)
	case "_index":
		return hasIndex
	case "result":
		return when(isObject, hasResult)
	case "preview":
		return hasPreview
	case "@message":
		return hasAtMessage
	case "@timestamp":
		return hasAtTimestamp
	case "logStreamName", "@logStream":
		return hasStreamName
	case "attributes":
		return when(isObject, hasAttributes)
	case "host", "hostname", "source_type", "file", "tag", "container_name", "container_id", "ddsource", "service":
		return hasPlace
	case "apiVersion":
		return when(isText, hasAPIVersion)
	case "_raw":
		return when(isText, hasRaw)
	case "content":
		return when(isText || isArray, hasContent)
	case "continuation_token":
		return hasToken
	case "events":
		return when(isArray, hasEvents)
	case "logEvents":
		return when(isArray, hasLogEvents)
	case "results":
		return when(isArray, hasResults)
	case "statistics":
		return hasStatistics
	case "hits":
		return when(isObject, hasHits)
	case "data":
		return when(isObject, hasDataObject) | when(isArray, hasDataArray)
	case "streams":
		return when(isArray, hasStreams)
	case "entries":
		return when(isArray, hasEntries)
	case "status":
		return hasStatus
	case "detail", "title":
		return when(isText, hasProblem)
	}
	return 0
}

// shapeOf reads the top-level keys of the object that starts at j.b[i], as far as it goes, and returns the place
// behind it, or -1.
func shapeOf(j *jsonText, i int) (s shape, end int) {
	end = j.object(i, func(key []byte, at int) int {
		var first byte
		if at < len(j.b) {
			first = j.b[at]
		}
		s |= shapeOfKey(key, first)
		return 0
	})
	return s, end
}

// own says whether Airflow wrote the object as a record of its log: `{"timestamp":…,"level":…,"event":…}` (3.x) or
// `{"asctime":…,"levelname":…,"message":…}` (2.x with json_format).
func (s shape) own() bool {
	return s&hasEvent != 0 && s&(hasTimestamp|hasLevel|hasLogger) != 0 ||
		s&hasAsctime != 0 && s&hasMessage != 0
}

// collector names the collector that writes such objects, one a line: "" for Airflow's own and for unknown ones.
func (s shape) collector() string {
	all := func(want shape) bool { return s&want == want }
	switch {
	case s&hasAPIVersion != 0:
		return ""
	case s&hasJournal != 0 && s&hasRealtime != 0:
		// journalctl -o json: {"__REALTIME_TIMESTAMP":"1713678421000000","_HOSTNAME":"w1","MESSAGE":"…"}
		return "journald-json"
	case s.own():
		if s&hasKubernetes != 0 {
			return "json-lines" // Fluent Bit with Merge_Log: Airflow's record and where it came from
		}
		return ""
	case all(hasLog|hasStream|hasTime) && s&hasKubernetes == 0:
		// Docker's json-file driver: {"log":"…\n","stream":"stdout","time":"2024-02-15T17:47:55.619615643Z"}
		return "docker-json"
	case all(hasPodName | hasMessage), s&hasPod != 0 && s&hasMessage != 0 && s&(hasTimestamp|hasAtTimestamp|hasTime) == 0:
		// stern -o json, -o extjson: {"message":"…","nodeName":"n","namespace":"a","podName":"p","containerName":"c"}
		return "stern"
	case s&hasLine != 0 && s&(hasLabels|hasTimestamp|hasTry) != 0:
		// logcli -o jsonl, Grafana's JSON download: {"labels":{…},"line":"…","timestamp":"2024-02-15T17:47:55.619Z"};
		// Airflow's Loki handler: {"line":"…","run_id":"…","try_number":1,"map_index":-1}
		return "loki-json"
	case s&hasPayload != 0:
		// {"insertId":"a1","labels":{"workflow":"d",…},"logName":"…","textPayload":"…","timestamp":"…"}
		return "cloud-logging-json"
	case s&hasSource != 0:
		// elasticdump, scroll: {"_index":"airflow","_id":"…","_source":{"message":"…",…}}
		return "elasticsearch-json"
	case all(hasResult | hasPreview), s&hasRaw != 0:
		// Splunk: {"preview":false,"result":{"_raw":"…","_time":"…","host":"…"}}
		return "splunk-json"
	case s&hasAtMessage != 0, s&hasStreamName != 0 && s&hasMessage != 0:
		// Logs Insights and one event a line: {"@timestamp":"2024-02-15 17:47:55.619","@message":"…","@logStream":"…"}
		return "cloudwatch-json"
	case s&hasAttributes != 0 && s&hasMessage == 0:
		// Datadog: {"id":"…","type":"log","attributes":{"message":"…","timestamp":"…","service":"…"}}
		return "datadog-json"
	case s&hasLog != 0 && s&(hasKubernetes|hasDate|hasAtTimestamp|hasTime|hasTimestamp|hasPlace|hasStream) != 0,
		s&hasMessage != 0 && s&(hasKubernetes|hasAtTimestamp|hasTimestamp|hasTime|hasDate|hasPlace|hasStream|hasPodName) != 0:
		// Fluent Bit, Fluentd, Vector, Filebeat: {"date":1707990475.619,"log":"…","kubernetes":{"pod_name":"…",…}}
		return "json-lines"
	}
	return ""
}

// opener reads one element of an export: its text, its time and what its labels say. It is reused.
type opener struct {
	names *sharedNames
	json  jsonText

	text     span // the string that holds the log line, without its quotes
	rank     int  // how sure that is: smaller is surer; 0: no text yet
	bytes    span // journald: the text as an array of numbers
	own      span // an object that Airflow wrote
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

// objects peels lines that are one JSON object each, of a collector.
type objects struct {
	name string
	open opener
}

// learnJSON returns the peeler for the sample if most of its lines are objects of one collector.
func learnJSON(sample []Line, names *sharedNames) peeler {
	name := ""
	for _, l := range sample {
		if name = lineCollector(l.Text); name != "" {
			break
		}
	}
	if name == "" || !mostFit(sample, func(b []byte) bool { return lineCollector(b) == name }) {
		return nil
	}
	return &objects{name: name, open: opener{names: names}}
}

// lineCollector names the collector whose object b is.
func lineCollector(b []byte) string {
	i := len(b) - len(bytes.TrimLeft(b, " \t"))
	if i == len(b) || b[i] != '{' {
		return ""
	}
	s, _ := shapeOf(&jsonText{b: b}, i)
	return s.collector()
}

func (p *objects) format() string { return p.name }
func (p *objects) reset()         {}

func (p *objects) peel(l *Line) (fit, fd) {
	b := l.Text
	i := len(b) - len(bytes.TrimLeft(b, " \t"))
	if i == len(b) || b[i] != '{' {
		return fitNone, 0
	}
	if end := p.open.read(b, i); end < 0 || len(bytes.TrimSpace(b[end:])) > 0 {
		return fitNone, 0
	}
	at, how := p.open.line()
	if how == asNothing {
		if p.name == "journald-json" {
			return fitLeaveOut, 0 // MESSAGE is null where it was too large, or absent
		}
		return fitNone, 0
	}
	p.open.fill(l)
	l.Text = how.decode(b[at.from:at.to])
	if p.name == "docker-json" && !bytes.HasSuffix(l.Text, []byte("\n")) || p.open.part {
		return fitPart, p.open.fd
	}
	return fitWhole, p.open.fd
}
