package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errNoEditor is shown when there is no text editor to start.
var errNoEditor = errors.New("no editor: set $VISUAL or $EDITOR")

// editElsewhere lets the person edit a text in their own editor.
func (m *model) editElsewhere(id int, text string) tea.Cmd {
	if len(m.cfg.editor) == 0 {
		return func() tea.Msg { return editedMsg{id: id, text: text, before: text, err: errNoEditor} }
	}
	run := &editorRun{ctx: m.cfg.closing, lent: m.cfg.lent, command: m.cfg.editor, before: text, after: text}
	return tea.Exec(run, func(err error) tea.Msg { return editedMsg{id: id, text: run.after, before: text, err: err} })
}

// edited takes the text back. A dialog that is over meanwhile leaves it to be
// called back.
func (m *model) edited(msg editedMsg) {
	m.showAgain()
	if msg.err != nil {
		m.conv.note(kindError, "editor: "+keptText(msg.err.Error()))
		if msg.text != msg.before {
			m.keepText(msg.text, true)
		}
		return
	}
	if msg.id == 0 {
		if msg.text != m.prompt.box.text() {
			m.prompt.box.replace(msg.text)
		}
		return
	}
	for _, d := range m.queue {
		if d.id == msg.id {
			if box := textOf(d.body); box != nil && box.text() != msg.text {
				box.replace(msg.text)
			}
			return
		}
	}
	m.keepText(msg.text, true)
}

// editorRun runs a text editor on a file that only this user can read.
type editorRun struct {
	ctx           context.Context // ends the editor
	lent          *lent           // may be nil
	command       []string
	before, after string
	in            io.Reader
	out, err      io.Writer
}

// SetStdin is part of what bubbletea wants of a command, as are the next two.
func (e *editorRun) SetStdin(r io.Reader)  { e.in = r }
func (e *editorRun) SetStdout(w io.Writer) { e.out = w }
func (e *editorRun) SetStderr(w io.Writer) { e.err = w }

// Run edits the text. It keeps the bytes that the editor has written, but for
// one thing: an editor that ends every last line with a line break does not add
// one to a text that had none.
func (e *editorRun) Run() (err error) {
	defer time.Sleep(settling)
	file, err := os.CreateTemp("", "extui-*.txt")
	if err != nil {
		return fmt.Errorf("make a file for the editor: %w", err)
	}
	name := file.Name()
	defer func() {
		if rmErr := os.Remove(name); err == nil && rmErr != nil {
			err = fmt.Errorf("remove the editor's file: %w", rmErr)
		}
	}()
	_, err = file.WriteString(e.before)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write the text for the editor: %w", err)
	}
	cmd := exec.CommandContext(e.ctx, e.command[0], append(e.command[1:len(e.command):len(e.command)], name)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.in, e.out, e.err
	defer e.lent.begin()()
	failed := cmd.Run()
	if failed != nil {
		failed = fmt.Errorf("run %s: %w", e.command[0], failed)
	}
	// An editor that fails may have saved all the same.
	text, err := os.ReadFile(name)
	if err != nil {
		return errors.Join(failed, fmt.Errorf("read what the editor wrote: %w", err))
	}
	e.after = string(text)
	if !strings.HasSuffix(e.before, "\n") {
		e.after = strings.TrimSuffix(e.after, "\n")
	}
	return failed
}
