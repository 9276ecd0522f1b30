package sources

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"syscall"
	"time"
)

// The calls below are those of package os without its bookkeeping, which costs as much again as opening a small file:
// an fstat, a finalizer and four allocations a file.

// atCwd has openat resolve a path as open does.
const atCwd = -100

// disk is an open file. It can be used again for another after close.
type disk struct {
	fd   int
	size int64 // as of open or stat
}

// open opens name, seen from the directory dir, or from the working directory where dir is nil. It never blocks.
func (d *disk) open(dir *folder, name string) error {
	at := atCwd
	if dir != nil {
		at = dir.fd
	}
	fd, err := openat(at, name, syscall.O_NONBLOCK)
	d.fd, d.size = fd, 0
	return err
}

func openat(at int, name string, flags int) (int, error) {
	for {
		fd, err := syscall.Openat(at, name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOCTTY|syscall.O_LARGEFILE|flags, 0)
		if err != syscall.EINTR {
			return fd, err
		}
	}
}

// stat returns time of change and type, and sets size.
func (d *disk) stat() (time.Time, fs.FileMode, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(d.fd, &st); err != nil {
		return time.Time{}, 0, err
	}
	d.size = st.Size
	return time.Unix(st.Mtim.Unix()), typeOf(st.Mode), nil
}

// start reads the first bytes with one call. Fewer than asked for are all that there are.
func (d *disk) start(p []byte) (int, error) { return d.pread(p, 0) }

func (d *disk) pread(p []byte, off int64) (int, error) {
	for {
		n, err := syscall.Pread(d.fd, p, off)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

func (d *disk) close() { syscall.Close(d.fd) }

func typeOf(mode uint32) fs.FileMode {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return 0
	case syscall.S_IFDIR:
		return fs.ModeDir
	case syscall.S_IFLNK:
		return fs.ModeSymlink
	case syscall.S_IFIFO:
		return fs.ModeNamedPipe
	case syscall.S_IFSOCK:
		return fs.ModeSocket
	case syscall.S_IFCHR:
		return fs.ModeDevice | fs.ModeCharDevice
	case syscall.S_IFBLK:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// folder is an open directory. It can be used again for another after close.
type folder struct {
	fd   int
	buf  [32 << 10]byte
	list []entry
}

// entry is one name in a directory.
type entry struct {
	name string
	mode fs.FileMode // its type bits
}

func (f *folder) open(name string) (err error) {
	f.fd, err = openat(atCwd, name, syscall.O_DIRECTORY)
	return err
}

func (f *folder) close() { syscall.Close(f.fd) }

// next returns some more entries, none at the end. They are valid until the next call.
func (f *folder) next() ([]entry, error) {
	f.list = f.list[:0]
	for len(f.list) == 0 {
		n, err := syscall.ReadDirent(f.fd, f.buf[:])
		if err != nil || n <= 0 {
			return nil, err
		}
		for b := f.buf[:n]; len(b) >= 19; {
			size := int(binary.NativeEndian.Uint16(b[16:]))
			if size < 19 || size > len(b) {
				break
			}
			name, kind := b[19:size], b[18]
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			if s := string(name); s != "." && s != ".." {
				f.list = append(f.list, entry{s, f.mode(s, kind)})
			}
			b = b[size:]
		}
	}
	return f.list, nil
}

// mode turns a dirent's type into mode bits. Some file systems leave it open; then the entry is opened to see, without
// following links and without blocking.
func (f *folder) mode(name string, kind byte) fs.FileMode {
	if kind != syscall.DT_UNKNOWN {
		return typeOf(uint32(kind) << 12)
	}
	var d disk
	fd, err := openat(f.fd, name, syscall.O_NONBLOCK|syscall.O_NOFOLLOW)
	if err == syscall.ELOOP {
		return fs.ModeSymlink
	}
	if err == syscall.ENXIO {
		return fs.ModeSocket
	}
	if err != nil {
		return 0 // opening it as a file meets the same error and reports it
	}
	d.fd = fd
	defer d.close()
	if _, mode, err := d.stat(); err == nil {
		return mode
	}
	return 0
}
