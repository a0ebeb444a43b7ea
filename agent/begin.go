package agent

import (
	"context"

	"extui/protocol"
)

// Begin opens a dialog as [UI.Ask] does, but returns when its record is on its way, so
// that what the caller does next comes behind it on the wire: an event loop can ask
// without waiting. It blocks only while the client does not read. done is called once,
// from a goroutine of its own, with what Ask would return.
func (u *UI) Begin(ctx context.Context, d protocol.Dialog, done func(protocol.Answer, error)) {
	fail := func(err error) { done(nil, dialogError(d.Method(), d.DialogTitle(), err)) }
	if u.session == nil {
		go fail(ErrNoUI)
		return
	}
	wait, err := u.session.begin(ctx, protocol.WithID(d, protocol.StringID(u.session.agent.opts.NewID())).(protocol.Dialog))
	go func() {
		if err != nil {
			fail(err)
			return
		}
		answer, err := wait()
		if err != nil {
			fail(err)
			return
		}
		done(answer, nil)
	}()
}
