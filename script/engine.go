package script

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/quickjs"
)

// engine is one QuickJS runtime and the event loop that owns it: a single goroutine
// touches the virtual machine, everybody else posts functions for it to run. A
// task runs to its end, then the jobs of promises run until none is left, then
// rejections that nobody handled are reported. That is one turn, and a turn that
// takes longer than the limit is interrupted.
type engine struct {
	limits Limits
	path   string                         // of the extension
	cwd    string                         // where it is told that it works
	env    []string                       // nil: that of the process
	stderr io.Writer                      // where console goes; locked
	host   hostOps                        // what JavaScript may call; set before start, never changed
	report func(event string, err *Error) // takes what no caller waits for; called on the loop

	ctx    context.Context // ends with the engine
	cancel context.CancelFunc
	work   work // goroutines that work for JavaScript
	began  time.Time
	// otherClock says that Go's time is not the system's, see Options.VirtualTime.
	otherClock bool
	calls      calls

	wake chan struct{} // capacity 1: there is something in queue, or closed
	done chan struct{} // closed when the loop has returned

	mu     sync.Mutex
	queue  []func()
	closed bool
	spent  bool // the memory is used up

	// Everything below belongs to the loop.
	vm       *quickjs.VM
	entry    quickjs.Value // the function of prelude.js that everything goes through
	inner    *innards
	watch    watchdog
	timers   timerHeap
	timerSeq int
	position func(file string, line, column int) (string, int, int) // by the source map of the bundle
	late     []*bundle                                              // what was bundled while it ran
	source   func() string                                          // the code of the bundle

	cancels    map[int]cancellation
	lastCancel int
	texts      map[int]string // of errors, see thrown
	lastText   int
	children   map[int]*child
	files      *openFiles
	exhausted  *Error // set once the memory is used up and nothing can run any more
	turn       turn   // the one in progress
	// shortOfMemory is the last error in this turn that said so; nil if none did.
	shortOfMemory *Error
	suspects      bool // a call is suspect
}

// Limits bound what one extension may use.
type Limits struct {
	// Memory is the most bytes that the JavaScript of one extension may hold. 0 means
	// 256 MB, negative no limit.
	Memory int64
	// Run is how long it may run without a pause, such as an await of a dialog or a
	// timer. 0 means ten seconds, negative no limit. Calls that block on purpose, such
	// as execSync, do not count.
	Run time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = 256 << 20
	}
	if l.Run == 0 {
		l.Run = 10 * time.Second
	}
	return l
}

// newEngine returns an engine that is not running yet. Until start is called it
// belongs to the caller, who sets its fields.
func newEngine(limits Limits) *engine {
	e := &engine{
		limits: limits.withDefaults(), stderr: io.Discard, began: time.Now(),
		report: func(string, *Error) {}, source: func() string { return "" },
		wake: make(chan struct{}, 1), done: make(chan struct{}),
		position: func(file string, line, column int) (string, int, int) { return file, line, column },
		cancels:  map[int]cancellation{}, children: map[int]*child{},
	}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	e.work.idle = e.poke
	e.host = e.coreOps()
	for _, more := range []hostOps{e.systemOps(), e.fileOps(), e.processOps(), e.zlibOps(), intlOps()} {
		maps.Copy(e.host, more)
	}
	return e
}

// maxFrames is how deep JavaScript may call, about as deep as in Node.js: a plain call
// counts as one, a callback of a built-in function as several. At that depth the
// stack of the loop's goroutine is under 300 MB on every platform; Go ends a program
// whose stack needs more than 1000, or 250 where pointers have 32 bits and half is used.
const maxFrames = 16000

// start makes the virtual machine, loads the prelude and starts the loop, which does
// all that: a goroutine whose stack has grown to what JavaScript needs is not given up
// for another one.
func (e *engine) start() error {
	began := make(chan error)
	go func() {
		withStack()
		err := e.begin()
		began <- err
		if err == nil {
			e.loop()
		}
	}()
	return <-began
}

// withStack has the stack of a goroutine grow at once to what booting takes, instead of
// step by step with a copy each.
//
//go:noinline
func withStack() {
	var room [64 << 10]byte
	touch(&room)
}

//go:noinline
func touch(room *[64 << 10]byte) { room[0] = 1 }

