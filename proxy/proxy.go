package proxy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"extui/client"
	"extui/internal/jsonl"
	"extui/protocol"
)

// Stream is one side of the proxy: In takes what is sent to it, Out gives what it
// says.
type Stream struct {
	In  io.WriteCloser
	Out io.Reader
}

// Knows says which requests a client understands.
type Knows int

// What clients know.
const (
	// KnowsPi is a client of pi or Atomic: the nine methods in pi's document, and
	// what the client opts in to.
	KnowsPi Knows = iota
	// KnowsOhMyPi is one of oh-my-pi, which adds ask, cancel and open_url.
	KnowsOhMyPi
)

// Options are the choices of a proxy. The zero value passes everything that a
// client of pi knows, and walks questionnaires.
type Options struct {
	// Rules makes the front end that is asked first; next asks the client. It is
	// called once, by New. nil: the client is asked.
	//
	// What the agent says after a dialog waits until Ask of that front end returns or
	// asks next, so that the client reads everything in the agent's order. One that
	// takes its time calls decided first, which lets the rest pass.
	Rules func(next client.Frontend, decided func(protocol.Dialog)) client.Frontend
	// Client says what the client knows. What it does not know is mapped to what it
	// does, or answered for it: an unknown dialog is cancelled.
	Client Knows
	// PassQuestionnaires passes questionnaires as they are instead of walking them
	// as plain dialogs, and asks the agent for nothing.
	PassQuestionnaires bool
	// DialogTimeout is after how long a dialog without a timeout is cancelled. 0:
	// never. The client is told, with the timeout in the request.
	DialogTimeout time.Duration
	// Report is told in words what did not pass, and what was cancelled for another
	// reason than a rule. It may be called by several goroutines at once. It may be
	// nil.
	Report func(error)
	// ClientGone is called once when the client has stopped reading. The agent's
	// input has ended then; who started the agent sees that it ends. It must not
	// block, and may be nil.
	ClientGone func()
}

// ErrClientGone matches the error of [Proxy.Run] when the client stopped reading
// while the agent still had something to say.
var ErrClientGone = errors.New("the client is gone")

// errClientClosed ends what is open when the client closes its side.
var errClientClosed = errors.New("the client has closed its side")

// errTimeout ends a dialog by DialogTimeout; unlike an agent's own timeout, that
// must be answered.
var errTimeout = errors.New("no answer within the time that --dialog-timeout gives")

// Proxy is one agent and its client. Make it with [New] and run it once.
type Proxy struct {
	opts     Options
	rules    client.Frontend // nil: none
	prefix   string          // of our ids
	agent    Stream
	client   gate
	fromUser io.Reader
	toAgent  *jsonl.Writer
	work     sync.WaitGroup // of open dialogs
	base     context.Context
	end      context.CancelCauseFunc
	// responses counts the commands whose responses are watched for, so that none is
	// looked at otherwise.
	responses atomic.Int64

	mu       sync.Mutex
	lastID   int
	open     map[protocol.ID]*dialog
	walked   map[protocol.ID]*question
	optIns   map[protocol.ID]bool  // our commands, under way
	resets   map[protocol.ID]bool  // commands of the client that may turn capabilities off
	refused  bool                  // the agent knows no capabilities
	can      protocol.Capabilities // what the client has opted in to itself
	draining bool                  // the agent's input has ended
}

// New returns a proxy between an agent and a client. It reads and writes nothing
// yet. opts may be nil.
func New(agent, user Stream, opts *Options) *Proxy {
	p := &Proxy{
		prefix: "extui-proxy-" + rand.Text()[:10] + "-", agent: agent, client: gate{w: user.In}, fromUser: user.Out,
		open: map[protocol.ID]*dialog{}, walked: map[protocol.ID]*question{},
		optIns: map[protocol.ID]bool{}, resets: map[protocol.ID]bool{},
	}
	if opts != nil {
		p.opts = *opts
	}
	if p.opts.Rules != nil {
		p.rules = p.opts.Rules(asker{p}, p.decided)
	}
	return p
}

// Run passes everything until the agent's output ends, and then returns. Every
// dialog is over then. When ctx ends, open dialogs are cancelled and the agent's
// input is closed; Run still waits for the end of its output.
//
// The error is nil unless reading the agent fails or the client stops reading,
// see [ErrClientGone].
func (p *Proxy) Run(ctx context.Context) error {
	p.base, p.end = context.WithCancelCause(context.WithoutCancel(ctx))
	p.toAgent = jsonl.NewWriter(p.agent.In, nil)
	stop := context.AfterFunc(ctx, func() { p.closeAgent(client.ErrStopped) })
	p.optIn()
	go p.readClient()
	err := p.readAgent()
	stop()
	p.end(client.ErrAgentGone)
	p.work.Wait()
	p.closeAgent(client.ErrAgentGone)
	return err
}

func (p *Proxy) report(format string, args ...any) {
	if p.opts.Report != nil {
		p.opts.Report(fmt.Errorf(format, args...))
	}
}

// newID makes an id that nobody else has.
func (p *Proxy) newID() protocol.ID {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastID++
	return protocol.StringID(fmt.Sprint(p.prefix, p.lastID))
}

// send writes a line to the agent. A write that fails is noticed where it counts:
// the agent is gone, and its output ends.
func (p *Proxy) send(line []byte) { _ = p.toAgent.Write(p.base, line) }

// closeAgent cancels what is open and ends the agent's input, once.
func (p *Proxy) closeAgent(why error) {
	p.mu.Lock()
	if p.draining {
		p.mu.Unlock()
		return
	}
	p.draining = true
	open := make([]*dialog, 0, len(p.open))
	for _, e := range p.open {
		open = append(open, e)
	}
	p.mu.Unlock()
	for _, e := range open {
		e.cancel(why)
		p.settle(e, protocol.Cancelled{}, nil)
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	// What an agent that is gone, or does not read, has not taken is lost with it.
	_ = p.toAgent.Close(ctx)
	_ = p.agent.In.Close()
}

// closeGrace is how long an agent is waited for that does not read its last
// records.
const closeGrace = 2 * time.Second

// gate lets one writer at a time through to the client, with whole lines.
type gate struct {
	mu sync.Mutex
	w  io.Writer
}

func (g *gate) write(p []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.w.Write(p)
	return err
}
