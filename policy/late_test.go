package policy

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"extui/protocol"
)

// telling answers with a function, and tells another one what was not sent.
type telling struct {
	*person
	ask nextFunc
}

func (t telling) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return t.ask(ctx, d)
}

// An answer that is there together with the end of its time, as it is when the process
// stood still, has come too late, whichever of the two is looked at first.
func TestAnswerAtTheEndOfItsTime(t *testing.T) {
	const limit = 30 * time.Second
	for name, test := range map[string]struct {
		rules   string
		timeout time.Duration // of the dialog's context; 0: none
		outcome Outcome
	}{
		"within":         {`rules: [{ask: true, within: 30s}]`, 0, Declined},
		"otherwise":      {`{otherwise: {ask: true, within: 30s}, rules: []}`, 0, Declined},
		"open":           {`rules: [{when: {open: 30s}, cancel: true}, {ask: true}]`, 0, Declined},
		"open and later": {`rules: [{when: {open: 30s}, ask: true, within: 30s}, {ask: true}]`, 0, Declined},
		"both":           {`rules: [{when: {open: 30s}, cancel: true}, {ask: true, within: 30s}]`, 0, Declined},
		"the dialog":     {`{otherwise: ask, rules: []}`, limit, Over},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for range 40 { // select takes one of those that are ready by chance
					var log decisions
					told := &person{}
					ready := time.After(limit) // before any timer of the rules
					f := New(mustParse(t, test.rules), &Options{OnDecision: log.add, Next: telling{told, func(context.Context, protocol.Dialog) (protocol.Answer, error) {
						<-ready
						return protocol.Confirmed(true), nil
					}}})
					ctx := t.Context()
					if test.timeout > 0 {
						ctx = limitedContext{ctx, time.Now().Add(test.timeout)} // its end is late
					}
					a, _ := f.Ask(ctx, confirm("x", ""))
					if d := log.last(t); a == protocol.Confirmed(true) || d.Outcome != test.outcome || d.Who == ByPerson {
						t.Fatalf("answer %#v, %+v", a, d)
					}
					if err := f.Close(t.Context()); err != nil || len(told.dropped) != 1 {
						t.Fatalf("%v; told of %v", err, told.dropped)
					}
				}
			})
		})
	}
}

// The time of a rule with open that asks on changes nothing about an answer.
func TestAnswerAtATimeThatDecidesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(mustParse(t, `rules: [{when: {title: y, open: 30s}, cancel: true}, {ask: true}]`), &Options{
			Next: nextFunc(func(context.Context, protocol.Dialog) (protocol.Answer, error) {
				time.Sleep(30 * time.Second)
				return protocol.Confirmed(true), nil
			}),
		})
		for range 40 {
			if a, err := f.Ask(t.Context(), confirm("x", "")); a != protocol.Confirmed(true) || err != nil {
				t.Fatalf("answer %#v, %v", a, err)
			}
		}
	})
}

// So has a command that prints its answer then.
func TestCommandAtTheEndOfItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 40 {
			f := New(mustParse(t, `rules: [{when: {title: x}, run: [decide], within: 30s}]`), nil)
			f.run = func(context.Context, []string, []string, []byte) ([]byte, error) {
				time.Sleep(30 * time.Second)
				return []byte(`{"confirmed":true}`), nil
			}
			if a, _ := f.Ask(t.Context(), confirm("x", "")); a != (protocol.Cancelled{}) {
				t.Fatalf("answer %#v, %+v", a, f.Stats())
			}
		}
	})
}

// The same where the answer waits already, and no timer has fired yet.
func TestAnswerBeforeALateTimer(t *testing.T) {
	for name, rules := range map[string]string{
		"within": `rules: [{ask: true, within: 30s}]`,
		"open":   `rules: [{when: {title: y, open: 30s}, cancel: true}, {ask: true}]`,
	} {
		r := mustParse(t, rules)
		told := &person{}
		q := &question{f: New(r, &Options{Next: told}), ctx: t.Context(), d: confirm("x", ""), opened: time.Now().Add(-30 * time.Second)}
		q.handed = &handed{cancel: func(error) {}, result: make(chan handedResult, 1)}
		q.handed.result <- handedResult{answer: protocol.Confirmed(true)}
		s := q.f.situation(q.d)
		v := r.judge(s)
		_, a := q.try(v)
		if d, later := q.ask(s, v, a); d.Answer == protocol.Confirmed(true) || later != (name == "open") || len(told.dropped) != map[string]int{"within": 1}[name] {
			t.Errorf("%s: %+v, later %v, told of %v", name, d, later, told.dropped)
		}
	}
}
