package main

import (
	"fmt"
	"strings"

	"lastwords/classify"
)

// signals are the names of the signals that end processes, as Linux numbers them.
var signals = map[int]string{1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS",
	8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
	24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS"}

func signalName(n int) string { return or(signals[n], fmt.Sprintf("signal %d", n)) }

// sure puts a certainty behind a word; "unknown" says nothing that a slug of that kind does not say itself.
func sure(word string, c classify.Certainty) string {
	if c == "" || c == classify.Unknown && strings.HasSuffix(word, "unknown") {
		return word
	}
	return word + " (" + string(c) + ")"
}

// taskTitle names a task instance: dag.task[map index]. source stands in where neither name nor log names it.
func taskTitle(id classify.Identity, source string) string {
	if id.DagID == "" && id.TaskID == "" {
		return clean(or(source, "a task instance without a name"))
	}
	s := or(id.DagID, "?") + "." + or(id.TaskID, "?")
	if id.MapIndex >= 0 {
		s += fmt.Sprintf("[%d]", id.MapIndex)
	}
	return clean(s)
}

// tryOf is "try 2 of 4" as far as it is known.
func tryOf(t *classify.Try) string {
	switch {
	case t.Try > 0 && t.MaxTries >= t.Try:
		return fmt.Sprintf("try %d of %d", t.Try, t.MaxTries)
	case t.Try > 0:
		return fmt.Sprintf("try %d", t.Try)
	}
	return "try number not known"
}

// placeName is source:line, or the byte offset where lines were not counted.
func placeName(p *classify.Place) string {
	return clean(p.Source) + position(p, ":")
}

// position is ":118", or " byte 1234567" where lines were not counted; sign stands before a line number.
func position(p *classify.Place, sign string) string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s%d", sign, p.Line)
	case p.Offset >= 0:
		return fmt.Sprintf(" byte %d", p.Offset)
	}
	return ""
}

// samePlace says whether two places point at the same record.
func samePlace(a, b *classify.Place) bool {
	return a != nil && b != nil && a.Source == b.Source && a.Line == b.Line && a.Offset == b.Offset && a.Text == b.Text
}

// exceptionText is "Type: message", both clean.
func exceptionText(x *classify.Exception) string {
	s := clean(x.Type)
	if x.Message != "" {
		s = strings.TrimPrefix(s+": "+clean(x.Message), ": ")
	}
	return s
}

// costSentence says what the retries cost on top of running, or "" where nothing of it is known.
func costSentence(c *classify.Cost) string {
	var parts []string
	add := func(s *float64, what string) {
		if s != nil && (*s > 0 || c.OnTop != nil && *c.OnTop == 0) {
			parts = append(parts, span(*s)+" "+what)
		}
	}
	add(c.Undetected, "dead but unnoticed")
	add(c.Waiting, "waiting for a retry")
	var b strings.Builder
	about := ""
	if c.Estimated {
		about = "about "
	}
	switch {
	case c.OnTop != nil && *c.OnTop == 0:
		b.WriteString("nothing on top of running")
	case c.OnTop != nil:
		fmt.Fprintf(&b, "%s%s on top: %s", about, span(*c.OnTop), strings.Join(parts, " + "))
	case len(parts) > 0 && c.Undetected == nil:
		fmt.Fprintf(&b, "at least %s; how long it was dead but unnoticed is not known", parts[0])
	case len(parts) > 0:
		fmt.Fprintf(&b, "at least %s; how long it waited for a retry is not known", parts[0])
	case c.Running != nil:
		b.WriteString("time on top of running is not known")
	default:
		return ""
	}
	if c.Running != nil {
		fmt.Fprintf(&b, "; ran %s", span(*c.Running))
	}
	if c.Avoidable != nil && *c.Avoidable > 0 {
		fmt.Fprintf(&b, "; %s%s avoidable", about, span(*c.Avoidable))
	}
	return b.String()
}

// tryNumbers is "tries 1, 2 and 4".
func tryNumbers(all []int) string {
	var names []string
	for _, n := range all {
		names = append(names, fmt.Sprint(n))
	}
	if len(names) == 1 {
		return "try " + names[0]
	}
	return "tries " + list(names)
}
