// Package crew runs code of others: in goroutines that their owner waits for, and
// without letting a panic of theirs end what called them.
//
//	var calls crew.Crew
//	calls.Start(func() { err := crew.Guard(front.Close) … })
//	err := calls.Wait(ctx)
//
// # Concurrency
//
// All methods of a [Crew] may be called at once. Only Wait blocks, until the last
// function that was started has returned or its context ends.
package crew

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// Crew counts goroutines so that their owner can wait for them with a context, and
// start more at any time, which a sync.WaitGroup does not allow. The zero value has
// none.
type Crew struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil if nobody waits
}

// Start runs f in a goroutine of the crew.
func (c *Crew) Start(f func()) {
	c.Enter()
	go func() {
		defer c.Leave()
		f()
	}()
}

// Enter counts the caller in until it calls Leave.
func (c *Crew) Enter() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

// Leave undoes one Enter.
func (c *Crew) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// Wait returns once nobody is counted in, or with an error that wraps ctx.Err() and
// says how many are.
func (c *Crew) Wait(ctx context.Context) error {
	c.mu.Lock()
	if c.n == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		return nil
	}
	return fmt.Errorf("%d calls have not returned: %w", c.n, ctx.Err())
}

// PanicError is a panic that [Guard] has caught. It unwraps to the panic's value if
// that is an error.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine that panicked, as debug.Stack gives it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the panic's value if it is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Guard calls f and returns its panic, if any, as a [*PanicError].
func Guard(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{v, debug.Stack()}
		}
	}()
	f()
	return nil
}

// Traced is [Guard] with the stack in the error's text, for where nothing else of the error
// is shown.
func Traced(f func()) error {
	err := Guard(f)
	if p, ok := errors.AsType[*PanicError](err); ok {
		return fmt.Errorf("%w\n%s", err, p.Stack)
	}
	return err
}
