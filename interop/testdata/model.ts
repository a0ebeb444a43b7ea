// A model that follows a script instead of thinking, so that pi can be tested
// with one and without network: it wants to run a dangerous command twice, and
// says something after each. Choose it with --provider script --model script-1.
import { createFauxCore, fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";

// The folder does not exist, so running the command changes nothing.
const dangerous = "rm -rf ./no-such-folder";

export default function (pi: any) {
	const script = createFauxCore({ api: "script", provider: "script", models: [{ id: "script-1" }] } as any);
	script.setResponses([
		fauxAssistantMessage([fauxToolCall("bash", { command: dangerous }, { id: "call-1" })], { stopReason: "toolUse" }),
		fauxAssistantMessage("It was the first time."),
		fauxAssistantMessage([fauxToolCall("bash", { command: dangerous }, { id: "call-2" })], { stopReason: "toolUse" }),
		fauxAssistantMessage("It was the second time."),
	]);
	pi.registerProvider("script", {
		baseUrl: "http://127.0.0.1:9",
		apiKey: "none",
		api: "script",
		streamSimple: script.streamSimple,
		models: [
			{
				id: "script-1",
				name: "Script",
				reasoning: false,
				input: ["text"],
				cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
				contextWindow: 100000,
				maxTokens: 4096,
			},
		],
	});
}
