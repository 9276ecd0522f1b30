package classify

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"
)

// Report joins what all inputs say: siblings to one row a try, records of schedulers and workers to tries, tries to
// histories. The order of parts does not matter.
func (c *Classifier) Report(parts []*Part) *Report {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b *Part) int { return strings.Compare(a.Name, b.Name) })
	parts, old := restore(parts)
	r := &Report{Now: c.opt.Now, Summary: Summary{Endings: map[Ending]int{}, Causes: map[string]int{}, Findings: map[string]int{}, Files: map[string]int{}}}
	var tries []*Try
	stray := 0
	for _, p := range parts {
		tries = append(tries, p.tries...)
		r.Problems = append(r.Problems, p.problems...)
		stray += p.stray
		if p.Kind != "" {
			r.Summary.Files[p.Kind]++
		}
		r.Summary.Bytes += p.Bytes
	}
	old.add(&r.Summary)
	tries = mergeSiblings(tries)
	j := newJoiner(tries, parts, c.opt.Stop)
	j.run()
	extra, unseen := j.unlogged()
	tries = append(tries, extra...)
	if j.stopped {
		r.Problems = append(r.Problems, Problem{Err: "stopped before all records of schedulers and workers were joined to their tries",
			Hint: "some tries may have ended otherwise than it says here, and some are not listed"})
	}
	for _, p := range parts {
		if p.Named && p.Kind == "kubernetes" {
			p.Problem(errors.New("a Kubernetes object, and no log"), "this version reads no pods and events; pipe the log: kubectl logs POD | lastwords")
			r.Problems = append(r.Problems, p.problems...)
		}
		if p.Named && len(p.tries) == 0 && (p.Kind == "other" || p.Kind == "empty") && p.stray == 0 && len(p.problems) == 0 {
			tries = append(tries, unrecognized(p))
		}
	}
	adopt(tries)
	for _, t := range tries {
		c.finish(t)
	}
	r.Tasks, r.Summary.Tasks = c.tasks(tries)
	slices.SortStableFunc(tries, byIdentity)
	r.Tries = tries
	r.Findings = spanningFindings(r.Tasks)
	r.Summary.Unseen = unseen + stray + old.unseen
	c.count(r)
	return r
}

func unrecognized(p *Part) *Try {
	size := p.Bytes
	if size == 0 && p.Kind != "empty" {
		size = -1 // from a pipe
	}
	return &Try{Identity: Identity{MapIndex: MapUnknown}, Source: p.Name, Sources: []string{p.Name}, Ending: Unrecognized,
		EndingCertainty: Likely, Certainty: Unknown, RecordedBy: ByNobody, SearchedFrom: -1, Size: size, Retry: "unknown", own: &open{}}
}

func (c *Classifier) count(r *Report) {
	s := &r.Summary
	s.Tries = len(r.Tries)
	for _, t := range r.Tries {
		s.Endings[t.Ending]++
		if t.Cause != "" {
			s.Causes[t.Cause]++
		}
	}
	for _, t := range r.Tasks {
		for _, f := range t.Findings {
			s.Findings[f.ID]++
		}
	}
	for _, f := range r.Findings {
		s.Findings[f.ID]++
	}
}

// finish fills what is the same for every row: who was heard, what to do next.
func (c *Classifier) finish(t *Try) {
	t.settle()
	t.forgetRepeats()
	if !t.asSaved() {
		t.Witnesses = witnessTable(t)
		t.Next = c.nextSteps(t)
	}
	if t.Retry == "" {
		t.Retry = "unknown"
	}
}

