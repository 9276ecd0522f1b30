package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"lastwords/rules"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the YAML files in rules/ say: run `go generate ./rules`", name)
		}
	}
}

func TestSourceOfARule(t *testing.T) {
	rs, err := rules.Parse("x.yaml", []byte(`rules:
  - id: a-rule
    title: It says "so".
    in: [task, worker]
    literal: [return code]
    more: true
    regexp: 'code (?P<code>\d+)'
    fields: {z: 1, a: b}
    cause: user-exception
    fires: ['return code "1"']
    silent: [nothing]
`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := source(rs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`Title:      "It says \"so\".",`, `In:         []string{"task", "worker"},`, `More:       true,`,
		`Regexp:     "code (?P<code>\\d+)",`, `Fields:     map[string]string{"a": "b", "z": "1"},`,
		`Fires:      []string{"return code \"1\""},`, `Line:       2,`, `SampleLine: []int{10, 11},`,
	} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
