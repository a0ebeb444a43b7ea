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
// says. The agent's In is closed by [Proxy.Run], the client's never.
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
	// Rules makes the front end that is asked first; next asks the client, once for a
	// dialog. It is called once, by New. nil: the client is asked. If the front end is
	// a [client.Dropped], it is told which of its answers were not sent, and if it is a
	// [client.Unasked], of the dialogs that are cancelled without it.
	//
	// What the agent says after a dialog waits until Ask of that front end returns or
	// asks next, so that the client reads everything in the agent's order. One that
	// takes its time calls decided first, which lets the rest pass. Likewise what the
	// client says after its answer waits for Ask to return.
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
	// MaxRecord is the most bytes that one record of the agent or of the client may have. A
	// longer one is dropped, and nothing else; a dialog whose request or answer it was is
	// cancelled. 0: no limit. A negative value is a programmer's error.
	MaxRecord int
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
var errTimeout error = timeoutError{}

// timeoutError is a [client.Answered].
type timeoutError struct{}

func (timeoutError) Error() string { return "no answer within the time that --dialog-timeout gives" }

// Answer says that nobody has refused anything.
func (timeoutError) Answer() protocol.Answer { return protocol.Cancelled{TimedOut: true} }

// Proxy is one agent and its client. Make it with [New] and run it once.
type Proxy struct {
	opts     Options
	rules    client.Frontend // nil: none
	agent    Stream
	client   gate
	fromUser io.Reader
	toAgent  *jsonl.Writer
	work     sync.WaitGroup // what goes on beside the two readers, open dialogs above all
	base     context.Context
	end      context.CancelCauseFunc
	closed   chan struct{} // closed once the agent's input is
	deaf     sync.Once     // reports that the agent takes no input
	// responses counts the commands whose responses are watched for, so that none is
	// looked at otherwise.
	responses atomic.Int64

	// The goroutine that reads the agent alone has these.
	parts  parts  // of a record that comes in several lines
	trims  bool   // the agent shortens what is too long for it, and says so
	failed error  // the client is gone
	held   []byte // lines of the agent to be written next

	mu   sync.Mutex
	open map[string]*dialog // by the key of the agent's id
	// faces are those of them that the client may answer, by the key of the id that it
	// knows.
	faces map[string]*dialog
	// shown are the ids of the dialogs that the client has got and not answered, by the
	// key of the one that it knows. It may still answer one that is over.
	shown    map[string]shownAs
	walked   map[string]*question // by the key of our id
	optIns   map[protocol.ID]bool // our commands, under way
	resets   map[protocol.ID]bool // commands of the client that may turn capabilities off
	refused  bool                 // the agent knows no capabilities
	can      capabilities         // what the client has opted in to itself
	draining bool                 // the agent's input ends
	tail     []byte               // the last line of the client, if it has no line end
}

// New returns a proxy between an agent and a client. It reads and writes nothing
// yet. opts may be nil. It panics if opts.MaxRecord is negative.
func New(agent, user Stream, opts *Options) *Proxy {
	p := &Proxy{
		agent: agent, client: gate{w: user.In}, fromUser: user.Out, closed: make(chan struct{}),
		open: map[string]*dialog{}, faces: map[string]*dialog{}, shown: map[string]shownAs{}, walked: map[string]*question{},
		optIns: map[protocol.ID]bool{}, resets: map[protocol.ID]bool{},
	}
	if opts != nil {
		p.opts = *opts
	}
	if p.opts.MaxRecord < 0 {
		panic(fmt.Sprintf("proxy: negative MaxRecord %d", p.opts.MaxRecord))
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
	p.optIn(p.send) // Before anything that the client says.
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

// newID makes an id that nobody else has, nor can foresee.
func newID() protocol.ID { return protocol.StringID("extui-proxy-" + rand.Text()) }

// send writes a line to the agent. It blocks while the agent does not read.
func (p *Proxy) send(line []byte) {
	err := p.toAgent.Write(p.base, line)
	if err != nil && p.base.Err() == nil && !errors.Is(err, jsonl.ErrClosed) {
		p.deaf.Do(func() { p.report("what is said to the agent is lost: %w", err) })
	}
}

// sendAside is send for who reads the agent and must not wait for it.
func (p *Proxy) sendAside(line []byte) { p.work.Go(func() { p.send(line) }) }

// closeAgent ends what is open and then the agent's input. It returns when that is
// done, whoever began it.
func (p *Proxy) closeAgent(why error) {
	p.mu.Lock()
	first := !p.draining
	p.draining = true
	open := make([]*dialog, 0, len(p.open))
	for _, e := range p.open {
		open = append(open, e)
	}
	p.mu.Unlock()
	if !first {
		<-p.closed
		return
	}
	defer close(p.closed)
	ctx := p.base
	if why != errClientClosed {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), closeGrace)
		defer cancel()
	}
	for _, e := range open {
		e.cancel(why)
	}
	for _, e := range open {
		select {
		case <-e.over: // and its cancellation is on its way
		case <-ctx.Done():
		}
	}
	// What an agent that is gone, or does not read, has not taken is lost with it.
	if p.toAgent.Close(ctx) == nil {
		p.writeTail(ctx)
	}
	_ = p.agent.In.Close()
}

// writeTail writes the last line of the client if it has no line end. Nobody else
// writes to the agent any more.
func (p *Proxy) writeTail(ctx context.Context) {
	p.mu.Lock()
	tail := p.tail
	p.mu.Unlock()
	if len(tail) == 0 {
		return
	}
	// An agent that does not read ends the write when it ends.
	stop := context.AfterFunc(ctx, func() { _ = p.agent.In.Close() })
	defer stop()
	if _, err := p.agent.In.Write(tail); err != nil && p.base.Err() == nil {
		p.deaf.Do(func() { p.report("what is said to the agent is lost: %w", err) })
	}
}

// closeGrace is how long an agent is waited for that does not read its last
// records when the proxy or its client has ended. A client that has closed its side
// in good order has said what the agent shall read, however late.
const closeGrace = 2 * time.Second

// gate lets one writer at a time through to the client, with whole lines.
type gate struct {
	mu sync.Mutex
	w  io.Writer
	// cut says that what was written last has no line end: it was the agent's last
	// word, and what came behind it would be taken for a part of it.
	cut bool
}

// write returns an error that matches [ErrClientGone], or [client.ErrAgentGone] behind
// the agent's last word.
func (g *gate) write(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cut {
		return fmt.Errorf("write to the client: %w", client.ErrAgentGone)
	}
	g.cut = p[len(p)-1] != '\n'
	if _, err := g.w.Write(p); err != nil {
		return fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return nil
}
