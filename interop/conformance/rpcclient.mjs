// pi's own RpcClient as a client under test. It hands requests of extensions to its
// listeners as events, and has no way to answer them: what is here is as much as a
// program that is built on it must do, by pi's documents, and the person by
// EXTUI_CHOICES. The program interop/conformance starts it, with a "node" in PATH that
// is the agent of the rule.
import { RpcClient } from "../node_modules/@earendil-works/pi-coding-agent/dist/modes/rpc/rpc-client.js";

const cannot = 77;
const needs = (process.env.EXTUI_NEEDS ?? "").split(",").filter(Boolean);
const commands = JSON.parse(process.env.EXTUI_COMMANDS ?? "[]");
if (needs.some((need) => need !== "commands" && need !== "stop") || commands.some((c) => typeof c !== "string")) process.exit(cannot);

// What a person chooses.
const choices = JSON.parse(process.env.EXTUI_CHOICES ?? "[]");
function choose(title) {
	let i = title ? choices.findIndex((c) => c.for === title) : -1;
	if (i < 0) i = choices.findIndex((c) => c.for === undefined);
	return i < 0 ? { cancelled: true } : choices.splice(i, 1)[0];
}

const client = new RpcClient({ cliPath: "agent" });
const dialogs = ["select", "confirm", "input", "editor"];
client.onEvent((request) => {
	if (request.type !== "extension_ui_request" || !dialogs.includes(request.method)) return;
	const choice = choose(request.title);
	setTimeout(() => answer(request, choice), choice.after ?? 0);
});

async function answer({ id, options }, { value, option, confirmed, wait, stop }) {
	if (stop) {
		await client.stop();
		process.exit(0);
	}
	if (wait) return;
	const picked = options?.[option];
	const response = { type: "extension_ui_response", id };
	if (value !== undefined) response.value = value;
	else if (picked !== undefined) response.value = picked?.value ?? picked?.label ?? picked;
	else if (confirmed !== undefined) response.confirmed = confirmed;
	else response.cancelled = true;
	// RpcClient's own send() would put an id of its own into it.
	client.process?.stdin.write(`${JSON.stringify(response)}\n`);
}

await client.start();
// RpcClient tells nobody that its agent has exited.
client.process.once("exit", () => process.exit(0));
if (client.process.exitCode !== null) process.exit(0);
for (const message of commands) await client.prompt(message);
