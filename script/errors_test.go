package script

import (
	"strings"
	"testing"
)

const thrower = `const top = 1;
const N = (ctx: any, t: any) => ctx.ui.notify(JSON.stringify(t));
const place = (e: any, line: number) => e.stack.split("\n")[line].replace(/\(.*\//, "(").trim();
export default function (pi: any) {
	const cmd = (name: string, f: (ctx: any) => any) => pi.registerCommand(name, { handler: async (_: string, ctx: any) => f(ctx) });
	class Mine extends TypeError { name = "Mine"; }
	cmd("stack", function made(ctx) {
		const e: any = new Error("boo"), m: any = new Mine("x");
		N(ctx, [e.stack.split("\n")[0], place(e, 1).replace(/:\d+\)/, ")"), m.stack.split("\n")[0]]);
		try { ctx.nothing.at; } catch (e: any) {
			N(ctx, [e.stack.split("\n")[0].startsWith("TypeError: "), place(e, 1).startsWith("at made (ext.ts:10:"), Object.getOwnPropertyNames(e).sort(), Object.keys(e)]);
		}
		e.stack = "mine";
		const o: any = { name: "N", message: "M" };
		(function hidden() { Error.captureStackTrace(o, hidden); })();
		N(ctx, [e.stack, o.stack.split("\n")[0], place(o, 1).startsWith("at made (ext.ts:15:"), (new Error("z") as any).stack.includes("__")]);
	});
	cmd("looked", () => { const e: any = new Error("looked at"); e.stack; throw e; });
	cmd("constant", (ctx) => {
		const all: any[] = [];
		try { top = 2; } catch (e: any) { all.push(e.name, e.message); }
		for (const x of [1]) try { x++; } catch (e: any) { all.push(e.name); }
		N(ctx, [...all, top]);
	});
	cmd("listen", async (ctx) => {
		process.on("unhandledRejection", (e: any, p: any) => N(ctx, ["rejection", e.message, p instanceof Promise]));
		process.once("uncaughtException", (e: any, origin: string) => N(ctx, ["exception", e.message, origin]));
		Promise.reject(new Error("lost"));
		await new Promise((r) => { setTimeout(r, 5); setTimeout(() => { throw new Error("thrown"); }, 1); });
	});
	cmd("far", async (ctx) => {
		await new Promise((r) => setTimeout(r, 2 ** 31));
		await new Promise((r) => setTimeout(r, Infinity));
		N(ctx, "at once");
	});
}
`

// Errors look as in Node.js, and what an extension does about them works.
func TestErrorsAsExtensionsSeeThem(t *testing.T) {
	c := serve(t, []string{write(t, "ext.ts", thrower)}, nil)
	for _, test := range []struct {
		command string
		want    []string
	}{
		{"stack", []string{`["Error: boo","at made (ext.ts:8)","Mine: x"]`, `[true,true,["message","stack"],[]]`, `["mine","N: M",true,false]`}},
		{"constant", []string{`["TypeError","Assignment to constant variable.","TypeError",1]`}},
		{"listen", []string{`["rejection","lost",true]`, `["exception","thrown","uncaughtException"]`}},
		{"far", []string{`"at once"`}},
	} {
		lines := c.prompt("/" + test.command)
		if len(lines) != len(test.want)+1 {
			t.Errorf("/%s: %s", test.command, lines)
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(lines[i], `"message":`+quoted(want)) {
				t.Errorf("/%s: %s, want %s", test.command, lines[i], want)
			}
		}
	}
	// The place of an error is known also when the extension has looked at its stack.
	c.prompt("/looked")
	if !strings.Contains(c.log.String(), "ext.ts:18:") {
		t.Errorf("the log does not name the line:\n%s", c.log)
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// The record of a failed handler is pi's, which says no place; a person is told it.
func TestPlaceOfAFailure(t *testing.T) {
	path := write(t, "ext.ts", `export default function (pi: any) {
	pi.on("input", () => {
		throw new Error("of input");
	});
	pi.registerCommand("fail", { handler: async () => {
		throw new Error("not caught");
	} });
	pi.registerCommand("empty", { handler: async () => { throw new TypeError(""); } });
	pi.registerCommand("object", { handler: async () => { throw { not: "an error" }; } });
	}`)
	c := serve(t, []string{path}, nil)
	for _, test := range [][3]string{
		{"/fail", "not caught", path + ":6: /fail threw: not caught\n"},
		{"/empty", "", path + ":8: /empty threw: TypeError\n"},
		{"/object", "[object Object]", ""},
		{"text", "of input", path + ":3: a handler of input threw: of input\n"},
	} {
		if got := c.prompt(test[0])[0]; !strings.Contains(got, `"type":"extension_error"`) || !strings.HasSuffix(got, `"error":`+quoteJS(test[1])+"}") {
			t.Errorf("%s: got %s", test[0], got)
		}
		if got := c.stderr.String(); !strings.Contains(got, test[2]) {
			t.Errorf("%s: standard error\n%s", test[0], got)
		}
	}
}

// A command that no prompt can run is listed, as in pi, and does no harm to the others.
func TestCommandOfTwoWords(t *testing.T) {
	path := write(t, "ext.ts", `export default (pi) => {
		for (const name of ["two words", "one"]) pi.registerCommand(name, { handler: async (args, ctx) => ctx.ui.notify("ran " + name) });
	}`)
	c := serve(t, []string{path}, nil)
	if got := c.prompt("/one")[0]; !strings.Contains(got, `"message":"ran one"`) {
		t.Errorf("got %s", got)
	}
	if got := c.prompt("/two words")[0]; !strings.Contains(got, "no command /two") {
		t.Errorf("got %s", got)
	}
	c.send(`{"type":"get_commands","id":"p"}`)
	if got := c.next(); !strings.Contains(got, `{"name":"two words",`) {
		t.Errorf("got %s", got)
	}
	if got := c.stderr.String(); !strings.Contains(got, path+": no prompt runs the command \"two words\"") {
		t.Errorf("standard error\n%s", got)
	}
}
