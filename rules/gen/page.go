package main

import (
	"bytes"
	"fmt"
	"strings"

	"lastwords/rules"
)

const intro = `# Endings, causes and findings

<!-- Generated from rules/explain-*.yaml by go generate ./rules; do not edit. -->

What each name in a report means, how it is proven, what else it could be and what to do.
~lastwords explain NAME~ prints the same text.

Each step says how far it reaches: *inspect* only looks, *low-risk* changes what only later tries will notice or what is
easily changed back, *mutating* changes states, data or a cluster.

In commands, the words in braces (~{dag} {task} {run} {try} {map} {host} {pod} {node} {log} {around}~) stand for what the try's row
holds; ~lastwords~ fills them in where it knows them. ~{around}~ limits journalctl to the minutes in which the try died. ~$AIRFLOW_API~ is the address of your server's REST interface, for
example ~http://localhost:8080/api/v2~ (Airflow 2: ~/api/v1~). Names in capitals are yours to fill in. ~kubectl~ needs
the namespace of the pod (~-n~), ~journalctl~ and ~ps~ run on the host or node itself.
`

var escape = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`)

// page writes the explanations as one Markdown page.
func page(entries []rules.Entry) []byte {
	var b bytes.Buffer
	b.WriteString(strings.ReplaceAll(intro, "~", "`"))
	titles := map[string]string{rules.KindEnding: "Endings", rules.KindCause: "Causes", rules.KindFinding: "Findings"}
	kind, group := "", ""
	for _, e := range entries {
		if e.Kind != kind {
			kind, group = e.Kind, ""
			fmt.Fprintf(&b, "\n## %s\n", titles[kind])
		}
		if e.Kind == rules.KindCause && e.Group != group {
			group = e.Group
			fmt.Fprintf(&b, "\n### %s%s\n", strings.ToUpper(group[:1]), group[1:])
		}
		heading := "###"
		if e.Kind == rules.KindCause {
			heading = "####" // below its group
		}
		entry(&b, heading, e)
	}
	return b.Bytes()
}

func entry(b *bytes.Buffer, heading string, e rules.Entry) {
	fmt.Fprintf(b, "\n%s `%s`\n\n%s\n\n", heading, e.Name, markdown(e.Means))
	if e.Proven != "" {
		fmt.Fprintf(b, "**How it is proven.** %s\n\n", markdown(e.Proven))
	}
	if len(e.Rivals) > 0 {
		b.WriteString("**What else it could be**\n\n")
		for _, r := range e.Rivals {
			if !strings.Contains(r, " ") {
				r = "[`" + r + "`](#" + r + ")"
			} else {
				r = markdown(r)
			}
			fmt.Fprintf(b, "- %s\n", r)
		}
		b.WriteString("\n")
	}
	if len(e.Do) > 0 {
		b.WriteString("**What to do**\n\n")
		for _, d := range e.Do {
			fmt.Fprintf(b, "- %s (*%s*)\n", markdown(d.Say), d.Safety)
			if d.Run != "" {
				fmt.Fprintf(b, "  ```sh\n  %s\n  ```\n", strings.ReplaceAll(d.Run, "\n", "\n  "))
			}
		}
	}
}

// markdown keeps characters of the text outside of `code` from being read as markup.
func markdown(s string) string {
	parts := strings.Split(strings.TrimSpace(s), "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = escape.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
