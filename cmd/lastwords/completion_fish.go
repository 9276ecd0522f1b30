package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

func fishScript(w *bufio.Writer, ws words) {
	fmt.Fprintf(w, "# fish completion for lastwords: lastwords completion fish > ~/.config/fish/completions/lastwords.fish\n")
	all := names(ws.visible())
	none := "not __fish_seen_subcommand_from " + strings.Join(all, " ")
	fmt.Fprintf(w, "complete -c lastwords -l help -s h -d 'show help'\ncomplete -c lastwords -l version -d 'show version and commit'\n")
	for _, k := range ws.visible() {
		fmt.Fprintf(w, "complete -c lastwords -n '%s' -a %s -d %s\n", none, k.Name, quoteFish(k.Usage))
		if arguments := ws.arguments(k); arguments != nil {
			fmt.Fprintf(w, "complete -c lastwords -f -n '__fish_seen_subcommand_from %s' -a %s\n", k.Name, quoteFish(strings.Join(arguments, " ")))
		}
	}
	for _, k := range ws.commands {
		when := "__fish_seen_subcommand_from " + k.Name
		switch {
		case k.Name == defaultCommand:
			when = none
		case k.Hidden:
			continue
		}
		for _, f := range flagsOf([]*cli.Command{k}) {
			fmt.Fprintf(w, "complete -c lastwords -n '%s'", when)
			for _, n := range f.names {
				if len(n) == 1 {
					fmt.Fprintf(w, " -s %s", n)
				} else {
					fmt.Fprintf(w, " -l %s", n)
				}
			}
			switch values := ws.values[f.names[0]]; {
			case len(values) > 0:
				fmt.Fprintf(w, " -x -a %s", quoteFish(strings.Join(values, " ")))
			case slices.Contains(places, f.names[0]):
				fmt.Fprintf(w, " -r -F")
			case f.value != "":
				fmt.Fprintf(w, " -x")
			}
			fmt.Fprintf(w, " -d %s\n", quoteFish(f.usage))
		}
	}
}
