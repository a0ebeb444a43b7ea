package script

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
	"unicode/utf8"
)

// fsOps are what js/node/fs.js asks for, by the name that comes first. Each may run
// on the loop or in a goroutine.
var fsOps = map[string]func(a arguments) (any, error){
	"read":     fsRead,
	"write":    fsWrite,
	"exists":   func(a arguments) (any, error) { _, err := os.Stat(a.text(0)); return err == nil, nil },
	"access":   fsAccess,
	"stat":     fsStat,
	"readdir":  fsReadDir,
	"mkdir":    fsMkdir,
	"mkdtemp":  fsMkdtemp,
	"rm":       fsRemove,
	"rmdir":    fsRmdir,
	"unlink":   fsUnlink,
	"rename":   func(a arguments) (any, error) { return nil, os.Rename(a.text(0), a.text(1)) },
	"copy":     func(a arguments) (any, error) { return nil, copyFile(a.text(0), a.text(1), a.flag(2)) },
	"realpath": fsRealpath,
	"readlink": func(a arguments) (any, error) { return orNil(os.Readlink(a.text(0))) },
	"symlink":  func(a arguments) (any, error) { return nil, os.Symlink(a.text(0), a.text(1)) },
	"link":     func(a arguments) (any, error) { return nil, os.Link(a.text(0), a.text(1)) },
	"chmod":    func(a arguments) (any, error) { return nil, os.Chmod(a.text(0), fs.FileMode(a.integer(1)).Perm()) },
	"truncate": func(a arguments) (any, error) { return nil, os.Truncate(a.text(0), int64(a.number(1))) },
	"utimes": func(a arguments) (any, error) {
		return nil, os.Chtimes(a.text(0), seconds(a.number(1)), seconds(a.number(2)))
	},
	"cp": fsCp,
}

// fileOps are the host functions for files. Paths are relative to the folder that the
// extension is told it works in.
func (e *engine) fileOps() hostOps {
	prepare := func(a arguments) (func(arguments) (any, error), arguments, error) {
		op := fsOps[a.text(0)]
		if op == nil {
			return nil, nil, fmt.Errorf("there is no file operation %q", a.text(0))
		}
		rest := slices.Clone(a[1:])
		paths := 1
		switch a.text(0) {
		case "rename", "copy", "link", "cp":
			paths = 2
		case "symlink":
			rest[1] = e.absolute(rest.text(1))
			return op, rest, nil
		}
		for i := range paths {
			rest[i] = e.absolute(rest.text(i))
		}
		return op, rest, nil
	}
	return hostOps{
		"fs": func(a arguments) (any, error) {
			op, rest, err := prepare(a)
			if err != nil {
				return nil, err
			}
			e.watch.pause()
			defer e.watch.resume()
			return op(rest)
		},
		"fsasync": func(a arguments) (any, error) {
			op, rest, err := prepare(a[1:])
			if err != nil {
				return nil, err
			}
			e.async(a.integer(0), func() (any, error) { return op(rest) })
			return nil, nil
		},
	}
}

func (e *engine) absolute(path string) string {
	if filepath.IsAbs(path) || path == "" {
		return path
	}
	// mkdtemp takes a prefix, whose separator at the end counts.
	joined := filepath.Join(e.cwd, path)
	if os.IsPathSeparator(path[len(path)-1]) {
		joined += string(filepath.Separator)
	}
	return joined
}

