package classify

import "bytes"

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
