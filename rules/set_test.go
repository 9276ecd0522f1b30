package rules

import (
	"strings"
	"testing"
)

func TestFor(t *testing.T) {
	set := newSet([]Rule{
		{ID: "any", In: []string{"task"}},
		{ID: "supervisor", In: []string{"task", "worker"}, Origin: []string{"supervisor", "task"}},
		{ID: "user", In: []string{"task"}, Origin: []string{"user"}},
		{ID: "both", In: []string{"task"}, Origin: []string{"taskinstance.py", "user"}},
		{ID: "component", In: []string{"component"}},
		{ID: "scheduler", In: []string{"scheduler"}, Origin: []string{"scheduler_job_runner.py"}},
	}, nil)
	for _, tc := range []struct{ kind, origin, want string }{
		{"task", "supervisor", "any supervisor"},
		{"task", "taskinstance.py", "any both"},
		{"task", "never_heard_of.py", "any"},
		{"task", "", "any"},
		{"task", "user", "user both"},
		{"worker", "supervisor", "supervisor component"},
		{"worker", "", "component"},
		{"worker", "user", ""},
		{"scheduler", "scheduler_job_runner.py", "component scheduler"},
		{"api-server", "x", "component"},
		{"no such kind", "x", ""},
	} {
		var ids []string
		for _, r := range set.For(tc.kind, tc.origin) {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != tc.want {
			t.Errorf("%s, %q: got %q, want %q", tc.kind, tc.origin, got, tc.want)
		}
	}
	kind, origin := "task", "never_heard_of.py"
	if n := testing.AllocsPerRun(100, func() { set.For(kind, origin) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestZeroSet(t *testing.T) {
	var set Set
	_, known := set.Rule("x")
	_, explained := set.Explain("x")
	if set.For("task", "") != nil || set.Rules() != nil || set.Entries() != nil || known || explained || set.Known("x") {
		t.Error("the zero Set is not empty")
	}
}

func TestBuiltinRules(t *testing.T) {
	for _, r := range Builtin().Rules() {
		if r.Regexp != "" && r.lazy.get(r.Regexp) == nil {
			t.Errorf("%s:%d: %s does not compile", r.File, r.Line, r.ID)
		}
		if r.Cause != "" && Kind(r.Cause) != KindCause {
			t.Errorf("%s:%d: unknown cause %s", r.File, r.Line, r.Cause)
		}
		if len(r.SampleLine) != len(r.Fires)+len(r.Silent) {
			t.Errorf("%s:%d: %d lines for %d samples", r.File, r.Line, len(r.SampleLine), len(r.Fires)+len(r.Silent))
		}
	}
}