func (e *engine) begin() error {
	vm, err := quickjs.NewVM()
	if err != nil {
		return fmt.Errorf("start QuickJS: %w", err)
	}
	e.vm = vm
	vm.SetWTF8(true)
	vm.SetMaxStackSize(maxFrames)
	if err := e.boot(); err != nil {
		if e.inner != nil {
			e.inner.close()
		}
		_ = vm.Close() // the first failure is the one to tell
		return err
	}
	return nil
}

func (e *engine) boot() (err error) {
	if e.inner, err = openInnards(e.vm, e.limits.Memory, &e.watch); err != nil {
		return err
	}
	if err := e.vm.RegisterHostFunc("__host", e.fromScript); err != nil {
		return fmt.Errorf("open the boundary to JavaScript: %w", err)
	}
	e.vm.SetModuleLoader(e.module, func(_ *quickjs.VM, _, name string) (string, error) { return name, nil })
	source, err := sources.ReadFile("js/prelude.js")
	if err != nil {
		return fmt.Errorf("read the prelude: %w", err)
	}
	if e.entry, err = e.vm.EvalValue(string(source), quickjs.EvalGlobal); err != nil {
		return fmt.Errorf("run the prelude: %w", err)
	}
	// Every extension needs it, and here it loads beside the bundling.
	return e.call("preload", "api")
}

// module is what QuickJS asks for the code of an import. A bundle imports nothing, so
// the one import is that of the bundle.
func (e *engine) module(_ *quickjs.VM, name string) (string, error) {
	if name != bundleName {
		return "", fmt.Errorf("cannot import %q while running: imports are resolved when the extension is loaded", name)
	}
	return e.source(), nil
}

// stopped takes the error of a turn that nobody in particular waits for.
func (e *engine) stopped(err *Error) { e.report("background", err) }

// post makes the loop run task, after those that were posted before. It may be
// called from any goroutine and never blocks. It returns false, and task never runs,
// if the engine is closed.
func (e *engine) post(task func()) bool {
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.queue = append(e.queue, task)
	}
	e.mu.Unlock()
	if !closed {
		e.poke()
	}
	return !closed
}

// work counts the goroutines that work for JavaScript.
type work struct {
	group sync.WaitGroup
	count atomic.Int64
	idle  func() // called when the last has ended; must not block
}

func (w *work) Add() { w.group.Add(1); w.count.Add(1) }

func (w *work) Done() {
	if w.count.Add(-1) == 0 {
		w.idle()
	}
	w.group.Done()
}

// Go runs fn in a goroutine.
func (w *work) Go(fn func()) {
	w.Add()
	go func() {
		defer w.Done()
		fn()
	}()
}

func (w *work) Wait() { w.group.Wait() }

func (w *work) none() bool { return w.count.Load() == 0 }

// queued reports whether a task waits.
func (e *engine) queued() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.queue) > 0
}

func (e *engine) poke() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// close ends the loop after the task in progress, which is interrupted, and waits for
// it. Tasks that have not started never run.
func (e *engine) close() {
	e.mu.Lock()
	first := !e.closed
	e.closed = true
	e.queue = nil
	e.mu.Unlock()
	if first {
		e.cancel()
		e.watch.stop()
		e.poke()
	}
	<-e.done
	e.work.Wait()
}

func (e *engine) loop() {
	defer close(e.done)
	defer func() {
		e.inner.close()
		e.entry.Free()
		_ = e.vm.Close() // it only reports that there was nothing to close
	}()
	alarm := time.NewTimer(time.Hour)
	defer alarm.Stop()
	for {
		e.mu.Lock()
		tasks, closed := e.queue, e.closed
		e.queue = nil
		e.mu.Unlock()
		if closed {
			return
		}
		for _, task := range tasks {
			task()
			e.mu.Lock()
			closed = e.closed
			e.mu.Unlock()
			if closed {
				return
			}
		}
		e.fireTimers(time.Now())
		if len(tasks) > 0 {
			continue
		}
		if !e.busy() {
			e.giveUp()
		}
		var due <-chan time.Time
		if len(e.timers) > 0 {
			alarm.Reset(time.Until(e.timers[0].due))
			due = alarm.C
		}
		select {
		case <-e.wake:
		case <-due:
		}
	}
}

