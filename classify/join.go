package classify

import (
	"slices"
	"sort"
	"strings"
	"time"
)

// skew is how far the clocks of two hosts may disagree.
const skew = 60 * time.Second

// joiner ties what schedulers and workers recorded to tries.
type joiner struct {
	tries []*Try
	names *tables
	used  []bool // notes that a try was tied to

	byUUID map[string]*Try
	ofUUID map[uint32]spokenOf // what a record says elsewhere of the id of a task instance that another names alone
	ofPod  map[uint32]spokenOf
	count  map[uint64]int // tries by task
	files  finder         // notes by task instance, id, folder
	rivals finder         // tries by task instance
	logs   finder         // tries by task instance, as their rows name them
	filed  bool           // logs holds all tries
	latest map[int]*Try   // by note: the try that had started last at its time
	near   []int32
	lone   *lone

	timeouts  map[timedOut][]int // notes that a run timed out
	purges    []int              // notes of purges that name nobody
	exits     []int              // notes of ended processes that name nobody
	stops     []stoppage         // tries that were stopped from outside, by time
	purgesOf  map[*Try][]int     // the purges that only one stopped try fits
	purgesAny []int              // those that no try with a log fits, by time

	stop    func() bool
	steps   int // things looked at
	stopped bool
}

// spokenOf is a name and a try number.
type spokenOf struct {
	name uint32
	try  int32
}

// timedOut names a run of a DAG by its logical date, or the DAG alone.
type timedOut struct {
	dag  string
	date uint64
}

// step counts a thing that was looked at, and asks now and then whether to go on.
func (j *joiner) step() bool {
	if j.steps++; j.steps%4096 == 0 && j.stop != nil && !j.stopped {
		j.stopped = j.stop()
	}
	return !j.stopped
}

func dottedKey(dag, task string) string { return dag + "." + task }

// taskKey is the hash of the task of a try, 0 where it is not known.
func taskKey(t *Try) uint64 {
	if t.DagID != "" && t.TaskID != "" {
		return hashOf(dottedKey(t.DagID, t.TaskID))
	} else if t.own != nil {
		return hashOf(t.own.ti.dotted)
	}
	return 0
}

// The kinds of files in a finder.
const (
	ofInstance = iota + 1
	ofTask
	ofUUID
	ofFolder
	ofUnsure // tries that can be of several task instances
)

// unsure says whether a try can be of several task instances, as far as is known.
func unsure(t *Try) bool { return t.RunID == "" || t.MapIndex == MapUnknown }

// dates are the keys of the runs that a try can be of.
func (t *Try) dates() []uint64 {
	var keys []uint64
	if t.RunID != "" {
		keys = append(keys, namesOfRun(t.RunID).date)
	}
	if t.own != nil && t.own.date != "" {
		if d := namesOfRun(t.own.date).date; !slices.Contains(keys, d) {
			keys = append(keys, d)
		}
	}
	return keys
}

func newJoiner(tries []*Try, parts []*Part, stop func() bool) *joiner {
	j := &joiner{tries: tries, names: newTables(parts), stop: stop}
	if j.names.n == 0 {
		return j
	}
	j.used = make([]bool, j.names.n)
	j.latest = map[int]*Try{}
	j.resolve()
	if len(tries) > 0 {
		j.file()
	}
	return j
}

