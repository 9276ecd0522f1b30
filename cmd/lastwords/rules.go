package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"lastwords/rules"
)

// ruleSet loads the rules that a command shall show: the built-in ones and those of --rules.
func (p *program) ruleSet(c *cli.Context, command string) (options, []*rules.Rule, error) {
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
func saysOf(r *rules.Rule) string {
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
	var chosen []*rules.Rule
	for _, id := range c.Args().Slice() {
		i := slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == id })
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
