package main

import (
	"slices"
	"testing"

	"lastwords/classify"
)

// TestDemo: the tree with which the README opens shows every ending, a death at the same point and one of many tasks.
func TestDemo(t *testing.T) {
	var rows, notes, text answer
	t.Run("scan", func(t *testing.T) {
		t.Chdir("../..")
		rows = realRun(t, nil, "scan", "testdata/demo", "-o", "json")
		notes = realRun(t, nil, "testdata/demo/NOTES.txt", "-o", "json")
		text = realRun(t, nil, "scan", "testdata/demo", "--now", "2026-03-02T06:00:00Z", "--color", "never")
	})
	endings := map[string]int{}
	for _, r := range append(rows.tries, notes.tries...) {
		endings[r.Ending]++
	}
	for _, e := range classify.Endings {
		if endings[string(e)] == 0 {
			t.Errorf("no try ends as %s", e)
		}
	}
	if n := endings["success"]; n < 30 {
		t.Errorf("%d good tries", n)
	}
	found := map[string][]string{}
	for _, task := range rows.tasks {
		for _, f := range task.Findings {
			found[f.ID] = append(found[f.ID], task.DagID+"."+task.TaskID)
		}
	}
	for id, want := range map[string][]string{
		"memory-same-point":  {"price_model.fit_curves"},
		"scattered":          {"web_sessions.stitch"},
		"same-error":         {"orders_daily.load_orders"},
		"flaky-then-success": {"fx_rates.fetch", "geo_tiles.render_north"},
	} {
		slices.Sort(found[id])
		if !slices.Equal(found[id], want) {
			t.Errorf("%s holds for %v, want %v", id, found[id], want)
		}
	}
	golden(t, "demo", text.out)
}
