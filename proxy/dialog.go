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
	"extui/protocol"
)

// dialog is a request that is open.
type dialog struct {
	d      protocol.Dialog
	line   []byte // as it came, with its line end
	ctx    context.Context
	cancel context.CancelCauseFunc
	// placed is closed when it is decided whether the client gets the request, and
	// it has got it then: what the agent says next must not overtake it.
	placed func()
	// reply has the client's response. Its one place suffices: only the first counts.
	reply chan []byte
	// done is closed when the rules have had their say and the answer is on its way.
	done chan struct{}

	// Guarded by Proxy.mu.
	asked   bool // the client may answer
	settled bool
	// answered is the client's response, and what it was taken for.
	answered []byte
	meaning  protocol.Answer
}

// dialog opens a dialog, and returns when it has found its place among what the
// client reads.
func (p *Proxy) dialog(d protocol.Dialog, line []byte) {
	placed := make(chan struct{})
	e := &dialog{d: d, line: bytes.Clone(line), placed: sync.OnceFunc(func() { close(placed) }), reply: make(chan []byte, 1), done: make(chan struct{})}
	ctx, cancel := context.WithCancelCause(p.base)
	e.ctx, e.cancel = ctx, cancel
	var stop context.CancelFunc = func() {}
	if limit, ok := d.DialogTimeout().Duration(); ok {
		e.ctx, stop = context.WithTimeoutCause(ctx, limit, client.ErrExpired)
	} else if p.opts.DialogTimeout > 0 {
		e.ctx, stop = context.WithTimeoutCause(ctx, p.opts.DialogTimeout, errTimeout)
	}
	p.over(d.RequestID(), client.ErrReplaced)
	p.mu.Lock()
	p.open[d.RequestID()] = e
	late := p.draining
	p.mu.Unlock()
	if late {
		// Its agent has been told to end, and takes the default.
		cancel(client.ErrStopped)
	}
	p.work.Go(func() {
		defer close(e.done)
		defer e.placed()
		defer stop()
		defer cancel(nil)
		var a protocol.Answer
		var err error
		if p.rules != nil {
			a, err = p.rules.Ask(e.ctx, d)
		} else {
			a, err = p.ask(e.ctx, e)
		}
		p.settle(e, a, err)
	})
	<-placed
}

// decided lets pass what the agent says after a dialog that the client may never
// see.
func (p *Proxy) decided(d protocol.Dialog) {
	p.mu.Lock()
	e := p.open[d.RequestID()]
	p.mu.Unlock()
	if e != nil {
		e.placed()
	}
}

// over ends an open dialog without a word to the agent, which knows.
func (p *Proxy) over(id protocol.ID, why error) {
	p.mu.Lock()
	e := p.open[id]
	if e != nil {
		e.settled = true
		delete(p.open, id)
	}
	p.mu.Unlock()
	if e != nil {
		e.cancel(why)
	}
}

// settle answers a dialog, once. An answer that does not fit, and an error, cancel
// it.
func (p *Proxy) settle(e *dialog, a protocol.Answer, err error) {
	p.mu.Lock()
	if e.settled {
		p.mu.Unlock()
		return
	}
	e.settled = true
	if p.open[e.d.RequestID()] == e {
		delete(p.open, e.d.RequestID())
	}
	raw, same := e.answered, e.answered != nil && err == nil && reflect.DeepEqual(a, e.meaning)
	p.mu.Unlock()
	cause := context.Cause(e.ctx)
	switch {
	case errors.Is(cause, client.ErrExpired), errors.Is(cause, client.ErrAgentGone):
		return // The agent has gone on.
	case cause != nil:
		p.report("cancelled %s: %w", name(e.d), cause)
		a, err = protocol.Cancelled{}, nil
	case same:
		p.send(raw)
		return
	case err == nil && a == nil:
		err = errors.New("there is no answer")
	}
	if err != nil {
		p.report("cancelled %s: %w", name(e.d), err)
		a = protocol.Cancelled{}
	}
	r, err := protocol.Respond(e.d, a)
	if err != nil {
		p.report("cancelled %s: %w", name(e.d), err)
		r = &protocol.Response{ID: e.d.RequestID(), Cancelled: true}
	}
	p.send(protocol.AppendResponse(nil, r))
}

