package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runWith runs the program as it is, with a standard input.
func runWith(stdin string, args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	env := system()
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(stdin), &o, &e
	env.StdinTTY, env.StdoutTTY, env.StderrTTY, env.Width = false, false, false, 0
	status = Run(context.Background(), args, env)
	return status, o.String(), e.String()
}

// TestNothingIsNoAllClear: where no try was read, the program never says that all is well.
func TestNothingIsNoAllClear(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.log")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, stdin string
		args        []string
		status      int
		says        string
	}{
		{"empty stdin", "", nil, 0, "unrecognized  -: stdin is empty"},
		{"empty stdin to scan", "", []string{"scan"}, 0, "stdin is empty"},
		{"an empty file", "", []string{empty}, 0, "empty.log: an empty file"},
		{"an empty directory", "", []string{"scan", t.TempDir()}, 0, "no try was found"},
		{"what kubectl says of a wrong name", "Error from server (NotFound): pods \"x\" not found\n", nil, 0, "unrecognized  -: not an Airflow task log"},
		{"a pod's description", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}`, nil, 3, "a Kubernetes object, and no log"},
		{"filters that nothing passes", "", []string{"scan", "../../testdata/demo", "--dag", "nosuch"}, 0, "none of 54 tries passes the filters"},
		{"a path that is not there", "", []string{"scan", filepath.Join(dir, "gone")}, 3, "no try was found"},
	} {
		status, out, errs := runWith(c.stdin, c.args...)
		if status != c.status || !strings.Contains(out+errs, c.says) || strings.Contains(out, "none needs attention") {
			t.Errorf("%s: status %d, want %d\nstdout %s\nstderr %s\nwant in it %q", c.name, status, c.status, out, errs, c.says)
		}
	}
}

// TestLastWordsWithoutLog: of a try that only the scheduler names, nobody knows what its code wrote.
func TestLastWordsWithoutLog(t *testing.T) {
	_, out, _ := runWith("", "../../testdata/demo/scheduler.log", "--task", "stitch")
	if !strings.Contains(out, "not known: the try's own log is not here") || strings.Contains(out, "wrote nothing") {
		t.Error(out)
	}
}

// TestOwnRules: the project's own example of a user's rules passes its test, fires on what the task's own code wrote in
// either family, and reads the exception that Airflow 3 keeps in a field.
func TestOwnRules(t *testing.T) {
	if status, out, errs := runWith("", "rules", "test", "../../rules/testdata/own"); status != 0 {
		t.Errorf("rules test: status %d\n%s%s", status, out, errs)
	}
	dir := t.TempDir()
	rule := `causes:
  - {name: rate-service-down, means: The rate service did not answer., do: [{say: Ask the rates team., safety: inspect}]}
rules:
  - id: rate-service-down
    title: The rate service did not answer.
    in: [task]
    at: anywhere
    more: true
    literal: ["rates.example.org did not answer"]
    cause: rate-service-down
    fires: ['{"timestamp":"2026-03-02T01:00:05Z","level":"error","event":"Task failed with exception","logger":"task","error_detail":[{"exc_type":"ConnectTimeout","exc_value":"rates.example.org did not answer","exc_notes":[],"syntax_error":null,"is_cause":false,"frames":[],"is_group":false,"exceptions":[]}]}']
    silent: ['{"timestamp":"2026-03-02T01:00:05Z","level":"error","event":"Task failed with exception","logger":"task","error_detail":[{"exc_type":"ConnectTimeout","exc_value":"another host","exc_notes":[],"syntax_error":null,"is_cause":false,"frames":[],"is_group":false,"exceptions":[]}]}']
`
	if err := os.WriteFile(filepath.Join(dir, "r.yaml"), []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := runWith("", "rules", "test", dir); status != 0 {
		t.Errorf("rules test: status %d\n%s%s", status, out, errs)
	}
}
