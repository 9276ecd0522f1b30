package classify

import (
	"bytes"
	"strconv"
	"time"
)

// clockISO reads the RFC 3339 time that b begins with and returns its length, 0 if there is none. The zone may lack
// its colon, or be absent (UTC). It does not allocate: exports have one a line.
func clockISO(b []byte) (t time.Time, n int) {
	if len(b) < 19 || b[10] != 'T' {
		return t, 0
	}
	return clockDigits(b)
}

// clockDigits is clockISO with any byte between date and time.
func clockDigits(b []byte) (t time.Time, n int) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' ||
		!allDigits(b[:4]) || !allDigits(b[5:7]) || !allDigits(b[8:10]) || !allDigits(b[11:13]) || !allDigits(b[14:16]) || !allDigits(b[17:19]) {
		return t, 0
	}
	month, day, hour, minute, second := decimal(b[5:7]), decimal(b[8:10]), decimal(b[11:13]), decimal(b[14:16]), decimal(b[17:19])
	if month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60 {
		return t, 0
	}
	n = 19
	nanos := 0
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && allDigits(b[n+1:n+2]) {
		n++
		for unit := 100_000_000; n < len(b) && b[n] >= '0' && b[n] <= '9'; n++ {
			nanos += int(b[n]-'0') * unit
			unit /= 10
		}
	}
	zone, width := zoneOffset(b[n:])
	n += width
	return time.Date(decimal(b[:4]), time.Month(month), day, hour, minute, second-zone, nanos, time.UTC), n
}

// zoneOffset reads Z, +01:00, +0100 or +01; it returns seconds east of Greenwich.
func zoneOffset(b []byte) (seconds, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	if b[0] == 'Z' {
		return 0, 1
	}
	if b[0] != '+' && b[0] != '-' || len(b) < 3 || !allDigits(b[1:3]) {
		return 0, 0
	}
	seconds, n = decimal(b[1:3])*3600, 3
	switch {
	case len(b) >= 6 && b[3] == ':' && allDigits(b[4:6]):
		seconds, n = seconds+decimal(b[4:6])*60, 6
	case len(b) >= 5 && allDigits(b[3:5]):
		seconds, n = seconds+decimal(b[3:5])*60, 5
	}
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, n
}

// clockSyslog reads the time of a syslog or journal line: RFC 3339, `Nov 30 18:06:26[.123456]` (no year: zero time),
// `Sat 2026-11-30 18:06:26 UTC`, or seconds since 1970 with six decimals.
func clockSyslog(b []byte) (t time.Time, n int) {
	if t, n = clockISO(b); n > 0 {
		return t, n
	}
	if len(b) < 15 {
		return t, 0
	}
	if b[3] == ' ' {
		if t, n = clockDigits(b[4:]); n > 0 { // weekday first
			n += 4
			if i := bytes.IndexByte(b[n:], ' '); i == 0 {
				z := n + 1
				for z < len(b) && b[z] >= 'A' && b[z] <= 'Z' {
					z++
				}
				if z > n+1 {
					if string(b[n+1:z]) != "UTC" {
						t = time.Time{}
					}
					n = z
				}
			}
			return t, n
		}
		switch string(b[:3]) {
		case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		default:
			return t, 0
		}
		if !(b[4] == ' ' || allDigits(b[4:5])) || !allDigits(b[5:6]) || b[6] != ' ' ||
			!allDigits(b[7:9]) || b[9] != ':' || !allDigits(b[10:12]) || b[12] != ':' || !allDigits(b[13:15]) {
			return t, 0
		}
		n = 15
		if n < len(b) && b[n] == '.' {
			for n++; n < len(b) && allDigits(b[n:n+1]); n++ {
			}
		}
		return time.Time{}, n
	}
	if len(b) > 17 && allDigits(b[:10]) && b[10] == '.' && allDigits(b[11:17]) {
		return clockNumber(b[:17]), 17
	}
	return t, 0
}

// clockValue reads the time that a field of an export holds: RFC 3339 or with a blank, Kibana's
// `Feb 15, 2024 @ 17:47:55.619`, or a number since 1970 in seconds, milli-, micro- or nanoseconds.
func clockValue(b []byte) time.Time {
	b = bytes.TrimSpace(b)
	if t, n := clockDigits(b); n > 0 {
		return t
	}
	if t := clockNumber(b); !t.IsZero() {
		return t
	}
	if len(b) > 20 && len(b) < 40 && b[0] >= 'A' && b[0] <= 'Z' {
		if t, err := time.Parse("Jan 2, 2006 @ 15:04:05", string(b)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// clockNumber tells the unit by the size: all four meet no other between 2001 and 2200.
func clockNumber(b []byte) time.Time {
	if len(b) < 10 || len(b) > 30 || b[0] < '0' || b[0] > '9' {
		return time.Time{}
	}
	whole, frac, _ := bytes.Cut(b, []byte("."))
	if !allDigits(whole) || len(whole) > 19 {
		f, err := strconv.ParseFloat(string(b), 64) // 1.707990475619e9
		if err != nil || f < 1e9 || f > 1e11 {
			return time.Time{}
		}
		return time.UnixMicro(int64(f * 1e6)).UTC()
	}
	v, err := strconv.ParseInt(string(whole), 10, 64)
	if err != nil {
		return time.Time{}
	}
	switch {
	case v < 1e9:
		return time.Time{}
	case v < 1e11:
		var nanos int64
		unit := int64(100_000_000)
		for _, c := range frac {
			if c < '0' || c > '9' {
				break
			}
			nanos += int64(c-'0') * unit
			unit /= 10
		}
		return time.Unix(v, nanos).UTC()
	case v < 1e14:
		return time.UnixMilli(v).UTC()
	case v < 1e17:
		return time.UnixMicro(v).UTC()
	}
	return time.Unix(0, v).UTC()
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

func decimal(b []byte) int {
	n := 0
	for _, c := range b {
		n = n*10 + int(c-'0')
	}
	return n
}

func asciiAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
