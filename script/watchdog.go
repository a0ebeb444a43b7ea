package script

import (
	"sync"
	"time"

	"modernc.org/quickjs"
)

// watchdog interrupts JavaScript that runs for too long. The engine's own time limit
// would do, but it also counts the time in Go functions that block on purpose.
//
// Turns are short and many, so that beginning and ending one touches no timer: the
// timer runs on and looks, when it fires, how long the turn of that moment has run.
type watchdog struct {
	mu      sync.Mutex
	vm      *quickjs.VM // nil before the engine starts
	timer   *time.Timer
	ticking bool // the timer will fire
	ending  bool // interrupt everything

	armed  bool          // a turn is in progress
	limit  time.Duration // not positive: none
	began  time.Time     // of the turn, later by what it was paused
	paused time.Time     // since when; zero: it is not
}

func (w *watchdog) setVM(vm *quickjs.VM) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.vm = vm
}

// arm begins a turn.
func (w *watchdog) arm(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed, w.limit, w.began, w.paused = true, limit, time.Now(), time.Time{}
	if w.ending {
		w.vm.Interrupt()
		return
	}
	if limit > 0 {
		w.tick(limit)
	}
}

// tick makes the timer fire after d, if it does not fire anyhow. w.mu is held.
func (w *watchdog) tick(d time.Duration) {
	switch {
	case w.ticking:
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(d, w.look)
	default:
		w.timer.Reset(d)
	}
	w.ticking = true
}

// look is what the timer does.
func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ticking = false
	if !w.armed || w.limit <= 0 {
		return
	}
	if !w.paused.IsZero() {
		w.tick(w.limit)
		return
	}
	if left := w.limit - time.Since(w.began); left > 0 {
		w.tick(left)
		return
	}
	w.vm.Interrupt()
	// An interrupt that comes between two pieces of JavaScript is lost.
	w.tick(w.limit)
}

// disarm ends a turn.
func (w *watchdog) disarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
}

// pause stops the clock while a Go function blocks on purpose, until resume. Pauses do
// not nest.
func (w *watchdog) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = time.Now()
}

func (w *watchdog) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.paused.IsZero() {
		w.began = w.began.Add(time.Since(w.paused))
		w.paused = time.Time{}
	}
	if w.ending {
		w.vm.Interrupt()
	}
}

// stop interrupts the turn in progress and all that follow. It may be called from any
// goroutine.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.vm != nil {
		w.vm.Interrupt()
	}
}

func (w *watchdog) stopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending
}
