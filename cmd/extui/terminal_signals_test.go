//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// signal sends the program, which is the shell's only child, a signal.
func (s *screen) signal(name string) {
	s.t.Helper()
	pane := strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_pid}"))
	if out, err := exec.Command("pkill", "-"+name, "-P", pane).CombinedOutput(); err != nil {
		s.t.Fatalf("pkill: %v\n%s", err, out)
	}
}

// visible waits for a text that is on the screen at this moment while another is
// not.
func (s *screen) visible(text, gone string) {
	s.t.Helper()
	ticker := time.NewTicker(30 * time.Millisecond)
	defer ticker.Stop()
	late := time.After(20 * time.Second)
	for {
		seen := s.tmux("capture-pane", "-p")
		if strings.Contains(seen, text) && !strings.Contains(seen, gone) {
			return
		}
		select {
		case <-ticker.C:
		case <-late:
			s.t.Fatalf("the screen does not show %q without %q:\n%s", text, gone, seen)
		}
	}
}

// Where no shell would continue the program, ctrl+z says so, and nothing hangs:
// keys go on to work, and signals to end it.
func TestTerminalUINowhereToSuspend(t *testing.T) {
	for name, command := range map[string]string{
		"alone":                   "exec extui run --dialect pi -- cat",
		"in the group of a shell": "extui run --dialect pi -- cat; exit $?",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, "sh", "-c", command)
			cmd.Env = append(cmd.Environ(), "TERM=xterm-256color")
			terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close()
			out := make(chan []byte, 1000)
			go func() {
				defer close(out)
				for {
					b := make([]byte, 4096)
					n, err := terminal.Read(b)
					if err != nil {
						return
					}
					out <- b[:n]
				}
			}()
			var seen []byte
			wait := func(text string) {
				t.Helper()
				late := time.After(20 * time.Second)
				for !bytes.Contains(seen, []byte(text)) {
					select {
					case b, ok := <-out:
						if !ok {
							t.Fatalf("ended without %q:\n%q", text, seen)
						}
						seen = append(seen, b...)
					case <-late:
						t.Fatalf("there is no %q in\n%q", text, seen)
					}
				}
			}
			press := func(keys string) {
				t.Helper()
				if _, err := terminal.WriteString(keys); err != nil {
					t.Fatal(err)
				}
			}
			wait("for commands")
			press("\x1a")
			wait("cannot suspend here")
			press("qwertz")
			wait("z")
			if name == "alone" {
				press("\x1a")
				if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			} else {
				press("\x03\x03")
			}
			began := time.Now()
			for range out {
			}
			_ = cmd.Wait() // The code is looked at below.
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if code := cmd.ProcessState.ExitCode(); code != 143 && code != 130 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// A program that is told to dump its core, or does so for a bug, gives the terminal
// back before.
func TestTerminalUIQuitSignals(t *testing.T) {
	for _, name := range []string{"QUIT", "ABRT"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := longScreen(t)
			before := s.title()
			s.runWith("", request+`"id":"c","method":"confirm","title":"Sure?"}`)
			s.wait("Sure?")
			s.signal(name)
			s.wait("\nexit code 2")
			s.restored()
			raw := s.file("raw")
			left := bytes.LastIndex(raw, []byte("\x1b[?1049l"))
			if left < 0 || bytes.Contains(raw[left:], []byte("\x1b[?1049h")) {
				t.Error("the alternate screen was not left")
			}
			if dump := bytes.Index(raw, []byte("SIG"+name)); dump < left {
				t.Errorf("what the signal does came at %d, before the screen was left at %d", dump, left)
			}
			if got := s.title(); got != before {
				t.Errorf("the terminal's title is %q afterwards, want %q", got, before)
			}
		})
	}
}

// A stop from outside gives the terminal back, and fg draws everything anew.
func TestTerminalUIStoppedFromOutside(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	s.runWith("", request+`"id":"a","method":"confirm","title":"Alpha?"}`, request+`"id":"b","method":"confirm","title":"Beta?"}`)
	s.wait("Alpha?")
	s.signal("TSTP")
	s.wait("Stopped")
	s.keys("stty -a > "+s.dir+"/stopped; echo look; fg; stty -a > "+s.dir+"/after; echo all over", "Enter")
	s.answer("Alpha?", "Right", "Enter")
	s.got(`"id":"a","confirmed":true`)
	if before, got := s.file("before"), s.file("stopped"); !bytes.Equal(sizeless(before), sizeless(got)) {
		t.Errorf("the terminal was not given back:\nbefore:\n%s\nstopped:\n%s", before, got)
	}
	s.wait("Beta?")
	// Nobody can give the terminal back for this one, but take it again.
	s.signal("STOP")
	s.visible("(signal)", "garbage")
	// The shell has the terminal in the program's mode, where Enter ends no line.
	s.keys("stty sane; echo garbage; fg; stty -a > "+s.dir+"/after; echo all over", "C-j")
	s.visible("Beta?", "garbage")
	s.answer("Beta?", "Right", "Enter")
	s.got(`"id":"b","confirmed":true`)
	s.keys("C-d")
	s.wait("\nall over")
	if before, got := s.file("before"), s.file("after"); !bytes.Equal(sizeless(before), sizeless(got)) {
		t.Errorf("the terminal was not given back:\nbefore:\n%s\nafter:\n%s", before, got)
	}
}

// Ctrl-C in an editor that lets the terminal send signals is the editor's: the
// dialog stays.
func TestTerminalUIInterruptInEditor(t *testing.T) {
	t.Parallel()
	s := longScreen(t)
	editor := fmt.Sprintf("#!/bin/sh\ntrap 'touch %[1]s/interrupted' INT\necho editing\nuntil [ -f %[1]s/interrupted ]; do sleep 0.1; done\nsleep 0.3\nsed -i s/old/new/ \"$1\"\n", s.dir)
	if err := os.WriteFile(filepath.Join(s.dir, "editor"), []byte(editor), 0o755); err != nil {
		t.Fatal(err)
	}
	s.keys("EDITOR="+s.dir+"/editor; export EDITOR", "Enter")
	s.runWith("", request+`"id":"e","method":"editor","title":"Edit this","prefill":"old"}`)
	s.answer("Edit this", "C-e")
	s.wait("editing")
	s.keys("C-c")
	s.visible("new", "editing")
	s.answer("Edit this", "C-s")
	s.got(`"id":"e","value":"new"`)
	s.quit(0)
}

// The last two print what the program is doing, for which the terminal is given back.
func TestTerminalAfterSignal(t *testing.T) {
	for name, code := range map[string]string{"TERM": "143", "QUIT": "2", "ABRT": "2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := longScreen(t)
			s.begin()
			s.keys("/confirm", "Enter")
			s.wait("y/n>")
			s.signal(name)
			s.wait("\nexit code " + code)
			s.restored()
		})
	}
}
