package policy

import (
	"context"
	"errors"
	"fmt"

	"extui/client"
	"extui/protocol"
)

// ids are the dialogs that are asked, by [protocol.ID.Key], and those that another one with their id has
// ended, until that one comes.
type ids map[string]*question

// enter notes that q is asked. It reports whether the agent could take an answer to q for
// one to another dialog: whichever of the two it means, nobody has seen both.
func (f *Frontend) enter(q *question) (unclear bool) {
	id := q.d.RequestID()
	if id.IsZero() {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.asked[id.Key()]
	if q.ctx.Err() == nil {
		f.asked[id.Key()] = q
	}
	return client.Replaces(q.ctx) || before != nil && (before.ctx.Err() == nil || before.replaced())
}

// leave notes that q is over.
func (f *Frontend) leave(q *question) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := q.d.RequestID().Key()
	if f.asked[id] == q && !q.replaced() {
		delete(f.asked, id)
	}
}

// replaced reports whether another dialog with its id has ended q.
func (q *question) replaced() bool { return errors.Is(context.Cause(q.ctx), client.ErrReplaced) }

// whyUnclear says why a dialog is cancelled whatever its rule says.
func whyUnclear(d protocol.Dialog) string {
	return fmt.Sprintf("another dialog with its id, %s, was open, and the answer could be taken for that one's", d.RequestID())
}
