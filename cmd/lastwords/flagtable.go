package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagTable prints the table of flags that stands in README.md.
func (p *program) flagTable(*cli.Context) error {
	_, err := fmt.Fprint(p.env.Stdout, flagTableText(p.commands()))
	return err
}

// flagTableText is a Markdown table of all flags: what they are for, and which commands take them.
func flagTableText(commands []*cli.Command) string {
	var b strings.Builder
	b.WriteString("| flag | default | what it does | commands |\n| --- | --- | --- | --- |\n")
	for _, f := range flagsOf(commands) {
		preset := ""
		if f.preset != "" {
			preset = "`" + f.preset + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.spelled(), preset, strings.ReplaceAll(md(f.usage), `\_`, "_"), takers(f, commands))
	}
	b.WriteString("| `-h, --help` |  | help for a command | all |\n| `--version` |  | version and commit | all |\n")
	return b.String()
}

// takers names the commands that take a flag.
func takers(f option, commands []*cli.Command) string {
	var all []string
	every := true
	for _, k := range commands {
		_, takes := find(flagsOf([]*cli.Command{k}), f.names[0])
		switch {
		case takes && k.Name == defaultCommand:
			all = append(all, "`lastwords LOG`")
		case takes:
			all = append(all, "`"+k.Name+"`")
		case !k.Hidden && k.Name != "completion":
			every = false
		}
	}
	if every {
		return "all"
	}
	return strings.Join(all, ", ")
}
