package plain

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"extui/client"
	"extui/protocol"
)

func (d *desk) prompt(ctx context.Context) <-chan asked {
	got := make(chan asked, 1)
	go func() {
		s, err := d.ReadPrompt(ctx)
		got <- asked{protocol.Value(s), err}
	}()
	synctest.Wait()
	return got
}

var sure = &protocol.Confirm{Title: "Sure?"}

// A line for a dialog that is over answers neither the next dialog nor is it a prompt, however the
// dialog ended.
func TestLineOfADialogThatIsOver(t *testing.T) {
	for _, why := range []error{client.ErrExpired, client.ErrReplaced, client.ErrTakenBack, client.ErrAnsweredElsewhere} {
		for _, first := range []protocol.Dialog{sure, choose3, askName, oneQuestion()} {
			bubble(t, Pipe, func(d *desk) {
				ctx, cancel := context.WithCancelCause(d.t.Context())
				old := d.ask(ctx, first)
				var next <-chan asked
				if why == client.ErrReplaced { // the new one is there before the old one has gone
					next = d.ask(d.t.Context(), approve)
				}
				cancel(why)
				d.answered(old, nil, why)
				if next == nil {
					next = d.ask(d.t.Context(), approve)
				}
				d.paper.take()
				line := "y"
				if first == choose3 || first.Method() == protocol.MethodQuestionnaire {
					line = "1"
				}
				d.write(line + "\n")
				d.printed("not sent, for its question is over: " + line + "\n")
				d.write("n\n")
				d.answered(next, protocol.Confirmed(false), nil)

				old = d.ask(ctx, first) // over before it is shown
				d.answered(old, nil, why)
				read := d.prompt(d.t.Context())
				d.write(line + "\nhello\n")
				d.answered(read, protocol.Value("hello"), nil)
			})
		}
	}
}

// A dialog of several lines keeps them up to its last one.
func TestLinesOfADialogThatIsOver(t *testing.T) {
	for _, c := range []struct {
		d      protocol.Dialog
		before string // read while it was open
		lost   []string
	}{
		{editText, "", []string{"/keep"}},
		{editText, "one\n", []string{"/keep", "y", "."}},
		{editText, "one\n", []string{"y", "/cancel"}},
		{storage(), "", []string{"1", "send"}}, // which is no answer to the second question
		{storage(), "1\n2\n", []string{"y"}},
		{storage(), "1\n", []string{"/own", "send", "/cancel"}},
		{oneQuestion(), "", []string{"/own", "", "/own", "text"}},
		{oneQuestion(), "", []string{"nonsense"}},
		{oneQuestion(), "/own\n", []string{"1"}},
		{&protocol.Questionnaire{Questions: []protocol.Question{
			{Question: "a", Options: []protocol.QuestionOption{{Label: "send"}, {Label: "x"}}},
			{Question: "b", Options: []protocol.QuestionOption{{Label: "send"}, {Label: "x"}}},
		}}, "", []string{"send", "send", "send"}},
	} {
		bubble(t, Pipe, func(d *desk) {
			ctx, cancel := context.WithCancelCause(d.t.Context())
			old := d.ask(ctx, c.d)
			d.write(c.before)
			cancel(client.ErrExpired)
			d.answered(old, nil, client.ErrExpired)
			next := d.ask(d.t.Context(), approve)
			d.paper.take()
			want := ""
			for _, l := range c.lost {
				d.write(l + "\n")
				want += "not sent, for its question is over: " + l + "\n"
			}
			d.printed(want)
			d.write("n\n")
			d.answered(next, protocol.Confirmed(false), nil)
		})
	}
}

// Dialogs that are over while they stand in the queue own the lines behind those before them.
func TestLineOfADialogThatWasNeverShown(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		ctx, cancel := context.WithCancelCause(d.t.Context())
		first := d.ask(d.t.Context(), askName)
		second := d.ask(ctx, sure)
		third := d.ask(ctx, choose3)
		fourth := d.ask(d.t.Context(), approve)
		cancel(client.ErrTakenBack)
		d.answered(second, nil, client.ErrTakenBack)
		d.answered(third, nil, client.ErrTakenBack)
		d.write("me\ny\n2\nn\n")
		d.answered(first, protocol.Value("me"), nil)
		d.answered(fourth, protocol.Confirmed(false), nil)
	})
}

// A line that was awaited as the next prompt stays one though a dialog opens, which gets the line
// behind it; so it is with a prompt that is no longer awaited.
func TestLineOfAPromptIsNoAnswer(t *testing.T) {
	bubble(t, Pipe, func(d *desk) {
		read := d.prompt(d.t.Context())
		got := d.ask(d.t.Context(), approve)
		d.write("yes\n")
		select {
		case a := <-got:
			t.Fatalf("the prompt answered: %v", a)
		case a := <-read:
			t.Fatalf("ReadPrompt has not waited for the dialog: %v", a)
		default:
		}
		d.write("n\n")
		d.answered(got, protocol.Confirmed(false), nil)
		d.answered(read, protocol.Value("yes"), nil)

		ctx, cancel := context.WithCancel(d.t.Context())
		read = d.prompt(ctx)
		cancel()
		d.answered(read, protocol.Value(""), context.Canceled)
		got = d.ask(d.t.Context(), approve)
		d.write("y\nn\n")
		d.answered(got, protocol.Confirmed(false), nil)
		d.answered(d.prompt(d.t.Context()), protocol.Value("y"), nil)
	})
}

// The order of a script: the dialog of the start first, then prompts and the dialogs to which they
// lead. It is the same whether all lines are there at once or each comes late.
func TestScriptedOrder(t *testing.T) {
	lines := []string{"n\n", "/demo\n", "2\n", "y\n", "/other\n", "last"}
	for _, late := range []bool{false, true} {
		bubble(t, Pipe, func(d *desk) {
			typed := make(chan struct{})
			go func() {
				defer close(typed)
				if !late {
					_, _ = fmt.Fprint(d.typed, strings.Join(lines, ""))
				}
				for _, l := range lines {
					if late {
						d.pass(rate)
						_, _ = fmt.Fprint(d.typed, l)
					}
				}
				_ = d.typed.(interface{ Close() error }).Close()
			}()
			for _, step := range []struct {
				d    protocol.Dialog // nil for a prompt
				want protocol.Answer
			}{
				{sure, protocol.Confirmed(false)}, // of session_start
				{nil, protocol.Value("/demo")},
				{choose3, nil}, // "2" is a number and a text here: cancelled
				{approve, protocol.Confirmed(true)},
				{nil, protocol.Value("/other")},
				{askName, protocol.Value("last")},
				{sure, protocol.Cancelled{}},
			} {
				var a protocol.Answer
				var err error
				if step.d == nil {
					var s string
					s, err = d.ReadPrompt(d.t.Context())
					a = protocol.Value(s)
				} else {
					a, err = d.Ask(d.t.Context(), step.d)
				}
				if step.want == nil {
					step.want = protocol.Cancelled{}
				}
				if a != step.want || err != nil {
					t.Errorf("late %v: %v, %v, want %v", late, a, err, step.want)
				}
			}
			<-typed
		})
	}
}
