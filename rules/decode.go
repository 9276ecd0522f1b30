package rules

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// file is what one YAML file holds, and what is wrong in it.
type file struct {
	name    string
	rules   []Rule
	entries []Entry
	lines   []int // of each of entries
	uses    []use
	errs    Errors
	mark    int // errs from here on are of the rule or entry that is being read
}

// use is a name that must be explained somewhere, once every file has been read.
type use struct {
	name   string
	line   int
	format string // of the error, with one %q for the name
	cause  bool   // it must be a cause
}

func (f *file) errorf(line int, format string, a ...any) {
	f.errs = append(f.errs, Error{f.name, line, fmt.Sprintf(format, a...)})
}

// decode reads a file as far as it can and notes everything that is wrong in it. It walks the syntax tree itself:
// the library's own decoder stops at the first error.
func decode(name string, data []byte, source bool) *file {
	f := &file{name: name}
	if len(data) > MaxFile {
		f.errorf(0, "%d bytes: a rule file has at most %d", len(data), MaxFile)
		return f
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	tree, err := parse(data)
	if err != nil {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil && at.GetToken().Position != nil {
			f.errorf(at.GetToken().Position.Line, "%s", at.GetMessage())
		} else {
			f.errorf(0, "%v", err)
		}
		return f
	}
	for _, doc := range tree.Docs {
		if doc.Body != nil {
			f.top(doc.Body, source)
		}
	}
	if len(f.rules) == 0 && len(f.entries) == 0 && len(f.errs) == 0 {
		f.errorf(0, "holds neither `rules:` nor `causes:`")
	}
	return f
}

// parse guards against files on which the library panics.
func parse(data []byte) (tree *ast.File, err error) {
	if deep(data) {
		return nil, errors.New("nested too deep for a rule file")
	}
	defer func() {
		if p := recover(); p != nil {
			tree, err = nil, fmt.Errorf("not YAML that can be read here: %v", p)
		}
	}()
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

// deep says whether brackets or markers could nest so deep that a recursive parser runs out of stack, which no recover
// would catch. It counts those in strings as well; no rule has ten thousand of them open.
func deep(data []byte) bool {
	const most = 10_000
	open, onLine := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '-', '?', '&', '!':
			onLine++
		case '\n':
			onLine = 0
		}
		if open > most || onLine > most {
			return true
		}
	}
	return false
}

// top reads a document: the lists under its top-level keys.
func (f *file) top(n ast.Node, source bool) {
	f.mapping(n, "the file", func(key string, v ast.Node) bool {
		kind := KindCause
		switch key {
		case "rules":
			f.list(v, key, func(n ast.Node) { f.rule(n, source) })
			return true
		case "causes":
		case "endings":
			kind = KindEnding
		case "findings":
			kind = KindFinding
		default:
			return false
		}
		if kind != KindCause && !source {
			return false
		}
		f.list(v, key, func(n ast.Node) { f.entry(n, kind, source) })
		return true
	})
}

func (f *file) rule(n ast.Node, source bool) {
	f.mark = len(f.errs)
	r := Rule{File: f.name, Line: line(n)}
	var fires, silent []int
	lines := f.mapping(n, "a rule", func(key string, v ast.Node) bool {
		switch key {
		case "id":
			r.ID = f.text(v, key)
		case "title":
			r.Title = f.text(v, key)
		case "in":
			r.In, _ = f.texts(v, key)
		case "versions":
			r.Versions = f.scalar(v, key)
		case "origin":
			r.Origin, _ = f.texts(v, key)
		case "at":
			r.At = f.text(v, key)
		case "literal":
			r.Literal, _ = f.texts(v, key)
		case "either":
			r.Either, _ = f.texts(v, key)
		case "not":
			r.Not, _ = f.texts(v, key)
		case "more":
			r.More = f.boolean(v, key)
		case "text":
			r.Text = f.text(v, key)
		case "regexp":
			r.Regexp = f.text(v, key)
		case "fact":
			r.Fact = f.text(v, key)
		case "cause":
			r.Cause = f.text(v, key)
		case "fields":
			r.Fields = f.constants(v, key)
		case "fires":
			r.Fires, fires = f.texts(v, key)
		case "silent":
			r.Silent, silent = f.texts(v, key)
		case "from":
			r.From = f.text(v, key)
		default:
			return false
		}
		return true
	})
	if lines == nil {
		return // not even a mapping, which was said
	}
	r.SampleLine = slices.Concat(fires, silent)
	f.checkRule(&r, lines, source)
	f.rules = append(f.rules, r)
}

