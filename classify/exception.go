package classify

import (
	"encoding/json"
	"strconv"
	"strings"
)

// raised is an exception as a record prints it, with the place of its "Type: message" line.
type raised struct {
	Exception
	at   textPos // the final Type: message line
	text string  // its message with continuation lines, bounded
}

const (
	chainCause   = "The above exception was the direct cause of the following exception:"
	chainContext = "During handling of the above exception, another exception occurred:"
	tbHeader     = "Traceback (most recent call last):"
	groupHeader  = "Exception Group Traceback (most recent call last):"
)

// parseTraceback finds the exception that a record's continuation lines print: the last block of the chain is the one
// that was raised, the first is the root. It is not ok where no traceback is there.
func parseTraceback(lines []textPos) (x raised, ok bool) {
	first := true
	for i := 0; i < len(lines); i++ {
		head := strings.TrimLeft(lines[i].text, " |+")
		if head != tbHeader && head != groupHeader {
			continue
		}
		if !first && !followsChain(lines, i) {
			continue // text of a message that looks like a traceback
		}
		b, end, found := parseBlock(lines, i)
		if !found {
			continue
		}
		if first {
			x.Root = b.Type
			first = false
		}
		root := x.Root
		x = b
		x.Root = root
		ok = true
		i = end - 1
	}
	return x, ok
}

// followsChain says whether the lines before a traceback header are the sentence that Python puts between two blocks.
func followsChain(lines []textPos, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		t := strings.TrimLeft(lines[j].text, " |")
		if t == "" {
			continue
		}
		return t == chainCause || t == chainContext
	}
	return false
}

// parseBlock reads one traceback that starts at its header, up to the sentence that chains the next one.
func parseBlock(lines []textPos, head int) (x raised, end int, ok bool) {
	prefix := blockPrefix(lines[head].text)
	i := head + 1
	var file string
	var line int
	for ; i < len(lines); i++ {
		t, inside := cutPrefix(lines[i].text, prefix)
		if !inside {
			continue
		}
		if strings.HasPrefix(t, "  File \"") {
			if f, n, user := frame(t); user || file == "" {
				file, line = f, n
			}
			continue
		}
		if t == "" || t[0] == ' ' || t[0] == '\t' {
			continue
		}
		if i > head+1 || isTypeLine(t) {
			break
		}
	}
	if i >= len(lines) {
		return x, i, false
	}
	t, _ := cutPrefix(lines[i].text, prefix)
	x.Type, x.Message = typeAndMessage(t)
	x.at = lines[i]
	x.File, x.Line = file, line
	var rest []string
	for i++; i < len(lines); i++ {
		t, _ := cutPrefix(lines[i].text, prefix)
		if t == chainCause || t == chainContext {
			break
		}
		if len(rest) < 40 {
			rest = append(rest, t)
		}
	}
	x.text = x.Message
	if body := strings.TrimRight(strings.Join(rest, "\n"), "\n "); body != "" {
		x.text += "\n" + body
	}
	return x, i, x.Type != ""
}

// blockPrefix is what stands before each line of an exception group's own block: "  | ".
func blockPrefix(header string) string {
	if i := strings.IndexByte(header, '+'); i >= 0 {
		return header[:i] + "| "
	}
	if i := strings.IndexByte(header, '|'); i >= 0 && strings.TrimLeft(header[:i], " ") == "" {
		return header[:i] + "| "
	}
	return ""
}

func cutPrefix(t, prefix string) (string, bool) {
	if prefix == "" {
		return t, true
	}
	return strings.CutPrefix(t, prefix)
}

// isTypeLine says whether a line looks like "module.Type: message" or a bare "Type".
func isTypeLine(t string) bool {
	typ, _, _ := strings.Cut(t, ":")
	if typ == "" || strings.ContainsAny(typ, " \t/(\"'=,[{<") {
		return false
	}
	c := typ[0]
	return isWord(c) && (c < '0' || c > '9')
}

// typeAndMessage splits "module.Type: message".
func typeAndMessage(t string) (typ, msg string) {
	typ, msg, _ = strings.Cut(t, ":")
	return shortModule(strings.TrimSpace(typ)), strings.TrimSpace(msg)
}

// shortModule drops the module that Airflow gives to a DAG file: unusual_prefix_<40 hex>_orders_daily.LedgerError.
func shortModule(typ string) string {
	if strings.HasPrefix(typ, "unusual_prefix_") {
		if i := strings.LastIndexByte(typ, '.'); i > 0 {
			return typ[i+1:]
		}
	}
	return typ
}

