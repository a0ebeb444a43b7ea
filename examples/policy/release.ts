/**
 * A command that asks what a release needs to know, and before it deletes anything.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.registerCommand("release", {
		description: "Release the package",
		handler: async (_args, ctx) => {
			const registry = await ctx.ui.select("Which registry?", ["staging", "production"]);
			const version = await ctx.ui.input("Which version?", "1.4.2");
			if (registry === undefined || !version) {
				ctx.ui.notify("Nothing released", "warning");
				return;
			}
			const deleted = await ctx.ui.confirm("Delete old builds?", "build/1.3.0 and build/1.3.1");
			ctx.ui.notify(`Released ${version} to ${registry}, old builds ${deleted ? "deleted" : "kept"}`, "info");
		},
	});
	pi.registerCommand("hotfix", {
		description: "Release without asking much",
		handler: async (_args, ctx) => {
			const sure = await ctx.ui.confirm("Skip the tests?", "Releases what is on the main branch");
			ctx.ui.notify(sure ? "Released untested" : "Nothing released", "info");
		},
	});
}