func (f *file) entry(n ast.Node, kind string, source bool) {
	f.mark = len(f.errs)
	e := Entry{Kind: kind}
	lines := f.mapping(n, "an entry", func(key string, v ast.Node) bool {
		switch key {
		case "name":
			e.Name = f.text(v, key)
		case "kind":
			if k := f.text(v, key); k != kind {
				f.errorf(line(v), "kind: %q stands among the entries of kind %q", k, kind)
			}
		case "group":
			e.Group = f.text(v, key)
		case "means":
			e.Means = f.text(v, key)
		case "proven":
			e.Proven = f.text(v, key)
		case "rivals":
			e.Rivals, _ = f.texts(v, key)
		case "do":
			f.list(v, key, func(n ast.Node) { e.Do = append(e.Do, f.remedy(n)) })
		default:
			return false
		}
		return true
	})
	if lines == nil {
		return
	}
	f.checkEntry(&e, line(n), lines, source)
	f.entries = append(f.entries, e)
	f.lines = append(f.lines, line(n))
}

func (f *file) remedy(n ast.Node) Remedy {
	var m Remedy
	if f.mapping(n, "a remedy", func(key string, v ast.Node) bool {
		switch key {
		case "say":
			m.Say = f.text(v, key)
		case "run":
			m.Run = f.text(v, key)
		case "safety":
			m.Safety = f.text(v, key)
		default:
			return false
		}
		return true
	}) != nil {
		f.checkRemedy(m, line(n))
	}
	return m
}

// line is the line on which a node begins.
func line(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0].Key // its own token is the first colon
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// mapping hands each key and its value to each, which answers whether it knows the key. It returns the lines of the
// keys, nil where the node is no mapping.
func (f *file) mapping(n ast.Node, what string, each func(key string, v ast.Node) bool) map[string]int {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		f.errorf(line(n), "%s must have `key: value` lines, not %s", what, describe(n))
		return nil
	}
	lines := make(map[string]int, len(values))
	for _, kv := range values {
		k, ok := kv.Key.(*ast.StringNode)
		if !ok {
			f.errorf(line(kv.Key), "%s: a key must be a plain word", what)
			continue
		}
		at := line(k)
		if first, ok := lines[k.Value]; ok {
			f.errorf(at, "%s: `%s` stands here a second time, first on line %d", what, k.Value, first)
			continue
		}
		lines[k.Value] = at
		if !each(k.Value, kv.Value) {
			f.errorf(at, "unknown key `%s` in %s", k.Value, what)
		}
	}
	return lines
}

// list hands each element to each. An empty value is an empty list.
func (f *file) list(n ast.Node, key string, each func(ast.Node)) {
	switch s := n.(type) {
	case *ast.NullNode:
	case *ast.SequenceNode:
		for _, v := range s.Values {
			each(v)
		}
	default:
		f.errorf(line(n), "%s: must be a list, not %s", key, describe(n))
	}
}

// texts reads a list of strings, with the line of each.
func (f *file) texts(n ast.Node, key string) (out []string, lines []int) {
	f.list(n, key, func(v ast.Node) {
		s := f.text(v, key)
		if s == "" {
			if _, isNull := v.(*ast.NullNode); isNull || isText(v) {
				f.errorf(line(v), "%s: an empty text", key)
			}
			return
		}
		out = append(out, s)
		lines = append(lines, line(v))
	})
	return out, lines
}

func isText(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return true
	}
	return false
}

// text reads a string; a key without a value is an empty one.
func (f *file) text(n ast.Node, key string) string {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return strings.TrimRight(v.Value.Value, "\n")
	case *ast.NullNode:
		return ""
	}
	f.errorf(line(n), "%s: must be text, not %s", key, describe(n))
	return ""
}

// scalar reads text, and takes numbers as they are written.
func (f *file) scalar(n ast.Node, key string) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	return f.text(n, key)
}

func (f *file) boolean(n ast.Node, key string) bool {
	if b, ok := n.(*ast.BoolNode); ok {
		return b.Value
	}
	f.errorf(line(n), "%s: must be true or false, not %s", key, describe(n))
	return false
}

func (f *file) constants(n ast.Node, key string) map[string]string {
	out := map[string]string{}
	f.mapping(n, key, func(k string, v ast.Node) bool {
		out[k] = f.scalar(v, key+"."+k)
		return true
	})
	return out
}

// describe names a node as its writer would.
func describe(n ast.Node) string {
	switch v := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "`key: value` lines"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + n.GetToken().Value + " (put it in quotes)"
	case *ast.BoolNode:
		return n.GetToken().Value + " (put it in quotes)"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return "an anchor or alias, which rule files do not have"
	case *ast.TagNode:
		return "a tag (" + v.Start.Value + "), which rule files do not have"
	case *ast.StringNode:
		return fmt.Sprintf("the text %.40q", v.Value)
	}
	return "this"
}
