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
	a.runs.command(a.base, name, turnTime, func(ctx context.Context) {
		var cancelled bool
		err := Protect(func() (err error) {
			cancelled, err = a.replaceSession(ctx, ReasonNew, nil)
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

// Replace ends this session and begins another, as the client's new_session does, for
// an extension or a program that wants it. With ReasonNew the extensions are asked
// first and may object. With ReasonFork they are not: whoever forks has asked them.
// ReasonReload loads them again for what is the same session to the client: its id and
// name stay, and nobody is asked. It blocks until the handlers of
// session_start have run, and does not end with this session. The error says which
// extension could not be loaded; the session that has begun is then without it.
//
// A handler may call it, whose context then ends.
func (s *Session) Replace(reason Reason) (cancelled bool, err error) {
	return s.ReplaceWith(reason, nil)
}

// ReplaceWith is Replace that calls prepare, if not nil, with the session that follows,
// once its extensions are loaded and before it starts: nothing is written from it yet.
// ctx ends with the agent. If prepare fails, the session starts all the same and the
// error is returned.
func (s *Session) ReplaceWith(reason Reason, prepare func(ctx context.Context, next *Session) error) (cancelled bool, err error) {
	a := s.agent
	if !a.started.Load() {
		return false, ErrNoUI
	}
	if a.Session() != s {
		return false, ErrSessionReplaced
	}
	return a.replaceSession(a.base, reason, prepare)
}

// replaceSession asks the extensions, ends the current session and begins another.
// The order is what matters: every dialog of the old session is settled before
// anything is torn down, and nothing of the old one is written after the new one
// has begun.
func (a *Agent) replaceSession(ctx context.Context, reason Reason, prepare func(context.Context, *Session) error) (cancelled bool, err error) {
	select {
	case a.switching <- struct{}{}:
		defer func() { <-a.switching }()
	case <-ctx.Done():
		return true, nil
	}
	old := a.Session()
	// An abort while somebody is being asked is no consent either.
	asks := reason != ReasonReload && reason != ReasonFork
	if asks && a.rt.BeforeSwitch(ctx, old, reason) || ctx.Err() != nil {
		return true, nil
	}
	old.endDialogs(ErrSessionReplaced)
	if !old.takeDown() {
		return true, nil // the agent is ending
	}
	old.cancel(ErrSessionReplaced)
	a.guard(old, "session_shutdown", func() { a.rt.Shutdown(ctx, old, reason) })
	old.close(ErrSessionReplaced)

	s := newSession(a)
	if reason == ReasonReload {
		s.id, s.name = old.id, old.Name()
	}
	loadErr := Protect(func() error { return a.rt.Load(ctx, s) })
	var prepareErr error
	if prepare != nil && loadErr == nil {
		prepareErr = Protect(func() error { return prepare(ctx, s) })
	}
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
	a.rt.Start(ctx, s, reason)
	return false, prepareErr
}
