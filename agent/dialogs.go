package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"extui/protocol"
)

// What a dismissal says, in [protocol.Cancel].
const (
	dismissTimeout  = "timeout"
	dismissAborted  = "aborted"
	dismissAnswered = "answered" // by something that is no answer
	dismissSession  = "session"
)

// pending is one open dialog. Whoever takes it out of Session.open settles it.
type pending struct {
	id      protocol.ID
	end     time.Time     // of its timeout; zero: none
	done    chan struct{} // closed when outcome is set
	outcome outcome
}

// outcome is how a dialog ended: by a response, or by err.
type outcome struct {
	response *protocol.Response
	err      error
	dismiss  string // what to tell the client; for err only
}

// settle ends p if nobody has, and reports whether it did. s.mu is held.
func (s *Session) settle(p *pending, o outcome) bool {
	if s.open[p.id] != p {
		return false
	}
	delete(s.open, p.id)
	p.outcome = o
	close(p.done)
	return true
}

func (s *Session) settleNow(p *pending, o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(p, o)
}

// answer hands a response to its dialog. It returns false if there is none: it is
// over, or was never there.
func (s *Session) answer(r *protocol.Response) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.open[r.ID]
	if p != nil && !p.end.IsZero() && !time.Now().Before(p.end) {
		// Its timer is late: the process may have stood still.
		s.settle(p, outcome{err: ErrTimedOut, dismiss: dismissTimeout})
		return false
	}
	return p != nil && s.settle(p, outcome{response: r})
}

// register enters a dialog before it is written, so that an answer finds it
// however fast it comes.
func (s *Session) register(id protocol.ID, questionnaire bool, end time.Time) (*pending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.refuseDialogs != nil:
		return nil, s.refuseDialogs
	case questionnaire && !s.agent.capabilities().Questionnaire:
		return nil, ErrNoQuestionnaire
	case s.open[id] != nil:
		return nil, fmt.Errorf("Options.NewID returned %q, the id of an open dialog", id)
	}
	p := &pending{id: id, end: end, done: make(chan struct{})}
	s.open[id] = p
	s.asks.Add(1)
	return p, nil
}

// ask opens d, which has its id, and waits for its end.
func (s *Session) ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	wait, err := s.begin(ctx, d)
	if err != nil {
		return nil, err
	}
	return wait()
}

// begin registers d, which has its id, and writes it. It blocks only while the client
// does not read. wait must be called, once: it returns the outcome when the dialog is
// over, and tells the watcher of both its events.
func (s *Session) begin(ctx context.Context, d protocol.Dialog) (wait func() (protocol.Answer, error), err error) {
	if ctx.Err() != nil {
		noteBreak(ctx)
		return nil, aborted(ctx)
	}
	room := takeRoom()
	defer room.giveBack()
	record, err := room.encode(d)
	if err != nil {
		return nil, err
	}
	_, questionnaire := d.(*protocol.Questionnaire)
	var end time.Time
	limit, limited := d.DialogTimeout().Duration()
	if limited {
		end = time.Now().Add(limit)
	}
	p, err := s.register(d.RequestID(), questionnaire, end)
	if err != nil {
		if !errors.Is(err, ErrNoQuestionnaire) { // which has another way to be asked
			noteBreak(ctx)
		}
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() {
		s.settleNow(p, outcome{err: aborted(ctx), dismiss: dismissAborted})
	})
	var timer *time.Timer
	if limited {
		timer = time.AfterFunc(limit, func() {
			s.settleNow(p, outcome{err: ErrTimedOut, dismiss: dismissTimeout})
		})
	}

	// Everything that ends the dialog also ends the wait for a client that does
	// not read.
	err = s.agent.out.write(settledContext{ctx, p.done}, record)
	moveOn(ctx)
	wrote := err == nil
	if wrote {
		s.agent.counts.dialogs.Add(1)
	} else {
		s.settleNow(p, outcome{err: fmt.Errorf("%w: %w", ErrDisconnected, err)})
	}
	return func() (protocol.Answer, error) {
		defer s.asks.Done()
		defer stop()
		if timer != nil {
			defer timer.Stop()
		}
		answer, err := s.await(d, p, wrote)
		if !wrote || p.outcome.dismiss == dismissAborted || p.outcome.dismiss == dismissSession {
			noteBreak(ctx)
		}
		return answer, err
	}, nil
}

// await returns the outcome of a dialog. wrote says whether the client has seen it.
func (s *Session) await(d protocol.Dialog, p *pending, wrote bool) (answer protocol.Answer, err error) {
	a := s.agent
	if wrote {
		a.watch(s, DialogEvent{Dialog: d, Open: true})
	}
	<-p.done

	o := p.outcome
	if o.response != nil {
		answer, o = a.judge(d, o.response)
	}
	if wrote && o.dismiss != "" && a.capabilities().Dismiss {
		a.dismiss(p.id, o.dismiss)
	}
	if wrote {
		a.watch(s, DialogEvent{Dialog: d, Err: o.err})
	}
	return answer, o.err
}

// judge says what a response means.
func (a *Agent) judge(d protocol.Dialog, r *protocol.Response) (protocol.Answer, outcome) {
	answer, err := r.Answer(d)
	if err != nil {
		a.counts.invalid.Add(1)
		a.opts.Logger.Warn("a dialog was answered with what is no answer to it", "error", err)
		return nil, outcome{err: fmt.Errorf("%w: %w", ErrInvalidAnswer, err), dismiss: dismissAnswered}
	}
	if c, ok := answer.(protocol.Cancelled); ok {
		if c.TimedOut {
			return nil, outcome{err: ErrTimedOut}
		}
		return nil, outcome{err: ErrDismissed}
	}
	return answer, outcome{}
}

// dismiss tells the client that a dialog is over. It does not wait.
func (a *Agent) dismiss(target protocol.ID, reason string) {
	cancel := &protocol.Cancel{ID: protocol.StringID(a.opts.NewID()), TargetID: target, Reason: reason}
	record, err := protocol.AppendRequest(nil, cancel)
	if err != nil {
		panic("agent: " + err.Error()) // it has no Extra, the only thing that could be wrong
	}
	a.counts.dismissals.Add(1)
	a.out.post(record)
}

func (a *Agent) watch(s *Session, e DialogEvent) {
	if a.watcher == nil {
		return
	}
	if err := Protect(func() error { a.watcher.DialogChanged(s, e); return nil }); err != nil {
		a.opts.Logger.Error("dialog watcher failed", "error", err)
	}
}

// settledContext ends when its dialog is settled, which the end of the context
// beneath causes too, a moment later.
type settledContext struct {
	context.Context
	done chan struct{}
}

func (c settledContext) Done() <-chan struct{} { return c.done }

func (c settledContext) Err() error {
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}
