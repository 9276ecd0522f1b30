package classify

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// chronicle is what one stream of a scheduler's, worker's or triggerer's log says of tries, in the order in which it says
// it. A month of a scheduler's log says something of every try there was, and hardly ever a thing that a row shows: what
// only informs is kept as a note of 48 bytes without pointers, and every name once.
type chronicle struct {
	source string
	kinds  []mentionKind
	kindOf map[mentionKind]uint32
	words  symbols // ids, hosts, states, texts
	names  symbols // of nameTuple
	ways   symbols // of wayTuple
	texts  likeTexts
	notes  [][]note // in blocks of blockNotes
	n      int
	whole  []*mention // those that a row may show as they are
	recent []uint32   // by a hash of the task instance: the last note that speaks of it + 1; only while reading
	lost   int        // mentions beyond maxMentions
}

const blockNotes = 1 << 10

// maxMentions bounds what one log may say; what it says beyond that is counted. A scheduler's log of a month has a few hundred thousand.
const maxMentions = 2_000_000

// mentionKind is what all mentions by one rule have in common.
type mentionKind struct{ fact, rule, says, cause, witness string }

// note is a mention as it is kept.
type note struct {
	offset int64
	at     int64 // µs since 1970, or noTime
	line   uint32
	kind   uint32
	name   uint32
	try    int32
	way    uint32
	more   uint32 // place in whole + 1, or where its text stands
	times  uint32 // it stands for so many repeats of the note before it, of which it is the last
	form   noteForm
}

type noteForm uint8

const (
	bareNote  noteForm = iota
	wholeNote          // more is a place in whole
	textNote           // more is a number in words
	likeNote           // more is a place in texts
)

const noTime = math.MinInt64

func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return noTime
	}
	return t.UnixMicro()
}

// nameTuple are the numbers of dag, run, task, dotted id, uuid and folder, and the map index.
type nameTuple struct {
	dag, run, task, dotted, uuid, folder uint32
	mapIndex                             int32
}

