package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"extui/internal/crew"
	"extui/protocol"
)

// errNotCapable is the outcome of a dialog that no member can show.
var errNotCapable = errors.New("no front end can show it")

// Group is a [Frontend] that asks several at once. See [First].
type Group struct {
	members []Frontend
	calls   crew.Crew // every Ask of a member
}

// First returns a front end that shows every dialog and every update on all of
// fs. The first answer that fits the dialog wins; a cancellation is one as well.
// The others then see their context end with [ErrAnsweredElsewhere]. A member
// that fails, panics or gives an answer that does not fit leaves the rest
// asking; only when all have done so, the dialog fails. Questionnaires go to the
// members that are [Capable] of them.
//
// An answer is passed on at once, also while another member ignores the end of
// its context. Such stragglers belong to the Group: [Group.Close] waits for them.
func First(fs ...Frontend) *Group {
	return &Group{members: slices.Clone(fs)}
}

// race is one dialog in a Group.
type race struct {
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	over   bool            // there is a winner, or the caller has gone
	answer protocol.Answer // the winner's; set with over, or nil
	failed []error
}

// Ask implements [Frontend]. The error joins those of all members.
func (g *Group) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	members := g.members
	if _, ok := d.(*protocol.Questionnaire); ok {
		members = slices.DeleteFunc(slices.Clone(members), func(m Frontend) bool { return !canQuestionnaire(m) })
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("%s dialog: %w", d.Method(), errNotCapable)
	}
	inner, cancel := context.WithCancelCause(ctx)
	r := &race{cancel: cancel}
	finished := make(chan struct{}, len(members))
	for i, m := range members {
		g.calls.Start(func() {
			g.askMember(inner, r, i, m, d)
			finished <- struct{}{}
		})
	}
	for range members {
		select {
		case <-finished:
		case <-inner.Done():
		}
		if inner.Err() != nil {
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.answer != nil {
		return r.answer, nil
	}
	cancel(context.Cause(inner))
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("all %d front ends failed: %w", len(members), errors.Join(r.failed...))
}

// askMember asks one member and enters the outcome into r.
func (g *Group) askMember(ctx context.Context, r *race, i int, m Frontend, d protocol.Dialog) {
	a, err := askGuarded(ctx, m, d)
	if err == nil {
		_, err = protocol.Respond(d, a)
	}
	r.mu.Lock()
	over := r.over
	if !over && err == nil {
		r.over, r.answer = true, a
		// Under the lock, so that whoever finds the race over finds the cause as well.
		r.cancel(ErrAnsweredElsewhere)
	} else if !over {
		r.failed = append(r.failed, fmt.Errorf("front end %d: %w", i, err))
	}
	r.mu.Unlock()
	switch {
	case over:
		// A panic in here has no dialog left to cancel and nobody to report to.
		_ = tellDropped(m, d, a, context.Cause(ctx))
	case err != nil:
		_ = tellDropped(m, d, a, err)
	}
}

// Show implements [Frontend]. A member that panics does not keep the others from
// the update; the panic goes on to the caller once all have had it.
func (g *Group) Show(u protocol.Update) {
	var failed []error
	for _, m := range g.members {
		if err := crew.Traced(func() { m.Show(u) }); err != nil {
			failed = append(failed, err)
		}
	}
	if failed != nil {
		panic(errors.Join(failed...))
	}
}

// Capabilities implements [Capable]: what any member can do.
func (g *Group) Capabilities() protocol.Capabilities {
	var all protocol.Capabilities
	for _, m := range g.members {
		all.Questionnaire = all.Questionnaire || canQuestionnaire(m)
	}
	return all
}

// Dropped implements [Dropped]. The winner's answer came too late after all; all
// members are told, for the others had closed the dialog as answered.
func (g *Group) Dropped(d protocol.Dialog, a protocol.Answer, why error) {
	for _, m := range g.members {
		_ = tellDropped(m, d, a, why)
	}
}

// Close waits until every member has returned from Ask. It ends none of them:
// that is done by the ends of their dialogs. When ctx ends first, the error
// wraps ctx.Err(). Close may be called again.
func (g *Group) Close(ctx context.Context) error { return g.calls.Wait(ctx) }
