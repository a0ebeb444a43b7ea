package conformance_test

import (
	"context"
	"io"
	"slices"
	"testing"
	"testing/synctest"

	"extui/scenario"
	"extui/scenario/conformance"
	"extui/scenario/testdata/faulty-agent/faulty"
)

// judgeAgent plays the client of a rule for the agent with a fault, in time that jumps,
// and says why it breaks the rule; "" if it does not.
func judgeAgent(t *testing.T, s *scenario.Scenario, fault *faulty.Fault) (why string) {
	t.Helper()
	dialect := s.Dialect
	if dialect == "" {
		dialect = "atomic"
	}
	synctest.Test(t, func(t *testing.T) {
		in, fromClient := io.Pipe()
		toClient, out := io.Pipe()
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		signals := make(chan string, 1)
		ended := make(chan int, 1)
		go func() {
			code := faulty.Run(ctx, &faulty.Process{
				Fault: fault, Dialect: dialect, Getenv: func(name string) string { return s.Env[name] },
				In: in, Out: out, Stderr: io.Discard, Signals: signals,
			})
			in.Close()
			out.Close()
			ended <- code
		}()
		r := s.TestAgent(ctx, &scenario.Peer{
			In: fromClient, Out: toClient,
			Signal: func(name string) error { signals <- name; return nil },
			Wait:   func() scenario.Exit { return scenario.Exit{Code: <-ended} },
			Stop:   func() { stop(); toClient.Close() },
		}, nil)
		if f := r.Failure(); f != nil {
			why = f.Text + ": " + f.Message
		} else if r.Err != nil {
			why = r.Err.Error()
		}
	})
	return why
}

// A second implementation of the agent's probe keeps all rules: they judge the agent
// and not our extension engine.
func TestNoRuleCatchesTheGoodAgent(t *testing.T) {
	for _, s := range conformance.Rules(scenario.Agent) {
		t.Run(s.Rule.ID, func(t *testing.T) {
			t.Parallel()
			if why := judgeAgent(t, s, &faulty.Fault{}); why != "" {
				t.Error(why)
			}
		})
	}
}

// The rules ask nothing of how the probe is made: not for the order in which JavaScript
// tells of calls that were over at once, nor for the probe's own words.
func TestNoRuleCatchesABuiltInProbe(t *testing.T) {
	for _, variation := range faulty.Variations() {
		for _, s := range conformance.Rules(scenario.Agent) {
			t.Run(variation.Name+"/"+s.Rule.ID, func(t *testing.T) {
				t.Parallel()
				if why := judgeAgent(t, s, variation); why != "" {
					t.Errorf("%s catches an agent that %s: %s", s.Rule.ID, variation.Says, why)
				}
			})
		}
	}
}

// Each fault is caught by the rule that is meant for it, and each rule catches one.
func TestEachFaultOfAnAgentIsCaught(t *testing.T) {
	rules := conformance.Rules(scenario.Agent)
	caught, names := map[string]bool{}, map[string]bool{}
	for _, fault := range faulty.Faults() {
		if names[fault.Name] {
			t.Errorf("two faults are called %s", fault.Name)
		}
		names[fault.Name] = true
		i := slices.IndexFunc(rules, func(s *scenario.Scenario) bool { return s.Rule.ID == fault.Rule })
		if i < 0 {
			t.Errorf("%s: there is no rule %s", fault.Name, fault.Rule)
			continue
		}
		caught[fault.Rule] = true
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			why := judgeAgent(t, rules[i], fault)
			if why == "" {
				t.Errorf("%s does not catch an agent that %s", fault.Rule, fault.Says)
			}
			t.Log(why)
		})
	}
	for _, s := range rules {
		if !caught[s.Rule.ID] {
			t.Errorf("no fault is meant for %s", s.Rule.ID)
		}
	}
}
