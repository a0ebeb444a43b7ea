package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"extui/protocol"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("EXTUI_CLIENT_TEST_AGENT"); mode != "" {
		os.Exit(fakeAgent(mode))
	}
	goleak.VerifyTestMain(m)
}

// wire is the agent's end of a client in memory. The test writes the agent's
// lines and reads the client's.
type wire struct {
	t      *testing.T
	c      *Client
	out    *io.PipeWriter
	in     *io.PipeReader
	lines  *bufio.Reader
	front  *front
	mu     sync.Mutex
	notes  []Diagnostic
	events []DialogEvent
}

// attach starts a client on pipes. Without a dialect it is Pi, which sends
// nothing on its own. A nil opts.Frontend becomes the wire's own front, unless
// noFront is set.
func attach(t *testing.T, opts Options) *wire {
	t.Helper()
	w := &wire{t: t, front: newFront()}
	if opts.Frontend == nil {
		opts.Frontend = w.front
	}
	return w.start(opts)
}

// attachBare is attach without a front end.
func attachBare(t *testing.T, opts Options) *wire {
	t.Helper()
	return (&wire{t: t}).start(opts)
}

func (w *wire) start(opts Options) *wire {
	if opts.Dialect == Auto {
		opts.Dialect = Pi
	} else if opts.Dialect == "detect" {
		opts.Dialect = Auto
	}
	if opts.OnDiagnostic == nil {
		opts.OnDiagnostic = func(d Diagnostic) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.notes = append(w.notes, d)
		}
	}
	if opts.OnDialog == nil {
		opts.OnDialog = func(e DialogEvent) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, e)
		}
	}
	outR, outW := io.Pipe()
	inR, inW := io.Pipe()
	w.out, w.in, w.lines = outW, inR, bufio.NewReader(inR)
	w.c = Attach(outR, inW, &opts)
	w.t.Cleanup(func() {
		w.out.Close()
		w.in.Close()
		if err := w.c.Close(context.Background()); err != nil {
			w.t.Errorf("close: %v", err)
		}
	})
	return w
}

// say writes one line of the agent. It returns when the client has read it.
func (w *wire) say(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.out, line+"\n"); err != nil {
		w.t.Errorf("agent writes: %v", err)
	}
}

// request writes an extension_ui_request with these members.
func (w *wire) request(members string) {
	w.t.Helper()
	w.say(`{"type":"extension_ui_request",` + members + `}`)
}

// hears reads the next line of the client.
func (w *wire) hears() string {
	w.t.Helper()
	line, err := w.lines.ReadString('\n')
	if err != nil {
		w.t.Errorf("agent reads: %v after %q", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

// want reads the next line and compares it.
func (w *wire) want(line string) {
	w.t.Helper()
	if got := w.hears(); got != line {
		w.t.Errorf("client wrote\n got %s\nwant %s", got, line)
	}
}

// sync returns once the client has handled all that was said, and has written
// nothing since that the test did not read: its answer to a last dialog is next.
func (w *wire) sync() {
	w.t.Helper()
	w.request(`"id":"sync","method":"no such method"`)
	w.want(`{"type":"extension_ui_response","id":"sync","cancelled":true}`)
}

// command reads the next command, checks its type and returns its id.
func (w *wire) command(typ string) string {
	w.t.Helper()
	cmd, err := protocol.DecodeCommand([]byte(w.hears()))
	if err != nil || cmd.Type != typ {
		w.t.Fatalf("client sent %+v %v, want a %s command", cmd, err, typ)
	}
	return cmd.ID.String()
}

func (w *wire) respond(id, command, rest string) {
	w.t.Helper()
	w.say(fmt.Sprintf(`{"id":%q,"type":"response","command":%q,%s}`, id, command, rest))
}

// kinds returns the kinds of the diagnostics so far, but for those of sync.
func (w *wire) kinds() []DiagnosticKind {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []DiagnosticKind
	for _, d := range w.notes {
		if d.Method != "no such method" {
			out = append(out, d.Kind)
		}
	}
	return out
}

func (w *wire) wantKinds(want ...DiagnosticKind) {
	w.t.Helper()
	if got := w.kinds(); !slices.Equal(got, want) {
		w.t.Errorf("diagnostics %v, want %v", got, want)
	}
}

// asked is one call of Ask that waits for the test.
type asked struct {
	ctx    context.Context
	dialog protocol.Dialog
	answer chan answered
}

type answered struct {
	a   protocol.Answer
	err error
}

func (a *asked) reply(ans protocol.Answer) { a.answer <- answered{ans, nil} }
func (a *asked) fail(err error)            { a.answer <- answered{nil, err} }

type drop struct {
	answer protocol.Answer
	why    error
}

// front is a front end that the test plays. Ask heeds its context unless deaf.
type front struct {
	deaf    bool
	caps    protocol.Capabilities
	asks    chan *asked
	shows   chan protocol.Update
	dropped chan drop
	ended   chan error // the causes of contexts that ended within Ask
}

func newFront() *front {
	return &front{asks: make(chan *asked, 100), shows: make(chan protocol.Update, 1000),
		dropped: make(chan drop, 100), ended: make(chan error, 100)}
}

func (f *front) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	a := &asked{ctx, d, make(chan answered, 1)}
	f.asks <- a
	done := ctx.Done()
	if f.deaf {
		done = nil
	}
	select {
	case r := <-a.answer:
		return r.a, r.err
	case <-done:
		f.ended <- context.Cause(ctx)
		return nil, ctx.Err()
	}
}

func (f *front) Show(u protocol.Update) { f.shows <- u }

func (f *front) Capabilities() protocol.Capabilities { return f.caps }

func (f *front) Dropped(_ protocol.Dialog, a protocol.Answer, why error) { f.dropped <- drop{a, why} }

// frontFunc answers with a function and shows nothing.
type frontFunc func(context.Context, protocol.Dialog) (protocol.Answer, error)

func (f frontFunc) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return f(ctx, d)
}

func (frontFunc) Show(protocol.Update) {}

const (
	reqConfirm = `"id":"c","method":"confirm","title":"Clear?","message":"All."`
	reqInput   = `"id":"i","method":"input","title":"Name"`
)

func cancelled(id string) string {
	return fmt.Sprintf(`{"type":"extension_ui_response","id":%q,"cancelled":true}`, id)
}
