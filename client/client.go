package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"extui/internal/crew"
	"extui/internal/jsonl"
	"extui/protocol"
)

const (
	// outputGrace is how long output is still read from after the agent's exit. A
	// process that it left behind may hold the pipe open for ever.
	outputGrace = time.Second
	// exitGrace is how long the exit status is waited for after the end of the
	// output, so that the end of a dialog can name it.
	exitGrace = 500 * time.Millisecond
)

var (
	errOutputEnded = errors.New("its output ended")
	errOutputHeld  = errors.New("another process holds its output open")
	errExitZero    = errors.New("it exited with code 0")
	errInputClosed = errors.New("its input is closed")
)

// Client is one agent. All methods may be called at once.
type Client struct {
	opts   Options
	front  Frontend // nil: none
	prefix string   // of the ids of commands; random, so that no UI id has it
	mirror *Mirror
	notes  relay[Diagnostic]
	out    *jsonl.Writer
	stdin  *agentInput
	source io.Reader
	proc   *process // nil after Attach
	read   reader   // belongs to the reading goroutine

	base     context.Context // for writes; ends with the client
	stopBase context.CancelFunc
	hurry    context.Context // ends when somebody who waits in Close will not wait longer
	hurryUp  context.CancelFunc
	unhook   func() bool // takes the client off the context of Start; set before run

	asks  crew.Crew // calls of Frontend.Ask, with the writing of their answers
	own   crew.Crew // everything else; ends soon after done
	sends crew.Crew // answers that are settled and not yet queued for writing

	subscribers atomic.Pointer[[]*subscriber] // replaced whole, under mu
	ohMyPi      atomic.Bool                   // the ready record has come
	lost        chan struct{}                 // closed when no response can come any more
	done        chan struct{}                 // closed when all is over; err is set before
	abandoned   chan struct{}                 // closed when the reader will not be waited for

	mu       sync.Mutex
	open     map[string]*dialog // those that are not settled, by ID.Key
	lastKey  uint64
	calls    map[protocol.ID]*call
	lastCall uint64
	unknown  map[string]bool // opt-in commands that the agent does not know
	counts   map[DiagnosticKind]Count
	reported map[reportKey]bool // in this session
	stopping bool               // set once
	gone     error              // matches ErrAgentGone; set once
	isLost   bool               // lost is closed
	stopErr  error              // what went wrong while stopping
	err      error              // for Err
}

type subscriber struct{ fn func([]byte) }

// Attach talks to an agent that runs already, reading its output from r and
// writing its input to w. Nothing else may use either. opts may be nil.
//
// The client ends when r does, or in [Client.Close], which closes w, and r if it
// does not end by itself, where these are io.Closers. A Close of r must then end
// a Read that is under way, as those of pipes and connections do.
func Attach(r io.Reader, w io.Writer, opts *Options) *Client {
	c := newClient(r, w, opts)
	c.run()
	return c
}

