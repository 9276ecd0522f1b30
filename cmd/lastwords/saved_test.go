package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"lastwords/classify"
	"lastwords/rules"
)

const savedNow = "2026-11-30T00:00:00Z"

// logFolder is where the tries of a task instance of dag "etl" have their logs.
func logFolder(task string) string { return "logs/dag_id=etl/run_id=manual_1/task_id=" + task + "/" }

// startOf is how a 2.x log of a try begins.
func startOf(task string, try int, clock, host string) string {
	at := "[2024-05-01T" + clock + "+0000] "
	return at + "{taskinstance.py:1979} INFO - Dependencies all met for dep_context=non-requeueable deps ti=<TaskInstance: etl." + task + " manual_1 [queued]>\n" +
		at + fmt.Sprintf("{taskinstance.py:2193} INFO - Starting attempt %d of 4\n", try) +
		at + "{taskinstance.py:2214} INFO - Executing <Task(PythonOperator): " + task + "> on 2024-05-01 00:00:00+00:00\n" +
		at + "{standard_task_runner.py:60} INFO - Started process 42 to run task\n" +
		at + "{task_command.py:423} INFO - Running <TaskInstance: etl." + task + " manual_1 [running]> on host " + host + "\n"
}

func savedLine(clock, rest string) string { return "[2024-05-01T" + clock + "+0000] " + rest + "\n" }

// savedTree is a small log tree in which every part of a row that a later scan needs occurs.
func savedTree() map[string]string {
	tree := map[string]string{}
	put := func(task string, try int, text string) {
		tree[fmt.Sprintf("%sattempt=%d.log", logFolder(task), try)] = text
	}
	// killed three times at one point, then past it: the finding needs the lines before the last words
	for n, clock := range []string{"01:00", "02:00", "03:00"} {
		put("merge", n+1, startOf("merge", n+1, clock+":00.123", fmt.Sprintf("worker-%d", n))+
			savedLine(clock+":05.500", fmt.Sprintf("{merge.py:7} INFO - opened /tmp/tmp%d", n))+
			savedLine(clock+":30.001", "{merge.py:12} INFO - table 3 of 30 merged")+
			savedLine(clock+":40.999", fmt.Sprintf("{merge.py:14} INFO - heap now %d MiB", 1900+n))+
			savedLine(clock+fmt.Sprintf(":5%d.000", n*3), "{local_task_job_runner.py:234} INFO - Task exited with return code -9"))
	}
	put("merge", 4, startOf("merge", 4, "04:00:00.123", "worker-1")+
		savedLine("04:10:00.000", "{taskinstance.py:1138} INFO - Marking task as SUCCESS. dag_id=etl, task_id=merge")+
		savedLine("04:10:01.000", "{local_task_job_runner.py:234} INFO - Task exited with return code 0"))
	// silent deaths; the scheduler tells of one, the next try of the other
	for n, clock := range []string{"01:00", "02:00", "03:00"} {
		put("load", n+1, startOf("load", n+1, clock+":00.000", "worker-3")+savedLine(clock+":30.000", fmt.Sprintf("{load.py:9} INFO - row %d000", n)))
	}
	// an error twice
	for n, clock := range []string{"05:00", "06:00"} {
		put("post", n+1, startOf("post", n+1, clock+":00.000", "worker-5")+
			savedLine(clock+":02.000", "{taskinstance.py:2905} ERROR - Task failed with exception\nTraceback (most recent call last):\n"+
				`  File "/opt/dags/post.py", line 12, in post`+"\n    raise ValueError(\"caf\u00e9 \u202e \\x1b[31m\")\n"+
				"ValueError: order 1"+fmt.Sprint(n)+" is caf\u00e9 \u200b \U0001F600 \xff\xfe \x1b[31mred")+
			savedLine(clock+":02.100", "{taskinstance.py:1138} INFO - Marking task as UP_FOR_RETRY. dag_id=etl, task_id=post")+
			savedLine(clock+":02.200", "{local_task_job_runner.py:234} INFO - Task exited with return code 1"))
	}
	// a success that was deferred, and one with a SIGTERM behind it
	put("wait", 1, startOf("wait", 1, "01:00:00.000", "worker-1")+
		savedLine("01:00:01.000", "{taskinstance.py:2360} INFO - Pausing task as DEFERRED. dag_id=etl, task_id=wait, execution_date=20240501T000000, start_date=20240501T010000")+
		savedLine("01:00:01.500", "{local_task_job_runner.py:225} INFO - Task exited with return code 100 (task deferral)")+
		startOf("wait", 1, "01:30:00.000", "worker-1")+
		savedLine("01:30:10.000", "{taskinstance.py:1138} INFO - Marking task as SUCCESS. dag_id=etl, task_id=wait")+
		savedLine("01:30:11.000", "{local_task_job_runner.py:240} WARNING - State of this instance has been externally set to failed. Terminating instance.")+
		savedLine("01:30:11.100", "{taskinstance.py:1632} ERROR - Received SIGTERM. Terminating subprocesses."))
	// no names in the log and none in its path: null
	tree["logs/odd/attempt=1.log"] = savedLine("07:00:00.000", "{taskinstance.py:2193} INFO - Starting attempt 1 of 2") +
		savedLine("07:00:03.000", "{job.py:1} INFO - working")
	tree["logs/odd/attempt=2.log"] = savedLine("07:10:00.000", "{taskinstance.py:2193} INFO - Starting attempt 2 of 2") +
		savedLine("07:10:03.000", "{job.py:1} INFO - working") +
		savedLine("07:10:04.000", "{local_task_job_runner.py:234} INFO - Task exited with return code -11")
	tree["logs/odd/attempt=3.log"] = ""
	// Airflow 3: microseconds, a likely success, a death with the id of its task instance
	json3 := func(clock, event, logger string) string {
		return fmt.Sprintf(`{"timestamp":"2025-05-01T%sZ","level":"info","event":%q,"logger":%q}`+"\n", clock, event, logger)
	}
	three := "logs/dag_id=new/run_id=manual_1/task_id=ok/attempt=1.log"
	tree[three] = json3("01:00:00.123456", "DAG bundles loaded: dags-folder", "airflow.dag_processing.bundles.manager.DagBundlesManager") +
		json3("01:00:01.999999", "hello", "task.stdout") +
		json3("01:00:02.000501", "Pushing xcom", "task")
	// longer than what is read of its end
	put("long", 1, startOf("long", 1, "01:00:00.000", "worker-1")+strings.Repeat(savedLine("01:00:01.000", "{long.py:1} INFO - "+strings.Repeat("x", 200)), 9000)+
		savedLine("01:00:30.001", "{long.py:12} INFO - row 9000")+
		savedLine("01:00:50.000", "{local_task_job_runner.py:234} INFO - Task exited with return code -9"))
	tree["logs/notes.txt"] = "remember the milk\n"
	tree["logs/broken.log.gz"] = "\x1f\x8b\x08\x00not really"
	return tree
}

