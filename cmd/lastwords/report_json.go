package main

import (
	"bufio"

	"lastwords/classify"
)

// jsonRows writes one object a line: tries, task instances, findings that span them, problems and, last, the summary.
// With tasksOnly there are no try rows and only the task instances with more than one try.
func jsonRows(w *bufio.Writer, s *shown, tasksOnly bool) error {
	var e encoder
	flush := func() error {
		_, err := w.Write(e.buf)
		e.buf = e.buf[:0]
		return err
	}
	if !tasksOnly {
		for _, t := range s.tries {
			e.try(t)
			if err := flush(); err != nil {
				return err
			}
		}
	}
	for _, t := range s.tasks {
		if retried(t) || !tasksOnly && needsAttention(t) {
			e.task(t)
			if err := flush(); err != nil {
				return err
			}
		}
	}
	for i := range s.findings {
		e.spanning(&s.findings[i])
	}
	for _, p := range s.report.Problems {
		e.problem(p)
		if err := flush(); err != nil {
			return err
		}
	}
	e.summary(s.report.Summary, len(s.tries))
	return flush()
}

// retried says whether a task instance needed more than one try.
func retried(t *classify.Task) bool {
	return len(t.Numbers) > 1 || len(t.Tries) > 1 || len(t.Missing) > 0
}

// needsAttention says whether a try of t failed or its history shows something.
func needsAttention(t *classify.Task) bool {
	if len(t.Findings) > 0 {
		return true
	}
	for _, try := range t.Tries {
		if try.Ending.Failed() {
			return true
		}
	}
	return false
}
