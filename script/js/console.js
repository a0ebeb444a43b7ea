// console: everything goes to stderr, for stdout carries the protocol.
const { host } = internal;
const format = (args) => require("node/util").format(...args);
const counts = new Map();
const starts = new Map();
let indent = "";
function print(...args) {
	host("log", indent + format(args).replaceAll("\n", "\n" + indent));
}
exports.console = {
	log: print, info: print, warn: print, error: print, debug: print,
	dir: (value) => print(value),
	table: (value) => print(value),
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
