package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// setUp makes the data of a group and lists its commands.
type setUp struct {
	name string // for -only
	make func(*bench) (group, error)
}

var groups = []setUp{
	{"start", (*bench).start}, {"full", (*bench).full}, {"pipe", (*bench).pipe}, {"json", (*bench).json},
	{"packed", (*bench).packed}, {"tree", (*bench).tree}, {"memory", (*bench).memory}, {"linear", (*bench).linear},
}

func (b *bench) child(args ...string) []string { return append([]string{b.self, "child"}, args...) }

func (b *bench) lastwords(name string, args ...string) command {
	return command{name: name, argv: append([]string{b.peers.lastwords}, args...), null: true}
}

// rival adds a command, unless its program was not to be had, and the number of lines that it must print.
func (g *group) rival(path, name string, answers int, args ...string) {
	if path == "" {
		return
	}
	g.commands = append(g.commands, command{name: name, argv: append([]string{path}, args...)})
	g.expect[name] = answers
}

func (g *group) add(c ...command) { g.commands = append(g.commands, c...) }

// start: the time to start, and the verdict of a large log by its tail.
func (b *bench) start() (group, error) {
	path, truth, err := b.lay(textData(b.sizes.text))
	if err != nil {
		return group{}, err
	}
	tail := b.lastwords("lastwords big.log", path, "-o", "json")
	g := group{name: "start", about: "the start, and a verdict of " + bytesText(float64(truth.Bytes)) + " of text by its tail",
		rounds: 4*b.rounds + 1, warm: []string{path}}
	g.add(command{name: "a Go program that does nothing", argv: b.child("nothing"), null: true},
		b.lastwords("lastwords --version", "--version"), tail)
	g.asked = func(ctx context.Context) error {
		a, err := b.ask(ctx, tail)
		if err != nil {
			return err
		}
		return a.failure()
	}
	g.figures = func(r *result) []figure {
		version := r.each("lastwords --version", func(s sample) float64 { return s.Wall * 1e3 })
		return []figure{
			{ID: "start.version", Says: "`lastwords --version`", Unit: "ms", Value: spreadOf(version), Goal: 20, AtMost: true,
				timed: true},
			{ID: "start.tail", Says: "verdict of " + bytesText(float64(truth.Bytes)) + " of text by its tail, over `--version`",
				Unit: "×", Value: spreadOf(r.ratios("lastwords big.log", "lastwords --version", wall)), Goal: 3, AtMost: true,
				timed: true},
		}
	}
	return g, nil
}

// full: each line of a large log, with line numbers.
func (b *bench) full() (group, error) {
	path, truth, err := b.lay(textData(b.sizes.text))
	if err != nil {
		return group{}, err
	}
	ours := b.lastwords("lastwords --full --line-numbers", "--full", "--line-numbers", path, "-o", "json")
	g := group{name: "full", about: "all lines of " + bytesText(float64(truth.Bytes)) + " of text, with line numbers",
		rounds: b.rounds, warm: []string{path}, expect: map[string]int{}}
	g.add(command{name: "read and count line ends", argv: b.child("count", path)}, ours)
	g.rival(b.peers.rg, "rg -n", int(truth.Lines), "-n", "-F", "-f", b.literals, path)
	g.rival(b.peers.grep, "grep -n", int(truth.Lines), "-n", "-F", "-f", b.literals, path)
	g.asked = b.sameLine(path, ours)
	g.figures = func(r *result) []figure {
		f := r.faster("full.rg", "full scan with line numbers, times faster than `rg -n`", ours.name, "rg -n", 1.2)
		return append(f, r.faster("full.grep", "the same, than `grep -n`", ours.name, "grep -n", 0)...)
	}
	return g, nil
}

// sameLine checks the verdict of a text and that its record stands in the line that lastwords gives.
func (b *bench) sameLine(path string, ours command) func(context.Context) error {
	return func(ctx context.Context) error {
		a, err := b.ask(ctx, ours)
		if err == nil {
			err = a.failure()
		}
		if err == nil {
			err = a.verdict.standsIn(path)
		}
		return err
	}
}

