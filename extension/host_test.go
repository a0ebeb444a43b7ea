package extension_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/agent"
	"extui/extension"

	"github.com/go-json-experiment/json/jsontext"
)

// say registers a command that notifies its name and arguments.
func say(a *extension.API, name, as string) {
	a.RegisterCommand(extension.Command{Name: name, Description: "says " + as, Handler: func(ctx *extension.Context, args string) error {
		return ctx.UI.Notify(ctx, as+args, "")
	}})
}

// Commands of one name get suffixes in load order, as in pi; a name that is taken is
// skipped, and within one extension the last registration counts.
func TestCommandNamesThatClash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := extension.NewHost(
			ext("a", func(a *extension.API) { say(a, "review", "old "); say(a, "review", "a "); say(a, "only", "only ") }),
			ext("b", func(a *extension.API) { say(a, "review", "b "); say(a, "review:1", "taken ") }),
		)
		c := start(t, host, agent.Options{})
		id := 2
		for message, want := range map[string]string{
			"/review:2 x": "a x", "/review:3 x": "b x", "/review:1 x": "taken x", "/only x": "only x",
		} {
			c.send(prompt(message))
			c.expect(notify(fmt.Sprint("id-", id), want), handled)
			id++
		}
		c.send(prompt("/review"))
		if got := c.line(); !strings.Contains(got, "no command /review") {
			t.Errorf("got %s", got)
		}
		c.send(`{"type":"get_commands"}`)
		info := func(name, as, path string) string {
			return `{"name":"` + name + `","description":"says ` + as + `","source":"extension","sourceInfo":{"path":"` + path + `","source":"cli","scope":"temporary","origin":"top-level"}}`
		}
		c.expect(`{"type":"response","command":"get_commands","success":true,"data":{"commands":[` + strings.Join([]string{
			info("review:2", "a ", "a.ts"), info("only", "only ", "a.ts"), info("review:3", "b ", "b.ts"), info("review:1", "taken ", "b.ts"),
		}, ",") + `]}}`)
		c.end()
	})
}

