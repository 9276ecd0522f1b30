package classify

import (
	"slices"
	"strings"
	"time"

	"lastwords/rules"
)

// fact is a record on which a rule fired: what it says, with the values that it names.
type fact struct {
	name  string // word of the vocabulary in rules/facts.go
	rule  *rules.Rule
	place Place
	when  moment
	level string
	values
	order int     // place among the records of its stream
	exc   *raised // the exception that the record prints
	more  []textPos
	words *words // what the task's own code had said before
}

// values are what a record names: captures of the rule, its constants and the fields of a structured record.
type values struct {
	caps   []rules.Capture
	consts map[string]string
	fields map[string]string
}

// value is a capture, constant or field, the first of them that is there.
func (v *values) value(key string) string {
	if v == nil {
		return ""
	}
	for i := range v.caps {
		if v.caps[i].Name == key && v.caps[i].Value != "" {
			return v.caps[i].Value
		}
	}
	if c, ok := v.consts[key]; ok {
		return c
	}
	return v.fields[key]
}

// firstOf is the first of several values that is there.
func (v *values) firstOf(keys ...string) string {
	for _, k := range keys {
		if x := v.value(k); x != "" {
			return x
		}
	}
	return ""
}

// words is the last record of the task's own code at some point of its log, with those before it.
type words struct {
	place Place
	when  moment
	order int
	texts [maxTail]string
	n     int
}

// tail lists up to maxTail texts, oldest first, this record's last.
func (w *words) tail() []string { return w.texts[:w.n] }

const maxTail = 5

// matcher applies the rules to records.
type matcher struct {
	set        rules.Set
	zone       *time.Location
	stateRules []*rules.Rule // the rule of the task runner's state, which stands anywhere in its record
}

// fire appends the facts that a record is evidence of, for one kind of log. Users' rules that admit the task's own words
// are in ownWords.
func (m *matcher) fire(out []fact, kind string, r *record, source string, order int) []fact {
	if r.mine {
		return out
	}
	if r.user {
		return m.try(out, m.set.For(kind, "user"), r, source, order)
	}
	if r.anyone && r.origin == "" { // no record of this log names its emitter
		for _, rule := range m.set.Rules() {
			if slices.Contains(rule.In, kind) && rule.At != "anywhere" {
				out = m.try(out, []*rules.Rule{rule}, r, source, order)
			}
			if len(out) > 0 {
				return out
			}
		}
		out = m.try(out, m.stateRules, r, source, order)
	}
	out = m.try(out, m.set.For(kind, r.origin), r, source, order)
	if alt := otherOrigin(r); alt != "" && len(out) == 0 {
		out = m.try(out, m.set.For(kind, alt), r, source, order)
	}
	if len(out) == 0 && r.file != "" && r.file != r.origin && structured(r) && (airflowLogger(r.origin) || kind != "task" && r.origin == "airflow.task") {
		out = m.try(out, m.set.For(kind, r.file), r, source, order)
	}
	return out
}

// try appends the facts of the rules of a list that fire.
func (m *matcher) try(out []fact, list []*rules.Rule, r *record, source string, order int) []fact {
	for _, rule := range list {
		if !matches(rule, r) {
			continue
		}
		text := r.text
		if rule.More && len(r.more) > 0 {
			text = r.full()
		}
		var caps []rules.Capture
		if rule.Text != "" {
			caps = make([]rules.Capture, 0, 4)
		}
		caps, ok := rule.Captures(text, caps)
		if !ok {
			continue
		}
		f := fact{name: rule.Fact, rule: rule, when: r.when, level: r.level, order: order, more: r.more,
			values: values{caps: caps, consts: rule.Fields, fields: r.fields}, place: m.place(r, source)}
		out = append(out, f)
	}
	return out
}

func structured(r *record) bool { return r.family == jsonLine || r.family == consoleLine }

// airflowLogger says that a logger is Airflow's own, so that the file name beside it can be trusted.
func airflowLogger(name string) bool {
	return name == "task" || name == "supervisor" || strings.HasPrefix(name, "airflow.") && !strings.HasPrefix(name, "airflow.task")
}

// otherOrigin gives the second name under which rules may know the emitter of a record: user operators' loggers carry
// Airflow's own lines (Trigger failed, Success criteria met), and records without a known emitter may be anybody's.
func otherOrigin(r *record) string {
	switch {
	case strings.HasPrefix(r.origin, "airflow.task.operators.") && operatorFile(r.file):
		return "airflow.task.operators"
	case strings.HasPrefix(r.origin, "airflow.task.hooks.") && r.file == "subprocess.py":
		return r.file
	case r.origin == "" && (r.family == bareLine || r.family == rawLine || r.family == jsonLine):
		return "reader"
	}
	return ""
}

// operatorFile says whether a file can be Airflow's own operator code, as far as the record names it (3.0 does not).
func operatorFile(file string) bool {
	switch file {
	case "", "operator.py", "baseoperator.py", "sensor.py", "base.py", "python.py", "bash.py", "subprocess.py", "skipmixin.py", "branch.py",
		"pod.py", "pod_manager.py", "decorator.py":
		return true
	}
	return false
}

func matches(rule *rules.Rule, r *record) bool {
	hay := r.text
	if len(rule.Either) > 0 && !slices.ContainsFunc(rule.Either, func(lit string) bool {
		return strings.HasPrefix(hay, lit) || rule.At == "anywhere" && strings.Contains(hay, lit)
	}) {
		return false
	}
	for i, lit := range rule.Literal {
		if i == 0 && len(rule.Either) == 0 && rule.At != "anywhere" {
			if !strings.HasPrefix(hay, lit) && !(rule.More && len(r.more) > 0 && lineStarts(r.more, lit)) {
				return false
			}
			continue
		}
		if !strings.Contains(hay, lit) && !(rule.More && lineHas(r.more, lit)) {
			return false
		}
	}
	for _, not := range rule.Not {
		if strings.Contains(hay, not) {
			return false
		}
	}
	return true
}

func lineStarts(lines []textPos, lit string) bool {
	for i := range lines {
		if strings.HasPrefix(lines[i].text, lit) {
			return true
		}
	}
	return false
}

func lineHas(lines []textPos, lit string) bool {
	for i := range lines {
		if strings.Contains(lines[i].text, lit) {
			return true
		}
	}
	return false
}

// place says where a record stands and what it says, fit for a report.
func (m *matcher) place(r *record, source string) Place {
	return Place{Source: source, Line: r.no, Offset: r.offset, At: r.at(m.zone), Text: clean(r.text)}
}

func (r *record) at(zone *time.Location) time.Time {
	if r.when.at.IsZero() {
		return time.Time{}
	}
	return r.when.in(zone)
}

// clean makes text fit for a report: what a terminal would show of a line with carriage returns, without control
// characters, cut to MaxText bytes at a rune's start.
func clean(s string) string {
	s = strings.TrimRight(s, "\r\n")
	if i := strings.LastIndexByte(s, '\r'); i >= 0 {
		s = s[i+1:]
	}
	if len(s) > MaxText {
		cut := MaxText
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…" // a copy: a place must not keep a long line alive
	}
	bad := false
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f || s[i] >= 0x80 {
			bad = true
			break
		}
	}
	if !bad {
		return s
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0:
			return -1
		case c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0x200e || c == 0x200f:
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
