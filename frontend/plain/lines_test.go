//go:build unix

package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"extui/client"
	"extui/protocol"
)

// In Lines mode the terminal keeps a line to itself until Enter is pressed. What was typed of it
// before there was a question is no part of an answer.
func TestLinesHalfTypedLine(t *testing.T) {
	for _, typed := range []string{"yes", "y", "yes\x04", "  y"} { // Ctrl-D hands over what is there
		c := onTerminal(t, Options{Mode: Lines})
		c.press(typed)
		c.see(strings.Trim(typed, "\x04"))
		got := c.ask(t.Context(), approve)
		c.see("y/n> ")
		c.press("\n")
		c.see("no") // neither taken nor a decision
		c.press("yes\n")
		c.answered(got, protocol.Confirmed(true))
	}
}

// The same with what was typed for a dialog that ended by itself.
func TestLinesHalfTypedForAnotherDialog(t *testing.T) {
	c := onTerminal(t, Options{Mode: Lines})
	ctx, cancel := context.WithCancelCause(t.Context())
	first := c.ask(ctx, sure)
	c.see("y/n> ")
	next := c.ask(t.Context(), approve)
	c.see("1 more question is waiting")
	c.press("y")
	c.see("y")
	cancel(client.ErrExpired)
	if r := <-first; !errors.Is(r.err, client.ErrExpired) {
		t.Errorf("Ask = %v, %v", r.answer, r.err)
	}
	c.see("really")
	c.see("y/n> ")
	c.press("\n")
	c.see("type it again: \r\n")
	c.press("n\n")
	c.answered(next, protocol.Confirmed(false))
}

// What is typed before the prompt of a dialog appears, which takes MinDelay, is thrown away, and so
// is the end of that line: the answer is what stands behind the prompt after that.
func TestLinesPromptComesLate(t *testing.T) {
	c := onTerminal(t, Options{Mode: Lines, MinDelay: defaultDelay})
	got := c.ask(t.Context(), &protocol.Select{Title: "Which?", Options: protocol.Options("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l")})
	c.see("cancels\r\n")
	c.press("1")
	c.see("end it with Enter, and then answer: 1\r\n")
	c.see("1-12> ")
	c.press("2\n")
	c.see("type it again: 2\r\n")
	c.press("2\n")
	c.answered(got, protocol.Value("b"))
}

// The end of the input within a line, which is Ctrl-D twice, enters nothing.
func TestLinesUnfinishedLine(t *testing.T) {
	for _, d := range []protocol.Dialog{approve, choose3, askName, oneQuestion(), editText} {
		c := onTerminal(t, Options{Mode: Lines})
		got := c.ask(t.Context(), d)
		c.see("> ")
		word := "y"
		if d == choose3 || d.Method() == protocol.MethodQuestionnaire {
			word = "1"
		}
		c.press(word + "\x04\x04")
		c.see("not sent, for it was not entered: " + word + "\r\n")
		c.answered(got, protocol.Cancelled{})
	}
	c := onTerminal(t, Options{Mode: Lines})
	got := c.prompt()
	c.see("> ")
	c.press("rm\x04\x04")
	if r := <-got; r.answer != protocol.Value("") || r.err != io.EOF {
		t.Errorf("ReadPrompt = %q, %v", r.answer, r.err)
	}
}

// Updates do not each leave a prompt behind: that of a line for the agent appears once, when there
// is nothing more to print, and that of a dialog again.
func TestLinesPromptsAreFew(t *testing.T) {
	bubble(t, Lines, func(d *desk) {
		read := d.prompt(d.t.Context())
		for _, s := range []string{"a", "b", "c"} {
			d.Show(&protocol.Notify{Message: s})
		}
		d.printed("info: a\ninfo: b\ninfo: c\n")
		d.pass(quietTime)
		d.printed("> ")
		d.Show(&protocol.Notify{Message: "d"})
		d.pass(quietTime)
		d.Show(&protocol.Notify{Message: "e"})
		d.pass(rate)
		d.printed("\ninfo: d\ninfo: e\n")
		d.write("hello\n")
		d.answered(read, protocol.Value("hello"), nil)
		d.printed("") // the terminal has shown it
		got := d.ask(d.t.Context(), sure)
		d.pass(defaultDelay)
		d.paper.take()
		d.Show(&protocol.Notify{Message: "f"})
		d.Show(&protocol.Notify{Message: "g"})
		d.printed("\ninfo: f\ninfo: g\n")
		d.pass(quietTime)
		d.printed("y/n> ")
		d.write("n\n") // not flushed, in this test: refused once
		d.write("n\n")
		d.answered(got, protocol.Confirmed(false), nil)
	})
}

