package classify

import (
	"math"
	"strconv"
	"strings"
)

// numeral is a number with the unit that is glued to it or follows it.
type numeral struct {
	text string
	num  float64
	unit string
}

func wordNumber(w string) *numeral {
	if w == "" || w[0] != '-' && w[0] != '+' && (w[0] < '0' || w[0] > '9') {
		return nil
	}
	m := numberWord.FindStringSubmatch(w)
	if m == nil {
		return nil
	}
	switch u := strings.ToLower(m[2]); {
	case u == "", u == "%", u == "k", u == "m", u == "x", u == "st", u == "nd", u == "rd", u == "th", sizeUnit(u) > 0, durationUnit(u):
		return &numeral{text: w, num: parseNumeral(m[1]), unit: u}
	}
	return nil
}

// grouping leaves out what groups the digits of a number.
var grouping = strings.NewReplacer(",", "", "_", "")

func parseNumeral(s string) float64 {
	f, err := strconv.ParseFloat(grouping.Replace(s), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// slot says what the number means between the words before and after it.
func (n *numeral) slot(before, after string) (mark string, sl slot) {
	sl = slot{kind: slotPlain, value: n.text, num: n.num, isNum: true}
	switch unit := n.unit; {
	case unit == "%":
		sl.kind, sl.num = slotProgress, math.Floor(n.num)
		return "<n>%", sl
	case sizeUnit(unit) > 0:
		sl.kind, sl.num, sl.slack = slotSize, n.num*sizeUnit(unit), measureSlack
		if progressVerb(before) {
			sl.kind = slotProgress
		}
		return "<size>", sl
	case durationUnit(unit) && unit != "m":
		sl.kind, sl.slack = slotDuration, measureSlack
		return "<for>", sl
	}
	before = before[strings.LastIndexAny(before, "_-.")+1:] // total_rows counts rows, task_id is an id
	switch {
	case noiseWord(before), epochStamp(n.text):
		sl.kind = slotNoise
	case progressWord(before), progressWord(after), progressVerb(before), after == "left", after == "remaining":
		sl.kind = slotProgress
	}
	return "<n>", sl
}

// epochStamp says whether digits are a Unix time of this age of the world, in seconds to nanoseconds.
func epochStamp(s string) bool {
	whole, _, _ := strings.Cut(s, ".")
	switch len(whole) {
	case 10, 13, 16, 19:
		return whole[0] == '1' && strings.Trim(whole, "0123456789") == ""
	}
	return false
}

// progressWord says whether numbers beside this word count how far the work got.
func progressWord(w string) bool {
	switch w {
	case "row", "rows", "record", "records", "entry", "entries", "item", "items", "batch", "batches", "percent",
		"table", "tables", "chunk", "chunks", "page", "pages", "step", "steps", "epoch", "epochs", "frame", "frames",
		"file", "files", "partition", "partitions", "iteration", "iterations", "iter", "block", "blocks", "part", "parts",
		"shard", "shards", "segment", "segments", "tile", "tiles", "zoom", "level", "image", "images", "column", "columns",
		"round", "pass", "stage", "phase", "fold", "split", "splits", "bucket", "buckets", "slice", "slices", "packet", "packets",
		"message", "messages", "offset", "event", "events", "document", "documents", "doc", "docs", "article", "articles",
		"loop", "cycle", "window", "sample", "samples", "index", "position", "progress", "count", "checkpoint", "object", "objects",
		"poke", "tick", "lines", "line", "users", "customers", "orders", "keys", "tuples", "stop", "route", "group", "section":
		return true
	}
	return false
}

// progressVerb says whether a number behind this word counts what is done: processed 1200.
func progressVerb(w string) bool {
	switch w {
	case "processed", "downloaded", "uploaded", "copied", "transferred", "written", "wrote", "done", "completed", "finished",
		"scanned", "imported", "exported", "inserted", "merged", "migrated", "fetched":
		return true
	}
	return false
}

// noiseWord says whether numbers behind this word name something that is new in every process.
func noiseWord(w string) bool {
	switch w {
	case "pid", "process", "port", "id", "tid", "thread", "job", "session", "seed", "query", "request", "transaction", "trace", "span", "connection", "uid":
		return true
	}
	return false
}

// codeWord says whether a number behind this word tells one error from another.
func codeWord(w string) bool {
	switch w {
	case "code", "status", "errno", "http", "signal", "exit", "sqlstate", "rc", "returncode", "exitcode", "exit_code", "status_code":
		return true
	}
	return false
}

func sizeUnit(u string) float64 {
	switch strings.ToLower(u) {
	case "b", "byte", "bytes":
		return 1
	case "kb", "kib":
		return 1 << 10
	case "mb", "mib":
		return 1 << 20
	case "gb", "gib":
		return 1 << 30
	case "tb", "tib":
		return 1 << 40
	}
	return 0
}

func durationUnit(u string) bool {
	switch u {
	case "ns", "us", "µs", "ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes", "h", "hour", "hours",
		"it/s", "b/s", "kb/s", "mb/s", "rows/s":
		return true
	}
	return false
}
