package classify

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lastwords/rules"
)

func newTestClassifier(slow bool) *Classifier {
	c := New(Options{Rules: rules.Builtin(), Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
	if slow {
		all := *c.emitters
		all.all = true
		c.emitters = &all
	}
	return c
}

// records is how many records about tries a part holds.
func (p *Part) records() (n int) {
	for _, c := range p.others {
		n += c.n
	}
	return n
}

// said is what a log's own verdict says, without what the windows of a tail cannot know.
func said(p *Part) string {
	var b strings.Builder
	place := func(p *Place) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprintf("%d@%d %s %q", p.Line, p.Offset, p.At, p.Text)
	}
	for _, t := range p.tries {
		fmt.Fprintf(&b, "%v %s %s %s %s by %s signal %d set to %q\n", t.Identity, t.Ending, t.EndingCertainty, t.Cause, t.Certainty, t.RecordedBy, t.Signal, t.SetTo)
		fmt.Fprintf(&b, "verdict %s\nproof %s\nlast words %s\n", place(t.Verdict), place(t.Proof), place(t.LastWords))
		fmt.Fprintf(&b, "exception %+v from %s to %s host %q pid %d operator %q max %d retry %s\n", t.Exception, t.StartedAt, t.EndedAt, t.Host, t.PID, t.Operator, t.MaxTries, t.Retry)
		if t.Ending.Failed() {
			fmt.Fprintf(&b, "tail %q\n", t.Tail)
		}
	}
	fmt.Fprintf(&b, "%d mentions, kind %s, stray %d", p.records(), p.Kind, p.stray)
	return b.String()
}

// caseLogs are the inputs of all cases, by their path.
func caseLogs(t testing.TB) map[string][]byte {
	logs := map[string][]byte{}
	root := filepath.Join("..", "testdata", "cases")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "expect.json" || strings.HasSuffix(path, ".gz") {
			return err
		}
		data, err := os.ReadFile(path)
		logs[filepath.ToSlash(path)] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) < 60 {
		t.Fatalf("only %d case inputs found", len(logs))
	}
	return logs
}

// namesFor are the names under which a log is judged: as it lies there, as a tree of another task's would name it, and as
// a tree of its own would.
func namesFor(log []byte) []string {
	names := []string{"task.log", "dag_id=d/run_id=r/task_id=t/attempt=1.log"}
	if _, rest, ok := bytes.Cut(log, []byte("<TaskInstance: ")); ok {
		if dotted, _, ok := bytes.Cut(rest[:min(len(rest), 200)], []byte(" ")); ok {
			if dag, task, ok := strings.Cut(string(dotted), "."); ok && !strings.ContainsAny(string(dotted), "\n/") {
				names = append(names, "dag_id="+dag+"/run_id=r/task_id="+task+"/attempt=1.log")
			}
		}
	}
	return names
}

func TestFastPathEqualsSlowPath(t *testing.T) {
	fast, slow := newTestClassifier(false), newTestClassifier(true)
	for path, data := range caseLogs(t) {
		for _, name := range namesFor(data) {
			got, want := said(fast.Whole(name, data, time.Time{})), said(slow.Whole(name, data, time.Time{}))
			if got != want {
				t.Errorf("%s as %s:\nfast path %s\nslow path %s", path, name, got, want)
			}
		}
	}
}

func TestBlocksEqualWhole(t *testing.T) {
	c := newTestClassifier(false)
	for path, data := range caseLogs(t) {
		want := said(c.Whole("task.log", data, time.Time{}))
		for _, size := range []int{1, 3, 10} {
			s, ok := c.Scan("task.log", data, time.Time{})
			if !ok {
				continue
			}
			offset := int64(0)
			for rest := data; len(rest) > 0; {
				end := 0
				for n := 0; n < size && end < len(rest); n++ {
					i := bytes.IndexByte(rest[end:], '\n')
					if i < 0 {
						end = len(rest)
						break
					}
					end += i + 1
				}
				block := bytes.Clone(rest[:end])
				s.Add(offset, block, s.Sift(block))
				for i := range block {
					block[i] = '#' // the caller uses it again
				}
				offset += int64(end)
				rest = rest[end:]
			}
			if got := said(s.Close(int64(len(data)), -1)); got != want {
				t.Errorf("%s in blocks of %d lines:\n%s\nwhole:\n%s", path, size, got, want)
			}
		}
	}
}

// TestTailOfAnyEnd reads logs from their end, with a stretch of lines at it that say nothing and are longer than the windows.
func TestTailOfAnyEnd(t *testing.T) {
	fast, slow := newTestClassifier(false), newTestClassifier(true)
	for _, c := range []*Classifier{fast, slow} {
		c.opt.TailWindow = 1 << 20
	}
	for path, data := range caseLogs(t) {
		for what, line := range map[string]string{
			"continuation lines": "  0123456789 a line that continues a record\n",
			"records":            "[2026-11-30T03:00:00.000+0000] {etl_rows.py:12} INFO - a record of the task\n",
			"one line":           strings.Repeat("x", 100),
			"nothing":            "",
		} {
			log := append(bytes.Clone(data), strings.Repeat(line, 1500)...)
			head := log[:min(len(log), 16<<10)]
			for _, name := range namesFor(data) {
				got, ok := fast.Tail(name, head, bytes.NewReader(log), int64(len(log)), time.Time{})
				want, also := slow.Tail(name, head, bytes.NewReader(log), int64(len(log)), time.Time{})
				if !also { // the slow path reads every line, so it takes logs from end to end
					continue
				}
				if !ok {
					t.Errorf("%s as %s, with %s at its end: only the slow path judges it from its end", path, name, what)
					continue
				}
				if a, b := said(got), said(want); a != b {
					t.Errorf("%s as %s, with %s at its end:\nfast path %s\nslow path %s", path, name, what, a, b)
				}
			}
		}
	}
}

func FuzzFastPath(f *testing.F) {
	for _, data := range caseLogs(f) {
		if len(data) < 20<<10 {
			f.Add(data)
		}
	}
	fast, slow := newTestClassifier(false), newTestClassifier(true)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range namesFor(data) {
			got, want := said(fast.Whole(name, data, time.Time{})), said(slow.Whole(name, data, time.Time{}))
			if got != want {
				t.Fatalf("as %s:\nfast path %s\nslow path %s", name, got, want)
			}
		}
	})
}
