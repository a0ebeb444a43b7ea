package choices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"extui/protocol"
)

// errFail is how a dialog fails that cannot be shown.
var errFail = errors.New("the dialog cannot be shown")

// Asked takes note of a dialog that has opened, and must be called once for each, in
// the order in which the agent sent them: choices are made in this order. key is what
// Answer is called with, and differs for each dialog.
func (p *Person) Asked(key uint64, d protocol.Dialog) {
	c := p.Take(d.DialogTitle())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slot(key) <- c
}

// Answer waits as long as the person takes and returns what the person chooses. It is
// an Ask of package client's Frontend: it may be called before [Person.Asked] and then
// waits for that. An error is the end of ctx, or a dialog that cannot be shown.
func (p *Person) Answer(ctx context.Context, key uint64, d protocol.Dialog) (protocol.Answer, error) {
	p.mu.Lock()
	slot := p.slot(key)
	p.mu.Unlock()
	var c Choice
	select {
	case c = <-slot:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if c.After > 0 {
		timer := time.NewTimer(c.delay())
		defer timer.Stop()
		// Not until the end of ctx: a person who is too late chooses all the same.
		<-timer.C
	}
	switch {
	case c.Fail:
		return nil, errFail
	case c.Stop || c.Wait:
		if c.Stop && p.Stop != nil {
			p.Stop()
		}
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	return c.answer(d)
}

// answer is the answer to d that the choice makes.
func (c Choice) answer(d protocol.Dialog) (protocol.Answer, error) {
	switch {
	case c.Value != nil:
		return protocol.Value(*c.Value), nil
	case c.Confirmed != nil:
		return protocol.Confirmed(*c.Confirmed), nil
	case c.Option != nil:
		s, ok := d.(*protocol.Select)
		if !ok || *c.Option < 0 || *c.Option >= len(s.Options) {
			return nil, fmt.Errorf("choose option %d: %s %q has none", *c.Option, d.Method(), d.DialogTitle())
		}
		return protocol.Value(s.Options[*c.Option].Answer()), nil
	case c.Answers != nil:
		// As an agent would read it.
		r := &protocol.Response{ID: d.RequestID(), Answers: c.Answers}
		return r.Answer(d)
	}
	return protocol.Cancelled{}, nil
}
