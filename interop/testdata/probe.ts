// The probe: one command for each call that an extension can make on ctx.ui.
//
// A command makes its call and then says what the call gave back, with a
// notification "result …": the words undefined and function as they are,
// anything else as JSON, and "threw MESSAGE" for an exception. So the wire
// alone shows what the extension saw, whatever agent runs it.
//
// The recorded conversations in pi/ were made with this file; a change here
// is followed by recording them again (pi/README.txt says how).

type Ui = any;
type Call = (ui: Ui, ctx: any) => unknown;

// A signal that is aborted at once, or after a while.
function signalAbortedAfter(ms: number): AbortSignal {
	const controller = new AbortController();
	if (ms === 0) controller.abort();
	else setTimeout(() => controller.abort(), ms);
	return controller.signal;
}

const allow = ["Allow dangerous command?", ["Allow", "Block"]] as const;
const clear = ["Clear session?", "All messages will be lost."] as const;

const selects: Record<string, Call> = {
	"select": (ui) => ui.select(...allow),
	"select-timeout": (ui) => ui.select(...allow, { timeout: 300 }),
	"select-timeout-zero": (ui) => ui.select("Zero", ["a"], { timeout: 0 }),
	"select-timeout-fraction": (ui) => ui.select("Fraction", ["a"], { timeout: 250.5 }),
	"select-empty": (ui) => ui.select("Nothing to choose", []),
	"select-duplicate": (ui) => ui.select("Twice", ["same", "same"]),
	// Everything that framing, escaping or a terminal could trip over. The
	// last option is no valid Unicode: half of a surrogate pair.
	"select-unicode": (ui) =>
		ui.select("U+2028 \u2028 and \u2029", [
			"é",
			"日本語",
			"👩\u200d👩\u200d👧",
			"\u0000nul",
			"tab\there",
			"line\nbreak",
			'quote"s',
			"back\\slash",
			"\u001b[31mred\u001b[0m",
			"lone \ud83d half",
		]),
	"select-aborted": (ui) => ui.select("Never shown", ["a"], { signal: signalAbortedAfter(0) }),
	"select-abort-later": (ui) => ui.select("Aborted after 200 ms", ["a"], { signal: signalAbortedAfter(200) }),
	"select-extra": (ui) => ui.select("Extra options are dropped", ["a"], { foo: 1, timeout: 9000 }),
	"select-nonstring": (ui) => ui.select(42, [1, { label: "x" }, null]),
};

const otherDialogs: Record<string, Call> = {
	"confirm": (ui) => ui.confirm(...clear),
	"confirm-timeout": (ui) => ui.confirm(...clear, { timeout: 300 }),
	"confirm-nomessage": (ui) => ui.confirm("Sure?"),
	"input": (ui) => ui.input("Enter a value", "type something..."),
	"input-bare": (ui) => ui.input("Enter a value"),
	"input-timeout": (ui) => ui.input("Enter a value", undefined, { timeout: 300 }),
	"editor": (ui) => ui.editor("Edit some text", "Line 1\nLine 2\nLine 3"),
	"editor-bare": (ui) => ui.editor("Edit some text"),
	"editor-options": (ui) => ui.editor("Edit some text", "x", { timeout: 300 }),
	"two-at-once": (ui) => Promise.all([ui.confirm("First?", "1"), ui.select("Second?", ["x", "y"])]),
};

const updates: Record<string, Call> = {
	"notify": (ui) => ui.notify("Command blocked by user", "warning"),
	"notify-bare": (ui) => ui.notify("plain"),
	"notify-bad-type": (ui) => ui.notify("odd", "fatal"),
	"status": (ui) => ui.setStatus("my-ext", "Turn 3 running..."),
	"status-clear": (ui) => ui.setStatus("my-ext", undefined),
	"status-null": (ui) => ui.setStatus("my-ext", null),
	"widget": (ui) => ui.setWidget("my-ext", ["--- My Widget ---", "Line 1", "Line 2"]),
	"widget-below": (ui) => ui.setWidget("my-ext", ["one"], { placement: "belowEditor" }),
	"widget-empty": (ui) => ui.setWidget("my-ext", []),
	"widget-clear": (ui) => ui.setWidget("my-ext", undefined),
	"widget-factory": (ui) => ui.setWidget("my-ext", () => ({ render: () => [] })),
	"widget-string": (ui) => ui.setWidget("my-ext", "not an array"),
	"title": (ui) => ui.setTitle("pi - my project"),
	"editor-text": (ui) => ui.setEditorText("prefilled text for the user"),
	"paste": (ui) => ui.pasteToEditor("pasted\ntext"),
};

// Every method that RPC mode supports only in part, in this order, and last
// what ctx says about itself.
const degraded: Call[] = [
	(ui) => ui.custom(() => ({})),
	(ui) => ui.onTerminalInput(() => undefined),
	(ui) => ui.onTerminalInput(() => undefined)(),
	(ui) => ui.setWorkingMessage("x"),
	(ui) => ui.setWorkingVisible(false),
	(ui) => ui.setWorkingIndicator({ frames: [] }),
	(ui) => ui.setHiddenThinkingLabel("x"),
	(ui) => ui.setFooter(() => ({})),
	(ui) => ui.setHeader(() => ({})),
	(ui) => ui.addAutocompleteProvider(() => ({})),
	(ui) => ui.setEditorComponent(() => ({})),
	(ui) => ui.getEditorText(),
	(ui) => ui.getEditorComponent(),
	(ui) => ui.getToolsExpanded(),
	(ui) => ui.setToolsExpanded(true),
	(ui) => ui.getToolsExpanded(),
	(ui) => ui.getAllThemes(),
	(ui) => ui.getTheme("dark"),
	(ui) => ui.setTheme("dark"),
	(_ui, ctx) => ctx.mode,
	(_ui, ctx) => ctx.hasUI,
];

const others: Record<string, Call> = {
	"degraded": async (ui, ctx) => {
		const results: string[] = [];
		for (const call of degraded) results.push(describe(await call(ui, ctx)));
		return results;
	},
	"throws": () => {
		throw new Error("extension failed");
	},
};

function describe(value: unknown): string {
	switch (typeof value) {
		case "undefined":
		case "function":
			return typeof value;
		default:
			return JSON.stringify(value);
	}
}

async function outcome(call: Call, ctx: any): Promise<string> {
	try {
		return describe(await call(ctx.ui, ctx));
	} catch (error: any) {
		return `threw ${error.message}`;
	}
}

export default function (pi: any) {
	const calls = { ...selects, ...otherDialogs, ...updates, ...others };
	for (const [name, call] of Object.entries(calls)) {
		pi.registerCommand(name, {
			description: `probe ${name}`,
			handler: async (_args: string, ctx: any) => {
				ctx.ui.notify(`result ${await outcome(call, ctx)}`);
			},
		});
	}
	// The one command whose exception nobody catches.
	pi.registerCommand("throws-uncaught", {
		description: "probe throws-uncaught",
		handler: async () => {
			throw new Error("not caught");
		},
	});
}
