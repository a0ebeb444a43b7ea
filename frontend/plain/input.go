package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"extui/internal/safetext"
)

// errCancelled is how reading a line ends when a person cancels the dialog.
var errCancelled = errors.New("cancelled")

// inputState is the input side of a Frontend, guarded by its mu.
type inputState struct {
	src  *source       // nil while nothing reads
	done chan struct{} // closed when the goroutine that reads src has ended
	stop bool          // it shall end
	eof  error         // io.EOF, or the error that reading ended with

	over   chan struct{} // closed with isOver; never changes
	isOver bool          // eof is set and all lines are taken

	wait   *lineWait // a dialog's
	prompt *lineWait // ReadPrompt's

	lines []stamped // lines that nobody has taken yet; on a terminal those for a dialog
	ahead []string  // on a terminal: lines for the agent, entered while nobody was reading

	// Keys mode only.
	file      io.Reader   // the terminal
	state     *term.State // how it was before it was raw, nil if it is not
	parser    keyParser
	escape    *time.Timer
	line      editLine // the line for the agent, kept while a dialog is shown
	lineSince time.Time
	history   []string
	at        int          // index into history, len for the line that is being typed
	recent    string       // the line that was left for the history
	early     []stampedKey // keys that came between two lines of a dialog
}

type stamped struct {
	text string
	at   time.Time
}

type stampedKey struct {
	key
	at time.Time
}

// lineWait is somebody who waits for a line. Frontend.mu guards it, got excepted.
type lineWait struct {
	prompt string
	breaks bool            // pasted line breaks may stay in the line
	since  time.Time       // a line must not have been typed before
	line   editLine        // what is being typed, for a dialog
	got    chan lineResult // has room for one
}

type lineResult struct {
	text string
	err  error
}

// startInput begins to read. f.mu is held and nothing reads.
func (f *Frontend) startInput() {
	in := &f.input
	in.src, in.done, in.stop = newSource(f.in), make(chan struct{}), false
	src, done := in.src, in.done
	go func() { // stopInput waits for it
		defer close(done)
		if f.mode == Keys {
			f.readKeys(src)
		} else {
			f.readLines(src)
		}
	}()
}

// stopInput ends reading and waits until it has. f.mu is not held.
func (f *Frontend) stopInput() {
	f.mu.Lock()
	in := &f.input
	src, done := in.src, in.done
	first := src != nil && !in.stop
	in.stop = true
	f.wake.Broadcast()
	f.mu.Unlock()
	if src == nil {
		return
	}
	if first {
		src.cancel()
	}
	if !src.sure {
		return // Nobody can end its Read; see New.
	}
	<-done
	if first {
		src.release()
	}
}

