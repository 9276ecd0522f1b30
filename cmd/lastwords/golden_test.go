package main

import "testing"

func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int // 0: no terminal
		args  []string
		color bool
	}{
		{"log", 0, []string{"a.log"}, false},
		{"log-80", 80, []string{"a.log"}, false},
		{"log-verbose", 0, []string{"a.log", "-v", "--dag", "billing"}, false},
		{"log-color", 100, []string{"a.log", "--dag", "ml,good"}, true},
		{"scan", 0, []string{"scan", "logs"}, false},
		{"scan-80", 80, []string{"scan", "logs"}, false},
		{"scan-160", 160, []string{"scan", "logs", "--tz", "Europe/Berlin"}, false},
		{"scan-filtered", 0, []string{"scan", "logs", "--cause", "memory-same-point"}, false},
		{"timeline", 0, []string{"timeline", "logs"}, false},
		{"timeline-60", 60, []string{"timeline", "logs"}, false},
		{"timeline-80", 80, []string{"timeline", "logs"}, false},
		{"timeline-120", 120, []string{"timeline", "logs"}, false},
		{"scan.md", 0, []string{"scan", "logs", "-o", "md"}, false},
		{"scan.csv", 0, []string{"scan", "logs", "-o", "csv"}, false},
		{"scan.json", 0, []string{"scan", "logs", "-o", "json"}, false},
		{"timeline.md", 0, []string{"timeline", "logs", "-o", "md"}, false},
		{"timeline.csv", 0, []string{"timeline", "logs", "-o", "csv"}, false},
		{"timeline.json", 0, []string{"timeline", "logs", "-o", "json"}, false},
		{"explain", 0, []string{"explain", "sigkill-unknown"}, false},
		{"explain-all", 0, []string{"explain"}, false},
		{"explain.json", 0, []string{"explain", "sigkill-unknown", "-o", "json"}, false},
		{"rules-list", 0, []string{"rules"}, false},
		{"rules-show", 0, []string{"rules", "show", "zombie-detected", "our-quota"}, false},
		{"help", 0, []string{"--help"}, false},
		{"help-rules", 0, []string{"rules", "--help"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			w.env.StdoutTTY, w.env.Width = c.width > 0, c.width
			args := c.args
			if !c.color {
				args = append(args, "--color", "never")
			}
			if c.name == "help" || c.name == "help-rules" {
				args = c.args
			}
			w.run(args...)
			golden(t, c.name, w.out.Bytes())
		})
	}
}
