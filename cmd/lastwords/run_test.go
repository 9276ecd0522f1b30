package main

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lastwords/classify"
)

func TestStatus(t *testing.T) {
	clean := sample()
	clean.Problems = nil
	for _, c := range []struct {
		args   string
		status int
		stderr string // must stand there
	}{
		{"a.log", 3, "lastwords: logs/broken.gz: unexpected end of gzip stream\nhint: copy it again"},
		{"scan x", 3, "lastwords: open secret.log: permission denied\n"},
		{"scan x --fail-on any", 3, "lastwords: --fail-on: 13 hits (truncated-then-zombie in etl/"},
		{"scan-clean x", 0, ""},
		{"scan-clean x --fail-on any", 1, "13 hits"},
		{"scan-clean x --fail-on memory,sigkill-unknown", 1, "7 hits"},
		{"scan-clean x --fail-on flaky-then-success", 1, "2 hits"},
		{"scan-clean x --fail-on double-execution", 1, "1 hit (double-execution in the report)"},
		{"scan-clean x --fail-on memory --dag ml", 0, ""},
		{"scan-clean x --fail-on memory-container", 0, ""},
		{"scan-clean x --fail-on remote-memory", 0, ""},
		{"scan x --fail-on memroy", 2, "lastwords: --fail-on: no \"memroy\"\nhint: did you mean memory?\n"},
		{"scan x --ending zombie", 2, "hint: did you mean truncated-then-zombie?"},
		{"scan x --ending negative*", 3, ""},
		{"scan x --cause gone", 2, "lastwords explain lists all names"},
		{"scan x --cause warehouse-quota --rules mine", 3, ""},
		{"scan x -o report.json", 2, "hint: -o is a format; the file goes with --out report.json"},
		{"scan x -o jsn", 2, "did you mean json?"},
		{"scan x --color blue", 2, "it takes auto, always and never"},
		{"scan x --tz Mars", 2, "lastwords: --tz: \"Mars\" is no time zone\nhint: write UTC"},
		{"scan x --log-tz IST", 3, "lastwords: --log-tz IST is ambiguous (India, +05:30; Israel +02:00, Ireland +01:00): read as India, +05:30\nhint: write Asia/Kolkata"},
		{"scan x --since yesterday", 2, "--since: \"yesterday\" is no time"},
		{"scan x --since 2024-05-02 --until 2024-05-01", 2, "lastwords: --since is after --until\nhint: exchange the two\n"},
		{"scan x --run-since 2024-05-02 --run-until 2024-05-01", 2, "--run-since is after --run-until"},
		{"scan x --since 2024-05-01 --until 2024-05-01", 3, ""},
		{"scan x --now never", 2, "--now"},
		{"scan x --heartbeat-timeout 300", 2, "is no length of time"},
		{"scan x --retry-delay -5m", 2, "is no length of time"},
		{"scan x --tail-window 0", 2, "no size"},
		{"scan x --workers 0", 2, "--workers"},
		{"scan x --rules nowhere", 2, "lastwords: --rules: nowhere: no such file or directory\n"},
		{"scan x --out nowhere/x", 2, "--out: nowhere/x: no such file"},
		{"scan x --full=perhaps", 2, "--full takes no value"},
		{"scan x --since", 2, "--since wants a value"},
		{"scan x --ful", 2, "lastwords: no flag --ful\nhint: did you mean --full?\n"},
		{"scna x", 2, "lastwords: no command scna\nhint: did you mean lastwords scan? A log of that name is read as ./scna\n"},
		{"timelin", 2, "did you mean lastwords timeline?"},
		{"./scna", 3, ""},
		{"scna.log", 3, ""},
		{"-- scna", 3, ""},
		{"scan scna", 3, ""},
		{"scan x --xyzzy", 2, "lastwords --help lists the flags"},
		{"scan x --kube", 2, "lastwords: --kube is not in this version\n"},
		{"scan x -n default", 2, "lastwords: -n is not in this version\n"},
		{"scan x --with=pods.json", 2, "--with is not in this version"},
		{"report x --out y.html", 2, "lastwords: report is not in this version\nhint: a log of that name is read as ./report\n"},
		{"verify", 2, "not in this version"},
		{"what-if x", 2, "not in this version"},
		{"./report", 3, ""},
		{"explain memory --full", 2, "lastwords explain has no --full"},
		{"explain memroy", 2, "lastwords: nothing is called \"memroy\"\nhint: did you mean memory?\n"},
		{"explain memory", 0, ""},
		{"explain memory -o csv", 2, "has no -o csv"},
		{"explain", 0, ""},
		{"rules", 0, ""},
		{"rules list", 0, ""},
		{"rules lst", 2, "did you mean list?"},
		{"rules show", 2, "wants the id of a rule"},
		{"rules show zombie-detcted", 2, "did you mean zombie-detected?"},
		{"rules test", 0, ""},
		{"rules test mine", 0, ""},
		{"rules test nowhere", 2, "nowhere: no such file"},
		{"completion", 2, "wants the name of a shell"},
		{"completion tcsh", 2, "bash, zsh or fish"},
		{"completion zsh", 0, ""},
		{"--version", 0, ""},
		{"scan --version", 0, ""},
		{"--help", 0, ""},
		{"help scan", 0, ""},
		{"timeline x", 3, ""},
		{"", 3, ""}, // stdin is a pipe
	} {
		w := newWorld()
		args := strings.Fields(c.args)
		if len(args) > 0 && args[0] == "scan-clean" {
			args[0] = "scan"
			w.engine = fake(w, clean)
		}
		if got := w.run(args...); got != c.status {
			t.Errorf("lastwords %s: status %d, want %d\n%s", c.args, got, c.status, w.err.String())
		}
		if !strings.Contains(w.err.String(), c.stderr) {
			t.Errorf("lastwords %s: stderr\n%s\nwants\n%s", c.args, w.err.String(), c.stderr)
		}
		if c.status == 2 && w.out.Len() > 0 {
			t.Errorf("lastwords %s: wrote a report: %.60s", c.args, w.out.String())
		}
	}
}

