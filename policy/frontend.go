package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"extui/client"
	"extui/internal/crew"
	"extui/protocol"
)

// Options are the choices of [New]. The zero value is ready to use.
type Options struct {
	// Next is asked what the rules hand on, and shows the updates. nil: nobody is asked;
	// what would be handed on is cancelled.
	Next client.Frontend
	// Audit gets every decision before its answer is sent. An answer that cannot be
	// logged becomes a cancellation. nil: nothing is logged.
	Audit *Audit
	// Session names the session for rules, commands and the log.
	Session string
	// Env is the environment of commands as KEY=value. nil: this process's own.
	Env []string
	// Decided is told of a dialog as soon as it is known that Next is not asked, or not at
	// once: before a command is run, and before a decision is logged; perhaps several times.
	// What holds up others until somebody is asked need not wait any longer. It must not
	// block. nil: nobody is told.
	Decided func(protocol.Dialog)
	// OnDecision is told of every decision, once it is logged. Calls come one at a time,
	// from various goroutines; the answer waits for them. nil: nobody is told.
	OnDecision func(Decision)
}

// Frontend answers dialogs by rules. It is a [client.Frontend], and implements
// [client.Capable], [client.Dropped] and [client.Unasked] as well. All its methods may be
// called at once.
type Frontend struct {
	rules    *Rules
	opts     Options
	run      func(ctx context.Context, argv, env []string, input []byte) ([]byte, error) // runProgram, but in tests
	commands chan struct{}                                                               // holds one for each command that runs
	repeats  repeats
	calls    crew.Crew // the calls of Next.Ask, which may outlive their dialogs

	reporting sync.Mutex // held while OnDecision runs

	mu       sync.Mutex
	statuses map[string]string
	stats    Stats
	recent   []Decision // that were answered last, for Dropped; the latest last
	asked    ids
}

// keepRecent is how many answers may be on their way to an agent at once and still be
// known when one of them turns out not to have been sent.
const keepRecent = 64

var (
	_ client.Frontend = (*Frontend)(nil)
	_ client.Capable  = (*Frontend)(nil)
	_ client.Dropped  = (*Frontend)(nil)
	_ client.Unasked  = (*Frontend)(nil)
)

// New returns a front end that answers as rules say. opts may be nil.
func New(rules *Rules, opts *Options) *Frontend {
	f := &Frontend{rules: rules, run: runProgram, commands: make(chan struct{}, maxCommands), statuses: map[string]string{}, asked: ids{}}
	if opts != nil {
		f.opts = *opts
		f.opts.Env = slices.Clone(opts.Env)
	}
	return f
}

func (f *Frontend) env() []string {
	if f.opts.Env != nil {
		return f.opts.Env
	}
	return os.Environ()
}

// Show implements [client.Frontend].
func (f *Frontend) Show(u protocol.Update) {
	if s, ok := u.(*protocol.SetStatus); ok {
		f.mu.Lock()
		if s.Text == nil {
			delete(f.statuses, s.Key)
		} else {
			f.statuses[s.Key] = *s.Text
		}
		f.mu.Unlock()
	}
	if f.opts.Next != nil {
		f.opts.Next.Show(u)
	}
}

// Capabilities implements [client.Capable]: questionnaires can be answered if a rule is
// for them or the next front end can show them.
func (f *Frontend) Capabilities() protocol.Capabilities {
	ruled := slices.ContainsFunc(f.rules.rules, func(r *rule) bool {
		return slices.Contains(r.when.methods, protocol.MethodQuestionnaire)
	})
	return protocol.Capabilities{Questionnaire: ruled || f.nextCan(protocol.MethodQuestionnaire)}
}

// nextCan reports whether the next front end, if there is one, can show such a dialog.
func (f *Frontend) nextCan(m protocol.Method) bool {
	if m != protocol.MethodQuestionnaire {
		return f.opts.Next != nil
	}
	c, ok := f.opts.Next.(client.Capable)
	return ok && c.Capabilities().Questionnaire
}

// Stats returns how many dialogs ended in which way so far.
func (f *Frontend) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stats
}

// Close waits until every call of the next front end has returned. It ends none: that is
// done by the ends of their dialogs. When ctx ends first, the error wraps ctx.Err(). The
// audit log stays open; it is the caller's.
func (f *Frontend) Close(ctx context.Context) error {
	if err := f.calls.Wait(ctx); err != nil {
		return fmt.Errorf("wait for the next front end: %w", err)
	}
	return nil
}

// Ask implements [client.Frontend]. What no rule approves, it cancels; the error is nil
// then, for that is a decision and no failure. Only a dialog that has ended meanwhile is
// an error, the cause of its context's end.
func (f *Frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	q := &question{f: f, ctx: ctx, d: d, opened: time.Now()}
	q.unclear = f.enter(q)
	defer f.leave(q)
	var decision Decision
	if err := crew.Guard(func() { decision = q.decide() }); err != nil {
		decision = q.cancelled(Failed, err.Error())
	}
	return q.finish(decision)
}

