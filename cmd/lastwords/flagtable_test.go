package main

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeFlagTable compares the table between the markers in README.md with the definitions; -update rewrites it.
func TestReadmeFlagTable(t *testing.T) {
	const readme, from, to = "../../README.md", "<!-- flags -->\n", "<!-- /flags -->"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Skip(err)
	}
	before, rest, ok := strings.Cut(string(text), from)
	got, after, ended := strings.Cut(rest, to)
	if !ok || !ended {
		t.Skip("README.md has no table of flags")
	}
	want := flagTableText((&program{}).commands())
	if got == want {
		return
	}
	if !*update {
		t.Fatal("the table of flags in README.md is old: go test ./cmd/lastwords -run TestReadmeFlagTable -update")
	}
	if err := os.WriteFile(readme, []byte(before+from+want+to+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
