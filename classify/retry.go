package classify

import (
	"strings"
	"time"
)

// What Try.Retry says: whether Airflow will start another try after this one.
const (
	retryDue     = "due"
	retryNone    = "none"
	retryUnknown = "unknown"
)

// estimateRetries says for each try whether another is due, and when. A later try in the history settles it.
func (h *history) estimateRetries() {
	for i, t := range h.task.Tries {
		later, adjacent := h.next(i)
		if later != nil && t.Ending != Success && t.Ending != Skipped {
			t.Retry, t.NextTryAt = retryDue, time.Time{}
			if adjacent {
				t.NextTryAt = later.StartedAt
			}
			continue
		}
		t.Retry, t.NextTryAt = h.outlook(t), time.Time{}
		if t.Retry == retryDue {
			t.NextTryAt = h.nextTryAt(i)
		}
	}
}

// outlook reads what was recorded about a next try, and else counts: try 2 of 3 that failed is followed by a third.
func (h *history) outlook(t *Try) string {
	switch t.Ending {
	case Success, Skipped, Deferred, Rescheduled: // the same try goes on, or none has to
		return retryNone
	case Unrecognized:
		return retryUnknown
	}
	if settledFailure(t) {
		return retryNone
	}
	if t.Cause == "cleared" || t.Cause == "orphan-reset" || t.SetTo == "up_for_retry" || wrote(t, "Marking task as UP_FOR_RETRY", "final_state=up_for_retry") {
		return retryDue
	}
	limit := t.MaxTries
	for _, other := range h.task.Tries {
		if t.MaxTries == 0 {
			limit = max(limit, other.MaxTries)
		}
	}
	switch {
	case t.Identity.Try == 0 || limit == 0:
		return retryUnknown
	case t.Identity.Try >= limit:
		return retryNone
	case stillOpen(t), t.Cause == "superseded": // it may still run, or its twin does
		return retryUnknown
	}
	return retryDue
}

// settledFailure says whether a record or the cause says that this failure is not retried, whatever number the try has.
func settledFailure(t *Try) bool {
	switch t.Cause {
	case "fail-exception", "fail-fast", "sensor-timeout", "marked-failed", "marked-success", "dagrun-timeout", "dagrun-deleted", "task-removed":
		return true
	}
	switch t.SetTo {
	case "failed", "success", "skipped", "removed":
		return true
	}
	if !t.Ending.Failed() || wrote(t, "Marking task as UP_FOR_RETRY", "final_state=up_for_retry") {
		return false
	}
	if t.Ending == NegativeReturnCode && (strings.HasPrefix(t.Airflow, "3.0") || t.Airflow == "3.1.0") {
		return true // these fail a try that died by a signal even with retries left
	}
	return wrote(t, "Marking task as FAILED", "Immediate failure requested", "final_state=failed")
}

// wrote says whether one of the records that the verdict stands on holds one of these words. They are Airflow's own,
// but for the line that proves a traceback: that one is the task's.
func wrote(t *Try, words ...string) bool {
	says := func(text string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	if t.Verdict != nil && t.Ending != Traceback && says(t.Verdict.Text) {
		return true
	}
	for _, e := range t.Evidence {
		if says(e.Text) {
			return true
		}
	}
	return false
}

// nextTryAt adds the retry delay to the noticing of the end. A silent try is noticed after the heartbeat timeout.
// Where the waits so far grew as exponential back-off does, the next one is taken to be twice the last.
func (h *history) nextTryAt(i int) time.Time {
	t := h.task.Tries[i]
	noticed, _, ok := h.noticing(i)
	switch {
	case ok:
	case t.EndedAt.IsZero():
		return time.Time{}
	default:
		noticed = t.EndedAt.Add(h.opt.HeartbeatTimeout)
	}
	delay := h.opt.RetryDelay
	if waits := h.task.waits(); growing(waits) {
		delay = max(delay, 2*waits[len(waits)-1])
	}
	return noticed.Add(delay)
}
