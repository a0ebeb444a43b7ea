// An extension that ends its agent: /ask opens a dialog, and /die, at any time,
// is what a crash or the system's memory killer would be.

export default function (pi: any) {
	pi.registerCommand("ask", {
		description: "ask a question and wait",
		handler: async (_args: string, ctx: any) => {
			await ctx.ui.confirm("Still there?", "Somebody kills the agent now.");
		},
	});
	pi.registerCommand("die", {
		description: "kill the agent",
		handler: async () => {
			process.kill(process.pid, "SIGKILL");
		},
	});
}
