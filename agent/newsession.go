package agent

import (
	"context"

	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// newSession replaces the session, unless an extension objects.
func (a *Agent) newSession(c *protocol.Command) {
	const name = "new_session"
	// Not through a.command: its own session ends in the middle.
	a.runs.command(a.base, name, func(ctx context.Context) {
		var cancelled bool
		err := Protect(func() (err error) {
			cancelled, err = a.replaceSession(ctx)
			return err
		})
		switch {
		case err != nil:
			a.out.post(failure(c, "start a new session: "+err.Error()))
		case cancelled:
			a.out.post(success(c, jsontext.Value(`{"cancelled":true}`)))
		default:
			a.out.post(success(c, jsontext.Value(`{"cancelled":false}`)))
		}
	})
}

// replaceSession asks the extensions, ends the current session and begins another.
// The order is what matters: every dialog of the old session is settled before
// anything is torn down, and nothing of the old one is written after the new one
// has begun.
func (a *Agent) replaceSession(ctx context.Context) (cancelled bool, err error) {
	select {
	case a.switching <- struct{}{}:
		defer func() { <-a.switching }()
	case <-ctx.Done():
		return true, nil
	}
	old := a.Session()
	// An abort while somebody is being asked is no consent either.
	if a.rt.BeforeSwitch(ctx, old, ReasonNew) || ctx.Err() != nil {
		return true, nil
	}
	old.endDialogs(ErrSessionReplaced)
	if !old.takeDown() {
		return true, nil // the agent is ending
	}
	old.cancel(ErrSessionReplaced)
	a.guard(old, "session_shutdown", func() { a.rt.Shutdown(ctx, old, ReasonNew) })
	old.close(ErrSessionReplaced)

	s := newSession(a)
	loadErr := Protect(func() error { return a.rt.Load(ctx, s) })
	a.mu.Lock()
	if err := a.ending; err != nil {
		a.mu.Unlock()
		return false, err
	}
	s.serve()
	a.session = s
	a.mu.Unlock()
	close(old.next)
	if loadErr != nil {
		return false, loadErr
	}
	a.rt.Start(ctx, s, ReasonNew)
	return false, nil
}
