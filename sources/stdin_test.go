package sources

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestStdin(t *testing.T) {
	text := prose(600_000)
	for name, in := range map[string]io.Reader{
		"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"data with EOF": iotest.DataErrReader(strings.NewReader(text)), "halves": iotest.HalfReader(strings.NewReader(text)),
	} {
		t.Run(name, func(t *testing.T) {
			r := collect(t, Open("-", Options{Stdin: in}), 2)
			r.wantText(t, map[string]string{"-": text})
			r.wantProblems(t)
			if l := r.logs["-"]; l.Size != -1 || !l.Named || l.Whole {
				t.Errorf("%+v", l)
			}
		})
	}
}

func TestStdinTrouble(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	broken := errors.New("the cable is out")
	for _, c := range []struct {
		name    string
		in      io.Reader
		logs    int
		problem string
	}{
		{"none", nil, 0, "-: there is no standard input"},
		{"directory", dir, 0, "-: "},
		{"broken later", io.MultiReader(strings.NewReader(prose(100_000)), iotest.ErrReader(broken)), 1, "-: the cable is out"},
		{"broken in the head", io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), 1, "-: the cable is out"},
		{"broken at once", iotest.ErrReader(broken), 0, "-: the cable is out"},
		{"broken below a gzip", io.MultiReader(strings.NewReader(gz(prose(500_000))[:90_000]), iotest.ErrReader(broken)), 1, "-: the cable is out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := collect(t, Open("-", Options{Stdin: c.in}), 1)
			if len(r.text) != c.logs {
				t.Errorf("%d logs", len(r.text))
			}
			if len(r.problems) != 1 || !strings.HasPrefix("-: "+r.problems[0].Err.Error(), c.problem) {
				t.Errorf("problems %v", r.problems)
			}
			if c.logs == 1 && r.broken["-"] == nil {
				t.Error("the stream does not say that it is broken")
			}
		})
	}
}

// A read of standard input that never returns does not keep the program from stopping.
func TestStdinCancelled(t *testing.T) {
	for _, before := range []int{0, 100, 100_000} {
		for _, kind := range []string{"os", "io"} {
			var in io.Reader
			var out io.WriteCloser
			if kind == "os" {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				in, out = r, w
			} else {
				in, out = io.Pipe()
			}
			defer out.Close()
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				io.WriteString(out, prose(before))
				cancel()
			}()
			Open("-", Options{Stdin: in}).Logs(ctx, 1, func(l Log) {
				if _, err := io.Copy(io.Discard, l.Stream); !errors.Is(err, context.Canceled) {
					t.Errorf("stream ended with %v", err)
				}
			}, func(p Problem) { t.Error(p) })
		}
	}
}

// goroutines waits for goroutines of a test to end, or fails.
func goroutines(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func BenchmarkPipe(b *testing.B) {
	text := []byte(prose(64 << 20))
	buf := make([]byte, 256<<10)
	feed := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		go func() {
			w.Write(text)
			w.Close()
		}()
		return r
	}
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r := feed()
			drain(r, buf)
			r.Close()
		}
	})
	b.Run("source", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r := feed()
			Open("-", Options{Stdin: r}).Logs(context.Background(), 1, func(l Log) { drain(l.Stream, buf) }, func(p Problem) { b.Error(p) })
			r.Close()
		}
	})
}