// resolve ties records that name only the id of a task instance, or a pod, to those that say more of it.
func (j *joiner) resolve() {
	t := j.names
	j.ofUUID, j.ofPod, j.timeouts = map[uint32]spokenOf{}, map[uint32]spokenOf{}, map[timedOut][]int{}
	t.each(func(i, l int, n *note) bool {
		name, fact := t.name(l, n), t.logs[l].kinds[n.kind].fact
		if fact == "run-timed-out" {
			m := t.logs[l].mention(i - t.first[l])
			whole, run := timedOut{dag: m.id.DagID}, timedOut{m.id.DagID, namesOfRun(m.id.RunID).date}
			j.timeouts[whole] = append(j.timeouts[whole], i)
			j.timeouts[run] = append(j.timeouts[run], i)
		}
		if t.tasks[name] != 0 {
			return true
		}
		pod := t.pod(l, n)
		x := nameAt(&t.names, name)
		if x.uuid != 0 {
			j.ofUUID[x.uuid] = spokenOf{}
		}
		if pod != 0 {
			j.ofPod[pod] = spokenOf{}
		}
		switch {
		case x.uuid != 0 || n.at == noTime:
		case fact == "zombie":
			j.purges = append(j.purges, i)
		case fact == "supervisor-exit":
			j.exits = append(j.exits, i)
		}
		return true
	})
	if len(j.ofUUID)+len(j.ofPod) == 0 {
		return
	}
	t.each(func(i, l int, n *note) bool {
		name := t.name(l, n)
		if t.tasks[name] == 0 {
			return true
		}
		x := nameAt(&t.names, name)
		if x.task == 0 {
			return true
		}
		if _, ok := j.ofUUID[x.uuid]; ok {
			j.ofUUID[x.uuid] = spokenOf{name, n.try}
		}
		if pod := t.pod(l, n); pod != 0 {
			if _, ok := j.ofPod[pod]; ok {
				j.ofPod[pod] = spokenOf{name, n.try}
			}
		}
		return true
	})
}

// speaksOf is the name of the task instance that a note speaks of, and the number of the try.
func (j *joiner) speaksOf(l int, n *note) (name uint32, try int32) {
	t := j.names
	name = t.name(l, n)
	if t.tasks[name] != 0 {
		return name, n.try
	}
	if x := nameAt(&t.names, name); x.uuid != 0 {
		if o := j.ofUUID[x.uuid]; o.name != 0 {
			return o.name, o.try
		}
	}
	if pod := t.pod(l, n); pod != 0 {
		if o := j.ofPod[pod]; o.name != 0 {
			return o.name, o.try
		}
	}
	return name, n.try
}

// mention is the i-th, with what is known of its task instance.
func (j *joiner) mention(i int) *mention {
	t := j.names
	l := t.log(i)
	c := t.logs[l]
	n := c.note(i - t.first[l])
	m := c.mention(i - t.first[l])
	if name, try := j.speaksOf(l, n); name != t.name(l, n) {
		o, w := *m, &t.words
		x := nameAt(&t.names, name)
		o.id = Identity{DagID: w.string(x.dag), RunID: w.string(x.run), TaskID: w.string(x.task), MapIndex: int(x.mapIndex), Try: int(try)}
		m = &o
	}
	return m
}

func (j *joiner) mentions(list []int) []*mention {
	out := make([]*mention, len(list))
	for k, i := range list {
		out[k] = j.mention(i)
	}
	return out
}

// file makes the notes that speak of tries at hand, and these, to be found.
func (j *joiner) file() {
	t := j.names
	j.byUUID, j.count = map[string]*Try{}, map[uint64]int{}
	folders, all := map[uint64]bool{}, map[uint64]bool{}
	for i, y := range j.tries {
		if y.own != nil {
			for u := range y.own.uuids {
				j.byUUID[u] = y
			}
			if y.own.name.attempt {
				folders[hashOf(y.own.name.folder+"\x00"+folderOf(y.Source))] = true
			}
		}
		task := taskKey(y)
		if task == 0 {
			continue
		}
		j.count[task]++
		if unsure(y) {
			j.rivals.file(instanceFile{kind: ofUnsure, task: task}.key(), i)
		}
		if unsure(y) || y.Try == 0 {
			all[task] = true
		}
		for _, d := range y.dates() {
			j.rivals.file(instanceFile{kind: ofInstance, task: task, run: d, mapIndex: int32(y.MapIndex)}.key(), i)
		}
		j.rivals.file(instanceFile{kind: ofTask, task: task}.key(), i)
	}
	t.each(func(i, l int, n *note) bool {
		own := t.name(l, n)
		name, try := j.speaksOf(l, n)
		if task := t.tasks[name]; j.count[task] > 0 && task != 0 {
			x := nameAt(&t.names, name)
			j.files.file(instanceFile{kind: ofInstance, task: task, run: t.run(x.run).date, mapIndex: x.mapIndex, try: try}.key(), i)
			if all[task] {
				j.files.file(instanceFile{kind: ofTask, task: task}.key(), i)
			}
		}
		if own == 0 {
			return j.step()
		}
		x := nameAt(&t.names, own)
		if x.uuid != 0 && j.byUUID[string(t.words.at(x.uuid))] != nil {
			j.files.file(instanceFile{kind: ofUUID, task: hashOf(t.words.string(x.uuid))}.key(), i)
		}
		if x.folder != 0 && len(folders) > 0 {
			if f := hashOf(t.words.string(x.folder)); folders[f] {
				j.files.file(instanceFile{kind: ofFolder, task: f, try: try}.key(), i)
			}
		}
		return j.step()
	})
}

