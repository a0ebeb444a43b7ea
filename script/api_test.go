package script

import (
	"path/filepath"
	"strings"
	"testing"

	"extui/agent"
	"extui/extension"
)

// Everything that an entry file may import is found as Node finds it.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lib/named.mts":                               "export const named = 'named';\nexport type T = number;\n",
		"lib/data.json":                               `{"n": 3}`,
		"lib/late.ts":                                 "export default 'late';\n",
		"lib/dir.mjs":                                 "import { dirname } from 'path'; import { fileURLToPath } from 'url'; const __filename = fileURLToPath(import.meta.url), __dirname = dirname(__filename); export const dir = __dirname;\n",
		"lib/common.cjs":                              "const path = require('path'); module.exports = { base: path.basename(__filename) };\n",
		"node_modules/dep/package.json":               `{"name": "dep", "exports": {".": {"import": "./esm.mjs", "require": "./no.js"}}}`,
		"node_modules/dep/esm.mjs":                    "export const dep = 'dep';\n",
		"node_modules/old/package.json":               `{"name": "old", "main": "lib/index.js"}`,
		"node_modules/old/lib/index.js":               "exports.old = 'old';\n",
		"node_modules/@earendil-works/pi-ai/index.js": "throw new Error('the real one');\n",
	} {
		writeIn(t, dir, name, text)
	}
	path := writeIn(t, dir, "index.ts", `
import { named, type T } from "./lib/named.mts";
import data from "./lib/data.json" with { type: "json" };
import common from "./lib/common.cjs";
import { dep } from "dep";
import { dir } from "./lib/dir.mjs";
import { old } from "old";
import { Type } from "@earendil-works/pi-ai";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
enum Color { Red = "red" }
const late = await import("./lib/late.ts");
const self: string = readFileSync(fileURLToPath(import.meta.url), "utf8");
export default function (pi: any) {
	const n: T = data.n;
	pi.registerCommand("imports", { handler: async (_: string, ctx: any) => ctx.ui.notify(
		[named, n, common.base, dep, old, Type.String().type, late.default, Color.Red, self.length > 100, __dirname === ctx.cwd, dir === __dirname + "/lib"].join()) });
}
`)
	c := serve(t, []string{filepath.Dir(path)}, func(o *Options, _ *agent.Options) { o.Cwd = dir })
	if got := shortened(c.prompt("/imports")); !strings.HasPrefix(got, "named,3,common.cjs,dep,old,string,late,red,true,true,true | ") {
		t.Error(got)
	}
}

const first = `export default function (pi) {
	pi.events.on("ping", (data) => pi.events.emit("pong", { n: data.n + 1 }));
	pi.registerTool({ name: "one", label: "One", description: "d", parameters: { type: "object" }, async execute(id, input, signal, update, ctx) {
		update({ content: [{ type: "text", text: "half" }] });
		return { content: [{ type: "text", text: "got " + input.x }], details: { id: typeof id } };
	} });
	pi.on("tool_call", (event) => { if (event.input.x === 1) event.input.x = 2; if (event.input.x === 9) return { block: true, reason: "nine" }; });
	pi.on("tool_result", (event) => event.content[0].text === "got 5" ? { content: [{ type: "text", text: "changed" }] } : undefined);
}
`

const second = `export default function (pi) {
	let told = () => {};
	pi.events.on("pong", (data) => told(data.n));
	const cmd = (name, f) => pi.registerCommand(name, { handler: async (args, ctx) => ctx.ui.notify(String(await f(ctx, args))),
		getArgumentCompletions: (prefix) => ["alpha", "beta"].filter((s) => s.startsWith(prefix)).map((value) => ({ value, label: value.toUpperCase() })) });
	cmd("bus", () => new Promise((r) => { told = r; pi.events.emit("ping", { n: 1 }); }));
	cmd("tools", () => JSON.stringify([pi.getAllTools().map((t) => t.name), pi.getActiveTools()]));
	cmd("active", () => { pi.setActiveTools([]); return pi.getActiveTools().length; });
	cmd("restore", () => { pi.setActiveTools(["one"]); return pi.getActiveTools().join(); });
	cmd("call", async (ctx) => { const r = await ctx.executeTool("one", { x: 3 }); return r.result.content[0].text + r.isError; });
	cmd("entries", (ctx) => { pi.appendEntry("mine", { a: 1 }); const e = ctx.sessionManager.getLeafEntry(); pi.setLabel(e.id, "l");
		return [e.customType, e.data.a, ctx.sessionManager.getLabel(e.id), ctx.sessionManager.getBranch().length].join(); });
	cmd("send", () => { pi.sendUserMessage("to the model"); return "sent"; });
	cmd("timeout", async (ctx) => [await ctx.ui.confirm("t", "m", { timeout: Infinity }), await ctx.ui.input("t", "p", { timeout: NaN })].join());
	cmd("expired", async ({ ui }) => [await ui.confirm("t", "m", { timeout: -1 }), await ui.select("t", ["a"], { timeout: -Infinity }), await ui.input("t", "", { timeout: -0.5 }),
		await ui.editor("t", "", { timeout: -3 }), String(await ui.questionnaire([], { timeout: -1 }))].join());
	cmd("odd", async ({ ui }) => [await ui.confirm("t", "m", { timeout: {} }), await ui.confirm("t", "m", { timeout: true })].join());
	cmd("model", async (ctx) => [ctx.model.id, JSON.stringify(ctx.sessionManager.buildSessionContext()), ctx.isIdle(), await pi.setModel({}), pi.getThinkingLevel(), ctx.signal].join());
	cmd("surrogate", (ctx) => ctx.ui.input("lone \ud83d half").then((v) => JSON.stringify(v)));
	try { pi.sendUserMessage("too early"); } catch (e) { cmd("early", () => e.message.slice(0, 33)); }
}
`

