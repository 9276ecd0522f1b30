package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lastwords/classify"
)

// completion prints a script for a shell, made from the definitions of commands and flags.
func (p *program) completion(c *cli.Context) error {
	scripts := map[string]func(*bufio.Writer, words){"bash": bashScript, "zsh": zshScript, "fish": fishScript}
	shell := c.Args().First()
	script, ok := scripts[shell]
	if !ok || c.NArg() != 1 {
		return wrong("lastwords completion bash|zsh|fish", "completion wants the name of a shell: bash, zsh or fish")
	}
	return p.write("", "", func(w *bufio.Writer) error {
		script(w, p.words())
		return w.Flush()
	})
}

// words are all that can be completed.
type words struct {
	commands []*cli.Command
	values   map[string][]string // by flag
	explain  []string
}

func (p *program) words() words {
	ws := words{commands: p.commands(), values: map[string][]string{}}
	for flag, values := range flagValues {
		ws.values[flag] = values
	}
	for _, e := range classify.Endings {
		ws.values["ending"] = append(ws.values["ending"], string(e))
	}
	for _, e := range p.engine.Entries() {
		ws.explain = append(ws.explain, e.Name)
		if e.Kind != "ending" {
			ws.values["cause"] = append(ws.values["cause"], e.Name)
		}
	}
	ws.values["fail-on"] = append([]string{"any"}, ws.explain...)
	return ws
}

// visible are the commands that a person types.
func (ws words) visible() []*cli.Command {
	return slices.DeleteFunc(slices.Clone(ws.commands), func(k *cli.Command) bool { return k.Hidden })
}

// arguments are the words that a command takes; nil means files.
func (ws words) arguments(k *cli.Command) []string {
	switch k.Name {
	case "explain":
		return ws.explain
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "rules":
		return names(k.Subcommands)
	}
	return nil
}

func names(commands []*cli.Command) []string {
	var all []string
	for _, k := range commands {
		all = append(all, k.Name)
	}
	return all
}

// switches are the spellings of the flags of a command and of those below it.
func switches(k *cli.Command) []string {
	all := []string{"--help"}
	for _, f := range flagsOf([]*cli.Command{k}) {
		for i, n := range f.names {
			if i == 0 {
				all = append(all, "--"+n)
			} else {
				all = append(all, "-"+n)
			}
		}
	}
	return all
}

func bashScript(w *bufio.Writer, ws words) {
	fmt.Fprintf(w, `# bash completion for lastwords: source <(lastwords completion bash)
_lastwords() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word command=""
    COMPREPLY=()
    case $prev in
`)
	for _, f := range flagsOf(ws.commands) {
		var spelled []string
		for _, n := range f.names {
			if len(n) == 1 {
				spelled = append(spelled, "-"+n)
			} else {
				spelled = append(spelled, "--"+n)
			}
		}
		pattern := strings.Join(spelled, "|")
		switch values := ws.values[f.names[0]]; {
		case len(values) > 0:
			fmt.Fprintf(w, "    %s) COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", pattern, strings.Join(values, " "))
		case slices.Contains(places, f.names[0]):
			fmt.Fprintf(w, "    %s) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", pattern)
		case f.value != "":
			fmt.Fprintf(w, "    %s) return ;;\n", pattern)
		}
	}
	visible := names(ws.visible())
	fmt.Fprintf(w, `    esac
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
        %s) command=$word; break ;;
        esac
    done
    case $command in
`, strings.Join(visible, "|"))
	for _, k := range ws.visible() {
		fmt.Fprintf(w, "    %s)\n", k.Name)
		bashWords(w, switches(k), ws.arguments(k))
	}
	fmt.Fprintf(w, "    *)\n")
	bashWords(w, append(switches(ws.commands[0]), "--version"), nil)
	fmt.Fprintf(w, `    esac
    if [[ -z $command && $COMP_CWORD -eq 1 && $cur != -* ]]; then
        COMPREPLY+=($(compgen -W %q -- "$cur"))
    fi
}
complete -F _lastwords lastwords
`, strings.Join(visible, " "))
}

func bashWords(w *bufio.Writer, flags, arguments []string) {
	fmt.Fprintf(w, "        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W %q -- \"$cur\"))\n", strings.Join(flags, " "))
	if arguments != nil {
		fmt.Fprintf(w, "        else COMPREPLY=($(compgen -W %q -- \"$cur\")); fi ;;\n", strings.Join(arguments, " "))
	} else {
		fmt.Fprintf(w, "        else compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); fi ;;\n")
	}
}
