package classify

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"lastwords/rules"
)

const schedulerLine = "[2024-05-01T%s+0000] {scheduler_job_runner.py:766} "

func zombieLine(at, dag, task, run string, index int) string {
	mapped := ""
	if index >= 0 {
		mapped = fmt.Sprintf(", 'Map Index': %d", index)
	}
	return fmt.Sprintf(schedulerLine+"ERROR - Detected zombie job: {'full_filepath': '/x/d.py', 'processor_subdir': '/d', 'msg': \"{'DAG Id': '%s', "+
		"'Task Id': '%s', 'Run Id': '%s'%s, 'Hostname': 'h1'}\", 'simple_task_instance': <x>, 'is_failure_callback': True}\n", at, dag, task, run, mapped)
}

func finishedLine(at, task, run, state string, try, index int) string {
	return fmt.Sprintf(schedulerLine+"INFO - TaskInstance Finished: dag_id=d, task_id=%s, run_id=%s, map_index=%d, run_start_date=2024-05-01 %[1]s+00:00, "+
		"run_end_date=2024-05-01 %[1]s+00:00, run_duration=2.5, state=%[5]s, executor_state=success, try_number=%d, max_tries=3, job_id=12, pool=default_pool, "+
		"queue=default, priority_weight=1, operator=PythonOperator, queued_dttm=2024-05-01 09:59:00+00:00, queued_by_job_id=1, pid=77\n", at, task, run, index, state, try)
}

// stoppedLog is a try that was stopped from outside.
func stoppedLog(at time.Time) string {
	s := at.Format("2006-01-02T15:04:05.000")
	return "[" + s + "+0000] {taskinstance.py:1300} INFO - Starting attempt 1 of 3\n" +
		"[" + s + "+0000] {local_task_job_runner.py:266} WARNING - State of this instance has been externally set to failed. Terminating instance.\n" +
		"[" + s + "+0000] {process_utils.py:131} INFO - Sending Signals.SIGTERM to group 77. PIDs of all processes in the group: [77]\n"
}

func silentLog(at time.Time) string {
	s := at.Format("2006-01-02T15:04:05.000")
	return "[" + s + "+0000] {taskinstance.py:1300} INFO - Starting attempt 1 of 3\n[" + s + "+0000] {work.py:1} INFO - working\n"
}

func clock(i int) string {
	return fmt.Sprintf("%02d:%02d:%02d.%03d", 10+i/3600000%12, i/60000%60, i/1000%60, i%1000)
}

// joinInputs are the inputs of which the joining must cost no more than their size, made for a size.
var joinInputs = map[string]func(n int) map[string]string{
	"one zombie, again and again": func(n int) map[string]string {
		return lines(n, func(i int) string { return zombieLine(clock(i*10000), "d", "t", "r", -1) })
	},
	"zombies of many tasks": func(n int) map[string]string {
		return lines(n, func(i int) string { return zombieLine("10:00:00.000", "d", fmt.Sprint("t", i), "r", -1) })
	},
	"zombies of many runs of a task, that were finished": func(n int) map[string]string {
		return lines(n, func(i int) string {
			run := fmt.Sprint("manual__", i)
			return zombieLine(clock(i), "d", "t", run, -1) + finishedLine(clock(i), "t", run, "failed", 1+i%3, -1)
		})
	},
	"zombies of a mapped task": func(n int) map[string]string {
		return lines(n, func(i int) string {
			return zombieLine(clock(i), "d", "t", "r", i) + finishedLine(clock(i), "t", "r", "failed", 1, i)
		})
	},
	"one task instance, all through the log": func(n int) map[string]string {
		return lines(n, func(i int) string {
			return zombieLine(clock(i*60000), "d", "t", "r", -1) + finishedLine(clock(i*60000), "t", "r", "up_for_retry", i+1, -1)
		})
	},
	"logs of many runs of a task beside their records": func(n int) map[string]string {
		in := lines(n, func(i int) string {
			return zombieLine(clock(i*1000+500), "d", "t", fmt.Sprint("manual__", i), -1)
		})
		for i := range n {
			in[fmt.Sprintf("dag_id=d/run_id=manual__%d/task_id=t/attempt=1.log", i)] = silentLog(time.Date(2024, 5, 1, 10, 0, i, 0, time.UTC))
		}
		return in
	},
	"runs that timed out": func(n int) map[string]string {
		in := lines(n, func(i int) string {
			return fmt.Sprintf(schedulerLine+"INFO - Run manual__%d of d has timed-out\n", clock(i*1000), i)
		})
		for i := range n {
			in[fmt.Sprintf("dag_id=d/run_id=manual__%d/task_id=t/attempt=1.log", i)] = stoppedLog(time.Date(2024, 5, 1, 10, 0, i, 0, time.UTC))
		}
		return in
	},
	"zombies without a name and stopped tries": func(n int) map[string]string {
		in := lines(n, func(i int) string {
			return fmt.Sprintf(schedulerLine+"ERROR - Detected zombie job: {'full_filepath': '/x/d.py', 'msg': 'Detected as zombie', 'simple_task_instance': <x>, 'is_failure_callback': True}\n", clock(i*1000))
		})
		for i := range n {
			in[fmt.Sprintf("dag_id=d/run_id=manual__%d/task_id=t/attempt=1.log", i)] = stoppedLog(time.Date(2024, 5, 1, 10, 0, i, 0, time.UTC))
		}
		return in
	},
	"an anonymous log beside one task instance": func(n int) map[string]string {
		in := lines(n, func(i int) string { return finishedLine(clock(i), "t", "r", "up_for_reschedule", 1, -1) })
		in["task.log"] = silentLog(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC))
		return in
	},
}

