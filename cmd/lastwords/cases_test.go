package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openCases are the expectations of testdata/cases that are known not to be met yet.
var openCases = []open{
	{"113-multi-evicted", "pattern", 1, "evicted-then-consequence needs what pods say"},
	{"328-silent-log-pod", "cause", 1, "the pod says it, and pods are not read yet"},
	{"328-silent-log-pod", "memory", 1, "the pod says it, and pods are not read yet"},
	{"330-silent-log-pod", "cause", 1, "the pod says it, and pods are not read yet"},
	{"330-silent-log-pod", "memory", 1, "the pod says it, and pods are not read yet"},
	{"338-zombie-audit-row", "ending", 1, "the record is a row of the audit log, which is not read yet"},
	{"338-zombie-audit-row", "line", 1, "the record is a row of the audit log, which is not read yet"},
	{"408-unfinished-json-cut", "words", 1, "half a JSON record passes for the last words"},
}

// openEvidence are those of testdata/cases-evidence, of which only crashes and accusations are checked: what pods,
// events and the kernel say is not read yet.
var openEvidence = []open{}

// aCase is one folder of testdata/cases, its files in a place of their own.
type aCase struct {
	name  string
	want  truth
	raw   []byte // of expect.json
	root  string // holds the files, without expect.json
	files []string
}

// eachCase runs f for every case of a folder under testdata, side by side, and returns when all are done.
func eachCase(t *testing.T, folder string, f func(t *testing.T, c aCase)) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, "*", "expect.json"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	t.Run("all", func(t *testing.T) {
		for _, file := range found {
			dir := filepath.Dir(file)
			t.Run(filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				f(t, openCase(t, dir))
			})
		}
	})
}

