package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"extui/client"
	"extui/protocol"
)

// nasty holds what must not reach a terminal from an agent.
const nasty = "A\x1b]0;owned\x07B\x1b[2J\x1b[H\x1b[31mC\x1b[8mD\x1b]52;c;aGk=\x07E\x1bPq\x1b\\F\x1b_G\x1b\\" +
	"\u202egnp\u2066\u200b\u009b31m\x00\x08\x7f\r&#27;[2J&#x1b;]0;x&#7;&rlm;&#x202e;&ZeroWidthSpace;\xff\xed\xa0\xbd" +
	"[l](http://a.example/\u202e&#27;]8;;) ![i](b\x1b) e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301Z"

// fill puts text everywhere an agent can put any.
func fill(s *screen, text string) {
	s.send(
		updateMsg{&protocol.SetTitle{Title: text}},
		updateMsg{&protocol.SetStatus{Key: text, Text: &text}},
		updateMsg{&protocol.SetStatus{Key: "k", Text: &text}},
		updateMsg{&protocol.SetWidget{Key: text, Lines: []string{text, text}}},
		updateMsg{&protocol.SetWidget{Key: "b", Lines: []string{text, text}, Placement: protocol.BelowEditor}},
		updateMsg{&protocol.SetWidget{Key: "c", Lines: []string{text}, Placement: protocol.BorderTopLeft}},
		updateMsg{&protocol.SetWidget{Key: "d", Lines: []string{text}, Placement: protocol.BorderBottomRight}},
		updateMsg{&protocol.Notify{Message: text}},
		updateMsg{&protocol.Notify{Message: text, Type: protocol.NotifyError}},
		updateMsg{&protocol.SetEditorText{Text: text}},
		updateMsg{&protocol.OpenURL{URL: text, LaunchURL: text, Instructions: text}},
		updateMsg{&protocol.Unknown{Name: text}},
		textMsg{text + "\n\n# " + text + "\n\n```" + text + "\n" + text + "\n```\n\n| a | b |\n|---|---|\n| " + text + " | x |\n"},
		eventMsg{client.MessageEnd{Role: "assistant", Error: text}},
		eventMsg{client.ToolStart{ID: "1", Name: text, Args: []byte(text)}},
		eventMsg{client.ToolEnd{ID: "1", Text: text, IsError: true}},
		eventMsg{client.ExtensionError{ExtensionPath: text, Event: text, Message: text}},
		lineMsg{text},
		completeMsg{text: "", found: []string{text, text + "x"}},
	)
}

func everyDialog(text string) []protocol.Dialog {
	return []protocol.Dialog{
		&protocol.Select{Title: text, Options: []protocol.Option{{Label: text, Description: text}, {Label: "B" + text}}},
		&protocol.Confirm{Title: text, Message: &text},
		&protocol.Input{Title: text, Placeholder: &text},
		&protocol.Editor{Title: text, Prefill: &text},
		&protocol.Questionnaire{Questions: []protocol.Question{
			{Question: text, Header: text, Options: []protocol.QuestionOption{{Label: text, Description: text, Preview: &text}, {Label: "B", Preview: &text}}},
			{Question: text, Header: text, MultiSelect: true, Options: []protocol.QuestionOption{{Label: text, Description: text}, {Label: "B"}}},
		}},
	}
}

var colors = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// checkFrame fails if the view holds anything that is no plain character and no
// colour, or does not fit the screen.
func checkFrame(t *testing.T, s *screen, what string) {
	t.Helper()
	v := s.m.View()
	for _, text := range []string{colors.ReplaceAllString(v.Content, ""), v.WindowTitle + "\n"} {
		for _, r := range text {
			if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == '\u200b' || r == 0xFEFF {
				t.Fatalf("%s: %U reaches the terminal in %q", what, r, text)
			}
		}
	}
	if strings.Contains(v.WindowTitle, "\n") {
		t.Errorf("%s: the window's title has a line break: %q", what, v.WindowTitle)
	}
	rows := strings.Split(v.Content, "\n")
	if !s.m.tooSmall() && len(rows) != s.m.height {
		t.Fatalf("%s: %d rows on a screen of %d:\n%s", what, len(rows), s.m.height, s.picture())
	}
	for _, r := range rows {
		if w := ansi.WcWidth.StringWidth(r); w > s.m.width {
			t.Fatalf("%s: a row of %d columns on a screen of %d: %q", what, w, s.m.width, r)
		}
	}
	if v.Cursor != nil && (v.Cursor.X < 0 || v.Cursor.X >= s.m.width || v.Cursor.Y < 0 || v.Cursor.Y >= s.m.height) {
		t.Fatalf("%s: the cursor is at %v on a screen of %dx%d", what, v.Cursor.Position, s.m.width, s.m.height)
	}
}

