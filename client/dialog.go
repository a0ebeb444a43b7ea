package client

import (
	"context"
	"fmt"
	"time"

	"extui/protocol"
)

// dialog is one open dialog. It is settled exactly once: by an answer, its
// deadline, the agent, or the end of the client. Only who settles it may write
// to the agent about it.
type dialog struct {
	request  protocol.Dialog
	key      uint64
	deadline time.Time // from its receipt; zero: none
	ctx      context.Context
	cancel   context.CancelCauseFunc

	// Guarded by Client.mu.
	over  bool
	why   error       // why it is over without an answer of the front end, or nil
	timer *time.Timer // nil: no deadline
}

// dialogContext has the dialog's deadline without a timer of its own: the end
// must come from settle, which also knows the cause.
type dialogContext struct {
	context.Context
	deadline time.Time
	key      uint64
	replaces bool
}

// keyName and replacesName are what a dialogContext keeps its key under, and whether
// the dialog replaces another one.
type (
	keyName      struct{}
	replacesName struct{}
)

func (c dialogContext) Value(name any) any {
	switch name {
	case keyName{}:
		return c.key
	case replacesName{}:
		return c.replaces
	}
	return c.Context.Value(name)
}

// DialogKey returns the [DialogEvent.Key] of the dialog that a [Frontend] is asked
// with ctx, or with a context derived from it. Keys grow in the order in which the
// agent sent its dialogs, while the calls of Ask for several that come at once may
// begin in any order. It returns 0 for any other context.
func DialogKey(ctx context.Context) uint64 {
	key, _ := ctx.Value(keyName{}).(uint64)
	return key
}

// Replaces reports whether the dialog that a [Frontend] is asked with ctx, or with a context
// derived from it, came with the id of one that was still open, which has ended with
// [ErrReplaced]. An agent that mixes up its ids may take the answer for the other one's: who
// answers without a person to see both should not approve it. It is false for any other
// context.
func Replaces(ctx context.Context) bool {
	replaces, _ := ctx.Value(replacesName{}).(bool)
	return replaces
}

func (c dialogContext) Deadline() (time.Time, bool) { return c.deadline, !c.deadline.IsZero() }

// openDialog hands a dialog to the front end, and says whether it replaces one with its
// id. The reading goroutine calls it.
func (c *Client) openDialog(r protocol.Dialog, replaces bool) {
	d := &dialog{request: r}
	ctx, cancel := context.WithCancelCause(context.Background())
	limit, limited := r.DialogTimeout().Duration()
	now := time.Now()
	if limited {
		d.deadline = now.Add(limit)
	}

	c.mu.Lock()
	if c.gone != nil || c.stopping {
		why := c.gone
		c.mu.Unlock()
		cancel(nil)
		if why == nil {
			why = ErrStopped
		}
		c.refuse(r, why)
		return
	}
	c.lastKey++
	d.key = c.lastKey
	d.ctx, d.cancel = dialogContext{ctx, d.deadline, d.key, replaces}, cancel
	c.open[r.RequestID().Key()] = d
	if limited {
		d.timer = time.AfterFunc(limit, func() { c.expire(d) })
	}
	ev := &DialogEvent{Open: true, Key: d.key, Dialog: r, Deadline: d.deadline}
	c.mirror.record(Change{Dialog: ev, At: now})
	c.asks.Start(func() { c.ask(d) })
	c.mu.Unlock()
	c.mirror.out.drain()
}

// settle ends d and reports whether it was still open. c.mu is held; drain the
// mirror afterwards.
func (c *Client) settle(d *dialog, answer protocol.Answer, why error) bool {
	if d.over {
		return false
	}
	d.over, d.why = true, why
	delete(c.open, d.request.RequestID().Key())
	if d.timer != nil {
		d.timer.Stop()
	}
	d.cancel(why)
	c.mirror.record(Change{At: time.Now(), Dialog: &DialogEvent{
		Key: d.key, Dialog: d.request, Deadline: d.deadline, Answer: answer, Why: why}})
	return true
}

func (c *Client) expire(d *dialog) {
	c.mu.Lock()
	c.settle(d, nil, ErrExpired)
	c.mu.Unlock()
	c.mirror.out.drain()
}

