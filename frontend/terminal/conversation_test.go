package terminal

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"extui/client"
	"extui/protocol"
)

func TestConversationScrolls(t *testing.T) {
	s := newScreen(t, 80, 12)
	for i := range 100 {
		s.send(lineMsg{fmt.Sprintf("line %d.", i)})
	}
	s.wants("line 99.")
	s.keys("ctrl+up", "ctrl+up")
	s.wants("line 95.", "more below")
	s.lacks("line 99.")
	before := s.picture()
	s.send(lineMsg{"another."}, textMsg{"and more"})
	if now := s.picture(); strings.Split(now, "\n")[0] != strings.Split(before, "\n")[0] {
		t.Errorf("what is read moved:\n%s\nwas\n%s", now, before)
	}
	s.wants("line 95.", "new text below")
	s.keys("pgup", "pgup")
	s.lacks("line 95.")
	s.keys("shift+end")
	s.wants("and more")
	s.keys("shift+home")
	s.wants("line 0.")
	for range 200 {
		s.keys("ctrl+down")
	}
	s.wants("and more")
	s.lacks("below")
	// Above an open dialog as well.
	s.ask(&protocol.Confirm{Title: "Sure?"})
	s.keys("shift+pgup", "shift+pgup")
	s.wants("Sure?", "below")
	s.lacks("and more")
	if len(s.answers) > 0 {
		t.Error("scrolling answered a dialog")
	}
}

func TestToolCallsOpen(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(eventMsg{client.ToolStart{ID: "1", Name: "bash", Args: []byte(`{"command":"ls"}`)}},
		eventMsg{client.ToolStart{ID: "2", Name: "read", Args: []byte(`{}`)}},
		eventMsg{client.ToolUpdate{ID: "1", Text: "part"}},
		eventMsg{client.ToolEnd{ID: "2", Text: "no such file", IsError: true}},
		eventMsg{client.ToolEnd{ID: "1", Text: "part\nwhole\n"}})
	s.wants(`● ▸ bash {"command":"ls"}`, "✗ ▸ read {} failed: no such file")
	s.lacks("whole")
	s.keys("ctrl+t", "up", "enter")
	s.wants("▾ bash", "│ whole")
	s.keys("space", "esc")
	s.lacks("whole")
	s.m.cfg.mouse = true
	s.send(tea.MouseClickMsg{Button: tea.MouseLeft, Y: 0})
	s.wants("whole")
}

func TestMarkdownStreams(t *testing.T) {
	s := newScreen(t, 60, 30)
	for _, r := range "# Title\n\nSome **bold** text.\n\n- one\n- two\n\n```go\nx := 1\n\ny := 2\n```\n\nEnd." {
		s.send(textMsg{string(r)})
		s.m.View()
	}
	s.send(eventMsg{client.MessageEnd{Role: "assistant"}})
	s.wants("# Title", "Some bold text.", "• one\n• two", "  x := 1\n\n  y := 2", "End.")
	n := len(s.m.conv.items)
	if n < 4 {
		t.Errorf("%d pieces; only the last one should be rendered again", n)
	}
	s.send(textMsg{"Next message"})
	s.wants("End.\n\nNext message")
}

// The pieces of a text are the text, however it is cut; only very long ones get
// fences of their own.
func TestSplitterKeepsTheText(t *testing.T) {
	text := "# A\n\npara\ntwo\n\n1. x\n\n2. y\n\n   z\n\n~~~\ncode\n\n# no\n~~~\n\nend\n\n    indented\n\nlast"
	for size := 1; size <= len(text); size++ {
		c := newConversation()
		for i := 0; i < len(text); i += size {
			c.text(text[i:min(len(text), i+size)])
		}
		c.endText()
		var got string
		for _, it := range c.items {
			got += it.text
		}
		if got != text {
			t.Fatalf("in pieces of %d: %q", size, got)
		}
		if len(c.items) != 5 {
			t.Errorf("in pieces of %d: %d chunks, want 5", size, len(c.items))
		}
	}
	long := "```\n" + strings.Repeat("0123456789abcdef\n", 4096) + "```\n" + strings.Repeat("word ", 20000)
	c := newConversation()
	for i := 0; i < len(long); i += 100 {
		c.text(long[i:min(len(long), i+100)])
	}
	c.endText()
	digits := 0
	for _, it := range c.items {
		if len(it.text) > 3*longChunk {
			t.Errorf("a piece of %d bytes", len(it.text))
		}
		digits += strings.Count(it.text, "0123456789abcdef")
	}
	if digits != 4096 {
		t.Errorf("%d of 4096 lines of code are left", digits)
	}
}

func TestConversationForgetsTheOldest(t *testing.T) {
	c := newConversation()
	for i := range maxItems + 10 {
		c.note(kindInfo, fmt.Sprint(i))
	}
	l := newLook(true, false)
	c.toTop()
	rows := c.view(l, 60, 2)
	if len(c.items) != maxItems || !strings.Contains(rows[0], "no longer kept") || ansi.Strip(rows[1]) != "· 10" {
		t.Errorf("%d items, the first rows are %q", len(c.items), rows)
	}
}

// A stream of text costs as much at its end as at its beginning.
func BenchmarkStream(b *testing.B) {
	out := &screen{answers: map[int]protocol.Answer{}}
	m := newModel(config{}, out)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	words := strings.Fields(strings.Repeat("some *words* of `an` agent that **thinks** aloud.\n\nAnd again ", 50))
	i := 0
	for b.Loop() {
		m.Update(textMsg{words[i%len(words)] + lead(" ", "\n\n", i%40/39)})
		m.View()
		i++
	}
}

// The terminal's background chooses the colours, and its wheel scrolls.
func TestTerminalSaysWhatItIs(t *testing.T) {
	s := newScreen(t, 80, 12)
	dark := s.m.View().Content
	s.send(tea.BackgroundColorMsg{Color: color.White})
	if light := s.m.View().Content; light == dark || ansi.Strip(light) != ansi.Strip(dark) {
		t.Errorf("on white it is %q, on black %q", light, dark)
	}
	for i := range 50 {
		s.send(lineMsg{fmt.Sprintf("line %d.", i)})
	}
	s.m.View()
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	s.lacks("line 49.")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.wants("line 49.")
	s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	checkFrame(t, s, "resized")
}
