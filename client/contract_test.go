package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/protocol"
)

// "A request before any response is handled": session_start may ask before the
// first command was sent.
func TestContractClient_RequestBeforeAnyResponse(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqConfirm)
	(<-w.front.asks).reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	w.wantKinds()
}

// "Several dialogs open: answered in any order."
func TestContractClient_AnyOrder(t *testing.T) {
	w := attach(t, Options{})
	asks := map[string]*asked{}
	for _, id := range []string{"a", "b", "c"} {
		w.request(`"id":"` + id + `","method":"input","title":"t"`)
	}
	for range 3 {
		a := <-w.front.asks
		asks[a.dialog.RequestID().String()] = a
	}
	if n := len(w.c.Mirror().Snapshot().Dialogs); n != 3 {
		t.Errorf("the mirror shows %d dialogs, want 3", n)
	}
	for _, id := range []string{"b", "c", "a"} {
		asks[id].reply(protocol.Value("to " + id))
		w.want(`{"type":"extension_ui_response","id":"` + id + `","value":"to ` + id + `"}`)
	}
}

// "The deadline passes on our side: the front end's context ends, nothing is
// sent." The time counts from the receipt; absent and 0 never pass.
func TestContractClient_Deadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := attach(t, Options{})
		w.request(`"id":"c","method":"confirm","title":"t","timeout":1500`)
		w.request(`"id":"z","method":"confirm","title":"t","timeout":0`)
		w.request(`"id":"h","method":"confirm","title":"t","timeout":1e300`)
		deadlines := map[string]bool{}
		for range 3 {
			a := <-w.front.asks
			_, ok := a.ctx.Deadline()
			deadlines[a.dialog.RequestID().String()] = ok
		}
		if !deadlines["c"] || deadlines["z"] || !deadlines["h"] {
			t.Errorf("contexts with a deadline: %v", deadlines)
		}
		start := time.Now()
		if why := <-w.front.ended; !errors.Is(why, ErrExpired) {
			t.Errorf("the context ended with %v, want ErrExpired", why)
		}
		if took := time.Since(start); took != 1500*time.Millisecond {
			t.Errorf("ended after %v", took)
		}
		time.Sleep(100 * 365 * 24 * time.Hour)
		w.sync() // nothing was sent before
		if n := len(w.c.Mirror().Snapshot().Dialogs); n != 2 {
			t.Errorf("%d dialogs open, want the two without a timeout that passes", n)
		}
	})
}

// "An answer chosen after the end is dropped; the front end is told."
func TestContractClient_LateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := attach(t, Options{})
		w.front.deaf = true
		w.request(`"id":"i","method":"input","title":"t","timeout":1000`)
		a := <-w.front.asks
		time.Sleep(time.Second)
		a.reply(protocol.Value("a long text"))
		if d := <-w.front.dropped; d.answer != protocol.Value("a long text") || !errors.Is(d.why, ErrExpired) {
			t.Errorf("dropped %+v", d)
		}
		w.sync()
	})
}

// "The agent exits: every open dialog ends with the reason; none is shown as
// still answerable."
func TestContractClient_AgentGone(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqConfirm)
	w.request(reqInput)
	<-w.front.asks
	<-w.front.asks
	w.out.Close()
	for range 2 {
		if why := <-w.front.ended; !errors.Is(why, ErrAgentGone) || !strings.Contains(why.Error(), "output ended") {
			t.Errorf("ended with %v", why)
		}
	}
	<-w.c.Done()
	if s := w.c.Mirror().Snapshot(); len(s.Dialogs) != 0 || w.c.Err() != nil {
		t.Errorf("%d dialogs still open, error %v", len(s.Dialogs), w.c.Err())
	}
	if _, err := w.c.Call(t.Context(), "get_state"); !errors.Is(err, ErrAgentGone) {
		t.Errorf("a call after the end: %v", err)
	}
}

// "A request with the id of an open dialog: the old one ends, the new one
// counts, one diagnostic."
func TestContractClient_DuplicateID(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqConfirm)
	<-w.front.asks
	w.request(`"id":"c","method":"input","title":"new"`)
	if why := <-w.front.ended; !errors.Is(why, ErrReplaced) {
		t.Errorf("the old one ended with %v", why)
	}
	(<-w.front.asks).reply(protocol.Value("x"))
	w.want(`{"type":"extension_ui_response","id":"c","value":"x"}`)
	w.sync()
	w.wantKinds(KindDuplicateID)
}

// Ids that a reader of JSON may take for each other are one id, and an agent that tells
// them apart hears of both dialogs.
func TestLookAlikeIDs(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":1,"method":"confirm","title":"old"`)
	<-w.front.asks
	w.request(`"id":1.0,"method":"confirm","title":"new"`)
	if why := <-w.front.ended; !errors.Is(why, ErrReplaced) {
		t.Errorf("the old one ended with %v", why)
	}
	w.want(`{"type":"extension_ui_response","id":1,"cancelled":true}`)
	(<-w.front.asks).reply(protocol.Confirmed(false))
	w.want(`{"type":"extension_ui_response","id":1.0,"confirmed":false}`)
	w.sync()
	w.wantKinds(KindDuplicateID)
}

