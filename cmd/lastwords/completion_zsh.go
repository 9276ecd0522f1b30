package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// quoteZsh writes s between single quotes, with what _arguments reads as its own escaped.
func quoteZsh(s string) string {
	s = strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
	return strings.ReplaceAll(s, "'", `'\''`)
}

func zshScript(w *bufio.Writer, ws words) {
	fmt.Fprintf(w, `#compdef lastwords
# zsh completion for lastwords: lastwords completion zsh > "${fpath[1]}/_lastwords"
_lastwords() {
    local word command=""
    for word in ${words[2,CURRENT-1]}; do
        case $word in
        %s) command=$word; break ;;
        esac
    done
    case $command in
`, strings.Join(names(ws.visible()), "|"))
	for _, k := range ws.visible() {
		fmt.Fprintf(w, "    %s)\n", k.Name)
		zshArguments(w, ws, k, ws.arguments(k))
	}
	fmt.Fprintf(w, "    *)\n        if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n            local -a commands=(\n")
	for _, k := range ws.visible() {
		fmt.Fprintf(w, "                '%s:%s'\n", k.Name, quoteZsh(k.Usage))
	}
	fmt.Fprintf(w, "            )\n            _describe command commands\n        fi\n")
	zshArguments(w, ws, ws.commands[0], nil)
	fmt.Fprintf(w, "    esac\n}\nif [[ $funcstack[1] == _lastwords ]]; then _lastwords \"$@\"; else compdef _lastwords lastwords; fi\n")
}

func zshArguments(w *bufio.Writer, ws words, k *cli.Command, arguments []string) {
	fmt.Fprintf(w, "        _arguments -s")
	for _, f := range flagsOf([]*cli.Command{k}) {
		for _, n := range f.names {
			spelled := "--" + n
			if len(n) == 1 {
				spelled = "-" + n
			}
			action := ""
			if f.value != "" {
				action = ":" + strings.ToLower(f.value) + ":"
				switch values := ws.values[f.names[0]]; {
				case len(values) > 0:
					action += "(" + strings.Join(values, " ") + ")"
				case slices.Contains(places, f.names[0]):
					action += "_files"
				}
			}
			fmt.Fprintf(w, " \\\n            '*%s[%s]%s'", spelled, quoteZsh(f.usage), action)
		}
	}
	fmt.Fprintf(w, " \\\n            '--help[show help]' \\\n            '*:argument:")
	switch {
	case arguments == nil:
		fmt.Fprintf(w, "_files' ;;\n")
	default:
		fmt.Fprintf(w, "(%s)' ;;\n", strings.Join(append(names(ws.visible()), arguments...), " "))
	}
}
