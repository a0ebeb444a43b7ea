package terminal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

// answered presses keys and returns the answer, which must fit the dialog.
func answered(t *testing.T, d protocol.Dialog, keys ...string) protocol.Answer {
	t.Helper()
	s := newScreen(t, 80, 24)
	id := s.ask(d)
	for _, key := range keys {
		s.settle()
		s.keys(key)
	}
	a, ok := s.answers[id]
	if !ok {
		t.Fatalf("keys %v did not answer:\n%s", keys, s.picture())
	}
	if _, err := protocol.Respond(d, a); err != nil {
		t.Errorf("keys %v: %v", keys, err)
	}
	return a
}

func TestSelect(t *testing.T) {
	d := &protocol.Select{Title: "Which?", Options: []protocol.Option{
		{Label: "Allow", Description: "this once"}, {Label: "Block"}, {Label: "Allow always", Value: new("always")}, {Label: "Block"},
	}}
	for _, c := range []struct {
		keys []string
		want protocol.Answer
	}{
		{[]string{"enter", "down", "enter"}, protocol.Value("Allow")}, // Enter alone chooses nothing
		{[]string{"up", "enter"}, protocol.Value("Block")},
		{[]string{"2", "enter"}, protocol.Value("Block")},
		{[]string{"down", "down", "down", "enter"}, protocol.Value("always")},
		{[]string{"end", "down", "enter"}, protocol.Value("Allow")},
		{[]string{"/", "a", "l", "w", "space", "W", "enter", "down", "enter"}, protocol.Value("always")},
		{[]string{"/", "o", "n", "c", "e", "enter", "up", "enter"}, protocol.Value("Allow")},
		{[]string{"/", "a", "l", "l", "o", "w", "space", "a", "l", "w", "enter"}, protocol.Value("always")},
		{[]string{"/", "z", "z", "enter", "esc", "enter", "esc"}, protocol.Cancelled{}},
		{[]string{"/", "a", "backspace", "backspace", "esc"}, protocol.Cancelled{}},
	} {
		if got := answered(t, d, c.keys...); got != c.want {
			t.Errorf("keys %v: got %v, want %v", c.keys, got, c.want)
		}
	}
}

func TestConfirm(t *testing.T) {
	d := &protocol.Confirm{Title: "Sure?", Message: new("Really?")}
	for keys, want := range map[string]protocol.Answer{
		"enter": protocol.Confirmed(false), "right enter": protocol.Confirmed(true), "y enter": protocol.Confirmed(true),
		"y n enter": protocol.Confirmed(false), "tab tab enter": protocol.Confirmed(false), "esc": protocol.Cancelled{},
		"right esc": protocol.Cancelled{},
	} {
		if got := answered(t, d, strings.Fields(keys)...); got != want {
			t.Errorf("keys %s: got %v, want %v", keys, got, want)
		}
	}
}

func TestInput(t *testing.T) {
	d := &protocol.Input{Title: "Name?", Placeholder: new("type it")}
	if got := answered(t, d, "enter"); got != protocol.Value("") {
		t.Errorf("Enter alone: %v, want the empty text, which is an answer", got)
	}
	if got := answered(t, d, "a", "b", "left", "é", "ctrl+a", "?", "enter"); got != protocol.Value("?aéb") {
		t.Errorf("got %v", got)
	}
	s := newScreen(t, 80, 24)
	id := s.ask(d)
	s.wants("type it")
	s.settle()
	s.send(tea.PasteMsg{Content: "two\rlines\r\nmore"})
	s.keys("enter")
	if got := s.answers[id]; got != protocol.Value("two lines more") {
		t.Errorf("pasted lines: %q", got)
	}
}

// The text that an editor dialog starts from goes back byte for byte unless
// somebody changes it, and then only where they do.
func TestEditorKeepsEveryByte(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "plain": "a\nb", "last line ended": "a\n", "blank lines": "\n\n\n", "tabs": "\ta\t\tb\t",
		"CR LF": "a\r\nb\r\n", "lone CR": "a\rb", "spaces": "  a  \n   ", "wide": strings.Repeat("x", 5000),
		"escapes": "\x1b[31m\x07\x00", "no UTF-8": "\xff\xc3(\xed", "lone surrogate": "a\xed\xa0\xbdb", "invisible": "a\u200b\u202eb\ufeff",
		"emoji": "👨\u200d👩\u200d👧 🇨🇭 e\u0301", "separators": "a\u2028b\u0085c",
	} {
		for _, width := range []int{80, 12} {
			s := newScreen(t, width, 10)
			id := s.ask(&protocol.Editor{Title: "Edit", Prefill: &text})
			s.settle()
			s.keys("ctrl+s")
			if got := s.answers[id]; got != protocol.Value(text) {
				t.Errorf("%s at %d columns: %q became %q", name, width, text, got)
			}
			s.settle()
			id = s.ask(&protocol.Editor{Title: "Edit", Prefill: &text})
			s.settle()
			s.keys("up", "pgup", "down", "pgdown", "ctrl+home", "x", "backspace", "ctrl+end", "enter", "tab", "y", "ctrl+s")
			if got := s.answers[id]; got != protocol.Value(text+"\n\ty") {
				t.Errorf("%s at %d columns: edited to %q", name, width, got)
			}
		}
	}
}

