package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"lastwords/classify"
	"lastwords/rules"
	"lastwords/sources"
)

// wired connects the command line with packages sources, classify and rules.
func wired() Engine {
	return Engine{
		Classify:  classifyAll,
		Rules:     ruleList,
		TestRules: testRules,
		Explain:   rules.Explain,
		Entries:   rules.Entries,
	}
}

func load(dir fs.FS) (rules.Set, error) {
	if dir == nil {
		return rules.Builtin(), nil
	}
	return rules.Load(dir)
}

func ruleList(dir fs.FS) ([]*rules.Rule, error) {
	set, err := load(dir)
	if err != nil {
		return nil, err
	}
	return set.Rules(), nil
}

// testRules runs the lines of each rule through the same parser and matcher that logs go through.
func testRules(dir fs.FS) []RuleFailure {
	set, err := load(dir)
	if err != nil {
		var list rules.Errors
		if !errors.As(err, &list) {
			return []RuleFailure{{Says: err.Error()}}
		}
		var out []RuleFailure
		for _, e := range list {
			out = append(out, RuleFailure{File: e.File, Line: e.Line, Says: e.What})
		}
		return out
	}
	c := classify.New(classify.Options{Rules: set})
	var out []RuleFailure
	for _, f := range rules.Check(set, c.Fires) {
		says := "must fire on: " + f.Text
		if !f.Want {
			says = "must not fire on: " + f.Text
		}
		out = append(out, RuleFailure{File: f.File, Line: f.Line, Rule: f.Rule, Says: says})
	}
	return out
}

// classifyAll reads every argument with a few workers and judges what they yield.
func classifyAll(ctx context.Context, job Job) (*classify.Report, Stats, error) {
	set, err := load(job.Rules)
	if err != nil {
		return nil, Stats{}, err
	}
	c := classify.New(classify.Options{Rules: set, Now: job.Now, LogZone: job.LogZone, HeartbeatTimeout: job.HeartbeatTimeout, RetryDelay: job.RetryDelay,
		Full: job.Full, LineNumbers: job.LineNumbers, TailWindow: job.TailWindow, Given: job.Given, Stop: interrupted(ctx)})
	workers := job.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g := &gathered{}
	for _, arg := range job.Args {
		if ctx.Err() != nil {
			break
		}
		src := sources.Open(arg, sources.Options{Stdin: job.Stdin})
		src.Logs(ctx, workers, func(l sources.Log) { g.add(read(ctx, c, &l, g), job.Progress) }, g.problem)
	}
	parts := append(g.parts, g.broken()...)
	return c.Report(parts), Stats{Files: g.files, BytesRead: g.read.Load(), BytesSize: g.size}, nil
}

// patience is how long a report may take to be put together after an interrupt.
const patience = time.Second

// interrupted says whether ctx ended more than a moment ago. One goroutine may ask.
func interrupted(ctx context.Context) func() bool {
	var at time.Time
	return func() bool {
		if ctx.Err() == nil {
			return false
		}
		if at.IsZero() {
			at = time.Now()
		}
		return time.Since(at) > patience
	}
}

// gathered is what the workers found so far.
type gathered struct {
	mu       sync.Mutex
	parts    []*classify.Part
	problems []sources.Problem
	files    int
	size     int64
	read     atomic.Int64
}

func (g *gathered) add(p *classify.Part, progress func(int, int64)) {
	g.mu.Lock()
	g.parts = append(g.parts, p)
	g.files++
	g.size += p.Bytes
	files, size := g.files, g.size
	g.mu.Unlock()
	if progress != nil {
		progress(files, size)
	}
}

func (g *gathered) problem(p sources.Problem) {
	g.mu.Lock()
	g.problems = append(g.problems, p)
	g.mu.Unlock()
}

// broken makes parts of inputs that could not be read.
func (g *gathered) broken() []*classify.Part {
	var out []*classify.Part
	for _, p := range g.problems {
		part := &classify.Part{Name: p.Source}
		part.Problem(p.Err, p.Hint)
		out = append(out, part)
	}
	return out
}

// read judges one log, from its end where it can seek.
func read(ctx context.Context, c *classify.Classifier, l *sources.Log, g *gathered) *classify.Part {
	var p *classify.Part
	switch {
	case l.Whole:
		g.read.Add(int64(len(l.Head)))
		p = c.Whole(l.Name, l.Head, l.Modified)
	case l.At != nil:
		g.read.Add(int64(len(l.Head)))
		at := &countingAt{l.At, &g.read}
		var ok bool
		if p, ok = c.Tail(l.Name, l.Head, at, l.Size, l.Modified); !ok {
			p = stream(ctx, c, l, io.NewSectionReader(at, 0, l.Size))
		}
	default:
		p = stream(ctx, c, l, &counting{l.Stream, &g.read})
	}
	p.Named = l.Named
	if p.Bytes = l.Size; p.Bytes < 0 {
		p.Bytes = 0
	}
	return p
}

// stream judges a log from its first byte to its last. Of a log that an interrupt cut short nothing is said, for its end is
// what matters, unless it is standard input: there, what had arrived may well be all.
func stream(ctx context.Context, c *classify.Classifier, l *sources.Log, r io.Reader) *classify.Part {
	s := &stoppable{ctx: ctx, r: r, all: l.Name == "-"}
	p := scanStream(c, l, s)
	switch {
	case !s.stopped:
	case l.Name == "-":
		p.Problem(errors.New("interrupted while it was read"), "what had arrived until then is reported")
	default:
		p = &classify.Part{Name: l.Name}
		p.Problem(errors.New("interrupted before it was read to its end"), "")
	}
	return p
}

// stoppable ends where ctx does.
type stoppable struct {
	ctx     context.Context
	r       io.Reader
	all     bool // what r still has is read: it ends with ctx itself
	stopped bool
}

func (s *stoppable) Read(b []byte) (int, error) {
	if !s.all && s.ctx.Err() != nil {
		s.stopped = true
		return 0, io.EOF
	}
	n, err := s.r.Read(b)
	if err != nil && s.ctx.Err() != nil {
		s.stopped, err = true, io.EOF
	}
	return n, err
}

type countingAt struct {
	io.ReaderAt
	n *atomic.Int64
}

func (c *countingAt) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.n.Add(int64(n))
	return n, err
}

// counting counts, and ends quietly where a source has already reported what is broken.
type counting struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	var broken *sources.Broken
	if errors.As(err, &broken) {
		err = io.EOF
	}
	return n, err
}
