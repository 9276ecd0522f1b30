package sources

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gz(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

func zst(s string, opt ...zstd.EOption) string {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, opt...)
	if err != nil {
		panic(err)
	}
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// skippable is a zstd frame that holds no content.
const skippable = "\x50\x2a\x4d\x18\x03\x00\x00\x00abc"

// tarOf makes a tar of pairs of name and text; a name that ends in "/" is a directory, a text "-> x" a link.
func tarOf(pairs ...string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		name, text := pairs[i], pairs[i+1]
		h := &tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}
		if strings.HasSuffix(name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			h.Typeflag, h.Linkname, h.Size, text = tar.TypeSymlink, target, 0, ""
		}
		w.WriteHeader(h)
		io.WriteString(w, text)
	}
	w.Close()
	return b.String()
}

// zipOf makes a zip of pairs of name and text; a name with "stored" in it is stored.
func zipOf(pairs ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if strings.Contains(pairs[i], "stored") {
			h.Method = zip.Store
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			panic(err)
		}
		io.WriteString(f, pairs[i+1])
	}
	w.Close()
	return b.String()
}

func TestArchives(t *testing.T) {
	short, long := "one line\n", prose(700_000)
	deep := long
	for range 4 {
		deep = tarOf("in", deep)
	}
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	v7 := []byte(tarOf("old", short))
	copy(v7[257:265], make([]byte, 8))
	copy(v7[148:156], "        ")
	sum := 0
	for _, b := range v7[:512] {
		sum += int(b)
	}
	copy(v7[148:156], fmt.Sprintf("%06o\x00 ", sum))
	badZip := []byte(zipOf("a", long, "b.stored", short, "c", short))
	for i := range 1000 {
		badZip[500+i] ^= 0x55
	}

	type want = map[string]string
	for _, c := range []struct {
		name, data string
		want       want
		problems   []string
	}{
		{"text", long, want{"": long}, nil},
		{"empty", "", want{"": ""}, nil},
		{"exactly a head", long[:HeadSize], want{"": long[:HeadSize]}, nil},
		{"head and one", long[:HeadSize+1], want{"": long[:HeadSize+1]}, nil},
		{"gzip", gz(long), want{"": long}, nil},
		{"gzip short", gz(short), want{"": short}, nil},
		{"gzip of nothing", gz(""), want{"": ""}, nil},
		{"gzip joined", gz(short) + gz("") + gz(long) + gz(short), want{"": short + long + short}, nil},
		{"gzip padded", gz(short) + strings.Repeat("\x00", 100_000), want{"": short}, nil},
		{"gzip garbage", gz(long) + "garbage", want{"": long}, []string{": other bytes follow"}},
		{"gzip short garbage", gz(short) + "garbage", want{"": short}, []string{": other bytes follow"}},
		{"gzip checksum", gz(short)[:len(gz(short))-5] + "XXXXX", want{"": short}, []string{": damaged after 9 bytes"}},
		{"gzip header only", gz(short)[:6], want{}, []string{": unexpected EOF"}},
		{"gzip twice", gz(gz(long)), want{"": long}, nil},
		{"gzip four times", gz(gz(gz(gz(long)))), want{}, []string{": compressed more than 3 times over"}},
		{"zstd", zst(long), want{"": long}, nil},
		{"zstd short", zst(short), want{"": short}, nil},
		{"zstd joined, skippable frames", skippable + zst(short) + skippable + zst(long), want{"": short + long}, nil},
		{"zstd garbage", zst(long) + "garbage", want{"": long}, []string{": damaged"}},
		{"zstd window", zst(long, zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false)), want{}, []string{": window is too large"}},
		{"zstd window 32 MiB", zst(long, zstd.WithWindowSize(32<<20)), want{"": long}, nil},
		{"xz", "\xfd7zXZ\x00 and so on", want{}, []string{": compressed with xz"}},
		{"lz4", "\x04\x22\x4d\x18 and so on", want{}, []string{": compressed with lz4"}},
		{"bzip2", "BZh91AY&SY and so on", want{}, []string{": compressed with bzip2"}},
		{"not bzip2", "BZh9 is a name\n", want{"": "BZh9 is a name\n"}, nil},
		{"not a zip", "PK\x03 is not enough\n", want{"": "PK\x03 is not enough\n"}, nil},
		{"tar", tarOf("./d/", "", "./d/a", short, "b", long, "l", "-> b", "../../etc/x", short),
			want{"!/d/a": short, "!/b": long, "!/../../etc/x": short}, nil},
		{"tar v7", string(v7), want{"!/old": short}, nil},
		{"tar.gz", gz(tarOf("a", short, "b", long, "empty", "")), want{"!/a": short, "!/b": long, "!/empty": ""}, nil},
		{"tar.zst", zst(tarOf("a", short, "b", long)), want{"!/a": short, "!/b": long}, nil},
		{"tar of gz", tarOf("a.gz", gz(long), "b.zst", zst(long), "c", short), want{"!/a.gz": long, "!/b.zst": long, "!/c": short}, nil},
		{"tar.gz of gz", gz(tarOf("a.gz", gz(long), "b.zst", zst(long))), want{"!/a.gz": long, "!/b.zst": long}, nil},
		{"tar with a broken gz", tarOf("a.gz", gz(long)[:9000], "c", short),
			want{"!/a.gz": "*", "!/c": short}, []string{"!/a.gz: cut off"}},
		{"tar.gz with a broken gz", gz(tarOf("a.gz", gz(long)[:9000], "c", short)),
			want{"!/a.gz": "*", "!/c": short}, []string{"!/a.gz: cut off"}},
		{"tar cut in a member", tarOf("a", short, "b", long)[:100_000], want{"!/a": short, "!/b": "*"}, []string{"!/b: unexpected EOF"}},
		{"tar cut in a header", tarOf("a", short, "b", long)[:1200], want{"!/a": short}, []string{": tar damaged"}},
		{"tars joined", tarOf("a", short) + tarOf("b", short), want{"!/a": short}, []string{": what follows the end of the tar"}},
		{"tar.gz joined", gz(tarOf("a", short)) + gz(tarOf("b", short)), want{"!/a": short}, []string{": what follows the end of the tar"}},
		{"tar.gz garbage", gz(tarOf("a", long)) + "garbage", want{"!/a": long}, []string{": other bytes follow"}},
		{"zip", zipOf("d/", "", "d/a", short, "b.stored", long, "c", long), want{"!/d/a": short, "!/b.stored": long, "!/c": long}, nil},
		{"zip of nothing", zipOf(), want{}, nil},
		{"zip cut", zipOf("a", long)[:20_000], want{}, []string{": its directory cannot be read"}},
		{"zip with a bad member", string(badZip), want{"!/a": "*", "!/b.stored": short, "!/c": short}, []string{"!/a: "}},
		{"zip in tar.gz", gz(tarOf("in.zip", zipOf("a.stored", short, "b", long), "z", short)),
			want{"!/in.zip!/a.stored": short, "!/in.zip!/b": long, "!/z": short}, nil},
		{"zip in zip", zipOf("in.zip", zipOf("a.stored", short, "b", long)), want{"!/in.zip!/a.stored": short, "!/in.zip!/b": long}, nil},
		{"tar.gz in zip", zipOf("in.tgz", gz(tarOf("a", long)), "b.stored", tarOf("c", long)),
			want{"!/in.tgz!/a": long, "!/b.stored!/c": long}, nil},
		{"xz in tar", tarOf("a.xz", "\xfd7zXZ\x00", "b", short), want{"!/b": short}, []string{"!/a.xz: compressed with xz"}},
		{"four deep", deep, want{}, []string{"!/in!/in!/in: archives nested more than 3 deep"}},
		{"noise", string(noise), want{"": string(noise)}, nil},
	} {
		for _, as := range []string{"file", "stream", "found"} {
			t.Run(c.name+"/"+as, func(t *testing.T) {
				dir := t.TempDir()
				p := filepath.ToSlash(write(t, dir, "x", c.data))
				var r result
				switch as {
				case "file":
					r = collect(t, Open(p, Options{}), 2)
				case "stream":
					p = "-"
					r = collect(t, Open("-", Options{Stdin: strings.NewReader(c.data)}), 2)
				case "found":
					r = collect(t, Open(dir, Options{}), 2)
				}
				want := map[string]string{}
				for k, v := range c.want {
					if v == "*" { // a part of long, followed by an error
						v = r.text[p+k]
						at := strings.HasPrefix(long, v) && v != ""
						if c.name == "zip with a bad member" {
							at = r.broken[p+k] != nil
						}
						if !at {
							t.Errorf("%s: %d bytes are no part of the log", k, len(v))
						}
						if r.broken[p+k] == nil {
							t.Errorf("%s: no error at the end", k)
						}
					}
					want[p+k] = v
				}
				r.wantText(t, want)
				var problems []string
				for _, s := range c.problems {
					problems = append(problems, p+s)
				}
				r.wantProblems(t, problems...)
			})
		}
	}
}

