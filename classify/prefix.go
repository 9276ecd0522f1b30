package classify

import (
	"bytes"
	"time"
)

// prefixFound is what a collector put before a line.
type prefixFound struct {
	text   int       // where the line itself begins
	at     time.Time // zero: no time, or none with a year
	place  [2][]byte // pod and container, host and tag, container, stream
	fd     fd
	part   bool // the line goes on in a later one
	origin []byte
}

// collector knows one kind of prefix. Its cut says whether b begins with it; it must not fit what Airflow itself
// writes.
type collector struct {
	format string
	cut    func(b []byte, f *prefixFound) bool
	fits   func(sample []Line, cut func([]byte, *prefixFound) bool) bool // further conditions on the sample, or nil
}

// collectors lists the prefixes in the order in which they are tried, those that ask for most first.
func collectors() []collector {
	return []collector{
		{"cri", cutCRI, nil},
		{"kubectl-prefix", cutKubectl, nil},
		{"docker-compose", cutCompose, nil},
		{"syslog", cutSyslog5424, nil},
		{"syslog", cutSyslog, oneHost},
		{"grafana-txt", cutGrafana, nil},
		{"fluentd", cutFluentd, nil},
		{"logcli", cutLogcli, nil},
		{"aws-logs-tail", cutAWSTail, nil},
		{"timestamps", cutTimestamp, nil},
		{"kail", cutKail, nil},
		{"stern", cutSternAll, looksLikeLogs},
		{"stern", cutStern, looksLikeLogs},
	}
}

// learn finds the outermost layer of the sample: the collector that most of its lines fit, at least two (one, if
// there is only one). It returns nil if there is none.
func learn(sample []Line, names *sharedNames) peeler {
	if p := learnJSON(sample, names); p != nil {
		return p
	}
	var f prefixFound
	for _, c := range collectors() {
		if mostFit(sample, func(b []byte) bool { f = prefixFound{}; return c.cut(b, &f) }) &&
			(c.fits == nil || c.fits(sample, c.cut)) {
			return &prefix{collector: c, names: names}
		}
	}
	return nil
}

// mostFit says whether most lines that are not blank pass the test.
func mostFit(sample []Line, test func([]byte) bool) bool {
	lines := 0
	for _, l := range sample {
		if len(bytes.TrimSpace(l.Text)) > 0 {
			lines++
		}
	}
	fits, misses := 0, 0
	for _, l := range sample {
		switch {
		case len(bytes.TrimSpace(l.Text)) == 0:
		case test(l.Text):
			fits++
		default:
			if misses++; misses*2 >= lines {
				return false
			}
		}
	}
	return fits > 1 || lines == 1 && fits == 1
}

// prefix takes a collector's prefix away.
type prefix struct {
	collector
	names *sharedNames
	f     prefixFound
	width int // of the last prefix: journalctl indents the further lines of a message by as much
}

func (p *prefix) format() string { return p.collector.format }
func (p *prefix) reset()         { p.width = 0 }

func (p *prefix) peel(l *Line) (fit, fd) {
	f := &p.f
	*f = prefixFound{}
	if !p.cut(l.Text, f) {
		return p.odd(l), 0
	}
	p.width = f.text
	l.Text = l.Text[f.text:]
	if p.collector.format == "syslog" {
		l.Text = unescapeOctal(l.Text)
	}
	if !f.at.IsZero() {
		l.At = f.at
	}
	if f.origin != nil {
		l.Origin = p.names.of(f.origin)
	}
	if f.place[0] != nil {
		l.Stream = p.names.path(l.Stream, p.names.of(f.place[0]), p.names.of(f.place[1]))
	}
	if f.part {
		return fitPart, f.fd
	}
	return fitWhole, f.fd
}

// odd deals with a line without the prefix that the others have.
func (p *prefix) odd(l *Line) fit {
	switch p.collector.format {
	case "docker-compose":
		// airflow-worker-1 exited with code 137
		b := skipControls(l.Text)
		if i := bytes.Index(b, []byte(" exited with code ")); i > 0 && len(serviceName(b)) == i {
			l.Stream = p.names.path(l.Stream, p.names.of(b[:i]))
			return fitWhole
		}
	case "syslog":
		if n := p.width; n > 0 && len(l.Text) > n && len(bytes.TrimLeft(l.Text[:n], " ")) == 0 {
			l.Text = l.Text[n:]
			return fitNone // but of the last stream
		}
	}
	return fitNone
}

// unescapeOctal undoes, in b, what rsyslog makes of control characters: #012 is a line feed, #011 a tab, #033 an
// escape.
func unescapeOctal(b []byte) []byte {
	i := bytes.Index(b, []byte("#0"))
	if i < 0 {
		return b
	}
	out := b[:i]
	for ; i < len(b); i++ {
		if b[i] == '#' && i+3 < len(b) && b[i+1] == '0' {
			switch string(b[i+1 : i+4]) {
			case "011":
				out, i = append(out, '\t'), i+3
				continue
			case "012":
				out, i = append(out, '\n'), i+3
				continue
			case "033":
				out, i = append(out, '\x1b'), i+3
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

// serviceName returns the name of a compose service or container that b begins with.
func serviceName(b []byte) []byte {
	n := 0
	for n < len(b) && (asciiAlnum(b[n]) || n > 0 && (b[n] == '-' || b[n] == '_' || b[n] == '.')) {
		n++
	}
	return b[:n]
}

// objectName returns the name of a Kubernetes object (RFC 1123) that b begins with.
func objectName(b []byte) []byte {
	n := 0
	for n < len(b) && (b[n] >= 'a' && b[n] <= 'z' || b[n] >= '0' && b[n] <= '9' || n > 0 && (b[n] == '-' || b[n] == '.')) {
		n++
	}
	for n > 0 && (b[n-1] == '-' || b[n-1] == '.') {
		n--
	}
	return b[:n]
}

// hostName returns the host name or address that b begins with.
func hostName(b []byte) []byte {
	n := 0
	for n < len(b) && (asciiAlnum(b[n]) || n > 0 && (b[n] == '-' || b[n] == '.' || b[n] == '_' || b[n] == ':')) {
		n++
	}
	return b[:n]
}

// blankAt returns the place behind the one blank that stands at i, or i. Further blanks belong to the line.
func blankAt(b []byte, i int) int {
	if i < len(b) && b[i] == ' ' {
		return i + 1
	}
	return min(i, len(b))
}

// controlLen returns the length of the carriage return, colour or erase sequence that b begins with, 0 if none.
func controlLen(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == '\r' {
		return 1
	}
	if len(b) < 3 || b[0] != '\x1b' || b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b) && i < 16; i++ {
		switch c := b[i]; {
		case c == 'm' || c == 'K':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

func skipControls(b []byte) []byte {
	for n := controlLen(b); n > 0; n = controlLen(b) {
		b = b[n:]
	}
	return b
}

// resetLen returns the length of the colour resets that b begins with: they end a coloured prefix.
func resetLen(b []byte) int {
	n := 0
	for {
		switch {
		case bytes.HasPrefix(b[n:], []byte("\x1b[0m")):
			n += 4
		case bytes.HasPrefix(b[n:], []byte("\x1b[m")):
			n += 3
		default:
			return n
		}
	}
}

// priorityLen returns the length of a syslog priority like <34>.
func priorityLen(b []byte) int {
	if len(b) < 3 || b[0] != '<' {
		return 0
	}
	for i := 1; i < len(b) && i < 5; i++ {
		if b[i] == '>' && i > 1 {
			return i + 1
		}
		if b[i] < '0' || b[i] > '9' {
			return 0
		}
	}
	return 0
}