// endOpen ends the open dialog of that id without an answer, if there is one. To an agent
// that may take an id for another one, see protocol.ID.Key, they are the same; one that
// tells them apart gets a cancellation for what is replaced.
func (c *Client) endOpen(id protocol.ID, why error) bool {
	c.mu.Lock()
	d, ok := c.open[id.Key()]
	if ok {
		c.settle(d, nil, why)
	}
	c.mu.Unlock()
	c.mirror.out.drain()
	if ok && why == ErrReplaced && d.request.RequestID() != id {
		c.cancelUnasked(d.request.RequestID())
	}
	return ok
}

// ask has the front end answer d and sends what it says.
func (c *Client) ask(d *dialog) {
	answer, err := askGuarded(d.ctx, c.front, d.request)
	sent := answer
	if err != nil {
		err = fmt.Errorf("front end: %w", err)
	} else if answer == nil {
		err = fmt.Errorf("front end: no answer and no error")
	}
	var resp *protocol.Response
	if err == nil {
		if resp, err = protocol.Respond(d.request, answer); err != nil {
			err = fmt.Errorf("front end: %w", err)
		}
	}
	if err != nil {
		sent = protocol.Cancelled{}
		resp = &protocol.Response{ID: d.request.RequestID(), Cancelled: true}
	}

	c.mu.Lock()
	if !d.deadline.IsZero() && !time.Now().Before(d.deadline) {
		c.settle(d, nil, ErrExpired) // the timer is late
	}
	ours := c.settle(d, sent, err)
	if ours {
		c.sends.Enter()
	}
	why := d.why
	c.mu.Unlock()
	c.mirror.out.drain()

	if !ours {
		c.dropped(d, answer, why)
		return
	}
	if err != nil {
		c.note(Diagnostic{Kind: KindFrontend, Method: d.request.Method(), ID: d.request.RequestID(), Err: err})
		c.dropped(d, answer, err)
	}
	werr := c.send(resp)
	c.sends.Leave()
	if werr != nil && err == nil {
		c.dropped(d, answer, werr)
	}
}

// dropped tells the front end that a was not sent.
func (c *Client) dropped(d *dialog, a protocol.Answer, why error) {
	if err := tellDropped(c.front, d.request, a, why); err != nil {
		c.note(Diagnostic{Kind: KindFrontend, Method: d.request.Method(), ID: d.request.RequestID(),
			Err: fmt.Errorf("front end: dropped answer: %w", err)})
	}
}

// send queues a response. The error matches ErrAgentGone or ErrStopped.
func (c *Client) send(r *protocol.Response) error {
	err := c.out.Write(c.base, protocol.AppendResponse(nil, r))
	if err == nil {
		return nil
	}
	return c.over(err)
}

// over returns why nothing can be written any more, which shows itself as err.
func (c *Client) over(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.gone != nil:
		return c.gone
	case c.stopping:
		return ErrStopped
	}
	return fmt.Errorf("%w: %w", ErrAgentGone, err)
}

// refuse cancels a dialog that the front end is not asked, and tells it so first. It does
// not block, as cancelUnasked.
func (c *Client) refuse(r protocol.Request, why error) {
	c.sends.Enter()
	c.own.Start(func() {
		defer c.sends.Leave()
		if err := tellUnasked(c.front, r, why); err != nil {
			c.note(Diagnostic{Kind: KindFrontend, Method: r.Method(), ID: r.RequestID(), Err: fmt.Errorf("front end: unasked: %w", err)})
		}
		c.cancelUnasked(r.RequestID())
	})
}

// cancelUnasked answers a dialog that the front end is not asked, or no longer. It must not
// block, for the reading goroutine calls it and the agent may not be reading.
func (c *Client) cancelUnasked(id protocol.ID) {
	if id.IsZero() {
		return // nothing to answer under
	}
	c.sends.Enter()
	c.own.Start(func() {
		defer c.sends.Leave()
		// An agent that is gone, or was told to stop, needs no answer.
		_ = c.send(&protocol.Response{ID: id, Cancelled: true})
	})
}
