package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lastwords/classify"
)

// costliest are the task instances that needed more than one try, those with the most time on top first.
func costliest(tasks []*classify.Task) []*classify.Task {
	var all []*classify.Task
	for _, t := range tasks {
		if retried(t) {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b *classify.Task) int { return cmp.Compare(onTop(b), onTop(a)) })
	return all
}

// onTop is the time on top of running as far as it is known, for ordering.
func onTop(t *classify.Task) float64 {
	if t.Cost.OnTop != nil {
		return *t.Cost.OnTop
	}
	var s float64
	for _, part := range []*float64{t.Cost.Undetected, t.Cost.Waiting} {
		if part != nil {
			s += *part
		}
	}
	return s
}

// costTotal says in one sentence what the retries of all tasks cost.
func costTotal(tasks []*classify.Task) string {
	if len(tasks) == 0 {
		return "no task instance needed more than one try"
	}
	var sum, running float64
	var unknown int
	for _, t := range tasks {
		if t.Cost.OnTop == nil {
			unknown++
		}
		sum += onTop(t)
		if t.Cost.Running != nil {
			running += *t.Cost.Running
		}
	}
	needed := count(len(tasks), "task instance", "task instances") + " needed more than one try: "
	switch {
	case unknown == len(tasks):
		return needed + "the time on top of running is not known"
	case unknown > 0:
		return needed + fmt.Sprintf("at least %s on top of %s running (not known in full for %d)", span(sum), span(running), unknown)
	}
	return needed + span(sum) + " on top of " + span(running) + " running"
}

func timelineJSON(w *bufio.Writer, _ options, s *shown) error { return jsonRows(w, s, true) }

// timelineCSV writes one row a phase.
func timelineCSV(w *bufio.Writer, _ options, s *shown) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"dag_id", "run_id", "task_id", "map_index", "try_number", "phase", "from", "to",
		"seconds", "estimated"}); err != nil {
		return err
	}
	for _, t := range costliest(s.tasks) {
		for _, try := range triesOf(t) {
			for _, p := range phasesOf(t, try) {
				if err := out.Write([]string{cell(t.DagID), cell(t.RunID), cell(t.TaskID),
					numberOr(int64(t.MapIndex), classify.MapUnknown), strconv.Itoa(try), cell(p.Phase), stamp(p.From), stamp(p.To),
					decimal(p.To.Sub(p.From).Seconds(), !p.From.IsZero() && !p.To.IsZero()),
					strconv.FormatBool(p.Estimated)}); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// timelineMD writes a table of all task instances, then one of each.
func timelineMD(w *bufio.Writer, o options, s *shown) error {
	c := clock{o.zone, o.job.Now}
	tasks := costliest(s.tasks)
	fmt.Fprintf(w, "# What the retries cost\n\n%s. Times in %s.\n", md(costTotal(tasks)), md(c.name(c.now)))
	if len(tasks) == 0 {
		return w.Flush()
	}
	w.WriteByte('\n')
	t := table{w}
	t.head("task instance", "run", "tries", "running", "undetected", "waiting", "on top", "avoidable", "ended")
	for _, task := range tasks {
		var cells []string
		for _, v := range []*float64{task.Cost.Running, task.Cost.Undetected, task.Cost.Waiting, task.Cost.OnTop, task.Cost.Avoidable} {
			if v == nil {
				cells = append(cells, "not known")
			} else {
				cells = append(cells, span(*v))
			}
		}
		ended := ""
		if len(task.Tries) > 0 {
			last := task.Tries[len(task.Tries)-1]
			ended = md(strings.TrimSuffix(string(last.Ending)+", "+last.Cause, ", "))
		}
		row := append([]string{md(taskTitle(task.Identity, sourceOf(task))), md(task.RunID), strconv.Itoa(len(task.Numbers))}, cells...)
		t.row(append(row, ended)...)
	}
	for _, task := range tasks {
		fmt.Fprintf(w, "\n## %s\n\n", md(taskTitle(task.Identity, sourceOf(task))))
		if s := costSentence(&task.Cost); s != "" {
			fmt.Fprintf(w, "Cost: %s.\n\n", md(s))
		}
		for _, note := range notes(task) {
			fmt.Fprintf(w, "%s\n\n", md(note))
		}
		t.head("try", "phase", "from", "to", "took")
		for _, try := range triesOf(task) {
			for _, p := range phasesOf(task, try) {
				took := span(p.To.Sub(p.From).Seconds())
				if p.Estimated {
					took = "about " + took
				}
				t.row(strconv.Itoa(try), md(p.Phase), c.full(p.From), c.full(p.To), took)
			}
		}
	}
	return w.Flush()
}

// notes are what a task says about its own timeline, where its type can: what was estimated or left out, and why.
func notes(t *classify.Task) []string {
	if n, ok := any(t).(interface{ Notes() []string }); ok {
		return n.Notes()
	}
	return nil
}

// sourceOf is a log of the task, to name it where nothing else does.
func sourceOf(t *classify.Task) string {
	if len(t.Tries) == 0 {
		return ""
	}
	return t.Tries[len(t.Tries)-1].Source
}