// witnessTable says what the log and the records beside it contribute.
func witnessTable(t *Try) []WitnessView {
	if !t.Ending.Failed() {
		return nil
	}
	var out []WitnessView
	if t.Source != "" {
		v := WitnessView{Witness: "log", Stance: "agrees", Why: "its own record says how it ended"}
		if t.Ending == Unfinished || t.Ending == LogMissing || t.Ending == TruncatedThenZombie {
			v.Stance, v.Why = "silent", "it stops without a record of its end"
		}
		out = append(out, v)
	}
	heard := map[string]bool{}
	for _, e := range t.Evidence {
		if e.Witness != "log" && !heard[e.Witness] {
			heard[e.Witness] = true
			out = append(out, WitnessView{Witness: e.Witness, Stance: "agrees", Why: e.Says})
		}
	}
	for _, w := range []string{"scheduler", "worker"} {
		if !heard[w] && (t.Certainty == Unknown || t.Ending == Unfinished) {
			out = append(out, WitnessView{Witness: w, Stance: "not-asked", Why: "no log of it was given, or it does not name this try"})
		}
	}
	if t.Certainty != Proven && needsCluster(t.Cause) {
		for _, w := range []string{"pod", "event", "kernel"} {
			out = append(out, WitnessView{Witness: w, Stance: "not-asked", Why: "it could say what sent the signal"})
		}
	}
	return out
}

func needsCluster(cause string) bool {
	switch cause {
	case "sigkill-unknown", "sigterm-unknown", "signal-unknown", "unknown", "died-unnoticed", "heartbeat-timeout", "worker-killed", "memory",
		"executor-failed-queued", "worker-shutdown":
		return true
	}
	return false
}

// mergeSiblings makes one row of several logs of one try: a copy, a rotated part, a page's answer. The log that stands as
// attempt=N.log is the row's source; among equals the one that knows how the try ended wins.
func mergeSiblings(tries []*Try) []*Try {
	byKey := make(map[instance]int, len(tries)) // place in out
	out := make([]*Try, 0, len(tries))
	for _, t := range tries {
		key := siblingKey(t)
		if key == (instance{}) {
			out = append(out, t)
			continue
		}
		place, ok := byKey[key]
		if !ok || sameScan(out[place], t) {
			byKey[key] = len(out)
			out = append(out, t)
			continue
		}
		old := out[place]
		a, b := old, t
		if better(t, old) {
			a, b = t, old
		}
		a.keepSuccess(b)
		a.Sources = mergeNames(a.Sources, b.Sources)
		if a.Host == "" {
			a.Host = b.Host
		}
		if a.StartedAt.IsZero() || !b.StartedAt.IsZero() && b.StartedAt.Before(a.StartedAt) {
			a.StartedAt = b.StartedAt
		}
		out[place] = a
	}
	return out
}

// keepSuccess: of two logs of one try, one ended in its own success: that stands, and what the other one says is told as
// what came beside or after it.
func (t *Try) keepSuccess(o *Try) {
	sticky := func(t *Try) bool { return t.Ending == Success && t.EndingCertainty == Proven }
	if !sticky(t) || sticky(o) || !o.Ending.Failed() || o.Verdict == nil {
		return
	}
	t.AfterEnd = append(t.AfterEnd, Evidence{Witness: "log", Place: *o.Verdict, Says: "Another log of this try says " + string(o.Ending) + "."})
}

// siblingKey names the try of a log, or is empty where that is not certain.
func siblingKey(t *Try) instance {
	o := t.own
	if o == nil || t.Identity.Try == 0 {
		return instance{}
	}
	if t.known() && t.MapIndex != MapUnknown {
		return instance{dag: t.DagID, run: runKey(t.RunID), task: t.TaskID, mapIndex: t.MapIndex, try: t.Identity.Try}
	}
	if o.name.attempt && o.name.folder != "" {
		return instance{folder: o.name.folder, try: t.Identity.Try}
	}
	return instance{}
}

// instance names a task instance, or one of its tries, as a key: by its ids, or by the folder of its logs.
type instance struct {
	dag, run, task, folder string
	mapIndex, try          int
}

// better says whether a should stand for the try rather than b.
func better(a, b *Try) bool {
	am, bm := a.own.name.attempt && a.own.name.sibling == "" && a.own.name.folder != "", b.own.name.attempt && b.own.name.sibling == "" && b.own.name.folder != ""
	if as, bs := a.Ending == Success && a.EndingCertainty == Proven, b.Ending == Success && b.EndingCertainty == Proven; as != bs {
		return as // the task runner's own success is sticky
	}
	if am != bm {
		return am
	}
	ad, bd := a.Ending != Unfinished && a.Ending != LogMissing, b.Ending != Unfinished && b.Ending != LogMissing
	if ad != bd {
		return ad
	}
	if !a.EndedAt.Equal(b.EndedAt) {
		return a.EndedAt.After(b.EndedAt)
	}
	return a.Source < b.Source
}

