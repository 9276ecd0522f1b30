package classify

import (
	"bytes"
	"strings"
	"time"
)

// Moment is a time as a log spells it. Naive stamps carry no zone and are read in the zone that the user names.
type moment struct {
	at    time.Time
	naive bool
	zone  string // spelled zone that is not an offset (CEST, MDT)
	fine  bool   // with milliseconds or better
}

// zones lists abbreviations that mean one offset everywhere. Others (EST, CST, IST, BST) are ambiguous and stay naive.
func zoneSeconds(z string) (seconds int, ok bool) {
	switch z {
	case "UTC", "GMT", "Z", "WET":
		return 0, true
	case "CET", "WEST", "MEZ":
		return 3600, true
	case "CEST", "EET", "MESZ", "SAST":
		return 2 * 3600, true
	case "EEST", "MSK", "EAT":
		return 3 * 3600, true
	case "JST", "KST":
		return 9 * 3600, true
	case "EDT":
		return -4 * 3600, true
	case "CDT":
		return -5 * 3600, true
	case "MST":
		return -7 * 3600, true
	case "MDT":
		return -6 * 3600, true
	case "PDT":
		return -7 * 3600, true
	case "PST":
		return -8 * 3600, true
	}
	return numericZone(z)
}

// numericZone reads +03, +0530, +05:30 and GMT+2.
func numericZone(z string) (seconds int, ok bool) {
	z = strings.TrimPrefix(strings.TrimPrefix(z, "GMT"), "UTC")
	if len(z) < 2 || (z[0] != '+' && z[0] != '-') {
		return 0, false
	}
	sign := 1
	if z[0] == '-' {
		sign = -1
	}
	h, m, n := 0, 0, 0
	for _, c := range []byte(z[1:]) {
		switch {
		case c == ':':
			continue
		case c < '0' || c > '9' || n >= 4:
			return 0, false
		case n < 2:
			h = h*10 + int(c-'0')
		default:
			m = m*10 + int(c-'0')
		}
		n++
	}
	if h > 14 || m > 59 {
		return 0, false
	}
	return sign * (h*3600 + m*60), true
}

func digits(b []byte, n int) (int, bool) {
	if len(b) < n {
		return 0, false
	}
	v := 0
	for _, c := range b[:n] {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	return v, true
}

// parseMoment reads the stamp that opens b and returns the rest. It knows
//
//	2021-06-21 05:39:48,424        classic asctime (1.10 to 2.3.3)
//	2023-01-12T03:26:33.347+0000   ISO with offset (2.3.4 to 2.11), also with Z or +00:00 (3.x)
//	2024-03-13, 15:19:53 UTC       as the web page renders it (2.x)
//	2026-07-13 13:32:29            as the web page of 3.x copies it
func parseMoment(b []byte) (m moment, rest []byte, ok bool) {
	y, ok1 := digits(b, 4)
	if !ok1 || len(b) < 19 || b[4] != '-' || b[7] != '-' {
		return m, b, false
	}
	mo, ok2 := digits(b[5:], 2)
	d, ok3 := digits(b[8:], 2)
	if !ok2 || !ok3 || y < 1970 || y > 2200 || mo < 1 || mo > 12 || d < 1 || d > 31 {
		return m, b, false
	}
	i := 10
	comma := false
	if b[i] == ',' {
		comma = true
		i++
	}
	if b[i] != ' ' && b[i] != 'T' {
		return m, b, false
	}
	i++
	if len(b) < i+8 || b[i+2] != ':' || b[i+5] != ':' {
		return m, b, false
	}
	h, ok4 := digits(b[i:], 2)
	mi, ok5 := digits(b[i+3:], 2)
	s, ok6 := digits(b[i+6:], 2)
	if !ok4 || !ok5 || !ok6 || h > 23 || mi > 59 || s > 60 {
		return m, b, false
	}
	i += 8
	ns := 0
	if i < len(b) && (b[i] == ',' || b[i] == '.') && i+1 < len(b) && b[i+1] >= '0' && b[i+1] <= '9' {
		i++
		scale := 100000000
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			ns += int(b[i]-'0') * scale
			scale /= 10
			i++
		}
		m.fine = true
	}
	off, naive := 0, true
	switch {
	case i < len(b) && b[i] == 'Z':
		naive = false
		i++
	case i < len(b) && (b[i] == '+' || b[i] == '-'):
		j := i + 1
		for j < len(b) && (b[j] == ':' || b[j] >= '0' && b[j] <= '9') {
			j++
		}
		if o, good := numericZone(string(b[i:j])); good {
			off, naive = o, false
			i = j
		}
	case comma && i < len(b) && b[i] == ' ':
		j := i + 1
		for j < len(b) && b[j] != ']' && b[j] != ' ' {
			j++
		}
		m.zone = string(b[i+1 : j])
		i = j
		if o, good := zoneSeconds(m.zone); good {
			off, naive, m.zone = o, false, ""
		}
	case i+6 < len(b) && b[i] == ' ' && (b[i+1] == '+' || b[i+1] == '-'):
		if o, good := numericZone(string(bytes.TrimRight(b[i+1:i+6], "]"))); good {
			off, naive = o, false
			i += 6
		}
	}
	m.naive = naive
	m.at = time.Date(y, time.Month(mo), d, h, mi, s, ns, time.UTC).Add(-time.Duration(off) * time.Second)
	return m, b[i:], true
}

// in places a naive moment into the zone that the user names for such stamps.
func (m moment) in(zone *time.Location) time.Time {
	if !m.naive || zone == nil || zone == time.UTC {
		return m.at
	}
	t := m.at
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone).UTC()
}

// stripANSI takes colour out of a line: CSI sequences, and what is left of them when a collector dropped the ESC byte
// ("[[34m2023-…[0m]"). It returns line itself where there is nothing to take out.
func stripANSI(line []byte) []byte {
	if bytes.IndexByte(line, 0x1b) < 0 && !halfANSI(line) {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] == 0x1b {
			if n := sgr(line[i+1:]); n > 0 {
				i += n
			}
			continue
		}
		if line[i] == '[' {
			if n := sgr(line[i:]); n > 0 {
				i += n - 1
				continue
			}
		}
		out = append(out, line[i])
	}
	return out
}

// halfANSI looks for "[0m" or "[34m" without its ESC.
func halfANSI(line []byte) bool {
	for i := 0; i < len(line); {
		j := bytes.IndexByte(line[i:], '[')
		if j < 0 || i+j > 400 {
			return false
		}
		if sgr(line[i+j:]) > 0 {
			return true
		}
		i += j + 1
	}
	return false
}

// sgr returns the length of "[0m" to "[38;5;10m" at the start of b, else 0.
func sgr(b []byte) int {
	if len(b) < 3 || b[0] != '[' {
		return 0
	}
	for i := 1; i < len(b) && i < 14; i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9' || c == ';':
		case c == 'm' && i > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}
