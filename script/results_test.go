package script

import (
	"strings"
	"testing"
)

// gates is an extension with two gates and a tool that says what it ran with. The first
// gate does what the input says; the second tells what it sees.
const gates = `export default function (pi) {
	class R { get block() { return true } get reason() { return "policy" } }
	const ways = {
		"own members": () => ({ block: true, reason: "policy" }),
		getters: () => new R(),
		prototype: () => Object.create({ block: true, reason: "policy" }),
		toJSON: () => ({ block: true, reason: "policy", toJSON() { return {} } }),
		"toJSON of all": () => { Object.prototype.toJSON = () => ({}); return { block: true, reason: "policy" } },
		function: () => Object.assign(() => {}, { block: true, reason: "policy" }),
		"other truth": () => ({ block: Symbol("yes"), reason: "policy" }),
		"function for truth": () => ({ block() {}, reason: "policy" }),
		"large number for truth": () => ({ block: 1n, reason: "policy" }),
		circle: () => { const r = { block: true, reason: "policy" }; r.r = r; return r },
		"reason without text": () => ({ block: true, reason: Symbol("r") }),
		"reason in a circle": () => { const r = { block: true }; r.reason = r; return r },
		"deep reason": () => { let reason = {}; for (let i = 0; i < 50000; i++) reason = { reason }; return { block: true, reason } },
		symbol: () => Symbol("block"),
		"large number": () => 1n,
		"throwing getter": () => ({ get block() { throw 6 } }),
		"throwing proxy": () => new Proxy({}, { get(t, k) { if (k === "then") return undefined; throw 5 } }),
		"error without message": () => { const e = new Error("x"); Object.defineProperty(e, "message", { get() { throw 1 } }); throw e },
		"error in itself": () => { const e = new Error("x"); Object.defineProperty(e, "message", { get() { return e.message } }); throw e },
		"error without name": () => { const e = new Error("x"); Object.defineProperty(e, "name", { get() { throw 1 } }); throw e },
		"error without text": () => { throw { toString() { throw 2 }, get [Symbol.toStringTag]() { throw 3 } } },
		"proxy of an error": () => { throw new Proxy({}, { get() { throw 3 }, getPrototypeOf() { throw 4 } }) },
		"rejected proxy": async () => { await null; throw new Proxy({}, { get() { throw 3 }, getPrototypeOf() { throw 4 } }) },
		nothing: () => {},
		reassigned: (e) => { e.input = { command: "NEW" } },
		"proxy for the input": (e) => { e.input = new Proxy({ command: "NEW" }, {}) },
		deleted: (e) => { delete e.input },
		"toJSON of the input": (e) => { e.input.toJSON = () => ({ command: "NEW" }) },
		changed: (e) => { e.input.command = "CHANGED"; e.input = { command: "NEW" } },
	};
	pi.on("tool_call", async (e, ctx) => ways[e.input.command](e));
	pi.on("tool_call", (e, ctx) => { ctx.ui.setTitle("sees " + e.input.command) });
	pi.registerTool({ name: "bash", parameters: { type: "object" }, execute: async (id, p) => ({ content: [{ type: "text", text: "ran " + p.command }] }) });
}
`

// TestGatesOfAllForms makes sure that the gates of the table below let through what they
// have nothing against: that it blocks would say nothing otherwise.
func TestGatesOfAllForms(t *testing.T) {
	c := serve(t, []string{write(t, "gates.ts", gates)}, nil)
	for way, runs := range map[string]string{
		"nothing": "nothing", "reassigned": "reassigned", "proxy for the input": "proxy for the input", "deleted": "deleted",
		"toJSON of the input": "toJSON of the input", "changed": "CHANGED",
	} {
		c.send(`{"type":"call_tool","id":"t","toolName":"bash","input":{"command":"` + way + `"}}`)
		got := strings.Join(c.until(`{"id":"t"`), "\n")
		if !strings.Contains(got, `"title":"sees `+runs+`"`) || !strings.Contains(got, `"text":"ran `+runs+`"`) {
			t.Errorf("%s: got %s, want that the next gate sees and the tool gets %q", way, got, runs)
		}
	}
}

