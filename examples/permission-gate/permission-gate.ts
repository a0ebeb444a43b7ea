/**
 * Asks before bash deletes anything. Only the answer "Allow" lets it; cancelling the
 * question, or nobody answering within 30 seconds, does not.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const deletes = /\brm\b|\bgit\s+clean\b|--delete\b/;

export default function (pi: ExtensionAPI) {
	pi.on("tool_call", async (event, ctx) => {
		if (event.toolName !== "bash") return;
		const command = String(event.input.command);
		if (!deletes.test(command)) return;
		const answer = await ctx.ui.select(`This deletes: ${command}`, ["Allow", "Block"], { timeout: 30_000 });
		if (answer === "Allow") return;
		ctx.ui.notify(answer === undefined ? "Nobody allowed it" : "Blocked", "warning");
		return { block: true, reason: "The user did not allow this command" };
	});
}
