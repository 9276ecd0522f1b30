package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// A log that is much longer than the window at its end gives the same verdict whether it is read from the tail, from
// start to end, or from a pipe.

const (
	padding      = 3 << 20
	paddingAfter = 600 << 10 // what follows the ending has to lie in the window with it
)

// openPadded are the cases for which this is known not to hold yet.
var openPadded = []open{
	{"", "verdict", 49, "read from the tail, the offset of a traceback is that of its first line, not of the exception's"},
	{"", "proof", 45, "read from the tail, the offset of a traceback is that of its first line, not of the exception's"},
}

func TestPadded(t *testing.T) {
	var m missed
	padded := map[string]int{}
	eachCase(t, "cases", func(t *testing.T, c aCase) {
		if !c.single() || !sampled(c.name) {
			return
		}
		data, err := os.ReadFile(c.files[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paddedLogs(t, data) {
			c.readThreeWays(t, &m, p)
			m.mu.Lock()
			padded[p.where]++
			m.mu.Unlock()
		}
	})
	if underRace {
		m.unlisted(t, openPadded)
		return
	}
	m.check(t, openPadded)
	for _, where := range []string{"before", "inside", "after"} {
		if want := 90; padded[where] < want {
			t.Errorf("only %d cases could be padded %s", padded[where], where)
		}
	}
}

// sampled thins the cases out where each costs ten times as much.
func sampled(name string) bool {
	sum := 0
	for _, b := range []byte(name) {
		sum += int(b)
	}
	return !underRace || sum%16 == 0
}

type paddedLog struct {
	where string
	data  []byte
}

// paddedLogs pads a log of lines with copies of its last words, right after the records of its start, before the last
// words, and after its end. A log without words of the task's own cannot be padded, nor one that is no sequence of lines.
func paddedLogs(t *testing.T, data []byte) []paddedLog {
	text, encode, ok := lines8(data)
	if !ok {
		return nil
	}
	a := realRun(t, text, "-o", "json", "-")
	if len(a.tries) != 1 || a.tries[0].LastWords.line() == 0 {
		return nil
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	words := a.tries[0].LastWords.line() - 1
	inside := words
	if v := a.tries[0].Verdict.line(); v > 0 {
		inside = min(words, v-1) // what the task wrote on its way out may follow the verdict
	}
	if words >= len(lines) || !bytes.HasSuffix(lines[words], []byte("\n")) || len(lines[words]) > 4<<10 {
		return nil
	}
	insert := func(i, size int) []byte {
		var b bytes.Buffer
		b.Grow(len(text) + size + 8<<10)
		for _, l := range lines[:i] {
			b.Write(l)
		}
		for n, end := 0, b.Len()+size; b.Len() < end; n++ {
			b.Write(numbered(lines[words], n))
		}
		for _, l := range lines[i:] {
			b.Write(l)
		}
		return encode(b.Bytes())
	}
	out := []paddedLog{{"inside", insert(inside, padding)}}
	if i := afterStart(lines[:inside+1]); i > 0 {
		out = append(out, paddedLog{"before", insert(i, padding)})
	}
	if bytes.HasSuffix(text, []byte("\n")) {
		out = append(out, paddedLog{"after", insert(len(lines), paddingAfter)})
	}
	return out
}

// numbered is a copy of a line of the task's own with a number in its words, so that no two are alike.
func numbered(line []byte, n int) []byte {
	mark := fmt.Sprintf(" padded %d", n)
	if i := bytes.Index(line, []byte(`"event":"`)); i >= 0 {
		i += len(`"event":"`)
		return slices.Concat(line[:i], []byte(mark[1:]+" "), line[i:])
	}
	end := len(bytes.TrimRight(line, "\r\n"))
	if json.Valid(line[:end]) {
		return line
	}
	return slices.Concat(line[:end], []byte(mark), line[end:])
}

// startMarks are words of the records with which a try starts.
var startMarks = []string{"Dependencies all met", "Starting attempt", "Executing <Task", "Started process", "Running: [", ": Subtask ",
	"Running <TaskInstance", "Running %s on host", "DAG bundles loaded", "Filling up the DagBag", "AIRFLOW_CTX", "Exporting", "::group::", "::endgroup::"}

// afterStart is the index of the line after the first run of start records.
func afterStart(lines [][]byte) int {
	last := -1
	for i, l := range lines {
		if slices.ContainsFunc(startMarks, func(s string) bool { return bytes.Contains(l, []byte(s)) }) {
			last = i
		} else if last >= 0 && i > last+3 {
			break
		}
	}
	return last + 1
}

// lines8 is the log as UTF-8 and a function that gives it back its encoding; ok is false for what has no lines of its own.
func lines8(data []byte) (text []byte, encode func([]byte) []byte, ok bool) {
	same := func(b []byte) []byte { return b }
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return utf8Of(data[2:], binary.LittleEndian), func(b []byte) []byte { return utf16Of(b, binary.LittleEndian, 0xff, 0xfe) }, true
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return utf8Of(data[2:], binary.BigEndian), func(b []byte) []byte { return utf16Of(b, binary.BigEndian, 0xfe, 0xff) }, true
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}), json.Valid(data):
		return nil, nil, false
	}
	if head := strings.TrimSpace(string(data[:min(len(data), 64)])); strings.HasPrefix(head, "[{") || strings.HasPrefix(head, "[(") || head == "{" || strings.HasPrefix(head, "{\n") {
		return nil, nil, false
	}
	return data, same, true
}

