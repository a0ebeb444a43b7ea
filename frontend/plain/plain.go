package plain

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	"extui/internal/safetext"
	"extui/protocol"
)

// ErrClosed is returned by Ask and ReadPrompt after Close.
var ErrClosed = errors.New("the front end is closed")

// defaultDelay is how long a dialog stands before typing answers it; see Options.MinDelay.
const defaultDelay = 300 * time.Millisecond

// Options says how a [Frontend] behaves. A nil *Options is the zero value, which is right for a
// pipe; nothing is read from the environment here.
type Options struct {
	// Mode says what in and out are. The zero value, Detect, asks them.
	Mode Mode
	// Term is the value of $TERM. Empty or "dumb" lets Detect choose Lines for a terminal.
	Term string
	// Width is the number of columns at which texts are wrapped. 0 asks the terminal, and does not
	// wrap on a pipe.
	Width int
	// Color keeps those colours of statuses, widgets, notifications and the agent's text that
	// cannot hide a text, and colours warnings and errors. Set it for a terminal if $NO_COLOR is not set. Dialogs never
	// have colours.
	Color bool
	// Prompt stands in front of a line for the agent. Empty means "> ".
	Prompt string
	// Editor is a text editor with its arguments, from $VISUAL or $EDITOR, for the editor dialog
	// on a terminal; the name of a file is put behind. Empty: the text is typed line by line.
	Editor []string
	// MinDelay is how long a dialog must have been on a terminal before typing can answer it.
	// 0 means 300 ms, negative none, which is for tests. It has no effect on a pipe.
	MinDelay time.Duration
	// Complete returns texts that may take the place of line[:pos] when Tab is pressed in a line
	// for the agent, in Keys mode; pos counts bytes. Nil: Tab does nothing. It is called from the
	// goroutine that reads the keys, which waits for it.
	Complete func(line string, pos int) []string
	// Interrupt is called for each Ctrl-C in Keys mode; cancelled says that it has cancelled the
	// dialog on screen. Count them, so that an agent that asks again and again can be left. Nil:
	// without a dialog nothing happens. It is called from the goroutine that reads the keys and
	// must not call Close.
	Interrupt func(cancelled bool)
	// Unattended is wrapped by the error that an Ask returns which nobody can answer: the end of
	// a pipe has come, or in is a terminal and out is none. Nil: such a dialog is cancelled without
	// an error, as if somebody had cancelled it.
	Unattended error
}

// Mode is a kind of input and output.
type Mode int

// The modes.
const (
	// Detect is Keys where in and out are terminals and Term is one that can do it, Lines where
	// in is a terminal otherwise, and Pipe for everything else. If in is a terminal and out is
	// none, dialogs are cancelled; so they are in the other modes if out is an *os.File.
	Detect Mode = iota
	// Pipe is a pipe, a file, or any other reader. Lines are read when they are wanted, and the
	// lines taken are repeated in the output.
	Pipe
	// Lines is a terminal that edits and hands over whole lines by itself. No escape sequence is
	// ever written to it.
	Lines
	// Keys is a terminal in raw mode, whose lines are edited here. In and out must be *os.File;
	// it falls back to Lines if the terminal refuses.
	Keys
)

// Frontend shows dialogs as lines of text. It implements client.Frontend, client.Capable and
// client.Dropped. Make one with [New]; all methods may be called at once.
type Frontend struct {
	o     Options
	mode  Mode
	in    io.Reader
	style safetext.SGR // for what is no dialog

	unseen bool // typed at a terminal that does not show out: nothing is asked; never changes

	ctx  context.Context // over after Close, with ErrClosed as its cause
	stop context.CancelCauseFunc
	one  chan struct{}  // holds a token while a ReadPrompt is running
	wg   sync.WaitGroup // text editors that outlive their dialog

	mu    sync.Mutex // guards all below
	scr   screen
	quiet *time.Timer // Lines: shows the prompt when it fires, nil if there is no need
	wake  sync.Cond   // broadcast when a line may be wanted, and at Close

	queue []*open // dialogs that have not ended, in order; the first is on screen
	slots map[string]*slot
	due   []string        // the slots that hold a value back, in the order in which it came
	names map[string]bool // unknown methods that were reported

	input inputState
}