// frame reads `  File "/opt/dags/x.py", line 12, in load` and says whether it is the user's own code.
func frame(t string) (file string, line int, user bool) {
	t = strings.TrimPrefix(strings.TrimLeft(t, " "), "File \"")
	file, rest, ok := strings.Cut(t, "\", line ")
	if !ok {
		return "", 0, false
	}
	num, _, _ := strings.Cut(rest, ",")
	line, _ = strconv.Atoi(strings.TrimSpace(num))
	return file, line, userFile(file)
}

// userFile says that a frame is neither Airflow's nor a library's.
func userFile(file string) bool {
	for _, lib := range []string{"site-packages/", "dist-packages/", "/lib/python", "/lib64/python", "/airflow/models/", "/airflow/sdk/", "<frozen", "<string>"} {
		if strings.Contains(file, lib) {
			return false
		}
	}
	return file != ""
}

// errorDetail is structlog's ExceptionDictTransformer, as error_detail of Airflow 3.
type errorDetail struct {
	Type   string `json:"exc_type"`
	Value  string `json:"exc_value"`
	Frames []struct {
		File string `json:"filename"`
		Line int    `json:"lineno"`
	} `json:"frames"`
}

// parseDetail reads the error_detail (or exception) field of a structured record: raised last stands first.
func parseDetail(field string) (x raised, ok bool) {
	if field == "" || field == "null" {
		return x, false
	}
	var list []errorDetail
	if json.Unmarshal([]byte(field), &list) != nil || len(list) == 0 || list[0].Type == "" {
		return x, false
	}
	top := list[0]
	x.Type, x.Message = shortModule(top.Type), top.Value
	x.text = top.Value
	x.Root = shortModule(list[len(list)-1].Type)
	for _, f := range top.Frames {
		if userFile(f.File) || x.File == "" {
			x.File, x.Line = f.File, f.Line
		}
	}
	return x, true
}

// parsePageError reads what the page of Airflow 3 makes of an exception: "LookupError: gone" and then unindented frames.
func parsePageError(lines []textPos) (x raised, ok bool) {
	for _, l := range lines {
		t := strings.TrimSpace(l.text)
		if t == "" {
			continue
		}
		if !ok {
			if !isTypeLine(t) || strings.HasPrefix(t, "File ") {
				return x, false
			}
			x.Type, x.Message = typeAndMessage(t)
			x.text, x.Root, x.at, ok = x.Message, x.Type, l, true
			continue
		}
		if strings.HasPrefix(t, "File \"") {
			if f, n, user := frame(t); user || x.File == "" {
				x.File, x.Line = f, n
			}
		}
	}
	return x, ok
}

// exceptionOf finds the exception that a record prints, in whichever way its format has.
func exceptionOf(r *record) (x raised, ok bool) {
	if d := firstOf(r.fields, "error_detail", "exception", "exc_info"); d != "" {
		if x, ok := parseDetail(d); ok {
			x.at = r.textPos
			return x, true
		}
		var lines []textPos
		for _, l := range strings.Split(d, "\n") {
			lines = append(lines, textPos{text: l, no: r.no, offset: r.offset})
		}
		if x, ok := parseTraceback(lines); ok {
			return x, true
		}
	}
	x, ok = parseTraceback(r.more)
	if !ok && r.family != plainLine && r.family != bareLine && len(r.more) > 0 && isExceptionLine(r.more[0].text) {
		x, _, ok = parseBlock(append([]textPos{{}}, r.more...), 0) // 2.5: the exception without a traceback
		x.Root = x.Type
	}
	if ok {
		if x.at.no <= 0 {
			x.at.no, x.at.offset = r.no, r.offset
		}
		return x, true
	}
	if r.family == plainLine || r.family == bareLine {
		return parsePageError(r.more)
	}
	return x, false
}

// isExceptionLine says whether a line that stands without a traceback is an exception: a dotted or capitalised type.
func isExceptionLine(t string) bool {
	typ, _, _ := strings.Cut(t, ":")
	if !isTypeLine(t) {
		return false
	}
	last := typ[strings.LastIndexByte(typ, '.')+1:]
	return last != "" && last[0] >= 'A' && last[0] <= 'Z'
}
