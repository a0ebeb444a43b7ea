package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// gate is an underlying writer that lets a call through for each value sent to open, and notes every call.
// Close interrupts a blocked call, as closing a pipe does.
type gate struct {
	open   chan error // what the next call returns
	closed chan struct{}
	once   sync.Once
	mu     sync.Mutex
	calls  []string
}

func newGate() *gate { return &gate{open: make(chan error), closed: make(chan struct{})} }

func (g *gate) Write(p []byte) (int, error) {
	select {
	case err := <-g.open:
		g.mu.Lock()
		defer g.mu.Unlock()
		g.calls = append(g.calls, string(p))
		return len(p), err
	case <-g.closed:
		return 0, os.ErrClosed
	}
}

func (g *gate) Close() error {
	g.once.Do(func() { close(g.closed) })
	return nil
}

func (g *gate) isClosed() bool {
	select {
	case <-g.closed:
		return true
	default:
		return false
	}
}

func (g *gate) got() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.calls)
}

// queue writes records, which must find room.
func queue(t *testing.T, w *Writer, records ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, record := range records {
		if err := w.Write(ctx, []byte(record)); err != nil {
			t.Fatalf("write %q: %v", record, err)
		}
	}
}

// async runs f and returns where its error will be.
func async(f func() error) <-chan error {
	c := make(chan error, 1)
	go func() { c <- f() }()
	return c
}

func wantBlocked(t *testing.T, c <-chan error) {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-c:
		t.Fatalf("did not block: %v", err)
	default:
	}
}

// The goroutine writes a lone record at once, and all that came meanwhile in one call.
func TestWriter_BatchesWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, nil)
		queue(t, w, "1")
		synctest.Wait()
		record := []byte("2")
		if err := w.Write(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		record[0] = '!' // the caller's again
		queue(t, w, "3", "4")
		closing := async(func() error { return w.Close(context.Background()) })
		for range 2 {
			g.open <- nil
		}
		if err := <-closing; err != nil {
			t.Errorf("close: %v", err)
		}
		if want := []string{"1\n", "2\n3\n4\n"}; !slices.Equal(g.got(), want) {
			t.Errorf("calls %q, want %q", g.got(), want)
		}
		if g.isClosed() {
			t.Error("an orderly close closed the underlying writer")
		}
	})
}

func TestWriter_FullBufferBlocksInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, &WriterOptions{Buffer: 8})
		queue(t, w, "0")
		synctest.Wait() // on its way
		queue(t, w, "aaa", "bbb")
		var waits []<-chan error
		for _, record := range []string{"ccc", "far too large for the buffer", "d", "e"} {
			waits = append(waits, async(func() error { return w.Write(t.Context(), []byte(record)) }))
			wantBlocked(t, waits[len(waits)-1])
		}
		for range 5 {
			g.open <- nil
		}
		for _, c := range waits {
			if err := <-c; err != nil {
				t.Error(err)
			}
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
		want := []string{"0\n", "aaa\nbbb\n", "ccc\n", "far too large for the buffer\n", "d\ne\n"}
		if !slices.Equal(g.got(), want) {
			t.Errorf("calls %q, want %q", g.got(), want)
		}
	})
}

func TestWriter_ContextEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, &WriterOptions{Buffer: 8})
		queue(t, w, "0")
		synctest.Wait()
		queue(t, w, "aaaaa")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		large := async(func() error { return w.Write(ctx, []byte("xx")) }) // one byte too many
		wantBlocked(t, large)
		small := async(func() error { return w.Write(t.Context(), []byte("s")) })
		wantBlocked(t, small) // first come, first served, though it would fit
		if err := <-large; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("large: %v", err)
		}
		if err := <-small; err != nil { // let in by the one before it going away
			t.Errorf("small: %v", err)
		}
		closing := async(func() error { return w.Close(context.Background()) })
		for range 2 {
			g.open <- nil
		}
		if err := <-closing; err != nil {
			t.Error(err)
		}
		if want := []string{"0\n", "aaaaa\ns\n"}; !slices.Equal(g.got(), want) {
			t.Errorf("calls %q, want %q", g.got(), want)
		}
	})
}

