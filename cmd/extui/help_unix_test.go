//go:build unix

package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Help and errors ask the terminal for nothing: this one never answers.
func TestHelpAndErrorsAskTheTerminalNothing(t *testing.T) {
	for _, env := range []string{"TERM=dumb", "TERM=", "TERM=xterm-256color NO_COLOR=1", "TERM=xterm-256color"} {
		for _, args := range []string{"--help", "run --help", "--nonsense", "run --ui nonsense", "nonsense"} {
			t.Run(env+" "+args, func(t *testing.T) {
				t.Parallel()
				cmd := exec.CommandContext(t.Context(), "extui", strings.Fields(args)...)
				cmd.Env = append(cmd.Environ(), "NO_COLOR=")
				cmd.Env = append(cmd.Env, strings.Fields(env)...)
				began := time.Now()
				terminal, err := pty.Start(cmd)
				if err != nil {
					t.Fatal(err)
				}
				defer terminal.Close()
				out, _ := io.ReadAll(terminal) // Ends with an error when the program does.
				_ = cmd.Wait()                 // The exit code is the business of others.
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("it took %v", took)
				}
				if len(out) == 0 {
					t.Error("nothing was printed")
				}
				rest := string(out)
				if env == "TERM=xterm-256color" {
					rest = strings.NewReplacer("\x1b[1m", "", "\x1b[m", "").Replace(rest)
				}
				if strings.Contains(rest, "\x1b") {
					t.Errorf("there is an escape sequence in %q", out)
				}
			})
		}
	}
}
