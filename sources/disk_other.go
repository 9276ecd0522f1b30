//go:build !linux

package sources

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// disk is an open file. It can be used again for another after close.
type disk struct {
	f    *os.File
	size int64 // as of stat
}

// open opens name, seen from the directory dir, or from the working directory where dir is nil.
func (d *disk) open(dir *folder, name string) (err error) {
	if dir != nil {
		name = dir.name + "/" + name
	}
	d.f, err = os.Open(name)
	return err
}

// stat returns time of change and type, and sets size.
func (d *disk) stat() (time.Time, fs.FileMode, error) {
	info, err := d.f.Stat()
	if err != nil {
		return time.Time{}, 0, err
	}
	d.size = info.Size()
	return info.ModTime(), info.Mode().Type(), nil
}

// start reads the first bytes. Fewer than asked for are all that there are.
func (d *disk) start(p []byte) (int, error) {
	n, err := d.pread(p, 0)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func (d *disk) pread(p []byte, off int64) (int, error) { return d.f.ReadAt(p, off) }

func (d *disk) close() { d.f.Close() }

// folder is an open directory. It can be used again for another after close.
type folder struct {
	name string
	f    *os.File
	list []entry
}

// entry is one name in a directory.
type entry struct {
	name string
	mode fs.FileMode // its type bits
}

func (f *folder) open(name string) (err error) {
	f.name = name
	f.f, err = os.Open(name)
	return err
}

func (f *folder) close() { f.f.Close() }

// next returns some more entries, none at the end. They are valid until the next call.
func (f *folder) next() ([]entry, error) {
	list, err := f.f.ReadDir(512)
	f.list = f.list[:0]
	for _, e := range list {
		f.list = append(f.list, entry{e.Name(), e.Type()})
	}
	if err == io.EOF {
		err = nil
	}
	return f.list, err
}
