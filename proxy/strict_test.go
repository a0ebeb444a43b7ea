package proxy

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

// Ids of commands and of dialogs may be equal, and are different all the same.
func TestIDsEqualBothWays(t *testing.T) {
	e := start(t, asIs)
	e.client(`{"id":"d1","type":"prompt","message":"x"}`)
	e.agentGets(`{"id":"d1","type":"prompt","message":"x"}`)
	e.agent(confirm)
	e.clientGets(confirm)
	response := `{"id":"d1","type":"response","command":"prompt","success":true}`
	e.agent(response)
	e.clientGets(response)
	e.client(yes)
	e.agentGets(yes)
	e.ended()
}

// An answer that is written with escapes behind another type is one for an agent in
// JavaScript, which reads the last of two members.
func TestAnswerHiddenByEscapes(t *testing.T) {
	e := start(t, asking())
	e.agent(confirm)
	e.clientGets(confirm)
	plain := `{"type":"prompt","message":"\u00e9"}`
	e.client(`{"type":"x","type":"extension\u005fui_response","id":"d1","confirmed":true}`,
		`{"ty\u0070e":"extension_ui_response","type":"x","id":"d1","confirmed":true}`,
		`{"type":"extension\u005fui_response","id":"d1","confirmed":false,"confirmed":true}`, plain)
	e.agentGets(plain)
	e.ended()
}

// A panic of the rules approves nothing and ends nothing else.
func TestRulesPanic(t *testing.T) {
	opts := asIs
	opts.Rules = rules(func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) { panic("a bug") })
	e := start(t, opts)
	e.agent(confirm)
	e.agentGets(cancelled)
	if !e.reported("a bug") {
		t.Errorf("reported: %q", e.reports)
	}
	e.ended()
}

// Rules that ask a second time get no answer, and the dialog is cancelled: an agent
// in between reads requests of one id as two dialogs.
func TestRulesAskTwice(t *testing.T) {
	opts := asIs
	opts.Rules = rules(func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
		if _, err := next.Ask(ctx, d); err != nil {
			return nil, err
		}
		return next.Ask(ctx, d)
	})
	e := start(t, opts)
	e.agent(confirm)
	e.clientGets(confirm)
	e.client(yes)
	e.agentGets(cancelled)
	e.ended()
}

// Rules that do not see that the time is over hold nothing up, and their answer goes
// nowhere, which they are told.
func TestRulesThatIgnoreTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asIs
		opts.DialogTimeout = time.Minute
		told := make(chan error, 1)
		opts.Rules = func(client.Frontend, func(protocol.Dialog)) client.Frontend {
			return droppedRule{rule{answer: func(context.Context, protocol.Dialog) (protocol.Answer, error) {
				time.Sleep(time.Hour)
				return protocol.Confirmed(true), nil
			}}, told}
		}
		e := start(t, opts)
		began := time.Now()
		e.agent(confirm)
		go e.agent(`{"type":"after"}`)
		e.agentGets(timedOut)
		e.clientGets(`{"type":"after"}`)
		if after := time.Since(began); after != time.Minute {
			t.Errorf("it goes on after %v, want 1m", after)
		}
		if why := <-told; !errors.Is(why, errTimeout) {
			t.Errorf("the rules are told %v", why)
		}
		e.ended()
	})
}

type droppedRule struct {
	rule
	told chan error
}

func (r droppedRule) Dropped(_ protocol.Dialog, _ protocol.Answer, why error) { r.told <- why }

// An answer after --dialog-timeout is none, also while the cancellation is under
// way.
func TestAnswerAfterDialogTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asIs
		opts.DialogTimeout = time.Minute
		e := start(t, opts)
		e.agent(confirm)
		line(t, "the client", e.clientReads)
		// The agent does not read, so the cancellation waits behind this.
		e.client(`{"type":"long","pad":"` + strings.Repeat("x", 2<<20) + `"}`)
		time.Sleep(2 * time.Minute)
		e.client(yes)
		line(t, "the agent", e.agentReads)
		e.agentGets(timedOut)
		e.client(`{"type":"abort"}`)
		e.agentGets(`{"type":"abort"}`)
		e.ended()
	})
}

// chunked is a record as oh-my-pi sends it when it is long.
func chunked(id, record string, parts int) []string {
	var lines []string
	for i := range parts {
		data := base64.StdEncoding.EncodeToString([]byte(record[len(record)*i/parts : len(record)*(i+1)/parts]))
		lines = append(lines, fmt.Sprintf(`{"type":"rpc_chunk","chunkId":%q,"index":%d,"count":%d,"byteLength":%d,"data":%q}`, id, i, parts, len(record), data))
	}
	return lines
}

// A dialog that comes in parts is a dialog: rules see it, and what they hand on
// reaches the client as it came.
func TestDialogInParts(t *testing.T) {
	opts := asIs
	opts.Client = KnowsOhMyPi
	opts.Rules = rules(func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
		if d.DialogTitle() == "Sure?" {
			return protocol.Confirmed(false), nil
		}
		return next.Ask(ctx, d)
	})
	opts.DialogTimeout = time.Hour
	e := start(t, opts)
	e.agent(chunked("a", confirm, 3)...)
	e.agentGets(`{"type":"extension_ui_response","id":"d1","confirmed":false}`)
	other := chunked("b", strings.Replace(confirm, "Sure?", "Other?", 1), 4)
	event := chunked("c", `{"type":"message_update"}`, 2)
	go e.agent(append(other, event...)...)
	for _, want := range append(other, event...) {
		e.clientGets(want)
	}
	e.client(yes)
	e.agentGets(yes)
	e.ended()
}

// What only looks like parts passes, with what interrupts it, in order.
func TestPartsThatDoNotFit(t *testing.T) {
	e := start(t, asIs)
	a, b := chunked("a", confirm, 3), chunked("b", `{"type":"x"}`, 2)
	lines := []string{a[0], a[2], a[0], a[1], b[0], b[1], a[0], `{"type":"event"}`, b[1], `{"type":"rpc_chunk"}`, a[0], confirm}
	go e.agent(lines...)
	for _, want := range lines {
		e.clientGets(want)
	}
	e.client(yes)
	e.agentGets(yes)
	go func() {
		io.WriteString(e.agentSays, a[0]+"\n")
		e.agentSays.Close()
	}()
	e.clientGets(a[0])
	if err := <-e.result; err != nil {
		t.Error(err)
	}
}

// A dialog that oh-my-pi has cut is not what rules were written for.
func TestCutDialogIsNotForRules(t *testing.T) {
	opts := asIs
	opts.Client = KnowsOhMyPi
	opts.Rules = rules(func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
		return protocol.Confirmed(true), nil
	})
	e := start(t, opts)
	go e.agent(`{"type":"ready","protocolVersion":1}`)
	e.clientGets(`{"type":"ready","protocolVersion":1}`)
	e.agent(strings.Replace(confirm, `"m"`, `"m [1048576 bytes elided for RPC frame]"`, 1))
	e.agentGets(cancelled)
	e.ended()
}

// oh-my-pi's cancel of a dialog that a rule decides does not reach the client, and
// the decision goes nowhere.
func TestCancelOfACoveredDialog(t *testing.T) {
	opts := asIs
	opts.Client = KnowsOhMyPi
	opts.Rules = func(_ client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		return rule{answer: func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
			decided(d)
			<-ctx.Done()
			return protocol.Confirmed(true), nil
		}}
	}
	e := start(t, opts)
	e.agent(confirm, `{"type":"extension_ui_request","id":"c","method":"cancel","targetId":"d1"}`)
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	e.client(`{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}
