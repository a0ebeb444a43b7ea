// Package plain asks an agent's dialogs as plain lines of text, on any terminal or pipe.
package plain

import (
	"context"
	"errors"
	"io"
	"time"

	"extui/protocol"
)

// ErrClosed is returned by Ask and ReadPrompt after Close.
var ErrClosed = errors.New("the front end is closed")

// Options says how a [Frontend] behaves. The zero value is right for a pipe.
type Options struct {
	// Mode says what in and out are. The zero value finds out.
	Mode Mode
	// Term is the value of $TERM. Empty or "dumb" means whole lines, without escape sequences.
	Term string
	// Width is the number of columns to wrap at. 0 asks the terminal; a pipe is not wrapped.
	Width int
	// Color marks the words in front of warnings and errors with colour.
	Color bool
	// Prompt stands in front of a line meant for the agent. Empty means "> ".
	Prompt string
	// Editor is the command of a text editor with its arguments, for the editor dialog on a
	// terminal; the file's name is put behind. Empty: the text is typed line by line.
	Editor []string
	// MinDelay is for how long a dialog must have been on a terminal before typing answers it.
	// 0 means 300 ms, negative none.
	MinDelay time.Duration
	// Complete returns what may stand instead of line[:pos], when Tab is pressed in a line meant
	// for the agent. pos is in bytes. Nil: Tab does nothing.
	Complete func(line string, pos int) []string
	// Interrupt is called when Ctrl-C is pressed and no dialog is open.
	Interrupt func()
}

// Mode is a kind of input and output.
type Mode int

// The modes.
const (
	Detect Mode = iota // by asking whether in and out are terminals
	Pipe               // a pipe or a file
	Lines              // a terminal that hands over whole lines
	Keys               // a terminal whose lines are edited here
)

// Frontend is a front end of package client.
type Frontend struct{}

// New returns a front end that reads from in and writes to out.
func New(in io.Reader, out io.Writer, o *Options) *Frontend { return &Frontend{} }

// Ask shows a dialog and returns its answer.
func (f *Frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return nil, ErrClosed
}

// Show prints an update.
func (f *Frontend) Show(u protocol.Update) {}

// Dropped says that an answer came too late.
func (f *Frontend) Dropped(d protocol.Dialog, a protocol.Answer, why error) {}

// Capabilities returns what this front end can show beyond the plain dialogs.
func (f *Frontend) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true, Dismiss: true}
}

// ReadPrompt returns the next line meant for the agent, io.EOF at the end of input.
func (f *Frontend) ReadPrompt(ctx context.Context) (string, error) { return "", ErrClosed }

// Text prints a piece of what the agent says.
func (f *Frontend) Text(delta string) {}

// Line prints a line of the program's own.
func (f *Frontend) Line(s string) {}

// CancelDialog cancels the dialog that is shown and reports whether there is one.
func (f *Frontend) CancelDialog() bool { return false }

// Close gives the terminal back and ends all that is open.
func (f *Frontend) Close() error { return nil }
