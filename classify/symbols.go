package classify

import (
	"hash/maphash"
	"unsafe"
)

// symbols numbers strings: equal ones get one number, and the strings stand behind each other in one piece of memory.
// Number 0 is the empty string. It may extend other symbols, whose numbers stay what they are.
type symbols struct {
	below *symbols // nobody adds to it any more
	text  []byte
	ends  []uint32 // of each own string, in text
	slots []uint32 // number of an own string + 1, or 0; a power of two of them
}

// maxSymbols bounds the text of symbols; strings beyond it are not told apart from the empty one.
const maxSymbols = 1 << 30

var symbolSeed = maphash.MakeSeed() // nothing that is reported depends on it

func (s *symbols) len() int {
	n := 1 + len(s.ends)
	if s.below != nil {
		n += s.below.len() - 1
	}
	return n
}

// id is the number of a string, a new one for a new string. It keeps nothing of b.
func (s *symbols) id(b []byte) uint32 {
	if len(b) == 0 {
		return 0
	}
	h := maphash.Bytes(symbolSeed, b)
	if s.below != nil {
		if n := s.below.find(h, b); n != 0 {
			return n
		}
	}
	if n := s.find(h, b); n != 0 {
		return n
	}
	if len(s.text)+len(b) > maxSymbols {
		return 0
	}
	if 4*(len(s.ends)+1) > 3*len(s.slots) {
		s.grow()
	}
	s.text = append(s.text, b...)
	s.ends = append(s.ends, uint32(len(s.text)))
	s.put(h, uint32(len(s.ends)))
	return s.first() + uint32(len(s.ends)) - 1
}

func (s *symbols) idOf(t string) uint32 { return s.id(unsafe.Slice(unsafe.StringData(t), len(t))) }

// first is the number of the first own string.
func (s *symbols) first() uint32 {
	if s.below != nil {
		return uint32(s.below.len())
	}
	return 1
}

func (s *symbols) find(h uint64, b []byte) uint32 {
	if len(s.slots) == 0 {
		return 0
	}
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if n := s.slots[i]; string(s.own(n-1)) == string(b) {
			return s.first() + n - 1
		}
	}
	return 0
}

func (s *symbols) put(h uint64, n uint32) {
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for s.slots[i] != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = n
}

func (s *symbols) grow() {
	s.slots = make([]uint32, max(16, 2*len(s.slots)))
	for n := range s.ends {
		s.put(maphash.Bytes(symbolSeed, s.own(uint32(n))), uint32(n)+1)
	}
}

func (s *symbols) own(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.text[from:s.ends[i]]
}

// at is the string with a number. Nobody may write to it.
func (s *symbols) at(n uint32) []byte {
	if n == 0 {
		return nil
	}
	if f := s.first(); n >= f {
		return s.own(n - f)
	}
	return s.below.at(n)
}

// string is a copy of the string with a number.
func (s *symbols) string(n uint32) string { return string(s.at(n)) }
