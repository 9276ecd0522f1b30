package sources

import (
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeSize is what a pipe is asked to hold: with the usual 64 KiB writer and reader wake each other for every few hundred
// lines. It is as much as a user without privileges gets.
const pipeSize = 1 << 20

// widen makes a pipe hold more. Where r is no pipe, or the system says no, nothing changes.
func widen(r io.Reader) {
	f, ok := r.(syscall.Conn)
	if !ok {
		return
	}
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}
