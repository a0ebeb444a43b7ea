package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

const (
	confirm   = `{"type":"extension_ui_request","id":"d1","method":"confirm","title":"Sure?","message":"m"}`
	yes       = `{"type":"extension_ui_response","id":"d1","confirmed":true}`
	cancelled = `{"type":"extension_ui_response","id":"d1","cancelled":true}`
	timedOut  = `{"type":"extension_ui_response","id":"d1","cancelled":true,"timedOut":true}`
)

var asIs = Options{PassQuestionnaires: true}

// What the proxy has no business with passes as the bytes that came.
func TestPassesBytesUntouched(t *testing.T) {
	agentLines := []string{
		`{"type":"agent_start"}`, "", "\r", `{ "type" : "message_update", "text":"\u2028 <b>" }` + "\r",
		"npm warn something", "null", `[1]`, "\xff\xfe{", `{"type":"message_update","text":"{\"type\":\"extension_ui_request\"}"}`,
		`{"id":"1","type":"response","command":"prompt","success":true}`,
		`{"type":"extension_ui_request","id":"n1","method":"notify","message":"\ud800 é"}`,
		`{"type":"extension_ui_request","id":"x","method":"setWidget","widgetKey":"k","later":[ 1 ]}`,
		strings.Repeat(" ", 3*readSize) + `{"type":"big"}`,
		`  {"type":"extension_ui_request", "id":7,"method":"input","title":"T","more":1.0}` + "\r",
	}
	clientLines := []string{
		`{"id":"1","type":"prompt","message":"/x"}` + "\r", "", "garbage", "\xff",
		`{ "type":"extension_ui_response", "id":7, "value":"\ud800" }`, `{"type":"abort"}`,
	}
	e := start(t, asIs)
	go e.agent(agentLines...)
	for _, want := range agentLines {
		e.clientGets(want)
	}
	go e.client(clientLines...)
	for _, want := range clientLines {
		e.agentGets(want)
	}
	if err := e.ended(); err != nil {
		t.Error(err)
	}
}

