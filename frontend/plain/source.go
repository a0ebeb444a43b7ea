package plain

import (
	"io"
	"os"
	"syscall"
	"time"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// source is a reader whose Read can be ended from outside.
type source struct {
	io.Reader
	cancel  func() // ends a Read that blocks, and all later ones; at most once
	release func() // gives the reader back after the last Read
	// sure is true if Read is known to end once it is cancelled, so that one can wait for it.
	sure bool
}

// newSource finds out how in can be stopped; see New for what that means to it. A file is read
// through the reader that wrap makes of it.
func newSource(in io.Reader, wrap func(io.Reader) io.Reader) *source {
	nothing := func() {}
	if file, ok := in.(*os.File); ok {
		// Not deadlines: a file that was handed to another program, as the terminal is to a text
		// editor, ignores them from then on.
		if r, err := cancelreader.NewReader(wrap(file)); err == nil {
			return &source{r, func() { r.Cancel() }, func() { _ = r.Close() }, true}
		}
		return &source{in, nothing, nothing, true} // a regular file, which never blocks for long
	}
	if c, ok := in.(interface{ SetReadDeadline(time.Time) error }); ok && c.SetReadDeadline(time.Time{}) == nil {
		return &source{in,
			func() { _ = c.SetReadDeadline(time.Unix(1, 0)) },
			func() { _ = c.SetReadDeadline(time.Time{}) }, true}
	}
	if c, ok := in.(io.Closer); ok {
		return &source{in, func() { _ = c.Close() }, nothing, true}
	}
	return &source{in, nothing, nothing, false}
}

// fdOf returns the descriptor of a file. Unlike Fd it leaves the file as it is.
func fdOf(v any) (int, bool) {
	file, ok := v.(*os.File)
	if !ok || file == nil {
		return 0, false
	}
	return descriptor(file)
}

func descriptor(c syscall.Conn) (fd int, ok bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = raw.Control(func(n uintptr) { fd = int(n) })
	return fd, err == nil
}

// detect replaces Detect by what in and out are.
func detect(m Mode, in io.Reader, out io.Writer, termName string) Mode {
	switch {
	case m != Detect:
		return m
	case !isTerminal(in):
		return Pipe
	case isTerminal(out) && termName != "" && termName != "dumb":
		return Keys
	}
	return Lines
}

// unseen reports whether a person types at a terminal and cannot see the output there. A writer of
// the caller's own may well lead to a terminal, if the mode says so.
func unseen(m Mode, in io.Reader, out io.Writer) bool {
	_, file := out.(*os.File)
	return isTerminal(in) && !isTerminal(out) && (m == Detect || file)
}

func isTerminal(v any) bool {
	fd, ok := fdOf(v)
	return ok && term.IsTerminal(fd)
}