// idOfName is the number of a tuple; 0 is the one that names nothing.
func idOfName(names *symbols, t nameTuple) uint32 {
	if t == (nameTuple{mapIndex: MapUnknown}) {
		return 0
	}
	var room [48]byte
	b := room[:0]
	for _, n := range [...]uint32{t.dag, t.run, t.task, t.dotted, t.uuid, t.folder, uint32(t.mapIndex - MapUnknown)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return names.id(b)
}

func nameAt(names *symbols, n uint32) nameTuple {
	var u [7]uint32
	b := names.at(n)
	for i := range u {
		v, size := binary.Uvarint(b)
		u[i], b = uint32(v), b[max(size, 0):]
	}
	return nameTuple{dag: u[0], run: u[1], task: u[2], dotted: u[3], uuid: u[4], folder: u[5], mapIndex: int32(u[6]) + MapUnknown}
}

// wayTuple are the numbers of host, pod, state and exit code.
type wayTuple struct{ host, pod, state, code uint32 }

func (c *chronicle) way(t wayTuple) uint32 {
	if t == (wayTuple{}) {
		return 0
	}
	var b [16]byte
	for i, n := range [...]uint32{t.host, t.pod, t.state, t.code} {
		binary.LittleEndian.PutUint32(b[4*i:], n)
	}
	return c.ways.id(b[:])
}

func (c *chronicle) wayAt(n uint32) wayTuple {
	if n == 0 {
		return wayTuple{}
	}
	b := c.ways.at(n)
	u := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	return wayTuple{u(0), u(1), u(2), u(3)}
}

// formOf says what has to be kept of a mention by what it can do: end a try, prove it, stand as evidence, or only inform.
func formOf(fact string) noteForm {
	switch fact {
	case "finished":
		return likeNote // its account is the verdict of a try that went well
	case "verdict", "supervisor-exit":
		return textNote
	case "queued", "executor-event", "pod-made", "pod-state", "marking", "worker-running", "celery-command", "celery-command-failed",
		"local-command", "workload", "startup-details", "zombie-handled", "api-refused", "escalating", "trigger-exited", "worker-shutdown":
		return bareNote
	}
	return wholeNote
}

func (c *chronicle) note(i int) *note { return &c.notes[i/blockNotes][i%blockNotes] }

func (c *chronicle) nameOf(m *mention) uint32 {
	w := &c.words
	return idOfName(&c.names, nameTuple{dag: w.idOf(m.id.DagID), run: w.idOf(m.id.RunID), task: w.idOf(m.id.TaskID), dotted: w.idOf(m.dotted),
		uuid: w.idOf(m.uuid), folder: w.idOf(m.folder), mapIndex: int32(m.id.MapIndex)})
}

func clampInt32(n int) int32 { return int32(max(math.MinInt32, min(n, math.MaxInt32))) }

// add keeps a mention and returns its place, -1 where nothing can ever come of it.
func (c *chronicle) add(m *mention, form noteForm) int {
	if !m.names() && m.pod == "" && m.folder == "" {
		switch m.fact {
		case "zombie", "supervisor-exit", "run-timed-out", "pod-not-started": // are joined by time, or to all tries of a run
		default:
			return -1
		}
	}
	n := note{offset: m.place.Offset, at: microsOf(m.at), kind: c.kind(m), name: c.nameOf(m), try: clampInt32(m.id.Try), form: form}
	if m.place.Line < math.MaxUint32 {
		n.line = uint32(m.place.Line)
	}
	w := wayTuple{pod: c.words.idOf(m.pod)}
	if form != wholeNote {
		w.host, w.state, w.code = c.words.idOf(m.host), c.words.idOf(m.state), c.words.idOf(m.code)
	}
	n.way = c.way(w)
	try, instance := c.slots(&n, m)
	slot := instance
	if n.try != 0 || m.uuid != "" {
		slot = try
	}
	if i := int(c.recent[slot]) - 1; i >= 0 && c.repeats(c.note(i), &n, m) {
		o := c.note(i)
		if n.times = max(o.times, 1) + 1; n.times > 2 { // the last takes the place of the last before it
			c.keep(&n, m, o)
			*o = n
			c.recent[instance] = uint32(i) + 1
			return i
		}
	}
	if c.n >= maxMentions {
		c.lost++
		return -1
	}
	c.keep(&n, m, nil)
	if c.n%blockNotes == 0 {
		c.notes = append(c.notes, slices.Grow([]note(nil), min(c.n, blockNotes))) // most logs say little
	}
	block := &c.notes[len(c.notes)-1]
	*block = append(*block, n)
	c.n++
	c.recent[try], c.recent[instance] = uint32(c.n), uint32(c.n)
	return c.n - 1
}

// slots are where the last note of its kind about a try, and the last one about a task instance, are remembered, unless
// those of another one took the places.
func (c *chronicle) slots(n *note, m *mention) (try, instance int) {
	if want := 1 << min(16, max(6, bits.Len(uint(c.n))+1)); len(c.recent) < want {
		c.recent = make([]uint32, want)
	}
	var h maphash.Hash
	h.SetSeed(symbolSeed)
	if m.dotted != "" {
		h.WriteString(m.dotted)
	} else {
		h.WriteString(m.id.DagID)
		h.WriteByte('.')
		h.WriteString(m.id.TaskID)
	}
	mask := uint64(len(c.recent) - 1)
	instance = int((h.Sum64() + uint64(max(m.id.MapIndex, -1)+1)) & mask)
	return int(maphash.Comparable(symbolSeed, [3]uint32{n.name, n.kind, uint32(n.try)}) & mask), instance
}

func (c *chronicle) kind(m *mention) uint32 {
	k := mentionKind{m.fact, m.rule, m.says, m.cause, m.witness}
	n, ok := c.kindOf[k]
	if !ok {
		if c.kindOf == nil {
			c.kindOf = map[mentionKind]uint32{}
		}
		n = uint32(len(c.kinds))
		c.kinds, c.kindOf[k] = append(c.kinds, k), n
	}
	return n
}

// keep stores what a note of its form keeps beside it; in the room of another note, or in its own.
func (c *chronicle) keep(n *note, m *mention, old *note) {
	switch {
	case n.form == wholeNote && old != nil:
		n.more = old.more
		*c.whole[n.more-1] = *m
	case n.form == wholeNote:
		c.whole = append(c.whole, m)
		n.more = uint32(len(c.whole))
	case old != nil: // it says the same
		n.more = old.more
	case n.form == textNote:
		n.more = c.words.idOf(m.place.Text)
	case n.form == likeNote:
		n.more = c.texts.add(m.full)
	}
}

// Of a record that names the try, a repeat says nothing new if it comes within repeatTry. The scheduler declares a zombie
// every ten seconds until somebody has handled it, and Airflow 2 does so without the number of the try: then it must come
// within repeatZombie, for the next try may be declared dead soon.
const (
	repeatTry    = 2 * time.Minute
	repeatZombie = 15 * time.Second
)

// repeats says whether a mention m, with the note n of it, says what the last note o of its task instance says. Of
// repeats the first and the last are kept, with their number.
func (c *chronicle) repeats(o, n *note, m *mention) bool {
	if n.name == 0 || o.name != n.name || o.kind != n.kind || o.try != n.try || o.way != n.way || o.form != n.form {
		return false
	}
	within := repeatZombie
	if n.try != 0 || m.uuid != "" {
		within = repeatTry
	} else if m.fact != "zombie" {
		return false
	}
	if gap := n.at - o.at; o.at == noTime || n.at == noTime || gap > within.Microseconds() || gap < -within.Microseconds() {
		return false
	}
	switch n.form {
	case wholeNote:
		return saysAgain(c.whole[o.more-1], m)
	case textNote:
		return string(c.words.at(o.more)) == m.place.Text
	case likeNote:
		return c.texts.text(o.more) == m.full
	}
	return true
}

// saysAgain compares what a whole mention says beside kind and name. The text of a zombie's record holds addresses of
// Python objects.
func saysAgain(a, b *mention) bool {
	return a.host == b.host && a.celery == b.celery && a.pid == b.pid && a.state == b.state && a.estate == b.estate && a.code == b.code &&
		(a.fact == "zombie" || a.place.Text == b.place.Text && a.v.value("text") == b.v.value("text"))
}

// rename gives an earlier note another name.
func (c *chronicle) rename(i int, id Identity) {
	n := c.note(i)
	if n.form == wholeNote {
		m := c.whole[n.more-1]
		m.id = id
		n.name, n.try = c.nameOf(m), clampInt32(id.Try)
	}
}

// close ends reading: what only reading needs is dropped.
func (c *chronicle) close(kind string) {
	w := strings.TrimSuffix(kind, "-log")
	switch w {
	case "dag-processor", "api-server":
		w = "scheduler"
	}
	for i := range c.kinds {
		k := &c.kinds[i]
		k.witness = w
		switch k.fact {
		case "verdict", "supervisor-exit", "server-terminated-w", "escalating", "heartbeats-lost", "pool-child-died", "worker-lost",
			"celery-command", "celery-command-failed", "workload", "worker-running":
			k.witness = "worker"
		}
	}
	for _, block := range c.notes {
		for i := range block {
			if n := &block[i]; n.form == wholeNote {
				c.whole[n.more-1].witness = c.kinds[n.kind].witness
			}
		}
	}
	c.recent, c.kindOf = nil, nil
}

// mention is the i-th, as it was read. Nobody may write to it.
func (c *chronicle) mention(i int) *mention {
	n := c.note(i)
	k := &c.kinds[n.kind]
	if n.form == wholeNote {
		m := c.whole[n.more-1]
		if n.times > 2 {
			again := *m
			again.says = fmt.Sprintf("%s (the last of %d such records).", strings.TrimSuffix(m.says, "."), n.times)
			m = &again
		}
		return m
	}
	w, t := &c.words, nameAt(&c.names, n.name)
	m := &mention{fact: k.fact, rule: k.rule, says: k.says, cause: k.cause, witness: k.witness,
		id:     Identity{DagID: w.string(t.dag), RunID: w.string(t.run), TaskID: w.string(t.task), MapIndex: int(t.mapIndex), Try: int(n.try)},
		dotted: w.string(t.dotted), uuid: w.string(t.uuid), folder: w.string(t.folder)}
	m.place = Place{Source: c.source, Line: int64(n.line), Offset: n.offset}
	if n.at != noTime {
		m.at = time.UnixMicro(n.at).UTC()
		m.place.At = m.at
	}
	way := c.wayAt(n.way)
	m.host, m.pod, m.state, m.code = w.string(way.host), w.string(way.pod), w.string(way.state), w.string(way.code)
	switch n.form {
	case textNote:
		m.place.Text = w.string(n.more)
	case likeNote:
		m.full = c.texts.text(n.more)
		text, _, _ := strings.Cut(m.full, "\n")
		m.place.Text = clean(text)
		m.readFinished(m.full)
	}
	if m.fact == "verdict" {
		m.v.consts = map[string]string{"final_state": m.state}
	}
	return m
}

// ends says whether the i-th may end a try that has no log.
func (c *chronicle) ends(n *note) bool {
	switch fact := c.kinds[n.kind].fact; fact {
	case "verdict":
		w := c.wayAt(n.way)
		return codeOf(c.words.string(w.code)) < 0 || string(c.words.at(w.state)) == "SERVER_TERMINATED"
	case "celery-raised":
		return true
	default:
		return n.form == wholeNote && ends(c.whole[n.more-1])
	}
}
