// The probe of extui's conformance suite: an extension that makes any call on ctx.ui that a rule asks for, and says with
// a notification what came of it. It needs nothing but pi's or Atomic's extension interface. Arguments are JSON. An agent
// that has these commands built in describes them in words of its own; they must not be empty.
//
//   /probe METHOD ARGS              calls ctx.ui[METHOD](...ARGS); then "probe: RESULT", or "probe threw: MESSAGE"
//   /probe-all [[METHOD, …ARGS], …] starts all calls at once; "probe 0: RESULT" and so on as each ends. Of a call that is
//                                   over at once it may be told before the next is made, or later
//   /probe-seq [[METHOD, …ARGS], …] one after the other, told in the same way
//   /probe-many N METHOD ARGS       the same call N times at once; then one "probe many: [RESULTS]"
//   /probe-args …                   "probe args: " and what the handler was given, as JSON
//   /probe-throw MESSAGE            throws
//   /probe-print TEXT               prints to standard output, as a careless extension does; then "probe printed"
//   /probe-features                 "probe features: {ui, mode, hasUI}", ui being the names in ctx.ui
//
// A RESULT is JSON, or undefined, or function. Anywhere in ARGS may stand
//
//   {"$signal": "aborted"} or {"$signal": 50}    an AbortSignal that is over, or will be in 50 ms
//   {"$number": "NaN"}, {"$undefined": true}     what JSON has no word for
//   {"$codes": [55296]}                          a text of UTF-16 code units
//   {"$repeat": ["x", 1000000]}                  a long text
//   {"$function": true}                          a function, in the place of a component
//   {"$n": "Question "}                          in /probe-many, that and the number of the call: "Question 1"
//
// EXTUI_PROBE_START='["METHOD", …ARGS]' makes the same call in session_start, told as "probe start: RESULT"; with "throw"
// for METHOD the handler throws. EXTUI_PROBE_END makes one in session_shutdown, of which nothing is told.
//
// The tool probe_gate returns its input; before it runs, a select asks whether it may.

type Call = [method: string, ...args: unknown[]];

function value(arg: any, n: number): unknown {
	if (Array.isArray(arg)) return arg.map((item) => value(item, n));
	if (arg === null || typeof arg !== "object") return arg;
	if ("$signal" in arg) {
		const controller = new AbortController();
		if (arg.$signal === "aborted") controller.abort();
		else setTimeout(() => controller.abort(), arg.$signal);
		return controller.signal;
	}
	if ("$number" in arg) return Number(arg.$number);
	if ("$undefined" in arg) return undefined;
	if ("$codes" in arg) return String.fromCharCode(...arg.$codes);
	if ("$repeat" in arg) return arg.$repeat[0].repeat(arg.$repeat[1]);
	if ("$function" in arg) return () => ({ render: () => ["drawn"], invalidate() {}, handleInput() {} });
	if ("$n" in arg) return arg.$n + n;
	return Object.fromEntries(Object.entries(arg).map(([key, item]) => [key, value(item, n)]));
}

function show(result: unknown): string {
	if (typeof result === "function") return "function";
	return result === undefined ? "undefined" : JSON.stringify(result);
}

// A signal's time runs from here on, so arguments are only made when the call is.
async function call(ctx: any, [method, ...args]: Call, n = 0): Promise<unknown> {
	return ctx.ui[method](...args.map((arg) => value(arg, n)));
}

async function tell(ctx: any, name: string, result: Promise<unknown>): Promise<void> {
	try {
		const text = show(await result);
		ctx.ui.notify(`${name}: ${text}`, "info");
	} catch (error: any) {
		ctx.ui.notify(`${name} threw: ${error.message}`, "error");
	}
}

// words splits off the first words; the rest stays as it is.
function words(args: string, count: number): string[] {
	const found: string[] = [];
	for (; found.length < count; ) {
		const end = args.indexOf(" ");
		found.push(end < 0 ? args : args.slice(0, end));
		args = end < 0 ? "" : args.slice(end + 1);
	}
	return [...found, args];
}

export default function (pi: any) {
	const command = (name: string, description: string, handler: (args: string, ctx: any) => Promise<void>) =>
		pi.registerCommand(name, { description, handler });

	command("probe", "Make one call on ctx.ui", async (args, ctx) => {
		const [method, rest] = words(args, 1);
		await tell(ctx, "probe", call(ctx, [method, ...JSON.parse(rest || "[]")]));
	});
	command("probe-all", "Make several calls at once", async (args, ctx) => {
		const calls: Call[] = JSON.parse(args);
		await Promise.all(calls.map((one, i) => tell(ctx, `probe ${i}`, call(ctx, one))));
	});
	command("probe-seq", "Make several calls one after the other", async (args, ctx) => {
		const calls: Call[] = JSON.parse(args);
		for (const [i, one] of calls.entries()) await tell(ctx, `probe ${i}`, call(ctx, one));
	});
	command("probe-many", "Make one call many times at once", async (args, ctx) => {
		const [count, method, rest] = words(args, 2);
		const calls = Array.from({ length: Number(count) }, (_, i) => call(ctx, [method, ...JSON.parse(rest)], i + 1));
		await tell(ctx, "probe many", Promise.all(calls));
	});
	command("probe-args", "Show what the handler is given", async (args, ctx) => {
		ctx.ui.notify(`probe args: ${JSON.stringify(args)}`, "info");
	});
	command("probe-throw", "Throw an error", async (args) => {
		throw new Error(args);
	});
	command("probe-print", "Print to standard output", async (args, ctx) => {
		console.log(args);
		ctx.ui.notify("probe printed", "info");
	});
	command("probe-features", "List what ctx.ui has", async (_args, ctx) => {
		const names = new Set<string>();
		for (let o = ctx.ui; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
			for (const name of Object.getOwnPropertyNames(o)) if (name !== "constructor") names.add(name);
		}
		ctx.ui.notify(`probe features: ${JSON.stringify({ ui: [...names].sort(), mode: ctx.mode, hasUI: ctx.hasUI })}`, "info");
	});

	pi.on("session_start", async (_event: unknown, ctx: any) => {
		if (!process.env.EXTUI_PROBE_START) return;
		const start: Call = JSON.parse(process.env.EXTUI_PROBE_START);
		if (start[0] === "throw") throw new Error(String(start[1]));
		await tell(ctx, "probe start", call(ctx, start));
	});
	pi.on("session_shutdown", async (_event: unknown, ctx: any) => {
		if (process.env.EXTUI_PROBE_END) await call(ctx, JSON.parse(process.env.EXTUI_PROBE_END));
	});

	pi.registerTool({
		name: "probe_gate",
		label: "Probe gate",
		description: "Returns its input as JSON. Somebody has to allow it first.",
		parameters: { type: "object", properties: {}, additionalProperties: true },
		async execute(_id: string, input: unknown) {
			return { content: [{ type: "text", text: `ran ${JSON.stringify(input)}` }], details: {} };
		},
	});
	pi.on("tool_call", async (event: any, ctx: any) => {
		if (event.toolName !== "probe_gate") return undefined;
		if (event.input?.throws) throw new Error("the gate is broken");
		if ((await ctx.ui.select("Run probe_gate?", ["Allow", "Block"])) === "Allow") return undefined;
		return { block: true, reason: "nobody allowed it" };
	});
}
