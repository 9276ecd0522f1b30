package classify

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"
)

// family is the lineShape of a line's header.
type family uint8

const (
	rawLine     family = iota // no header of its own
	textLine                  // [stamp] {file.py:1} LEVEL - message            (1.10 to 2.11)
	plainLine                 // [stamp] LEVEL - message, stamp LEVEL message   (simple format; 3.x copied from the page)
	bareLine                  // LEVEL - message, without a stamp
	celeryLine                // [stamp: LEVEL/Process] message
	consoleLine               // stamp [level    ] event   [logger] key=value    (3.x on a terminal or pod output)
	jsonLine                  // {"timestamp":…,"event":…}                       (3.x)
	oldJSONLine               // {"asctime":…,"message":…}                       (2.x, elasticsearch json_format)
	readerLine                // *** what a log reader put above the log
	customLine                // a log_format of the user's own
)

// textPos is one physical line of a record.
type textPos struct {
	text   string
	no     int64
	offset int64
}

// record is one logical log entry: a header line and the lines that continue it.
type record struct {
	family  family
	textPos        // the message of the header line, and where that line stands
	when    moment // zero where the line has no stamp
	level   string // upper case: DEBUG INFO WARNING ERROR CRITICAL, or empty
	origin  string // emitting file (taskinstance.py) or logger (task, supervisor); empty: not known
	file    string // emitting file beside a logger (3.x)
	user    bool   // came through the task's stdout or stderr
	nested  bool   // a whole line that was wrapped in another record (1.10)
	cut     bool   // the last physical line had no line end
	mine    bool   // known to be the task's own, so that no rule has to look at it
	anyone  bool   // no record of its log names an emitter
	more    []textPos
	dropped int               // continuation lines that were not kept
	fields  map[string]string // keys of a structured record; JSON values that are no strings stay JSON
	process string            // celery process, compose or pod stream
}

// maxMore bounds the continuation lines that a record keeps: the first and the last half of it.
const maxMore = 600

func (r *record) add(p textPos) {
	if len(r.more) < maxMore {
		r.more = append(r.more, p)
		return
	}
	copy(r.more[maxMore/2:], r.more[maxMore/2+1:])
	r.more[maxMore-1] = p
	r.dropped++
}

// full is the message with its continuation lines.
func (r *record) full() string {
	if len(r.more) == 0 {
		return r.text
	}
	var b strings.Builder
	b.WriteString(r.text)
	for _, m := range r.more {
		b.WriteByte('\n')
		b.WriteString(m.text)
	}
	return b.String()
}

// lineShape is what the first lines of a log teach about the rest of it.
type lineShape struct {
	json     bool // lines are JSON objects: other lines are raw output
	text     bool // stamped text occurs
	console  bool // 3.x console lines occur
	prefix   bool // stamps do not open the line
	bare     bool // no stamps at all: an excerpt
	custom   *customFormat
	nameless bool // records name no emitter: whoever wrote them must be told by what they say
}

// plainEnough is how many lines of one shape, and of no other, settle what a log looks like.
const plainEnough = 10

// learnShape looks at the first lines of a log, as whole lines without their collector's prefix.
func learnShape(head iter.Seq[[]byte]) lineShape {
	var s lineShape
	inside, stamped, seen, named := 0, 0, 0, 0
	for line := range head {
		line = stripANSI(bytes.TrimRight(line, "\r"))
		t := bytes.TrimLeft(line, " \t")
		if len(t) == 0 || bytes.HasPrefix(t, []byte("***")) {
			continue
		}
		seen++
		switch t[0] {
		case '{':
			if seen <= 3 && !s.text && looksJSONRecord(t) {
				s.json = true
			}
			if s.json && seen >= plainEnough {
				return s
			}
		case '[':
			if _, rest, ok := parseMoment(t[1:]); ok && len(rest) > 0 && len(t) == len(line) {
				s.text = true
				stamped++
				if bytes.HasPrefix(rest, []byte("] {")) {
					named++
				} else if r, ok := bracketRecord(line); ok && r.origin != "" {
					named++
				}
				if named == plainEnough && named == seen {
					return s
				}
			}
		default:
			if _, rest, ok := parseMoment(t); ok && len(rest) > 2 && len(t) == len(line) {
				stamped++
				if rest[0] == ' ' && rest[1] == '[' {
					s.console = true
				}
			} else if findStamp(line) > 0 {
				inside++
			}
		}
	}
	s.prefix = inside > stamped
	s.bare = stamped == 0 && inside == 0 && !s.json
	s.nameless = named == 0 && !s.json && !s.console && inside == 0
	if !s.json && !s.console {
		s.custom = learnCustom(head)
	}
	return s
}

