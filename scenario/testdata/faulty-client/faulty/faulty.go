// Package faulty is the client of examples/check-client with one deliberate fault: a
// layer between package client and the agent, or between it and the person, that
// spoils what passes.
package faulty

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"extui/client"
	"extui/protocol"
	"extui/scenario/conformance/choices"
)

// Fault is one thing that a client does wrong.
type Fault struct {
	Name string
	// Rule is the id of the rule that is to catch it.
	Rule string
	Says string

	// chunk spoils what one read of the agent's output gave.
	chunk func([]byte) []byte
	// hear spoils a line of the agent, without its line end; nil drops it.
	hear func(s *layer, line []byte) []byte
	// say spoils a line to the agent, without its line end.
	say func(s *layer, line []byte) []byte
	// ask stands between the client and the person.
	ask func(ctx context.Context, s *layer, d protocol.Dialog, next ask) (protocol.Answer, error)
	// end stands where the client ends: the agent is gone, or the person leaves.
	end func(ctx context.Context, s *layer, leaves bool)
	// wantsLF drops a last line that no LF ends; holdsInput never closes the agent's.
	wantsLF, holdsInput bool
}

type ask func() (protocol.Answer, error)

// Named returns the fault of that name; "" is none.
func Named(name string) (*Fault, error) {
	if name == "" {
		return &Fault{}, nil
	}
	i := slices.IndexFunc(Faults, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no fault %q; --list names them", name)
	}
	return &Faults[i], nil
}

// lastWords is how long an agent that has ended its output may still be answered.
const lastWords = 100 * time.Millisecond

// layer is what stands between the client and the agent.
type layer struct {
	fault *Fault
	w     io.WriteCloser

	mu    sync.Mutex
	begun []byte // of a line to the agent
	// Of the faults.
	n       int
	dead    bool // nothing more is heard
	deaf    bool // and nothing more is read
	ids     map[string]bool
	kept    [][]byte
	records map[string]record
	answers map[string]protocol.Answer
	// dropAnswers: no dialog is answered any more.
	dropAnswers bool
}

// Run talks to the agent that writes to r and reads from w, with that fault, until the
// agent has ended or the person leaves; getenv is [os.Getenv], usually. It closes w.
func Run(ctx context.Context, f *Fault, getenv func(string) string, r io.Reader, w io.WriteCloser) error {
	person, err := choices.FromEnv(getenv)
	if err != nil {
		w.Close()
		return err
	}
	leave := make(chan struct{}, 1)
	person.Stop = func() {
		select {
		case leave <- struct{}{}:
		default: // It leaves already.
		}
	}
	s := &layer{fault: f, w: w, ids: map[string]bool{}, records: map[string]record{}, answers: map[string]protocol.Answer{}}
	heard, feed := io.Pipe()
	var reading sync.WaitGroup
	reading.Go(func() { feed.CloseWithError(s.read(r, feed)) })
	c := client.Attach(heard, s, &client.Options{
		Frontend: &frontend{person, s},
		OnDialog: func(e client.DialogEvent) {
			if e.Open {
				person.Asked(e.Key, e.Dialog)
			}
		},
	})
	ctx, cancel := context.WithCancel(ctx)
	var talking sync.WaitGroup
	talking.Go(func() { talk(ctx, c, person.Commands) })
	leaves := false
	select {
	case <-c.Done():
	case <-leave:
		leaves = true
	}
	if f.end != nil {
		f.end(ctx, s, leaves)
	}
	err = c.Close(ctx)
	cancel()
	talking.Wait()
	reading.Wait()
	return err
}

func talk(ctx context.Context, c *client.Client, commands []choices.Command) {
	for _, command := range commands {
		if command.Name == "new_session" {
			// That it fails is for the rules to find.
			_, _ = c.NewSession(ctx)
			continue
		}
		var fields []protocol.Field
		for _, m := range command.Members {
			fields = append(fields, protocol.Field{Name: m.Name, Value: m.Value})
		}
		_, _ = c.Call(ctx, command.Name, fields...)
	}
}

// read passes on what the agent writes, spoiled, to its end.
func (s *layer) read(r io.Reader, w *io.PipeWriter) error {
	f := s.fault
	var begun []byte
	buf := make([]byte, 4<<10)
	for {
		s.mu.Lock()
		deaf := s.deaf
		s.mu.Unlock()
		if deaf {
			return nil
		}
		n, err := r.Read(buf)
		b := buf[:n]
		if f.chunk != nil {
			b = f.chunk(b)
		}
		if f.hear == nil {
			if _, werr := w.Write(b); werr != nil {
				_, _ = io.Copy(io.Discard, r) // The client has had enough.
				return err
			}
		} else {
			begun = append(begun, b...)
			for {
				line, rest, ended := bytes.Cut(begun, []byte("\n"))
				if !ended {
					break
				}
				begun = rest
				s.pass(w, line, "\n")
			}
			if err != nil && len(begun) > 0 && !f.wantsLF {
				s.pass(w, begun, "")
			}
		}
		if err == io.EOF {
			// A client that has started its agent may still answer what the agent has
			// said last, and one that is attached may not.
			if !f.wantsLF {
				_, _ = w.Write([]byte("\n"))
			}
			time.Sleep(lastWords)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// pass gives a line to the client, unless the fault drops it.
func (s *layer) pass(w io.Writer, line []byte, end string) {
	s.mu.Lock()
	line = s.fault.hear(s, line)
	dead := s.dead
	s.mu.Unlock()
	if line != nil && !dead {
		_, _ = w.Write(append(slices.Clone(line), end...)) // The client may have had enough.
	}
}

// Write takes what the client sends to the agent.
func (s *layer) Write(b []byte) (int, error) {
	if s.fault.say == nil {
		return s.w.Write(b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = append(s.begun, b...)
	for {
		line, rest, ended := bytes.Cut(s.begun, []byte("\n"))
		if !ended {
			return len(b), nil
		}
		s.begun = slices.Clone(rest)
		if line = s.fault.say(s, line); line == nil {
			continue
		}
		if _, err := s.w.Write(append(slices.Clone(line), '\n')); err != nil {
			return 0, err
		}
	}
}

// Close ends the agent's input.
func (s *layer) Close() error {
	if s.fault.holdsInput {
		return nil
	}
	return s.w.Close()
}

// tell sends a line of the fault's own. s.mu may be held.
func (s *layer) tell(line []byte) {
	_, _ = s.w.Write(append(slices.Clone(line), '\n')) // An agent that is gone hears nothing.
}

type frontend struct {
	person *choices.Person
	layer  *layer
}

func (f *frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	next := func() (protocol.Answer, error) { return f.person.Answer(ctx, client.DialogKey(ctx), d) }
	if spoil := f.layer.fault.ask; spoil != nil {
		return spoil(ctx, f.layer, d, next)
	}
	return next()
}

func (f *frontend) Show(protocol.Update) {}

func (f *frontend) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true}
}
