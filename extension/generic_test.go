package extension_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"extui/agent"
	"extui/extension"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// A handler in another language sees the events of pi as JSON, and what it returns
// and changes counts as in pi.
func TestGenericHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		on := func(a *extension.API, event string, answer func(e *extension.Event) string) {
			a.On(event, func(_ *extension.Context, e *extension.Event) (jsontext.Value, error) {
				if e.Name != event {
					t.Errorf("event %s has the name %s", event, e.Name)
				}
				seen = append(seen, string(e.Data))
				if answer == nil {
					return nil, nil
				}
				return jsontext.Value(answer(e)), nil
			})
		}
		host := extension.NewHost(ext("a", func(a *extension.API) {
			a.RegisterTool(tool("echo", nil))
			a.RegisterCommand(extension.Command{Name: "fire", Handler: func(ctx *extension.Context, _ string) error {
				if err := ctx.Fire("tool_call", nil); err == nil {
					t.Error("an event of the host was fired by hand")
				}
				return errors.Join(ctx.Fire("turn_start", jsontext.Value(`{"type":"turn_start","turnIndex":1}`)), ctx.Fire("other", nil))
			}})
			on(a, "session_start", nil)
			on(a, "session_shutdown", nil)
			on(a, "session_before_switch", func(*extension.Event) string { return `{"cancel":true}` })
			on(a, "tool_call", func(e *extension.Event) string {
				if strings.Contains(string(e.Data), "rm") {
					return `{"block":true,"reason":"no rm"}`
				}
				e.Data = jsontext.Value(strings.Replace(string(e.Data), `"ls"`, `"ls \ud83d"`, 1))
				return `null`
			})
			on(a, "tool_result", func(*extension.Event) string { return `{"details":{"x":1},"isError":true}` })
			on(a, "input", func(e *extension.Event) string {
				switch {
				case strings.Contains(string(e.Data), "ping"):
					return `{"action":"handled"}`
				case strings.Contains(string(e.Data), "quick"):
					return `{"action":"transform","text":"slow"}`
				}
				return ``
			})
			on(a, "turn_start", nil)
			on(a, "agent_end", nil)
		}))
		host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error { return ctx.UI.Notify(ctx, p.Text, "") }
		c := start(t, host, agent.Options{})
		c.send(prompt("ping"), prompt("quick"))
		c.expect(handled, notify("id-2", "slow"), handled)
		c.send(call("echo", `{"command":"rm"}`))
		c.expect(blocked("no rm"))
		c.send(call("echo", `{"command":"ls"}`))
		c.expect(`{"id":"t","type":"response","command":"call_tool","success":true,"data":{"content":[{"type":"text","text":"{\"command\":\"ls \\ud83d\"}"}],"details":{"x":1},"isError":true}}`)
		c.send(`{"id":"n","type":"new_session"}`)
		c.expect(`{"id":"n","type":"response","command":"new_session","success":true,"data":{"cancelled":true}}`)
		c.send(prompt("/fire"))
		c.expect(handled)
		c.end()
		want := strings.Join([]string{
			`{"type":"session_start","reason":"startup"}`,
			`{"type":"input","text":"ping","source":"rpc"}`,
			`{"type":"input","text":"quick","source":"rpc"}`,
			`{"type":"tool_call","toolCallId":"id-3","toolName":"echo","input":{"command":"rm"}}`,
			`{"type":"tool_call","toolCallId":"id-4","toolName":"echo","input":{"command":"ls"}}`,
			`{"type":"tool_result","toolCallId":"id-4","toolName":"echo","input":{"command":"ls \ud83d"},"content":[{"type":"text","text":"{\"command\":\"ls \\ud83d\"}"}],"isError":false}`,
			`{"type":"session_before_switch","reason":"new"}`,
			`{"type":"turn_start","turnIndex":1}`,
			`{"type":"session_shutdown","reason":"quit"}`,
		}, "\n")
		if got := strings.Join(seen, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// What a handler returns that pi's would not is an error, on which the gates close.
func TestGenericGatesFailClosed(t *testing.T) {
	for _, answer := range []string{`{"block":"yes"}`, `{"block":1}`, `{"block":{}}`, `true`, `[]`, `"x"`, `{"block":true,"reason":7}`, `{`, `error`} {
		synctest.Test(t, func(t *testing.T) {
			var ran bool
			c := gated(t, &ran, ext("gate", func(a *extension.API) {
				a.On("tool_call", func(*extension.Context, *extension.Event) (jsontext.Value, error) {
					if answer == "error" {
						return nil, errors.New("thrown")
					}
					return jsontext.Value(answer), nil
				})
			}))
			c.send(call("echo", `{}`))
			got := c.line()
			if strings.HasPrefix(got, `{"type":"extension_error"`) {
				got = c.line()
			}
			if !strings.Contains(got, "Blocked") || !strings.Contains(got, `"isError":true`) || ran {
				t.Errorf("%s: got %s, ran %t", answer, got, ran)
			}
			c.end()
		})
	}
}

// A gate that wants nothing lets the tool run.
func TestGenericGatesOpen(t *testing.T) {
	for _, answer := range []string{``, `null`, `{}`, `{"block":false}`, `{"block":null}`, `{"block":0}`, `{"block":""}`} {
		synctest.Test(t, func(t *testing.T) {
			var ran bool
			c := gated(t, &ran, ext("gate", func(a *extension.API) {
				a.On("tool_call", func(*extension.Context, *extension.Event) (jsontext.Value, error) { return jsontext.Value(answer), nil })
			}))
			c.send(call("echo", `{}`))
			c.expect(result(`{}`, false))
			c.end()
		})
	}
}

// Dialogs are announced to handlers that report that a person is being waited for
// (B28).
func TestDialogEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		host := extension.NewHost(ext("a", func(a *extension.API) {
			for _, event := range []string{"ui_prompt_start", "ui_prompt_end"} {
				a.On(event, func(_ *extension.Context, e *extension.Event) (jsontext.Value, error) {
					seen = append(seen, string(e.Data))
					return nil, nil
				})
			}
			a.OnDialog(func(_ *extension.Context, e agent.DialogEvent) { seen = append(seen, fmt.Sprint(e.Open, e.Err)) })
			a.RegisterCommand(extension.Command{Name: "ask", Handler: func(ctx *extension.Context, _ string) error {
				_, err := ctx.UI.Confirm(ctx, "Sure?", "", nil)
				if !errors.Is(err, agent.ErrDismissed) {
					t.Error(err)
				}
				return nil
			}})
		}))
		c := start(t, host, agent.Options{})
		c.send(prompt("/ask"))
		c.line()
		c.send(`{"type":"extension_ui_response","id":"id-2","cancelled":true}`)
		c.expect(handled)
		c.end()
		event := `{"type":"ui_prompt_%s","reason":"ui_prompt","kind":"confirm","title":"Sure?","id":"id-2"}`
		want := []string{fmt.Sprintf(event, "start"), "true <nil>", fmt.Sprintf(event, "end"), "false dismissed"}
		if strings.Join(seen, "\n") != strings.Join(want, "\n") {
			t.Errorf("got %q, want %q", seen, want)
		}
	})
}