func looksJSONRecord(t []byte) bool {
	return bytes.Contains(t, []byte(`"event"`)) || bytes.Contains(t, []byte(`"asctime"`)) ||
		bytes.Contains(t, []byte(`"levelname"`)) || bytes.Contains(t, []byte(`"message"`))
}

// findStamp finds "[2024-…" that does not open the line and is followed by " {", or -1.
func findStamp(line []byte) int {
	limit := min(len(line), 240)
	for i := 1; i+20 < limit; i++ {
		if line[i] == '[' && line[i+1] == '2' && line[i+2] == '0' {
			if _, rest, ok := parseMoment(line[i+1:]); ok && bytes.HasPrefix(rest, []byte("] {")) {
				return i
			}
		}
	}
	return -1
}

var levels = [...]string{"INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "WARN", "FATAL", "TRACE"}

// takeLevel reads a level word at the start of b.
func takeLevel(b []byte) (level string, rest []byte, ok bool) {
	for _, l := range levels {
		if len(b) >= len(l) && string(b[:len(l)]) == l && (len(b) == len(l) || !isWord(b[len(l)])) {
			if l == "WARN" {
				l = "WARNING"
				return l, b[4:], true
			}
			return l, b[len(l):], true
		}
	}
	return "", b, false
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// header parses the header of a line, without colour. ok is false for a line that continues the record before it.
func (s *lineShape) header(line []byte) (r record, ok bool) {
	if len(line) == 0 {
		return r, false
	}
	if line[0] == '{' && s.json {
		return jsonRecord(line)
	}
	if s.custom != nil {
		if r, ok := s.custom.header(line); ok {
			return r, true
		}
	}
	switch c := line[0]; {
	case c == '[':
		if r, ok := bracketRecord(line); ok {
			return r, true
		}
	case c >= '0' && c <= '9':
		if r, ok := stampRecord(line, s); ok {
			return r, true
		}
	case c == '*' && bytes.HasPrefix(line, []byte("***")):
		r.family, r.origin = readerLine, "reader"
		r.text = string(line)
		return r, !isStars(line)
	case c == ' ' || c >= 'A' && c <= 'Z':
		t := line
		if c == ' ' {
			t = line[1:]
		}
		if level, rest, ok := takeLevel(t); ok && (bytes.HasPrefix(rest, []byte(" - ")) || s.bare && bytes.HasPrefix(rest, []byte(" "))) {
			if s.bare || c == ' ' {
				r.family, r.level = bareLine, level
				r.text = string(bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte(" - ")), []byte(" ")))
				return r, true
			}
		}
	}
	if s.prefix {
		if i := findStamp(line); i > 0 {
			if r, ok := bracketRecord(line[i:]); ok {
				r.process = string(line[:i])
				return r, true
			}
		}
	}
	if s.bare && line[0] == '{' {
		if i := bytes.IndexByte(line, '}'); i > 4 && i < 90 {
			if r, ok := sourceAndLevel(line, moment{}); ok {
				return r, true
			}
		}
	}
	return r, false
}

// isStars tells the rulers of the SIGSEGV banner from a reader's line.
func isStars(line []byte) bool {
	return len(bytes.TrimLeft(line, "*")) == 0 || bytes.HasPrefix(line, []byte("*****"))
}

