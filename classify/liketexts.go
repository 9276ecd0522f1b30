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
	data  []byte
}

// maxLikeTexts bounds what is kept, in bytes; texts beyond it are lost.
const maxLikeTexts = 1 << 30

// add keeps a text and returns where it stands, 0 where it does not.
func (a *likeTexts) add(text string) uint32 {
	if text == "" || len(a.data) > maxLikeTexts {
		return 0
	}
	if a.base == nil {
		a.base, a.data = map[int]uint32{}, append(a.data, 0) // nothing stands at 0
	}
	pieces := strings.Count(text, ", ") + 1
	from := len(a.data)
	if b, ok := a.base[pieces]; ok {
		if a.differ(b, text); 2*(len(a.data)-from) <= len(text) {
			return uint32(from)
		}
		a.data = a.data[:from]
	}
	b := uint32(len(a.bases))
	text = strings.Clone(text)
	a.bases, a.cut = append(a.bases, text), append(a.cut, strings.Split(text, ", "))
	a.base[pieces] = b
	a.differ(b, text)
	return uint32(from)
}

// differ appends the number of a base and, for each piece that is not as there, its number + 1, how many bytes at its
// start and its end are as there, and the bytes between.
func (a *likeTexts) differ(b uint32, text string) {
	a.data = binary.AppendUvarint(a.data, uint64(b))
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
		for _, n := range [...]int{i + 1, p, s, len(piece) - p - s} {
			a.data = binary.AppendUvarint(a.data, uint64(n))
		}
		a.data = append(a.data, piece[p:len(piece)-s]...)
	}
	a.data = append(a.data, 0)
}

// text is the text that stands at a place.
func (a *likeTexts) text(at uint32) string {
	if at == 0 {
		return ""
	}
	data := a.data[at:]
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
		p, s, n := number(), number(), 0
		n = number()
		b.WriteString(was[:p])
		b.Write(data[:n])
		b.WriteString(was[len(was)-s:])
		data = data[n:]
		next = number() - 1
	}
	return b.String()
}
