package scenario

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"extui/internal/jsonl"
)

// Options are the choices of a play. The zero value, and nil, has none.
type Options struct {
	// Step is called as each step ends, in the goroutine that plays. It may be nil.
	Step func(StepResult)
	// Update accepts what comes in a step's place if it is a record of the same kind.
	// [Report.Update] then gives the file that expects it.
	Update bool
}

// dialog is a request of the agent that was passed on.
type dialog struct {
	name     string // of the step, or ""
	id       value
	record   value
	answered bool
}

// command is a record of the client that an agent responds to.
type command struct {
	name, kind string
	id         value // kind null if it has none
	response   *arrival
	heard      bool // we are the client, and its response has come
	stated     bool // a step states the response
	owed       bool // we are the agent and have not responded
}

// player plays one scenario once. All of it belongs to the goroutine of play, but
// for the inbox and the wire.
type player struct {
	ctx      context.Context
	s        *Scenario
	me       Role
	peer     Peer
	opts     Options
	start    time.Time
	vars     map[string]value
	dialogs  []*dialog
	commands []*command
	nevers   []*step
	rounds   map[*step]string // how an update would write them
	ids      int
	in       inbox
	out      *jsonl.Writer
	begun    []byte         // the line that bytes have begun
	writing  sync.WaitGroup // writers of bytes
	closed   bool           // we have closed our side
	leaving  bool           // we are an agent that exits
	ended    bool           // the other end has
	runs     int            // of the agent that were announced and have not begun

	mu     sync.Mutex // guards report.Wire
	report *Report
}

// TestAgent plays the client against an agent and judges it. It blocks until the
// agent has ended, and stops it if need be.
func (s *Scenario) TestAgent(ctx context.Context, agent *Peer, opts *Options) *Report {
	return s.play(ctx, Client, agent, opts)
}

// PlayAgent plays the agent for a client and judges that. It blocks until the
// conversation is over, and then waits for the client to close its side, no longer
// than a step may take.
func (s *Scenario) PlayAgent(ctx context.Context, client *Peer, opts *Options) *Report {
	return s.play(ctx, Agent, client, opts)
}

func (s *Scenario) play(ctx context.Context, me Role, peer *Peer, opts *Options) *Report {
	p := &player{
		ctx: ctx, s: s, me: me, peer: *peer, start: time.Now(), vars: map[string]value{}, rounds: map[*step]string{},
		in: newInbox(), out: jsonl.NewWriter(peer.In, nil),
		report: &Report{Scenario: s},
	}
	if opts != nil {
		p.opts = *opts
	}
	if p.report.Err = s.CheckRole(me); p.report.Err == nil {
		p.converse(ctx)
	} else {
		p.stop()
		p.closeOut()
		p.exited()
	}
	p.report.Elapsed = time.Since(p.start)
	return p.report
}

func (p *player) converse(ctx context.Context) {
	var reading sync.WaitGroup
	reading.Go(func() {
		p.in.fill(p.peer.Out, func(a arrival) { p.wire(p.me.other(), a.raw) })
	})
	interrupted := context.AfterFunc(ctx, p.stop)
	good := p.run(p.s.steps)
	if good && p.report.Kill == "" {
		good = p.finish()
	}
	if p.me == Client {
		// A client is not ours to end: it sees the end of our output.
		if !good || !p.ended {
			p.stop()
		}
		p.closeOut()
		reading.Wait()
		p.awaitWriting()
		if exit, known := p.exited(); known && good && p.ended && exit.Stopped && ctx.Err() == nil {
			p.fail(nil, "%s", p.stayed())
		}
	} else {
		p.closeOut()
		p.stop()
		reading.Wait()
		p.awaitWriting()
	}
	interrupted()
	if err := context.Cause(ctx); err != nil {
		p.report.Err = fmt.Errorf("play %s: %w", p.s.File, err)
	}
}