func TestEditorTakesALargePaste(t *testing.T) {
	var b strings.Builder
	for b.Len() < 100<<10 {
		fmt.Fprintf(&b, "line %d with \ttab, ünïcödé and 👩🏽\u200d🚒\n", b.Len())
	}
	oneLine := strings.Repeat("0123456789 äöü ", 8<<10)
	for _, text := range []string{b.String(), oneLine} {
		s := newScreen(t, 80, 24)
		id := s.ask(&protocol.Editor{Title: "Edit", Prefill: new("<>")})
		s.settle()
		s.keys("left")
		s.send(tea.PasteMsg{Content: text})
		s.keys("up", "down", "ctrl+home", "ctrl+end", "ctrl+s")
		if got := s.answers[id]; got != protocol.Value("<"+text+">") {
			t.Errorf("a paste of %d bytes came back as %d bytes", len(text), len(got.(protocol.Value)))
		}
	}
}

// All of what is to be approved can be read, on the smallest screen too, and a
// sign says how much is not shown.
func TestEveryRowCanBeReached(t *testing.T) {
	var long []string
	for i := range 60 {
		long = append(long, fmt.Sprintf("row-%02d.", i))
	}
	text := strings.Join(long, "\n")
	for name, d := range map[string]protocol.Dialog{
		"confirm message":      &protocol.Confirm{Title: "Sure?", Message: &text},
		"confirm title":        &protocol.Confirm{Title: text},
		"select title":         &protocol.Select{Title: text, Options: protocol.Options("A", "B")},
		"select option":        &protocol.Select{Title: "Which?", Options: protocol.Options("A", text)},
		"select list":          &protocol.Select{Title: "Which?", Options: protocol.Options(long...)},
		"input title":          &protocol.Input{Title: text},
		"editor title":         &protocol.Editor{Title: text},
		"editor text":          &protocol.Editor{Title: "Edit", Prefill: &text},
		"question":             &protocol.Questionnaire{Questions: []protocol.Question{{Question: text, Options: []protocol.QuestionOption{{Label: "A"}, {Label: "B"}}}}},
		"question description": &protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Options: []protocol.QuestionOption{{Label: "A", Description: text}, {Label: "B"}}}}},
	} {
		for _, size := range [][2]int{{80, 24}, {40, 10}} {
			s := newScreen(t, size[0], size[1])
			s.ask(d)
			s.settle()
			if strings.HasPrefix(name, "editor text") {
				s.keys("ctrl+home")
			}
			seen := map[string]bool{}
			sign := false
			for range 70 {
				picture := s.picture()
				sign = sign || strings.Contains(picture, " more") || strings.Contains(picture, "↓")
				for _, row := range long {
					seen[row] = seen[row] || strings.Contains(picture, row)
				}
				s.keys(map[bool]string{true: "alt+down", false: "pgdown"}[name == "editor title"])
			}
			if !sign {
				t.Errorf("%s at %v: no sign that there is more", name, size)
			}
			for _, row := range long {
				if !seen[row] {
					t.Errorf("%s at %v: %s was never on the screen", name, size, row)
					break
				}
			}
			if len(s.answers) > 0 {
				t.Errorf("%s: scrolling answered %v", name, s.answers)
			}
		}
	}
}

