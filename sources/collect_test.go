package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// result is all that a source said.
type result struct {
	text     map[string]string // by name
	broken   map[string]error  // errors of streams
	logs     map[string]Log    // without their bytes
	problems []Problem         // sorted
}

// collect reads a source to its end, each log by its stream or by its At.
func collect(t testing.TB, src Source, workers int) result {
	t.Helper()
	r := result{map[string]string{}, map[string]error{}, map[string]Log{}, nil}
	var mu sync.Mutex
	src.Logs(context.Background(), workers, func(l Log) {
		text, err := contentOf(l)
		mu.Lock()
		defer mu.Unlock()
		if _, twice := r.text[l.Name]; twice {
			t.Errorf("%s: yielded twice", l.Name)
		}
		if len(l.Head) > HeadSize || !strings.HasPrefix(text, string(l.Head)) {
			t.Errorf("%s: head of %d bytes is not the start of the log", l.Name, len(l.Head))
		}
		if l.Whole && text != string(l.Head) {
			t.Errorf("%s: whole, but there are %d bytes beside a head of %d", l.Name, len(text), len(l.Head))
		}
		r.text[l.Name] = text
		if err != nil {
			r.broken[l.Name] = err
		}
		l.Head, l.At, l.Stream = nil, nil, nil
		r.logs[l.Name] = l
	}, func(p Problem) {
		mu.Lock()
		defer mu.Unlock()
		r.problems = append(r.problems, p)
	})
	slices.SortFunc(r.problems, func(a, b Problem) int { return strings.Compare(a.Source+a.Err.Error(), b.Source+b.Err.Error()) })
	return r
}

func contentOf(l Log) (string, error) {
	if l.At != nil {
		if l.Stream != nil {
			return "", errors.New("both At and Stream")
		}
		b := make([]byte, l.Size)
		n, err := l.At.ReadAt(b, 0)
		if n < len(b) {
			return string(b[:n]), err
		}
		if n, err := l.At.ReadAt(make([]byte, 1), l.Size); n != 0 || err != io.EOF {
			return "", fmt.Errorf("%d bytes behind the end, %w", n, err)
		}
		return string(b), nil
	}
	b, err := io.ReadAll(l.Stream)
	return string(b), err
}

// wantProblems checks that there is one problem for each of want: "source: part of the error".
func (r result) wantProblems(t testing.TB, want ...string) {
	t.Helper()
	for _, w := range want {
		source, part, _ := strings.Cut(w, ": ")
		i := slices.IndexFunc(r.problems, func(p Problem) bool { return p.Source == source && strings.Contains(p.Err.Error(), part) })
		if i < 0 {
			t.Errorf("no problem %q among %v", w, r.problems)
			continue
		}
		if r.problems[i].Hint == "" {
			t.Errorf("no hint with %q", w)
		}
		r.problems = slices.Delete(r.problems, i, i+1)
	}
	if len(r.problems) > 0 {
		t.Errorf("more problems than expected: %v", r.problems)
	}
}

// wantText checks names and contents.
func (r result) wantText(t testing.TB, want map[string]string) {
	t.Helper()
	for name, text := range want {
		got, ok := r.text[name]
		if !ok {
			t.Errorf("%s: missing", name)
		} else if got != text {
			t.Errorf("%s: %d bytes %.40q, want %d bytes %.40q", name, len(got), got, len(text), text)
		}
	}
	for name := range r.text {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: not expected", name)
		}
	}
}

// write makes a file and its directories and returns its path.
func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// prose is n bytes that compress as logs do.
func prose(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "[2024-05-01T02:%02d:%02d.%03d+0000] {task.py:%d} INFO - batch %d of %x done\n", i/60%60, i%60, i%997, i%311, i, uint32(i)*2654435761)
	}
	return b.String()[:n]
}
