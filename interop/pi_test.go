package interop_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"extui/client"
	"extui/internal/long"
	"extui/interop"
	"extui/protocol"
)

// The client drives the real pi, which runs the probe.
func TestPiProbe(t *testing.T) {
	t.Parallel()
	c, wrote := attachPi(t, interop.Probe(t))
	probeTimeouts(c, wrote)
	probeOptIn(c, wrote)
	probeAnswers(c, wrote)
}

// Every dialog method of pi is answered, and the answer arrives in the extension,
// which says what it got.
func probeAnswers(c *piClient, wrote *tapped) {
	c.t.Helper()
	for _, step := range []struct {
		command string
		method  protocol.Method
		title   string
		answer  protocol.Answer
		result  string
	}{
		{"select", protocol.MethodSelect, "Allow dangerous command?", protocol.Value("Block"), `"Block"`},
		{"select", protocol.MethodSelect, "Allow dangerous command?", protocol.Cancelled{}, `undefined`},
		{"select-timeout-zero", protocol.MethodSelect, "Zero", protocol.Value("a"), `"a"`},
		{"select-duplicate", protocol.MethodSelect, "Twice", protocol.Value("same"), `"same"`},
		{"select-unicode", protocol.MethodSelect, "U+2028 \u2028 and \u2029", protocol.Value("👩‍👩‍👧"), `"👩‍👩‍👧"`},
		{"select-unicode", protocol.MethodSelect, "U+2028 \u2028 and \u2029", protocol.Value("lone \xed\xa0\xbd half"), `"lone \ud83d half"`},
		{"confirm", protocol.MethodConfirm, "Clear session?", protocol.Confirmed(true), `true`},
		{"confirm", protocol.MethodConfirm, "Clear session?", protocol.Confirmed(false), `false`},
		{"confirm-nomessage", protocol.MethodConfirm, "Sure?", protocol.Cancelled{}, `false`},
		{"input", protocol.MethodInput, "Enter a value", protocol.Value("tab\t\u2028 \x00 \\ \"日本\""), `"tab\t` + "\u2028" + ` \u0000 \\ \"日本\""`},
		{"input-bare", protocol.MethodInput, "Enter a value", protocol.Value(""), `""`},
		{"editor", protocol.MethodEditor, "Edit some text", protocol.Value("one\r\ntwo\n"), `"one\r\ntwo\n"`},
		{"editor-bare", protocol.MethodEditor, "Edit some text", protocol.Cancelled{}, `undefined`},
		// What does not fit is never passed on.
		{"confirm", protocol.MethodConfirm, "Clear session?", protocol.Value("yes"), `false`},
		{"select", protocol.MethodSelect, "Allow dangerous command?", protocol.Value("allow"), `undefined`},
	} {
		p := c.prompt("/" + step.command)
		c.asked(step.method, step.title).reply(step.answer)
		c.notified("result " + step.result)
		c.handled(p)
	}
	c.diagnosed(client.KindFrontend, client.KindFrontend)

	p := c.prompt("/two-at-once")
	first, second := c.asked(protocol.MethodConfirm, "First?"), c.asked(protocol.MethodSelect, "Second?")
	second.reply(protocol.Value("y"))
	first.reply(protocol.Confirmed(true))
	c.notified(`result [true,"y"]`)
	c.handled(p)

	if n := len(wrote.records(protocol.TypeResponse)); n != 17 {
		c.t.Errorf("%d responses to 17 dialogs", n)
	}
}

// A dialog whose time runs out ends for the front end as well, and pi is told
// nothing: it has gone on by itself.
func probeTimeouts(c *piClient, wrote *tapped) {
	c.t.Helper()
	for command, result := range map[string]string{
		"select-timeout":          "undefined",
		"select-timeout-fraction": "undefined",
		"confirm-timeout":         "false",
		"input-timeout":           "undefined",
	} {
		p := c.prompt("/" + command)
		c.ended(wait(c, c.person.questions), client.ErrExpired)
		c.notified("result " + result)
		c.handled(p)
	}
	if sent := wrote.records(protocol.TypeResponse); len(sent) > 0 {
		c.t.Errorf("the client wrote %q", sent)
	}
}

// Pi answers the opt-in with "Unknown command". That is no news to anybody, and a
// new session is no reason to try again.
func probeOptIn(c *piClient, wrote *tapped) {
	c.t.Helper()
	if cancelled, err := c.NewSession(c.t.Context()); err != nil || cancelled {
		c.t.Errorf("new session: cancelled %t, %v", cancelled, err)
	}
	p := c.prompt("/title") // what a second opt-in would come before
	if u, ok := wait(c, c.person.updates).(*protocol.SetTitle); !ok || u.Title != "pi - my project" {
		c.t.Errorf("shown %+v, want the title", u)
	}
	c.notified("result undefined")
	c.handled(p)
	if n := len(wrote.records(protocol.TypeSetCapabilities)); n != 1 {
		c.t.Errorf("opted in %d times, want once", n)
	}
	c.diagnosed()

	_, err := c.Call(c.t.Context(), "no_such_command")
	if !errors.Is(err, client.ErrUnknownCommand) {
		c.t.Errorf("error %v, want ErrUnknownCommand", err)
	}
}

