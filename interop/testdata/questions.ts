// A command that asks a questionnaire and says what came of it.
export default function (pi: any) {
	pi.registerCommand("questions", {
		handler: async (_args: string, ctx: any) => {
			const answers = await ctx.ui.questionnaire([
				{
					question: "Which storage?",
					header: "Storage",
					options: [
						{ label: "SQLite", description: "A local file" },
						{ label: "libSQL", description: "A shared database" },
					],
					multiSelect: false,
				},
			]);
			ctx.ui.notify(`answers ${JSON.stringify(answers)}`, "info");
		},
	});
}
