package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"extui/internal/jsonl"
	"extui/protocol"
)

// errWrite is matched by the reason why Serve ends if out cannot be written to.
var errWrite = errors.New("write to the client")

// errShutdown is why Serve ends after Session.Shutdown.
var errShutdown = errors.New("an extension asked for the end")

// Agent is the agent end of one connection. Its methods may be called at once.
type Agent struct {
	rt        Runtime
	watcher   DialogWatcher // rt, if it is one; nil otherwise
	opts      Options
	served    atomic.Bool     // Serve was called
	started   atomic.Bool     // base and out are set
	base      context.Context // Serve's, without its end; parent of all handlers' contexts; set by Serve
	out       *output         // set by Serve, before any session lets something pass
	begun     <-chan struct{} // closed once session_start has returned, asked or taken its time; set by Serve
	runs      runs
	ended     chan error    // capacity 1: the first reason to end other than the input's end
	switching chan struct{} // capacity 1: holds a value during the new_session in progress

	mu      sync.Mutex
	session *Session
	caps    protocol.Capabilities // what the client has turned on
	ending  error                 // why no session may begin any more; nil while Serve goes on

	counts struct {
		dialogs, updates, dismissals, invalid, ignored, badRecords, unsupported atomic.Uint64
	}
}

// New returns an agent that drives rt. rt may be nil: there are no commands then,
// and only [Agent.UI] is of use. opts may be nil and is copied. Nothing starts
// before Serve. It panics on options that contradict themselves.
func New(rt Runtime, opts *Options) *Agent {
	if rt == nil {
		rt = NoExtensions{}
	}
	a := &Agent{rt: rt, opts: opts.withDefaults(), ended: make(chan error, 1), switching: make(chan struct{}, 1)}
	a.watcher, _ = rt.(DialogWatcher)
	a.session = newSession(a)
	return a
}

// UI returns the ctx.ui of the current session, never nil. Its methods return
// [ErrNoUI] until Serve runs, and [ErrSessionReplaced] once another session has
// taken the place of this one.
func (a *Agent) UI() *UI { return a.Session().UI() }

// Session returns the current session, never nil.
func (a *Agent) Session() *Session {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.session
}

// Stats returns the counts so far.
func (a *Agent) Stats() Stats {
	s := a.Session()
	s.mu.Lock()
	open := len(s.open)
	s.mu.Unlock()
	c := &a.counts
	return Stats{
		OpenDialogs: open, Dialogs: c.dialogs.Load(), Updates: c.updates.Load(), Dismissals: c.dismissals.Load(),
		InvalidAnswers: c.invalid.Load(), IgnoredAnswers: c.ignored.Load(),
		BadRecords: c.badRecords.Load(), Unsupported: c.unsupported.Load(),
	}
}

func (a *Agent) capabilities() protocol.Capabilities {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.caps
}

// Serve speaks with one client until in ends, ctx ends, an extension calls
// Shutdown, or out cannot be written to. Nothing else may write to out. It may be
// called once.
//
// However it ends, open dialogs get their default first ([ErrDisconnected]), then
// the contexts of handlers end and they are waited for, then shutdown handlers
// run, and what was written is handed to the client; [Options.Grace] bounds each of
// the three. At the end of in, commands that were read before are started, and
// what they do without waiting is done.
//
// It returns nil at the end of in and after Shutdown, the cause of ctx when that
// ended, and otherwise what went wrong. Handlers that did not return are reported
// by a [*StuckError], joined to that; their goroutines are left behind. If in did
// not end by itself it is closed where it is an [io.Closer], since nothing else
// interrupts a read; a read that even so does not return is left behind as well.
func (a *Agent) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if a.served.Swap(true) {
		return errors.New("serve: this agent has been served already")
	}
	a.base = context.WithoutCancel(ctx)
	a.out = newOutput(out, func(err error) { a.stop(fmt.Errorf("%w: %w", errWrite, err)) })
	a.started.Store(true)
	s := a.Session()
	if err := Protect(func() error { return a.rt.Load(ctx, s) }); err != nil {
		s.close(ErrNoUI)
		_ = a.closeOutput() // the first failure is the one to tell
		return fmt.Errorf("load extensions: %w", err)
	}
	s.serve()
	a.takeTurn("session_start", startTime, nil, func(ctx context.Context, s *Session) {
		a.rt.Start(ctx, s, ReasonStartup)
	})
	a.begun = a.runs.settled()

	input := make(chan error, 1)
	go func() { input <- a.read(in) }()
	var result error
	drain, read := false, false
	select {
	case err := <-input:
		read, drain = true, err == io.EOF
		if err != io.EOF {
			result = err
		}
	case <-ctx.Done():
		result = context.Cause(ctx)
	case err := <-a.ended:
		drain = err == errShutdown
		if err != errShutdown {
			result = err
		}
	}
	err := a.end(result, drain)
	if !read {
		interrupt(in, input)
	}
	return errors.Join(result, err)
}

