package demo

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/client"
	"extui/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person answers dialogs by a function and keeps the notifications.
type person struct {
	ask func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error)

	mu    sync.Mutex
	notes []string
}

func (p *person) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return p.ask(ctx, d)
}

func (p *person) Show(u protocol.Update) {
	if n, ok := u.(*protocol.Notify); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.notes = append(p.notes, n.Message)
	}
}

func (p *person) heard() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.notes, "\n")
}

// start joins the demo agent and a client for p in memory, and takes both down
// after the test.
func start(t *testing.T, p *person, subscribe func([]byte)) *client.Client {
	t.Helper()
	agentIn, clientOut := io.Pipe()
	clientIn, agentOut := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- agent.New(NewHost(), nil).Serve(context.Background(), agentIn, agentOut)
		agentOut.Close()
	}()
	c := client.Attach(clientIn, clientOut, &client.Options{Frontend: p, Subscribe: subscribe})
	t.Cleanup(func() {
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c
}

// answers returns a front end that gives the same answer to everything.
func answers(a protocol.Answer, err error) *person {
	return &person{ask: func(context.Context, protocol.Dialog) (protocol.Answer, error) { return a, err }}
}

// Only the very text Allow opens the gate.
func TestGateFailsClosed(t *testing.T) {
	for name, test := range map[string]struct {
		who    *person
		passes bool
	}{
		"allow":              {answers(protocol.Value("Allow"), nil), true},
		"block":              {answers(protocol.Value("Block"), nil), false},
		"almost":             {answers(protocol.Value("allow"), nil), false},
		"yes":                {answers(protocol.Confirmed(true), nil), false},
		"dismissed":          {answers(protocol.Cancelled{}, nil), false},
		"nothing":            {answers(nil, nil), false},
		"front end fails":    {answers(nil, errors.New("no screen")), false},
		"allow with failure": {answers(protocol.Value("Allow"), errors.New("no screen")), false},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, test.who, nil)
			result, err := c.CallTool(t.Context(), "bash", jsontext.Value(`{"command":"rm -rf build"}`))
			if err != nil {
				t.Fatal(err)
			}
			ran := strings.Contains(result.Text(), "nothing was run")
			if ran != test.passes || result.IsError == test.passes {
				t.Errorf("isError %t, result %q", result.IsError, result.Text())
			}
		})
	}
}

// An input without its command is an error that names the field, at the gate and
// behind it.
func TestMissingCommand(t *testing.T) {
	for _, input := range []string{`{}`, `{"Command":"ls"}`, `{"command":null}`} {
		c := start(t, answers(protocol.Value("Allow"), nil), nil)
		result, err := c.CallTool(t.Context(), "bash", jsontext.Value(input))
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Text(); !result.IsError || !strings.Contains(text, `"command"`) || strings.Contains(text, "nothing was run") {
			t.Errorf("%s: isError %t, result %q", input, result.IsError, text)
		}
		if _, err := bash().Execute(nil, jsontext.Value(input)); !errors.Is(err, errNoCommand) {
			t.Errorf("%s: the tool gives %v", input, err)
		}
	}
}

func TestGateAborted(t *testing.T) {
	asked := make(chan struct{})
	c := start(t, &person{ask: func(ctx context.Context, _ protocol.Dialog) (protocol.Answer, error) {
		close(asked)
		<-ctx.Done()
		return protocol.Value("Allow"), nil // Too late to mean anything.
	}}, nil)
	go func() {
		<-asked
		if err := c.Abort(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	result, err := c.CallTool(t.Context(), "bash", jsontext.Value(`{"command":"sudo ls"}`))
	if err != nil {
		t.Fatal(err)
	}
	if !result.IsError {
		t.Errorf("an aborted gate let the tool run: %q", result.Text())
	}
}

func TestSessionStaysUnlessConfirmed(t *testing.T) {
	for name, test := range map[string]struct {
		who    *person
		leaves bool
	}{
		"yes":       {answers(protocol.Confirmed(true), nil), true},
		"no":        {answers(protocol.Confirmed(false), nil), false},
		"dismissed": {answers(protocol.Cancelled{}, nil), false},
		"text":      {answers(protocol.Value("yes"), nil), false},
		"fails":     {answers(nil, errors.New("no screen")), false},
	} {
		t.Run(name, func(t *testing.T) {
			cancelled, err := start(t, test.who, nil).NewSession(t.Context())
			if err != nil || cancelled == test.leaves {
				t.Errorf("cancelled %t, %v", cancelled, err)
			}
		})
	}
}

// Each command says which outcome it got.
func TestOutcomesAreToldApart(t *testing.T) {
	never := &person{ask: func(ctx context.Context, _ protocol.Dialog) (protocol.Answer, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}
	for _, test := range []struct {
		command string
		who     *person
		want    string
	}{
		{"/select", answers(protocol.Value("None"), nil), "You chose None."},
		{"/select", answers(protocol.Cancelled{}, nil), "You dismissed the question."},
		{"/confirm", answers(protocol.Confirmed(true), nil), "You said yes."},
		{"/confirm", answers(protocol.Confirmed(false), nil), "You said no."},
		{"/confirm", answers(protocol.Cancelled{}, nil), "You dismissed the question."},
		{"/input", answers(protocol.Value(""), nil), `You typed "".`},
		{"/editor", answers(protocol.Value("a\nb"), nil), `You wrote 2 lines: "a\nb".`},
		{"/timeout 0.01", never, "The time ran out."},
		{"/timeout", answers(protocol.Confirmed(true), nil), "You answered in time: true."},
	} {
		c := start(t, test.who, nil)
		if d, err := c.Prompt(t.Context(), test.command); err != nil || d != client.Handled {
			t.Errorf("%s: %q, %v", test.command, d, err)
		}
		if got := test.who.heard(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.command, got, test.want)
		}
	}
}

func TestReplyStreamsAndStops(t *testing.T) {
	pieces := make(chan string, 100)
	over := make(chan bool, 1)
	c := start(t, answers(nil, nil), func(record []byte) {
		event, err := client.DecodeEvent(record)
		if err != nil {
			t.Error(err)
		}
		switch e := event.(type) {
		case client.TextDelta:
			pieces <- e.Text
		case client.AgentSettled:
			over <- e.Aborted
		}
	})
	if d, err := c.Prompt(t.Context(), "hi"); err != nil || d != client.Started {
		t.Fatalf("%q, %v", d, err)
	}
	if aborted := <-over; aborted {
		t.Error("the answer says that it was aborted")
	}
	if n := len(pieces); n < 10 {
		t.Errorf("the answer came in %d pieces", n)
	}

	// The handler has told the end of its answer before it has returned.
	for {
		state, err := c.GetState(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !state.IsStreaming {
			break
		}
	}
	if _, err := c.Prompt(t.Context(), "hi again"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := c.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	if aborted := <-over; !aborted {
		t.Errorf("an aborted answer went on to its end, for %v", time.Since(began))
	}
}
