package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	// readSize is the most that is asked of the source at once: what a Linux pipe holds.
	readSize = 64 << 10
	// maxEmptyReads is how many reads of nothing without an error are taken before io.ErrNoProgress.
	maxEmptyReads = 100
	// headSize is how much of a dropped record is kept for the report.
	headSize = 200
)

// errBadCount is what a source that breaks the contract of [io.Reader] is told.
var errBadCount = errors.New("source returned an impossible count")

// ReaderOptions are the choices of [NewReader]. The zero value is ready to use.
type ReaderOptions struct {
	// MaxRecord is the most bytes that one record may have, its line end not counted. 0 means no limit.
	// A negative value is a programmer's error.
	MaxRecord int
}

// OversizeError reports one record that was longer than [ReaderOptions.MaxRecord] and was dropped up to its
// line feed. The stream is intact: the next call of [Reader.Next] returns the record after it.
type OversizeError struct {
	Limit int    // the limit that was passed, in bytes
	Size  int64  // how long the dropped record was, in bytes, its line end not counted
	Head  []byte // its first bytes, at most 200; a copy, which may end within a UTF-8 sequence
}

// Error names the size and the limit. It leaves Head out, which is text of the other side.
func (e *OversizeError) Error() string {
	return fmt.Sprintf("record of %d bytes dropped: the limit is %d bytes", e.Size, e.Limit)
}

// Reader splits a byte stream into records. See the package comment for what a record is. Not safe for use
// by several goroutines at once.
type Reader struct {
	src   io.Reader
	limit int // 0: none
	chunk int // readSize, smaller in tests

	// buf[start:end] is read and not yet consumed; its first scanned bytes are known to hold no line feed.
	buf        []byte
	start, end int
	scanned    int
	base       int64 // offset of buf[0] in the stream
	offset     int64 // offset of the record returned last
	lineEnd    string
	err        error // how the source ended; reported once buf is used up, and from then on
}

// NewReader returns a Reader of the records of src. It reads nothing yet. opts may be nil and is copied.
// It panics if opts.MaxRecord is negative.
func NewReader(src io.Reader, opts *ReaderOptions) *Reader {
	return newReader(src, opts, readSize)
}

func newReader(src io.Reader, opts *ReaderOptions, chunk int) *Reader {
	r := &Reader{src: src, chunk: chunk}
	if opts != nil {
		r.limit = opts.MaxRecord
	}
	if r.limit < 0 {
		panic(fmt.Sprintf("jsonl: negative MaxRecord %d", r.limit))
	}
	if r.limit > math.MaxInt-2 {
		r.limit = 0 // no record can pass it, and sums with a line end must not overflow
	}
	return r
}

// Next returns the next record without its line end. It blocks until one is complete or the stream ends.
// The slice is valid until the next call; the caller may change its bytes.
//
// A record over the limit is reported once as an [*OversizeError], whatever its bytes are, and the call after
// that goes on behind it. Every other error is final and is returned again by each later call: [io.EOF],
// unwrapped, at the end of the stream, [io.ErrNoProgress], wrapped, when the source keeps returning nothing,
// or the source's own error, wrapped.
//
// However the stream ends, bytes after the last line feed are delivered as a record first, less one trailing
// carriage return. Such a record may have been cut; a JSON object that was cut no longer parses, so it cannot
// be mistaken for another.
func (r *Reader) Next() ([]byte, error) {
	r.release()
	before := r.offset
	for {
		record, err := r.line()
		if err != nil {
			return nil, err
		}
		if !blank(record) {
			return record, nil
		}
		r.offset = before // that was no record
	}
}

// Offset returns how many bytes of the stream came before the record that [Reader.Next] returned or reported
// as oversize last. It is 0 before the first. Use it to say where a bad record was.
func (r *Reader) Offset() int64 { return r.offset }

// LineEnd returns what ended the record that [Reader.Next] returned last: a line feed, a
// carriage return and a line feed, or, at the end of the stream, a carriage return or
// nothing.
func (r *Reader) LineEnd() string { return r.lineEnd }

