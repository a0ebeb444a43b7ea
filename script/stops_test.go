package script

import (
	"strings"
	"testing"
	"time"

	"extui/agent"
	"extui/internal/long"
)

// stops has a command for each way in which a limit stops something that its handler
// waits for without being in it.
const stops = `import { Readable } from "node:stream";
export default function (pi) {
	const again = () => { Promise.resolve().then(again) };
	const ways = {
		filter: () => Readable.from((function* () { for (;;) yield 1 })()).filter(() => false).toArray(),
		iterate: async () => { for await (const x of Readable.from((async function* () { for (;;) yield 1 })()).map((x) => x)); },
		push: () => { const r = new Readable({ read() { this.push("x") } }); r.on("data", () => {}); return new Promise(() => {}) },
		microtasks: () => new Promise(again),
		ticks: () => { const f = () => process.nextTick(f); f(); return new Promise(() => {}) },
		queue: () => { const f = () => queueMicrotask(f); f(); return new Promise(() => {}) },
		swallowed: () => new Promise(again).catch(() => {}),
		caught: async () => { await (async () => { await null; for (;;); })().catch(() => {}) },
		dropped: () => { (async () => { await null; for (;;); })().catch(() => {}); return new Promise(() => {}) },
		"dropped-late": (ctx) => { (async () => { await null; for (;;); })().catch(() => {}); return new Promise(() => setTimeout(() => {}, 20)) },
		abandoned: () => { (async () => { await null; for (;;); })() },
		timer: () => new Promise(() => setTimeout(again, 1)),
		immediate: () => new Promise(() => setImmediate(again)),
		dialog: (ctx) => new Promise(() => ctx.ui.confirm("Sure?", "m").then(again)),
		work: () => new Promise(() => pi.exec("true").then(again)),
		bus: () => new Promise(() => pi.events.emit("loop")),
		hoard: () => Array.from({ length: 2 ** 32 - 1 }),
		"hoard-chain": async () => { let p = Promise.resolve(1); for (let i = 0; i < 300000; i++) { const q = p; p = new Promise((r) => r(q)) } return await p },
		"hoard-many": () => { for (let i = 0; i < 5; i++) (async () => { await null; const all = []; for (;;) all.push([i]) })(); return new Promise(() => {}) },
	};
	pi.events.on("loop", again);
	for (const name in ways) pi.registerCommand(name, { handler: async (_, ctx) => { await ways[name](ctx) } });
	pi.registerCommand("fine", { handler: async (_, ctx) => ctx.ui.notify("fine") });
	pi.on("tool_call", async (e, ctx) => { await ways[e.input.command]?.(ctx) });
	pi.registerTool({ name: "bash", parameters: { type: "object" }, execute: async (id, p) => ({ content: [{ type: "text", text: "ran " + p.command }] }) });
}
`

var stopWays = []string{"filter", "iterate", "push", "microtasks", "ticks", "queue", "swallowed", "caught", "dropped", "dropped-late", "abandoned", "timer", "immediate", "dialog", "work", "bus", "hoard", "hoard-chain", "hoard-many"}

// stopping is an agent with that extension.
func stopping(t *testing.T, way string) *talk {
	return serve(t, []string{write(t, "stops.ts", stops)}, func(o *Options, _ *agent.Options) {
		o.Limits = Limits{Memory: 16 << 20}
		if !strings.HasPrefix(way, "hoard") {
			o.Limits.Run = 200 * time.Millisecond
		}
	})
}

// answered sends a command, says yes to its dialog, and returns what else came up to the
// response.
func (c *talk) answered(line string) (out []string) {
	c.t.Helper()
	c.send(line)
	for {
		got := c.next()
		if strings.Contains(got, `"method":"confirm"`) {
			c.respond(got, `"confirmed":true`)
			continue
		}
		out = append(out, got)
		if strings.HasPrefix(got, `{"id":"p"`) {
			return out
		}
	}
}

// eachStop runs a test for each way, with an agent of its own.
func eachStop(t *testing.T, test func(t *testing.T, way string, c *talk)) {
	for _, way := range stopWays {
		if slowEngine && strings.HasPrefix(way, "hoard") {
			continue // slow, and nothing but one goroutine that computes
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			test(t, way, stopping(t, way))
		})
	}
}

// A call ends with the stop of what it waits for, which is told once.
func TestAStopEndsItsCall(t *testing.T) {
	long.Test(t)
	eachStop(t, func(t *testing.T, way string, c *talk) {
		lines := append(c.answered(`{"type":"prompt","id":"p","message":"/`+way+`"}`), c.answered(`{"type":"get_state","id":"p"}`)...)
		all := strings.Join(lines, "\n")
		if n := strings.Count(all, `"extension_error"`); n != 1 || !strings.Contains(all, `"error":"stopped: it `) {
			t.Errorf("%d reports, want one of a stop: %s", n, all)
		}
	})
}

// TestNoStopApproves is a table of gates that a limit stops before they have decided.
func TestNoStopApproves(t *testing.T) {
	eachStop(t, func(t *testing.T, way string, c *talk) {
		lines := c.answered(`{"type":"call_tool","id":"p","toolName":"bash","input":{"command":"` + way + `"}}`)
		last := lines[len(lines)-1]
		if strings.Contains(last, `"text":"ran `) || !strings.Contains(last, "Blocked, because a tool_call handler failed: stopped: it ") {
			t.Errorf("got %s", lines)
		}
	})
}

// A loop of few steps that each take long is stopped about as soon as any other.
func TestSlowStepsAreStopped(t *testing.T) {
	for name, body := range map[string]string{
		"reverse": `const big = Array.from({ length: 100000 }, (_, i) => i); for (;;) big.slice().reverse();`,
		"search":  `const s = "x".repeat(2e6); for (;;) s.indexOf("zz");`,
		"hash":    `const b = Buffer.alloc(4e6); for (;;) createHash("sha256").update(b).digest();`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, []string{write(t, "slow.ts", `import { createHash } from "node:crypto";
				export default (pi) => pi.registerCommand("slow", { handler: async () => { `+body+` } });`)},
				func(o *Options, _ *agent.Options) { o.Limits.Run = 100 * time.Millisecond })
			if lines := c.prompt("/slow"); !strings.Contains(strings.Join(lines, "\n"), `"error":"stopped: it ran for 100ms`) {
				t.Errorf("got %s", lines)
			}
		})
	}
}

// The pace of polls follows the time that steps take.
func TestPace(t *testing.T) {
	now := time.Now()
	p := pace{fewestSteps, now}
	for _, test := range []struct {
		step time.Duration // the time that one takes
		want int32         // between two polls, in the end
	}{{10 * time.Nanosecond, mostSteps}, {2 * time.Millisecond, 1}, {100 * time.Microsecond, 8}, {time.Nanosecond, mostSteps}, {time.Second, 1}} {
		for range 20 {
			now = now.Add(time.Duration(p.steps) * test.step)
			p.next(now)
		}
		if p.steps != test.want {
			t.Errorf("steps of %v: %d, want %d", test.step, p.steps, test.want)
		}
	}
}
