package rules

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// MaxFile is the size in bytes above which a rule file is not read.
const MaxFile = 1 << 20

// Load returns the built-in rules, overridden by id and extended by those of every *.yaml and *.yml file at the top of
// fsys, in the order of the files' names. A rule that overrides keeps its place; new ones follow at the end. Causes
// that the files declare under `causes:` are explained like the built-in ones, and override their text where they bear
// a built-in cause's name. Where anything is wrong, the error is an Errors that holds all of it.
func Load(fsys fs.FS) (Set, error) {
	files, err := readAll(fsys, false)
	if err != nil {
		return Set{}, err
	}
	return extend(Builtin(), files), nil
}

// extend returns base with what the files add and override.
func extend(base Set, files []*file) Set {
	rs := slices.Clone(base.x.rules)
	entries := slices.Clone(base.x.entries)
	for _, f := range files {
		for _, r := range f.rules {
			if i := slices.IndexFunc(rs, func(o Rule) bool { return o.ID == r.ID }); i >= 0 {
				rs[i] = r
			} else {
				rs = append(rs, r)
			}
		}
		for _, e := range f.entries {
			if i := slices.IndexFunc(entries, func(o Entry) bool { return o.Name == e.Name }); i >= 0 {
				e.Group = cmp.Or(e.Group, entries[i].Group)
				entries[i] = e
			} else {
				e.Group = cmp.Or(e.Group, "your own")
				entries = append(entries, e)
			}
		}
	}
	return newSet(rs, entries)
}

// Parse reads one file of a user's rules. Its causes must be built in or declared in the same file. Where anything is
// wrong, the error is an Errors that holds all of it.
func Parse(name string, data []byte) ([]Rule, error) {
	f := decode(name, data, false)
	if err := join([]*file{f}, false).sorted(); err != nil {
		return nil, err
	}
	return f.rules, nil
}

// ReadSource reads the YAML files from which the built-in rules and explanations are generated: rules in the order of
// the files, entries as Entries orders them. The generator and its test call it; nothing else needs to.
func ReadSource(fsys fs.FS) ([]Rule, []Entry, error) {
	files, err := readAll(fsys, true)
	if err != nil {
		return nil, nil, err
	}
	var rs []Rule
	var entries []Entry
	for _, f := range files {
		rs = append(rs, f.rules...)
		entries = append(entries, f.entries...)
	}
	rank := func(e Entry) int {
		switch e.Kind {
		case KindEnding:
			return -1
		case KindFinding:
			return len(Groups)
		}
		return slices.Index(Groups[:], e.Group)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return rank(a) - rank(b) })
	return rs, entries, nil
}

// readAll reads and checks every rule file of a folder. source: they are the program's own.
func readAll(fsys fs.FS, source bool) ([]*file, error) {
	all, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var files []*file
	for _, d := range all { // in the order of their names
		name := d.Name()
		if d.IsDir() || !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
			continue
		}
		data, err := read(fsys, name)
		if err != nil {
			files = append(files, &file{name: name, errs: Errors{{name, 0, err.Error()}}})
			continue
		}
		files = append(files, decode(name, data, source))
	}
	if len(files) == 0 {
		return nil, Errors{{".", 0, "no rule file (*.yaml) here"}}
	}
	return files, join(files, source).sorted()
}

func read(fsys fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err != nil {
		return nil, err
	} else if info.Size() > MaxFile {
		return nil, fmt.Errorf("%d bytes: a rule file has at most %d", info.Size(), MaxFile)
	}
	return fs.ReadFile(fsys, name)
}

// join collects the errors of all files and finds those that only all files together show: ids and names that stand
// twice, causes that nobody explains.
func join(files []*file, source bool) Errors {
	var errs Errors
	ids, names := map[string]string{}, map[string]string{}
	for _, f := range files {
		errs = append(errs, f.errs...)
		for _, r := range f.rules {
			if r.ID == "" {
				continue
			}
			if first, ok := ids[r.ID]; ok {
				errs = append(errs, Error{f.name, r.Line, fmt.Sprintf("rule %s is already defined at %s", r.ID, first)})
				continue
			}
			ids[r.ID] = fmt.Sprintf("%s:%d", f.name, r.Line)
		}
		for i, e := range f.entries {
			if e.Name == "" {
				continue
			}
			if first, ok := names[e.Name]; ok {
				errs = append(errs, Error{f.name, f.lines[i], fmt.Sprintf("%s is already explained at %s", e.Name, first)})
				continue
			}
			names[e.Name] = fmt.Sprintf("%s:%d", f.name, f.lines[i])
			if k := Kind(e.Name); !source && k != "" && k != KindCause {
				errs = append(errs, Error{f.name, f.lines[i], fmt.Sprintf("%s is the name of a built-in %s", e.Name, k)})
			}
		}
	}
	all := explained(files, source)
	for _, f := range files {
		for _, u := range f.uses {
			if k := all.Kind(u.name); k == "" || u.cause && (k != KindCause || u.name == anyRemote) {
				errs = append(errs, Error{f.name, u.line, fmt.Sprintf(u.format, u.name)})
			}
		}
	}
	return errs
}

// explained holds every name that is explained in one of the files, or built in where the files are a user's.
func explained(files []*file, source bool) Set {
	var entries []Entry
	if !source {
		entries = slices.Clone(Entries())
	}
	for _, f := range files {
		entries = append(entries, f.entries...)
	}
	return newSet(nil, entries)
}
