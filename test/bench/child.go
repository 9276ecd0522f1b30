package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// child does one of the bare jobs that lastwords is compared with, in a process of its own so that it is measured as the
// others are.
func child(args []string) error {
	if len(args) == 0 {
		return errors.New("child: no job")
	}
	job, args := args[0], append(args[1:], "", "")
	switch job {
	case "nothing":
		return nil
	case "count":
		return count(args[0])
	case "drain":
		return drain(args[0])
	case "warm":
		return warm(args[0])
	case "walk":
		return walk(args[0])
	case "tails":
		return tails(args[0])
	case "pour":
		n, err := strconv.ParseInt(args[1], 10, 64)
		if err != nil {
			return err
		}
		switch args[0] {
		case "line":
			return writeLine(os.Stdout, n)
		case "record":
			return writeRecord(os.Stdout, n)
		}
		_, err = writeText(os.Stdout, n)
		return err
	}
	return fmt.Errorf("child: no job %q", job)
}

// count reads a file, or stdin for "-", 256 KiB at a time and counts its lines.
func count(path string) error {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return err
		}
		defer f.Close()
	}
	buf, lines := make([]byte, 256<<10), 0
	for {
		n, err := f.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			fmt.Println(lines)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// drain decompresses a file to nowhere, with the decoder options that lastwords uses.
func drain(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader
	if filepath.Ext(path) == ".gz" {
		r, err = gzip.NewReader(f)
	} else {
		r, err = zstd.NewReader(f, zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		return err
	}
	buf, size := make([]byte, 256<<10), int64(0)
	for {
		n, err := r.Read(buf)
		size += int64(n)
		if err == io.EOF {
			fmt.Println(size)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// warm reads all of a file or of a tree, so that it stands in the page cache.
func warm(path string) error {
	return filepath.WalkDir(path, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
}

// walk lists a tree and opens nothing.
func walk(dir string) error {
	files := 0
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files++
		}
		return err
	})
	fmt.Println(files)
	return err
}

// tails walks a tree with one goroutine a processor and reads the first and the last 16 KiB of each file: what a scan
// by the tail costs at least, without a look at the bytes.
func tails(dir string) error {
	var (
		files   atomic.Int64
		failed  atomic.Pointer[error]
		folders = make(chan string, 1<<18)
		open    sync.WaitGroup // folders not done
		done    sync.WaitGroup
	)
	open.Add(1)
	folders <- dir
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			buf := make([]byte, 16<<10)
			for dir := range folders {
				entries, err := os.ReadDir(dir)
				for _, e := range entries {
					path := dir + "/" + e.Name()
					if e.IsDir() {
						open.Add(1)
						folders <- path
						continue
					}
					files.Add(1)
					if e := headAndTail(path, buf); e != nil {
						err = e
					}
				}
				if err != nil {
					failed.Store(&err)
				}
				open.Done()
			}
		})
	}
	open.Wait()
	close(folders)
	done.Wait()
	fmt.Println(files.Load())
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func headAndTail(path string, buf []byte) error {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	n, err := syscall.Pread(fd, buf, 0)
	if err != nil || n < len(buf) {
		return err
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return err
	}
	_, err = syscall.Pread(fd, buf, st.Size-int64(len(buf)))
	return err
}