// TestNoGateIsPassedThatObjects is a table of ways to lose the objection of a gate: what
// it returns is no plain object, or cannot be read. Each blocks, and nothing runs.
func TestNoGateIsPassedThatObjects(t *testing.T) {
	for way, reason := range map[string]string{
		"own members": "policy", "getters": "policy", "prototype": "policy", "toJSON": "policy", "toJSON of all": "policy", "function": "policy",
		"other truth": "policy", "function for truth": "policy", "large number for truth": "policy", "circle": "policy",
		"reason without text": "", "reason in a circle": "", "deep reason": "", "symbol": "", "large number": "", "throwing getter": "", "throwing proxy": "",
		"error without message": "cannot be read", "error in itself": "cannot be read", "error without name": "x", "error without text": "cannot be read",
		"proxy of an error": "cannot be read", "rejected proxy": "cannot be read",
	} {
		if slowEngine && strings.Contains(way, "deep") {
			continue // A deep stack is moved for minutes then.
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			c := serve(t, []string{write(t, "gates.ts", gates)}, nil)
			c.send(`{"type":"call_tool","id":"t","toolName":"bash","input":{"command":"` + way + `"}}`)
			lines := c.until(`{"id":"t"`)
			got := strings.Join(lines, "\n")
			if last := lines[len(lines)-1]; strings.Contains(got, "ran ") || strings.Contains(got, "sees ") || !strings.Contains(last, `"isError":true`) || !strings.Contains(last, reason) {
				t.Errorf("got %s, want an error with %q", got, reason)
			}
		})
	}
}

// A gate whose condition does not hold objects to nothing.
func TestAGateWithoutAnAnswerLetsPass(t *testing.T) {
	c := serve(t, []string{write(t, "gate.ts", `export default function (pi) {
	const nothing = { none: undefined, null: null, false: false, zero: 0, text: "", nan: NaN };
	pi.on("tool_call", async (event) => nothing[event.input.command]);
	pi.registerTool({ name: "own", parameters: { type: "object" }, execute: async (_, input) => ({ content: [{ type: "text", text: "ran " + input.command }] }) });
}`)}, nil)
	for _, what := range []string{"none", "null", "false", "zero", "text", "nan"} {
		c.send(`{"type":"call_tool","id":"t","toolName":"own","input":{"command":"` + what + `"}}`)
		if got := strings.Join(c.until(`{"id":"t"`), "\n"); !strings.Contains(got, `"text":"ran `+what+`"`) || strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: %s", what, got)
		}
	}
}

// The answers of other events are read as those of gates.
func TestAnswersOfAllForms(t *testing.T) {
	c := serve(t, []string{write(t, "answers.ts", `export default function (pi) {
	const of = (members) => Object.create(Object.defineProperties({}, Object.getOwnPropertyDescriptors(members)));
	pi.on("session_before_switch", () => of({ get cancel() { return true } }));
	pi.on("session_before_fork", () => ({ cancel: true, toJSON() { return {} } }));
	pi.on("input", (e) => of({ get action() { return "handled" } }));
	pi.on("tool_result", () => of({ get isError() { return true }, get content() { return [of({ get type() { return "text" }, get text() { return "REDACTED" } })] } }));
	pi.registerTool({ name: "tell", parameters: { type: "object" }, execute: () => of({ get content() { return [{ type: "text", text: "secret" }] } }) });
	pi.registerCommand("throw", { handler() { throw new Proxy({}, { get() { throw 3 }, getPrototypeOf() { throw 4 } }) } });
	pi.registerCommand("throw-later", { handler() { setTimeout(() => { throw new Proxy({}, { get() { throw 3 }, getPrototypeOf() { throw 4 } }) }, 1) } });
}`)}, nil)
	for _, x := range []struct{ send, want string }{
		{`{"type":"new_session","id":"x"}`, `"cancelled":true`},
		{`{"type":"call_tool","id":"x","toolName":"tell","input":{}}`, `{"content":[{"type":"text","text":"REDACTED"}],"isError":true}`},
		{`{"type":"prompt","id":"x","message":"hello"}`, `"id":"x"`},
		{`{"type":"prompt","id":"x","message":"/throw"}`, `"id":"x"`},
	} {
		c.send(x.send)
		lines := c.until(`{"id":"x"`)
		if got := lines[len(lines)-1]; !strings.Contains(got, x.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: %s, want %s", x.send, lines, x.want)
		}
	}
	c.prompt("/throw-later")
	if got := c.next(); !strings.Contains(got, "cannot be read") {
		t.Error(got)
	}
}