func orNil(s string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func seconds(s float64) time.Time { return time.UnixMicro(int64(s * 1e6)) }

func fsRead(a arguments) (any, error) {
	b, err := os.ReadFile(a.text(0))
	if err != nil {
		return nil, err
	}
	if !a.flag(1) {
		return base64.StdEncoding.EncodeToString(b), nil
	}
	if utf8.Valid(b) {
		return string(b), nil
	}
	return toValidUTF8(b), nil
}

func fsWrite(a arguments) (any, error) {
	data := []byte(a.text(2))
	if a.text(1) == "bytes" {
		var err error
		if data, err = a.bytes(2); err != nil {
			return nil, err
		}
	}
	var flags int
	switch a.text(3) {
	case "w":
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	case "wx", "xw":
		flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	case "a":
		flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	case "ax", "xa":
		flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND | os.O_EXCL
	case "r+":
		flags = os.O_RDWR
	default:
		return nil, nodeError("The argument 'flags' is invalid. Received '" + a.text(3) + "'")
	}
	f, err := os.OpenFile(a.text(0), flags, fs.FileMode(a.integer(4)).Perm())
	if err != nil {
		return nil, err
	}
	_, err = f.Write(data)
	return nil, errors.Join(err, f.Close())
}

func fsAccess(a arguments) (any, error) {
	info, err := os.Stat(a.text(0))
	if err != nil {
		return nil, &fs.PathError{Op: "access", Path: a.text(0), Err: errors.Unwrap(err)}
	}
	mode := a.integer(1)
	refused := &fs.PathError{Op: "access", Path: a.text(0), Err: syscall.EACCES}
	if mode&1 != 0 && info.Mode()&0o111 == 0 && !info.IsDir() {
		return nil, refused
	}
	if mode&6 == 0 || info.IsDir() {
		return nil, nil
	}
	flags := os.O_RDONLY
	if mode&2 != 0 {
		flags = os.O_WRONLY
	}
	f, err := os.OpenFile(a.text(0), flags, 0)
	if err != nil {
		return nil, refused
	}
	return nil, f.Close()
}

// unixMode is the mode of Node's Stats: the bits of Unix, on every system.
func unixMode(m fs.FileMode) uint32 {
	bits := uint32(m.Perm())
	switch {
	case m.IsDir():
		bits |= 0o040000
	case m&fs.ModeSymlink != 0:
		bits |= 0o120000
	case m&fs.ModeNamedPipe != 0:
		bits |= 0o010000
	case m&fs.ModeSocket != 0:
		bits |= 0o140000
	case m&fs.ModeCharDevice != 0:
		bits |= 0o020000
	case m&fs.ModeDevice != 0:
		bits |= 0o060000
	default:
		bits |= 0o100000
	}
	for from, to := range map[fs.FileMode]uint32{fs.ModeSetuid: 0o4000, fs.ModeSetgid: 0o2000, fs.ModeSticky: 0o1000} {
		if m&from != 0 {
			bits |= to
		}
	}
	return bits
}

func fsStat(a arguments) (any, error) {
	stat, op := os.Lstat, "lstat"
	if a.flag(1) {
		stat, op = os.Stat, "stat"
	}
	info, err := stat(a.text(0))
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: a.text(0), Err: errors.Unwrap(err)}
	}
	ms := float64(info.ModTime().UnixMicro()) / 1000
	return encodeJSON(map[string]any{
		"dev": 0, "ino": 0, "nlink": 1, "uid": os.Getuid(), "gid": os.Getgid(), "rdev": 0, "mode": unixMode(info.Mode()), "size": info.Size(),
		"blksize": 4096, "blocks": (info.Size() + 511) / 512, "atimeMs": ms, "mtimeMs": ms, "ctimeMs": ms, "birthtimeMs": ms,
	})
}

type dirent struct {
	Name   string `json:"name"`
	Parent string `json:"parentPath"`
	Mode   uint32 `json:"mode"`
}

