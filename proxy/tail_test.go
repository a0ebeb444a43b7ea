package proxy

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"extui/client"
	"extui/protocol"
)

// last writes a line without its LF as the client's last, and returns all that the
// agent reads then.
func (e *ends) last(line string) string {
	e.t.Helper()
	go func() {
		io.WriteString(e.clientSays, line)
		e.clientSays.Close()
	}()
	got, err := io.ReadAll(e.agentReads)
	if err != nil {
		e.t.Errorf("the agent reads: %v", err)
	}
	return string(got)
}

// A last line without its LF passes without one, like everything else.
func TestClientsUnterminatedLine(t *testing.T) {
	for _, last := range []string{`{"type":"abort"}`, `{"type":"prom`, "no record", " ", "\r", `{"type":"abort"}` + "\r"} {
		e := start(t, asIs)
		if got := e.last(last); got != last {
			t.Errorf("the agent reads %q, want %q", got, last)
		}
		if err := e.ended(); err != nil {
			t.Error(err)
		}
	}
}

// What the proxy itself still says stands before it, and does not run together with it.
func TestClientsUnterminatedLineComesLast(t *testing.T) {
	asked := make(chan struct{})
	opts := asIs
	opts.Rules = rules(func(ctx context.Context, d protocol.Dialog, next client.Frontend) (protocol.Answer, error) {
		if d.DialogTitle() == "Other?" {
			return next.Ask(ctx, d)
		}
		close(asked)
		<-ctx.Done()
		return protocol.Confirmed(true), nil
	})
	other := strings.NewReplacer("d1", "d2", "Sure?", "Other?").Replace(confirm)
	otherYes := strings.Replace(yes, "d1", "d2", 1)
	for _, last := range []string{`{"type":"abort"}`, otherYes} {
		asked = make(chan struct{})
		e := start(t, opts)
		e.agent(other)
		e.clientGets(other)
		e.agent(confirm)
		<-asked
		if got, want := e.last(last), cancelled+"\n"+last; got != want {
			t.Errorf("the agent reads %q, want %q", got, want)
		}
		if err := e.ended(); err != nil {
			t.Error(err)
		}
	}
}

// An answer in it is one, and is looked at like any other.
func TestClientsUnterminatedAnswer(t *testing.T) {
	for name, opts := range map[string]Options{"no rules": asIs, "rules": asking()} {
		for last, want := range map[string]string{
			yes: yes,
			`{"type":"extension_ui_response","id":"d2","confirmed":true}`:                 "",
			`{"type":"x","type":"extension_ui_respons\u0065","id":"d1","confirmed":true}`: "",
			yes[:len(yes)-1]: "",
		} {
			t.Run(name, func(t *testing.T) {
				e := start(t, opts)
				e.agent(confirm)
				e.clientGets(confirm)
				if got := e.last(last); got != want {
					t.Errorf("the agent reads %q, want %q", got, want)
				}
				if err := e.ended(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A command to which the proxy adds is still one without an LF.
func TestClientsUnterminatedCapabilities(t *testing.T) {
	e := start(t, Options{})
	line(t, "the agent", e.agentReads)
	got := e.last(`{"type":"set_extension_ui_capabilities","dismiss":true}`)
	if want := `{"type":"set_extension_ui_capabilities","dismiss":true,"questionnaire":true}`; got != want {
		t.Errorf("the agent reads %q, want %q", got, want)
	}
	e.ended()
}

// An agent that ends without reading it holds nothing up.
func TestClientsUnterminatedLineIsNotRead(t *testing.T) {
	e := start(t, asIs)
	io.WriteString(e.clientSays, `{"type":"abort"}`)
	e.clientSays.Close()
	if err := e.ended(); err != nil {
		t.Error(err)
	}
}

// Nothing is written behind a last line of the agent that has no LF.
func TestNothingBehindTheAgentsLastWord(t *testing.T) {
	var out strings.Builder
	g := gate{w: &out}
	for _, text := range []string{"{}\n", "", "{"} {
		if err := g.write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.write([]byte("{}\n")); !errors.Is(err, client.ErrAgentGone) || errors.Is(err, ErrClientGone) {
		t.Errorf("got %v, want %v", err, client.ErrAgentGone)
	}
	if got := out.String(); got != "{}\n{" {
		t.Errorf("the client reads %q", got)
	}
}
