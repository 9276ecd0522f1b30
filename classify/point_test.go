package classify

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tailOf makes a try whose own code said these things, the last words last.
func tailOf(n int, texts ...string) *Try {
	t := &Try{Identity: Identity{DagID: "d", RunID: "r", TaskID: "t", MapIndex: -1, Try: n}, Ending: NegativeReturnCode, Signal: 9, Cause: "sigkill-unknown", Certainty: Unknown}
	t.LastWords = &Place{Source: "attempt.log", Text: texts[len(texts)-1]}
	if len(texts) > 1 {
		t.Tail = texts
	}
	return t
}

func TestSamePoint(t *testing.T) {
	lines := func(s ...string) []string { return s }
	for name, tc := range map[string]struct {
		a, b []string
		same bool
	}{
		"equal words":                    {lines("building the global index in memory"), lines("building the global index in memory"), true},
		"other words":                    {lines("left loaded"), lines("right loaded"), false},
		"pids and paths":                 {lines("spawned pid 401 for /tmp/tmpa81x/out.bin"), lines("spawned pid 97712 for /tmp/tmpk2ww/out.bin"), true},
		"uuid and clock":                 {lines("query 0b0f1a52-55a1-4a53-9d0e-6a2c9a6f0b11 sent at 02:14:07"), lines("query 7f0f1a52-55a1-4a53-9d0e-6a2c9a6f0b99 sent at 05:20:44"), true},
		"hosts":                          {lines("connected to db-1.prod.internal:5432"), lines("connected to db-2.prod.internal:5432"), true},
		"ip addresses":                   {lines("connected to 10.0.3.7:5432"), lines("connected to 10.9.1.200:5432"), true},
		"hash-like pod names":            {lines("sharding on worker-7d9c5f6b44-q2zls"), lines("sharding on worker-58ffc77d9b-xk9tw"), true},
		"durations":                      {lines("plan made in 12.4 s"), lines("plan made in 9 s"), true},
		"attempts":                       {lines("asking rates service, attempt 1"), lines("asking rates service, attempt 2"), true},
		"Unix time":                      {lines("snapshot 1732990000 taken"), lines("snapshot 1732999999 taken"), true},
		"memory read beside a counter":   {lines("merged segment 7, heap now 1940 MiB"), lines("merged segment 7, heap now 1711 MiB"), true},
		"a total that grew":              {lines("step 3 of 30"), lines("step 3 of 31"), true},
		"n of m":                         {lines("table 3 of 30 merged"), lines("table 17 of 30 merged"), false},
		"n out of m":                     {lines("17 out of 52 done"), lines("18 out of 52 done"), false},
		"n/m":                            {lines("block 61/200"), lines("block 62/200"), false},
		"n / m":                          {lines("block 61 / 200"), lines("block 62 / 200"), false},
		"percent":                        {lines("61 % read"), lines("74 % read"), false},
		"glued percent":                  {lines("read 61%"), lines("read 74%"), false},
		"row":                            {lines("at row 118400"), lines("at row 118500"), false},
		"key and value":                  {lines("progress rows=118400 lag=3"), lines("progress rows=99200 lag=4"), false},
		"noise key and value":            {lines("started task_id=118400"), lines("started task_id=99200"), true},
		"rows behind":                    {lines("118,400 rows written"), lines("118,500 rows written"), false},
		"verb before":                    {lines("processed 1200"), lines("processed 1300"), false},
		"hash sign":                      {lines("thing #7"), lines("thing #9"), false},
		"name with a part number":        {lines("reading s3://b/day/part-0007.parquet"), lines("reading s3://b/day/part-0003.parquet"), false},
		"the same part":                  {lines("reading s3://b/day/part-0007.parquet"), lines("reading s3://b/day/part-0007.parquet"), true},
		"a number that is not known":     {lines("value 17 seen"), lines("value 23 seen"), true},
		"the log shows that it counts":   {lines("value 15 seen", "value 16 seen", "value 17 seen"), lines("value 23 seen"), false},
		"counts and is equal":            {lines("value 15 seen", "value 16 seen", "value 17 seen"), lines("value 16 seen", "value 17 seen"), true},
		"zoom with memory":               {lines("zoom 13, 240 MiB held", "zoom 14, 260 MiB held"), lines("zoom 13, 240 MiB held", "zoom 14, 259 MiB held"), true},
		"size that counts":               {lines("have 100 MB", "have 200 MB", "have 300 MB"), lines("have 800 MB", "have 900 MB", "have 1000 MB"), false},
		"size that counts, nearly equal": {lines("have 100 MB", "have 200 MB", "have 300 MB"), lines("have 101 MB", "have 202 MB", "have 303 MB"), true},
		"files, one by one":              {lines("open /d/ann.csv", "open /d/bob.csv"), lines("open /d/ann.csv", "open /d/bob.csv", "open /d/cid.csv"), false},
		"days, one by one":               {lines("day 2024-01-03", "day 2024-01-04"), lines("day 2024-01-08", "day 2024-01-09"), false},
		"a loop that tells nothing":      {lines("still polling", "still polling", "still polling"), lines("still polling", "still polling", "still polling"), false},
		"a line that was doubled":        {lines("loading", "building matrix", "building matrix"), lines("loading", "building matrix", "building matrix"), true},
		"batch times in a loop":          {lines("done in 3.2 s", "done in 2.9 s", "done in 3.3 s"), lines("done in 3.2 s", "done in 3.0 s", "done in 3.1 s"), false},
		"a loop that counts a line before": {lines("table 2 of 30", "merging", "table 3 of 30", "merging"),
			lines("table 16 of 30", "merging", "table 17 of 30", "merging"), false},
		"the same turn of such a loop": {lines("table 2 of 30", "merging", "table 3 of 30", "merging"),
			lines("table 2 of 30", "merging", "table 3 of 30", "merging"), true},
		"a loop that was over": {lines("merged segment 6", "merged segment 7", "building index"),
			lines("merged segment 8", "merged segment 9", "building index"), true},
		"two pipes": {lines("read left", "read right", "join begins"), lines("read left", "join begins", "read right"), true},
		"progress bar": {lines("read:  20%|##    | 20/100 [00:00<00:01, 49.1it/s] 40%|####      | 40/100 [00:01<00:01, 49.1it/s]"),
			lines("read:  40%|####      | 40/100 [00:02<00:03, 19.7it/s]"), true},
		"progress bar elsewhere": {lines("read:  40%|####      | 40/100 [00:01<00:01, 49.1it/s]"),
			lines("read:  60%|######    | 60/100 [00:01<00:01, 49.1it/s]"), false},
		"exit codes are not noise": {lines("child left with exit code 1"), lines("child left with exit code 2"), false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range [][2][]string{{tc.a, tc.b}, {tc.b, tc.a}} {
				a, b := pointOf(tailOf(1, order[0]...)), pointOf(tailOf(2, order[1]...))
				placePoints([]*point{a, b})
				if got := samePoint(a, b); got != tc.same {
					t.Errorf("%q and %q: same = %v, want %v\n%+v\n%+v", order[0], order[1], got, tc.same, a.lines, b.lines)
				}
			}
		})
	}
}

