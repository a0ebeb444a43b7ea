package script

import (
	"strings"
	"testing"
)

// outliving is an extension whose handlers leave dialogs open.
const outliving = `export default function (pi) {
	const then = (ctx, p) => { p.then((v) => ctx.ui.notify("got " + v)); };
	const cmd = (name, handler) => pi.registerCommand(name, { handler });
	pi.on("session_start", (e, ctx) => { if (e.reason === "startup") then(ctx, ctx.ui.confirm("open", "m")); });
	cmd("async", async (_, ctx) => then(ctx, ctx.ui.confirm("open", "m")));
	cmd("sync", (_, ctx) => then(ctx, ctx.ui.select("open", ["a", "true"])));
	cmd("limited", (_, ctx) => then(ctx, ctx.ui.confirm("open", "m", { timeout: 60000 })));
	cmd("race", async (_, ctx) => { const p = ctx.ui.input("open"); then(ctx, p); await Promise.race([p, new Promise((r) => setTimeout(r, 1))]); });
	cmd("other", async (_, ctx) => then(ctx, ctx.executeTool("ask", {}).then((r) => r.result.content[0].text)));
	cmd("bus", (_, ctx) => pi.events.emit("ask", ctx));
	pi.events.on("ask", async (ctx) => then(ctx, ctx.ui.confirm("open", "m")));
	pi.registerTool({ name: "leave", parameters: { type: "object" }, async execute(id, input, signal, update, ctx) {
		then(ctx, ctx.ui.confirm("open", "m"));
		return { content: [{ type: "text", text: "done" }] };
	} });
	pi.registerTool({ name: "ask", parameters: { type: "object" }, async execute(id, input, signal, update, ctx) {
		return { content: [{ type: "text", text: String(await ctx.ui.confirm("open", "m")) }] };
	} });
	cmd("apart", async (_, ctx) => {
		const { confirm, notify } = ctx.ui;
		const again = { ...ctx.ui };
		const answers = [await confirm("a", "m"), await Promise.all(["b"].map(again.confirm)).then((all) => all[0])];
		notify(["confirm", "theme", "getAllThemes"].every((name) => Object.keys(ctx.ui).includes(name)) + " " + answers + " " + again.theme.fg("accent", "x"));
	});
}
`

func idOf(line string) string { return strings.Split(line, `"`)[7] }

func (c *talk) respond(request, answer string) {
	c.t.Helper()
	c.send(`{"type":"extension_ui_response","id":"` + idOf(request) + `",` + answer + `}`)
}

// A dialog that its handler does not wait for stays open when the handler has returned,
// as in pi: until it is answered, or one of its own ends comes.
func TestADialogOutlivesItsHandler(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", outliving)}, nil)
	for _, name := range []string{"session_start", "async", "sync", "limited", "race", "other", "bus", "leave"} {
		var opened string
		switch name {
		case "session_start":
			opened = c.next()
		case "leave":
			c.send(`{"type":"call_tool","id":"p","toolName":"leave","input":{}}`)
		default:
			c.send(`{"type":"prompt","id":"p","message":"/` + name + `"}`)
		}
		if opened == "" {
			// With executeTool, the question may come before the response or after it.
			both := []string{c.next(), c.next()}
			if strings.HasPrefix(both[0], `{"id":"p"`) {
				both[0], both[1] = both[1], both[0]
			}
			if opened = both[0]; !strings.HasPrefix(both[1], `{"id":"p"`) {
				t.Fatalf("%s: no response in %s", name, both)
			}
		}
		// Whatever the end of the handler would do has been done when another has run.
		c.send(`{"type":"get_state","id":"s"}`)
		if line := c.next(); !strings.HasPrefix(line, `{"id":"s"`) {
			t.Fatalf("%s: %s", name, line)
		}
		answer := `"confirmed":true`
		if strings.Contains(opened, `"select"`) || strings.Contains(opened, `"input"`) {
			answer = `"value":"true"`
		}
		c.respond(opened, answer)
		if line := c.next(); !strings.Contains(line, `"message":"got true"`) {
			t.Errorf("%s: %s", name, line)
		}
	}
}

// An abort, a new session and the end of the input settle what handlers have left open.
func TestWhatEndsADialogThatOutlivesItsHandler(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", outliving)}, nil)
	c.respond(c.next(), `"confirmed":true`)
	c.next()
	c.prompt("/async")
	c.send(`{"type":"abort","id":"a"}`)
	lines := []string{c.next(), c.next()}
	if got := strings.Join(lines, ""); !strings.Contains(got, `"message":"got false"`) || !strings.Contains(got, `{"id":"a"`) {
		t.Errorf("abort: %s", lines)
	}
	open := c.prompt("/async")[0]
	c.send(`{"type":"new_session","id":"n"}`)
	c.until(`{"id":"n"`)
	c.respond(open, `"confirmed":true`)
	if lines := c.prompt("/async"); len(lines) != 2 {
		t.Errorf("after the new session: %s", lines)
	}
	c.in.Close()
	for line := range c.lines {
		if strings.Contains(line, "got true") {
			t.Errorf("at the end: %s", line)
		}
	}
}

// The members of ctx.ui are its own and need no this, as in pi.
func TestMembersOfUIStandAlone(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", outliving)}, nil)
	c.respond(c.next(), `"confirmed":true`)
	c.next()
	c.send(`{"type":"prompt","id":"p","message":"/apart"}`)
	for range 2 {
		c.respond(c.next(), `"confirmed":true`)
	}
	if line := c.next(); !strings.Contains(line, `"message":"true true,true x"`) {
		t.Error(line)
	}
}
