package classify

import "bytes"

// objects peels lines that are one JSON object each, of a collector.
type objects struct {
	name string
	open opener
}

// learnJSON returns the peeler for the sample if most of its lines are objects of one collector.
func learnJSON(sample []Line, names *sharedNames) peeler {
	name := ""
	for _, l := range sample {
		if name = lineCollector(l.Text); name != "" {
			break
		}
	}
	if name == "" || !mostFit(sample, func(b []byte) bool { return lineCollector(b) == name }) {
		return nil
	}
	return &objects{name: name, open: opener{names: names}}
}

// lineCollector names the collector whose object b is.
func lineCollector(b []byte) string {
	i := len(b) - len(bytes.TrimLeft(b, " \t"))
	if i == len(b) || b[i] != '{' {
		return ""
	}
	s, _ := shapeOf(&jsonText{b: b}, i)
	return s.collector()
}

func (p *objects) format() string { return p.name }
func (p *objects) reset()         {}

func (p *objects) peel(l *Line) (fit, fd) {
	b := l.Text
	i := len(b) - len(bytes.TrimLeft(b, " \t"))
	if i == len(b) || b[i] != '{' {
		return fitNone, 0
	}
	if end := p.open.read(b, i); end < 0 || len(bytes.TrimSpace(b[end:])) > 0 {
		return fitNone, 0
	}
	at, how := p.open.line()
	if how == asNothing {
		if p.name == "journald-json" {
			return fitLeaveOut, 0 // MESSAGE is null where it was too large, or absent
		}
		return fitNone, 0
	}
	p.open.fill(l)
	l.Text = how.decode(b[at.from:at.to])
	if p.name == "docker-json" && !bytes.HasSuffix(l.Text, []byte("\n")) || p.open.part {
		return fitPart, p.open.fd
	}
	return fitWhole, p.open.fd
}