// stop makes Serve end, with err or, if it is nil, as at the end of the input.
// Only the first call counts.
func (a *Agent) stop(err error) {
	if err == nil {
		err = errShutdown
	}
	select {
	case a.ended <- err:
	default:
	}
}

// end takes everything down; see Serve. With drain, commands that were read may
// still do what they can do at once.
func (a *Agent) end(cause error, drain bool) error {
	reason := ErrDisconnected
	if cause != nil {
		reason = fmt.Errorf("%w: %w", ErrDisconnected, cause)
	}
	a.mu.Lock()
	a.ending = reason
	s := a.session
	a.mu.Unlock()
	s.endDialogs(reason)

	if drain {
		a.within(a.runs.settled())
	}
	idle := a.runs.end()
	a.runs.cancel(reason)
	s.cancel(reason)
	var stuck []string
	if !a.within(idle) {
		stuck = a.runs.names()
	}

	// A new_session that was under way may have left another session.
	s = a.Session()
	s.endDialogs(reason)
	if s.takeDown() && !a.shutdown(s) {
		stuck = append(stuck, "session_shutdown")
	}
	s.close(ErrNoUI)

	err := a.closeOutput()
	if errors.Is(cause, errWrite) {
		err = nil // the same once more
	}
	if stuck != nil {
		a.opts.Logger.Error("handlers do not return", "handlers", stuck)
		err = errors.Join(err, &StuckError{Names: stuck})
	}
	return err
}

// shutdown runs the shutdown handlers and reports whether they returned in time.
func (a *Agent) shutdown(s *Session) bool {
	ctx, cancel := context.WithTimeout(a.base, a.opts.Grace)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.guard(s, "session_shutdown", func() { a.rt.Shutdown(ctx, s, ReasonQuit) })
	}()
	return a.within(done)
}

// within waits for done, at most for the grace, and reports whether it came.
func (a *Agent) within(done <-chan struct{}) bool {
	timer := time.NewTimer(a.opts.Grace)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

func (a *Agent) closeOutput() error {
	ctx, cancel := context.WithTimeout(context.Background(), a.opts.Grace)
	defer cancel()
	if err := a.out.close(ctx); err != nil {
		return fmt.Errorf("write the rest of the output: %w", err)
	}
	return nil
}

// interrupt ends a read of in and waits a second for it.
func interrupt(in io.Reader, done <-chan error) {
	c, ok := in.(io.Closer)
	if !ok {
		return
	}
	_ = c.Close() // all that matters is that the read returns
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// read handles the client's records until in ends, and returns why it did. It
// never waits for a handler or for the client.
func (a *Agent) read(in io.Reader) error {
	r := jsonl.NewReader(yielding{in}, &jsonl.ReaderOptions{MaxRecord: a.opts.MaxRecord})
	for {
		record, err := r.Next()
		if big, ok := errors.AsType[*jsonl.OversizeError](err); ok {
			a.badRecord(big)
			continue
		}
		if err == io.EOF {
			return err
		}
		if err != nil {
			return fmt.Errorf("read from the client: %w", err)
		}
		a.handle(record)
	}
}

// yielding lets others run before it waits for input. The records that came so far
// have made handlers runnable, and a read of a standard input, which is seldom in
// non-blocking mode, keeps its thread: somebody would have to wake another one for
// them, which takes as long as the whole way to the client and back.
type yielding struct{ in io.Reader }

// Read implements [io.Reader].
func (y yielding) Read(p []byte) (int, error) {
	runtime.Gosched()
	return y.in.Read(p)
}