func fsReadDir(a arguments) (any, error) {
	out := []dirent{}
	var list func(dir string) error
	list = func(dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			if path, ok := errors.AsType[*fs.PathError](err); ok {
				return &fs.PathError{Op: "scandir", Path: dir, Err: path.Err}
			}
			return err
		}
		for _, e := range entries {
			out = append(out, dirent{e.Name(), dir, unixMode(e.Type())})
			if e.IsDir() && a.flag(1) {
				if err := list(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := list(a.text(0)); err != nil {
		return nil, err
	}
	return encodeJSON(out)
}

func fsMkdir(a arguments) (any, error) {
	mode := fs.FileMode(a.integer(2)).Perm()
	if !a.flag(1) {
		return nil, os.Mkdir(a.text(0), mode)
	}
	// The result is the first folder that was made, undefined for none.
	first := ""
	for dir := filepath.Clean(a.text(0)); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		first = dir
	}
	if err := os.MkdirAll(a.text(0), mode); err != nil || first == "" {
		return nil, err
	}
	return first, nil
}

func fsMkdtemp(a arguments) (any, error) {
	dir, base := filepath.Split(a.text(0))
	return orNil(os.MkdirTemp(dir, base+"*"))
}

func fsRemove(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	if err != nil {
		if a.flag(2) && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, &fs.PathError{Op: "rm", Path: a.text(0), Err: errors.Unwrap(err)}
	}
	if info.IsDir() {
		if !a.flag(1) {
			return nil, &fs.PathError{Op: "rm", Path: a.text(0), Err: syscall.EISDIR}
		}
		return nil, os.RemoveAll(a.text(0))
	}
	return nil, os.Remove(a.text(0))
}

func fsRmdir(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	switch {
	case err != nil:
		return nil, &fs.PathError{Op: "rmdir", Path: a.text(0), Err: errors.Unwrap(err)}
	case !info.IsDir():
		return nil, &fs.PathError{Op: "rmdir", Path: a.text(0), Err: syscall.ENOTDIR}
	case a.flag(1):
		return nil, os.RemoveAll(a.text(0))
	}
	return nil, os.Remove(a.text(0))
}

func fsUnlink(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	switch {
	case err != nil:
		return nil, &fs.PathError{Op: "unlink", Path: a.text(0), Err: errors.Unwrap(err)}
	case info.IsDir():
		return nil, &fs.PathError{Op: "unlink", Path: a.text(0), Err: syscall.EISDIR}
	}
	return nil, os.Remove(a.text(0))
}

func fsRealpath(a arguments) (any, error) {
	real, err := filepath.EvalSymlinks(a.text(0))
	if err != nil {
		return nil, err
	}
	return orNil(filepath.Abs(real))
}

func copyFile(from, to string, exclusive bool) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if exclusive {
		flags |= os.O_EXCL
	}
	out, err := os.OpenFile(to, flags, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func fsCp(a arguments) (any, error) {
	from, to := a.text(0), a.text(1)
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, copyFile(from, to, false)
	}
	if !a.flag(2) {
		return nil, &fs.PathError{Op: "cp", Path: from, Err: syscall.EISDIR}
	}
	return nil, os.CopyFS(to, os.DirFS(from))
}

// errnoCode returns Node's name of a system error, "" for one that it is not worth
// knowing by name.
func errnoCode(e syscall.Errno) string { return errnoCodes[e] }

var errnoCodes = map[syscall.Errno]string{
	syscall.ENOENT: "ENOENT", syscall.EEXIST: "EEXIST", syscall.EACCES: "EACCES", syscall.EPERM: "EPERM", syscall.ENOTDIR: "ENOTDIR", syscall.EISDIR: "EISDIR",
	syscall.ENOTEMPTY: "ENOTEMPTY", syscall.EINVAL: "EINVAL", syscall.EBADF: "EBADF", syscall.EMFILE: "EMFILE", syscall.ENOSPC: "ENOSPC", syscall.EROFS: "EROFS",
	syscall.ELOOP: "ELOOP", syscall.EXDEV: "EXDEV", syscall.EPIPE: "EPIPE", syscall.EBUSY: "EBUSY", syscall.ENAMETOOLONG: "ENAMETOOLONG",
	syscall.ECONNREFUSED: "ECONNREFUSED", syscall.ECONNRESET: "ECONNRESET", syscall.ETIMEDOUT: "ETIMEDOUT", syscall.EADDRINUSE: "EADDRINUSE", syscall.ESRCH: "ESRCH",
}
