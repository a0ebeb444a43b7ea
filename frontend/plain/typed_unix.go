//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// takeTyped takes what was typed at a terminal and not read yet. A terminal that edits lines by
// itself keeps an unfinished one to itself, so it is told for a moment not to.
func takeTyped(fd int) (typed string, err error) {
	state, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return "", fmt.Errorf("ask the terminal for its modes: %w", err)
	}
	open := *state
	open.Lflag &^= unix.ICANON
	open.Cc[unix.VMIN], open.Cc[unix.VTIME] = 0, 0 // Read returns at once
	if err := unix.IoctlSetTermios(fd, setTermios, &open); err != nil {
		return "", fmt.Errorf("make the terminal hand over what was typed: %w", err)
	}
	defer func() {
		if back := unix.IoctlSetTermios(fd, setTermios, state); back != nil && err == nil {
			err = fmt.Errorf("give the terminal its modes back: %w", back)
		}
		// What was typed in between would be handed over as if it were a whole line.
		if lost := flushTyped(fd); lost != nil && err == nil {
			err = fmt.Errorf("throw away what was typed: %w", lost)
		}
	}()
	var all []byte
	buf := make([]byte, 4096)
	for {
		n, err := unix.Read(fd, buf)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN) || err == nil && n <= 0:
			return string(all), nil
		case err != nil:
			return string(all), fmt.Errorf("read what was typed: %w", err)
		default:
			all = append(all, buf[:n]...)
		}
	}
}
