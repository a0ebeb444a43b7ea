package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"extui/client"
	"extui/internal/safetext"
	"extui/protocol"
)

// notes prints what is no part of the conversation: the agent's standard error
// and diagnostics, one line each.
type notes struct {
	ui ui // Prints the lines if somebody is typing on that same terminal.

	mu sync.Mutex
	w  io.Writer // Used otherwise; guarded by mu.
}

func newNotes(w *world, ui ui, person bool) *notes {
	n := &notes{w: w.stderr}
	if person && isTerminal(w.stderr) {
		n.ui = ui
	}
	return n
}

// print prints text, which may be anything, as one line marked with its source.
func (n *notes) print(source, text string) {
	text = fmt.Sprintf("[%s] %s", source, safetext.Strip.Line(text))
	if n.ui != nil {
		n.ui.Line(text)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintln(n.w, text) // Nobody can be told that standard error is closed.
}

// diagnostic reports what the client has coped with.
func (s *session) diagnostic(d client.Diagnostic) {
	text := d.String()
	if d.Kind == client.KindBanner {
		text = "before its first record the agent wrote what is none; all such lines are skipped: " + d.Err.Error()
	}
	s.notes.print("note", text)
}

// dialogChanged keeps the count of open dialogs.
func (s *session) dialogChanged(e client.DialogEvent) {
	s.alive.Store(true)
	change := 1
	if !e.Open {
		change = -1
	}
	s.act.change(func(d *doing) { d.dialogs += change })
	if errors.Is(e.Why, client.ErrAgentGone) {
		s.cutShort.Store(true)
	}
	if !s.flags.verbose {
		return
	}
	what := fmt.Sprintf("%s %q", e.Dialog.Method(), e.Dialog.DialogTitle())
	switch {
	case e.Open:
		s.notes.print("dialog", "open: "+what)
	case e.Why != nil:
		s.notes.print("dialog", fmt.Sprintf("over: %s: %v", what, e.Why))
	default:
		s.notes.print("dialog", fmt.Sprintf("answered: %s: %s", what, describeAnswer(e.Answer)))
	}
}

// describeAnswer returns an answer as it stands on the wire.
func describeAnswer(a protocol.Answer) string {
	switch a := a.(type) {
	case protocol.Value:
		return string(protocol.AppendString(nil, string(a)))
	case protocol.Confirmed:
		return fmt.Sprintf("confirmed %t", bool(a))
	case protocol.Cancelled:
		return "cancelled"
	case protocol.Answers:
		return string(protocol.AppendAnswers(nil, a))
	}
	return fmt.Sprint(a)
}

// longestLine is where a line of an agent's standard error is cut.
const longestLine = 8 << 10

// lineWriter hands on what is written to it line by line. It belongs to the one
// goroutine that writes.
type lineWriter struct {
	line func(string)
	rest []byte // Of a line that has not ended.
	any  bool   // Something was written.
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	w.any = w.any || len(b) > 0
	for {
		text, rest, found := strings.Cut(string(w.rest), "\n")
		if !found && len(w.rest) < longestLine {
			return len(b), nil
		}
		w.line(strings.TrimSuffix(text, "\r"))
		w.rest = []byte(rest)
	}
}

// flush hands on a last line without an end.
func (w *lineWriter) flush() {
	if len(w.rest) > 0 {
		w.line(string(w.rest))
		w.rest = nil
	}
}
