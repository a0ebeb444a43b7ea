package policy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"extui/client"
	"extui/internal/crew"
	"extui/protocol"
)

// question is one dialog on its way through the rules. It belongs to the goroutine of its
// Ask.
type question struct {
	f       *Frontend
	ctx     context.Context
	d       protocol.Dialog
	opened  time.Time
	unclear bool    // an answer could be taken for another dialog's
	handed  *handed // nil until it is handed on

	// The end of the shortest time that a rule has given the next front end, which a later
	// rule does not lengthen: whoever is asked has seen it.
	end    time.Time     // zero: no limit
	within time.Duration // which that is
	ender  Verdict       // whose rule it was
}

// handed is a call of the next front end.
type handed struct {
	cancel context.CancelCauseFunc
	result chan handedResult // has room for the one result

	mu        sync.Mutex
	abandoned error // why nobody takes the result any more; set once, with the result taken out
}

type handedResult struct {
	answer protocol.Answer
	err    error
}

// over says why the dialog is over, nil if it is open.
func (q *question) over() error {
	if q.ctx.Err() != nil {
		return context.Cause(q.ctx)
	}
	if deadline, ok := q.ctx.Deadline(); ok && passed(deadline) {
		return client.ErrExpired // whoever ends the context is late
	}
	return nil
}

func (q *question) cancelled(o Outcome, why string) Decision {
	return Decision{Outcome: o, Answer: protocol.Cancelled{}, Who: ByNobody, Why: why}
}

// decide returns the decision, but for what is the same in all. When it returns, the next
// front end no longer shows the dialog.
func (q *question) decide() Decision {
	if q.unclear {
		return q.cancelled(Failed, whyUnclear(q.d))
	}
	defer q.abandon(client.ErrAnsweredElsewhere) // after a panic; else it has been done
	s := q.f.situation(q.d)
	v := q.f.rules.judge(s)
	d, ask := q.try(v)
	for ask != nil {
		var later bool
		if d, later = q.ask(s, v, ask); !later {
			return d
		}
		// Only the time differs from what the rules saw before: what else has changed
		// must not approve anything now.
		s.stage++
		if next := q.f.rules.judge(s); next.rule != v.rule {
			v = next
			d, ask = q.try(v)
		}
	}
	q.abandon(&decidedError{v, d.Outcome})
	return v.by(d)
}

// by enters the rule of v.
func (v Verdict) by(d Decision) Decision {
	d.Rule, d.Line = v.Rule, v.Line
	return d
}

// decidedError is why the next front end need no longer ask: another rule has decided,
// which was waiting for its time. It matches [client.ErrAnsweredElsewhere].
type decidedError struct {
	verdict Verdict
	outcome Outcome
}

func (e *decidedError) Error() string {
	did := "answered"
	if e.outcome != Answered {
		did = "cancelled"
	}
	if e.verdict.Rule == "" {
		return "the policy has " + did + " it"
	}
	return fmt.Sprintf("the policy has %s it, by %s (line %d)", did, e.verdict.Rule, e.verdict.Line)
}

// Is reports whether target is [client.ErrAnsweredElsewhere].
func (e *decidedError) Is(target error) bool { return target == client.ErrAnsweredElsewhere }

// asking is a dialog that is handed on.
type asking struct {
	within  time.Duration // since it was opened; 0: no limit
	outcome Outcome       // if there is nobody
	why     string        // it is handed on, if not for a rule that says so
}

// try does what a verdict says. It returns how to ask if the dialog is to be handed on.
func (q *question) try(v Verdict) (Decision, *asking) {
	answer, err, who := v.Answer, v.Err, ByRule
	switch {
	case err != nil:
	case v.Kind == ActionAsk:
		return Decision{}, &asking{within: v.Within, outcome: NoRule}
	case v.Kind == ActionRun:
		who = ByCommand
		q.f.decided(q.d)
		answer, err = q.f.command(q.ctx, v.rule, q.d)
		if errors.Is(err, errAsk) {
			return Decision{}, &asking{outcome: NoRule, why: errAsk.Error()}
		}
		if err == nil {
			err = checkAnswer(q.d, answer)
		}
	case v.Rule == "":
		return q.cancelled(NoRule, "no rule matches"), nil
	}
	if err != nil {
		return q.cancelled(Failed, err.Error()), nil
	}
	if why := q.f.tooOften(v.rule, q.d, answer); why != "" {
		if q.f.rules.then == ActionAsk {
			return Decision{}, &asking{outcome: Limited, why: why}
		}
		return q.cancelled(Limited, why), nil
	}
	return Decision{Outcome: outcome(answer), Answer: answer, Who: who}, nil
}

// outcome says whether an answer is one.
func outcome(a protocol.Answer) Outcome {
	if _, ok := a.(protocol.Cancelled); ok {
		return Declined
	}
	return Answered
}

