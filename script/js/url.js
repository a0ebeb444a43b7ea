// URL and URLSearchParams: Go parses by the WHATWG rules.
const { host } = internal;

const fields = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
function parse(text, base) {
	try {
		return JSON.parse(host("url", text, base === undefined ? undefined : String(base)));
	} catch (error) {
		const e = new TypeError("Invalid URL");
		e.code = "ERR_INVALID_URL";
		e.input = text;
		if (base !== undefined) e.base = String(base);
		throw e;
	}
}
class URL {
	#parts;
	#params;
	constructor(text, base) {
		this.#parts = parse(String(text), base);
	}
	static canParse(text, base) {
		try { parse(String(text), base); return true; } catch { return false; }
	}
	static parse(text, base) {
		try { return new URL(text, base); } catch { return null; }
	}
	static {
		for (const field of fields) {
			Object.defineProperty(URL.prototype, field, {
				enumerable: true, configurable: true,
				get() { return this.#parts[field]; },
				set(value) {
					if (field === "origin") return;
					if (field === "href") this.#parts = parse(String(value));
					else this.#parts = JSON.parse(host("urlset", this.#parts.href, field, String(value)));
					this.#params?.replace(this.#parts.search);
				},
			});
		}
	}
	get searchParams() {
		if (!this.#params) {
			this.#params = new URLSearchParams(this.#parts.search);
			this.#params.onchange = (text) => {
				this.#parts = JSON.parse(host("urlset", this.#parts.href, "search", text));
			};
		}
		return this.#params;
	}
	toString() { return this.href; }
	toJSON() { return this.href; }
}

const escape = (text) => encodeURIComponent(text.toWellFormed())
	.replace(/%20/g, "+").replace(/[!'()~]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
const unescape = (text) => {
	text = text.replaceAll("+", " ");
	try {
		return decodeURIComponent(text);
	} catch {
		const bytes = [];
		for (const part of text.match(/%[0-9a-f]{2}|[^]/gi) ?? []) {
			if (part.length === 3) bytes.push(parseInt(part.slice(1), 16));
			else bytes.push(...new TextEncoder().encode(part));
		}
		return new TextDecoder().decode(new Uint8Array(bytes));
	}
};
class URLSearchParams {
	#list = [];
	constructor(init = "") {
		if (typeof init === "object" && init !== null) {
			const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
			for (const [k, v] of pairs) this.#list.push([String(k), String(v)]);
		} else this.replace(String(init));
		Object.defineProperty(this, "onchange", { value: undefined, writable: true, enumerable: false });
	}
	replace(text) {
		this.#list = [];
		for (const part of text.replace(/^\?/, "").split("&")) {
			if (!part) continue;
			const at = part.indexOf("=");
			this.#list.push(at < 0 ? [unescape(part), ""] : [unescape(part.slice(0, at)), unescape(part.slice(at + 1))]);
		}
	}
	#changed() { this.onchange?.(this.toString()); }
	get size() { return this.#list.length; }
	append(k, v) { this.#list.push([String(k), String(v)]); this.#changed(); }
	delete(k, v) { this.#list = this.#list.filter((p) => p[0] !== k || (v !== undefined && p[1] !== v)); this.#changed(); }
	get(k) { return this.#list.find((p) => p[0] === k)?.[1] ?? null; }
	getAll(k) { return this.#list.filter((p) => p[0] === k).map((p) => p[1]); }
	has(k, v) { return this.#list.some((p) => p[0] === k && (v === undefined || p[1] === v)); }
	set(k, v) {
		const at = this.#list.findIndex((p) => p[0] === k);
		if (at < 0) this.#list.push([String(k), String(v)]);
		else this.#list = this.#list.filter((p, i) => p[0] !== k || i === at).map((p) => (p[0] === k ? [k, String(v)] : p));
		this.#changed();
	}
	sort() { this.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)); this.#changed(); }
	forEach(fn, self) { for (const [k, v] of this.#list) fn.call(self, v, k, this); }
	keys() { return this.#list.map((p) => p[0]).values(); }
	values() { return this.#list.map((p) => p[1]).values(); }
	entries() { return this.#list.map((p) => [...p]).values(); }
	[Symbol.iterator]() { return this.entries(); }
	toString() { return this.#list.map(([k, v]) => `${escape(k)}=${escape(v)}`).join("&"); }
}
// How util.inspect and console show them, with what Node.js has them say of themselves.
const shows = (Kind, value) => Object.defineProperty(Kind.prototype, Symbol.for("nodejs.util.inspect.custom"), { value, writable: true, configurable: true });
shows(URL, function (depth, options, inspect) {
	if (typeof depth === "number" && depth < 0) return this;
	const parts = {};
	for (const name of ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"]) parts[name] = this[name];
	return `${this.constructor.name} ${inspect(parts, options)}`;
});
shows(URLSearchParams, function (depth, options, inspect) {
	if (typeof depth === "number" && depth < 0) return "[Object]";
	const pairs = this.entries().map((pair) => pair.map((text) => inspect(text, options)).join(" => ")).toArray();
	const line = pairs.join(", ");
	if (pairs.length === 0) return `${this.constructor.name} {}`;
	return `${this.constructor.name} {${line.length > options.breakLength ? `\n  ${pairs.join(",\n  ")}` : ` ${line}`} }`;
});
exports.URL = URL;
exports.URLSearchParams = URLSearchParams;
