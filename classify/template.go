package classify

import (
	"math"
	"net/netip"
	"regexp"
	"strings"
	"unicode"
)

// slotKind says what a changing part of a text may mean.
type slotKind uint8

const (
	slotNoise    slotKind = iota // ids, pids, clocks, addresses: never a position
	slotPlain                    // a number, a date or a path: a position where it changes from line to line of one log
	slotProgress                 // a number that stands where progress is counted: a position
	slotSize                     // 400 MB: a position only where nothing else counts
	slotDuration                 // 12 s: a position only where nothing else counts and it grows like a clock
)

// slot is a part of a text that was taken out of its template.
type slot struct {
	kind  slotKind
	value string
	num   float64
	isNum bool
	slack float64 // share of the value by which two sizes or clocks may differ
}

func (s slot) equal(o slot) bool {
	if s.isNum && o.isNum {
		return math.Abs(s.num-o.num) <= math.Max(s.slack, o.slack)*math.Max(math.Abs(s.num), math.Abs(o.num))
	}
	return s.value == o.value
}

// template is a text with its changing parts taken out: `table <n> of <n> merged`.
type template struct {
	key   string
	slots []slot
}

const (
	measureSlack = 0.05
	maxTemplate  = 2048 // bytes of a text that count: the rest of a longer message tells nothing new
)

var (
	uuidWord     = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	dateWord     = regexp.MustCompile(`^(\d{4}[-/.]\d{2}([-/.]\d{2})?|\d{1,2}[/.]\d{1,2}[/.]\d{4})$`)
	stampWord    = regexp.MustCompile(`^\d{4}-?\d{2}-?\d{2}[T_]\d{2}:?\d{2}(:?\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?$`)
	clockWord    = regexp.MustCompile(`^\d{1,3}:\d{2}(:\d{2})?([.,]\d+)?(Z|[+-]\d{2}:?\d{2})?$`)
	numberWord   = regexp.MustCompile(`^([-+]?\d[\d,_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)(%|[A-Za-zµ]{1,7}(?:/s)?)?$`)
	ratioWord    = regexp.MustCompile(`^(\d[\d,_]*)/(\d[\d,_]*|\?)$`)
	versionWord  = regexp.MustCompile(`^v?\d+(\.\d+){2,}\w*$`)
	hexWord      = regexp.MustCompile(`^(0[xX][0-9a-fA-F]+|[0-9a-fA-F]{8,})$`)
	nameNumber   = regexp.MustCompile(`^([A-Za-z]+)(\d+)$`)
	exceptionDir = regexp.MustCompile(`unusual_prefix_[0-9a-f]{40}_`) // Airflow 2.x names DAG modules so
)

// templateOf takes the changing parts out of a text. host is the try's own host, or empty.
func templateOf(text, host string) template {
	s := templateScan{host: host}
	text = text[:min(len(text), maxTemplate)]
	s.words = strings.Fields(lastBar(text))
	if len(text) >= MaxText-8 && len(s.words) > 8 { // the text was cut somewhere: compare what both surely have
		s.words = s.words[:len(s.words)*3/4]
	}
	for i := 0; i < len(s.words); {
		i += s.word(i)
	}
	return template{key: strings.Join(s.out, " "), slots: s.slots}
}

