package script

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// fsOp is one thing that js/node/fs.js asks for. It may run on the loop or in a
// goroutine.
type fsOp struct {
	call  string // what Node.js says failed
	paths int    // how many of the arguments are paths; 0: the first is an open file
	run   func(a arguments) (any, error)
}

var fsOps = map[string]fsOp{
	"read":     {"open", 1, fsRead},
	"write":    {"open", 1, fsWrite},
	"exists":   {"access", 1, func(a arguments) (any, error) { _, err := os.Stat(a.text(0)); return err == nil, nil }},
	"access":   {"access", 1, fsAccess},
	"stat":     {"stat", 1, fsStat},
	"lstat":    {"lstat", 1, fsLstat},
	"readdir":  {"scandir", 1, fsReadDir},
	"opendir":  {"opendir", 1, fsReadDir},
	"mkdir":    {"mkdir", 1, fsMkdir},
	"mkdtemp":  {"mkdtemp", 1, fsMkdtemp},
	"rm":       {"rm", 1, fsRemove},
	"rmdir":    {"rmdir", 1, fsRmdir},
	"unlink":   {"unlink", 1, fsUnlink},
	"rename":   {"rename", 2, func(a arguments) (any, error) { return nil, os.Rename(a.text(0), a.text(1)) }},
	"copy":     {"copyfile", 2, func(a arguments) (any, error) { return nil, copyFile(a.text(0), a.text(1), a.flag(2)) }},
	"realpath": {"realpath", 1, fsRealpath},
	"readlink": {"readlink", 1, func(a arguments) (any, error) { return orNil(os.Readlink(a.text(0))) }},
	"symlink":  {"symlink", 2, func(a arguments) (any, error) { return nil, os.Symlink(a.text(0), a.text(1)) }},
	"link":     {"link", 2, func(a arguments) (any, error) { return nil, os.Link(a.text(0), a.text(1)) }},
	"chmod":    {"chmod", 1, func(a arguments) (any, error) { return nil, os.Chmod(a.text(0), fs.FileMode(a.integer(1)).Perm()) }},
	"chown":    {"chown", 1, func(a arguments) (any, error) { return nil, os.Chown(a.text(0), a.integer(1), a.integer(2)) }},
	"truncate": {"open", 1, func(a arguments) (any, error) { return nil, os.Truncate(a.text(0), int64(a.number(1))) }},
	"utimes":   {"utime", 1, fsUtimes},
	"cp":       {"cp", 2, fsCp},
}

func fsUtimes(a arguments) (any, error) {
	return nil, os.Chtimes(a.text(0), seconds(a.number(1)), seconds(a.number(2)))
}

// fileOps are the host functions for files. Paths are relative to the folder that the
// extension is told it works in.
func (e *engine) fileOps() hostOps {
	files := newOpenFiles(e)
	e.files = files
	prepare := func(a arguments) (func() (any, error), error) {
		op, ok := fsOps[a.text(0)]
		if !ok {
			if op, ok = files.ops[a.text(0)]; !ok {
				return nil, fmt.Errorf("there is no file operation %q", a.text(0))
			}
		}
		given := a[1:]
		rest := slices.Clone(given)
		for i := range op.paths {
			// What a link holds stays as it is.
			if a.text(0) != "symlink" || i == 1 {
				rest[i] = e.absolute(given.text(i))
			}
		}
		return func() (any, error) {
			v, err := op.run(rest)
			if err != nil {
				return nil, op.failed(given, err)
			}
			return v, nil
		}, nil
	}
	return hostOps{
		"fs": func(a arguments) (any, error) {
			do, err := prepare(a)
			if err != nil {
				return nil, err
			}
			e.watch.pause()
			defer e.watch.resume()
			return do()
		},
		"fsasync": func(a arguments) (any, error) {
			do, err := prepare(a[1:])
			if err != nil {
				return nil, err
			}
			e.async(a.integer(0), do)
			return nil, nil
		},
	}
}

// failed says of an error what Node.js would, with the paths as they were given.
func (op fsOp) failed(given arguments, err error) error {
	if code, _ := describeSystem(err); code == "" {
		return err
	}
	if s, ok := errors.AsType[*systemError](err); ok {
		return s
	}
	out := &systemError{call: op.call, err: err}
	if path, ok := errors.AsType[*fs.PathError](err); ok && op.paths < 2 && (path.Op == "read" || path.Op == "write") {
		out.call = path.Op // an open file has no path
		return out
	}
	if op.paths > 0 {
		out.path = given.text(0)
	}
	if op.paths > 1 {
		out.dest = given.text(1)
	}
	if op.call == "mkdtemp" {
		out.path += "XXXXXX"
	}
	return out
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
	return fileContent(b, a.flag(1)), nil
}