// ask hands the dialog on, as v says, if that has not been done yet, and waits for an
// answer. later means that the next of the times that rules name has come first.
func (q *question) ask(s *situation, v Verdict, a *asking) (d Decision, later bool) {
	decided := func(d Decision) (Decision, bool) {
		d = v.by(d)
		if a.why != "" && d.Why != "" {
			d.Why = a.why + "; " + d.Why
		} else if a.why != "" {
			d.Why = a.why
		}
		return d, false
	}
	if !q.f.nextCan(s.method) {
		why := ErrNobody
		if q.f.opts.Next != nil {
			why = errCannotShow
		}
		return decided(q.cancelled(a.outcome, why.Error()))
	}
	var limit, stage <-chan time.Time
	if end := q.opened.Add(a.within); a.within > 0 && (q.end.IsZero() || end.Before(q.end)) {
		q.end, q.within, q.ender = end, a.within, v
	}
	if !q.end.IsZero() {
		t := time.NewTimer(time.Until(q.end))
		defer t.Stop()
		limit = t.C
	}
	var next time.Time // of the times that rules name; zero: there is none
	if stages := q.f.rules.stages; s.stage < len(stages) {
		next = q.opened.Add(stages[s.stage])
		t := time.NewTimer(time.Until(next))
		defer t.Stop()
		stage = t.C
	}
	if q.handed == nil {
		q.handOn()
	}
	var r handedResult
	answered := false
	select {
	case r = <-q.handed.result:
		answered = true
	case <-q.ctx.Done():
		return decided(q.cancelled(Over, "")) // finish finds out why
	case <-limit:
	case <-stage:
	}
	// A process that stood still finds an answer and the end of its time at once, and the
	// time came first. So the clock decides, not what select came upon.
	over, later := passed(q.end), passed(next)
	if answered && (over || later) {
		q.handed.result <- r // for who asks on, or else abandon; there is room again
	}
	switch {
	case later && !(over && !q.end.After(next)):
		return Decision{}, true
	case over:
		q.abandon(fmt.Errorf("the rule's %v are over: %w", q.within, client.ErrExpired))
		v = q.ender
		return decided(Decision{Outcome: Declined, Answer: protocol.Cancelled{TimedOut: true}, Who: ByRule,
			Why: fmt.Sprintf("nobody answered within %v", q.within)})
	}
	q.handed.cancel(nil)
	q.handed = nil
	return decided(q.person(r, a))
}

// passed reports whether a time has come, which the zero time never does.
func passed(t time.Time) bool { return !t.IsZero() && !time.Now().Before(t) }

// errCannotShow is why a questionnaire is not handed on.
var errCannotShow = errors.New("the next front end cannot show a questionnaire")

// person is the decision of the next front end, which was asked as a says.
func (q *question) person(r handedResult, a *asking) Decision {
	err := r.err
	if errors.Is(err, ErrNobody) {
		q.f.tellDropped(q.d, r.answer, err)
		return q.cancelled(a.outcome, err.Error())
	}
	if err == nil && r.answer == nil {
		err = errors.New("no answer")
	}
	if err == nil {
		_, err = protocol.Respond(q.d, r.answer)
	}
	if err != nil {
		q.f.tellDropped(q.d, r.answer, err)
		return q.cancelled(Failed, fmt.Sprintf("front end: %v", err))
	}
	return Decision{Outcome: outcome(r.answer), Answer: r.answer, Who: ByPerson}
}

// limitedContext has the end of an ask as its deadline, for a front end that shows how
// much time is left. It is ended by who waits.
type limitedContext struct {
	context.Context
	deadline time.Time
}

func (c limitedContext) Deadline() (time.Time, bool) { return c.deadline, true }

// handOn starts a call of the next front end. It may outlive the dialog: then it belongs
// to the Frontend, and what it returns is dropped.
func (q *question) handOn() {
	ctx, cancel := context.WithCancelCause(q.ctx)
	asked := context.Context(ctx)
	if own, ok := ctx.Deadline(); !q.end.IsZero() && (!ok || q.end.Before(own)) {
		asked = limitedContext{ctx, q.end}
	}
	h := &handed{cancel: cancel, result: make(chan handedResult, 1)}
	q.handed = h
	q.f.calls.Start(func() {
		var r handedResult
		if err := crew.Guard(func() { r.answer, r.err = q.f.opts.Next.Ask(asked, q.d) }); err != nil {
			r = handedResult{err: err}
		}
		h.mu.Lock()
		late := h.abandoned
		if late == nil {
			h.result <- r
		}
		h.mu.Unlock()
		if late != nil {
			q.f.tellDropped(q.d, r.answer, late)
		}
	})
}

// abandon ends the call of the next front end, if there is one. Its answer, should there
// be one, is dropped.
func (q *question) abandon(why error) {
	h := q.handed
	if h == nil {
		return
	}
	q.handed = nil
	if over := q.over(); over != nil {
		why = over
	}
	h.mu.Lock()
	h.abandoned = why
	var r handedResult
	select {
	case r = <-h.result:
	default:
	}
	h.mu.Unlock()
	h.cancel(why)
	q.f.tellDropped(q.d, r.answer, why)
}
