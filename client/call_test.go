package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

func TestCall(t *testing.T) {
	w := attach(t, Options{})
	type outcome struct {
		r   *protocol.CommandResponse
		err error
	}
	call := func(ctx context.Context) chan outcome {
		ch := make(chan outcome, 1)
		go func() {
			r, err := w.c.Call(ctx, "set_x", protocol.StringField("name", "ü"), protocol.Field{Name: "n", Value: jsontext.Value("[1,\n2]")})
			ch <- outcome{r, err}
		}()
		return ch
	}
	// Two at once, answered the other way round.
	a := call(t.Context())
	line := w.hears()
	cmd, err := protocol.DecodeCommand([]byte(line))
	if err != nil || !strings.HasSuffix(line, `,"name":"ü","n":[1,2]}`) || !strings.HasPrefix(line, `{"type":"set_x","id":"extui-`) {
		t.Fatalf("sent %s %v", line, err)
	}
	b := call(t.Context())
	idB := w.command("set_x")
	w.respond(idB, "set_x", `"success":false,"error":"no such x"`)
	got := <-b
	if e, ok := errors.AsType[*CommandError](got.err); !ok || e.Command != "set_x" || e.Message != "no such x" || errors.Is(got.err, ErrUnknownCommand) {
		t.Errorf("refused: %+v", got)
	}
	w.respond(cmd.ID.String(), "set_x", `"success":true,"data":{"y":1}`)
	if got := <-a; got.err != nil || string(got.r.Data) != `{"y":1}` {
		t.Errorf("answered: %+v", got)
	}

	// One that is given up, and answered afterwards.
	ctx, cancel := context.WithCancel(t.Context())
	ch := call(ctx)
	id := w.command("set_x")
	cancel()
	if got := <-ch; !errors.Is(got.err, context.Canceled) {
		t.Errorf("given up: %+v", got)
	}
	var stray []string
	defer w.c.Subscribe(func(r []byte) { stray = append(stray, string(r)) })()
	w.respond(id, "set_x", `"success":true`)
	w.respond("somebody else's", "set_x", `"success":true`)
	w.sync()
	if len(stray) != 1 || !strings.Contains(stray[0], "somebody") {
		t.Errorf("subscribers saw %q, want only the response to somebody else", stray)
	}

	// One that the agent does not live to answer.
	ch = call(t.Context())
	w.command("set_x")
	w.out.Close()
	if got := <-ch; !errors.Is(got.err, ErrAgentGone) {
		t.Errorf("agent gone: %+v", got)
	}
}

func TestCallRefusesBadFields(t *testing.T) {
	w := attach(t, Options{})
	for _, f := range []protocol.Field{{Name: "id", Value: jsontext.Value("1")}, {Name: "type", Value: jsontext.Value("1")}, {Name: "x", Value: jsontext.Value("{")}, {Name: "x"}} {
		if _, err := w.c.Call(t.Context(), "x", f); err == nil || !strings.Contains(err.Error(), f.Name) {
			t.Errorf("field %+v: %v", f, err)
		}
	}
	w.sync() // nothing was sent
}

func TestBadResponseFailsItsCall(t *testing.T) {
	w := attach(t, Options{})
	result := make(chan error, 1)
	go func() { result <- w.c.Abort(t.Context()) }()
	w.respond(w.command("abort"), "abort", `"success":"yes"`)
	if err := <-result; err == nil || !strings.Contains(err.Error(), "success") {
		t.Errorf("got %v", err)
	}
	w.wantKinds(KindBadResponse)
}