// readLines is the goroutine that reads whole lines. From a pipe it reads one ahead of what is
// wanted, so that the end of the input is noticed when it is next.
func (f *Frontend) readLines(src *source) {
	r := bufio.NewReader(src)
	for {
		f.mu.Lock()
		for f.mode == Pipe && !f.input.stop && len(f.input.lines) > 0 && !f.wanted() {
			f.wake.Wait()
		}
		stop := f.input.stop
		f.mu.Unlock()
		if stop {
			return
		}
		text, err := r.ReadString('\n')
		now := time.Now()
		f.mu.Lock()
		if f.input.stop {
			f.mu.Unlock()
			return
		}
		if text != "" {
			f.arrived(strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), now)
		}
		if err != nil {
			f.input.eof = err
		}
		f.deliver()
		f.refresh()
		f.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// wanted reports whether somebody waits for a line.
func (f *Frontend) wanted() bool {
	return f.input.wait != nil || f.input.prompt != nil && len(f.queue) == 0
}

// arrived sorts a line that was read. On a terminal, what was typed while no dialog was open is
// for the agent.
func (f *Frontend) arrived(text string, at time.Time) {
	if f.mode == Lines && len(f.queue) == 0 {
		f.input.ahead = append(f.input.ahead, text)
		return
	}
	f.input.lines = append(f.input.lines, stamped{text, at})
}

// deliver hands lines to whoever waits for them. f.mu is held.
func (f *Frontend) deliver() {
	in := &f.input
	for in.wait != nil && len(in.lines) > 0 {
		l := in.lines[0]
		in.lines = in.lines[1:]
		if l.at.Before(in.wait.since) {
			f.scr.shown = false // the terminal has begun a new line
			f.refused(l.text)
			continue
		}
		f.give(in.wait, lineResult{text: l.text})
	}
	if in.prompt != nil && len(f.queue) == 0 {
		switch {
		case len(in.ahead) > 0:
			text := in.ahead[0]
			in.ahead = in.ahead[1:]
			f.give(in.prompt, lineResult{text: text})
		case len(in.lines) > 0:
			text := in.lines[0].text
			in.lines = in.lines[1:]
			f.give(in.prompt, lineResult{text: text})
		}
	}
	if in.eof == nil {
		return
	}
	if in.wait != nil {
		f.give(in.wait, lineResult{err: in.eof})
	}
	if in.prompt != nil && len(f.queue) == 0 {
		f.give(in.prompt, lineResult{err: in.eof})
	}
	if len(in.lines) == 0 && len(in.ahead) == 0 && !in.isOver {
		in.isOver = true
		close(in.over)
	}
}

// Ended returns a channel that is closed once the input has ended and all its lines have been
// taken: nobody will answer a dialog any more, nor will [Frontend.ReadPrompt] return anything but
// an error. From a pipe this is noticed without a line being wanted.
func (f *Frontend) Ended() <-chan struct{} { return f.input.over }

// refused says that a line answers nothing, and keeps it on screen.
func (f *Frontend) refused(text string) {
	f.scr.line("not taken, for it was typed before the question: " + safetext.Line(text))
}

// leftover deals with what was typed for a dialog that is over. From a pipe it is for what comes next.
func (f *Frontend) leftover() {
	if f.mode == Pipe {
		return
	}
	for _, l := range f.input.lines {
		f.refused(l.text)
	}
	f.input.lines = nil
}

// give ends a wait.
func (f *Frontend) give(w *lineWait, r lineResult) {
	if f.input.wait == w {
		f.input.wait = nil
	} else {
		f.input.prompt = nil
	}
	switch {
	case r.err == nil:
		f.scr.took(w.prompt, r.text)
	case f.mode == Lines:
		f.scr.hide()
	}
	w.got <- r
}

// current returns the wait whose line stands on the screen.
func (f *Frontend) current() *lineWait {
	if f.input.wait != nil {
		return f.input.wait
	}
	if len(f.queue) == 0 {
		return f.input.prompt
	}
	return nil
}

// lineOf returns what is being typed for w.
func (f *Frontend) lineOf(w *lineWait) *editLine {
	if w == f.input.prompt {
		return &f.input.line
	}
	return &w.line
}

// readLine asks for one line of the dialog q. It returns errCancelled, the cause of ctx, or how
// the input ended. What was typed and not returned is put into q.unsent.
func (f *Frontend) readLine(ctx context.Context, q *open, prompt string, breaks bool) (string, error) {
	f.mu.Lock()
	if err := f.unfit(ctx, q); err != nil {
		f.mu.Unlock()
		return "", err
	}
	w := &lineWait{prompt: prompt, breaks: breaks, since: q.since, got: make(chan lineResult, 1)}
	f.input.wait = w
	f.replay()
	f.deliver()
	f.refresh()
	f.wake.Broadcast()
	f.mu.Unlock()
	select {
	case r := <-w.got:
		return r.text, r.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	typed := w.line.text
	if f.input.wait == w {
		f.input.wait = nil
	} else if r := <-w.got; r.text != "" {
		typed = r.text
	}
	if typed != "" {
		q.unsent = append(q.unsent, typed)
	}
	f.refresh()
	return "", context.Cause(ctx)
}

// unfit returns why no line of q can be read any more.
func (f *Frontend) unfit(ctx context.Context, q *open) error {
	switch {
	case f.ctx.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case q.cancelled:
		return errCancelled
	case f.scr.err != nil: // nobody has seen the question
		return f.scr.err
	}
	return nil
}

// ReadPrompt returns the next line that is meant for the agent. It waits while a dialog is open:
// call it once the last prompt was handled, so that from a pipe the lines behind a prompt go to
// the dialogs that it leads to. On a terminal it may be called at once; several calls take turns.
//
// A line that was pasted in Keys mode may hold line breaks. At the end of the input, which in Keys
// mode is Ctrl-D in an empty line, it returns io.EOF; it returns the cause of ctx when that ends,
// ErrClosed after Close, and otherwise the error of reading in or, since nobody sees what becomes
// of a prompt then, that of writing to out.
func (f *Frontend) ReadPrompt(ctx context.Context) (string, error) {
	select {
	case f.one <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-f.ctx.Done():
		return "", ErrClosed
	}
	defer func() { <-f.one }()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	f.mu.Lock()
	if f.ctx.Err() != nil {
		f.mu.Unlock()
		return "", ErrClosed
	}
	if err := f.scr.err; err != nil {
		f.mu.Unlock()
		return "", fmt.Errorf("write the output: %w", err)
	}
	w := &lineWait{prompt: f.o.Prompt, breaks: true, got: make(chan lineResult, 1)}
	f.input.prompt = w
	if f.mode == Lines {
		f.scr.endText()
	}
	f.deliver()
	f.refresh()
	f.wake.Broadcast()
	f.mu.Unlock()
	var err error
	select {
	case r := <-w.got:
		return f.promptRead(r)
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-f.ctx.Done():
		err = ErrClosed
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.input.prompt == w {
		f.input.prompt = nil
		f.refresh()
	} else if r := <-w.got; r.err == nil { // taken in the same moment: it is for the next call
		f.input.ahead = append([]string{r.text}, f.input.ahead...)
	}
	return "", err
}

func (f *Frontend) promptRead(r lineResult) (string, error) {
	if r.err != nil && !errors.Is(r.err, io.EOF) {
		return "", readError(r.err)
	}
	return r.text, r.err
}
