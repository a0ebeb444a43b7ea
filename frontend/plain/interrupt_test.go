//go:build unix

package plain

import (
	"testing"

	"extui/protocol"
)

// Every Ctrl-C is told, also those that cancel a dialog, so that an agent which asks again and
// again can be left.
func TestInterruptToldWithDialog(t *testing.T) {
	told := make(chan bool, 3)
	c := onTerminal(t, Options{Interrupt: func(cancelled bool) { told <- cancelled }})
	for range 2 {
		got := c.ask(t.Context(), approve)
		c.see("y/n> ")
		c.press("\x03")
		c.answered(got, protocol.Cancelled{})
		if !<-told {
			t.Error("told that no dialog was cancelled")
		}
	}
	got := c.prompt()
	c.see("> ")
	c.press("\x03")
	if <-told {
		t.Error("told that a dialog was cancelled, and there is none")
	}
	c.press("\r")
	if r := <-got; r.err != nil {
		t.Error(r.err)
	}
}
