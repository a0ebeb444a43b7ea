package agent

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// turnTime is how long a command holds up the start of the next one at most. What
// session_start sets up, all that follows may need, and pi waits for all of it; one that
// never returns must not keep the client out for good.
const (
	turnTime  = 100 * time.Millisecond
	startTime = time.Second // of session_start
)

// run is one handler in progress: a command of the client, session_start, or a
// goroutine of an extension.
//
// Commands start in the order in which they came, and run beside each other. As in
// pi, what a quick command writes comes before what the next one writes, while one
// that waits for a person holds up nobody: the next starts when the one before
// returns, asks, streams, or has had its turn.
type run struct {
	cancel context.CancelCauseFunc

	once  sync.Once
	moved chan struct{} // closed when the next may start
}

// move lets the next command start.
func (r *run) move() { r.once.Do(func() { close(r.moved) }) }

type runKey struct{}

// moveOn lets the command after the one that ctx belongs to start, if ctx does.
func moveOn(ctx context.Context) {
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		r.move()
	}
}

// runs are the handlers in progress.
type runs struct {
	mu     sync.Mutex
	active map[*run]string // and what to call them
	last   *run            // the command that started last; nil before the first
	idle   chan struct{}   // set by end; closed when active is empty
}

// command starts fn as the next command, in a goroutine of its own that end waits
// for. base is the parent of its context, and turn how long it holds up the next at most.
// It returns false once end was called.
func (rs *runs) command(base context.Context, name string, turn time.Duration, fn func(ctx context.Context)) bool {
	ctx, r := rs.add(base, name)
	if r == nil {
		return false
	}
	rs.mu.Lock()
	before := rs.last
	rs.last = r
	rs.mu.Unlock()
	go func() {
		defer rs.remove(r)
		if before != nil {
			<-before.moved
		}
		timer := time.AfterFunc(turn, r.move)
		defer timer.Stop()
		fn(ctx)
	}()
	return true
}

// background starts fn beside the commands, in a goroutine that end waits for.
func (rs *runs) background(base context.Context, name string, fn func(ctx context.Context)) bool {
	ctx, r := rs.add(base, name)
	if r == nil {
		return false
	}
	go func() {
		defer rs.remove(r)
		fn(ctx)
	}()
	return true
}

func (rs *runs) add(base context.Context, name string) (context.Context, *run) {
	r := &run{moved: make(chan struct{})}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.idle != nil {
		return nil, nil
	}
	if rs.active == nil {
		rs.active = map[*run]string{}
	}
	rs.active[r] = name
	ctx, cancel := context.WithCancelCause(context.WithValue(base, runKey{}, r))
	r.cancel = cancel
	return ctx, r
}

func (rs *runs) remove(r *run) {
	r.cancel(nil)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	// Not before the lock: a cancel that ended r has by then reached the next one
	// too, which must not start.
	r.move()
	delete(rs.active, r)
	if rs.idle != nil && len(rs.active) == 0 {
		close(rs.idle)
	}
}

// cancel ends the contexts of all handlers.
func (rs *runs) cancel(cause error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for r := range rs.active {
		r.cancel(cause)
	}
}

// settled returns a channel that is closed when all commands so far have started
// and none of them is quick any more.
func (rs *runs) settled() <-chan struct{} {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.last == nil {
		return closedChannel
	}
	return rs.last.moved
}

// end refuses further handlers and returns a channel that is closed when the last
// has returned. It is called once.
func (rs *runs) end() <-chan struct{} {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.idle = make(chan struct{})
	if len(rs.active) == 0 {
		close(rs.idle)
	}
	return rs.idle
}

// names returns what is still running, sorted.
func (rs *runs) names() []string {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	out := make([]string, 0, len(rs.active))
	for _, name := range rs.active {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// PanicError is a panic of a handler as an error.
type PanicError struct {
	Value any
	Stack string // where, as the debug package prints it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Protect calls fn and returns its error, or a [*PanicError] if it panics. It is
// meant for a [Runtime], which calls code of others.
func Protect(fn func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: string(debug.Stack())}
		}
	}()
	return fn()
}
