// node:util.
const { inspect, number } = require("node/inspect");
const { invalidType } = require("node/errors");

// Whether String says more of an object than that it is one.
function speaks(v) {
	if (v instanceof Error || v instanceof Date) return true;
	const own = v.toString;
	return typeof own === "function" && own !== Object.prototype.toString && own !== Array.prototype.toString;
}
function format(first, ...rest) {
	if (typeof first !== "string") return [first, ...rest].map((v) => (typeof v === "string" ? v : inspect(v))).join(" ");
	let at = 0;
	let out = rest.length === 0 ? first : first.replace(/%[sdifjoOc%]/g, (m) => {
		if (m === "%%") return "%";
		if (at >= rest.length) return m;
		const v = rest[at++];
		switch (m) {
			case "%s":
				if (typeof v === "number") return number(v);
				if (typeof v === "bigint") return `${v}n`;
				if (typeof v !== "object" || v === null) return String(v);
				return speaks(v) ? String(v) : inspect(v, { depth: 0, compact: 3 });
			case "%d": return typeof v === "bigint" ? `${v}n` : typeof v === "symbol" ? "NaN" : number(Number(v));
			case "%i": return typeof v === "bigint" ? `${v}n` : typeof v === "symbol" ? "NaN" : number(parseInt(v, 10));
			case "%f": return typeof v === "symbol" ? "NaN" : number(parseFloat(v));
			case "%j": try { return JSON.stringify(v); } catch { return "[Circular]"; }
			case "%c": return "";
			case "%o": return inspect(v, { showHidden: true, depth: 4 });
			default: return inspect(v);
		}
	});
	for (; at < rest.length; at++) out += " " + (typeof rest[at] === "string" ? rest[at] : inspect(rest[at]));
	return out;
}

const promisified = Symbol.for("nodejs.util.promisify.custom");
// What the callback of a function gets, by name, where its promise is of an object.
const parts = Symbol("parts");
function promisify(fn) {
	if (typeof fn !== "function") throw invalidType("original", "of type function", fn);
	const own = fn[promisified];
	if (own !== undefined && own !== null) {
		if (typeof own !== "function") throw invalidType("util.promisify.custom", "of type function", own);
		return own;
	}
	const names = fn[parts];
	const promise = function (...args) {
		return new Promise((resolve, reject) => fn.call(this, ...args, (error, ...values) => {
			if (error) reject(error);
			else resolve(names ? Object.fromEntries(names.map((name, i) => [name, values[i]])) : values[0]);
		}));
	};
	Object.setPrototypeOf(promise, Object.getPrototypeOf(fn));
	return Object.defineProperties(promise, Object.getOwnPropertyDescriptors(fn));
}
promisify.custom = promisified;
promisify.parts = parts;
Object.defineProperty(promisify, "parts", { enumerable: false });
// Those of the globals that put their callback first.
for (const name of ["setTimeout", "setImmediate"]) {
	const fn = globalThis[name];
	if (typeof fn === "function") Object.defineProperty(fn, promisified, { enumerable: true, get: () => require("node/timers_promises")[name] });
}
function callbackify(fn) {
	return function (...args) {
		const done = args.pop();
		fn.apply(this, args).then((v) => done(null, v), (e) => done(e ?? new Error("rejected")));
	};
}
const escapes = /[\u001b\u009b](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const styles = { reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], inverse: [7, 27], strikethrough: [9, 29],
	black: [30, 39], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], white: [37, 39], gray: [90, 39] };
module.exports = {
	inspect, format, promisify, callbackify, isDeepStrictEqual: (a, b) => require("node/equal").same(a, b, true),
	inherits(Child, Parent) { Object.setPrototypeOf(Child.prototype, Parent.prototype); Object.setPrototypeOf(Child, Parent); },
	deprecate: (fn) => fn, debuglog: () => () => {},
	stripVTControlCharacters: (text) => String(text).replace(escapes, ""),
	toUSVString: (text) => String(text).toWellFormed(),
	styleText(format, text) {
		for (const f of [format].flat().reverse()) text = `\u001b[${styles[f]?.[0] ?? 0}m${text}\u001b[${styles[f]?.[1] ?? 0}m`;
		return text;
	},
	isArray: Array.isArray,
	parseArgs: (config) => require("node/parse_args")(config),
	get types() { return require("node/util_types"); },
	get TextEncoder() { return globalThis.TextEncoder; },
	get TextDecoder() { return globalThis.TextDecoder; },
};