func TestCutOff(t *testing.T) {
	text := prose(3_000_000)
	for name, data := range map[string]string{"gz": gz(text), "zst": zst(text, zstd.WithWindowSize(1<<18)), "gz short": gz(text[:40_000])} {
		t.Run(name, func(t *testing.T) {
			p := filepath.ToSlash(write(t, t.TempDir(), "x", data[:len(data)*2/3]))
			r := collect(t, Open(p, Options{}), 1)
			got := r.text[p]
			if len(got) < len(text)/300 || !strings.HasPrefix(text, got) {
				t.Errorf("%d bytes", len(got))
			}
			var b *Broken
			if !errors.As(r.broken[p], &b) || b.Source != p || !errors.Is(b, io.ErrUnexpectedEOF) {
				t.Errorf("stream ended with %v", r.broken[p])
			}
			r.wantProblems(t, p+": cut off")
		})
	}
}

func TestCutOffTar(t *testing.T) {
	text := prose(1_000_000)
	data := gz(tarOf("a", text, "b", text, "c", text))
	p := filepath.ToSlash(write(t, t.TempDir(), "x", data[:len(data)/2]))
	r := collect(t, Open(p, Options{}), 1)
	if r.text[p+"!/a"] != text || len(r.text) != 2 || !strings.HasPrefix(text, r.text[p+"!/b"]) {
		t.Errorf("%d logs", len(r.text))
	}
	r.wantProblems(t, p+": cut off")
}

