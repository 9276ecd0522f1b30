package rules

import (
	"slices"
	"strings"
)

// The kinds of entries.
const (
	KindEnding  = "ending"
	KindCause   = "cause"
	KindFinding = "finding"
)

// Groups are the groups of causes in the order in which they are listed.
var Groups = [...]string{"nothing known", "the task's own code", "set from outside", "Airflow itself", "signals", "memory",
	"cluster", "never ran", "evidence", "launched pod"}

// A cause that starts so speaks of the pod that a KubernetesPodOperator launched, not of the try's own. What follows is
// a slug of one of these groups, or has an entry of its own. anyRemote is the entry that stands for all of them.
const (
	remotePrefix = "remote-"
	anyRemote    = "remote-*"
)

// launched turns commands about the try's own pod into commands about the pod that it launched. A row knows only the
// former, so the reader fills in the latter.
var launched = strings.NewReplacer("{pod}", "LAUNCHED_POD", "{node}", "ITS_NODE", "{host}", "ITS_NODE")

var remoteGroups = [...]string{"memory", "cluster", "never ran"}

// Explain returns what an ending, a cause or a finding means, how it is proven and what to do: built in, see Set.Explain.
func Explain(name string) (Entry, bool) { return Builtin().Explain(name) }

// Known says whether name is a built-in ending, cause or finding.
func Known(name string) bool { return Builtin().Known(name) }

// Kind says what a built-in name is: ending, cause, finding; empty where it is none of these.
func Kind(name string) string { return Builtin().Kind(name) }

// Entries returns all built-in entries: endings, causes by group, findings. The slice must not be changed.
func Entries() []Entry { return Builtin().Entries() }

// Explain returns the entry of an ending, a cause or a finding, the user's own causes included. A cause of a launched
// pod that has no entry of its own (remote-memory-container) is explained by its base cause. Its slices are shared.
func (s Set) Explain(name string) (Entry, bool) {
	if s.x == nil {
		return Entry{}, false
	}
	if i, ok := s.x.byName[name]; ok {
		return s.x.entries[i], true
	}
	base, ok := s.remoteBase(name)
	if !ok {
		return Entry{}, false
	}
	e := s.x.entries[s.x.byName[anyRemote]]
	e.Name = name
	e.Means = "It happened to the pod that the operator launched, not to the try's own pod. " + base.Means
	e.Proven = e.Proven + " " + base.Proven
	e.Rivals = make([]string, len(base.Rivals))
	for i, r := range base.Rivals {
		if _, ok := s.remoteBase(remotePrefix + r); ok {
			r = remotePrefix + r
		}
		e.Rivals[i] = r
	}
	e.Do = slices.Concat(e.Do, base.Do)
	for i := range e.Do {
		e.Do[i].Run = launched.Replace(e.Do[i].Run)
	}
	return e, true
}

// remoteBase returns the entry of the cause behind a `remote-` slug.
func (s Set) remoteBase(name string) (Entry, bool) {
	slug, ok := strings.CutPrefix(name, remotePrefix)
	if !ok {
		return Entry{}, false
	}
	i, ok := s.x.byName[slug]
	if !ok {
		return Entry{}, false
	}
	if _, ok = s.x.byName[anyRemote]; !ok {
		return Entry{}, false
	}
	for _, g := range remoteGroups {
		if s.x.entries[i].Group == g {
			return s.x.entries[i], true
		}
	}
	return Entry{}, false
}

// Known says whether name is an ending, a cause or a finding.
func (s Set) Known(name string) bool { return s.Kind(name) != "" }

// Kind says what a name is: ending, cause, finding; empty where it is none of these.
func (s Set) Kind(name string) string {
	if s.x == nil {
		return ""
	}
	if i, ok := s.x.byName[name]; ok {
		return s.x.entries[i].Kind
	}
	if _, ok := s.remoteBase(name); ok {
		return KindCause
	}
	return ""
}

// Entries returns all entries: endings, causes by group, findings; the user's own causes last. It must not be changed.
func (s Set) Entries() []Entry {
	if s.x == nil {
		return nil
	}
	return s.x.entries
}