// startExample runs pi's own example of the protocol, with a model that follows a
// script, and has it in the state in which it waits for a person.
func startExample(t *testing.T) *piClient {
	t.Helper()
	model, err := filepath.Abs(filepath.Join("testdata", "model.ts"))
	if err != nil {
		t.Fatal(err)
	}
	pi := interop.Pi(t, interop.Example(t, "rpc-demo.ts"), model)
	pi.Args = append(pi.Args, "--provider", "script", "--model", "script-1")
	c := runPi(t, pi)
	c.showsDemo("pi RPC Demo")
	return c
}

// showsDemo waits for what the example shows at the start of a session.
func (c *piClient) showsDemo(title string) {
	c.t.Helper()
	for range 3 { // title, widget, status
		wait(c, c.person.updates)
	}
	s := c.Mirror().Snapshot()
	widget := []string{"--- RPC Extension UI Demo ---", "Loaded and ready."}
	if s.Title != title ||
		!slices.Equal(s.Statuses, []client.Status{{Key: "rpc-demo", Text: "Turns: 0"}}) ||
		len(s.Widgets) != 1 || s.Widgets[0].Key != "rpc-demo" || !slices.Equal(s.Widgets[0].Lines, widget) {
		c.t.Errorf("the mirror shows %+v, want title %q and the example's status and widget", s, title)
	}
}

// Pi's own example of the protocol works with our client, to a clean end.
func TestPiExample(t *testing.T) {
	t.Parallel()
	long.Test(t)
	c := startExample(t)
	exampleCommands(c)
	exampleGate(c)
	c.diagnosed()
	exampleNewSession(c)
	c.diagnosed(client.KindFrontend) // a text for a yes
	exampleEnd(c)
}

// Each command of the example is listed and does what it is for.
func exampleCommands(c *piClient) {
	t := c.t
	t.Helper()
	commands, err := c.GetCommands(t.Context())
	var names []string
	for _, info := range commands {
		if info.Source == "extension" {
			names = append(names, info.Name)
		}
	}
	if want := []string{"rpc-input", "rpc-editor", "rpc-prefill"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("commands %q, %v; want %q", names, err, want)
	}
	state, err := c.GetState(t.Context())
	if err != nil || state.SessionID == "" || state.IsStreaming || state.MessageCount != 0 {
		t.Errorf("state %+v, %v", state, err)
	}

	for _, step := range []struct {
		command, title string
		method         protocol.Method
		answer         protocol.Answer
		says           string
	}{
		{"/rpc-input", "Enter a value", protocol.MethodInput, protocol.Value("hello"), "You entered: hello"},
		{"/rpc-input", "Enter a value", protocol.MethodInput, protocol.Cancelled{}, "Input cancelled"},
		{"/rpc-editor", "Edit some text", protocol.MethodEditor, protocol.Value("a\nb"), "Editor submitted (2 lines)"},
		{"/rpc-editor", "Edit some text", protocol.MethodEditor, protocol.Cancelled{}, "Editor cancelled"},
	} {
		p := c.prompt(step.command)
		c.asked(step.method, step.title).reply(step.answer)
		c.notified(step.says)
		c.handled(p)
	}

	p := c.prompt("/rpc-prefill")
	wait(c, c.person.updates) // set_editor_text
	c.notified("Editor prefilled")
	c.handled(p)
	const text = "This text was set by the rpc-demo extension."
	if got := c.Mirror().Snapshot().EditorText; got == nil || *got != text {
		t.Errorf("the mirror's editor text is %v, want %q", got, text)
	}
}

// Abort is answered at once and leaves a dialog open. Close cancels it, and pi
// ends in peace.
func exampleEnd(c *piClient) {
	t := c.t
	t.Helper()
	p := c.prompt("/rpc-input")
	q := c.asked(protocol.MethodInput, "Enter a value")
	if err := c.Abort(t.Context()); err != nil {
		t.Errorf("abort: %v", err)
	}
	if open := c.Mirror().Snapshot().Dialogs; len(open) != 1 || q.ctx.Err() != nil {
		t.Errorf("after abort these dialogs are open: %+v, want the one", open)
	}
	c.close()
	c.ended(q, client.ErrStopped)
	c.notified("Input cancelled")
	wait(c, p) // however it ended: pi may have answered it or not
	if err := c.Err(); err != nil {
		t.Errorf("pi ended with %v, want exit code 0", err)
	}
}

