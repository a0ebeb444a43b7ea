package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/scenario/conformance/choices"
)

// asked is a dialog that the agent has sent, read as loosely as a client may.
type asked struct {
	Type      string         `json:"type"`
	Method    string         `json:"method"`
	Title     any            `json:"title"`
	Prefill   any            `json:"prefill"`
	Options   jsontext.Value `json:"options"`
	Questions []struct {
		Question string `json:"question"`
		Options  []struct {
			Label string `json:"label"`
		} `json:"options"`
	} `json:"questions"`

	choice choices.Choice
	came   time.Time
	at     time.Time // when the person has chosen
	shown  bool
}

func (a *asked) title() string {
	if len(a.Questions) > 0 {
		return a.Questions[0].Question
	}
	s, _ := a.Title.(string)
	return s
}

// index is the option that the person chooses; -1 if there is no such.
func (a *asked) index() int {
	var options []jsontext.Value
	_ = json.Unmarshal(a.Options, &options, jsontext.AllowInvalidUTF8(true)) // None if it is no list.
	if i := a.choice.Option; i != nil {
		return *i
	}
	return slices.IndexFunc(options, func(o jsontext.Value) bool {
		var s string
		return a.choice.Value != nil && json.Unmarshal(o, &s, jsontext.AllowInvalidUTF8(true)) == nil && s == *a.choice.Value
	})
}

// typist is a person at a client that runs in a terminal: it sees the screen, and types
// what EXTUI_CHOICES says. That dialogs come it learns from the tap on the agent.
type typist struct {
	person *choices.Person
	tap    string
	read   int // bytes of the tap
	open   []*asked
	over   time.Time // when the agent's output ended
	screen *os.File
	client *os.Process

	mu      sync.Mutex
	text    []byte // what was printed
	changed time.Time
}

const (
	// glance is how often the typist looks.
	glance = 10 * time.Millisecond
	// still is how long a screen that is complete stays as it is.
	still = 70 * time.Millisecond
)

// style is how one client is driven.
type style interface {
	// start is the client's command line. dir has a node that is the agent, with a tap.
	start(dir, agent string) (argv []string, err error)
	// ready reports whether the client takes keys, and commands at first.
	ready(t *typist) bool
	// tell types a command, false if that cannot be done.
	tell(t *typist, c choices.Command) bool
	// act types what is due, with the screen still. Called again and again.
	act(t *typist)
	// leave leaves the client, as its user would.
	leave(t *typist)
}

// can are the needs of rules that a style can do.
func drive(ctx context.Context, s style, can []string, agent string) (int, error) {
	for need := range strings.SplitSeq(os.Getenv(choices.NeedsVariable), ",") {
		if need != "" && !slices.Contains(can, need) {
			return choices.ExitCannot, nil
		}
	}
	person, err := choices.FromEnv(os.Getenv)
	if err != nil {
		return 2, err
	}
	dir, err := os.MkdirTemp("", "extui-typist")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	t := &typist{person: person, tap: filepath.Join(dir, "tap")}
	if err := asNode(dir, agent, t.tap); err != nil {
		return 1, err
	}
	argv, err := s.start(dir, agent)
	if err != nil {
		return 1, err
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "TERM=xterm-256color", "EDITOR=", "VISUAL=")
	if _, plain := s.(*plainStyle); plain {
		cmd.Env = append(cmd.Env, "TERM=dumb")
	}
	if t.screen, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 160}); err != nil {
		return 1, fmt.Errorf("start %s: %w", argv[0], err)
	}
	defer t.screen.Close()
	t.client = cmd.Process
	ended := make(chan struct{})
	go func() {
		t.watch()
		close(ended)
	}()
	t.work(s, person.Commands, ended)
	t.screen.Close()
	err = cmd.Wait()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		err = nil // How it ends is not judged.
	}
	os.Stdout.Write(lastOf(t.printed()))
	return 0, err
}

// work types until the client has ended.
func (t *typist) work(s style, commands []choices.Command, ended <-chan struct{}) {
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	ready := false
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
		}
		t.listen()
		if !ready {
			if ready = s.ready(t); ready {
				for _, c := range commands {
					if !s.tell(t, c) {
						fmt.Fprintf(os.Stderr, "cannot tell the client %q\n", c.Name)
					}
				}
				// Nobody has read a dialog before it could be seen.
				for _, a := range t.open {
					a.came = time.Time{} // It is on the screen.
					a.at = time.Now().Add(time.Duration(a.choice.After) * time.Millisecond)
				}
			}
			continue
		}
		for _, a := range t.open {
			if a.choice.Stop && !time.Now().Before(a.at) {
				s.leave(t)
				<-ended
				return
			}
		}
		s.act(t)
	}
}

// listen reads the dialogs that have come.
func (t *typist) listen() {
	text, err := os.ReadFile(t.tap)
	if err != nil {
		return // Not yet.
	}
	for {
		line, _, whole := bytes.Cut(text[t.read:], []byte("\n"))
		if !whole {
			return
		}
		t.read += len(line) + 1
		if string(line) == tapEnd {
			t.over = time.Now()
		}
		a := &asked{came: time.Now()}
		if json.Unmarshal(line, a, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil || a.Type != "extension_ui_request" {
			continue
		}
		if slices.Contains([]string{"select", "confirm", "input", "editor", "questionnaire"}, a.Method) {
			a.choice = t.person.Take(a.title())
			a.at = a.came.Add(time.Duration(a.choice.After) * time.Millisecond)
			t.open = append(t.open, a)
		}
	}
}

// watch reads the screen until the client has ended.
func (t *typist) watch() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.screen.Read(buf)
		t.mu.Lock()
		if n > 0 {
			t.text, t.changed = append(t.text, buf[:n]...), time.Now()
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// printed is what the client has printed.
func (t *typist) printed() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text
}

// isStill reports whether the screen has been as it is for a while.
func (t *typist) isStill() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.changed) >= still
}

// shows reports whether the screen has changed since a dialog came, or had the time.
func (t *typist) shows(a *asked) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed.After(a.came) || time.Since(a.came) > 10*still
}

// keys types keys, one after the other.
func (t *typist) keys(all ...string) {
	for _, k := range all {
		_, _ = t.screen.WriteString(k) // A client that has ended takes none.
		time.Sleep(glance)
	}
}

func lastOf(b []byte) []byte { return b[max(0, len(b)-2000):] }