// pipe: the same text from a pipe.
func (b *bench) pipe() (group, error) {
	path, truth, err := b.lay(textData(b.sizes.text))
	if err != nil {
		return group{}, err
	}
	g := group{name: "pipe", about: bytesText(float64(truth.Bytes)) + " of text from a pipe", rounds: b.rounds,
		warm: []string{path}, expect: map[string]int{}}
	ours := b.lastwords("cat | lastwords", "-o", "json")
	g.add(command{name: "cat | count line ends", argv: b.child("count", "-")}, ours)
	g.rival(b.peers.rg, "cat | rg -n", int(truth.Lines), "-n", "-F", "-f", b.literals, "-")
	g.rival(b.peers.grep, "cat | grep -n", int(truth.Lines), "-n", "-F", "-f", b.literals, "-")
	for i := range g.commands {
		g.commands[i].from = []string{b.peers.cat, path}
	}
	ours = g.commands[1]
	g.asked = b.sameLine(path, ours)
	g.figures = func(r *result) []figure {
		f := r.faster("pipe.rg", "from a pipe, times faster than `rg -n`", ours.name, "cat | rg -n", 0.8)
		return append(f, r.faster("pipe.grep", "the same, than `grep -n`", ours.name, "cat | grep -n", 0)...)
	}
	return g, nil
}

// json: Airflow 3's JSON lines.
func (b *bench) json() (group, error) {
	path, truth, err := b.lay(eventData(b.sizes.events))
	if err != nil {
		return group{}, err
	}
	ours := b.lastwords("lastwords --full", "--full", path, "-o", "json")
	g := group{name: "json", about: "all of " + bytesText(float64(truth.Bytes)) + " of JSON lines", rounds: b.rounds,
		warm: []string{path}, expect: map[string]int{}}
	g.add(command{name: "read and count line ends", argv: b.child("count", path)}, ours)
	g.rival(b.peers.jq, "jq", int(truth.Lines), "-c", `select(.event | . == "Task failed with exception" `+
		`or startswith("Process terminated by signal") or startswith("Server indicated the task"))`, path)
	g.rival(b.peers.python, "python events.py", int(truth.Lines), b.events, path)
	g.asked = func(ctx context.Context) error {
		a, err := b.ask(ctx, ours)
		if err != nil {
			return err
		}
		return a.failure()
	}
	g.figures = func(r *result) []figure {
		f := r.faster("json.jq", "JSON lines, times faster than `jq`", ours.name, "jq", 9)
		return append(f, r.faster("json.python", "the same, than python's `json`", ours.name, "python events.py", 0)...)
	}
	return g, nil
}