// line consumes one line, blank or not, and returns it without its end.
func (r *Reader) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.start+r.scanned:r.end], '\n'); i >= 0 {
			return r.consume(r.scanned+i, 1)
		}
		r.scanned = r.end - r.start
		// One byte over the limit may still turn out to be the carriage return of the line end.
		if r.limit > 0 && r.scanned > r.limit+1 {
			return nil, r.skip()
		}
		if r.err != nil {
			if r.scanned == 0 {
				return nil, r.err
			}
			return r.consume(r.scanned, 0)
		}
		r.fill()
	}
}

// consume takes n bytes and the lf bytes (0 or 1) of a line feed behind them out of the buffer.
func (r *Reader) consume(n, lf int) ([]byte, error) {
	// The capacity ends with the record: an append by the caller must not reach the record behind it.
	line := r.buf[r.start : r.start+n : r.start+n]
	r.offset = r.base + int64(r.start)
	r.start += n + lf
	r.scanned = 0
	r.lineEnd = "\n"[:lf]
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
		r.lineEnd = "\r\n"[:1+lf]
	}
	if r.limit > 0 && len(line) > r.limit {
		head := bytes.Clone(line[:min(len(line), headSize)])
		return nil, &OversizeError{Limit: r.limit, Size: int64(len(line)), Head: head}
	}
	return line, nil
}

// skip drops the record at the front of the buffer up to its line feed, or to the end of the stream, reading
// on as needed. Nothing but the head is kept. The caller has seen that the record is over the limit.
func (r *Reader) skip() error {
	r.offset = r.base + int64(r.start)
	e := &OversizeError{Limit: r.limit, Head: make([]byte, 0, headSize)}
	var last byte
	for {
		part, lf := r.buf[r.start:r.end], 0
		if i := bytes.IndexByte(part[r.scanned:], '\n'); i >= 0 {
			part, lf = part[:r.scanned+i], 1
		}
		r.scanned = 0
		r.start += len(part) + lf
		e.Size += int64(len(part))
		e.Head = append(e.Head, part[:min(len(part), headSize-len(e.Head))]...)
		if len(part) > 0 {
			last = part[len(part)-1]
		}
		if lf == 1 || r.err != nil {
			break
		}
		r.fill()
	}
	if last == '\r' {
		e.Size--
	}
	e.Head = e.Head[:min(int64(len(e.Head)), e.Size)]
	return e
}

// fill reads once more from the source, or sets r.err. It may move the buffer's contents.
func (r *Reader) fill() {
	if r.start > 0 {
		// At most once for each record, since start stays 0 until that record is consumed.
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.base += int64(r.start)
		r.start = 0
	}
	if len(r.buf)-r.end < r.chunk {
		r.grow()
	}
	// Never more than a chunk at once, so that little is left behind when an outsized record is done.
	room := r.buf[r.end:min(len(r.buf), r.end+r.chunk)]
	for range maxEmptyReads {
		n, err := r.src.Read(room)
		if n < 0 || n > len(room) {
			r.fail(fmt.Errorf("%w: %d of %d", errBadCount, n, len(room)))
			return
		}
		r.end += n
		if err != nil {
			r.fail(err)
			return
		}
		if n > 0 {
			return
		}
	}
	r.fail(io.ErrNoProgress)
}

func (r *Reader) fail(err error) {
	if err != io.EOF {
		err = fmt.Errorf("read records at byte %d: %w", r.base+int64(r.end), err)
	}
	r.err = err
}

// grow doubles the buffer, up to the limit where there is one. The first buffer has room for a full read
// behind a record as long as a read.
func (r *Reader) grow() {
	size := 2 * max(r.chunk, len(r.buf))
	if r.limit > 0 {
		// line gives a record up before it has filled this much.
		size = min(size, max(2*r.chunk, r.limit+2))
	}
	if size > len(r.buf) {
		buf := make([]byte, size)
		copy(buf, r.buf[:r.end])
		r.buf = buf
	}
}

// release gives back a buffer that an outsized record has grown. Up to 16 chunks (1 MiB) are kept, so that a
// stream of largish records does not allocate for each.
func (r *Reader) release() {
	if len(r.buf) <= 16*r.chunk {
		return
	}
	// The line feed of the outsized record came with the last read, so less than a chunk is left.
	buf := make([]byte, 2*r.chunk)
	r.end = copy(buf, r.buf[r.start:r.end])
	r.base += int64(r.start)
	r.start = 0
	r.buf = buf
}

// blank reports whether a line holds nothing but JSON's whitespace.
func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