func lines(n int, line func(int) string) map[string]string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return map[string]string{"scheduler.log": b.String()}
}

func readParts(c *Classifier, in map[string]string) (parts []*Part) {
	for name, text := range in {
		parts = append(parts, c.Whole(name, []byte(text), time.Time{}))
	}
	slices.SortFunc(parts, func(a, b *Part) int { return strings.Compare(a.Name, b.Name) })
	return parts
}

func joined(parts []*Part) *joiner {
	var tries []*Try
	for _, p := range parts {
		tries = append(tries, p.tries...)
	}
	j := newJoiner(tries, parts, nil)
	j.run()
	j.unlogged()
	return j
}

// TestJoinSteps: eight times the input takes at most nine times as many steps.
func TestJoinSteps(t *testing.T) {
	c := New(Options{Rules: rules.Builtin(), Now: time.Now()})
	for name, input := range joinInputs {
		one, eight := joined(readParts(c, input(200))).steps, joined(readParts(c, input(1600))).steps
		if eight > 9*one+100 {
			t.Errorf("%s: %d steps for 200, %d for 1600", name, one, eight)
		}
		if one == 0 {
			t.Errorf("%s: no step is counted", name)
		}
	}
}

// TestNoteSize: what only informs takes little room.
func TestNoteSize(t *testing.T) {
	if n := unsafe.Sizeof(note{}); n != 48 {
		t.Errorf("a note takes %d bytes", n)
	}
	const n = 30000
	c := New(Options{Rules: rules.Builtin(), Now: time.Now()})
	for what, text := range map[string]map[string]string{
		"failed": lines(n, func(i int) string { return finishedLine(clock(i), fmt.Sprint("t", i), "r", "failed", 1, -1) }),
		"success": lines(n, func(i int) string {
			return finishedLine(clock(i*977), "t", fmt.Sprint("manual__", i), "success", 1, -1)
		}),
		"sent": lines(n, func(i int) string {
			return fmt.Sprintf(schedulerLine+"INFO - Sending TaskInstanceKey(dag_id='d', task_id='t', run_id='r%d', try_number=1, map_index=-1) to executor with priority 1\n", clock(i), i)
		}),
	} {
		var before, after runtime.MemStats
		log := []byte(text["scheduler.log"])
		runtime.GC()
		runtime.ReadMemStats(&before)
		p := c.Whole("scheduler.log", log, time.Time{})
		runtime.GC()
		runtime.ReadMemStats(&after)
		if p.records() != n {
			t.Fatalf("%s: %d records", what, p.records())
		}
		if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n; each > 150 {
			t.Errorf("%s: %d bytes a record", what, each)
		}
		runtime.KeepAlive(log)
	}
}

// TestFinishedText: the record of a try that went well is kept to the letter.
func TestFinishedText(t *testing.T) {
	c := New(Options{Rules: rules.Builtin(), Now: time.Now()})
	line := func(i int) string {
		return finishedLine(clock(i*977), fmt.Sprint("t", i), fmt.Sprint("manual__a, b ", i), "success", i, i-1)
	}
	p := readParts(c, lines(100, line))[0]
	for i := range 100 {
		m := p.others[0].mention(i)
		if !strings.HasSuffix(line(i), " - "+m.place.Text+"\n") {
			t.Fatalf("%q\nis kept as\n%q", line(i), m.place.Text)
		}
		want := Identity{DagID: "d", RunID: fmt.Sprint("manual__a, b ", i), TaskID: fmt.Sprint("t", i), MapIndex: i - 1, Try: i}
		if m.id != want || m.state != "success" || m.estate != "success" || m.pid != 77 || m.v.value("queued_dttm") != "2024-05-01 09:59:00+00:00" {
			t.Fatalf("%q\nis read as %+v", line(i), m)
		}
	}
}

