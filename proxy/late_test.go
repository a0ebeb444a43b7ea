package proxy

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/policy"
	"extui/protocol"
)

// A proxy that was stopped for a while finds an answer together with the end of its
// time. Whichever it looks at first, the answer is late: at the very end of the time it
// is none either.
func TestAnswerAtTheEndOfItsTime(t *testing.T) {
	const rounds = 40 // of a race that either side may win
	timed := strings.TrimSuffix(confirm, "}") + `,"timeout":60000}`
	limited := asIs
	limited.DialogTimeout = time.Minute
	asksLimited := asking()
	asksLimited.DialogTimeout = time.Minute
	within := ruledBy(t, `{otherwise: ask, rules: [{when: {title: "Sure?"}, ask: true, within: 1m}]}`, policy.Options{})
	for name, c := range map[string]struct {
		opts    Options
		request string
		gets    bool // the agent gets a cancellation
		asked   bool // or a rule answers
	}{
		"the dialog's own":             {asIs, timed, false, true},
		"the dialog's own, with rules": {asking(), timed, false, true},
		"--dialog-timeout":             {limited, confirm, true, true},
		"--dialog-timeout, with rules": {asksLimited, confirm, true, true},
		"a rule's answer":              {limited, confirm, true, false},
		"within":                       {within, confirm, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			for range rounds {
				synctest.Test(t, func(t *testing.T) {
					opts := c.opts
					if !c.asked {
						opts.Rules = rules(func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
							time.Sleep(time.Minute)
							return protocol.Confirmed(true), nil
						})
					}
					e := start(t, opts)
					answered := make(chan struct{})
					go func() {
						defer close(answered)
						time.Sleep(time.Minute)
						if c.asked {
							e.client(yes)
						}
						e.client(`{"type":"after"}`)
					}()
					e.agent(c.request)
					if c.asked {
						line(t, "the client", e.clientReads)
					}
					got := []string{line(t, "the agent", e.agentReads)}
					if c.gets {
						got = append(got, line(t, "the agent", e.agentReads))
					}
					<-answered
					for _, record := range got {
						if strings.Contains(record, `"confirmed":true`) {
							t.Errorf("the agent gets %s", record)
						}
					}
					e.ended()
				})
			}
		})
	}
}