// packed: gzip and zstd, beside a bare decompression with the same library.
func (b *bench) packed() (group, error) {
	dir, truth, err := b.lay(packedData(b.sizes.packed))
	if err != nil {
		return group{}, err
	}
	gz, zst := filepath.Join(dir, "text.log.gz"), filepath.Join(dir, "text.log.zst")
	g := group{name: "packed", about: bytesText(float64(truth.Bytes)) + " of text, compressed", rounds: b.rounds,
		warm: []string{dir}}
	ours := []command{b.lastwords("lastwords .gz", gz, "-o", "json"), b.lastwords("lastwords .zst", zst, "-o", "json")}
	g.add(command{name: "drain .gz", argv: b.child("drain", gz)}, ours[0],
		command{name: "drain .zst", argv: b.child("drain", zst)}, ours[1])
	if b.peers.gzip != "" {
		g.add(command{name: "gzip -dc", argv: []string{b.peers.gzip, "-dc", gz}, null: true})
	}
	if b.peers.zstd != "" {
		g.add(command{name: "zstd -dc", argv: []string{b.peers.zstd, "-dcq", zst}, null: true})
	}
	g.asked = func(ctx context.Context) error {
		for _, c := range ours {
			a, err := b.ask(ctx, c)
			if err == nil {
				err = a.failure()
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	g.figures = func(r *result) []figure {
		f := r.faster("packed.gz", "`.gz`, speed over that of a bare decompression", "lastwords .gz", "drain .gz", 0.9)
		return append(f, r.faster("packed.zst", "`.zst`, the same", "lastwords .zst", "drain .zst", 0.9)...)
	}
	return g, nil
}

// tree: thousands of logs to verdicts, the walk included.
func (b *bench) tree() (group, error) {
	dir, truth, err := b.lay(treeData(b.sizes.tree))
	if err != nil {
		return group{}, err
	}
	g := group{name: "tree", about: treeText(truth), rounds: b.rounds, warm: []string{dir}, expect: map[string]int{}}
	asJSON, asText := b.lastwords("lastwords scan -o json", "scan", dir, "-o", "json"), b.lastwords("lastwords scan", "scan", dir)
	g.add(command{name: "walk, read 16 KiB + 16 KiB", argv: b.child("tails", dir)},
		command{name: "walk alone", argv: b.child("walk", dir)}, asJSON, asText)
	g.rival(b.peers.rg, "rg --files", truth.Logs, "-uuu", "--files", dir)
	g.rival(b.peers.rg, "rg -l", truth.Hits, "-uuu", "-l", "-F", "-f", b.literals, dir)
	g.rival(b.peers.grep, "grep -rl", truth.Hits, "-rlF", "-f", b.literals, dir)
	g.rival(b.peers.python, "python tree.py", truth.Hits, b.script, b.literals, dir)
	var share float64
	g.asked = func(ctx context.Context) error {
		a, err := b.ask(ctx, asJSON)
		if err != nil {
			return err
		}
		share = a.share
		return a.tree(truth)
	}
	g.figures = func(r *result) []figure {
		perLog := func(s sample) float64 { return s.CPU * 1e6 / float64(truth.Logs) }
		f := r.faster("tree.rg", "tree as JSON, times faster than `rg -l`", asJSON.name, "rg -l", 2.5)
		f = append(f, r.faster("tree.rg.text", "tree as text, times faster than `rg -l`", asText.name, "rg -l", 2.5)...)
		f = append(f, r.faster("tree.grep", "tree as JSON, times faster than `grep -rl`", asJSON.name, "grep -rl", 10)...)
		f = append(f, r.faster("tree.python", "the same, than a python script", asJSON.name, "python tree.py", 0)...)
		if v := r.ratios("rg -l", asJSON.name, cpu); len(v) > 0 {
			f = append(f, figure{ID: "tree.rg.cpu", Says: "the same, processor time of `rg -l` over ours", Unit: "×", Value: spreadOf(v)})
		}
		return append(f,
			figure{ID: "tree.cpu", Says: "processor time a log", Unit: "µs", Value: spreadOf(r.each(asJSON.name, perLog)), Goal: 36,
				AtMost: true, timed: true},
			figure{ID: "tree.cpu.floor", Says: "the bare walk and 16 KiB + 16 KiB of each log", Unit: "µs",
				Value: spreadOf(r.each(g.commands[0].name, perLog))},
			figure{ID: "tree.read", Says: "share of the tree's bytes that is read", Value: spread{share, share, share}, Goal: 0.30,
				AtMost: true})
	}
	return g, nil
}

func treeText(m made) string {
	return strconv.Itoa(m.Logs) + " logs in " + strconv.Itoa(m.Folders) + " folders, " + bytesText(float64(m.Bytes)) + ", " +
		strconv.Itoa((100*m.Ends[silent]+m.Logs/2)/max(1, m.Logs)) + " % of them without a verdict line"
}

// memory: the peak for inputs of any size.
func (b *bench) memory() (group, error) {
	dir, truth, err := b.lay(treeData(b.sizes.tree))
	if err != nil {
		return group{}, err
	}
	stream, line := bytesText(float64(b.sizes.stream)), bytesText(float64(b.sizes.line))
	ofStream := b.lastwords("a stream of "+stream, "-o", "json")
	ofStream.from = b.child("pour", "text", strconv.FormatInt(b.sizes.stream, 10))
	ofLine := b.lastwords("a line of "+line, "-o", "json")
	ofLine.from = b.child("pour", "line", strconv.FormatInt(b.sizes.line, 10))
	ofRecord := b.lastwords("a log with a line of "+line, "-o", "json")
	ofRecord.from = b.child("pour", "record", strconv.FormatInt(b.sizes.line, 10))
	ofTree := b.lastwords("a tree of "+strconv.Itoa(truth.Logs)+" logs", "scan", dir, "-o", "json")
	g := group{name: "memory", about: "peak memory", rounds: min(b.rounds, 3)}
	g.add(command{name: "a Go program that does nothing", argv: b.child("nothing"), null: true}, ofStream, ofLine, ofRecord,
		ofTree)
	g.asked = func(ctx context.Context) error {
		for _, c := range []command{ofStream, ofRecord} {
			a, err := b.ask(ctx, c)
			if err == nil {
				err = a.failure()
			}
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	}
	g.figures = func(r *result) []figure {
		return []figure{r.peak("memory.stream", "peak memory, stream of "+stream, ofStream.name),
			r.peak("memory.line", "peak memory, one line of "+line+" and nothing else", ofLine.name),
			r.peak("memory.record", "peak memory, one line of "+line+" in a log", ofRecord.name),
			r.peak("memory.tree", "peak memory, tree of "+strconv.Itoa(truth.Logs)+" logs", ofTree.name)}
	}
	return g, nil
}

// linear: the time a log in small and large trees.
func (b *bench) linear() (group, error) {
	g := group{name: "linear", rounds: b.rounds}
	var names, sizes []string
	var logs []int
	g.add(b.lastwords("lastwords --version", "--version"))
	for _, n := range b.sizes.linear {
		dir, truth, err := b.lay(treeData(n))
		if err != nil {
			return group{}, err
		}
		c := b.lastwords("lastwords scan, "+strconv.Itoa(n)+" logs", "scan", dir, "-o", "json")
		g.add(c)
		names, logs, sizes = append(names, c.name), append(logs, n), append(sizes, treeText(truth))
		if n == b.sizes.linear[1] { // the base: long enough to be steady
			g.commands = append([]command{{name: "walk, read 16 KiB + 16 KiB", argv: b.child("tails", dir)}}, g.commands...)
		}
	}
	g.about = strings.Join(sizes, "; ")
	g.asked = func(ctx context.Context) error { // what a scan reads is in the page cache afterwards
		for _, c := range g.commands {
			if _, err := b.runner.run(ctx, c); err != nil {
				return err
			}
		}
		return nil
	}
	g.figures = func(r *result) []figure {
		var f []figure
		start := spreadOf(r.each("lastwords --version", wall)).Median
		last := len(names) - 1
		for i, name := range names {
			perLog := func(s sample) float64 { return (s.Wall - start) * 1e6 / float64(logs[i]) }
			id := "linear." + strconv.Itoa(logs[i])
			f = append(f, figure{ID: id, Says: "time a log, tree of " + strconv.Itoa(logs[i]) + ", without the start", Unit: "µs",
				Value: spreadOf(r.each(name, perLog))})
			if i == last {
				continue
			}
			scale := float64(logs[i]) / float64(logs[last])
			var v []float64
			for n, s := range r.samples[names[last]] {
				v = append(v, (s.Wall-start)/(r.samples[name][n].Wall-start)*scale)
			}
			f = append(f, figure{ID: id + ".ratio", Says: "time a log of " + strconv.Itoa(logs[last]) + " over that of " +
				strconv.Itoa(logs[i]), Unit: "×", Value: spreadOf(v), Goal: mostGrowth, AtMost: true, timed: true})
		}
		return f
	}
	return g, nil
}

// mostGrowth is what still passes for linear: logs of the larger tree are not of quite the same sizes.
const mostGrowth = 1.25
