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

// next puts the reason of the first rejection in the global variable __rejection,
// where prelude.js looks for it. It returns false if there is none.
func (r *innards) next() bool {
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

func (r *innards) free(x rejection) {
	lib.XFreeValue(r.tls, r.context, x.promise)
	lib.XFreeValue(r.tls, r.context, x.reason)
}
