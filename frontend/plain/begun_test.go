//go:build unix

package plain

import (
	"context"
	"testing"

	"extui/client"
	"extui/protocol"
)

// A line that a question comes across answers nothing, however slowly it is typed on: its rest may
// be a y, or a number. It is not lost either.
func TestLineAcrossAQuestion(t *testing.T) {
	for _, d := range []protocol.Dialog{approve, choose3, askName, oneQuestion()} {
		rest, want := "y", protocol.Answer(protocol.Confirmed(true))
		switch d.Method() {
		case protocol.MethodSelect:
			rest, want = "1", protocol.Value("SQLite")
		case protocol.MethodInput:
			want = protocol.Value("y")
		case protocol.MethodQuestionnaire:
			rest, want = "1", nil
		}
		for _, mode := range []Mode{Keys, Lines} {
			c := onTerminal(t, Options{Mode: mode, MinDelay: 1})
			c.prompt()
			c.see("> ")
			c.press("tr")
			c.see("tr")
			got := c.ask(t.Context(), d)
			enter := "\n"
			if mode == Keys {
				enter = "\r"
				c.see(begunKeys[:40])
				c.see("> tr")
				c.press(rest + enter)
				c.see(keptLine)
			} else {
				c.see(begunLines + "tr\r\n")
				c.see("> ")
				c.press(rest + enter)
				c.see("type it again: " + rest)
			}
			select {
			case a := <-got:
				t.Fatalf("%s, mode %d: answered %v, %v", d.Method(), mode, a.answer, a.err)
			default:
			}
			c.see("> ")
			c.press(rest + enter)
			if a := <-got; want != nil && a.answer != want || a.answer == (protocol.Cancelled{}) || a.err != nil {
				t.Errorf("%s, mode %d: answered %v, %v", d.Method(), mode, a.answer, a.err)
			}
			if mode == Keys {
				c.see("> tr" + rest)
			}
		}
	}
}

// Likewise the rest of what was typed for a dialog that has gone meanwhile. Escape cancels all the
// same.
func TestLineAcrossTheEndOfADialog(t *testing.T) {
	for _, key := range []string{"y\r", "\x1b"} {
		c := onTerminal(t, Options{MinDelay: 1})
		ctx, cancel := context.WithCancelCause(t.Context())
		c.ask(ctx, askName)
		c.see("text> ")
		c.press("Har")
		c.see("Har")
		next := c.ask(t.Context(), approve)
		c.see("1 more question is waiting")
		cancel(client.ErrExpired)
		c.see(begunKeys[:40])
		c.see("> ")
		c.press(key)
		if key == "\x1b" {
			c.answered(next, protocol.Cancelled{})
			continue
		}
		c.see(keptLine)
		c.see("y/n> ")
		c.press("n\r")
		c.answered(next, protocol.Confirmed(false))
	}
}

// A text that the agent has put into the prompt is not being typed.
func TestTextOfTheAgentIsNotBegun(t *testing.T) {
	c := onTerminal(t, Options{MinDelay: 1})
	c.prompt()
	c.Show(&protocol.SetEditorText{Text: "from the agent"})
	c.see("> from the agent")
	got := c.ask(t.Context(), approve)
	c.see("y/n> ")
	c.press("y\r")
	c.answered(got, protocol.Confirmed(true))
}
