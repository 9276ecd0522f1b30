package main

import "github.com/fatih/color"

// palette gives each kind of word its colour. The zero palette is plain text.
type palette struct {
	bad   *color.Color // endings and causes of failed tries
	doubt *color.Color // what is open or uncertain
	good  *color.Color
	name  *color.Color // names, headings
	faint *color.Color // labels, places
	run   *color.Color // commands
}

// colours is the palette for terminals.
func colours() palette {
	on := func(a ...color.Attribute) *color.Color {
		c := color.New(a...)
		c.EnableColor()
		return c
	}
	return palette{bad: on(color.FgRed), doubt: on(color.FgYellow), good: on(color.FgGreen),
		name: on(color.Bold), faint: on(color.Faint), run: on(color.FgCyan)}
}

// paint returns s in colour c; nil is plain.
func paint(c *color.Color, s string) string {
	if c == nil || s == "" {
		return s
	}
	return c.Sprint(s)
}

// palette picks by --color, NO_COLOR, CLICOLOR_FORCE and whether text goes to a terminal.
func (e Env) palette(when string, toFile bool) palette {
	force := e.Getenv("CLICOLOR_FORCE")
	switch {
	case when == "always":
		return colours()
	case when == "never", e.Getenv("NO_COLOR") != "":
		return palette{}
	case force != "" && force != "0":
		return colours()
	case toFile, !e.StdoutTTY, e.Getenv("TERM") == "dumb":
		return palette{}
	}
	return colours()
}
