package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"lastwords/rules"
)

// generate returns the generated files by their name below root.
func generate(root string) (map[string][]byte, error) {
	rs, entries, err := rules.ReadSource(os.DirFS(filepath.Join(root, "rules")))
	if err != nil {
		return nil, err
	}
	for i := range rs {
		rs[i].File = path.Join("rules", rs[i].File)
	}
	code, err := source(rs, entries)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"rules/builtin_gen.go": code,
		"docs/causes.md":       page(entries),
	}, nil
}

// source writes rules and entries as static Go literals: nothing runs when the program starts.
func source(rs []rules.Rule, entries []rules.Entry) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated from the YAML files of this folder by `go generate ./rules`; DO NOT EDIT.\n\n")
	b.WriteString("//go:build !bootstrap\n\npackage rules\n\n")
	b.WriteString("// builtinRules holds the built-in rules, in the order of their files. Nobody writes to it.\n")
	fmt.Fprintf(&b, "var builtinRules = [...]Rule{\n")
	for _, r := range rs {
		literal(&b, reflect.ValueOf(r), true)
		b.WriteString(",\n")
	}
	b.WriteString("}\n\n// builtinEntries explains endings, causes and findings. Nobody writes to it.\nvar builtinEntries = [...]Entry{\n")
	for _, e := range entries {
		literal(&b, reflect.ValueOf(e), true)
		b.WriteString(",\n")
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

// literal writes a value as Go source, without zero fields and without unexported ones. elided: the type stands in the
// composite literal around it.
func literal(b *bytes.Buffer, v reflect.Value, elided bool) {
	typ := strings.ReplaceAll(v.Type().String(), "rules.", "")
	switch v.Kind() {
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Int:
		fmt.Fprint(b, v.Int())
	case reflect.Bool:
		fmt.Fprint(b, v.Bool())
	case reflect.Slice:
		b.WriteString(typ + "{")
		multi := v.Type().Elem().Kind() == reflect.Struct || v.Type().Elem().Kind() == reflect.String && size(v) > 80
		for i := range v.Len() {
			if multi {
				b.WriteString("\n")
			}
			literal(b, v.Index(i), true)
			if multi || i < v.Len()-1 {
				b.WriteString(",")
			}
		}
		if multi {
			b.WriteString("\n")
		}
		b.WriteString("}")
	case reflect.Map:
		b.WriteString(typ + "{")
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for i, k := range keys {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%q: %q", k.String(), v.MapIndex(k).String())
		}
		b.WriteString("}")
	case reflect.Struct:
		if !elided {
			b.WriteString(typ)
		}
		b.WriteString("{\n")
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
				b.WriteString(f.Name + ": ")
				literal(b, v.Field(i), false)
				b.WriteString(",\n")
			}
		}
		b.WriteString("}")
	default:
		panic("no literal for " + v.Type().String())
	}
}

func size(v reflect.Value) (n int) {
	for i := range v.Len() {
		n += v.Index(i).Len()
	}
	return n
}
