package client

import (
	"context"

	"extui/internal/crew"
	"extui/protocol"
)

// Frontend shows what an agent asks and returns what the person, or the rule,
// decided. A terminal, a web page and a set of rules are front ends, and so is
// what wraps another one.
type Frontend interface {
	// Ask shows one dialog and returns its answer. It blocks as long as the
	// person takes. It is called from a goroutine of its own for each dialog, so
	// several calls may run at once; show them together or queue them.
	//
	// ctx ends when the dialog is over without this front end: return then.
	// [context.Cause] says why, as one of [ErrExpired], [ErrTakenBack],
	// [ErrReplaced], [ErrAnsweredElsewhere], [ErrAgentGone] and [ErrStopped].
	// ctx.Deadline is when the agent stops waiting, if it ever does. What Ask
	// returns after the end of ctx is not sent; see [Dropped].
	//
	// The answer must fit the dialog as [protocol.Respond] has it. An error, a
	// panic, a nil answer and one that does not fit count as
	// [protocol.Cancelled]: nothing is ever approved by accident. d is shared
	// and must not be changed.
	Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error)

	// Show takes an update, which wants no answer. Updates come in the order in
	// which the agent sent them, one at a time, and before the Ask of any dialog
	// that was sent later. It is called by the goroutine that reads the agent, so
	// it must not block: an agent that cannot write stands still. It gets every
	// update but *[protocol.Cancel], which ends the ctx of its dialog instead.
	// u is shared and must not be changed.
	Show(u protocol.Update)
}

// Capable is what a [Frontend] implements that can do more than the four plain
// dialogs. A questionnaire is only ever given to a front end that is Capable of
// it, and an agent only sends one if the client says that it is.
type Capable interface {
	// Capabilities returns what the front end can do. It must not block and may
	// be called at any time. Only Questionnaire is read; the client itself takes
	// care of Dismiss.
	Capabilities() protocol.Capabilities
}

// Dropped is what a [Frontend] implements that wants to know which of its
// answers were not sent, so that a text which somebody typed can stay visible.
type Dropped interface {
	// Dropped is called after an Ask whose answer a was not sent. why is the
	// cause of its context's end, or a *[protocol.AnswerError] if a did not fit d.
	// It is called from the goroutine of that Ask.
	Dropped(d protocol.Dialog, a protocol.Answer, why error)
}

// Unasked is what a [Frontend] implements that wants to know of every dialog, and so of those
// as well that it is not asked: one of an unknown method, one that cannot be read or cannot be
// answered, and one that comes when the end has begun.
type Unasked interface {
	// Unasked is called for a dialog that is not asked, before its cancellation is sent. r is
	// what could be read of it: a [protocol.Dialog] of which members may be missing, or a
	// *[protocol.Unknown], whose Raw is empty if not even the beginning can be read. Without an
	// id it cannot be answered, and no cancellation follows. why is never nil. It matches
	// [ErrStopped] if the end has begun, and [ErrAgentGone] if nothing is sent for the agent is
	// gone. r is shared and must not be changed.
	//
	// It is called from a goroutine of its own, so that it may block, which holds up the
	// cancellation and [Client.Close]. Several calls may run at once.
	Unasked(r protocol.Request, why error)
}

// Answered is what the cause of a context's end implements, see [Frontend], if the agent gets
// an answer all the same though the front end gave none. A proxy ends a dialog so when its time
// is up. [ErrStopped] does not implement it, and yet means that the agent gets a cancellation.
type Answered interface {
	error
	// Answer returns what the agent gets. It is never nil.
	Answer() protocol.Answer
}

func canQuestionnaire(f Frontend) bool {
	c, ok := f.(Capable)
	return ok && c.Capabilities().Questionnaire
}

// askGuarded is f.Ask with a panic as an error, and no answer without one.
func askGuarded(ctx context.Context, f Frontend, d protocol.Dialog) (a protocol.Answer, err error) {
	if p := crew.Traced(func() { a, err = f.Ask(ctx, d) }); p != nil {
		return nil, p
	}
	return a, err
}

// tellDropped tells f that a was not sent. A panic is returned.
func tellDropped(f Frontend, d protocol.Dialog, a protocol.Answer, why error) error {
	t, ok := f.(Dropped)
	if !ok || a == nil {
		return nil
	}
	return crew.Traced(func() { t.Dropped(d, a, why) })
}

// tellUnasked tells f of a dialog that it is not asked. A panic is returned.
func tellUnasked(f Frontend, r protocol.Request, why error) error {
	t, ok := f.(Unasked)
	if !ok {
		return nil
	}
	return crew.Traced(func() { t.Unasked(r, why) })
}
