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

// names under which a log is judged: as it lies there, and as a tree of Airflow's would name it.
var sieveNames = []string{"task.log", "dag_id=d/run_id=r/task_id=t/attempt=1.log"}

func TestFastPathEqualsSlowPath(t *testing.T) {
	fast, slow := newTestClassifier(false), newTestClassifier(true)
	for path, data := range caseLogs(t) {
		for _, name := range sieveNames {
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

func FuzzFastPath(f *testing.F) {
	for _, data := range caseLogs(f) {
		if len(data) < 20<<10 {
			f.Add(data)
		}
	}
	fast, slow := newTestClassifier(false), newTestClassifier(true)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range sieveNames {
			got, want := said(fast.Whole(name, data, time.Time{})), said(slow.Whole(name, data, time.Time{}))
			if got != want {
				t.Fatalf("as %s:\nfast path %s\nslow path %s", name, got, want)
			}
		}
	})
}
