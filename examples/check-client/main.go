// Check-client is a client of package client that "extui check client" can judge: the
// person at it is played by the package scenario/conformance/choices. It is what an
// adapter for a client of your own may look like, and the client that extui itself is
// judged by.
//
//	extui check client -- go run ./examples/check-client
//
// It starts pi, which is the checker then, or the command that it is given.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"extui/client"
	"extui/protocol"
	"extui/scenario/conformance/choices"
)

func main() {
	code, err := run(context.Background(), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "check-client:", err)
	}
	os.Exit(code)
}

// run talks to the agent until it has ended, or the person leaves.
func run(ctx context.Context, agent []string) (code int, err error) {
	person, err := choices.FromEnv(os.Getenv)
	if errors.Is(err, choices.ErrCannot) {
		return choices.ExitCannot, err
	}
	if err != nil {
		return 2, err
	}
	if len(agent) == 0 {
		agent = []string{"pi", "--mode", "rpc"}
	}
	leave := make(chan struct{}, 1)
	person.Stop = func() {
		select {
		case leave <- struct{}{}:
		default: // It leaves already.
		}
	}
	c, err := client.Start(ctx, client.Command{Path: agent[0], Args: agent[1:], Stderr: os.Stderr}, &client.Options{
		Frontend: frontend{person},
		OnDialog: func(e client.DialogEvent) {
			if e.Open {
				person.Asked(e.Key, e.Dialog)
			}
		},
		OnDiagnostic: func(d client.Diagnostic) { fmt.Fprintf(os.Stderr, "check-client: %s: %v\n", d.Kind, d.Err) },
	})
	if err != nil {
		return 1, err
	}
	ctx, cancel := context.WithCancel(ctx)
	talked := make(chan struct{})
	go func() {
		defer close(talked)
		talk(ctx, c, person.Commands)
	}()
	select {
	case <-c.Done():
	case <-leave:
	}
	err = c.Close(ctx)
	cancel()
	<-talked
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// talk sends the commands, each when the one before has its response. That one fails,
// as when the agent ends, is for the checker to judge.
func talk(ctx context.Context, c *client.Client, commands []choices.Command) {
	for _, command := range commands {
		var err error
		if command.Name == "new_session" {
			// Not Call: the client has to say again what it can do.
			_, err = c.NewSession(ctx)
		} else {
			var fields []protocol.Field
			for _, m := range command.Members {
				fields = append(fields, protocol.Field{Name: m.Name, Value: m.Value})
			}
			_, err = c.Call(ctx, command.Name, fields...)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "check-client: %s: %v\n", command.Name, err)
		}
	}
}

// frontend asks the person.
type frontend struct{ person *choices.Person }

// Ask implements [client.Frontend].
func (f frontend) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return f.person.Answer(ctx, client.DialogKey(ctx), d)
}

// Show implements [client.Frontend]. Nobody looks.
func (f frontend) Show(protocol.Update) {}

// Capabilities implements [client.Capable].
func (f frontend) Capabilities() protocol.Capabilities {
	return protocol.Capabilities{Questionnaire: true}
}
