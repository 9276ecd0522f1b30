package classify

import (
	"strconv"
	"strings"
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
	return strings.NewReplacer("{dag}", val(t.DagID, "DAG"), "{task}", val(t.TaskID, "TASK"), "{run}", val(t.RunID, "RUN"), "{try}", try, "{map}", m,
		"{host}", val(t.Host, "HOST"), "{pod}", val(t.Pod, "POD"), "{node}", val(t.Node, "NODE"), "{log}", val(t.Source, "LOG")).Replace(s)
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
