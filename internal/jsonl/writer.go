package jsonl

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// defaultBuffer is how many bytes may wait when WriterOptions.Buffer is 0.
	defaultBuffer = 1 << 20
	// keepBuffer is how large a written buffer may be and always be used again, whatever the limit.
	keepBuffer = 64 << 10
	// closeGrace is how long Close waits for a write that it has interrupted. A write that an orderly
	// stream's Close interrupts returns in microseconds; this bounds the wait for one that does not.
	closeGrace = time.Second
)

var (
	// ErrClosed is returned by [Writer.Write] once [Writer.Close] was called.
	ErrClosed = errors.New("record writer is closed")
	// errLineFeed refuses a record that the other side would read as two.
	errLineFeed = errors.New("record contains a line feed")
)

// WriterOptions are the choices of [NewWriter]. The zero value is ready to use.
type WriterOptions struct {
	// Buffer is how many bytes may wait before Write blocks. 0 means 1 MiB. As many again may be on their
	// way to the underlying writer, and the memory of both is kept. A negative value is a programmer's error.
	Buffer int
}

// Writer writes whole records to an [io.Writer], from any number of goroutines. One goroutine of its own does
// the writing, so a caller waits for the other side only when the buffer is full, and then with a context.
// Records leave in the order in which Write accepted them; callers that wait are served first come, first
// served. All methods may be called at once from several goroutines. A Writer must be closed.
type Writer struct {
	dst   io.Writer // written to by run alone
	limit int
	done  chan struct{} // closed when run has ended
	wake  sync.Cond     // on mu: pending is no longer empty, or closed is set; run alone waits for it

	mu      sync.Mutex
	pending []byte    // records with their line feeds, queued and not yet taken by run
	blocked list.List // *waiter with a record that found no room, oldest first
	flushes list.List // *waiter with a target, in the order of their targets
	queued  uint64    // bytes ever put into pending
	written uint64    // bytes of these that dst has taken
	writing bool      // run is in dst.Write
	err     error     // the first failure, wrapped; set once, then nothing is queued any more
	closed  bool      // Close was called; set once
	gaveUp  error     // why Close no longer waits for pending to be written; set once
}

// waiter is one blocked call of Write or Flush.
type waiter struct {
	record []byte        // Write: the caller's own slice, which it leaves alone while it waits
	target uint64        // Flush: the value of written to wait for
	err    error         // its outcome, set before done is closed
	done   chan struct{} // closed under mu when the wait is over
}

// NewWriter returns a Writer of records to dst and starts its goroutine. Nothing else may write to dst.
// opts may be nil and is copied. It panics if opts.Buffer is negative.
func NewWriter(dst io.Writer, opts *WriterOptions) *Writer {
	w := &Writer{dst: dst, limit: defaultBuffer, done: make(chan struct{})}
	w.wake.L = &w.mu
	if opts != nil && opts.Buffer != 0 {
		w.limit = opts.Buffer
	}
	if w.limit < 0 {
		panic(fmt.Sprintf("jsonl: negative Buffer %d", w.limit))
	}
	go w.run()
	return w
}

// Write queues record and a line feed as one unit and returns once they are queued. The record is copied.
// While there is no room it blocks, until ctx ends; the record is then not written and the error wraps
// ctx.Err(), as it does when ctx is already over at the call. A record larger than the whole buffer waits
// until the buffer is empty and is then accepted.
//
// It returns [ErrClosed] after Close, also to calls that are blocked when Close is called. When the
// underlying writer has failed it returns that error, wrapped, from then on. A record that contains a line
// feed is refused, since the other side would see two; an empty one is a blank line, which readers skip.
// Whether an accepted record arrived is only known from Flush or Close.
func (w *Writer) Write(ctx context.Context, record []byte) error {
	if i := bytes.IndexByte(record, '\n'); i >= 0 {
		return fmt.Errorf("queue record of %d bytes: %w at byte %d", len(record), errLineFeed, i)
	}
	over := ctx.Err()

	w.mu.Lock()
	switch {
	case w.closed:
		w.mu.Unlock()
		return ErrClosed
	case w.err != nil:
		defer w.mu.Unlock()
		return w.err
	case over != nil:
		w.mu.Unlock()
		return fmt.Errorf("queue record: %w", over)
	case w.blocked.Len() == 0 && w.fits(record):
		w.queue(record)
		w.mu.Unlock()
		// Outside the lock, or the woken goroutine might run into it.
		w.wake.Signal()
		return nil
	}
	e := w.blocked.PushBack(&waiter{record: record, done: make(chan struct{})})
	w.mu.Unlock()
	return w.await(ctx, &w.blocked, e, "queue record")
}

// Flush blocks until every record that was queued before the call has been handed to the underlying writer.
// It returns earlier when ctx ends, with an error that wraps ctx.Err(), and when the underlying writer fails,
// with that error. Records that are queued meanwhile are not waited for. It may be called after Close.
func (w *Writer) Flush(ctx context.Context) error {
	w.mu.Lock()
	if w.written >= w.queued || w.err != nil {
		defer w.mu.Unlock()
		return w.err
	}
	e := w.flushes.PushBack(&waiter{target: w.queued, done: make(chan struct{})})
	w.mu.Unlock()
	return w.await(ctx, &w.flushes, e, "flush records")
}