func TestLimits(t *testing.T) {
	zeros, text := strings.Repeat("\x00", 8<<20), prose(50_000)
	bomb := Limits{Ratio: 100, RatioFrom: 1 << 20}
	many := []string{}
	for i := range 12 {
		many = append(many, fmt.Sprint("m", i), text[:100])
	}
	for _, c := range []struct {
		name, data string
		limits     Limits
		logs       int
		problems   []string
	}{
		{"gz bomb", gz(zeros), bomb, 1, []string{": expands more than 100 times"}},
		{"gz bomb in a tar", tarOf("a", text, "b.gz", gz(zeros), "c", text), bomb, 2, []string{"!/b.gz: expands more", ": the rest of the tar was not read"}},
		{"gz bomb in a tar.gz", gz(tarOf("a", text, "b.gz", gz(zeros), "c", text)), bomb, 2, []string{"!/b.gz: expands more", ": expands more"}},
		{"tar.gz bomb", gz(tarOf("a", text, "b", zeros, "c", text)), bomb, 2, []string{": expands more than 100 times"}},
		{"zip bomb", zipOf("a.stored", text[:100], "b", zeros, "c", text), bomb, 2, []string{"!/b: expands more", ": 1 of 3 entries were not read"}},
		{"bomb in a bomb", gz(gz(zeros)), bomb, 1, []string{": expands more"}},
		{"bytes", gz(prose(3 << 20)), Limits{Bytes: 1 << 20}, 1, []string{": more than 1048576 bytes"}},
		{"tar members", tarOf(many...), Limits{Members: 10}, 10, []string{": more than 10 members"}},
		{"zip members", zipOf(many...), Limits{Members: 10}, 10, []string{": more than 10 members: 2 of 12"}},
		{"zip directory", zipOf(many...), Limits{Memory: 100}, 0, []string{": its directory cannot be read: it is too large"}},
		{"zip in a stream", gz(tarOf("a.zip", zipOf("x.stored", text), "b", text)), Limits{Memory: 30_000}, 1, []string{"!/a.zip: larger than 30000 bytes"}},
		{"depth", tarOf("a", tarOf("b", text), "c", text), Limits{Depth: 1}, 1, []string{"!/a: nested more than 1 deep"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := filepath.ToSlash(write(t, t.TempDir(), "x", c.data))
			r := collect(t, Open(p, Options{Limits: c.limits}), 1)
			if len(r.text) != c.logs {
				t.Errorf("%d logs, want %d", len(r.text), c.logs)
			}
			var problems []string
			for _, s := range c.problems {
				problems = append(problems, p+s)
			}
			r.wantProblems(t, problems...)
		})
	}
}

