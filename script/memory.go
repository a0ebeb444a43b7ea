package script

import (
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// reserve is what is set free for a moment once the memory is used up: the error that
// says so needs some, and without it JavaScript would see a null thrown from nowhere.
const reserve = 1 << 20

// memory limits what the JavaScript of one virtual machine holds.
type memory struct {
	limit   int64 // bytes; not positive: none
	short   bool  // in this turn, something was refused
	malloc  uintptr
	realloc uintptr
}

func (r *innards) allocation() *lib.TJSMallocContext {
	return &at[lib.TJSRuntime](r.runtime).Fmalloc_ctx
}

func (r *innards) limitMemory(limit int64) {
	r.memory.limit = limit
	if limit <= 0 {
		return
	}
	a := r.allocation()
	// QuickJS's own functions do not use it.
	a.Fmalloc_state.Fopaque = r.id
	r.memory.malloc, r.memory.realloc = a.Fmf.Fjs_malloc, a.Fmf.Fjs_realloc
	a.Fmf.Fjs_malloc, a.Fmf.Fjs_realloc = codePointer(onMalloc), codePointer(onRealloc)
	a.Fmalloc_state.Fmalloc_limit = lib.Tsize_t(limit)
}

// onMalloc stands in the place of QuickJS's own function, and calls that.
func onMalloc(tls *libc.TLS, state uintptr, size lib.Tsize_t) uintptr {
	r := innardsOf(at[lib.TJSMallocState](state).Fopaque)
	if r == nil {
		return 0
	}
	malloc := *(*func(*libc.TLS, uintptr, lib.Tsize_t) uintptr)(unsafe.Pointer(&struct{ code uintptr }{r.memory.malloc}))
	p := malloc(tls, state, size)
	if p == 0 && size != 0 {
		r.refused()
	}
	return p
}

func onRealloc(tls *libc.TLS, state, old uintptr, size lib.Tsize_t) uintptr {
	r := innardsOf(at[lib.TJSMallocState](state).Fopaque)
	if r == nil {
		return 0
	}
	realloc := *(*func(*libc.TLS, uintptr, uintptr, lib.Tsize_t) uintptr)(unsafe.Pointer(&struct{ code uintptr }{r.memory.realloc}))
	p := realloc(tls, state, old, size)
	if p == 0 && size != 0 {
		r.refused()
	}
	return p
}

// refused is called when there was no memory for something.
func (r *innards) refused() {
	r.memory.short = true
	r.allocation().Fmalloc_state.Fmalloc_limit = lib.Tsize_t(r.memory.limit + reserve)
}

// endTurn takes the reserve back, and reports whether the memory ran out in this turn.
func (r *innards) endTurn() (short bool) {
	if !r.memory.short {
		return false
	}
	r.memory.short = false
	r.allocation().Fmalloc_state.Fmalloc_limit = lib.Tsize_t(r.memory.limit)
	return true
}

// starved collects garbage and reports whether nearly all of the memory is held for
// good. It is slow.
func (r *innards) starved() bool {
	if r.memory.limit <= 0 {
		return false
	}
	lib.XJS_RunGC(r.tls, r.runtime)
	return int64(r.allocation().Fmalloc_state.Fmalloc_size) > r.memory.limit/10*9
}
