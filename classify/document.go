package classify

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"time"
)

// documentMost is the size up to which a document is read whole.
const documentMost = 32 << 20

// walk collects the elements of the value that starts at b[i] and returns the place behind it, or -1.
type walk func(d *document, i int) int

// document is an input that is one value, not lines: the answer of an API, a JSON array, a Python literal. It is read
// whole; texts are decoded in place, when they are asked for.
type document struct {
	b     []byte
	code  coding
	names *sharedNames
	json  jsonText
	open  opener
	count counter

	items   []item
	tags    map[tag]*tag
	foreign bool // it holds Kubernetes objects only
	err     error

	at   int // the next item
	line Line
	rest []byte
	more bool
}

// item is one text of a document.
type item struct {
	from, to int32 // where it stands in the document
	no       int32
	offset   int32
	how      decoding
	at       int64 // nanoseconds since 1970, 0: none
	tag      *tag  // never nil
}

// tag is what items that came from one place share.
type tag struct {
	stream, origin, level string
	labels                *Labels
}

// counter finds the physical line of places that are asked for in rising order.
type counter struct {
	pos   int   // in the text
	no    int64 // lines before pos, plus one
	start int   // where that line begins, in the text
	off   int64 // bytes of the input before pos
	begin int64 // bytes of the input before start
}

func (c *counter) advance(b []byte, code coding, to int) {
	for {
		i := bytes.IndexByte(b[c.pos:max(to, c.pos)], '\n')
		if i < 0 {
			break
		}
		c.off += code.units(b[c.pos : c.pos+i+1])
		c.pos += i + 1
		c.no++
		c.start, c.begin = c.pos, c.off
	}
	if to > c.pos {
		c.off += code.units(b[c.pos:to])
		c.pos = to
	}
}

// readDocument reads r and collects its elements.
func readDocument(r io.Reader, code coding, mark int, w walk, names *sharedNames) *document {
	d := &document{code: code, names: names, tags: map[tag]*tag{}, err: io.EOF}
	b, err := readMost(r, documentMost)
	if err != nil {
		d.err = err
		return d
	}
	b = b[min(mark, len(b)):]
	if code != utf8Text {
		b = code.appendUTF8(make([]byte, 0, len(b)/2+len(b)/8), b)
	}
	d.b = b
	d.json = jsonText{b: b}
	d.open = opener{names: names}
	d.count = counter{no: 1, off: int64(mark), begin: int64(mark)}
	for i := d.json.space(0); i < len(b); i = d.json.space(i) {
		if i = w(d, i); i < 0 {
			d.broken(d.json.bad)
			break
		}
	}
	if d.foreign = d.foreign && len(d.items) > 0; d.foreign {
		d.items = nil
	}
	return d
}

func (d *document) broken(i int) {
	if d.open.json.bad > i {
		i = d.open.json.bad // inside an element
	}
	d.count.advance(d.b, d.code, i)
	d.err = &Broken{What: "the document", Offset: d.count.off, No: d.count.no}
}

// readMost reads r, up to most bytes.
func readMost(r io.Reader, most int) ([]byte, error) {
	b := make([]byte, 0, 64<<10)
	empty := 0
	for {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(4*cap(b), most+1)), b...)
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case len(b) > most:
			return nil, &TooLarge{Limit: documentMost, What: "a document that is one JSON value",
				Hint: "export it in lines (ndjson) or in smaller parts"}
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		}
		if empty++; n > 0 {
			empty = 0
		}
		if empty > emptyReads {
			return nil, io.ErrNoProgress
		}
	}
}

// add appends an item whose element begins at elem and whose text stands at text; the line is that of mark, and the
// offset that of the element if it is on the same line.
func (d *document) add(elem, mark int, text span, how decoding, at time.Time, t tag) {
	d.count.advance(d.b, d.code, elem)
	offset := d.count.off
	if d.count.pos != elem {
		offset = d.count.begin // it lies before what was counted
	}
	d.count.advance(d.b, d.code, mark)
	it := item{from: int32(text.from), to: int32(text.to), how: how, no: int32(d.count.no),
		offset: int32(max(d.count.begin, offset)), tag: d.shared(t)}
	if !at.IsZero() {
		it.at = at.UnixNano()
	}
	d.items = append(d.items, it)
}

// shared returns the one copy of t.
func (d *document) shared(t tag) *tag {
	if p, ok := d.tags[t]; ok {
		return p
	}
	p := &tag{t.stream, t.origin, t.level, t.labels}
	if len(d.tags) < namesMost {
		d.tags[t] = p
	}
	return p
}

// element reads one object of an export at i.
func (d *document) element(i int, outer tag) int {
	end := d.open.read(d.b, i)
	if end < 0 {
		return end
	}
	at, how := d.open.line()
	if how == asNothing {
		return end
	}
	if len(d.items) == 0 {
		d.foreign = true
	}
	d.foreign = d.foreign && d.open.kubeObjs
	l := Line{Stream: outer.stream, Labels: outer.labels}
	d.open.fill(&l)
	d.add(i, d.open.mark(at), at, how, l.At, tag{l.Stream, l.Origin, l.Level, l.Labels})
	return end
}

// turn reverses the items from n on if they are listed newest first.
func (d *document) turn(n int) {
	group := d.items[n:]
	at := func(i int) time.Time {
		if group[i].at == 0 {
			return time.Time{}
		}
		return time.Unix(0, group[i].at)
	}
	if newestFirst(len(group), at) {
		for i, k := 0, len(group)-1; i < k; i, k = i+1, k-1 {
			group[i], group[k] = group[k], group[i]
		}
	}
}

// byTime sorts the items if all of them have a time: what one container wrote may be spread over several lists.
func (d *document) byTime() {
	for _, it := range d.items {
		if it.at == 0 {
			return
		}
	}
	slices.SortStableFunc(d.items, func(a, b item) int { return cmp.Compare(a.at, b.at) })
}

func (d *document) rewind() { d.at, d.more = 0, false }

func (d *document) next(l *Line) error {
	if !d.more {
		if d.at == len(d.items) {
			return d.err
		}
		it := &d.items[d.at]
		d.at++
		text := it.how.decode(d.b[it.from:it.to])
		it.to, it.how = it.from+int32(len(text)), asIs
		d.line = Line{No: int64(it.no), Offset: int64(it.offset), Stream: it.tag.stream, Origin: it.tag.origin, Level: it.tag.level,
			Labels: it.tag.labels}
		if it.at != 0 {
			d.line.At = time.Unix(0, it.at).UTC()
		}
		d.rest = text
	}
	*l = d.line
	l.Text, d.rest, d.more = firstLine(d.rest)
	d.line.tail = true
	if len(l.Text) > capLine {
		l.Text, l.Cut = bothEnds(l.Text), true
	}
	return nil
}

// bothEnds returns a copy of the first and the last 64 KiB of b.
func bothEnds(b []byte) []byte {
	return append(append(make([]byte, 0, capLine), b[:capEnd]...), b[len(b)-capEnd:]...)
}
