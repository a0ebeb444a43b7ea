// fetch, as Go's HTTP client does it. A body is read whole before the response is there.
const { start, host } = internal;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
class Headers {
	#map = new Map();
	#cookies = [];
	constructor(init) {
		if (!init) return;
		const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
		for (const pair of pairs) {
			if ([...pair].length !== 2) throw new TypeError(`Headers constructor: expected name/value pair to be length 2, found ${[...pair].length}.`);
			this.append(pair[0], pair[1]);
		}
	}
	#clean(k, v, what) {
		if (!token.test(k)) throw new TypeError(`Headers.${what}: "${k}" is an invalid header name.`);
		v = String(v).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
		if (/[\0\n\r]/.test(v)) throw new TypeError(`Headers.${what}: "${v}" is an invalid header value.`);
		return [String(k).toLowerCase(), v];
	}
	append(k, v) {
		[k, v] = this.#clean(k, v, "append");
		if (k === "set-cookie") this.#cookies.push(v);
		const have = this.#map.get(k);
		this.#map.set(k, have === undefined ? v : `${have}, ${v}`);
	}
	set(k, v) {
		[k, v] = this.#clean(k, v, "set");
		if (k === "set-cookie") this.#cookies = [v];
		this.#map.set(k, v);
	}
	get(k) { return this.#map.get(String(k).toLowerCase()) ?? null; }
	has(k) { return this.#map.has(String(k).toLowerCase()); }
	delete(k) {
		k = String(k).toLowerCase();
		if (k === "set-cookie") this.#cookies = [];
		this.#map.delete(k);
	}
	getSetCookie() { return [...this.#cookies]; }
	forEach(fn, self) { for (const [k, v] of this) fn.call(self, v, k, this); }
	*entries() {
		for (const [k, v] of [...this.#map].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
			if (k === "set-cookie") for (const c of this.#cookies) yield [k, c];
			else yield [k, v];
		}
	}
	*keys() { for (const [k] of this.entries()) yield k; }
	*values() { for (const [, v] of this.entries()) yield v; }
	[Symbol.iterator]() { return this.entries(); }
	get [Symbol.toStringTag]() { return "Headers"; }
}
Object.defineProperty(Headers.prototype, Symbol.for("nodejs.util.inspect.custom"), {
	value(depth, options, inspect) { return `Headers ${inspect(Object.fromEntries(this.entries()), options)}`; }, writable: true, configurable: true,
});

function joined(parts) {
	const out = new Uint8Array(parts.reduce((n, b) => n + b.length, 0));
	let at = 0;
	for (const b of parts) { out.set(b, at); at += b.length; }
	return out;
}
const encode = (text) => new TextEncoder().encode(text);
// A form as multipart/form-data.
function multipart(form) {
	const boundary = `----formdata-extui-0${host("uuid").replaceAll("-", "").slice(0, 12)}`;
	const name = (text) => text.replace(/\r?\n|\r/g, "%0D%0A").replaceAll('"', "%22");
	const parts = [];
	for (const [k, v] of form) {
		const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name(k)}"`;
		if (typeof v === "string") parts.push(encode(`${head}\r\n\r\n${v.replace(/\r?\n|\r/g, "\r\n")}\r\n`));
		else parts.push(encode(`${head}; filename="${name(v.name)}"\r\nContent-Type: ${v.type || "application/octet-stream"}\r\n\r\n`), v.data, encode("\r\n"));
	}
	return { bytes: joined([...parts, encode(`--${boundary}--\r\n`)]), type: `multipart/form-data; boundary=${boundary}` };
}
function parseMultipart(bytes, boundary) {
	const form = new FormData();
	const text = Buffer.from(bytes).toString("latin1");
	for (const part of text.split(`--${boundary}`).slice(1, -1)) {
		const at = part.indexOf("\r\n\r\n");
		const head = Buffer.from(part.slice(0, at), "latin1").toString(), body = Buffer.from(part.slice(at + 4, -2), "latin1");
		const field = (re) => re.exec(head)?.[1].replaceAll("%22", '"').replaceAll("%0D%0A", "\r\n");
		const file = field(/; filename="([^"]*)"/i);
		const name = field(/; name="([^"]*)"/i);
		if (at < 0 || name === undefined) throw new TypeError("Failed to parse body as FormData.");
		if (file === undefined) form.append(name, body.toString());
		else form.append(name, new File([body], file, { type: /content-type:\s*([^\r\n]*)/i.exec(head)?.[1] ?? "text/plain" }));
	}
	return form;
}
function toBytes(body) {
	if (body === undefined || body === null) return { bytes: new Uint8Array(0) };
	if (body instanceof URLSearchParams) return { bytes: encode(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
	if (body instanceof Blob) return { bytes: body.data, type: body.type };
	if (body instanceof ArrayBuffer) return { bytes: new Uint8Array(body) };
	if (ArrayBuffer.isView(body)) return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
	if (body instanceof FormData) return multipart(body);
	if (typeof body === "object" && (body[Symbol.asyncIterator] || typeof body.getReader === "function")) return { pieces: body };
	return { bytes: encode(String(body)), type: "text/plain;charset=UTF-8" };
}
async function gather(pieces) {
	const all = [];
	for await (const piece of pieces) all.push(typeof piece === "string" ? encode(piece) : toBytes(piece).bytes);
	return joined(all);
}
class Body {
	#bytes;
	#pieces;
	#failure;
	#used = false;
	#locked = false;
	#empty;
	constructor(body) {
		const { bytes, type, pieces } = toBytes(body);
		this.#bytes = bytes;
		this.#pieces = pieces;
		this.#empty = body === undefined || body === null;
		Object.defineProperty(this, "bodyType", { value: type, enumerable: false });
	}
	get bodyUsed() { return this.#used; }
	// What was read of a body before its connection broke, for the one that made it.
	static break(body, error) { body.#failure = error; }
	static isEmpty(body) { return body.#empty; }
	static async all(body) {
		body.#check();
		body.#used = !body.#empty;
		return body.#content();
	}
	// The body of a request that another is made of: the one has used it.
	static take(body) {
		body.#check();
		body.#used = true;
		return body.#pieces ?? body.#bytes;
	}
	static copy(body) {
		body.#check();
		if (body.#pieces) throw new TypeError("a body that is a stream cannot be cloned in extui");
		return body.#empty ? null : body.#bytes.slice();
	}
	#check() {
		if (this.#used) throw new TypeError("Body is unusable: Body has already been read");
		if (this.#locked) throw new TypeError("Body is unusable: Body has already been read");
	}
	async #content() {
		if (this.#failure) throw this.#failure;
		return this.#pieces ? gather(this.#pieces) : this.#bytes;
	}
	async bytes() { return Body.all(this); }
	async arrayBuffer() { const b = await this.bytes(); return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength); }
	async text() { return new TextDecoder().decode(await this.bytes()); }
	async json() { return JSON.parse(await this.text()); }
	async blob() { return new Blob([await this.bytes()], { type: this.headers?.get("content-type") ?? "" }); }
	async formData() {
		const type = this.headers?.get("content-type") ?? "";
		const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(type)?.[1];
		if (boundary) return parseMultipart(await this.bytes(), boundary);
		if (!/^application\/x-www-form-urlencoded/i.test(type)) throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
		const form = new FormData();
		for (const [k, v] of new URLSearchParams(await this.text())) form.append(k, v);
		return form;
	}
	get body() {
		if (this.#empty) return null;
		const self = this;
		return {
			get locked() { return self.#locked; },
			async *[Symbol.asyncIterator]() { const b = await Body.all(self); if (b.length) yield b; },
			getReader() {
				if (self.#locked) throw new TypeError("Invalid state: ReadableStream is locked");
				self.#locked = true;
				let sent = self.#used;
				return {
					async read() {
						if (sent) return { value: undefined, done: true };
						sent = self.#used = true;
						const value = await self.#content();
						return value.length === 0 ? { value: undefined, done: true } : { value, done: false };
					},
					releaseLock() { self.#locked = false; }, async cancel() { sent = self.#used = true; }, closed: Promise.resolve(),
				};
			},
			async cancel() { self.#used = true; },
		};
	}
}
class Response extends Body {
	constructor(body, init = {}) {
		super(body);
		this.status = init.status ?? 200;
		if (!init.url && (this.status < 200 || this.status > 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
		if (body !== undefined && body !== null && [101, 204, 205, 304].includes(this.status)) throw new TypeError(`Response constructor: Invalid response status code ${this.status}`);
		this.statusText = init.statusText ?? "";
		this.headers = new Headers(init.headers);
		if (this.bodyType && !this.headers.has("content-type")) this.headers.set("content-type", this.bodyType);
		this.url = init.url ?? "";
		this.redirected = !!init.redirected;
		this.type = init.url ? "basic" : "default";
	}
	get ok() { return this.status >= 200 && this.status < 300; }
	clone() { return new Response(Body.copy(this), { status: this.status, statusText: this.statusText, headers: this.headers, url: this.url, redirected: this.redirected }); }
	static json(data, init = {}) {
		const headers = new Headers(init.headers);
		if (!headers.has("content-type")) headers.set("content-type", "application/json");
		return new Response(JSON.stringify(data), { ...init, headers });
	}
	static redirect(url, status = 302) {
		if (![301, 302, 303, 307, 308].includes(status)) throw new RangeError(`Invalid status code ${status}`);
		return new Response(null, { status, headers: { location: new URL(String(url)).href } });
	}
	static error() { return Object.assign(new Response(null), { status: 0, type: "error" }); }
}
class Request extends Body {
	constructor(input, init = {}) {
		const from = input instanceof Request ? input : {};
		const inherits = input instanceof Request && init.body === undefined;
		if (inherits && input.bodyUsed) throw new TypeError("Cannot construct a Request with a Request object that has already been used.");
		super(inherits && !Body.isEmpty(input) ? Body.take(input) : init.body);
		this.url = input instanceof Request ? input.url : parsed(input);
		const method = String(init.method ?? from.method ?? "GET");
		if (!token.test(method)) throw new TypeError(`'${method}' is not a valid HTTP method.`);
		if (/^(?:connect|trace|track)$/i.test(method)) throw new TypeError(`'${method}' HTTP method is unsupported.`);
		this.method = /^(?:delete|get|head|options|post|put)$/i.test(method) ? method.toUpperCase() : method;
		if (!Body.isEmpty(this) && (this.method === "GET" || this.method === "HEAD")) throw new TypeError("Request with GET/HEAD method cannot have body.");
		this.headers = new Headers(init.headers ?? from.headers);
		this.signal = init.signal ?? from.signal ?? new AbortController().signal;
		this.redirect = init.redirect ?? from.redirect ?? "follow";
		Object.assign(this, { credentials: "same-origin", mode: "cors", cache: "default", duplex: "half" });
		if (this.bodyType && !this.headers.has("content-type")) this.headers.set("content-type", this.bodyType);
	}
	clone() {
		const body = Body.copy(this);
		return new Request(this.url, { method: this.method, headers: this.headers, signal: this.signal, redirect: this.redirect, body: body ?? undefined });
	}
}
function parsed(input) {
	let url;
	try {
		url = new URL(String(input));
	} catch (cause) {
		throw new TypeError(`Failed to parse URL from ${input}`, { cause });
	}
	if (url.username || url.password) throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${input}`);
	return url.href;
}
class Blob {
	constructor(parts = [], options = {}) {
		const data = joined([...parts].map((p) => toBytes(p).bytes));
		Object.defineProperty(this, "data", { value: data });
		this.type = String(options.type ?? "").toLowerCase();
	}
	get size() { return this.data.length; }
	async arrayBuffer() { return this.data.slice().buffer; }
	async bytes() { return this.data.slice(); }
	async text() { return new TextDecoder().decode(this.data); }
	slice(from, to, type = "") { return new Blob([this.data.slice(from, to)], { type }); }
	get [Symbol.toStringTag]() { return "Blob"; }
}
class File extends Blob {
	constructor(parts, name, options = {}) {
		super(parts, options);
		this.name = String(name);
		this.lastModified = options.lastModified ?? Date.now();
	}
	get [Symbol.toStringTag]() { return "File"; }
}
class FormData {
	#list = [];
	#entry(k, v, name) {
		if (v instanceof Blob && (!(v instanceof File) || name !== undefined)) v = new File([v], name ?? "blob", { type: v.type });
		return [String(k), v instanceof Blob ? v : String(v)];
	}
	append(k, v, name) { this.#list.push(this.#entry(k, v, name)); }
	set(k, v, name) {
		const entry = this.#entry(k, v, name);
		const at = this.#list.findIndex((p) => p[0] === entry[0]);
		this.#list = this.#list.filter((p, i) => p[0] !== entry[0] || i === at);
		if (at < 0) this.#list.push(entry);
		else this.#list[at] = entry;
	}
	get(k) { return this.#list.find((p) => p[0] === String(k))?.[1] ?? null; }
	getAll(k) { return this.#list.filter((p) => p[0] === String(k)).map((p) => p[1]); }
	has(k) { return this.#list.some((p) => p[0] === String(k)); }
	delete(k) { this.#list = this.#list.filter((p) => p[0] !== String(k)); }
	forEach(fn, self) { for (const [k, v] of this.#list) fn.call(self, v, k, this); }
	*entries() { yield* this.#list; }
	*keys() { for (const [k] of this.#list) yield k; }
	*values() { for (const [, v] of this.#list) yield v; }
	[Symbol.iterator]() { return this.entries(); }
	get [Symbol.toStringTag]() { return "FormData"; }
}

const broken = (text) => Object.assign(new Error(text), { name: "SocketError", code: "UND_ERR_SOCKET" });
function fetchData(url) {
	const m = /^data:([^,]*?)(;\s*base64)?,([^#]*)/i.exec(url);
	if (!m) throw new TypeError("fetch failed", { cause: new Error("invalid data: URL") });
	let bytes = [];
	for (let i = 0; i < m[3].length; i++) {
		const code = /^%([0-9a-f]{2})/i.exec(m[3].slice(i, i + 3))?.[1];
		if (code) i += 2;
		bytes.push(code ? parseInt(code, 16) : m[3].charCodeAt(i));
	}
	if (m[2]) bytes = Buffer.from(String.fromCharCode(...bytes), "base64");
	const type = m[1].startsWith(";") ? "text/plain" + m[1] : m[1] || "text/plain;charset=US-ASCII";
	return new Response(new Uint8Array(bytes), { url, headers: { "content-type": type } });
}
exports.fetch = async (input, init) => {
	const request = new Request(input, init);
	request.signal.throwIfAborted();
	const scheme = /^[^:]*/.exec(request.url)[0];
	if (scheme === "data") return fetchData(request.url);
	if (scheme !== "http" && scheme !== "https") throw new TypeError("fetch failed", { cause: new Error(scheme === "about" || scheme === "file" ? "not implemented" : "unknown scheme") });
	const bytes = Body.isEmpty(request) ? "" : (await Body.all(request)).toBase64();
	const cancel = host("newcancel");
	const abort = () => host("cancel", cancel);
	request.signal.addEventListener("abort", abort, { once: true });
	let raw;
	try {
		raw = JSON.parse(await start("fetch", cancel, request.method, request.url, JSON.stringify([...request.headers]), bytes, request.redirect));
	} catch (error) {
		if (request.signal.aborted) throw request.signal.reason;
		throw new TypeError("fetch failed", { cause: error.code === "UND_ERR_SOCKET" ? broken(error.message) : error });
	} finally {
		request.signal.removeEventListener("abort", abort);
		host("uncancel", cancel);
	}
	const response = new Response(raw.body === "" && [101, 204, 205, 304].includes(raw.status) ? null : Uint8Array.fromBase64(raw.body), raw);
	if (raw.cut) Body.break(response, new TypeError("terminated", { cause: broken("other side closed") }));
	return response;
};
Object.assign(exports, { Headers, Request, Response, Blob, File, FormData });