// What a registration lacks fails the Setup, with all that is wrong; Serve says which
// extension it was.
func TestSetupFails(t *testing.T) {
	fine := ext("fine", func(a *extension.API) { say(a, "x", "x") })
	for want, bad := range map[string]extension.Extension{
		`no Setup`:        {Name: "bad"},
		`panic: oh`:       ext("bad", func(*extension.API) { panic("oh") }),
		`command: it has`: ext("bad", func(a *extension.API) { say(a, "", "") }),
		`no handler`:      ext("bad", func(a *extension.API) { a.RegisterCommand(extension.Command{Name: "x"}) }),
		`no Execute`:      ext("bad", func(a *extension.API) { a.RegisterTool(extension.Tool{Name: "x"}) }),
		`no name`:         ext("bad", func(a *extension.API) { a.RegisterTool(extension.Tool{}) }),
		`not a JSON obje`: ext("bad", func(a *extension.API) { a.RegisterTool(tool("x", jsontext.Value(`[`))) }),
	} {
		var out strings.Builder
		err := agent.New(extension.NewHost(fine, bad), nil).Serve(t.Context(), strings.NewReader(""), &out)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"bad`) || strings.Contains(err.Error(), `"fine`) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func tool(name string, parameters jsontext.Value) extension.Tool {
	return extension.Tool{Name: name, Parameters: parameters, Execute: func(_ *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
		return *agent.TextResult(string(input)), nil
	}}
}

// Setup runs anew for each session: what it keeps is fresh, and its order of events
// is kept.
func TestSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setups := 0
		var events []string
		host := extension.NewHost(ext("a", func(a *extension.API) {
			setups++
			setup, calls := setups, 0
			note := func(event string, reason agent.Reason) {
				events = append(events, fmt.Sprintf("%d %s %s", setup, event, reason))
			}
			a.RegisterCommand(extension.Command{Name: "count", Handler: func(ctx *extension.Context, _ string) error {
				calls++
				return ctx.UI.Notify(ctx, fmt.Sprint(calls), "")
			}})
			a.OnSessionStart(func(_ *extension.Context, e *extension.SessionStart) error { note("start", e.Reason); return nil })
			a.OnSessionBeforeSwitch(func(ctx *extension.Context, e *extension.SessionBeforeSwitch) (bool, error) {
				note("before switch", e.Reason)
				return false, nil
			})
			a.OnSessionShutdown(func(_ *extension.Context, e *extension.SessionShutdown) error { note("shutdown", e.Reason); return nil })
		}))
		c := start(t, host, agent.Options{})
		c.send(prompt("/count"), prompt("/count"))
		c.expect(notify("id-2", "1"), handled, notify("id-3", "2"), handled)
		c.send(`{"id":"n","type":"new_session"}`)
		c.expect(`{"id":"n","type":"response","command":"new_session","success":true,"data":{"cancelled":false}}`)
		c.send(prompt("/count"))
		c.expect(notify("id-5", "1"), handled)
		c.end()
		want := "1 start startup, 1 before switch new, 1 shutdown new, 2 start new, 2 shutdown quit"
		if got := strings.Join(events, ", "); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}

// A gate that fails does not open: an error or a panic keeps the session.
func TestFailingSwitchGateKeepsTheSession(t *testing.T) {
	for name, gate := range map[string]func() (bool, error){
		"error": func() (bool, error) { return false, errors.New("gate failed") },
		"panic": func() (bool, error) { panic("gate failed") },
	} {
		synctest.Test(t, func(t *testing.T) {
			host := extension.NewHost(ext("a", func(a *extension.API) {
				a.OnSessionBeforeSwitch(func(*extension.Context, *extension.SessionBeforeSwitch) (bool, error) { return gate() })
				a.OnSessionShutdown(func(_ *extension.Context, e *extension.SessionShutdown) error {
					if e.Reason == agent.ReasonNew {
						t.Errorf("%s: the session was left", name)
					}
					return nil
				})
			}))
			c := start(t, host, agent.Options{})
			c.send(`{"id":"n","type":"new_session"}`)
			if got := c.line(); !strings.HasPrefix(got, `{"type":"extension_error","extensionPath":"a.ts","event":"session_before_switch","error":"`) || !strings.Contains(got, "gate failed") {
				t.Errorf("%s: got %s", name, got)
			}
			c.expect(`{"id":"n","type":"response","command":"new_session","success":true,"data":{"cancelled":true}}`)
			c.end()
		})
	}
}

// An extension that cannot be loaded again is reported by new_session and left out;
// the others go on.
func TestSetupFailsInNewSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loads := 0
		flaky := extension.Extension{Name: "flaky", Setup: func(a *extension.API) error {
			say(a, "flaky", "")
			a.OnSessionStart(func(*extension.Context, *extension.SessionStart) error { return nil })
			if loads++; loads > 1 {
				return errors.New("port in use")
			}
			return nil
		}}
		c := start(t, extension.NewHost(flaky, ext("b", func(a *extension.API) { say(a, "b", "b") })), agent.Options{})
		c.send(`{"id":"n","type":"new_session"}`)
		c.expect(`{"id":"n","type":"response","command":"new_session","success":false,"error":"start a new session: load extension \"flaky\": port in use"}`)
		c.send(prompt("/b"))
		c.expect(notify("id-3", "b"), handled)
		c.send(prompt("/flaky"))
		if got := c.line(); !strings.Contains(got, `"success":false`) {
			t.Errorf("got %s", got)
		}
		c.end()
	})
}

// Handlers of input may change or take a text; one that fails is reported and
// passed over.
func TestInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := extension.NewHost(ext("a", func(a *extension.API) {
			a.OnInput(func(_ *extension.Context, e *extension.Input) (bool, error) {
				if e.Text == "fail" {
					return true, errors.New("no idea")
				}
				e.Text = strings.ToUpper(e.Text)
				return false, nil
			})
			a.OnInput(func(ctx *extension.Context, e *extension.Input) (bool, error) { return e.Text == "PING", nil })
		}))
		host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error { return ctx.UI.Notify(ctx, p.Text, "") }
		c := start(t, host, agent.Options{})
		c.send(prompt("ping"))
		c.expect(handled)
		c.send(prompt("hello"))
		c.expect(notify("id-2", "HELLO"), handled)
		c.send(prompt("fail"))
		c.expect(`{"type":"extension_error","extensionPath":"a.ts","event":"input","error":"no idea"}`, notify("id-3", "fail"), handled)
		c.end()
	})
}

