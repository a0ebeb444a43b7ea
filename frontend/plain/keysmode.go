package plain

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"extui/internal/safetext"
)

func readError(err error) error { return fmt.Errorf("read the input: %w", err) }

// escapeDelay is how long after a lone ESC the rest of a key's sequence may come. Only slow
// networks cut one there at all.
const escapeDelay = 50 * time.Millisecond

const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

// raw takes the terminal over and reports whether it could.
func (in *inputState) raw(input io.Reader, s *screen) bool {
	fd, ok := fdOf(input)
	if !ok || !s.hasFD {
		return false
	}
	state, err := term.MakeRaw(fd)
	if err != nil {
		return false
	}
	in.file, in.state = input, state
	s.buf = append(s.buf, pasteOn...)
	return true
}

// restore gives the terminal back as it was.
func (in *inputState) restore(s *screen) {
	if in.state == nil {
		return
	}
	if s.err == nil && !s.away {
		_, s.err = io.WriteString(s.w, pasteOff)
	}
	if fd, ok := fdOf(in.file); ok {
		if err := term.Restore(fd, in.state); err != nil && s.err == nil {
			s.err = fmt.Errorf("give the terminal back: %w", err)
		}
	}
	in.state = nil
}

// readKeys is the goroutine that reads a raw terminal. Should anything in it panic, the terminal
// is given back before the program dies.
func (f *Frontend) readKeys(src *source) {
	defer func() {
		if v := recover(); v != nil {
			f.input.restore(&f.scr)
			panic(v)
		}
	}()
	buf := make([]byte, 4096)
	for {
		n, err := src.Read(buf)
		now := time.Now() // and not once f.mu is free, for a dialog may be shown by then
		f.mu.Lock()
		if f.input.stop {
			f.mu.Unlock()
			return
		}
		keys := f.input.parser.feed(buf[:n])
		f.armEscape()
		f.mu.Unlock()
		for _, k := range keys {
			f.mu.Lock()
			then := f.press(stampedKey{k, now}, false)
			f.refresh()
			f.mu.Unlock()
			if then != nil {
				then()
			}
		}
		f.mu.Lock()
		if err != nil && f.input.eof == nil {
			f.input.eof = err
		}
		over := f.input.eof != nil
		if over {
			f.deliver()
			f.refresh()
		}
		f.mu.Unlock()
		if over {
			return
		}
	}
}

// armEscape makes a lone ESC the Escape key if nothing follows.
func (f *Frontend) armEscape() {
	in := &f.input
	if in.escape != nil {
		in.escape.Stop()
		in.escape = nil
	}
	if len(in.parser.held) != 1 || in.parser.held[0] != 0x1B {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(escapeDelay, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if in.escape == timer && f.ctx.Err() == nil && in.parser.escape() {
			f.press(stampedKey{key{kind: keyEscape}, time.Now()}, false)
			f.refresh()
		}
	})
	in.escape = timer
}

// replay presses the keys again that came between two lines of a dialog. f.mu is held.
func (f *Frontend) replay() {
	keys := f.input.early
	f.input.early = nil
	for _, k := range keys {
		f.press(k, len(f.queue) == 0)
	}
}

// press applies a key. early says that it was meant for a dialog that is over. What it returns,
// if anything, is to be called without f.mu.
func (f *Frontend) press(k stampedKey, early bool) (then func()) {
	in := &f.input
	if len(f.queue) == 0 {
		return f.pressPrompt(k, early)
	}
	q := f.queue[0]
	early = q.since.IsZero() || k.at.Before(q.since)
	switch {
	case k.kind == keyInterrupt:
		return f.interrupted(f.cancelFirst())
	case early:
		if more := k.at.Add(f.o.MinDelay); !q.since.IsZero() && more.After(q.since) {
			q.since = more // they are still typing what they began
		}
		return f.pressEarly(q, k)
	case q.begunLine && k.kind != keyEscape:
		return f.pressBegun(q, k)
	case in.wait == nil:
		in.early = append(in.early, k)
	case k.kind == keyEscape:
		f.cancelFirst()
	case k.kind == keyEnter:
		f.give(in.wait, lineResult{text: in.wait.line.text}, false)
	case k.kind == keyEOF && in.wait.line.text == "":
		in.eof = io.EOF
		f.deliver()
	case k.kind == keyRedraw:
		f.redraw()
	default:
		f.type1(&in.wait.line, k.key, in.wait.kind == manyLines)
	}
	return nil
}