// open is a dialog that has not ended. Its fields are guarded by Frontend.mu but for those that
// never change.
type open struct {
	d        protocol.Dialog
	deadline time.Time     // zero for none; never changes
	turn     chan struct{} // closed when the dialog is the first of the queue

	since     time.Time // from when on typing counts; zero until it is shown
	begun     bool      // Lines: since has come, and what was typed before is gone
	doubt     bool      // Lines: it may not be gone, so that the first line is not taken
	begunLine bool      // Keys: a line for the agent was being typed, and has not been ended yet
	cancelled bool      // Ctrl-C or CancelDialog, while no line was being read
	unsent    []string  // what was typed, to be shown if it ends without an answer
	timers    []*time.Timer
	detached  bool // its Ask has returned, but its text editor is still on the terminal

	rest    rest       // Pipe: the lines it has still to get, nil if it never takes one
	settled bool       // Pipe: it has had them all
	behind  []rest     // Pipe: lines of dialogs behind it that are over
	walk    *walk      // of a questionnaire
	typed   *typedText // of an editor dialog, where no text editor is used
}

// New returns a front end that reads from in and writes to out, and in Keys mode takes over the
// terminal: call Close, in a defer too, to give it back. o is copied.
//
// What Close can do about a read that blocks depends on in: an *os.File and anything with
// SetReadDeadline are let go unharmed; any other io.Closer is closed; a reader that is neither
// must return by itself.
func New(in io.Reader, out io.Writer, o *Options) *Frontend {
	f := &Frontend{in: in, one: make(chan struct{}, 1), slots: map[string]*slot{}, names: map[string]bool{}}
	f.input.over = make(chan struct{})
	if o != nil {
		f.o = *o
	}
	if f.o.Prompt == "" {
		f.o.Prompt = "> "
	}
	switch {
	case f.o.MinDelay == 0:
		f.o.MinDelay = defaultDelay
	case f.o.MinDelay < 0:
		f.o.MinDelay = 0
	}
	f.style = safetext.Strip
	if f.o.Color {
		f.style = safetext.Keep
	}
	f.wake.L = &f.mu
	f.ctx, f.stop = context.WithCancelCause(context.Background())
	f.mode, f.unseen = detect(f.o.Mode, in, out, f.o.Term), unseen(f.o.Mode, in, out)
	f.scr = screen{w: out, width: f.o.Width, before: f.flushDue}
	if fd, ok := fdOf(out); ok && f.mode != Pipe && term.IsTerminal(fd) {
		f.scr.fd, f.scr.hasFD = fd, true
	}
	if f.mode == Keys && !f.input.raw(in, &f.scr) {
		f.mode = Lines
	}
	f.scr.mode = f.mode
	f.mu.Lock()
	defer f.mu.Unlock()
	f.startInput()
	return f
}

// Capabilities says that questionnaires are shown. Section "questionnaire" of Atomic's document.
func (f *Frontend) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true, Dismiss: true}
}

// Text prints a piece of what the agent says as it comes; pieces may be cut anywhere, in the
// middle of a character too. While a dialog is on screen whole lines are printed, marked as the
// agent's, so that none can pass for a part of the question. It blocks as long as out does.
func (f *Frontend) Text(delta string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scr.text(f.style, delta)
	f.refresh()
}

// Line prints a line of the program's own, or several, and ends an unfinished line of [Frontend.Text].
// It is made safe like everything else. While a dialog is on screen all lines but the first are
// marked as the agent's. It blocks as long as out does.
func (f *Frontend) Line(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rest := ""
	if f.scr.guarded {
		rest = mark
	}
	f.scr.block("", rest, f.style.Block(s))
	f.refresh()
}

// CancelDialog cancels the dialog that is on screen and reports whether there is one. It is what
// Ctrl-C does in Keys mode; in Lines mode the terminal makes a signal of it, whose handler may
// call this.
func (f *Frontend) CancelDialog() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cancelFirst()
}

func (f *Frontend) cancelFirst() bool {
	if len(f.queue) == 0 || f.queue[0].detached {
		return false
	}
	if f.input.wait != nil {
		if typed := f.input.wait.line.text; typed != "" {
			f.queue[0].unsent = append(f.queue[0].unsent, typed)
		}
		f.give(f.input.wait, lineResult{err: errCancelled}, false)
	} else {
		f.queue[0].cancelled = true
	}
	return true
}

