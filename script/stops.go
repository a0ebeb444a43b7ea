package script

import (
	"github.com/go-json-experiment/json/jsontext"
	"modernc.org/quickjs"
)

// A limit may stop code that no promise of a call hangs on: a reaction of a promise, or a
// callback. What it would have settled then never is, and the call would have no end.

// turn is what is known of a turn in progress.
type turn struct {
	active bool
	stop   *Error // the first that nobody in particular was told of; nil if there is none
	event  string // under which to report it
	told   bool   // a call has failed with one
	// results are of calls that have ended after something was stopped: perhaps because of
	// that, such as one that reads a stream to its end.
	results []result
	bus     link // the event that it delivers; none if it does not
}

type result struct {
	id    int
	value jsontext.Value
	err   error
}

// tell reports what no caller waits for. Stops wait for the end of the turn: memory that
// runs out may stop hundreds of promises, and a call may be the better one to tell.
func (e *engine) tell(event string, err *Error) {
	if !e.turn.active || !err.isStop() {
		e.report(event, err)
		return
	}
	if e.turn.stop == nil {
		e.turn.stop, e.turn.event = err, event
	}
}

// failed ends a call with the error that its handler threw.
func (e *engine) failed(id int, err *Error) {
	if err.isStop() {
		e.turn.told = true
		e.calls.finish(id, nil, err)
		return
	}
	e.ended(result{id: id, err: err})
}

// succeeded ends a call with what its handler returned.
func (e *engine) succeeded(id int, value jsontext.Value) { e.ended(result{id: id, value: value}) }

func (e *engine) ended(r result) {
	if e.turn.active && (e.inner.interrupted || e.inner.memory.short) {
		e.turn.results = append(e.turn.results, r)
		return
	}
	e.calls.finish(r.id, r.value, r.err)
}

// settleResults ends the calls that have returned or failed since something was stopped. They fail
// with that: a gate that returns because what it asked was stopped has not agreed. Only
// where memory ran out and the extension has dealt with it, what they returned counts.
func (e *engine) settleResults(t *turn) {
	stop := t.stop
	if stop == nil && e.inner.interrupted {
		stop = e.interrupted()
	}
	for _, r := range t.results {
		if stop == nil {
			e.calls.finish(r.id, r.value, r.err)
		} else if e.calls.fail(stop, func(open int, _ *call) bool { return open == r.id }) {
			t.told = true
		}
	}
}

// settleStop ends a turn in which something may have been stopped. The call that the turn
// was for fails with that, unless it has ended otherwise; where it is not known for whom
// the turn was, all do that nothing can end any more. Only if there is none, the stop is
// reported. err is what the turn itself ended with, which its caller reports.
func (e *engine) settleStop(err *Error) {
	t := e.turn
	e.turn = turn{}
	if t.stop == nil && err.isStop() {
		t.stop = err
	}
	e.settleResults(&t)
	stopped := t.stop != nil && !t.told
	if !stopped && !e.inner.interrupted {
		return
	}
	id, known := e.turnOf()
	if !stopped {
		// QuickJS lets go of some errors, such as that of an asynchronous generator which is
		// stopped just when it is asked for more.
		e.suspects = true
		e.calls.suspect(func(open int, c *call) bool { return c.begun && (id == 0 || open == id) })
		return
	}
	switch {
	case id != 0:
		if e.calls.fail(t.stop, func(open int, _ *call) bool { return open == id }) {
			return
		}
	case !known || !e.busy():
		if e.calls.fail(t.stop, func(_ int, c *call) bool { return c.begun }) {
			return
		}
	}
	if err == nil {
		e.report(t.event, t.stop)
	}
}

// interrupted is the error of something that ran for too long, where there is none.
func (e *engine) interrupted() *Error { return e.fromDescription("InternalError", "interrupted", "") }

// turnOf returns the call that the turn was for, 0 for none. known is false if JavaScript
// cannot even say that.
func (e *engine) turnOf() (id int, known bool) {
	v, err := e.entry.CallValue(quickjs.UndefinedValue, "call")
	if err != nil {
		return 0, false
	}
	defer v.Free()
	n, err := v.Any()
	if err != nil {
		return 0, false
	}
	return arguments{n}.integer(0), true
}

// busy reports whether anything is left that could make a promise come true.
func (e *engine) busy() bool { return len(e.timers) > 0 || !e.work.none() || e.queued() }
