package classify

import (
	"bytes"
	"encoding/binary"
	"slices"

	"lastwords/rules"
)

// sieve lets through the lines of a plain task log that can matter: every record that Airflow wrote, with what continues
// it, and of the task's own records the last few before each of them. It reads no time, makes no record and runs no
// regular expression; a test holds that a log gives the same verdict with and without it.
//
// Two shapes of log are sieved: 2.x text, whose emitter stands at the same place in each line,
//
//	[2026-11-30T17:52:05.966+0000] {task_command.py:467} INFO - Running <TaskInstance: …
//
// and the JSON lines of 3.x, whose logger is a field.
type sieve struct {
	*emitters
	json  bool
	all   bool // every line matters
	shape lineShape
}

// emitters is what the rules make of the names that emit records. It is built once and shared.
type emitters struct {
	all       bool // a user's rule may fire on any record
	origins   map[string]*emitter
	operators [2]*emitter      // of records under the loggers of operators and of the hook that runs shell commands
	keys      [keyTable]uint64 // first eight bytes of the names of origins, an open hash table; 0 is empty
	names     [keyTable]string
	values    [keyTable]*emitter
	crowded   [256]bool // first byte of names whose first eight bytes others have, too
	short     [256]bool // first byte of names that are shorter than eight bytes
}

const keyTable = 1024

// emitter is what is known of an origin before its messages are read.
type emitter struct {
	core     bool // all its records are Airflow's
	wraps    bool // its messages may be whole lines
	openers  map[byte][]*rules.Rule
	first    [256]bool     // openers that are there
	anywhere []*rules.Rule // rules whose literal may stand anywhere
}

// matches says whether a rule for the emitter has its literals in a message that is not empty.
func (e *emitter) matches(msg []byte) bool {
	if e.first[msg[0]] && anyMatches(e.openers[msg[0]], msg) {
		return true
	}
	return anyMatches(e.anywhere, msg)
}

func anyMatches(list []*rules.Rule, msg []byte) bool {
	for _, r := range list {
		if r.Match(msg, nil) {
			return true
		}
	}
	return false
}

// add files a rule under the bytes that its messages open with.
func (e *emitter) add(r *rules.Rule) {
	if r.At == "anywhere" {
		if !slices.Contains(e.anywhere, r) {
			e.anywhere = append(e.anywhere, r)
		}
		return
	}
	openings := r.Either
	if len(openings) == 0 {
		openings = r.Literal[:1]
	}
	if e.openers == nil {
		e.openers = map[byte][]*rules.Rule{}
	}
	for _, lit := range openings {
		c := lit[0]
		if e.first[c] = true; !slices.Contains(e.openers[c], r) {
			e.openers[c] = append(e.openers[c], r)
		}
	}
}

// newEmitters gathers what the rules say of origins.
func newEmitters(set rules.Set) *emitters {
	s := &emitters{origins: map[string]*emitter{}}
	for _, r := range set.Rules() {
		if slices.Contains(r.Origin, "user") || len(r.Origin) == 0 && slices.Contains(r.In, "task") {
			s.all = true
		}
		for _, o := range r.Origin {
			s.origin(o)
		}
	}
	for o := range coreFiles {
		s.origin(o).core = true
	}
	for o := range componentOrigins {
		s.origin(o).core = true
	}
	for o, e := range s.origins {
		for _, kind := range []string{"task", "scheduler"} {
			for _, r := range set.For(kind, o) {
				e.add(r)
			}
		}
	}
	for _, o := range []string{"logging_mixin.py", "base_task_runner.py"} { // 1.10 wraps whole lines in them
		s.origin(o).wraps = true
	}
	s.origin("base_task_runner.py").core = true
	for _, o := range []string{"models.py", "__init__.py"} { // an ERROR of theirs may be the task's exception (1.10)
		s.origin(o).core = true
	}
	s.operators = [2]*emitter{s.origin("airflow.task.operators"), s.origin("subprocess.py")}
	return s
}

// sieve makes the sieve for logs of a shape. Where the shape is none of the two, every line passes.
func (e *emitters) sieve(shape lineShape) *sieve {
	s := &sieve{emitters: e, json: shape.json, shape: shape, all: e.all}
	if shape.custom != nil || shape.prefix || shape.bare || shape.nameless && !shape.json || shape.console || !shape.json && !shape.text {
		s.all = true
	}
	return s
}

func (s *emitters) origin(name string) *emitter {
	e := s.origins[name]
	if e != nil {
		return e
	}
	e = &emitter{}
	s.origins[name] = e
	if len(name) < 8 {
		if name != "" {
			s.short[name[0]] = true
		}
		return e
	}
	key := binary.LittleEndian.Uint64([]byte(name[:8]))
	for i := hashKey(key); ; i = (i + 1) % keyTable {
		if s.keys[i] == key { // two names that begin alike: the second one is found by its whole name
			s.crowded[name[0]] = true
			return e
		}
		if s.keys[i] == 0 {
			s.keys[i], s.names[i], s.values[i] = key, name, e
			return e
		}
	}
}

