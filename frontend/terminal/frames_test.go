package terminal

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

// On a screen that is too small for anything, Ctrl-C is the only key. What is drawn
// again later has its time anew.
func TestTooSmallTakesNoKeys(t *testing.T) {
	for name, c := range oneOfEach() {
		for _, size := range [][2]int{{80, 4}, {11, 24}} {
			s := newScreen(t, size[0], size[1])
			s.typed("rm")
			id := s.ask(c.d)
			for _, key := range append(append([]string{"ctrl+n", "f1"}, c.keys...), "esc") {
				s.settle()
				s.keys(key)
			}
			s.send(tea.PasteMsg{Content: "text"})
			if a, answered := s.answers[id]; answered {
				t.Fatalf("%s at %v: answered %v unseen", name, size, a)
			}
			s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			s.burst(c.keys...)
			if a, answered := s.answers[id]; answered {
				t.Fatalf("%s at %v: answered %v by keys from before", name, size, a)
			}
			s.wait(composing)
			for _, key := range c.keys {
				s.settle()
				s.keys(key)
			}
			if _, answered := s.answers[id]; !answered {
				t.Errorf("%s at %v: not answered when it was seen:\n%s", name, size, s.picture())
			}
		}
	}
	s := newScreen(t, 80, 4)
	s.send(tea.PasteMsg{Content: "text"})
	if got := s.m.prompt.box.text(); got != "" {
		t.Errorf("pasted unseen: %q", got)
	}
	s.keys("h", "i", "enter", "ctrl+d", "ctrl+c")
	if len(s.sent) > 0 || s.eofs > 0 || s.ctrlC != 1 {
		t.Errorf("sent %q, ctrl+d %d times, ctrl+c %d times", s.sent, s.eofs, s.ctrlC)
	}
}

// A dialog whose frame takes longer than the guard is not answered by the keys that
// have waited for it, and neither is the next one of the queue.
func TestKeysThatWaitedForAFrameDoNotAnswer(t *testing.T) {
	for _, took := range []time.Duration{200 * time.Millisecond, 2 * time.Second} {
		for name, c := range oneOfEach() {
			s := newScreen(t, 80, 24)
			s.slow = took
			id := s.ask(c.d)
			s.burst(c.keys...) // each is handled as soon as the frame before it is ready
			s.burst("esc")
			if a, answered := s.answers[id]; answered {
				t.Fatalf("%s: answered %v by keys that waited for a frame of %v", name, a, took)
			}
			s.wait(composing)
			for _, key := range c.keys {
				s.settle()
				s.keys(key)
			}
			if _, answered := s.answers[id]; !answered {
				t.Errorf("%s: not answered between frames of %v:\n%s", name, took, s.picture())
			}
		}
		s := newScreen(t, 80, 24)
		first := s.ask(&protocol.Confirm{Title: "First?"})
		second := s.ask(&protocol.Confirm{Title: "Second?"})
		s.settle()
		s.keys("right")
		s.settle()
		s.slow = took
		s.burst("enter", "right", "enter", "enter")
		if s.answers[first] != protocol.Confirmed(true) {
			t.Errorf("the first dialog: %v", s.answers[first])
		}
		if a, answered := s.answers[second]; answered {
			t.Errorf("the next dialog was answered %v by keys that waited for its frame of %v", a, took)
		}
	}
}

// A key may have waited for more than one frame.
func TestKeysThatWaitedForSeveralFrames(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(&protocol.Confirm{Title: "Sure?"})
	s.settle()
	for _, took := range []time.Duration{2 * time.Second, 50 * time.Millisecond, 0} {
		s.slow = took
		s.send(tickMsg{})
	}
	s.keys("right")
	s.wants("▸[ No ]", "keys typed before this was shown do not count")
	s.settle()
	s.keys("right")
	s.wants("▸[ Yes ]")
}

// Whoever types into a text loses nothing of it while frames are slow.
func TestTypingWhileFramesAreSlow(t *testing.T) {
	s := newScreen(t, 80, 24)
	id := s.ask(&protocol.Input{Title: "Name?"})
	s.settle()
	s.typed("a")
	s.slow = time.Second
	s.typed("bc")
	s.keys("enter")
	if s.answers[id] != protocol.Value("abc") {
		t.Errorf("answer %v", s.answers[id])
	}
}

