package extension_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"extui/agent"
	"extui/extension"

	"github.com/go-json-experiment/json/jsontext"
)

// tell registers handlers that send the client a title with what they got.
func tell(a *extension.API, events ...string) {
	for _, name := range events {
		a.On(name, func(c *extension.Context, e *extension.Event) (jsontext.Value, error) {
			return nil, c.UI.SetTitle(c, string(e.Data))
		})
	}
}

// kinds shortens records to their type, and titles to "+TYPE" of the event in them.
func kinds(lines []string) string {
	var out []string
	for _, line := range lines {
		if _, event, ok := strings.Cut(line, `"title":"{\"type\":\"`); ok {
			event, _, _ = strings.Cut(event, `\`)
			out = append(out, "+"+event)
			continue
		}
		kind, _, _ := strings.Cut(line[strings.Index(line, `"type":"`)+8:], `"`)
		out = append(out, kind)
	}
	return strings.Join(out, " ")
}

// until reads up to a line that begins so.
func until(c *client, prefix string) (lines []string) {
	for {
		lines = append(lines, c.line())
		if strings.HasPrefix(lines[len(lines)-1], prefix) {
			return lines
		}
	}
}

// Every event of an answer comes before its record, as in pi; before_agent_start
// before the response.
func TestEventsOfAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := []string{"before_agent_start", "agent_start", "turn_start", "message_start", "message_update", "message_end", "turn_end", "agent_end", "agent_settled"}
		host := extension.NewHost(ext("a", func(a *extension.API) {
			tell(a, all...)
			a.On("before_agent_start", func(*extension.Context, *extension.Event) (jsontext.Value, error) {
				return jsontext.Value(`{"message":{"customType":"note","content":"added","display":false},"systemPrompt":"one"}`), nil
			})
			a.On("before_agent_start", func(*extension.Context, *extension.Event) (jsontext.Value, error) {
				return nil, errors.New("no idea")
			})
			a.On("before_agent_start", func(_ *extension.Context, e *extension.Event) (jsontext.Value, error) {
				if !strings.HasSuffix(string(e.Data), `"images":[{"type":"image"}],"systemPromptOptions":{"cwd":"/here"},"systemPrompt":"one"}`) {
					return nil, fmt.Errorf("got %s", e.Data)
				}
				return jsontext.Value(`{"systemPrompt":"one and two"}`), nil
			})
		}))
		host.Cwd = "/here"
		var system, messages string
		host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error {
			r, err := ctx.StartReply(p)
			if err != nil {
				return err
			}
			system, messages = r.SystemPrompt(), string(r.Messages())
			return errors.Join(r.Text("hello"), r.End())
		}
		c := start(t, host, agent.Options{})
		c.send(`{"id":"p","type":"prompt","message":"hi","images":[{"type":"image"}]}`)
		lines := until(c, `{"type":"agent_settled"`)
		c.end() // not earlier: it aborts what has not ended
		want := "+before_agent_start extension_error response +agent_start agent_start +turn_start turn_start " +
			strings.Repeat("+message_start message_start +message_end message_end ", 2) + "+message_start message_start " +
			strings.Repeat("+message_update message_update ", 3) + "+message_end message_end +turn_end turn_end +agent_end agent_end +agent_settled agent_settled"
		if got := kinds(lines); got != want {
			t.Errorf("got  %s\nwant %s\n%s", got, want, strings.Join(lines, "\n"))
		}
		if system != "one and two" {
			t.Errorf("system prompt %q", system)
		}
		if !strings.Contains(messages, `"role":"user","content":[{"type":"text","text":"hi"}]`) ||
			!strings.Contains(messages, `{"role":"custom","customType":"note","content":"added","display":false,"timestamp":`) {
			t.Errorf("messages %s", messages)
		}
		for _, part := range []string{
			`\"turnIndex\":0,\"timestamp\":`, `"event":"before_agent_start","error":"no idea"`,
			`{\"type\":\"agent_end\",\"messages\":[{\"role\":\"user\"`, `"{\"type\":\"agent_settled\",\"aborted\":false}"`,
			`{\"type\":\"message_update\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]`,
		} {
			if !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, part) }) {
				t.Errorf("no line has %s", part)
			}
		}
	})
}

// A text of an extension passes the input handlers and is answered like a prompt, but
// for the response; one answer streams at a time.
func TestReplyToAnExtension(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := extension.NewHost(ext("a", func(a *extension.API) {
			tell(a, "before_agent_start", "agent_settled")
			a.OnInput(func(_ *extension.Context, e *extension.Input) (bool, error) {
				e.Text += " from " + e.Source
				return e.Text == "enough from extension", nil
			})
			a.RegisterCommand(extension.Command{Name: "say", Handler: func(c *extension.Context, args string) error {
				text, handled := c.FireInput(args)
				if handled {
					return c.UI.SetTitle(c, "handled")
				}
				r, err := c.StartReplyTo(text)
				if err != nil {
					return err
				}
				if _, err := c.StartReplyTo(text); err == nil {
					t.Error("two answers at once")
				}
				if !c.Session.Streaming() {
					t.Error("it does not stream")
				}
				return errors.Join(r.Text("yes"), r.End())
			}})
		}))
		c := start(t, host, agent.Options{})
		var lines []string
		for _, text := range []string{"enough", "hi", "hi"} {
			c.send(prompt("/say " + text))
			lines = append(lines, until(c, `{"id":"p"`)...)
		}
		c.end()
		one := "+before_agent_start agent_start turn_start message_start message_end message_start " +
			"message_update message_update message_update message_end turn_end agent_end +agent_settled agent_settled response"
		if got := kinds(lines); got != "extension_ui_request response "+one+" "+one {
			t.Errorf("got %s", got)
		}
		if text := strings.Join(lines, "\n"); strings.Count(text, `"role":"user","content":[{"type":"text","text":"hi from extension"}]`) != 6 {
			t.Errorf("the text is not the one of the input handlers:\n%s", text)
		}
	})
}

// As pi does, resources_discover follows each session_start.
func TestResourcesDiscover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := extension.NewHost(ext("a", func(a *extension.API) { tell(a, "session_start", "resources_discover") }))
		host.Cwd = "/here"
		c := start(t, host, agent.Options{})
		c.send(`{"id":"n","type":"new_session"}`)
		synctest.Wait()
		if _, err := c.agent.Session().Replace(agent.ReasonReload); err != nil {
			t.Error(err)
		}
		got := c.end()
		if want := "+session_start +resources_discover +session_start +resources_discover response +session_start +resources_discover"; kinds(strings.Split(got, "\n")) != want {
			t.Errorf("got %s", got)
		}
		if strings.Count(got, `{\"type\":\"resources_discover\",\"cwd\":\"/here\",\"reason\":\"startup\"}`) != 2 || !strings.Contains(got, `\"reason\":\"reload\"}`) {
			t.Errorf("got %s", got)
		}
	})
}