// awaitWriting waits for writers of bytes, whose stream is closed. One that even that
// does not interrupt, as on a standard output, is left to the end of the process.
func (p *player) awaitWriting() {
	done := make(chan struct{})
	go func() {
		p.writing.Wait()
		close(done)
	}()
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

func (p *player) stop() {
	if p.peer.Stop != nil {
		p.peer.Stop()
	}
}

// closeOut ends what we send, once.
func (p *player) closeOut() {
	if p.closed {
		return
	}
	p.closed = true
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// An end that is gone has been noticed where it matters: by reading.
	_ = p.out.Close(ctx)
	_ = p.peer.In.Close()
}

func (p *player) wire(from Role, raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Wire = append(p.report.Wire, WireLine{From: from, Text: string(raw), At: time.Since(p.start)})
}

func (p *player) wireBytes(from Role, raw []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Wire = append(p.report.Wire, WireLine{From: from, Text: string(raw), At: time.Since(p.start), Bytes: true})
}

// result reports one step and says whether to go on.
func (p *player) result(st *step, status Status, differ []Difference, format string, args ...any) bool {
	r := StepResult{Status: status, Differ: differ, At: time.Since(p.start), Text: "end of the conversation"}
	if st != nil {
		r.Line, r.Text = st.at.Line, st.String()
	}
	if format != "" {
		r.Message = fmt.Sprintf(format, args...)
	}
	p.report.Steps = append(p.report.Steps, r)
	if p.opts.Step != nil {
		p.opts.Step(r)
	}
	return status != Failed
}

func (p *player) fail(st *step, format string, args ...any) bool {
	return p.result(st, Failed, nil, format, args...)
}

// run plays steps in order and stops at the first failure.
func (p *player) run(steps []*step) bool {
	for _, st := range steps {
		if !p.do(st) {
			return false
		}
		if p.report.Kill != "" {
			return true
		}
	}
	return true
}

func (p *player) do(st *step) bool {
	switch st.kind {
	case repeat:
		outer, had := p.vars["n"]
		for n := range st.count {
			p.vars["n"] = value{kind: number, text: fmt.Sprint(n + 1)}
			if !p.run(st.steps) {
				return false
			}
		}
		if had {
			p.vars["n"] = outer
		}
		return true
	case pause:
		return p.sleep(st)
	case never:
		return p.forbid(st)
	case anyOrder:
		if st.steps[0].who == p.me {
			return p.run(st.steps)
		}
		return p.expectAll(st)
	}
	switch {
	case st.verb.action:
		return p.act(st)
	case st.who == p.me:
		return p.say(st, nil)
	default:
		return p.expect(st, nil)
	}
}

// act does what is no record, or waits for the other end to do it.
func (p *player) act(st *step) bool {
	if st.who != p.me {
		return p.expectEnd(st)
	}
	switch st.name {
	case "close":
		p.closeOut()
	case "exit":
		p.leaving = true
		fmt.Sscan(st.main.text, &p.report.ExitCode)
		p.closeOut()
	case "kill":
		if p.me == Agent {
			p.report.Kill = st.main.text
			break
		}
		if p.peer.Signal == nil {
			return p.fail(st, "this agent is no process and gets no signals")
		}
		if err := p.peer.Signal(st.main.text); err != nil {
			return p.fail(st, "%v", err)
		}
	}
	return p.result(st, OK, nil, "")
}

// expectEnd waits for the end of what the other end sends.
func (p *player) expectEnd(st *step) bool {
	if p.me == Agent {
		p.settle() // The client may wait for that before it goes.
	}
	deadline := p.deadline(st)
	for !p.ended {
		a, ok, ended := p.take(deadline)
		switch {
		case ok:
			if why := p.unexpected(a); why != "" {
				return p.surprise(st, nil, a, why)
			}
		case ended:
			p.ended = true
		default:
			return p.fail(st, "the %s has not ended within %v", st.who, p.patience(st))
		}
	}
	exit, known := p.exited()
	if p.me == Agent || !known {
		return p.result(st, OK, nil, "")
	}
	if exit.Stopped {
		return p.fail(st, "%s", p.stayed())
	}
	if want := st.main.text; st.name == "exit" && want != fmt.Sprint(exit.Code) {
		return p.result(st, Failed, []Difference{{Path: "exit code", Want: want, Got: fmt.Sprint(exit.Code)}}, "the agent ended otherwise: %s", exit.Reason)
	}
	return p.result(st, OK, nil, "")
}

// stayed says of an agent that it had to be stopped.
func (p *player) stayed() string {
	return fmt.Sprintf("the agent has closed its output, but did not end within %v, and was stopped", p.s.Within)
}

// exited waits for the end of the peer's process, and ends it if it stays although
// it has nothing more to say.
func (p *player) exited() (Exit, bool) {
	if p.peer.Wait == nil {
		return Exit{}, false
	}
	timer := time.AfterFunc(p.s.Within, p.stop)
	defer timer.Stop()
	exit := p.peer.Wait()
	p.peer.Wait = nil
	return exit, true
}

func (p *player) patience(st *step) time.Duration {
	if st != nil && st.within > 0 {
		return st.within
	}
	return p.s.Within
}

func (p *player) deadline(st *step) time.Time { return time.Now().Add(p.patience(st)) }

// forbid keeps a step from coming: for a time, or from here on.
func (p *player) forbid(st *step) bool {
	if st.within == 0 {
		p.nevers = append(p.nevers, st)
		return p.result(st, OK, nil, "")
	}
	p.nevers = append(p.nevers, st)
	defer func() { p.nevers = slices.DeleteFunc(p.nevers, func(n *step) bool { return n == st }) }()
	deadline := p.deadline(st)
	for {
		a, ok, _ := p.take(deadline)
		if !ok {
			return p.result(st, OK, nil, "")
		}
		if why := p.unexpected(a); why != "" {
			return p.surprise(st, nil, a, why)
		}
	}
}
