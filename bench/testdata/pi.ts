// The commands of bench's Go agent, for the real pi: ask N times one after
// another, N times at once, or send N notifications, and then set the title
// that says so.

const title = "Allow this command?";
const message = "rm -rf build && make all";

type Command = (ui: any, n: number) => unknown;

const commands: Record<string, Command> = {
	ask: async (ui, n) => {
		for (let i = 0; i < n; i++) await ui.confirm(title, message);
	},
	burst: (ui, n) => Promise.all(Array.from({ length: n }, () => ui.confirm(title, message))),
	notify: (ui, n) => {
		for (let i = 0; i < n; i++) ui.notify("Indexed 128 files", "info");
	},
};

export default function (pi: any) {
	for (const [name, run] of Object.entries(commands)) {
		pi.registerCommand(name, {
			description: `what bench measures as ${name}`,
			handler: async (args: string, ctx: any) => {
				await run(ctx.ui, Number(args));
				ctx.ui.setTitle("done");
			},
		});
	}
}
