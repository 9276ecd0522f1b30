package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"lastwords/classify"
	"lastwords/rules"
	"lastwords/sources"
)

const killedLog = "../../testdata/demo/logs/dag_id=price_model/run_id=scheduled__2026-03-01T020000/task_id=fit_curves/attempt=1.log"

// TestInterruptedStdin: after Ctrl-C in `kubectl logs -f POD | lastwords` what had arrived is judged.
func TestInterruptedStdin(t *testing.T) {
	log, err := os.ReadFile(killedLog)
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		w.Write(log)
		time.Sleep(50 * time.Millisecond) // the reader has taken it; without this it is the same, or nothing has arrived
		cancel()
	}()
	var out, errs bytes.Buffer
	env := system()
	env.Stdin, env.Stdout, env.Stderr, env.StdinTTY = r, &out, &errs, false
	if status := Run(ctx, []string{"-"}, env); status != 130 {
		t.Errorf("status %d, want 130", status)
	}
	if !strings.Contains(out.String(), "negative-return-code") || !strings.Contains(errs.String(), "interrupted while it was read") {
		t.Errorf("stdout %s\nstderr %s", out.String(), errs.String())
	}
}

// TestInterruptedFile: of a file that was not read to its end no verdict is given.
func TestInterruptedFile(t *testing.T) {
	log, err := os.ReadFile(killedLog)
	if err != nil {
		t.Fatal(err)
	}
	c := classify.New(classify.Options{Rules: rules.Builtin(), Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
	for _, cut := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		if cut {
			cancel()
		}
		p := stream(ctx, c, &sources.Log{Name: "attempt=1.log", Size: int64(len(log)), Head: log[:200]}, bytes.NewReader(log))
		cancel()
		r := c.Report([]*classify.Part{p})
		if cut != (len(r.Problems) == 1) || cut != (len(r.Tries) == 0) {
			t.Errorf("cut %v: %d tries, problems %v", cut, len(r.Tries), r.Problems)
		}
	}
}