func TestCommandHelpers(t *testing.T) {
	w := attach(t, Options{})
	reply := func(command, rest string) {
		w.t.Helper()
		go func() { w.respond(w.command(command), command, rest) }()
	}
	reply("get_state", `"success":true,"data":{"sessionId":"s1","isStreaming":true,"messageCount":3,"new":1}`)
	if s, err := w.c.GetState(t.Context()); err != nil || s.SessionID != "s1" || !s.IsStreaming || s.MessageCount != 3 || !strings.Contains(string(s.Raw), `"new":1`) {
		t.Errorf("state %+v %v", s, err)
	}
	reply("get_commands", `"success":true,"data":{"commands":[{"name":"a","description":"d","source":"extension"},{"name":"b"}]}`)
	if cs, err := w.c.GetCommands(t.Context()); err != nil || len(cs) != 2 || cs[0] != (CommandInfo{"a", "d", "extension"}) {
		t.Errorf("commands %+v %v", cs, err)
	}
	reply("new_session", `"success":true,"data":{"cancelled":true}`)
	if no, err := w.c.NewSession(t.Context()); err != nil || !no {
		t.Errorf("new session: cancelled %v %v", no, err)
	}
	reply("call_tool", `"success":true,"data":{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}],"isError":true}`)
	if r, err := w.c.CallTool(t.Context(), "bash", jsontext.Value(`{}`)); err != nil || r.Text() != "ab" || !r.IsError || r.Details != nil {
		t.Errorf("tool %+v %v", r, err)
	}
	reply("call_tool", `"success":false,"error":"Unknown command: call_tool"`)
	if _, err := w.c.CallTool(t.Context(), "bash", jsontext.Value(`{}`)); !errors.Is(err, ErrUnknownCommand) {
		t.Errorf("unknown command: %v", err)
	}
	reply("prompt", `"success":true`)
	if d, err := w.c.Prompt(t.Context(), "hi"); err != nil || d != "" {
		t.Errorf("Atomic's prompt: %q %v", d, err)
	}
}

// "The capability opt-in is sent once at the start, and again after new_session,
// switch_session, fork and reload that were not cancelled."
func TestContractClient_OptIn(t *testing.T) {
	f := newFront()
	f.caps.Questionnaire = true
	w := attach(t, Options{Dialect: "detect", Frontend: f})
	optIn := func() {
		t.Helper()
		line := w.hears()
		cmd, err := protocol.DecodeCommand([]byte(line))
		if err != nil || cmd.Type != "set_extension_ui_capabilities" || !strings.HasSuffix(line, `,"questionnaire":true,"dismiss":true}`) {
			t.Fatalf("sent %s", line)
		}
		w.respond(cmd.ID.String(), cmd.Type, `"success":true`)
	}
	optIn()
	w.sync()
	for _, command := range []string{"new_session", "switch_session", "fork", "reload"} {
		for _, data := range []string{`"success":true,"data":{"cancelled":true}`, `"success":false,"error":"x"`, `"success":true,"data":{"cancelled":false}`, `"success":true`} {
			done := make(chan struct{})
			go func() {
				defer close(done)
				w.c.Call(t.Context(), command)
			}()
			w.respond(w.command(command), command, data)
			if !strings.Contains(data, "true,") && !strings.Contains(data, "false,") || strings.Contains(data, "cancelled\":false") {
				optIn()
			}
			<-done
			w.sync()
		}
	}
	// Whoever sent the command, and whether anybody waits: here nobody does.
	w.respond("another's", "new_session", `"success":true,"data":{"cancelled":false}`)
	optIn()
	w.wantKinds()
}

// "'Unknown command' means no and is not repeated." Any other refusal is
// reported.
func TestContractClient_OptInUnknown(t *testing.T) {
	w := attach(t, Options{Dialect: Atomic})
	w.respond(w.command("set_extension_ui_capabilities"), "set_extension_ui_capabilities", `"success":false,"error":"not now"`)
	w.sync()
	w.wantKinds(KindOptIn)
	w.respond("x", "fork", `"success":true`)
	w.respond(w.command("set_extension_ui_capabilities"), "set_extension_ui_capabilities",
		`"success":false,"error":"Unknown command: set_extension_ui_capabilities"`)
	w.respond("x", "fork", `"success":true`)
	w.sync()
	w.wantKinds(KindOptIn)
}

