// A conversation that pi's own RpcClient has: rpcclient.mjs RPCCLIENT CLI PLAN. The plan is
// JSON: {args, steps, answers}. A step is [method of RpcClient, its arguments], or the
// record of a command; an answer is the members of a response, or for a select the text
// that is in the option, and they are given in order. The last line of the output says how
// the agent ended.
const [rpcClient, cliPath, plan] = process.argv.slice(2);
const { RpcClient } = await import(rpcClient);
const { args, steps, answers } = JSON.parse(plan);

const client = new RpcClient({ cliPath, args });
client.onEvent((event) => {
	if (event.type !== "extension_ui_request") return;
	if (!["select", "confirm", "input", "editor"].includes(event.method)) return;
	let answer = answers.length > 0 ? answers.shift() : { cancelled: true };
	if (typeof answer === "string") answer = { value: event.options.find((option) => option.includes(answer)) };
	client.process.stdin.write(`${JSON.stringify({ type: "extension_ui_response", id: event.id, ...answer })}\n`);
});
await client.start();
const agent = client.process;
for (const step of steps) {
	try {
		if (Array.isArray(step)) {
			const [method, ...rest] = step;
			await client[method](...rest);
		} else {
			await client.send(step);
		}
	} catch (error) {
		console.log(`${JSON.stringify(step)}: ${error.message.split("\n")[0]}`);
	}
}
const ended = new Promise((resolve) => agent.once("exit", (code, signal) => resolve(`exit ${code} ${signal}`)));
agent.stdin.end();
console.log(`${answers.length} answers left, ${await ended}`);