// bracketRecord parses lines that open with "[stamp".
func bracketRecord(line []byte) (r record, ok bool) {
	m, rest, ok := parseMoment(line[1:])
	if !ok || len(rest) == 0 {
		return r, false
	}
	if rest[0] == ':' { // [2026-11-30 18:06:26,358: ERROR/ForkPoolWorker-6] message
		level, rest, ok := takeLevel(bytes.TrimLeft(rest[1:], " "))
		end := bytes.IndexByte(rest, ']')
		if !ok || end < 1 || rest[0] != '/' {
			return r, false
		}
		r.family, r.when, r.level, r.origin = celeryLine, m, level, "celery"
		r.process = string(rest[1:end])
		r.text = string(bytes.TrimPrefix(rest[end+1:], []byte(" ")))
		return r, true
	}
	if rest[0] != ']' {
		return r, false
	}
	rest = rest[1:]
	if len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	if r, ok := sourceAndLevel(rest, m); ok {
		return r, true
	}
	if level, tail, ok := takeLevel(rest); ok {
		r.family, r.when, r.level = plainLine, m, level
		tail = bytes.TrimLeft(tail, " ")
		r.text = string(bytes.TrimPrefix(bytes.TrimPrefix(tail, []byte("- ")), []byte(": ")))
		pageFields(&r)
		return r, true
	}
	if bytes.HasPrefix(rest, []byte("[")) { // gunicorn: [2026-11-30 17:50:46 +0000] [11475] [INFO] message
		if i := bytes.Index(rest, []byte("] [")); i > 0 {
			if level, tail, ok := takeLevel(rest[i+3:]); ok {
				r.family, r.when, r.level, r.origin = plainLine, m, level, "gunicorn"
				r.text = string(bytes.TrimLeft(tail, "] "))
				return r, true
			}
		}
	}
	// task_log_prefix_template: anything between the stamp and {file:line}
	if i := bytes.IndexByte(rest, '{'); i > 0 && i < 240 {
		if r, ok := sourceAndLevel(rest[i:], m); ok {
			return r, true
		}
	}
	r.family, r.when = plainLine, m
	r.text = string(rest)
	return r, true
}

// sourceAndLevel parses "{file.py:12} LEVEL - message", with single or double braces.
func sourceAndLevel(b []byte, m moment) (r record, ok bool) {
	t := bytes.TrimLeft(b, "{")
	braces := len(b) - len(t)
	if braces == 0 || braces > 2 {
		return r, false
	}
	end := bytes.IndexByte(t, '}')
	if end < 1 || end > 120 {
		return r, false
	}
	colon := bytes.LastIndexByte(t[:end], ':')
	if colon < 1 || colon+1 >= end {
		return r, false
	}
	if _, ok := digits(t[colon+1:end], end-colon-1); !ok {
		return r, false
	}
	r.family, r.when, r.origin = textLine, m, intern(t[:colon])
	rest := bytes.TrimLeft(bytes.TrimLeft(t[end:], "}"), " ")
	if level, tail, ok := takeLevel(rest); ok {
		r.level = level
		rest = bytes.TrimPrefix(tail, []byte(" "))
		rest = bytes.TrimPrefix(rest, []byte("-"))
		rest = bytes.TrimPrefix(rest, []byte(" "))
	} else if _, size := utf8.DecodeRune(rest); size > 1 { // "▶ message" as the page draws a group
		rest = bytes.TrimLeft(rest[size:], " ")
	} else {
		rest = bytes.TrimPrefix(rest, []byte("- "))
	}
	r.text = string(rest)
	return r, true
}

// stampRecord parses lines that open with a stamp without brackets.
func stampRecord(line []byte, s *lineShape) (r record, ok bool) {
	m, rest, ok := parseMoment(line)
	if !ok || len(rest) < 2 {
		return r, false
	}
	if rest[0] == ' ' && rest[1] == '[' && s.console {
		return consoleRecord(rest[2:], m)
	}
	t := bytes.TrimLeft(rest, " -|")
	if r, ok := sourceAndLevel(t, m); ok {
		return r, true
	}
	level, tail, ok := takeLevel(t)
	if !ok {
		return r, false
	}
	r.family, r.when, r.level = plainLine, m, level
	tail = bytes.TrimLeft(tail, " ")
	r.text = string(bytes.TrimPrefix(tail, []byte("- ")))
	return r, true
}

// consoleRecord parses what follows "stamp [" in the console rendering of Airflow 3:
//
//	info     ] Process exited                 [supervisor] exit_code=-9 loc=supervisor.py:703 pid=64
func consoleRecord(b []byte, m moment) (r record, ok bool) {
	end := bytes.IndexByte(b, ']')
	if end < 1 || end > 12 {
		return r, false
	}
	level := strings.ToUpper(strings.TrimRight(string(b[:end]), " ["))
	if _, _, known := takeLevel([]byte(level)); !known {
		return r, false
	}
	r.family, r.when, r.level = consoleLine, m, level
	rest := string(bytes.TrimPrefix(b[end+1:], []byte(" ")))
	event, logger, kv := splitConsole(rest)
	r.text, r.origin = event, logger
	r.fields = pythonFields(kv)
	r.file = fileOf(r.fields["loc"])
	r.user = logger == "task.stdout" || logger == "task.stderr" || r.fields["chan"] != "" || namesake(&r)
	return r, true
}

