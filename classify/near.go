package classify

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// tryNumberNear finds the try number that the last record before the i-th gave for the same task instance; the scheduler's
// account of a try may stand up to two seconds behind it. 0: none did.
func (j *joiner) tryNumberNear(i int) int {
	if j.near == nil {
		j.numberTries()
	}
	return int(j.near[i])
}

// numberTries finds the numbers for all notes that name a task and no try.
func (j *joiner) numberTries() {
	j.near = make([]int32, j.names.n)
	var tasks finder
	asked := false
	j.names.each(func(i, l int, n *note) bool {
		name, try := j.speaksOf(l, n)
		if task := j.names.tasks[name]; task != 0 {
			tasks.file(task, i)
			asked = asked || try == 0
		}
		return true
	})
	if asked {
		tasks.groups(j.numberTask)
	}
}

// numbered is a record that gives a try its number, or wants one.
type numbered struct {
	i, try   int32
	at       int64
	run      uint32
	mapIndex int32
	finished bool
}

const (
	anyRun   = math.MaxUint32
	anyIndex = math.MinInt32
)

// numberTask does so for the notes of one task.
func (j *joiner) numberTask(hits []hit) {
	all := make([]numbered, 0, len(hits))
	asked, wild := false, false
	for _, h := range hits {
		l := j.names.log(int(h.i))
		n := j.names.logs[l].note(int(h.i) - j.names.first[l])
		name, try := j.speaksOf(l, n)
		t := nameAt(&j.names.names, name)
		all = append(all, numbered{h.i, try, n.at, t.run, t.mapIndex, j.names.logs[l].kinds[n.kind].fact == "finished"})
		if try == 0 {
			asked = true
			wild = wild || t.run == 0 || t.mapIndex == MapUnknown
		}
	}
	if !asked {
		return
	}
	type key struct {
		run      uint32
		mapIndex int32
	}
	groups := map[key]*numberedGroup{}
	file := func(k key, x *numbered) {
		g := groups[k]
		if g == nil {
			g = &numberedGroup{}
			groups[k] = g
		}
		g.add(x)
	}
	dates := map[uint64][]uint32{} // the runs of one logical date
	known := map[uint32]bool{}
	for k := range all {
		x := &all[k]
		j.step()
		if x.run != 0 && !known[x.run] {
			known[x.run] = true
			d := j.names.run(x.run).date
			dates[d] = append(dates[d], x.run)
		}
		if x.try == 0 {
			continue
		}
		file(key{x.run, x.mapIndex}, x)
		if wild {
			file(key{anyRun, x.mapIndex}, x)
			file(key{x.run, anyIndex}, x)
			file(key{anyRun, anyIndex}, x)
		}
	}
	if len(groups) == 0 {
		return
	}
	same := map[uint32][]uint32{0: {anyRun}} // the runs that can be a run, and the one that is not known
	for _, runs := range dates {
		for _, run := range runs {
			list := []uint32{0}
			for _, r := range runs {
				if r == run || sameRun(j.names.words.string(r), j.names.words.string(run)) {
					list = append(list, r)
				}
			}
			same[run] = list
		}
	}
	for k := range all {
		x := &all[k]
		if x.try != 0 {
			continue
		}
		indexes := []int32{x.mapIndex, MapUnknown}
		if x.mapIndex == MapUnknown {
			indexes = []int32{anyIndex}
		}
		var best *numbered
		for _, run := range same[x.run] {
			for _, index := range indexes {
				j.step()
				if o := groups[key{run, index}].before(x); o != nil && (best == nil || o.cmp(best) > 0) {
					best = o
				}
			}
		}
		if best != nil {
			j.near[x.i] = best.try
		}
	}
}

// cmp orders records by time and, where that is equal, by place.
func (x *numbered) cmp(o *numbered) int {
	return cmp.Or(cmp.Compare(x.at, o.at), cmp.Compare(x.i, o.i))
}

// numberedGroup is the records of one task instance that give a number, in order.
type numberedGroup struct {
	list     []*numbered
	last     []*numbered // of list up to here, the latest one
	accounts []*numbered // the scheduler's, in order of time once sorted
	sorted   bool
}

func (g *numberedGroup) add(x *numbered) {
	last := x
	if n := len(g.last); n > 0 && g.last[n-1].cmp(x) > 0 {
		last = g.last[n-1]
	}
	g.list, g.last = append(g.list, x), append(g.last, last)
	if x.finished {
		g.accounts = append(g.accounts, x)
	}
}

// before is the latest record that stands before x, or is the scheduler's account of it.
func (g *numberedGroup) before(x *numbered) (best *numbered) {
	if g == nil {
		return nil
	}
	if !g.sorted {
		slices.SortFunc(g.accounts, (*numbered).cmp)
		g.sorted = true
	}
	if n := sort.Search(len(g.list), func(k int) bool { return g.list[k].i > x.i }); n > 0 {
		best = g.last[n-1]
	}
	soon := x.at + 2e6
	if n := sort.Search(len(g.accounts), func(k int) bool { return g.accounts[k].at >= soon }); n > 0 {
		if o := g.accounts[n-1]; best == nil || o.cmp(best) > 0 {
			best = o
		}
	}
	return best
}
