package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"lastwords/classify"
)

// fields are the fields of each kind, in the order of DESIGN.md's table.
var fields = map[string]string{
	"try": "schema kind dag_id run_id task_id map_index try_number max_tries source sources ending ending_certainty cause " +
		"certainty recorded_by signal exit_code exception set_to set_by verdict proof last_words evidence candidates witnesses " +
		"chain joined started_at ended_at noticed_at undetected_s duration_s retry next_try_at host pod node pid operator " +
		"airflow segments searched_from next",
	"task":    "schema kind dag_id run_id task_id map_index tries missing_tries missing_ranges findings timeline cost",
	"finding": "schema kind id says tries certainty why evidence where",
	"problem": "schema kind source error hint",
	"summary": "schema kind tries tasks endings causes findings files bytes unseen shown",
}

func TestContract(t *testing.T) {
	w := newWorld()
	w.run("scan", "x", "-o", "json")
	seen := map[string]int{}
	last := ""
	for line := range strings.Lines(w.out.String()) {
		d := json.NewDecoder(strings.NewReader(line))
		var names []string
		d.Token()
		for d.More() {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			names = append(names, name.(string))
		}
		var row struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if n := len(names); row.Kind == "try" && names[n-1] == "kept" { // only where there is something to keep
			names = names[:n-1]
		}
		if got := strings.Join(names, " "); got != fields[row.Kind] {
			t.Errorf("%s:\n got %s\nwant %s", row.Kind, got, fields[row.Kind])
		}
		seen[row.Kind]++
		last = row.Kind
	}
	// good.* and notes.txt have one try and no failure: no task row
	if want := map[string]int{"try": 19, "task": 10, "finding": 1, "problem": 2, "summary": 1}; !reflect.DeepEqual(seen, want) {
		t.Errorf("rows %v, want %v", seen, want)
	}
	if last != "summary" {
		t.Errorf("last row is %s", last)
	}
}

// TestNulls: what is not known is null, lists never are.
func TestNulls(t *testing.T) {
	var e encoder
	e.try(&classify.Try{Identity: classify.Identity{MapIndex: classify.MapUnknown}, Ending: classify.LogMissing, SearchedFrom: -1,
		Verdict: &classify.Place{Offset: -1}})
	e.task(&classify.Task{})
	for line := range strings.Lines(string(e.buf)) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(fields[row["kind"].(string)]) {
			v := row[name]
			switch name {
			case "schema", "kind", "ending", "cost":
			case "sources", "evidence", "candidates", "witnesses", "chain", "joined", "next", "tries", "missing_tries", "missing_ranges", "findings", "timeline":
				if list, ok := v.([]any); !ok || len(list) != 0 {
					t.Errorf("%s is %v, want []", name, v)
				}
			case "verdict":
				if p := v.(map[string]any); p["line"] != nil || p["offset"] != nil || p["at"] != nil || p["source"] != nil || p["text"] != "" {
					t.Errorf("verdict is %v", p)
				}
			case "map_index":
				if row["kind"] == "try" && v != nil {
					t.Errorf("map_index is %v, want null", v)
				}
			default:
				if v != nil {
					t.Errorf("%s is %v, want null", name, v)
				}
			}
		}
	}
	for from, want := range map[int64]string{-1: `"searched_from":0,`, 0: `"searched_from":0,`, 7: `"searched_from":7,`} {
		var e encoder
		e.try(&classify.Try{Source: "x", SearchedFrom: from})
		if !bytes.Contains(e.buf, []byte(want)) {
			t.Errorf("searched from %d: no %s", from, want)
		}
	}
}

// FuzzText: our strings mean the same as those of encoding/json and hold nothing raw.
func FuzzText(f *testing.F) {
	f.Add("a\"b\\c\x00\x1b\n\u009b\u202e\U000e0041\xff\U0001f600")
	f.Fuzz(func(t *testing.T, s string) {
		var e encoder
		e.text(s)
		var got, want string
		if err := json.Unmarshal(e.buf, &got); err != nil {
			t.Fatalf("%q: %v", e.buf, err)
		}
		std, _ := json.Marshal(s)
		if err := json.Unmarshal(std, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%q is read back as %q, want %q", s, got, want)
		}
		if strings.ContainsFunc(string(e.buf), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || hidden(r) }) {
			t.Fatalf("raw: %q", e.buf)
		}
	})
}

func TestTimes(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-01T02:00:00+02:00":      `"2024-05-01T00:00:00Z"`,
		"2024-05-01T00:00:00.120987654Z": `"2024-05-01T00:00:00.120Z"`,
		"2024-05-01T00:00:00.0004Z":      `"2024-05-01T00:00:00Z"`,
	} {
		var e encoder
		e.time(at(in))
		if string(e.buf) != want {
			t.Errorf("%s: %s, want %s", in, e.buf, want)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	s := (&filter{}).apply(sample())
	w := bufio.NewWriter(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		if err := jsonRows(w, s, false); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(s.tries)), "tries/op")
}
