package terminal

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"extui/client"
	"extui/protocol"
)

func TestPromptIsSentAndRemembered(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("enter")
	s.typed("first")
	s.keys("alt+enter")
	s.typed("line")
	s.keys("enter")
	s.typed("second")
	s.keys("enter")
	if want := []string{"first\nline", "second"}; !slices.Equal(s.sent, want) {
		t.Fatalf("sent %q, want %q", s.sent, want)
	}
	s.wants("› first\n  line", "› second")
	s.typed("dra")
	s.keys("up")
	s.wants("second")
	s.keys("up", "up", "up") // the older one has two rows
	if got := s.m.prompt.box.text(); got != "first\nline" {
		t.Errorf("the history shows %q", got)
	}
	s.keys("down", "down", "down")
	if got := s.m.prompt.box.text(); got != "dra" {
		t.Errorf("at the end of the history stands %q, want what was being typed", got)
	}
}

func TestPromptKeys(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("ctrl+c", "ctrl+c")
	if s.ctrlC != 2 {
		t.Errorf("Ctrl-C was told %d times", s.ctrlC)
	}
	s.typed("x?")
	s.keys("ctrl+d", "ctrl+a", "ctrl+d", "ctrl+d")
	if s.eofs != 0 {
		t.Error("Ctrl-D ended the input although there was text")
	}
	s.keys("ctrl+d")
	if s.eofs != 1 {
		t.Error("Ctrl-D on an empty prompt did not end the input")
	}
	s.keys("?")
	s.wants("Everywhere", "ctrl+n ctrl+p")
	s.keys("esc")
	s.lacks("Everywhere")
	s.keys("ctrl+e")
	s.send(s.cmd())
	s.wants("editor: no editor: set $VISUAL or $EDITOR")
	s.keys("ctrl+z")
	if msg := fmt.Sprintf("%T", s.cmd()); msg != "tea.execMsg" {
		t.Errorf("Ctrl-Z returns %s, want the terminal to be given back meanwhile", msg)
	}
	s.send(resumedMsg{errNoSuspend})
	s.wants("cannot suspend here")
}

// set_editor_text fills the editor; what was typed can be called back, also by
// undo, and calling back puts nothing out of reach.
func TestSetEditorTextLosesNothing(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("mine")
	s.send(updateMsg{&protocol.SetEditorText{Text: "theirs"}})
	s.wants("theirs")
	s.keys("ctrl+r")
	s.wants("mine")
	s.keys("ctrl+r")
	s.wants("theirs")
	s.keys("ctrl+_", "ctrl+_", "ctrl+_")
	if got := s.m.prompt.box.text(); got != "mine" {
		t.Errorf("undo came to %q", got)
	}
	id := s.ask(&protocol.Confirm{Title: "Sure?"})
	s.send(updateMsg{&protocol.SetEditorText{Text: "meanwhile"}}, endMsg{id, nil})
	s.wants("meanwhile")
}

// An agent that puts text after text into the editor pushes nothing out that a
// person has typed, neither there nor from undo.
func TestSetEditorTextKeepsOnlyWhatAPersonTyped(t *testing.T) {
	s := newScreen(t, 80, 24)
	set := func(text string) { s.send(updateMsg{&protocol.SetEditorText{Text: text}}) }
	s.typed("mine")
	for i := range 300 {
		set(strings.Repeat("theirs ", i%7+1))
	}
	s.typed("+edited")
	edited := s.m.prompt.box.text()
	for i := range 300 {
		set(strings.Repeat("again ", i%7+1))
	}
	for _, want := range []string{edited, "mine"} {
		s.keys("ctrl+r")
		if got := s.m.prompt.box.text(); got != want {
			t.Errorf("ctrl+r brings back %q, want %q", got, want)
		}
	}
	set("one more")
	for range maxUndo {
		s.keys("ctrl+_")
		if s.m.prompt.box.text() == "mine" {
			break
		}
	}
	if got := s.m.prompt.box.text(); got != "mine" {
		t.Errorf("undo comes to %q", got)
	}
}

// The same text again changes nothing, so that it starts no new pause: Enter counts
// though the agent goes on sending it.
func TestSetEditorTextAgainIsNoNews(t *testing.T) {
	s := newScreen(t, 80, 24)
	set := func() {
		s.send(updateMsg{&protocol.SetEditorText{Text: "same"}})
		s.m.View()
	}
	set()
	for range 4 {
		s.wait(defaultDelay / 3)
		set()
	}
	s.keys("enter")
	if !slices.Equal(s.sent, []string{"same"}) {
		t.Errorf("sent %q", s.sent)
	}
	set() // into an empty prompt: that is a change
	s.keys("enter")
	if len(s.sent) != 1 {
		t.Errorf("sent %q, though nobody can have seen it", s.sent)
	}
}

// What has become of a text from the history is there again when one walks back to
// it, until something is sent.
func TestHistoryKeepsEdits(t *testing.T) {
	s := newScreen(t, 80, 24)
	for _, text := range []string{"one", "two"} {
		s.typed(text)
		s.keys("enter")
	}
	s.typed("new")
	s.keys("up")
	s.typed("!")
	s.keys("up")
	s.typed("?")
	for _, step := range []struct{ key, want string }{{"down", "two!"}, {"down", "new"}, {"up", "two!"}, {"up", "one?"}} {
		s.keys(step.key)
		if got := s.m.prompt.box.text(); got != step.want {
			t.Fatalf("%s shows %q, want %q", step.key, got, step.want)
		}
	}
	s.keys("enter", "up", "up")
	if got := s.m.prompt.box.text(); got != "two" {
		t.Errorf("after one was sent, the history shows %q, want the text as it was sent", got)
	}
}

