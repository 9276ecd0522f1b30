package main

import (
	"fmt"
	"slices"
)

// spread is one quantity over all rounds.
type spread struct{ Median, Min, Max float64 }

func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Sorted(slices.Values(values))
	return spread{Median: (v[(len(v)-1)/2] + v[len(v)/2]) / 2, Min: v[0], Max: v[len(v)-1]}
}

// wander is how far the values lie apart, as a share of their median. Of ten and more values the lowest and highest
// tenth are left out.
func wander(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	if n := len(v) / 10; n > 0 {
		v = v[n : len(v)-n]
	}
	s := spreadOf(v)
	if s.Median == 0 {
		return 0
	}
	return (s.Max - s.Min) / s.Median
}

// figure is one number that the benchmark is for.
type figure struct {
	ID, Says, Unit string
	Value          spread
	Goal           float64 // 0: none
	AtMost         bool    // the value must not be above the goal; else not below
	Met            string  // yes, no, noisy, or "no: ..." where the answers are not the same; empty without a goal
	timed          bool    // noise can move it
}

// judge sets Met. What noise can move is judged only on a quiet machine.
func (f *figure) judge(noisy string, disagree bool) {
	met := f.Value.Median >= f.Goal
	if f.AtMost {
		met = f.Value.Median <= f.Goal
	}
	switch {
	case f.Goal == 0:
	case disagree:
		f.Met = "no: answers differ"
	case f.timed && noisy != "":
		f.Met = "noisy"
	case met:
		f.Met = "yes"
	default:
		f.Met = "no"
	}
}

func (f figure) value() string { return number(f.Value.Median) + unit(f.Unit) }

func (f figure) bounds() string {
	if f.Value.Min == f.Value.Max {
		return ""
	}
	return number(f.Value.Min) + "–" + number(f.Value.Max)
}

func (f figure) goal() string {
	if f.Goal == 0 {
		return ""
	}
	sign := "≥ "
	if f.AtMost {
		sign = "≤ "
	}
	return sign + number(f.Goal) + unit(f.Unit)
}

func unit(u string) string {
	if u == "" || u == "×" {
		return u
	}
	return " " + u
}

func number(v float64) string {
	switch {
	case v >= 100, v == float64(int64(v)):
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func secondsText(s float64) string {
	if s < 0.1 {
		return fmt.Sprintf("%.1f ms", s*1e3)
	}
	return fmt.Sprintf("%.2f s", s)
}

func bytesText(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", n/1e6)
	}
	return fmt.Sprintf("%.0f kB", n/1e3)
}