func TestTemplateKey(t *testing.T) {
	for text, want := range map[string]string{
		"table 3 of 30 merged":                             "table <n>/<n> merged",
		"merged segment 7, heap now 1940 MiB":              "merged segment <n>, heap now <size>",
		"decoding image 13 (14000 x 9000)":                 "decoding image <n> (<n> x <n>)",
		"Loading shard 7 of 12 (1260 MB resident)":         "Loading shard <n>/<n> (<size> resident)",
		"and/or: nothing to do":                            "and/or: nothing to do",
		"wrote C:\\temp\\x1.csv":                           "wrote <path>",
		"2026-11-30T17:51:22.085+0000 reading":             "<id> reading",
		"2026-11-30 17:51:22,085 reading":                  "<date> <id> reading",
		"closing books for 2026-11":                        "closing books for <date>",
		"at 0x7f01aa, took 3ms":                            "at <id>, took <for>",
		"HTTP 503 from https://api.example.com/v1/x?id=17": "HTTP 503 from <path>",
		"truck_01: packet 6":                               "truck_<n>: packet <n>",
		"\u00e9t\u00e9 \u2026 \xff 7":                      "\u00e9t\u00e9 \u2026 \ufffd <n>",
	} {
		if got := strings.ToValidUTF8(templateOf(text, "").key, "\ufffd"); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
	if got := templateOf("leaving node-a now", "node-a").key; got != "leaving <host> now" {
		t.Errorf("own host: %q", got)
	}
}

// Any text is the same point as itself, and the slots of a template do not depend on what stood before.
func TestTemplateOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z]{1,6}[ =:/#.-]?[0-9]{0,4}( of |/|%| MB| s)?){0,12}`)).Draw(t, "text")
		a, b := templateOf(text, "h"), templateOf(text, "h")
		if a.key != b.key || len(a.slots) != len(b.slots) {
			t.Fatalf("%q: %q and %q", text, a.key, b.key)
		}
		if strings.TrimSpace(text) == "" {
			return
		}
		p, q := pointOf(tailOf(1, text)), pointOf(tailOf(2, text))
		placePoints([]*point{p, q})
		if !samePoint(p, q) {
			t.Fatalf("%q is not the same point as itself", text)
		}
	})
}

func FuzzTemplateOf(f *testing.F) {
	for _, s := range []string{"table 3 of 30", "a=b=c:1", "[3/40]", "50%|", "|%|", "-", "#", "1e999 rows", "0x", "x:\\", "10.0.0.1:80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { templateOf(s, "") })
}
