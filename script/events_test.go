package script

import (
	"errors"
	"strings"
	"testing"

	"extui/agent"
	"extui/extension"
)

const listener = `export default function (pi) {
	for (const name of ["before_agent_start", "agent_start", "turn_start", "message_end", "turn_end", "agent_end", "agent_settled", "input", "model_select", "context"])
		pi.on(name, (event, ctx) => ctx.ui.setTitle([name, event.source ?? event.turnIndex ?? event.messages?.length ?? event.prompt ?? event.message?.role ?? "", ctx.isIdle()].join()));
	pi.on("before_agent_start", (event) => ({ systemPrompt: event.systemPrompt + "Talk like a pirate." }));
	pi.on("input", (event) => event.text === "stop" ? { action: "handled" } : { action: "transform", text: event.text + "!" });
	pi.registerCommand("send", { handler: async (args) => { pi.sendUserMessage(args); } });
}
`

// What a Go program answers has pi's events, whether the client or an extension asks.
func TestEventsOfAnAnswer(t *testing.T) {
	answer := func(r *extension.Reply, err error) error {
		if err != nil {
			return err
		}
		return errors.Join(r.Text(r.SystemPrompt()), r.End())
	}
	c := prepare(t, []string{write(t, "listener.ts", listener)}, func(o *Options, _ *agent.Options) {
		o.Send = func(ctx *extension.Context, m Message) error { return answer(ctx.StartReplyTo(m.Text)) }
	})
	c.host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error { return answer(ctx.StartReply(p)) }
	c.start(t)
	t.Cleanup(c.end)
	titles := func(lines []string) string {
		var out []string
		for _, line := range lines {
			if _, title, ok := strings.Cut(line, `"method":"setTitle","title":"`); ok {
				out = append(out, strings.TrimSuffix(title, `"}`))
			}
			if strings.Contains(line, `"content":"Talk like a pirate."`) {
				out = append(out, "the answer")
			}
		}
		return strings.Join(out, " ")
	}
	events := func(source, text, idle string) string {
		return "input," + source + ",true before_agent_start," + text + "!," + idle + " agent_start,,false turn_start,0,false message_end,user,false " +
			"the answer message_end,assistant,false turn_end,0,false agent_end,2,false agent_settled,,"
	}
	c.send(`{"type":"prompt","id":"p","message":"hi"}`)
	if got, want := titles(c.until(`{"type":"agent_settled"`)), events("rpc", "hi", "true")+"true"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c.send(`{"type":"prompt","id":"p","message":"/send ho"}`)
	if got, want := titles(c.until(`{"type":"agent_settled"`)), events("extension", "ho", "false")+"true"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if lines := c.prompt("stop"); titles(lines) != "input,rpc,true" || lines[len(lines)-1] != handled {
		t.Errorf("handled: %s", lines)
	}
}

// As in pi, what a handler of agent_settled sends is answered once the client was told of
// agent_settled.
func TestSendWhenSettled(t *testing.T) {
	c := prepare(t, []string{write(t, "again.ts", `export default (pi) => pi.on("agent_settled", async (event, ctx) => {
		if (!globalThis.sent) pi.sendUserMessage("again");
		globalThis.sent = true;
		await new Promise((resolve) => setTimeout(resolve, 50));
		ctx.ui.setTitle("settled");
	});`)}, func(o *Options, _ *agent.Options) {
		o.Send = func(ctx *extension.Context, m Message) error {
			r, err := ctx.StartReplyTo(m.Text)
			return errors.Join(err, r.End())
		}
	})
	c.host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error {
		r, err := ctx.StartReply(p)
		return errors.Join(err, r.End())
	}
	c.start(t)
	t.Cleanup(c.end)
	c.send(`{"type":"prompt","id":"p","message":"hi"}`)
	for i := range 2 {
		lines := c.until(`{"type":"agent_settled"`)
		if all := strings.Join(lines, "\n"); strings.Count(all, `{"type":"agent_start"}`) != 1 || strings.Count(all, `"title":"settled"`) != 1 {
			t.Errorf("run %d:\n%s", i, all)
		}
	}
}

// A message for the next turn is no entry and nothing is said of it, until a run begins.
func TestMessageForTheNextTurn(t *testing.T) {
	c := prepare(t, []string{write(t, "next.ts", `export default (pi) => pi.registerCommand("next", { handler: async (args, ctx) => {
		for (const content of ["one", undefined]) pi.sendMessage({ customType: "c", content, display: true }, { deliverAs: "nextTurn", triggerTurn: true });
		ctx.ui.notify(ctx.sessionManager.getEntries().map((e) => e.type).join());
	} });`)}, nil)
	c.host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error {
		r, err := ctx.StartReply(p)
		if err != nil {
			return err
		}
		return r.End()
	}
	c.start(t)
	t.Cleanup(c.end)
	if got := c.prompt("/next"); len(got) != 2 || !strings.Contains(got[0], `"message":"thinking_level_change"`) {
		t.Errorf("at first: %s", got)
	}
	for _, want := range []int{1, 0} {
		c.send(`{"type":"prompt","id":"p","message":"hi"}`)
		all := strings.Join(c.until(`{"type":"agent_settled"`), "\n")
		for _, content := range []string{`"one"`, `[]`} {
			if n := strings.Count(all, `{"type":"message_start","message":{"role":"custom","customType":"c","content":`+content+`,"display":true,"timestamp":`); n != want {
				t.Errorf("%s was told %d times, want %d:\n%s", content, n, want, all)
			}
		}
	}
}
