package script

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
	"modernc.org/quickjs"
)

// rejections are the promises of one virtual machine that were rejected and that
// nobody handles so far. QuickJS tells about them by a hook that package quickjs does
// not pass on, so this reaches beneath it: it reads, by name, three unexported
// fields of that package. The version is pinned, and trackRejections fails if they
// are not there.
type rejections struct {
	tls     *libc.TLS
	context uintptr
	runtime uintptr
	id      uintptr // in trackers
	open    []rejection
}

type rejection struct{ promise, reason lib.TJSValue }

// trackers finds the rejections of a virtual machine from the number that the hook
// gets: Go pointers must not stand in QuickJS's memory.
var trackers = struct {
	sync.Mutex
	next uintptr
	byID map[uintptr]*rejections
}{byID: map[uintptr]*rejections{}}

func trackRejections(vm *quickjs.VM) (*rejections, error) {
	state := reflect.ValueOf(vm).Elem()
	context, rt := state.FieldByName("cContext"), state.FieldByName("runtime")
	if !context.IsValid() || context.Kind() != reflect.Uintptr || !rt.IsValid() || rt.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("follow rejected promises: this version of QuickJS is not the one that was pinned")
	}
	handle, tls := rt.Elem().FieldByName("cRuntime"), rt.Elem().FieldByName("tls")
	if !handle.IsValid() || handle.Kind() != reflect.Uintptr || !tls.IsValid() || tls.Type() != reflect.TypeFor[*libc.TLS]() {
		return nil, fmt.Errorf("follow rejected promises: this version of QuickJS is not the one that was pinned")
	}
	r := &rejections{tls: (*libc.TLS)(tls.UnsafePointer()), context: uintptr(context.Uint()), runtime: uintptr(handle.Uint())}
	trackers.Lock()
	trackers.next++
	r.id = trackers.next
	trackers.byID[r.id] = r
	trackers.Unlock()
	lib.XJS_SetHostPromiseRejectionTracker(r.tls, r.runtime, codePointer(onRejection), r.id)
	return r, nil
}

// codePointer returns what transpiled C calls for a function: the data word of the
// interface that holds it.
func codePointer(f any) uintptr {
	return (*[2]uintptr)(unsafe.Pointer(&f))[1]
}

// onRejection is the hook. QuickJS calls it inside a turn, once when a promise without
// a handler is rejected and again when it gets one.
func onRejection(tls *libc.TLS, context uintptr, promise, reason lib.TJSValue, handled int32, id uintptr) {
	trackers.Lock()
	r := trackers.byID[id]
	trackers.Unlock()
	if r == nil {
		return
	}
	if handled == 0 {
		r.open = append(r.open, rejection{lib.XDupValue(tls, context, promise), lib.XDupValue(tls, context, reason)})
		return
	}
	for i, open := range r.open {
		if open.promise == promise {
			r.open = append(r.open[:i], r.open[i+1:]...)
			r.free(open)
			return
		}
	}
}

// next puts the reason of the first rejection in the global variable __rejection,
// where prelude.js looks for it. It returns false if there is none.
func (r *rejections) next() bool {
	if len(r.open) == 0 {
		return false
	}
	first := r.open[0]
	r.open = r.open[1:]
	name, err := libc.CString("__rejection")
	if err != nil {
		r.free(first)
		return r.next()
	}
	defer libc.Xfree(r.tls, name)
	global := lib.XJS_GetGlobalObject(r.tls, r.context)
	// The property takes over the reason.
	lib.XJS_SetPropertyStr(r.tls, r.context, global, name, first.reason)
	lib.XFreeValue(r.tls, r.context, global)
	lib.XFreeValue(r.tls, r.context, first.promise)
	return true
}

func (r *rejections) free(x rejection) {
	lib.XFreeValue(r.tls, r.context, x.promise)
	lib.XFreeValue(r.tls, r.context, x.reason)
}

// close forgets all of them. It comes before the virtual machine is closed.
func (r *rejections) close() {
	for _, x := range r.open {
		r.free(x)
	}
	r.open = nil
	trackers.Lock()
	delete(trackers.byID, r.id)
	trackers.Unlock()
}

// used collects garbage and returns how many bytes the virtual machine holds then. It
// is slow: it walks all of them.
func (r *rejections) used() int64 {
	lib.XJS_RunGC(r.tls, r.runtime)
	// The struct stands where C's variables do: transpiled C does arithmetic on its
	// address, which Go forbids on memory of its own.
	const size = int(unsafe.Sizeof(lib.TJSMemoryUsage{}))
	usage := r.tls.Alloc(size)
	defer r.tls.Free(size)
	lib.XJS_ComputeMemoryUsage(r.tls, r.runtime, usage)
	return (*lib.TJSMemoryUsage)(unsafe.Add(nil, usage)).Fmalloc_size
}
