package main

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"lastwords/classify"
)

// options are the flags of a report, read and checked.
type options struct {
	format  string
	out     string
	color   string
	quiet   bool
	verbose bool
	stats   bool
	zone    *time.Location
	filter  filter
	failOn  []string // names, "any" among them
	job     Job
}

// options reads the flags of c. What is doubtful but no error is said on stderr.
func (p *program) options(c *cli.Context) (options, error) {
	o := options{
		format: c.String("output"), out: c.String("out"), color: c.String("color"),
		quiet: c.Bool("quiet"), verbose: c.Bool("verbose"), stats: c.Bool("stats"),
		job: Job{Args: c.Args().Slice(), Stdin: p.env.Stdin, Full: c.Bool("full"), LineNumbers: c.Bool("line-numbers")},
	}
	err := errors.Join(oneOf("output", o.format), oneOf("color", o.color))
	if err != nil {
		return o, first(err)
	}
	if err := p.readTimes(c, &o); err != nil {
		return o, err
	}
	if s := c.String("tail-window"); s != "" {
		n, ok := parseSize(s)
		if !ok {
			return o, wrong("write 256K, 1MiB or 4194304", "--tail-window: %q is no size", s)
		}
		o.job.TailWindow = n
	}
	if s := c.String("workers"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 4096 {
			return o, wrong("", "--workers: %q is no number from 1 to 4096", s)
		}
		o.job.Workers = n
	}
	if dir := c.String("rules"); dir != "" {
		o.job.Rules, err = p.env.OpenDir(dir)
		if err != nil {
			return o, wrong("", "--rules: %v", err)
		}
	}
	return o, p.readNames(c, &o)
}

// readTimes reads the flags about zones and time.
func (p *program) readTimes(c *cli.Context, o *options) (err error) {
	if o.zone, _, err = parseZone("tz", c.String("tz")); err != nil {
		return err
	}
	var doubt *usageError
	if o.job.LogZone, doubt, err = parseZone("log-tz", c.String("log-tz")); err != nil {
		return err
	}
	if doubt != nil {
		o.job.LogZoneAmbiguous = true
		if !o.quiet {
			complain(p.env.Stderr, doubt)
		}
	}
	o.job.Now = p.env.Now()
	if s := c.String("now"); s != "" {
		at, _, ok := parseDate(s, o.zone)
		if !ok {
			return wrong("write 2024-05-01T02:00:00Z", "--now: %q is no time", s)
		}
		o.job.Now = at
	}
	for _, w := range []struct {
		flag string
		to   *time.Duration
	}{{"heartbeat-timeout", &o.job.HeartbeatTimeout}, {"retry-delay", &o.job.RetryDelay}} {
		d, ok := parseSpan(c.String(w.flag))
		if !ok {
			return wrong("write 300s, 5m or 1h30m", "--%s: %q is no length of time", w.flag, c.String(w.flag))
		}
		*w.to = d
	}
	for _, w := range []struct {
		flag string
		end  bool
		to   *time.Time
	}{{"since", false, &o.filter.since}, {"until", true, &o.filter.until},
		{"run-since", false, &o.filter.runSince}, {"run-until", true, &o.filter.runUntil}} {
		if s := c.String(w.flag); s != "" {
			if *w.to, err = parseWhen(w.flag, s, o.zone, o.job.Now, w.end); err != nil {
				return err
			}
		}
	}
	for _, w := range []struct {
		flag     string
		from, to time.Time
	}{{"", o.filter.since, o.filter.until}, {"run-", o.filter.runSince, o.filter.runUntil}} {
		if !w.from.IsZero() && !w.to.IsZero() && w.from.After(w.to) {
			return wrong("exchange the two", "--%ssince is after --%suntil", w.flag, w.flag)
		}
	}
	return nil
}

// readNames reads the flags that name dags, tasks, runs, endings, causes and findings.
func (p *program) readNames(c *cli.Context, o *options) error {
	o.filter.dag, o.filter.task, o.filter.run = c.StringSlice("dag"), c.StringSlice("task"), c.StringSlice("run")
	o.filter.ending, o.filter.cause = c.StringSlice("ending"), c.StringSlice("cause")
	o.job.Given = classify.Identity{DagID: literal(o.filter.dag), TaskID: literal(o.filter.task),
		RunID: literal(o.filter.run), MapIndex: classify.MapUnknown}

	var endings []string
	for _, e := range classify.Endings {
		endings = append(endings, string(e))
	}
	if err := known("ending", o.filter.ending, endings); err != nil {
		return err
	}
	failOn := c.StringSlice("fail-on")
	if len(failOn) == 0 && len(o.filter.cause) == 0 {
		return nil
	}
	names, err := p.names(o.job.Rules)
	if err != nil {
		return err
	}
	if err := known("cause", o.filter.cause, names); err != nil {
		return err
	}
	o.failOn = failOn
	return known("fail-on", failOn, slices.Concat(names, endings, []string{"any"}))
}

// names are all causes and findings, those of the user's rules included.
func (p *program) names(user fs.FS) ([]string, error) {
	var names []string
	for _, e := range p.engine.Entries() {
		if e.Kind != "ending" {
			names = append(names, e.Name)
		}
	}
	if user == nil {
		return names, nil
	}
	set, err := p.engine.Rules(user)
	if err != nil {
		return nil, badRules(err)
	}
	for _, r := range set {
		if r.Cause != "" && !slices.Contains(names, r.Cause) {
			names = append(names, r.Cause)
		}
	}
	return names, nil
}

// badRules makes a bad rule file a wrong call.
func badRules(err error) error { return wrong("lastwords rules test DIR checks rules", "%v", err) }

// known complains about the first word that is neither a name nor a pattern that fits one.
func known(flag string, words, names []string) error {
	for _, w := range words {
		plain := strings.TrimPrefix(w, "remote-") // any of them may be the launched pod's
		if !slices.ContainsFunc(names, func(n string) bool { return glob(w, n) || plain != w && glob(plain, n) }) {
			return wrong(guess(nearest(w, names), "lastwords explain lists all names"), "--%s: no %q", flag, w)
		}
	}
	return nil
}

// oneOf complains about a value that the flag does not have.
func oneOf(flag, value string) error {
	values := flagValues[flag]
	if slices.Contains(values, value) {
		return nil
	}
	hint := "it takes " + list(values)
	if flag == "output" && strings.ContainsAny(value, "./") {
		hint = "-o is a format; the file goes with --out " + value
	}
	return wrong(guess(nearest(value, values), hint), "--%s: no %q", flag, value)
}

// first is the first of joined errors: one wrong flag is enough to say.
func first(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return many.Unwrap()[0]
	}
	return err
}

// literal is the one word of a list that is no pattern, else "".
func literal(words []string) string {
	if len(words) != 1 || strings.ContainsAny(words[0], "*?") {
		return ""
	}
	return words[0]
}
