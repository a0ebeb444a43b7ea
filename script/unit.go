package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"extui/extension"
	"extui/protocol"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// abortPatience is how long a handler whose context has ended may go on before its
// caller stops waiting: long enough to tidy up, short enough that one that waits for
// something that never comes holds up nobody.
const abortPatience = 500 * time.Millisecond

// unit is one extension over all sessions. Its engine is made for the first and
// lasts: as in pi, modules are loaded once and their variables survive new_session,
// while the function that they export runs anew.
type unit struct {
	loader *Loader
	path   string

	mu       sync.Mutex
	bundle   *bundle
	late     []string // files that the engine has bundled since
	outdated bool     // the bundle is newer than the engine
	engine   *engine  // nil before the first session
	run      *run     // of the latest session; nil before the first
	runs     int      // numbers them
	// setups are sessions that JavaScript fills before they start, see hold.
	setups map[int]*sessionState
}

// run is the extension in one session.
type run struct {
	unit   *unit
	engine *engine
	number int
	api    *extension.API

	mu      sync.Mutex
	base    *extension.Context         // of the session, from session_start on; nil before
	early   []earlyReport              // what happened before
	state   *sessionState              // nil before session_start
	dialogs map[int]context.CancelFunc // by promise
	// What it has registered and listens to.
	tools        []toolInfo
	commands     []commandInfo
	channels     map[string]bool
	flags        map[string]string // their types, by name
	toldTimeouts []string          // diagnostics that were given
	warned       map[string]bool   // channels whose data was not copied whole; belongs to the loop
}

type earlyReport struct {
	event string
	err   *Error
}

// setup is the Setup of the extension: it runs for each session.
func (u *unit) setup(api *extension.API) error {
	u.mu.Lock()
	if u.engine != nil && (u.outdated || u.spent()) {
		old := u.engine
		u.engine = nil
		// What it still has of the session before is stale. An engine that stays learns
		// that when it loads the next.
		number := u.runs
		old.post(func() {
			if err := old.enter("stale", number); err != nil {
				old.stopped(err)
			}
		})
		// It may be in the middle of the call that led here.
		u.loader.retired.Go(old.retire)
	}
	if u.engine == nil {
		if err := u.start(); err != nil {
			u.mu.Unlock()
			return err
		}
	}
	u.runs++
	r := &run{unit: u, engine: u.engine, number: u.runs, api: api, dialogs: map[int]context.CancelFunc{}}
	u.run = r
	u.mu.Unlock()

	info, err := json.Marshal(map[string]any{
		"path": u.path, "cwd": u.loader.opts.Cwd, "trusted": u.loader.opts.Trusted || !needsTrust(u.loader.opts.Cwd),
		"began": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	})
	if err != nil {
		return fmt.Errorf("describe the session: %w", err)
	}
	// First of this extension's handlers: what it does from here on has a session.
	api.OnSessionStart(func(c *extension.Context, _ *extension.SessionStart) error { r.bind(c); return nil })
	api.On("session_info_changed", func(*extension.Context, *extension.Event) (jsontext.Value, error) {
		r.mu.Lock()
		state := r.state
		r.mu.Unlock()
		if state != nil {
			state.named()
		}
		return nil, nil
	})
	// Nothing ends a load but its own limit, which restarts at each await.
	ctx, cancel := context.WithTimeout(context.Background(), u.loadLimit())
	defer cancel()
	_, err = r.invoke(ctx, nil, "load", r.number, string(info))
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("it was not loaded within %v", u.loadLimit())
	}
	if e, ok := errors.AsType[*Error](err); ok && !e.placed {
		return &loadFailure{e}
	}
	return err
}

func (u *unit) loadLimit() time.Duration {
	if limit := u.engine.limits.Run; limit > 0 {
		return 3 * limit
	}
	return time.Hour
}

// spent reports whether the engine can do nothing more. u.mu is held.
func (u *unit) spent() bool {
	u.engine.mu.Lock()
	defer u.engine.mu.Unlock()
	return u.engine.spent || u.engine.closed
}

// prepare bundles the extension, and starts its engine meanwhile. It is called once,
// before anybody else knows of u.
func (u *unit) prepare() error {
	var started error
	e := u.newEngine()
	var starting sync.WaitGroup
	starting.Go(func() { started = e.start() })
	b, err := makeBundle(u.path, api.FormatESModule)
	starting.Wait()
	if started != nil {
		return errors.Join(started, err)
	}
	if err != nil {
		e.close()
		return err
	}
	if err := u.loader.checkTrust(b.inputs...); err != nil {
		e.close()
		return err
	}
	u.bundle = b
	u.use(e)
	return nil
}