// lastBar keeps the last state of a progress bar whose carriage returns were lost:
// `read:  40%|####      | 40/100 [00:01<00:01, 49.1it/s] 60%|######    | 60/100 [00:02<00:01, 49.1it/s]`.
func lastBar(text string) string {
	first, last := strings.Index(text, "%|"), strings.LastIndex(text, "%|")
	if first < 0 {
		return text
	}
	digits := func(end int) int {
		for end > 0 && (text[end-1] >= '0' && text[end-1] <= '9' || text[end-1] == '.') {
			end--
		}
		return end
	}
	label, rest := text[:digits(first)], text[last+2:]
	if i := strings.IndexByte(rest, '|'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.IndexByte(rest, '['); i >= 0 {
		rest = rest[:i]
	}
	return label + " " + text[digits(last):last+1] + " " + rest
}

type templateScan struct {
	host  string
	words []string
	out   []string
	slots []slot
}

// word reads the word at i and returns how many words it used: numbers take their unit along.
func (s *templateScan) word(i int) int {
	lead, core, trail := bareWord(s.words[i])
	if n, used := wordNumber(core), 1; n != nil && n.unit == "" {
		switch next := s.at(i + 1); {
		case trail == "" && next == "of" && s.isNumber(i+2): // 3 of 40
			s.put(lead, "<n>/<n>", s.tail(i+2), slot{kind: slotProgress, num: n.num, isNum: true})
			return 3
		case trail == "" && next == "out" && s.at(i+2) == "of" && s.isNumber(i+3): // 17 out of 52
			s.put(lead, "<n>/<n>", s.tail(i+3), slot{kind: slotProgress, num: n.num, isNum: true})
			return 4
		case trail == "" && s.raw(i+1) == "/" && s.isNumber(i+2): // 3 / 40
			s.put(lead, "<n>/<n>", s.tail(i+2), slot{kind: slotProgress, num: n.num, isNum: true})
			return 3
		case trail == "" && strings.HasPrefix(s.raw(i+1), "%"):
			s.put(lead, "<n>%", strings.TrimPrefix(s.raw(i+1), "%"), slot{kind: slotProgress, num: math.Floor(n.num), isNum: true})
			return 2
		case trail == "" && (sizeUnit(next) > 0 || durationUnit(next)):
			n.unit, used = next, 2
			trail = s.tail(i + 1)
		}
		s.number(i, lead, n, trail, s.context(i), s.at(i+used))
		return used
	} else if n != nil {
		s.number(i, lead, n, trail, s.context(i), s.at(i+1))
		return 1
	}
	text, slots := s.core(core, s.context(i))
	s.out = append(s.out, lead+text+trail)
	s.slots = append(s.slots, slots...)
	return 1
}

func (s *templateScan) put(lead, mark, trail string, sl slot) {
	s.out = append(s.out, lead+mark+trail)
	s.slots = append(s.slots, sl)
}

func (s *templateScan) number(i int, lead string, n *numeral, trail, before, after string) {
	if codeWord(before) { // exit code 1 is another error than exit code 2
		s.out = append(s.out, lead+n.text+trail)
		return
	}
	mark, sl := n.slot(before, after)
	if strings.HasSuffix(lead, "#") && sl.kind == slotPlain {
		sl.kind = slotProgress
	}
	s.put(lead, mark, trail, sl)
}

// core reads a word that is no plain number: an id, a path, a key with its value, a name with a number in it.
func (s *templateScan) core(w, before string) (string, []slot) {
	noise := func(mark string) (string, []slot) { return mark, []slot{{kind: slotNoise, value: w}} }
	if s.host != "" && w == s.host {
		return noise("<host>")
	}
	if strings.IndexFunc(w, unicode.IsDigit) < 0 && !strings.ContainsAny(w, `/\=@.`) && !strings.HasPrefix(w, "tmp") {
		return w, nil
	}
	if strings.Contains(w, "://") {
		return pathSlot(w)
	}
	switch {
	case uuidWord.MatchString(w), stampWord.MatchString(w), clockWord.MatchString(w):
		return noise("<id>")
	case dateWord.MatchString(w):
		return "<date>", []slot{{kind: slotPlain, value: w}}
	}
	if m := ratioWord.FindStringSubmatch(w); m != nil {
		return "<n>/<n>", []slot{{kind: slotProgress, num: parseNumeral(m[1]), isNum: true}}
	}
	if _, err := netip.ParseAddr(w); err == nil || versionWord.MatchString(w) {
		return noise("<id>")
	}
	if a, err := netip.ParseAddrPort(w); err == nil && a.IsValid() {
		return noise("<id>")
	}
	if hexWord.MatchString(w) {
		return noise("<id>")
	}
	if i := strings.IndexAny(w, "=:"); i > 0 && i < len(w)-1 && w[i+1] != '\\' && !strings.ContainsAny(w[:i], `/\`) {
		key := strings.ToLower(w[:i])
		name, slots := s.core(w[:i], "")
		lead, core, trail := bareWord(w[i+1:])
		if n := wordNumber(core); n == nil {
			text, more := s.core(core, key)
			return name + w[i:i+1] + lead + text + trail, append(slots, more...)
		} else if !codeWord(key) {
			mark, sl := n.slot(key, "")
			return name + w[i:i+1] + lead + mark + trail, append(slots, sl)
		}
		return name + w[i:], slots
	}
	if looksLikePath(w) {
		return pathSlot(w)
	}
	if hostWord(w) {
		return noise("<host>")
	}
	return nameParts(w, before)
}

// pathSlot reads a path or an address. A number that counts parts in its last element is a position of its own.
func pathSlot(w string) (string, []slot) {
	base := w[strings.LastIndexAny(w, `/\`)+1:]
	if _, slots := nameParts(base, ""); len(slots) > 0 {
		for _, sl := range slots {
			if sl.kind == slotProgress {
				return "<path>", []slot{sl}
			}
		}
	}
	if strings.Contains(w, "tmp") || strings.Contains(w, "temp") {
		return "<path>", []slot{{kind: slotNoise, value: w}}
	}
	return "<path>", []slot{{kind: slotPlain, value: w}}
}

func looksLikePath(w string) bool {
	switch {
	case len(w) > 3 && w[1] == ':' && w[2] == '\\', strings.HasPrefix(w, "./"), strings.HasPrefix(w, "../"), strings.HasPrefix(w, "~/"):
		return true
	case len(w) > 1 && w[0] == '/':
		return true
	}
	n := strings.Count(w, "/")
	return n >= 2 || n == 1 && strings.Contains(w[strings.IndexByte(w, '/'):], ".")
}

func hostWord(w string) bool {
	i := strings.LastIndexByte(w, '.')
	if i <= 0 {
		return false
	}
	switch w[i+1:] {
	case "internal", "local", "localdomain", "com", "net", "org", "io", "svc", "lan", "corp":
		return true
	}
	return false
}

// nameParts takes numbers and ids out of a name: part-0007 -> part-<n>, worker-7d9c5f6b44-q2zls -> worker-<id>-<id>.
func nameParts(w, before string) (string, []slot) {
	var out strings.Builder
	var slots []slot
	last := before
	for len(w) > 0 {
		end := strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end == 0 {
			out.WriteByte(w[0])
			w = w[1:]
			continue
		}
		if end < 0 {
			end = len(w)
		}
		part := w[:end]
		w = w[end:]
		digit := strings.IndexFunc(part, unicode.IsDigit) >= 0
		switch m := nameNumber.FindStringSubmatch(part); {
		case !digit && strings.HasPrefix(part, "tmp") && len(part) >= 9:
			out.WriteString("<id>")
			slots = append(slots, slot{kind: slotNoise, value: part})
		case !digit:
			out.WriteString(part)
			last = strings.ToLower(part)
		case wordNumber(part) != nil && wordNumber(part).unit == "":
			mark, sl := wordNumber(part).slot(last, "")
			out.WriteString(mark)
			slots = append(slots, sl)
		case m != nil && len(m[2]) <= 6 && m[1] != "tmp":
			_, sl := wordNumber(m[2]).slot(strings.ToLower(m[1]), "")
			out.WriteString(m[1] + "<n>")
			slots = append(slots, sl)
		default:
			out.WriteString("<id>")
			slots = append(slots, slot{kind: slotNoise, value: part})
		}
	}
	return out.String(), slots
}

// bareWord splits the punctuation around a word off.
func bareWord(w string) (lead, core, trail string) {
	start := strings.IndexFunc(w, func(r rune) bool { return !strings.ContainsRune("([{<'\"`#*|>,;", r) })
	if start < 0 {
		return "", w, ""
	}
	end := len(strings.TrimRight(w[start:], ")]}>'\"`,;:.!?*|…")) + start
	if end == start {
		return "", w, ""
	}
	return w[:start], w[start:end], w[end:]
}

func (s *templateScan) raw(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i]
}

func (s *templateScan) at(i int) string {
	_, core, _ := bareWord(s.raw(i))
	return strings.ToLower(core)
}

func (s *templateScan) tail(i int) string {
	_, _, trail := bareWord(s.raw(i))
	return trail
}

func (s *templateScan) isNumber(i int) bool {
	n := wordNumber(s.at(i))
	return n != nil && n.unit == ""
}

// context is the word before i, in lower case; what stands behind a full stop is no context.
func (s *templateScan) context(i int) string {
	w := s.raw(i - 1)
	if strings.HasSuffix(w, ".") || strings.HasSuffix(w, ",") || strings.HasSuffix(w, ";") {
		return ""
	}
	before := s.at(i - 1)
	switch before {
	case "number", "no", "nr", "#", "=", ":", "is", "at", "now": // row number 7, step: at 7
		return s.at(i - 2)
	}
	return before
}

// errorKey is what two tracebacks must share to be the same error: the type without its module, and the slotted message.
func errorKey(e *Exception) string {
	name := exceptionDir.ReplaceAllString(e.Type, "")
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name + ": " + templateOf(exceptionDir.ReplaceAllString(e.Message, ""), "").key
}
