package proxy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"extui/protocol"
	"extui/questionnaire"
)

// question is one dialog of a walk, which the client is asked.
type question struct {
	reply chan []byte // one place: only the first response counts
}

// mustWalk reports whether the client cannot show a questionnaire itself.
func (p *Proxy) mustWalk(q *protocol.Questionnaire) bool {
	if p.opts.PassQuestionnaires {
		return false
	}
	if q.Ask {
		return p.opts.Client != KnowsOhMyPi
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.can.Questionnaire
}

// walkable checks what a walk relies on. The sizes that Atomic limits are oh-my-pi's
// own affair.
func walkable(q *protocol.Questionnaire) error {
	err := questionnaire.Validate(q.Questions)
	if !q.Ask || err == nil {
		return err
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	sizes := []questionnaire.Code{questionnaire.CodeTooManyQuestions, questionnaire.CodeHeaderTooLong,
		questionnaire.CodeOptionCount, questionnaire.CodeLabelTooLong}
	return errors.Join(slices.DeleteFunc(slices.Clone(joined.Unwrap()), func(err error) bool {
		fault, ok := errors.AsType[*questionnaire.QuestionError](err)
		return ok && slices.Contains(sizes, fault.Code)
	})...)
}

// walk asks the questions one after the other.
func (p *Proxy) walk(ctx context.Context, q *protocol.Questionnaire) (protocol.Answer, error) {
	if err := walkable(q); err != nil {
		return nil, err
	}
	answers, err := questionnaire.Walk(ctx, plainly{p}, q.Questions)
	if errors.Is(err, questionnaire.ErrDeclined) {
		return protocol.Cancelled{}, nil
	}
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// plainly asks the client dialogs of the proxy's own.
type plainly struct{ p *Proxy }

// Ask writes one dialog to the client and waits for its response.
func (w plainly) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	p := w.p
	d = withID(d, p.newID())
	if deadline, ok := ctx.Deadline(); ok {
		left, err := protocol.After(max(time.Until(deadline).Round(time.Millisecond), time.Millisecond))
		if err != nil {
			return nil, err
		}
		d = withTimeout(d, left)
	}
	record, err := protocol.AppendRequest(nil, d)
	if err != nil {
		return nil, fmt.Errorf("ask the client: %w", err)
	}
	q := &question{reply: make(chan []byte, 1)}
	p.mu.Lock()
	p.walked[d.RequestID()] = q
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.walked, d.RequestID())
		p.mu.Unlock()
	}()
	if err := p.client.write(append(record, '\n')); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	select {
	case raw := <-q.reply:
		r, err := protocol.DecodeResponse(raw)
		if err != nil {
			return nil, err
		}
		return r.Answer(d)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func withID(d protocol.Dialog, id protocol.ID) protocol.Dialog {
	switch d := d.(type) {
	case *protocol.Select:
		c := *d
		c.ID = id
		return &c
	case *protocol.Confirm:
		c := *d
		c.ID = id
		return &c
	case *protocol.Input:
		c := *d
		c.ID = id
		return &c
	case *protocol.Editor:
		c := *d
		c.ID = id
		return &c
	}
	return d
}
