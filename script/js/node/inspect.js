// util.inspect: values as Node.js shows them.
const word = /^[A-Za-z_$][\w$]*$/;
function quote(text) {
	const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") && !text.includes("${") ? "`" : "'";
	let out = "";
	for (const c of text) {
		const code = c.codePointAt(0);
		if (c === mark || c === "\\") out += "\\" + c;
		else if (c === "\n") out += "\\n";
		else if (c === "\t") out += "\\t";
		else if (c === "\r") out += "\\r";
		else if (c === "\b") out += "\\b";
		else if (c === "\f") out += "\\f";
		else if (code < 32 || (code > 126 && code < 160)) out += "\\x" + code.toString(16).toUpperCase().padStart(2, "0");
		else if (code >= 0xd800 && code <= 0xdfff) out += "\\u" + code.toString(16).toUpperCase();
		else out += c;
	}
	return mark + out + mark;
}
const number = (v) => (Object.is(v, -0) ? "-0" : String(v));
const custom = Symbol.for("nodejs.util.inspect.custom");
const width = (text) => require("pi/tui").visibleWidth(text);

function inspect(value, options = {}, depth, colors) {
	if (typeof options !== "object" || options === null) options = { showHidden: options, ...(depth !== undefined && { depth }), ...(colors !== undefined && { colors }) };
	const ctx = {
		depth: 2, breakLength: 80, compact: 3, maxArrayLength: 100, maxStringLength: 10000, showHidden: false, sorted: false, getters: false,
		...inspect.defaultOptions, ...options, seen: [], indent: 0, level: 0, circular: new Map(), stylize: (text) => text,
	};
	for (const name of ["depth", "maxArrayLength", "maxStringLength"]) if (ctx[name] === null) ctx[name] = Infinity;
	return show(ctx, value, 0, true);
}
inspect.custom = custom;
inspect.defaultOptions = {};

function primitive(ctx, v) {
	if (typeof v === "string") {
		let rest = "";
		if (v.length > ctx.maxStringLength) {
			const more = v.length - ctx.maxStringLength;
			v = v.slice(0, ctx.maxStringLength);
			rest = `... ${more} more character${more > 1 ? "s" : ""}`;
		}
		if (ctx.compact !== true && v.length > 16 && v.length > ctx.breakLength - ctx.indent - 4) {
			return v.split(/(?<=\n)/).map(quote).join(` +\n${" ".repeat(ctx.indent + 2)}`) + rest;
		}
		return quote(v) + rest;
	}
	return typeof v === "number" ? number(v) : typeof v === "bigint" ? `${v}n` : String(v);
}
function nameOf(v) {
	for (let p = v; p; p = Object.getPrototypeOf(p)) {
		const d = Object.getOwnPropertyDescriptor(p, "constructor");
		if (typeof d?.value === "function" && d.value.name !== "" && v instanceof d.value) return d.value.name;
	}
	return null;
}
function show(ctx, v, level, typed) {
	if ((typeof v !== "object" || v === null) && typeof v !== "function") return primitive(ctx, v);
	const own = v[custom];
	if (typeof own === "function" && own !== inspect && !(v.constructor?.prototype === v)) {
		const out = own.call(v, ctx.depth - level, { ...ctx }, inspect);
		if (out !== v) return typeof out === "string" ? out.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`) : show(ctx, out, level);
	}
	if (ctx.seen.includes(v)) {
		if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1);
		return `[Circular *${ctx.circular.get(v)}]`;
	}
	return raw(ctx, v, level, typed);
}
function keysOf(ctx, v, list) {
	let keys = ctx.showHidden ? Object.getOwnPropertyNames(v) : Object.keys(v);
	if (list) keys = keys.filter((k) => !/^(?:0|[1-9]\d*)$/.test(k));
	const symbols = Object.getOwnPropertySymbols(v).filter((s) => ctx.showHidden || Object.getOwnPropertyDescriptor(v, s).enumerable);
	return [...keys, ...symbols];
}
function functionBase(v, name, tag) {
	const source = Function.prototype.toString.call(v);
	if (source.startsWith("class") && source.endsWith("}")) {
		const parent = Object.getPrototypeOf(v)?.name;
		return `[class ${Object.hasOwn(v, "name") && v.name ? v.name : "(anonymous)"}${parent ? ` extends ${parent}` : ""}]`;
	}
	const kind = Object.prototype.toString.call(v).slice(8, -1);
	return `[${/Function$/.test(kind) ? kind : "Function"}${v.name === "" ? " (anonymous)" : `: ${v.name}`}]`;
}
function errorBase(ctx, v, keys) {
	let stack = typeof v.stack === "string" && v.stack ? v.stack : Error.prototype.toString.call(v);
	if (!/\n\s+at /.test(stack)) stack = `[${stack.trimEnd()}]`;
	for (const name of ["name", "message", "stack"]) {
		const at = keys.indexOf(name);
		if (at >= 0 && (name === "stack" || stack.includes(String(v[name])))) keys.splice(at, 1);
	}
	for (const name of ["cause", "errors"]) if (Object.hasOwn(v, name) && !keys.includes(name) && (name === "cause" || Array.isArray(v.errors))) keys.push(name);
	return ctx.indent ? stack.replaceAll("\n", `\n${" ".repeat(ctx.indent)}`) : stack;
}
const hex = (bytes) => Array.from(bytes.subarray(0, 50), (b) => b.toString(16).padStart(2, "0")).join(" ") + (bytes.length > 50 ? ` ... ${bytes.length - 50} more byte${bytes.length > 51 ? "s" : ""}` : "");
const collections = [[Map, "Map"], [Set, "Set"]];

