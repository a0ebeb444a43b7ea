package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"extui/client"
	"extui/protocol"
)

// output is a terminal's screen that somebody can wait for. It is not the real
// thing: it only sees what was written.
type output struct {
	mu      sync.Mutex
	all     bytes.Buffer
	changed chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all.Write(b)
	close(o.changed)
	o.changed = make(chan struct{})
	return len(b), nil
}

// await waits until what was written since from matches, and returns where that
// ends.
func (o *output) await(t *testing.T, from int, pattern string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	re := regexp.MustCompile(pattern)
	for {
		o.mu.Lock()
		text, changed := o.all.String(), o.changed
		o.mu.Unlock()
		if at := re.FindStringIndex(text[from:]); at != nil {
			return from + at[1]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("%q was not written; there is %q", pattern, text[from:])
		}
	}
}

// start runs a front end on pipes.
func start(t *testing.T, o *Options) (*Frontend, *io.PipeWriter, *output) {
	t.Helper()
	in, keys := io.Pipe()
	out := &output{changed: make(chan struct{})}
	o.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	f := New(in, out, o)
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		keys.Close()
	})
	return f, keys, out
}

type result struct {
	a   protocol.Answer
	err error
}

func ask(ctx context.Context, f *Frontend, d protocol.Dialog) <-chan result {
	done := make(chan result, 1)
	go func() {
		a, err := f.Ask(ctx, d)
		done <- result{a, err}
	}()
	return done
}

// outcome waits for the end of an Ask.
func outcome(t *testing.T, done <-chan result) result {
	t.Helper()
	select {
	case r := <-done:
		return r
	case <-time.After(20 * time.Second):
		t.Fatal("Ask does not return")
		return result{}
	}
}

func press(t *testing.T, keys io.Writer, s string) {
	t.Helper()
	if _, err := io.WriteString(keys, s); err != nil {
		t.Fatal(err)
	}
}

// Frontend on bytes: keys as a terminal sends them, answers as the client wants
// them.
func TestFrontendAnswers(t *testing.T) {
	f, keys, out := start(t, &Options{MinDelay: -1})
	if !f.Capabilities().Questionnaire {
		t.Error("questionnaires are not offered")
	}
	if f.CancelDialog() {
		t.Error("CancelDialog found a dialog")
	}
	f.Show(&protocol.SetTitle{Title: "My title"})
	at := out.await(t, 0, `\x1b\]2;My title\x07`)
	done := ask(t.Context(), f, &protocol.Confirm{Title: "Proceed?"})
	at = out.await(t, at, "Proceed")
	press(t, keys, "\x1b[C\r")
	if r := outcome(t, done); r.err != nil || r.a != protocol.Confirmed(true) {
		t.Errorf("got %v, %v", r.a, r.err)
	}
	done = ask(t.Context(), f, &protocol.Input{Title: "Which name?"})
	at = out.await(t, at, "Which name")
	press(t, keys, "\x1b[200~pasted\ttext\x1b[201~\r")
	if r := outcome(t, done); r.a != protocol.Value("pasted\ttext") {
		t.Errorf("got %q, %v", r.a, r.err)
	}
	done = ask(t.Context(), f, &protocol.Confirm{Title: "Xyzzy?"})
	out.await(t, at, "Xyzzy")
	if !f.CancelDialog() {
		t.Error("CancelDialog found no dialog")
	}
	if r := outcome(t, done); r.a != (protocol.Cancelled{}) {
		t.Errorf("CancelDialog: %v, %v", r.a, r.err)
	}
	press(t, keys, "for the agent\r")
	if text, err := f.ReadPrompt(t.Context()); text != "for the agent" || err != nil {
		t.Errorf("ReadPrompt: %q, %v", text, err)
	}
	press(t, keys, "\x04")
	if _, err := f.ReadPrompt(t.Context()); err != io.EOF {
		t.Errorf("ReadPrompt after Ctrl-D: %v", err)
	}
}

