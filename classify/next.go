package classify

import (
	"strconv"
	"strings"
	"time"
)

// nextSteps are the remedies that the rules' explanations give for the cause, filled in with what is known of the try.
func (c *Classifier) nextSteps(t *Try) []NextStep {
	if !t.Ending.Failed() {
		return nil
	}
	name := t.Cause
	if name == "" || name == "unknown" {
		name = string(t.Ending)
	}
	e, ok := c.opt.Rules.Explain(name)
	if !ok {
		return nil
	}
	var out []NextStep
	for _, r := range e.Do {
		if len(out) == 3 {
			break
		}
		out = append(out, NextStep{Say: fill(r.Say, t), Run: fill(r.Run, t), Safety: r.Safety})
	}
	return out
}

// fill puts what is known into the placeholders of a remedy; what is not known stays a name in capitals for the reader.
func fill(s string, t *Try) string {
	if !strings.Contains(s, "{") {
		return s
	}
	val := func(v, name string) string {
		if v == "" {
			return name
		}
		return shellQuote(v)
	}
	try := "TRY"
	if t.Identity.Try > 0 {
		try = strconv.Itoa(t.Identity.Try)
	}
	m := "-1"
	if t.MapIndex >= 0 {
		m = strconv.Itoa(t.MapIndex)
	}
	known := func(name string) (string, bool) {
		switch name {
		case "dag":
			return val(t.DagID, "DAG"), true
		case "task":
			return val(t.TaskID, "TASK"), true
		case "run":
			return val(t.RunID, "RUN"), true
		case "try":
			return try, true
		case "map":
			return m, true
		case "host":
			return val(t.Host, "HOST"), true
		case "pod":
			return val(t.Pod, "POD"), true
		case "node":
			return val(t.Node, "NODE"), true
		case "log":
			if t.Source == "-" {
				return "LOG", true // a pipe cannot be read again
			}
			return val(t.Source, "LOG"), true
		case "around":
			return around(t), true
		}
		return "", false
	}
	var b strings.Builder
	for s != "" {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			break
		}
		b.WriteString(s[:open])
		name, rest, ok := strings.Cut(s[open+1:], "}")
		v, isKnown := known(name)
		if !ok || !isKnown {
			b.WriteByte('{')
			s = s[open+1:]
			continue
		}
		b.WriteString(v)
		s = rest
	}
	return b.String() + s
}

// around gives journalctl the minutes in which a try died: from shortly before its last sign of life until shortly after
// its end was noticed.
func around(t *Try) string {
	from, to := t.EndedAt, t.NoticedAt
	if from.IsZero() {
		from = t.StartedAt
	}
	if from.IsZero() {
		return "--since '2 hours ago'"
	}
	if to.Before(from) {
		to = from
	}
	const layout = "2006-01-02 15:04:05 UTC"
	return "--since '" + from.Add(-5*time.Minute).UTC().Format(layout) + "' --until '" + to.Add(10*time.Minute).UTC().Format(layout) + "'"
}

// shellQuote makes a value from a log safe to paste into a shell.
func shellQuote(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isWord(c) && !strings.ContainsRune("@%+=:,./-", rune(c)) {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	if s == "" || s[0] == '-' {
		return "'" + s + "'"
	}
	return s
}
