package script

import (
	"errors"
	"reflect"
	"sync"
	"time"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
	"modernc.org/quickjs"
)

// innards is what package quickjs keeps to itself about one virtual machine: hooks of
// QuickJS that it does not pass on. To get at them, this reaches beneath it: it reads,
// by name, three unexported fields of that package. The version is pinned, and
// openInnards fails if they are not there. All of it belongs to the loop.
type innards struct {
	tls     *libc.TLS
	context uintptr
	runtime uintptr
	id      uintptr // in opened

	watch *watchdog // says when JavaScript that runs must stop
	// interrupted says that something was stopped, in this turn.
	interrupted bool
	unknown     int // how often in a row that was when it is not known where it is
	pace        pace
	open        []rejection
	memory      memory
}

// opened finds the innards of a virtual machine from the number that the hooks get: Go
// pointers must not stand in QuickJS's memory.
var opened = struct {
	sync.Mutex
	next uintptr
	byID map[uintptr]*innards
}{byID: map[uintptr]*innards{}}

func innardsOf(id uintptr) *innards {
	opened.Lock()
	defer opened.Unlock()
	return opened.byID[id]
}

// openInnards hooks into a new virtual machine, whose JavaScript may hold limit bytes;
// not positive means no limit. close must be called before the machine is closed.
func openInnards(vm *quickjs.VM, limit int64, watch *watchdog) (*innards, error) {
	errOther := errors.New("open QuickJS: its version is not the one that was pinned")
	state := reflect.ValueOf(vm).Elem()
	context, rt := state.FieldByName("cContext"), state.FieldByName("runtime")
	if !context.IsValid() || context.Kind() != reflect.Uintptr || !rt.IsValid() || rt.Kind() != reflect.Pointer {
		return nil, errOther
	}
	handle, tls := rt.Elem().FieldByName("cRuntime"), rt.Elem().FieldByName("tls")
	if !handle.IsValid() || handle.Kind() != reflect.Uintptr || !tls.IsValid() || tls.Type() != reflect.TypeFor[*libc.TLS]() {
		return nil, errOther
	}
	r := &innards{tls: (*libc.TLS)(tls.UnsafePointer()), context: uintptr(context.Uint()), runtime: uintptr(handle.Uint()), watch: watch}
	opened.Lock()
	opened.next++
	r.id = opened.next
	opened.byID[r.id] = r
	opened.Unlock()
	lib.XJS_SetHostPromiseRejectionTracker(r.tls, r.runtime, codePointer(onRejection), r.id)
	lib.XJS_SetInterruptHandler(r.tls, r.runtime, codePointer(onPoll), r.id)
	r.limitMemory(limit)
	if !r.renameAtom("stack", rawStack) {
		r.close()
		return nil, errOther
	}
	return r, nil
}

// rawStack is the property in which QuickJS leaves the stack of an error: prelude.js
// makes of it what a stack is in Node.js. It is as long as "stack", in whose place it is
// in QuickJS's table of names, and has the same hash there.
const rawStack = "\x07\x0b\x87\xe1N"

// renameAtom gives a name that QuickJS uses another text, of bytes of Latin-1, so that it
// and JavaScript mean different properties by the old one. It returns false if the name
// is not where it should be.
func (r *innards) renameAtom(name, other string) bool {
	text, err := libc.CString(name)
	if err != nil {
		return false
	}
	defer libc.Xfree(r.tls, text)
	atom := lib.XJS_NewAtomLen(r.tls, r.context, text, lib.Tsize_t(len(name)))
	defer lib.XJS_FreeAtom(r.tls, r.context, atom)
	place := *at[uintptr](at[lib.TJSRuntime](r.runtime).Fatom_array + uintptr(atom)*unsafe.Sizeof(uintptr(0)))
	bytes := unsafe.Slice(at[byte](place+unsafe.Sizeof(lib.TJSAtomStruct{})), len(name))
	if string(bytes) != name {
		return false
	}
	copy(bytes, other)
	return true
}

// codePointer returns what transpiled C calls for a function: the data word of the
// interface that holds it.
func codePointer(f any) uintptr {
	return (*[2]uintptr)(unsafe.Pointer(&f))[1]
}

// at returns a pointer to what transpiled C has at an address.
func at[T any](address uintptr) *T { return (*T)(unsafe.Add(nil, address)) }

// onPoll is what QuickJS calls now and then while JavaScript runs. Only where code of
// JavaScript stands can it be stopped and say where it was: elsewhere the next chance is
// waited for, up to a point.
func onPoll(_ *libc.TLS, _, id uintptr) int32 {
	r := innardsOf(id)
	if r == nil {
		return 0
	}
	if !r.watch.fire.Load() {
		at[lib.TJSContext](r.context).Finterrupt_counter = r.pace.next(time.Now())
		return 0
	}
	if !r.inCode() && r.unknown < 100 {
		r.unknown++
		at[lib.TJSContext](r.context).Finterrupt_counter = 1
		return 0
	}
	r.unknown = 0
	r.interrupted = true
	r.watch.fired()
	return 1
}

// pace is how many steps of JavaScript pass between two polls. By itself QuickJS polls each
// 10,000 steps, which takes minutes where each is a call that works on megabytes.
type pace struct {
	steps int32
	last  time.Time // when it polled last
}

const (
	fewestSteps = 20 // at the start of a turn
	mostSteps   = 1000
	// pollTime is how much time there should be between two polls, which take a ten-thousandth
	// of that.
	pollTime = time.Millisecond
)

// next returns how many steps are to pass until the next poll.
func (p *pace) next(now time.Time) int32 {
	switch took := now.Sub(p.last); {
	case took > 2*pollTime:
		p.steps = max(int32(time.Duration(p.steps)*pollTime/took), 1)
	case took < pollTime/2:
		p.steps = min(2*p.steps, mostSteps)
	}
	p.last = now
	return p.steps
}

// beginTurn says that JavaScript is called from the event loop.
func (r *innards) beginTurn() {
	r.interrupted = false
	r.pace = pace{fewestSteps, time.Now()}
	at[lib.TJSContext](r.context).Finterrupt_counter = fewestSteps
}

// inCode reports whether the innermost function is one of JavaScript, and not one of
// QuickJS's own, such as that which goes on with a promise.
func (r *innards) inCode() bool {
	frame := at[lib.TJSRuntime](r.runtime).Fcurrent_stack_frame
	if frame == 0 {
		return false
	}
	// A value that is an object begins with its address.
	function := *(*uintptr)(unsafe.Pointer(&at[lib.TJSStackFrame](frame).Fcur_func))
	switch at[lib.TJSObject](function).Fclass_id {
	case lib.EJS_CLASS_BYTECODE_FUNCTION, lib.EJS_CLASS_ASYNC_FUNCTION, lib.EJS_CLASS_GENERATOR_FUNCTION, lib.EJS_CLASS_ASYNC_GENERATOR_FUNCTION:
		return true
	}
	return false
}

// close forgets everything. It comes before the virtual machine is closed.
func (r *innards) close() {
	for _, x := range r.open {
		r.free(x)
	}
	r.open = nil
	opened.Lock()
	delete(opened.byID, r.id)
	opened.Unlock()
}
