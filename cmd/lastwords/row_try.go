package main

import "lastwords/classify"

// row starts an object of the JSON contract.
func (e *encoder) row(kind string) {
	e.open('{')
	e.key("schema")
	e.int(classify.Schema)
	e.key("kind")
	e.text(kind)
}

// end closes a row and its line.
func (e *encoder) end() { e.buf = append(e.buf, '}', '\n') }

// identity writes the fields that name a task instance; those that are not known are null.
func (e *encoder) identity(id classify.Identity) {
	e.key("dag_id")
	e.textOr(id.DagID)
	e.key("run_id")
	e.textOr(id.RunID)
	e.key("task_id")
	e.textOr(id.TaskID)
	e.key("map_index")
	e.intOr(int64(id.MapIndex), classify.MapUnknown)
}

// try writes a row of kind "try".
func (e *encoder) try(t *classify.Try) {
	e.row("try")
	e.identity(t.Identity)
	e.key("try_number")
	e.intOr(int64(t.Try), 0)
	e.key("max_tries")
	e.intOr(int64(t.MaxTries), 0)
	e.key("source")
	e.textOr(t.Source)
	e.key("sources")
	e.texts(t.Sources)
	e.key("ending")
	e.text(string(t.Ending))
	e.key("ending_certainty")
	e.textOr(string(t.EndingCertainty))
	e.key("cause")
	e.textOr(t.Cause)
	e.key("certainty")
	e.textOr(string(t.Certainty))
	e.key("recorded_by")
	e.textOr(string(t.RecordedBy))
	e.key("signal")
	e.intOr(int64(t.Signal), 0)
	e.key("exit_code")
	if t.ExitCode == nil {
		e.null()
	} else {
		e.int(int64(*t.ExitCode))
	}
	e.exception(t.Exception)
	e.key("set_to")
	e.textOr(t.SetTo)
	e.key("set_by")
	e.textOr(t.SetBy)
	e.key("verdict")
	e.place(t.Verdict)
	e.key("proof")
	e.place(t.Proof)
	e.key("last_words")
	e.place(t.LastWords)
	e.evidence(t.Evidence)
	e.reasons(t)
	e.life(t)
	e.next(t.Next)
	e.kept(t)
	e.end()
}

func (e *encoder) exception(x *classify.Exception) {
	e.key("exception")
	if x == nil {
		e.null()
		return
	}
	e.open('{')
	e.key("type")
	e.textOr(x.Type)
	e.key("message")
	e.text(x.Message)
	e.key("root")
	e.textOr(x.Root)
	e.key("file")
	e.textOr(x.File)
	e.key("line")
	e.intOr(int64(x.Line), 0)
	e.close('}')
}

func (e *encoder) place(p *classify.Place) {
	if p == nil {
		e.null()
		return
	}
	e.open('{')
	e.where(p)
	e.key("at")
	e.time(p.At)
	e.key("text")
	e.text(p.Text)
	e.close('}')
}

func (e *encoder) where(p *classify.Place) {
	e.key("source")
	e.textOr(p.Source)
	e.key("line")
	e.intOr(p.Line, 0)
	e.key("offset")
	e.intOr(p.Offset, -1)
}

func (e *encoder) evidence(all []classify.Evidence) {
	e.key("evidence")
	e.records(all)
}

func (e *encoder) records(all []classify.Evidence) {
	e.open('[')
	for i := range all {
		v := &all[i]
		e.open('{')
		e.key("rule")
		e.textOr(v.Rule)
		e.key("witness")
		e.textOr(v.Witness)
		e.where(&v.Place)
		e.key("at")
		e.time(v.At)
		e.key("until")
		e.time(v.Until)
		e.key("text")
		e.text(v.Text)
		e.key("says")
		e.textOr(v.Says)
		e.key("object")
		e.textOr(v.Object)
		e.close('}')
	}
	e.close(']')
}

// reasons writes candidates, witnesses, chain and joined.
func (e *encoder) reasons(t *classify.Try) {
	e.candidates(t.Candidates)
	e.key("witnesses")
	e.open('[')
	for _, w := range t.Witnesses {
		e.open('{')
		e.key("witness")
		e.text(w.Witness)
		e.key("stance")
		e.text(w.Stance)
		e.key("why")
		e.textOr(w.Why)
		e.close('}')
	}
	e.close(']')
	e.key("chain")
	e.open('[')
	for _, s := range t.Chain {
		e.open('{')
		e.key("step")
		e.text(s.Step)
		e.key("at")
		e.time(s.At)
		e.key("witness")
		e.textOr(s.Witness)
		e.close('}')
	}
	e.close(']')
	e.key("joined")
	e.open('[')
	for _, j := range t.Joined {
		e.open('{')
		e.key("object")
		e.text(j.Object)
		e.key("by")
		e.text(j.By)
		e.close('}')
	}
	e.close(']')
}

// life writes when and where the try ran and how much of its log was read.
func (e *encoder) life(t *classify.Try) {
	e.key("started_at")
	e.time(t.StartedAt)
	e.key("ended_at")
	e.time(t.EndedAt)
	e.key("noticed_at")
	e.time(t.NoticedAt)
	e.key("undetected_s")
	e.seconds(t.Undetected())
	e.key("duration_s")
	e.seconds(t.Duration())
	e.key("retry")
	e.textOr(t.Retry)
	e.key("next_try_at")
	e.time(t.NextTryAt)
	e.key("host")
	e.textOr(t.Host)
	e.key("pod")
	e.textOr(t.Pod)
	e.key("node")
	e.textOr(t.Node)
	e.key("pid")
	e.intOr(int64(t.PID), 0)
	e.key("operator")
	e.textOr(t.Operator)
	e.key("airflow")
	e.textOr(t.Airflow)
	e.key("segments")
	e.intOr(int64(t.Segments), 0)
	e.key("searched_from")
	if t.Source == "" {
		e.null() // no log to search
	} else {
		e.int(max(t.SearchedFrom, 0))
	}
}

func (e *encoder) next(all []classify.NextStep) {
	e.key("next")
	e.open('[')
	for _, n := range all {
		e.open('{')
		e.key("say")
		e.text(n.Say)
		e.key("run")
		e.textOr(n.Run)
		e.key("safety")
		e.textOr(n.Safety)
		e.close('}')
	}
	e.close(']')
}

func (e *encoder) candidates(all []classify.Candidate) {
	e.key("candidates")
	e.open('[')
	for _, c := range all {
		e.open('{')
		e.key("cause")
		e.text(c.Cause)
		e.key("certainty")
		e.textOr(string(c.Certainty))
		e.key("why")
		e.textOr(c.Why)
		e.close('}')
	}
	e.close(']')
}
