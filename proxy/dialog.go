package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"extui/client"
	"extui/internal/crew"
	"extui/protocol"
)

// dialog is a request that is open.
type dialog struct {
	d      protocol.Dialog
	line   []byte // as it came, with its line end
	ctx    context.Context
	cancel context.CancelCauseFunc
	// end is when its time is over, zero for never, and expiry is why it ends then. The
	// clock is asked too, for whoever ends ctx may be late.
	end    time.Time
	expiry error
	// placed says that it is decided whether the client gets the request, and that it
	// has got it then: what the agent says next must not overtake it.
	placed func()
	// reply has the client's response. Its one place suffices: only the first counts.
	reply chan []byte
	// over is closed when it is settled, by whom settles it, with the answer, if there
	// is one, on its way.
	over chan struct{}
	// wrote is closed once the client has got the request, or cannot get it.
	wrote chan struct{}
	// release lets go of a dialog that was asked by no goroutine of its own, once it is
	// settled by its answer.
	release func()

	// Guarded by Proxy.mu.
	asked   bool        // the client gets the request, and may answer
	face    protocol.ID // that the client knows it by; set with asked
	heard   bool        // the client has answered
	walking bool        // the client is asked dialogs in its place
	settled bool        // set once, by close
	// answered is the client's response, if nobody reads it otherwise, and what it means.
	answered []byte
	meaning  protocol.Answer
}

// dialogKey is the key of the dialog in the context that its rules get.
type dialogKey struct{}