// talkOfTwo is an agent with two extensions.
func talkOfTwo(t *testing.T, change func(*Options, *agent.Options)) *talk {
	t.Helper()
	return serve(t, []string{write(t, "first.ts", first), write(t, "second.ts", second)}, change)
}

func TestAPI(t *testing.T) {
	c := talkOfTwo(t, nil)
	// In this order: /active changes what /tools lists after it.
	for _, x := range []struct{ command, want string }{
		{"bus", "2"}, {"tools", `[[\"one\"],[\"one\"]]`}, {"active", "0"}, {"tools", `[[\"one\"],[]]`},
		{"call", "Tool one not foundtrue"}, {"restore", "one"},
		{"early", "Extension runtime not initialized"},
		{"call", "got 3false"}, {"entries", "mine,1,l,3"}, {"model", `unknown,{\"messages\":[],\"thinkingLevel\":\"off\",\"model\":null},true,false,off,`},
	} {
		lines := c.prompt("/" + x.command)
		if !strings.Contains(lines[len(lines)-2], `"message":"`+x.want+`"`) {
			t.Errorf("/%s: %s, want %s", x.command, lines, x.want)
		}
	}
	for input, want := range map[string]string{
		`{"x":1}`: `{"content":[{"type":"text","text":"got 2"}],"details":{"id":"string"},"isError":false}`,
		`{"x":5}`: `{"content":[{"type":"text","text":"changed"}],"details":{"id":"string"},"isError":false}`,
		`{"x":9}`: `{"content":[{"type":"text","text":"nine"}],"details":{},"isError":true}`,
	} {
		c.send(`{"type":"call_tool","id":"t","toolName":"one","input":` + input + `}`)
		lines := c.until(`{"id":"t"`)
		if got := lines[len(lines)-1]; !strings.Contains(got, want) {
			t.Errorf("call_tool %s: %s, want %s", input, got, want)
		}
	}
	list, err := c.host.Complete(t.Context(), c.agent.Session(), "bus", "al")
	if err != nil || len(list) != 1 || list[0] != (extension.Completion{Value: "alpha", Label: "ALPHA"}) {
		t.Errorf("completions: %v %v", list, err)
	}
}

// Without a hook, a message to the model becomes a notice.
func TestSend(t *testing.T) {
	c := talkOfTwo(t, nil)
	// The notice is written beside the command's run: before or after its end.
	lines := c.prompt("/send")
	if len(lines) == 2 {
		lines = append(lines, c.next())
	}
	if n := strings.Count(strings.Join(lines, "\n"), "there is no model here that takes it: to the model"); n != 1 || len(lines) != 3 {
		t.Errorf("%d notices, want 1: %s", n, lines)
	}
	taken := make(chan Message, 1)
	c = talkOfTwo(t, func(o *Options, _ *agent.Options) {
		o.Send = func(_ *extension.Context, m Message) error { taken <- m; return nil }
	})
	c.prompt("/send")
	if m := <-taken; !m.User || m.Text != "to the model" {
		t.Errorf("the hook got %+v", m)
	}
}

// A timeout that is no time means none, and one diagnostic.
func TestContractScript_TimeoutThatIsNoTime(t *testing.T) {
	c := talkOfTwo(t, nil)
	c.send(`{"type":"prompt","id":"p","message":"/timeout"}`)
	for _, answer := range []string{`"confirmed":true`, `"value":"v"`} {
		line := c.next()
		if strings.Contains(line, "timeout") {
			t.Errorf("a timeout was written: %s", line)
		}
		c.send(`{"type":"extension_ui_response","id":"` + strings.Split(line, `"`)[7] + `",` + answer + `}`)
	}
	if got := shortened(c.until(`{"id":"p"`)); !strings.HasPrefix(got, "true,v | ") {
		t.Error(got)
	}
	if n := strings.Count(c.log.String(), "its timeout is no time"); n != 1 {
		t.Errorf("%d diagnostics, want 1:\n%s", n, c.log)
	}
}

// A negative timeout is what is left of a deadline that has passed: the dialog is over
// before it is written, and one diagnostic says so. What is no number and no text of one
// waits for the millisecond that setTimeout makes of it, as in pi.
func TestContractScript_NegativeTimeout(t *testing.T) {
	c := talkOfTwo(t, nil)
	if got := c.prompt("/expired"); len(got) != 2 || !strings.Contains(got[0], `"message":"false,,,,undefined"`) {
		t.Errorf("got %s", got)
	}
	if n := strings.Count(c.log.String(), "its timeout is negative"); n != 1 {
		t.Errorf("%d diagnostics, want 1:\n%s", n, c.log)
	}
	got := c.prompt("/odd")
	if len(got) != 4 || !strings.Contains(got[0], `"timeout":{}`) || !strings.Contains(got[1], `"timeout":true`) || !strings.Contains(got[2], `"message":"false,false"`) {
		t.Errorf("got %s", got)
	}
}

// A lone surrogate goes both ways as Node writes it.
func TestContractScript_LoneSurrogates(t *testing.T) {
	c := talkOfTwo(t, nil)
	c.send(`{"type":"prompt","id":"p","message":"/surrogate"}`)
	line := c.next()
	if !strings.Contains(line, `"title":"lone \ud83d half"`) {
		t.Errorf("written: %s", line)
	}
	c.send(`{"type":"extension_ui_response","id":"` + strings.Split(line, `"`)[7] + `","value":"back \udc00"}`)
	if got := c.until(`{"id":"p"`)[0]; !strings.Contains(got, `"message":"\"back \\udc00\""`) {
		t.Errorf("read: %s", got)
	}
}
