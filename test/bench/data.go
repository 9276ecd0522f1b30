package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// recipe is changed by hand with the generator, so that data of an older one is not used again.
const recipe = 2

// made says what a generator wrote. It is the truth that answers are compared with.
type made struct {
	Logs    int
	Folders int    // without the topmost
	Bytes   int64  // of text, before compression
	Lines   int64  // with one of the literals
	Hits    int    // logs with one of the literals
	Ends    [4]int // logs by how they end
}

// dataset is generated data under a path of its own: files or one tree.
type dataset struct {
	name string
	size int64 // bytes of text, or logs of a tree
	disk int64 // bytes that it takes at most
	make func(path string, size int64) (made, error)
}

// sizes are the amounts of data of a run; -quick divides them by 20.
type sizes struct {
	text, events, packed, stream, line int64
	tree                               int
	linear                             []int
}

var full = sizes{text: 2_147_000_000, events: 1_070_000_000, packed: 500_000_000, stream: 10_700_000_000,
	line: 2_147_483_648, tree: 20_000, linear: []int{1_000, 10_000, 100_000}}

func (s sizes) divided(by int64) sizes {
	d := sizes{text: s.text / by, events: s.events / by, packed: s.packed / by, stream: s.stream / by, line: s.line / by,
		tree: s.tree / int(by)}
	for _, n := range s.linear {
		d.linear = append(d.linear, n/int(by))
	}
	return d
}

func textData(n int64) dataset {
	return dataset{name: "big.log", size: n, disk: n, make: func(path string, n int64) (made, error) {
		return toFile(path, func(w io.Writer) (made, error) { return writeText(w, n) })
	}}
}

func eventData(n int64) dataset {
	return dataset{name: "big.jsonl", size: n, disk: n, make: func(path string, n int64) (made, error) {
		return toFile(path, func(w io.Writer) (made, error) { return writeEvents(w, n) })
	}}
}

// packedData is a folder with text.log.gz and text.log.zst.
func packedData(n int64) dataset {
	return dataset{name: "packed", size: n, disk: n, make: func(path string, n int64) (made, error) {
		if err := os.Mkdir(path, 0o777); err != nil {
			return made{}, err
		}
		return toFile(filepath.Join(path, "text.log.gz"), func(gz io.Writer) (made, error) {
			return toFile(filepath.Join(path, "text.log.zst"), func(zst io.Writer) (made, error) {
				return writePacked(gz, zst, n)
			})
		})
	}}
}

func treeData(logs int) dataset {
	return dataset{name: "tree-" + strconv.Itoa(logs), size: int64(logs), disk: int64(logs) * 150_000,
		make: func(path string, n int64) (made, error) { return writeTree(path, int(n)) }}
}

func toFile(path string, write func(io.Writer) (made, error)) (m made, err error) {
	f, err := os.Create(path)
	if err != nil {
		return made{}, err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return write(f)
}

// stamp stands beside finished data and says how it was made.
type stamp struct {
	Recipe int
	Size   int64
	Made   made
}

// lay returns where the data lies. It is made unless it is there already with the same parameters.
func (d dataset) lay(dir string, say func(string, ...any)) (string, made, error) {
	path, stampPath := filepath.Join(dir, d.name), filepath.Join(dir, d.name+".made")
	var s stamp
	if b, err := os.ReadFile(stampPath); err == nil && json.Unmarshal(b, &s) == nil && s.Recipe == recipe && s.Size == d.size {
		return path, s.Made, nil
	}
	for _, old := range []string{stampPath, path} {
		if err := os.RemoveAll(old); err != nil {
			return "", made{}, err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", made{}, err
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return "", made{}, fmt.Errorf("%s: %w", dir, err)
	}
	if free := int64(fs.Bavail) * fs.Bsize; free < d.disk+1<<30 {
		return "", made{}, fmt.Errorf("%s: %s needs %s, %s are free; see -dir, -quick and -only", dir, d.name,
			bytesText(float64(d.disk+1<<30)), bytesText(float64(free)))
	}
	say("making %s", path)
	began := time.Now()
	m, err := d.make(path, d.size)
	if err != nil {
		return "", made{}, err
	}
	syscall.Sync() // or the disk would be busy during the first rounds
	b, err := json.Marshal(stamp{Recipe: recipe, Size: d.size, Made: m})
	if err != nil {
		return "", made{}, err
	}
	say("made %s: %s in %.1f s", path, bytesText(float64(m.Bytes)), time.Since(began).Seconds())
	return path, m, os.WriteFile(stampPath, append(b, '\n'), 0o666)
}
