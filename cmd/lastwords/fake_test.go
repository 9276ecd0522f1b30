package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lastwords/classify"
	"lastwords/rules"
)

var update = flag.Bool("update", false, "write goldens and the README's table")

// world is a whole run of the program: what goes in, and what comes out.
type world struct {
	env    Env
	engine Engine
	job    Job // the last one
	out    bytes.Buffer
	err    bytes.Buffer
	files  map[string]*memory
	vars   map[string]string
}

func newWorld() *world {
	w := &world{files: map[string]*memory{}, vars: map[string]string{}}
	w.env = Env{
		Stdin: strings.NewReader(""), Stdout: &w.out, Stderr: &w.err,
		Now:    func() time.Time { return at("2024-05-01T03:40:00Z") },
		Getenv: func(k string) string { return w.vars[k] },
		OpenDir: func(name string) (fs.FS, error) {
			if name == "nowhere" {
				return nil, errors.New("nowhere: no such file or directory")
			}
			return fstest.MapFS{}, nil
		},
		Create: func(place, name string) (Draft, error) {
			if strings.HasPrefix(place, "nowhere/") {
				return nil, errors.New(place + ": no such file or directory")
			}
			if strings.HasSuffix(place, "/") {
				place += name
			}
			m := &memory{}
			w.files[place] = m
			return m, nil
		},
	}
	w.engine = fake(w, sample())
	return w
}

func (w *world) run(args ...string) int {
	w.out.Reset()
	w.err.Reset()
	return run(context.Background(), args, w.env, w.engine)
}

type memory struct {
	bytes.Buffer
	done bool
}

func (m *memory) Commit() error { m.done = true; return nil }
func (m *memory) Abort()        {}

var entries = []rules.Entry{
	{Name: "negative-return-code", Kind: "ending", Means: "The process died by a signal and the supervisor lived to say so.", Proven: "The supervisor's line with the code."},
	{Name: "truncated-then-zombie", Kind: "ending"}, {Name: "traceback", Kind: "ending"},
	{Name: "memory", Kind: "cause", Group: "memory"}, {Name: "memory-container", Kind: "cause", Group: "memory"},
	{Name: "sigkill-unknown", Kind: "cause", Group: "signals", Means: "Somebody sent SIGKILL.\nNobody says who.",
		Proven: "Return code -9 proves SIGKILL.\n\nIt does not prove lack of memory.", Rivals: []string{"memory", "worker-shutdown"},
		Do: []rules.Remedy{{Say: "ask the node", Run: "kubectl describe node {node}", Safety: "inspect"}, {Say: "clear the task", Safety: "mutating"}}},
	{Name: "user-exception", Kind: "cause", Group: "the task's own code"}, {Name: "marked-failed", Kind: "cause", Group: "set from outside"},
	{Name: "memory-same-point", Kind: "finding"}, {Name: "flaky-then-success", Kind: "finding"}, {Name: "double-execution", Kind: "finding"},
}

var someRules = []*rules.Rule{
	{ID: "zombie-detected", Title: "the scheduler found no heartbeat and gave the try up", In: []string{"scheduler"}, Fact: "zombie", At: "start",
		Literal: []string{"Detected zombie job: "}, Fires: []string{"[2024-05-01] ERROR - Detected zombie job: {'a': 1}"}, Silent: []string{"zombie"},
		From: "airflow/jobs/scheduler_job.py", File: "scheduler.yaml", Line: 12},
	{ID: "our-quota", Title: "the warehouse refused", In: []string{"task"}, Origin: []string{"user"}, Cause: "warehouse-quota",
		Literal: []string{"QuotaExceeded"}, Fields: map[string]string{"team": "data"}},
}

func fake(w *world, r *classify.Report) Engine {
	return Engine{
		Classify: func(_ context.Context, job Job) (*classify.Report, Stats, error) {
			w.job = job
			return r, Stats{Files: 19, BytesRead: 1 << 20, BytesSize: 2 << 20}, nil
		},
		Rules:     func(fs.FS) ([]*rules.Rule, error) { return someRules, nil },
		TestRules: func(fs.FS) []RuleFailure { return nil },
		Explain: func(name string) (rules.Entry, bool) {
			for _, e := range entries {
				if e.Name == name {
					return e, true
				}
			}
			return rules.Entry{}, false
		},
		Entries: func() []rules.Entry { return entries },
	}
}

// golden compares with testdata/NAME.golden, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, h := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(h)) {
		a, b := "(end)", "(end)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(h) {
			b = h[i]
		}
		if a != b {
			t.Fatalf("%s, line %d:\n got %q\nwant %q\n(-update writes it)", file, i+1, a, b)
		}
	}
}

var _ io.Writer = (*memory)(nil)
