package classify

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
)

func TestIsSaved(t *testing.T) {
	const row = `{"schema":1,"kind":"try","dag_id":"d"`
	for _, c := range []struct {
		head string
		want bool
	}{
		{row, true},
		{row + "}\n" + row, true},
		{"\ufeff" + row, true},
		{"\r\n\n  " + row, true},
		{`{ "kind" : "summary" , "x":[1,{"y":"}"}], "schema" : 1 }`, true},
		{`{"schema":7,"kind":"try"}`, true},
		{`{"schema":1,"kind":"plan"}`, true},
		{"lastwords: a.gz: cut off\nhint: fetch it again\n" + row, true},
		{"", false},
		{"{", false},
		{"lastwords: a.gz: cut off\n", false},
		{strings.Repeat("\n", 100) + row, false},
		{`{"schema":1,"kind":"Pod"}`, false},
		{`{"schema":"1","kind":"try"}`, false},
		{`{"schema":0,"kind":"try"}`, false},
		{`{"kind":"try"}`, false},
		{`{"a":{"schema":1,"kind":"try"}}`, false},
		{`[{"schema":1,"kind":"try"}]`, false},
		{"[2024-05-01T00:00:00.000+0000] {x.py:1} INFO - " + row, false},
		{`{"timestamp":"2025-05-01T01:00:00Z","event":"{\"schema\":1,\"kind\":\"try\"}","level":"info"}`, false},
	} {
		if got := isSaved([]byte(c.head)); got != c.want {
			t.Errorf("%q: %v", c.head, got)
		}
	}
}

// TestUTF16Reader: characters that are cut by a read stay whole.
func TestUTF16Reader(t *testing.T) {
	const text = "caf\u00e9 \U0001F600\U0001F600 \u2026\n"
	for _, code := range []coding{utf16LE, utf16BE} {
		var wide []byte
		for _, u := range utf16.Encode([]rune(text)) {
			if code == utf16LE {
				wide = append(wide, byte(u), byte(u>>8))
			} else {
				wide = append(wide, byte(u>>8), byte(u))
			}
		}
		for name, r := range map[string]io.Reader{"whole": bytes.NewReader(wide), "by byte": iotest.OneByteReader(bytes.NewReader(wide)),
			"with the error": iotest.DataErrReader(bytes.NewReader(wide))} {
			got, err := io.ReadAll(&utf16Reader{r: r, code: code})
			if err != nil || string(got) != text {
				t.Errorf("%d %s: %q, %v", code, name, got, err)
			}
		}
	}
}

// TestRepr: the repr of a task instance is read as it was spelled.
func TestRepr(t *testing.T) {
	for _, ti := range []reprTI{{"a.b.c", "manual__2024-05-01T00:00:00+00:00", -1}, {"a.b", "month end 1", 3}, {"a.b", "", -1}} {
		if got := parseTI(ti.repr()); got != ti {
			t.Errorf("%+v is read as %+v", ti, got)
		}
	}
}

// TestSettle: times are those that a row shows.
func TestSettle(t *testing.T) {
	at := time.Date(2024, 5, 1, 1, 2, 3, 4_999_999, time.UTC)
	y := &Try{StartedAt: at, Spans: []Span{{From: at}}, Verdict: &Place{At: at}, Ending: Unfinished, Cause: "unknown", own: &open{}}
	y.settle()
	want := at.Truncate(time.Millisecond)
	if !y.StartedAt.Equal(want) || !y.Spans[0].From.Equal(want) || !y.Spans[0].To.IsZero() || !y.Verdict.At.Equal(want) || !y.EndedAt.IsZero() {
		t.Errorf("%+v", y)
	}
	y.Cause = "died-unnoticed"
	if k, ok := y.Kept(); !ok || k.Before == nil || k.Before.Cause != "unknown" {
		t.Errorf("kept %+v", k)
	}
}

func FuzzDecodeTry(f *testing.F) {
	f.Add([]byte(`{"schema":1,"kind":"try","ending":"unfinished","map_index":-1,"try_number":2,"source":"a/attempt=2.log","verdict":{"text":"x","at":"2024-05-01T00:00:00Z"},` +
		`"kept":{"said":["a"],"spans":[["running","2024-05-01T00:00:00Z",null]],"before":{"cause":"unknown"},"ti":"a.b.c r map_index=1","no_log":true,"heard":[{"fact":"zombie","values":{"a":"b"}}]}}`))
	f.Add([]byte(`{"ending":"success","evidence":[{"rule":"x","line":1,"offset":0}],"exception":{"line":3}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		y, err := decodeTry(line)
		if (y == nil) == (err == nil) {
			t.Fatalf("%v, %v", y, err)
		}
		if y != nil {
			y.settle()
			y.Kept()
		}
	})
}
