package main

import (
	"fmt"
	"strings"
	"time"

	"lastwords/classify"
)

// outlook is what becomes of a task instance: its worst cases first.
type outlook int

const (
	noRetry    outlook = iota // failed, and Airflow will not try again
	retryOpen                 // failed, not known whether Airflow will
	unfinished                // nobody has said yet
	retryDue                  // Airflow will try again
	recovered                 // a later try ended well
)

func outlookOf(t *classify.Task) outlook {
	if len(t.Tries) == 0 {
		return retryOpen
	}
	last := t.Tries[len(t.Tries)-1]
	switch {
	case !last.Ending.Failed():
		return recovered
	case last.Retry == "none":
		return noRetry
	case last.Retry == "due":
		return retryDue
	case last.Ending == classify.Unfinished:
		return unfinished
	}
	return retryOpen
}

func (o outlook) String() string {
	return [...]string{"no retry left", "retry not known", "unfinished", "retry due", "recovered"}[o]
}

// retryPhrase answers "will Airflow try again, or must I act" for a failed try, in words that stand alone.
func (p *page) retryPhrase(t *classify.Try, task *classify.Task) string {
	s := p.retrySentence(t, task)
	if rest, none := strings.CutPrefix(s, "none: "); none {
		return "no retry left: " + rest
	}
	return "retry " + s
}

// retrySentence is retryPhrase behind the label "retry".
func (p *page) retrySentence(t *classify.Try, task *classify.Task) string {
	if next := laterTry(t, task); next != nil {
		return fmt.Sprintf("followed by try %d: %s", next.Try, sure(string(next.Ending), next.EndingCertainty))
	}
	switch t.Retry {
	case "due":
		switch at := t.NextTryAt; {
		case at.IsZero():
			return "due: Airflow tries again by itself"
		case at.Before(p.clock.now):
			return fmt.Sprintf("was due about %s, %s ago, and no log of it is here: see whether it started",
				p.clock.near(at, lastSign(t)), span(p.clock.now.Sub(at).Seconds()))
		default:
			return fmt.Sprintf("due about %s, in %s: Airflow tries again by itself",
				p.clock.near(at, lastSign(t)), span(at.Sub(p.clock.now).Seconds()))
		}
	case "none":
		switch {
		case t.MaxTries == 1 && t.Try == 1:
			return "none: its only try is used, you must act"
		case t.MaxTries > 0 && t.Try >= t.MaxTries:
			return fmt.Sprintf("none: all %d tries are used, you must act", t.MaxTries)
		}
		return "none: Airflow will not try again, you must act"
	}
	if t.Ending == classify.Unfinished {
		return "not known: nobody has recorded an ending yet"
	}
	if t.MaxTries > t.Try && t.Try > 0 {
		return fmt.Sprintf("not known: %d of %d tries are used, look at the state in Airflow", t.Try, t.MaxTries)
	}
	return "not known: the log does not say how many tries there are; look at the state in Airflow"
}

// ageSentence tells "too young to tell" from "stopped long ago"; empty where that is no question.
func (p *page) ageSentence(t *classify.Try, task *classify.Task) string {
	if t.Ending != classify.Unfinished || t.EndedAt.IsZero() || laterTry(t, task) != nil {
		return ""
	}
	age := p.clock.now.Sub(t.EndedAt)
	switch {
	case age < -time.Minute:
		return fmt.Sprintf("last sign of life is %s ahead of this clock: see --log-tz and --now", span(-age.Seconds()))
	case age < p.heartbeat:
		return fmt.Sprintf("last sign of life %s ago: too young to tell whether it still runs", span(max(age, 0).Seconds()))
	}
	return fmt.Sprintf("stopped %s ago, and nobody recorded it", span(age.Seconds()))
}

// laterTry is the next try of the task that is at hand, or nil.
func laterTry(t *classify.Try, task *classify.Task) *classify.Try {
	if task == nil || t.Try == 0 {
		return nil
	}
	for _, other := range task.Tries {
		if other.Try > t.Try {
			return other
		}
	}
	return nil
}
