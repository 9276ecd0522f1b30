package classify

import (
	"encoding/binary"
	"strings"
)

// likeTexts keeps texts that differ little from each other, as the records of one rule do:
//
//	TaskInstance Finished: dag_id=d, task_id=t, run_id=r, map_index=-1, run_start_date=…, run_end_date=…, state=success, …
//
// It cuts them at their commas and keeps what differs from an earlier text with as many pieces.
type likeTexts struct {
	bases []string
	cut   [][]string     // their pieces
	base  map[int]uint32 // number of pieces -> the base of the next text
	data  [][]byte       // in blocks; a text does not reach beyond its own
	room  []byte
}

// likeBlock is the size of a block, unless a text is larger; maxLikeTexts bounds their number. Texts beyond it are lost.
const (
	likeBlock    = 1 << 16
	maxLikeTexts = 1 << 14
)

// add keeps a text and returns where it stands, 0 where it does not.
func (a *likeTexts) add(text string) uint32 {
	if text == "" || len(a.data) >= maxLikeTexts {
		return 0
	}
	if a.base == nil {
		a.base = map[int]uint32{}
	}
	pieces := strings.Count(text, ", ") + 1
	b, ok := a.base[pieces]
	if ok {
		a.differ(b, text)
	}
	if !ok || 2*len(a.room) > len(text) {
		b = uint32(len(a.bases))
		text = strings.Clone(text)
		a.bases, a.cut = append(a.bases, text), append(a.cut, strings.Split(text, ", "))
		a.base[pieces] = b
		a.differ(b, text)
	}
	last := len(a.data) - 1
	if last < 0 || len(a.data[last])+len(a.room) > likeBlock {
		size := likeBlock
		if last < 0 {
			size = 64 // most logs have few
		}
		a.data = append(a.data, append(make([]byte, 0, size), 0)) // nothing stands at 0
		last++
	}
	at := last*likeBlock + len(a.data[last])
	a.data[last] = append(a.data[last], a.room...)
	return uint32(at)
}

// differ puts into room the number of a base and, for each piece that is not as there, its number + 1, how many bytes at
// its start and its end are as there, and the bytes between: twice their number, + 1 where two stand in a byte.
func (a *likeTexts) differ(b uint32, text string) {
	out := binary.AppendUvarint(a.room[:0], uint64(b))
	for i, was := range a.cut[b] {
		piece, rest, _ := strings.Cut(text, ", ")
		text = rest
		if piece == was {
			continue
		}
		p := 0
		for p < len(piece) && p < len(was) && piece[p] == was[p] {
			p++
		}
		s := 0
		for s < len(piece)-p && s < len(was)-p && piece[len(piece)-1-s] == was[len(was)-1-s] {
			s++
		}
		between := piece[p : len(piece)-s]
		packed := strings.Trim(between, numeric) == ""
		n := 2 * len(between)
		if packed {
			n++
		}
		for _, n := range [...]int{i + 1, p, s, n} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		if !packed {
			out = append(out, between...)
			continue
		}
		for k := 0; k < len(between); k += 2 {
			b := byte(strings.IndexByte(numeric, between[k])) << 4
			if k+1 < len(between) {
				b |= byte(strings.IndexByte(numeric, between[k+1]))
			}
			out = append(out, b)
		}
	}
	a.room = append(out, 0)
}

// numeric is what numbers and times consist of.
const numeric = "0123456789-:.+ e"

// text is the text that stands at a place.
func (a *likeTexts) text(at uint32) string {
	if at == 0 {
		return ""
	}
	data := a.data[at/likeBlock][at%likeBlock:]
	number := func() int {
		n, size := binary.Uvarint(data)
		data = data[size:]
		return int(n)
	}
	base := a.cut[number()]
	next := number() - 1
	var b strings.Builder
	for i, was := range base {
		if i > 0 {
			b.WriteString(", ")
		}
		if i != next {
			b.WriteString(was)
			continue
		}
		p, s, n := number(), number(), number()
		b.WriteString(was[:p])
		if n%2 == 0 {
			b.Write(data[:n/2])
			data = data[n/2:]
		} else {
			for k := range n / 2 {
				b.WriteByte(numeric[data[k/2]>>(4*(1-k%2))&15])
			}
			data = data[(n/2+1)/2:]
		}
		b.WriteString(was[len(was)-s:])
		next = number() - 1
	}
	return b.String()
}
