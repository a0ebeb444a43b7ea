package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"extui/internal/pi"
	"extui/scenario/conformance/choices"
)

// tuiStyle drives pi's examples/rpc-extension-ui.ts, a client in a terminal. It shows
// one dialog, the last that came.
type tuiStyle struct {
	pi    pi.Install
	acted int // dialogs that were seen
}

// start puts a copy of the example where its imports are found: Node.js runs no
// TypeScript below node_modules.
func (s *tuiStyle) start(dir, _ string) ([]string, error) {
	source, err := os.ReadFile(filepath.Join(s.pi.Package, "examples", "rpc-extension-ui.ts"))
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(dir, "examples"), 0o700); err != nil {
		return nil, err
	}
	example := filepath.Join(dir, "examples", "rpc-extension-ui.ts")
	if err := os.WriteFile(example, source, 0o600); err != nil {
		return nil, err
	}
	if err := os.Symlink(s.pi.Modules, filepath.Join(dir, "node_modules")); err != nil {
		return nil, err
	}
	return []string{s.pi.Node, example}, nil
}

func (s *tuiStyle) ready(t *typist) bool {
	return bytes.Contains(t.printed(), []byte("Slash commands:")) && t.isStill()
}

func (s *tuiStyle) tell(t *typist, c choices.Command) bool {
	var message string
	if c.Name != "prompt" || json.Unmarshal(c.Members[0].Value, &message) != nil {
		return false
	}
	t.keys(message, "\r")
	return true
}

func (s *tuiStyle) act(t *typist) {
	if len(t.open) == s.acted || !t.isStill() {
		return
	}
	// Those before the last are not on the screen any more.
	a := t.open[len(t.open)-1]
	if time.Now().Before(a.at) || a.choice.Wait || !t.shows(a) {
		return
	}
	s.acted = len(t.open)
	t.keys(tuiKeys(a)...)
}

// leave closes the terminal's window, for no key leaves a dialog and the client.
func (s *tuiStyle) leave(t *typist) { _ = t.client.Signal(syscall.SIGHUP) }

const (
	down   = "\x1b[B"
	enter  = "\r"
	escape = "\x1b"
)

// tuiKeys are the keys with which a person makes a choice.
func tuiKeys(a *asked) []string {
	c := a.choice
	switch {
	case c.Confirmed != nil && *c.Confirmed:
		return []string{enter} // Yes stands first.
	case c.Confirmed != nil:
		return []string{down, enter}
	case a.Method == "select" && (c.Value != nil || c.Option != nil):
		var keys []string
		for range a.index() {
			keys = append(keys, down)
		}
		return append(keys, enter)
	case c.Value != nil:
		// Away with the prefill; a text of several lines can only be pasted.
		return []string{"\x0b", "\x1b[200~" + strings.ReplaceAll(*c.Value, "\x1b", "") + "\x1b[201~", enter}
	}
	return []string{escape}
}