func TestWriter_ContextAlreadyOver(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Write(ctx, []byte("{}")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := w.Close(t.Context()); err != nil || out.Len() != 0 {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}

func TestWriter_Flush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, nil)
		if err := w.Flush(t.Context()); err != nil {
			t.Errorf("nothing queued: %v", err)
		}
		queue(t, w, "1")
		synctest.Wait()
		first := async(func() error { return w.Flush(t.Context()) })
		wantBlocked(t, first)
		queue(t, w, "2")
		second := async(func() error { return w.Flush(t.Context()) })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("context over: %v", err)
		}
		g.open <- nil
		if err := <-first; err != nil {
			t.Error(err)
		}
		wantBlocked(t, second)
		g.open <- nil
		if err := <-second; err != nil {
			t.Error(err)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if err := w.Flush(t.Context()); err != nil {
			t.Errorf("after close: %v", err)
		}
	})
}

func TestWriter_FailureReachesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken pipe")
		g := newGate()
		w := NewWriter(g, &WriterOptions{Buffer: 2})
		queue(t, w, "1")
		synctest.Wait()
		queue(t, w, "2")
		blocked := async(func() error { return w.Write(t.Context(), []byte("3")) })
		flush := async(func() error { return w.Flush(t.Context()) })
		wantBlocked(t, blocked)
		g.open <- broken
		for what, err := range map[string]error{
			"blocked write": <-blocked,
			"flush":         <-flush,
			"later write":   w.Write(t.Context(), []byte("4")),
			"later flush":   w.Flush(t.Context()),
			"close":         w.Close(t.Context()),
			"second close":  w.Close(t.Context()),
		} {
			if !errors.Is(err, broken) || errors.Is(err, ErrClosed) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if len(g.got()) != 1 {
			t.Errorf("calls %q: it went on after the failure", g.got())
		}
	})
}

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriter_ShortWriteIsAFailure(t *testing.T) {
	w := NewWriter(writeFunc(func(p []byte) (int, error) { return len(p) - 1, nil }), nil)
	queue(t, w, "1")
	if err := w.Close(t.Context()); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}

func TestWriter_RefusesLineFeed(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	if err := w.Write(t.Context(), []byte("{\"a\":\n1}")); !errors.Is(err, errLineFeed) {
		t.Errorf("got %v", err)
	}
	queue(t, w, "{\"s\":\"\u2028\x00\r\"}")
	if err := w.Close(t.Context()); err != nil || out.String() != "{\"s\":\"\u2028\x00\r\"}\n" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}

func TestWriter_CloseRefusesBlockedAndLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, &WriterOptions{Buffer: 2})
		queue(t, w, "1")
		synctest.Wait()
		queue(t, w, "2")
		blocked := async(func() error { return w.Write(t.Context(), []byte("3")) })
		wantBlocked(t, blocked)
		closing := async(func() error { return w.Close(context.Background()) })
		wantBlocked(t, closing)
		if err := <-blocked; err != ErrClosed {
			t.Errorf("blocked write: %v", err)
		}
		if err := w.Write(t.Context(), []byte("4")); err != ErrClosed {
			t.Errorf("later write: %v", err)
		}
		g.open <- nil
		g.open <- nil
		if err := <-closing; err != nil {
			t.Errorf("close: %v", err)
		}
		if want := []string{"1\n", "2\n"}; !slices.Equal(g.got(), want) {
			t.Errorf("calls %q, want %q", g.got(), want)
		}
	})
}

// The other side never reads again: Close interrupts the write, and no goroutine is left.
func TestWriter_CloseInterruptsABlockedWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, nil)
		queue(t, w, "1")
		synctest.Wait()
		queue(t, w, "2")
		flush := async(func() error { return w.Flush(t.Context()) })
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		err := w.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, os.ErrClosed) {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("close took %v", took)
		}
		if err := <-flush; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("flush: %v", err)
		}
		if !g.isClosed() || len(g.got()) != 0 {
			t.Errorf("closed %v, calls %q", g.isClosed(), g.got())
		}
		if again := w.Close(t.Context()); again == nil || again.Error() != err.Error() {
			t.Errorf("second close: %v", again)
		}
	})
}

