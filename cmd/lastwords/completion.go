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