// That the agent starts is said until something comes from it, and a command that
// was typed before its commands were known is completed when they are.
func TestStarting(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.m.starting = true
	var known []string
	s.m.cfg.complete = func(string, int) []string { return known }
	s.wants("starting…")
	s.keys("/")
	s.send(s.cmd())
	s.keys("r")
	s.send(s.cmd())
	s.send(lineMsg{"our own words"})
	s.wants("starting…")
	known = []string{"/rpc-demo "}
	s.send(readyMsg{})
	s.lacks("starting…")
	s.send(s.cmd())
	s.wants("/rpc-demo")
	for _, msg := range []tea.Msg{textMsg{"a"}, updateMsg{&protocol.SetTitle{Title: "b"}}, eventMsg{client.AgentStart{}}} {
		s.m.starting = true
		s.send(msg)
		s.lacks("starting…")
	}
}

func TestCompletion(t *testing.T) {
	s := newScreen(t, 80, 24)
	calls := 0
	s.m.cfg.complete = func(text string, pos int) []string {
		calls++
		var out []string
		for _, c := range []string{"/demo ", "/demo-more ", "/gate rm", "/gate\x1b ls"} {
			if strings.HasPrefix(c, text[:pos]) {
				out = append(out, c)
			}
		}
		return out
	}
	s.keys("/")
	asked := s.cmd
	s.keys("d")
	if s.cmd != nil {
		t.Error("two questions under way at once")
	}
	s.send(asked()) // stale by now: the next one is asked at once
	s.lacks("/demo")
	s.send(s.cmd())
	s.wants("/demo", "/demo-more")
	s.keys("tab")
	if got := s.m.prompt.box.text(); got != "/demo" {
		t.Errorf("Tab made %q of /d, want what all have in common", got)
	}
	s.send(s.cmd())
	s.keys("tab", "tab", "enter")
	if got := s.m.prompt.box.text(); got != "/demo-more " || len(s.sent) > 0 {
		t.Errorf("Enter on a completion made %q and sent %q", got, s.sent)
	}
	s.send(s.cmd())
	s.keys("enter")
	if !slices.Equal(s.sent, []string{"/demo-more "}) {
		t.Errorf("sent %q", s.sent)
	}
	s.keys("/")
	asked = s.cmd
	s.typed("gate")
	s.send(asked())
	s.send(s.cmd())
	s.wants("/gate␛ ls")
	if calls < 5 {
		t.Errorf("%d calls", calls)
	}
}

// A text edited in another program comes back as that program has left it.
func TestExternalEditor(t *testing.T) {
	for _, c := range []struct{ script, before, want string }{
		{`true`, "a\tb\r\n\x1b\xff", "a\tb\r\n\x1b\xff"},
		{`printf 'new\r\n\ttext' > "$0"`, "old", "new\r\n\ttext"},
		{`printf 'new\n' > "$0"`, "old", "new"}, // the editor's own last line break
		{`printf 'new\n' > "$0"`, "old\n", "new\n"},
	} {
		run := &editorRun{ctx: t.Context(), command: []string{"sh", "-c", c.script}, before: c.before}
		if err := run.Run(); err != nil || run.after != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.script, run.after, err, c.want)
		}
	}
	run := &editorRun{ctx: t.Context(), command: []string{"sh", "-c", "exit 3"}, before: "x"}
	if err := run.Run(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a failing editor: %v", err)
	}
	s := newScreen(t, 80, 24)
	id := s.ask(&protocol.Editor{Title: "Edit", Prefill: new("old")})
	s.settle()
	s.send(editedMsg{id: id, text: "new"})
	s.settle()
	s.keys("ctrl+s")
	if s.answers[id] != protocol.Value("new") {
		t.Errorf("answer %q", s.answers[id])
	}
	s.send(editedMsg{id: id, text: "too late"})
	s.wants("too late")
	s.keys("ctrl+r")
	s.wants("› too late")
}

// What was being written is not lost to a text of the history that is sent instead.
func TestDraftBehindHistoryIsKept(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("first")
	s.keys("enter")
	s.typed("my long draft")
	s.keys("up", "enter")
	if len(s.sent) != 2 || s.sent[1] != "first" {
		t.Fatalf("sent %q", s.sent)
	}
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "my long draft" {
		t.Errorf("ctrl+r brings %q", got)
	}
}

// What an editor that fails has saved can be called back, and so can a paste for
// which there was no place.
func TestTextWithoutAPlaceIsKept(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(editedMsg{text: "saved", before: "old", err: errors.New("exit status 1")})
	s.wants("exit status 1")
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "saved" {
		t.Errorf("after the editor: %q", got)
	}
	s = newScreen(t, 80, 24)
	s.keys("f1")
	s.send(tea.PasteMsg{Content: "pasted"})
	s.keys("f1")
	s.wants("ctrl+r puts it into the editor")
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "pasted" {
		t.Errorf("after a paste: %q", got)
	}
}

// An editor's file is read although the editor fails.
func TestEditorThatSavesAndFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT TESTED: there is no sh")
	}
	run := &editorRun{ctx: t.Context(), command: []string{"sh", "-c", `printf saved > "$1"; exit 3`, "sh"}, before: "old", after: "old", lent: &lent{}}
	if err := run.Run(); err == nil || run.after != "saved" {
		t.Errorf("got %q, %v", run.after, err)
	}
}
