package proxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"extui/client"
	"extui/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ends are the two programs at a proxy, each played by the test.
type ends struct {
	t           *testing.T
	agentSays   *io.PipeWriter
	agentReads  *bufio.Reader
	clientSays  *io.PipeWriter
	clientReads *bufio.Reader
	clientEnd   *io.PipeReader

	mu      sync.Mutex
	reports []string
	result  chan error
	stop    context.CancelFunc
}

// start runs a proxy. quiet options walk nothing, so that the agent reads only what
// the client says.
func start(t *testing.T, opts Options) *ends {
	e := &ends{t: t, result: make(chan error, 1)}
	agentOut, agentSays := io.Pipe()
	agentEnd, agentIn := io.Pipe()
	clientOut, clientSays := io.Pipe()
	clientEnd, clientIn := io.Pipe()
	e.agentSays, e.agentReads = agentSays, bufio.NewReader(agentEnd)
	e.clientSays, e.clientReads, e.clientEnd = clientSays, bufio.NewReader(clientEnd), clientEnd
	opts.Report = func(err error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.reports = append(e.reports, err.Error())
	}
	p := New(Stream{agentIn, agentOut}, Stream{clientIn, clientOut}, &opts)
	ctx, stop := context.WithCancel(t.Context())
	e.stop = stop
	go func() {
		e.result <- p.Run(ctx)
		clientIn.Close()
	}()
	t.Cleanup(func() {
		stop()
		clientSays.Close()
		agentSays.Close()
		clientEnd.Close()
		agentEnd.Close()
	})
	return e
}

// says writes lines, each with its LF.
func says(t *testing.T, w io.Writer, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Fatalf("write %s: %v", line, err)
		}
	}
}

func (e *ends) agent(lines ...string)  { e.t.Helper(); says(e.t, e.agentSays, lines...) }
func (e *ends) client(lines ...string) { e.t.Helper(); says(e.t, e.clientSays, lines...) }

func line(t *testing.T, who string, r *bufio.Reader) string {
	t.Helper()
	got, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("%s reads %q and then: %v", who, got, err)
	}
	return strings.TrimSuffix(got, "\n")
}

// clientGets reads the next line and compares it; so does agentGets.
func (e *ends) clientGets(want string) {
	e.t.Helper()
	if got := line(e.t, "the client", e.clientReads); got != want {
		e.t.Errorf("the client gets %s, want %s", got, want)
	}
}

func (e *ends) agentGets(want string) {
	e.t.Helper()
	if got := line(e.t, "the agent", e.agentReads); got != want {
		e.t.Errorf("the agent gets %s, want %s", got, want)
	}
}

// ended ends the agent, and returns how Run did.
func (e *ends) ended() error {
	e.agentSays.Close()
	return <-e.result
}

func (e *ends) reported(part string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(strings.Join(e.reports, "\n"), part)
}

// rule is a front end that answers what its function does not pass on.
type rule struct {
	answer func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error)
	shown  func(protocol.Update)
}

func (r rule) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return r.answer(ctx, d)
}

func (r rule) Show(u protocol.Update) {
	if r.shown != nil {
		r.shown(u)
	}
}

// rules makes a function of a dialog and the client the rules.
func rules(f func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error)) func(client.Frontend, func(protocol.Dialog)) client.Frontend {
	return func(next client.Frontend, _ func(protocol.Dialog)) client.Frontend {
		return rule{answer: func(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) { return f(ctx, d, next) }}
	}
}

// asking are options whose rules ask the client.
func asking() Options {
	return Options{PassQuestionnaires: true, Rules: rules(
		func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
			return next.Ask(ctx, d)
		})}
}

var errRule = errors.New("no such rule")
