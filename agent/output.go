package agent

import (
	"bytes"
	"context"
	"io"
	"sync"

	"extui/internal/jsonl"
)

// output is the only way to the client. write waits for a client that does not
// read and keeps its caller's order; post never waits, for the goroutine that
// reads and for dialogs whose context is over.
type output struct {
	w    *jsonl.Writer
	ctx  context.Context // ends when the rest of the output is given up
	stop context.CancelFunc

	mu sync.Mutex
	// posted holds records of post that found no room, oldest first. While there
	// are any, one goroutine writes them and drained is open; everybody else waits
	// for it, or later records would overtake these. drained is nil otherwise.
	posted  [][]byte
	drained chan struct{}
	closed  bool // nothing is posted any more
}

// newOutput starts writing to out. failed is called, possibly several times, when
// out cannot be written to; it must not block.
func newOutput(out io.Writer, failed func(error)) *output {
	o := &output{w: jsonl.NewWriter(&watchedWriter{out, failed}, nil)}
	o.ctx, o.stop = context.WithCancel(context.Background())
	return o
}

// write queues record. ctx bounds the wait for room. If it is over already, the
// record is still queued where that needs no wait: a handler that was aborted can
// say so.
func (o *output) write(ctx context.Context, record []byte) error {
	for {
		o.mu.Lock()
		drained := o.drained
		o.mu.Unlock()
		if drained == nil {
			break
		}
		select {
		case <-drained:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if ctx.Err() != nil {
		return o.w.Write(&impatient{Context: ctx}, record)
	}
	return o.w.Write(ctx, record)
}

// post queues record without ever waiting. The slice may be used again at once.
func (o *output) post(record []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return
	}
	if o.drained == nil {
		now := &impatient{Context: context.Background()}
		if err := o.w.Write(now, record); err == nil || now.Err() == nil {
			return // queued, or the stream is broken and watchedWriter has said so
		}
		o.drained = make(chan struct{})
		go o.drain()
	}
	o.posted = append(o.posted, bytes.Clone(record))
}

// drain is the goroutine that writes what post could not. close waits for it.
func (o *output) drain() {
	for {
		o.mu.Lock()
		if len(o.posted) == 0 {
			o.posted = nil
			close(o.drained)
			o.drained = nil
			o.mu.Unlock()
			return
		}
		record := o.posted[0]
		o.posted = o.posted[1:]
		o.mu.Unlock()
		// An error means that the output is broken or given up; the loop then ends
		// quickly, since every later write fails as well.
		_ = o.w.Write(o.ctx, record)
	}
}

// close writes what is queued, until ctx ends, and ends all goroutines of o.
func (o *output) close(ctx context.Context) error {
	o.mu.Lock()
	o.closed = true
	drained := o.drained
	o.mu.Unlock()
	if drained != nil {
		select {
		case <-drained:
		case <-ctx.Done():
			o.stop()
			<-drained // every write now fails at once
		}
	}
	defer o.stop()
	return o.w.Close(ctx)
}

// impatient is a context that ends as soon as somebody waits for its end. Whoever
// only looks at Err first sees it alive, so a write that needs no waiting is done.
type impatient struct {
	context.Context
	over bool
}

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (c *impatient) Done() <-chan struct{} {
	c.over = true
	return closedChannel
}

func (c *impatient) Err() error {
	if c.over {
		return context.Canceled
	}
	return nil
}

// watchedWriter reports the first failure at once; the caller of a Writer learns
// of it only with its next record, which may never come.
type watchedWriter struct {
	out    io.Writer
	failed func(error)
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	switch {
	case err != nil:
		w.failed(err)
	case n != len(p):
		w.failed(io.ErrShortWrite)
	}
	return n, err
}

// Close lets a Writer interrupt a write.
func (w *watchedWriter) Close() error {
	if c, ok := w.out.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
