package rules

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// checkRule says what is wrong in a rule apart from the rest of its file; lines holds the line of each of its keys.
func (f *file) checkRule(r *Rule, lines map[string]int, source bool) {
	bad := func(key, format string, a ...any) {
		line, ok := lines[key]
		if !ok {
			line = r.Line
		}
		f.errorf(line, format, a...)
	}
	f.missing(r.Line, "rule", r.ID, []requirement{
		{"id", r.ID != ""}, {"title", r.Title != ""}, {"in", len(r.In) > 0}, {"literal", len(r.Literal)+len(r.Either) > 0},
		{"fires", len(r.Fires) > 0}, {"silent", len(r.Silent) > 0}, {"from", r.From != "" || !source},
	}, lines)
	if r.ID != "" && !isSlug(r.ID) {
		bad("id", "id %q: write lower case letters and digits, joined by hyphens", r.ID)
	}
	for _, k := range r.In {
		if k != "component" && !slices.Contains(kinds[:], k) {
			bad("in", "in: unknown kind of log %q (%s, or component for all but task)", k, strings.Join(kinds[:], ", "))
		}
	}
	if r.At != "" && r.At != "start" && r.At != "anywhere" {
		bad("at", "at: %q is neither start nor anywhere", r.At)
	}
	for _, n := range r.Not {
		if slices.ContainsFunc(r.Literal, func(l string) bool { return strings.Contains(l, n) }) && n != "" {
			bad("not", "never fires: %q of `not` stands in a literal", n)
		}
	}
	if r.Regexp != "" {
		f.checkRegexp(r, bad)
	}
	if r.Text != "" {
		f.checkText(r, bad)
	}
	user := slices.Contains(r.Origin, userOrigin)
	switch {
	case r.Fact == "" && r.Cause == "":
		bad("", "rule %s says nothing: it has neither fact nor cause", r.ID)
	case r.Fact != "" && !slices.Contains(Facts, r.Fact):
		bad("fact", "unknown fact %q", r.Fact)
	case r.Fact != "" && user:
		bad("fact", "a rule on the task's own words (origin: user) sets a cause, never a fact")
	case user && source:
		bad("origin", "no built-in rule may fire on the task's own words")
	}
	if r.Cause != "" {
		f.uses = append(f.uses, use{r.Cause, lines["cause"], "unknown cause %q: neither built in nor declared under `causes:`", true})
	}
}

// checkText says what is wrong in a rule's text: holes are {name}, with something between two of them.
func (f *file) checkText(r *Rule, bad func(key, format string, a ...any)) {
	if r.Regexp != "" {
		bad("text", "a rule has either a text or a regexp")
	}
	parts, err := cutText(r.Text)
	if err != "" {
		bad("text", "text: %s", err)
		return
	}
	for _, p := range parts {
		if _, ok := r.Fields[p.name]; ok && p.name != "" {
			bad("text", "text: {%s} is a constant of `fields` too", p.name)
		}
	}
}

func (f *file) checkRegexp(r *Rule, bad func(key, format string, a ...any)) {
	if len(r.Literal)+len(r.Either) == 0 {
		bad("regexp", "a regexp without a literal before it")
	}
	re, err := syntax.Parse(r.Regexp, syntax.Perl)
	if err == nil {
		_, err = syntax.Compile(re.Simplify())
	}
	if err != nil {
		bad("regexp", "%s", strings.TrimPrefix(err.Error(), "error parsing "))
		return
	}
	for i, name := range re.CapNames()[1:] {
		if name == "" {
			bad("regexp", "regexp: group %d has no name: write (?P<name>…) or (?:…)", i+1)
		} else if _, ok := r.Fields[name]; ok {
			bad("regexp", "regexp: %s is a constant of `fields` too", name)
		}
	}
}

// checkEntry says what is wrong in an explanation.
func (f *file) checkEntry(e *Entry, line int, lines map[string]int, source bool) {
	at := func(key string) int {
		if l, ok := lines[key]; ok {
			return l
		}
		return line
	}
	f.missing(line, e.Kind, e.Name, []requirement{
		{"name", e.Name != ""}, {"means", e.Means != ""}, {"proven", e.Proven != "" || !source}, {"do", len(e.Do) > 0 || !source},
		{"group", e.Group != "" || !source || e.Kind != KindCause},
	}, lines)
	if e.Name != "" && !isSlug(e.Name) && !(source && e.Name == anyRemote) {
		f.errorf(at("name"), "name %q: write lower case letters and digits, joined by hyphens", e.Name)
	}
	if source && e.Group != "" && !slices.Contains(Groups[:], e.Group) {
		f.errorf(at("group"), "unknown group %q", e.Group)
	}
	for _, v := range e.Rivals {
		if source && !strings.Contains(v, " ") {
			f.uses = append(f.uses, use{v, at("rivals"), "unknown rival %q", false})
		}
	}
}

// Placeholders lists the words that a remedy's command may hold in braces.
var Placeholders = [...]string{"dag", "task", "run", "try", "map", "host", "pod", "node", "log", "around"}

// checkRemedy says what is wrong in one remedy of an entry.
func (f *file) checkRemedy(m Remedy, line int) {
	if m.Say == "" {
		f.errorf(line, "remedy: `say` is missing")
	}
	switch m.Safety {
	case "inspect", "low-risk", "mutating":
	default:
		f.errorf(line, "safety: %q is none of inspect, low-risk, mutating", m.Safety)
	}
	for part := range strings.SplitSeq(m.Run, "{") {
		word, _, ok := strings.Cut(part, "}")
		if ok && isSlug(word) && part != m.Run && !slices.Contains(Placeholders[:], word) {
			f.errorf(line, "run: unknown placeholder {%s}", word)
		}
	}
}

// requirement is a key that must be there.
type requirement struct {
	key string
	ok  bool
}

// missing reports the keys that are not there, at the line of the key where it stands empty. Of a key with a value of
// the wrong kind enough was said.
func (f *file) missing(line int, what, name string, need []requirement, lines map[string]int) {
	for _, n := range need {
		if n.ok || slices.ContainsFunc(f.errs[f.mark:], func(e Error) bool { return strings.HasPrefix(e.What, n.key+": ") }) {
			continue
		}
		at, ok := lines[n.key]
		if !ok {
			at = line
		}
		f.errorf(at, "%s: `%s` is missing", strings.TrimSpace(what+" "+name), n.key)
	}
}
