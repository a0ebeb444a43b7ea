//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asksAndNotes is an agent that asks, and notes in the file $NOTES what it is told
// and how it ends.
const asksAndNotes = `note() { echo "$1" >> "$NOTES"; }
	trap 'got=1; note HUP' HUP; trap 'got=1; note INT' INT; trap 'note TERM; exit 7' TERM
	echo '{"type":"extension_ui_request","id":"1","method":"confirm","title":"Sure?"}'
	while :; do
		got=
		if read -r line; then case $line in *'"extension_ui_response"'*) note "told $line";; *) note "line";; esac
		elif [ -z "$got" ]; then note end; exit 0; fi
	done`

// behind starts an agent in sh behind the proxy, in a process group of its own, and
// returns once it has asked. notes returns what the agent has noted, once that ends
// with a text.
func behind(t *testing.T, script string, flags ...string) (cmd *exec.Cmd, stdin io.WriteCloser, stdout *os.File, notes func(last string) string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "notes")
	args := append(append([]string{"proxy", "--questionnaires", "pass"}, flags...), "--", "sh", "-c", script)
	cmd = exec.CommandContext(t.Context(), "extui", args...)
	cmd.Env = append(os.Environ(), "NOTES="+file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout = out.(*os.File)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	for b := []byte{0}; b[0] != '\n'; {
		if _, err := stdout.Read(b); err != nil {
			t.Fatalf("the client reads nothing: %v", err)
		}
	}
	return cmd, stdin, stdout, func(last string) string {
		t.Helper()
		late := time.After(20 * time.Second)
		for {
			b, err := os.ReadFile(file)
			if err == nil && strings.HasSuffix(string(b), last+"\n") {
				return string(b)
			}
			select {
			case <-time.After(5 * time.Millisecond):
			case <-late:
				t.Fatalf("the agent has noted %q, %v; want %q at the end", b, err, last)
			}
		}
	}
}

// The agent of a proxy that is killed sees the end of its input, and no answer.
func TestProxyKilled(t *testing.T) {
	t.Parallel()
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte(`rules: [{when: {method: confirm, title: "Sure?"}, run: [sleep, "5"], within: 20s}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Run("no rules", func(t *testing.T) {
		cmd, _, _, notes := behind(t, asksAndNotes)
		_ = cmd.Process.Kill()
		if got := notes("end"); got != "end\n" {
			t.Errorf("the agent has noted %q", got)
		}
		_ = cmd.Wait()
	})
	t.Run("a command decides", func(t *testing.T) {
		script := strings.Replace(asksAndNotes, "while", `echo '{"type":"asked"}'; while`, 1)
		cmd, _, _, notes := behind(t, script, "--policy", policy)
		_ = cmd.Process.Kill()
		if got := notes("end"); got != "end\n" {
			t.Errorf("the agent has noted %q", got)
		}
		_ = cmd.Wait()
	})
}

// A signal reaches the agent once, whether it was sent to the proxy or to its group,
// and the proxy exits as the agent does.
func TestProxyPassesSignals(t *testing.T) {
	t.Parallel()
	for name, sign := range map[string]int{"process": 1, "group": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, _, _, notes := behind(t, asksAndNotes)
			for _, s := range []struct {
				syscall.Signal
				note string
			}{{syscall.SIGINT, "INT"}, {syscall.SIGHUP, "HUP"}, {syscall.SIGTERM, "TERM"}} {
				if err := syscall.Kill(sign*cmd.Process.Pid, s.Signal); err != nil {
					t.Fatal(err)
				}
				notes(s.note)
			}
			_ = cmd.Wait()
			if got := notes("TERM"); got != "INT\nHUP\nTERM\n" {
				t.Errorf("the agent has noted %q", got)
			}
			if code := cmd.ProcessState.ExitCode(); code != 7 {
				t.Errorf("exit code %d, want 7", code)
			}
		})
	}
}

// A client that has stopped reading ends the agent's input, and what is open is
// cancelled.
func TestProxyClientStopsReading(t *testing.T) {
	t.Parallel()
	cmd, stdin, stdout, notes := behind(t, strings.Replace(asksAndNotes, "note \"line\"", "echo '{}'", 1))
	stdout.Close()
	// A program that another test starts at this moment may hold the pipe open: what is
	// written first is then lost without an error.
	for range 10 {
		_, _ = io.WriteString(stdin, "{\"type\":\"abort\"}\n")
		<-time.After(20 * time.Millisecond)
	}
	if got := notes("end"); !strings.HasPrefix(got, "told ") || !strings.Contains(got, `"cancelled":true`) {
		t.Errorf("the agent has noted %q", got)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("%v, want exit code 1", cmd.ProcessState)
	}
}

// The client sees the end of the agent's output when it comes, and the agent's end
// when something that it has left behind holds its output open.
func TestProxyEndsOfOutput(t *testing.T) {
	t.Parallel()
	cmd, _, stdout, notes := behind(t, strings.Replace(asksAndNotes, "while", "exec >&-; while", 1))
	if rest, err := io.ReadAll(stdout); err != nil || len(rest) > 0 {
		t.Errorf("the client reads %q, %v", rest, err)
	}
	notes("end")
	_ = cmd.Wait()

	began := time.Now()
	cmd, _, stdout, _ = behind(t, "echo '{}'; sleep 30 & echo '{}'; exit 3")
	if rest, err := io.ReadAll(stdout); err != nil || string(rest) != "{}\n" {
		t.Errorf("the client reads %q, %v", rest, err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 3 || time.Since(began) > 20*time.Second {
		t.Errorf("exit code %d after %v, want 3 at once", code, time.Since(began))
	}
}
