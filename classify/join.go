package classify

import (
	"slices"
	"sort"
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
