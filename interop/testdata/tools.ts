// The built-in tools bash and write as an extension's, for an agent without a model, and one
// that is particular about its input.
import { createBashTool, createWriteTool } from "@earendil-works/pi-coding-agent";

export default function (pi: any) {
	pi.registerTool(createBashTool(process.cwd()));
	pi.registerTool(createWriteTool(process.cwd()));
	// Patterns are JavaScript's, and so are numbers.
	const text = (pattern: string) => ({ type: "string", pattern });
	pi.registerTool({
		name: "matching", label: "Matching", description: "Takes what matches.",
		parameters: { type: "object", properties: {
			not: text("^(?!rm)"), twice: text("^(a)\\1$"), ahead: text("^(?=a)\\p{L}+$"), line: text("^ls .*$"), solid: text("^\\S+$"),
			alpha: text("^[[:alpha:]]+$"), space: text("^a\\sb$"), n: { type: "number", maximum: 1e16 },
			names: { type: "object", patternProperties: { "^(?!x)": { type: "number" } }, additionalProperties: false },
		} },
		async execute(_id: string, input: any) { return { content: [{ type: "text", text: JSON.stringify(input) }], details: {} }; },
	});
}