// namesake says that a record under the logger "task" comes from a file of the user's: getLogger("task").
func namesake(r *record) bool {
	if r.origin != "task" || r.file == "" {
		return false
	}
	switch r.file {
	case "task_runner.py", "timeout.py", "supervisor.py", "log.py", "context.py", "comms.py", "xcom.py", "callback_runner.py", "execute_workload.py":
		return false
	}
	return true
}

// allPairs says whether a text is key=value pairs from end to end.
func allPairs(s string) bool {
	for s != "" {
		if !startsWithKey(s) {
			return false
		}
		eq := strings.IndexByte(s, '=')
		s = strings.TrimLeft(s[eq+1+reprLen(s[eq+1:]):], " ")
	}
	return true
}

// splitConsole finds the logger: the first [name] outside every <…> that only key=value pairs follow.
func splitConsole(s string) (event, logger, kv string) {
	for i := 0; i < len(s); {
		open := strings.IndexByte(s[i:], '[')
		if open < 0 {
			break
		}
		open += i
		i = open + 1
		end := strings.IndexByte(s[open:], ']')
		if end < 2 || open > 0 && s[open-1] != ' ' {
			continue
		}
		name := s[open+1 : open+end]
		if !isLoggerName(name) || strings.Count(s[:open], "<") > strings.Count(s[:open], ">") {
			continue
		}
		rest := strings.TrimLeft(s[open+end+1:], " ")
		if rest != "" && !allPairs(rest) {
			continue
		}
		return strings.TrimRight(s[:open], " "), name, rest
	}
	if i := firstKey(s); i >= 0 {
		return strings.TrimRight(s[:i], " "), "", s[i:]
	}
	return strings.TrimRight(s, " "), "", ""
}

func isLoggerName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