// "An id that is no string is sent back exactly as it came."
func TestContractClient_OddIDs(t *testing.T) {
	w := attach(t, Options{})
	for _, id := range []string{`7`, `1.50`, `{"a": 1}`, `null`, `"é\ud800"`, `""`} {
		w.request(`"id":` + id + `,"method":"confirm","title":"t"`)
		(<-w.front.asks).reply(protocol.Confirmed(false))
		w.want(`{"type":"extension_ui_response","id":` + id + `,"confirmed":false}`)
	}
	w.request(`"method":"confirm","title":"no id"`)
	w.sync()
	w.wantKinds(KindBadRequest) // there is nothing to answer it under
}

// "An unknown method is reported and answered cancelled once", unless it is
// known to want no answer (B35).
func TestContractClient_UnknownMethod(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"u","method":"dance","x":1`)
	w.want(cancelled("u"))
	w.request(`"id":"h","method":"setHeader","widgetLines":["x"]`)
	w.sync()
	w.wantKinds(KindUnknownMethod, KindUnknownMethod)
	if u, ok := (<-w.front.shows).(*protocol.Unknown); !ok || u.Name != "dance" || !strings.Contains(string(u.Raw), `"x":1`) {
		t.Errorf("shown: %+v", u)
	}
	if u, ok := (<-w.front.shows).(*protocol.Unknown); !ok || !u.Passive {
		t.Errorf("shown: %+v", u)
	}
}

// "A known method with a missing or wrong field: shown as far as it can be if it
// is fire-and-forget; cancelled if it is a dialog; reported."
func TestContractClient_BadField(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"s","method":"select","title":"t","options":"A"`)
	w.want(cancelled("s"))
	w.request(`"id":7,"method":"confirm","title":3`)
	w.want(`{"type":"extension_ui_response","id":7,"cancelled":true}`)
	w.request(`"id":"t","method":"input","title":"t","timeout":-1`)
	w.want(cancelled("t"))
	w.request(`"id":"n","method":"notify","message":5,"notifyType":"error"`)
	w.sync()
	if n, ok := (<-w.front.shows).(*protocol.Notify); !ok || n.Type != protocol.NotifyError {
		t.Errorf("shown: %+v", n)
	}
	w.wantKinds(KindBadRequest, KindBadRequest, KindBadRequest, KindBadRequest)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, field := range []string{"options", "title", "timeout", "message"} {
		if e, ok := errors.AsType[*protocol.FieldError](w.notes[i].Err); !ok || e.Field != field {
			t.Errorf("diagnostic %d is %v, want one that names %s", i, w.notes[i], field)
		}
	}
}

// "Options that are objects with a label: the answer is the label, or value
// where the object has one" (B39).
func TestContractClient_ObjectOptions(t *testing.T) {
	w := attach(t, Options{})
	for _, test := range []struct{ choose, want string }{{"Fast", "Fast"}, {"v2", "v2"}, {"Plain", "Plain"}} {
		w.request(`"id":"o","method":"select","title":"t","options":[{"label":"Fast","description":"no tests"},{"label":"Two","value":"v2"},"Plain"]`)
		a := <-w.front.asks
		if o := a.dialog.(*protocol.Select).Options; o[0].Description != "no tests" || o[1].Label != "Two" {
			t.Errorf("options %+v", o)
		}
		a.reply(protocol.Value(test.choose))
		w.want(`{"type":"extension_ui_response","id":"o","value":"` + test.want + `"}`)
	}
}

// "Confirm without message is shown with the title alone."
func TestContractClient_ConfirmWithoutMessage(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"c","method":"confirm","title":"Sure?"`)
	a := <-w.front.asks
	if d := a.dialog.(*protocol.Confirm); d.Title != "Sure?" || d.Message != nil {
		t.Errorf("asked %+v", d)
	}
	a.reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	w.wantKinds()
}

// "Unknown notifyType and widgetPlacement: info and aboveEditor", pi's border
// placements kept.
func TestContractClient_UnknownLevelAndPlacement(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"n","method":"notify","message":"m","notifyType":"fatal"`)
	w.request(`"id":"w","method":"setWidget","widgetKey":"a","widgetLines":["x"],"widgetPlacement":"sideways"`)
	w.request(`"id":"w","method":"setWidget","widgetKey":"b","widgetLines":["x"],"widgetPlacement":"borderTopLeft"`)
	w.sync()
	s := w.c.Mirror().Snapshot()
	if got := s.Notifications[0].Type.Level(); got != protocol.NotifyInfo {
		t.Errorf("level %q", got)
	}
	if a, b := s.Widgets[0].Placement.Normal(), s.Widgets[1].Placement.Normal(); a != protocol.AboveEditor || b != protocol.BorderTopLeft {
		t.Errorf("placements %q %q", a, b)
	}
	w.wantKinds()
}

