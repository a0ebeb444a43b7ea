package terminal

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"extui/client"
	"extui/protocol"
)

// oneOfEach is a dialog of every kind, and the keys that would answer it.
func oneOfEach() map[string]struct {
	d    protocol.Dialog
	keys []string
} {
	return map[string]struct {
		d    protocol.Dialog
		keys []string
	}{
		"select":  {&protocol.Select{Title: "Run it?", Options: protocol.Options("Allow", "Block")}, []string{"1", "enter"}},
		"confirm": {&protocol.Confirm{Title: "Sure?"}, []string{"y", "enter"}},
		"input":   {&protocol.Input{Title: "Name?"}, []string{"y", "enter"}},
		"editor":  {&protocol.Editor{Title: "Text"}, []string{"y", "ctrl+s"}},
		"questionnaire": {&protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Header: "W",
			Options: []protocol.QuestionOption{{Label: "A"}, {Label: "B"}}}}}, []string{"1", "enter", "enter"}},
	}
}

// Keys that were typed before a dialog had been on the screen for 300 ms do not
// answer it, Escape among them; after that they do.
func TestKeysFromBeforeDoNotAnswer(t *testing.T) {
	for name, c := range oneOfEach() {
		for _, after := range []time.Duration{0, 150 * time.Millisecond, 299 * time.Millisecond} {
			s := newScreen(t, 80, 24)
			id := s.ask(c.d)
			s.wait(after)
			s.keys(c.keys...)
			s.keys("esc")
			if a, answered := s.answers[id]; answered {
				t.Errorf("%s: answered %v with keys %v after its appearance", name, a, after)
			}
			s.wants("keys typed before this was shown do not count")
			s.wait(composing)
			for _, key := range c.keys {
				s.settle()
				s.keys(key)
			}
			if _, answered := s.answers[id]; !answered {
				t.Errorf("%s: not answered by keys that count", name)
			}
		}
	}
}

// Somebody who types on without a pause has not read the dialog, however long
// that goes on. What they type goes where they were typing, and nothing is sent.
func TestTypingOnDoesNotAnswer(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("rm")
	id := s.ask(&protocol.Confirm{Title: "Sure?"})
	for _, key := range strings.Split("y , y e s", " ") {
		s.wait(200 * time.Millisecond)
		s.keys(key, "enter")
	}
	if len(s.answers)+len(s.sent) > 0 {
		t.Fatalf("answers %v, prompts %q", s.answers, s.sent)
	}
	s.settle()
	s.keys("enter")
	if a := s.answers[id]; a != protocol.Confirmed(false) {
		t.Errorf("answer %v, want no: Enter takes the marked button, which starts at No", a)
	}
	s.wants("rmy,yes") // still in the editor
}

// The next dialog of the queue has its own time, and so has the one that is
// switched to.
func TestNextDialogHasItsOwnTime(t *testing.T) {
	s := newScreen(t, 80, 24)
	first := s.ask(&protocol.Confirm{Title: "First?"})
	second := s.ask(&protocol.Confirm{Title: "Second?"})
	s.settle()
	s.keys("y", "enter", "y", "enter")
	if s.answers[first] != protocol.Confirmed(true) {
		t.Errorf("first: %v", s.answers[first])
	}
	if a, answered := s.answers[second]; answered {
		t.Fatalf("the second dialog was answered %v by keys for the first", a)
	}
	s.settle()
	third := s.ask(&protocol.Confirm{Title: "Third?"})
	s.keys("ctrl+n", "y", "enter")
	if len(s.answers) != 1 {
		t.Fatalf("answered on switching: %v", s.answers)
	}
	s.wants("Third?", "2 of 2")
	s.settle()
	s.keys("esc")
	if s.answers[third] != (protocol.Cancelled{}) {
		t.Errorf("third: %v, want cancelled", s.answers[third])
	}
}

// Escape cancels whatever is marked, and so does CancelDialog.
func TestEscapeCancels(t *testing.T) {
	for name, c := range oneOfEach() {
		s := newScreen(t, 80, 24)
		id := s.ask(c.d)
		s.settle()
		s.keys(c.keys[0], "esc")
		if s.answers[id] != (protocol.Cancelled{}) {
			t.Errorf("%s: escape gave %v", name, s.answers[id])
		}
		s = newScreen(t, 80, 24)
		id = s.ask(c.d)
		s.send(cancelMsg{})
		if s.answers[id] != (protocol.Cancelled{}) {
			t.Errorf("%s: CancelDialog gave %v", name, s.answers[id])
		}
	}
}

