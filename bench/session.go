package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"extui/client"
	"extui/protocol"
)

// roundLimit is how long one round may take before it counts as failed.
const roundLimit = 2 * time.Minute

// driver is the front end of every figure. It approves at once, or all together
// when as many are open as the gate says, and keeps dialogs titled holdTitle open.
type driver struct {
	gate atomic.Pointer[gate] // nil: answer at once
	held atomic.Int64         // dialogs kept open
	done chan struct{}        // gets one for each title that says a round is over
}

// gate lets nobody pass until all have come.
type gate struct {
	missing atomic.Int64
	open    chan struct{}
}

func newGate(n int) *gate {
	g := &gate{open: make(chan struct{})}
	g.missing.Store(int64(n))
	return g
}

// Ask implements [client.Frontend].
func (f *driver) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	if d.DialogTitle() == holdTitle {
		f.held.Add(1)
		<-ctx.Done()
		return protocol.Cancelled{}, nil
	}
	if g := f.gate.Load(); g != nil {
		if g.missing.Add(-1) == 0 {
			close(g.open)
		}
		select {
		case <-g.open:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return protocol.Confirmed(true), nil
}

// Show implements [client.Frontend].
func (f *driver) Show(u protocol.Update) {
	if t, ok := u.(*protocol.SetTitle); ok && t.Title == doneTitle {
		f.done <- struct{}{}
	}
}

// session is one agent, or floor, with a client and the driver in front of it.
type session struct {
	name   string
	client *client.Client
	front  *driver
	calls  sync.WaitGroup // those that go on until the session ends
}

// start starts a session. pi's dialect sends nothing by itself, which a process
// that counts lines would take for a prompt. What the process prints to its
// standard error is only shown if it fails.
func start(ctx context.Context, name string, command client.Command) (*session, error) {
	s := &session{name: name, front: &driver{done: make(chan struct{}, 1)}}
	c, err := client.Start(ctx, command, &client.Options{
		Frontend: s.front, Dialect: client.Pi, OnDiagnostic: func(d client.Diagnostic) {
			fmt.Fprintf(os.Stderr, "bench: %s: %v\n", name, d)
		}})
	if err != nil {
		return nil, err
	}
	s.client = c
	return s, nil
}

// startChild starts a session with a child of this program.
func startChild(ctx context.Context, name string, args ...any) (*session, error) {
	command, err := childCommand(name, args...)
	if err != nil {
		return nil, err
	}
	return start(ctx, name, client.Command{Path: command[0], Args: command[1:], Stderr: os.Stderr})
}

// round sends a prompt and returns how long it took until the title said that it
// was done. The response to the prompt is not waited for: a floor gives none.
func (s *session) round(ctx context.Context, prompt string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	var call sync.WaitGroup
	defer call.Wait()
	defer cancel()
	failed := make(chan error, 1)
	begin := time.Now()
	call.Go(func() {
		if _, err := s.client.Prompt(ctx, prompt); err != nil && ctx.Err() == nil {
			failed <- err
		}
	})
	select {
	case <-s.front.done:
		return time.Since(begin), nil
	case err := <-failed:
		return 0, fmt.Errorf("%s: %s: %w", s.name, prompt, err)
	case <-s.client.Done():
		return 0, fmt.Errorf("%s: %s: the agent ended: %w", s.name, prompt, s.client.Err())
	case <-ctx.Done():
		return 0, fmt.Errorf("%s: %s: not done: %w", s.name, prompt, ctx.Err())
	}
}

// begin sends a prompt that goes on until the session ends.
func (s *session) begin(ctx context.Context, prompt string) {
	// An error can only be that the session ends; what matters is waited for by
	// other means.
	s.calls.Go(func() { _, _ = s.client.Prompt(ctx, prompt) })
}

// close ends the session.
func (s *session) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.client.Close(ctx); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	s.calls.Wait()
	return nil
}

// A contender is one of the things that take turns in a figure.
type contender struct {
	name  string
	round func(ctx context.Context) (float64, error)
}

// turns lets the contenders take turns, after one round each that does not count,
// and returns their samples in the same order.
func (b *bench) turns(ctx context.Context, all ...contender) ([]Samples, error) {
	return turns(ctx, b.size.rounds, all...)
}

func turns(ctx context.Context, rounds int, all ...contender) ([]Samples, error) {
	samples := make([]Samples, len(all))
	for i := range rounds + 1 {
		for j, c := range all {
			v, err := c.round(ctx)
			if err != nil {
				return nil, err
			}
			if i > 0 {
				samples[j] = append(samples[j], v)
			}
		}
	}
	return samples, nil
}

// perPiece is a contender that sends a prompt and divides the time by n.
func (s *session) perPiece(prompt string, n int) contender {
	return contender{s.name, func(ctx context.Context) (float64, error) {
		d, err := s.round(ctx, prompt)
		return micro(d) / float64(n), err
	}}
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// closeAll closes the sessions that were started, and joins what went wrong to err.
func closeAll(err *error, sessions ...*session) {
	for _, s := range sessions {
		if s != nil {
			*err = errors.Join(*err, s.close())
		}
	}
}

// waitHeld waits until n dialogs are kept open.
func (s *session) waitHeld(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for int(s.front.held.Load()) < n {
		select {
		case <-tick.C:
		case <-s.client.Done():
			return fmt.Errorf("%s: the agent ended: %w", s.name, s.client.Err())
		case <-ctx.Done():
			return fmt.Errorf("%s: %d of %d dialogs open: %w", s.name, s.front.held.Load(), n, ctx.Err())
		}
	}
	return nil
}

// startAgent starts a session with an agent: goAgent or tsAgent.
func (b *bench) startAgent(ctx context.Context, agent string) (*session, error) {
	command, err := childCommand(agent)
	if err != nil {
		return nil, err
	}
	c := client.Command{Path: command[0], Args: command[1:], Stderr: os.Stderr}
	if b.profile != "" {
		c.Env = append(os.Environ(), profileVariable+"="+b.profile)
	}
	return start(ctx, agent, c)
}
