package classify

import (
	"fmt"
	"strings"
	"testing"
)

func TestLikeTexts(t *testing.T) {
	var a likeTexts
	var texts []string
	var at []uint32
	for i := range 20000 {
		texts = append(texts, fmt.Sprintf("TaskInstance Finished: dag_id=d, task_id=t%d, run_id=scheduled__2024-05-01T%02d:00:00+00:00, map_index=-1, "+
			"run_start_date=2024-05-01 10:%02d:%02d.%06d+00:00, run_duration=%g, state=failed, executor_state=success, try_number=1, pid=%d",
			i, i%24, i/60%60, i%60, i*7919%1e6, float64(i)/7, i))
		if i%100 == 0 {
			texts = append(texts, strings.Repeat("x, ", i%7), "", ", ", "one piece", fmt.Sprint(i))
		}
	}
	size := 0
	for _, s := range texts {
		at = append(at, a.add(s))
		size += len(s)
	}
	for i, s := range texts {
		if got := a.text(at[i]); got != s {
			t.Fatalf("%q came back as %q", s, got)
		}
	}
	kept := 0
	for _, b := range a.data {
		kept += len(b)
	}
	if 4*kept > size {
		t.Errorf("%d bytes are kept as %d", size, kept)
	}
}

func FuzzLikeTexts(f *testing.F) {
	f.Add("a, b=1, c", "a, b=22, c", "x")
	f.Add("", ", ", ", , ")
	f.Add("aa, aa", "aaa, a", "a, aaaa")
	f.Fuzz(func(t *testing.T, x, y, z string) {
		var a likeTexts
		list := []string{x, y, z, y, x}
		var at []uint32
		for _, s := range list {
			at = append(at, a.add(s))
		}
		for i, s := range list {
			if got := a.text(at[i]); got != s {
				t.Fatalf("%q came back as %q", s, got)
			}
		}
	})
}
