package main

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// The flags are defined here once; argv.go, help, completion and the README's table are made from them. Every value is
// taken as a string and read by options.go, so that a wrong one gets our own message and hint.

func outputFlags(formats string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Value: "text", Category: "Output",
			Usage: "`FORMAT` of the report: " + formats},
		&cli.StringFlag{Name: "out", Category: "Output",
			Usage: "write the report to `FILE`, or into a directory; it appears as a whole or not at all"},
		&cli.StringFlag{Name: "color", Value: "auto", Category: "Output",
			Usage: "`WHEN` to colour: auto, always, never (NO_COLOR and CLICOLOR_FORCE are obeyed)"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: "Output",
			Usage: "nothing on stderr but errors"},
	}
}

func reportFlags() []cli.Flag {
	return append(outputFlags("text, json, csv, md"),
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: "Output",
			Usage: "show all evidence, witnesses and joins"},
		&cli.StringFlag{Name: "tz", Value: "UTC", Category: "Output",
			Usage: "`ZONE` in which times are shown: UTC, local, Europe/Berlin, +02:00"},
		&cli.BoolFlag{Name: "stats", Category: "Output",
			Usage: "print seconds, files and bytes read on stderr"},

		&cli.StringFlag{Name: "since", Category: "What is shown",
			Usage: "tries whose last sign of life is not before `WHEN`: 12h, 3d, 2024-05-01, RFC 3339"},
		&cli.StringFlag{Name: "until", Category: "What is shown",
			Usage: "tries whose last sign of life is not after `WHEN`"},
		&cli.StringFlag{Name: "run-since", Category: "What is shown",
			Usage: "runs whose logical date, as the run id has it, is not before `WHEN`"},
		&cli.StringFlag{Name: "run-until", Category: "What is shown",
			Usage: "runs whose logical date is not after `WHEN`"},
		&cli.StringSliceFlag{Name: "dag", Category: "What is shown",
			Usage: "only these `DAGS` (lists a,b and patterns etl_*; may be repeated)"},
		&cli.StringSliceFlag{Name: "task", Category: "What is shown", Usage: "only these `TASKS`"},
		&cli.StringSliceFlag{Name: "run", Category: "What is shown", Usage: "only these `RUNS`"},
		&cli.StringSliceFlag{Name: "ending", Category: "What is shown", Usage: "only tries with these `ENDINGS`"},
		&cli.StringSliceFlag{Name: "cause", Category: "What is shown",
			Usage: "only tries with these `CAUSES` or findings"},

		&cli.StringSliceFlag{Name: "fail-on", Category: "Checks",
			Usage: "exit 1 if a shown try has one of these endings, causes or findings (`LIST`); any: whatever needs attention"},

		&cli.StringFlag{Name: "log-tz", Value: "UTC", Category: "Reading",
			Usage: "`ZONE` of stamps that name none"},
		&cli.StringFlag{Name: "heartbeat-timeout", Value: "300s", Category: "Reading",
			Usage: "`TIME` without a heartbeat after which Airflow gives a try up"},
		&cli.StringFlag{Name: "retry-delay", Value: "5m", Category: "Reading",
			Usage: "`TIME` between tries, where the log does not say"},
		&cli.BoolFlag{Name: "full", Category: "Reading",
			Usage: "read logs from start to end, not from the tail"},
		&cli.BoolFlag{Name: "line-numbers", Category: "Reading",
			Usage: "count lines in logs above 1 MiB too"},
		&cli.StringFlag{Name: "tail-window", Category: "Reading", DefaultText: "1MiB",
			Usage: "most `SIZE` that is read from the end of a log"},
		&cli.StringFlag{Name: "rules", Category: "Reading",
			Usage: "`DIR` with rules of your own, added or put in place of others by id"},
		&cli.StringFlag{Name: "workers", Category: "Reading", DefaultText: "one per processor",
			Usage: "`N` logs at the same time; the report is the same with any number"},
		&cli.StringFlag{Name: "now", Category: "Reading", DefaultText: "the clock",
			Usage: "`TIME` to take for now"},
	)
}

// flagValues are the values of flags that have a closed set of them.
var flagValues = map[string][]string{
	"output": {"text", "json", "csv", "md"},
	"color":  {"auto", "always", "never"},
}

// places are the flags whose value is a file or directory.
var places = []string{"out", "rules"}

// laterFlags are flags that this version does not have yet, with whether they take a value.
var laterFlags = map[string]bool{
	"with": true, "kube": false, "kubeconfig": true, "context": true, "n": true, "namespace": true,
	"all-namespaces": false, "db": true, "api": true, "prices": true, "redact": true,
}

// laterCommands are commands that this version does not have yet.
var laterCommands = []string{"report", "record", "verify", "what-if", "inspect", "latency", "cache"}

// option is what the rest of the program needs to know of a cli.Flag.
type option struct {
	names    []string // without hyphens, the long one first
	value    string   // name of the value; empty: a switch
	usage    string
	category string
	preset   string // default, as it is shown
}

// describe reads the definition of a flag.
func describe(f cli.Flag) option {
	d := option{names: f.Names()}
	var usage string
	switch f := f.(type) {
	case *cli.StringFlag:
		usage, d.category, d.preset, d.value = f.Usage, f.Category, f.DefaultText, "VALUE"
		if d.preset == "" {
			d.preset = f.Value
		}
	case *cli.StringSliceFlag:
		usage, d.category, d.value = f.Usage, f.Category, "LIST"
	case *cli.BoolFlag:
		usage, d.category = f.Usage, f.Category
	}
	named, text := unquote(usage)
	d.usage = text
	if d.value != "" && named != "" {
		d.value = named
	}
	return d
}

// unquote takes the value's name out of its backquotes: "`FILE` to write" is "FILE" and "FILE to write".
func unquote(usage string) (name, text string) {
	out := []byte{}
	var inside bool
	for i := range len(usage) {
		switch {
		case usage[i] == '`':
			inside = !inside
		case inside:
			name += string(usage[i])
			out = append(out, usage[i])
		default:
			out = append(out, usage[i])
		}
	}
	return name, string(out)
}

// spelled is the flag as a person types it: "-o, --output FORMAT".
func (f option) spelled() string {
	s := "--" + f.names[0]
	if f.value != "" {
		s += " " + f.value
	}
	for _, n := range f.names[1:] {
		s = "-" + n + ", " + s
	}
	return s
}

func (f option) is(name string) bool { return slices.Contains(f.names, name) }
