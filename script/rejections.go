package script

import (
	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// rejection is a promise that was rejected and that nobody handles so far. QuickJS
// tells about it by a hook that package quickjs does not pass on.
type rejection struct{ promise, reason lib.TJSValue }

// onRejection is the hook. QuickJS calls it inside a turn, once when a promise without
// a handler is rejected and again when it gets one.
func onRejection(tls *libc.TLS, context uintptr, promise, reason lib.TJSValue, handled int32, id uintptr) {
	r := innardsOf(id)
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

// next puts the first rejection in the global variables __rejection and __rejected, its
// reason and the promise, where prelude.js looks for them. It returns false if there is
// none.
func (r *innards) next() bool {
	if len(r.open) == 0 {
		return false
	}
	first := r.open[0]
	r.open = r.open[1:]
	r.setGlobal("__rejection", first.reason)
	r.setGlobal("__rejected", first.promise)
	return true
}

// setGlobal sets a global variable, which takes over the value.
func (r *innards) setGlobal(name string, value lib.TJSValue) {
	text, err := libc.CString(name)
	if err != nil {
		lib.XFreeValue(r.tls, r.context, value)
		return
	}
	defer libc.Xfree(r.tls, text)
	global := lib.XJS_GetGlobalObject(r.tls, r.context)
	lib.XJS_SetPropertyStr(r.tls, r.context, global, text, value)
	lib.XFreeValue(r.tls, r.context, global)
}

func (r *innards) free(x rejection) {
	lib.XFreeValue(r.tls, r.context, x.promise)
	lib.XFreeValue(r.tls, r.context, x.reason)
}
