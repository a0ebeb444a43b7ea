package scenario

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop is an extension with a dialog of each kind.
var shop = extension.Extension{Name: "shop", Setup: func(api *extension.API) error {
	api.RegisterCommand(extension.Command{Name: "deploy", Handler: func(ctx *extension.Context, args string) error {
		where, err := ctx.UI.Select(ctx, "Where to?", []string{"staging", "production"}, nil)
		if err != nil {
			return ctx.UI.Notify(ctx, "Nothing deployed", protocol.NotifyWarning)
		}
		yes, _ := ctx.UI.Confirm(ctx, "Sure?", "Deploy to "+where, nil)
		if !yes {
			return ctx.UI.Notify(ctx, "Nothing deployed", protocol.NotifyWarning)
		}
		return ctx.UI.Notify(ctx, "Deployed to "+where, protocol.NotifyInfo)
	}})
	api.RegisterCommand(extension.Command{Name: "timed", Handler: func(ctx *extension.Context, args string) error {
		_, err := ctx.UI.Input(ctx, "Quick!", "", &agent.DialogOptions{Timeout: 30e9})
		return ctx.UI.Notify(ctx, err.Error(), protocol.NotifyInfo)
	}})
	api.RegisterCommand(extension.Command{Name: "both", Handler: func(ctx *extension.Context, args string) error {
		var wg sync.WaitGroup
		for _, name := range []string{"a", "b"} {
			wg.Go(func() {
				s, _ := ctx.UI.Input(ctx, name, "", nil)
				_ = ctx.UI.Notify(ctx, name+" is "+s, protocol.NotifyInfo)
			})
		}
		wg.Wait()
		return nil
	}})
	api.RegisterCommand(extension.Command{Name: "fail", Handler: func(ctx *extension.Context, args string) error {
		return io.ErrUnexpectedEOF
	}})
	api.RegisterTool(extension.Tool{Name: "bash", Execute: func(ctx *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
		return *agent.TextResult("ran " + string(input)), nil
	}})
	return nil
}}

// builtin is the agent as a peer. It must be called in a bubble.
func builtin(extensions ...extension.Extension) *Peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = agent.New(extension.NewHost(extensions...), nil).Serve(ctx, inR, outW)
		outW.Close()
	}()
	return &Peer{In: inW, Out: outR, Stop: stop, Wait: func() Exit { <-done; stop(); return Exit{} }}
}

func mustParse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// against plays the client against shop.
func against(t *testing.T, text string, opts *Options) (r *Report) {
	t.Helper()
	s := mustParse(t, text)
	synctest.Test(t, func(t *testing.T) { r = s.TestAgent(t.Context(), builtin(shop), opts) })
	return r
}

func passes(t *testing.T, r *Report) {
	t.Helper()
	if r.Passed() {
		return
	}
	for _, w := range r.Wire {
		t.Logf("%s %s", w.From, w.Text)
	}
	t.Fatalf("it failed: %v, %+v", r.Err, r.Failure())
}

// fails checks that the step in a line fails, and that its message or one of its
// differences says why.
func fails(t *testing.T, r *Report, line int, why string) {
	t.Helper()
	f := r.Failure()
	if f == nil {
		t.Fatalf("it passed, want a failure in line %d: %s", line, why)
	}
	all := f.Message
	for _, d := range f.Differ {
		all += "\n" + d.String()
	}
	if f.Line != line || !strings.Contains(all, why) {
		t.Errorf("line %d fails with %q, want line %d with %q", f.Line, all, line, why)
	}
}
