//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package plain

import (
	"errors"
	"io"
)

// flushTyped fails: the line that is being typed cannot be thrown away here.
func flushTyped(int) error { return errors.ErrUnsupported }

// steady does nothing, since nothing is thrown away.
func (f *Frontend) steady(in io.Reader) (io.Reader, bool) { return in, false }