const savedScheduler = "[2024-05-01T01:06:00.000+0000] {scheduler_job_runner.py:1737} ERROR - Detected zombie job: {'full_filepath': '/dags/etl.py', " +
	"'processor_subdir': '/dags', 'msg': \"{'DAG Id': 'etl', 'Task Id': 'load', 'Run Id': 'manual_1', 'Hostname': 'worker-3'}\", " +
	"'simple_task_instance': <airflow.models.taskinstance.SimpleTaskInstance object at 0x7f>, 'is_failure_callback': True}\n" +
	"[2024-05-01T09:00:00.000+0000] {scheduler_job_runner.py:700} ERROR - Executor reports task instance <TaskInstance: etl.lost manual_1 [queued]> " +
	"finished (failed) although the task says its queued. (Info: None) Was the task killed externally?\n"

// write puts a tree below the current directory.
func write(t *testing.T, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		if err := os.MkdirAll(path.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// lastwords runs the whole program.
func scanText(t *testing.T, args ...string) string {
	t.Helper()
	w := newWorld()
	run(context.Background(), append(args, "--now", savedNow, "--color", "never"), w.env, wired())
	return w.out.String()
}

func sameText(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			from := max(at-60, 0)
			t.Fatalf("%s: line %d from byte %d:\n got …%s\nwant …%s", what, i+1, from, a[min(from, len(a)):], b[min(from, len(b)):])
		}
	}
}

