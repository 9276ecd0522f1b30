package classify

import (
	"hash/maphash"
	"strings"
)

// tables are the names of several chronicles, numbered together.
type tables struct {
	logs  []*chronicle
	first []int // number of the first note of each
	n     int   // notes in all

	words, names symbols
	wordOf       [][]uint32 // of each log: its words in words; nil where they have the same numbers
	nameOf       [][]uint32
	tasks        []uint64            // by name: hash of dag.task, 0 for none
	runs         map[uint32]runNames // by word
}

// runNames are the keys by which a run is found: its own (dates that are equal have one), and that of its logical date
// (equal for all runs that sameRun takes for one).
type runNames struct{ run, date uint64 }

func hashOf(s string) uint64 {
	if s == "" {
		return 0
	}
	return maphash.String(symbolSeed, s) | 1
}

func namesOfRun(run string) runNames {
	date := run
	if _, d, ok := strings.Cut(run, "__"); ok {
		date = d
	}
	return runNames{hashOf(runKey(run)), hashOf(runKey(date))}
}

func newTables(parts []*Part) *tables {
	t := &tables{runs: map[uint32]runNames{}}
	most := -1
	for _, p := range parts {
		for _, c := range p.others {
			t.first = append(t.first, t.n)
			t.logs = append(t.logs, c)
			t.n += c.n
			if most < 0 || c.names.len() > t.logs[most].names.len() {
				most = len(t.logs) - 1
			}
		}
	}
	if most < 0 {
		return t
	}
	t.words.below, t.names.below = &t.logs[most].words, &t.logs[most].names
	t.wordOf, t.nameOf = make([][]uint32, len(t.logs)), make([][]uint32, len(t.logs))
	for l, c := range t.logs {
		if l != most {
			t.wordOf[l], t.nameOf[l] = t.number(c)
		}
	}
	t.tasks = make([]uint64, t.names.len())
	var room []byte
	for n := 1; n < len(t.tasks); n++ {
		name := nameAt(&t.names, uint32(n))
		if name.dotted != 0 {
			room = append(room[:0], t.words.at(name.dotted)...)
		} else if name.task != 0 {
			room = append(append(append(room[:0], t.words.at(name.dag)...), '.'), t.words.at(name.task)...)
		} else {
			continue
		}
		t.tasks[n] = maphash.Bytes(symbolSeed, room) | 1
	}
	return t
}

// number gives the words and names of a log their numbers among all.
func (t *tables) number(c *chronicle) (words, names []uint32) {
	words, names = make([]uint32, c.words.len()), make([]uint32, c.names.len())
	for n := 1; n < len(words); n++ {
		words[n] = t.words.id(c.words.at(uint32(n)))
	}
	for n := 1; n < len(names); n++ {
		x := nameAt(&c.names, uint32(n))
		for _, w := range [...]*uint32{&x.dag, &x.run, &x.task, &x.dotted, &x.uuid, &x.folder} {
			*w = words[*w]
		}
		names[n] = idOfName(&t.names, x)
	}
	return words, names
}

// each calls do with every note, its number and the number of its log.
func (t *tables) each(do func(i, log int, n *note) (more bool)) {
	for l, c := range t.logs {
		i := t.first[l]
		for _, block := range c.notes {
			for k := range block {
				if !do(i, l, &block[k]) {
					return
				}
				i++
			}
		}
	}
}

// log finds the log of the i-th note.
func (t *tables) log(i int) int {
	lo, hi := 0, len(t.first)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; t.first[mid] <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// name is the number of a note's name among all.
func (t *tables) name(log int, n *note) uint32 {
	if list := t.nameOf[log]; list != nil {
		return list[n.name]
	}
	return n.name
}

// pod is the number of the pod that a note names.
func (t *tables) pod(log int, n *note) uint32 {
	if n.way == 0 {
		return 0
	}
	pod := t.logs[log].wayAt(n.way).pod
	if list := t.wordOf[log]; list != nil {
		return list[pod]
	}
	return pod
}

func (t *tables) run(word uint32) runNames {
	if word == 0 {
		return runNames{}
	}
	r, ok := t.runs[word]
	if !ok {
		r = namesOfRun(t.words.string(word))
		t.runs[word] = r
	}
	return r
}
