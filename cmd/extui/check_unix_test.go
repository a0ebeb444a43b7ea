//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ctrl-C ends a check, and nothing that it has started outlives it: neither what it
// judges, in whatever that does, nor what that has started.
func TestInterruptedCheckLeavesNothing(t *testing.T) {
	for _, test := range []struct{ name, script string }{
		{"agent", "trap '' TERM INT; echo $$ > a.pid; sleep 1000 & echo $! > b.pid; touch begun; while :; do sleep 1000; done"},
		{"client", "trap '' TERM INT; echo $$ > a.pid; sleep 1000 & echo $! > b.pid; pi <&0 & echo $! > c.pid; touch begun; while :; do sleep 1000; done"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.CommandContext(t.Context(), "extui", "check", test.name, "--jobs", "1", "--json", "results.json", "--", "sh", "-c", test.script)
			cmd.Dir = dir
			var stdout strings.Builder
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			until(t, "it has begun", func() bool { _, err := os.Stat(filepath.Join(dir, "begun")); return err == nil })
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != codeInterrupted {
				t.Errorf("it ended with %v", err)
			}
			results, err := os.ReadFile(filepath.Join(dir, "results.json"))
			if err != nil || !strings.Contains(string(results), `"stopped": true`) || strings.Contains(stdout.String(), "ERROR") {
				t.Errorf("%v, %s\n%s", err, results, stdout.String())
			}
			names, err := filepath.Glob(filepath.Join(dir, "*.pid"))
			if err != nil || len(names) < 2 {
				t.Fatal(names, err)
			}
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
				if err != nil {
					t.Fatal(err)
				}
				// One that nobody waits for is gone but for its entry.
				until(t, filepath.Base(name)+" has ended", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
			}
		})
	}
}

// An agent that leaves behind what holds its output costs little more than another.
func TestCheckOfAnAgentThatLeavesSomethingBehind(t *testing.T) {
	t.Parallel()
	began := time.Now()
	out, err := exec.CommandContext(t.Context(), "extui", "check", "agent", "--rule", "FRAME-6", "--", "sh", "-c",
		`sleep 1000 & extui agent "$@"`, "sh").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}

// zombie reports whether a process has ended and nobody has taken note of it.
func zombie(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

// until waits for something that other processes do.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(20 * time.Second); !is(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited for: %s", what)
		}
	}
}