// roundTrip saves the scan of a source and compares what is made of the rows with what is made of the source.
func roundTrip(t *testing.T, source string) {
	t.Helper()
	rows := roundTripJSON(t, source)
	for _, format := range []string{"text", "csv", "md"} {
		for _, command := range []string{"scan", "timeline"} {
			sameText(t, command+" "+format, scanText(t, command, rows, "-o", format), scanText(t, command, source, "-o", format))
		}
	}
}

// roundTripJSON does it for the rows alone and returns where they are.
func roundTripJSON(t *testing.T, source string) (rows string) {
	t.Helper()
	rows = filepath.Join(t.TempDir(), "saved.jsonl")
	direct := scanText(t, "scan", source, "-o", "json")
	if err := os.WriteFile(rows, []byte(direct), 0o666); err != nil {
		t.Fatal(err)
	}
	sameText(t, "json", scanText(t, "scan", rows, "-o", "json"), direct)
	return rows
}

func TestSavedRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	tree := savedTree()
	write(t, tree)
	roundTrip(t, "logs")
	write(t, map[string]string{"logs/scheduler.log": savedScheduler})
	roundTrip(t, "logs")
	out := scanText(t, "scan", "logs", "-o", "json")
	// the tree is worth something only while it holds what is hard to keep
	for _, want := range []string{`"id":"memory-same-point"`, `"id":"same-error"`, `"id":"flaky-then-success"`, `"cause":"died-unnoticed"`, `"id":"success-then-killed"`,
		`"before":`, `"said":`, `"spans":`, `"after_end":`, `"size":`, `"no_log":true`, `"heard":`, `"kind":"problem"`, `"ending":"success","ending_certainty":"likely"`, `"dag_id":null`} {
		if !strings.Contains(out, want) {
			t.Errorf("nothing in the tree has %s", want)
		}
	}
}

// TestSavedLean: what went well keeps nothing beside its row.
func TestSavedLean(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, savedTree())
	for line := range strings.Lines(scanText(t, "scan", "logs", "-o", "json")) {
		if strings.Contains(line, `"ending":"success"`) && !strings.Contains(line, `"task_id":"wait"`) && strings.Contains(line, `"kept"`) {
			t.Errorf("a plain success keeps something: %s", line)
		}
	}
}

// TestSavedCases: the cases and the demo of the repository, where they are.
func TestSavedCases(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"../../testdata/demo", "../../testdata/cases", "../../testdata/cases/*"} {
		found, _ := filepath.Glob(pattern)
		sources = append(sources, found...)
	}
	if len(sources) == 0 {
		t.Skip("no testdata")
	}
	for _, source := range sources {
		if info, err := os.Stat(source); err != nil || !info.IsDir() && !strings.HasSuffix(source, ".tar.gz") {
			continue
		}
		t.Run(path.Base(source), func(t *testing.T) {
			if path.Base(path.Dir(source)) == "cases" {
				roundTripJSON(t, source)
			} else {
				roundTrip(t, source)
			}
		})
	}
}

// TestSavedHalves: two saved halves of a tree give the report of the whole, however it was cut and whichever comes first.
func TestSavedHalves(t *testing.T) {
	whole := t.TempDir()
	t.Chdir(whole)
	tree := savedTree()
	write(t, tree)
	want := scanText(t, "scan", "logs", "-o", "json")
	text := scanText(t, "scan", "logs")
	names := slices.Sorted(maps.Keys(tree))
	for cut := range 12 {
		halves := [2]map[string]string{{}, {}}
		for i, name := range names {
			n := i
			if cut > 0 {
				n = (i*7 + i/cut + cut) >> (cut % 3)
			}
			halves[n&1][name] = tree[name]
		}
		var rows []string
		for i, half := range halves {
			t.Chdir(t.TempDir())
			if err := os.Mkdir("logs", 0o777); err != nil {
				t.Fatal(err)
			}
			write(t, half)
			out := filepath.Join(whole, fmt.Sprintf("half%d.jsonl", i))
			if err := os.WriteFile(out, []byte(scanText(t, "scan", "logs", "-o", "json")), 0o666); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, out)
		}
		t.Chdir(whole)
		sameText(t, fmt.Sprint("cut ", cut), scanText(t, "scan", rows[0], rows[1], "-o", "json"), want)
		sameText(t, fmt.Sprint("cut ", cut, " the other way round"), scanText(t, "scan", rows[1], rows[0], "-o", "json"), want)
		sameText(t, fmt.Sprint("text of cut ", cut), scanText(t, "scan", rows[0], rows[1]), text)
	}
}

