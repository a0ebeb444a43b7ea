package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"extui/internal/crew"
	"extui/protocol"
)

var confirmDialog = &protocol.Confirm{ID: protocol.StringID("c"), Title: "Sure?"}

// member is what one member of a group does with a confirm.
type member int

const (
	yes     member = iota // answers true
	no                    // answers false
	dismiss               // answers Cancelled
	fails                 // returns an error
	panics
	misfits // answers with a text
	empty   // returns neither
	waits   // until its context ends
)

func (m member) Ask(ctx context.Context, _ protocol.Dialog) (protocol.Answer, error) {
	switch m {
	case yes:
		return protocol.Confirmed(true), nil
	case no:
		return protocol.Confirmed(false), nil
	case dismiss:
		return protocol.Cancelled{}, nil
	case fails:
		return protocol.Confirmed(true), errors.New("it failed")
	case panics:
		panic("it panicked")
	case misfits:
		return protocol.Value("yes"), nil
	case empty:
		return nil, nil
	}
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func (member) Show(protocol.Update) {}

func TestFirst(t *testing.T) {
	for _, test := range []struct {
		name    string
		members []member
		want    protocol.Answer // nil: an error
	}{
		{"one", []member{yes}, protocol.Confirmed(true)},
		{"the others wait", []member{waits, no, waits}, protocol.Confirmed(false)},
		{"a cancellation is an answer", []member{waits, dismiss}, protocol.Cancelled{}},
		{"a failure is none", []member{fails, panics, misfits, empty, no}, protocol.Confirmed(false)},
		{"all fail", []member{fails, panics, misfits, empty}, nil},
		{"nobody", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var fs []Frontend
			for _, m := range test.members {
				fs = append(fs, m)
			}
			g := First(fs...)
			a, err := g.Ask(t.Context(), confirmDialog)
			if a != test.want || (err == nil) != (test.want != nil) {
				t.Errorf("got %v %v, want %v", a, err, test.want)
			}
			if test.name == "all fail" && (!strings.Contains(err.Error(), "it failed") || !strings.Contains(err.Error(), "it panicked")) {
				t.Errorf("the error does not name all failures: %v", err)
			}
			if err := g.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFirstEndsTheOthers(t *testing.T) {
	a, b := newFront(), newFront()
	g := First(a, b)
	done := make(chan protocol.Answer)
	go func() {
		ans, _ := g.Ask(t.Context(), confirmDialog)
		done <- ans
	}()
	<-b.asks
	(<-a.asks).reply(protocol.Confirmed(true))
	if why := <-b.ended; !errors.Is(why, ErrAnsweredElsewhere) {
		t.Errorf("the other ended with %v", why)
	}
	if ans := <-done; ans != protocol.Confirmed(true) {
		t.Errorf("answer %v", ans)
	}
}

// The dialog's own end reaches all members with its cause.
func TestFirstPassesTheCauseOn(t *testing.T) {
	a, b := newFront(), newFront()
	g := First(a, b)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() {
		_, err := g.Ask(ctx, confirmDialog)
		done <- err
	}()
	<-a.asks
	<-b.asks
	cancel(ErrExpired)
	for _, err := range []error{<-a.ended, <-b.ended, <-done} {
		if !errors.Is(err, ErrExpired) {
			t.Errorf("ended with %v", err)
		}
	}
}

// A member that ignores its context does not hold up the answer, belongs to the
// group until it returns, and is told that its late answer was dropped.
func TestFirstStraggler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := newFront()
		slow.deaf = true
		g := First(slow, yes)
		if a, err := g.Ask(t.Context(), confirmDialog); a != protocol.Confirmed(true) || err != nil {
			t.Fatalf("got %v %v", a, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := g.Close(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("close with a straggler: %v", err)
		}
		closed := make(chan error)
		go func() { closed <- g.Close(t.Context()) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("close did not wait for the straggler")
		default:
		}
		(<-slow.asks).reply(protocol.Confirmed(false))
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if d := <-slow.dropped; d.answer != protocol.Confirmed(false) || !errors.Is(d.why, ErrAnsweredElsewhere) {
			t.Errorf("dropped %+v", d)
		}
	})
}

func TestFirstQuestionnaire(t *testing.T) {
	plain, capable := newFront(), newFront()
	q := &protocol.Questionnaire{ID: protocol.StringID("q"), Questions: []protocol.Question{{Question: "?"}}}
	if _, err := First(plain).Ask(t.Context(), q); !errors.Is(err, errNotCapable) {
		t.Errorf("without a capable member: %v", err)
	}
	if First(plain, plain).Capabilities().Questionnaire {
		t.Error("a group is capable of what no member is")
	}
	capable.caps.Questionnaire = true
	g := First(plain, capable)
	if !g.Capabilities().Questionnaire {
		t.Error("a group is not capable of what a member is")
	}
	done := make(chan protocol.Answer)
	go func() {
		a, _ := g.Ask(t.Context(), q)
		done <- a
	}()
	(<-capable.asks).reply(protocol.Answers{})
	if a, ok := (<-done).(protocol.Answers); !ok || len(plain.asks) != 0 {
		t.Errorf("answer %v; the plain member was asked %d times", a, len(plain.asks))
	}
}

func TestFirstShow(t *testing.T) {
	a, b := newFront(), newFront()
	u := &protocol.Notify{Message: "m"}
	if err := crew.Traced(func() { First(a, panicFront{}, b).Show(u) }); err == nil {
		t.Error("the panic of a member went unseen")
	}
	if <-a.shows != protocol.Update(u) || <-b.shows != protocol.Update(u) {
		t.Error("a member did not get the update")
	}
	First(a, yes, b).Dropped(confirmDialog, protocol.Confirmed(true), ErrExpired)
	if d := []drop{<-a.dropped, <-b.dropped}; slices.Contains(d, drop{}) {
		t.Errorf("dropped %v", d)
	}
}