// Start starts an agent in a process group of its own and talks to it. When ctx
// ends the agent is stopped as by [Client.Close]. opts may be nil. An error is
// that of starting the process.
func Start(ctx context.Context, cmd Command, opts *Options) (*Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	p, err := startProcess(cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	c := newClient(p.stdout, p.stdin, opts)
	c.proc = p
	c.unhook = context.AfterFunc(ctx, c.beginStop)
	c.run()
	return c, nil
}

func newClient(r io.Reader, w io.Writer, opts *Options) *Client {
	c := &Client{
		unhook: func() bool { return false },
		prefix: "extui-" + rand.Text()[:8] + "-", mirror: newMirror(), source: r,
		lost: make(chan struct{}), done: make(chan struct{}), abandoned: make(chan struct{}),
		open: map[string]*dialog{}, calls: map[protocol.ID]*call{}, unknown: map[string]bool{},
		counts: map[DiagnosticKind]Count{}, reported: map[reportKey]bool{},
	}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Grace <= 0 {
		c.opts.Grace = defaultGrace
	}
	c.front = c.opts.Frontend
	c.notes.fn = func(d Diagnostic) {
		if c.opts.OnDiagnostic != nil {
			c.opts.OnDiagnostic(d)
		}
	}
	if fn := c.opts.OnDialog; fn != nil {
		c.mirror.Watch(func(ch Change) {
			if ch.Dialog != nil {
				fn(*ch.Dialog)
			}
		})
	}
	if c.opts.Subscribe != nil {
		c.subscribers.Store(&[]*subscriber{{c.opts.Subscribe}})
	}
	c.base, c.stopBase = context.WithCancel(context.Background())
	c.hurry, c.hurryUp = context.WithCancel(context.Background())
	c.stdin = &agentInput{w: w, failed: func(err error) { c.agentGone(fmt.Errorf("write to it: %w", err)) }}
	c.out = jsonl.NewWriter(c.stdin, nil)
	return c
}

// run starts the goroutines. The opt-in is queued first, so that no command of
// the caller comes before it.
func (c *Client) run() {
	c.optIn(c.base)
	reading := make(chan error, 1)
	c.own.Start(func() { reading <- c.readAll() })
	c.own.Start(func() { c.finish(c.await(reading)) })
}

// await waits for the end of the agent and returns what Err is to say.
func (c *Client) await(reading <-chan error) error {
	if c.proc == nil {
		select {
		case err := <-reading:
			return err
		case <-c.abandoned:
			return errOutputHeld
		}
	}
	p := c.proc
	select {
	case <-reading:
		c.hangUp()
		select {
		case <-p.exited:
			c.agentGone(p.reason())
		case <-after(exitGrace):
			// It runs and will never say anything again.
			c.agentGone(errOutputEnded)
			c.beginStop()
			<-p.exited
		}
	case <-p.exited:
		c.agentGone(p.reason())
		select {
		case <-reading:
		case <-after(outputGrace):
			p.stdout.Close() // ends the reading; its error says nothing new
		}
	}
	return p.err
}

// hangUp closes the agent's input after its output has ended, unless a dialog is
// open that it may still take the answer to: an agent that waits for the end of its
// input before it exits need not wait for exitGrace.
func (c *Client) hangUp() {
	c.mu.Lock()
	idle := len(c.open) == 0
	c.mu.Unlock()
	if !idle {
		return
	}
	c.own.Start(func() {
		ctx, cancel := context.WithTimeout(c.base, exitGrace)
		defer cancel()
		if c.sends.Wait(ctx) == nil && c.out.Flush(ctx) == nil {
			_ = c.stdin.Close() // one that has exited meanwhile makes it fail
		}
	})
}

// finish lets go of everything. It runs once, at the end.
func (c *Client) finish(err error) {
	reason := err
	if reason == nil {
		reason = errOutputEnded
	}
	c.agentGone(reason)
	c.loseCalls()
	c.unhook()
	c.stopBase()
	// The context is over: what nobody will read is dropped. The error is that of
	// a write to an agent that is gone.
	_ = c.out.Close(c.base)
	_ = c.stdin.Close()
	if c.proc != nil {
		c.proc.stdout.Close()
	}
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	close(c.done)
}

// Done is closed when the agent is gone: its output has been read to its end
// and, after [Start], the process has exited. No dialog is open then and no
// [Client.Call] waits.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err returns why the agent ended: nil before Done is closed, for exit code 0,
// and when the output that was attached to has ended; an [*ExitError]; or the
// wrapped error of reading.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Mirror returns the mirror of the agent's UI. It is never nil and can be read
// after the end as well.
func (c *Client) Mirror() *Mirror { return c.mirror }

// Subscribe calls fn with every record that is neither an extension_ui_request
// nor the response to one of this client's commands: the agent's events, and
// what else it writes. They come in order, one at a time, as the agent wrote
// them; nobody has checked that they are valid JSON to their end. The slice is
// valid during the call only.
//
// fn is called by the goroutine that reads the agent and must not block, nor
// wait for a [Client.Call]. stop ends the calls; one that is under way may
// still be. Records that came before are not repeated; [Options.Subscribe] gets
// them all.
func (c *Client) Subscribe(fn func(record []byte)) (stop func()) {
	s := &subscriber{fn}
	c.changeSubscribers(func(all []*subscriber) []*subscriber { return append(all, s) })
	return func() {
		c.changeSubscribers(func(all []*subscriber) []*subscriber {
			kept := all[:0]
			for _, x := range all {
				if x != s {
					kept = append(kept, x)
				}
			}
			return kept
		})
	}
}

// changeSubscribers replaces the list by what change makes of a copy of it.
func (c *Client) changeSubscribers(change func([]*subscriber) []*subscriber) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*subscriber
	if old := c.subscribers.Load(); old != nil {
		all = append(all, *old...)
	}
	all = change(all)
	c.subscribers.Store(&all)
}

func (c *Client) publish(record []byte) {
	if all := c.subscribers.Load(); all != nil {
		for _, s := range *all {
			s.fn(record)
		}
	}
}

// agentGone ends every open dialog, and after a moment every call, because the
// agent cannot be reached any more. Only the first reason counts.
func (c *Client) agentGone(reason error) {
	c.mu.Lock()
	if c.gone == nil {
		c.gone = fmt.Errorf("%w: %w", ErrAgentGone, reason)
		for _, d := range c.open {
			c.settle(d, nil, c.gone)
		}
		// Responses may still be in the pipe: an agent that answers and exits at
		// once has answered.
		c.own.Start(func() {
			select {
			case <-c.lost:
			case <-after(outputGrace):
				c.loseCalls()
			}
		})
	}
	c.mu.Unlock()
	c.mirror.out.drain()
}

func (c *Client) loseCalls() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isLost {
		c.isLost = true
		close(c.lost)
	}
}

// after is time.After by its own name, so that the places which wait for a
// fixed time can be found.
func after(d time.Duration) <-chan time.Time { return time.After(d) }

// agentInput is the agent's standard input. It tells the client at once when
// writing fails, for nobody might write again.
type agentInput struct {
	w      io.Writer
	failed func(error)
	once   sync.Once
	closed atomic.Bool
}

func (in *agentInput) Write(b []byte) (int, error) {
	n, err := in.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil && !in.closed.Load() {
		in.failed(err)
	}
	return n, err
}

// Close closes the stream once, where it can be closed.
func (in *agentInput) Close() (err error) {
	in.once.Do(func() {
		in.closed.Store(true)
		if c, ok := in.w.(io.Closer); ok {
			err = c.Close()
		}
	})
	return err
}
