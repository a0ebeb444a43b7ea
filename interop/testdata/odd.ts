// Calls that no type checker would let pass, which JavaScript makes all the same.
export default function (pi: any) {
	const cases: Record<string, (ui: any) => Promise<unknown>> = {
		numbers: (ui) => ui.select(42, [1, { label: "x" }, null]),
		objects: (ui) => ui.select({ a: [1, "two"] }, [{ label: "x", more: [] }, { none: 1 }, undefined, true, "\ud83d"]),
		none: (ui) => ui.select(undefined, undefined),
		text: (ui) => ui.select("Options are a text", "abc"),
		nothing: (ui) => ui.confirm(),
		nulls: (ui) => ui.confirm(null, null, { timeout: null }),
		times: (ui) => ui.input("Text for a time", "x", { timeout: "60000" }),
		placeholder: (ui) => ui.input(["a"], { toJSON: () => "from toJSON" }),
		prefill: (ui) => ui.editor(false, 1.5),
		symbol: (ui) => ui.input(Symbol("gone"), () => {}),
		bigint: (ui) => ui.confirm(1n),
	};
	for (const [name, call] of Object.entries(cases)) {
		pi.registerCommand(name, {
			handler: async (_: string, ctx: any) => {
				try {
					const got = await call(ctx.ui);
					ctx.ui.notify(`${typeof got} ${JSON.stringify(got)}`);
				} catch (error) {
					ctx.ui.notify(`threw ${(error as Error).name}`);
				}
			},
		});
	}
}
