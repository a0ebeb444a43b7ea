package proxy

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/policy"
)

// A client that has asked to know which dialogs end is told of one that it was asked and
// that somebody else has decided, once the agent knows.
func TestClientIsToldOfTheEnd(t *testing.T) {
	limited := asIs
	limited.DialogTimeout = time.Minute
	limitedRules := asking()
	limitedRules.DialogTimeout = time.Minute
	ruled := func(rules string) Options {
		return ruledBy(t, `rules: [`+rules+`{when: {title: "Sure?"}, ask: true}]`, policy.Options{})
	}
	for name, c := range map[string]struct {
		opts          Options
		agent, reason string
	}{
		"--dialog-timeout":             {limited, timedOut, "timeout"},
		"--dialog-timeout, with rules": {limitedRules, timedOut, "timeout"},
		"open":                         {ruled(`{when: {title: "Sure?", open: 30s}, cancel: true}, `), cancelled, "decided by a rule"},
		"open, and refused":            {ruled(`{when: {title: "Sure?", open: 30s}, confirmed: false}, `), answerOf(`"d1"`, `"confirmed":false`), "decided by a rule"},
		"within":                       {ruled(`{when: {title: "Sure?"}, ask: true, within: 30s}, `), timedOut, "timeout"},
	} {
		for _, dismiss := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e := start(t, c.opts)
					if dismiss {
						on := `{"type":"set_extension_ui_capabilities","id":"c","dismiss":true}`
						e.client(on)
						e.agentGets(on)
					}
					e.agent(confirm)
					line(t, "the client", e.clientReads)
					e.agentGets(c.agent)
					if dismiss {
						got := line(t, "the client", e.clientReads)
						if want := `"method":"cancel","targetId":"d1","reason":"` + c.reason + `"}`; !strings.HasSuffix(got, want) {
							t.Errorf("the client gets %s, want %s", got, want)
						}
					}
					go e.agent(`{"type":"after"}`)
					e.clientGets(`{"type":"after"}`)
					e.client(yes, `{"type":"abort"}`)
					e.agentGets(`{"type":"abort"}`)
					e.ended()
				})
			})
		}
	}
}

// Of what it has answered itself it is told nothing.
func TestClientIsNotToldOfItsAnswer(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		for _, answer := range []string{yes, cancelled, answerOf(`"d1"`, `"confirmed":true,"value":"x"`)} {
			t.Run(name+answer, func(t *testing.T) {
				e := start(t, opts)
				on := `{"type":"set_extension_ui_capabilities","id":"c","dismiss":true}`
				e.client(on)
				e.agentGets(on)
				e.agent(confirm)
				e.clientGets(confirm)
				e.client(answer)
				line(t, "the agent", e.agentReads)
				go e.agent(`{"type":"after"}`)
				e.clientGets(`{"type":"after"}`)
				e.ended()
			})
		}
	}
}

// A walk that runs out of time is no refusal.
func TestWalkRunsOutOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _, _ := walkTo(t, Options{DialogTimeout: time.Minute})
		e.agentGets(`{"type":"extension_ui_response","id":"q1","cancelled":true,"timedOut":true}`)
		e.ended()
	})
}
