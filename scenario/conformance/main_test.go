package conformance

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"go.uber.org/goleak"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
	"extui/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// probe is the part of the probe that the tests of the runner need.
var probe = extension.Extension{Name: "probe", Setup: func(api *extension.API) error {
	api.RegisterCommand(extension.Command{Name: "probe-features", Handler: func(ctx *extension.Context, _ string) error {
		return ctx.UI.Notify(ctx, `probe features: {"ui":["confirm","custom"],"mode":"rpc","hasUI":true}`, protocol.NotifyInfo)
	}})
	api.RegisterCommand(extension.Command{Name: "probe", Handler: func(ctx *extension.Context, _ string) error {
		soon, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, _ = ctx.UI.Input(soon, "Dismissed?", "", nil)
		return ctx.UI.Notify(ctx, "probe: undefined", protocol.NotifyInfo)
	}})
	api.RegisterCommand(extension.Command{Name: "hello", Handler: func(ctx *extension.Context, _ string) error {
		return ctx.UI.Notify(ctx, "hello", protocol.NotifyInfo)
	}})
	api.RegisterCommand(extension.Command{Name: "hang", Handler: func(ctx *extension.Context, _ string) error {
		<-ctx.Done()
		return ctx.Err()
	}})
	return nil
}}

// inProcess starts an agent with extensions in the caller's bubble.
func inProcess(opts *agent.Options, extensions ...extension.Extension) AgentStart {
	return func(ctx context.Context, _ []string, stderr io.Writer) (*scenario.Peer, error) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		ctx, stop := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			io.WriteString(stderr, "it begins\n")
			_ = agent.New(extension.NewHost(extensions...), opts).Serve(ctx, inR, outW)
			outW.Close()
		}()
		return &scenario.Peer{In: inW, Out: outR, Stop: stop, Wait: func() scenario.Exit { <-done; stop(); return scenario.Exit{} }}, nil
	}
}

var errTest = errors.New("no such file")

// rule makes a rule of its head and steps.
func rule(t *testing.T, id, head, steps string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse(id+".yaml", []byte("rule: {id: "+id+", says: It does what "+id+" says., severity: must, section: Framing, source: pi"+head+"}\n"+steps))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
