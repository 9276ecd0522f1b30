package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestNames: every file of the module can be checked out on every system and packed by `go mod download`, and the
// captures stay small.
func TestNames(t *testing.T) {
	good := regexp.MustCompile(`^[A-Za-z0-9!#$%&()+,\-.=@\[\]^_{}~ ]+$`)
	reserved := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
	folded, size := map[string]string{}, int64(0)
	err := fs.WalkDir(os.DirFS("../.."), "testdata", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if !good.MatchString(base) || reserved.MatchString(base) || strings.HasSuffix(base, ".") || strings.HasSuffix(base, " ") {
			t.Errorf("%s: a name that some system refuses", name)
		}
		if other, ok := folded[strings.ToLower(name)]; ok {
			t.Errorf("%s and %s are one file where case does not count", name, other)
		}
		if len(name) > 160 {
			t.Errorf("%s: %d bytes are too long for a path on Windows", name, len(name))
		}
		folded[strings.ToLower(name)] = name
		if info, err := d.Info(); err == nil && !d.IsDir() {
			size += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 25<<20 {
		t.Errorf("testdata has %d MiB", size>>20)
	}
}
