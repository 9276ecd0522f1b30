package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hits is how many lines of text hold one of the literals.
func hits(text []byte) int64 {
	n := int64(0)
	for line := range bytes.Lines(text) {
		for l := range bytes.Lines(literals) {
			if bytes.Contains(line, bytes.TrimSpace(l)) {
				n++
				break
			}
		}
	}
	return n
}

func TestTextIsAsItSays(t *testing.T) {
	for name, write := range map[string]func(io.Writer, int64) (made, error){"text": writeText, "events": writeEvents} {
		var a, b bytes.Buffer
		m, err := write(&a, 300_000)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := write(&b, 300_000); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: not the same twice", name)
		}
		if int64(a.Len()) != m.Bytes || hits(a.Bytes()) != m.Lines {
			t.Errorf("%s: %d bytes, %d lines with a literal; it says %d, %d", name, a.Len(), hits(a.Bytes()), m.Bytes, m.Lines)
		}
	}
}

func TestTreeIsAsItSays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	m, err := writeTree(dir, 300)
	if err != nil {
		t.Fatal(err)
	}
	var found made
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil || path == dir:
			return err
		case e.IsDir():
			found.Folders++
			return nil
		case strings.Contains(path[len(dir):], ":"):
			t.Errorf("%s holds a colon", path)
		}
		b, err := os.ReadFile(path)
		found.Logs++
		found.Bytes += int64(len(b))
		n := hits(b)
		found.Lines += n
		if n > 0 {
			found.Hits++
		}
		for how, last := range map[int]string{succeeded: "exited with return code 0\n", raised: "exited with return code 1\n",
			killed: "exited with return code -9."} {
			if bytes.Contains(b, []byte(last)) {
				found.Ends[how]++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found.Ends[silent] = found.Logs - found.Ends[succeeded] - found.Ends[raised] - found.Ends[killed]
	if found != m {
		t.Errorf("found %+v, it says %+v", found, m)
	}
}

func TestNoiseIsNotJudged(t *testing.T) {
	for _, c := range []struct {
		f        figure
		noisy    string
		disagree bool
		want     string
	}{
		{figure{Value: spread{Median: 3}, Goal: 2.5, timed: true}, "", false, "yes"},
		{figure{Value: spread{Median: 3}, Goal: 2.5, AtMost: true, timed: true}, "", false, "no"},
		{figure{Value: spread{Median: 3}, Goal: 2.5, timed: true}, "load", false, "noisy"},
		{figure{Value: spread{Median: 3}, Goal: 2.5}, "load", false, "yes"},
		{figure{Value: spread{Median: 3}, Goal: 2.5, timed: true}, "", true, "no: answers differ"},
		{figure{Value: spread{Median: 3}, timed: true}, "load", true, ""},
	} {
		if c.f.judge(c.noisy, c.disagree); c.f.Met != c.want {
			t.Errorf("%+v: %q, want %q", c.f, c.f.Met, c.want)
		}
	}
}

func TestWanderLeavesOutTheEndsOfMany(t *testing.T) {
	if w := wander([]float64{1, 1, 1, 1, 2}); w != 1 {
		t.Errorf("of 5: %v", w)
	}
	if w := wander([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}); w != 0 {
		t.Errorf("of 10: %v", w)
	}
}

func TestReportIsPutBetweenTheMarks(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	for range 2 {
		old, _ := os.ReadFile(page)
		if len(old) == 0 {
			old = []byte("above\n<!-- bench -->\nold\n<!-- /bench -->\nbelow\n")
		}
		if err := os.WriteFile(page, old, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := (&report{Machine: "a machine"}).writeInto(page); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := os.ReadFile(page)
	if s := string(b); !strings.HasPrefix(s, "above\n<!-- bench -->\nMeasured on") || !strings.HasSuffix(s, "|\n<!-- /bench -->\nbelow\n") ||
		strings.Count(s, "a machine") != 1 {
		t.Errorf("the page is now:\n%s", s)
	}
}
