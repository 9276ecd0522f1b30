package main

import (
	"strings"
	"time"
)

// ambiguous are abbreviations that people in more than one place use, with the meaning that is taken and what else it
// could be.
var ambiguous = map[string]struct {
	hours  float64
	taken  string
	others string
	better string
}{
	"AST": {-4, "Atlantic time, -04:00", "Arabia +03:00", "America/Halifax or Asia/Riyadh"},
	"BST": {1, "British summer time, +01:00", "Bangladesh +06:00", "Europe/London or Asia/Dhaka"},
	"CDT": {-5, "US central daylight time, -05:00", "Cuba -04:00", "America/Chicago or America/Havana"},
	"CST": {-6, "US central time, -06:00", "China +08:00, Cuba -05:00", "America/Chicago or Asia/Shanghai"},
	"ECT": {-5, "Ecuador, -05:00", "eastern Caribbean -04:00", "America/Guayaquil or America/Puerto_Rico"},
	"EST": {-5, "US eastern time, -05:00", "eastern Australia +10:00", "America/New_York or Australia/Sydney"},
	"GST": {4, "Gulf time, +04:00", "South Georgia -02:00", "Asia/Dubai or Atlantic/South_Georgia"},
	"IST": {5.5, "India, +05:30", "Israel +02:00, Ireland +01:00", "Asia/Kolkata, Asia/Jerusalem or Europe/Dublin"},
	"MST": {-7, "US mountain time, -07:00", "Malaysia +08:00", "America/Denver or Asia/Kuala_Lumpur"},
	"PST": {-8, "US Pacific time, -08:00", "Philippines +08:00", "America/Los_Angeles or Asia/Manila"},
	"SST": {-11, "Samoa, -11:00", "Singapore +08:00", "Pacific/Pago_Pago or Asia/Singapore"},
}

// parseZone reads a zone: UTC, local, a name of the zone database, or an offset such as +02:00. warning is set where the
// name could mean another zone as well.
func parseZone(flag, s string) (zone *time.Location, warning *usageError, err error) {
	switch strings.ToLower(s) {
	case "utc", "z":
		return time.UTC, nil, nil
	case "local":
		return time.Local, nil, nil
	}
	if a, ok := ambiguous[strings.ToUpper(s)]; ok {
		name := strings.ToUpper(s)
		return time.FixedZone(name, int(a.hours*3600)), &usageError{
			say:  "--" + flag + " " + name + " is ambiguous (" + a.taken + "; " + a.others + "): read as " + a.taken,
			hint: "write " + a.better,
		}, nil
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, offset := t.Zone()
			if offset == 0 {
				return time.UTC, nil, nil
			}
			return time.FixedZone(t.Format("-07:00"), offset), nil, nil
		}
	}
	if zone, err := time.LoadLocation(s); err == nil && s != "" {
		return zone, nil, nil
	}
	return nil, nil, wrong("write UTC, local, Europe/Berlin or +02:00", "--%s: %q is no time zone", flag, s)
}