// Tools of other languages return results as JSON; what is wrong in one is named.
func TestParseToolResult(t *testing.T) {
	r, err := extension.ParseToolResult(jsontext.Value(`{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}],"details":{"x":1},"isError":true}`))
	if err != nil || len(r.Content) != 2 || r.Content[1].MIMEType != "image/png" || string(r.Details) != `{"x":1}` || !r.IsError {
		t.Errorf("got %+v, %v", r, err)
	}
	for raw, field := range map[string]string{
		`{}`: "content", `null`: "content", `{"content":"x"}`: "content", `{"content":null}`: "content", `{"content":[1]}`: "content[0]",
		`{"content":[{"type":"video"}]}`: "content[0].type", `{"content":[],"isError":"no"}`: "isError", `{"content":[{"type":7}]}`: "type",
	} {
		_, err := extension.ParseToolResult(jsontext.Value(raw))
		if e, ok := errors.AsType[*protocol.FieldError](err); !ok || e.Field != field {
			t.Errorf("%s: error %v, want one about %s", raw, err, field)
		}
	}
	for _, raw := range []string{`[]`, `7`, `{`} {
		if _, err := extension.ParseToolResult(jsontext.Value(raw)); err == nil {
			t.Errorf("%s: no error", raw)
		}
	}
}