function raw(ctx, v, level, typed) {
	const name = nameOf(v);
	let tag = typeof v[Symbol.toStringTag] === "string" ? v[Symbol.toStringTag] : "";
	if (tag === name || (name && ["Promise", "Map", "Set"].includes(tag) && tag === name)) tag = "";
	const label = (fallback, size = "") => {
		const first = name === null ? `[${fallback}${size}: null prototype] ` : `${name}${size} `;
		return tag && (name !== null || tag !== fallback) ? `${first}[${tag}] ` : first;
	};
	const typedArray = ArrayBuffer.isView(v) && !(v instanceof DataView);
	const list = Array.isArray(v) || typedArray;
	const keys = keysOf(ctx, v, list);
	let base = "", braces = ["{", "}"], items = () => [];
	if (Array.isArray(v)) {
		braces = [`${name === "Array" && !tag ? "" : label("Array", `(${v.length})`)}[`, "]"];
		if (v.length === 0 && keys.length === 0) return `${braces[0]}]`;
		items = () => arrayItems(ctx, v, level);
	} else if (v instanceof Buffer) {
		const body = hex(v);
		return `<Buffer ${body}>`;
	} else if (typedArray) {
		braces = [`${label(name, `(${v.length})`)}[`, "]"];
		if (v.length === 0 && keys.length === 0) return `${braces[0]}]`;
		items = () => arrayItems(ctx, v, level);
	} else if (collections.some(([Kind]) => v instanceof Kind)) {
		const map = v instanceof Map;
		if (v.size === 0 && keys.length === 0) return `${label(map ? "Map" : "Set", "(0)")}{}`;
		braces = [`${label(map ? "Map" : "Set", `(${v.size})`)}{`, "}"];
		items = () => deeper(ctx, () => limited(ctx, [...v], (x) => (map ? `${show(ctx, x[0], level)} => ${show(ctx, x[1], level)}` : show(ctx, x, level))));
	} else if (typeof v === "function") {
		base = functionBase(v);
		if (keys.length === 0) return base;
	} else if (v instanceof RegExp) {
		base = RegExp.prototype.toString.call(v);
		if (keys.length === 0) return base;
	} else if (v instanceof Date) {
		base = Number.isNaN(v.getTime()) ? "Invalid Date" : v.toISOString();
		if (keys.length === 0) return base;
	} else if (v instanceof Error) {
		base = errorBase(ctx, v, keys);
		if (keys.length === 0) return base;
	} else if (v instanceof Number || v instanceof String || v instanceof Boolean) {
		base = `[${name}: ${primitive({ ...ctx, compact: true }, v.valueOf())}]`;
		const rest = v instanceof String ? keys.filter((k) => !/^\d+$/.test(k)) : keys;
		if (rest.length === 0) return base;
	} else if (v instanceof Promise) {
		braces[0] = `${label("Promise")}{`;
		items = () => ["<pending>"];
	} else if (v instanceof WeakMap || v instanceof WeakSet) {
		braces[0] = `${label(name)}{`;
		items = () => ["<items unknown>"];
	} else if (v instanceof ArrayBuffer) {
		braces[0] = `${label("ArrayBuffer")}{`;
		items = () => [`[Uint8Contents]: <${hex(new Uint8Array(v))}>`, `[byteLength]: ${v.byteLength}`];
	} else if (Object.prototype.toString.call(v) === "[object Arguments]") {
		braces[0] = "[Arguments] {";
	} else {
		if (name !== "Object" || tag) braces[0] = `${label("Object")}{`;
		if (keys.length === 0) return `${braces[0]}}`;
	}
	if (level > ctx.depth) return list ? "[Array]" : `[${name === null ? "Object: null prototype" : tag ? `${name} [${tag}]` : name}]`;
	ctx.seen.push(v);
	ctx.level = level;
	const out = [...items(level + 1), ...keys.map((k) => property(ctx, v, k, level + 1, list))];
	ctx.seen.pop();
	if (ctx.circular.has(v)) {
		const mark = `<ref *${ctx.circular.get(v)}>`;
		if (ctx.compact !== true && base) base = `${mark} ${base}`;
		else if (ctx.compact !== true) braces[0] = `${mark} ${braces[0]}`;
	}
	if (ctx.sorted) out.sort(typeof ctx.sorted === "function" ? ctx.sorted : undefined);
	return reduce(ctx, out, base, braces, list, level, v);
}
function deeper(ctx, fn) {
	ctx.indent += 2;
	try {
		return fn();
	} finally {
		ctx.indent -= 2;
	}
}
const more = (n) => `... ${n} more item${n > 1 ? "s" : ""}`;
function limited(ctx, list, each) {
	const out = list.slice(0, ctx.maxArrayLength).map(each);
	if (list.length > ctx.maxArrayLength) out.push(more(list.length - ctx.maxArrayLength));
	return out;
}
function arrayItems(ctx, v, level) {
	const out = [];
	let i = 0;
	for (; i < v.length && out.length < ctx.maxArrayLength; i++) {
		if (Object.hasOwn(v, i)) {
			out.push(property(ctx, v, String(i), level + 1, "item"));
			continue;
		}
		let holes = 1;
		while (i + 1 < v.length && !Object.hasOwn(v, i + 1)) { holes++; i++; }
		out.push(`<${holes} empty item${holes > 1 ? "s" : ""}>`);
	}
	if (i < v.length) out.push(more(v.length - i));
	return out;
}
function property(ctx, v, k, level, kind) {
	const d = Object.getOwnPropertyDescriptor(v, k) ?? { value: v[k], enumerable: true };
	let text;
	if ("value" in d) text = deeper(ctx, () => show(ctx, d.value, level));
	else if (d.get) text = d.set ? "[Getter/Setter]" : "[Getter]";
	else text = d.set ? "[Setter]" : "undefined";
	if (kind === "item") return text;
	const shown = typeof k === "symbol" ? `[${k.toString()}]` : !d.enumerable ? `[${k}]` : word.test(k) ? k : quote(k);
	return `${shown}: ${text}`;
}
// One line if it fits and holds no more than three levels, else a line for each.
function reduce(ctx, out, base, braces, list, level, v) {
	const head = base ? `${base} ` : "";
	if (ctx.compact !== true) {
		const entries = out.length;
		if (typeof ctx.compact === "number" && list && entries > 6) out = group(ctx, out, v);
		if (typeof ctx.compact === "number" && ctx.level - level < ctx.compact && entries === out.length) {
			const total = out.reduce((n, x) => n + x.length, 2 * out.length + ctx.indent + braces[0].length + base.length + 10);
			const one = out.join(", ");
			if (total <= ctx.breakLength && !one.includes("\n") && !base.includes("\n")) return `${head}${braces[0]} ${one} ${braces[1]}`;
		}
		const line = `\n${" ".repeat(ctx.indent)}`;
		return `${head}${braces[0]}${line}  ${out.join(`,${line}  `)}${line}${braces[1]}`;
	}
	return `${head}${braces[0]} ${out.join(", ")} ${braces[1]}`;
}
// Many short elements stand in columns.
function group(ctx, out, v) {
	const extra = ctx.maxArrayLength < out.length ? 1 : 0;
	const count = out.length - extra;
	const lengths = out.slice(0, count).map(width);
	const longest = Math.max(...lengths), total = lengths.reduce((n, l) => n + l + 2, 0), room = longest + 2;
	if (!(room * 3 + ctx.indent < ctx.breakLength && (total / room > 5 || longest <= 6))) return out;
	const bias = Math.max(room - 3 - Math.sqrt(room - total / out.length), 1);
	const columns = Math.min(Math.round(Math.sqrt(2.5 * bias * count) / bias), Math.floor((ctx.breakLength - ctx.indent) / room), ctx.compact * 4, 15);
	if (columns <= 1) return out;
	const widths = Array.from({ length: columns }, (_, i) => Math.max(0, ...lengths.filter((_, j) => j % columns === i)) + 2);
	const right = v === undefined || out.every((_, i) => typeof v[i] === "number" || typeof v[i] === "bigint");
	const rows = [];
	for (let i = 0; i < count; i += columns) {
		let row = "";
		const end = Math.min(i + columns, count);
		for (let j = i; j < end; j++) {
			const last = j === end - 1, text = last ? out[j] : `${out[j]}, `;
			const pad = " ".repeat(Math.max(0, widths[j - i] - lengths[j] - 2));
			row += right ? pad + text : last ? text : text + pad;
		}
		rows.push(row);
	}
	if (extra) rows.push(out[count]);
	return rows;
}
module.exports = { inspect, number };
