package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"extui/client"
	"extui/internal/safetext"
	"extui/protocol"
)

// Ask shows a dialog, once those before it are over, and returns what was answered. See the package
// comment for how each kind is answered, and client.Frontend for its contract. It blocks until
// there is an answer, ctx ends, the input ends (cancelled, see Options.Unattended), or Close is called (ErrClosed); an
// error of writing to out ends it too, for nobody has seen the question then.
func (f *Frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	q, err := f.enter(ctx, d)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.ctx, func() { cancel(ErrClosed) })()
	var answer protocol.Answer
	select {
	case <-q.turn:
		answer, err = f.converse(ctx, q)
		f.mu.Lock()
		q.settled = q.settled || err == nil || errors.Is(err, errDeclined)
		f.mu.Unlock()
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && ctx.Err() != nil { // too late
		err = context.Cause(ctx)
		q.unsent = append(q.unsent, describe(d, answer)...)
	}
	if err != nil {
		answer, err = f.ended(ctx, q, err)
	}
	if !q.detached {
		f.leave(q)
	}
	return answer, err
}

// ended prints how a dialog ended that has no answer, and returns what Ask does.
func (f *Frontend) ended(ctx context.Context, q *open, err error) (protocol.Answer, error) {
	var answer protocol.Answer
	switch {
	case ctx.Err() != nil:
		if !errors.Is(err, ErrClosed) {
			f.scr.block("closed: ", mark, safetext.Line(q.d.DialogTitle())+": "+reason(err))
		}
	case errors.Is(err, errUnseen):
		f.scr.block("cancelled: ", mark, safetext.Line(q.d.DialogTitle()))
		f.scr.line(errUnseen.Error())
		answer, err = f.unattended(errUnseen.Error())
	case errors.Is(err, errCancelled), errors.Is(err, errDeclined):
		f.scr.line("cancelled")
		answer, err = protocol.Cancelled{}, nil
	case errors.Is(err, io.EOF):
		f.scr.line("cancelled, for the input has ended")
		if f.mode == Pipe {
			answer, err = f.unattended("the input has ended")
		} else { // Somebody has pressed Ctrl-D.
			answer, err = protocol.Cancelled{}, nil
		}
	case f.scr.err != nil:
		err = fmt.Errorf("show the dialog: %w", f.scr.err)
	default:
		err = readError(err)
		f.scr.block("cancelled: ", mark, safetext.Line(err.Error()))
	}
	f.printUnsent(q.unsent)
	return answer, err
}

// unattended is what Ask returns where nobody can answer.
func (f *Frontend) unattended(why string) (protocol.Answer, error) {
	if f.o.Unattended == nil {
		return protocol.Cancelled{}, nil
	}
	return nil, fmt.Errorf("%w: %s", f.o.Unattended, why)
}

// printUnsent keeps texts visible that were typed and will not be sent.
func (f *Frontend) printUnsent(texts []string) {
	for _, t := range texts {
		f.scr.block("not sent: ", mark, safetext.Block(t))
	}
}

// reason is why a dialog ended without us, in words for its person.
func reason(why error) string {
	for _, c := range []struct {
		err  error
		text string
	}{
		{client.ErrExpired, "its time is up"},
		{client.ErrReplaced, "the agent asks something else in its place"},
		{client.ErrAnsweredElsewhere, elsewhere(why)},
		{client.ErrAgentGone, "the agent has ended"},
		{client.ErrStopped, "the program is stopping"},
	} {
		if errors.Is(why, c.err) {
			return c.text
		}
	}
	if errors.Is(why, client.ErrTakenBack) {
		var taken *client.TakenBackError
		if errors.As(why, &taken) && taken.Reason != "" {
			return "the agent took it back (" + safetext.Line(taken.Reason) + ")"
		}
		return "the agent took it back"
	}
	return safetext.Line(why.Error())
}

// elsewhere is who answered in our place, if the error says so.
func elsewhere(why error) string {
	if text := why.Error(); text != client.ErrAnsweredElsewhere.Error() {
		return safetext.Line(text)
	}
	return "it was answered elsewhere"
}

// Dropped says that an answer was not sent, and shows it. It implements client.Dropped.
func (f *Frontend) Dropped(d protocol.Dialog, a protocol.Answer, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scr.block("closed: ", mark, safetext.Line(d.DialogTitle())+": "+reason(why))
	f.printUnsent(describe(d, a))
	f.refresh()
}

// describe returns what a person typed or chose for an answer; nothing for a cancellation.
func describe(d protocol.Dialog, a protocol.Answer) []string {
	switch a := a.(type) {
	case protocol.Value:
		return []string{string(a)}
	case protocol.Confirmed:
		if a {
			return []string{"yes"}
		}
		return []string{"no"}
	case protocol.Answers:
		q, _ := d.(*protocol.Questionnaire)
		var out []string
		for _, x := range a {
			out = append(out, answerLine(q, x))
		}
		return out
	}
	return nil
}

// How a dialog ends that nobody answers.
var (
	errCancelled = errors.New("cancelled")           // without a line that says so
	errDeclined  = errors.New("cancelled by a line") // which was its last
	errUnseen    = errors.New("the input is a terminal and the output is not, so nobody can read a question")
)

func (f *Frontend) converse(ctx context.Context, q *open) (protocol.Answer, error) {
	if f.unseen {
		return nil, errUnseen
	}
	switch d := q.d.(type) {
	case *protocol.Select:
		return f.askSelect(ctx, q, d)
	case *protocol.Confirm:
		return f.askConfirm(ctx, q, d)
	case *protocol.Input:
		return f.askInput(ctx, q, d)
	case *protocol.Editor:
		return f.askEditor(ctx, q, d)
	case *protocol.Questionnaire:
		return f.askQuestionnaire(ctx, q, d)
	}
	return nil, fmt.Errorf("show the dialog: no way to show a %s", q.d.Method())
}

