package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"extui/protocol"
)

// runWith puts the terminal UI on the screen, with an agent that sends records,
// then writes what it gets to the file answers until its input ends or, if after
// is not empty, does what after says.
func (s *screen) runWith(after string, records ...string) {
	s.t.Helper()
	s.runAs("auto", after, records...)
}

// runAs is runWith with a front end of choice.
func (s *screen) runAs(ui, after string, records ...string) {
	s.t.Helper()
	if after == "" {
		after = "cat > " + s.dir + "/answers"
	}
	agent := fmt.Sprintf("#!/bin/sh\ncat %[1]s/records\n%[2]s\n", s.dir, after)
	for name, text := range map[string]string{"agent": agent, "records": strings.Join(records, "\n") + "\n"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	// All that the program writes, as it writes it.
	s.tmux("pipe-pane", fmt.Sprintf("cat > %s/raw", s.dir))
	s.keys(fmt.Sprintf("stty -a > %[1]s/before; extui run --ui %[2]s --dialect pi -- %[1]s/agent; echo exit code $?; stty -a > %[1]s/after; echo all done", s.dir, ui), "Enter")
}

// quit leaves the program and checks that it leaves nothing behind.
func (s *screen) quit(code int) {
	s.t.Helper()
	s.wait("a message, / for commands")
	s.keys("C-d")
	s.wait(fmt.Sprintf("\nexit code %d", code))
	s.restored()
}

// got waits until the agent has got text.
func (s *screen) got(text string) {
	s.t.Helper()
	late := time.After(20 * time.Second)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		// The agent has not made the file before it has sent its records.
		b, _ := os.ReadFile(filepath.Join(s.dir, "answers"))
		if strings.Contains(string(b), text) {
			return
		}
		select {
		case <-ticker.C:
		case <-late:
			s.t.Fatalf("the agent did not get %q but\n%s\nthe screen is\n%s", text, b, s.tmux("capture-pane", "-p"))
		}
	}
}

func (s *screen) title() string {
	return strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_title}"))
}

