package proxy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"extui/client"
	"extui/protocol"
	"extui/questionnaire"
)

// question is one dialog of a walk, which the client is asked.
type question struct {
	of    *dialog
	reply chan []byte   // one place: only the first response counts
	taken chan struct{} // closed when the next question has been asked
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
	return !p.can.questionnaire
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
func (p *Proxy) walk(ctx context.Context, e *dialog, q *protocol.Questionnaire) (protocol.Answer, error) {
	if err := walkable(q); err != nil {
		return nil, err
	}
	answers, err := questionnaire.Walk(ctx, &plainly{p: p, of: e}, q.Questions)
	if errors.Is(err, questionnaire.ErrDeclined) {
		return protocol.Cancelled{}, nil
	}
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// plainly asks the client dialogs of the proxy's own in place of another.
type plainly struct {
	p    *Proxy
	of   *dialog
	last *question // nil before the first
}

// Ask writes one dialog to the client and waits for its response.
func (w *plainly) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	p := w.p
	d = protocol.WithID(d, newID()).(protocol.Dialog)
	if deadline, ok := ctx.Deadline(); ok {
		left, err := protocol.After(max(time.Until(deadline).Round(time.Millisecond), time.Millisecond))
		if err != nil {
			return nil, err
		}
		d = protocol.WithTimeout(d, left)
	}
	record, err := protocol.AppendRequest(nil, d)
	if err != nil {
		return nil, fmt.Errorf("ask the client: %w", err)
	}
	q := &question{of: w.of, reply: make(chan []byte, 1), taken: make(chan struct{})}
	p.mu.Lock()
	p.walked[d.RequestID().Key()] = q
	p.mu.Unlock()
	if w.last != nil {
		close(w.last.taken)
	}
	w.last = q
	defer func() {
		p.mu.Lock()
		delete(p.walked, d.RequestID().Key())
		p.mu.Unlock()
	}()
	err = p.client.write(append(record, '\n'))
	w.of.placed() // What the agent says next comes behind the first question.
	if err != nil {
		return nil, err
	}
	select {
	case raw := <-q.reply:
		if late(ctx) {
			<-ctx.Done()
			return nil, errors.Join(context.Cause(ctx), p.takeBack(d.RequestID(), reason(context.Cause(ctx))))
		}
		a, _, err := meaning(d, raw)
		return a, err
	case <-ctx.Done():
		return nil, errors.Join(context.Cause(ctx), p.takeBack(d.RequestID(), reason(context.Cause(ctx))))
	}
}

// takeBackShown tells the client, if it wants to know it, that a dialog is over which it has
// got and not answered. It does not wait for the client.
func (p *Proxy) takeBackShown(e *dialog, reason string) {
	p.mu.Lock()
	tell, face := e.asked && !e.heard, e.face
	p.mu.Unlock()
	if !tell || !p.knowsCancel() {
		return
	}
	p.work.Go(func() {
		<-e.wrote
		// A client that is gone needs no telling.
		_ = p.takeBack(face, reason)
	})
}

// takeBack tells a client that wants to know it that a dialog which it has got is over. What
// it is not told it learns when its answer goes nowhere.
func (p *Proxy) takeBack(face protocol.ID, reason string) error {
	if !p.knowsCancel() {
		return nil
	}
	record, err := protocol.AppendRequest(nil, &protocol.Cancel{ID: newID(), TargetID: face, Reason: reason})
	if err != nil {
		return fmt.Errorf("take a dialog back: %w", err)
	}
	return p.client.write(append(record, '\n'))
}

// What a client is told about the end of a dialog that it has got.
const (
	reasonTimeout  = "timeout"
	reasonReplaced = "replaced" // another dialog has its id
	reasonRule     = "decided by a rule"
)

// reason is why a dialog is over, for a client.
func reason(why error) string {
	if back, ok := errors.AsType[*client.TakenBackError](why); ok {
		return back.Reason
	}
	if errors.Is(why, errTimeout) || errors.Is(why, client.ErrExpired) {
		return reasonTimeout
	}
	return ""
}
