package rules

import (
	"fmt"
	"maps"
	"sync"
	"testing"
)

func lines(s ...string) (out [][]byte) {
	for _, l := range s {
		out = append(out, []byte(l))
	}
	return out
}

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		name string
		rule Rule
		msg  string
		more [][]byte
		want bool
	}{
		{"opens", Rule{Literal: []string{"Task exited with return code "}}, "Task exited with return code -9", nil, true},
		{"does not open", Rule{Literal: []string{"Task exited"}}, "the Task exited", nil, false},
		{"shorter than the literal", Rule{Literal: []string{"Task exited"}}, "Task", nil, false},
		{"empty message", Rule{Literal: []string{"Task exited"}, At: "anywhere"}, "", nil, false},
		{"anywhere", Rule{Literal: []string{"Task exited"}, At: "anywhere"}, "the Task exited", nil, true},
		{"second one anywhere", Rule{Literal: []string{"State of", "externally set to"}}, "State of this instance has been externally set to failed", nil, true},
		{"second one missing", Rule{Literal: []string{"State of", "externally set to"}}, "State of this instance", nil, false},
		{"not", Rule{Literal: []string{"Skipping"}, Not: []string{"downstream"}}, "Skipping downstream tasks.", nil, false},
		{"not in what follows", Rule{Literal: []string{"Skipping"}, Not: []string{"downstream"}}, "Skipping task.", lines("downstream"), true},
		{"what follows does not count", Rule{Literal: []string{"Task failed", "Timeout"}}, "Task failed", lines("Timeout"), false},
		{"what follows counts", Rule{Literal: []string{"Task failed", "Timeout"}, More: true}, "Task failed", lines("x", "a Timeout, PID: 3"), true},
		{"the first still opens the message", Rule{Literal: []string{"Timeout"}, More: true}, "Task failed", lines("Timeout"), false},
		{"unless anywhere", Rule{Literal: []string{"Timeout"}, More: true, At: "anywhere"}, "Task failed", lines("Timeout"), true},
		{"no literal, no match", Rule{}, "x", nil, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			msg := []byte(tc.msg)
			if got := tc.rule.Match(msg, tc.more); got != tc.want {
				t.Errorf("got %v", got)
			}
			if n := testing.AllocsPerRun(100, func() { tc.rule.Match(msg, tc.more) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

func TestMatchOfALongLiteralAllocatesNothing(t *testing.T) {
	r := Rule{Literal: []string{"a literal that is longer than the thirty-two bytes for which Go has room on the stack"}, At: "anywhere", Not: []string{"another text that is longer than those thirty-two bytes, so that it would be copied"}}
	msg := []byte("before it " + r.Literal[0] + " and after it")
	if n := testing.AllocsPerRun(100, func() {
		if !r.Match(msg, nil) {
			t.Fatal("no match")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCaptures(t *testing.T) {
	set := newSet([]Rule{
		{ID: "re", Regexp: `code (?:Negsignal\.(?P<name>[A-Z]+)|(?P<code>-?\d+))`, Fields: map[string]string{"who": "supervisor"}},
		{ID: "plain"},
	}, nil)
	re, _ := set.Rule("re")
	plain, _ := set.Rule("plain")
	for _, tc := range []struct {
		rule *Rule
		text string
		want map[string]string
	}{
		{re, "Task exited with return code -9For more", map[string]string{"code": "-9", "who": "supervisor"}},
		{re, "Task exited with return code Negsignal.SIGKILL", map[string]string{"name": "SIGKILL", "who": "supervisor"}},
		{re, "Task exited", nil},
		{plain, "Task exited", map[string]string{}},
		{&Rule{Regexp: `(?P<x>b)`}, "abc", map[string]string{"x": "b"}}, // in no set
		{&Rule{Regexp: `(`}, "abc", nil},                                // one that no file can bring in
	} {
		got := captures(tc.rule, tc.text)
		if !maps.Equal(got, tc.want) || (got == nil) != (tc.want == nil) {
			t.Errorf("%s on %q: got %v, want %v", tc.rule.ID, tc.text, got, tc.want)
		}
	}
}

func TestCapturesFromManyGoroutines(t *testing.T) {
	set := newSet([]Rule{{ID: "re", Regexp: `n=(?P<n>\d+)`}}, nil)
	r, _ := set.Rule("re")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			copied := *r // a copy shares the compiled regexp
			if got := captures(&copied, fmt.Sprintf("n=%d", i))["n"]; got != fmt.Sprint(i) {
				t.Errorf("got %q, want %d", got, i)
			}
		})
	}
	wg.Wait()
}

var benchMessages = lines(
	"Task exited with return code -9",
	"State of this instance has been externally set to failed. Terminating instance.",
	"processed 1200000 of 4800000 rows, batch 12, 311 rows a second, 0 rejected, next offset 1200000",
)

func BenchmarkMatchStart(b *testing.B) {
	r := Rule{Literal: []string{"State of this instance", "externally set to"}, Not: []string{"success"}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Match(benchMessages[i%len(benchMessages)], nil)
	}
}

func BenchmarkMatchAnywhere(b *testing.B) {
	r := Rule{Literal: []string{"externally set to"}, At: "anywhere"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Match(benchMessages[i%len(benchMessages)], nil)
	}
}

func BenchmarkMatchMore(b *testing.B) {
	r := Rule{Literal: []string{"Sensor has timed out"}, At: "anywhere", More: true}
	more := lines("Traceback (most recent call last):", `  File "/opt/airflow/dags/etl.py", line 12, in load`, "airflow.exceptions.AirflowSensorTimeout: Sensor has timed out; run duration")
	b.ReportAllocs()
	for b.Loop() {
		r.Match(benchMessages[0], more)
	}
}

func BenchmarkCaptures(b *testing.B) {
	set := newSet([]Rule{{ID: "re", Regexp: `return code (?:Negsignal\.(?P<name>[A-Z]+)|(?P<code>-?\d+))`}}, nil)
	r, _ := set.Rule("re")
	for b.Loop() {
		captures(r, "Task exited with return code -9")
	}
}

func BenchmarkFor(b *testing.B) {
	set := Builtin()
	b.ReportAllocs()
	for b.Loop() {
		set.For("task", "taskinstance.py")
	}
}

func BenchmarkNewSet(b *testing.B) { // what the first call of Builtin costs
	for b.Loop() {
		newSet(append([]Rule(nil), builtinRules[:]...), builtinEntries[:])
	}
}

// captures is what a rule captures as a map, nil where it does not fire.
func captures(r *Rule, text string) map[string]string {
	list, ok := r.Captures(text, nil)
	if !ok {
		return nil
	}
	out := maps.Clone(r.Fields)
	if out == nil {
		out = map[string]string{}
	}
	for _, c := range list {
		out[c.Name] = c.Value
	}
	return out
}
