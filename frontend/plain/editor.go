package plain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"extui/internal/safetext"
	"extui/protocol"
)

// keepWord sends the text of an editor dialog as the agent gave it.
const keepWord = "/keep"

func (f *Frontend) askEditor(ctx context.Context, q *open, d *protocol.Editor) (protocol.Answer, error) {
	prefill := ""
	if d.Prefill != nil {
		prefill = *d.Prefill
	}
	external := f.canEdit()
	hint := "type the text, and then a line with nothing but a dot\na line that begins with a dot needs one more in front"
	if external {
		hint = "press Enter to open it in " + safetext.Line(f.o.Editor[0])
	}
	if prefill != "" {
		hint += "\n" + keepWord + " sends the text above unchanged"
	}
	f.present(q, "editor", d.Title, func(s *screen) {
		if prefill != "" {
			s.line("text so far:")
			s.block(mark, mark, safetext.Block(prefill))
		}
	}, hint+"\n"+cancelWord+" cancels")
	if !external {
		return f.readText(ctx, q)
	}
	for {
		line, err := f.dialogLine(ctx, q, "edit> ", oneLine)
		switch {
		case err != nil:
			return nil, err
		case line == "":
			return f.runEditor(ctx, q, prefill)
		case line == keepWord && prefill != "":
			return protocol.Value(prefill), nil
		}
		f.say("press Enter alone to open the editor, or type %s to cancel", cancelWord)
	}
}

// readText reads lines up to one with a single dot.
func (f *Frontend) readText(ctx context.Context, q *open) (protocol.Answer, error) {
	t := q.typed
	for {
		line, err := f.readLine(ctx, q, "text> ", manyLines)
		if err == nil && line == cancelWord {
			err = errDeclined
		}
		if err != nil {
			f.mu.Lock()
			if len(t.lines) > 0 { // in front of what the failed call has put there
				q.unsent = append([]string{t.text()}, q.unsent...)
			}
			f.mu.Unlock()
			return nil, err
		}
		switch {
		case !t.take(line):
		case t.kept:
			return protocol.Value(t.prefill), nil
		default:
			return protocol.Value(t.text()), nil
		}
	}
}

// typedText is a text that is typed line by line.
type typedText struct {
	prefill string
	lines   []string
	kept    bool // the given text is the answer
}

// text joins the lines with line breaks and has none behind the last; for a text that ends in one,
// an empty line goes in front of the dot.
func (t *typedText) text() string { return strings.Join(t.lines, "\n") }

// take adds a line and reports whether it was the last.
func (t *typedText) take(line string) (last bool) {
	switch {
	case strings.Contains(line, "\n"): // a pasted text is taken as it is
		t.lines = append(t.lines, line)
	case line == "." || line == cancelWord:
		return true
	case line == keepWord && len(t.lines) == 0 && t.prefill != "":
		t.kept = true
		return true
	case strings.HasPrefix(line, "."):
		t.lines = append(t.lines, line[1:])
	default:
		t.lines = append(t.lines, unslash(line, cancelWord, keepWord))
	}
	return false
}

// canEdit reports whether a text editor can be run on the terminal.
func (f *Frontend) canEdit() bool {
	if f.mode == Pipe || len(f.o.Editor) == 0 {
		return false
	}
	_, in := f.in.(*os.File)
	_, out := f.scr.w.(*os.File)
	return in && out
}

// edited is what a text editor left behind.
type edited struct {
	text string // also of an editor that has failed, if there is any
	err  error
}

// worthKeeping is what would be lost if it were not shown.
func (e edited) worthKeeping(prefill string) []string {
	if e.err != nil && (e.text == "" || e.text == prefill) {
		return nil
	}
	return []string{e.text}
}

// runEditor lets a person edit prefill in their editor. If ctx ends before they are done, it
// returns, but leaves the editor alone: nobody's text is thrown away. Until the editor is closed
// the dialog stays the first of the queue, then its text is shown as not sent.
func (f *Frontend) runEditor(ctx context.Context, q *open, prefill string) (protocol.Answer, error) {
	f.mu.Lock()
	if err := f.unfit(ctx, q); err != nil {
		f.mu.Unlock()
		return nil, err
	}
	done := make(chan edited, 1)
	f.wg.Go(func() {
		text, err := f.edit(prefill)
		f.mu.Lock()
		defer f.mu.Unlock()
		if !q.detached {
			done <- edited{text, err}
			return
		}
		f.printUnsent(edited{text, err}.worthKeeping(prefill))
		f.leave(q)
	})
	f.mu.Unlock()
	var r edited
	select {
	case r = <-done:
	case <-ctx.Done():
		f.mu.Lock()
		defer f.mu.Unlock()
		select {
		case r = <-done:
			q.unsent = append(q.unsent, r.worthKeeping(prefill)...)
		default:
			q.detached = true
		}
		return nil, context.Cause(ctx)
	}
	if r.err != nil {
		q.unsent = append(q.unsent, r.worthKeeping(prefill)...)
		f.say("the editor failed: %s", safetext.Line(r.err.Error()))
		return nil, errDeclined
	}
	return protocol.Value(r.text), nil
}

// edit runs the text editor on a file with prefill and returns what it contains then, byte for
// byte, but for one line break at the end if prefill had none there: editors add it. An error may
// come with a text.
func (f *Frontend) edit(prefill string) (string, error) {
	file, err := os.CreateTemp("", "dialog-*.md")
	if err != nil {
		return "", fmt.Errorf("make a file to edit: %w", err)
	}
	name := file.Name()
	defer func() { _ = os.Remove(name) }()
	_, err = file.WriteString(prefill)
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return "", fmt.Errorf("write the file to edit: %w", err)
	}
	back := f.lend()
	defer back()
	cmd := exec.CommandContext(f.ctx, f.o.Editor[0], append(f.o.Editor[1:len(f.o.Editor):len(f.o.Editor)], name)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.in, f.scr.w, f.scr.w
	failed := cmd.Run()
	if failed != nil {
		failed = fmt.Errorf("run %s: %w", f.o.Editor[0], failed)
	}
	// An editor that fails may have saved all the same.
	data, err := os.ReadFile(name)
	if err != nil {
		return "", errors.Join(failed, fmt.Errorf("read the edited file: %w", err))
	}
	text := string(data)
	if !strings.HasSuffix(prefill, "\n") {
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	}
	return text, failed
}

// lend gives the terminal to another program, and takes it back when the function that it returns
// is called. What is printed in between appears then.
func (f *Frontend) lend() (back func()) {
	f.stopInput()
	f.mu.Lock()
	defer f.mu.Unlock()
	in := &f.input
	in.src = nil
	if in.escape != nil {
		in.escape.Stop()
		in.escape = nil
	}
	if in.state != nil {
		f.scr.hide()
		f.scr.buf = append(f.scr.buf, pasteOff...)
	}
	f.scr.flush()
	f.scr.away = true
	fd, _ := fdOf(f.in)
	if in.state != nil {
		_ = term.Restore(fd, in.state)
	}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.scr.away = false
		if f.ctx.Err() != nil {
			return // Close gives the terminal back.
		}
		if in.state != nil {
			_, _ = term.MakeRaw(fd) // It could before; without it typing still works, less well.
			f.scr.buf = append([]byte(pasteOn), f.scr.buf...)
		}
		f.startInput()
		f.refresh()
	}
}