// rowsOf returns the rows of a kind.
func rowsOf(t *testing.T, out, kind string) (rows []map[string]any) {
	t.Helper()
	for line := range strings.Lines(out) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row["kind"] == kind {
			rows = append(rows, row)
		}
	}
	return rows
}

func withoutSummary(out string) string {
	i := strings.LastIndex(strings.TrimSuffix(out, "\n"), "\n")
	return out[:i+1]
}

// TestSavedBesideLogs: rows beside the logs that they tell of add nothing, and records of a scheduler that come later
// are joined to saved rows as they are to logs.
func TestSavedBesideLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, savedTree())
	write(t, map[string]string{"scheduler.log": savedScheduler})
	save := func(name string, args ...string) string {
		out := scanText(t, append(append([]string{"scan"}, args...), "-o", "json")...)
		if err := os.WriteFile(name, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
		return out
	}
	both := save("both.jsonl", "logs", "scheduler.log")
	logs := save("logs.jsonl", "logs")
	save("scheduler.jsonl", "scheduler.log")

	sameText(t, "rows beside their logs", withoutSummary(scanText(t, "scan", "logs", "scheduler.log", "both.jsonl", "-o", "json")), withoutSummary(both))
	sameText(t, "the same rows twice", scanText(t, "scan", "logs.jsonl", "./logs.jsonl", "-o", "json"), logs)
	sameText(t, "saved logs and a scheduler's log", scanText(t, "scan", "logs.jsonl", "scheduler.log", "-o", "json"), both)
	sameText(t, "again", withoutSummary(scanText(t, "scan", "both.jsonl", "scheduler.log", "-o", "json")), withoutSummary(both))
	sameText(t, "saved logs and a saved scheduler's log", scanText(t, "scan", "logs.jsonl", "scheduler.jsonl", "-o", "json"), both)
	sameText(t, "logs and a saved scheduler's log", scanText(t, "scan", "logs", "scheduler.jsonl", "-o", "json"), both)
	sameText(t, "undecided and decided rows", withoutSummary(scanText(t, "scan", "logs.jsonl", "both.jsonl", "-o", "json")), withoutSummary(both))

	// a log that went on since it was saved
	grown := logFolder("load") + "attempt=3.log"
	text, _ := os.ReadFile(grown)
	write(t, map[string]string{grown: string(text) + savedLine("03:05:00.000", "{taskinstance.py:1138} INFO - Marking task as SUCCESS. dag_id=etl, task_id=load")})
	after := scanText(t, "scan", "logs", "-o", "json")
	sameText(t, "a log beats its saved row", withoutSummary(scanText(t, "scan", "logs.jsonl", "logs", "-o", "json")), withoutSummary(after))
	save("after.jsonl", "logs")
	sameText(t, "the row that knows more", withoutSummary(scanText(t, "scan", "after.jsonl", "logs.jsonl", "-o", "json")), withoutSummary(after))
}

// TestSavedWrapped: rows are recognised by what they are, whatever they come in.
func TestSavedWrapped(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, savedTree())
	want := scanText(t, "scan", "logs", "-o", "json")

	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(want))
	z.Close()
	var tarred bytes.Buffer
	a := tar.NewWriter(&tarred)
	a.WriteHeader(&tar.Header{Name: "in/rows.txt", Mode: 0o600, Size: int64(len(want))})
	a.Write([]byte(want))
	a.Close()
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(want)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for name, text := range map[string]string{
		"rows.log": want, "rows.gz": zipped.String(), "rows.tar": tarred.String(), "rows.utf16": string(wide),
		"rows.crlf": strings.ReplaceAll(want, "\n", "\r\n"), "rows.mark": "\ufeff" + want, "rows.noend": strings.TrimSuffix(want, "\n"),
		"rows.mixed": "lastwords: logs/broken.log.gz: gzip: invalid header\nhint: fetch it again\n" + want,
		"rows.later": strings.ReplaceAll(want, `"kind":"try",`, `"kind":"try","new":{"a":[1,2,{"b":null}]},`),
	} {
		write(t, map[string]string{name: text})
		sameText(t, name, scanText(t, "scan", name, "-o", "json"), want)
		sameText(t, name+" as one log", scanText(t, name, "-o", "json"), want)
		w := newWorld()
		w.env.Stdin = strings.NewReader(text)
		run(context.Background(), []string{"-o", "json", "--now", savedNow}, w.env, wired())
		sameText(t, name+" from stdin", w.out.String(), want)
	}
}

