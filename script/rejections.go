package script

import (
	"errors"

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
// reason and the promise, where prelude.js looks for them. found is false if there is
// none; without memory for it, it is lost and err says so.
func (r *innards) next() (found bool, err error) {
	if len(r.open) == 0 {
		return false, nil
	}
	first := r.open[0]
	r.open = r.open[1:]
	if reason, promise := r.setGlobal("__rejection", first.reason), r.setGlobal("__rejected", first.promise); !reason || !promise {
		return true, errNoRoom
	}
	return true, nil
}

// errNoRoom says that QuickJS had no memory for a variable.
var errNoRoom = errors.New("no memory is left for a variable")

// setGlobal sets a global variable, which takes over the value. It returns false if there
// is no memory for that.
func (r *innards) setGlobal(name string, value lib.TJSValue) bool {
	text, err := libc.CString(name)
	if err != nil {
		lib.XFreeValue(r.tls, r.context, value)
		return false
	}
	defer libc.Xfree(r.tls, text)
	global := lib.XJS_GetGlobalObject(r.tls, r.context)
	ok := lib.XJS_SetPropertyStr(r.tls, r.context, global, text, value) >= 0
	if !ok {
		lib.XFreeValue(r.tls, r.context, lib.XJS_GetException(r.tls, r.context))
	}
	lib.XFreeValue(r.tls, r.context, global)
	return ok
}

func (r *innards) free(x rejection) {
	lib.XFreeValue(r.tls, r.context, x.promise)
	lib.XFreeValue(r.tls, r.context, x.reason)
}
