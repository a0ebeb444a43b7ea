package plain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"extui/internal/safetext"
)

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

	lines []stamped // lines for dialogs that nobody has taken yet
	ahead []stamped // lines for the agent, read while nobody waited or a dialog was open

	// Not in Keys mode.
	typed   []byte    // read, and not made lines of
	scanned int       // bytes of typed that hold no line break
	typedAt time.Time // when the first of typed was read
	chunkAt time.Time // when the last was
	ended   error     // how the input ended, while there are lines in typed
	steady  bool      // Lines: what was typed may be thrown away
	readAt  time.Time // Lines and steady: when the last Read returned, exactly

	// Pipe only; owed.go explains them.
	claimed   bool   // somebody wants the next line
	forPrompt bool   // and it is a prompt, not an answer
	owed      []rest // lines of dialogs that are over

	// Keys mode only.
	file      io.Reader   // the terminal
	state     *term.State // how it was before it was raw, nil if it is not
	parser    keyParser
	escape    *time.Timer
	line      editLine // the line for the agent, kept while a dialog is shown
	lineSince time.Time
	pending   bool      // that line is being typed: it is not empty, and nobody has ended it
	cutAt     time.Time // when a dialog ended by itself within a line that was typed for it
	history   []string
	at        int          // index into history, len for the line that is being typed
	recent    string       // the line that was left for the history
	early     []stampedKey // keys that came between two lines of a dialog
}

type stamped struct {
	text   string
	at     time.Time // when its first byte was read
	cut    bool      // the input ended within it
	echoed bool      // it stands on the screen where it belongs
}

type stampedKey struct {
	key
	at time.Time
}

// lineWait is somebody who waits for a line. Frontend.mu guards it, got excepted.
type lineWait struct {
	prompt string
	q      *open // nil for the agent
	kind   lineKind
	asked  bool            // Lines: the prompt has been shown
	line   editLine        // what is being typed, for a dialog
	got    chan lineResult // has room for one
}

// lineKind says what a line is for.
type lineKind int

const (
	choosing  lineKind = iota // it decides something, and must be whole
	oneLine                   // it is a text
	manyLines                 // it is a text, in which pasted line breaks may stay
)

type lineResult struct {
	text string
	err  error
}

// startInput begins to read. f.mu is held and nothing reads.
func (f *Frontend) startInput() {
	in := &f.input
	wrap := func(r io.Reader) io.Reader {
		r, in.steady = f.steady(r)
		return r
	}
	in.src, in.done, in.stop = newSource(f.in, wrap), make(chan struct{}), false
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

// readLines is the goroutine that reads whole lines. From a pipe it hands one over only when it is
// wanted, but reads ahead, so that the end of the input is noticed when it is next.
func (f *Frontend) readLines(src *source) {
	buf := make([]byte, 16<<10)
	for f.nextLine() {
		n, err := src.Read(buf)
		now := time.Now()
		f.mu.Lock()
		in := &f.input
		if !in.readAt.IsZero() {
			now = in.readAt
		}
		in.chunkAt = now
		if len(in.typed) == 0 {
			in.typedAt = now
		}
		in.typed = append(in.typed, buf[:n]...)
		if !in.stop {
			in.ended = err
		}
		f.mu.Unlock()
	}
}

// nextLine hands on the lines that were read, and reports whether more must be. From a pipe it
// waits with each until a line is wanted.
func (f *Frontend) nextLine() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := &f.input
	for in.eof == nil {
		i := bytes.IndexByte(in.typed[in.scanned:], '\n')
		for f.mode == Pipe && !in.stop && (i >= 0 || in.ended != nil && len(in.typed) > 0) && !f.wanted() {
			f.wake.Wait()
		}
		if in.stop {
			return false
		}
		f.claim()
		l := stamped{at: in.typedAt}
		switch {
		case i >= 0:
			i += in.scanned
			l.text = strings.TrimSuffix(string(in.typed[:i]), "\r")
			in.typed, in.scanned, in.typedAt = in.typed[i+1:], 0, in.chunkAt
			f.arrived(l)
		case in.ended == nil:
			in.scanned = len(in.typed)
			return true
		default:
			if len(in.typed) > 0 {
				l.text, l.cut = strings.TrimSuffix(string(in.typed), "\r"), true
				f.arrived(l)
			}
			in.typed, in.eof = nil, in.ended
		}
		f.deliver()
		f.refresh()
	}
	return false
}

// wanted reports whether somebody waits for a line.
func (f *Frontend) wanted() bool {
	return f.input.wait != nil || f.input.prompt != nil && len(f.queue) == 0
}

// claim notes whose the next line from a pipe is, if somebody wants it and nobody did before; see
// owed.go. It must be called after whatever lets somebody want one.
func (f *Frontend) claim() {
	if in := &f.input; !in.claimed && f.wanted() {
		in.claimed, in.forPrompt = true, in.wait == nil && len(in.owed) == 0
	}
	f.wake.Broadcast()
}

