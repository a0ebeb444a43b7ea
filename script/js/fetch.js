// fetch, as Go's HTTP client does it. A body is read whole before the response is there.
const { start, host } = internal;

class Headers {
	#map = new Map();
	constructor(init) {
		if (!init) return;
		const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
		for (const [k, v] of pairs) this.append(k, v);
	}
	append(k, v) {
		k = String(k).toLowerCase();
		const have = this.#map.get(k);
		this.#map.set(k, have === undefined ? String(v) : `${have}, ${v}`);
	}
	set(k, v) { this.#map.set(String(k).toLowerCase(), String(v)); }
	get(k) { return this.#map.get(String(k).toLowerCase()) ?? null; }
	has(k) { return this.#map.has(String(k).toLowerCase()); }
	delete(k) { this.#map.delete(String(k).toLowerCase()); }
	getSetCookie() { const v = this.get("set-cookie"); return v === null ? [] : [v]; }
	forEach(fn, self) { for (const [k, v] of this) fn.call(self, v, k, this); }
	*entries() { yield* [...this.#map].sort((a, b) => (a[0] < b[0] ? -1 : 1)); }
	*keys() { for (const [k] of this.entries()) yield k; }
	*values() { for (const [, v] of this.entries()) yield v; }
	[Symbol.iterator]() { return this.entries(); }
}

function toBytes(body) {
	if (body === undefined || body === null) return { bytes: new Uint8Array(0) };
	if (body instanceof URLSearchParams) {
		return { bytes: new TextEncoder().encode(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
	}
	if (body instanceof Blob) return { bytes: body.data, type: body.type };
	if (body instanceof ArrayBuffer) return { bytes: new Uint8Array(body) };
	if (ArrayBuffer.isView(body)) return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
	if (body instanceof FormData) throw new TypeError("fetch with a FormData body is not available in extui");
	return { bytes: new TextEncoder().encode(String(body)), type: "text/plain;charset=UTF-8" };
}
class Body {
	#bytes;
	#used = false;
	constructor(body) {
		const { bytes, type } = toBytes(body);
		this.#bytes = bytes;
		Object.defineProperty(this, "bodyType", { value: type, enumerable: false });
		this.empty = body === undefined || body === null;
	}
	get bodyUsed() { return this.#used; }
	#take() {
		if (this.#used) throw new TypeError("Body is unusable: Body has already been read");
		this.#used = true;
		return this.#bytes;
	}
	peek() { return this.#bytes; }
	async bytes() { return this.#take(); }
	async arrayBuffer() { const b = this.#take(); return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength); }
	async text() { return new TextDecoder().decode(this.#take()); }
	async json() { return JSON.parse(await this.text()); }
	async blob() { return new Blob([this.#take()], { type: this.headers?.get("content-type") ?? "" }); }
	get body() {
		if (this.empty) return null;
		const self = this;
		return {
			async *[Symbol.asyncIterator]() { const b = self.#take(); if (b.length) yield b; },
			getReader() {
				let sent = false;
				return {
					async read() {
						if (sent || self.#bytes.length === 0) return { done: true, value: undefined };
						sent = true;
						return { done: false, value: self.#take() };
					},
					releaseLock() {}, async cancel() { sent = true; }, closed: Promise.resolve(),
				};
			},
			async cancel() {},
		};
	}
}
class Response extends Body {
	constructor(body, init = {}) {
		super(body);
		this.status = init.status ?? 200;
		this.statusText = init.statusText ?? "";
		this.headers = new Headers(init.headers);
		if (this.bodyType && !this.headers.has("content-type")) this.headers.set("content-type", this.bodyType);
		this.url = init.url ?? "";
		this.redirected = !!init.redirected;
		this.type = "default";
	}
	get ok() { return this.status >= 200 && this.status < 300; }
	clone() { return new Response(this.peek().slice(), this); }
	static json(data, init = {}) {
		return new Response(JSON.stringify(data), { ...init, headers: { "content-type": "application/json", ...init.headers } });
	}
	static error() { return new Response(null, { status: 0 }); }
}
class Request extends Body {
	constructor(input, init = {}) {
		const from = input instanceof Request ? input : {};
		super(init.body ?? (from instanceof Request && !from.empty ? from.peek() : undefined));
		this.url = input instanceof Request ? input.url : new URL(String(input)).href;
		this.method = String(init.method ?? from.method ?? "GET").toUpperCase();
		this.headers = new Headers(init.headers ?? from.headers);
		this.signal = init.signal ?? from.signal;
		this.redirect = init.redirect ?? from.redirect ?? "follow";
		if (this.bodyType && !this.headers.has("content-type")) this.headers.set("content-type", this.bodyType);
	}
	clone() { return new Request(this); }
}
class Blob {
	constructor(parts = [], options = {}) {
		const all = [...parts].map((p) => toBytes(p).bytes);
		this.data = new Uint8Array(all.reduce((n, b) => n + b.length, 0));
		let at = 0;
		for (const b of all) { this.data.set(b, at); at += b.length; }
		this.type = options.type ?? "";
	}
	get size() { return this.data.length; }
	async arrayBuffer() { return this.data.slice().buffer; }
	async bytes() { return this.data.slice(); }
	async text() { return new TextDecoder().decode(this.data); }
	slice(from, to, type = "") { return new Blob([this.data.slice(from, to)], { type }); }
}
class FormData {
	#list = [];
	append(k, v) { this.#list.push([String(k), v]); }
	get(k) { return this.#list.find((p) => p[0] === k)?.[1] ?? null; }
	[Symbol.iterator]() { return this.#list.values(); }
}

exports.fetch = async (input, init) => {
	const request = new Request(input, init);
	request.signal?.throwIfAborted();
	const bytes = request.empty ? "" : request.peek().toBase64();
	const cancel = host("newcancel");
	const abort = () => host("cancel", cancel);
	request.signal?.addEventListener("abort", abort, { once: true });
	let raw;
	try {
		raw = JSON.parse(await start("fetch", cancel, request.method, request.url, JSON.stringify([...request.headers]), bytes, request.redirect));
	} catch (error) {
		if (request.signal?.aborted) throw request.signal.reason;
		throw new TypeError("fetch failed", { cause: error });
	} finally {
		request.signal?.removeEventListener("abort", abort);
		host("uncancel", cancel);
	}
	return new Response(raw.body === "" && [204, 304].includes(raw.status) ? null : Uint8Array.fromBase64(raw.body), raw);
};
Object.assign(exports, { Headers, Request, Response, Blob, FormData });