func TestQueueOfThree(t *testing.T) {
	s := newScreen(t, 80, 24)
	a := s.ask(&protocol.Confirm{Title: "Alpha?"})
	b := s.ask(&protocol.Input{Title: "Beta?"})
	c := s.ask(&protocol.Select{Title: "Gamma?", Options: protocol.Options("X", "Y")})
	s.wants("Alpha?", "1 of 3")
	if title := s.m.View().WindowTitle; title != "(3?)" {
		t.Errorf("the window's title is %q; it should count the dialogs", title)
	}
	s.settle()
	s.keys("ctrl+p")
	s.wants("Gamma?", "3 of 3")
	s.settle()
	s.keys("2", "enter")
	s.wants("Beta?", "2 of 2")
	s.settle()
	s.typed("text")
	s.keys("ctrl+n")
	s.wants("Alpha?", "1 of 2")
	s.settle()
	s.keys("ctrl+n")
	s.wants("Beta?", "text")
	s.settle()
	s.keys("enter")
	s.settle()
	s.keys("enter")
	want := map[int]protocol.Answer{a: protocol.Confirmed(false), b: protocol.Value("text"), c: protocol.Value("Y")}
	for id, w := range want {
		if s.answers[id] != w {
			t.Errorf("dialog %d: %v, want %v", id, s.answers[id], w)
		}
	}
	s.wants("a message")
}

// Dialogs that arrive here in another order than the agent sent them are asked in
// the agent's, unless the person has had time to read the wrong one.
func TestQueueHasTheAgentsOrder(t *testing.T) {
	ask := func(s *screen, key int) {
		s.send(askMsg{key, &protocol.Confirm{Title: fmt.Sprintf("Number %d?", key)}, time.Time{}, uint64(key)})
	}
	s := newScreen(t, 80, 24)
	for _, key := range []int{3, 1, 4, 2} {
		ask(s, key)
	}
	for key := 1; key <= 4; key++ {
		s.wants(fmt.Sprintf("Number %d?", key))
		s.settle()
		s.keys("enter")
		if len(s.answers) != key {
			t.Fatalf("%d answers after dialog %d", len(s.answers), key)
		}
	}
	s = newScreen(t, 80, 24)
	ask(s, 2)
	s.settle()
	ask(s, 1)
	s.wants("Number 2?", "2 of 2")
	s.keys("y", "enter")
	if s.answers[2] != protocol.Confirmed(true) || len(s.answers) != 1 {
		t.Errorf("answers %v; the dialog that was read was not answered", s.answers)
	}
}

func TestCountdown(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(&protocol.Confirm{Title: "Sure?", Timeout: after(10 * time.Second)})
	s.wants("10 s ██████████")
	if s.cmd == nil {
		t.Error("nothing will draw the bar again")
	}
	s.wait(5 * time.Second)
	s.send(tickMsg{})
	s.wants("5 s █████░░░░░")
	s.wait(4900 * time.Millisecond)
	s.send(tickMsg{})
	s.wants("1 s █░░░░░░░░░")
	for d, want := range map[time.Duration]string{0: "0 s", 99 * time.Second: "99 s", 3 * time.Minute: "3 min", 5 * time.Hour: "5 h", 1 << 62: "53376 days"} {
		if got := remaining(d); got != want {
			t.Errorf("remaining(%v) = %q, want %q", d, got, want)
		}
	}
}

// Enter does not choose what is marked while that is scrolled off the screen. It
// brings it back, and the next Enter counts.
func TestEnterChoosesWhatIsSeen(t *testing.T) {
	labels := make([]string, 40)
	for i := range labels {
		labels[i] = fmt.Sprintf("option %d.", i+1)
	}
	var several []protocol.QuestionOption
	for _, l := range labels {
		several = append(several, protocol.QuestionOption{Label: l})
	}
	for name, c := range map[string]struct {
		d   protocol.Dialog
		key string
	}{
		"select":        {&protocol.Select{Title: "Which?", Options: protocol.Options(labels...)}, "enter"},
		"questionnaire": {&protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Options: several}}}, "enter"},
		"several":       {&protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Options: several, MultiSelect: true}}}, "space"},
	} {
		s := newScreen(t, 80, 24)
		id := s.ask(c.d)
		s.settle()
		s.keys("2", "pgdown", "pgdown")
		s.lacks("option 2.")
		s.keys(c.key)
		if len(s.answers) > 0 {
			t.Fatalf("%s: answered %v unseen", name, s.answers[id])
		}
		s.wants("option 2.", hintMarked)
		s.lacks("●", "[x]", "Enter sends")
		s.keys(c.key)
		if name == "select" {
			if s.answers[id] != protocol.Value("option 2.") {
				t.Errorf("%s: answer %v", name, s.answers[id])
			}
		} else if a := s.m.shown().body.(*questionnaireBody).questions[0].answer; a == nil {
			t.Errorf("%s: not chosen when it was seen", name)
		}
	}
}
