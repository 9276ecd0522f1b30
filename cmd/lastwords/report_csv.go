package main

import (
	"bufio"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"lastwords/classify"
)

// csvColumns are the columns of the CSV: the scalar fields of a try row by their names in the JSON contract.
var csvColumns = []string{"dag_id", "run_id", "task_id", "map_index", "try_number", "max_tries", "source",
	"ending", "ending_certainty", "cause", "certainty", "recorded_by", "signal", "exit_code",
	"exception_type", "exception_message", "set_to", "set_by",
	"verdict_source", "verdict_line", "verdict_offset", "verdict_text",
	"proof_source", "proof_line", "proof_offset", "proof_text",
	"last_words_source", "last_words_line", "last_words_offset", "last_words_text",
	"candidates", "findings", "started_at", "ended_at", "noticed_at", "undetected_s", "duration_s", "retry", "next_try_at",
	"host", "pod", "node", "pid", "operator", "airflow"}

// cell makes text safe in a spreadsheet: it is clean, and what would be run as a formula begins with an apostrophe.
// Numbers that we wrote ourselves (-9, -1) are no text and pass by.
func cell(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + clean(s)
	}
	return clean(s)
}

// renderCSV writes one row a try.
func renderCSV(w *bufio.Writer, o options, s *shown) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns); err != nil {
		return err
	}
	row := make([]string, 0, len(csvColumns))
	for _, t := range s.tries {
		row = csvTry(row[:0], t, findingsOf(t, s.of[t]))
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvTry(row []string, t *classify.Try, findings []string) []string {
	text := func(all ...string) {
		for _, s := range all {
			row = append(row, cell(s))
		}
	}
	number := func(n, unknown int64) { row = append(row, numberOr(n, unknown)) }
	at := func(when time.Time) { row = append(row, stamp(when)) }
	secs := func(f func() (float64, bool)) {
		v, ok := f()
		row = append(row, decimal(v, ok))
	}
	text(t.DagID, t.RunID, t.TaskID)
	number(int64(t.MapIndex), classify.MapUnknown)
	number(int64(t.Try), 0)
	number(int64(t.MaxTries), 0)
	text(t.Source, string(t.Ending), string(t.EndingCertainty), t.Cause, string(t.Certainty), string(t.RecordedBy))
	number(int64(t.Signal), 0)
	if t.ExitCode != nil {
		row = append(row, strconv.Itoa(*t.ExitCode))
	} else {
		row = append(row, "")
	}
	x := t.Exception
	if x == nil {
		x = &classify.Exception{}
	}
	text(x.Type, x.Message, t.SetTo, t.SetBy)
	for _, r := range []*classify.Place{t.Verdict, t.Proof, t.LastWords} {
		if r == nil {
			row = append(row, "", "", "", "")
			continue
		}
		text(r.Source)
		number(r.Line, 0)
		number(r.Offset, -1)
		text(r.Text)
	}
	var candidates []string
	for _, c := range t.Candidates {
		candidates = append(candidates, sure(c.Cause, c.Certainty))
	}
	text(strings.Join(candidates, "; "), strings.Join(findings, "; "))
	at(t.StartedAt)
	at(t.EndedAt)
	at(t.NoticedAt)
	secs(t.Undetected)
	secs(t.Duration)
	text(t.Retry)
	at(t.NextTryAt)
	text(t.Host, t.Pod, t.Node)
	number(int64(t.PID), 0)
	text(t.Operator, t.Airflow)
	return row
}

func numberOr(n, unknown int64) string {
	if n == unknown {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func decimal(v float64, known bool) string {
	var e encoder
	if !known {
		return ""
	}
	e.seconds(v, true)
	return string(e.buf)
}

// stamp is a time as the JSON rows have it, without the quotes; empty where it is not known.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	var e encoder
	e.time(t)
	return strings.Trim(string(e.buf), `"`)
}