func TestFrontendEnds(t *testing.T) {
	f, _, out := start(t, &Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	done := ask(ctx, f, &protocol.Confirm{Title: "Proceed?"})
	at := out.await(t, 0, "Proceed")
	cancel(client.ErrExpired)
	if r := outcome(t, done); !errors.Is(r.err, client.ErrExpired) || r.a != nil {
		t.Errorf("got %v, %v", r.a, r.err)
	}
	out.await(t, at, "time ran out")
	if _, err := f.ReadPrompt(ctx); !errors.Is(err, client.ErrExpired) {
		t.Errorf("ReadPrompt with a context that is over: %v", err)
	}
	f.Dropped(&protocol.Input{Title: "Name?"}, protocol.Value("typed"), client.ErrExpired)
	out.await(t, at, "typed")
	done = ask(t.Context(), f, &protocol.Confirm{Title: "Never answered?"})
	out.await(t, at, "Never")
	if err := f.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if r := outcome(t, done); !errors.Is(r.err, ErrClosed) {
		t.Errorf("Ask after Close: %v, %v", r.a, r.err)
	}
	if _, err := f.Ask(t.Context(), &protocol.Confirm{}); !errors.Is(err, ErrClosed) {
		t.Errorf("Ask after Close: %v", err)
	}
	if _, err := f.ReadPrompt(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("ReadPrompt after Close: %v", err)
	}
	f.Line("nobody sees this")
	for _, restored := range []string{"\x1b[?1049l", "\x1b[?2004l", "\x1b[?1004l", popTitle} {
		out.await(t, at, regexp.QuoteMeta(restored))
	}
}

// Ctrl-C without anybody who counts: the dialog, then the prompts.
func TestFrontendCtrlC(t *testing.T) {
	f, keys, out := start(t, &Options{})
	done := ask(t.Context(), f, &protocol.Confirm{Title: "Proceed?"})
	out.await(t, 0, "Proceed")
	press(t, keys, "\x03")
	if r := outcome(t, done); r.a != (protocol.Cancelled{}) {
		t.Errorf("got %v, %v", r.a, r.err)
	}
	press(t, keys, "\x03")
	if _, err := f.ReadPrompt(t.Context()); err != io.EOF {
		t.Errorf("ReadPrompt after the second Ctrl-C: %v", err)
	}
}

func TestFrontendTellsCtrlC(t *testing.T) {
	told := make(chan struct{}, 1)
	f, keys, out := start(t, &Options{Interrupt: func() { told <- struct{}{} }})
	done := ask(t.Context(), f, &protocol.Confirm{Title: "Proceed?"})
	out.await(t, 0, "Proceed")
	press(t, keys, "\x03")
	<-told
	f.CancelDialog()
	if r := outcome(t, done); r.a != (protocol.Cancelled{}) {
		t.Errorf("got %v, %v", r.a, r.err)
	}
}

// A bug on the screen approves nothing: open dialogs fail, and the terminal is
// given back.
func TestPanicGivesTheTerminalBack(t *testing.T) {
	stderr := os.Stderr
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	in, keys := io.Pipe()
	defer keys.Close()
	out := &output{changed: make(chan struct{})}
	os.Stderr = null // where bubbletea prints the stack
	defer func() { os.Stderr = stderr }()
	f := New(in, out, &Options{Env: []string{"TERM=xterm"}, Interrupt: func() { panic("a bug") }})
	done := ask(t.Context(), f, &protocol.Confirm{Title: "Proceed?"})
	out.await(t, 0, "Proceed")
	press(t, keys, "\x03")
	if r := outcome(t, done); !errors.Is(r.err, ErrClosed) || r.a != nil {
		t.Errorf("got %v, %v", r.a, r.err)
	}
	if _, err := f.ReadPrompt(t.Context()); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "panic") {
		t.Errorf("ReadPrompt: %v", err)
	}
	if err := f.Close(); err == nil {
		t.Error("Close says that all is well")
	}
	out.await(t, 0, regexp.QuoteMeta("\x1b[?1049l"))
	out.await(t, 0, regexp.QuoteMeta(popTitle))
}

// Show and the like return at once although nobody reads the screen.
func TestShowNeverBlocks(t *testing.T) {
	in, keys := io.Pipe()
	release := make(chan struct{})
	out := blocked{release}
	f := New(in, out, &Options{Env: []string{"TERM=xterm"}})
	for range 10000 {
		f.Text("word ")
		f.Show(&protocol.Notify{Message: "note"})
	}
	close(release)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	keys.Close()
}

type blocked struct{ release chan struct{} }

func (b blocked) Write(p []byte) (int, error) {
	<-b.release
	return len(p), nil
}