// Close prints what is still held back, ends all that is open with ErrClosed, stops reading in,
// and gives the terminal back. A second call does nothing. It returns the first error that
// writing to out gave.
func (f *Frontend) Close() error {
	f.mu.Lock()
	if f.ctx.Err() == nil {
		f.stop(ErrClosed)
		f.stopSlots()
		f.scr.finish()
		f.scr.flush()
	}
	if f.quiet != nil {
		f.quiet.Stop()
	}
	f.mu.Unlock()
	f.stopInput()
	f.wg.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.input.restore(&f.scr)
	return f.scr.err
}

// refresh shows the line that is being typed, if there is one, and writes all output. f.mu is held.
func (f *Frontend) refresh() {
	w := f.current()
	switch {
	case w == nil || f.ctx.Err() != nil:
		f.scr.hide()
	case f.mode == Keys && len(f.queue) > 0 && f.queue[0].begunLine:
		f.scr.draw(f.o.Prompt, f.input.line)
	case f.mode == Keys:
		f.scr.draw(w.prompt, *f.lineOf(w))
	case f.mode == Lines:
		f.showPrompt(w)
	}
	f.scr.flush()
}

// quietTime is how long nothing must have been printed before a prompt in Lines mode.
const quietTime = 300 * time.Millisecond

// showPrompt puts a prompt on the screen in Lines mode, where it cannot be moved out of the way of
// what is printed, and each repetition is a line more to listen to. So a dialog's is shown at
// once, and again when there has been no other output for a moment; that of a line for the agent
// is shown only then, and once. f.mu is held.
func (f *Frontend) showPrompt(w *lineWait) {
	s := &f.scr
	switch {
	case s.shown || w.q != nil && !w.q.begun || w.q == nil && w.asked:
		return
	case w.q != nil && !w.asked:
		s.ask(w.prompt)
		w.asked = s.shown
		return
	case f.quiet != nil && len(s.buf) == 0:
		return
	case f.quiet != nil:
		f.quiet.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(quietTime, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.quiet != timer {
			return
		}
		f.quiet = nil
		if w := f.current(); w != nil && f.ctx.Err() == nil && (w.q != nil && w.q.begun || w.q == nil && !w.asked) {
			s.ask(w.prompt)
			w.asked = s.shown
			s.flush()
		}
	})
	f.quiet = timer
}

// enter queues a dialog.
func (f *Frontend) enter(ctx context.Context, d protocol.Dialog) (*open, error) {
	q := &open{d: d, turn: make(chan struct{})}
	if t, ok := ctx.Deadline(); ok {
		q.deadline = t
	} else if t, ok := d.DialogTimeout().Duration(); ok {
		q.deadline = time.Now().Add(t)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return nil, ErrClosed
	}
	q.rest = f.restOf(q)
	f.queue = append(f.queue, q)
	if len(f.queue) == 1 {
		f.scr.endText()
		close(q.turn)
	} else if !f.queue[0].since.IsZero() {
		f.coalesce("queue", entry{count: true, lines: func(*slot) []string { return f.waiting() }})
	}
	f.refresh()
	return q, nil
}

// waiting is the line that says how many dialogs stand behind the first.
func (f *Frontend) waiting() []string {
	switch n := len(f.queue) - 1; {
	case n == 1:
		return []string{"1 more question is waiting"}
	case n > 1:
		return []string{itoa(n) + " more questions are waiting"}
	}
	return nil
}

// leave takes a dialog out of the queue and lets the next one, or the prompt, go on. f.mu is held.
func (f *Frontend) leave(q *open) {
	for _, t := range q.timers {
		t.Stop()
	}
	i := slices.Index(f.queue, q)
	f.owe(q, i)
	f.queue = slices.Delete(f.queue, i, i+1)
	if i == 0 {
		f.leftover()
		if len(f.queue) > 0 {
			close(f.queue[0].turn)
		} else {
			f.scr.unguard()
			if f.input.prompt != nil {
				f.input.prompt.asked = false // the dialog has taken its place
			}
			f.replay()
			f.deliver()
		}
	}
	f.refresh()
	f.claim()
}