// A writer that cannot be interrupted does not keep Close for ever; what it is busy with may still get out,
// what waits behind it is dropped and reported.
func TestWriter_CloseGivesUpOnAWriterThatCannotBeInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(writeFunc(g.Write), nil) // hides Close
		queue(t, w, "1")
		synctest.Wait()
		queue(t, w, "2")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := w.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("close: %v", err)
		}
		if took := time.Since(began); took != time.Second+closeGrace {
			t.Errorf("close took %v", took)
		}
		g.open <- nil
		if err := w.Close(t.Context()); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 bytes dropped") {
			t.Errorf("second close: %v", err)
		}
		if want := []string{"1\n"}; !slices.Equal(g.got(), want) {
			t.Errorf("calls %q, want %q", g.got(), want)
		}
	})
}

func TestWriter_CloseInterruptsARealPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("closing an anonymous pipe does not interrupt a write to it on Windows")
	}
	pr, pw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pr.Close()
	w := NewWriter(pw, nil)
	queue(t, w, strings.Repeat("x", 1<<20)) // nobody reads
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := w.Close(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, os.ErrClosed) {
		t.Errorf("close: %v", err)
	}
}

// Many callers, a small buffer, contexts that end: what was accepted comes out once, whole, and in each
// caller's order; what was refused does not come out.
func TestWriter_ConcurrentCallers(t *testing.T) {
	const callers, each = 16, 300
	pr, pw := io.Pipe()
	w := NewWriter(pw, &WriterOptions{Buffer: 100})
	accepted := make([][]string, callers)
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				ctx, cancel := context.WithCancel(t.Context())
				if (c+i)%7 == 0 {
					go cancel() // before, while or after it waits
				}
				record := fmt.Sprintf("%d:%d:%s", c, i, strings.Repeat("-", (c*i)%150))
				if err := w.Write(ctx, []byte(record)); err == nil {
					accepted[c] = append(accepted[c], record)
				} else if !errors.Is(err, context.Canceled) {
					t.Errorf("write %s: %v", record, err)
				}
				if i%50 == 0 {
					if err := w.Flush(t.Context()); err != nil {
						t.Errorf("flush: %v", err)
					}
				}
				cancel()
			}
		})
	}
	closing := async(func() error {
		all.Wait()
		err := w.Close(context.Background())
		_ = pw.Close()
		return err
	})
	got := make([][]string, callers)
	records, _ := readAll(t, NewReader(pr, nil))
	for _, record := range records {
		var c int
		if _, err := fmt.Sscanf(record, "%d:", &c); err != nil {
			t.Fatalf("record %q: %v", record, err)
		}
		got[c] = append(got[c], record)
	}
	if err := <-closing; err != nil {
		t.Errorf("close: %v", err)
	}
	for c := range callers {
		if !slices.Equal(got[c], accepted[c]) {
			t.Errorf("caller %d: %d records out, %d accepted", c, len(got[c]), len(accepted[c]))
		}
	}
}

// An outsized record's memory is given back once it is written.
func TestWriter_GivesBackAGrownBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWriter(io.Discard, &WriterOptions{Buffer: 1 << 10})
		queue(t, w, strings.Repeat("x", 10<<20))
		// The two buffers change places with each batch, so this sees both.
		for range 2 {
			synctest.Wait()
			w.mu.Lock()
			held := cap(w.pending)
			w.mu.Unlock()
			if held > keepBuffer {
				t.Errorf("%d bytes are still held", held)
			}
			queue(t, w, "s")
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestWriter_QueueingAllocatesNothing(t *testing.T) {
	g := newGate()
	w := NewWriter(g, nil)
	ctx, record := t.Context(), []byte(`{"type":"extension_ui_request"}`)
	// The few times that the buffer grows do not show in the average.
	if n := testing.AllocsPerRun(10_000, func() { _ = w.Write(ctx, record) }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
	_ = g.Close()
	if err := w.Close(ctx); !errors.Is(err, os.ErrClosed) {
		t.Errorf("close: %v", err)
	}
}

func TestWriter_NegativeBufferPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewWriter(io.Discard, &WriterOptions{Buffer: -1})
}
