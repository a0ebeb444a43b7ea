package script

import (
	"sync"
	"time"

	"modernc.org/quickjs"
)

// watchdog interrupts JavaScript that runs for too long. The engine's own time limit
// would do, but it also counts the time in Go functions that block on purpose.
type watchdog struct {
	mu     sync.Mutex
	vm     *quickjs.VM   // nil before the engine starts
	limit  time.Duration // of the turn in progress; not positive: none
	due    time.Time
	turn   uint64 // counts arming and disarming, so that a late timer hits no other turn
	timer  *time.Timer
	ending bool
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
	w.limit = limit
	w.start(limit)
}

// start runs the clock for d. w.mu is held.
func (w *watchdog) start(d time.Duration) {
	w.turn++
	if w.ending {
		w.vm.Interrupt()
		return
	}
	if w.limit <= 0 {
		return
	}
	turn := w.turn
	w.due = time.Now().Add(d)
	if w.timer != nil {
		w.timer.Stop()
	}
	w.timer = time.AfterFunc(d, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.turn == turn {
			w.vm.Interrupt()
		}
	})
}

// disarm ends a turn.
func (w *watchdog) disarm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turn++
	if w.timer != nil {
		w.timer.Stop()
	}
}

// pause stops the clock while a Go function blocks on purpose; the returned function
// lets it go on.
func (w *watchdog) pause() (resume func()) {
	w.mu.Lock()
	w.turn++
	if w.timer != nil {
		w.timer.Stop()
	}
	left := time.Until(w.due)
	w.mu.Unlock()
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.start(max(left, time.Millisecond))
	}
}

// stop interrupts the turn in progress and all that follow. It may be called from any
// goroutine.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = true
	if w.vm != nil {
		w.vm.Interrupt()
	}
}

func (w *watchdog) stopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ending
}