// sameInstance says whether a mention can speak of the task instance of a try.
func sameInstance(m *mention, t *Try) bool {
	if m.id.RunID != "" && t.RunID != "" && !sameRun(m.id.RunID, t.RunID) {
		if t.own == nil || t.own.date == "" || !sameRun(m.id.RunID, t.own.date) {
			return false
		}
	}
	if m.id.MapIndex != MapUnknown && t.MapIndex != MapUnknown && m.id.MapIndex != t.MapIndex {
		return false
	}
	return true
}

// of lists the mentions of a try, in the order in which they were written. A mention without a try number belongs to the
// try that ran, or had run last, at its time.
func (j *joiner) of(t *Try) (list []int, all []*mention) {
	found := map[int]*mention{}
	look := func(f instanceFile, fits func(i int, m *mention) bool) {
		for _, h := range j.files.find(f.key()) {
			j.step()
			i := int(h.i)
			if found[i] != nil {
				continue
			}
			if m := j.mention(i); fits(i, m) {
				found[i] = m
				list = append(list, i)
			}
		}
	}
	task := taskKey(t)
	belongs := func(i int, m *mention) bool { return j.belongs(i, m, t, task) }
	switch {
	case task == 0:
	case unsure(t) || t.Try == 0:
		look(instanceFile{kind: ofTask, task: task}, belongs)
	default:
		for _, d := range append(t.dates(), 0) {
			for _, index := range [...]int32{int32(t.MapIndex), MapUnknown} {
				for _, try := range [...]int32{int32(t.Try), 0} {
					look(instanceFile{kind: ofInstance, task: task, run: d, mapIndex: index, try: try}, belongs)
				}
			}
		}
	}
	if o := t.own; o != nil {
		for u := range o.uuids {
			look(instanceFile{kind: ofUUID, task: hashOf(u)}, func(i int, m *mention) bool {
				if m.dotted == "" && m.id.TaskID == "" {
					return m.uuid == u
				}
				return task != 0 && taskOf(m) == task && belongs(i, m)
			})
		}
		if o.name.attempt {
			folder := o.name.folder + "\x00" + folderOf(t.Source)
			look(instanceFile{kind: ofFolder, task: hashOf(folder), try: int32(t.Try)}, func(_ int, m *mention) bool {
				return m.folder == folder && m.id.Try == t.Identity.Try
			})
		}
	}
	sort.Ints(list)
	for _, i := range list {
		all = append(all, found[i])
	}
	return list, all
}

// taskOf is the hash of the task that a mention names.
func taskOf(m *mention) uint64 {
	switch {
	case m.dotted != "":
		return hashOf(m.dotted)
	case m.id.TaskID != "":
		return hashOf(dottedKey(m.id.DagID, m.id.TaskID))
	}
	return 0
}

func (j *joiner) belongs(i int, m *mention, t *Try, task uint64) bool {
	if !sameInstance(m, t) {
		return false
	}
	if m.uuid != "" && t.own != nil && len(t.own.uuids) > 0 && m.fact != "finished" {
		if t.own.uuids[m.uuid] {
			return true
		}
		if o := j.byUUID[m.uuid]; o != nil && o != t {
			return false
		}
	}
	if m.id.Try != 0 && t.Try != 0 {
		return m.id.Try == t.Try
	}
	if j.count[task] <= 1 {
		return j.inTime(m, t)
	}
	best := j.latestBefore(i, m, task)
	if best != nil && best.StartedAt.IsZero() && t.Try != 0 { // none of them began: what was said of the instance before names the try
		if n := j.tryNumberNear(i); n != 0 {
			return n == t.Try
		}
	}
	return j.inTime(m, t) && best == t
}

// inTime: a record about a try cannot be much older than its start.
func (j *joiner) inTime(m *mention, t *Try) bool {
	return m.at.IsZero() || t.StartedAt.IsZero() || !m.at.Before(t.StartedAt.Add(-skew))
}

