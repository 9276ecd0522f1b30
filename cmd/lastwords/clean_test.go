package main

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"lastwords/classify"
)

func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{"plain text", "plain text"},
		{"", ""},
		{"größer → 東京 👩‍👩‍👧", "größer → 東京 👩‍👩‍👧"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"\x1b]0;title\x07", `\x1b]0;title\x07`},
		{"a\x00b", "a␀b"},
		{"10%\r100%", `10%\r100%`},
		{"a\tb\nc", `a b\nc`},
		{"\u009b31m", `\x9b31m`},
		{"\u202etxt.exe", `\u202etxt.exe`},
		{"\u2066x\u2069\ufeff\u2028", `\u2066x\u2069\ufeff\u2028`},
		{"\U000e0041", `\U000e0041`},
		{"\xff\xc3", `\xff\xc3`},
		{"\x7f", `\x7f`},
	} {
		if got := clean(c[0]); got != c[1] {
			t.Errorf("clean(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// harmful says whether a terminal, a spreadsheet or a reader would be misled by a character; line breaks that we write
// ourselves are not.
func harmful(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || r == utf8.RuneError || hidden(r))
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[2J\u202e\x00\xff\r\n\t\u009d")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if strings.ContainsFunc(strings.ReplaceAll(got, "\ufffd", ""), func(r rune) bool { return r == '\n' || harmful(r) }) {
			t.Fatalf("clean(%q) = %q", s, got)
		}
		if clean(got) != got {
			t.Fatalf("clean is not idempotent for %q", s)
		}
		if strings.ContainsAny(md(s), "\n\r\x1b") || strings.ContainsAny(cell(s), "\n\r\x1b") {
			t.Fatalf("md or cell of %q", s)
		}
		if c := cell(s); c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			t.Fatalf("cell(%q) = %q", s, c)
		}
	})
}

// TestNothingRaw puts hostile bytes into every string of a report and looks at every format.
func TestNothingRaw(t *testing.T) {
	hostile := []string{"\x1b[2J", "\x1b]52;c;aGk=\x07", "\u009b1m", "\u202e", "\x00", "\r", "\n", "\t", "\x7f", "\xff", "\ufeff", "=1+1", "|", "`", "<script>"}
	r := rand.New(rand.NewPCG(1, 2))
	poison := func(s string) string {
		var b strings.Builder
		b.WriteString(hostile[r.IntN(len(hostile))])
		b.WriteString(s)
		b.WriteString(hostile[r.IntN(len(hostile))])
		return b.String()
	}
	report := sample()
	for _, t := range report.Tries {
		for _, s := range []*string{&t.DagID, &t.TaskID, &t.RunID, &t.Source, &t.Cause, &t.Host, &t.Pod, &t.Node, &t.Operator,
			&t.Airflow, &t.SetTo, &t.SetBy} {
			*s = poison(*s)
		}
		for _, p := range []*classify.Place{t.Verdict, t.Proof, t.LastWords} {
			if p != nil {
				p.Text, p.Source = poison(p.Text), poison(p.Source)
			}
		}
		if x := t.Exception; x != nil {
			x.Type, x.Message, x.File, x.Root = poison(x.Type), poison(x.Message), poison(x.File), poison(x.Root)
		}
		for i := range t.Candidates {
			t.Candidates[i].Cause, t.Candidates[i].Why = poison("c"), poison("w")
		}
		for i := range t.Witnesses {
			t.Witnesses[i].Witness, t.Witnesses[i].Why = poison("c"), poison("w")
		}
		for i := range t.Next {
			t.Next[i].Say, t.Next[i].Run, t.Next[i].Safety = poison("c"), poison("w"), poison("s")
		}
		for i := range t.Evidence {
			v := &t.Evidence[i]
			v.Rule, v.Witness, v.Text, v.Says, v.Source = poison("r"), poison("w"), poison("t"), poison("s"), poison("s")
		}
		for i := range t.Chain {
			t.Chain[i].Step, t.Chain[i].Witness = poison("s"), poison("w")
		}
		for i := range t.Joined {
			t.Joined[i].Object, t.Joined[i].By = poison("o"), poison("b")
		}
	}
	for _, task := range report.Tasks {
		task.DagID, task.TaskID, task.RunID = poison("d"), poison("t"), poison("r")
		for i := range task.Findings {
			f := &task.Findings[i]
			f.ID, f.Says, f.Why = poison(f.ID), poison(f.Says), poison(f.Why)
		}
		for i := range task.Timeline {
			task.Timeline[i].Phase = poison("p")
		}
	}
	for i := range report.Problems {
		p := &report.Problems[i]
		p.Source, p.Err, p.Hint = poison(p.Source), poison(p.Err), poison(p.Hint)
	}
	report.Summary.Files[poison("x")] = 1
	for _, command := range [][]string{{"x.log"}, {"x.log", "-v"}, {"scan", "x"}, {"scan", "x", "-v"}, {"timeline", "x"}} {
		for _, format := range []string{"text", "json", "csv", "md"} {
			for _, width := range []int{0, 60, 120} {
				w := newWorld()
				w.engine = fake(w, report)
				w.env.StdoutTTY, w.env.Width = width > 0, width
				w.run(append(command, "-o", format, "--color", "never", "--fail-on", "any")...)
				for _, out := range []*bytes.Buffer{&w.out, &w.err} {
					for i, line := range strings.Split(out.String(), "\n") {
						if !utf8.ValidString(line) || strings.ContainsFunc(strings.ReplaceAll(line, "\ufffd", ""), harmful) {
							t.Fatalf("%v -o %s, line %d: %q", command, format, i+1, line)
						}
					}
				}
			}
		}
	}
}

// TestWidth: on a terminal no line that we can break is wider than it; places, commands and headlines stay whole so that
// they can be copied.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		g := &page{w: w, width: width, clock: clock{time.UTC, at("2024-05-01T03:40:00Z")}, fancy: true}
		for _, task := range sample().Tasks {
			if retried(task) {
				g.timelineBlock(task)
			}
		}
		g.para(2, "memory-same-point (likely): ", nil, strings.Repeat("word ", 60))
		w.Flush()
		for line := range strings.Lines(b.String()) {
			if n := cells(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
	}
}
