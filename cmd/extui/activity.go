package main

import (
	"context"
	"sync"
)

// activity is what the agent is known to be doing.
type activity struct {
	mu      sync.Mutex
	now     doing
	changed chan struct{} // Guarded by mu; closed at the next change.
}

// doing is a moment of an activity.
type doing struct {
	running bool // A run of the model goes on: agent_start came, its end did not.
	ended   int  // How many runs, and prompts that are answered early, have ended.
	dialogs int  // Dialogs that are open.
	prompts int  // Prompts and commands that were sent and not handled yet.
	thrown  int  // How many commands of extensions have failed.
}

func newActivity() *activity { return &activity{changed: make(chan struct{})} }

// change applies f to the present moment and wakes those who wait.
func (a *activity) change(f func(*doing)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f(&a.now)
	close(a.changed)
	a.changed = make(chan struct{})
}

// look returns the present moment.
func (a *activity) look() doing {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// wait returns when until is true of the present moment, or ctx ends, with its
// cause.
func (a *activity) wait(ctx context.Context, until func(doing) bool) error {
	for {
		a.mu.Lock()
		now, changed := a.now, a.changed
		a.mu.Unlock()
		if until(now) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