// arrived sorts a line that was read. On a terminal, what was typed while no dialog was open is
// for the agent; on a pipe, what was read as a prompt.
func (f *Frontend) arrived(l stamped) {
	in := &f.input
	in.claimed = false
	agents := in.forPrompt
	if f.mode == Lines {
		f.scr.entered()
		if l.cut { // nobody has pressed Enter
			f.scr.block("not sent, for it was not entered: ", mark, safetext.Line(l.text))
			return
		}
		agents = len(f.queue) == 0
		l.echoed = !agents || in.prompt != nil && len(in.ahead) == 0
	}
	if agents {
		in.ahead = append(in.ahead, l)
	} else {
		in.lines = append(in.lines, l)
	}
}

// deliver hands lines to whoever waits for them. f.mu is held.
func (f *Frontend) deliver() {
	in := &f.input
	f.drop()
	for in.wait != nil && len(in.lines) > 0 {
		l := in.lines[0]
		in.lines = in.lines[1:]
		f.answerWith(in.wait, l)
	}
	if in.prompt != nil && len(f.queue) == 0 && len(in.ahead) > 0 {
		l := in.ahead[0]
		in.ahead = in.ahead[1:]
		f.give(in.prompt, lineResult{text: l.text}, l.echoed)
	}
	if in.eof == nil {
		return
	}
	if in.wait != nil {
		f.give(in.wait, lineResult{err: in.eof}, false)
	}
	if in.prompt != nil && len(f.queue) == 0 {
		f.give(in.prompt, lineResult{err: in.eof}, false)
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

// answerWith gives a line to a dialog that waits for one, unless it may not be meant for it.
func (f *Frontend) answerWith(w *lineWait, l stamped) {
	switch {
	case f.mode == Lines && (!w.q.begun || l.at.Before(w.q.since)):
		f.refused(l.text)
	case f.mode == Lines && w.q.doubt:
		w.q.doubt = false
		f.scr.block("not taken, for it may have been begun before the question; type it again: ", mark, safetext.Line(l.text))
	case l.cut && w.kind == choosing:
		f.scr.block("not taken, for the input ended within this line: ", mark, safetext.Line(l.text))
	default:
		f.give(w, lineResult{text: l.text}, l.echoed)
	}
}

// refused says that a line answers nothing, and keeps it on screen.
func (f *Frontend) refused(text string) {
	f.scr.block("not taken, for it was typed before the question: ", mark, safetext.Line(text))
}

// leftover deals with the lines for a dialog that is over.
func (f *Frontend) leftover() {
	f.drop()
	for _, l := range f.input.lines {
		f.refused(l.text)
	}
	f.input.lines = nil
}

// give ends a wait. echoed says that the line is on the screen.
func (f *Frontend) give(w *lineWait, r lineResult, echoed bool) {
	if f.input.wait == w {
		f.input.wait = nil
	} else {
		f.input.prompt = nil
	}
	switch {
	case r.err == nil:
		if !echoed {
			f.flushDue()
		}
		f.scr.took(w.prompt, r.text, echoed)
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
	if w.q == nil {
		return &f.input.line
	}
	return &w.line
}

// readLine asks for one line of the dialog q. It returns errCancelled, the cause of ctx, or how
// the input ended. What was typed and not returned is put into q.unsent.
func (f *Frontend) readLine(ctx context.Context, q *open, prompt string, k lineKind) (string, error) {
	f.mu.Lock()
	if err := f.unfit(ctx, q); err != nil {
		f.mu.Unlock()
		return "", err
	}
	w := &lineWait{prompt: prompt, q: q, kind: k, got: make(chan lineResult, 1)}
	f.input.wait = w
	f.replay()
	f.deliver()
	f.refresh()
	f.claim()
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
	} else if r := <-w.got; r.err == nil {
		typed = f.tookLate(q, r.text)
	}
	if typed != "" {
		q.unsent = append(q.unsent, typed)
		f.input.cutAt = time.Now()
	}
	f.refresh()
	return "", context.Cause(ctx)
}

// tookLate deals with a line that was read for q in the moment in which q ended, and returns what
// of it is to be shown as not sent.
func (f *Frontend) tookLate(q *open, line string) string {
	if f.mode != Pipe || q.rest == nil {
		return line
	}
	q.settled = q.rest(line)
	if q.walk != nil || q.typed != nil {
		return "" // it is part of what is shown of them
	}
	return line
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
	w := &lineWait{prompt: f.o.Prompt, kind: manyLines, got: make(chan lineResult, 1)}
	f.input.prompt = w
	if f.mode == Lines {
		f.scr.endText()
	}
	f.deliver()
	f.refresh()
	f.claim()
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
		f.input.ahead = append([]stamped{{text: r.text}}, f.input.ahead...)
	}
	return "", err
}

func (f *Frontend) promptRead(r lineResult) (string, error) {
	if r.err != nil && !errors.Is(r.err, io.EOF) {
		return "", readError(r.err)
	}
	return r.text, r.err
}
