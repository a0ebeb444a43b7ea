package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sessions = `let loads = 0;
export default function (pi) {
	loads++;
	let old;
	pi.on("session_start", async (e, ctx) => ctx.ui.notify("start " + e.reason + " " + loads));
	pi.on("session_before_switch", async (e, ctx) => ({ cancel: !(await ctx.ui.confirm("Leave?", e.reason)) }));
	pi.on("session_shutdown", async (e, ctx) => ctx.ui.notify("shutdown " + e.reason));
	pi.registerCommand("ask", { handler: async (args, ctx) => {
		const answer = await ctx.ui.input("open");
		let after;
		try { ctx.ui.notify("late"); } catch (e) { after = e.message.slice(0, 27); }
		console.log("ask: " + answer + ", then " + after);
	} });
	pi.registerCommand("new", { handler: async (args, ctx) => {
		const r = await ctx.newSession({ withSession: async (next) => next.ui.notify("in the new one") });
		console.log("new: " + JSON.stringify(r));
	} });
	pi.registerCommand("reload", { handler: async (args, ctx) => { pi.appendEntry("kept", { n: 1 }); await ctx.reload(); } });
	pi.registerCommand("entries", { handler: async (args, ctx) => ctx.ui.notify(ctx.sessionManager.getEntries().map((e) => e.customType ?? e.type).join()) });
}
`

// shortened returns what a line is about.
func shortened(lines []string) string {
	var out []string
	for _, l := range lines {
		_, rest, found := strings.Cut(l, `"message":"`)
		if !found {
			if _, rest, found = strings.Cut(l, `"title":"`); !found {
				rest = l
			}
		}
		text, _, _ := strings.Cut(rest, `"`)
		if strings.HasPrefix(l, `{"id"`) || strings.Contains(l, "entry_appended") {
			text = l[:min(len(l), 40)]
			if strings.Contains(l, `"cancelled":true`) {
				text += " cancelled"
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, " | ")
}

// Dialogs that outlive a new session settle before anything else happens; module
// variables survive it and the factory runs again.
func TestNewSession(t *testing.T) {
	c := serve(t, []string{write(t, "s.ts", sessions)}, nil)
	if got := c.next(); !strings.Contains(got, "start startup 1") {
		t.Fatal(got)
	}
	c.send(`{"type":"prompt","id":"ask","message":"/ask"}`)
	c.next()
	c.send(`{"type":"new_session","id":"n"}`)
	confirm := c.next()
	id := strings.Split(confirm, `"`)[7]
	c.send(`{"type":"extension_ui_response","id":"` + id + `","confirmed":true}`)
	got := shortened(c.until(`{"id":"n"`))
	if shutdown, start := strings.Index(got, "shutdown new"), strings.Index(got, "start new 2"); shutdown < 0 || start < shutdown {
		t.Errorf("new_session: %s", got)
	}
	c.end()
	if !strings.Contains(c.stderr.String(), "ask: undefined, then ") {
		t.Errorf("the old handler wrote: %s", c.stderr)
	}
}

func TestNewSessionFromAnExtension(t *testing.T) {
	c := serve(t, []string{write(t, "s.ts", sessions)}, nil)
	c.next()
	for _, yes := range []bool{false, true} {
		c.send(`{"type":"prompt","id":"p","message":"/new"}`)
		id := strings.Split(c.next(), `"`)[7]
		answer := `{"type":"extension_ui_response","id":"` + id + `","confirmed":false}`
		if yes {
			answer = strings.Replace(answer, "false", "true", 1)
		}
		c.send(answer)
		got := shortened(c.until(`{"id":"p"`))
		want := `{"id":"p","type":"response","command":"p`
		if yes {
			want = "shutdown new | start new 2 | in the new one | " + want
		}
		if got != want {
			t.Errorf("answer %v: got\n%s\nwant\n%s", yes, got, want)
		}
	}
}

func TestReload(t *testing.T) {
	path := write(t, "s.ts", sessions)
	c := serve(t, []string{path}, nil)
	c.next()
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(sessions, "start ", "again ")), 0o666); err != nil {
		t.Fatal(err)
	}
	got := shortened(c.prompt("/reload"))
	want := `{"type":"entry_appended","entry":{"type" | shutdown reload | again reload 1 | {"id":"p","type":"response","command":"p`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shortened(c.prompt("/entries")); !strings.HasPrefix(got, "thinking_level_change,kept | ") {
		t.Errorf("entries after the reload: %s", got)
	}
	// A file that is broken now changes nothing.
	if err := os.WriteFile(path, []byte("export default ("), 0o666); err != nil {
		t.Fatal(err)
	}
	lines := c.prompt("/reload")
	if joined := strings.Join(lines, "\n"); !strings.Contains(joined, "extension_error") || !strings.Contains(joined, filepath.Base(path)+":1:") {
		t.Errorf("reload of a broken file: %s", joined)
	}
	if got := shortened(c.prompt("/entries")); !strings.HasPrefix(got, "thinking_level_change,kept,kept | ") {
		t.Errorf("entries after the failed reload: %s", got)
	}
}

