package main

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// span writes seconds for people, in one form everywhere: 0.4 s, 95 s, 5 min 10 s, 35 min, 2 h 05 min, 3 d 4 h.
func span(s float64) string {
	if s < 0 {
		return "-" + span(-s)
	}
	if s < 1 && s >= 0.05 {
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	}
	n := int64(math.Round(s))
	switch {
	case n < 120 && n%60 != 0 || n == 0:
		return fmt.Sprintf("%d s", n)
	case n < 3600 && n%60 == 0:
		return fmt.Sprintf("%d min", n/60)
	case n < 3600:
		return fmt.Sprintf("%d min %d s", n/60, n%60)
	case n < 48*3600:
		return fmt.Sprintf("%d h %02d min", n/3600, n%3600/60)
	default:
		return fmt.Sprintf("%d d %d h", n/86400, n%86400/3600)
	}
}

// thousands writes 20012 as 20,012.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// size writes bytes for people: 812 B, 27.5 KB, 2.7 GB.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), 0
	for f >= 999.95 && unit < 5 {
		f /= 1000
		unit++
	}
	return fmt.Sprintf("%.1f %cB", f, " KMGTP"[unit])
}

// clock shows times in one zone.
type clock struct {
	zone *time.Location
	now  time.Time
}

func (c clock) date(t time.Time) string { return t.In(c.zone).Format("2006-01-02") }
func (c clock) hour(t time.Time) string { return t.In(c.zone).Format("15:04:05") }
func (c clock) full(t time.Time) string { return t.In(c.zone).Format("2006-01-02 15:04:05") }

// name is the zone as it is called at t: UTC, CEST, +02:00.
func (c clock) name(t time.Time) string {
	name, offset := t.In(c.zone).Zone()
	if name == "" || name[0] == '+' || name[0] == '-' {
		return time.Unix(0, 0).In(time.FixedZone("", offset)).Format("-07:00")
	}
	return name
}

// stretch shows two times, the date of the second only where it is another day.
func (c clock) stretch(from, to time.Time) string {
	if c.date(from) == c.date(to) {
		return c.full(from) + " to " + c.hour(to)
	}
	return c.full(from) + " to " + c.full(to)
}

// near shows the time alone where t is on the same day as the reference, else with the date.
func (c clock) near(t, reference time.Time) string {
	if c.date(t) == c.date(reference) {
		return c.hour(t)
	}
	return c.full(t)
}