func openCase(t *testing.T, dir string) aCase {
	t.Helper()
	c := aCase{name: filepath.Base(dir), root: filepath.Join(t.TempDir(), "case")}
	if err := os.CopyFS(c.root, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	var err error
	expect := filepath.Join(c.root, "expect.json")
	if c.raw, err = os.ReadFile(expect); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.raw, &c.want); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	if err := os.Remove(expect); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(c.root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			c.files = append(c.files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// single says whether the case is one log: then a pipe must give what the file gives.
func (c *aCase) single() bool {
	return len(c.files) == 1 && filepath.Base(c.files[0]) != "files.tar.gz"
}

func TestCases(t *testing.T) {
	var m missed
	eachCase(t, "cases", func(t *testing.T, c aCase) {
		a := realRun(t, nil, "scan", "-o", "json", "--line-numbers", c.root)
		if a.status != 0 && a.status != 3 {
			t.Errorf("exit %d: %s", a.status, a.stderr)
		}
		c.judge(&m, a)
		c.costs(&m, a)
		if c.single() && len(a.tries) > 0 {
			c.piped(t, &m, a)
		}
	})
	m.check(t, openCases)
}

func TestEvidenceCases(t *testing.T) {
	var m missed
	eachCase(t, "cases-evidence", func(t *testing.T, c aCase) {
		a := realRun(t, nil, "scan", "-o", "json", "--line-numbers", c.root)
		if a.status != 0 && a.status != 3 {
			t.Errorf("exit %d: %s", a.status, a.stderr)
		}
		c.judge(&m, a)
	})
	m.all = slices.DeleteFunc(m.all, func(s miss) bool { return s.kind != "FALSE" })
	m.check(t, openEvidence)
}

// judge finds the row of every try of the case and compares it.
func (c *aCase) judge(m *missed, a answer) {
	done, named := false, []string{}
	for _, raw := range c.want.Tries {
		var one truth
		if err := json.Unmarshal(raw, &one); err != nil {
			panic(c.name + ": " + err.Error())
		}
		named = append(named, one.File)
		if one.VerdictFile == "" {
			one.VerdictFile = one.File
		}
		number := one.Try
		if one.VerdictFile == c.want.VerdictFile && one.VerdictLine == c.want.VerdictLine {
			one, done = c.merged(raw, one.VerdictFile), true
		}
		i := slices.IndexFunc(a.tries, func(r row) bool { return ends(r.Source, one.File) && (number == 0 || number == r.Try) })
		m.judge(fmt.Sprintf("%s/%s#%d", c.name, one.File, number), one, rowAt(a.tries, i))
	}
	if !done && (len(named) == 0 || !slices.Contains(named, c.want.VerdictFile)) {
		m.judge(c.name, c.want, c.only(a.tries, named))
	}
	wanted := len(named)
	if !done && wanted > 0 && !slices.Contains(named, c.want.VerdictFile) {
		wanted++
	}
	wanted = max(1, wanted) + c.want.ExtraOK
	var sources []string
	for _, r := range a.tries {
		if r.Source != "" {
			sources = append(sources, fmt.Sprintf("%s#%d %s", filepath.Base(r.Source), r.Try, r.Ending))
		}
	}
	if len(sources) > wanted {
		m.add("extra", c.name, fmt.Sprint(wanted, " rows"), sources)
	}
	var found []string
	for _, task := range a.tasks {
		for _, f := range task.Findings {
			found = append(found, f.ID)
		}
	}
	m.pattern(c.name, c.want, found)
}

// merged is an entry of tries with what the case says as a whole filled in.
func (c *aCase) merged(try json.RawMessage, verdictFile string) truth {
	fields := map[string]json.RawMessage{}
	var out truth
	for _, raw := range [][]byte{c.raw, try} {
		if err := json.Unmarshal(raw, &fields); err != nil {
			panic(c.name + ": " + err.Error())
		}
	}
	delete(fields, "tries")
	raw, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		panic(c.name + ": " + err.Error())
	}
	out.VerdictFile = verdictFile
	return out
}

// only is the row that stands for a case, or for what is left of it beside the named files.
func (c *aCase) only(tries []row, named []string) *row {
	fits := func(r row) bool { return r.Ending == c.want.Ending || slices.Contains(c.want.Also, r.Ending) }
	if len(named) > 0 {
		rest := slices.DeleteFunc(slices.Clone(tries), func(r row) bool {
			return slices.ContainsFunc(named, func(n string) bool { return ends(r.Source, n) })
		})
		exact := func(r row) bool { return r.Ending == c.want.Ending }
		if r := rowAt(rest, slices.IndexFunc(rest, exact)); r != nil {
			return r
		}
		return rowAt(tries, slices.IndexFunc(tries, exact))
	}
	if slices.ContainsFunc(c.files, func(f string) bool { return f == filepath.Join(c.root, "task.log") }) {
		return rowAt(tries, slices.IndexFunc(tries, func(r row) bool { return ends(r.Source, "task.log") }))
	}
	if r := rowAt(tries, slices.IndexFunc(tries, fits)); r != nil {
		return r
	}
	return rowAt(tries, min(0, len(tries)-1))
}

func rowAt(rows []row, i int) *row {
	if i < 0 || i >= len(rows) {
		return nil
	}
	return &rows[i]
}

// costs checks the worked examples: seconds that must come out exactly.
func (c *aCase) costs(m *missed, a answer) {
	if c.want.Cost == nil {
		return
	}
	if len(a.tasks) != 1 {
		m.add("cost", c.name, "one task row", len(a.tasks))
		return
	}
	for name, want := range c.want.Cost {
		if got, ok := a.tasks[0].Cost[name].(float64); !ok || math.Abs(got-want) > 1e-6 {
			m.add("cost", c.name+" "+name, want, a.tasks[0].Cost[name])
		}
	}
	for i, want := range c.want.Undetected {
		r := rowAt(a.tries, i)
		if r == nil || r.UndetectedS == nil || math.Abs(*r.UndetectedS-want) > 1e-6 {
			m.add("cost", fmt.Sprint(c.name, " undetected_s of row ", i+1), want, r)
		}
	}
}

// piped reads the case from stdin: same endings, causes and certainties.
func (c *aCase) piped(t *testing.T, m *missed, file answer) {
	data, err := os.ReadFile(c.files[0])
	if err != nil {
		t.Fatal(err)
	}
	a := realRun(t, data, "-o", "json", "-")
	if a.status != 0 && a.status != 3 {
		t.Errorf("exit %d by stdin: %s", a.status, a.stderr)
	}
	keys := func(tries []row) (out []string) {
		for _, r := range tries {
			out = append(out, r.Ending+" "+r.Cause+" "+r.Certainty)
		}
		slices.Sort(out)
		return out
	}
	if want, got := keys(file.tries), keys(a.tries); !slices.Equal(want, got) {
		m.add("same", c.name+" by stdin", want, got)
	}
}

// TestSameBytes: neither the number of workers nor the order of the arguments changes the report.
func TestSameBytes(t *testing.T) {
	eachCase(t, "cases", func(t *testing.T, c aCase) {
		if !c.single() {
			sameBytes(t, c.files)
		}
	})
}

// sameBytes scans files with one worker, and in another order with eight.
func sameBytes(t *testing.T, files []string) {
	t.Helper()
	scan := func(workers string, files []string) []byte {
		return realRun(t, nil, append([]string{"scan", "-o", "json", "--workers", workers}, files...)...).out
	}
	shuffled := slices.Clone(files)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(files), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	slices.Reverse(files)
	if one, many := scan("1", files), scan("8", shuffled); !bytes.Equal(one, many) {
		t.Error(difference(one, many))
	}
}

// difference shows the first line in which two outputs differ.
func difference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%.900s\n%.900s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}