// A streamed answer has the records of pi in their order, and is marked when it was
// aborted.
func TestReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []string
		host := extension.NewHost(ext("a", func(a *extension.API) {
			a.OnAgentStart(func(*extension.Context, *extension.AgentStart) error { events = append(events, "start"); return nil })
			a.OnAgentEnd(func(_ *extension.Context, e *extension.AgentEnd) error {
				events = append(events, fmt.Sprint("end ", e.Text, " ", e.Aborted))
				return nil
			})
		}))
		host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error {
			r, err := ctx.StartReply(p)
			if err != nil {
				return err
			}
			_ = r.Text("Hello ")
			_ = r.Text("world")
			if p.Text == "wait" {
				<-ctx.Done()
			}
			err = r.End()
			time.Sleep(time.Second) // nobody waits for it any more
			return err
		}
		c := start(t, host, agent.Options{})
		for _, aborted := range []bool{false, true} {
			stop, message := "stop", "hi"
			if aborted {
				stop, message = "aborted", "wait"
			}
			c.send(prompt(message))
			if aborted {
				synctest.Wait()
				c.send(`{"id":"a","type":"abort"}`)
			}
			for _, want := range []string{
				`{"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"started"}}`,
				`{"type":"agent_start"}`, `{"type":"turn_start"}`,
				`{"type":"message_start","message":{"role":"user","content":[{"type":"text","text":"` + message + `"}],`, `{"type":"message_end","message":{"role":"user"`,
				`{"type":"message_start","message":{"role":"assistant","content":[]`,
				`"assistantMessageEvent":{"type":"text_start","contentIndex":0}}`,
				`"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"Hello "}}`,
				`"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"world"}}`,
				`"assistantMessageEvent":{"type":"text_end","contentIndex":0,"content":"Hello world"}}`,
				`{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"Hello world"}],`,
				`{"type":"turn_end","message":{"role":"assistant"`, `"stopReason":"` + stop + `"`,
				fmt.Sprintf(`{"type":"agent_settled","aborted":%t}`, aborted),
			} {
				got := c.line()
				if !strings.Contains(got, want) || !jsontext.Value(got).IsValid() {
					t.Fatalf("got %s\nwant %s", got, want)
				}
			}
			if aborted {
				c.expect(`{"id":"a","type":"response","command":"abort","success":true}`)
			}
		}
		c.end()
		if got := strings.Join(events, ", "); got != "start, end Hello world false, start, end Hello world true" {
			t.Errorf("events %s", got)
		}
	})
}

// Proposals for arguments come from the command itself.
func TestComplete(t *testing.T) {
	host := extension.NewHost(ext("a", func(a *extension.API) {
		say(a, "plain", "")
		a.RegisterCommand(extension.Command{
			Name:    "deploy",
			Handler: func(*extension.Context, string) error { return nil },
			Complete: func(_ *extension.Context, prefix string) ([]extension.Completion, error) {
				if prefix == "?" {
					return nil, errors.New("no network")
				}
				return []extension.Completion{{Value: prefix + "oduction"}}, nil
			},
		})
	}))
	c := start(t, host, agent.Options{})
	c.send(`{"type":"abort"}`)
	c.line() // it serves now
	s := c.agent.Session()
	if got, err := host.Complete(t.Context(), s, "deploy", "pr"); err != nil || len(got) != 1 || got[0].Value != "production" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := host.Complete(t.Context(), s, "deploy", "?"); err == nil || !strings.Contains(err.Error(), "/deploy: no network") {
		t.Errorf("error %v", err)
	}
	if got, err := host.Complete(t.Context(), s, "plain", ""); got != nil || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	c.end()
}