func name(d protocol.Dialog) string {
	return fmt.Sprintf("%s %.60q", d.Method(), d.DialogTitle())
}

// asker is the client as the front end that rules hand dialogs on to.
type asker struct{ p *Proxy }

func (a asker) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	a.p.mu.Lock()
	e := a.p.open[d.RequestID()]
	a.p.mu.Unlock()
	if e == nil {
		return nil, fmt.Errorf("%s is not open", name(d))
	}
	return a.p.ask(ctx, e)
}

// Show does nothing: updates pass as they are.
func (a asker) Show(protocol.Update) {}

// Capabilities says that questionnaires may be asked, walked if need be.
func (a asker) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true}
}

// ask asks the client and returns what it answers.
func (p *Proxy) ask(ctx context.Context, e *dialog) (protocol.Answer, error) {
	if q, ok := e.d.(*protocol.Questionnaire); ok && p.mustWalk(q) {
		e.placed() // Its first dialog is written when it is made.
		return p.walk(ctx, q)
	}
	line := e.line
	if deadline, ok := ctx.Deadline(); ok {
		line = limited(e.d, line, time.Until(deadline))
	}
	p.mu.Lock()
	e.asked = true
	p.mu.Unlock()
	err := p.client.write(line)
	e.placed()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	select {
	case raw := <-e.reply:
		return p.meaning(e, raw)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// limited is a request with the timeout that the dialog has in truth, if its own is
// longer or missing. One that has it passes as it came.
func limited(d protocol.Dialog, line []byte, left time.Duration) []byte {
	// A deadline that is the dialog's own has lost no more than the time since.
	if own, ok := d.DialogTimeout().Duration(); ok && own-left < ownTimeout {
		return line
	}
	timeout, err := protocol.After(max(left.Round(time.Millisecond), time.Millisecond))
	if err != nil {
		return line
	}
	record, err := protocol.AppendRequest(nil, withTimeout(d, timeout))
	if err != nil {
		return line
	}
	return append(record, '\n')
}

// ownTimeout is how much shorter a limit must be than a dialog's own timeout to be
// told to the client.
const ownTimeout = 100 * time.Millisecond

func withTimeout(d protocol.Dialog, t protocol.Timeout) protocol.Dialog {
	switch d := d.(type) {
	case *protocol.Select:
		c := *d
		c.Timeout = t
		return &c
	case *protocol.Confirm:
		c := *d
		c.Timeout = t
		return &c
	case *protocol.Input:
		c := *d
		c.Timeout = t
		return &c
	case *protocol.Editor:
		c := *d
		c.Timeout = t
		return &c
	case *protocol.Questionnaire:
		c := *d
		c.Timeout = t
		return &c
	}
	return d
}

// meaning reads the client's response for the rules. Without rules it has gone to
// the agent as it came: judging it is the agent's business then.
func (p *Proxy) meaning(e *dialog, raw []byte) (a protocol.Answer, err error) {
	r, err := protocol.DecodeResponse(raw)
	if err == nil {
		a, err = r.Answer(e.d)
	}
	if err != nil {
		return nil, err
	}
	if plain(raw) {
		p.mu.Lock()
		e.answered, e.meaning = raw, a
		p.mu.Unlock()
	}
	return a, nil
}

// plain reports whether every agent reads a response as we do. One that says
// "confirmed":"no" would be a yes to some.
func plain(raw []byte) bool {
	c, err := protocol.DecodeCommand(raw)
	if err != nil {
		return false
	}
	for _, f := range c.Fields {
		if k := f.Value.Kind(); (f.Name == "confirmed" || f.Name == "cancelled") && k != 't' && k != 'f' {
			return false
		}
	}
	return true
}