// A new session is what the person says: the example's extension asks first.
func exampleNewSession(c *piClient) {
	t := c.t
	t.Helper()
	newSession := func(a protocol.Answer) (cancelled bool) {
		t.Helper()
		done := make(chan error, 1)
		c.work.Go(func() {
			var err error
			cancelled, err = c.NewSession(t.Context())
			done <- err
		})
		q := c.asked(protocol.MethodConfirm, "Clear session?")
		if d := q.dialog.(*protocol.Confirm); d.Message == nil || *d.Message != "All messages will be lost." {
			t.Errorf("asked %+v", d)
		}
		q.reply(a)
		if err := wait(c, done); err != nil {
			t.Errorf("new session: %v", err)
		}
		return cancelled
	}
	for _, no := range []protocol.Answer{protocol.Confirmed(false), protocol.Cancelled{}, protocol.Value("yes")} {
		if !newSession(no) {
			t.Errorf("a new session after %#v", no)
		}
		c.notified("Clear cancelled")
	}
	if newSession(protocol.Confirmed(true)) {
		t.Error("no new session after yes")
	}
	c.showsDemo("pi RPC Demo (new session)")
}

// The example's gate asks before the model's dangerous command runs, and what the
// person says is what happens.
func exampleGate(c *piClient) {
	t := c.t
	t.Helper()
	const title = "Dangerous command: rm -rf ./no-such-folder"
	for turn, step := range []struct {
		answer           protocol.Answer
		says             string
		isError          bool
		result, afterAll string
	}{
		{protocol.Value("Block"), "Command blocked by user", true, "Blocked by user", "It was the first time."},
		{protocol.Value("Allow"), "Command allowed", false, "(no output)", "It was the second time."},
	} {
		c.mu.Lock()
		c.events = nil
		c.mu.Unlock()
		if got := wait(c, c.prompt("tidy up")); got.err != nil || got.what != client.Started {
			t.Fatalf("prompt: %q, %v, want a run", got.what, got.err)
		}
		wait(c, c.person.updates) // "Turn 1 running..."
		c.asked(protocol.MethodSelect, title).reply(step.answer)
		c.notified(step.says)
		for range 3 { // "Turn 1 done", "Turn 2 running...", "Turn 2 done"
			wait(c, c.person.updates)
		}
		// The response to a command comes after the records of what went on before it.
		for streaming := true; streaming; {
			state, err := c.GetState(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			streaming = state.IsStreaming
		}
		var ends []client.ToolEnd
		var said string
		c.mu.Lock()
		for _, e := range c.events {
			switch e := e.(type) {
			case client.ToolEnd:
				ends = append(ends, e)
			case client.MessageEnd:
				if e.Role == "assistant" {
					said = e.Text
				}
			}
		}
		c.mu.Unlock()
		if len(ends) != 1 || ends[0].IsError != step.isError || !strings.Contains(ends[0].Text, step.result) {
			t.Errorf("run %d: the tool ended with %+v, want %q", turn+1, ends, step.result)
		}
		if said != step.afterAll {
			t.Errorf("run %d: the model said %q, want %q", turn+1, said, step.afterAll)
		}
	}
}

// When pi is killed while it waits for an answer, everything that waits for it
// ends and says why.
func TestPiKilledWithADialogOpen(t *testing.T) {
	long.Test(t)
	t.Parallel()
	die, err := filepath.Abs(filepath.Join("testdata", "die.ts"))
	if err != nil {
		t.Fatal(err)
	}
	c := runPi(t, interop.Pi(t, die))
	asking := c.prompt("/ask")
	q := c.asked(protocol.MethodConfirm, "Still there?")
	dying := c.prompt("/die")
	c.ended(q, client.ErrAgentGone)

	killed := func(what string, err error) {
		t.Helper()
		if exit, ok := errors.AsType[*client.ExitError](err); !ok || exit.Signal == "" || exit.Code != -1 {
			t.Errorf("%s ended with %v, want an ExitError with a signal", what, err)
		}
	}
	killed("the dialog", context.Cause(q.ctx))
	for _, p := range []<-chan prompted{asking, dying} {
		got := wait(c, p)
		if !errors.Is(got.err, client.ErrAgentGone) {
			t.Errorf("prompt ended with %v, want ErrAgentGone", got.err)
		}
		killed("the prompt", got.err)
	}
	wait(c, c.Done())
	killed("the client", c.Err())
	if open := c.Mirror().Snapshot().Dialogs; len(open) != 0 {
		t.Errorf("still open: %+v", open)
	}
}
