//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package plain

import (
	"errors"
	"io"
)

// takeTyped fails: a terminal keeps the line that is being typed to itself here.
func takeTyped(int) (string, error) { return "", errors.ErrUnsupported }

// steady does nothing, since nothing is thrown away.
func (f *Frontend) steady(in io.Reader) (io.Reader, bool) { return in, false }
