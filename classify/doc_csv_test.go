package classify

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The cells are those that encoding/csv reads, and each of their lines stands where it says.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("ab \",\n;ä")))
		var file bytes.Buffer
		w := csv.NewWriter(&file)
		w.UseCRLF = rapid.Bool().Draw(t, "crlf")
		_ = w.Write([]string{"time", "message", "pod"})
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []string {
			return []string{"2024-02-15T17:47:55.619Z", cell.Draw(t, "message"), strings.ReplaceAll(cell.Draw(t, "pod"), "\n", "")}
		}), 1, 5).Draw(t, "rows")
		_ = w.WriteAll(rows)
		in := file.String()

		want, err := csv.NewReader(strings.NewReader(in)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		l, lines, _ := drain([]byte(in), strings.NewReader(in))
		if l.Format() != "csv" {
			t.Fatalf("format %s of %q", l.Format(), in)
		}
		for i, row := range want[1:] {
			for k, text := range strings.Split(row[1], "\n") {
				if len(lines) == 0 {
					t.Fatalf("row %d: no line %d of %q in %q", i, k, row[1], in)
				}
				line := lines[0]
				lines = lines[1:]
				if string(line.Text) != text || line.tail != (k > 0) || line.Stream != strings.TrimSpace(row[2]) {
					t.Fatalf("row %d line %d: %q of stream %q, want %q of %q in %q", i, k, line.Text, line.Stream, text, row[2], in)
				}
				at := in[line.Offset:]
				if line.Offset != physicalOffset(in, line.No) || !strings.Contains(strings.ReplaceAll(at, `""`, `"`), text) {
					t.Fatalf("row %d line %d: not at %d, line %d of %q", i, k, line.Offset, line.No, in)
				}
			}
		}
		if len(lines) > 0 {
			t.Fatalf("%d lines too many in %q", len(lines), in)
		}
	})
}

func TestSniffTable(t *testing.T) {
	for in, want := range map[string]bool{
		"date,name,message\n":                  true,
		"Date;Host;Message\nx;y;z\n":           true,
		"_time\t_raw\n":                        true,
		"\"@timestamp\",\"@message\"\n":        true,
		"message\n\"a\"\n":                     true,
		"log\n[2024-01-01 00:00:00,000] {a}\n": false, // a host called log
		"[2021-06-21 05:39:48,424] {a.py:1}\n": false,
		"dag_id,state\nd,failed\n":             false,
		"loading 12 rows, message follows\n":   false,
		"    self._handle_request(msg, log, request.id)\n  File \"a.py\", line 3\n": false,
		"msg, log\nTraceback\n":                  false,
		"time=12, message\n":                     false,
		"2024-01-01,message\n":                   false,
		"message,time":                           false, // no line end: nothing below it
		strings.Repeat("a,", 3000) + "message\n": false,
	} {
		if _, got := sniffTable([]byte(in)); got != want {
			t.Errorf("%.40q: %v, want %v", in, got, want)
		}
	}
}

// A quote that is never closed costs no memory and loses no line.
func TestTableOpenQuote(t *testing.T) {
	in := "name,message\nx,\"a\n" + strings.Repeat("line of a log\n", 200_000)
	_, lines, _ := drain([]byte(in[:headMost]), strings.NewReader(in))
	if len(lines) != 200_001 || lines[200_000].No != 200_002 || string(lines[200_000].Text) != "line of a log" {
		t.Fatalf("%d lines, last %d", len(lines), lines[len(lines)-1].No)
	}
}
