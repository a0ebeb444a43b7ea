package proxy

import (
	"bytes"
	"io"
)

// readSize is the most that is read at once: as much as a pipe of Linux may hold.
const readSize = 1 << 18

// batches reads whole lines, as many as have come.
type batches struct {
	r     io.Reader
	limit int // bytes of a line, beyond which it is not kept; 0: none
	// long is told of a line that was not kept when it is over: its beginning and how long
	// it was, its LF not counted.
	long func(head []byte, size int)

	buf  []byte
	skip int    // bytes of the line under way that were not kept; 0: all are
	head []byte // of that line
}

// each calls fn with lines, each with its LF but for the last of the stream. The error is
// nil at the end of the stream.
func (b *batches) each(fn func(lines []byte)) error {
	b.buf = make([]byte, 0, readSize)
	for {
		if len(b.buf) == cap(b.buf) {
			b.buf = append(make([]byte, 0, 2*cap(b.buf)), b.buf...) // One long line.
		}
		n, err := b.r.Read(b.buf[len(b.buf):cap(b.buf)])
		before := len(b.buf)
		b.buf = b.buf[:before+n]
		if b.skip > 0 {
			before, n = 0, b.skipped()
		}
		// What was there before holds no LF.
		if last := bytes.LastIndexByte(b.buf[before:before+n], '\n'); last >= 0 {
			whole := before + last + 1
			fn(b.buf[:whole])
			b.keep(b.buf[whole:])
		}
		if b.limit > 0 && len(b.buf) > max(b.limit, readSize) {
			b.head, b.skip = bytes.Clone(b.buf[:headSize]), len(b.buf)
			b.keep(nil)
		}
		if err != nil {
			b.last(fn)
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// headSize is how much is kept of a line that is too long: enough for its type and id.
const headSize = 4 << 10

// skipped takes the rest of a long line out of what was read, and returns how much is left.
func (b *batches) skipped() int {
	i := bytes.IndexByte(b.buf, '\n')
	if i < 0 {
		b.skip += len(b.buf)
		b.buf = b.buf[:0]
		return 0
	}
	b.long(b.head, b.skip+i)
	b.head, b.skip = nil, 0
	b.keep(b.buf[i+1:])
	return len(b.buf)
}

// keep makes what follows the last whole line the beginning of the buffer.
func (b *batches) keep(rest []byte) {
	if cap(b.buf) > readSize && len(rest) < readSize/2 {
		b.buf = make([]byte, 0, readSize) // The long line is over.
	}
	b.buf = append(b.buf[:0], rest...)
}

// last deals with the end of the stream.
func (b *batches) last(fn func(lines []byte)) {
	switch {
	case b.skip > 0:
		b.long(b.head, b.skip)
	case len(b.buf) > 0:
		fn(b.buf)
	}
}
