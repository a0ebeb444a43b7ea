// console: everything goes to stderr, for stdout carries the protocol.
const { host } = internal;
const format = (args) => require("node/util").format(...args);
const counts = new Map();
const starts = new Map();
let indent = "";
function print(...args) {
	host("log", indent + format(args).replaceAll("\n", "\n" + indent));
}
// A table of rows: lists, objects, or plain values.
function table(data, columns) {
	if (typeof data !== "object" || data === null) return print(data);
	const { inspect } = require("node/util");
	const shown = (v) => inspect(v, { depth: typeof v === "object" && v !== null && !Array.isArray(v) && Object.keys(v).length > 2 ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
	const entries = data instanceof Map ? [...data].map(([k, v], i) => [String(i), v, shown(k)]) : data instanceof Set ? [...data].map((v, i) => [String(i), v]) : Object.entries(data);
	const iterates = data instanceof Map || data instanceof Set;
	const names = columns ? [...columns] : [];
	let values = false;
	for (const [, v] of entries) {
		if (typeof v !== "object" || v === null) values = true;
		else if (!columns) for (const k of Object.keys(v)) if (!names.includes(k)) names.push(k);
	}
	const head = [iterates ? "(iteration index)" : "(index)", ...(data instanceof Map ? ["Key"] : []), ...names, ...(values ? ["Values"] : [])];
	const rows = entries.map(([i, v, key]) => {
		const object = typeof v === "object" && v !== null;
		return [i, ...(data instanceof Map ? [key] : []), ...names.map((n) => (object && Object.hasOwn(v, n) ? shown(v[n]) : "")), ...(values ? [object ? "" : shown(v)] : [])];
	});
	const { visibleWidth } = require("pi/tui");
	const widths = head.map((h, i) => Math.max(...[h, ...rows.map((r) => r[i])].map(visibleWidth)) + 2);
	const line = (left, middle, right) => left + widths.map((w) => "─".repeat(w)).join(middle) + right;
	const row = (cells) => `│${cells.map((c, i) => ` ${c}${" ".repeat(widths[i] - 1 - visibleWidth(c))}`).join("│")}│`;
	print([line("┌", "┬", "┐"), row(head), line("├", "┼", "┤"), ...rows.map(row), line("└", "┴", "┘")].join("\n"));
}
exports.console = {
	log: print, info: print, warn: print, error: print, debug: print,
	dir: (value) => print(value),
	table,
	trace(...args) { print("Trace:", ...args); },
	assert(ok, ...args) { if (!ok) print("Assertion failed" + (args.length ? ":" : ""), ...args); },
	group(...args) { if (args.length) print(...args); indent += "  "; },
	groupEnd() { indent = indent.slice(2); },
	count(label = "default") { counts.set(label, (counts.get(label) ?? 0) + 1); print(`${label}: ${counts.get(label)}`); },
	countReset(label = "default") { counts.delete(label); },
	time(label = "default") { starts.set(label, host("now")); },
	timeLog(label = "default", ...args) { print(`${label}: ${(host("now") - starts.get(label)).toFixed(3)}ms`, ...args); },
	timeEnd(label = "default") { this.timeLog(label); starts.delete(label); },
	clear() {},
};
exports.console.groupCollapsed = exports.console.group;
