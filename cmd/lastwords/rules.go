package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lastwords/rules"
)

// ruleSet loads the rules that a command shall show: the built-in ones and those of --rules.
func (p *program) ruleSet(c *cli.Context, command string) (options, []rules.Rule, error) {
	o, err := p.plainOptions(c, command)
	if err != nil {
		return o, nil, err
	}
	user, err := p.userRules(c.String("rules"), "--rules: ")
	if err != nil {
		return o, nil, err
	}
	all, err := p.engine.Rules(user)
	if err != nil {
		return o, nil, badRules(err)
	}
	return o, all, nil
}

func (p *program) userRules(dir, flag string) (fs.FS, error) {
	if dir == "" {
		return nil, nil
	}
	user, err := p.env.OpenDir(dir)
	if err != nil {
		return nil, wrong("", "%s%v", flag, err)
	}
	return user, nil
}

func (p *program) rulesList(c *cli.Context) error {
	o, all, err := p.ruleSet(c, "rules list")
	if err != nil {
		return err
	}
	if c.Args().Present() {
		return wrong("lastwords rules show "+c.Args().First(), "rules list takes no argument")
	}
	return p.write(o.out, "rules."+extension(o.format), func(w *bufio.Writer) error {
		if o.format == "json" {
			return ruleRows(w, all)
		}
		g := p.page(w, o)
		var wide [3]int
		for _, r := range all {
			for i, s := range []string{r.ID, strings.Join(r.In, ","), saysOf(r)} {
				wide[i] = max(wide[i], cells(clean(s)))
			}
		}
		for _, r := range all {
			s := pad(clean(r.ID), wide[0]) + "  " + pad(clean(strings.Join(r.In, ",")), wide[1]) + "  " +
				pad(clean(saysOf(r)), wide[2]) + "  " + clean(r.Title)
			g.line(cut(strings.TrimRight(s, " "), g.width))
		}
		return w.Flush()
	})
}

// saysOf is what a rule says: its fact, its cause or both.
func saysOf(r rules.Rule) string {
	if r.Fact != "" && r.Cause != "" {
		return r.Fact + ", " + r.Cause
	}
	return r.Fact + r.Cause
}

func (p *program) rulesShow(c *cli.Context) error {
	o, all, err := p.ruleSet(c, "rules show")
	if err != nil {
		return err
	}
	if !c.Args().Present() {
		return wrong("lastwords rules list", "rules show wants the id of a rule")
	}
	var chosen []rules.Rule
	for _, id := range c.Args().Slice() {
		i := slices.IndexFunc(all, func(r rules.Rule) bool { return r.ID == id })
		if i < 0 {
			var ids []string
			for _, r := range all {
				ids = append(ids, r.ID)
			}
			return wrong(guess(nearest(id, ids), "lastwords rules list lists all ids"), "no rule is called %q", id)
		}
		chosen = append(chosen, all[i])
	}
	return p.write(o.out, "rules."+extension(o.format), func(w *bufio.Writer) error {
		if o.format == "json" {
			return ruleRows(w, chosen)
		}
		for i, r := range chosen {
			if i > 0 {
				w.WriteByte('\n')
			}
			showRule(w, r)
		}
		return w.Flush()
	})
}

// showRule prints a rule as its file has it.
func showRule(w *bufio.Writer, r rules.Rule) {
	if r.File != "" {
		fmt.Fprintf(w, "# %s:%d\n", clean(r.File), r.Line)
	}
	one := func(key, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %s: %s\n", key, scalar(value))
		}
	}
	many := func(key string, values []string) {
		if len(values) > 0 {
			fmt.Fprintf(w, "  %s:\n", key)
		}
		for _, v := range values {
			fmt.Fprintf(w, "    - %s\n", scalar(v))
		}
	}
	fmt.Fprintf(w, "- id: %s\n", scalar(r.ID))
	one("title", r.Title)
	many("in", r.In)
	one("versions", r.Versions)
	many("origin", r.Origin)
	one("at", r.At)
	many("literal", r.Literal)
	many("not", r.Not)
	if r.More {
		one("more", "true")
	}
	one("regexp", r.Regexp)
	one("fact", r.Fact)
	one("cause", r.Cause)
	if len(r.Fields) > 0 {
		fmt.Fprintln(w, "  fields:")
		for _, k := range slices.Sorted(maps.Keys(r.Fields)) {
			fmt.Fprintf(w, "    %s: %s\n", scalar(k), scalar(r.Fields[k]))
		}
	}
	many("fires", r.Fires)
	many("silent", r.Silent)
	one("from", r.From)
}

