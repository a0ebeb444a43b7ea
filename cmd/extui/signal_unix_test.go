//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program starts extui with its input open and returns it once output has come
// that contains until. lines delivers the rest of its output and is closed at its
// end.
func program(t *testing.T, until string, args ...string) (cmd *exec.Cmd, stdin io.WriteCloser, lines <-chan string) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), "extui", args...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	var seen strings.Builder
	for !strings.Contains(seen.String(), until) {
		b, err := out.ReadByte()
		if err != nil {
			t.Fatalf("the program ended before it printed %q: %v\n%s", until, err, seen.String())
		}
		seen.WriteByte(b)
	}
	rest := make(chan string, 1000)
	go func() {
		defer close(rest)
		for {
			line, err := out.ReadString('\n')
			if line != "" {
				rest <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return cmd, stdin, rest
}

// ended waits for the program and returns its exit code and the rest of its
// output.
func ended(t *testing.T, cmd *exec.Cmd, lines <-chan string) (code int, output string) {
	t.Helper()
	for line := range lines {
		output += line
	}
	if err := cmd.Wait(); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			t.Fatal(err)
		}
		return exit.ExitCode(), output
	}
	return 0, output
}

func TestAgentEndsOnSignal(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd, stdin, lines := program(t, "setWidget", "agent", "--demo")
			defer stdin.Close()
			// A dialog is open: the signal ends it, and the tool does not run.
			if _, err := io.WriteString(stdin, `{"type":"call_tool","id":"t","toolName":"bash","input":{"command":"sudo ls"}}`+"\n"); err != nil {
				t.Fatal(err)
			}
			for line := range lines {
				if strings.Contains(line, `"method":"select"`) {
					break
				}
			}
			began := time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			code, output := ended(t, cmd, lines)
			if code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
			if !strings.Contains(output, `"isError":true`) || strings.Contains(output, "nothing was run") {
				t.Errorf("the open gate let the tool run, or its call was not answered:\n%s", output)
			}
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("it took %v to end; something waits for its grace", took)
			}
		})
	}
}

func TestRunEndsOnSignal(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			// The agent says its process id, and asks something that nobody answers.
			const script = `echo '{"type":"extension_ui_request","id":"n","method":"notify","message":"pid '$$'"}'
				echo '{"type":"extension_ui_request","id":"1","method":"confirm","title":"Sure?"}'
				while read -r line; do case $line in *'"extension_ui_response"'*) echo "got $line" >&2;; esac; done`
			cmd, stdin, lines := program(t, "info: pid ", "run", "--dialect", "pi", "--", "sh", "-c", script)
			defer stdin.Close()
			pid := strings.TrimSpace(<-lines)
			for line := range lines {
				if strings.Contains(line, "/cancel cancels") {
					break
				}
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code, _ := ended(t, cmd, lines); code != want {
				t.Errorf("exit code %d, want %d", code, want)
			}
			if err := exec.Command("kill", "-0", pid).Run(); err == nil {
				t.Errorf("the agent, process %s, is still there", pid)
			}
		})
	}
}

func TestRunLeavesNoAgentBehind(t *testing.T) {
	t.Parallel()
	// An agent that ignores the end of its input and SIGTERM is killed, and faster
	// when a second signal comes.
	const script = `trap '' TERM; echo '{"type":"extension_ui_request","id":"n","method":"notify","message":"pid '$$'"}'
		while :; do sleep 0.05; done`
	cmd, stdin, lines := program(t, "info: pid ", "run", "--dialect", "pi", "--", "sh", "-c", script)
	defer stdin.Close()
	pid := strings.TrimSpace(<-lines)
	began := time.Now()
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-time.After(100 * time.Millisecond) // Two signals at once would arrive as one.
	}
	if code, _ := ended(t, cmd, lines); code != 143 {
		t.Errorf("exit code %d, want 143", code)
	}
	if took := time.Since(began); took > 2500*time.Millisecond {
		t.Errorf("it took %v to end after the second signal", took)
	}
	if err := exec.Command("kill", "-0", pid).Run(); err == nil {
		t.Errorf("the agent, process %s, is still there", pid)
	}
}
