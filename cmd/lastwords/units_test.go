package main

import (
	"testing"
	"time"

	"lastwords/classify"
)

func TestSpan(t *testing.T) {
	for s, want := range map[float64]string{0: "0 s", 0.04: "0 s", 0.42: "0.4 s", 59: "59 s", 60: "1 min", 95: "95 s", 310: "5 min 10 s",
		2100: "35 min", 3599.6: "1 h 00 min", 7500: "2 h 05 min", 273600: "3 d 4 h", -90: "-90 s"} {
		if got := span(s); got != want {
			t.Errorf("span(%v) = %q, want %q", s, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 20012: "20,012", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %q", n, got)
		}
	}
	for n, want := range map[int64]string{812: "812 B", 27_500: "27.5 KB", 2_700_000_000: "2.7 GB", 999_999: "1.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q", n, got)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]time.Duration{"300s": 5 * time.Minute, "5m": 5 * time.Minute, "12h": 12 * time.Hour, "3d": 72 * time.Hour,
		"2w": 14 * 24 * time.Hour, "1d12h": 36 * time.Hour, "1h30m": 90 * time.Minute, "0.5d": 12 * time.Hour} {
		if got, ok := parseSpan(s); !ok || got != want {
			t.Errorf("parseSpan(%s) = %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "300", "-5m", "d", "x", "1x", "3dd", "2024-05-01"} {
		if got, ok := parseSpan(s); ok {
			t.Errorf("parseSpan(%s) = %v", s, got)
		}
	}
	for s, want := range map[string]int64{"4096": 4096, "256K": 256 << 10, "1MiB": 1 << 20, "1mb": 1 << 20, "2GiB": 2 << 30} {
		if got, ok := parseSize(s); !ok || got != want {
			t.Errorf("parseSize(%s) = %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "0", "-1", "1T", "K", "1KK", "1iB"} {
		if got, ok := parseSize(s); ok {
			t.Errorf("parseSize(%s) = %v", s, got)
		}
	}
	berlin, _, err := parseZone("tz", "Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := at("2024-05-03T00:00:00Z")
	for s, want := range map[string]string{"12h": "2024-05-02T12:00:00Z", "2024-05-01": "2024-04-30T22:00:00Z",
		"2024-05-01T02:00": "2024-05-01T00:00:00Z", "2024-05-01T02:00:00Z": "2024-05-01T02:00:00Z"} {
		if got, err := parseWhen("since", s, berlin, now, false); err != nil || !got.Equal(at(want)) {
			t.Errorf("parseWhen(%s) = %v, %v", s, got, err)
		}
	}
	if got, _ := parseWhen("until", "2024-05-01", berlin, now, true); !got.Equal(at("2024-05-01T21:59:59.999999999Z")) {
		t.Errorf("until a day: %v", got)
	}
	for s, want := range map[string]string{
		"scheduled__2024-05-01T00:00:00+00:00":                 "2024-05-01T00:00:00Z",
		"manual__2024-05-01T10:20:30.123456+02:00":             "2024-05-01T08:20:30.123456Z",
		"manual__2025-05-01T10:20:30.123456+00:00_Ab3dEfGh":    "2025-05-01T10:20:30.123456Z",
		"backfill__2024-05-01":                                 "2024-05-01T00:00:00Z",
		"2019-03-01T00:00:00+00:00":                            "2019-03-01T00:00:00Z",
		"20190301T000000":                                      "2019-03-01T00:00:00Z",
		"asset_triggered__2025-06-11T09:06:14.000001+00:00_xy": "2025-06-11T09:06:14.000001Z",
		"scheduled__2026-03-01T020000":                         "2026-03-01T02:00:00Z",
		"manual__2026-03-02T013000+0200":                       "2026-03-01T23:30:00Z",
		"nightly-2026-03-02":                                   "2026-03-02T00:00:00Z",
		"nightly_20260411_1800":                                "2026-04-11T00:00:00Z",
	} {
		if got, ok := logicalDate(s); !ok || !got.Equal(at(want)) {
			t.Errorf("logicalDate(%s) = %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "my run", "nightly_42", "a__b_c", "order-20260411998", "2026-13-45"} {
		if got, ok := logicalDate(s); ok {
			t.Errorf("logicalDate(%s) = %v", s, got)
		}
	}
}

func TestZone(t *testing.T) {
	for s, want := range map[string]string{"UTC": "UTC", "utc": "UTC", "+02:00": "+02:00", "+0530": "+05:30", "-03": "-03:00", "Europe/Berlin": "CEST", "Asia/Kolkata": "IST"} {
		zone, warning, err := parseZone("tz", s)
		if err != nil || warning != nil {
			t.Errorf("parseZone(%s): %v, %v", s, warning, err)
			continue
		}
		if got := (clock{zone: zone}).name(at("2024-05-01T00:00:00Z")); got != want {
			t.Errorf("%s is called %s, want %s", s, got, want)
		}
	}
	for _, s := range []string{"EST", "IST", "CST", "bst"} {
		if zone, warning, err := parseZone("log-tz", s); zone == nil || warning == nil || err != nil {
			t.Errorf("parseZone(%s): %v, %v, %v", s, zone, warning, err)
		}
	}
	if _, _, err := parseZone("tz", ""); err == nil {
		t.Error("an empty zone is taken")
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{{"etl", "etl", true}, {"etl", "etl2", false}, {"etl*", "etl2", true}, {"*", "", true}, {"*a*b", "xxaxbxb", true},
		{"scheduled__*", "scheduled__2024-05-01T00:00:00+00:00", true}, {"?", "", false}, {"a?c", "abc", true}, {"*/x", "a/b/x", true}} {
		if got := glob(c.pattern, c.s); got != c.want {
			t.Errorf("glob(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"memory", "memory-error", "sigkill-unknown", "truncated-then-zombie", "skip"}
	for word, want := range map[string]string{"memroy": "memory", "sigkil-unknown": "sigkill-unknown", "zombie": "truncated-then-zombie",
		"sigkill": "sigkill-unknown", "xyz": "", "Memory": "memory"} {
		if got := nearest(word, names); got != want {
			t.Errorf("nearest(%s) = %q, want %q", word, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	var tries []*classify.Try
	add := func(task, host, when string, ending classify.Ending, cause string) {
		x := try(id("d", task, 1), 1, ending, cause)
		x.Host, x.EndedAt = host, at(when)
		tries = append(tries, x)
	}
	k := classify.NegativeReturnCode
	add("a", "w1", "2024-05-01T02:13:59Z", k, "sigkill-unknown")
	add("b", "w1", "2024-05-01T02:14:30Z", k, "sigkill-unknown") // over the minute's edge
	add("c", "w2", "2024-05-01T02:14:31Z", k, "sigkill-unknown") // alone on its host
	add("d", "w1", "2024-05-01T02:14:32Z", classify.Traceback, "user-exception")
	add("e", "w3", "2024-05-01T03:00:00Z", classify.TruncatedThenZombie, "node-lost")
	add("f", "w4", "2024-05-01T03:00:10Z", classify.TruncatedThenZombie, "node-lost")
	add("g", "w5", "2024-05-01T03:00:20Z", classify.Traceback, "worker-shutdown")
	add("h", "w6", "2024-05-01T05:00:00Z", k, "segfault")
	add("h", "w6", "2024-05-01T05:00:20Z", k, "segfault") // the same task instance again
	got := events(tries)
	if len(got) != 2 || len(got[0].tries) != 3 || len(got[0].hosts) != 3 || len(got[1].tries) != 2 || got[1].hosts[0] != "w1" {
		t.Errorf("events %+v", got)
	}
}

func TestAxis(t *testing.T) {
	day := func(s string) time.Time { return at("2024-05-" + s + "Z") }
	a, ok := newAxis([]classify.Phase{
		{Phase: "running", From: day("01T00:00:00"), To: day("01T00:30:00")},
		{Phase: "waiting", From: day("01T00:30:00"), To: day("01T00:35:00")},
		{Phase: "running", From: day("03T00:00:00"), To: day("03T00:25:00")}, // cleared two days later
	})
	if !ok || len(a.cuts) != 1 || a.drawn != time.Hour {
		t.Fatalf("axis %+v", a)
	}
	for s, want := range map[string]int{"01T00:00:00": 0, "01T00:30:00": 30, "02T00:00:00": 35, "03T00:00:00": 35, "03T00:25:00": 60} {
		if got := a.column(day(s), 60); got != want {
			t.Errorf("%s stands in column %d, want %d", s, got, want)
		}
	}
	if got := a.instant(40, 60); !got.Equal(day("03T00:05:00")) {
		t.Errorf("column 40 is %v", got)
	}
	bar := a.bar([]classify.Phase{{Phase: "running", From: day("01T00:00:00"), To: day("01T00:00:01")},
		{Phase: "undetected", From: day("01T00:00:01"), To: day("01T00:00:02")}, {Phase: "queued", From: day("03T00:25:00"), To: day("03T00:25:00")}}, 10)
	if string(bar[:3]) != "\x02\x05\x00" {
		t.Errorf("bar %v: a short phase has no cell of its own", bar)
	}
	if _, ok := newAxis(nil); ok {
		t.Error("an axis of nothing")
	}
}
