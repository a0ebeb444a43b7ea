package script

import (
	"sync"
	"sync/atomic"
	"time"
)

// watchdog interrupts JavaScript that runs for too long: for longer than the limit
// since it was called from the event loop, or since it was interrupted, all reactions of
// promises included. The time limit of package quickjs counts the time in Go functions
// that block on purpose, and its interrupt hits nothing that consists of many short jobs.
//
// Turns are short and many, so that beginning and ending one touches no timer: the
// timer runs on and looks, when it fires, how long the turn of that moment has run.
type watchdog struct {
	fire atomic.Bool // what runs now is to be stopped

	mu      sync.Mutex
	timer   *time.Timer
	ticking bool // the timer will fire
	ending  bool // interrupt everything

	armed  bool          // a turn is in progress
	limit  time.Duration // not positive: none
	began  time.Time     // of the turn, later by what it was paused
	paused time.Time     // since when; zero: it is not
}

// fired says that what ran was stopped. It can neither catch that nor clean up. What
// comes after it has the full time again.
func (w *watchdog) fired() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ending {
		w.fire.Store(false)
		w.began = time.Now()
	}
}

// arm begins a turn.
func (w *watchdog) arm(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed, w.limit, w.began, w.paused = true, limit, time.Now(), time.Time{}
	w.fire.Store(w.ending)
	if limit > 0 && !w.ending {
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
	w.fire.Store(true)
	w.tick(w.limit)
}

// disarm ends a turn.
func (w *watchdog) disarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.armed = false
	w.fire.Store(w.ending)
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
}

// stop interrupts the turn in progress and all that follow. It may be called from any
// goroutine.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = true
	w.fire.Store(true)
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watchdog) stopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending
}