func TestTerminalWithoutArguments(t *testing.T) {
	w := newWorld()
	w.env.StdinTTY = true
	if got := w.run(); got != 2 || !strings.HasPrefix(w.err.String(), "usage: lastwords [LOG|-]...") {
		t.Errorf("status %d: %s", got, w.err.String())
	}
	if got := w.run("scan"); got != 2 || !strings.Contains(w.err.String(), "hint: lastwords scan logs/") {
		t.Errorf("status %d: %s", got, w.err.String())
	}
}

func TestInterrupted(t *testing.T) {
	w := newWorld()
	ctx, cancel := context.WithCancel(context.Background())
	whole := w.engine.Classify
	w.engine.Classify = func(ctx context.Context, job Job) (*classify.Report, Stats, error) {
		cancel()
		return whole(ctx, job)
	}
	if got := run(ctx, []string{"scan", "x", "--fail-on", "any"}, w.env, w.engine); got != 130 {
		t.Errorf("status %d, want 130", got)
	}
	if !strings.Contains(w.out.String(), "etl.load_orders") || !strings.Contains(w.err.String(), "lastwords: interrupted") {
		t.Error("what was finished is not reported")
	}
	w.engine.Classify = func(ctx context.Context, _ Job) (*classify.Report, Stats, error) { return nil, Stats{}, ctx.Err() }
	if got := run(ctx, []string{"scan", "x"}, w.env, w.engine); got != 130 {
		t.Errorf("status %d, want 130", got)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestBrokenPipe(t *testing.T) {
	for _, args := range [][]string{{"scan", "x"}, {"scan", "x", "-o", "json"}, {"scan", "x", "-o", "csv"}, {"timeline", "x"},
		{"x"}, {"explain"}, {"rules"}, {"--help"}, {"--version"}, {"completion", "fish"}} {
		w := newWorld()
		clean := sample()
		clean.Problems = nil
		w.engine = fake(w, clean)
		w.env.Stdout = brokenPipe{}
		if got := w.run(args...); got != statusPipe || w.err.Len() > 0 {
			t.Errorf("%v: status %d, stderr %q", args, got, w.err.String())
		}
	}
}

func TestBadRules(t *testing.T) {
	w := newWorld()
	w.engine.Classify = func(context.Context, Job) (*classify.Report, Stats, error) {
		return nil, Stats{}, errors.New("mine/a.yaml:3: no literal\nmine/a.yaml:9: unknown key fires_on")
	}
	if got := w.run("scan", "x", "--rules", "mine"); got != 2 {
		t.Errorf("status %d", got)
	}
	if want := "lastwords: mine/a.yaml:3: no literal\nlastwords: mine/a.yaml:9: unknown key fires_on\nhint: lastwords rules test DIR checks rules\n"; w.err.String() != want {
		t.Errorf("got %q", w.err.String())
	}
	w.engine.TestRules = func(fs.FS) []RuleFailure {
		return []RuleFailure{{"a.yaml", 12, "our-quota", "does not fire on \"x\""}}
	}
	if got := w.run("rules", "test", "mine"); got != 1 || w.out.String() != "a.yaml:12: our-quota: does not fire on \"x\"\n" {
		t.Errorf("status %d: %s", got, w.out.String())
	}
}

// TestFlagsAnywhere shuffles flags among arguments: the report is the same.
func TestFlagsAnywhere(t *testing.T) {
	w := newWorld()
	w.run("scan", "logs", "scheduler.log", "-o", "md", "--dag", "etl,ml", "--tz=Europe/Berlin", "--full", "--since", "24h", "-q")
	want, job := w.out.String(), w.job
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		flags := [][]string{{"-o", "md"}, {"--dag", "etl"}, {"--dag=ml"}, {"--tz", "Europe/Berlin"}, {"--full"}, {"--since=24h"}, {"-q"}}
		switch r.IntN(4) {
		case 0:
			flags[0] = []string{"-omd"}
		case 1:
			flags[0] = []string{"--output=md"}
		case 2:
			flags[0] = []string{"-o=md"}
		}
		r.Shuffle(len(flags), func(i, j int) { flags[i], flags[j] = flags[j], flags[i] })
		slots := make([][]string, 4)
		for _, f := range flags {
			i := r.IntN(len(slots))
			slots[i] = append(slots[i], f...)
		}
		args := append([]string{}, slots[0]...)
		for i, word := range []string{"scan", "logs", "scheduler.log"} {
			args = append(append(args, word), slots[i+1]...)
		}
		w.run(args...)
		if w.out.String() != want {
			t.Fatalf("lastwords %v: another report\n%s%s", args, w.out.String(), w.err.String())
		}
		if w.job.Full != job.Full || strings.Join(w.job.Args, " ") != "logs scheduler.log" {
			t.Fatalf("lastwords %v: another job", args)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
		tree bool
	}{
		{nil, []string{"-"}, false},
		{[]string{"-"}, []string{"-"}, false},
		{[]string{"a.log", "-", "b.log"}, []string{"a.log", "-", "b.log"}, false},
		{[]string{"--", "scan", "--full"}, []string{"scan", "--full"}, false},
		{[]string{"-q", "a.log", "scan"}, []string{"a.log", "scan"}, false},
		{[]string{"scan", "--", "-o"}, []string{"-o"}, true},
		{[]string{"scan", "rules", "tz", "full"}, []string{"rules", "tz", "full"}, true},
		{[]string{"-vq", "scan", "s3://b/p"}, []string{"s3://b/p"}, true},
		{[]string{"scan", "scan"}, []string{"scan"}, true},
		{[]string{"timeline", "with space", ""}, []string{"with space", ""}, true},
	} {
		w := newWorld()
		w.run(c.args...)
		if strings.Join(w.job.Args, "|") != strings.Join(c.want, "|") || w.job.Tree != c.tree {
			t.Errorf("%q: %q, tree %v\n%s", c.args, w.job.Args, w.job.Tree, w.err.String())
		}
	}
}

func TestJob(t *testing.T) {
	w := newWorld()
	w.run("a.log", "--dag", "etl", "--task", "x*", "--run", "a,b", "--tail-window", "256K", "--workers=3", "--retry-delay", "1h30m",
		"--heartbeat-timeout=10m", "--log-tz", "CST", "--line-numbers", "--now", "2024-05-02T00:00:00Z")
	j := w.job
	if j.Given != (classify.Identity{DagID: "etl", MapIndex: classify.MapUnknown}) || j.TailWindow != 256<<10 || j.Workers != 3 ||
		j.RetryDelay != 90*time.Minute || j.HeartbeatTimeout != 10*time.Minute || !j.LogZoneAmbiguous || !j.LineNumbers ||
		!j.Now.Equal(at("2024-05-02T00:00:00Z")) {
		t.Errorf("job %+v", j)
	}
	w.run("scan", "x", "--dag", "etl")
	if w.job.Given.DagID != "" {
		t.Error("a scan fills in identities")
	}
}

func TestOut(t *testing.T) {
	w := newWorld()
	w.run("scan", "x", "-o", "md", "--out", "reports/", "--color", "auto")
	m := w.files["reports/lastwords.md"]
	if m == nil || !m.done || w.out.Len() > 0 || !strings.HasPrefix(m.String(), "# How 19 tries ended") {
		t.Errorf("files %v, stdout %q", w.files, w.out.String())
	}
	w.run("scan", "x", "--out", "a.txt")
	if m := w.files["a.txt"]; m == nil || !m.done {
		t.Error("no a.txt")
	}
}

// TestCreate is about real files: they appear as a whole, keep their mode, and leave nothing behind.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	place := filepath.Join(dir, "r.md")
	if err := os.WriteFile(place, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := create(place, "lastwords.md")
	if err != nil {
		t.Fatal(err)
	}
	d.Write([]byte("new"))
	if got, _ := os.ReadFile(place); string(got) != "old" {
		t.Errorf("%q before Commit", got)
	}
	d.Abort()
	d, _ = create(dir, "r.md")
	d.Write([]byte("new"))
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	d.Abort()
	info, _ := os.Stat(place)
	if got, _ := os.ReadFile(place); string(got) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q %v after Commit", got, info.Mode())
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := create(filepath.Join(dir, "no", "x"), "r"); err == nil || strings.Contains(err.Error(), ".x.") {
		t.Errorf("error %v", err)
	}
}

func TestColour(t *testing.T) {
	for _, c := range []struct {
		tty  bool
		vars map[string]string
		args string
		want bool
	}{
		{true, nil, "", true}, {false, nil, "", false}, {true, map[string]string{"NO_COLOR": "1"}, "", false},
		{false, map[string]string{"CLICOLOR_FORCE": "1"}, "", true}, {false, map[string]string{"CLICOLOR_FORCE": "0"}, "", false},
		{false, nil, "--color always", true}, {true, nil, "--color never", false}, {true, map[string]string{"TERM": "dumb"}, "", false},
		{true, nil, "--color always -o json", false}, {true, nil, "--color always -o md", false}, {true, nil, "-o csv", false},
		{true, map[string]string{"NO_COLOR": "1"}, "--color always", true},
	} {
		w := newWorld()
		w.env.StdoutTTY, w.env.Width = c.tty, 100
		w.env.Getenv = func(k string) string { return c.vars[k] }
		w.run(append([]string{"scan", "x"}, strings.Fields(c.args)...)...)
		if got := strings.Contains(w.out.String(), "\x1b["); got != c.want {
			t.Errorf("%+v: colour %v", c, got)
		}
	}
}

func TestStderr(t *testing.T) {
	w := newWorld()
	w.env.StdoutTTY, w.env.StderrTTY = true, true
	w.run("scan", "x")
	if w.err.Len() > 0 {
		t.Errorf("problems are said twice in one terminal: %s", w.err.String())
	}
	w = newWorld()
	w.run("scan", "x", "-q")
	if s := w.err.String(); strings.Contains(s, "hint:") || !strings.Contains(s, "broken.gz") {
		t.Errorf("-q: %s", s)
	}
	w.run("scan", "x", "--stats")
	if s := w.err.String(); !strings.Contains(s, "stats: 1.0 MB read (50.0 % of 2.1 MB)") {
		t.Errorf("--stats: %s", s)
	}
	w.run("scan", "x", "--run-since", "3d", "--since", "1d")
	if s := w.err.String(); !strings.Contains(s, "left out by --run-since or --run-until") || !strings.Contains(s, "nothing dates them") {
		t.Errorf("what filters leave out: %s", s)
	}
	w.run("scan", "x", "--dag", "none-such")
	if s := w.err.String(); !strings.Contains(s, "none of 19 tries passes the filters") {
		t.Errorf("nothing left: %s", s)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		w := newWorld()
		w.run("completion", shell)
		s := w.out.String()
		for _, want := range []string{"timeline", "fail-on", "memory-same-point", "output", "json", "explain"} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: no %s", shell, want)
			}
		}
		if strings.Contains(s, "_flags") || strings.Contains(s, "classify") {
			t.Errorf("%s: hidden commands show", shell)
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "script")
		os.WriteFile(file, []byte(s), 0o600)
		if out, err := exec.Command(shell, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	w := newWorld()
	w.run("completion", "bash")
	for line, want := range map[string]string{
		"lastwords scan --ta": "--task\n--tail-window", "lastwords -o j": "json", "lastwords tim": "timeline",
		"lastwords explain memory-s": "memory-same-point", "lastwords scan --ending neg": "negative-return-code", "lastwords rules t": "test",
	} {
		words := strings.Fields(line)
		script := w.out.String() + "\nCOMP_WORDS=(" + line + ")\nCOMP_CWORD=" + string(rune('0'+len(words)-1)) +
			"\n_lastwords 2>/dev/null\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
		bash := exec.Command("bash", "-c", script)
		bash.Dir = t.TempDir()
		out, err := bash.Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
}
