package rules

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoadSaysAllErrorsAtOnce(t *testing.T) {
	_, err := Load(os.DirFS("testdata/bad"))
	var errs Errors
	if !errors.As(err, &errs) {
		t.Fatalf("want Errors, got %v", err)
	}
	want := strings.TrimSpace(`
a.yaml:2: id "Bad_Id": write lower case letters and digits, joined by hyphens
a.yaml:2: rule Bad_Id: ` + "`silent`" + ` is missing
a.yaml:3: title: must be text, not the number 12 (put it in quotes)
a.yaml:4: in: unknown kind of log "tusk" (task, scheduler, worker, triggerer, dag-processor, api-server, or component for all but task)
a.yaml:5: at: "middle" is neither start nor anywhere
a.yaml:6: rule Bad_Id: ` + "`literal`" + ` is missing
a.yaml:7: a regexp without a literal before it
a.yaml:7: regexp: group 1 has no name: write (?P<name>…) or (?:…)
a.yaml:8: unknown fact "no-such-fact"
a.yaml:15: never fires: "c d" of ` + "`not`" + ` stands in a literal
a.yaml:16: regexp: missing closing ]: ` + "`[`" + `
a.yaml:17: unknown key ` + "`colour`" + ` in a rule
a.yaml:18: unknown cause "nobody-knows-it": neither built in nor declared under ` + "`causes:`" + `
a.yaml:21: rule twice is already defined at a.yaml:11
a.yaml:23: a rule: ` + "`title`" + ` stands here a second time, first on line 22
a.yaml:24: literal: must be a list, not the text "one text"
a.yaml:26: in: must be a list, not ` + "`key: value`" + ` lines
a.yaml:27: more: must be true or false, not the text "maybe"
a.yaml:29: a rule on the task's own words (origin: user) sets a cause, never a fact
a.yaml:30: fires: an empty text
a.yaml:30: fires: must be text, not the number 3 (put it in quotes)
a.yaml:32: a rule must have ` + "`key: value`" + ` lines, not the text "just text"
a.yaml:34: traceback is the name of a built-in ending
a.yaml:37: kind: "ending" stands among the entries of kind "cause"
a.yaml:38: cause mine: ` + "`means`" + ` is missing
a.yaml:40: run: unknown placeholder {loog}
a.yaml:40: safety: "harmless" is none of inspect, low-risk, mutating
a.yaml:43: unknown key ` + "`rulez`" + ` in the file
b.yml:2: rule twice is already defined at a.yaml:11
b.yml:6: regexp: a is a constant of ` + "`fields`" + ` too
b.yml:6: regexp: group 2 has no name: write (?P<name>…) or (?:…)
b.yml:8: unknown cause "memory-same-point": neither built in nor declared under ` + "`causes:`" + `
b.yml:12: mine is already explained at a.yaml:36
c.yaml:3: could not find end character of double-quoted text
`)
	if got := errs.Error(); got != want {
		t.Errorf("errors differ\n%s", diff(got, want))
	}
}

// diff shows the lines that only one of two texts has.
func diff(got, want string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(got, "\n") {
		if !strings.Contains("\n"+want+"\n", "\n"+l+"\n") {
			b.WriteString("got   " + l + "\n")
		}
	}
	for l := range strings.SplitSeq(want, "\n") {
		if !strings.Contains("\n"+got+"\n", "\n"+l+"\n") {
			b.WriteString("want  " + l + "\n")
		}
	}
	if b.Len() == 0 {
		return "only in their order:\n" + got
	}
	return b.String()
}

func TestLoadAddsAndOverrides(t *testing.T) {
	own := os.DirFS("testdata/own")
	set, err := Load(own)
	if err != nil {
		t.Fatal(err)
	}
	r, ok := set.Rule("finance-ledger-closed")
	if !ok || r.Cause != "ledger-closed" || r.File != "finance.yaml" || r.Line != 14 {
		t.Errorf("got %+v", r)
	}
	if got := r.Fields["code"]; got != "409" {
		t.Errorf("code: got %q", got)
	}
	e, ok := set.Explain("ledger-closed")
	if !ok || e.Kind != KindCause || e.Group != "your own" {
		t.Errorf("got %+v", e)
	}
	if Known("ledger-closed") || !set.Known("ledger-closed") {
		t.Error("a user's cause is known to the set that holds it and to no other")
	}
	e, _ = set.Explain("marked-failed")
	if e.Means != "Somebody of the data team pressed the button." || e.Group != "set from outside" {
		t.Errorf("the user's own words do not override: %+v", e)
	}
	if got, want := len(set.Entries()), len(Entries())+1; got != want {
		t.Errorf("%d entries, want %d", got, want)
	}
}