// latestBefore is the try of a task instance that had started last at the time of a mention.
func (j *joiner) latestBefore(i int, m *mention, task uint64) *Try {
	if best, ok := j.latest[i]; ok {
		return best
	}
	var places []int
	find := func(f instanceFile) {
		for _, h := range j.rivals.find(f.key()) {
			places = append(places, int(h.i))
		}
	}
	if m.id.RunID == "" || m.id.MapIndex == MapUnknown {
		find(instanceFile{kind: ofTask, task: task})
	} else {
		find(instanceFile{kind: ofInstance, task: task, run: namesOfRun(m.id.RunID).date, mapIndex: int32(m.id.MapIndex)})
		find(instanceFile{kind: ofUnsure, task: task})
		sort.Ints(places)
		places = slices.Compact(places)
	}
	rivals, sure := make([]*Try, len(places)), true
	for k, p := range places {
		rivals[k] = j.tries[p]
		sure = sure && !unsure(rivals[k])
	}
	best := j.lastStarted(rivals, m)
	if sure {
		j.latest[i] = best
	}
	return best
}

func (j *joiner) lastStarted(rivals []*Try, m *mention) *Try {
	var best *Try
	for _, r := range rivals {
		j.step()
		if !sameInstance(m, r) {
			continue
		}
		if !r.StartedAt.IsZero() && !m.at.IsZero() && r.StartedAt.After(m.at.Add(time.Second)) {
			continue
		}
		switch {
		case best == nil, r.StartedAt.After(best.StartedAt), r.StartedAt.Equal(best.StartedAt) && r.Try > best.Try:
			best = r
		}
	}
	return best
}

// run judges every try again with what others recorded about it.
func (j *joiner) run() {
	if j.names.n == 0 {
		return
	}
	for _, t := range j.tries {
		if !j.step() {
			return
		}
		list, all := j.of(t)
		if len(list) == 0 && t.DagID == "" && t.TaskID == "" {
			list, all = j.onlyOne(t)
		}
		for _, i := range list {
			j.used[i] = true
		}
		j.judge(t, all)
	}
	j.fileStops()
	for _, t := range j.tries {
		j.nameless(t, true)
	}
}

// lone is the one task instance that all records name which name any.
type lone struct {
	key  string
	list []int
}

// onlyOne: an anonymous log beside records that name exactly one task instance.
func (j *joiner) onlyOne(t *Try) (list []int, all []*mention) {
	if len(j.tries) != 1 && !oneFolder(j.tries) {
		return nil, nil
	}
	if j.lone == nil {
		j.lone = j.findLone()
	}
	for _, i := range j.lone.list {
		if j.step(); j.stopped {
			return nil, nil
		}
		m := j.mention(i)
		if m.id.Try != 0 && t.Try != 0 && m.id.Try != t.Try {
			continue
		}
		if !j.inTime(m, t) || len(j.tries) > 1 && j.lastStarted(j.tries, m) != t {
			continue
		}
		list, all = append(list, i), append(all, m)
	}
	if len(list) > 0 {
		t.Joined = append(t.Joined, Join{Object: strings.TrimSpace(j.lone.key), By: "only-one"})
	}
	return list, all
}

func (j *joiner) findLone() *lone {
	found := &lone{}
	var task uint64
	run, before := "", uint32(0)
	j.names.each(func(i, l int, n *note) bool {
		name, _ := j.speaksOf(l, n)
		k := j.names.tasks[name]
		if k == 0 {
			return true
		}
		if name != before {
			before = name
			x := nameAt(&j.names.names, name)
			r := j.names.words.string(x.run)
			if task != 0 && k != task || run != "" && r != "" && !sameRun(run, r) {
				found = &lone{}
				return false
			}
			if task = k; run == "" {
				run = r
			}
			if found.key == "" {
				if found.key = j.names.words.string(x.dotted); found.key == "" {
					found.key = dottedKey(j.names.words.string(x.dag), j.names.words.string(x.task))
				}
			}
		}
		found.list = append(found.list, i)
		return true
	})
	return found
}

func oneFolder(tries []*Try) bool {
	for _, t := range tries {
		if t.own == nil || t.own.name.folder != tries[0].own.name.folder || !t.own.name.attempt {
			return false
		}
	}
	return len(tries) > 0
}