// TestSavedProblems: what cannot be used is said once, everything else is reported.
func TestSavedProblems(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, savedTree())
	good := scanText(t, "scan", "logs", "-o", "json")
	tries := len(rowsOf(t, good, "try"))
	first := strings.SplitAfter(good, "\n")[0]
	for name, c := range map[string]struct {
		text  string
		tries int
		says  []string // the problems, but for that of the tree
	}{
		"unknown kinds":  {good + `{"schema":1,"kind":"pod"}` + "\n" + `{"schema":1,"kind":"pod"}` + "\n", tries, []string{`not read: 2 rows of kind "pod"`}},
		"a newer schema": {good + strings.Replace(first, `"schema":1`, `"schema":2`, 1), tries, []string{"not read: 1 row of schema 2"}},
		"cut":            {first + first[:len(first)/2], 1, []string{"not a row that lastwords wrote: line 2: the row breaks off"}},
		"wrong type":     {first + strings.Replace(first, `"try_number":1`, `"try_number":"1"`, 1), 1, []string{"not a row that lastwords wrote: line 2: try_number is a string"}},
		"wrong words": {first + strings.Replace(first, `"ending":"`, `"ending":"x`, 1) + "what?\n", 1,
			[]string{"not a row that lastwords wrote: line 2: ending `xunfinished` is not known (and 1 more)"}},
		"a long row":     {first + `{"schema":1,"kind":"try","x":"` + strings.Repeat("x", 1<<20) + `"}` + "\n", 1, []string{"not a row that lastwords wrote: line 2: longer than 1024 KiB"}},
		"numbers":        {first + strings.Replace(first, `"try_number":1`, `"try_number":1000000000`, 1), 1, []string{"not a row that lastwords wrote: line 2: try_number 1000000000 is out of range"}},
		"timelines only": {scanText(t, "timeline", "logs", "-o", "json"), 0, []string{"a saved scan without a row of kind try: there is nothing to build a report from"}},
	} {
		write(t, map[string]string{"rows.jsonl": c.text})
		out := scanText(t, "scan", "rows.jsonl", "-o", "json")
		if n := len(rowsOf(t, out, "try")); n != c.tries {
			t.Errorf("%s: %d tries, want %d", name, n, c.tries)
		}
		var says []string
		for _, p := range rowsOf(t, out, "problem") {
			if p["source"] == "rows.jsonl" {
				says = append(says, p["error"].(string))
			}
		}
		if !slices.Equal(says, c.says) {
			t.Errorf("%s: %q, want %q", name, says, c.says)
		}
	}
	// rows without their summary: the file is what is there
	write(t, map[string]string{"rows.jsonl": first})
	sum := rowsOf(t, scanText(t, "scan", "rows.jsonl", "-o", "json"), "summary")[0]
	if files := fmt.Sprint(sum["files"]); files != "map[lastwords-json:1]" || int(sum["bytes"].(float64)) != len(first) {
		t.Errorf("files %s, %v bytes", files, sum["bytes"])
	}
	// rows that were picked from two runs
	var picked string
	for line := range strings.Lines(good) {
		if strings.Contains(line, `"kind":"try","dag_id":"etl"`) {
			picked += line
		}
	}
	write(t, map[string]string{"rows.jsonl": picked, "twice.jsonl": picked + picked})
	sameText(t, "rows without summaries", withoutSummary(scanText(t, "scan", "twice.jsonl", "-o", "json")), withoutSummary(scanText(t, "scan", "rows.jsonl", "-o", "json")))
	// a task's log that prints such a row is none
	write(t, map[string]string{"logs/printed/attempt=1.log": savedLine("01:00:00.000", "{x.py:1} INFO - "+strings.TrimSpace(first)) + first})
	if out := scanText(t, "scan", "logs/printed", "-o", "json"); !strings.Contains(out, `"files":{"task-log":1}`) {
		t.Errorf("a log that prints rows: %s", out)
	}
}

