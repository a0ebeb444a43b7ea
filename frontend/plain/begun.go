package plain

import (
	"strings"
	"time"

	"extui/internal/safetext"
)

// A line that a question comes across
//
// Somebody who types a line for the agent and does not look at the screen goes on typing when a
// question appears, at any pace, and the rest of "try again" begins like "try" and ends like "y".
// So a line that was begun before the question, or for one that has gone by itself, must be ended
// first, and neither it nor the Enter that ends it answers anything.
//
// In Keys mode the line is ours: it stays in sight below the question, and is kept for the agent.
// In Lines mode the terminal has it, which is asked when typing begins to count; what it gives is
// shown, and the first line behind it is not taken. Where a terminal cannot be asked, no first
// line is.

const (
	begunKeys  = "you were typing the line below: end it with Enter, which only keeps it, and then answer"
	begunLines = "not taken, for it was begun before the question; end it with Enter, and then answer: "
	keptLine   = "kept, not sent; now answer the question"
)

// begunFor is for how long somebody may go on typing for a dialog that has gone.
const begunFor = 2 * time.Second

// noteBegun looks, for a dialog that is being presented, whether a line is being typed. f.mu is held.
func (f *Frontend) noteBegun(q *open) {
	in := &f.input
	if f.mode != Keys || f.o.MinDelay == 0 {
		return
	}
	if in.pending || time.Since(in.cutAt) < begunFor {
		q.begunLine = true
	}
	in.cutAt = time.Time{}
	if q.begunLine {
		f.scr.block("", "", begunKeys)
	}
}

// pressEarly applies a key that came before a dialog could have been read.
func (f *Frontend) pressEarly(q *open, k stampedKey) (then func()) {
	was := q.begunLine
	then = f.pressPrompt(k, true)
	switch k.kind {
	case keyInsert:
		q.begunLine = f.o.MinDelay > 0
	case keyEnter:
		q.begunLine = false
	}
	if q.begunLine && !was && !q.since.IsZero() {
		f.scr.block("", "", begunKeys)
	}
	return then
}

// pressBegun applies a key to a line that was begun before the dialog.
func (f *Frontend) pressBegun(q *open, k stampedKey) (then func()) {
	in := &f.input
	if k.kind != keyEnter {
		return f.pressPrompt(k, true)
	}
	q.begunLine, in.pending = false, false
	q.since = k.at.Add(f.o.MinDelay)
	f.scr.took(f.o.Prompt, in.line.text, false)
	f.scr.block("", "", keptLine)
	return nil
}

// dropTyped throws away what stands at a terminal in Lines mode, and reports whether a line may
// have been begun there.
func (f *Frontend) dropTyped() (begun bool) {
	fd, ok := fdOf(f.in)
	if !ok || !f.input.steady {
		return true
	}
	typed, err := takeTyped(fd)
	if err != nil {
		return true
	}
	rest := typed[strings.LastIndexByte(typed, '\n')+1:]
	for l := range strings.Lines(typed[:len(typed)-len(rest)]) {
		f.refused(strings.TrimSuffix(l, "\n"))
	}
	if rest != "" {
		f.scr.newline() // the terminal may have shown a part of it below the question
		f.scr.block(begunLines, mark, safetext.Line(rest))
	}
	return rest != ""
}
