package main

import (
	"maps"
	"slices"

	"lastwords/classify"
)

// kept writes what a later scan of the row needs and the row does not show; most tries that went well have nothing.
func (e *encoder) kept(t *classify.Try) {
	k, ok := t.Kept()
	if !ok {
		return
	}
	e.key("kept")
	e.open('{')
	if len(k.Said) > 0 {
		e.key("said")
		e.texts(k.Said)
	}
	if len(k.Spans) > 0 {
		e.key("spans")
		e.open('[')
		for _, s := range k.Spans {
			e.open('[')
			e.text(s.Phase)
			e.time(s.From)
			e.time(s.To)
			e.close(']')
		}
		e.close(']')
	}
	if len(k.AfterEnd) > 0 {
		e.key("after_end")
		e.records(k.AfterEnd)
	}
	if !k.QueuedAt.IsZero() {
		e.key("queued_at")
		e.time(k.QueuedAt)
	}
	if k.Size > 0 {
		e.key("size")
		e.int(k.Size)
	}
	if b := k.Before; b != nil {
		e.key("before")
		e.open('{')
		e.key("cause")
		e.textOr(b.Cause)
		e.key("certainty")
		e.textOr(string(b.Certainty))
		e.key("proof")
		e.place(b.Proof)
		e.candidates(b.Candidates)
		e.close('}')
	}
	if len(k.Heard) > 0 {
		e.heard(k.Heard)
	}
	for _, flag := range []struct {
		name string
		is   bool
	}{{"no_log", k.NoLog}, {"ran", k.Ran}, {"silent", k.Silent}} {
		if flag.is {
			e.key(flag.name)
			e.bool(true)
		}
	}
	if k.TI != "" {
		e.key("ti")
		e.text(k.TI)
	}
	if len(k.UUIDs) > 0 {
		e.key("uuids")
		e.texts(k.UUIDs)
	}
	if k.Date != "" {
		e.key("date")
		e.text(k.Date)
	}
	e.close('}')
}

// heard writes records of others, without what they do not say.
func (e *encoder) heard(all []classify.Heard) {
	e.key("heard")
	e.open('[')
	for i := range all {
		h := &all[i]
		e.open('{')
		e.said("fact", h.Fact)
		e.said("rule", h.Rule)
		e.said("says", h.Says)
		e.said("cause", h.Cause)
		e.said("witness", h.Witness)
		e.where(&h.Place)
		e.key("at")
		e.time(h.At)
		e.said("text", h.Text)
		e.said("dag_id", h.DagID)
		e.said("run_id", h.RunID)
		e.said("task_id", h.TaskID)
		if h.MapIndex != classify.MapUnknown {
			e.key("map_index")
			e.int(int64(h.MapIndex))
		}
		if h.Try > 0 {
			e.key("try_number")
			e.int(int64(h.Try))
		}
		e.said("dotted", h.Dotted)
		e.said("uuid", h.UUID)
		e.said("celery", h.Celery)
		e.said("host", h.Host)
		e.said("pod", h.Pod)
		e.said("process", h.Process)
		e.said("folder", h.Folder)
		if h.PID > 0 {
			e.key("pid")
			e.int(int64(h.PID))
		}
		e.said("state", h.State)
		e.said("executor_state", h.ExecutorState)
		e.said("code", h.Code)
		if len(h.Values) > 0 {
			e.key("values")
			e.open('{')
			for _, k := range slices.Sorted(maps.Keys(h.Values)) {
				e.text(k)
				e.buf = append(e.buf, ':')
				e.text(h.Values[k])
			}
			e.close('}')
		}
		e.close('}')
	}
	e.close(']')
}

// said writes a field where it says something.
func (e *encoder) said(name, value string) {
	if value != "" {
		e.key(name)
		e.text(value)
	}
}
