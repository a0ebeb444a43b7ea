package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"extui/protocol"
)

// Session is what lasts from the start, or from one new_session, to the next. Its
// methods may be called at once.
type Session struct {
	agent *Agent
	id    string
	ui    UI

	ctx    context.Context // ends with the session
	cancel context.CancelCauseFunc
	next   chan struct{}  // closed when another session is current
	asks   sync.WaitGroup // calls of Ask that have a dialog in open

	mu   sync.Mutex
	open map[protocol.ID]*pending
	// refuseDialogs and refuseUpdates say why nothing is written any more, or not
	// yet; nil while it is. Dialogs are refused first: shutdown handlers can say
	// goodbye, but there is nobody to ask.
	refuseDialogs error
	refuseUpdates error
	down          bool // its shutdown handlers run or have run
	name          string
	stream        *Stream         // the answer that began last; nil before the first
	reported      map[string]bool // unsupported methods that were used
}

func newSession(a *Agent) *Session {
	s := &Session{
		agent: a, id: a.opts.NewID(), next: make(chan struct{}),
		open: map[protocol.ID]*pending{}, reported: map[string]bool{},
		refuseDialogs: ErrNoUI, refuseUpdates: ErrNoUI,
	}
	s.ui.session = s
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// UI returns the session's ctx.ui. It never returns nil, and always the same.
func (s *Session) UI() *UI { return &s.ui }

// ID returns the session's id, as get_state shows it.
func (s *Session) ID() string { return s.id }

// Context ends when the session is replaced or the agent ends; its cause then is
// [ErrSessionReplaced] or [ErrDisconnected]. An abort does not end it.
func (s *Session) Context() context.Context { return s.ctx }

// Name returns the display name, "" if none was set.
func (s *Session) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// SetName sets the display name and tells the client; "" takes it away.
// ctx bounds the wait for a client that does not read.
func (s *Session) SetName(ctx context.Context, name string) error {
	return s.Emit(ctx, s.rename(name))
}

// rename sets the display name and returns the record that says so.
func (s *Session) rename(name string) []byte {
	s.mu.Lock()
	s.name = name
	s.mu.Unlock()
	record := []byte(`{"type":"session_info_changed"`)
	if name != "" {
		record = protocol.AppendString(append(record, `,"name":`...), name)
	}
	return append(record, '}')
}

// Emit writes a record of another kind than this package knows, such as a piece of
// the agent's answer. record is one JSON object without a line feed and is copied.
// It blocks while the client does not read, until ctx ends. The error matches
// [ErrNoUI], [ErrSessionReplaced] or ctx's.
func (s *Session) Emit(ctx context.Context, record []byte) error {
	if _, ok := protocol.RecordType(record); !ok {
		return fmt.Errorf("emit a record of %d bytes: %w", len(record), protocol.ErrNotObject)
	}
	if err := s.send(ctx, record); err != nil {
		return fmt.Errorf("emit a record of %d bytes: %w", len(record), err)
	}
	return nil
}

// Report writes an extension_error. It does not block, and works after the session
// was replaced too, for its handlers may fail then. Before Serve it only logs.
func (s *Session) Report(e protocol.ExtensionError) {
	s.agent.opts.Logger.Warn("extension failed", "extension", e.ExtensionPath, "event", e.Event, "error", e.Error)
	if s.agent.started.Load() {
		s.agent.out.post(protocol.AppendExtensionError(nil, &e))
	}
}

// Go runs fn in a goroutine that the end of [Agent.Serve] waits for. Its context
// ends with the session. name is for the report if it does not return. It returns
// false, and does not call fn, before Serve and when the agent is ending.
func (s *Session) Go(name string, fn func(ctx context.Context)) bool {
	a := s.agent
	if !a.started.Load() {
		return false
	}
	return a.runs.background(a.base, name, func(ctx context.Context) {
		ctx, stop := s.join(ctx)
		defer stop()
		if err := Protect(func() error { fn(ctx); return nil }); err != nil {
			s.Report(ExtensionError(name, "background", err))
		}
	})
}

// Abort does what the client's abort command does: it settles every open dialog
// with [ErrAborted] and ends the contexts of the handlers that are running.
func (s *Session) Abort() { s.agent.abort() }

// Shutdown makes [Agent.Serve] end as at the end of its input. It returns at once.
func (s *Session) Shutdown() { s.agent.stop(nil) }

// join returns a context like ctx that ends with the session too.
func (s *Session) join(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// send writes one update or event.
func (s *Session) send(ctx context.Context, record []byte) error {
	s.mu.Lock()
	err := s.refuseUpdates
	s.mu.Unlock()
	if err != nil {
		return err
	}
	err = s.agent.out.write(ctx, record)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", ErrDisconnected, err)
	}
	return err
}

// serve lets dialogs and updates pass.
func (s *Session) serve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuseDialogs, s.refuseUpdates = nil, nil
}

// endDialogs settles every open dialog with err and refuses others. It returns
// when all callers have their outcome and the client was told, so that nothing
// that is written afterwards can precede that.
func (s *Session) endDialogs(err error) {
	s.mu.Lock()
	s.refuseDialogs = err
	for _, p := range s.open {
		s.settle(p, outcome{err: err, dismiss: dismissSession})
	}
	s.mu.Unlock()

	told := make(chan struct{})
	go func() {
		s.asks.Wait()
		close(told)
	}()
	// Only a DialogWatcher that breaks its contract can hold this up.
	patience := time.NewTimer(s.agent.opts.Grace)
	defer patience.Stop()
	select {
	case <-told:
	case <-patience.C:
	}
}

// close refuses updates with err and ends the session's context.
func (s *Session) close(err error) {
	s.mu.Lock()
	s.refuseDialogs, s.refuseUpdates = err, err
	s.mu.Unlock()
	s.cancel(err)
}

// takeDown reports whether the caller is the first, and so the one who runs the
// shutdown handlers.
func (s *Session) takeDown() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.down
	s.down = true
	return first
}

// ExtensionError returns the report of an error of an extension, with the stack if
// it is a [*PanicError]. path and event are as in [protocol.ExtensionError].
func ExtensionError(path, event string, err error) protocol.ExtensionError {
	e := protocol.ExtensionError{ExtensionPath: path, Event: event, Error: err.Error()}
	if p, ok := errors.AsType[*PanicError](err); ok {
		e.Stack = p.Stack
	}
	return e
}
