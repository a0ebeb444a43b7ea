package interop_test

import (
	"context"

	"extui/client"
	"extui/protocol"
)

// A question is one call of Ask that waits for the test.
type question struct {
	dialog protocol.Dialog
	ctx    context.Context
	answer chan protocol.Answer
}

// reply makes Ask return a, which may be nil. It must be called once at most.
func (q *question) reply(a protocol.Answer) { q.answer <- a }

// A person is a front end that a test plays: it hands each dialog and each
// update to the test, in order.
type person struct {
	questions chan *question
	updates   chan protocol.Update
}

func newPerson() *person {
	return &person{make(chan *question, 100), make(chan protocol.Update, 100)}
}

func (p *person) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	q := &question{d, ctx, make(chan protocol.Answer, 1)}
	p.questions <- q
	select {
	case a := <-q.answer:
		return a, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (p *person) Show(u protocol.Update) { p.updates <- u }

var _ client.Frontend = (*person)(nil)
