// The built-in tools bash and write as an extension's, for an agent without a model.
import { createBashTool, createWriteTool } from "@earendil-works/pi-coding-agent";

export default function (pi: any) {
	pi.registerTool(createBashTool(process.cwd()));
	pi.registerTool(createWriteTool(process.cwd()));
}