// FuzzSaved: whatever stands in a saved file, it is read without a crash, and what is written of it is read back as it is.
func FuzzSaved(f *testing.F) {
	dir := f.TempDir()
	f.Chdir(dir)
	for name, text := range savedTree() {
		os.MkdirAll(path.Dir(name), 0o777)
		os.WriteFile(name, []byte(text), 0o666)
	}
	os.WriteFile("scheduler.log", []byte(savedScheduler), 0o666)
	w := newWorld()
	run(context.Background(), []string{"scan", "logs", "scheduler.log", "-o", "json", "--now", savedNow}, w.env, wired())
	for line := range strings.Lines(w.out.String()) {
		f.Add([]byte(line))
	}
	f.Add(w.out.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) { readBack(t, text) })
}

// readBack converts rows and the rows that come of them; it returns whether they were any.
func readBack(t *testing.T, text []byte) bool {
	convert := func(text []byte) []byte {
		c := classify.New(classify.Options{Rules: rules.Builtin()})
		p := c.Stream("rows", text[:min(len(text), 16<<10)], bytes.NewReader(text), time.Time{})
		if p.Kind != classify.KindSaved {
			return nil
		}
		r := c.Report([]*classify.Part{p})
		var out bytes.Buffer
		b := bufio.NewWriter(&out)
		if err := jsonRows(b, (&filter{}).apply(r), false); err != nil {
			t.Fatal(err)
		}
		b.Flush()
		return out.Bytes()
	}
	once := convert(text)
	if once == nil {
		return false
	}
	sameText(t, "read back", string(convert(once)), string(once))
	return true
}

// TestSavedMutants: rows in which values were lost, exchanged or moved to other rows are read or refused, never a crash,
// and what was read stays the same.
func TestSavedMutants(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, savedTree())
	write(t, map[string]string{"scheduler.log": savedScheduler})
	var rows []string
	for _, source := range [][]string{{"logs"}, {"scheduler.log"}, {"logs", "scheduler.log"}} {
		out := scanText(t, append(append([]string{"scan"}, source...), "-o", "json")...)
		for line := range strings.Lines(out) {
			if !strings.Contains(line, `"kind":"task"`) {
				rows = append(rows, line)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var values []any // to take from
	var collect func(v any)
	collect = func(v any) {
		values = append(values, v)
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				collect(v[k])
			}
		case []any:
			for _, x := range v {
				collect(x)
			}
		}
	}
	for _, line := range rows {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		collect(v)
	}
	var mutate func(v any) any
	mutate = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			if len(v) > 0 && (v["kind"] != nil || r.IntN(4) > 0) {
				keys := slices.Sorted(maps.Keys(v))
				k := keys[r.IntN(len(keys))]
				if r.IntN(5) == 0 {
					delete(v, k)
				} else {
					v[k] = mutate(v[k])
				}
				return v
			}
		case []any:
			if len(v) > 0 && r.IntN(3) > 0 {
				i := r.IntN(len(v))
				v[i] = mutate(v[i])
				return v
			}
		case string:
			for range 20 { // a value of the same type is more often accepted
				if x, ok := values[r.IntN(len(values))].(string); ok {
					return x
				}
			}
		}
		switch r.IntN(6) {
		case 0:
			return nil
		case 1:
			return r.IntN(4)
		}
		var fresh any // nobody else's: it may be changed
		b, _ := json.Marshal(values[r.IntN(len(values))])
		json.Unmarshal(b, &fresh)
		return fresh
	}
	read := 0
	for range mutants {
		var text []byte
		for range 1 + r.IntN(8) {
			var row map[string]any
			json.Unmarshal([]byte(rows[r.IntN(len(rows))]), &row)
			for range 1 + r.IntN(4) {
				if m, ok := mutate(row).(map[string]any); ok {
					row = m
				}
			}
			row["schema"] = 1
			line, _ := json.Marshal(row)
			text = append(append(text, line...), '\n')
		}
		if readBack(t, text) {
			read++
		}
	}
	if read < mutants/2 {
		t.Errorf("only %d of %d were read", read, mutants)
	}
}

const mutants = 300
