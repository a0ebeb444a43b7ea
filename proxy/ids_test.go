package proxy

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/policy"
	"extui/protocol"
)

// other is another dialog, with an id as JSON.
func other(id string) string {
	return `{"type":"extension_ui_request","id":` + id + `,"method":"confirm","title":"Delete?"}`
}

// answerOf is the response to a dialog with an id as JSON.
func answerOf(id, members string) string {
	return `{"type":"extension_ui_response","id":` + id + `,` + members + `}`
}

// While a dialog is open, an id that some agent or client takes for its id is no other
// dialog's: both are cancelled, and a rule approves neither.
func TestIDOfAnOpenDialog(t *testing.T) {
	approve := ruledBy(t, `rules: [{when: {title: "Sure?"}, ask: true}, {when: {title: "Delete?"}, confirmed: true}]`, policy.Options{})
	for name, opts := range map[string]Options{"no rules": asIs, "rules": approve} {
		for _, ids := range [][2]string{{`"d1"`, `"d1"`}, {`"d1"`, `"\u0064\u0031"`}, {"1", "1.0"}, {"1.0", "1"}, {"1", `"1"`}, {"9007199254740992", "9007199254740993"}, {`"\ud800"`, `"\ufffd"`}, {"[1]", "[2]"}} {
			t.Run(name+" "+ids[0]+" "+ids[1], func(t *testing.T) {
				e := start(t, opts)
				first := strings.Replace(confirm, `"d1"`, ids[0], 1)
				e.agent(first)
				e.clientGets(first)
				e.agent(other(ids[1]))
				got := map[string]bool{line(t, "the agent", e.agentReads): true}
				want := []string{answerOf(ids[1], `"cancelled":true`)}
				if strings.Contains(ids[1], "u0064") {
					want[0] = cancelled
				} else if ids[0] != ids[1] {
					got[line(t, "the agent", e.agentReads)] = true
					want = append(want, answerOf(ids[0], `"cancelled":true`))
				}
				for _, w := range want {
					if w = strings.ReplaceAll(w, `"\ufffd"`, "\"\ufffd\""); !got[w] {
						t.Errorf("the agent gets %v, want %s", got, w)
					}
				}
				e.client(answerOf(ids[0], `"confirmed":true`), answerOf(ids[1], `"confirmed":true`), `{"type":"abort"}`)
				e.agentGets(`{"type":"abort"}`)
				if !e.reported(`Delete?`) || !e.reported(`Sure?`) {
					t.Errorf("it is reported: %q", e.reports)
				}
				e.ended()
			})
		}
	}
}

// The same while a rule takes its time to decide about the first, which is not shown.
func TestIDOfADialogThatARuleDecides(t *testing.T) {
	dropped := make(chan error, 1)
	asked := make(chan error, 1)
	opts := asIs
	opts.Rules = func(next client.Frontend, decided func(protocol.Dialog)) client.Frontend {
		return droppedRule{rule{answer: func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
			if d.DialogTitle() == "Delete?" {
				return protocol.Confirmed(true), nil
			}
			decided(d)
			<-ctx.Done()
			_, err := next.Ask(context.WithoutCancel(ctx), d)
			asked <- err
			return protocol.Confirmed(true), nil
		}}, dropped}
	}
	e := start(t, opts)
	e.agent(confirm, other(`"d1"`))
	e.agentGets(cancelled)
	if err := <-asked; err == nil {
		t.Error("the client may be asked about it")
	}
	if why := <-dropped; why == nil {
		t.Error("its rule is not told")
	}
	e.agent(`{"type":"extension_ui_request","id":"d1","method":"pick_color"}`)
	e.agentGets(cancelled)
	go e.agent(`{"type":"after"}`)
	e.clientGets(`{"type":"after"}`)
	e.client(yes, `{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// An id that the client writes in another way is that of the dialog that it was asked.
func TestIDWrittenInAnotherWay(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			e := start(t, opts)
			e.agent(other("1.0"))
			e.clientGets(other("1.0"))
			e.client(answerOf("1", `"confirmed":true`))
			e.agentGets(answerOf("1.0", `"confirmed":true`))
			e.ended()
		})
	}
}

// Once the first is answered, its id may be used again.
func TestIDOfAnAnsweredDialog(t *testing.T) {
	e := start(t, asIs)
	for range 2 {
		e.agent(confirm)
		e.clientGets(confirm)
		e.client(yes)
		e.agentGets(yes)
	}
	e.ended()
}

// A late yes to a dialog whose time is over is none to another of its id, which the client
// gets with an id of its own.
func TestIDOfAnExpiredDialog(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := start(t, opts)
				timed := strings.TrimSuffix(confirm, "}") + `,"timeout":1000}`
				e.agent(timed)
				e.clientGets(timed)
				time.Sleep(2 * time.Second)
				e.agent(other(`"d1"`))
				second := line(t, "the client", e.clientReads)
				if id(t, second) == "d1" || !strings.Contains(second, "Delete?") {
					t.Errorf("the client gets %s", second)
				}
				e.client(yes, answerOf(`"`+id(t, second)+`"`, `"confirmed":false`))
				e.agentGets(answerOf(`"d1"`, `"confirmed":false`))
				// The client has answered both.
				e.agent(confirm)
				e.clientGets(confirm)
				e.client(yes)
				e.agentGets(yes)
				e.ended()
			})
		})
	}
}

// An agent that gives all its dialogs one id loses none to a client that closes those whose
// time is over by itself.
func TestOneIDForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, asIs)
		timed := strings.TrimSuffix(confirm, "}") + `,"timeout":1000}`
		var seen []string
		for range 5 {
			e.agent(timed)
			got := line(t, "the client", e.clientReads)
			if slices.Contains(seen, id(t, got)) {
				t.Errorf("the client gets %s again", got)
			}
			seen = append(seen, id(t, got))
			// The agent's clock is a little ahead of the proxy's.
			time.Sleep(999 * time.Millisecond)
		}
		e.agent(confirm)
		last := line(t, "the client", e.clientReads)
		e.client(answerOf(`"`+id(t, last)+`"`, `"confirmed":true`))
		e.agentGets(yes)
		if len(e.reports) > 0 {
			t.Errorf("it is reported: %q", e.reports)
		}
		e.ended()
	})
}

// What the agent says of the end of a dialog reaches a client that knows it by another id.
func TestCancelOfARenamedDialog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asIs
		opts.Client = KnowsOhMyPi
		e := start(t, opts)
		timed := strings.TrimSuffix(confirm, "}") + `,"timeout":1000}`
		e.agent(timed)
		e.clientGets(timed)
		time.Sleep(2 * time.Second)
		e.agent(timed)
		face := id(t, line(t, "the client", e.clientReads))
		e.agent(`{"type":"extension_ui_request","id":"c1","method":"cancel","targetId":"d1","reason":"aborted"}`)
		e.clientGets(`{"type":"extension_ui_request","id":"c1","method":"cancel","targetId":"` + face + `","reason":"aborted"}`)
		// Of one that is over the agent speaks late.
		go e.agent(`{"type":"extension_ui_request","id":"c2","method":"cancel","targetId":"d1"}`)
		targets := map[string]bool{}
		for range 2 {
			_, target, _ := strings.Cut(line(t, "the client", e.clientReads), `"targetId":"`)
			target, _, _ = strings.Cut(target, `"`)
			targets[target] = true
		}
		if !targets["d1"] || !targets[face] {
			t.Errorf("the ends of %v", targets)
		}
		e.ended()
	})
}
