package script

import (
	"strings"
	"testing"
	"time"

	"extui/agent"
)

const wanderer = `export default function (pi) {
	const kinds = (ctx) => ctx.sessionManager.getBranch().map((e) => e.customType ?? e.label ?? e.type).join() + " of " + ctx.sessionManager.getEntryCount();
	const id = (ctx, type) => ctx.sessionManager.getEntries().find((e) => e.customType === type)?.id;
	pi.on("session_start", (event, ctx) => ctx.ui.notify(event.reason + ": " + kinds(ctx)));
	pi.on("session_before_fork", async (event, ctx) => event.position === "before" ? { cancel: !(await ctx.ui.confirm("Fork?", "")) } : undefined);
	pi.on("session_before_tree", (event) => { if (event.preparation.label === "throw") throw new Error("no way there"); });
	const cmd = (name, f) => pi.registerCommand(name, { handler: async (args, ctx) => {
		let said;
		try { said = await f(ctx, args); if (typeof said !== "string") said = JSON.stringify(said); } catch (e) { said = e.message; }
		try { ctx.ui.notify(said); } catch { console.log(name + ": " + said); }
	} });
	cmd("entry", (ctx, args) => pi.appendEntry(args));
	cmd("branch", (ctx) => kinds(ctx));
	cmd("go", (ctx, args) => ctx.navigateTree(id(ctx, args)));
	cmd("label", (ctx, args) => ctx.navigateTree(id(ctx, args), { label: args }));
	cmd("throw", (ctx, args) => ctx.navigateTree(id(ctx, args), { label: "throw" }));
	cmd("summary", (ctx, args) => ctx.navigateTree(id(ctx, args), { summarize: true }));
	cmd("before", (ctx, args) => ctx.fork(id(ctx, args)));
	cmd("at", (ctx, args) => ctx.fork(id(ctx, args), { position: "at", withSession: async (next) => { await next.sendMessage({ customType: "sent", content: "" }); next.ui.notify("with: " + kinds(next)); } }));
	cmd("fresh", (ctx) => ctx.newSession({ parentSession: "/p", setup: async (m) => { await null; m.appendCustomEntry("set"); m.appendSessionInfo("named"); keep = m; },
		withSession: async (next) => next.ui.notify(next.sessionManager.getHeader().parentSession + " " + next.sessionManager.getSessionName()) }));
	cmd("throws", (ctx) => ctx.newSession({ setup() { throw new Error("setup threw"); } }));
	cmd("hangs", (ctx) => ctx.newSession({ setup: () => new Promise(() => {}) }));
	cmd("late", () => keep.appendCustomEntry("late"));
	cmd("switch", (ctx) => ctx.switchSession("/s.jsonl"));
}
let keep;
`

