package main

import (
	"context"
	"fmt"
	"slices"
)

// group is a set of rivals at the same job, run in turn: A B C A B C.
type group struct {
	name, about string
	rounds      int
	commands    []command      // the first is the base, which should take the same time in each round
	warm        []string       // read once before the first round
	expect      map[string]int // lines that a command must print
	asked       func(ctx context.Context) error
	figures     func(*result) []figure
}

// result is what the rounds of a group gave.
type result struct {
	Name, About string
	Rounds      int
	LoadBefore  float64
	LoadAfter   float64
	Others      float64 // share of all processors that others used
	Wander      float64 // how far the times of the base lie apart
	Noisy       string  // why no figure that noise can move is judged; empty where it is
	Commands    []row
	Disagree    []string // answers that are not as they must be
	Figures     []figure

	samples map[string][]sample
}

// row is one command of a result.
type row struct {
	Name      string
	Argv      []string
	Wall, CPU spread // seconds
	RSS       int64  // bytes, the highest
	Answers   int    // lines of output, -1 where they were not counted
}

// Above these no figure that noise can move is judged.
const (
	mostLoad   = 1.5 // load average at the start of the whole run
	mostWander = 0.25
	mostOthers = 0.25
)

// measure runs the rounds of a group.
func (b *bench) measure(ctx context.Context, g group) (*result, error) {
	r := &result{Name: g.name, About: g.about, Rounds: g.rounds, samples: map[string][]sample{}, LoadBefore: load()}
	for _, path := range g.warm {
		if _, err := b.runner.run(ctx, command{name: "warm", argv: b.child("warm", path), null: true}); err != nil {
			return nil, err
		}
	}
	if g.asked != nil {
		if err := g.asked(ctx); err != nil {
			r.Disagree = append(r.Disagree, err.Error())
		}
	}
	forgetPeak()
	w := look()
	for n := range g.rounds {
		for _, c := range g.commands {
			s, err := b.runner.run(ctx, c)
			if err != nil {
				return nil, err
			}
			r.samples[c.name] = append(r.samples[c.name], s)
			if want, ok := g.expect[c.name]; ok && s.Answers != want {
				r.disagree("%s printed %d lines, %d are right", c.name, s.Answers, want)
			}
		}
		b.say("%s: round %d of %d", g.name, n+1, g.rounds)
	}
	r.Others, r.LoadAfter = w.others(), load()
	r.Wander = wander(r.each(g.commands[0].name, wall))
	switch {
	case b.loadBefore > mostLoad:
		r.Noisy = fmt.Sprintf("load was %.1f at the start", b.loadBefore)
	case r.Others > mostOthers:
		r.Noisy = fmt.Sprintf("others used %.0f %% of the processors", 100*r.Others)
	case r.Wander > mostWander:
		r.Noisy = fmt.Sprintf("%s varied by %.0f %%", g.commands[0].name, 100*r.Wander)
	}
	for _, c := range g.commands {
		own := row{Name: c.name, Argv: append(slices.Clone(c.from), c.argv...), Answers: -1,
			Wall: spreadOf(r.each(c.name, wall)), CPU: spreadOf(r.each(c.name, cpu))}
		if c.from != nil {
			own.Argv = slices.Concat(c.from, []string{"|"}, c.argv)
		}
		for _, s := range r.samples[c.name] {
			own.RSS, own.Answers = max(own.RSS, s.RSS), s.Answers
		}
		r.Commands = append(r.Commands, own)
	}
	r.Figures = g.figures(r)
	for i := range r.Figures {
		r.Figures[i].judge(r.Noisy, len(r.Disagree) > 0)
	}
	return r, nil
}

func (r *result) disagree(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(r.Disagree, s) {
		r.Disagree = append(r.Disagree, s)
	}
}

func wall(s sample) float64 { return s.Wall }
func cpu(s sample) float64  { return s.CPU }
func rss(s sample) float64  { return float64(s.RSS) / (1 << 20) }

// each is one quantity of a command in each round.
func (r *result) each(name string, of func(sample) float64) []float64 {
	var v []float64
	for _, s := range r.samples[name] {
		v = append(v, of(s))
	}
	return v
}

// ratios is a quantity of a over that of b, round by round. A command that was left out gives none.
func (r *result) ratios(a, b string, of func(sample) float64) []float64 {
	var v []float64
	for i := range min(len(r.samples[a]), len(r.samples[b])) {
		if d := of(r.samples[b][i]); d > 0 {
			v = append(v, of(r.samples[a][i])/d)
		}
	}
	return v
}

// faster is how many times faster than its rival a command was. It is nothing where the rival was left out.
func (r *result) faster(id, says, command, rival string, goal float64) []figure {
	v := r.ratios(rival, command, wall)
	if len(v) == 0 {
		return nil
	}
	return []figure{{ID: id, Says: says, Unit: "×", Value: spreadOf(v), Goal: goal, timed: true}}
}

// peak is the highest peak memory of a command.
func (r *result) peak(id, says, command string) figure {
	v := spreadOf(r.each(command, rss))
	v.Median = v.Max
	return figure{ID: id, Says: says, Unit: "MiB", Value: v, Goal: 64, AtMost: true}
}
