// A model that calls the tools that the environment variable EXTUI_CALLS lists, one
// for each prompt, so that pi runs a tool as a model would have it run. Choose it with
// --provider calls --model calls-1.
import { createFauxCore, fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";

export default function (pi: any) {
	const calls: { tool: string; input: any; ends?: boolean }[] = JSON.parse(process.env.EXTUI_CALLS ?? "[]");
	const faux = createFauxCore({ api: "calls", provider: "calls", models: [{ id: "calls-1" }] } as any);
	faux.setResponses(
		calls.flatMap(({ tool, input, ends }, i) => {
			const call = fauxAssistantMessage([fauxToolCall(tool, input, { id: `call-${i}` })], { stopReason: "toolUse" });
			return ends ? [call] : [call, fauxAssistantMessage("done")];
		}),
	);
	pi.registerProvider("calls", {
		baseUrl: "http://127.0.0.1:9",
		apiKey: "none",
		api: "calls",
		streamSimple: faux.streamSimple,
		models: [{ id: "calls-1", name: "Calls", reasoning: false, input: ["text"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 100000, maxTokens: 4096 }],
	});
}
