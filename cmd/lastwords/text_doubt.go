package main

import (
	"fmt"
	"slices"
	"strings"

	"lastwords/classify"
)

// doubtFields writes what is not excluded, which witnesses are missing and what to do. What the next try's block says in
// the same words is left to it.
func (p *page) doubtFields(t, next *classify.Try) {
	if next == nil || !next.Ending.Failed() {
		next = &classify.Try{}
	}
	label := "could be"
	for _, c := range t.Candidates {
		if slices.Equal(t.Candidates, next.Candidates) {
			break
		}
		s := sure(clean(c.Cause), c.Certainty)
		if c.Why != "" {
			s += ": " + clean(c.Why)
		}
		p.field(label, s)
		label = ""
	}
	label = "against"
	for _, w := range t.Witnesses {
		if w.Stance == "contradicts" {
			p.field(label, clean(w.Witness)+": "+clean(w.Why))
			label = ""
		}
	}
	if !slices.Equal(t.Witnesses, next.Witnesses) {
		p.missing(t.Witnesses)
	}
	if !slices.Equal(t.Next, next.Next) {
		p.nextFields(t.Next)
	}
}

// missing names the witnesses that say nothing, those of the same kind in one line.
func (p *page) missing(all []classify.WitnessView) {
	type kind struct{ stance, why string }
	var order []kind
	names := map[kind][]string{}
	for _, w := range all {
		switch w.Stance {
		case "silent", "expired", "not-asked":
			k := kind{w.Stance, w.Why}
			if names[k] == nil {
				order = append(order, k)
			}
			names[k] = append(names[k], clean(w.Witness))
		}
	}
	label := "missing"
	for _, k := range order {
		s := list(names[k]) + ": " + strings.ReplaceAll(k.stance, "-", " ")
		if k.why != "" {
			s += ", " + clean(k.why)
		}
		p.field(label, s)
		label = ""
	}
}

// nextFields writes what to do, each step with how safe it is.
func (p *page) nextFields(all []classify.NextStep) {
	label := "next"
	for _, n := range all {
		p.field(label, safety(n.Safety)+clean(n.Say))
		if n.Run != "" {
			p.command(clean(n.Run))
		}
		label = ""
	}
}

func safety(s string) string {
	if s == "" {
		return ""
	}
	return "[" + clean(s) + "] "
}

// everything writes what --verbose adds.
func (p *page) everything(t *classify.Try) {
	label := "evidence"
	for i := range t.Evidence {
		v := &t.Evidence[i]
		s := placeName(&v.Place)
		if !v.At.IsZero() {
			s += " at " + p.clock.near(v.At, lastSign(t))
		}
		s += fmt.Sprintf(" (%s, rule %s)", clean(v.Witness), clean(or(v.Rule, "none")))
		if v.Says != "" {
			s += ": " + clean(v.Says)
		}
		p.field(label, s, clean(v.Text))
		label = ""
	}
	label = "agree"
	for _, w := range t.Witnesses {
		if w.Stance == "agrees" {
			p.field(label, strings.TrimSuffix(clean(w.Witness)+": "+clean(w.Why), ": "))
			label = ""
		}
	}
	label = "chain"
	for _, c := range t.Chain {
		s := clean(c.Step)
		if !c.At.IsZero() {
			s = p.clock.near(c.At, lastSign(t)) + "  " + s
		}
		p.field(label, s+" ("+clean(c.Witness)+")")
		label = ""
	}
	label = "joined"
	for _, j := range t.Joined {
		p.field(label, clean(j.Object)+" by "+clean(j.By))
		label = ""
	}
	if len(t.Sources) > 1 {
		label = "sources"
		for _, s := range t.Sources {
			p.field(label, clean(s))
			label = ""
		}
	}
}
