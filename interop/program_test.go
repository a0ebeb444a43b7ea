package interop_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/internal/tmux"
	"extui/interop"
)

// moduleRoot is the folder of the module, seen from this package's.
const moduleRoot = ".."

// The program answers the real pi's dialogs, from a pipe and at a terminal.
func TestProgramRunsPi(t *testing.T) {
	t.Parallel()
	long.Test(t)
	pi := interop.Pi(t, interop.Probe(t)) // skips before anything is built
	program := buildProgram(t)
	t.Run("pipe", func(t *testing.T) {
		t.Parallel()
		programAtPipe(t, program, pi)
	})
	t.Run("terminal", func(t *testing.T) {
		t.Parallel()
		programAtTerminal(t, program, interop.Pi(t, interop.Probe(t)))
	})
}

func programAtPipe(t *testing.T, program string, pi interop.Command) {
	cmd := exec.CommandContext(t.Context(), program, append([]string{"run", "--", pi.Path}, pi.Args...)...)
	cmd.Env, cmd.Dir = pi.Env, pi.Dir
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		"/select", "2",
		"/select", "Allow",
		"/select", "/cancel",
		"/confirm", "y",
		"/confirm", "n",
		"/input", "hello",
		"/editor", "one", "two", ".",
		"/notify",
		"/new",
		"/confirm", // and no answer: the input ends
	}, "\n"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("the program ended with %v, want exit code 0\nstandard error:\n%s", err, &stderr)
	}
	inOrder(t, stdout.String(),
		"Allow dangerous command?", `result "Block"`,
		`result "Allow"`,
		`result undefined`,
		"Clear session?", "All messages will be lost.", "result true",
		"result false",
		"Enter a value", "type something...", `result "hello"`,
		"Edit some text", "Line 3", `result "one\ntwo"`,
		"Command blocked by user",
		"Clear session?", "result false")
	if strings.Contains(stdout.String(), "[error]") {
		t.Errorf("there was an error:\n%s", &stdout)
	}
}

// inOrder requires that the texts stand in out one behind the other.
func inOrder(t *testing.T, out string, texts ...string) {
	t.Helper()
	rest := out
	for i, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			t.Fatalf("%q (number %d) is not where it should be in the output:\n%s", text, i+1, out)
		}
		rest = after
	}
}

func programAtTerminal(t *testing.T, program string, pi interop.Command) {
	s := newScreen(t, pi)
	s.keys(fmt.Sprintf("%s run --ui plain -- %s %s; echo exit code $?", program, pi.Path, strings.Join(pi.Args, " ")), "Enter")

	s.wait("No models available") // pi's first words
	s.keys("/select", "Enter")
	s.answer("Allow dangerous command?", "1-2>", "2", "Enter")
	s.wait(`result "Block"`)
	s.keys("/confirm", "Enter")
	s.answer("Clear session?", "y/n>", "y", "Enter")
	s.wait("result true")
	s.keys("/input", "Enter")
	s.answer("Enter a value", "text>", "hello", "Enter")
	s.wait(`result "hello"`)

	// Ctrl-C cancels a dialog, which approves nothing.
	s.keys("/confirm-nomessage", "Enter")
	s.answer("Sure?", "y/n>", "C-c")
	s.wait("result false")

	s.keys("/quit", "Enter")
	s.wait("\nexit code 0")
}

// screen is a real terminal, in tmux, with a shell in it.
type screen struct {
	*tmux.Screen
	t *testing.T
}

// newScreen starts one with pi's environment. Without tmux the test is skipped,
// or fails.
func newScreen(t *testing.T, pi interop.Command) *screen {
	t.Helper()
	return &screen{tmux.Start(t, &tmux.Options{Env: pi.Env, Dir: pi.Dir}), t}
}

func (s *screen) keys(keys ...string) { s.t.Helper(); s.Keys(keys...) }
func (s *screen) wait(text string)    { s.t.Helper(); s.Wait(text) }

// answer types an answer to the dialog of that title, when its prompt is the last
// thing on the screen.
func (s *screen) answer(title, prompt string, keys ...string) {
	s.t.Helper()
	s.Answer([]string{title, prompt}, keys...)
}

// The commands of the README that try the real pi do what it says.
func TestReadmeLineRunsPi(t *testing.T) {
	t.Parallel()
	long.Test(t)
	interop.Pi(t) // skips where pi is not installed
	readme, err := os.ReadFile(filepath.Join(moduleRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, from, found := strings.Cut(string(readme), "```sh\n./interop/install\n")
	command, _, closed := strings.Cut(from, "```")
	if !found || !closed {
		t.Fatal("README.md has no block of shell lines that begins with ./interop/install")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", command)
	cmd.Dir = moduleRoot
	cmd.Env = append(os.Environ(), "PI_CODING_AGENT_DIR="+t.TempDir())
	cmd.Stdin = strings.NewReader("/rpc-input\nhello\n/new\nn\n/rpc-prefill\n/new\ny\n/rpc-editor\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("%s ended with %v, want exit code 0\nstandard error:\n%s", command, err, &stderr)
	}
	inOrder(t, stdout.String(),
		"pi RPC Demo", "Loaded and ready.", "Turns: 0",
		"Enter a value", "You entered: hello",
		"Clear session?", "Clear cancelled",
		"This text was set by the rpc-demo extension.", "Editor prefilled",
		"Clear session?", "[new session]",
		"Edit some text", "Editor cancelled")
	// A title that changes quickly may be shown later, but it is shown.
	inOrder(t, stdout.String(), "Editor prefilled", "pi RPC Demo (new session)")
}
