package script

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"unicode/utf8"
)

// openFiles are the files that an extension holds open, by number. They are closed when
// its engine ends.
type openFiles struct {
	ops map[string]fsOp // what js/node/fs.js may ask about them

	mu     sync.Mutex
	files  map[int]*openFile
	closed bool
}

type openFile struct {
	*os.File
	append bool // writes go to the end
}

func newOpenFiles(e *engine) *openFiles {
	o := &openFiles{files: map[int]*openFile{}}
	o.ops = map[string]fsOp{
		"open":      {"open", 1, o.open},
		"close":     {"close", 0, o.close},
		"fdread":    {"read", 0, o.on(fdRead)},
		"fdreadall": {"read", 0, o.on(fdReadAll)},
		"fdwrite":   {"write", 0, o.on(fdWrite)},
		"fstat":     {"fstat", 0, o.on(func(f *openFile, _ arguments) (any, error) { info, err := f.Stat(); return statOf(info, err) })},
		"ftruncate": {"ftruncate", 0, o.on(func(f *openFile, a arguments) (any, error) { return nil, f.Truncate(int64(a.number(1))) })},
		"fsync":     {"fsync", 0, o.on(func(f *openFile, _ arguments) (any, error) { return nil, f.Sync() })},
		"fchmod":    {"fchmod", 0, o.on(func(f *openFile, a arguments) (any, error) { return nil, f.Chmod(fs.FileMode(a.integer(1)).Perm()) })},
		"fchown":    {"fchown", 0, o.on(func(f *openFile, a arguments) (any, error) { return nil, f.Chown(a.integer(1), a.integer(2)) })},
		"futimes": {"futime", 0, o.on(func(f *openFile, a arguments) (any, error) {
			return nil, os.Chtimes(f.Name(), seconds(a.number(1)), seconds(a.number(2)))
		})},
	}
	context.AfterFunc(e.ctx, o.closeAll)
	return o
}

func (o *openFiles) closeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	for _, f := range o.files {
		_ = f.Close() // nobody is left to tell
	}
	clear(o.files)
}

// openFlags turns flags as Linux has them, which is what fs.constants says everywhere,
// into those of this system.
func openFlags(n int) int {
	flags := [...]int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_RDWR}[n&3]
	for bit, flag := range map[int]int{64: os.O_CREATE, 128: os.O_EXCL, 512: os.O_TRUNC, 1024: os.O_APPEND} {
		if n&bit != 0 {
			flags |= flag
		}
	}
	return flags
}

// open opens a file: path, flags, mode. It returns its number.
func (o *openFiles) open(a arguments) (any, error) {
	f, err := os.OpenFile(a.text(0), openFlags(a.integer(1)), fs.FileMode(a.integer(2)).Perm())
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		_ = f.Close() // nobody is left to tell
		return nil, fs.ErrClosed
	}
	// The lowest that is free, behind those of the process's own streams.
	id := 3
	for o.files[id] != nil {
		id++
	}
	o.files[id] = &openFile{f, a.integer(1)&1024 != 0}
	return id, nil
}

func (o *openFiles) close(a arguments) (any, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f := o.files[a.integer(0)]
	if f == nil {
		return nil, syscall.EBADF
	}
	delete(o.files, a.integer(0))
	return nil, f.Close()
}

// on makes an operation of one on an open file. Closing it meanwhile is safe: os.File
// waits.
func (o *openFiles) on(op func(f *openFile, a arguments) (any, error)) func(a arguments) (any, error) {
	return func(a arguments) (any, error) {
		o.mu.Lock()
		f := o.files[a.integer(0)]
		o.mu.Unlock()
		if f == nil {
			return nil, syscall.EBADF
		}
		return op(f, a)
	}
}

// get returns the open file of that number, or nil.
func (o *openFiles) get(number int) *os.File {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f := o.files[number]; f != nil {
		return f.File
	}
	return nil
}

// fdRead reads at most so many bytes: file, length, position, which is negative for
// where the file is.
func fdRead(f *openFile, a arguments) (any, error) {
	buffer := make([]byte, min(max(a.integer(1), 0), 1<<28))
	read := func(p []byte) (int, error) { return f.ReadAt(p, int64(a.number(2))) }
	if a.number(2) < 0 {
		read = f.Read
	}
	n, err := read(buffer)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(buffer[:n]), nil
}

// fdReadAll reads what is left: file, whether as text.
func fdReadAll(f *openFile, a arguments) (any, error) {
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return fileContent(b, a.flag(1)), nil
}

// fileContent returns what a file holds as text, or as base64.
func fileContent(b []byte, text bool) string {
	switch {
	case !text:
		return base64.StdEncoding.EncodeToString(b)
	case utf8.Valid(b):
		return string(b)
	}
	return toValidUTF8(b)
}

// fileData returns what is to be written: what argument i says it is, and behind it
// text or base64.
func fileData(a arguments, i int) ([]byte, error) {
	if a.text(i) == "bytes" {
		return a.bytes(i + 1)
	}
	return []byte(a.text(i + 1)), nil
}

// fdWrite writes: file, kind, data, position, which is negative for where the file is.
func fdWrite(f *openFile, a arguments) (any, error) {
	data, err := fileData(a, 1)
	if err != nil {
		return nil, err
	}
	if a.number(3) < 0 || f.append {
		return f.write(data)
	}
	n, err := f.WriteAt(data, int64(a.number(3)))
	return n, err
}

func (f *openFile) write(data []byte) (any, error) {
	n, err := f.Write(data)
	return n, err
}
