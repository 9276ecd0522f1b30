package classify

import (
	"bytes"
	"time"
)

// newestFirst says whether n things with times are listed newest first.
func newestFirst(n int, at func(int) time.Time) bool {
	var first, last time.Time
	var up, down int
	for i := range n {
		t := at(i)
		if t.IsZero() {
			continue
		}
		if first.IsZero() {
			first = t
		} else if t.After(last) {
			up++
		} else if t.Before(last) {
			down++
		}
		last = t
	}
	return down > 2*up && last.Before(first)
}

// exported says whether a format comes from a query, whose answer may list the newest line first: Loki, Cloud
// Logging, Logs Insights, Splunk, Datadog, Kibana and Grafana do so by default. A stream never does.
func exported(format string) bool {
	switch format {
	case formatCSV, "loki-json", "logcli", "grafana-txt", "cloud-logging-json", "cloudwatch-json", "splunk-json",
		"datadog-json", "elasticsearch-json", "journald-json":
		return true
	}
	return false
}

// turnedLines yields the lines of an export that lists the newest first, oldest first. Lines without a time belong to
// the one above them.
type turnedLines struct {
	below source
	lines []Line
	at    int // the group that is being handed out: lines[at:upto]
	upto  int
	begin int
	read  bool
	err   error
}

func (t *turnedLines) next(l *Line) error {
	if !t.read {
		t.read = true
		t.err = t.all()
		t.begin = len(t.lines)
	}
	if t.at == t.upto {
		if t.begin == 0 {
			return t.err
		}
		t.upto = t.begin
		t.begin--
		for t.begin > 0 && (t.lines[t.begin].tail || t.lines[t.begin].At.IsZero()) {
			t.begin--
		}
		t.at = t.begin
	}
	*l = t.lines[t.at]
	t.at++
	return nil
}

func (t *turnedLines) all() error {
	size := 0
	for {
		var l Line
		if err := t.below.next(&l); err != nil {
			return err
		}
		size += len(l.Text) + 128
		if size > documentMost {
			t.lines = nil
			return &TooLarge{Limit: documentMost, What: "an export with the newest line first",
				Hint: "export it oldest first, or turn it round with tac"}
		}
		l.Text = bytes.Clone(l.Text)
		t.lines = append(t.lines, l)
	}
}