// start makes a new engine. u.mu is held.
func (u *unit) start() error {
	e := u.newEngine()
	if err := e.start(); err != nil {
		return err
	}
	u.use(e)
	return nil
}

func (u *unit) newEngine() *engine {
	e := newEngine(u.loader.opts.Limits)
	e.path, e.cwd, e.env, e.stderr, e.report = u.path, u.loader.opts.Cwd, u.loader.opts.Env, u.loader.stderr, u.report
	e.otherClock = u.loader.opts.VirtualTime
	u.addOps(e)
	return e
}

// use makes e the engine that runs the bundle. No code of the bundle has run yet.
func (u *unit) use(e *engine) {
	b := u.bundle
	e.post(func() { e.source, e.position = func() string { return b.code }, b.places.find })
	u.engine, u.outdated, u.late = e, false, nil
}

// bind gives the run its session.
func (r *run) bind(c *extension.Context) {
	base := c.WithContext(c.Session.Context())
	state := r.unit.loader.session(c.Session)
	r.mu.Lock()
	r.base = base
	early := r.early
	r.early = nil
	r.mu.Unlock()
	state.join(r)
	state.mu.Lock()
	parent := state.tree.parent
	state.mu.Unlock()
	context.AfterFunc(c.Session.Context(), func() { state.leave(r) })
	r.engine.post(func() {
		if err := r.engine.enter("bound", r.number, c.Session.ID(), parent); err != nil {
			r.engine.stopped(err)
		}
	})
	for _, e := range early {
		r.unit.report(e.event, e.err)
	}
}

