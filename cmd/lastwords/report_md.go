package main

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"lastwords/classify"
)

// md writes text for Markdown: clean, and with everything that would be markup made plain. It holds no line break, so it
// fits a table.
func md(s string) string {
	s = clean(s)
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '\\', '`', '*', '[', ']', '|', '~', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '_':
			// inside a word it is no markup, and identifiers stay legible
			if i > 0 && i+1 < len(s) && wordByte(s[i-1]) && wordByte(s[i+1]) {
				b.WriteRune(r)
			} else {
				b.WriteString(`\_`)
			}
		case '#', '-', '+', '=':
			if i == 0 {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case '@':
			b.WriteString("&#64;") // mentions nobody where it is pasted
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mdCode writes a command as a code span, so that it can be copied from the raw file, too.
func mdCode(s string) string {
	s = strings.ReplaceAll(clean(s), "\n", " ")
	fence, run := 1, 0
	for _, c := range s {
		if run++; c != '`' {
			run = 0
		}
		fence = max(fence, run+1)
	}
	f := strings.Repeat("`", fence)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return f + s + f
}

func wordByte(c byte) bool {
	return c >= 0x80 || c == '_' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// table writes a Markdown table; the cells are Markdown already.
type table struct{ w *bufio.Writer }

func (t table) row(cells ...string) { fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, " | ")) }

func (t table) head(names ...string) {
	t.row(names...)
	rule := make([]string, len(names))
	for i := range rule {
		rule[i] = "---"
	}
	t.row(rule...)
}

// renderMD writes the report as tables, ready to paste.
func renderMD(w *bufio.Writer, o options, s *shown) error {
	c := clock{o.zone, o.job.Now}
	p := &page{w: w, clock: c, heartbeat: o.job.HeartbeatTimeout}
	worst := worstFirst(s.tasks)
	failed := 0
	endings := map[classify.Ending]int{}
	causes := map[string]int{}
	for _, t := range s.tries {
		endings[t.Ending]++
		if t.Ending.Failed() {
			failed++
			causes[or(t.Cause, "none")]++
		}
	}
	fmt.Fprintf(w, "# How %s ended\n\n", count(len(s.tries), "try", "tries"))
	fmt.Fprintf(w, "%s. ", headline(failed, len(worst), s))
	if s := outlooks(worst); s != "" {
		fmt.Fprintf(w, "Task instances: %s. ", s)
	}
	fmt.Fprintf(w, "Times in %s.\n\n", md(c.name(c.now)))
	t := table{w}
	t.head("ending", "tries")
	for _, e := range classify.Endings {
		if n := endings[e]; n > 0 {
			t.row(string(e), thousands(n))
		}
	}
	if len(causes) > 0 {
		w.WriteByte('\n')
		t.head("cause", "failed tries")
		for _, x := range tallies(causes) {
			t.row(md(x.name), thousands(x.n))
		}
	}
	mdEvents(w, c, s)
	for i, f := range s.findings {
		if i == 0 {
			w.WriteString("\n## Over several task instances\n\n")
		}
		mdFinding(w, &f)
	}
	for _, task := range worst {
		p.mdTask(task)
	}
	if len(worst) == 0 {
		mdGood(w, c, s)
	}
	for i, x := range s.report.Problems {
		if i == 0 {
			w.WriteString("\n## Not read\n\n")
		}
		fmt.Fprintf(w, "- %s", md(problemText(x)))
		if x.Hint != "" {
			fmt.Fprintf(w, " (%s)", md(x.Hint))
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}

func mdEvents(w *bufio.Writer, c clock, s *shown) {
	all := events(s.tries)
	if len(all) == 0 {
		return
	}
	w.WriteString("\n## Died together\n\n")
	t := table{w}
	t.head("when", "where", "tries", "task instances", "causes")
	for _, e := range all {
		var names, causes []string
		for _, try := range e.tries {
			names = append(names, md(taskTitle(try.Identity, try.Source)))
		}
		for _, x := range causesOf(e.tries) {
			causes = append(causes, fmt.Sprintf("%d %s", x.n, md(x.name)))
		}
		t.row(c.full(e.at), md(strings.Join(e.hosts, ", ")), thousands(len(e.tries)),
			strings.Join(names, ", "), strings.Join(causes, ", "))
	}
}

func mdFinding(w *bufio.Writer, f *classify.Finding) {
	says := f.Says
	if f.Why != "" {
		says = strings.TrimSuffix(says, ".") + ". " + f.Why
	}
	fmt.Fprintf(w, "- **%s**: %s\n", md(sure(f.ID, f.Certainty)), md(says))
}

// mdTask writes a section for one task instance.
func (p *page) mdTask(task *classify.Task) {
	w, last := p.w, task.Tries[len(task.Tries)-1]
	fmt.Fprintf(w, "\n## %s\n\n", md(taskTitle(task.Identity, last.Source)))
	if task.RunID != "" {
		fmt.Fprintf(w, "Run %s. ", md(task.RunID))
	}
	what := "recovered"
	if outlookOf(task) != recovered {
		what = p.retryPhrase(last, task)
	}
	fmt.Fprintf(w, "%s. ", md(strings.ToUpper(what[:1])+what[1:]))
	folder := commonFolder(sourcesOf(task))
	if folder != "" {
		fmt.Fprintf(w, "Logs in %s", md(folder))
	}
	w.WriteString("\n\n")
	p.mdTries(task.Tries, folder)
	wrote := false
	item := func(label, s string) {
		if s == "" {
			return
		}
		if !wrote {
			w.WriteByte('\n')
			wrote = true
		}
		fmt.Fprintf(w, "- %s%s\n", label, md(s))
	}
	item("", missingTries(task))
	for i := range task.Findings {
		if !wrote {
			w.WriteByte('\n')
			wrote = true
		}
		mdFinding(w, &task.Findings[i])
	}
	if len(task.Numbers) > 1 {
		item("cost: ", costSentence(&task.Cost))
	}
	if last.LastWords != nil && last.Ending.Failed() {
		item("last words: ", last.LastWords.Text)
	}
	if !last.Ending.Failed() {
		return
	}
	for _, c := range last.Candidates {
		item("could be ", strings.TrimSuffix(sure(c.Cause, c.Certainty)+": "+c.Why, ": "))
	}
	for _, n := range last.Next {
		fmt.Fprintf(w, "- next: %s", md(safety(n.Safety)+n.Say))
		if n.Run != "" {
			fmt.Fprintf(w, " %s", mdCode(n.Run))
		}
		w.WriteByte('\n')
	}
}

// mdTries writes the table of tries.
func (p *page) mdTries(tries []*classify.Try, folder string) {
	t := table{p.w}
	t.head("try", "ending", "cause", "ended", "ran", "host", "proof", "text")
	for _, try := range tries {
		l := p.tryLine(try, folder, true)
		t.row(l.number, md(l.ending), md(l.cause), l.ended, l.ran, md(l.host), md(l.place), md(l.text))
	}
}

// mostGood is how many tries of a report without a failure are listed.
const mostGood = 50

// mdGood lists the tries of a small report in which nothing failed.
func mdGood(w *bufio.Writer, c clock, s *shown) {
	if len(s.tries) == 0 || len(s.tries) > mostGood {
		return
	}
	w.WriteByte('\n')
	(&page{w: w, clock: c}).mdTries(s.tries, "")
}