// heard is what the records about one try say together.
type heard struct {
	zombie, mismatch, finished, podFailed, poolDied, verdict, y2, exit, lost, stuck, notStarted, reset, startFailed, handled *mention
	queuedMismatch                                                                                                           *mention
	runTimeout                                                                                                               *mention
	queued                                                                                                                   *mention
	raised                                                                                                                   *mention
	all                                                                                                                      []*mention
}

func hear(list []*mention) *heard {
	h := &heard{all: list}
	keep := func(p **mention, m *mention) {
		if *p == nil {
			*p = m
		}
	}
	for _, m := range list {
		switch m.fact {
		case "zombie":
			// A purge long before the log's last record is no death record of what came after it.
			keep(&h.zombie, m)
		case "mismatch":
			if m.state == "running" || m.state == "restarting" {
				keep(&h.mismatch, m)
			} else {
				keep(&h.queuedMismatch, m)
			}
		case "finished":
			h.finished = m
		case "pod-failed":
			if h.podFailed == nil || m.cause != "" && h.podFailed.cause == "" {
				h.podFailed = m
			}
		case "pool-child-died", "worker-lost":
			keep(&h.poolDied, m)
		case "verdict":
			h.verdict = m
		case "server-terminated-w":
			keep(&h.y2, m)
		case "supervisor-exit":
			h.exit = m
		case "heartbeats-lost":
			keep(&h.lost, m)
		case "stuck-queued":
			keep(&h.stuck, m)
		case "pod-not-started":
			keep(&h.notStarted, m)
		case "orphans-reset":
			keep(&h.reset, m)
		case "start-failed":
			keep(&h.startFailed, m)
		case "zombie-handled":
			keep(&h.handled, m)
		case "queued":
			h.queued = m
		case "celery-raised":
			h.raised = m
		}
	}
	return h
}

// judge revises a try by what was heard of it.
func (j *joiner) judge(t *Try, list []*mention) {
	h := hear(list)
	h.runTimeout = j.timeout(t)
	j.facts(t, h)
	switch {
	case t.own == nil:
	case t.Ending == Unfinished, t.Ending == LogMissing, t.Ending == Success && t.own.weak:
		j.open(t, h)
	case t.Ending == ExternallySet:
		j.setter(t, h)
	case t.Ending == NegativeReturnCode:
		if h.podFailed != nil && h.podFailed.cause != "" {
			j.because(t, h.podFailed, h.podFailed.cause, Proven)
		}
	case t.Ending == Success:
		for _, m := range h.all {
			if m.fact == "zombie" && !m.at.IsZero() {
				t.AfterEnd = append(t.AfterEnd, m.evidence())
			}
		}
	}
	for _, m := range h.all {
		if m == nil {
			continue
		}
		switch m.fact {
		case "zombie", "mismatch", "pod-failed", "pool-child-died", "worker-lost", "stuck-queued", "orphans-reset", "heartbeats-lost",
			"server-terminated-w", "pod-not-started":
			if len(t.Evidence) < 16 && t.Ending.Failed() {
				t.Evidence = append(t.Evidence, m.evidence())
			}
		}
	}
}

// timeout is the last record that the run of a try ran out of time.
func (j *joiner) timeout(t *Try) *mention {
	if t.DagID == "" {
		return nil
	}
	k := timedOut{dag: t.DagID}
	if t.RunID != "" {
		k.date = namesOfRun(t.RunID).date
	}
	list := j.timeouts[k]
	for n := len(list) - 1; n >= 0; n-- {
		j.step()
		if m := j.mention(list[n]); t.RunID == "" || sameRun(m.id.RunID, t.RunID) {
			return m
		}
	}
	return nil
}

func (m *mention) evidence() Evidence {
	return Evidence{Rule: m.rule, Witness: m.witness, Place: m.place, Says: m.says, Object: m.object()}
}

func (m *mention) object() string {
	switch {
	case m.pod != "":
		return m.pod
	case m.host != "":
		return m.host
	}
	return m.celery
}