// A prompt that was about to appear for the agent does not appear for a dialog whose time has not
// come: who types behind a prompt is heard.
func TestLinesPromptWaitsForItsDialog(t *testing.T) {
	bubble(t, Lines, func(d *desk) {
		d.prompt(d.t.Context())
		d.pass(quietTime / 2)
		got := d.ask(d.t.Context(), sure)
		d.paper.take()
		d.pass(defaultDelay - 1)
		d.printed("")
		d.pass(1)
		d.printed("y/n> ")
		d.write("n\n") // not flushed, in this test: refused once
		d.write("n\n")
		d.answered(got, protocol.Confirmed(false), nil)
	})
}

// Nobody can answer what nobody can see.
func TestUnseen(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	defer tty.Close()
	for _, mode := range []Mode{Detect, Lines, Keys, Pipe} {
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		f := New(tty, out, &Options{Mode: mode, Term: "xterm", MinDelay: -1})
		if _, err := io.WriteString(ptmx, "hello\n"); err != nil {
			t.Fatal(err)
		}
		if s, err := f.ReadPrompt(t.Context()); s != "hello" || err != nil {
			t.Errorf("mode %d: ReadPrompt = %q, %v", mode, s, err)
		}
		for _, d := range []protocol.Dialog{approve, choose3, askName, editText, storage()} {
			if a, err := f.Ask(t.Context(), d); a != (protocol.Cancelled{}) || err != nil {
				t.Errorf("mode %d: Ask = %v, %v", mode, a, err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		b, err := os.ReadFile(out.Name())
		if err != nil || !strings.Contains(string(b), "cancelled: Allow dangerous command?\n"+errUnseen.Error()+"\n") {
			t.Errorf("mode %d printed %q, %v", mode, b, err)
		}
		_ = out.Close()
	}
}

// before is what may have been typed when a dialog appears.
var before = []string{"y", "yes", "y\n", "yes\r", "\n", "y\x04", "\x04", " y ", "y\r\ny\r\ny", "/c", "\x1b", "\x1b[200~y\ny\n", "y\x1b[", "1\ny\n"}

// Nothing that was typed before a dialog was shown, and no Enter behind it, approves.
func TestNothingTypedBeforeApproves(t *testing.T) {
	for _, typed := range before {
		for _, mode := range []Mode{Lines, Keys} {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				c := onTerminal(t, Options{Mode: mode, MinDelay: defaultDelay})
				c.prompt()
				c.press(typed)
				got := c.ask(t.Context(), approve)
				c.press("y") // it is being shown now
				c.see("cancels\r\n")
				c.press("\r")
				refuse(t, c, got)
			})
		}
	}
}

// refuse checks that a dialog is still to be answered, or was cancelled.
func refuse(t *testing.T, c *console, got <-chan asked) {
	t.Helper()
	c.CancelDialog()
	if r := <-got; r.answer != (protocol.Cancelled{}) || r.err != nil {
		t.Errorf("Ask = %v, %v", r.answer, r.err)
	}
}

// Who goes on typing what they began before the question has not read it.
func TestKeysOfOneBurst(t *testing.T) {
	c := onTerminal(t, Options{Mode: Keys, MinDelay: time.Hour})
	got := c.ask(t.Context(), approve)
	c.see("y/n> ")
	c.Frontend.mu.Lock()
	since := c.queue[0].since
	for _, k := range []stampedKey{
		{key{keyInsert, "the laz"}, since.Add(-time.Second)},
		{key{keyInsert, "y"}, since.Add(time.Second)},
		{key{kind: keyEnter}, since.Add(time.Minute)},
	} {
		c.Frontend.press(k, false)
	}
	c.Frontend.mu.Unlock()
	refuse(t, c, got)
}
