package classify

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
