package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lastwords/rules"
)

// showRule prints a rule as its file has it.
func showRule(w *bufio.Writer, r *rules.Rule) {
	if r.File != "" {
		fmt.Fprintf(w, "# %s:%d\n", clean(r.File), r.Line)
	}
	one := func(key, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %s: %s\n", key, scalar(value))
		}
	}
	many := func(key string, values []string) {
		if len(values) > 0 {
			fmt.Fprintf(w, "  %s:\n", key)
		}
		for _, v := range values {
			fmt.Fprintf(w, "    - %s\n", scalar(v))
		}
	}
	fmt.Fprintf(w, "- id: %s\n", scalar(r.ID))
	one("title", r.Title)
	many("in", r.In)
	one("versions", r.Versions)
	many("origin", r.Origin)
	one("at", r.At)
	many("literal", r.Literal)
	many("not", r.Not)
	if r.More {
		one("more", "true")
	}
	one("text", r.Text)
	one("regexp", r.Regexp)
	one("fact", r.Fact)
	one("cause", r.Cause)
	if len(r.Fields) > 0 {
		fmt.Fprintln(w, "  fields:")
		for _, k := range slices.Sorted(maps.Keys(r.Fields)) {
			fmt.Fprintf(w, "    %s: %s\n", scalar(k), scalar(r.Fields[k]))
		}
	}
	many("fires", r.Fires)
	many("silent", r.Silent)
	one("from", r.From)
}

// scalar writes a value for YAML: plain where that is safe, else between double quotes.
func scalar(s string) string {
	plain := s != "" && s == clean(s) && strings.TrimSpace(s) == s && !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.HasSuffix(s, ":") && !strings.ContainsAny(s[:1], "-?:,[]{}#&*!|>'\"%@`~=<0123456789.+") && !strings.ContainsAny(s, "\t\n")
	switch strings.ToLower(s) {
	case "null", "yes", "no", "on", "off":
		plain = false
	}
	if plain {
		return s
	}
	var e encoder
	e.text(s)
	return string(e.buf)
}

// ruleRows writes one object a line, with the keys of the YAML.
func ruleRows(w *bufio.Writer, all []*rules.Rule) error {
	var e encoder
	for _, r := range all {
		e.row("rule")
		for _, f := range []struct{ key, value string }{{"id", r.ID}, {"title", r.Title}, {"versions", r.Versions},
			{"at", r.At}, {"text", r.Text}, {"regexp", r.Regexp}, {"fact", r.Fact}, {"cause", r.Cause}, {"from", r.From}, {"file", r.File}} {
			e.key(f.key)
			e.textOr(f.value)
		}
		e.key("line")
		e.intOr(int64(r.Line), 0)
		e.key("more")
		e.bool(r.More)
		for _, f := range []struct {
			key    string
			values []string
		}{{"in", r.In}, {"origin", r.Origin}, {"literal", r.Literal}, {"not", r.Not}, {"fires", r.Fires}, {"silent", r.Silent}} {
			e.key(f.key)
			e.texts(f.values)
		}
		e.key("fields")
		e.open('{')
		for _, k := range slices.Sorted(maps.Keys(r.Fields)) {
			e.text(k)
			e.buf = append(e.buf, ':')
			e.text(r.Fields[k])
		}
		e.close('}')
		e.end()
		if _, err := w.Write(e.buf); err != nil {
			return err
		}
		e.buf = e.buf[:0]
	}
	return w.Flush()
}
