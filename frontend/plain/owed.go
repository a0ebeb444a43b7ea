package plain

import (
	"extui/internal/safetext"
	"extui/protocol"
)

// Whose a line is, on a pipe
//
// Whoever writes into a pipe says with the order of the lines what each is for, and may write a line
// long before or after it is wanted. So a line must go to the same place whether it lay ready or
// came late:
//
//   - A line is taken only when it is wanted, and belongs to whoever wanted it first, though a dialog
//     may have opened since: a line that was awaited as the next prompt becomes a prompt, and the
//     dialog gets the one behind it.
//   - A dialog that ends by itself (its time is up, it is taken back or replaced, it was answered
//     elsewhere) before it got all its lines still owns them. They are dropped, each printed as not
//     sent, and nothing else gets them, no dialog and no prompt. A dialog that stood in the queue
//     and was never shown owns the lines behind those of the dialogs in front of it.
//
// So of a file and of a slow pipe with the same lines, the same dialogs get the same answers, and
// the answer to a question that has gone never answers another one. The price is that who reads
// the output and answers what is there has to write again what was dropped.
//
// Frontend.mu guards all of it.

// rest takes the lines that a dialog has still to get, and reports the last one.
type rest func(line string) (last bool)

// restOf returns the rest of a dialog that has had no line yet, nil if it takes none at all.
func (f *Frontend) restOf(q *open) rest {
	switch d := q.d.(type) {
	case *protocol.Select:
		if len(d.Options) == 0 {
			return nil
		}
	case *protocol.Editor:
		q.typed = &typedText{}
		if d.Prefill != nil {
			q.typed.prefill = *d.Prefill
		}
		return q.typed.take
	case *protocol.Questionnaire:
		if len(d.Questions) == 0 {
			return nil
		}
		q.walk = newWalk(d)
		return func(line string) bool {
			if isCancel(line) {
				return true
			}
			r := q.walk.take(unslash(line, cancelWord))
			return q.walk.done || r.wrong
		}
	}
	return func(string) bool { return true }
}

// owe notes what a dialog leaves behind that is over without its lines. i is its place in the queue.
func (f *Frontend) owe(q *open, i int) {
	owed := q.behind
	if f.mode == Pipe && !q.settled && q.rest != nil {
		owed = append([]rest{q.rest}, owed...)
	}
	if i == 0 {
		f.input.owed = append(f.input.owed, owed...)
		if len(f.input.owed) == 0 && !f.input.forPrompt {
			f.input.claimed = false // nobody is left to whom a line could go
		}
	} else {
		f.queue[i-1].behind = append(f.queue[i-1].behind, owed...)
	}
}

// drop gives away the lines at the front that belong to dialogs that are over.
func (f *Frontend) drop() {
	in := &f.input
	for len(in.owed) > 0 && len(in.lines) > 0 {
		line := in.lines[0].text
		in.lines = in.lines[1:]
		if in.owed[0](line) {
			in.owed = in.owed[1:]
		}
		f.scr.block("not sent, for its question is over: ", mark, safetext.Line(line))
	}
}

// isCancel reports whether a line cancels a dialog in which something is chosen: there a space is
// no text, and must not make an option of it that has this text.
func isCancel(line string) bool { return trim(line) == cancelWord }
