package conformance_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/scenario"
	"extui/scenario/conformance/choices"
	"extui/scenario/testdata/faulty-client/faulty"
)

// clientRules are the rules for clients by id.
func clientRules(t *testing.T) map[string]*scenario.Scenario {
	t.Helper()
	files, err := filepath.Glob("client/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rules: %v", err)
	}
	all := map[string]*scenario.Scenario{}
	for _, file := range files {
		s, err := scenario.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		all[s.Rule.ID] = s
	}
	return all
}

// judged plays the agent of a rule for the client with a fault, in time that stands
// still, and says why it breaks the rule; "" if it does not.
func judged(t *testing.T, s *scenario.Scenario, fault *faulty.Fault) (why string) {
	t.Helper()
	var kinds []string
	for _, c := range s.Choices {
		kinds = append(kinds, c.JSON)
	}
	env := map[string]string{choices.ChoicesVariable: "[" + strings.Join(kinds, ",") + "]", choices.NeedsVariable: strings.Join(s.Rule.Needs, ",")}
	for name, value := range s.Env {
		env[name] = value
	}
	synctest.Test(t, func(t *testing.T) {
		fromAgent, toClient := io.Pipe()
		fromClient, toAgent := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		left := make(chan error, 1)
		go func() {
			err := faulty.Run(ctx, fault, func(name string) string { return env[name] }, fromAgent, toAgent)
			fromAgent.Close()
			left <- err
		}()
		r := s.PlayAgent(ctx, &scenario.Peer{In: toClient, Out: fromClient, Stop: func() { fromClient.Close() }}, nil)
		// The agent's process is gone now.
		toClient.Close()
		fromClient.Close()
		if f := r.Failure(); f != nil {
			why = f.Text + ": " + f.Message
		} else if r.Err != nil {
			why = r.Err.Error()
		}
		timer := time.AfterFunc(s.Within, func() {
			if why == "" {
				why = "the client has not left"
			}
			cancel()
		})
		<-left // How it ends is for its caller.
		timer.Stop()
	})
	return why
}

// The client that keeps all rules is caught by none.
func TestNoRuleCatchesTheGoodClient(t *testing.T) {
	for id, s := range clientRules(t) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			if why := judged(t, s, &faulty.Fault{}); why != "" {
				t.Error(why)
			}
		})
	}
}

// Each fault is caught by the rule that is meant for it, and each rule catches one.
func TestEachFaultOfAClientIsCaught(t *testing.T) {
	rules := clientRules(t)
	caught := map[string]bool{}
	for i := range faulty.Faults {
		fault := &faulty.Faults[i]
		s := rules[fault.Rule]
		if s == nil {
			t.Errorf("%s: there is no rule %s", fault.Name, fault.Rule)
			continue
		}
		caught[fault.Rule] = true
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			why := judged(t, s, fault)
			if why == "" {
				t.Errorf("%s does not catch a client that %s", fault.Rule, fault.Says)
			}
			t.Log(why)
		})
	}
	for id := range rules {
		if !caught[id] {
			t.Errorf("no fault is meant for %s", id)
		}
	}
}
