package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"lastwords/classify"
)

// renderer writes what was chosen of a report in one format.
type renderer func(w *bufio.Writer, o options, s *shown) error

// classify is the command without a name: one verdict a try.
func (p *program) classify(c *cli.Context) error {
	o, err := p.options(c)
	if err != nil {
		return err
	}
	if len(o.job.Args) == 0 {
		if p.env.StdinTTY {
			p.status = statusUsage
			p.shortUsage()
			return errShown
		}
		o.job.Args = []string{"-"}
	}
	return p.report(c.Context, o, map[string]renderer{
		"text": p.logText, "json": renderJSON, "csv": renderCSV, "md": renderMD,
	})
}

// scan reads whole trees.
func (p *program) scan(c *cli.Context) error {
	o, err := p.sources(c, "scan")
	if err != nil {
		return err
	}
	return p.report(c.Context, o, map[string]renderer{
		"text": p.scanReport, "json": renderJSON, "csv": renderCSV, "md": renderMD,
	})
}

// timeline draws what retries cost.
func (p *program) timeline(c *cli.Context) error {
	o, err := p.sources(c, "timeline")
	if err != nil {
		return err
	}
	return p.report(c.Context, o, map[string]renderer{
		"text": p.timelineText, "json": timelineJSON, "csv": timelineCSV, "md": timelineMD,
	})
}

// sources reads the options of a command that wants at least one source, or a pipe.
func (p *program) sources(c *cli.Context, command string) (options, error) {
	o, err := p.options(c)
	if err != nil {
		return o, err
	}
	o.job.Tree = true
	o.job.Given = classify.Identity{MapIndex: classify.MapUnknown}
	if len(o.job.Args) == 0 {
		if p.env.StdinTTY {
			return o, wrong("lastwords "+command+" logs/", "%s wants a directory, a log tree or an archive", command)
		}
		o.job.Args = []string{"-"}
	}
	return o, nil
}

// report classifies, renders and sets the exit status.
func (p *program) report(ctx context.Context, o options, formats map[string]renderer) error {
	began := p.env.Now()
	progress := p.startProgress(o.quiet)
	o.job.Progress = progress.report()
	r, stats, err := p.engine.Classify(ctx, o.job)
	progress.end()
	if err != nil && r == nil {
		if o.job.Rules != nil && !errors.Is(err, context.Canceled) {
			return badRules(err)
		}
		if ctx.Err() != nil {
			p.status = statusInterrupted
			return errShown
		}
		return err
	}
	s := o.filter.apply(r)
	p.problems(o, r.Problems)
	p.leftOut(o, s)
	err = p.write(o.out, "lastwords."+extension(o.format), func(w *bufio.Writer) error {
		return formats[o.format](w, o, s)
	})
	p.check(o, s)
	if len(r.Problems) > 0 {
		p.status = statusUnread
	}
	if ctx.Err() != nil {
		p.status = statusInterrupted
		fmt.Fprintln(p.env.Stderr, "lastwords: interrupted: what was finished until then is reported")
	}
	if o.stats {
		p.printStats(stats, s, p.env.Now().Sub(began))
	}
	return err
}

func extension(format string) string {
	if format == "text" {
		return "txt"
	}
	return format
}

// problems says on stderr what could not be read, unless the text report says it in the same terminal.
func (p *program) problems(o options, all []classify.Problem) {
	if o.format == "text" && o.out == "" && p.env.StdoutTTY && p.env.StderrTTY {
		return
	}
	hinted := map[string]bool{}
	for _, x := range all {
		hint := x.Hint
		if o.quiet || hinted[hint] {
			hint = ""
		}
		hinted[x.Hint] = true
		complain(p.env.Stderr, wrong(hint, "%s", problemText(x)))
	}
}

// leftOut says on stderr what the filters dropped without having looked.
func (p *program) leftOut(o options, s *shown) {
	if !s.filtered || o.quiet {
		return
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(p.env.Stderr, "lastwords: "+format+"\n", args...)
	}
	if s.noTime > 0 {
		say("%s left out by --since or --until: nothing dates them", count(s.noTime, "try", "tries"))
	}
	if s.noDate > 0 {
		say("%s left out by --run-since or --run-until: no date in the run id", count(s.noDate, "try", "tries"))
	}
	if len(s.tries) == 0 && len(s.report.Tries) > 0 {
		say("none of %s passes the filters", count(len(s.report.Tries), "try", "tries"))
	}
}

func renderJSON(w *bufio.Writer, _ options, s *shown) error { return jsonRows(w, s, false) }

func (p *program) page(w *bufio.Writer, o options) *page {
	g := &page{w: w, pal: p.env.palette(o.color, o.out != ""), clock: clock{o.zone, o.job.Now},
		verbose: o.verbose, heartbeat: o.job.HeartbeatTimeout}
	if o.out == "" && p.env.StdoutTTY {
		g.width, g.fancy = p.env.Width, p.env.Getenv("TERM") != "dumb"
		if g.width == 0 {
			g.width = 80
		}
	}
	return g
}

// scanReport is the text of a scan.
func (p *program) scanReport(w *bufio.Writer, o options, s *shown) error {
	p.page(w, o).scanText(s)
	return w.Flush()
}

// logText is the text of named logs: a block a try, what only the history shows behind the last try of its task.
func (p *program) logText(w *bufio.Writer, o options, s *shown) error {
	g := p.page(w, o)
	for i, t := range s.tries {
		if i > 0 {
			g.line()
		}
		task := s.of[t]
		g.tryBlock(t, task)
		if task != nil && (i+1 == len(s.tries) || s.of[s.tries[i+1]] != task) {
			g.history(task)
		}
	}
	if len(s.findings) > 0 {
		g.spanning(s.findings)
	}
	if n := s.report.Summary.Unseen; n > 0 && o.verbose {
		g.line(count(n, "more try is", "more tries are"), " named without a record that ends them")
	}
	g.problems(s.report.Problems)
	return w.Flush()
}
