package agent

import (
	"context"
	"time"

	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// handle does what one record asks for, or starts doing it.
func (a *Agent) handle(record []byte) {
	if typ, ok := protocol.RecordType(record); ok && typ == protocol.TypeResponse {
		r, err := protocol.DecodeResponse(record)
		if err != nil {
			a.badRecord(err)
		} else if !a.Session().answer(r) {
			a.counts.ignored.Add(1)
		}
		return
	}
	c, err := protocol.DecodeCommand(record)
	if err != nil {
		a.badRecord(err)
		return
	}
	switch c.Type {
	case "prompt":
		a.prompt(c)
	case "call_tool":
		a.callTool(c)
	case "new_session":
		a.newSession(c)
	case "abort":
		a.abortCommand(c)
	case "get_state":
		a.out.post(success(c, a.state()))
	case "get_commands":
		a.getCommands(c)
	case "set_session_name":
		a.setSessionName(c)
	case protocol.TypeSetCapabilities:
		if *a.opts.Capabilities == (protocol.Capabilities{}) {
			a.unknown(c)
			return
		}
		a.setCapabilities(c)
	default:
		a.unknown(c)
	}
}

// getCommands answers once session_start has done what it does at once: it may add
// commands, and a client that waits for this response before it takes a prompt must
// see a dialog of session_start first.
func (a *Agent) getCommands(c *protocol.Command) {
	select {
	case <-a.begun:
		a.out.post(success(c, a.commandList()))
		return
	default:
	}
	a.runs.background(a.base, "get_commands", func(ctx context.Context) {
		select {
		case <-a.begun:
		case <-ctx.Done():
		}
		a.out.post(success(c, a.commandList()))
	})
}

func (a *Agent) badRecord(err error) {
	a.counts.badRecords.Add(1)
	a.opts.Logger.Warn("bad record from the client", "error", err)
	a.out.post(protocol.AppendCommandResponse(nil, &protocol.CommandResponse{
		Command: "parse", Error: "Failed to parse command: " + err.Error(),
	}))
}

func (a *Agent) unknown(c *protocol.Command) {
	name := c.Type
	if name == "" {
		name = "undefined" // pi's word for no type at all
	}
	a.out.post(failure(c, "Unknown command: "+name))
}

func success(c *protocol.Command, data jsontext.Value) []byte {
	return protocol.AppendCommandResponse(nil, &protocol.CommandResponse{ID: c.ID, Command: c.Type, Success: true, Data: data})
}

func failure(c *protocol.Command, text string) []byte {
	return protocol.AppendCommandResponse(nil, &protocol.CommandResponse{ID: c.ID, Command: c.Type, Error: text})
}

// command starts fn for the session that is current when its turn comes. If it is
// aborted before that, c is answered so and fn is not called; c may be nil.
func (a *Agent) command(name string, c *protocol.Command, fn func(ctx context.Context, s *Session)) {
	a.takeTurn(name, turnTime, c, fn)
}

// takeTurn is command with how long it holds up the next one at most.
func (a *Agent) takeTurn(name string, turn time.Duration, c *protocol.Command, fn func(ctx context.Context, s *Session)) {
	started := a.runs.command(a.base, name, turn, func(ctx context.Context) {
		if c != nil && ctx.Err() != nil {
			a.out.post(failure(c, "aborted before it started"))
			return
		}
		s := a.sessionFor(ctx)
		ctx, stop := s.join(ctx)
		defer stop()
		a.guard(s, name, func() { fn(ctx, s) })
	})
	if !started {
		a.opts.Logger.Warn("a command came when the agent was ending", "command", name)
	}
}

// sessionFor returns the current session. While new_session has ended one and not
// begun the next, it waits for that, until ctx ends.
func (a *Agent) sessionFor(ctx context.Context) *Session {
	for {
		s := a.Session()
		if s.ctx.Err() == nil {
			return s
		}
		select {
		case <-s.next:
		case <-ctx.Done():
			return s
		}
	}
}

// guard runs code of a Runtime and reports a panic.
func (a *Agent) guard(s *Session, name string, fn func()) {
	if err := Protect(func() error { fn(); return nil }); err != nil {
		s.Report(ExtensionError(name, name, err))
	}
}

// abortCommand aborts and answers c: at once, but while an answer streams only when
// that has ended, so that the client can send its next prompt then, as with pi.
func (a *Agent) abortCommand(c *protocol.Command) {
	streamed := a.Session().streamed()
	if streamed == nil {
		a.out.post(success(c, nil))
		a.abort()
		return
	}
	a.abort()
	a.runs.background(a.base, "abort", func(ctx context.Context) {
		select {
		case <-streamed:
		case <-ctx.Done():
		}
		a.out.post(success(c, nil))
	})
}

// abort settles every open dialog and ends the contexts of all that runs: those first, so
// that nobody who is told that a dialog was aborted finds its own context alive, and goes on.
func (a *Agent) abort() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errAbortCommand)
	err := aborted(ctx)
	s := a.Session()
	s.mu.Lock()
	defer s.mu.Unlock()
	a.runs.cancel(errAbortCommand)
	for _, p := range s.open {
		s.settle(p, outcome{err: err, dismiss: dismissAborted})
	}
}
