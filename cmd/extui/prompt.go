package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"extui/client"
	"extui/internal/safetext"
	"extui/protocol"
)

// line does what one line says and returns when all of that is over. Its error
// ends the conversation; whatever else fails is shown, and counted if script is
// true.
func (s *session) line(ctx context.Context, text string, script bool) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s.act.change(func(d *doing) { d.prompts++ })
	defer s.act.change(func(d *doing) { d.prompts-- })
	thrown := s.act.look().thrown
	var err error
	if l, args, ok := s.names.local(text); ok {
		err = l.run(ctx, s, args)
	} else {
		err = s.prompt(ctx, text)
	}
	switch {
	case err == nil:
		if script && s.act.look().thrown > thrown {
			s.failures.Add(1) // The agent has answered that all went well, behind the error.
		}
		return nil
	case errors.Is(err, client.ErrAgentGone):
		s.cutShort.Store(true)
		return err
	case errors.Is(err, errLeave):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	s.report(err)
	if script {
		s.failures.Add(1)
	}
	return nil
}

// background is line for a person, who need not wait for one to type the next.
// What is done at once, such as /quit, is done when it returns.
func (s *session) background(ctx context.Context, text string) error {
	if l, args, ok := s.names.local(text); ok && l.immediate {
		return l.run(ctx, s, args)
	}
	s.work.Go(func() { _ = s.line(ctx, text, false) }) // Only the end of ctx is left to report.
	return nil
}

// prompt sends a text to the agent and waits until the agent has dealt with it.
func (s *session) prompt(ctx context.Context, text string) error {
	var fields []protocol.Field
	if s.act.look().running {
		// As in pi's own editor: what is typed meanwhile reaches the model at once.
		fields = append(fields, protocol.StringField("streamingBehavior", "steer"))
	}
	disposition, err := s.client.Prompt(ctx, text, fields...)
	s.answered(err)
	if err != nil {
		return err
	}
	if disposition != client.Handled {
		err = s.settled(ctx)
	}
	if strings.HasPrefix(text, "/") {
		s.learnCommands(ctx, nil) // The command may have loaded others.
	}
	return err
}

// settled returns when no run goes on in the agent.
func (s *session) settled(ctx context.Context) error {
	const recheck = 200 * time.Millisecond
	for {
		before := s.act.look()
		var state *client.State
		err := s.soon(ctx, func(ctx context.Context) (err error) {
			state, err = s.client.GetState(ctx)
			return err
		})
		if errors.Is(err, client.ErrUnknownCommand) || errors.Is(err, context.DeadlineExceeded) {
			// It does not say. What it shows must do.
			return s.act.wait(ctx, func(d doing) bool { return !d.running })
		}
		if err != nil {
			return err
		}
		if !state.IsStreaming && !s.act.look().running {
			return nil
		}
		// The response is behind the records of all that was going on, so that the
		// end of it is still to come. Only an agent between its last record of a
		// run and the end of its own bookkeeping has to be asked again.
		wait, cancel := ctx, context.CancelFunc(func() {})
		if !s.act.look().running {
			wait, cancel = context.WithTimeout(ctx, recheck)
		}
		err = s.act.wait(wait, func(d doing) bool { return d.ended > before.ended })
		cancel()
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// idle returns when no dialog is open and the agent has nothing to do.
func (s *session) idle(ctx context.Context) error {
	for {
		if err := s.act.wait(ctx, func(d doing) bool { return d.dialogs == 0 && !d.running }); err != nil {
			return err
		}
		if err := s.settled(ctx); err != nil {
			return err
		}
		if s.act.look().dialogs == 0 {
			return nil
		}
	}
}

// report shows what went wrong with something that was typed.
func (s *session) report(err error) {
	if err != nil {
		s.ui.Line("[error] " + safetext.Line(err.Error()))
	}
}