// context returns what a handler got, or the session's own context for what outlives
// its handler. It is nil before the session starts.
func (r *run) context(number int) *extension.Context {
	if c := r.engine.calls.get(number); c != nil && c.ctx != nil {
		return c.ctx
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.base
}

// outlive returns a context for what a handler begins and need not wait for: it ends on
// an abort while the handler runs and when the session ends, but not because the
// handler has returned. cancel must be called. It is nil before the session starts.
func (r *run) outlive(number int) (c *extension.Context, cancel func()) {
	handler := r.context(number)
	if handler == nil {
		return nil, nil
	}
	ctx, end := context.WithCancelCause(context.WithoutCancel(handler))
	aborted := context.AfterFunc(handler, func() {
		if why := context.Cause(handler); why != context.Canceled || r.engine.calls.get(number) != nil {
			end(why)
		}
	})
	session := handler.Session.Context()
	over := context.AfterFunc(session, func() { end(context.Cause(session)) })
	return handler.WithContext(ctx), func() { aborted(); over(); end(nil) }
}

// report reports what went wrong outside of any handler.
func (u *unit) report(event string, err *Error) {
	u.mu.Lock()
	r := u.run
	u.mu.Unlock()
	if err.Stack != "" {
		u.loader.opts.Logger.Warn("an extension failed", "extension", u.path, "event", event, "error", err.Message, "stack", err.Stack)
	}
	r.mu.Lock()
	base := r.base
	if base == nil {
		r.early = append(r.early, earlyReport{event, err})
	}
	r.mu.Unlock()
	if base == nil {
		return
	}
	text := cmp.Or(err.Message, err.name) + err.at()
	if event == "unhandledRejection" {
		text = "unhandled rejection: " + text
	}
	record := protocol.ExtensionError{ExtensionPath: u.path, Event: event, Error: text, Stack: err.Stack}
	base.Session.Report(record)
}

// invoke calls into JavaScript and waits for what it returns. When ctx ends, the
// handler's signal is aborted and it gets a moment to end by itself.
func (r *run) invoke(ctx context.Context, c *extension.Context, kind string, args ...any) (jsontext.Value, error) {
	e := r.engine
	pending := &call{ctx: c, done: make(chan struct{})}
	id := e.calls.add(pending)
	defer e.calls.finish(id, nil, nil)
	posted := e.post(func() {
		pending.begun = true
		if err := e.enter(kind, append([]any{id}, args...)...); err != nil {
			e.calls.finish(id, nil, err)
		}
	})
	if !posted {
		return nil, errUnloaded
	}
	select {
	case <-pending.done:
		return pending.value, pending.err
	case <-e.done:
		return nil, errUnloaded
	case <-ctx.Done():
	}
	e.post(func() {
		if err := e.enter("abort", id); err != nil {
			e.stopped(err)
		}
	})
	patience := time.NewTimer(abortPatience)
	defer patience.Stop()
	select {
	case <-pending.done:
		return pending.value, pending.err
	case <-e.done:
		return nil, errUnloaded
	case <-patience.C:
		return nil, fmt.Errorf("it did not end after its abort: %w", context.Cause(ctx))
	}
}

// errUnloaded is why a handler did not run.
var errUnloaded = errors.New("the extension was unloaded")

// handle makes a JavaScript handler of an event into one of the host.
func (r *run) handle(event string, id int) {
	r.api.On(event, func(c *extension.Context, e *extension.Event) (jsontext.Value, error) {
		out, err := r.invoke(c, c, "event", r.number, id, string(e.Data))
		if err != nil || len(out) == 0 {
			return nil, r.tell("a handler of "+event, err)
		}
		var both struct {
			Result jsontext.Value `json:"result"`
			Event  jsontext.Value `json:"event"`
		}
		if err := json.Unmarshal(out, &both, jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil, fmt.Errorf("read what a handler of %s returned: %w", event, err)
		}
		if both.Event != nil {
			e.Data = both.Event
		}
		return both.Result, nil
	})
}

// loadFailure is the error of an extension that threw when it was loaded, with the place.
type loadFailure struct{ err *Error }

func (l *loadFailure) Error() string { return l.err.told() + l.err.at() }

func (l *loadFailure) Unwrap() error { return l.err }

// tell says on standard error where a handler threw. The record that the client gets
// has no place for that in pi.
func (r *run) tell(what string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && !e.placed && e.File != "" {
		fmt.Fprintf(r.unit.loader.stderr, "extui: %s:%d: %s threw: %s\n", e.File, e.Line, what, e.told())
	}
	return r.explain(what, err)
}

// explain logs where an error was thrown; its text stays what the extension wrote.
func (r *run) explain(what string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Stack != "" {
		r.unit.loader.opts.Logger.Warn("a handler threw", "extension", r.unit.path, "in", what, "error", e.Message, "stack", e.Stack)
	}
	return err
}

func (r *run) command(name, description string, completes bool) {
	c := extension.Command{
		Name: name, Description: description,
		Handler: func(ctx *extension.Context, args string) error {
			_, err := r.invoke(ctx, ctx, "command", r.number, name, args)
			return r.tell("/"+name, err)
		},
	}
	if completes {
		c.Complete = func(ctx *extension.Context, prefix string) ([]extension.Completion, error) {
			out, err := r.invoke(ctx, ctx, "complete", r.number, name, prefix)
			if err != nil || len(out) == 0 {
				return nil, err
			}
			var list []extension.Completion
			if err := json.Unmarshal(out, &list, jsontext.AllowInvalidUTF8(true), json.MatchCaseInsensitiveNames(true)); err != nil {
				return nil, fmt.Errorf("read the completions of /%s: %w", name, err)
			}
			return list, nil
		}
	}
	if strings.Contains(name, " ") {
		fmt.Fprintf(r.unit.loader.stderr, "extui: %s: no prompt runs the command %q: its name ends for everybody at the space\n", r.unit.path, name)
	}
	r.api.RegisterCommand(c)
}

func (r *run) tool(t toolInfo) {
	r.api.RegisterTool(extension.Tool{
		Name: t.Name, Label: t.Label, Description: t.Description, Parameters: t.Parameters,
		Prepare: func(ctx *extension.Context, input jsontext.Value) (jsontext.Value, error) {
			if t.Prepares {
				prepared, err := r.invoke(ctx, ctx, "prepare", r.number, t.Name, string(input))
				if err != nil {
					return nil, r.explain("tool "+t.Name, err)
				}
				input = prepared
			}
			return checkInput(t.Name, t.Parameters, input, func(pairs []pair) ([]bool, error) { return r.matches(ctx, pairs) })
		},
		Execute: func(ctx *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
			out, err := r.invoke(ctx, ctx, "tool", r.number, t.Name, ctx.ToolCallID, string(input))
			if err != nil {
				return extension.ToolResult{}, r.explain("tool "+t.Name, err)
			}
			if len(out) == 0 {
				return extension.ToolResult{}, fmt.Errorf("tool %s has returned nothing: it must return an object with content", t.Name)
			}
			return extension.ParseToolResult(out)
		},
	})
}