// Entries make a tree; forks and new sessions begin with a branch of it or with what
// setup puts there.
func TestSessionTree(t *testing.T) {
	t.Parallel()
	c := serve(t, []string{write(t, "w.ts", wanderer)}, func(o *Options, _ *agent.Options) { o.Limits.Run = 200 * time.Millisecond })
	if got := c.next(); !strings.Contains(got, "startup: thinking_level_change of 1") {
		t.Fatal(got)
	}
	const start = "thinking_level_change,"
	for _, x := range []struct{ command, want string }{
		{"entry a", "}"}, {"entry b", "}"}, {"entry c", "}"},
		{"go a", `{\"cancelled\":false}`}, {"branch", start + "a of 4"},
		{"entry d", "}"}, {"branch", start + "a,d of 5"},
		{"go nothing", "Entry undefined not found"},
		{"label b", `{\"cancelled\":false}`}, {"branch", start + "a,b,b of 6"},
		{"throw a", `{\"cancelled\":true}`}, {"branch", start + "a,b,b of 6"},
		{"summary a", "No model available for summarization"}, {"branch", start + "a,b,b of 6"},
		{"at d", "fork: " + start + "a,d,thinking_level_change of 4|with: " + start + "a,d,thinking_level_change,sent of 5"},
		{"branch", start + "a,d,thinking_level_change,sent of 5"},
		{"at nothing", "Invalid entry ID for forking"},
		{"fresh", "new: " + start + "set,session_info of 3|/p named"},
		{"late", "the session that setup was to fill has started"},
		{"throws", "new: thinking_level_change of 1"},
		{"switch", "ctx.switchSession is not available in extui: it keeps no session files"},
	} {
		lines := c.prompt("/" + x.command)
		var got []string
		for _, line := range lines {
			if _, text, ok := strings.Cut(line, `"method":"notify"`); ok {
				got = append(got, strings.TrimSuffix(strings.TrimPrefix(text, `,"message":"`), `"}`))
			}
		}
		if want := strings.ReplaceAll(x.want, "}", "}"); strings.Join(got, "|") != want {
			t.Errorf("/%s: got %s, want %s", x.command, strings.Join(got, "|"), want)
		}
	}
	for _, want := range []string{`at: {"cancelled":false}`, `fresh: {"cancelled":false}`, "throws: setup threw"} {
		if !strings.Contains(c.stderr.String(), want) {
			t.Errorf("stderr has no %q:\n%s", want, c.stderr)
		}
	}
	// A setup that never ends holds up the session only for so long.
	c.send(`{"type":"prompt","id":"p","message":"/hangs"}`)
	if lines := c.until(`{"type":"extension_ui_request"`); !strings.Contains(lines[len(lines)-1], `"message":"new: thinking_level_change of 1"`) {
		t.Errorf("after a setup that hangs: %s", lines)
	}
	// Whether to fork is a person's decision, and no answer is no.
	c.send(`{"type":"prompt","id":"p","message":"/before a"}`)
	c.send(`{"type":"extension_ui_response","id":"` + strings.Split(c.next(), `"`)[7] + `","cancelled":true}`)
	if lines := c.until(`{"id":"p"`); !strings.Contains(lines[0], `"message":"{\"cancelled\":true}"`) {
		t.Error(lines)
	}
}

// A fork brings its labels along, behind what they name, and drops those that were
// taken away.
func TestForkOfTree(t *testing.T) {
	var tr tree
	add := func(members string) string {
		t.Helper()
		e, err := tr.append(members)
		if err != nil {
			t.Fatal(err)
		}
		return e.id
	}
	tr.begin()
	user := add(`{"type":"message","message":{"role":"user"}}`)
	add(`{"type":"label","targetId":"` + user + `","label":"old"}`)
	reply := add(`{"type":"message","message":{"role":"assistant"}}`)
	add(`{"type":"label","targetId":"` + reply + `","label":"gone"}`)
	add(`{"type":"label","targetId":"` + reply + `"}`)
	add(`{"type":"label","targetId":"` + user + `","label":"new"}`)
	last := add(`{"type":"custom","customType":"last","data":1}`)
	kinds := func(tr tree) string {
		var out []string
		for i, e := range tr.entries {
			out = append(out, e.typ+e.label)
			if i > 0 && e.parent != tr.entries[i-1].id {
				t.Errorf("entry %d follows %q", i, e.parent)
			}
		}
		if len(tr.entries) > 0 && tr.leaf != tr.entries[len(tr.entries)-1].id {
			t.Errorf("the leaf is %q", tr.leaf)
		}
		return strings.Join(out, " ")
	}
	for _, x := range []struct {
		id     string
		before bool
		want   string
	}{
		{last, false, "thinking_level_change message message custom labelnew"},
		{reply, false, "thinking_level_change message message labelnew"},
		{user, true, "thinking_level_change"},
		{reply, true, ""}, {"none", false, ""},
	} {
		got, err := tr.fork(x.id, x.before)
		if (err != nil) != (x.want == "") || kinds(got) != x.want {
			t.Errorf("fork at %q: got %s, %v, want %s", x.id, kinds(got), err, x.want)
		}
	}
	if got := tr.find(last).text(); !strings.HasPrefix(got, `{"type":"custom","customType":"last","data":1,"id":"`+last+`","parentId":"`) {
		t.Errorf("a custom entry is %s", got)
	}
	if got := tr.entries[0].text(); !strings.HasPrefix(got, `{"type":"thinking_level_change","id":"`) || !strings.HasSuffix(got, `Z","thinkingLevel":"off"}`) {
		t.Errorf("the first entry is %s", got)
	}
}