// dialog opens a dialog, and returns when it has found its place among what the
// client reads. An error is that of writing to the client.
func (p *Proxy) dialog(d protocol.Dialog, line []byte) error {
	if first := p.holder(d.RequestID()); first != nil {
		why := fmt.Errorf("its id %q is that of %s, which is open, and nobody could tell which of them an answer is for", d.RequestID(), name(first.d))
		p.report("cancelled %s: %w", name(d), why)
		p.cancelUnasked(d, why)
		return nil
	}
	e := &dialog{d: d, over: make(chan struct{}), wrote: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(p.base)
	e.ctx, e.cancel = ctx, cancel
	var stop context.CancelFunc = func() {}
	if e.end, e.expiry = p.limit(d); !e.end.IsZero() {
		e.ctx, stop = context.WithDeadlineCause(ctx, e.end, e.expiry)
	}
	q, walk := d.(*protocol.Questionnaire)
	if p.rules != nil || walk && p.mustWalk(q) {
		e.line = bytes.Clone(line)
		p.entrust(e, stop)
		return nil
	}
	// Whatever ends it but its answer is told here.
	p.work.Add(1)
	unwatch := context.AfterFunc(e.ctx, func() {
		defer p.work.Done()
		defer cancel(nil)
		defer stop()
		p.settle(e, protocol.Cancelled{}, nil)
	})
	e.release = func() {
		if unwatch() {
			p.work.Done()
		}
		stop()
		cancel(nil)
	}
	p.register(e, true)
	defer close(e.wrote)
	record, err := e.forClient(e.ctx, line)
	if err != nil {
		p.settle(e, nil, err)
		e.release()
		return nil
	}
	return p.client.write(record)
}

// longestTimer is the longest time that a timer of JavaScript can have, 24.8 days: what an
// agent says beyond it is no limit that it keeps.
const longestTimer = (1<<31 - 1) * time.Millisecond

// limit is when the time of a dialog that comes now is over, zero for never, and why it
// ends then.
func (p *Proxy) limit(d protocol.Dialog) (end time.Time, expiry error) {
	if own, ok := d.DialogTimeout().Duration(); ok && (own <= longestTimer || p.opts.DialogTimeout == 0) {
		return time.Now().Add(own), client.ErrExpired
	}
	if p.opts.DialogTimeout > 0 {
		return time.Now().Add(p.opts.DialogTimeout), errTimeout
	}
	return time.Time{}, nil
}

// ended says why the dialog is over, nil if it is not.
func (e *dialog) ended() error {
	if e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	if !e.end.IsZero() && !time.Now().Before(e.end) {
		return e.expiry
	}
	return nil
}

// register makes e the open dialog of its id, which no other has. asked says that the
// client gets it.
func (p *Proxy) register(e *dialog, asked bool) {
	p.mu.Lock()
	p.open[e.d.RequestID().Key()] = e
	if asked {
		p.show(e)
	}
	late := p.draining
	p.mu.Unlock()
	if late {
		// Its agent has been told to end, and takes the default.
		e.cancel(client.ErrStopped)
	}
}

// entrust opens a dialog about which the rules decide, or which is walked, in a
// goroutine of its own. stop releases its context.
func (p *Proxy) entrust(e *dialog, stop func()) {
	placed := make(chan struct{})
	e.placed = sync.OnceFunc(func() { close(placed) })
	e.reply = make(chan []byte, 1)
	p.register(e, false)
	p.work.Go(func() {
		defer e.cancel(nil)
		defer stop()
		defer e.placed()
		// Whoever is asked may be slow to see that the dialog is over, or, with a client
		// that does not read, unable to.
		ended := make(chan struct{})
		unwatch := context.AfterFunc(e.ctx, func() {
			defer close(ended)
			p.settle(e, protocol.Cancelled{}, nil)
			e.placed()
		})
		a, err := p.decide(e)
		if sent, why := p.settle(e, a, err); !sent && a != nil {
			p.tellDropped(e, a, why)
		}
		if !unwatch() {
			<-ended
		}
	})
	<-placed
}

// decide asks the rules, or walks if there are none.
func (p *Proxy) decide(e *dialog) (a protocol.Answer, err error) {
	if p.rules == nil {
		return p.ask(e.ctx, e)
	}
	if panicked := crew.Traced(func() { a, err = p.rules.Ask(context.WithValue(e.ctx, dialogKey{}, e), e.d) }); panicked != nil {
		return nil, panicked
	}
	return a, err
}

// tellDropped tells the rules that their answer was not sent.
func (p *Proxy) tellDropped(e *dialog, a protocol.Answer, why error) {
	t, ok := p.rules.(client.Dropped)
	if !ok {
		return
	}
	if err := crew.Traced(func() { t.Dropped(e.d, a, why) }); err != nil {
		p.report("%s: %w", name(e.d), err)
	}
}

// tellUnasked tells the rules of a dialog that they are not asked.
func (p *Proxy) tellUnasked(r protocol.Request, why error) {
	t, ok := p.rules.(client.Unasked)
	if !ok {
		return
	}
	if err := crew.Traced(func() { t.Unasked(r, why) }); err != nil {
		p.report("%s request: %w", r.Method(), err)
	}
}

// decided lets pass what the agent says after a dialog that the client may never
// see.
func (p *Proxy) decided(d protocol.Dialog) {
	p.mu.Lock()
	e := p.open[d.RequestID().Key()]
	p.mu.Unlock()
	if e != nil && e.d == d {
		e.placed()
	}
}

// over ends an open dialog without a word to the agent, which knows.
func (p *Proxy) over(e *dialog, why error) {
	p.mu.Lock()
	first := !e.settled
	p.close(e)
	p.mu.Unlock()
	if first {
		close(e.over)
		e.cancel(why)
	}
}

// settle answers a dialog, once. An answer that does not fit, and an error, cancel
// it. If the answer is not sent, why says what has come before it.
func (p *Proxy) settle(e *dialog, a protocol.Answer, err error) (sent bool, why error) {
	cause := e.ended()
	p.mu.Lock()
	if e.settled {
		p.mu.Unlock()
		return false, cause
	}
	p.close(e)
	asked, raw := e.asked, e.answered
	same := raw != nil && err == nil && reflect.DeepEqual(a, e.meaning)
	p.mu.Unlock()
	defer close(e.over)
	switch {
	case errors.Is(cause, client.ErrExpired), errors.Is(cause, client.ErrAgentGone):
		return false, cause // The agent has gone on.
	case errors.Is(cause, errClientClosed) && asked:
		return false, cause // The agent sees the end of its input, as without a proxy.
	case cause != nil:
		p.report("cancelled %s: %w", name(e.d), cause)
		timedOut := errors.Is(cause, errTimeout)
		p.send(protocol.AppendResponse(nil, &protocol.Response{ID: e.d.RequestID(), Cancelled: true, TimedOut: timedOut}))
		if timedOut {
			p.takeBackShown(e, reasonTimeout)
		}
		return false, cause
	case same:
		p.forward(raw)
		return true, nil
	case err == nil && a == nil:
		err = errors.New("there is no answer")
	}
	var r *protocol.Response
	if err == nil {
		r, err = protocol.Respond(e.d, a)
	}
	if err != nil {
		p.report("cancelled %s: %w", name(e.d), err)
		r = &protocol.Response{ID: e.d.RequestID(), Cancelled: true}
	}
	p.send(protocol.AppendResponse(nil, r))
	reason := reasonRule
	if r.TimedOut {
		reason = reasonTimeout
	}
	p.takeBackShown(e, reason)
	return err == nil, err
}

func name(d protocol.Dialog) string {
	return fmt.Sprintf("%s %.60q", d.Method(), d.DialogTitle())
}
