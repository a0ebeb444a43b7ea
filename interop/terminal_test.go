package interop_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/internal/long"
	"extui/interop"
)

// The terminal UI runs the real pi with its own demo of all dialogs, and a model
// that follows a script: a tool call through the demo's gate, the commands, a text
// put into the editor, a new session.
func TestTerminalUIRunsPi(t *testing.T) {
	t.Parallel()
	long.Test(t)
	model, err := filepath.Abs(filepath.Join("testdata", "model.ts"))
	if err != nil {
		t.Fatal(err)
	}
	pi := interop.Pi(t, interop.Example(t, "rpc-demo.ts"), model)
	pi.Args = append(pi.Args, "--provider", "script", "--model", "script-1")
	program := buildProgram(t)
	s := newScreen(t, pi)
	s.keys(fmt.Sprintf("%s run -- %s %s; echo exit code $?", program, pi.Path, strings.Join(pi.Args, " ")), "Enter")
	s.wait("--- RPC Extension UI Demo ---")
	s.wait("Turns: 0")
	s.wait("pi RPC Demo")

	const dangerous = "Dangerous command: rm -rf ./no-such-folder"
	s.keys("clean up", "Enter")
	s.answer(dangerous, "↑ ↓ mark", "Down", "Enter")
	s.wait("Command allowed")
	s.wait("It was the first time.")
	s.wait("● ▸ bash")
	s.wait("Turn 2 done")
	s.prompt("once more", "Enter")
	s.answer(dangerous, "↑ ↓ mark", "Escape")
	s.wait("✗ ▸ bash")
	s.wait("Command blocked by user")
	s.wait("It was the second time.")

	s.prompt("/rpc-input", "Enter")
	s.answer("Enter a value", "type something...", "hello", "Enter")
	s.wait("You entered: hello")
	s.prompt("/rpc-editor", "Enter")
	s.answer("Edit some text", "line 3 of 3", "Enter", "more", "C-s")
	s.wait("Editor submitted (4 lines)")
	s.prompt("/rpc-prefill", "Enter")
	s.wait("› This text was set by the rpc-demo extension.")
	s.prompt("C-u", "/new", "Enter")
	s.answer("All messages will be lost.", "▸[ No ]", "Right", "Enter")
	s.wait("pi RPC Demo (new session)")
	s.keys("C-d")
	s.wait("\nexit code 0")
}

// prompt types into the prompt, as long after a dialog as a person takes to see
// that it has gone.
func (s *screen) prompt(keys ...string) {
	s.t.Helper()
	<-time.After(500 * time.Millisecond)
	s.keys(keys...)
}
