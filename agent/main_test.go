package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"extui/agent"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// extensions is a Runtime of functions; nil ones do nothing. Commands take their name.
type extensions struct {
	load         func(s *agent.Session) error
	start        func(ctx context.Context, s *agent.Session, reason agent.Reason)
	beforeSwitch func(ctx context.Context, s *agent.Session) bool
	shutdown     func(ctx context.Context, s *agent.Session, reason agent.Reason)
	commands     map[string]func(ctx context.Context, s *agent.Session, args string) error
	prompt       func(ctx context.Context, s *agent.Session, p *agent.Prompt) error
	tool         func(ctx context.Context, s *agent.Session, call agent.ToolCall) (*agent.ToolResult, error)
	dialog       func(e agent.DialogEvent)
}

func (r *extensions) Load(_ context.Context, s *agent.Session) error {
	if r.load == nil {
		return nil
	}
	return r.load(s)
}

func (r *extensions) Start(ctx context.Context, s *agent.Session, reason agent.Reason) {
	if r.start != nil {
		r.start(ctx, s, reason)
	}
}

func (r *extensions) BeforeSwitch(ctx context.Context, s *agent.Session, _ agent.Reason) bool {
	return r.beforeSwitch != nil && r.beforeSwitch(ctx, s)
}

func (r *extensions) Shutdown(ctx context.Context, s *agent.Session, reason agent.Reason) {
	if r.shutdown != nil {
		r.shutdown(ctx, s, reason)
	}
}

func (r *extensions) Commands(*agent.Session) []agent.CommandInfo {
	return []agent.CommandInfo{{Name: "a", Description: "first", Path: "a.ts"}, {Name: "b", Path: "b.ts"}}
}

func (r *extensions) Command(ctx context.Context, s *agent.Session, name, args string) (bool, error) {
	fn := r.commands[name]
	if fn == nil {
		return false, nil
	}
	return true, fn(ctx, s, args)
}

func (r *extensions) Prompt(ctx context.Context, s *agent.Session, p *agent.Prompt) error {
	if r.prompt == nil {
		return agent.ErrUnhandled
	}
	return r.prompt(ctx, s, p)
}

func (r *extensions) CallTool(ctx context.Context, s *agent.Session, call agent.ToolCall) (*agent.ToolResult, error) {
	if r.tool == nil {
		return nil, agent.ErrUnknownTool
	}
	return r.tool(ctx, s, call)
}

func (r *extensions) DialogChanged(_ *agent.Session, e agent.DialogEvent) {
	if r.dialog != nil {
		r.dialog(e)
	}
}

// one is a runtime with one command, /go.
func one(fn func(ctx context.Context, ui *agent.UI)) *extensions {
	return &extensions{commands: map[string]func(context.Context, *agent.Session, string) error{
		"go": func(ctx context.Context, s *agent.Session, _ string) error { fn(ctx, s.UI()); return nil },
	}}
}

// driver is a client of raw lines on an agent in memory.
type driver struct {
	t      *testing.T
	agent  *agent.Agent
	in     *io.PipeWriter // to the agent
	out    *io.PipeReader
	lines  *bufio.Reader
	cancel context.CancelCauseFunc
	result chan error
}

// serve starts an agent whose ids are id-1 (the session), id-2 and so on. The test
// must end it.
func serve(t *testing.T, rt agent.Runtime, opts *agent.Options) *driver {
	t.Helper()
	var o agent.Options
	if opts != nil {
		o = *opts
	}
	var n atomic.Int64
	o.NewID = func() string { return fmt.Sprintf("id-%d", n.Add(1)) }
	ctx, cancel := context.WithCancelCause(context.Background())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	d := &driver{
		t: t, agent: agent.New(rt, &o), in: inW, out: outR, lines: bufio.NewReader(outR),
		cancel: cancel, result: make(chan error, 1),
	}
	go func() {
		d.result <- d.agent.Serve(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { cancel(nil) })
	return d
}

func (d *driver) send(lines ...string) {
	d.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(d.in, line+"\n"); err != nil {
			d.t.Fatalf("send %s: %v", line, err)
		}
	}
}

// expect reads as many lines and compares them.
func (d *driver) expect(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if got := d.line(); got != w {
			d.t.Fatalf("got  %s\nwant %s", got, w)
		}
	}
}

func (d *driver) line() string {
	d.t.Helper()
	line, err := d.lines.ReadString('\n')
	if err != nil {
		d.t.Fatalf("read a line: %v (%q)", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

// end closes the input, reads what is left of the output and returns that and how
// Serve ended.
func (d *driver) end() (string, error) {
	d.t.Helper()
	d.in.Close()
	return d.rest()
}

func (d *driver) rest() (string, error) {
	d.t.Helper()
	rest, err := io.ReadAll(d.lines)
	if err != nil {
		d.t.Errorf("read the rest: %v", err)
	}
	return string(bytes.TrimSuffix(rest, []byte("\n"))), <-d.result
}

// quit is end for tests that expect nothing more.
func (d *driver) quit() {
	d.t.Helper()
	if rest, err := d.end(); rest != "" || err != nil {
		d.t.Errorf("at the end: %q, %v; want no output and no error", rest, err)
	}
}

const (
	goLine  = `{"id":"p","type":"prompt","message":"/go"}`
	handled = `{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}`
	dismiss = `{"id":"c","type":"set_extension_ui_capabilities","dismiss":true,"questionnaire":true}`
	capsOn  = `{"id":"c","type":"response","command":"set_extension_ui_capabilities","success":true,"data":{"on":["dismiss","questionnaire"],"supported":["dismiss","questionnaire"]}}`
)

// asked is the outcome of one dialog in a handler.
type asked struct {
	value any
	err   error
}

// dialog runs one dialog in /go, with what passes on the wire given by play, and
// returns its outcome. It runs in a bubble: time passes when nothing else does.
func dialog(t *testing.T, ask func(ctx context.Context, ui *agent.UI) (any, error), play func(d *driver)) asked {
	t.Helper()
	return run(t, false, ask, play)
}

// dialogOptedIn is dialog with a client that has turned all capabilities on.
func dialogOptedIn(t *testing.T, ask func(ctx context.Context, ui *agent.UI) (any, error), play func(d *driver)) asked {
	t.Helper()
	return run(t, true, ask, play)
}

func run(t *testing.T, optedIn bool, ask func(ctx context.Context, ui *agent.UI) (any, error), play func(d *driver)) (out asked) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := serve(t, one(func(ctx context.Context, ui *agent.UI) {
			out.value, out.err = ask(ctx, ui)
		}), nil)
		if optedIn {
			d.send(dismiss)
			d.expect(capsOn)
		}
		d.send(goLine)
		play(d)
		d.expect(handled)
		d.quit()
	})
	return out
}

// wantErrors fails unless err matches all of targets.
func wantErrors(t *testing.T, err error, targets ...error) {
	t.Helper()
	for _, target := range targets {
		if !errors.Is(err, target) {
			t.Errorf("error %v does not match %v", err, target)
		}
	}
}