// facts takes times, host, pid and the like from scheduler records.
func (j *joiner) facts(t *Try, h *heard) {
	if h.queued != nil && (t.StartedAt.IsZero() || !h.queued.at.After(t.StartedAt.Add(skew))) {
		t.QueuedAt = h.queued.at
	}
	if f := h.finished; f != nil {
		if q, _, ok := parseMoment([]byte(f.v.value("queued_dttm"))); ok && t.QueuedAt.IsZero() {
			t.QueuedAt = q.at
		}
		if t.Operator == "" {
			t.Operator = f.v.value("operator")
		}
		if t.PID == 0 {
			t.PID = f.pid
		}
	}
	for _, m := range h.all {
		if t.Host == "" && m.host != "" {
			t.Host = m.host
		}
		if t.Pod == "" && m.pod != "" {
			t.Pod = m.pod
		}
		if t.Try == 0 && m.id.Try != 0 {
			t.Try = m.id.Try
		}
		if t.DagID == "" && m.id.DagID != "" {
			t.Identity.merge(m.id)
		}
		if t.RunID == "" && m.id.RunID != "" {
			t.RunID = m.id.RunID
		}
		if t.MapIndex == MapUnknown && m.id.MapIndex != MapUnknown {
			t.MapIndex = m.id.MapIndex
		}
	}
	if len(h.all) > 0 && len(t.Joined) == 0 {
		t.Joined = append(t.Joined, Join{Object: h.all[0].witness, By: "ids"})
	}
}

// because sets a cause that a record from outside proves.
func (j *joiner) because(t *Try, m *mention, cause string, c Certainty) {
	t.Cause, t.Certainty, t.Candidates = cause, c, nil
	p := m.place
	t.Proof = &p
}

// end sets an ending that a record from outside proves.
func end(t *Try, m *mention, e Ending, by RecordedBy) {
	t.Ending, t.EndingCertainty, t.RecordedBy = e, Proven, by
	p := m.place
	t.Verdict = &p
	t.NoticedAt = m.at
	if t.own != nil {
		t.own.weak, t.own.end = false, m.at
	}
}

