package main

import (
	"cmp"
	"slices"
	"time"

	"lastwords/classify"
)

// axis maps time to columns. A long stretch in which no try of the task instance existed (a clear days later) is cut
// out, so that what did happen stays visible.
type axis struct {
	from, to time.Time
	cuts     []stretch
	drawn    time.Duration // to − from, less what was cut out
}

type stretch struct{ from, to time.Time }

// cutFrom is the share of everything drawn from which on an empty stretch is cut out.
const cutFrom = 0.5

// newAxis lays an axis under phases; ok is false where none of them has a length.
func newAxis(phases []classify.Phase) (a axis, ok bool) {
	var busy []stretch
	for _, p := range phases {
		if !p.From.IsZero() && !p.To.IsZero() && !p.To.Before(p.From) {
			busy = append(busy, stretch{p.From, p.To})
		}
	}
	if len(busy) == 0 {
		return a, false
	}
	slices.SortFunc(busy, func(x, y stretch) int { return cmp.Or(x.from.Compare(y.from), x.to.Compare(y.to)) })
	a.from, a.to = busy[0].from, busy[0].to
	var gaps []stretch
	var worked time.Duration
	for _, b := range busy {
		if b.from.After(a.to) {
			gaps = append(gaps, stretch{a.to, b.from})
		}
		if b.to.After(a.to) {
			worked += b.to.Sub(latest(a.to, b.from))
			a.to = b.to
		}
	}
	worked += busy[0].to.Sub(busy[0].from)
	a.drawn = a.to.Sub(a.from)
	for _, g := range gaps {
		if d := g.to.Sub(g.from); float64(d) > cutFrom*float64(worked) && d > time.Minute {
			a.cuts = append(a.cuts, g)
			a.drawn -= d
		}
	}
	return a, a.drawn > 0
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// column is where t stands among n columns, 0 to n.
func (a axis) column(t time.Time, n int) int {
	at := t.Sub(a.from)
	for _, c := range a.cuts {
		if t.After(c.from) {
			end := c.to
			if t.Before(end) {
				end = t
			}
			at -= end.Sub(c.from)
		}
	}
	x := int(float64(at)/float64(a.drawn)*float64(n) + 0.5)
	return min(max(x, 0), n)
}

// instant is the time at column x of n.
func (a axis) instant(x, n int) time.Time {
	t := a.from.Add(time.Duration(float64(a.drawn) * float64(x) / float64(n)))
	for _, c := range a.cuts {
		if t.After(c.from) {
			t = t.Add(c.to.Sub(c.from))
		}
	}
	return t
}

// bar draws the phases of one try in n cells; a cell is an index into phaseNames plus one, 0 is empty. A phase that took
// any time has at least one cell.
func (a axis) bar(phases []classify.Phase, n int) []byte {
	cells := make([]byte, n)
	end := 0
	for _, p := range phases {
		k := slices.Index(phaseNames[:], p.Phase)
		if k < 0 || p.From.IsZero() || !p.To.After(p.From) {
			continue
		}
		from := min(max(a.column(p.From, n), end), n-1)
		to := min(max(a.column(p.To, n), from+1), n)
		for x := from; x < to; x++ {
			cells[x] = byte(k + 1)
		}
		end = to
	}
	return cells
}

// phaseNames are the phases of a try in the order of tables and legends.
var phaseNames = [...]string{"queued", "running", "deferred", "rescheduled", "undetected", "waiting"}
