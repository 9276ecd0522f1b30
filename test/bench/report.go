package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// report is all that a run found.
type report struct {
	Date, Machine string
	Versions      []string
	Quick         bool
	LoadBefore    float64
	LoadAfter     float64
	Groups        []*result
	LeftOut       []string // groups that could not be measured, and why
}

// shorten takes folders away from the commands that are shown.
func (r *report) shorten(folders ...string) {
	for _, g := range r.Groups {
		for _, c := range g.Commands {
			for i, a := range c.Argv {
				for _, f := range folders {
					if rest, ok := strings.CutPrefix(a, f+"/"); ok {
						a = rest
						break
					}
				}
				c.Argv[i] = a
			}
		}
	}
}

// text is the report for a terminal.
func (r *report) text() string {
	var s strings.Builder
	for _, g := range r.Groups {
		fmt.Fprintf(&s, "%s: %s\n%s\n\n", g.Name, g.About, g.circumstances())
		columns(&s, g.table())
		for _, d := range g.Disagree {
			fmt.Fprintf(&s, "answers differ: %s\n", d)
		}
		s.WriteByte('\n')
	}
	columns(&s, r.figures())
	s.WriteString("\n" + r.where() + "\n")
	return s.String()
}

// markdown is the report for a page.
func (r *report) markdown() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n\n", r.where())
	pipes(&s, r.figures())
	for _, g := range r.Groups {
		fmt.Fprintf(&s, "\n### %s: %s\n\n%s\n\n", g.Name, g.About, g.circumstances())
		pipes(&s, g.table())
		for _, d := range g.Disagree {
			fmt.Fprintf(&s, "\nAnswers differ: %s.\n", d)
		}
	}
	return s.String()
}

func (r *report) where() string {
	s := fmt.Sprintf("Measured on %s: %s; load %.1f before, %.1f after. %s.", r.Date, r.Machine, r.LoadBefore, r.LoadAfter,
		strings.Join(r.Versions, ", "))
	if r.Quick {
		s += "\nA quick run with a twentieth of the data: it shows that the benchmark works, its figures are not to be quoted."
	}
	for _, l := range r.LeftOut {
		s += "\nLeft out: " + l + "."
	}
	return s
}

func (r *report) figures() [][]string {
	rows := [][]string{{"figure", "what", "median", "min–max", "goal", "met"}}
	for _, g := range r.Groups {
		for _, f := range g.Figures {
			rows = append(rows, []string{f.ID, f.Says, f.value(), f.bounds(), f.goal(), f.Met})
		}
	}
	return rows
}

func (g *result) circumstances() string {
	s := fmt.Sprintf("%d rounds; load %.1f before, %.1f after; others used %.0f %% of the processors; the first command's times "+
		"lie within %.0f %%.", g.Rounds, g.LoadBefore, g.LoadAfter, 100*g.Others, 100*g.Wander)
	if g.Noisy != "" {
		s += " Noisy, so times are not judged: " + g.Noisy + "."
	}
	return s
}

func (g *result) table() [][]string {
	rows := [][]string{{"command", "wall, median", "min–max", "user + sys", "peak", "lines"}}
	for _, c := range g.Commands {
		lines := ""
		if c.Answers >= 0 {
			lines = fmt.Sprint(c.Answers)
		}
		rows = append(rows, []string{c.Name, secondsText(c.Wall.Median), secondsText(c.Wall.Min) + "–" + secondsText(c.Wall.Max),
			secondsText(c.CPU.Median), fmt.Sprintf("%.0f MiB", float64(c.RSS)/(1<<20)), lines})
	}
	return rows
}

func columns(s *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(plain(cell)))
		}
	}
	for _, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			cell = plain(cell)
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		s.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

func plain(cell string) string { return strings.ReplaceAll(cell, "`", "") }

func pipes(s *strings.Builder, rows [][]string) {
	for n, r := range rows {
		line := strings.ReplaceAll(strings.Join(r, "\x00"), "|", `\|`)
		s.WriteString("| " + strings.ReplaceAll(line, "\x00", " | ") + " |\n")
		if n == 0 {
			s.WriteString(strings.Repeat("| --- ", len(r)) + "|\n")
		}
	}
}

const (
	blockBegins = "<!-- bench -->"
	blockEnds   = "<!-- /bench -->"
)

// writeInto puts the report between the two marks of a page.
func (r *report) writeInto(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(b), blockBegins)
	_, after, ends := strings.Cut(rest, blockEnds)
	if !ok || !ends {
		return errors.New(path + ": no " + blockBegins + " … " + blockEnds)
	}
	return os.WriteFile(path, []byte(before+blockBegins+"\n"+r.markdown()+blockEnds+after), 0o666)
}
