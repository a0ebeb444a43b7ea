package terminal

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"extui/client"
	"extui/protocol"
)

var update = flag.Bool("update", false, "rewrite the screens in testdata/screens")

// stage is a screen in the middle of a conversation.
func stage(t *testing.T, width, height int) *screen {
	s := newScreen(t, width, height)
	s.send(
		updateMsg{&protocol.SetTitle{Title: "pi · 専用 project 🎉"}},
		updateMsg{&protocol.SetStatus{Key: "model", Text: new("claude")}},
		updateMsg{&protocol.SetStatus{Key: "rpc-demo", Text: new("Turns: 3")}},
		updateMsg{&protocol.SetWidget{Key: "w", Lines: []string{"--- Tasks ---", "☐ build  ☑ test"}}},
		updateMsg{&protocol.SetWidget{Key: "b", Lines: []string{"main ↑2"}, Placement: protocol.BorderTopRight}},
	)
	s.typed("Clean the build, please")
	s.keys("enter")
	s.send(
		textMsg{"I will remove the **build** folder and run the tests:\n\n1. `rm -rf build`\n2. `go test ./...`\n"},
		eventMsg{client.MessageEnd{Role: "assistant"}},
		eventMsg{client.ToolStart{ID: "1", Name: "read", Args: []byte(`{"path":"Makefile"}`)}},
		eventMsg{client.ToolEnd{ID: "1", Text: "all: build"}},
		eventMsg{client.ToolStart{ID: "2", Name: "bash", Args: []byte(`{"command":"rm -rf build"}`)}},
		updateMsg{&protocol.Notify{Message: "The folder is not under version control", Type: protocol.NotifyWarning}},
	)
	return s
}

// scenes are what the golden screens show: a dialog and the keys pressed in it.
func scenes() []struct {
	name    string
	dialogs []protocol.Dialog
	keys    string
} {
	return []struct {
		name    string
		dialogs []protocol.Dialog
		keys    string
	}{
		{"prompt", nil, "H i"},
		{"select", []protocol.Dialog{&protocol.Select{Title: "Dangerous command: rm -rf build", Timeout: after(30 * time.Second), Options: []protocol.Option{
			{Label: "Allow", Description: "this once"}, {Label: "Allow always", Description: "writes it to the settings of this project"}, {Label: "Block"}}}}, "down"},
		{"select-filter", []protocol.Dialog{&protocol.Select{Title: "Which model?", Options: protocol.Options(
			"alpha-small", "alpha-large", "beta-small", "beta-large", "gamma with a name that is so long that it has to be wrapped on any screen of the usual width")}}, "/ l a r"},
		{"confirm", []protocol.Dialog{&protocol.Confirm{Title: "Clear session?", Message: new("All messages will be lost.")}}, ""},
		{"confirm-long", []protocol.Dialog{&protocol.Confirm{Title: "Run this?", Message: new(strings.Repeat("rm -rf /some/quite/long/path && ", 40))}}, "y"},
		{"input", []protocol.Dialog{&protocol.Input{Title: "Enter a value", Placeholder: new("type something...")}}, ""},
		{"editor", []protocol.Dialog{&protocol.Editor{Title: "Edit some text", Prefill: new("Line 1\n\tLine 2\r\nLine 3 長い行 👩🏽\u200d🚒\n")}}, "ctrl+home"},
		{"questionnaire", []protocol.Dialog{threeQuestions()}, "2"},
		{"questionnaire-multi", []protocol.Dialog{threeQuestions()}, "2 enter 1 space 3 space"},
		{"questionnaire-preview", []protocol.Dialog{threeQuestions()}, "tab tab 1"},
		{"questionnaire-review", []protocol.Dialog{threeQuestions()}, "2 enter tab 1 enter"},
		{"queue", []protocol.Dialog{&protocol.Confirm{Title: "First?"}, &protocol.Input{Title: "Second?"}, &protocol.Confirm{Title: "Third?"}}, "ctrl+n"},
		{"hostile", []protocol.Dialog{&protocol.Confirm{Title: "Run \x1b[2J\x1b]0;x\x07 this\u202e?", Message: new("a\u200bb\x00\x7f\r\x1b[8mhidden")}}, ""},
		{"help", nil, "?"},
	}
}

// The screens of every dialog, byte for byte, at two sizes, in 256 colours and in
// none.
func TestGoldenScreens(t *testing.T) {
	for _, scene := range scenes() {
		for _, size := range [][2]int{{80, 24}, {40, 10}} {
			s := stage(t, size[0], size[1])
			for _, d := range scene.dialogs {
				s.ask(d)
			}
			s.settle()
			s.keys(strings.Fields(scene.keys)...)
			checkFrame(t, s, scene.name)
			content := s.m.View().Content + "\n"
			for suffix, profile := range map[string]colorprofile.Profile{"color": colorprofile.ANSI256, "plain": colorprofile.NoTTY} {
				var b bytes.Buffer
				w := colorprofile.Writer{Forward: &b, Profile: profile}
				if _, err := w.WriteString(content); err != nil {
					t.Fatal(err)
				}
				name := filepath.Join("testdata", "screens", fmt.Sprintf("%s-%dx%d-%s.txt", scene.name, size[0], size[1], suffix))
				if *update {
					if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(name)
				if err != nil {
					t.Fatalf("%v; go test ./frontend/terminal -update writes it", err)
				}
				if !bytes.Equal(b.Bytes(), want) {
					t.Errorf("%s differs; it is now:\n%s\nwas:\n%s", name, b.Bytes(), want)
				}
			}
		}
	}
}