func utf8Of(b []byte, order binary.ByteOrder) []byte {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return []byte(string(utf16.Decode(units)))
}

func utf16Of(b []byte, order binary.AppendByteOrder, mark ...byte) []byte {
	for _, u := range utf16.Encode([]rune(string(b))) {
		mark = order.AppendUint16(mark, u)
	}
	return mark
}

// readThreeWays reads a padded log as a file, as a file from start to end, and from a pipe.
func (c *aCase) readThreeWays(t *testing.T, m *missed, p paddedLog) {
	t.Helper()
	dir := filepath.Join(c.root, p.where)
	file := filepath.Join(dir, filepath.Base(c.files[0]))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, p.data, 0o644); err != nil {
		t.Fatal(err)
	}
	piped := verdicts(t, realRun(t, p.data, "-o", "json", "-"))
	ways := [][]string{nil}
	if p.where == "inside" {
		ways = append(ways, []string{"--full"})
	}
	for _, way := range ways {
		got := verdicts(t, realRun(t, nil, append([]string{"-o", "json", file}, way...)...))
		if len(got) != len(piped) {
			m.add("rows", c.name+" "+p.where+strings.Join(way, ""), len(piped), len(got))
			continue
		}
		for i := range got {
			for name, want := range piped[i] {
				if got[i][name] != want {
					m.add(name, c.name+" "+p.where+strings.Join(way, ""), want, got[i][name])
				}
			}
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// verdicts are the fields of each try that must not depend on how its log was read.
func verdicts(t *testing.T, a answer) (out []map[string]string) {
	for line := range bytes.Lines(a.out) {
		var r map[string]any
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r["kind"] != "try" {
			continue
		}
		v := map[string]string{}
		for _, name := range []string{"dag_id", "run_id", "task_id", "map_index", "try_number", "max_tries", "ending", "ending_certainty", "cause",
			"certainty", "recorded_by", "signal", "exit_code", "exception", "set_to", "set_by", "started_at", "ended_at", "retry"} {
			v[name] = fmt.Sprint(r[name])
		}
		for _, name := range []string{"verdict", "proof", "last_words"} {
			if p, ok := r[name].(map[string]any); ok {
				v[name] = fmt.Sprint(p["offset"], " ", p["at"], " ", p["text"])
			}
		}
		out = append(out, v)
	}
	return out
}
