package sources

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTree(t *testing.T) {
	dir := t.TempDir()
	long := prose(100_000)
	files := map[string]string{
		"dag_id=a/run_id=r/task_id=t/attempt=1.log": "one\n", "dag_id=a/run_id=r/task_id=t/attempt=2.log": long,
		"empty.log": "", ".git/HEAD": "ref\n", "x.tar.gz": gz(tarOf("m", long)), "y/z.log.gz": gz(long), "sp ace/ü\xff": "bytes\n",
	}
	if runtime.GOOS != "linux" {
		delete(files, "sp ace/ü\xff")
	}
	for i := range 300 {
		files[fmt.Sprintf("wide/%d.log", i)] = fmt.Sprintln(i)
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	os.MkdirAll(filepath.Join(dir, "nothing/in/here"), 0o755)
	t.Chdir(dir)
	parent := filepath.Base(dir)
	for arg, prefix := range map[string]string{
		".": "", "./": "", dir: filepath.ToSlash(dir) + "/", dir + "/": filepath.ToSlash(dir) + "/", "../" + parent: "../" + parent + "/",
		"wide/..": "", "./y/../.": "",
	} {
		for _, workers := range []int{0, 1, 2, 8} {
			t.Run(fmt.Sprint(arg, workers), func(t *testing.T) {
				before := runtime.NumGoroutine()
				r := collect(t, Open(arg, Options{}), workers)
				goroutines(t, before)
				want := map[string]string{}
				for name, text := range files {
					switch name {
					case "x.tar.gz":
						name, text = "x.tar.gz!/m", long
					case "y/z.log.gz":
						text = long
					}
					want[prefix+name] = text
				}
				r.wantText(t, want)
				r.wantProblems(t)
				if l := r.logs[prefix+"dag_id=a/run_id=r/task_id=t/attempt=2.log"]; l.Size != 100_000 || l.Modified.IsZero() || l.Named {
					t.Errorf("%+v", l)
				}
				if l := r.logs[prefix+"y/z.log.gz"]; l.Size != int64(len(files["y/z.log.gz"])) {
					t.Errorf("%+v", l)
				}
			})
		}
	}
}

func TestNamed(t *testing.T) {
	dir := t.TempDir()
	p := filepath.ToSlash(write(t, dir, "a.log", "one\n"))
	r := collect(t, Open(p, Options{}), 1)
	r.wantText(t, map[string]string{p: "one\n"})
	if l := r.logs[p]; !l.Named || l.Size != 4 || l.Modified.IsZero() || !l.Whole {
		t.Errorf("%+v", l)
	}
	gone := filepath.ToSlash(filepath.Join(dir, "gone.log"))
	collect(t, Open(gone, Options{}), 1).wantProblems(t, gone+": ")
	for _, url := range []string{"s3://bucket/prefix", "gs://b", "https://x/y"} {
		collect(t, Open(url, Options{}), 1).wantProblems(t, url+": not in this version")
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	os.MkdirAll(filepath.Dir(name), 0o755)
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

func TestLinks(t *testing.T) {
	for _, workers := range []int{1, 8} {
		dir := t.TempDir()
		write(t, dir, "logs/scheduler/2024-05-01/a.log", "a")
		link(t, "2024-05-01", filepath.Join(dir, "logs/scheduler/latest"))
		link(t, "2024-05-01/a.log", filepath.Join(dir, "logs/scheduler/a.log"))
		link(t, filepath.Join(dir, "logs"), filepath.Join(dir, "logs/scheduler/up"))
		link(t, "self", filepath.Join(dir, "logs/self"))
		link(t, "nowhere", filepath.Join(dir, "logs/dangling"))
		// Outside: one tree by two names and a name for a part of it, that leads back as well.
		write(t, dir, "out/b.log", "b")
		write(t, dir, "out/deep/c.log", "c")
		link(t, "../logs", filepath.Join(dir, "out/back"))
		link(t, "../logs/scheduler/2024-05-01", filepath.Join(dir, "out/inside"))
		link(t, "..", filepath.Join(dir, "out/deep/loop"))
		link(t, "../out/deep", filepath.Join(dir, "logs/1"))
		link(t, "../out", filepath.Join(dir, "logs/2"))
		link(t, "../out", filepath.Join(dir, "logs/3"))
		// A single file outside by two names.
		write(t, dir, "file.log", "f")
		link(t, "../file.log", filepath.Join(dir, "logs/f1"))
		link(t, "../file.log", filepath.Join(dir, "logs/f2"))
		t.Chdir(filepath.Join(dir, "logs"))

		r := collect(t, Open(".", Options{}), workers)
		r.wantText(t, map[string]string{"scheduler/2024-05-01/a.log": "a", "2/b.log": "b", "1/c.log": "c", "f1": "f"})
		r.wantProblems(t, "scheduler/up: symbolic link loop", "self: symbolic link loop", "dangling: does not exist here",
			"2/back: symbolic link loop", "1/loop: symbolic link loop")
		t.Chdir(t.TempDir())
	}
}

func TestVanished(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		write(t, dir, fmt.Sprintf("%d.log", i), "x")
		write(t, dir, fmt.Sprintf("d%d/x.log", i), "x")
	}
	// The first log that is yielded takes all others with it.
	n, gone := 0, 0
	Open(dir, Options{}).Logs(context.Background(), 1, func(l Log) {
		if n++; n > 1 {
			return
		}
		for i := range 5 {
			if name := filepath.Join(dir, fmt.Sprintf("%d.log", i)); filepath.ToSlash(name) != l.Name {
				os.Remove(name)
			}
			os.RemoveAll(filepath.Join(dir, fmt.Sprintf("d%d", i)))
		}
	}, func(p Problem) {
		gone++
		if !strings.Contains(p.Err.Error(), "vanished while scanning") || p.Hint == "" {
			t.Error(p)
		}
	})
	if n != 1 || gone != 9 {
		t.Errorf("%d logs, %d vanished", n, gone)
	}
}

func TestShrinksAndGrows(t *testing.T) {
	text := prose(100_000)
	for name, size := range map[string]int64{"shrinks": 50_000, "grows": 150_000} {
		p := write(t, t.TempDir(), "x", text)
		Open(p, Options{}).Logs(context.Background(), 1, func(l Log) {
			if err := os.Truncate(p, size); err != nil {
				t.Skip(err)
			}
			b := make([]byte, l.Size)
			n, err := l.At.ReadAt(b, 0)
			if want := min(size, 100_000); int64(n) != want || string(b[:n]) != text[:want] || (err == io.ErrUnexpectedEOF) != (want < 100_000) {
				t.Errorf("%s: %d bytes, %v", name, n, err)
			}
		}, func(p Problem) { t.Error(p) })
	}
}

func TestCancelled(t *testing.T) {
	dir := benchTree(t, 200, true)
	write(t, dir, "a.tar.gz", gz(tarOf("a", prose(1_000_000), "b", prose(1_000_000))))
	for _, workers := range []int{1, 4} {
		for after := range 20 {
			before := runtime.NumGoroutine()
			ctx, cancel := context.WithCancel(context.Background())
			left := make(chan struct{}, 1000)
			Open(dir, Options{}).Logs(ctx, workers, func(l Log) {
				if left <- struct{}{}; len(left) > after {
					cancel()
				}
				if l.Stream != nil {
					io.Copy(io.Discard, l.Stream)
				}
			}, func(p Problem) { t.Error(p) })
			if n := len(left); n > after+2*workers {
				t.Errorf("%d logs after a cancel at %d", n, after)
			}
			goroutines(t, before)
			cancel()
		}
	}
}
