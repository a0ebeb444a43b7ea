package client

import (
	"context"
	"fmt"
	"sync"
)

// relay hands values from any goroutine to one function, one at a time and in
// order, and holds no lock while it calls it, so that the function may use
// whatever pushes. The goroutine that pushes into an idle relay does the calling
// until nothing is left; others only leave their value behind.
type relay[T any] struct {
	fn func(T)

	mu    sync.Mutex
	queue []T
	busy  bool // a goroutine is calling fn
}

// add queues v. Call drain afterwards, with no lock held that fn may want.
func (r *relay[T]) add(v T) {
	r.mu.Lock()
	r.queue = append(r.queue, v)
	r.mu.Unlock()
}

// drain calls fn for all that is queued, unless another goroutine is at it.
func (r *relay[T]) drain() {
	r.mu.Lock()
	if r.busy {
		r.mu.Unlock()
		return
	}
	r.busy = true
	for len(r.queue) > 0 {
		batch := r.queue
		r.queue = nil
		r.mu.Unlock()
		for _, v := range batch {
			r.fn(v)
		}
		r.mu.Lock()
	}
	r.busy = false
	r.mu.Unlock()
}

// crew counts goroutines so that their owner can wait for them with a context,
// and start more at any time, which a sync.WaitGroup does not allow.
type crew struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n falls to 0; nil if nobody waits
}

// start runs f in a goroutine of the crew.
func (c *crew) start(f func()) {
	c.enter()
	go func() {
		defer c.leave()
		f()
	}()
}

// enter counts the caller in until it calls leave.
func (c *crew) enter() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// wait returns once no goroutine of the crew runs, or with an error that wraps
// ctx.Err() and says how many do.
func (c *crew) wait(ctx context.Context) error {
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
