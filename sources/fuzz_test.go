package sources

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// FuzzStream holds for any bytes: no panic, an end, no more than the limits allow, and the same logs whether the bytes
// come in a stream or can seek.
func FuzzStream(f *testing.F) {
	short, long := "line\n", prose(40_000)
	for _, s := range []string{
		"", short, long, gz(long), gz(short) + gz(short), zst(long), skippable + zst(short), tarOf("a", short, "b", long),
		gz(tarOf("a", short)), zipOf("a", long, "b.stored", short), gz(tarOf("a.zip", zipOf("b", short))), "\xfd7zXZ\x00",
		zst(long, zstd.WithWindowSize(1<<22)), gz(string(make([]byte, 1<<20))),
	} {
		f.Add([]byte(s))
	}
	opt := Options{Limits: Limits{Bytes: 1 << 20, Ratio: 50, RatioFrom: 64 << 10, Memory: 1 << 20, Members: 20}}
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(run func(u *unpacker)) (names []string, total int64) {
			u := newUnpacker(Options{Limits: opt.Limits.orDefault()}, func(l Log) {
				r := l.Stream
				if l.At != nil {
					r = io.NewSectionReader(l.At, 0, l.Size)
				}
				n, _ := io.Copy(io.Discard, r)
				names = append(names, l.Name)
				total += n
			}, func(p Problem) {
				if p.Err == nil || p.Source == "" {
					t.Errorf("empty problem %v", p)
				}
			})
			run(u)
			return names, total
		}
		names, total := read(func(u *unpacker) { u.stream(context.Background(), "x", bytes.NewReader(data)) })
		if limit := int64(len(data))*20 + 2<<20; total > limit {
			t.Errorf("%d bytes of logs from %d", total, len(data))
		}
		again, _ := read(func(u *unpacker) {
			n := min(len(data), HeadSize)
			u.unpack(context.Background(), &content{name: "x", head: data[:n], whole: n == len(data), at: bytes.NewReader(data),
				length: int64(len(data)), size: int64(len(data))})
		})
		if len(names) != len(again) {
			t.Errorf("%q in a stream, %q where it can seek", names, again)
		}
	})
}
