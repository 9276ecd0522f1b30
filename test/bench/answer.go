package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// answer is what lastwords said of an input, as far as it can be held against what was generated.
type answer struct {
	tries    int
	endings  map[string]int
	problems int
	verdict  place   // of the first try
	share    float64 // of the input that was read, 0 where not said
}

// place is the record that proves an ending, as the report gives it.
type place struct {
	Text         string
	Line, Offset int64 // Line is 0 where it was not counted
}

// ask runs lastwords once and reads its rows and its --stats.
func (b *bench) ask(ctx context.Context, c command) (answer, error) {
	a := answer{endings: map[string]int{}}
	c.argv, c.null = append(c.argv, "--stats"), false
	if _, err := b.runner.run(ctx, c); err != nil {
		return a, err
	}
	f, err := os.Open(b.runner.output())
	if err != nil {
		return a, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); d.More(); {
		var row struct {
			Kind, Ending string
			Verdict      place
		}
		if err := d.Decode(&row); err != nil {
			return a, fmt.Errorf("output of lastwords: %w", err)
		}
		switch row.Kind {
		case "try":
			if a.tries++; a.tries == 1 {
				a.verdict = row.Verdict
			}
			a.endings[row.Ending]++
		case "problem":
			a.problems++
		}
	}
	said, err := b.runner.complaints()
	if _, after, ok := strings.Cut(said, " read ("); ok {
		percent, _, _ := strings.Cut(after, " ")
		if p, e := strconv.ParseFloat(percent, 64); e == nil {
			a.share = p / 100
		}
	}
	return a, err
}

// failure is nil if a is one try that ended in an exception.
func (a answer) failure() error {
	if a.tries != 1 || a.endings["traceback"] != 1 || a.problems > 0 {
		return fmt.Errorf("lastwords found %d tries, %v, %d problems; one traceback is right", a.tries, a.endings, a.problems)
	}
	return nil
}

// standsIn is nil if a file holds the text of p in the line and at the offset that p gives.
func (p place) standsIn(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf, left, lines := make([]byte, 256<<10), p.Offset, int64(1)
	for left > 0 {
		n, err := f.Read(buf[:min(left, int64(len(buf)))])
		if err != nil {
			return fmt.Errorf("offset %d of the verdict: %w", p.Offset, err)
		}
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		left -= int64(n)
	}
	n, err := io.ReadFull(f, buf)
	if err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	line, _, _ := bytes.Cut(buf[:n], []byte{'\n'})
	if p.Line != lines || !bytes.Contains(line, []byte(p.Text)) {
		return fmt.Errorf("lastwords gave line %d for %q; offset %d is in line %d: %.150q", p.Line, p.Text, p.Offset, lines, line)
	}
	return nil
}

// tree is nil if a has the endings that were generated. What stops without a word is unfinished.
func (a answer) tree(m made) error {
	want := map[string]int{"success": m.Ends[succeeded], "traceback": m.Ends[raised],
		"negative-return-code": m.Ends[killed], "unfinished": m.Ends[silent]}
	if a.tries != m.Logs || a.problems > 0 || fmt.Sprint(a.endings) != fmt.Sprint(want) {
		return fmt.Errorf("lastwords found %d tries, %v, %d problems; %d tries, %v are right", a.tries, a.endings, a.problems,
			m.Logs, want)
	}
	return nil
}