func TestLoadOverridesById(t *testing.T) {
	base := newSet([]Rule{{ID: "a"}, {ID: "b"}, {ID: "c"}}, nil)
	f := decode("b.yaml", []byte(strings.ReplaceAll(minimal, "ID", "b")), false)
	if len(f.errs) > 0 {
		t.Fatal(f.errs)
	}
	set := extend(base, []*file{f})
	var ids []string
	for _, r := range set.Rules() {
		ids = append(ids, r.ID+r.File)
	}
	if got := strings.Join(ids, " "); got != "a bb.yaml c" {
		t.Errorf("got %q", got)
	}
}

const minimal = `rules:
  - id: ID
    title: One.
    in: [task]
    literal: [abc]
    cause: user-exception
    fires: [abc]
    silent: [abd]
`

func TestParse(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"good", minimal, ""},
		{"CRLF and BOM", "\ufeff" + strings.ReplaceAll(minimal, "\n", "\r\n"), ""},
		{"two documents", minimal + "---\n" + strings.ReplaceAll(minimal, "ID", "other"), ""},
		{"empty", "", "x.yaml: holds neither `rules:` nor `causes:`"},
		{"list", "- a\n", "x.yaml:1: the file must have `key: value` lines, not a list"},
		{"alias", "rules: *x\n", "x.yaml:1: rules: must be a list, not an anchor or alias, which rule files do not have"},
		{"no such YAML", "rules:\n\t- id: x\n", "x.yaml:2: found character '\t' that cannot start any token"},
		{"explanations are the program's", "endings: []\n", "x.yaml:1: unknown key `endings` in the file"},
		{"deep", "rules: " + strings.Repeat("[", 20_000), "x.yaml: nested too deep for a rule file"},
		{"says nothing", strings.ReplaceAll(minimal, "    cause: user-exception\n", ""), "x.yaml:2: rule ID says nothing: it has neither fact nor cause"},
		{"any remote", strings.ReplaceAll(minimal, "user-exception", "remote-*"), "x.yaml:6: "},
		{"remote", strings.ReplaceAll(minimal, "user-exception", "remote-image-pull"), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(strings.ReplaceAll(tc.text, "ID", "id-1")))
			got := ""
			if err != nil {
				got = err.Error()
			}
			want := strings.ReplaceAll(tc.want, "ID", "id-1")
			if got != want && (want == "" || !strings.HasPrefix(got, want)) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestLoadWithoutFiles(t *testing.T) {
	if _, err := Load(fstest.MapFS{"readme.md": {Data: []byte("hello")}}); err == nil {
		t.Error("a folder without rule files is most likely the wrong folder")
	}
	big := fstest.MapFS{"x.yaml": {Data: make([]byte, MaxFile+1)}}
	if _, err := Load(big); err == nil || !strings.HasPrefix(err.Error(), "x.yaml: ") {
		t.Errorf("got %v", err)
	}
}

func TestSampleLines(t *testing.T) {
	rs, err := Parse("x.yaml", []byte(strings.ReplaceAll(minimal, "ID", "a")))
	if err != nil {
		t.Fatal(err)
	}
	never := func(*Rule, string) bool { return false }
	got := Check(newSet(rs, nil), never)
	if len(got) != 1 || got[0] != (Failure{"a", "x.yaml", 7, "abc", true}) {
		t.Errorf("got %+v", got)
	}
	always := func(*Rule, string) bool { return true }
	got = Check(newSet(rs, nil), always)
	if len(got) != 1 || got[0] != (Failure{"a", "x.yaml", 8, "abd", false}) {
		t.Errorf("got %+v", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(strings.ReplaceAll(minimal, "ID", "a")))
	for _, name := range []string{"testdata/own/finance.yaml", "testdata/bad/a.yaml", "testdata/bad/b.yml", "testdata/bad/c.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rs, err := Parse("x.yaml", data)
		if err != nil {
			var errs Errors
			if !errors.As(err, &errs) || len(errs) == 0 || rs != nil {
				t.Fatalf("got %v and %v", rs, err)
			}
			for _, e := range errs {
				if e.File != "x.yaml" || e.Line < 0 || e.What == "" {
					t.Fatalf("got %+v", e)
				}
			}
			return
		}
		for i := range rs { // what was accepted can be used
			rs[i].Match([]byte(rs[i].Fires[0]), nil)
			rs[i].Captures(rs[i].Fires[0], nil)
		}
	})
}