// open decides a log that does not say itself how it ended.
func (j *joiner) open(t *Try, h *heard) {
	last := t.own.last
	later := func(m *mention) bool {
		return m != nil && (m.at.IsZero() || last.IsZero() || !m.at.Before(last.Add(-skew)))
	}
	v := h.verdict
	code := 0
	if v != nil {
		code = codeOf(v.code)
	}
	said := ""
	if v != nil {
		said = v.v.value("final_state")
	}
	switch {
	case t.own.findings && h.finished != nil && h.finished.state == "success" && t.finishedWell(h):
		j.succeed(t, h, h.finished, Success)
		return
	case v != nil && said == "SERVER_TERMINATED":
		e := v
		if h.y2 != nil {
			e = h.y2
		}
		end(t, e, ExternallySet, BySupervisor)
		t.Signal = max(0, -code)
		j.setCause(t, serverCauseOf(e))
		j.setter(t, h)
		return
	case h.y2 != nil && later(h.y2):
		end(t, h.y2, ExternallySet, BySupervisor)
		if h.exit != nil {
			t.Signal = max(0, -codeOf(h.exit.code))
		}
		j.setCause(t, serverCauseOf(h.y2))
		j.setter(t, h)
		return
	case v != nil && code < 0:
		end(t, v, NegativeReturnCode, BySupervisor)
		t.Signal = -code
		c := code
		t.ExitCode = &c
		d := decision{ending: NegativeReturnCode, signal: t.Signal, seg: &segment{}, f: &fact{place: v.place, name: "verdict"}}
		j.setCause(t, d.seg.signalCause(&d))
		if h.lost != nil {
			j.because(t, h.lost, "heartbeats-lost", Proven)
		}
		return
	case h.zombie != nil && later(h.zombie) && !t.finishedWell(h):
		end(t, h.zombie, TruncatedThenZombie, ByScheduler)
		j.zombieCause(t, h)
		return
	case v != nil && (said == "success" || said == "skipped"), h.finished != nil && (h.finished.state == "success" || h.finished.state == "skipped") && t.Ending != LogMissing:
		m := v
		if m == nil {
			m = h.finished
			said = m.state
		}
		e := Success
		if said == "skipped" {
			e = Skipped
		}
		j.succeed(t, h, m, e)
		return
	case h.poolDied != nil && later(h.poolDied):
		end(t, h.poolDied, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.podFailed != nil && later(h.podFailed) && (t.own.ran || !t.own.silent):
		end(t, h.podFailed, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.mismatch != nil && later(h.mismatch):
		end(t, h.mismatch, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	case h.lost != nil && later(h.lost):
		end(t, h.lost, TruncatedThenZombie, BySupervisor)
		j.zombieCause(t, h)
		return
	case v != nil && (said == "failed" || said == "up_for_retry"):
		end(t, v, Traceback, BySupervisor)
		c := code
		t.ExitCode = &c
		j.because(t, v, "sys-exit", Likely)
		return
	case h.mismatch != nil:
		end(t, h.mismatch, TruncatedThenZombie, ByExecutor)
		j.zombieCause(t, h)
		return
	}
	if !t.own.ran && (t.Ending == LogMissing || t.own.silent || t.Ending == Unfinished) {
		j.neverStarted(t, h)
	}
}

// succeed sets a good ending that the supervisor's or the scheduler's account proves.
func (j *joiner) succeed(t *Try, h *heard, m *mention, e Ending) {
	by := BySupervisor
	if m == h.finished {
		by = ByScheduler
	}
	at, ended := t.NoticedAt, t.EndedAt
	end(t, m, e, by)
	t.NoticedAt, t.EndedAt = at, ended
	t.Cause, t.Certainty, t.Candidates, t.Proof, t.Retry = "", Unknown, nil, nil, "none"
	if e == Skipped {
		j.because(t, m, "skip", Proven)
	}
}

// finishedWell: the scheduler's own account says success after the purge.
func (t *Try) finishedWell(h *heard) bool {
	if h.zombie == nil {
		return true
	}
	if h.finished != nil && h.finished.state == "success" && !h.finished.at.Before(h.zombie.at) {
		return true
	}
	return h.verdict != nil && h.verdict.v.value("final_state") == "success" && h.verdict.at.Before(h.zombie.at) && h.finished != nil && h.finished.state == "success"
}

func (j *joiner) setCause(t *Try, b because) {
	t.Cause, t.Certainty, t.Proof, t.Candidates = b.cause, b.certainty, b.proof, b.candidates
}

func serverCauseOf(m *mention) because {
	f := fact{name: "server-terminated-w", place: m.place, values: m.v}
	return serverCause(&f)
}

// zombieCause explains a silent death as far as the records about it do.
func (j *joiner) zombieCause(t *Try, h *heard) {
	if t.Retry == "" {
		t.Retry = "unknown"
	}
	switch {
	case h.podFailed != nil && h.podFailed.cause != "":
		j.because(t, h.podFailed, h.podFailed.cause, Proven)
		return
	case h.lost != nil:
		j.because(t, h.lost, "heartbeats-lost", Proven)
		return
	case t.Cause == "worker-shutdown" && t.Certainty == Proven, t.Cause == "heartbeats-lost":
		return
	case h.poolDied != nil:
		c := Likely
		if h.poolDied.cause != "" && strings.HasPrefix(h.poolDied.code, "-") {
			c = Proven
		}
		j.because(t, h.poolDied, "worker-killed", c)
		t.Candidates = []Candidate{memoryCandidate()}
		return
	case h.podFailed != nil:
		j.because(t, h.podFailed, "worker-killed", Likely)
		t.Candidates = []Candidate{memoryCandidate(), {"pod-deleted", Possible, "the pod may have been deleted, evicted or preempted"}}
		return
	}
	t.Cause, t.Certainty = "heartbeat-timeout", Unknown
	if h.zombie != nil {
		t.Certainty = Proven
		p := h.zombie.place
		t.Proof = &p
	} else if h.mismatch != nil {
		t.Cause = "worker-killed"
		t.Certainty = Likely
		p := h.mismatch.place
		t.Proof = &p
	}
	t.Candidates = []Candidate{
		{"worker-killed", Possible, "the process that supervised the task is gone; the log does not say what ended it"},
		memoryCandidate(),
		{"node-lost", Possible, "a lost host takes everything with it"},
		{"pod-deleted", Possible, "a deleted or evicted pod leaves no last line"},
	}
	if h.zombie != nil && h.mismatch == nil {
		return
	}
}

// neverStarted: no start record, and somebody recorded why.
func (j *joiner) neverStarted(t *Try, h *heard) {
	for _, m := range []*mention{h.queuedMismatch, h.stuck, h.notStarted, h.podFailed, h.startFailed} {
		if m == nil {
			continue
		}
		if m == h.podFailed && m.state == "other" {
			continue
		}
		by := ByExecutor
		if m.fact == "stuck-queued" || m.fact == "mismatch" {
			by = ByScheduler
		}
		if m.fact == "mismatch" {
			by = ByExecutor
		}
		end(t, m, NeverStarted, by)
		j.neverCause(t, m, h)
		return
	}
}

func (j *joiner) neverCause(t *Try, m *mention, h *heard) {
	if r := h.startFailed; r != nil {
		cause := startFailure(r)
		if cause != "" {
			j.because(t, r, cause, Proven)
			return
		}
	}
	if m.fact == "mismatch" && h.notStarted != nil {
		m = h.notStarted
	}
	switch m.fact {
	case "stuck-queued":
		j.because(t, m, "stuck-queued", Proven)
	case "mismatch":
		j.because(t, m, "executor-mismatch", Proven)
		if m.estate == "failed" {
			t.Cause = "executor-failed-queued"
		}
		t.Candidates = []Candidate{{"import-error", Possible, "the DAG file may have failed to import in the worker"},
			{"image-pull", Possible, "its pod may not have started"}, {"worker-killed", Possible, "the worker may have died before the task began"}}
		t.Certainty = Likely
	case "pod-not-started":
		reason := m.v.value("text")
		cause := "executor-failed-queued"
		switch {
		case strings.Contains(reason, "ImagePull"), strings.Contains(reason, "ErrImage"), strings.Contains(reason, "InvalidImageName"):
			cause = "image-pull"
		case strings.Contains(reason, "CreateContainer"):
			cause = "container-config"
		case strings.Contains(reason, "has been pending"):
			cause = "unschedulable"
		case strings.Contains(reason, "exceeded quota"):
			cause = "quota"
		}
		j.because(t, m, cause, Proven)
		if cause == "executor-failed-queued" {
			t.Certainty = Likely
			t.Candidates = []Candidate{{"image-pull", Possible, "the image may not have been there"}, {"node-lost", Possible, "the node may have gone"},
				{"pod-deleted", Possible, "the pod may have been deleted"}}
		}
	default:
		j.because(t, m, "executor-failed-queued", Likely)
	}
}

// startFailure reads why a worker could not start the process.
func startFailure(m *mention) string {
	text := m.place.Text
	switch {
	case strings.Contains(text, "could not be found; either it does not exist or it failed to parse"):
		return "import-error"
	case strings.Contains(text, "not found"):
		return "dag-missing"
	case strings.Contains(text, "does not match"):
		return "superseded"
	}
	return ""
}

// setter looks for who set the state: a purge, a run that timed out, a reset, an executor's report.
func (j *joiner) setter(t *Try, h *heard) {
	settled := t.Certainty == Proven && t.Cause != "setter-unknown" && t.Cause != ""
	if settled && t.Cause != "superseded" {
		return
	}
	at := t.NoticedAt
	if t.own != nil && !t.own.end.IsZero() {
		at = t.own.end
	}
	near := func(m *mention, d time.Duration) bool {
		return m != nil && (m.at.IsZero() || at.IsZero() || m.at.Before(at.Add(skew)) && m.at.After(at.Add(-d)))
	}
	switch {
	case near(h.runTimeout, 10*time.Minute):
		j.because(t, h.runTimeout, "dagrun-timeout", Proven)
		if h.runTimeout.at.IsZero() {
			t.Certainty = Likely
		}
	case near(h.zombie, 10*time.Minute) && t.SetTo != "success" && t.SetTo != "skipped":
		j.because(t, h.zombie, "false-zombie", Proven)
	case near(h.reset, 10*time.Minute):
		j.because(t, h.reset, "orphan-reset", Proven)
	case near(h.queuedMismatch, 2*time.Minute):
		j.because(t, h.queuedMismatch, "executor-mismatch", Likely)
	case near(h.mismatch, 2*time.Minute):
		j.because(t, h.mismatch, "executor-mismatch", Likely)
	}
}