// TestRepeats: of records that say the same of the same try the first and the last are kept.
func TestRepeats(t *testing.T) {
	c := New(Options{Rules: rules.Builtin(), Now: time.Now()})
	z := func(seconds int) string { return zombieLine(clock(seconds*1000), "d", "t", "r", -1) }
	kept := func(text string) (at []string) {
		o := readParts(c, map[string]string{"scheduler.log": text})[0].others[0]
		for i := range o.n {
			m := o.mention(i)
			at = append(at, m.at.Format("15:04:05"))
			if _, n, ok := strings.Cut(m.says, "(the last of "); ok {
				at = append(at, strings.TrimSuffix(n, " such records)."))
			}
		}
		return at
	}
	for _, x := range []struct{ what, text, want string }{
		{"every ten seconds", z(0) + z(10) + z(20) + z(30), "[10:00:00 10:00:30 4]"},
		{"twice", z(0) + z(10), "[10:00:00 10:00:10]"},
		{"the next try dies a minute later", z(0) + z(10) + z(20) + z(80) + z(90) + z(100), "[10:00:00 10:00:20 3 10:01:20 10:01:40 3]"},
		{"another try was recorded between", z(0) + z(10) + finishedLine("10:00:11.000", "t", "r", "failed", 1, -1) + z(20), "[10:00:00 10:00:10 10:00:11 10:00:20]"},
		{"another instance between", z(0) + zombieLine(clock(1), "d", "u", "r", -1) + z(10) + zombieLine(clock(10001), "d", "u", "r", -1) + z(20),
			"[10:00:00 10:00:00 10:00:20 3 10:00:10]"},
		{"other map indexes", z(0) + zombieLine(clock(1), "d", "t", "r", 3) + z(10) + zombieLine(clock(10001), "d", "t", "r", 3) + z(20), "[10:00:00 10:00:00 10:00:20 3 10:00:10]"},
	} {
		if got := fmt.Sprint(kept(x.text)); got != x.want {
			t.Errorf("%s: %s, want %s", x.what, got, x.want)
		}
	}
}

// TestTryNumberNear compares the numbers that indexes find with those that a look at every record finds.
func TestTryNumberNear(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		parts := []*Part{{Name: "a"}, {Name: "b"}, {Name: "c"}}
		runs := []string{"", "scheduled__2024-05-01T00:00:00+00:00", "manual__2024-05-01T00:00:00+00:00", "2024-05-01T00:00:00+00:00", "2024-05-01 00:00:00+00:00", "r"}
		for _, p := range parts {
			o := &chronicle{source: p.Name}
			for range r.IntN(20) {
				m := &mention{fact: []string{"finished", "mismatch", "marking"}[r.IntN(3)], rule: fmt.Sprint(r.IntN(100)),
					id: Identity{DagID: "d", TaskID: []string{"t", "u"}[r.IntN(2)], RunID: runs[r.IntN(len(runs))], MapIndex: r.IntN(4) - 2, Try: r.IntN(4)}}
				if r.IntN(3) == 0 {
					m.dotted, m.id.DagID, m.id.TaskID = "d."+m.id.TaskID, "", ""
				}
				if r.IntN(9) > 0 {
					m.at = time.Date(2024, 5, 1, 0, 0, r.IntN(20), 0, time.UTC)
				}
				o.add(m, wholeNote)
			}
			if o.n > 0 {
				p.others = append(p.others, o)
			}
		}
		j := newJoiner(nil, parts, nil)
		for i := range j.names.n {
			m := j.mention(i)
			if m.id.Try != 0 {
				continue
			}
			best, want := time.Time{}, 0
			for k := range j.names.n {
				o := j.mention(k)
				if o.id.Try == 0 || taskOf(o) != taskOf(m) || o.id.RunID != "" && m.id.RunID != "" && !sameRun(o.id.RunID, m.id.RunID) ||
					o.id.MapIndex != MapUnknown && m.id.MapIndex != MapUnknown && o.id.MapIndex != m.id.MapIndex ||
					k > i && !(o.at.Before(m.at.Add(2*time.Second)) && o.fact == "finished") {
					continue
				}
				if !o.at.Before(best) {
					best, want = o.at, o.id.Try
				}
			}
			if got := j.tryNumberNear(i); got != want {
				t.Fatalf("seed %d: record %d is of try %d, want %d", seed, i, got, want)
			}
		}
	}
}

// TestStop: a report that is told to stop says so and is a report.
func TestStop(t *testing.T) {
	in := joinInputs["logs of many runs of a task beside their records"](3000)
	asked := 0
	c := New(Options{Rules: rules.Builtin(), Now: time.Now(), Stop: func() bool { asked++; return true }})
	r := c.Report(readParts(c, in))
	if len(r.Problems) != 1 || asked != 1 || len(r.Tries) != 3000 {
		t.Errorf("%d problems, asked %d times, %d tries", len(r.Problems), asked, len(r.Tries))
	}
	c = New(Options{Rules: rules.Builtin(), Now: time.Now(), Stop: func() bool { return false }})
	if r := c.Report(readParts(c, in)); len(r.Problems) != 0 || r.Summary.Endings[TruncatedThenZombie] != 3000 {
		t.Errorf("not told to stop: %v, %v", r.Problems, r.Summary.Endings)
	}
}

func BenchmarkJoin(b *testing.B) {
	c := New(Options{Rules: rules.Builtin(), Now: time.Now()})
	for _, name := range sortedBy(joinInputs, strings.Compare) {
		for _, n := range []int{1000, 8000} {
			parts := readParts(c, joinInputs[name](n))
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					joined(parts)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/record")
			})
		}
	}
}
