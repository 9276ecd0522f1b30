package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// call is an argument list taken apart.
type call struct {
	path    []string    // names of the command, at least one
	flags   [][2]string // long name and value, in their order
	args    []string
	help    bool
	version bool
}

// argv puts the call in the only order that urfave/cli reads: command, flags, "--", arguments.
func (c call) argv() []string {
	out := append([]string{"lastwords"}, c.path...)
	for _, f := range c.flags {
		out = append(out, "--"+f[0]+"="+f[1])
	}
	return append(append(out, "--"), c.args...)
}

// word is an argument that is no flag.
type word struct {
	text string
	bare bool // stood before any "--", so it may name a command
}

// parseCall takes argv (without the program's name) apart. Flags may stand anywhere, also before the command; "--" ends
// them; a name has one meaning in all commands.
func parseCall(argv []string, commands []*cli.Command) (call, error) {
	all := flagsOf(commands)
	var c call
	var words []word
	for i := 0; i < len(argv); i++ {
		arg := argv[i]
		if arg == "--" {
			for _, rest := range argv[i+1:] {
				words = append(words, word{rest, false})
			}
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			words = append(words, word{arg, true})
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		switch name {
		case "h", "help":
			c.help = true
			continue
		case "version":
			c.version = true
			continue
		}
		f, ok := find(all, name)
		if !ok && !strings.HasPrefix(arg, "--") && len(name) > 1 {
			// -ojson, -qv
			if short, found := find(all, name[:1]); found {
				if short.value != "" {
					c.flags = append(c.flags, [2]string{short.names[0], strings.TrimPrefix(arg[2:], "=")})
				} else {
					c.flags = append(c.flags, [2]string{short.names[0], "true"})
					argv = slices.Concat(argv[:i], []string{arg, "-" + arg[2:]}, argv[i+1:])
				}
				continue
			}
		}
		switch {
		case !ok:
			return c, unknownFlag(arg, name, all)
		case f.value == "" && !given:
			value = "true"
		case f.value == "" && value != "true" && value != "false":
			return c, wrong("", "--%s takes no value but true or false, not %q", f.names[0], value)
		case f.value != "" && !given:
			if i+1 == len(argv) {
				return c, wrong("lastwords "+strings.TrimSpace(f.spelled()), "--%s wants a value", f.names[0])
			}
			i++
			value = argv[i]
		}
		c.flags = append(c.flags, [2]string{f.names[0], value})
	}
	return c, c.choose(words, commands)
}

// misspelt is the command that a word of letters may have been meant for, or "".
func misspelt(word string, commands []*cli.Command) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || len(word) < 3 {
		return ""
	}
	var names []string
	for _, k := range commands {
		if k.Name != "" && k.Name[0] == word[0] && distance(word, k.Name) <= 2 {
			names = append(names, k.Name)
		}
	}
	return nearest(word, names)
}

// choose finds the command that words name and leaves the rest as its arguments.
func (c *call) choose(words []word, commands []*cli.Command) error {
	if len(words) > 0 && words[0] == (word{"help", true}) {
		c.help, words = true, words[1:]
	}
	level := commands
	var own []cli.Flag
	for len(words) > 0 && words[0].bare {
		i := slices.IndexFunc(level, func(k *cli.Command) bool { return k.Name == words[0].text })
		if i < 0 {
			break
		}
		c.path = append(c.path, level[i].Name)
		own, level, words = level[i].Flags, level[i].Subcommands, words[1:]
	}
	switch {
	case len(c.path) == 0 && len(words) > 0 && words[0].bare && slices.Contains(laterCommands, words[0].text):
		return wrong("a log of that name is read as ./"+words[0].text,
			"%s is not in this version", words[0].text)
	case len(c.path) == 0 && len(words) > 0 && words[0].bare && misspelt(words[0].text, commands) != "":
		return wrong("did you mean lastwords "+misspelt(words[0].text, commands)+"? A log of that name is read as ./"+words[0].text,
			"no command %s", words[0].text)
	case len(c.path) == 0:
		c.path, own = []string{commands[0].Name}, commands[0].Flags
	case len(level) > 0 && len(words) > 0 && words[0].bare:
		var names []string
		for _, k := range level {
			names = append(names, k.Name)
		}
		return wrong(guess(nearest(words[0].text, names), "it has "+list(names)),
			"%s has no %q", c.path[0], words[0].text)
	case len(level) > 0 && c.help:
	case len(level) > 0:
		c.path, own = append(c.path, level[0].Name), level[0].Flags
	}
	for _, w := range words {
		c.args = append(c.args, w.text)
	}
	if c.help {
		return nil
	}
	for _, f := range c.flags {
		if !slices.ContainsFunc(own, func(k cli.Flag) bool { return k.Names()[0] == f[0] }) {
			return wrong("lastwords "+c.name()+" --help", "%s has no --%s", c.title(), f[0])
		}
	}
	return nil
}

// name is the command as a person types it, without the program's; empty for the one that needs no name.
func (c call) name() string {
	if c.path[0] == defaultCommand {
		return ""
	}
	return strings.Join(c.path, " ")
}

func (c call) title() string { return strings.TrimSpace("lastwords " + c.name()) }

// flagsOf collects the flags of all commands.
func flagsOf(commands []*cli.Command) []option {
	var all []option
	for _, k := range commands {
		for _, f := range k.Flags {
			if _, ok := find(all, f.Names()[0]); !ok {
				all = append(all, describe(f))
			}
		}
		for _, f := range flagsOf(k.Subcommands) {
			if _, ok := find(all, f.names[0]); !ok {
				all = append(all, f)
			}
		}
	}
	return all
}

func find(all []option, name string) (option, bool) {
	i := slices.IndexFunc(all, func(f option) bool { return f.is(name) })
	if i < 0 {
		return option{}, false
	}
	return all[i], true
}

func unknownFlag(arg, name string, all []option) error {
	if _, ok := laterFlags[name]; ok {
		return wrong("", "%s is not in this version", strings.SplitN(arg, "=", 2)[0])
	}
	names := []string{"help", "version"}
	for _, f := range all {
		names = append(names, f.names[0])
	}
	hint := "lastwords --help lists the flags; a file of that name is read after --"
	if near := nearest(name, names); near != "" {
		hint = "did you mean --" + near + "?"
	}
	return wrong(hint, "no flag %s", strings.SplitN(arg, "=", 2)[0])
}

// guess is a hint with the name that was probably meant, or otherwise.
func guess(near, otherwise string) string {
	if near == "" {
		return otherwise
	}
	return "did you mean " + near + "?"
}

// list joins names for a sentence: "a, b and c".
func list(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