func (s *screen) size(w, h int) {
	s.t.Helper()
	s.tmux("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
}

const request = `{"type":"extension_ui_request",`

// Each dialog method, answered by keys; what the agent gets is exact.
func TestTerminalUIDialogs(t *testing.T) {
	t.Parallel()
	s := newScreen(t)
	s.runWith("",
		request+`"id":"s","method":"select","title":"Which way?","options":["Left","Right","Straight on"]}`,
		request+`"id":"c","method":"confirm","title":"Turn round?","message":"It is late."}`,
		request+`"id":"i","method":"input","title":"What name?","placeholder":"any"}`,
		request+`"id":"e","method":"editor","title":"Edit this","prefill":"a\tb\r\nc\n"}`,
		request+`"id":"q","method":"questionnaire","questions":[{"question":"Which storage?","header":"Storage","options":[{"label":"SQLite","description":"local"},{"label":"libSQL","description":"shared"}]}]}`,
		request+`"id":"n","method":"confirm","title":"Cancel me?"}`,
	)
	s.answer("Which way?", "Down", "Down", "Enter")
	s.got(`{"type":"extension_ui_response","id":"s","value":"Right"}`)
	s.answer("Turn round?", "Right", "Enter")
	s.got(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	s.answer("What name?", "größe", "Enter")
	s.got(`{"type":"extension_ui_response","id":"i","value":"größe"}`)
	s.answer("Edit this", "d", "C-s")
	s.got(`{"type":"extension_ui_response","id":"e","value":"a\tb\r\nc\nd"}`)
	s.answer("Which storage?", "2", "Enter")
	s.answer("Enter sends these answers: 1 of 1", "Enter")
	s.got(`"id":"q","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"libSQL"}]}`)
	s.answer("Cancel me?", "Escape")
	s.got(`{"type":"extension_ui_response","id":"n","cancelled":true}`)
	s.quit(0)
}

// Three at once are counted, and answered in any order. Keys from before answer
// none of them.
func TestTerminalUIQueue(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.size(80, 24)
	s.runWith("",
		request+`"id":"1","method":"confirm","title":"Alpha?"}`,
		request+`"id":"2","method":"confirm","title":"Beta?"}`,
		request+`"id":"3","method":"confirm","title":"Gamma?"}`,
	)
	s.wait("1 of 3")
	s.answer("Alpha?", "C-p")
	s.answer("Gamma?", "Right", "Enter", "Right", "Enter") // the second pair comes too early for the next
	s.got(`"id":"3","confirmed":true`)
	s.answer("2 of 2", "Enter")
	s.got(`"id":"2","confirmed":false`)
	s.size(40, 10)
	s.answer("Alpha?", "Right", "Enter")
	s.got(`"id":"1","confirmed":true`)
	s.wait("a message, / for commands") // nothing but the prompt is left
	s.quit(0)
}

// A dialog whose time runs out goes, says why, and keeps what was typed. Nothing
// is sent.
func TestTerminalUITimeout(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.runWith("", request+`"id":"t","method":"input","title":"Quick, a word?","timeout":9000}`)
	s.answer("Quick, a word?", "perhaps")
	s.wait("Quick, a word?: not answered: the dialog's time ran out")
	s.wait("│ perhaps")
	<-time.After(500 * time.Millisecond)
	s.keys("C-r")
	s.wait("› perhaps")
	s.keys("C-u")
	s.quit(0)
	if got := s.file("answers"); bytes.Contains(got, []byte("extension_ui_response")) {
		t.Errorf("the agent got %s", got)
	}
}

// An agent that dies with a dialog open ends the dialog, and the program says so
// on a terminal that it has given back.
func TestTerminalUIAgentDies(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.runWith("grep -m1 extension_ui_response >&2; echo last words >&2; exit 3", request+`"id":"d","method":"confirm","title":"Still there?"}`,
		request+`"id":"e","method":"input","title":"And this?"}`)
	s.answer("Still there?", "Enter")
	s.wait("the agent ended unexpectedly: exit code 3")
	s.wait("\nexit code 4")
	s.restored()
	s.wait("And this?: not answered") // stays on the terminal
}

// A paste of 100 KB arrives whole.
func TestTerminalUIPaste(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.runWith("", request+`"id":"p","method":"editor","title":"Paste here"}`)
	var b strings.Builder
	for i := 0; b.Len() < 100<<10; i++ {
		fmt.Fprintf(&b, "line %d\twith a tab, ünïcödé, 漢字 and 👩🏽\u200d🚒\n", i)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "paste"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s.tmux("load-buffer", filepath.Join(s.dir, "paste"))
	s.answer("Paste here")
	s.tmux("paste-buffer", "-p")
	s.wait(fmt.Sprintf("line %d of", strings.Count(b.String(), "\n")+1))
	s.keys("C-s")
	s.got(string(protocol.AppendString([]byte(`"id":"p","value":`), b.String())))
	s.quit(0)
}

// Titles show what people write and nothing that a terminal obeys, and the
// terminal's own comes back.
func TestTerminalUITitles(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	before := s.title()
	s.runWith("grep -m1 extension_ui_response >&2; cat "+s.dir+"/more; cat >/dev/null",
		request+`"id":"1","method":"setTitle","title":"🎉 専用プロジェクト 👩🏽\u200d🚒"}`,
		request+`"id":"2","method":"confirm","title":"日本語の質問 🎉?"}`)
	nasty := `A\u001b]0;owned\u0007B\u001b[2J\u001b[31mC\u009b5mD\u001bP\u001b\\E\u202eF\u200bG\u001b]52;c;aGk=\u0007`
	if err := os.WriteFile(filepath.Join(s.dir, "more"), []byte(request+`"id":"3","method":"setTitle","title":"`+nasty+`"}`+"\n"+
		request+`"id":"4","method":"confirm","title":"`+nasty+`","message":"`+nasty+`"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.wait("日本語の質問 🎉?")
	s.wait("🎉 専用プロジェクト")
	if got := s.title(); !strings.HasPrefix(got, "(1?) 🎉 専用プロジェクト") {
		t.Errorf("the terminal's title is %q", got)
	}
	s.answer("日本語の質問", "Enter")
	s.wait("A␛]0;owned␇B␛[2J␛[31mC<U+009B>5mD␛P␛\\E<U+202E>F<U+200B>G␛]52;c;aGk=␇")
	if got := s.title(); !strings.HasPrefix(got, "(1?) A␛]0;owned␇B␛[2JC") {
		t.Errorf("the terminal's title is %q", got)
	}
	raw := s.file("raw")
	for _, bad := range []string{"\x1b]0;owned", "\x1b]52", "\x1b[31mC", "\u009b", "\u202e", "\u200b"} {
		if bytes.Contains(raw, []byte(bad)) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	s.answer("A␛", "Escape")
	s.quit(0)
	if got := s.title(); got != before {
		t.Errorf("the terminal's title is %q afterwards, want %q", got, before)
	}
}

// Suspend and resume, resize, an editor of the person's own, a signal.
func TestTerminalUISuspendAndEditor(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.keys("EDITOR='sed -i s/old/new/'; export EDITOR NO_COLOR=1", "Enter")
	s.runWith("", request+`"id":"e","method":"editor","title":"Edit this","prefill":"old\r\n\ttext"}`,
		request+`"id":"c","method":"confirm","title":"Again?"}`)
	s.answer("Edit this", "C-z")
	s.wait("Stopped")
	s.keys("stty -a > "+s.dir+"/stopped; fg; echo ended with $?; stty -a > "+s.dir+"/after; echo all over", "Enter")
	s.answer("ctrl+s send", "C-e")
	s.wait("new")
	s.size(40, 10)
	s.answer("Edit this", "C-s")
	s.got(`"id":"e","value":"new\r\n\ttext"`)
	s.answer("Again?", "C-c")
	s.got(`"id":"c","cancelled":true`)
	s.keys("C-c")
	s.wait("\nended with 130")
	s.wait("\nall over")
	for _, when := range []string{"stopped", "after"} {
		if before, got := s.file("before"), s.file(when); !bytes.Equal(sizeless(before), sizeless(got)) {
			t.Errorf("the terminal was not given back:\nbefore:\n%s\n%s:\n%s", before, when, got)
		}
	}
	if found := regexp.MustCompile(`\x1b\[([0-9]*;)*((3|4|9|10)[0-7]|[34]8;[25];[0-9;]*)m`).Find(s.file("raw")); found != nil {
		t.Errorf("there is the colour %q in spite of NO_COLOR", found)
	}
}

// sizeless is the output of stty without the size of the screen.
func sizeless(b []byte) []byte {
	return regexp.MustCompile(`rows \d+; columns \d+;`).ReplaceAll(b, nil)
}

// A terminal that cannot move its cursor gets the plain front end.
func TestTerminalUIDumb(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.keys("TERM=dumb; export TERM", "Enter")
	s.runWith("", request+`"id":"c","method":"confirm","title":"Sure?"}`)
	s.answer("y/n>", "n", "Enter")
	s.got(`"id":"c","confirmed":false`)
	s.keys("C-d")
	s.wait("\nexit code 0")
	s.restored()
	if bytes.Contains(s.file("raw"), []byte("\x1b[?1049h")) {
		t.Error("the whole screen was taken on a dumb terminal")
	}
}