// finish logs and reports a decision and returns what is to be sent.
func (q *question) finish(d Decision) (protocol.Answer, error) {
	f := q.f
	f.decided(q.d)
	d.Time, d.Session, d.Request = time.Now(), f.opts.Session, q.d
	if over := q.over(); over != nil {
		q.drop(d, over)
		d.Outcome, d.Answer, d.Who, d.Why = Over, sentAtEnd(over), ByNobody, over.Error()
		_ = f.opts.log(d) // There is no answer of ours to hold back.
		f.report(d)
		return nil, over
	}
	if err := f.opts.log(d); err != nil {
		q.drop(d, err)
		d.Answer = protocol.Cancelled{}
		f.lost(&d, err)
	}
	f.mu.Lock()
	if len(f.recent) == keepRecent {
		f.recent = slices.Delete(f.recent, 0, 1)
	}
	f.recent = append(f.recent, d)
	f.mu.Unlock()
	f.report(d)
	return d.Answer, nil
}

// lost makes d one that failed, for it could not be logged.
func (f *Frontend) lost(d *Decision, err error) {
	d.Outcome, d.Who, d.Why = Failed, ByNobody, err.Error()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stats.AuditLost++
}

// Unasked implements [client.Unasked]: it logs and counts a dialog about which the rules
// cannot be asked as one that was cancelled for want of a rule. Whoever calls it cancels the
// dialog once it returns; without an id that cannot be done, and no answer is logged. One that
// comes when the end has begun is [Over], as one is that was open then: why matches
// [client.ErrStopped] or [client.ErrAgentGone]. It blocks as long as the audit log takes. The
// next front end is not told.
func (f *Frontend) Unasked(r protocol.Request, why error) {
	d := Decision{Time: time.Now(), Session: f.opts.Session, Request: r, Outcome: NoRule, Who: ByNobody, Why: why.Error(), Unasked: true}
	switch {
	case errors.Is(why, client.ErrStopped), errors.Is(why, client.ErrAgentGone):
		d.Outcome, d.Answer = Over, sentAtEnd(why)
	default:
		d.Answer = protocol.Cancelled{}
	}
	if r.RequestID().IsZero() {
		d.Answer = nil
	}
	if err := f.opts.log(d); err != nil && d.Outcome != Over {
		f.lost(&d, err)
	}
	f.report(d)
}

func (f *Frontend) decided(d protocol.Dialog) {
	if f.opts.Decided != nil {
		f.opts.Decided(d)
	}
}

// drop tells the next front end that the answer it gave is not sent.
func (q *question) drop(d Decision, why error) {
	if d.Who == ByPerson && d.Answer != nil {
		q.f.tellDropped(q.d, d.Answer, why)
	}
}

// log writes a decision to the audit log, if there is one.
func (o *Options) log(d Decision) error {
	if o.Audit == nil {
		return nil
	}
	return o.Audit.Write(d)
}

func (f *Frontend) report(d Decision) {
	f.mu.Lock()
	f.stats.count(&d)
	f.mu.Unlock()
	if f.opts.OnDecision == nil {
		return
	}
	f.reporting.Lock()
	defer f.reporting.Unlock()
	f.opts.OnDecision(d)
}

// Dropped implements [client.Dropped]: it logs that an answer was not sent after all, and
// passes that on if the answer was the next front end's.
func (f *Frontend) Dropped(d protocol.Dialog, a protocol.Answer, why error) {
	f.mu.Lock()
	i := slices.IndexFunc(f.recent, func(r Decision) bool { return r.Request == d })
	var decision Decision
	if i >= 0 {
		decision = f.recent[i]
		f.recent = slices.Delete(f.recent, i, i+1)
	}
	f.mu.Unlock()
	if i < 0 {
		return
	}
	who := decision.Who
	decision.Time, decision.Outcome, decision.Answer, decision.Why = time.Now(), NotSent, nil, why.Error()
	_ = f.opts.log(decision) // There is no answer left to hold back.
	f.report(decision)
	if who == ByPerson {
		f.tellDropped(d, a, why)
	}
}

// tellDropped tells the next front end that a was not sent. A panic is its own loss.
func (f *Frontend) tellDropped(d protocol.Dialog, a protocol.Answer, why error) {
	if t, ok := f.opts.Next.(client.Dropped); ok && a != nil {
		_ = crew.Guard(func() { t.Dropped(d, a, why) })
	}
}

// situation is what rules look at when d has just come.
func (f *Frontend) situation(d protocol.Dialog) *situation {
	s := newSituation(d)
	s.session = f.opts.Session
	f.mu.Lock()
	defer f.mu.Unlock()
	s.statuses = maps.Clone(f.statuses)
	return s
}