// A dialog whose time has passed takes no key, even before the client has said
// that it is over.
func TestNoKeyAfterTheDeadline(t *testing.T) {
	for name, c := range oneOfEach() {
		s := newScreen(t, 80, 24)
		s.lastID++
		s.send(askMsg{s.lastID, c.d, s.at.Add(time.Second), 0})
		s.wait(time.Second)
		s.keys(c.keys...)
		s.keys("esc")
		if len(s.answers) > 0 {
			t.Errorf("%s: answered %v at its deadline", name, s.answers)
		}
	}
}

// Rule of the contract: when the deadline passes, or the agent exits, the dialog
// ends with the reason, none is shown as still answerable, and nothing is sent.
func TestContractClient_EndsWithItsReason(t *testing.T) {
	for _, why := range []error{client.ErrExpired, client.ErrAgentGone, &client.TakenBackError{Reason: "aborted"}, client.ErrAnsweredElsewhere} {
		s := newScreen(t, 80, 24)
		id := s.ask(&protocol.Editor{Title: "Notes", Prefill: new("old")})
		s.settle()
		s.typed(" and typed")
		s.send(endMsg{id, why})
		s.settle()
		s.keys("ctrl+s", "enter")
		if len(s.answers)+len(s.sent) > 0 {
			t.Errorf("%v: answers %v, prompts %q", why, s.answers, s.sent)
		}
		s.wants("Notes: not answered: "+why.Error(), "old and typed", "a message")
		s.lacks("ctrl+s send")
	}
}

// Rule of the contract: a text that was typed for a dialog which is over stays
// visible, and can be called back into the editor.
func TestContractClient_LateAnswerKeepsTheText(t *testing.T) {
	s := newScreen(t, 80, 24)
	id := s.ask(&protocol.Input{Title: "Name?"})
	s.settle()
	s.typed("precious")
	s.over[id] = true
	s.keys("enter")
	s.wants("Name?: the answer came too late", "precious")
	s.lacks("✓")
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "precious" {
		t.Errorf("ctrl+r brought back %q", got)
	}

	s = newScreen(t, 80, 24)
	s.send(droppedMsg{&protocol.Input{Title: "Name?"}, protocol.Value("precious"), errors.New("gone\x1b[2J")})
	s.wants("Name?: the answer came too late: gone␛[2J", "precious")
}

// An Enter for a dialog that has just gone does not send what stands in the
// editor, and neither does one for a text that the agent has just replaced.
func TestEnterForSomethingElseSendsNothing(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("half a thought")
	id := s.ask(&protocol.Input{Title: "Name?"})
	s.settle()
	s.send(endMsg{id, client.ErrExpired})
	for range 5 {
		s.keys("x", "backspace", "enter")
		s.wants("that came too soon")
		s.wait(200 * time.Millisecond)
	}
	if len(s.sent) > 0 {
		t.Fatalf("sent %q", s.sent)
	}
	s.settle()
	s.send(updateMsg{&protocol.SetEditorText{Text: "rm -rf /"}})
	s.keys("enter")
	if len(s.sent) > 0 {
		t.Fatalf("sent %q", s.sent)
	}
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "half a thought" {
		t.Errorf("ctrl+r brought back %q, want what set_editor_text replaced", got)
	}
	s.settle()
	s.keys("enter")
	if len(s.sent) != 1 || s.sent[0] != "half a thought" {
		t.Errorf("sent %q", s.sent)
	}
}

// Whoever has answered a dialog may go on with the prompt at once; only a second
// Enter right behind the first does not count.
func TestPromptAfterAnAnswer(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("draft")
	s.ask(&protocol.Confirm{Title: "Sure?"})
	s.wait(composing)
	s.keys("enter", "enter")
	if len(s.answers) != 1 || len(s.sent) > 0 {
		t.Fatalf("answers %v, prompts %q", s.answers, s.sent)
	}
	s.typed(" more")
	s.settle()
	s.typed(" words")
	s.keys("enter")
	if len(s.sent) != 1 || s.sent[0] != "draft more words" {
		t.Errorf("sent %q", s.sent)
	}
}