// scalar writes a value for YAML: plain where that is safe, else between double quotes.
func scalar(s string) string {
	plain := s != "" && s == clean(s) && strings.TrimSpace(s) == s && !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.HasSuffix(s, ":") && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`~=<0123456789.+") && !strings.ContainsAny(s, "\t\n")
	switch strings.ToLower(s) {
	case "null", "yes", "no", "on", "off":
		plain = false
	}
	if plain {
		return s
	}
	var e encoder
	e.text(s)
	return string(e.buf)
}

// ruleRows writes one object a line, with the keys of the YAML.
func ruleRows(w *bufio.Writer, all []rules.Rule) error {
	var e encoder
	for _, r := range all {
		e.row("rule")
		for _, f := range []struct{ key, value string }{{"id", r.ID}, {"title", r.Title}, {"versions", r.Versions},
			{"at", r.At}, {"regexp", r.Regexp}, {"fact", r.Fact}, {"cause", r.Cause}, {"from", r.From}, {"file", r.File}} {
			e.key(f.key)
			e.textOr(f.value)
		}
		e.key("line")
		e.intOr(int64(r.Line), 0)
		e.key("more")
		e.bool(r.More)
		for _, f := range []struct {
			key    string
			values []string
		}{{"in", r.In}, {"origin", r.Origin}, {"literal", r.Literal}, {"not", r.Not}, {"fires", r.Fires}, {"silent", r.Silent}} {
			e.key(f.key)
			e.texts(f.values)
		}
		e.key("fields")
		e.open('{')
		for _, k := range slices.Sorted(maps.Keys(r.Fields)) {
			e.text(k)
			e.buf = append(e.buf, ':')
			e.text(r.Fields[k])
		}
		e.close('}')
		e.end()
		if _, err := w.Write(e.buf); err != nil {
			return err
		}
		e.buf = e.buf[:0]
	}
	return w.Flush()
}

// rulesTest runs the lines of the rules of DIR, or of the built-in ones.
func (p *program) rulesTest(c *cli.Context) error {
	if _, err := p.plainOptions(c, "rules test"); err != nil {
		return err
	}
	dir := c.Args().First()
	if c.NArg() > 1 || c.NArg() == 1 && c.String("rules") != "" {
		return wrong("lastwords rules test DIR", "rules test takes one directory")
	}
	user, err := p.userRules(or(dir, c.String("rules")), "")
	if err != nil {
		return err
	}
	failures := p.engine.TestRules(user)
	return p.write(c.String("out"), "rules.txt", func(w *bufio.Writer) error {
		for _, f := range failures {
			at := clean(f.File)
			if f.Line > 0 {
				at += fmt.Sprintf(":%d", f.Line)
			}
			if f.Rule != "" {
				at += ": " + clean(f.Rule)
			}
			fmt.Fprintf(w, "%s: %s\n", at, clean(f.Says))
		}
		if len(failures) > 0 {
			p.status = statusCheckFailed
			fmt.Fprintln(p.env.Stderr, "lastwords:", count(len(failures), "line of the rules fails", "lines of the rules fail"))
			return w.Flush()
		}
		all, err := p.engine.Rules(user)
		if err != nil {
			return badRules(err)
		}
		lines := 0
		for _, r := range all {
			lines += len(r.Fires) + len(r.Silent)
		}
		fmt.Fprintf(w, "ok: %s, %s\n", count(len(all), "rule", "rules"), count(lines, "line", "lines"))
		return w.Flush()
	})
}
