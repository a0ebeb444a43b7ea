package extension_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"extui/agent"
	"extui/extension"

	"github.com/go-json-experiment/json/jsontext"
)

// gated serves a host with the tool echo, which may run, and one gate.
func gated(t *testing.T, ran *bool, more ...extension.Extension) *client {
	t.Helper()
	tools := ext("tools", func(a *extension.API) {
		a.RegisterTool(extension.Tool{Name: "echo", Execute: func(_ *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
			*ran = true
			if strings.Contains(string(input), "panic") {
				panic("oh")
			}
			if strings.Contains(string(input), "fail") {
				return extension.ToolResult{}, errors.New("it failed")
			}
			return *agent.TextResult(string(input)), nil
		}})
	})
	return start(t, extension.NewHost(append([]extension.Extension{tools}, more...)...), agent.Options{})
}

func gate(name string, fn func(*extension.Context, *extension.ToolCall) (*extension.Block, error)) extension.Extension {
	return ext(name, func(a *extension.API) { a.OnToolCall(fn) })
}

// A tool runs with its input as the gates have left it, and its result is what the
// tool_result handlers have made of it. Failures are results.
func TestToolRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran bool
		c := gated(t, &ran,
			gate("first", func(_ *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
				e.Input = jsontext.Value(strings.Replace(string(e.Input), "ls", "ls -l", 1))
				return nil, nil
			}),
			gate("second", func(ctx *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
				if e.Tool != "echo" || e.ID == "" || ctx.ToolCallID != e.ID || !strings.Contains(string(e.Input), "-l") && strings.Contains(string(e.Input), "ls") {
					t.Errorf("second gate saw %+v", e)
				}
				return nil, nil
			}),
			ext("result", func(a *extension.API) {
				a.OnToolResult(func(_ *extension.Context, e *extension.ToolResultEvent) error {
					e.Result.Content[0].Text += "!"
					return nil
				})
				a.OnToolResult(func(*extension.Context, *extension.ToolResultEvent) error { return errors.New("result handler") })
			}))
		failed := `{"type":"extension_error","extensionPath":"result.ts","event":"tool_result","error":"result handler"}`
		c.send(call("echo", `{"command":"ls"}`))
		c.expect(failed, result(`{"command":"ls -l"}!`, false))
		c.send(call("echo", `{"fail":1}`))
		c.expect(failed, result(`it failed!`, true))
		c.send(call("echo", `{"panic":1}`))
		c.expect(failed, result(`panic: oh!`, true))
		c.send(call("nope", `{}`))
		c.expect(`{"id":"t","type":"response","command":"call_tool","success":false,"error":"call tool \"nope\": unknown tool"}`)
		c.end()
	})
}

// A gate blocks with its reason. One that fails, panics or breaks the input blocks
// as well, and the tool does not run.
func TestGatesFailClosed(t *testing.T) {
	for name, test := range map[string]struct {
		gate  func(*extension.Context, *extension.ToolCall) (*extension.Block, error)
		want  string
		error string // in an extension_error, "" for none
	}{
		"reason": {func(*extension.Context, *extension.ToolCall) (*extension.Block, error) {
			return &extension.Block{Reason: "Blocked by user"}, nil
		}, "Blocked by user", ""},
		"no reason": {func(*extension.Context, *extension.ToolCall) (*extension.Block, error) {
			return &extension.Block{}, nil
		}, "Blocked by an extension", ""},
		"error": {func(*extension.Context, *extension.ToolCall) (*extension.Block, error) {
			return nil, errors.New("gate failed")
		}, "Blocked, because a tool_call handler failed: gate failed", "gate failed"},
		"panic": {func(*extension.Context, *extension.ToolCall) (*extension.Block, error) { panic("gate failed") }, "Blocked, because a tool_call handler failed: panic: gate failed", "panic: gate failed"},
		"bad input": {func(_ *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
			e.Input = nil
			return nil, nil
		}, "Blocked, because a tool_call handler failed: it left an input that is not a JSON object", "it left"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var ran bool
			c := gated(t, &ran, gate("gate", test.gate),
				gate("later", func(*extension.Context, *extension.ToolCall) (*extension.Block, error) {
					t.Errorf("%s: a later gate was asked", name)
					return nil, nil
				}),
				ext("result", func(a *extension.API) {
					a.OnToolResult(func(*extension.Context, *extension.ToolResultEvent) error {
						t.Errorf("%s: tool_result fired", name)
						return nil
					})
				}))
			c.send(call("echo", `{}`))
			if test.error != "" {
				if got := c.line(); !strings.HasPrefix(got, `{"type":"extension_error","extensionPath":"gate.ts","event":"tool_call","error":"`+test.error) {
					t.Errorf("%s: got %s", name, got)
				}
			}
			c.expect(blocked(test.want))
			c.end()
			if ran {
				t.Errorf("%s: the tool ran", name)
			}
		})
	}
}

