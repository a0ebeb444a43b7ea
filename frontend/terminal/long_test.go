package terminal

import (
	"strings"
	"testing"
	"time"

	"extui/protocol"
)

// A frame does not fold a long text again, not for the countdown and not for a key,
// or a million characters would keep the screen busy all the time.
func TestLongTextsAreFoldedOnce(t *testing.T) {
	long := strings.Repeat("word ", 200_000)
	for name, d := range map[string]protocol.Dialog{
		"confirm": &protocol.Confirm{Title: long, Message: &long, Timeout: after(time.Minute)},
		"select":  &protocol.Select{Title: long, Options: protocol.Options("A", "B")},
		"input":   &protocol.Input{Title: long, Placeholder: &long},
		"editor":  &protocol.Editor{Title: long},
	} {
		s := newScreen(t, 80, 24)
		s.ask(d)
		s.settle()
		s.keys("down") // the first key of a text box makes its undo
		n := testing.AllocsPerRun(5, func() { s.send(tickMsg{}, keyPress("pgdown")) })
		if rows := float64(len(long) / 80); n > rows/5 {
			t.Errorf("%s: a tick and a key allocate %.0f times for a text of %.0f rows", name, n, rows)
		}
	}
}

// The keys that send and cancel an editor are named on the smallest screen, whatever
// its title is, and what is missing of the title does not seem to be text.
func TestEditorNamesItsKeys(t *testing.T) {
	long := strings.Repeat("a long title ", 40)
	for name, d := range map[string]protocol.Dialog{"editor": &protocol.Editor{Title: long, Prefill: new("a\nb\nc")}, "input": &protocol.Input{Title: long}} {
		for _, others := range []int{0, 9} {
			s := newScreen(t, 40, 10)
			s.ask(d)
			for range others {
				s.ask(&protocol.Confirm{Title: "Other?"})
			}
			s.settle()
			s.keys("alt+down")
			s.wants(map[string]string{"editor": "ctrl+s send · esc cancel", "input": "enter send · esc cancel"}[name])
			rows := strings.Split(s.picture(), "\n")
			head := 0
			for i, r := range rows {
				if strings.HasPrefix(r, "─ "+name) {
					head = i
				}
				if strings.Contains(r, " more") && i != head {
					t.Errorf("%s: %q stands by the text:\n%s", name, r, s.picture())
				}
			}
			s.wants("title: ↑ 1 ↓ ")
		}
	}
}
