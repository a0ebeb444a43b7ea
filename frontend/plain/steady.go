//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// steadyTerminal is a terminal whose input may be thrown away while somebody waits for it: what the
// waiting saw may then be gone, and a Read would block where nothing can end it. So Read looks once
// more, under the lock under which the input is thrown away, and returns 0 and nil for nothing.
type steadyTerminal struct {
	*os.File
	f  *Frontend
	fd int
}

func (r steadyTerminal) Read(b []byte) (int, error) {
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	var set unix.FdSet
	set.Set(r.fd)
	if n, err := unix.Select(r.fd+1, &set, nil, nil, &unix.Timeval{}); n <= 0 || err != nil {
		return 0, nil
	}
	n, err := r.File.Read(b)
	r.f.input.readAt = time.Now()
	return n, err
}

// steady prepares a terminal in Lines mode for flushTyped, and reports whether it is one.
func (f *Frontend) steady(in io.Reader) (io.Reader, bool) {
	fd, ok := fdOf(in)
	if f.mode != Lines || !ok || fd >= unix.FD_SETSIZE {
		return in, false
	}
	return steadyTerminal{in.(*os.File), f, fd}, true
}
