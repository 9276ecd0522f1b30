package classify

import (
	"cmp"
	"slices"
)

// unlogged makes rows of tries that only a scheduler or worker names and that a record there ends. It returns the number
// of other tries that have no log here.
func (j *joiner) unlogged() (rows []*Try, unseen int) {
	if j.names.n == 0 {
		return nil, 0
	}
	var tries finder
	mayEnd := make([]bool, j.names.n)
	j.names.each(func(i, l int, n *note) bool {
		if !j.used[i] {
			if key := j.tryKey(i, l, n); key != 0 {
				tries.file(key, i)
				mayEnd[i] = j.names.logs[l].ends(n)
			}
		}
		return j.step()
	})
	var ended [][]int
	tries.groups(func(hits []hit) {
		if !slices.ContainsFunc(hits, func(h hit) bool { return mayEnd[h.i] }) {
			unseen++ // most tries: they are only counted
			return
		}
		list := make([]int, len(hits))
		for k, h := range hits {
			list[k] = int(h.i)
		}
		ended = append(ended, list)
	})
	slices.SortFunc(ended, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	for _, list := range ended {
		if !j.step() {
			break
		}
		switch t, counted := j.without(j.mentions(list)); {
		case t != nil:
			rows = append(rows, t)
		case counted:
			unseen++
		}
	}
	return rows, unseen
}

// without makes a row of what was recorded of a try that has no log. It is nil where nothing there ends the try; counted
// says then that no row stands for it.
func (j *joiner) without(list []*mention) (t *Try, counted bool) {
	t = &Try{Identity: Identity{MapIndex: MapUnknown}, Ending: LogMissing, EndingCertainty: Unknown, Cause: "unknown", Certainty: Unknown,
		RecordedBy: ByNobody, SearchedFrom: -1, Size: -1, Retry: "unknown", own: &open{silent: true, weak: true, noLog: true}}
	haveLogs := len(j.tries) > 0
	terminal := false
	for _, m := range list {
		j.step()
		t.Identity.merge(m.id)
		if m.id.TaskID == "" && m.dotted != "" {
			t.own.ti = reprTI{dotted: m.dotted, run: m.id.RunID}
			if t.RunID == "" {
				t.RunID = m.id.RunID
			}
		}
		if m.fact == "worker-running" || m.fact == "finished" && m.v.value("run_start_date") != "" && m.state != "queued" {
			t.own.ran = true
		}
		named := m.id.TaskID != "" || m.dotted != "" || m.folder != ""
		if ends(m) && (named || !haveLogs || m.pod != "" && m.fact == "pod-not-started") {
			terminal = true
		}
		if m.fact == "celery-raised" && !haveLogs {
			terminal = true
		}
	}
	if !terminal {
		return nil, true
	}
	if j.hasTry(t) {
		return nil, false
	}
	j.judge(t, list)
	if t.Ending == LogMissing {
		j.lastResort(t, list)
	}
	j.nameless(t, false)
	if t.Ending == LogMissing {
		return nil, true
	}
	if t.Verdict != nil {
		t.Source = t.Verdict.Source
	}
	if t.Source != "" {
		t.Sources = []string{t.Source}
	}
	keepHeard(t, list)
	return t, false
}

// ends says whether a record alone ends a try that has no log.
func ends(m *mention) bool {
	switch m.fact {
	case "zombie", "stuck-queued", "pod-not-started", "pool-child-died", "worker-lost", "mismatch":
		return true
	case "pod-failed":
		return true
	case "server-terminated-w":
		return true
	case "verdict":
		return codeOf(m.code) < 0 || m.v.value("final_state") == "SERVER_TERMINATED"
	case "start-failed":
		return startFailure(m) != ""
	}
	return false
}

// hasTry: the log of the try is at hand, although the record could not be tied to it by time.
func (j *joiner) hasTry(t *Try) bool {
	if len(j.tries) == 1 {
		if o := j.tries[0]; o.TaskID == "" && o.own != nil && o.own.ti.dotted == "" {
			return true
		}
	}
	file := func(t *Try) uint64 {
		return instanceFile{task: hashOf(t.DagID + "\x00" + t.TaskID), run: namesOfRun(t.RunID).date, mapIndex: int32(t.MapIndex)}.key()
	}
	if !j.filed {
		for i, o := range j.tries {
			j.logs.file(file(o), i)
		}
		j.filed = true
	}
	for _, h := range j.logs.find(file(t)) {
		j.step()
		if o := j.tries[h.i]; o.DagID == t.DagID && o.TaskID == t.TaskID && sameRun(o.RunID, t.RunID) && o.MapIndex == t.MapIndex &&
			(t.Identity.Try == 0 || o.Identity.Try == t.Identity.Try) {
			return true
		}
	}
	return false
}

// The kinds of tryKey, beside those of a finder of notes.
const (
	keyFolder = iota + 10
	keyPod
	keyUUID
	keyTask
)

// tryKey groups records without a log by try: by number, or by what happened close together. It is 0 for those that name
// nobody.
func (j *joiner) tryKey(i, l int, n *note) uint64 {
	t := j.names
	own := nameAt(&t.names, t.name(l, n))
	name, try := j.speaksOf(l, n)
	if t.tasks[name] == 0 {
		switch {
		case own.folder != 0:
			return instanceFile{kind: keyFolder, task: uint64(own.folder), try: try}.key()
		case t.pod(l, n) != 0:
			return instanceFile{kind: keyPod, task: uint64(t.pod(l, n))}.key()
		case own.uuid != 0:
			return instanceFile{kind: keyUUID, task: uint64(own.uuid)}.key()
		}
		return 0
	}
	if try == 0 {
		try = int32(j.tryNumberNear(i))
	}
	x := nameAt(&t.names, name)
	if own.folder != 0 && x.run == 0 {
		return instanceFile{kind: keyFolder, task: uint64(own.folder), try: try}.key()
	}
	if x.mapIndex == MapUnknown {
		x.mapIndex = -1
	}
	return instanceFile{kind: keyTask, task: t.tasks[name], run: t.run(x.run).run, mapIndex: x.mapIndex, try: try}.key()
}

// lastResort decides a try without a log by what was recorded of it, start or not.
func (j *joiner) lastResort(t *Try, list []*mention) {
	h := hear(list)
	switch {
	case h.poolDied != nil:
		end(t, h.poolDied, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
	case h.podFailed != nil:
		if h.podFailed.fact == "pod-failed" {
			end(t, h.podFailed, NeverStarted, ByExecutor)
			j.neverCause(t, h.podFailed, h)
		}
	case h.queuedMismatch != nil:
		end(t, h.queuedMismatch, NeverStarted, ByExecutor)
		j.neverCause(t, h.queuedMismatch, h)
	case h.raised != nil:
		t.Ending, t.Cause, t.Certainty = Unfinished, "unknown", Unknown
		t.EndedAt = h.raised.at
		t.Source = h.raised.place.Source
		t.Evidence = append(t.Evidence, h.raised.evidence())
	}
}
