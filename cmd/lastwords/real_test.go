package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openReal are the expectations of testdata/real that are known not to be met yet.
var openReal = []open{
	{"[kernel-oom]", "cause", 12, "the kernel's log says it, and it is not joined yet"},
	{"[kernel-oom]", "memory", 12, "the kernel's log says it, and it is not joined yet"},
}

// capture is what one real Airflow wrote: an archive of logs/ and of its processes' logs, and one truth a try.
type capture struct {
	name    string
	archive string
	truths  []truth
}

func captures(t *testing.T) []capture {
	t.Helper()
	found, err := filepath.Glob("../../testdata/real/*.truth.jsonl")
	if err != nil || len(found) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	var out []capture
	for _, file := range found {
		base := strings.TrimSuffix(file, ".truth.jsonl")
		c := capture{name: filepath.Base(base), archive: base + ".tar.gz"}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var one truth
			if err := json.Unmarshal(line, &one); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			c.truths = append(c.truths, one)
		}
		out = append(out, c)
	}
	return out
}

// TestReal reads every capture through the program's own archive reading: all of it, and the task logs alone.
func TestReal(t *testing.T) {
	var m missed
	t.Run("all", func(t *testing.T) {
		for _, c := range captures(t) {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				a := realRun(t, nil, "scan", "-o", "json", "--line-numbers", c.archive)
				c.judge(t, &m, a, false)
			})
			t.Run(c.name+" logs only", func(t *testing.T) {
				t.Parallel()
				a := realRun(t, nil, "scan", "-o", "json", "--line-numbers", c.split(t)[0])
				c.judge(t, &m, a, true)
			})
			t.Run(c.name+" same bytes", func(t *testing.T) {
				t.Parallel()
				sameBytes(t, c.split(t))
			})
		}
	})
	m.check(t, openReal)
}

// judge compares every try of the capture. Without the scheduler's and the workers' logs the truth is another one.
func (c *capture) judge(t *testing.T, m *missed, a answer, alone bool) {
	if a.status != 0 && a.status != 3 {
		t.Errorf("exit %d: %s", a.status, a.stderr)
	}
	where := c.name
	if alone {
		where += " alone"
	}
	known, last := map[string]bool{}, map[string]int{}
	blind := map[string]bool{} // task instances whose history the task logs alone do not show
	for _, w := range c.truths {
		known[w.key()] = true
		last[w.instance()] = max(last[w.instance()], w.Try)
		if w.FromLogAlone != w.Ending {
			blind[w.instance()] = alone
		}
	}
	rows := map[string]*row{}
	for i := range a.tries {
		r := &a.tries[i]
		if r.Source == "" {
			continue
		}
		if rows[r.key()] != nil || !known[r.key()] && strings.Contains(r.Source, "!/logs/") {
			m.add("extra", where, "no row", r.key())
		}
		if rows[r.key()] == nil {
			rows[r.key()] = r
		}
	}
	found := map[string][]string{}
	for _, task := range a.tasks {
		for _, f := range task.Findings {
			found[task.instance()] = append(found[task.instance()], f.ID)
		}
	}
	for _, w := range c.truths {
		if w.Try == last[w.instance()] {
			one := w
			if blind[w.instance()] {
				one.Pattern = ""
			}
			m.pattern(where+"/"+w.instance(), one, found[w.instance()])
		}
		one, ok := w.seen(alone)
		if !ok {
			continue
		}
		r := rows[w.key()]
		if i := slices.IndexFunc(a.tries, func(r row) bool { return ends(r.Source, w.File) }); r == nil && i >= 0 {
			r = &a.tries[i]
		}
		m.judge(fmt.Sprintf("%s/%s [%s]", where, w.key(), w.Scenario), one, r)
	}
}

// seen is the truth as far as the files at hand can tell it; ok is false where there is nothing to see.
func (w truth) seen(alone bool) (one truth, ok bool) {
	if w.Ending == "success" { // several lines say so, and Airflow 3 says it elsewhere
		w.VerdictLine, w.VerdictLinesOK = 0, nil
	}
	if !alone {
		return w, true
	}
	if w.FromLogAlone != "" && w.FromLogAlone != w.Ending {
		w.Ending, w.Also, w.VerdictLine, w.VerdictLinesOK, w.Signal = w.FromLogAlone, nil, 0, nil, 0
	}
	w.Also = append(slices.Clone(w.Also), w.AlsoAlone...)
	w.CauseOK, w.MemoryProven, w.MemoryProvenOK = nil, false, nil
	if !strings.HasPrefix(w.VerdictFile, "logs/") {
		w.VerdictLine, w.VerdictLinesOK = 0, nil
	}
	return w, w.File != ""
}

// split writes the members of the archive into a place of their own: the tree of task logs as logs.tar, first, and each
// log beside it as a file. The names in the tree hold a ':', so it stays an archive.
func (c *capture) split(t *testing.T) []string {
	t.Helper()
	f, err := os.Open(c.archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	out := []string{filepath.Join(dir, "logs.tar")}
	logs, err := os.Create(out[0])
	if err != nil {
		t.Fatal(err)
	}
	defer logs.Close()
	w, r := tar.NewWriter(logs), tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(h.Name, "logs/") {
			err = w.WriteHeader(h)
			if err == nil {
				_, err = io.Copy(w, r)
			}
		} else {
			var data []byte
			data, err = io.ReadAll(r)
			out = append(out, filepath.Join(dir, h.Name))
			err = errors.Join(err, os.WriteFile(out[len(out)-1], data, 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}
