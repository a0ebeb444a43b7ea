//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// flushTyped throws away what was typed at a terminal and not read yet, an unfinished line
// included.
func flushTyped(fd int) error {
	const input = 1 // FREAD of sys/fcntl.h
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, input)
}