// A text that is typed at a dialog which takes none answers nothing, even if some
// of its letters are keys there: not fast, and not slowly.
func TestTypingAtADialogDoesNotAnswer(t *testing.T) {
	for name, c := range oneOfEach() {
		if name == "input" || name == "editor" {
			continue
		}
		s := newScreen(t, 80, 24)
		id := s.ask(c.d)
		s.settle()
		for _, key := range append(strings.Split("apply only j1", ""), "enter", "enter") {
			s.keys(key)
			s.wait(100 * time.Millisecond)
		}
		if a, answered := s.answers[id]; answered {
			t.Errorf("%s: answered %v by a text", name, a)
		}
		s.wants("typing does not count here")
	}
	s := newScreen(t, 80, 24)
	id := s.ask(&protocol.Confirm{Title: "Sure?"})
	for _, key := range append(strings.Split("yes, please", ""), "enter") {
		s.settle()
		s.keys(key)
	}
	if a, answered := s.answers[id]; answered {
		t.Errorf("typing slowly answered %v", a)
	}
	s.settle()
	s.keys("enter")
	if s.answers[id] != protocol.Confirmed(false) {
		t.Errorf("Enter after the text: %v", s.answers[id])
	}
}

// A sentence that somebody types slowly, without looking, while a dialog appears in
// the middle of it. Its letters answer nothing, nor does its Enter, whenever the first
// of them comes.
func TestSlowTypingAcrossADialog(t *testing.T) {
	for text, d := range map[string]protocol.Dialog{
		"x the query": &protocol.Confirm{Title: "Sure?"},
		"ython 2":     &protocol.Select{Title: "Run it?", Options: protocol.Options("Block", "Allow")},
		"1y":          &protocol.Confirm{Title: "Sure?"},
		"y":           &protocol.Confirm{Title: "Sure?"},
		"x it":        &protocol.Input{Title: "Password?"},
		"2": &protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Header: "Which",
			Options: []protocol.QuestionOption{{Label: "a"}, {Label: "b"}}}}},
	} {
		for _, pace := range []time.Duration{200 * time.Millisecond, 400 * time.Millisecond, time.Second, 1900 * time.Millisecond} {
			for _, first := range []time.Duration{100 * time.Millisecond, defaultDelay + time.Millisecond, pace} {
				s := newScreen(t, 80, 24)
				s.typed("fi")
				id := s.ask(d)
				s.wait(first)
				for _, key := range append(strings.Split(text, ""), "enter") {
					s.keys(strings.ReplaceAll(key, " ", "space"))
					s.wait(pace)
				}
				if a, answered := s.answers[id]; answered {
					t.Fatalf("%q every %v, first after %v: answered %v", text, pace, first, a)
				}
				if got := s.m.prompt.box.text(); got != "fi"+text {
					t.Errorf("%q every %v, first after %v: the prompt has %q", text, pace, first, got)
				}
				s.settle()
				s.keys("down", "enter")
				s.settle()
				s.keys("enter")
				if _, answered := s.answers[id]; !answered {
					t.Errorf("%q every %v, first after %v: keys do not answer afterwards", text, pace, first)
				}
			}
		}
	}
}

// So does a sentence that is typed into a dialog which ends by itself, when another
// appears in its place.
func TestSlowTypingAcrossTheEndOfADialog(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(&protocol.Input{Title: "Name?"})
	next := s.ask(&protocol.Confirm{Title: "Sure?"})
	s.settle()
	s.keys("M", "a", "r")
	s.send(endMsg{1, client.ErrExpired})
	for _, key := range []string{"y", "enter"} {
		s.wait(400 * time.Millisecond)
		s.keys(key)
	}
	if a, answered := s.answers[next]; answered {
		t.Fatalf("answered %v", a)
	}
	s.settle()
	s.keys("y", "enter")
	if s.answers[next] != protocol.Confirmed(true) {
		t.Errorf("afterwards: %v", s.answers[next])
	}
}