// Whatever a permission dialog ends with that is not the answer Allow, the tool does
// not run; and when an abort ends it, not even a gate that forgets to look lets it.
func TestPermissionGate(t *testing.T) {
	careful := gate("gate", func(ctx *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
		choice, err := ctx.UI.Select(ctx, "Dangerous command", []string{"Allow", "Block"}, nil)
		if err != nil && !errors.Is(err, agent.ErrNoAnswer) {
			return nil, err
		}
		if choice != "Allow" {
			return &extension.Block{Reason: "Blocked by user"}, nil
		}
		return nil, nil
	})
	careless := gate("gate", func(ctx *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
		_, _ = ctx.UI.Select(ctx, "Dangerous command", []string{"Allow", "Block"}, nil)
		return nil, nil
	})
	const answer = `{"type":"extension_ui_response","id":"id-3",`
	for _, test := range []struct {
		gate    extension.Extension
		send    string
		want    string
		allowed bool
	}{
		{careful, answer + `"value":"Allow"}`, result(`{}`, false), true},
		{careful, answer + `"value":"Block"}`, blocked("Blocked by user"), false},
		{careful, answer + `"value":"allow"}`, blocked("Blocked by user"), false},
		{careful, answer + `"cancelled":true,"value":"Allow"}`, blocked("Blocked by user"), false},
		{careful, answer + `"confirmed":true}`, blocked("Blocked by user"), false},
		{careful, `{"type":"abort"}`, blocked("Blocked by user"), false},
		{careless, `{"type":"abort"}`, blocked("Operation aborted"), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var ran bool
			c := gated(t, &ran, test.gate)
			c.send(call("echo", `{}`))
			c.expect(`{"type":"extension_ui_request","id":"id-3","method":"select","title":"Dangerous command","options":["Allow","Block"]}`)
			c.send(test.send)
			if strings.Contains(test.send, "abort") {
				c.expect(`{"type":"response","command":"abort","success":true}`)
			}
			c.expect(test.want)
			c.end()
			if ran != test.allowed {
				t.Errorf("%s: ran %t", test.send, ran)
			}
		})
	}
}

// A gate that takes the end of its dialog for leave to go on has not agreed, whatever ended
// the dialog: an abort, the next session, or the client that has gone.
func TestNoToolRunsAfterItsDialogBroke(t *testing.T) {
	careless := gate("gate", func(ctx *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
		_, _ = ctx.UI.Select(ctx, "Dangerous command", []string{"Allow", "Block"}, nil)
		return nil, nil
	})
	for how, breaks := range map[string]func(c *client){
		"abort":       func(c *client) { c.send(`{"type":"abort"}`) },
		"new session": func(c *client) { c.send(`{"type":"new_session","id":"n"}`) },
		"end":         func(c *client) { c.in.Close() },
	} {
		t.Run(how, func(t *testing.T) {
			for range 30 { // It is a race.
				synctest.Test(t, func(t *testing.T) {
					var ran bool
					c := gated(t, &ran, careless)
					c.send(call("echo", `{}`))
					c.line()
					breaks(c)
					if rest := c.end(); ran || !strings.Contains(rest, "Operation aborted") && !strings.Contains(rest, "session") {
						t.Fatalf("ran %t: %s", ran, rest)
					}
				})
			}
		})
	}
}