// However the agent's output is cut, the client gets the same: what passes in the
// order in which it came, with the dialogs in their places.
func TestPassesInOrder(t *testing.T) {
	var in, want strings.Builder
	for i := range 50 {
		status := fmt.Sprintf(`{"type":"extension_ui_request","id":"s%d","method":"setStatus","statusKey":"k","statusText":"t"}`, i)
		lines := []string{fmt.Sprintf(`{"type":"event","n":%d}`, i), status, strings.Replace(confirm, "d1", fmt.Sprint("d", i), 1), status, "no record",
			fmt.Sprintf(`{"type":"extension_ui_request","id":"u%d","method":"cancel","targetId":"d%[1]d"}`, i), status,
			fmt.Sprintf(`{"type":"extension_ui_request","id":"o%d","method":"open_url","url":"u"}`, i)}
		in.WriteString(strings.Join(lines, "\n") + "\n")
		lines[5], lines[6] = lines[6], fmt.Sprintf(`{"type":"extension_ui_request","id":"o%d","method":"notify","message":"Open u","notifyType":"info"}`, i)
		want.WriteString(strings.Join(lines[:7], "\n") + "\n")
	}
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		for _, size := range []int{1, 7, 100, 1000, in.Len()} {
			t.Run(fmt.Sprint(name, " ", size), func(t *testing.T) {
				e := start(t, opts)
				go func() {
					for b := range slices.Chunk([]byte(in.String()), size) {
						e.agentSays.Write(b)
					}
					e.agentSays.Close()
				}()
				if got, err := io.ReadAll(e.clientReads); err != nil || string(got) != want.String() {
					t.Errorf("the client gets, %v:\n%s", err, got)
				}
				if err := <-e.result; err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A last line without its LF passes as well.
func TestPassesUnterminatedLine(t *testing.T) {
	e := start(t, asIs)
	go func() {
		e.agentSays.Write([]byte(`{"type":"agent_end"`))
		e.agentSays.Close()
	}()
	got, _ := e.clientReads.ReadString('\n')
	if got != `{"type":"agent_end"` {
		t.Errorf("the client gets %q", got)
	}
	if err := e.ended(); err != nil {
		t.Error(err)
	}
}

// A dialog that the rules answer does not reach the client, and an answer of the
// client to it does not reach the agent.
func TestRuleAnswers(t *testing.T) {
	hold := make(chan struct{})
	opts := asIs
	opts.Rules = func(_ client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		return rule{answer: func(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
			decided(d)
			<-hold
			return protocol.Confirmed(false), nil
		}}
	}
	e := start(t, opts)
	e.agent(confirm)
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	e.client(yes, `{"type":"get_state"}`)
	e.agentGets(`{"type":"get_state"}`)
	close(hold)
	e.agentGets(`{"type":"extension_ui_response","id":"d1","confirmed":false}`)
	if err := e.ended(); err != nil {
		t.Error(err)
	}
	if !e.reported("not open for the client") {
		t.Errorf("the held back answer is not reported: %q", e.reports)
	}
}

// What rules hand on comes to the client in its place, and the answer to the agent
// as it was written.
func TestRuleHandsOn(t *testing.T) {
	opts := asIs
	opts.Rules = rules(func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
		return next.Ask(ctx, d)
	})
	e := start(t, opts)
	go e.agent(`{"type":"before"}`, confirm, `{"type":"after"}`)
	e.clientGets(`{"type":"before"}`)
	e.clientGets(confirm)
	e.clientGets(`{"type":"after"}`)
	raw := `{"id":"d1", "type":"extension_ui_response", "confirmed":true, "by":"me"}`
	e.client(raw, yes)
	e.agentGets(raw)
	if err := e.ended(); err != nil {
		t.Error(err)
	}
}

// Nothing but a clear answer of the client is taken for one while rules decide.
func TestNothingElseApproves(t *testing.T) {
	ask := func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
		return next.Ask(ctx, d)
	}
	selectOf := `{"type":"extension_ui_request","id":"d1","method":"select","title":"T","options":["Allow","Block"]}`
	for _, c := range []struct {
		name, request, response, agent string
		rule                           func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error)
	}{
		{name: "value is no approval", request: confirm, response: `{"type":"extension_ui_response","id":"d1","value":true}`,
			agent: `{"type":"extension_ui_response","id":"d1","confirmed":false}`},
		{name: "a text is no approval", request: confirm, response: `{"type":"extension_ui_response","id":"d1","confirmed":"yes"}`,
			agent: `{"type":"extension_ui_response","id":"d1","confirmed":false}`},
		{name: "cancelled that some do not see", request: confirm, response: `{"type":"extension_ui_response","id":"d1","confirmed":true,"cancelled":0}`, agent: cancelled},
		{name: "another case", request: selectOf, response: `{"type":"extension_ui_response","id":"d1","value":"allow"}`, agent: cancelled},
		{name: "cancelled beside a value", request: selectOf, response: `{"type":"extension_ui_response","id":"d1","value":"Allow","cancelled":true}`,
			agent: cancelled},
		{name: "a rule fails", request: confirm, agent: cancelled,
			rule: func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
				return protocol.Confirmed(true), errRule
			}},
		{name: "a rule has nothing to say", request: confirm, agent: cancelled,
			rule: func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) { return nil, nil }},
		{name: "a rule has no such option", request: selectOf, agent: cancelled,
			rule: func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
				return protocol.Value("ALLOW"), nil
			}},
		{name: "a rule overrules the client", request: confirm, response: yes, agent: `{"type":"extension_ui_response","id":"d1","confirmed":false}`,
			rule: func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
				_, err := next.Ask(ctx, d)
				return protocol.Confirmed(false), err
			}},
		{name: "a title that is none", request: `{"type":"extension_ui_request","id":"d1","method":"confirm","title":7}`, agent: cancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := asIs
			opts.Rules = rules(ask)
			if c.rule != nil {
				opts.Rules = rules(c.rule)
			}
			e := start(t, opts)
			e.agent(c.request)
			if c.response != "" {
				e.clientGets(c.request)
				e.client(c.response)
			}
			e.agentGets(c.agent)
			if err := e.ended(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A second "type" would make a client in JavaScript see a dialog that no rule saw.
func TestHiddenRequestIsHeldBack(t *testing.T) {
	e := start(t, asIs)
	go e.agent(`{"type":"message_update","id":"d1","method":"confirm","title":"T","type":"extension_ui_request"}`,
		`{"type":"extension_ui_request","id":"d1","method":"confirm","title":"T","title":"U"}`,
		`{"type":"extension_ui_request","id":"d1"`, `{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	if !e.reported("held back") {
		t.Error("nothing is reported")
	}
	e.ended()
}

// The same towards the agent.
func TestHiddenAnswerIsHeldBack(t *testing.T) {
	e := start(t, asIs)
	e.agent(confirm)
	e.clientGets(confirm)
	e.client(`{"type":"x","type":"extension_ui_response","id":"d1","confirmed":true}`, `{"type":"extension_ui_response","id":"d1","confirmed":false,"confirmed":true}`,
		`{"type":"after"}`)
	e.agentGets(`{"type":"after"}`)
	e.ended()
}

// What a client of pi does not know is mapped, or answered for it.
func TestMethodsTheClientLacks(t *testing.T) {
	e := start(t, asIs)
	e.agent(`{"type":"extension_ui_request","id":"d1","method":"pick_color"}`)
	e.agentGets(cancelled)
	go e.agent(`{"type":"extension_ui_request","id":"u1","method":"open_url","url":"https://example.invalid/long","launchUrl":"https://example.invalid"}`)
	e.clientGets(`{"type":"extension_ui_request","id":"u1","method":"notify","message":"Open https://example.invalid","notifyType":"info"}`)
	e.agent(confirm)
	e.clientGets(confirm)
	e.agent(`{"type":"extension_ui_request","id":"c1","method":"cancel","targetId":"d1"}`)
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	e.client(yes, `{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// A dialog without a timeout gets one, which the client is told.
func TestDialogTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asIs
		opts.DialogTimeout = time.Minute
		e := start(t, opts)
		e.agent(confirm)
		e.clientGets(strings.TrimSuffix(confirm, "}") + `,"timeout":60000}`)
		began := time.Now()
		e.agentGets(timedOut)
		if after := time.Since(began); after != time.Minute {
			t.Errorf("cancelled after %v, want 1m", after)
		}
		e.client(yes, `{"type":"abort"}`)
		e.agentGets(`{"type":"abort"}`)
		e.ended()
	})
}

// The agent's own timeout is its own: nothing is sent when it passes, nor after it.
func TestExpiredDialogIsNeverAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, asIs)
		request := strings.TrimSuffix(confirm, "}") + `,"timeout":1000}`
		e.agent(request)
		e.clientGets(request)
		time.Sleep(2 * time.Second)
		e.client(yes, `{"type":"abort"}`)
		e.agentGets(`{"type":"abort"}`)
		e.ended()
	})
}

