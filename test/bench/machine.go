package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// machine describes where a run took place.
func machine() string {
	model := "unknown processor"
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, after, ok := strings.Cut(string(b), "model name\t: "); ok {
			model, _, _ = strings.Cut(after, "\n")
		}
	}
	memory := ""
	if b, err := os.ReadFile("/proc/meminfo"); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			if kib, err := strconv.ParseFloat(f[1], 64); err == nil {
				memory = fmt.Sprintf(", %.0f GiB", kib/(1<<20))
			}
		}
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return fmt.Sprintf("%d × %s%s, %s/%s %s", runtime.NumCPU(), model, memory, runtime.GOOS, runtime.GOARCH, bytes.TrimSpace(kernel))
}

// load is the load average of the last minute.
func load() float64 {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(b), " ")
	l, _ := strconv.ParseFloat(first, 64)
	return l
}

// watch tells how much of the machine others used while the benchmark ran.
type watch struct {
	began     time.Time
	busy, own float64 // seconds
}

func look() watch {
	w := watch{began: time.Now()}
	if b, err := os.ReadFile("/proc/stat"); err == nil {
		line, _, _ := strings.Cut(string(b), "\n")
		for i, f := range strings.Fields(line)[1:] {
			ticks, _ := strconv.ParseFloat(f, 64)
			switch i {
			case 0, 1, 2, 5, 6, 7: // user, nice, system, irq, softirq, steal; in hundredths of a second
				w.busy += ticks / 100
			}
		}
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			w.own += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return w
}

// others is the share of all processors that was used by others since w.
func (w watch) others() float64 {
	now := look()
	used := (now.busy - w.busy) - (now.own - w.own)
	return max(0, used/now.began.Sub(w.began).Seconds()/float64(runtime.NumCPU()))
}

// forgetPeak sets this process's peak memory back to what it uses now. Linux counts the peak of a process that starts
// another as the other's own, so this one stays small.
func forgetPeak() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// peers are the programs that lastwords is compared with. One that is not to be had is empty.
type peers struct {
	lastwords, rg, grep, jq, python, cat, gzip, zstd string
	versions                                         []string
}

// findPeers looks for the programs, fetches what may be fetched and asks each for its version.
func findPeers(o options, say func(string, ...any)) (peers, error) {
	var p peers
	p.lastwords = o.lastwords
	if p.lastwords == "" {
		p.lastwords = filepath.Join(o.dir, "lastwords")
		commit, _ := exec.Command("git", "describe", "--always", "--dirty").Output()
		build := exec.Command("go", "build", "-ldflags", "-X main.commit="+string(bytes.TrimSpace(commit)), "-o", p.lastwords,
			"./cmd/lastwords")
		build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
		if err := build.Run(); err != nil {
			return p, fmt.Errorf("go build ./cmd/lastwords: %w; see -lastwords", err)
		}
	}
	p.rg = findRipgrep(o, say)
	for _, t := range []struct {
		path *string
		name string
	}{{&p.grep, "grep"}, {&p.jq, "jq"}, {&p.python, "python3"}, {&p.cat, "cat"}} {
		*t.path = findTool(t.name, say)
	}
	p.gzip, _ = exec.LookPath("gzip") // only to have seen them
	p.zstd, _ = exec.LookPath("zstd")
	if p.cat == "" {
		return p, fmt.Errorf("cat: not found")
	}
	if p.python != "" {
		// A shim that picks the version would be measured too.
		if b, err := exec.Command(p.python, "-c", "import sys; print(sys.executable)").Output(); err == nil {
			p.python = strings.TrimSpace(string(b))
		}
	}
	for _, path := range []string{p.lastwords, p.rg, p.grep, p.jq, p.python} {
		if path == "" {
			continue
		}
		b, err := exec.Command(path, "--version").CombinedOutput()
		if err != nil {
			return p, fmt.Errorf("%s --version: %w", path, err)
		}
		line, _, _ := strings.Cut(string(b), "\n")
		p.versions = append(p.versions, line)
	}
	p.versions = append(p.versions, runtime.Version(), decompressors(p.lastwords))
	return p, nil
}

// decompressors says which version of the decompressing library lastwords has and which one this program, which drains
// the same streams with it. They should be the same.
func decompressors(lastwords string) string {
	const library = "github.com/klauspost/compress"
	version := func(info *debug.BuildInfo) string {
		for _, d := range info.Deps {
			if d.Path == library {
				return d.Version
			}
		}
		return "none"
	}
	theirs, err := buildinfo.ReadFile(lastwords)
	ours, ok := debug.ReadBuildInfo()
	if err != nil || !ok {
		return library + " (version unknown)"
	}
	if version(theirs) != version(ours) {
		return fmt.Sprintf("%s %s in lastwords, but %s here", library, version(theirs), version(ours))
	}
	return library + " " + version(ours)
}

// findTool finds a program on the path. As root it installs Debian's package where it is missing.
func findTool(name string, say func(string, ...any)) string {
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Geteuid() != 0 {
		say("%s is missing and left out; try: sudo apt-get install %s", name, name)
		return ""
	}
	say("%s is missing: apt-get install %s", name, name)
	install := exec.Command("apt-get", "install", "-y", "-qq", "--no-install-recommends", name)
	install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if b, err := install.CombinedOutput(); err != nil {
		say("%s is left out: %s", name, bytes.TrimSpace(b))
		return ""
	}
	path, _ = exec.LookPath(name)
	return path
}

// findRipgrep returns ripgrep 15 or later, from the npm package @vscode/ripgrep unless one is given. Older ones are 10
// times slower at this job, so they are no peers.
func findRipgrep(o options, say func(string, ...any)) string {
	if o.rg != "" {
		return o.rg
	}
	find := func() string {
		found, _ := filepath.Glob(filepath.Join(o.dir, "node_modules", "@vscode", "ripgrep*", "bin", "rg"))
		if len(found) == 0 {
			return ""
		}
		return found[0]
	}
	rg := find()
	if rg == "" {
		say("npm install @vscode/ripgrep")
		install := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", o.dir, "@vscode/ripgrep")
		if b, err := install.CombinedOutput(); err != nil {
			say("ripgrep is left out: npm: %v: %s; see -rg", err, bytes.TrimSpace(b))
			return ""
		}
		rg = find()
	}
	b, err := exec.Command(rg, "--version").Output()
	var major int
	if err == nil {
		fmt.Sscanf(string(b), "ripgrep %d.", &major)
	}
	if major < 15 {
		say("ripgrep is left out: %s is no version 15 or later", rg)
		return ""
	}
	return rg
}
