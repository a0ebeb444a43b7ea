package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"extui/internal/long"
	"extui/internal/tmux"
)

// screen is a real terminal, in tmux, with a shell in it.
type screen struct {
	*tmux.Screen
	t   *testing.T
	dir string
}

// newScreen starts one. Without tmux the test is skipped, or fails.
func newScreen(t *testing.T) *screen {
	t.Helper()
	s := tmux.Start(t, nil)
	return &screen{s, t, s.Dir}
}

// longScreen is newScreen for a test that only a run of everything has the time for.
func longScreen(t *testing.T) *screen {
	t.Helper()
	long.Test(t)
	return newScreen(t)
}

func (s *screen) tmux(args ...string) string { s.t.Helper(); return s.Tmux(args...) }
func (s *screen) keys(keys ...string)        { s.t.Helper(); s.Keys(keys...) }
func (s *screen) wait(text string)           { s.t.Helper(); s.Wait(text) }

// answer types an answer to the dialog whose text is on the screen.
func (s *screen) answer(question string, keys ...string) {
	s.t.Helper()
	s.Answer([]string{question}, keys...)
}

func (s *screen) file(name string) []byte {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// begin runs the program between two looks at the terminal's settings.
func (s *screen) begin() {
	s.keys(fmt.Sprintf("stty -a > %[1]s/before; extui run --ui plain; echo exit code $?; stty -a > %[1]s/after; echo all done", s.dir), "Enter")
	s.wait("status demo: ready")
}

// restored checks that the terminal is as it was.
func (s *screen) restored() {
	s.t.Helper()
	s.wait("\nall done")
	if before, after := sizeless(s.file("before")), sizeless(s.file("after")); !bytes.Equal(before, after) {
		s.t.Errorf("the terminal was not given back:\nbefore:\n%s\nafter:\n%s", before, after)
	}
}

func TestTerminalDemo(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.begin()
	s.wait("title: extui demo")
	s.wait("This is the demo agent")

	// Tab completes the name of a command.
	s.keys("/de", "Tab")
	s.wait("> /demo")
	s.keys("Enter")
	s.answer("1-3>", "2", "Enter")
	s.wait("You chose PostgreSQL.")
	s.answer("y/n>", "y", "Enter")
	s.wait("You said yes.")
	s.answer("What is the project called?", "thing", "Enter")
	s.wait(`You typed "thing".`)
	s.answer("Describe it", "one", "Enter", "two", "Enter", ".", "Enter")
	s.wait(`You wrote 2 lines: "one\ntwo".`)

	// A plain prompt streams back.
	s.keys("hello", "Enter")
	s.wait("to be asked something.")

	s.keys("/quit", "Enter")
	s.wait("\nexit code 0")
	s.restored()
}

func TestTerminalCtrlC(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	// An agent whose answer to a prompt goes on until it is aborted.
	s.runAs("plain", `answers() { id=${line#*\"id\":\"}; echo '{"id":"'${id%%\"*}'","type":"response","command":"'$1'","success":true}'; }
		while read -r line; do case $line in
			*extension_ui_response*) echo "$line" >> `+s.dir+`/answers;;
			*get_commands*) answers get_commands;;
			*get_state*) answers get_state;;
			*'"prompt"'*) answers prompt; echo '{"type":"agent_start"}'; echo '`+request+`"id":"2","method":"notify","message":"at work"}';;
			*'"abort"'*) answers abort; echo '{"type":"agent_end"}'; echo '{"type":"agent_settled","aborted":true}';;
		esac; done`, request+`"id":"1","method":"confirm","title":"Sure?"}`)

	// In a dialog it cancels that, and approves nothing.
	s.answer("y/n>", "y", "C-c")
	s.got(`{"type":"extension_ui_response","id":"1","cancelled":true}`)

	// While the agent answers it aborts, unless it comes right after another.
	s.wait("[dialog cancelled; Ctrl-C again leaves]")
	<-time.After(ctrlCWindow)
	s.keys("hello", "Enter")
	s.wait("at work")
	s.keys("C-c")
	s.wait("[aborted]")

	// Twice in a row it leaves.
	<-time.After(ctrlCWindow)
	s.keys("C-c")
	s.wait("[Ctrl-C again leaves]")
	s.keys("C-c")
	s.wait("\nexit code 130")
	s.restored()
}

// An agent that asks again and again can be left: the second Ctrl-C does, and it
// approves nothing.
func TestTerminalNaggingAgent(t *testing.T) {
	for _, ui := range []string{"plain", "terminal"} {
		t.Run(ui, func(t *testing.T) {
			t.Parallel()
			s := longScreen(t)
			s.runAs(ui, `while read -r line; do
				case $line in *extension_ui_response*) echo "$line" >> `+s.dir+`/answers; cat `+s.dir+`/records;; esac
			done`, request+`"id":"nag","method":"confirm","title":"Please?"}`)
			s.answer("Please?", "C-c")
			s.got(`"cancelled":true`)
			s.keys("C-c")
			s.wait("\nexit code 130")
			s.restored()
			if got := s.file("answers"); bytes.Contains(got, []byte("confirmed")) {
				t.Errorf("the agent got %s", got)
			}
		})
	}
}