func mergeNames(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	sort.Strings(out[min(1, len(out)):])
	return slices.Compact(out)
}

// instanceKey groups tries to histories.
func instanceKey(t *Try) instance {
	if t.known() {
		return instance{dag: t.DagID, run: runKey(t.RunID), task: t.TaskID, mapIndex: t.MapIndex}
	}
	if o := t.own; o != nil && o.name.attempt && o.name.folder != "" || o != nil && o.name.attempt && t.TaskID == "" && o.name.Identity.Try > 0 && t.Source != "" {
		return instance{folder: o.name.folder + "\x00" + folderOf(t.Source)}
	}
	if t.DagID != "" || t.TaskID != "" {
		return instance{dag: t.DagID, run: runKey(t.RunID), task: t.TaskID, mapIndex: t.MapIndex, folder: folderOf(t.Source)}
	}
	return instance{}
}

func folderOf(source string) string {
	if i := strings.LastIndexByte(source, '/'); i >= 0 {
		return source[:i]
	}
	return ""
}

// tasks builds the histories that have something to tell, in the order of their identity, and counts all.
func (c *Classifier) tasks(tries []*Try) (out []*Task, all int) {
	place := make(map[instance]int, len(tries)) // of the group in groups
	var groups [][]*Try
	for i, t := range tries {
		k := instanceKey(t)
		if k == (instance{}) {
			k = instance{folder: t.Source, try: -1 - i} // nobody else's
		}
		if g, ok := place[k]; ok {
			groups[g] = append(groups[g], t)
			continue
		}
		place[k] = len(groups)
		groups = append(groups, tries[i:i+1:i+1])
	}
	opt := historyOptions{HeartbeatTimeout: c.opt.HeartbeatTimeout, RetryDelay: c.opt.RetryDelay, Now: c.opt.Now}
	for _, g := range groups {
		if len(g) == 1 && g[0].uneventful() {
			continue
		}
		out = append(out, buildTask(g, opt))
	}
	slices.SortStableFunc(out, func(a, b *Task) int {
		return cmp.Or(compareInstances(&a.Identity, &b.Identity), cmp.Compare(a.Tries[0].Source, b.Tries[0].Source))
	})
	return out, len(groups)
}

func compareInstances(a, b *Identity) int {
	return cmp.Or(cmp.Compare(a.DagID, b.DagID), cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.TaskID, b.TaskID), cmp.Compare(a.MapIndex, b.MapIndex))
}

// byIdentity orders tries as reports list them: by task instance, then by number.
func byIdentity(a, b *Try) int {
	c := compareInstances(&a.Identity, &b.Identity)
	if c == 0 && !a.known() { // what is anonymous is told apart by where it stands
		c = cmp.Compare(folderOf(a.Source), folderOf(b.Source))
	}
	return cmp.Or(c, byNumber(a, b))
}

// uneventful says that a try alone makes a history without findings: it went well, and nothing came after that.
func (t *Try) uneventful() bool {
	return (t.Ending == Success || t.Ending == Skipped) && len(t.AfterEnd) == 0 && len(t.Evidence) == 0 && t.Identity.Try == 1
}

// adopt gives the tries of one folder one identity: attempt=1.log may name what attempt=2.log, which died at once, does not.
func adopt(tries []*Try) {
	byFolder := map[string][]*Try{}
	for _, t := range tries {
		if o := t.own; o != nil && o.name.attempt {
			k := o.name.folder + "\x00" + folderOf(t.Source)
			byFolder[k] = append(byFolder[k], t)
		}
	}
	for _, list := range byFolder {
		var id *Identity
		same := true
		for _, t := range list {
			if !t.known() {
				continue
			}
			if id == nil {
				id = &t.Identity
			} else if id.DagID != t.DagID || id.TaskID != t.TaskID || !sameRun(id.RunID, t.RunID) || id.MapIndex != t.MapIndex {
				same = false
			}
		}
		if id == nil || !same {
			continue
		}
		for _, t := range list {
			if !t.known() {
				n := t.Identity.Try
				t.Identity.merge(*id)
				t.Identity.Try = n
			}
			t.RunID = id.RunID
			t.MapIndex = id.MapIndex
		}
	}
}
