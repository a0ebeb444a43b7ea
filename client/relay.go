package client

import "sync"

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
