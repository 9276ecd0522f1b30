package rules

import (
	"slices"
	"strings"
	"sync"
)

//go:generate go run -tags bootstrap ./gen

// Set is an ordered collection of rules and explanations: what is built in, then the user's own. It never changes and
// may be shared. The zero Set is empty.
type Set struct{ x *index }

type index struct {
	rules   []Rule
	byID    map[string]*Rule
	where   map[place][]*Rule
	entries []Entry
	byName  map[string]int
}

// place is where a record stands: the kind of its log and who wrote it.
type place struct{ kind, origin string }

// kinds are the kinds of log that a rule may name; "component" stands for all but the first.
var kinds = [...]string{"task", "scheduler", "worker", "triggerer", "dag-processor", "api-server"}

var builtin = sync.OnceValue(func() Set { return newSet(slices.Clone(builtinRules[:]), builtinEntries[:]) })

// Builtin returns the rules and explanations that are part of the program. They were read from the YAML files of this
// folder when the program was built, so that starting it parses nothing; the first call builds the index.
func Builtin() Set { return builtin() }

// newSet takes the rules over; they must not be used afterwards.
func newSet(rs []Rule, entries []Entry) Set {
	x := &index{
		rules:   rs,
		byID:    make(map[string]*Rule, len(rs)),
		where:   make(map[place][]*Rule),
		entries: entries,
		byName:  make(map[string]int, len(entries)),
	}
	for i, e := range entries {
		x.byName[e.Name] = i
	}
	origins := map[string]bool{"": true, userOrigin: true}
	for i := range x.rules {
		r := &x.rules[i]
		x.byID[r.ID] = r
		r.lazy = nil
		if r.Regexp != "" {
			r.lazy = new(lazyRegexp)
		}
		for _, o := range r.Origin {
			origins[o] = true
		}
	}
	for _, k := range kinds {
		for o := range origins {
			x.where[place{k, o}] = x.pick(k, o)
		}
	}
	return Set{x}
}

// userOrigin in a rule's `origin` admits the task's own words.
const userOrigin = "user"

// pick is the slow form of For.
func (x *index) pick(kind, origin string) []*Rule {
	var out []*Rule
	for i := range x.rules {
		if r := &x.rules[i]; r.inKind(kind) && r.fromOrigin(origin) {
			out = append(out, r)
		}
	}
	return out
}

func (r *Rule) inKind(kind string) bool {
	return slices.Contains(r.In, kind) || kind != "task" && slices.Contains(r.In, "component")
}

func (r *Rule) fromOrigin(origin string) bool {
	if len(r.Origin) == 0 {
		return origin != userOrigin
	}
	return origin != "" && slices.Contains(r.Origin, origin)
}

// For returns the rules that may fire on a record of this kind of log (task, scheduler, …) and this origin (emitting
// file or logger as `origin` spells it), in the order of the set. Rules without an origin hold for whatever Airflow
// wrote; an unknown origin ("") gets only those. The origin "user" stands for the task's own words and gets only rules
// that name it. It allocates nothing; the slice must not be changed.
func (s Set) For(kind, origin string) []*Rule {
	if s.x == nil {
		return nil
	}
	if rs, ok := s.x.where[place{kind, origin}]; ok {
		return rs
	}
	return s.x.where[place{kind, ""}]
}

// Rules returns all rules in order. Slice and rules must not be changed.
func (s Set) Rules() []*Rule {
	if s.x == nil {
		return nil
	}
	out := make([]*Rule, len(s.x.rules))
	for i := range s.x.rules {
		out[i] = &s.x.rules[i]
	}
	return out
}

// Rule returns the rule of this id, which must not be changed.
func (s Set) Rule(id string) (*Rule, bool) {
	if s.x == nil {
		return nil, false
	}
	r, ok := s.x.byID[id]
	return r, ok
}

// Failure is a sample line on which a rule did not do what its file says.
type Failure struct {
	Rule string
	File string
	Line int
	Text string
	Want bool // it must fire, and did not
}

// Check tries every rule on its own sample lines. fires answers whether a rule fires on a whole line of a log; the
// parser for lines is package classify's.
func Check(set Set, fires func(r *Rule, line string) bool) []Failure {
	var out []Failure
	for _, r := range set.Rules() {
		for i, text := range r.Fires {
			if !fires(r, text) {
				out = append(out, Failure{r.ID, r.File, r.sampleLine(i), text, true})
			}
		}
		for i, text := range r.Silent {
			if fires(r, text) {
				out = append(out, Failure{r.ID, r.File, r.sampleLine(len(r.Fires) + i), text, false})
			}
		}
	}
	return out
}

func (r *Rule) sampleLine(i int) int {
	if i < len(r.SampleLine) {
		return r.SampleLine[i]
	}
	return r.Line
}

// isSlug says whether s is lower case words joined by hyphens.
func isSlug(s string) bool {
	for word := range strings.SplitSeq(s, "-") {
		if word == "" {
			return false
		}
		for _, c := range word {
			if !('a' <= c && c <= 'z' || '0' <= c && c <= '9') {
				return false
			}
		}
	}
	return true
}