// A habit of the prompt, such as Tab and Enter, pressed as fast as one, chooses
// nothing of what has just appeared, also where both keys waited for a terminal.
func TestKeysInOneBurstChooseNothing(t *testing.T) {
	for _, keys := range []string{"tab enter", "up enter", "down enter", "down down enter", "right enter", "end enter"} {
		for _, d := range []protocol.Dialog{&protocol.Confirm{Title: "Sure?"}, &protocol.Select{Title: "Run it?", Options: protocol.Options("Block", "Allow")}} {
			s := newScreen(t, 80, 24)
			id := s.ask(d)
			s.settle()
			s.burst(strings.Fields(keys)...)
			if a, answered := s.answers[id]; answered && a != protocol.Confirmed(false) {
				t.Errorf("%s of %s: answered %v", keys, d.Method(), a)
			}
		}
	}
}

// Yes to a text that goes on below the screen waits until that has been shown, and
// so does a choice below a title that is longer than the screen.
func TestLongTextIsReadFirst(t *testing.T) {
	long := strings.Repeat("rm -rf everything ", 60)
	for name, d := range map[string]protocol.Dialog{
		"message": &protocol.Confirm{Title: "Sure?", Message: &long},
		"title":   &protocol.Confirm{Title: long},
		"select":  &protocol.Select{Title: long, Options: protocol.Options("Allow", "Block")},
		"option":  &protocol.Select{Title: "Which?", Options: protocol.Options(long)},
	} {
		s := newScreen(t, 40, 10)
		id := s.ask(d)
		s.settle()
		s.keys("down")
		s.settle()
		s.keys("enter")
		if a, answered := s.answers[id]; answered {
			t.Fatalf("%s: answered %v unread", name, a)
		}
		s.wants("read")
		for range 40 {
			s.keys("pgup")
		}
		for range 40 {
			s.keys("pgdown")
			s.m.View()
		}
		s.settle()
		s.keys("down")
		s.settle()
		s.keys("enter")
		if _, answered := s.answers[id]; !answered {
			t.Errorf("%s: not answered once it had been read:\n%s", name, s.picture())
		}
		s = newScreen(t, 40, 10)
		id = s.ask(d)
		s.settle()
		s.keys("esc")
		if s.answers[id] != (protocol.Cancelled{}) {
			t.Errorf("%s: not cancelled unread", name)
		}
	}
}

// Buttons that are cut cannot be pressed.
func TestCutButtonsTakeNoKeys(t *testing.T) {
	s := newScreen(t, 14, 8)
	id := s.ask(&protocol.Confirm{Title: "Sure?"})
	for _, key := range []string{"y", "right", "enter"} {
		s.wait(composing)
		s.keys(key)
	}
	if a, answered := s.answers[id]; answered {
		t.Fatalf("answered %v", a)
	}
	s.send(tea.WindowSizeMsg{Width: buttonsWidth, Height: 8})
	s.wait(composing)
	s.wants("▸[ No ]   [ Yes ]")
}

// What is typed or pasted at a dialog that takes no text can be called back, and so
// can the rest of what was typed for one that has gone.
func TestStrayTextIsKept(t *testing.T) {
	for name, d := range map[string]protocol.Dialog{
		"confirm": &protocol.Confirm{Title: "Sure?"},
		"select":  &protocol.Select{Title: "Run it?", Options: protocol.Options("Block", "Allow")},
		"questionnaire": &protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Header: "Which",
			Options: []protocol.QuestionOption{{Label: "a"}, {Label: "b"}}}}},
	} {
		s := newScreen(t, 80, 24)
		s.ask(d)
		s.settle()
		s.send(tea.PasteMsg{Content: "pasted\n"})
		s.wants("put aside")
		s.keys("enter")
		if len(s.answers) > 0 {
			t.Fatalf("%s: answered %v by a paste and Enter", name, s.answers)
		}
		s.settle()
		s.keys("esc", "ctrl+r")
		if got := s.m.prompt.box.text(); got != "pasted\n" {
			t.Errorf("%s: called back %q", name, got)
		}
	}
	s := newScreen(t, 80, 24)
	first, _ := s.ask(&protocol.Input{Title: "Name?"}), s.ask(&protocol.Confirm{Title: "Sure?"})
	s.settle()
	s.typed("Mar")
	s.send(endMsg{first, client.ErrExpired})
	s.typed("y Popx")
	s.keys("backspace", "p", "enter")
	s.settle()
	s.keys("esc", "ctrl+r")
	if got := s.m.prompt.box.text(); got != "y Popp" {
		t.Errorf("the rest called back is %q", got)
	}
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "Mar" {
		t.Errorf("called back %q", got)
	}
}