// present prints a dialog: its kind and title, what body adds, the time left and the queue, and
// how to answer. From then on typing counts, after the delay of a terminal.
func (f *Frontend) present(q *open, kind, title string, body func(s *screen), hint string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.scr
	s.line("")
	s.block(kind+": ", mark, safetext.Block(title))
	if body != nil {
		body(s)
	}
	f.timeLeft(q)
	for _, l := range f.waiting() {
		s.line(l)
	}
	if hint != "" {
		s.block("", "", hint)
	}
	f.noteBegun(q)
	s.guarded = true
	s.flush() // which may take long: the terminal may stand still
	switch {
	case f.mode == Pipe:
		q.since = time.Unix(0, 1) // shown, and no line is too early
	case f.mode == Keys:
		q.since = time.Now().Add(f.o.MinDelay)
	case f.o.MinDelay == 0:
		f.begin(q)
	default:
		q.since = time.Now().Add(f.o.MinDelay)
		q.timers = append(q.timers, time.AfterFunc(f.o.MinDelay, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.ctx.Err() == nil && slices.Contains(f.queue, q) {
				f.begin(q)
				f.refresh()
			}
		}))
	}
	f.refresh()
}

// begin lets typing count in Lines mode. The terminal keeps a line to itself until it is entered,
// so what is there is thrown away, and the line that comes is what stands behind the dialog's
// prompt, which is shown now. If one was begun there, or may have been, the first that comes may be
// its rest, and is not taken. f.mu is held.
func (f *Frontend) begin(q *open) {
	q.doubt = f.dropTyped()
	q.begun, q.since = true, time.Now()
	f.deliver()
}

// say prints a line of ours in the middle of a dialog.
func (f *Frontend) say(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scr.block("", mark, fmt.Sprintf(format, args...))
	f.refresh()
}

// cancelWord cancels a dialog that reads lines.
const cancelWord = "/cancel"

// dialogLine reads a line of q, and takes the cancel word out: it ends with errDeclined, and
// with one slash more it is the word itself.
func (f *Frontend) dialogLine(ctx context.Context, q *open, prompt string, k lineKind) (string, error) {
	line, err := f.readLine(ctx, q, prompt, k)
	if err != nil {
		return "", err
	}
	if line == cancelWord || k == choosing && isCancel(line) {
		return "", errDeclined
	}
	return unslash(line, cancelWord), nil
}

// unslash takes one slash off a line that is a command word with further slashes in front.
func unslash(line string, words ...string) string {
	for _, w := range words {
		if strings.HasSuffix(line, "/"+w) && strings.Trim(strings.TrimSuffix(line, w), "/") == "" {
			return line[1:]
		}
	}
	return line
}

// misunderstood explains why a line is no answer. On a terminal the question is asked again. From
// a pipe it is cancelled: the lines that follow were not written with a second attempt in mind, and
// one of them must not answer a question that it was not meant for.
func (f *Frontend) misunderstood(format string, args ...any) error {
	f.say(format, args...)
	if f.mode == Pipe {
		return errDeclined
	}
	return nil
}

func (f *Frontend) askConfirm(ctx context.Context, q *open, d *protocol.Confirm) (protocol.Answer, error) {
	f.present(q, "confirm", d.Title, func(s *screen) {
		if d.Message != nil && *d.Message != "" {
			s.block(mark, mark, safetext.Block(*d.Message))
		}
	}, "y or yes confirms, n or no declines, "+cancelWord+" cancels")
	for {
		line, err := f.dialogLine(ctx, q, "y/n> ", choosing)
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(trim(line)) {
		case "y", "yes":
			return protocol.Confirmed(true), nil
		case "n", "no":
			return protocol.Confirmed(false), nil
		case "":
			err = f.misunderstood("an empty line decides nothing: type y or n")
		default:
			err = f.misunderstood("neither yes nor no: type y or n")
		}
		if err != nil {
			return nil, err
		}
	}
}

func (f *Frontend) askInput(ctx context.Context, q *open, d *protocol.Input) (protocol.Answer, error) {
	f.present(q, "input", d.Title, func(s *screen) {
		if d.Placeholder != nil && *d.Placeholder != "" {
			s.block("  for example: ", mark, safetext.Block(*d.Placeholder))
		}
	}, "type one line, which may be empty; "+cancelWord+" cancels")
	line, err := f.dialogLine(ctx, q, "text> ", oneLine)
	if err != nil {
		return nil, err
	}
	return protocol.Value(line), nil
}

func (f *Frontend) askSelect(ctx context.Context, q *open, d *protocol.Select) (protocol.Answer, error) {
	choices := make([]choice, len(d.Options))
	for i, o := range d.Options {
		choices[i] = choice{label: o.Label, description: o.Description, answer: o.Answer()}
	}
	hint := fmt.Sprintf("answer with %s, or with an option's text; %s cancels", numbers(len(choices)), cancelWord)
	if len(choices) == 0 {
		hint = ""
	}
	f.present(q, "select", d.Title, func(s *screen) { printChoices(s, choices) }, hint)
	if len(choices) == 0 {
		f.say("there is nothing to choose from")
		return nil, errDeclined
	}
	for {
		line, err := f.dialogLine(ctx, q, span(len(choices))+"> ", choosing)
		if err != nil {
			return nil, err
		}
		i, problem := choose(choices, line)
		if problem == "" {
			return protocol.Value(choices[i].answer), nil
		}
		if err := f.misunderstood("%s", problem); err != nil {
			return nil, err
		}
	}
}