// A consumer that reads nothing must neither block the source nor change what it says of the rest.
func TestUnreadStreams(t *testing.T) {
	text := prose(2_000_000)
	for name, data := range map[string]string{
		"gz": gz(text), "tar.gz": gz(tarOf("a", text, "b.gz", gz(text), "c", text)), "zip": zipOf("a", text, "b", text), "text": text,
	} {
		t.Run(name, func(t *testing.T) {
			r, w := io.Pipe()
			wrote := make(chan struct{})
			go func() {
				defer close(wrote)
				io.WriteString(w, data)
				w.Close()
			}()
			n := 0
			Open("-", Options{Stdin: r}).Logs(context.Background(), 1, func(Log) { n++ }, func(p Problem) { t.Error(p) })
			r.Close()
			<-wrote
			if n == 0 {
				t.Error("no log")
			}
		})
	}
}

func TestSeekableMembers(t *testing.T) {
	text := prose(100_000)
	for name, data := range map[string]string{"tar": tarOf("a", text[:77_777], "stored", text), "zip": zipOf("a.stored", text[:77_777], "stored", text)} {
		p := write(t, t.TempDir(), name, data)
		Open(p, Options{}).Logs(context.Background(), 1, func(l Log) {
			if l.At == nil || l.Named {
				t.Errorf("%s: cannot seek, or named", l.Name)
			}
		}, func(p Problem) { t.Error(p) })
	}
}

func BenchmarkStream(b *testing.B) {
	text := prose(64 << 20)
	for name, data := range map[string]string{"gz": gz(text), "zst": zst(text)} {
		p := write(b, b.TempDir(), name, data)
		b.Run(name+"/bare", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			buf := make([]byte, 256<<10)
			for b.Loop() {
				f, _ := os.Open(p)
				var r io.Reader
				if name == "gz" {
					r, _ = gzip.NewReader(f)
				} else {
					z, _ := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
					defer z.Close()
					r = z
				}
				drain(r, buf)
				f.Close()
			}
		})
		b.Run(name+"/source", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			buf := make([]byte, 256<<10)
			for b.Loop() {
				Open(p, Options{}).Logs(context.Background(), 1, func(l Log) {
					if drain(l.Stream, buf) != len(text) {
						b.Error("short")
					}
				}, func(p Problem) { b.Error(p) })
			}
		})
	}
}

func drain(r io.Reader, buf []byte) int {
	n := 0
	for {
		m, err := r.Read(buf)
		n += m
		bytes.Count(buf[:m], []byte{'\n'})
		if err != nil {
			return n
		}
	}
}