var texts = map[string]string{
	"nasty": nasty,
	"CJK":   "請選擇要使用的資料庫，然後按確定鍵繼續。データベースを選んでください",
	"emoji": "👨\u200d👩\u200d👧\u200d👦 🇨🇭 ❤\ufe0f 👩🏽\u200d🚒 🏴\U000E0067\U000E0062\U000E007F 1\ufe0f\u20e3 " + strings.Repeat("🎉", 30),
	"long":  strings.Repeat("Abcdefghijklmnopqrstuvwxyz0123456789", 20),
	"empty": "",
	"lines": "a\n\n\nb\tc\n",
	"rtl":   "עברית مرحبا می\u200cخواهم",
}

// Whatever an agent sends, nothing but characters and colours gets to the
// terminal, and the layout holds at every size.
func TestNothingButTextReachesTheTerminal(t *testing.T) {
	for name, text := range texts {
		sizes := [][2]int{{80, 24}, {13, 5}}
		if name == "nasty" || name == "emoji" {
			sizes = append(sizes, [][2]int{{40, 10}, {12, 20}, {120, 40}, {5, 3}}...)
		}
		for _, size := range sizes {
			what := fmt.Sprintf("%s at %v", name, size)
			s := newScreen(t, size[0], size[1])
			fill(s, text)
			checkFrame(t, s, what)
			s.keys("f2")
			checkFrame(t, s, what+", all")
			s.keys("esc", "ctrl+t", "enter")
			checkFrame(t, s, what+", a tool open")
			for _, d := range everyDialog(text) {
				id := s.ask(d)
				s.settle()
				checkFrame(t, s, what+" in "+string(d.Method()))
				for _, key := range []string{"down", "/", "x", "tab", "down", "enter", "f1"} {
					s.settle()
					s.keys(key)
					checkFrame(t, s, what+" in "+string(d.Method())+" after "+key)
				}
				s.keys("f1")
				s.send(endMsg{id, nil})
				checkFrame(t, s, what+" after "+string(d.Method()))
			}
		}
	}
}

// Sequences and invisible characters are seen as marks, not dropped, where a
// person decides.
func TestMarksAreVisibleInDialogs(t *testing.T) {
	for _, d := range everyDialog("rm \x1b[2J\u202e\u200bx") {
		s := newScreen(t, 80, 24)
		s.ask(d)
		s.wants("rm ␛[2J<U+202E><U+200B>x")
	}
	s := newScreen(t, 80, 24)
	s.ask(&protocol.Confirm{Title: "\x1b[31mred\x1b[0m"})
	s.wants("␛[31mred␛[0m")
}

// Widgets and statuses lose their colours, or keep them if they may. Anything
// else is marked either way.
func TestColorsOfWidgets(t *testing.T) {
	for _, keep := range []bool{false, true} {
		s := newScreen(t, 80, 24)
		s.m.cfg.keepColors = keep
		s.m.look = newLook(true, keep)
		s.send(updateMsg{&protocol.SetWidget{Key: "w", Lines: []string{"\x1b[31mred\x1b[0m \x1b[2J"}}})
		if got := strings.Contains(s.m.View().Content, "\x1b[31mred"); got != keep {
			t.Errorf("keep %t: the widget is red: %t", keep, got)
		}
		s.wants("red ␛[2J")
	}
}

func TestCallsForAttention(t *testing.T) {
	raw := func(s *screen) string {
		s.ask(&protocol.Confirm{Title: "Sure\x1b\\?;\x07"})
		if s.cmd == nil {
			return ""
		}
		m, _ := s.cmd().(tea.RawMsg)
		text, _ := m.Msg.(string)
		return text
	}
	for how, want := range map[Notify]string{
		NotifyBell: "\a", NotifyOff: "", NotifyOSC9: "\x1b]9;The agent asks: Sure␛\\?,␇\a",
		NotifyOSC777: "\x1b]777;notify;extui;The agent asks: Sure␛\\?,␇\a",
	} {
		s := newScreen(t, 80, 24)
		s.m.cfg.notify = how
		if got := raw(s); got != "" {
			t.Errorf("%d: %q although the terminal has the focus", how, got)
		}
		s.send(tea.BlurMsg{})
		if got := raw(s); got != want {
			t.Errorf("%d: got %q, want %q", how, got, want)
		}
		s.send(tea.FocusMsg{})
		if got := raw(s); got != "" {
			t.Errorf("%d: %q after the focus came back", how, got)
		}
	}
	for env, want := range map[string]Notify{
		"TERM=xterm": NotifyBell, "TERM=foot": NotifyOSC777, "TERM_PROGRAM=WezTerm": NotifyOSC9, "TERM=foot TMUX=x": NotifyBell,
		"TERM=xterm-kitty": NotifyOSC9,
	} {
		if got := NotifyAuto.resolve(environment(strings.Fields(env))); got != want {
			t.Errorf("%s: %d, want %d", env, got, want)
		}
	}
}
