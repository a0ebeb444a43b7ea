package terminal

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

// A filter points at an option only if it leaves no other one and is how that one
// begins. Whatever changes the list takes the mark away, and a paste sets none.
func TestFilterMarksNoGuess(t *testing.T) {
	d := &protocol.Select{Title: "Run it?", Options: protocol.Options("Yes", "Yes, and do not ask again", "Abort")}
	for keys, want := range map[string]string{ // what Enter would take, "" for nothing
		"/ n o":             "",
		"/ y e s":           "",
		"/ a g a i n":       "",
		"/ a b":             "Abort",
		"/ A B":             "Abort",
		"/ a b z":           "",
		"/ a b backspace":   "",
		"/ a b esc":         "",
		"/ a b left":        "Abort",
		"down / esc":        "",
		"/ y down down":     "Yes, and do not ask again",
		"/ y down down e":   "",
		"/ y down down esc": "",
		"/ paste:Abort":     "",
		"paste:1":           "",
	} {
		s := newScreen(t, 80, 24)
		id := s.ask(d)
		s.settle()
		for _, key := range strings.Fields(keys) {
			if text, ok := strings.CutPrefix(key, "paste:"); ok {
				s.send(tea.PasteMsg{Content: text})
			} else {
				s.keys(key)
			}
			s.settle()
		}
		if strings.Contains(s.picture(), "▸") != (want != "") {
			t.Errorf("%s: want %q marked:\n%s", keys, want, s.picture())
		}
		s.keys("enter")
		if a, ok := s.answers[id]; ok != (want != "") || ok && a != protocol.Value(want) {
			t.Errorf("%s, then enter: %v, want %q", keys, a, want)
		}
	}
}