func startsWithKey(s string) bool {
	i := 0
	for i < len(s) && isWord(s[i]) {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '='
}

// firstKey finds the first "  key=" after the padding of the event, or -1.
func firstKey(s string) int {
	for i := 30; i < len(s); i++ {
		if s[i-1] == ' ' && startsWithKey(s[i:]) {
			return i
		}
	}
	return -1
}

func fileOf(loc string) string {
	if i := strings.IndexByte(loc, ':'); i > 0 {
		return loc[:i]
	}
	return loc
}

// pythonFields splits key=value pairs whose values are Python reprs: quotes, brackets and <…> may hold blanks.
func pythonFields(s string) map[string]string {
	out := map[string]string{}
	for len(s) > 0 {
		s = strings.TrimLeft(s, " ")
		eq := strings.IndexByte(s, '=')
		if eq < 1 || !isWord(s[0]) {
			break
		}
		key := s[:eq]
		if strings.IndexByte(key, ' ') >= 0 {
			break
		}
		n := reprLen(s[eq+1:])
		out[key] = unquote(s[eq+1 : eq+1+n])
		s = s[eq+1+n:]
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// reprLen is the length of the Python repr that opens s: to the next blank outside quotes and brackets.
func reprLen(s string) int {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '}' || c == '>':
			depth--
		case c == ' ' && depth <= 0:
			return i
		}
	}
	return len(s)
}

// escapes are those of a quoted value.
var escapes = strings.NewReplacer(`\'`, `'`, `\"`, `"`, `\n`, "\n", `\\`, `\`)

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		s = s[1 : len(s)-1]
		if strings.IndexByte(s, '\\') >= 0 {
			s = escapes.Replace(s)
		}
	}
	return s
}

// pageFields takes "event: key=value: key=value" apart, as the page of Airflow 3 copies structured records.
func pageFields(r *record) {
	if !strings.Contains(r.text, "source=") {
		return
	}
	for from, tries := max(0, strings.Index(r.text, "=")-60), 0; tries < 40; tries++ {
		i := strings.IndexByte(r.text[from:], ' ')
		if i < 0 {
			return
		}
		i += from
		from = i + 1
		if v, ok := pagePairs(r.text[from:]); ok && v["source"] != "" {
			r.fields = v
			r.origin, r.file = v["source"], fileOf(v["loc"])
			r.user = r.origin == "task.stdout" || r.origin == "task.stderr" || v["chan"] != "" || namesake(r)
			r.text = strings.TrimSuffix(r.text[:i], ":")
			return
		}
	}
}

// pagePairs reads key="value" pairs with ": " or a blank between them. It is not ok where anything else stands there.
func pagePairs(s string) (map[string]string, bool) {
	out := map[string]string{}
	for s != "" {
		if !startsWithKey(s) {
			return nil, false
		}
		eq := strings.IndexByte(s, '=')
		n := reprLen(s[eq+1:])
		v := s[eq+1 : eq+1+n]
		rest := strings.TrimLeft(s[eq+1+n:], " ")
		if strings.HasSuffix(v, ":") && rest != "" {
			v = v[:len(v)-1]
		}
		out[s[:eq]] = unquote(v)
		s = rest
	}
	return out, len(out) > 0
}

// jsonRecord decodes a structured line of 3.x or of the 2.x JSON format. It is not ok for other JSON.
func jsonRecord(line []byte) (r record, ok bool) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		return r, false
	}
	r.fields = make(map[string]string, len(raw))
	for k, v := range raw {
		r.fields[k] = fieldText(v)
	}
	if _, has := raw["event"]; has {
		r.family = jsonLine
		r.text = r.fields["event"]
		r.level = strings.ToUpper(r.fields["level"])
		r.origin = r.fields["logger"]
		r.file = fileOf(r.fields["filename"])
		if r.file == "" {
			r.file = fileOf(r.fields["loc"])
		}
		if stamp := r.fields["timestamp"]; stamp != "" {
			if m, _, ok := parseMoment([]byte(stamp)); ok {
				m.naive = false // 3.0 writes the task's records without a zone, in UTC
				r.when = m
			}
		}
		r.user = r.origin == "task.stdout" || r.origin == "task.stderr" || r.fields["chan"] != "" || namesake(&r)
	} else if _, has := raw["message"]; has {
		r.family = oldJSONLine
		r.text = r.fields["message"]
		r.level = strings.ToUpper(firstOf(r.fields, "levelname", "level", "severity"))
		r.origin = fileOf(firstOf(r.fields, "filename", "file"))
		if m, _, ok := parseMoment([]byte(firstOf(r.fields, "asctime", "timestamp", "@timestamp", "time"))); ok {
			r.when = m
		}
	} else {
		return r, false
	}
	delete(r.fields, "event")
	delete(r.fields, "message")
	if i := strings.IndexByte(r.text, '\n'); i >= 0 {
		rest := r.text[i+1:]
		r.text = strings.TrimSuffix(r.text[:i], "\r")
		for _, l := range strings.Split(rest, "\n") {
			r.add(textPos{text: l, no: -1})
		}
	}
	return r, true
}

func firstOf(m map[string]string, keys ...string) string {
	for _, k := range keys {
		if v := m[k]; v != "" {
			return v
		}
	}
	return ""
}

// fieldText is a string's value, and the JSON of everything else.
func fieldText(v json.RawMessage) string {
	if len(v) > 0 && v[0] == '"' {
		var s string
		if json.Unmarshal(v, &s) == nil {
			return s
		}
	}
	return string(v)
}

// unwrapNested opens what 1.10 wrapped: "Job 5: Subtask t [stamp] {file.py:1} LEVEL - message" and the same behind
// logging_mixin.py. It is not ok where the message is no such line.
func unwrapNested(r *record) (inner record, ok bool) {
	b := r.text
	if r.origin == "base_task_runner.py" {
		if i := strings.Index(b, "Subtask"); i >= 0 && i < 40 {
			if j := strings.Index(b[i:], "["); j > 0 {
				b = b[i+j:]
			}
		}
	}
	if len(b) < 24 || b[0] != '[' {
		return inner, false
	}
	inner, ok = bracketRecord([]byte(b))
	if !ok || inner.family != textLine {
		return inner, false
	}
	inner.no, inner.offset, inner.nested = r.no, r.offset, true
	inner.more = r.more
	return inner, true
}

// intern keeps one string for the file names that every log repeats.
func intern(b []byte) string {
	switch string(b) {
	case "taskinstance.py":
		return "taskinstance.py"
	case "local_task_job_runner.py":
		return "local_task_job_runner.py"
	case "local_task_job.py":
		return "local_task_job.py"
	case "standard_task_runner.py":
		return "standard_task_runner.py"
	case "logging_mixin.py":
		return "logging_mixin.py"
	case "task_command.py":
		return "task_command.py"
	case "process_utils.py":
		return "process_utils.py"
	case "python.py":
		return "python.py"
	}
	return string(b)
}
