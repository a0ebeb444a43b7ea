package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"extui/client"
	"extui/protocol"
)

// Dialogs that end at once, in any order, are listed in the agent's, each with the
// text that was typed into it. Those that end later stay behind.
func TestEndsAreInTheAgentsOrder(t *testing.T) {
	s := newScreen(t, 80, 40)
	var ids []int
	for i := range 7 {
		ids = append(ids, s.ask(&protocol.Input{Title: fmt.Sprintf("Number %d", i+1)}))
	}
	s.settle()
	s.typed("text of 1")
	for i, at := range []int{4, 6, 1, 2, 5, 3} {
		s.wait(time.Duration(i) * time.Millisecond)
		s.send(endMsg{ids[at], client.ErrStopped})
	}
	s.wait(together)
	s.send(endMsg{ids[0], client.ErrExpired})
	var got []string
	for _, m := range regexp.MustCompile(`Number (\d): not answered|text of (1)`).FindAllStringSubmatch(s.picture(), -1) {
		got = append(got, m[1]+m[2])
	}
	if want := "2 3 4 5 6 7 1 1"; strings.Join(got, " ") != want {
		t.Errorf("listed as %q, want %s:\n%s", got, want, s.picture())
	}
	s = newScreen(t, 80, 40)
	a, b := s.ask(&protocol.Input{Title: "Alpha"}), s.ask(&protocol.Input{Title: "Beta"})
	s.settle()
	s.typed("typed for alpha")
	s.send(endMsg{b, client.ErrStopped}, endMsg{a, client.ErrStopped})
	if !regexp.MustCompile(`(?s)Alpha: not.*typed for alpha.*ctrl\+r.*Beta: not`).MatchString(s.picture()) {
		t.Errorf("the text that was typed is not with its dialog:\n%s", s.picture())
	}
}
