package main

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// parseSpan reads a length of time: 300s, 5m, 12h, 3d, 2w, also 1h30m and 1d12h. It is never negative.
func parseSpan(s string) (time.Duration, bool) {
	var total time.Duration
	rest := s
	for _, unit := range []struct {
		letter string
		long   time.Duration
	}{{"w", 7 * 24 * time.Hour}, {"d", 24 * time.Hour}} {
		number, after, ok := strings.Cut(rest, unit.letter)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(number, 64)
		if err != nil || n < 0 || n > 1e5 {
			return 0, false
		}
		total += time.Duration(n * float64(unit.long))
		rest = after
	}
	if rest == "" {
		return total, s != ""
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, false
	}
	return total + d, true
}

// dateLayouts are the dates and times that flags take, besides lengths of time. The last ones name no zone.
var dateLayouts = [...]string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04:05.999999999Z0700", "20060102T150405Z0700", "20060102T150405",
	"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"}

// parseDate reads a date or time; one without a zone is read in zone. day says that it names a whole day.
func parseDate(s string, zone *time.Location) (at time.Time, day, ok bool) {
	for _, layout := range dateLayouts {
		if at, err := time.ParseInLocation(layout, s, zone); err == nil {
			return at, layout == "2006-01-02", true
		}
	}
	return time.Time{}, false, false
}

// parseWhen reads the value of --since and its like: a length of time before now, or a date or time. An end (--until) that
// names a day means the end of that day.
func parseWhen(flag, s string, zone *time.Location, now time.Time, end bool) (time.Time, error) {
	if d, ok := parseSpan(s); ok {
		return now.Add(-d), nil
	}
	at, day, ok := parseDate(s, zone)
	if !ok {
		return at, wrong("write 12h, 3d, 2024-05-01 or 2024-05-01T02:00:00Z", "--%s: %q is no time", flag, s)
	}
	if end && day {
		at = at.AddDate(0, 0, 1).Add(-1)
	}
	return at, nil
}

// runDate is a date inside a run id, with the time of day where it has one: 2024-05-01T00:00:00.123+00:00, with or without
// the characters that paths may not hold.
var runDate = regexp.MustCompile(`(?:^|[^0-9])([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:[T ]([0-9]{2}):?([0-9]{2})(?::?([0-9]{2})(\.[0-9]+)?)?(?:([+-][0-9]{2}):?([0-9]{2}))?)?(?:[^0-9]|$)`)

// logicalDate is the date that a run id holds: Airflow writes it (scheduled__2024-05-01T00:00:00+00:00), people do
// (nightly-2024-05-01), and up to 2.1 it is the whole id. Without a zone it is UTC.
func logicalDate(run string) (time.Time, bool) {
	for _, m := range runDate.FindAllStringSubmatch(run, -1) {
		zone := "Z"
		if m[8] != "" {
			zone = m[8] + ":" + m[9]
		}
		clock := or(m[4], "00") + ":" + or(m[5], "00") + ":" + or(m[6], "00") + m[7]
		if at, err := time.Parse(time.RFC3339Nano, m[1]+"-"+m[2]+"-"+m[3]+"T"+clock+zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// parseSize reads a number of bytes: 4096, 256K, 256KiB, 1M, 2GiB. K, M and G are powers of 1024.
func parseSize(s string) (int64, bool) {
	digits := strings.TrimRight(s, "kKmMgGiIbB")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<40 {
		return 0, false
	}
	switch strings.ToLower(s[len(digits):]) {
	case "", "b":
		return n, true
	case "k", "kb", "kib":
		return n << 10, true
	case "m", "mb", "mib":
		return n << 20, true
	case "g", "gb", "gib":
		return n << 30, n < 1<<30
	}
	return 0, false
}
