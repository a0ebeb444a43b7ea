// Package faulty is extui's agent with one deliberate fault: a layer between it and the
// client, or between it and its extension, that spoils what passes. The extension has
// the commands of the conformance suite's probe, in Go.
//
// The layer has three goroutines: one reads the client, one the agent, and one serves.
// What the first two share is guarded by layer.mu, which is held while a fault spoils a
// line.
package faulty

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// Fault is one thing that an agent does wrong. The zero Fault is none.
type Fault struct {
	Name string
	// Rule is the id of the rule that is to catch it.
	Rule string
	// Says goes on from "an agent that".
	Says string

	// begin writes to the agent before the client does.
	begin func(l *layer)
	// chunk spoils what one read of the client gave.
	chunk func(b []byte) []byte
	// hear spoils a line of the client, without its line end; nil drops it, and
	// several are separated by line feeds.
	hear func(l *layer, line []byte) []byte
	// say spoils a line to the client in the same way.
	say func(l *layer, line []byte) []byte
	// finish is called at the end of the client's input.
	finish func(l *layer)
	// asks changes a dialog that is about to be asked; given are its options.
	asks func(d protocol.Dialog, given value)
	// ends is how long a dialog with these options waits, whatever the client is told;
	// 0 is for good.
	ends func(given value) time.Duration
	// late opens dialogs whose time is over.
	late bool
	// gives is what a dialog gives its extension, "" for what it should.
	gives func(l *layer, e *ended) string
	// calls are what calls give, by method, instead of being made.
	calls map[string]string
	// instead makes a call in its place, if it returns true.
	instead func(ctx *extension.Context, method string, args []value) bool
	// gate decides about a tool, given what its question gave and how it failed.
	gate func(choice string, err error) (allowed bool, failed error)
	// args changes what a command is given.
	args func(string) string
	// exit changes the exit code.
	exit func(code int) int

	// tellsAtOnce lets /probe-all tell of a call before it makes the next; otherDescription
	// describes the probe's commands in words of its own. Neither breaks a rule.
	tellsAtOnce, otherDescription bool

	asksAborted, noSignals, noShutdown, noStart, wantsLF, lateInput bool
}

// ended is a dialog that is over.
type ended struct {
	method string
	dialog protocol.Dialog
	answer protocol.Answer // nil if there is none
	err    error           // why not
	said   record          // the last response of the client, nil if there was none
}

// Named returns the fault of that name; "" is none.
func Named(name string) (*Fault, error) {
	if name == "" {
		return &Fault{}, nil
	}
	for _, f := range Faults() {
		if f.Name == name {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no fault %q; --list names them", name)
}

// Faults are all there are. They share nothing with those of another call.
func Faults() []*Fault {
	return slices.Concat(
		framingFaults(), notJSONFaults(), requestFaults(), answerFaults(), settleFaults(), dialogFaults(), openFaults(), updateFaults(),
		degradedFaults(), commandFaults(), errorFaults(), lifeFaults(), toolFaults(),
	)
}

// Variations are what an agent with the probe built in may do otherwise than one that
// loads probe.ts. No rule is to catch them.
func Variations() []*Fault {
	return []*Fault{
		{Name: "tells-at-once", Says: "tells of a call before it makes the next", tellsAtOnce: true},
		{Name: "other-descriptions", Says: "describes the probe's commands in its own words", otherDescription: true},
	}
}

// Process is what an agent is started with.
type Process struct {
	Fault   *Fault
	Dialect string // atomic or pi
	Getenv  func(string) string
	In      io.Reader
	Out     io.Writer
	Stderr  io.Writer
	// Signals are the names of those that come: TERM or HUP.
	Signals <-chan string
}

// layer is what stands between the client and the agent.
type layer struct {
	fault   *Fault
	toAgent *io.PipeWriter
	stop    context.CancelCauseFunc
	over    <-chan struct{} // closed when it is to end
	started chan struct{}   // closed when session_start has ended

	mu   sync.Mutex
	out  io.Writer
	dead bool // nothing more is written
	code int
	open []record // dialogs without an answer, in the order in which they were asked
	said record   // the last answer
	// Of the faults.
	n     int
	kept  [][]byte
	seen  map[string]bool
	ready bool
}

var errExit = errors.New("it exits")

// signalled is why it ends when a signal comes.
type signalled string

func (s signalled) Error() string { return string(s) }

// Run is the agent until its input ends, a signal comes, ctx ends or the fault ends it.
// It returns the exit code. The goroutine that reads In is left behind, and ends with
// it.
func Run(ctx context.Context, p *Process) int {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	toAgentR, toAgent := io.Pipe()
	fromAgent, fromAgentW := io.Pipe()
	l := &layer{fault: p.Fault, toAgent: toAgent, stop: stop, over: ctx.Done(), started: make(chan struct{}), out: p.Out, seen: map[string]bool{}}
	var id atomic.Int64
	a := agent.New(extension.NewHost(newProbe(l, p), extension.Questions(false)), &agent.Options{
		Dialect: agent.Dialect(p.Dialect),
		NewID:   func() string { return "id-" + strconv.FormatInt(id.Add(1), 10) },
	})
	var writing sync.WaitGroup
	writing.Go(func() { l.writeAll(fromAgent) })
	go l.readAll(p.In)
	watched := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case name := <-p.Signals:
			stop(signalled(name))
		case <-done:
		}
	}()
	err := a.Serve(ctx, toAgentR, fromAgentW)
	close(done)
	<-watched
	fromAgentW.Close()
	writing.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	code := l.code
	if s, ok := errors.AsType[signalled](err); ok {
		code = map[string]int{"TERM": 143, "HUP": 129}[string(s)]
	}
	if p.Fault.exit != nil {
		code = p.Fault.exit(code)
	}
	return code
}

