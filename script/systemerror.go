package script

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// systemError is an error of the system as Node.js shows it: its code, what it means,
// the call, and the paths as they were given.
type systemError struct {
	call, path, dest string // path and dest are "" if there is none
	err              error  // what the system said
}

func (e *systemError) Unwrap() error { return e.err }

// Error returns Node's text.
func (e *systemError) Error() string {
	code, text := describeSystem(e.err)
	if e.call == "kill" {
		return "kill " + code
	}
	text = code + ": " + text + ", " + e.call
	if e.path != "" {
		text += " '" + e.path + "'"
	}
	if e.dest != "" {
		text += " -> '" + e.dest + "'"
	}
	return text
}

// describeSystem returns Node's code of an error of the system, and what it says it
// means. The code is "" if it is none that extensions know by name.
func describeSystem(err error) (code, text string) {
	errno, ok := errors.AsType[syscall.Errno](err)
	if ok {
		code = errnoCodes[errno]
	}
	switch {
	case code != "":
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		code = "ENOENT"
	case errors.Is(err, fs.ErrExist):
		code = "EEXIST"
	case errors.Is(err, fs.ErrPermission):
		code = "EACCES"
	case errors.Is(err, fs.ErrClosed):
		code = "EBADF"
	case errors.Is(err, os.ErrProcessDone):
		code = "ESRCH"
	}
	if text = systemTexts[code]; text == "" {
		text = err.Error()
		if ok {
			text = errno.Error()
		}
	}
	return code, text
}

// asSystemError returns err as an error of the system, if it is one.
func asSystemError(err error) (*systemError, bool) {
	if s, ok := errors.AsType[*systemError](err); ok {
		return s, true
	}
	var s *systemError
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		s = &systemError{link.Op, link.Old, link.New, link.Err}
	} else if path, ok := errors.AsType[*fs.PathError](err); ok {
		s = &systemError{path.Op, path.Path, "", path.Err}
	} else {
		return nil, false
	}
	code, _ := describeSystem(s.err)
	return s, code != ""
}

// errnoCodes are Node's names of what extensions ask for by name.
var errnoCodes = map[syscall.Errno]string{
	syscall.ENOENT: "ENOENT", syscall.EEXIST: "EEXIST", syscall.EACCES: "EACCES", syscall.EPERM: "EPERM", syscall.ENOTDIR: "ENOTDIR", syscall.EISDIR: "EISDIR",
	syscall.ENOTEMPTY: "ENOTEMPTY", syscall.EINVAL: "EINVAL", syscall.EBADF: "EBADF", syscall.EMFILE: "EMFILE", syscall.ENFILE: "ENFILE", syscall.ENOSPC: "ENOSPC",
	syscall.EROFS: "EROFS", syscall.ELOOP: "ELOOP", syscall.EXDEV: "EXDEV", syscall.EPIPE: "EPIPE", syscall.EBUSY: "EBUSY", syscall.ENAMETOOLONG: "ENAMETOOLONG",
	syscall.ECONNREFUSED: "ECONNREFUSED", syscall.ECONNRESET: "ECONNRESET", syscall.ETIMEDOUT: "ETIMEDOUT", syscall.EADDRINUSE: "EADDRINUSE", syscall.ESRCH: "ESRCH",
	syscall.E2BIG: "E2BIG", syscall.ENOEXEC: "ENOEXEC", syscall.EAGAIN: "EAGAIN", syscall.EIO: "EIO", syscall.ENXIO: "ENXIO", syscall.ESPIPE: "ESPIPE", syscall.EFBIG: "EFBIG",
	syscall.EHOSTUNREACH: "EHOSTUNREACH", syscall.ENETUNREACH: "ENETUNREACH",
}

var systemTexts = map[string]string{
	"ENOENT": "no such file or directory", "EEXIST": "file already exists", "EACCES": "permission denied", "EPERM": "operation not permitted",
	"ENOTDIR": "not a directory", "EISDIR": "illegal operation on a directory", "ENOTEMPTY": "directory not empty", "EINVAL": "invalid argument",
	"EBADF": "bad file descriptor", "EMFILE": "too many open files", "ENFILE": "file table overflow", "ENOSPC": "no space left on device",
	"EROFS": "read-only file system", "ELOOP": "too many symbolic links encountered", "EXDEV": "cross-device link not permitted", "EPIPE": "broken pipe",
	"EBUSY": "resource busy or locked", "ENAMETOOLONG": "name too long", "ECONNREFUSED": "connection refused", "ECONNRESET": "connection reset by peer",
	"ETIMEDOUT": "connection timed out", "EADDRINUSE": "address already in use", "ESRCH": "no such process", "E2BIG": "argument list too long",
	"ENOEXEC": "exec format error", "EAGAIN": "resource temporarily unavailable", "EIO": "i/o error", "ENXIO": "no such device or address",
	"ESPIPE": "invalid seek", "EFBIG": "file too large", "EHOSTUNREACH": "host is unreachable", "ENETUNREACH": "network is unreachable",
}
