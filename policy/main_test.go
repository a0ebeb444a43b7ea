package policy

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"extui/protocol"
)

// TestMain lets the test binary be the command of a rule: what it does is its first
// argument.
func TestMain(m *testing.M) {
	if os.Getenv("EXTUI_POLICY_TEST_COMMAND") == "1" {
		os.Exit(testCommand(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

func testCommand(args []string) int {
	input, _ := io.ReadAll(os.Stdin)
	switch args[0] {
	case "print":
		fmt.Print(args[1])
	case "fail": // after an answer
		fmt.Print(args[1])
		fmt.Fprintln(os.Stderr, "it did not work")
		return 3
	case "crash":
		fmt.Print(args[1])
		_ = os.Stdout.Sync()
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		select {}
	case "hang":
		fmt.Print(args[1])
		r, w, _ := os.Pipe()
		_, _ = r.Read(make([]byte, 1)) // which nobody writes
		w.Close()
	case "flood":
		fmt.Print(args[1], strings.Repeat(" ", maxCommandOutput))
	case "echo":
		fmt.Printf(`{"value":%s}`, protocol.AppendString(nil, string(input)+os.Getenv("EXTUI_SESSION")+"|"+os.Getenv("EXTUI_RULE")))
	}
	return 0
}

// self is the test binary as a command of a rule, in YAML.
func self(t *testing.T, args ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var quoted []string
	for _, a := range append([]string{exe}, args...) {
		quoted = append(quoted, string(protocol.AppendString(nil, a)))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// commandEnv makes the test binary be a command, which does not wait for the race detector
// at its end.
func commandEnv() []string {
	return append(os.Environ(), "EXTUI_POLICY_TEST_COMMAND=1", "GORACE=atexit_sleep_ms=0")
}

func mustParse(t *testing.T, text string) *Rules {
	t.Helper()
	r, err := Parse("p.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// log takes the decisions of a front end.
type decisions struct {
	mu  sync.Mutex
	all []Decision
}

func (l *decisions) add(d Decision) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, d)
}

func (l *decisions) list() []Decision {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func (l *decisions) last(t *testing.T) Decision {
	t.Helper()
	all := l.list()
	if len(all) == 0 {
		t.Fatal("no decision was reported")
	}
	return all[len(all)-1]
}

// nextFunc is a next front end that answers with a function.
type nextFunc func(context.Context, protocol.Dialog) (protocol.Answer, error)

func (f nextFunc) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return f(ctx, d)
}

func (nextFunc) Show(protocol.Update) {}

// person is a next front end that the test plays, and that can show everything.
type person struct {
	answer  chan protocol.Answer
	deaf    bool // it does not heed the end of its context
	mu      sync.Mutex
	causes  []error
	dropped []protocol.Answer
	shown   []protocol.Update
	caps    protocol.Capabilities
	limits  []time.Time
}

func (p *person) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	deadline, _ := ctx.Deadline()
	p.mu.Lock()
	p.limits = append(p.limits, deadline)
	p.mu.Unlock()
	done := ctx.Done()
	if p.deaf {
		done = nil
	}
	select {
	case a := <-p.answer:
		return a, nil
	case <-done:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.causes = append(p.causes, context.Cause(ctx))
		return nil, ctx.Err()
	}
}

func (p *person) Show(u protocol.Update) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = append(p.shown, u)
}

func (p *person) Capabilities() protocol.Capabilities { return p.caps }

func (p *person) Dropped(_ protocol.Dialog, a protocol.Answer, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped = append(p.dropped, a)
}

// ask puts one dialog to the rules of a file.
func ask(t *testing.T, text string, d protocol.Dialog) (protocol.Answer, Decision) {
	t.Helper()
	var log decisions
	f := New(mustParse(t, text), &Options{OnDecision: log.add, Env: commandEnv(), Session: "s"})
	a, err := f.Ask(t.Context(), d)
	if err != nil {
		t.Fatalf("ask: %v", err)
	}
	return a, log.last(t)
}

func confirm(title, message string) *protocol.Confirm {
	return &protocol.Confirm{ID: protocol.StringID("c"), Title: title, Message: &message}
}

func choose(title string, options ...string) *protocol.Select {
	return &protocol.Select{ID: protocol.StringID("s"), Title: title, Options: protocol.Options(options...)}
}

func input(title string) *protocol.Input {
	return &protocol.Input{ID: protocol.StringID("i"), Title: title}
}

// decode reads a dialog as an agent writes it.
func decode(t *testing.T, members string) protocol.Dialog {
	t.Helper()
	r, err := protocol.DecodeRequest([]byte(`{"type":"extension_ui_request","id":"x",` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return r.(protocol.Dialog)
}