// enter calls into JavaScript, which is what a turn is. kind says what for, see
// prelude.js. The error is what that function itself threw, which only a limit can
// make it do: it passes all others to where they belong. It is called on the loop.
func (e *engine) enter(kind string, args ...any) *Error { return e.enterAt(link{}, kind, args...) }

// enterAt is enter for a turn that belongs to a chain of events of the bus.
func (e *engine) enterAt(bus link, kind string, args ...any) *Error {
	if e.exhausted != nil {
		return e.exhausted
	}
	e.watch.arm(e.limits.Run)
	defer e.watch.disarm()
	e.turn = turn{active: true, bus: bus}
	e.inner.beginTurn()
	err := e.scriptError(e.call(kind, args...))
	if jobs := e.runJobs(); err == nil {
		err = jobs
	}
	e.reportRejections()
	if short := e.shortOfMemory; e.inner.endTurn() && e.inner.starved() {
		if short == nil {
			short = e.outOfMemory()
		}
		e.exhaust(short)
	}
	e.shortOfMemory = nil
	e.settleStop(err)
	return err
}

// exhaust gives up on a virtual machine that has run out of memory and whose memory is
// held for good: our own code could not run in it either, and a call would never end.
func (e *engine) exhaust(err *Error) {
	if e.exhausted != nil {
		return
	}
	e.exhausted = err
	e.mu.Lock()
	e.spent = true
	e.mu.Unlock()
	if e.calls.fail(err, func(int, *call) bool { return true }) {
		e.turn.told = true
	}
}

func (e *engine) call(kind string, args ...any) error {
	all := make([]any, 0, len(args)+1)
	all = append(all, kind)
	v, err := e.entry.CallValue(quickjs.UndefinedValue, append(all, args...)...)
	if err == nil {
		v.Free()
	}
	return err
}

// runJobs runs the reactions of promises until none is left, and returns the first
// error that stopped one.
func (e *engine) runJobs() (first *Error) {
	for {
		n, err := e.vm.ExecutePendingJobs()
		// Any other error says that there are more jobs than it does at once.
		if js, ok := errors.AsType[*quickjs.Error](err); ok && first == nil {
			first = e.scriptError(js)
		}
		if n == 0 || e.watch.stopped() {
			return first
		}
	}
}

// reportRejections reports the promises that were rejected in this turn and that
// nobody handles, as Node does at the end of each.
func (e *engine) reportRejections() {
	for {
		found, err := e.inner.next()
		if !found {
			return
		}
		if err != nil {
			e.tell("unhandledRejection", e.outOfMemory())
			continue
		}
		if err := e.call("rejected"); err != nil {
			e.tell("unhandledRejection", e.scriptError(err))
		}
		// Telling it may have made more jobs.
		if err := e.runJobs(); err != nil {
			e.tell("unhandledRejection", err)
		}
	}
}

// timer is one call that is due at a time.
type timer struct {
	id  int
	due time.Time
	seq int // among those due at once, the one set first fires first
}

type timerHeap []timer

func (h timerHeap) Len() int      { return len(h) }
func (h timerHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h timerHeap) Less(i, j int) bool {
	if !h[i].due.Equal(h[j].due) {
		return h[i].due.Before(h[j].due)
	}
	return h[i].seq < h[j].seq
}
func (h *timerHeap) Push(x any) { *h = append(*h, x.(timer)) }
func (h *timerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

// setTimer makes the timer with this id fire after d.
func (e *engine) setTimer(id int, d time.Duration) {
	e.timerSeq++
	heap.Push(&e.timers, timer{id: id, due: time.Now().Add(d), seq: e.timerSeq})
}

func (e *engine) clearTimer(id int) {
	for i := range e.timers {
		if e.timers[i].id == id {
			heap.Remove(&e.timers, i)
			return
		}
	}
}

// fireTimers runs what is due. Timers that are set meanwhile wait for the next round,
// so that a timer of 0 ms that sets itself again starves nobody.
func (e *engine) fireTimers(now time.Time) {
	last := e.timerSeq
	for len(e.timers) > 0 && !e.timers[0].due.After(now) && e.timers[0].seq <= last {
		t := heap.Pop(&e.timers).(timer)
		if err := e.enter("timer", t.id); err != nil {
			e.report("timer", err)
		}
	}
}
