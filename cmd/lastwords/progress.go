package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress is a line on stderr that counts along while a long scan runs. It is nil where nobody would see it.
type progress struct {
	w     io.Writer
	now   func() time.Time
	mu    sync.Mutex
	next  time.Time // when the line is written again
	shown bool
}

// startProgress begins a progress line if stderr is a terminal.
func (p *program) startProgress(quiet bool) *progress {
	if quiet || !p.env.StderrTTY {
		return nil
	}
	return &progress{w: p.env.Stderr, now: p.env.Now, next: p.env.Now().Add(time.Second)}
}

// report is the function for Job.Progress.
func (g *progress) report() func(logs int, bytes int64) {
	if g == nil {
		return nil
	}
	return func(logs int, bytes int64) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if now := g.now(); !now.Before(g.next) {
			g.next, g.shown = now.Add(200*time.Millisecond), true
			fmt.Fprintf(g.w, "\r\x1b[K%s read (%s)", count(logs, "log", "logs"), size(bytes))
		}
	}
}

// end wipes the line.
func (g *progress) end() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		fmt.Fprint(g.w, "\r\x1b[K")
	}
}

// printStats writes what the run took, on stderr.
func (p *program) printStats(s Stats, shown *shown, took time.Duration) {
	seconds := max(took.Seconds(), 1e-9)
	fmt.Fprintf(p.env.Stderr, "stats: %.3f s, %s, %s opened, %s left alone\n", took.Seconds(),
		count(len(shown.report.Tries), "try", "tries"), count(s.Files, "file", "files"), thousands(s.Skipped))
	share := ""
	if s.BytesSize > 0 {
		share = fmt.Sprintf(" (%.1f %% of %s)", 100*float64(s.BytesRead)/float64(s.BytesSize), size(s.BytesSize))
	}
	fmt.Fprintf(p.env.Stderr, "stats: %s read%s, %s/s\n", size(s.BytesRead), share, size(int64(float64(s.BytesRead)/seconds)))
	if s.Requests+s.CacheHits > 0 {
		fmt.Fprintf(p.env.Stderr, "stats: %s, %s\n", count(int(s.Requests), "request", "requests"),
			count(int(s.CacheHits), "cache hit", "cache hits"))
	}
}
