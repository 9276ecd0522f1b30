package classify

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
)

// finder finds the numbers that were filed under a key. A key is a hash: what is found may belong to another key, so that
// whoever asks has to look at it.
type finder struct {
	hits   []hit
	sorted bool
}

type hit struct {
	key uint64
	i   int32
}

func (f *finder) file(key uint64, i int) {
	f.hits, f.sorted = append(f.hits, hit{key, int32(i)}), false
}

// find lists what is filed under a key, in order.
func (f *finder) find(key uint64) []hit {
	f.sort()
	from := sort.Search(len(f.hits), func(i int) bool { return f.hits[i].key >= key })
	to := from
	for to < len(f.hits) && f.hits[to].key == key {
		to++
	}
	return f.hits[from:to]
}

func (f *finder) sort() {
	if !f.sorted {
		slices.SortFunc(f.hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.i, b.i)) })
		f.sorted = true
	}
}

// groups calls do with the hits of each key.
func (f *finder) groups(do func([]hit)) {
	f.sort()
	for from := 0; from < len(f.hits); {
		to := from + 1
		for to < len(f.hits) && f.hits[to].key == f.hits[from].key {
			to++
		}
		do(f.hits[from:to])
		from = to
	}
}

// instanceFile is how a mention or a try is filed by what is known of its task instance: 0 for a task or run that is not
// known, MapUnknown and 0 for map index and try.
type instanceFile struct {
	kind      byte // of file
	task, run uint64
	mapIndex  int32
	try       int32
}

func (f instanceFile) key() uint64 { return maphash.Comparable(symbolSeed, f) }