// The first tool of a name counts; another extension's is reported.
func TestToolNamesThatClash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := extension.NewHost(
			ext("a", func(a *extension.API) { a.RegisterTool(tool("x", nil)) }),
			ext("b", func(a *extension.API) {
				a.OnSessionStart(func(*extension.Context, *extension.SessionStart) error {
					a.RegisterTool(tool("x", nil))
					a.RegisterTool(tool("late", nil))
					return nil
				})
			}))
		c := start(t, host, agent.Options{})
		c.expect(`{"type":"extension_error","extensionPath":"b.ts","event":"register","error":"register tool \"x\": another extension has a tool of that name"}`)
		c.send(call("late", `{"a":1}`))
		c.expect(result(`{"a":1}`, false))
		if got := host.Tools(c.agent.Session()); len(got) != 2 || got[0].Name != "x" {
			t.Errorf("tools %v", got)
		}
		c.end()
	})
}

// A fallback makes room for a tool of its name, whichever of them comes first.
func TestAFallbackMakesRoom(t *testing.T) {
	tool := func(text string, fallback bool) extension.Extension {
		return extension.Extension{Name: text, Setup: func(api *extension.API) error {
			api.RegisterTool(extension.Tool{Name: "bash", Fallback: fallback, Execute: func(*extension.Context, jsontext.Value) (extension.ToolResult, error) {
				return *agent.TextResult(text), nil
			}})
			return nil
		}}
	}
	for _, order := range [][]extension.Extension{
		{tool("real", false), tool("fallback", true)},
		{tool("fallback", true), tool("real", false)},
		{tool("fallback", true), tool("other fallback", true), tool("real", false)},
	} {
		h := extension.NewHost(order...)
		s := agent.New(h, nil).Session()
		if err := h.Load(t.Context(), s); err != nil {
			t.Errorf("load: %v", err)
		}
		r, err := h.CallTool(t.Context(), s, agent.ToolCall{Tool: "bash", Input: jsontext.Value(`{}`)})
		if err != nil || r.Content[0].Text != "real" || len(h.Tools(s)) != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// What a tool's Prepare makes of the input is what gates and the tool see; its error is
// the result, and nobody is asked.
func TestPrepare(t *testing.T) {
	var asked []string
	h := extension.NewHost(extension.Extension{Name: "x", Setup: func(api *extension.API) error {
		api.OnToolCall(func(_ *extension.Context, e *extension.ToolCall) (*extension.Block, error) {
			asked = append(asked, string(e.Input))
			return nil, nil
		})
		api.RegisterTool(extension.Tool{
			Name: "t",
			Prepare: func(_ *extension.Context, input jsontext.Value) (jsontext.Value, error) {
				if string(input) == `{}` {
					return nil, errors.New("nothing to do")
				}
				return jsontext.Value(`{"prepared":true}`), nil
			},
			Execute: func(_ *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
				return *agent.TextResult(string(input)), nil
			},
		})
		return nil
	}})
	s := agent.New(h, nil).Session()
	if err := h.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{`{}`: "nothing to do", `{"a":1}`: `{"prepared":true}`} {
		r, err := h.CallTool(t.Context(), s, agent.ToolCall{Tool: "t", Input: jsontext.Value(input)})
		if err != nil || r.Content[0].Text != want || r.IsError != (input == `{}`) {
			t.Errorf("%s: %+v, %v", input, r, err)
		}
	}
	if len(asked) != 1 || asked[0] != `{"prepared":true}` {
		t.Errorf("asked about %s", asked)
	}
}
