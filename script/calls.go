package script

import (
	"sync"
	"time"

	"extui/extension"

	"github.com/go-json-experiment/json/jsontext"
)

// call is one call of a handler in JavaScript.
type call struct {
	ctx   *extension.Context // nil while the extension is loaded
	begun bool               // JavaScript has it; belongs to the loop
	// suspect says that something was stopped in a turn that may have been for it, and
	// that nobody was told: perhaps what it waits for. It belongs to the loop.
	suspect bool
	done    chan struct{} // closed when value and err are set
	value   jsontext.Value
	err     error
}

// calls are the calls into one engine that have not ended.
type calls struct {
	mu   sync.Mutex
	open map[int]*call
	last int
	idle chan struct{} // closed when none is open; nil while nobody waits for that
}

func (cs *calls) add(c *call) (id int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.open == nil {
		cs.open = map[int]*call{}
	}
	cs.last++
	cs.open[cs.last] = c
	return cs.last
}

func (cs *calls) get(id int) *call {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.open[id]
}

// finish ends a call. Only the first end counts.
func (cs *calls) finish(id int, value jsontext.Value, err error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.open[id]
	if c == nil {
		return
	}
	delete(cs.open, id)
	c.value, c.err = value, err
	close(c.done)
	cs.tellIdle()
}

// suspect marks the calls that match says. It is called on the loop.
func (cs *calls) suspect(match func(id int, c *call) bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for id, c := range cs.open {
		c.suspect = c.suspect || match(id, c)
	}
}

// giveUp ends the calls that wait for what nothing can bring about any more: those that
// load the extension, and those in which something was stopped.
func (e *engine) giveUp() {
	e.calls.fail(&Error{Message: "it waits, while it is loaded, for something that never comes"},
		func(_ int, c *call) bool { return c.ctx == nil && c.begun })
	if e.suspects {
		e.suspects = false
		e.calls.fail(e.interrupted(), func(_ int, c *call) bool { return c.suspect })
	}
}

// fail ends the calls that match says, and reports whether there was one. It is called on
// the loop.
func (cs *calls) fail(err error, match func(id int, c *call) bool) (failed bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for id, c := range cs.open {
		if match(id, c) {
			delete(cs.open, id)
			c.err = err
			close(c.done)
			failed = true
		}
	}
	cs.tellIdle()
	return failed
}

// tellIdle is called with mu held.
func (cs *calls) tellIdle() {
	if cs.idle != nil && len(cs.open) == 0 {
		close(cs.idle)
		cs.idle = nil
	}
}

// settled returns a channel that is closed once no call is open. It is called once.
func (cs *calls) settled() <-chan struct{} {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	idle := make(chan struct{})
	cs.idle = idle
	cs.tellIdle()
	return idle
}

// retire closes an engine that another has taken the place of, once the calls into it
// have ended or had a moment to.
func (e *engine) retire() {
	patience := time.NewTimer(abortPatience)
	defer patience.Stop()
	select {
	case <-e.calls.settled():
	case <-patience.C:
	}
	e.close()
}