// A client that is gone cancels what is open and ends the agent's input.
func TestClientGone(t *testing.T) {
	e := start(t, asIs)
	e.agent(confirm)
	e.clientGets(confirm)
	e.clientEnd.Close()
	e.agent(`{"type":"more"}`)
	e.agentGets(cancelled)
	if _, err := e.agentReads.ReadByte(); err == nil {
		t.Error("the agent's input goes on")
	}
	if err := e.ended(); !errors.Is(err, ErrClientGone) {
		t.Errorf("got %v, want %v", err, ErrClientGone)
	}
}

// The end of the client's output is the end of the agent's input and no more, as
// without a proxy: what is open ends as the agent has it.
func TestClientCloses(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			e := start(t, opts)
			e.agent(confirm)
			e.clientGets(confirm)
			e.clientSays.Close()
			if b, err := e.agentReads.ReadByte(); err == nil {
				t.Errorf("the agent's input goes on with %q", b)
			}
			if err := e.ended(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A dialog that the client has never seen is cancelled when it closes its side.
func TestClientClosesBeforeARuleDecides(t *testing.T) {
	asked := make(chan struct{})
	opts := asIs
	opts.Rules = rules(func(ctx context.Context, _ protocol.Dialog, _ client.Frontend) (protocol.Answer, error) {
		close(asked)
		<-ctx.Done()
		return protocol.Confirmed(true), nil
	})
	e := start(t, opts)
	e.agent(confirm)
	<-asked
	e.clientSays.Close()
	e.agentGets(cancelled)
	if _, err := e.agentReads.ReadByte(); err == nil {
		t.Error("the agent's input goes on")
	}
	if err := e.ended(); err != nil {
		t.Error(err)
	}
}
