package sources

import (
	"bytes"
	"strconv"
)

// kind is what some content is, by its first bytes.
type kind int

const (
	plain kind = iota
	gzipped
	zstandard
	tarball
	zipped
	foreign // compressed in a way that this program does not read
)

// stranger is a format that is recognised only to say what to do with it.
type stranger struct {
	magic, name, command string
}

var strangers = [...]stranger{
	{"\xfd7zXZ\x00", "xz", "xz -dc"},
	{"\x04\x22\x4d\x18", "lz4", "lz4 -dc"},
	{"\x1f\x9d", "compress", "gzip -dc"},
	{"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x -so"},
	{"Rar!\x1a\x07", "rar", "unrar p -inul"},
}

var bzip2 = stranger{name: "bzip2", command: "bzip2 -dc"}

// sniff says what content with this head is; the stranger is set only for foreign.
func sniff(head []byte) (kind, stranger) {
	switch {
	case isTar(head):
		return tarball, stranger{}
	case has(head, "\x1f\x8b\x08"):
		return gzipped, stranger{}
	case has(head, "\x28\xb5\x2f\xfd"), len(head) >= 4 && head[0]&0xf0 == 0x50 && has(head[1:], "\x2a\x4d\x18"): // the second: a skippable frame
		return zstandard, stranger{}
	case has(head, "PK\x03\x04"), has(head, "PK\x05\x06"): // the second: a zip without members
		return zipped, stranger{}
	case has(head, "BZh") && len(head) >= 10 && (has(head[4:], "1AY&SY") || has(head[4:], "\x17\x72\x45\x38\x50\x90")):
		return foreign, bzip2
	}
	for _, s := range strangers {
		if has(head, s.magic) {
			return foreign, s
		}
	}
	return plain, stranger{}
}

func has(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// tarBlock is the size of a tar header.
const tarBlock = 512

// isTar recognises POSIX and GNU headers by their magic and those of older tars by their checksum: the sum of the
// header's bytes, the checksum itself read as blanks.
func isTar(head []byte) bool {
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	if has(head[257:], "ustar\x00") || has(head[257:], "ustar  \x00") {
		return true
	}
	field := head[148:156]
	if end := field[7]; end != 0 && end != ' ' {
		return false
	}
	want, err := strconv.ParseInt(string(bytes.Trim(field, " \x00")), 8, 32)
	if err != nil {
		return false
	}
	sum := int64(8 * ' ')
	for i, b := range head[:tarBlock] {
		if i < 148 || i >= 156 {
			sum += int64(b)
		}
	}
	return sum == want
}