// readAll passes on what the client writes, spoiled, to its end.
func (l *layer) readAll(in io.Reader) {
	if l.fault.begin != nil {
		l.fault.begin(l)
	}
	if l.fault.lateInput {
		<-l.started
	}
	var begun []byte
	buf := make([]byte, 1<<20)
	for {
		n, err := in.Read(buf)
		b := buf[:n]
		if l.fault.chunk != nil {
			b = l.fault.chunk(slices.Clone(b))
		}
		begun = append(begun, b...)
		for {
			line, rest, whole := bytes.Cut(begun, []byte("\n"))
			if !whole {
				break
			}
			l.hear(line)
			begun = rest
		}
		if err != nil {
			break
		}
	}
	if len(begun) > 0 && !l.fault.wantsLF {
		l.hear(begun)
	}
	if l.fault.finish != nil {
		l.fault.finish(l)
	}
	l.toAgent.Close()
}

// hear passes on one line of the client.
func (l *layer) hear(line []byte) {
	l.mu.Lock()
	heard := slices.Clone(line)
	if l.fault.hear != nil {
		heard = l.fault.hear(l, heard)
	}
	for one := range bytes.SplitSeq(heard, []byte("\n")) {
		if r := parse(one); r.answer() {
			l.said = r
			l.settled(r)
		}
	}
	l.mu.Unlock()
	if heard != nil {
		l.feed(heard)
	}
}

// feed writes a line to the agent. l.mu is not held.
func (l *layer) feed(line []byte) {
	// The agent has ended if this fails.
	_, _ = l.toAgent.Write(append(line, '\n'))
}

// settled forgets a dialog that has been answered. l.mu is held.
func (l *layer) settled(answer record) {
	l.open = slices.DeleteFunc(l.open, func(d record) bool { return d.is("id", string(answer.get("id"))) })
}

// writeAll passes on what the agent writes, spoiled, to its end.
func (l *layer) writeAll(from io.Reader) {
	var begun []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		begun = append(begun, buf[:n]...)
		for {
			line, rest, whole := bytes.Cut(begun, []byte("\n"))
			if !whole {
				break
			}
			l.mu.Lock()
			l.write(line)
			l.mu.Unlock()
			begun = rest
		}
		if err != nil {
			return
		}
	}
}

// write passes on one line of the agent. l.mu is held.
func (l *layer) write(line []byte) {
	if r := parse(line); r.dialog() {
		l.open = append(l.open, r)
	}
	said := slices.Clone(line)
	if l.fault.say != nil {
		said = l.fault.say(l, said)
	}
	if said != nil {
		l.say(string(said))
	}
}

// say writes a line to the client. l.mu is held.
func (l *layer) say(line string) {
	if !l.dead {
		// A client that has gone is noticed by reading.
		_, _ = io.WriteString(l.out, line+"\n")
	}
}

// exit ends the process: nothing more is written. l.mu is held.
func (l *layer) exit(code int) {
	if !l.dead {
		l.dead, l.code = true, code
		l.stop(errExit)
	}
}

// refuse answers a line as one that is no JSON. l.mu is held.
func (l *layer) refuse() {
	l.say(`{"type":"response","command":"parse","success":false,"error":"Failed to parse command: it is no good"}`)
}

// isOpen reports whether a dialog of that id, as JSON, waits for an answer. l.mu is held.
func (l *layer) isOpen(id string) bool {
	return slices.ContainsFunc(l.open, func(d record) bool { return d.is("id", id) })
}

// given is what a dialog gives its extension, as the probe shows it.
func (l *layer) given(e *ended) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.err != nil {
		// It ended by itself, so that no answer is of any use.
		title := string(quote(e.dialog.DialogTitle()))
		if i := slices.IndexFunc(l.open, func(d record) bool { return d.is("title", title) }); i >= 0 {
			l.open = slices.Delete(l.open, i, i+1)
		}
	}
	e.said = l.said
	if l.fault.gives != nil {
		if s := l.fault.gives(l, e); s != "" {
			return s
		}
	}
	switch a := e.answer.(type) {
	case protocol.Value:
		// JavaScript has no bytes that are no text.
		return string(bytes.ToValidUTF8(quote(string(a)), []byte("\uFFFD")))
	case protocol.Confirmed:
		return strconv.FormatBool(bool(a))
	}
	if e.method == "confirm" {
		return "false"
	}
	return "undefined"
}