// The session's name as pi has it: an extension may take it away, the client may give
// one, and extensions hear of it.
func TestSessionName(t *testing.T) {
	c := serve(t, []string{write(t, "name.ts", `export default (pi) => {
		pi.on("session_info_changed", (e, ctx) => ctx.ui.notify("event " + JSON.stringify(e)));
		pi.registerCommand("name", { handler: async (args) => pi.setSessionName(args) });
		pi.registerCommand("show", { handler: async (_, ctx) => ctx.ui.notify(JSON.stringify([pi.getSessionName() ?? null,
			ctx.sessionManager.getEntries().filter((e) => e.type === "session_info").map((e) => e.name)])) });
	}`)}, nil)
	changed := func(send, want, event string) {
		t.Helper()
		c.send(send)
		var got []string
		for range 3 { // the event to the extension is beside the others
			got = append(got, c.next())
		}
		all := strings.Join(got, "\n")
		if !strings.Contains(all, want) || !strings.Contains(all, "event "+event) || !strings.Contains(all, `"success":true`) {
			t.Errorf("%s\ngot %s", send, all)
		}
	}
	quoted := func(s string) string { return strings.Trim(quoteJS(s), `"`) }
	changed(`{"type":"prompt","id":"p","message":"/name one"}`, `{"type":"session_info_changed","name":"one"}`, quoted(`{"type":"session_info_changed","name":"one"}`))
	changed(`{"type":"prompt","id":"p","message":"/name "}`, `{"type":"session_info_changed"}`, quoted(`{"type":"session_info_changed"}`))
	if got := c.prompt("/show")[0]; !strings.Contains(got, quoteJS(`[null,["one",""]]`)) {
		t.Errorf("got %s", got)
	}
	changed(`{"type":"set_session_name","id":"p","name":" two "}`, `{"type":"session_info_changed","name":"two"}`, quoted(`{"type":"session_info_changed","name":"two"}`))
	if got := c.prompt("/show")[0]; !strings.Contains(got, quoteJS(`["two",["one","","two"]]`)) {
		t.Errorf("got %s", got)
	}
	for send, want := range map[string]string{
		`{"type":"set_session_name","id":"p","name":" "}`: "Session name cannot be empty",
		`{"type":"set_session_name","id":"p"}`:            "Session name cannot be empty",
		`{"type":"set_session_name","id":"p","name":7}`:   "name",
	} {
		c.send(send)
		if got := c.next(); !strings.Contains(got, `"success":false`) || !strings.Contains(got, want) {
			t.Errorf("%s\ngot %s", send, got)
		}
	}
}

// As in pi, a tool that an extension has taken away cannot be called, and a reload keeps
// that.
func TestInactiveToolsCannotBeCalled(t *testing.T) {
	c := serve(t, []string{write(t, "active.ts", `export default (pi) => {
	for (const name of ["read", "danger"]) pi.registerTool({ name, parameters: { type: "object" }, execute: async () => ({ content: [{ type: "text", text: name + " ran" }] }) });
	pi.registerCommand("only", { handler: async (args) => pi.setActiveTools(args ? args.split(",") : []) });
	pi.registerCommand("again", { handler: async (_, ctx) => { await ctx.reload() } });
	pi.registerCommand("list", { handler: async (_, ctx) => ctx.ui.notify(pi.getActiveTools().join()) });
}`)}, nil)
	call := func(tool, want string) {
		t.Helper()
		c.send(`{"type":"call_tool","id":"t","toolName":"` + tool + `","input":{}}`)
		if got := strings.Join(c.until(`{"id":"t"`), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", tool, got, want)
		}
	}
	const gone = `"text":"Tool danger not found"}],"details":{},"isError":true`
	call("danger", "danger ran")
	c.prompt("/only read")
	call("danger", gone)
	call("read", "read ran")
	c.prompt("/only")
	call("danger", gone)
	c.prompt("/again") // what is registered anew is active, as in pi
	if got := c.prompt("/list"); !strings.Contains(got[0], `"message":"read,danger"`) {
		t.Errorf("after a reload: %s", got)
	}
}