// interrupted returns what is to be called for a Ctrl-C, if anything.
func (f *Frontend) interrupted(cancelled bool) func() {
	if f.o.Interrupt == nil {
		return nil
	}
	return func() { f.o.Interrupt(cancelled) }
}

// type1 applies a key that changes a line.
func (f *Frontend) type1(l *editLine, k key, breaks bool) {
	switch {
	case k.kind == keyEOF:
		l.edit(keyDelete)
	case k.kind != keyInsert:
		l.edit(k.kind)
	case breaks:
		l.insert(k.text)
	default:
		l.insert(strings.ReplaceAll(k.text, "\n", " "))
	}
}

func (f *Frontend) redraw() {
	f.scr.buf = append(f.scr.buf, "\x1b[2J\x1b[H"...)
	f.scr.shown, f.scr.inText, f.scr.col = false, false, 0
}

// pressPrompt applies a key to the line for the agent. An early key came when that line was not
// what its person saw: it is kept there, but sends nothing.
func (f *Frontend) pressPrompt(k stampedKey, early bool) (then func()) {
	in := &f.input
	defer func() { in.pending = in.line.text != "" && k.kind != keyEnter }()
	switch k.kind {
	case keyEnter:
		switch {
		case early || k.at.Before(in.lineSince):
			if in.line.text != "" {
				in.line.insert("\n")
			}
		case in.prompt != nil:
			text := in.line.text
			f.enteredPrompt(text)
			f.give(in.prompt, lineResult{text: text}, false)
		case in.line.text != "":
			in.ahead = append(in.ahead, stamped{text: in.line.text})
			f.enteredPrompt(in.line.text)
		}
	case keyEOF:
		if in.line.text == "" && !early {
			in.eof = io.EOF
			f.deliver()
			break
		}
		f.type1(&in.line, k.key, true)
	case keyInterrupt:
		return f.interrupted(false)
	case keyRedraw:
		f.redraw()
	case keyUp, keyDown:
		f.recall(k.kind == keyUp)
	case keyTab:
		if f.o.Complete != nil && !early {
			return func() { f.complete() }
		}
	default:
		f.type1(&in.line, k.key, true)
	}
	return nil
}

// maxHistory is how many lines can be recalled.
const maxHistory = 500

func (f *Frontend) remember(line string) {
	in := &f.input
	if line != "" && (len(in.history) == 0 || in.history[len(in.history)-1] != line) {
		in.history = append(in.history, line)
		if len(in.history) > maxHistory {
			in.history = in.history[1:]
		}
	}
	in.at = len(in.history)
}

// enteredPrompt empties the line for the agent once it was entered. A line that was left for an
// older one stays in the history.
func (f *Frontend) enteredPrompt(text string) {
	in := &f.input
	if in.at < len(in.history) {
		f.remember(in.recent)
	}
	f.remember(text)
	in.line, in.recent, in.cutAt = editLine{}, "", time.Time{}
}

// recall goes through the history; the line that was left comes back at its end.
func (f *Frontend) recall(back bool) {
	in := &f.input
	if in.at == len(in.history) {
		in.recent = in.line.text
	}
	switch {
	case back && in.at > 0:
		in.at--
	case !back && in.at < len(in.history):
		in.at++
	default:
		return
	}
	if in.at == len(in.history) {
		in.line.set(in.recent)
	} else {
		in.line.set(in.history[in.at])
	}
}

// complete answers Tab: it takes the only candidate, or what all have in common, or lists them.
func (f *Frontend) complete() {
	f.mu.Lock()
	before := f.input.line
	f.mu.Unlock()
	found := f.o.Complete(before.text, before.pos)
	f.mu.Lock()
	defer f.mu.Unlock()
	in := &f.input
	if len(found) == 0 || in.line != before || len(f.queue) > 0 {
		return
	}
	common := found[0]
	for _, c := range found[1:] {
		for !strings.HasPrefix(c, common) {
			common = common[:len(common)-1]
		}
	}
	common = strings.ToValidUTF8(common, "")
	if common != before.text[:before.pos] && (len(found) == 1 || len(common) > before.pos) {
		in.line = editLine{text: common + before.text[before.pos:], pos: len(common)}
	} else if len(found) > 1 {
		for _, c := range found {
			f.scr.line("  " + safetext.Line(c))
		}
	}
	f.refresh()
}
