package main

import (
	"bufio"
	"strings"

	"github.com/urfave/cli/v2"

	"lastwords/rules"
)

// explain prints entries, or the names of all.
func (p *program) explain(c *cli.Context) error {
	o, err := p.plainOptions(c, "explain")
	if err != nil {
		return err
	}
	var all []rules.Entry
	for _, name := range c.Args().Slice() {
		e, ok := p.engine.Explain(name)
		if !ok {
			var names []string
			for _, e := range p.engine.Entries() {
				names = append(names, e.Name)
			}
			return wrong(guess(nearest(name, names), "lastwords explain lists all names"), "nothing is called %q", name)
		}
		all = append(all, e)
	}
	named := len(all) > 0
	if !named {
		all = p.engine.Entries()
	}
	return p.write(o.out, "explain."+extension(o.format), func(w *bufio.Writer) error {
		if o.format == "json" {
			return entryRows(w, all)
		}
		g := p.page(w, o)
		if !named {
			g.entryNames(all)
		}
		for i, e := range all {
			if named {
				if i > 0 {
					g.line()
				}
				g.entry(e)
			}
		}
		return w.Flush()
	})
}

// plainOptions reads the output flags of a command that reports on no try and has only text and JSON.
func (p *program) plainOptions(c *cli.Context, command string) (options, error) {
	o := options{format: c.String("output"), out: c.String("out"), color: c.String("color"), quiet: c.Bool("quiet")}
	if err := first(oneOf("output", o.format)); err != nil {
		return o, err
	}
	if o.format != "text" && o.format != "json" {
		return o, wrong("it has text and json", "%s has no -o %s", command, o.format)
	}
	return o, oneOf("color", o.color)
}

// entry prints what there is to know about a name.
func (p *page) entry(e rules.Entry) {
	kind := e.Kind
	if e.Group != "" && e.Group != e.Kind {
		kind += ", " + e.Group
	}
	p.line(paint(p.pal.name, clean(e.Name)), " (", clean(kind), ")")
	p.field("means", sentences(e.Means)...)
	p.field("proven by", sentences(e.Proven)...)
	label := "could be"
	for _, r := range e.Rivals {
		p.field(label, clean(r))
		label = ""
	}
	label = "do"
	for _, d := range e.Do {
		p.field(label, safety(d.Safety)+clean(d.Say))
		if d.Run != "" {
			p.command(clean(d.Run))
		}
		label = ""
	}
}

// sentences takes the line breaks out of a text of several paragraphs.
func sentences(s string) []string {
	var all []string
	for _, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		all = append(all, clean(strings.Join(strings.Fields(paragraph), " ")))
	}
	return all
}

// entryNames lists all names by group.
func (p *page) entryNames(all []rules.Entry) {
	var order []string
	by := map[string][]string{}
	for _, e := range all {
		group := e.Kind + "s"
		if e.Group != "" && e.Group != e.Kind {
			group += ": " + e.Group
		}
		if by[group] == nil {
			order = append(order, group)
		}
		by[group] = append(by[group], clean(e.Name))
	}
	width := p.width
	if p.width == 0 {
		p.width = 100
	}
	for _, group := range order {
		p.line(paint(p.pal.name, clean(group)))
		p.hang(2, "", nil, strings.Join(by[group], ", "))
	}
	p.width = width
}

// entryRows writes one object a line.
func entryRows(w *bufio.Writer, all []rules.Entry) error {
	var e encoder
	for _, x := range all {
		e.row("entry")
		e.key("name")
		e.text(x.Name)
		e.key("of")
		e.text(x.Kind)
		e.key("group")
		e.textOr(x.Group)
		e.key("means")
		e.text(x.Means)
		e.key("proven")
		e.text(x.Proven)
		e.key("rivals")
		e.texts(x.Rivals)
		e.key("do")
		e.open('[')
		for _, d := range x.Do {
			e.open('{')
			e.key("say")
			e.text(d.Say)
			e.key("run")
			e.textOr(d.Run)
			e.key("safety")
			e.textOr(d.Safety)
			e.close('}')
		}
		e.close(']')
		e.end()
		if _, err := w.Write(e.buf); err != nil {
			return err
		}
		e.buf = e.buf[:0]
	}
	return w.Flush()
}
