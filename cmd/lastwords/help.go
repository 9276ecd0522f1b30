package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// shortUsage is what somebody sees who starts lastwords in a terminal without an argument.
func (p *program) shortUsage() {
	fmt.Fprint(p.env.Stderr, `usage: lastwords [LOG|-]...      one verdict a try; stdin when piped
       lastwords scan SOURCE...  a directory, a whole log tree or an archive
       lastwords --help          all commands and flags
`)
}

const overview = `lastwords reads what an Apache Airflow task try left behind and says how the try ended, what killed it, how sure
that is, which lines prove it, and what the retries cost. It only reads.

examples:
  kubectl logs my-pod | lastwords
  lastwords attempt=2.log other.log.gz
  lastwords scan logs/ scheduler.log worker.log
  lastwords scan logs/ --since 12h --dag 'etl_*' -o md
  lastwords scan logs.tar.gz --fail-on memory,truncated-then-zombie
  lastwords timeline logs/ scheduler.log
  lastwords explain negative-return-code
`

const archiveNote = `archives and compressed logs (.gz, .zst, .tar, .tar.gz, .zip) are recognised by content and read in bounded memory.
  A zip from a pipe, a zstd window or a JSON value above 32 MiB, a broken stream and an archive that unpacks to far more
  than it holds are not read on: each is a line on stderr and a problem row, the rest is still reported, exit status 3.
`

const statusNote = `exit status:
  0    done
  1    a check that was asked for failed (--fail-on, rules test)
  2    wrong usage
  3    some input could not be read; what could be is reported (wins over 1)
  130  interrupted; what was finished is reported
`

// help writes the help of the command in c, or of the whole program.
func (p *program) help(out io.Writer, c call, commands []*cli.Command) error {
	w := bufio.NewWriter(out)
	g := &page{w: w, width: p.env.Width}
	if !p.env.StdoutTTY || g.width == 0 {
		g.width = 110
	}
	k := lookup(c.path, commands)
	if c.name() == "" {
		w.WriteString(overview + "\ncommands:\n")
		for _, k := range commands {
			switch {
			case k.Name == defaultCommand:
				g.hang(2, pad("lastwords "+k.ArgsUsage, 38), nil, k.Usage)
			case !k.Hidden:
				g.hang(2, pad("lastwords "+usageOf(k), 38), nil, k.Usage)
			}
		}
		w.WriteByte('\n')
		w.WriteString("flags stand before or after arguments; -- ends them\n")
		g.flagHelp(k.Flags)
		w.WriteString("\nnot in this version: " + strings.Join(laterCommands, ", ") + "\n\n" + archiveNote + "\n" + statusNote)
		return w.Flush()
	}
	title := strings.TrimSpace(c.name() + " " + k.ArgsUsage)
	if len(k.Subcommands) > 0 {
		title = usageOf(k)
	}
	fmt.Fprintf(w, "lastwords %s\n", title)
	g.hang(2, "", nil, k.Usage)
	for _, sub := range k.Subcommands {
		g.hang(2, pad(sub.Name+" "+sub.ArgsUsage, 30), nil, sub.Usage)
	}
	flags := k.Flags
	if len(k.Subcommands) > 0 {
		flags = k.Subcommands[0].Flags
	}
	if len(flags) > 0 {
		w.WriteByte('\n')
		g.flagHelp(flags)
	}
	switch k.Name {
	case "scan", "timeline":
		w.WriteString("\n" + archiveNote + "\n" + statusNote)
	}
	return w.Flush()
}

// usageOf is a command with its arguments, or with the commands below it.
func usageOf(k *cli.Command) string {
	if len(k.Subcommands) == 0 {
		return strings.TrimSpace(k.Name + " " + k.ArgsUsage)
	}
	var names []string
	for _, sub := range k.Subcommands {
		names = append(names, sub.Name)
	}
	return k.Name + " [" + strings.Join(names, "|") + "]"
}

// lookup finds a command by its path.
func lookup(path []string, commands []*cli.Command) *cli.Command {
	var found *cli.Command
	for _, name := range path {
		for _, k := range commands {
			if k.Name == name {
				found, commands = k, k.Subcommands
				break
			}
		}
	}
	return found
}

// flagHelp lists flags by category, in the order of their definition.
func (p *page) flagHelp(flags []cli.Flag) {
	var order []string
	by := map[string][]option{}
	for _, f := range flags {
		d := describe(f)
		if by[d.category] == nil {
			order = append(order, d.category)
		}
		by[d.category] = append(by[d.category], d)
	}
	for _, category := range order {
		p.line(strings.ToLower(category), ":")
		for _, f := range by[category] {
			usage := f.usage
			if f.preset != "" {
				usage += " (default " + f.preset + ")"
			}
			spelled := f.spelled()
			if strings.HasPrefix(spelled, "--") {
				spelled = "    " + spelled
			}
			p.hang(2, pad(spelled, 30), nil, usage)
		}
	}
}
