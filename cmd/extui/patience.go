package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"extui/client"
)

// patience is how long a script waits for an agent that does not answer. What an
// agent may take its time for, a prompt above all, is not among it.
type patience struct {
	// commands is for the first answer to get_commands, while no dialog is open.
	commands time.Duration
	// ended is for the same once the input has ended, so that an agent which starts
	// slowly can still show itself.
	ended time.Duration
	// answer is for a command that agents answer at once.
	answer time.Duration
	// silence is for the first sign of life.
	silence time.Duration
}

var usualPatience = patience{commands: 5 * time.Second, ended: 2 * time.Second, answer: 10 * time.Second, silence: 30 * time.Second}

// learnCommands learns the names of the agent's commands, which serve completion
// and say whose command a line means. A script waits for that, since its next
// line may be such a name; and since an agent answers once the handlers of
// session_start have asked what they want to ask, so that the first line goes
// there. It waits a while only: nothing depends on the answer, which counts
// whenever it comes. ended, if not nil, says that no line is left.
func (s *session) learnCommands(ctx context.Context, ended <-chan struct{}) {
	if !s.learning.CompareAndSwap(false, true) {
		return // An agent that still owes one answer is not asked for another.
	}
	learned := make(chan struct{})
	s.work.Go(func() {
		defer close(learned)
		defer s.learning.Store(false)
		s.refreshCommands(ctx)
	})
	if s.person {
		return
	}
	timer := time.NewTimer(s.w.patience.commands)
	defer timer.Stop()
	for {
		select {
		case <-learned:
			return
		case <-ctx.Done():
			return
		case <-ended:
			ended = nil
			timer.Reset(s.w.patience.ended)
		case <-timer.C:
			if s.act.look().dialogs == 0 {
				s.notes.print("note", "the agent has not answered get_commands; extui goes on without its list of commands")
				return
			}
			if s.act.wait(ctx, func(d doing) bool { return d.dialogs == 0 }) != nil {
				return
			}
			timer.Reset(s.w.patience.commands)
		}
	}
}

// refreshCommands asks for the names of the agent's commands and takes the answer.
func (s *session) refreshCommands(ctx context.Context) {
	all, err := s.client.GetCommands(ctx)
	s.answered(err)
	if front, ok := s.ui.(readyUI); ok {
		defer front.Ready()
	}
	switch {
	case err == nil:
		s.names.set(all)
	case errors.Is(err, client.ErrAgentGone):
		s.cutShort.Store(true)
	case errors.Is(err, client.ErrUnknownCommand), ctx.Err() != nil:
	default:
		s.report(err)
	}
}

// answered notes that the agent has answered a command if err, which came of one,
// says so.
func (s *session) answered(err error) {
	if _, refused := errors.AsType[*client.CommandError](err); err == nil || refused {
		s.heard.Store(true)
		s.alive.Store(true)
	}
}

// errSilent is why a script gives an agent up that has never said anything.
var errSilent = errors.New("the agent has answered nothing and shown nothing; was it told to speak the RPC protocol?")

// awaitLife ends the conversation by cancel if the agent gives no sign of life for
// too long. An agent that has given one may work as long as it likes.
func (s *session) awaitLife(ctx context.Context, cancel context.CancelCauseFunc) {
	timer := time.NewTimer(s.w.patience.silence)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	shown := s.client.Mirror().Snapshot()
	if s.alive.Load() || shown.Title != "" || len(shown.Statuses)+len(shown.Widgets)+len(shown.Notifications) > 0 {
		return
	}
	cancel(errSilent)
}

// soon runs a command that agents answer at once. A script does not wait for the
// answer of one that does not.
func (s *session) soon(ctx context.Context, call func(context.Context) error) (err error) {
	defer func() { s.answered(err) }()
	if s.person {
		return call(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, s.w.patience.answer)
	defer cancel()
	err = call(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("no answer within %v: %w", s.w.patience.answer, err)
	}
	return err
}
