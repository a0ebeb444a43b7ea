package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a message names comes from anywhere, and does nothing to a terminal.
func TestErrorsAreSafeToShow(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(name, []byte("\"\\e[31mkey\\u202e\": 1\nother: 2\nsteps: []\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"test", "n\x1b[31m\u202e"},
		{"test", name},
		{"play", "n\x1b[31m\u202e"},
		{"test", "--demo", "--e\x1b[31m\u202e", gateExample},
		{"test", gateExample, "--", "./no\x1b[31m\u202e"},
		{"agent", "-e", "./no\x1b[31m\u202e.ts"},
		{"check", "agent", "--", "./no\x1b[31m\u202e"},
	} {
		stdout, stderr, code := inProcess(t, args...)
		all := stdout + stderr
		if code == 0 || strings.ContainsAny(all, "\x1b\u202e") || !strings.Contains(all, "31m") || !strings.HasSuffix(all, "\n") {
			t.Errorf("%q: exit code %d, %q", args, code, all)
		}
	}
	// Each problem keeps its line.
	if _, stderr, _ := inProcess(t, "test", name); strings.Count(stderr, name) < 2 || strings.Count(stderr, "\n") < 3 {
		t.Errorf("got %q", stderr)
	}
}