// "Unknown fields are ignored, kept when a record is passed on."
func TestContractClient_UnknownFields(t *testing.T) {
	w := attach(t, Options{})
	record := `{"type":"extension_ui_request","id":"c","method":"confirm","title":"t","toolCallId":"x","deep":{"a":[1]}}`
	w.say(record)
	a := <-w.front.asks
	if got, err := protocol.AppendRequest(nil, a.dialog); err != nil || string(got) != record {
		t.Errorf("passed on as %s %v", got, err)
	}
	a.reply(protocol.Confirmed(false))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":false}`)
	w.wantKinds()
}

// "The front end fails: cancelled once." An error, a panic, no answer and an
// answer that does not fit are all failures, and never consent.
func TestContractClient_FrontendFails(t *testing.T) {
	answers := []func() (protocol.Answer, error){
		func() (protocol.Answer, error) { return nil, errors.New("broken") },
		func() (protocol.Answer, error) { return protocol.Confirmed(true), errors.New("broken") },
		func() (protocol.Answer, error) { return nil, nil },
		func() (protocol.Answer, error) { panic("boom") },
		func() (protocol.Answer, error) { return protocol.Value("yes"), nil },
		func() (protocol.Answer, error) { return protocol.Answers{}, nil },
	}
	for i, answer := range answers {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f := frontFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) { return answer() })
			w := attach(t, Options{Frontend: f})
			w.request(reqConfirm)
			w.want(cancelled("c"))
			w.sync()
			if n := w.c.Counts()[KindFrontend].N; n != 1 {
				t.Errorf("%d diagnostics, want 1", n)
			}
		})
	}
}

// A front end that offers what was not asked for is told so.
func TestContractClient_ValueThatIsNoOption(t *testing.T) {
	w := attach(t, Options{})
	w.request(`"id":"s","method":"select","title":"t","options":["A","B"]`)
	(<-w.front.asks).reply(protocol.Value("C"))
	w.want(cancelled("s"))
	d := <-w.front.dropped
	if _, ok := errors.AsType[*protocol.AnswerError](d.why); !ok || d.answer != protocol.Value("C") {
		t.Errorf("dropped %+v", d)
	}
}

// "We stop: every open dialog is answered cancelled, then stdin is closed, and
// stdout is read to its end."
func TestContractClient_Stop(t *testing.T) {
	var events []string
	w := attach(t, Options{Subscribe: func(r []byte) { events = append(events, string(r)) }})
	w.request(reqConfirm)
	w.request(reqInput)
	<-w.front.asks
	<-w.front.asks
	closed := make(chan error)
	go func() { closed <- w.c.Close(context.Background()) }()
	got := []string{w.hears(), w.hears()}
	slices.Sort(got)
	if want := []string{cancelled("c"), cancelled("i")}; !slices.Equal(got, want) {
		t.Errorf("written on stop: %q", got)
	}
	if rest, err := w.lines.ReadString('\n'); err == nil || rest != "" {
		t.Errorf("after the cancellations: %q %v, want the end of input", rest, err)
	}
	for range 2 {
		if why := <-w.front.ended; !errors.Is(why, ErrStopped) {
			t.Errorf("ended with %v", why)
		}
	}
	w.say(`{"type":"last words"}`)
	w.out.Close()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if len(events) != 1 {
		t.Errorf("events %q, want the one that came after the end of input", events)
	}
}

// "A response to an extension_ui_response is ignored; UI ids and command ids
// never meet" (B19).
func TestContractClient_ResponseToResponse(t *testing.T) {
	var events []string
	w := attach(t, Options{Subscribe: func(r []byte) { events = append(events, string(r)) }})
	result := make(chan error, 1)
	go func() { result <- w.c.Abort(t.Context()) }()
	id := w.command("abort")
	// The agent asks under the very id of the command that is pending.
	w.request(`"id":"` + id + `","method":"confirm","title":"t"`)
	(<-w.front.asks).reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"` + id + `","confirmed":true}`)
	w.respond(id, "extension_ui_response", `"success":false,"error":"no"`)
	w.sync()
	select {
	case err := <-result:
		t.Fatalf("the command took the answer's response for its own: %v", err)
	default:
	}
	w.respond(id, "abort", `"success":true`)
	if err := <-result; err != nil {
		t.Error(err)
	}
	if len(events) != 0 {
		t.Errorf("events %q", events)
	}
}

// "prompt is never waited for before dialogs are answered: its response may come
// after them."
func TestContractClient_PromptBehindItsDialogs(t *testing.T) {
	w := attach(t, Options{})
	result := make(chan Disposition, 1)
	go func() {
		d, err := w.c.Prompt(t.Context(), "/clear all")
		if err != nil {
			t.Error(err)
		}
		result <- d
	}()
	line := w.hears()
	cmd, err := protocol.DecodeCommand([]byte(line))
	if err != nil || !strings.Contains(line, `"message":"/clear all"`) {
		t.Fatalf("prompt is %s %v", line, err)
	}
	w.request(reqConfirm)
	(<-w.front.asks).reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	w.respond(cmd.ID.String(), "prompt", `"success":true,"data":{"disposition":"handled"}`)
	if d := <-result; d != Handled {
		t.Errorf("disposition %q", d)
	}
}