// Lines that somebody typed or pasted, from a terminal that does not say what is
// pasted, answer nothing although they have the right letters.
func TestLinesOfTextDoNotAnswer(t *testing.T) {
	for _, text := range []string{"y\n", "yes\n", "y\ny\n", "l\n", "h y\n", "deploy\n", "1\n", "2\n\n", "k\n", "j\n", "ok\n", "/no\n", "/yes\n", "/yes\n\n"} {
		for name, d := range map[string]protocol.Dialog{
			"confirm": &protocol.Confirm{Title: "Sure?"},
			"select":  &protocol.Select{Title: "Run it?", Options: protocol.Options("Yes", "Reject", "Always, and do not ask again")},
		} {
			for _, pace := range []time.Duration{0, 30 * time.Millisecond, 140 * time.Millisecond} {
				s := newScreen(t, 80, 24)
				id := s.ask(d)
				s.settle()
				for _, key := range strings.Split(text, "") {
					s.burst(strings.ReplaceAll(key, "\n", "enter"))
					s.wait(pace)
				}
				if a, answered := s.answers[id]; answered && a != protocol.Confirmed(false) {
					t.Errorf("%s: %q typed every %v answered %v", name, text, pace, a)
				}
			}
		}
	}
	s := newScreen(t, 80, 24)
	id := s.ask(&protocol.Confirm{Title: "Sure?"})
	s.settle()
	s.burst("y", "enter")
	s.wants("that came too soon: enter again", "▸[ Yes ]")
	s.settle()
	s.keys("enter")
	if s.answers[id] != protocol.Confirmed(true) {
		t.Errorf("after the pause: %v", s.answers[id])
	}
}

// Any letter but y and n puts a confirm back to No, and so does a paste.
func TestConfirmKnowsNoOtherLetters(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(&protocol.Confirm{Title: "Sure?"})
	s.settle()
	s.keys("y", "?", "esc")
	s.wants("▸[ No ]")
	for _, key := range []string{"l", "h", "x", "space", "1", "paste"} {
		s := newScreen(t, 80, 24)
		id := s.ask(&protocol.Confirm{Title: "Sure?"})
		s.settle()
		s.keys("y")
		if key == "paste" {
			s.send(tea.PasteMsg{Content: "y\n"})
		} else {
			s.keys(key)
		}
		s.wants("▸[ No ]", "typing does not count here")
		s.burst("y", "enter")
		if len(s.answers) > 0 {
			t.Errorf("%s: answered %v without a pause", key, s.answers[id])
		}
		s.settle()
		s.keys("enter")
		if s.answers[id] != protocol.Confirmed(false) {
			t.Errorf("%s: %v", key, s.answers[id])
		}
	}
}

// A text takes the mark of a select away, which one of its characters may have set.
func TestTextMarksNothingInASelect(t *testing.T) {
	for _, key := range []string{"x", "space", "0", "?", "paste"} {
		s := newScreen(t, 80, 24)
		id := s.ask(&protocol.Select{Title: "Run it?", Options: protocol.Options("Yes", "No")})
		s.settle()
		s.keys("1")
		if key == "paste" {
			s.send(tea.PasteMsg{Content: "1\n"})
		} else {
			s.keys(key)
		}
		if key == "?" {
			s.keys("esc")
		}
		s.lacks("▸")
		s.settle()
		s.keys("enter")
		if a, answered := s.answers[id]; answered {
			t.Errorf("%s: answered %v", key, a)
		}
	}
}

// Escape pressed twice, quickly, arrives as alt+esc, and means no less.
func TestAltEscapeIsEscape(t *testing.T) {
	for name, c := range oneOfEach() {
		s := newScreen(t, 80, 24)
		id := s.ask(c.d)
		s.settle()
		s.keys(c.keys[0], "alt+esc")
		if s.answers[id] != (protocol.Cancelled{}) {
			t.Errorf("%s: alt+esc gave %v", name, s.answers[id])
		}
	}
}
