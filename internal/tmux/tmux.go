// Package tmux is a real terminal for tests: a shell in tmux, typed to as a person
// types and read as a person reads.
//
//	s := tmux.Start(t, nil)
//	s.Keys("extui run", "Enter")
//	s.Wait("type /demo")
//
// A [Screen] belongs to its test, which ends it. What does not appear in time, and
// tmux itself failing, fails the test; both calls block until then.
package tmux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	// look is how often a screen is looked at.
	look = 80 * time.Millisecond
	// patience is how long something may take to appear on a busy machine.
	patience = 30 * time.Second
	// reading is how long typing waits for a dialog to be on the screen: a front end
	// takes nothing for an answer that is faster than a person reads.
	reading = 500 * time.Millisecond
)

// Options are the choices of [Start]. nil has none.
type Options struct {
	Env []string // of the shell, beside PS1; nil: that of this process
	Dir string   // where the shell starts; "": in the test's
}

// Screen is one terminal of 110 columns and 45 rows.
type Screen struct {
	// Dir is a folder of its own that goes when the test ends.
	Dir string

	t      testing.TB
	socket string
}

// RequireVariable names the environment variable that makes a missing tmux a failed
// test and not a skipped one. Its one meaningful value is "1".
const RequireVariable = "EXTUI_REQUIRE_TMUX"

// Start starts a shell in a terminal. Without tmux the test is skipped, or fails if
// [RequireVariable] is 1.
func Start(t testing.TB, opts *Options) *Screen {
	t.Helper()
	if opts == nil {
		opts = &Options{}
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv(RequireVariable) == "1" {
			t.Fatalf("%s=1, but: %v", RequireVariable, err)
		}
		t.Skipf("NOT TESTED on a real terminal: %v", err)
	}
	// Not in t.TempDir: the path of a socket must be short.
	dir, err := os.MkdirTemp("", "extui-tmux")
	if err != nil {
		t.Fatal(err)
	}
	s := &Screen{dir, t, filepath.Join(dir, "socket")}
	t.Cleanup(func() {
		s.Tmux("kill-server")
		os.RemoveAll(dir)
	})
	env := opts.Env
	if env == nil {
		env = os.Environ()
	}
	args := []string{"-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "45"}
	if opts.Dir != "" {
		args = append(args, "-c", opts.Dir)
	}
	// The shell's own prompt must not look like anything that is waited for.
	s.run(append(env, "PS1=$ ", "LC_ALL=C.UTF-8"), append(args, "env PS1='$ ' sh")...)
	return s
}

// Tmux runs a command of tmux and returns what it prints.
func (s *Screen) Tmux(args ...string) string {
	s.t.Helper()
	return s.run(nil, args...)
}

func (s *Screen) run(env []string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// Keys presses keys as tmux names them; anything else is typed.
func (s *Screen) Keys(keys ...string) {
	s.t.Helper()
	s.Tmux(append([]string{"send-keys", "--"}, keys...)...)
}

// Wait returns once text is on the screen, or has scrolled off it.
func (s *Screen) Wait(text string) {
	s.t.Helper()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	late := time.After(patience)
	for {
		seen := s.Tmux("capture-pane", "-p", "-J", "-S", "-500")
		if strings.Contains(seen, text) {
			return
		}
		select {
		case <-ticker.C:
		case <-late:
			s.t.Fatalf("%q is not on the screen:\n%s", text, seen)
		}
	}
}

// Answer types an answer to the dialog that has all these texts on the screen, and
// looks at what it has marked before an Enter at its end.
func (s *Screen) Answer(texts []string, keys ...string) {
	s.t.Helper()
	for _, text := range texts {
		s.Wait(text)
	}
	<-time.After(reading)
	if n := len(keys) - 1; n > 0 && keys[n] == "Enter" {
		s.Keys(keys[:n]...)
		<-time.After(reading)
		keys = keys[n:]
	}
	s.Keys(keys...)
}
