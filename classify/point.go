package classify

import (
	"math"
	"strconv"
	"strings"
)

// A point is the place in the task's own code at which a try stopped, as far as its last words tell. Two points are
// the same when their texts agree in everything but ids, clocks, addresses and paths, and when whatever counts in
// them (rows, batches, percent) stands at the same value:
//
//	merged segment 7, heap now 1940 MiB    the same point as    merged segment 7, heap now 1952 MiB
//	table 3 of 30 merged                   not the same as      table 17 of 30 merged
//	attempt 1, pid 401, /tmp/tmpa81x       the same point as    attempt 2, pid 977, /tmp/tmp_k2w

// point is where one try stopped: the templates of its last words and of what it said before them.
type point struct {
	try    *Try
	lines  []template // oldest first; the last one is of the last words
	placed bool       // false: the last words repeat without anything that counts, so they tell no place
	window int        // how many of the last lines tell the place: more than one inside a loop
	places [][]int    // by line from the end: the slots that are positions
}

// pointOf is nil where the task's own code never said anything.
func pointOf(t *Try) *point {
	if t.LastWords == nil || strings.TrimSpace(t.LastWords.Text) == "" {
		return nil
	}
	texts := t.Tail
	if n := len(texts); n == 0 || !strings.HasPrefix(texts[n-1], t.LastWords.Text) && !strings.HasPrefix(t.LastWords.Text, texts[n-1]) {
		texts = append(texts[:n:n], t.LastWords.Text)
	}
	p := &point{try: t}
	for _, text := range texts {
		p.lines = append(p.lines, templateOf(text, t.Host))
	}
	return p
}

// back is the i-th line from the end.
func (p *point) back(i int) (template, bool) {
	if i >= len(p.lines) {
		return template{}, false
	}
	return p.lines[len(p.lines)-1-i], true
}

// period is the length of the loop that the last lines stand in, 0 for none: the last two lines came before at that distance.
func (p *point) period() int {
	for n := 1; n <= 3; n++ {
		fits := 0
		for i := range 2 {
			a, _ := p.back(i)
			if b, ok := p.back(i + n); ok && a.key == b.key {
				fits++
			}
		}
		if fits == 2 {
			return n
		}
	}
	return 0
}

// moves says whether a slot of a template changes between one line of this log and the next of the same template.
func (p *point) moves(key string, i int) bool {
	var last *slot
	for _, l := range p.lines {
		if l.key != key {
			continue
		}
		if last != nil && !(last.value == l.slots[i].value && last.num == l.slots[i].num) {
			return true
		}
		last = &l.slots[i]
	}
	return false
}

// grows says whether a slot rises in at least four lines of one log, as a clock does.
func (p *point) grows(key string, i int) bool {
	n, last := 0, math.Inf(-1)
	for _, l := range p.lines {
		if l.key != key {
			continue
		}
		if l.slots[i].num <= last {
			return false
		}
		n, last = n+1, l.slots[i].num
	}
	return n >= 4
}

// placePoints finds, for points that end on the same template, which parts of the last lines tell where they stopped.
// What one log shows (this number changes from line to line) holds for all of them.
func placePoints(points []*point) {
	byEnd := map[string][]*point{}
	for _, p := range points {
		end, _ := p.back(0)
		byEnd[end.key] = append(byEnd[end.key], p)
	}
	for _, same := range byEnd {
		window, loops := 1, false
		for _, p := range same {
			if n := p.period(); n > 0 {
				window, loops = max(window, n), true
			}
		}
		for _, p := range same {
			p.window, p.places = window, make([][]int, window)
			n := p.positions(same, func(k slotKind) bool { return k == slotProgress }, nil)
			n += p.positions(same, func(k slotKind) bool { return k == slotPlain }, (*point).moves)
			if n == 0 {
				n += p.positions(same, func(k slotKind) bool { return k == slotSize }, (*point).moves)
			}
			if n == 0 {
				n += p.positions(same, func(k slotKind) bool { return k == slotDuration }, (*point).grows)
			}
			p.placed = n > 0 || !loops
		}
	}
}

// positions adds the slots of a kind that count, in the lines of the window, and returns how many there are.
func (p *point) positions(same []*point, kind func(slotKind) bool, counts func(*point, string, int) bool) (n int) {
	for back := range p.window {
		l, ok := p.back(back)
		if !ok {
			continue
		}
		for i, sl := range l.slots {
			if !kind(sl.kind) {
				continue
			}
			seen := counts == nil
			for _, q := range same {
				seen = seen || counts(q, l.key, i)
			}
			if seen {
				p.places[back] = append(p.places[back], i)
				n++
			}
		}
	}
	return n
}

// counted says whether a number that counts helped to tell the place.
func (p *point) counted() bool {
	for _, at := range p.places {
		if len(at) > 0 {
			return true
		}
	}
	return false
}

// samePoint says whether two tries stopped at the same point. Both must have been placed together.
func samePoint(a, b *point) bool {
	if !a.placed || !b.placed {
		return false
	}
	endA, _ := a.back(0)
	if endB, _ := b.back(0); endA.key != endB.key {
		return sameEndShuffled(a, b)
	}
	for i := range max(a.window, b.window) {
		la, okA := a.back(i)
		lb, okB := b.back(i)
		if !okA || !okB || la.key != lb.key {
			return false
		}
		for _, k := range a.places[i] {
			if !la.slots[k].equal(lb.slots[k]) {
				return false
			}
		}
	}
	return true
}

// sameEndShuffled says whether the last three lines are the same in another order: standard output and log records
// reach the file of Airflow 3 through two pipes.
func sameEndShuffled(a, b *point) bool {
	ends := func(p *point) map[string]bool {
		m := map[string]bool{}
		for i := range 3 {
			if l, ok := p.back(i); ok {
				key := l.key
				for _, sl := range l.slots {
					if sl.kind == slotProgress {
						key += "\x00" + strconv.FormatFloat(sl.num, 'g', -1, 64)
					}
				}
				m[key] = true
			}
		}
		return m
	}
	ea, eb := ends(a), ends(b)
	if len(ea) != 3 || len(eb) != 3 {
		return false
	}
	for k := range ea {
		if !eb[k] {
			return false
		}
	}
	return true
}

// alike counts the lines before two ends that agree, from the end up.
func alike(a, b *point) (n int) {
	for {
		la, okA := a.back(n)
		lb, okB := b.back(n)
		if !okA || !okB || la.key != lb.key {
			return n
		}
		n++
	}
}

// samePoints groups points that are the same, in the order of their tries. Points that tell no place are left out.
func samePoints(points []*point) (groups [][]*point) {
	placePoints(points)
next:
	for _, p := range points {
		if !p.placed {
			continue
		}
		for i, g := range groups {
			if samePoint(g[0], p) {
				groups[i] = append(g, p)
				continue next
			}
		}
		groups = append(groups, []*point{p})
	}
	return groups
}