// Close refuses further records, writes those that are queued until ctx ends, and waits for the goroutine.
// It returns the first error of the underlying writer, or nil if every queued record was handed over. It does
// not close the underlying writer, with one exception: if that is still busy with a write when ctx ends and
// is an [io.Closer], it is closed, which is the only way to interrupt the write.
//
// When ctx ends first, what was not written is dropped and the error wraps ctx.Err(). Close then waits one
// second more at most for the interrupted write. Should that not return even so, Close says so; the goroutine
// ends as soon as the write does. Close may be called again and returns the same outcome.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closed = true
	// Their records were never queued, so refusing them loses nothing that was promised.
	settle(&w.blocked, ErrClosed)
	w.mu.Unlock()
	w.wake.Signal()

	select {
	case <-w.done:
		return w.failure()
	case <-ctx.Done():
	}

	w.mu.Lock()
	interrupt := false
	if w.gaveUp == nil {
		w.gaveUp = ctx.Err()
		interrupt = w.writing
	}
	w.mu.Unlock()
	if c, ok := w.dst.(io.Closer); ok && interrupt {
		// Its error adds nothing: the write that it interrupts reports what came of it.
		_ = c.Close()
	}

	grace := time.NewTimer(closeGrace)
	defer grace.Stop()
	select {
	case <-w.done:
		return w.failure()
	case <-grace.C:
		return fmt.Errorf("close record writer: the underlying writer is still blocked: %w", ctx.Err())
	}
}

// run is the goroutine that writes. Two buffers change places: callers fill one while the other is written.
func (w *Writer) run() {
	defer close(w.done)
	var batch []byte
	for {
		batch = w.take(batch)
		if batch == nil {
			return
		}
		n, err := w.dst.Write(batch)
		if err == nil && n != len(batch) {
			err = io.ErrShortWrite
		}
		if !w.wrote(len(batch), err) {
			return
		}
	}
}

// take waits until something is queued and returns all of it, leaving used, which has been written, to be
// filled next. It returns nil when run has to end.
func (w *Writer) take(used []byte) []byte {
	// Only an outsized record grows a buffer so far. Smaller ones stay: a fast caller and this goroutine catch up
	// with each other all the time, and growing a buffer anew for each burst costs five times the copying.
	if cap(used) > keepBuffer && cap(used)/2 > w.limit {
		used = nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.pending) == 0 && !w.closed {
		w.wake.Wait()
	}
	if w.gaveUp != nil && len(w.pending) > 0 {
		w.fail(fmt.Errorf("write records: %d bytes dropped when closing: %w", len(w.pending), w.gaveUp))
		return nil
	}
	if len(w.pending) == 0 {
		return nil // closed, and all is written
	}
	batch := w.pending
	w.pending = used[:0]
	w.writing = true
	w.admit()
	return batch
}

// wrote notes the outcome of writing a batch of n bytes and reports whether to go on.
func (w *Writer) wrote(n int, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writing = false
	switch {
	case err != nil && w.gaveUp != nil:
		w.fail(fmt.Errorf("write records: given up when closing: %w: %w", w.gaveUp, err))
		return false
	case err != nil:
		w.fail(fmt.Errorf("write records: %w", err))
		return false
	}
	w.written += uint64(n)
	for e := w.flushes.Front(); e != nil && e.Value.(*waiter).target <= w.written; e = w.flushes.Front() {
		w.flushes.Remove(e)
		close(e.Value.(*waiter).done)
	}
	return true
}

// fail ends the Writer with err: all that wait get it, and what is pending is let go. mu is held.
func (w *Writer) fail(err error) {
	w.err = err
	w.pending = nil
	settle(&w.blocked, err)
	settle(&w.flushes, err)
}

// failure returns how the Writer failed, nil if it has not.
func (w *Writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// fits reports whether record may be queued now. mu is held.
func (w *Writer) fits(record []byte) bool {
	return len(w.pending) == 0 || len(w.pending)+len(record) < w.limit
}

// queue appends record and its line feed to what is pending. mu is held.
func (w *Writer) queue(record []byte) {
	w.pending = append(w.pending, record...)
	w.pending = append(w.pending, '\n')
	w.queued += uint64(len(record)) + 1
}

// admit queues the records of blocked callers, oldest first, while they fit. One that does not fit holds up
// those behind it, or a large record could wait for ever among small ones. mu is held.
func (w *Writer) admit() {
	for e := w.blocked.Front(); e != nil && w.fits(e.Value.(*waiter).record); e = w.blocked.Front() {
		call := w.blocked.Remove(e).(*waiter)
		w.queue(call.record)
		close(call.done)
	}
}

// await waits for the end of the call that e of q stands for, or takes it out of q when ctx ends first.
// doing is what the error says then.
func (w *Writer) await(ctx context.Context, q *list.List, e *list.Element, doing string) error {
	call := e.Value.(*waiter)
	select {
	case <-call.done:
		return call.err
	case <-ctx.Done():
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-call.done: // settled just before; a record that was queued must not be reported as refused
		return call.err
	default:
	}
	q.Remove(e)
	// It may have held up smaller records behind it. run need not be woken: it is busy, or nothing would wait.
	w.admit()
	return fmt.Errorf("%s: %w", doing, ctx.Err())
}

// settle ends every wait in q with err. The Writer's mu is held.
func settle(q *list.List, err error) {
	for e := q.Front(); e != nil; e = q.Front() {
		call := q.Remove(e).(*waiter)
		call.err = err
		close(call.done)
	}
}