func fsWrite(a arguments) (any, error) {
	data, err := fileData(a, 1)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(a.text(0), openFlags(a.integer(3)), fs.FileMode(a.integer(4)).Perm())
	if err != nil {
		return nil, err
	}
	_, err = f.Write(data)
	return nil, errors.Join(err, f.Close())
}

func fsAccess(a arguments) (any, error) {
	info, err := os.Stat(a.text(0))
	if err != nil {
		return nil, err
	}
	mode := a.integer(1)
	const refused = syscall.EACCES
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
	info, err := os.Stat(a.text(0))
	return statOf(info, err)
}

func fsLstat(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	return statOf(info, err)
}

// fileStat is what Stats has, its members in Node's order. Times are milliseconds.
type fileStat struct {
	Dev     uint64  `json:"dev"`
	Mode    uint32  `json:"mode"`
	Nlink   uint64  `json:"nlink"`
	UID     uint32  `json:"uid"`
	GID     uint32  `json:"gid"`
	Rdev    uint64  `json:"rdev"`
	BlkSize int64   `json:"blksize"`
	Ino     uint64  `json:"ino"`
	Size    int64   `json:"size"`
	Blocks  int64   `json:"blocks"`
	Access  float64 `json:"atimeMs"`
	Modify  float64 `json:"mtimeMs"`
	Change  float64 `json:"ctimeMs"`
	Birth   float64 `json:"birthtimeMs"`
}

func statOf(info fs.FileInfo, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	ms := float64(info.ModTime().UnixMicro()) / 1000
	s := &fileStat{
		Mode: unixMode(info.Mode()), Nlink: 1, BlkSize: 4096, Size: info.Size(), Blocks: (info.Size() + 511) / 512,
		Access: ms, Modify: ms, Change: ms, Birth: ms,
	}
	addSystemStat(s, info)
	return encodeJSON(s)
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
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for range 1000 {
		var b [6]byte
		_, _ = rand.Read(b[:]) // it never fails
		for i := range b {
			b[i] = letters[int(b[i])%len(letters)]
		}
		err := os.Mkdir(a.text(0)+string(b[:]), 0o700)
		if err == nil {
			return string(b[:]), nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fs.ErrExist
}

// isFolder is the error of Node.js that removing or copying a folder needs more words.
type isFolder struct{ text, call, path string }

func (e *isFolder) Error() string { return e.text }

func fsRemove(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	if err != nil {
		if a.flag(2) && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, &systemError{call: "lstat", path: a.text(3), err: err}
	}
	if info.IsDir() {
		if !a.flag(1) {
			return nil, &isFolder{"Path is a directory: rm returned EISDIR (is a directory) " + a.text(3), "rm", a.text(3)}
		}
		return nil, os.RemoveAll(a.text(0))
	}
	return nil, os.Remove(a.text(0))
}

func fsRmdir(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, syscall.ENOTDIR
	case a.flag(1):
		return nil, os.RemoveAll(a.text(0))
	}
	return nil, os.Remove(a.text(0))
}

func fsUnlink(a arguments) (any, error) {
	info, err := os.Lstat(a.text(0))
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, syscall.EISDIR
	}
	return nil, os.Remove(a.text(0))
}

func fsRealpath(a arguments) (any, error) {
	real, err := filepath.EvalSymlinks(a.text(0))
	if path, ok := errors.AsType[*fs.PathError](err); ok && !a.flag(1) {
		return nil, &systemError{call: "lstat", path: path.Path, err: path.Err}
	}
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

// fsCp copies a file or a folder: from, to, recursive, and both as they were given.
func fsCp(a arguments) (any, error) {
	from, to := a.text(0), a.text(1)
	info, err := os.Stat(from)
	if err != nil {
		return nil, &systemError{call: "lstat", path: a.text(3), err: err}
	}
	if !info.IsDir() {
		return nil, copyFile(from, to, false)
	}
	if !a.flag(2) {
		given := a.text(3)
		return nil, &isFolder{"Recursive option not enabled, cannot copy a directory: cp returned EISDIR (" + given + " is a directory (not copied)) " + given, "cp", given}
	}
	return nil, copyTree(from, to)
}

// copyTree copies a folder over another, if that is there, as cp -r does. Links stay
// links.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return os.Symlink(link, target)
		}
		return copyFile(path, target, false)
	})
}
