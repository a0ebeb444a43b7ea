// Says every event that it gets, and has a command for each way to another place of
// the session or to another session. Ids are numbered in the order in which they are
// seen, and times are left out, so that two agents can be compared.
const events = [
	"project_trust", "resources_discover", "session_start", "session_info_changed", "session_before_switch", "session_before_fork",
	"session_before_compact", "session_compact", "session_compact_failed", "session_shutdown", "session_before_tree", "session_tree", "context",
	"before_provider_request", "before_agent_start", "agent_start", "agent_end", "agent_before_settle", "agent_settled", "turn_start", "turn_end",
	"message_start", "message_update", "message_end", "tool_execution_start", "tool_execution_end", "model_select", "thinking_level_select",
	"tool_call", "tool_result", "user_bash", "input",
];

const ids = new Map<string, string>();
function hide(text: string): string {
	return text
		.replace(/"(timestamp|labelTimestamp)":("[^"]*"|\d+),?/g, "")
		.replace(/\b([0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{8})\b/g, (id) => {
			if (!ids.has(id)) ids.set(id, `e${ids.size}`);
			return ids.get(id)!;
		});
}
const show = (value: unknown) => hide(JSON.stringify(value, (_, v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v)) ?? "undefined");

export default function (pi: any) {
	for (const name of events) {
		pi.on(name, (event: any, ctx: any) => ctx.ui.notify(`${name} ${show(event)}`));
	}
	pi.on("session_before_fork", (event: any) => ({ cancel: event.entryId === "no" }));
	pi.on("session_before_tree", (event: any) =>
		event.preparation.userWantsSummary ? { summary: { summary: "what was left", details: { n: 1 } }, label: "summary" } : { cancel: event.preparation.label === "no" });

	const entry = (ctx: any, type: string) => ctx.sessionManager.getEntries().find((e: any) => e.customType === type || e.type === type)?.id ?? type;
	const list = (ctx: any) => {
		const m = ctx.sessionManager;
		return [m.getEntries(), m.getLeafId(), m.getBranch().map((e: any) => e.id), m.getTree(), m.getLabel(entry(ctx, "one")), m.getSessionName(), m.getHeader().parentSession];
	};
	const withSession = async (ctx: any) => {
		ctx.ui.notify(`with ${show(list(ctx))}`);
		await ctx.sendMessage({ customType: "later", content: "sent later", display: true });
	};
	const setup = async (manager: any) => {
		const id = manager.appendCustomEntry("set", { up: 1 });
		await null;
		manager.appendLabelChange(id, "mark");
		manager.appendMessage({ role: "user", content: [{ type: "text", text: "from setup" }], timestamp: 1 });
		manager.appendSessionInfo("named\nby setup");
		manager.appendCustomMessageEntry("told", "text", true);
	};
	const commands: Record<string, (ctx: any, args: string) => unknown> = {
		entry: (_, args) => pi.appendEntry(args, { n: 1 }),
		message: (_, args) => pi.sendMessage({ customType: args, content: "text", display: true }),
		label: (ctx, args) => pi.setLabel(entry(ctx, args), "mark"),
		unlabel: (ctx, args) => pi.setLabel(entry(ctx, args), undefined),
		name: async (_, args) => {
			pi.setSessionName(args);
			await new Promise((resolve) => setTimeout(resolve, 100)); // for the event
		},
		list,
		at: (ctx, args) => ctx.fork(entry(ctx, args), { position: "at" }),
		"at-with": (ctx, args) => ctx.fork(entry(ctx, args), { position: "at", withSession }),
		before: (ctx, args) => ctx.fork(entry(ctx, args)),
		go: (ctx, args) => ctx.navigateTree(entry(ctx, args)),
		"go-label": (ctx, args) => ctx.navigateTree(entry(ctx, args), { label: "here" }),
		"go-summary": (ctx, args) => ctx.navigateTree(entry(ctx, args), { summarize: true, customInstructions: "short" }),
		"go-no": (ctx, args) => ctx.navigateTree(entry(ctx, args), { label: "no" }),
		fresh: (ctx) => ctx.newSession(),
		"fresh-with": (ctx) => ctx.newSession({ parentSession: "/from.jsonl", setup, withSession }),
		"fresh-throws": (ctx) => ctx.newSession({ setup: () => { throw new Error("setup threw"); } }),
	};
	for (const [name, run] of Object.entries(commands)) {
		pi.registerCommand(name, {
			handler: async (args: string, ctx: any) => {
				let got: string;
				try {
					got = `result ${show(await run(ctx, args))}`;
				} catch (error) {
					got = `threw ${hide((error as Error).message)}`;
				}
				try {
					ctx.ui.notify(got);
				} catch {
					// The session of this context is over.
				}
			},
		});
	}
}