func hashKey(k uint64) uint64 { return (k * 0x9E3779B97F4A7C15) >> 54 }

func (s *emitters) has(key uint64) bool {
	for i := hashKey(key); s.keys[i] != 0; i = (i + 1) % keyTable {
		if s.keys[i] == key {
			return true
		}
	}
	return false
}

// class is what a line is, as far as the sieve looks.
type class uint8

const (
	more   class = iota // continues the record before it
	own                 // a record of the task's own code
	theirs              // a record that Airflow wrote, or may have written
	dump                // the task's own record that opens a faulthandler dump
)

// classify looks at one line, without its end.
func (s *sieve) classify(line []byte) class {
	if s.json {
		return s.classifyJSON(line)
	}
	if len(line) < 40 {
		return s.slow(line)
	}
	if line[0] != '[' || !stamped(line) {
		return s.slow(line)
	}
	p := 32 // ISO with offset
	if line[31] != '{' || line[29] != ']' {
		if len(line) > 27 && line[26] == '{' && line[24] == ']' { // classic asctime
			p = 27
		} else {
			i := bytes.Index(line[:min(len(line), 64)], []byte("] {"))
			if i < 0 {
				return s.slow(line)
			}
			p = i + 3
		}
	}
	if p < len(line) && line[p] == '{' {
		p++
	}
	if p < len(line) && (line[p] == 0x1b || line[p] == '[') { // colour
		return s.slow(line)
	}
	if p+9 >= len(line) {
		return theirs
	}
	key := binary.LittleEndian.Uint64(line[p:])
	if !s.has(key) && !s.short[line[p]] {
		return own
	}
	return s.emitted(line, p)
}

// stamped says whether a line begins like one of the stamps, "[2026-11-30T17:52", "[2021-06-21 05:39" or
// "[2024-03-13, 15:1": digits and what stands between them, by the upper halves of their bytes.
func stamped(line []byte) bool {
	const halves = 0xF0F0F0F0F0F0F0F0
	if binary.BigEndian.Uint64(line[1:])&halves != 0x3030303020303020 || line[5] != '-' || line[8] != '-' {
		return false
	}
	switch binary.BigEndian.Uint64(line[9:]) & halves {
	case 0x3030503030303030, 0x3030203030303030:
		return line[14] == ':'
	case 0x3030202030303030:
		return line[15] == ':'
	}
	return false
}

// emitted looks at a line whose emitter may be one that Airflow's own records have.
func (s *sieve) emitted(line []byte, p int) class {
	end := bytes.IndexByte(line[p:min(len(line), p+60)], ':')
	if end < 0 {
		end = min(len(line), p+60)
	} else {
		end += p
	}
	e := s.named(line[p:end])
	if e == nil {
		return own
	}
	if e.core {
		return theirs
	}
	msg := body(line[end:])
	if msg == nil {
		return theirs
	}
	if len(msg) == 0 {
		return own
	}
	if e.wraps && msg[0] == '[' || e.matches(msg) {
		return theirs
	}
	return own
}

// named finds the emitter of a name.
func (s *emitters) named(name []byte) *emitter {
	if len(name) >= 8 {
		key := binary.LittleEndian.Uint64(name)
		for i := hashKey(key); s.keys[i] != 0; i = (i + 1) % keyTable {
			if s.keys[i] == key && string(name) == s.names[i] {
				return s.values[i]
			}
		}
		if !s.crowded[name[0]] {
			return nil
		}
	}
	return s.origins[string(name)]
}

// body is what stands behind ":12} INFO - ", or nil where it does not begin so.
func body(rest []byte) []byte {
	i := 0
	for i < len(rest) && i < 10 && rest[i] != '}' {
		i++
	}
	if i >= min(len(rest), 10) {
		return nil
	}
	if rest = rest[i+1:]; len(rest) > 0 && rest[0] == '}' {
		rest = rest[1:]
	}
	for _, n := range [...]int{5, 8, 6, 9} { // " INFO", " WARNING", " ERROR" and " DEBUG", " CRITICAL"
		if len(rest) >= n+3 && rest[n] == ' ' && rest[n+1] == '-' && rest[n+2] == ' ' {
			return rest[n+3:]
		}
	}
	return nil
}

// slow parses the header of a line that does not begin as most do.
func (s *sieve) slow(line []byte) class {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == 0 {
		return more
	}
	switch c := line[0]; {
	case c == '[' || c == '*' || c >= '0' && c <= '9' || c == ' ' && len(line) > 5 && line[1] >= 'A' && line[1] <= 'Z':
	case c == 0x1b, c == 0xEF && bytes.HasPrefix(line, []byte("\uFEFF")):
		return theirs
	default:
		return more
	}
	r, ok := s.shape.header(stripANSI(line))
	if !ok {
		return more
	}
	if r.family == textLine && s.origins[r.origin] == nil {
		return own
	}
	return theirs
}

