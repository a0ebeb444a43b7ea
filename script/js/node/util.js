// node:util.
const { host } = internal;

function inspect(value, options = {}, legacyDepth) {
	if (typeof options !== "object" || options === null) options = { depth: legacyDepth };
	const depth = options.depth === null ? Infinity : (options.depth ?? 2);
	return show(value, depth, [], "", options.breakLength ?? 80, options.compact ?? true);
}
const word = /^[A-Za-z_$][\w$]*$/;
function quote(text) {
	const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") ? "`" : "'";
	let out = "";
	for (const c of text) {
		const code = c.codePointAt(0);
		if (c === mark || c === "\\") out += "\\" + c;
		else if (c === "\n") out += "\\n";
		else if (c === "\t") out += "\\t";
		else if (c === "\r") out += "\\r";
		else if (code < 32 || code === 127) out += "\\x" + code.toString(16).toUpperCase().padStart(2, "0");
		else if (code >= 0xd800 && code <= 0xdfff) out += "\\u" + code.toString(16).toUpperCase();
		else out += c;
	}
	return mark + out + mark;
}
function key(k) { return typeof k === "symbol" ? `[${k.toString()}]` : word.test(k) ? k : quote(k); }
function show(v, depth, above, pad, width, compact) {
	switch (typeof v) {
		case "string": return quote(v);
		case "number": return Object.is(v, -0) ? "-0" : String(v);
		case "bigint": return `${v}n`;
		case "symbol": return v.toString();
		case "function": {
			const kind = /^class\b/.test(Function.prototype.toString.call(v)) ? "class" : "Function";
			return kind === "class" ? `[class ${v.name || "(anonymous)"}]` : `[Function${v.name ? ": " + v.name : " (anonymous)"}]`;
		}
		case "object": if (v === null) return "null"; break;
		default: return String(v);
	}
	if (above.includes(v)) return "[Circular *1]";
	const custom = v[inspect.custom];
	if (typeof custom === "function" && custom !== inspect) {
		const out = custom.call(v, depth, { depth }, inspect);
		if (out !== v) return typeof out === "string" ? out : show(out, depth, above, pad, width, compact);
	}
	if (v instanceof Error) {
		const head = `${v.name}: ${v.message}`;
		const stack = (v.stack ?? "").trimEnd();
		const extra = Object.keys(v).filter((k) => k !== "stack" && k !== "message");
		const tail = extra.length ? " " + entries(extra.map((k) => [key(k), v[k]]), "{", "}") : "";
		return (stack.includes("\n    at ") ? stack : `[${stack || head}]`) + tail;
	}
	if (v instanceof Date) return Number.isNaN(v.getTime()) ? "Invalid Date" : v.toISOString();
	if (v instanceof RegExp) return v.toString();
	if (v instanceof Promise) return "Promise { <pending> }";
	const proto = Object.getPrototypeOf(v);
	const name = proto === null ? "[Object: null prototype]" : (proto.constructor?.name ?? "Object");
	const inner = (x) => show(x, depth - 1, [...above, v], pad + "  ", width, compact);
	const list = Array.isArray(v) || (ArrayBuffer.isView(v) && !(v instanceof DataView));
	if (depth < 0) return list ? "[Array]" : `[${name}]`;
	function entries(pairs, open, close) {
		const items = pairs.map(([k, x]) => (k === null ? inner(x) : `${k}: ${inner(x)}`));
		if (!items.length) return open + close;
		const one = `${open} ${items.join(", ")} ${close}`;
		if (!one.includes("\n") && one.length + pad.length <= Math.min(width, 76)) return one;
		return `${open}\n${pad}  ${items.join(`,\n${pad}  `)}\n${pad}${close}`;
	}
	if (list) {
		const max = 100;
		const pairs = Array.from(v).slice(0, max).map((x) => [null, x]);
		const prefix = v.constructor === Array ? "" : `${name}(${v.length}) `;
		const text = entries(pairs, "[", "]");
		return prefix + (v.length > max ? text.replace(/\s*\]$/, `, ... ${v.length - max} more items ]`) : text);
	}
	if (v instanceof Map) {
		return `Map(${v.size}) ` + (v.size ? `{ ${[...v].map(([k, x]) => `${inner(k)} => ${inner(x)}`).join(", ")} }` : "{}");
	}
	if (v instanceof Set) return `Set(${v.size}) ` + entries([...v].map((x) => [null, x]), "{", "}");
	if (v instanceof Boolean || v instanceof Number || v instanceof String) return `[${name}: ${inspect(v.valueOf())}]`;
	const pairs = [];
	for (const k of Reflect.ownKeys(v)) {
		const d = Object.getOwnPropertyDescriptor(v, k);
		if (!d.enumerable) continue;
		pairs.push([key(k), d.get ? { [inspect.custom]: () => (d.set ? "[Getter/Setter]" : "[Getter]") } : d.value]);
	}
	return (name === "Object" ? "" : name + " ") + entries(pairs, "{", "}");
}
inspect.custom = Symbol.for("nodejs.util.inspect.custom");
inspect.defaultOptions = {};

function format(first, ...rest) {
	if (typeof first !== "string") return [first, ...rest].map((v) => (typeof v === "string" ? v : inspect(v))).join(" ");
	let at = 0;
	let out = first.replace(/%[sdifjoOc%]/g, (m) => {
		if (m === "%%") return rest.length ? "%" : m;
		if (at >= rest.length) return m;
		const v = rest[at++];
		switch (m) {
			case "%s": return typeof v === "string" ? v : typeof v === "object" && v !== null ? inspect(v, { depth: 0 }) : typeof v === "bigint" ? `${v}n` : String(v);
			case "%d": return typeof v === "object" ? "NaN" : String(typeof v === "bigint" ? `${v}n` : Number(v));
			case "%i": return String(parseInt(v, 10));
			case "%f": return String(parseFloat(v));
			case "%j": try { return JSON.stringify(v); } catch { return "[Circular]"; }
			case "%c": return "";
			default: return inspect(v, { depth: 4 });
		}
	});
	for (; at < rest.length; at++) out += " " + (typeof rest[at] === "string" ? rest[at] : inspect(rest[at]));
	return out;
}

const promisified = Symbol.for("nodejs.util.promisify.custom");
function promisify(fn) {
	if (typeof fn !== "function") throw new TypeError('The "original" argument must be of type function.');
	if (fn[promisified]) return fn[promisified];
	return function (...args) {
		return new Promise((resolve, reject) => fn.call(this, ...args, (error, ...values) => (error ? reject(error) : resolve(values[0]))));
	};
}
promisify.custom = promisified;
function callbackify(fn) {
	return function (...args) {
		const done = args.pop();
		fn.apply(this, args).then((v) => done(null, v), (e) => done(e ?? new Error("rejected")));
	};
}
function same(a, b, seen = new Map()) {
	if (Object.is(a, b)) return true;
	if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
	if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
	if (seen.get(a) === b) return true;
	seen.set(a, b);
	if (a instanceof Date) return a.getTime() === b.getTime();
	if (a instanceof RegExp) return String(a) === String(b);
	if (a instanceof Error && (a.message !== b.message || a.name !== b.name)) return false;
	if (a instanceof Map) return a.size === b.size && [...a].every(([k, v]) => b.has(k) && same(v, b.get(k), seen));
	if (a instanceof Set) return a.size === b.size && [...a].every((v) => b.has(v) || [...b].some((w) => same(v, w, seen)));
	const keys = Object.keys(a);
	return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && same(a[k], b[k], seen));
}
const is = (Kind) => (v) => v instanceof Kind;
const types = {
	isDate: is(Date), isRegExp: is(RegExp), isMap: is(Map), isSet: is(Set), isPromise: is(Promise), isNativeError: is(Error),
	isArrayBuffer: is(ArrayBuffer), isUint8Array: is(Uint8Array), isTypedArray: (v) => ArrayBuffer.isView(v) && !(v instanceof DataView),
	isWeakMap: is(WeakMap), isWeakSet: is(WeakSet), isAsyncFunction: (v) => Object.prototype.toString.call(v) === "[object AsyncFunction]",
	isGeneratorFunction: (v) => Object.prototype.toString.call(v) === "[object GeneratorFunction]",
	isBoxedPrimitive: (v) => v instanceof Number || v instanceof String || v instanceof Boolean, isProxy: () => false,
};
const escapes = /[\u001b\u009b](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const styles = { reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], inverse: [7, 27], strikethrough: [9, 29],
	black: [30, 39], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], white: [37, 39], gray: [90, 39] };
module.exports = {
	inspect, format, promisify, callbackify, types, isDeepStrictEqual: (a, b) => same(a, b),
	inherits(Child, Parent) { Object.setPrototypeOf(Child.prototype, Parent.prototype); Object.setPrototypeOf(Child, Parent); },
	deprecate: (fn) => fn, debuglog: () => () => {},
	stripVTControlCharacters: (text) => String(text).replace(escapes, ""),
	toUSVString: (text) => String(text).toWellFormed(),
	styleText(format, text) {
		for (const f of [format].flat().reverse()) text = `\u001b[${styles[f]?.[0] ?? 0}m${text}\u001b[${styles[f]?.[1] ?? 0}m`;
		return text;
	},
	isArray: Array.isArray,
	parseArgs({ args = process.argv.slice(2), options = {}, allowPositionals = false, strict = true } = {}) {
		const values = {}, positionals = [];
		const short = Object.fromEntries(Object.entries(options).filter(([, o]) => o.short).map(([n, o]) => [o.short, n]));
		const set = (name, v) => { if (options[name]?.multiple) (values[name] ??= []).push(v); else values[name] = v; };
		for (let i = 0; i < args.length; i++) {
			const a = args[i];
			if (a === "--") { positionals.push(...args.slice(i + 1)); break; }
			const m = /^--([^=]+)(?:=([^]*))?$/.exec(a) ?? /^-(\w)()$/.exec(a)?.map((x, k) => (k === 2 ? undefined : x));
			if (!m) { if (!allowPositionals && strict) throw new TypeError(`Unexpected argument '${a}'.`); positionals.push(a); continue; }
			const name = a.startsWith("--") ? m[1] : (short[m[1]] ?? m[1]);
			if (strict && !options[name]) throw new TypeError(`Unknown option '${a}'`);
			set(name, options[name]?.type === "string" ? (m[2] ?? args[++i]) : true);
		}
		for (const [n, o] of Object.entries(options)) if (!(n in values) && "default" in o) values[n] = o.default;
		return { values, positionals };
	},
	get TextEncoder() { return globalThis.TextEncoder; },
	get TextDecoder() { return globalThis.TextDecoder; },
};