// A client that answers nothing, or knows that it talks to pi, opts in to
// nothing.
func TestNoOptIn(t *testing.T) {
	w := attachBare(t, Options{Dialect: Atomic})
	w.sync()
	w = attach(t, Options{Dialect: Pi})
	w.sync()
}

// A questionnaire goes only to a front end that says it can show one.
func TestQuestionnaireNeedsACapableFrontend(t *testing.T) {
	const q = `"id":"q","method":"questionnaire","questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}]}]`
	w := attach(t, Options{})
	w.request(q)
	w.want(cancelled("q"))
	w.wantKinds(KindDeclined)
	w.front.caps.Questionnaire = true
	w.request(q)
	label := "B"
	(<-w.front.asks).reply(protocol.Answers{{Question: "Which?", Kind: protocol.KindOption, Answer: &label}})
	w.want(`{"type":"extension_ui_response","id":"q","answers":[{"questionIndex":0,"question":"Which?","kind":"option","answer":"B"}]}`)
}

// B30, B31, B32, B37: without a front end each dialog method is answered at
// once, once, and a diagnostic for each method says what was declined.
func TestNoFrontend(t *testing.T) {
	w := attachBare(t, Options{})
	for i, method := range []string{"select", "confirm", "input", "editor", "select", "editor"} {
		w.request(fmt.Sprintf(`"id":"%d","method":"%s","title":"t","options":["Approve","Deny"]`, i, method))
		w.want(cancelled(fmt.Sprint(i)))
	}
	// B33, B34: none of the five is a question, and none is answered.
	w.request(`"id":"n","method":"notify","message":"done"`)
	w.request(`"id":"s","method":"setStatus","statusKey":"k","statusText":"x"`)
	w.request(`"id":"w","method":"setWidget","widgetKey":"k","widgetLines":["x"]`)
	w.request(`"id":"t","method":"setTitle","title":"x"`)
	w.request(`"id":"e","method":"set_editor_text","text":"x"`)
	w.sync()
	w.wantKinds(KindDeclined, KindDeclined, KindDeclined, KindDeclined)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, method := range []protocol.Method{"select", "confirm", "input", "editor"} {
		if d := w.notes[i]; d.Method != method || d.ID.String() != fmt.Sprint(i) || !strings.Contains(d.String(), "no front end") {
			t.Errorf("diagnostic %d: %v", i, d)
		}
	}
	if len(w.events) != 0 {
		t.Errorf("dialog events %+v, though nobody saw a dialog", w.events)
	}
}

// B36: once per method and session.
func TestDiagnosticsOncePerSession(t *testing.T) {
	w := attach(t, Options{})
	for range 200 {
		w.request(`"id":"w","method":"setWidget","widgetLines":["x"]`)
	}
	w.request(`"id":"s","method":"setStatus"`)
	w.sync()
	w.wantKinds(KindBadRequest, KindBadRequest)
	w.respond("x", "new_session", `"success":true,"data":{"cancelled":false}`)
	w.request(`"id":"w","method":"setWidget","widgetLines":["x"]`)
	w.sync()
	w.wantKinds(KindBadRequest, KindBadRequest, KindBadRequest)
	if n := w.c.Counts()[KindBadRequest].N; n != 202 {
		t.Errorf("counted %d", n)
	}
}

// B40.
func TestSelectWithoutOptions(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"s","method":"select","title":"t","options":[]`)
	w.want(cancelled("s"))
	w.sync()
	w.wantKinds(KindNoOptions)
}

// A panic in Show costs one update.
func TestShowPanics(t *testing.T) {
	w := attach(t, Options{Frontend: panicFront{}})
	w.request(`"id":"n","method":"notify","message":"m"`)
	w.sync()
	w.wantKinds(KindFrontend)
	if n := len(w.c.Mirror().Snapshot().Notifications); n != 1 {
		t.Errorf("%d notifications in the mirror", n)
	}
}

type panicFront struct{ frontFunc }

func (panicFront) Show(u protocol.Update) {
	if u.Method() == protocol.MethodNotify {
		panic("show")
	}
}