var (
	loggerKey = []byte(`"logger":"`)
	chanKey   = []byte(`"chan":"`)
	fatal     = []byte("Fatal Python error:")
)

// classifyJSON looks at a line of 3.x: records of stdout and stderr and of the user's own loggers are the task's.
func (s *sieve) classifyJSON(line []byte) class {
	if len(line) < 2 || line[0] != '{' {
		return theirs
	}
	i := bytes.Index(line, loggerKey)
	if i < 0 {
		return theirs
	}
	name := line[i+len(loggerKey):]
	end := bytes.IndexByte(name, '"')
	if end < 0 {
		return theirs
	}
	name = name[:end]
	switch {
	case string(name) == "task.stdout":
		return own
	case string(name) == "task.stderr":
		if bytes.Contains(line, fatal) {
			return dump
		}
		return own
	case string(name) == "task":
		if bytes.Contains(line[i:], chanKey) || bytes.Contains(line[:i], chanKey) {
			if bytes.Contains(line, fatal) {
				return dump
			}
			return own
		}
		return theirs
	case string(name) == "supervisor", string(name) == "py.warnings", s.origins[string(name)] != nil:
		return theirs
	case !bytes.HasPrefix(name, []byte("airflow.")):
		return own
	case bytes.HasPrefix(name, []byte("airflow.task.operators.")):
		if bytes.HasPrefix(name[len("airflow.task.operators."):], []byte("airflow.providers.standard.")) {
			return theirs
		}
		return s.operator(line)
	case string(name) == "airflow.task":
		if bytes.Contains(line, []byte("state attribute is ")) { // a scheduler's record
			return theirs
		}
		return own
	case bytes.HasPrefix(name, []byte("airflow.task.hooks.")), bytes.HasPrefix(name, []byte("airflow.providers.")):
		if bytes.HasSuffix(name, []byte(".SubprocessHook")) {
			return s.operator(line)
		}
		return own
	}
	return theirs
}

var eventKey = []byte(`"event":"`)

// operator looks at a record under an operator's or hook's logger, which carries lines of Airflow's own, too.
func (s *sieve) operator(line []byte) class {
	i := bytes.Index(line, eventKey)
	if i < 0 {
		return theirs
	}
	event := line[i+len(eventKey):]
	for _, e := range s.operators {
		if len(event) > 0 && e.matches(event) {
			return theirs
		}
	}
	return own
}

// kept is what the sieve keeps of a block of whole lines.
type kept struct {
	lines []stretch // in order; positions are relative to the block
	lead  []stretch // lines that continue the last record of the block before
	tail  []stretch // the last own records, after the last line of lines
	open  bool      // a line that continues the block's last record belongs to a record of Airflow's
	any   bool      // some line has a header
	count int64     // lines
}

// stretch is a line of a block.
type stretch struct {
	from, to int
	mine     bool  // a record of the task's own code
	no       int64 // 0-based in its block
}

// maxLead bounds the continuation lines that are kept of a block without a header, and dumpLines the lines of a dump.
const (
	maxLead   = 2 * maxMore
	dumpLines = 600
)

// sift reads a block that ends with a line's end, or with the log.
func (s *sieve) sift(block []byte) (k kept) {
	k.lines = make([]stretch, 0, 32)
	var ring [maxTail]stretch
	n, held := 0, 0 // next place in ring, records held
	dumping := 0
	flush := func() {
		for i := held; i > 0; i-- {
			k.lines = append(k.lines, ring[(n-i+2*maxTail)%maxTail])
		}
		held = 0
	}
	for at := 0; at < len(block); {
		end := bytes.IndexByte(block[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end = len(block) - at
			next = len(block)
		}
		line := block[at : at+end]
		p := stretch{from: at, to: at + end, no: k.count}
		k.count++
		at = next
		if s.all {
			k.lines = append(k.lines, p)
			continue
		}
		c := s.classify(line)
		if dumping > 0 && c == own {
			dumping--
			c = theirs
		}
		switch c {
		case more:
			if !k.any {
				if len(k.lead) < maxLead {
					k.lead = append(k.lead, p)
				}
			} else if k.open {
				k.lines = append(k.lines, p)
			}
		case own:
			k.any, k.open = true, false
			p.mine = true
			ring[n] = p
			n = (n + 1) % maxTail
			held = min(held+1, maxTail)
		case dump:
			dumping = dumpLines
			fallthrough
		case theirs:
			k.any, k.open = true, true
			flush()
			k.lines = append(k.lines, p)
		}
	}
	for i := held; i > 0; i-- {
		k.tail = append(k.tail, ring[(n-i+2*maxTail)%maxTail])
	}
	return k
}
