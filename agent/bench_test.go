package agent_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"testing"

	"extui/agent"
	"extui/protocol"
)

// BenchmarkNotify is a notification on its way to a client that reads at once.
func BenchmarkNotify(b *testing.B) {
	in, w := io.Pipe()
	a := agent.New(nil, nil)
	served := make(chan error, 1)
	go func() { served <- a.Serve(context.Background(), in, io.Discard) }()
	ui := a.UI()
	for !ui.HasUI() {
		runtime.Gosched()
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := ui.Notify(context.Background(), "Command blocked by user", protocol.NotifyWarning); err != nil {
			b.Fatal(err)
		}
	}
	w.Close()
	<-served
}

// BenchmarkDialog is one dialog, answered at once, while others are open: its cost
// must not depend on their number.
func BenchmarkDialog(b *testing.B) {
	for _, open := range []int{1, 10_000} {
		b.Run(fmt.Sprint(open, " open"), func(b *testing.B) {
			in, w := io.Pipe()
			out := &confirming{answers: make(chan []byte, 100)}
			a := agent.New(nil, nil)
			served := make(chan error, 1)
			go func() { served <- a.Serve(context.Background(), in, out) }()
			go func() {
				for line := range out.answers {
					w.Write(line)
				}
				w.Close()
			}()
			for !a.UI().HasUI() {
				runtime.Gosched()
			}
			ctx, cancel := context.WithCancel(context.Background())
			var others sync.WaitGroup
			for range open - 1 {
				others.Go(func() { _, _ = a.UI().Input(ctx, "other", "", nil) })
			}
			for a.Stats().OpenDialogs < open-1 {
				runtime.Gosched()
			}
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := a.UI().Confirm(ctx, "Sure?", "Really.", nil); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
			cancel()
			others.Wait()
			close(out.answers)
			<-served
		})
	}
}

// confirming answers every confirm with yes.
type confirming struct{ answers chan []byte }

func (c *confirming) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := 0
		for p[end] != '\n' {
			end++
		}
		req, err := protocol.DecodeRequest(p[:end])
		if d, ok := req.(*protocol.Confirm); ok && err == nil {
			resp, _ := protocol.Respond(d, protocol.Confirmed(true))
			c.answers <- append(protocol.AppendResponse(nil, resp), '\n')
		}
		p = p[end+1:]
	}
	return n, nil
}
