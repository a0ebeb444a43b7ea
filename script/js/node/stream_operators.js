// What streams have of iterators, and those that are made of functions and of other streams.
const { aborted, coded, invalidType, outOfRange } = require("node/errors");
const { Readable, Duplex, PassThrough, Stream, pipeline } = require("node/stream");

const call = (fn) => { if (typeof fn !== "function") throw invalidType("fn", "of type function", fn); };
function check(options) {
	if (options !== undefined && (typeof options !== "object" || options === null)) throw invalidType("options", "of type object", options);
	const signal = options?.signal;
	if (signal !== undefined && (typeof signal !== "object" || signal === null || !("aborted" in signal))) throw invalidType("options.signal", "an instance of AbortSignal", signal);
	const concurrency = options?.concurrency ?? 1;
	if (typeof concurrency !== "number") throw invalidType("concurrency", "of type number", concurrency);
	if (!(concurrency >= 1)) throw outOfRange("concurrency", ">= 1", concurrency);
	return { signal: signal ?? new AbortController().signal, concurrency: Math.floor(concurrency) };
}
function numberOf(n) {
	n = Number(n);
	if (Number.isNaN(n)) return 0;
	if (n < 0) throw outOfRange("number", ">= 0", n);
	return n;
}
// The results of fn in their order, so many under way at once.
async function* results(source, fn, { signal, concurrency }) {
	const under = [];
	const over = new AbortController();
	signal.addEventListener("abort", () => over.abort(signal.reason), { once: true });
	try {
		for await (const value of source) {
			if (signal.aborted) throw aborted(signal);
			const result = (async () => fn(value, { signal: over.signal }))();
			result.catch(() => {}); // whoever takes it is told
			under.push(result);
			if (under.length >= concurrency) yield await under.shift();
		}
		while (under.length > 0) yield await under.shift();
	} finally {
		over.abort();
	}
}
async function* kept(source, fn, options) {
	for await (const [value, keep] of results(source, async (v, o) => [v, await fn(v, o)], options)) if (keep) yield value;
}
async function* flattened(source, fn, options) {
	for await (const list of results(source, fn, options)) yield* list;
}
async function* cut(source, from, to, { signal }) {
	let i = 0;
	if (to <= 0) return;
	for await (const value of source) {
		if (signal.aborted) throw aborted(signal);
		if (i >= from) yield value;
		if (++i >= to) return;
	}
}
const made = (generator) => Readable.from(generator);
const operators = {
	map(fn, options) { call(fn); return made(results(this, fn, check(options))); },
	filter(fn, options) { call(fn); return made(kept(this, fn, check(options))); },
	flatMap(fn, options) { call(fn); return made(flattened(this, fn, check(options))); },
	take(n, options) { return made(cut(this, 0, numberOf(n), check(options))); },
	drop(n, options) { return made(cut(this, numberOf(n), Infinity, check(options))); },
	async forEach(fn, options) { call(fn); for await (const _ of results(this, fn, check(options))); },
	async some(fn, options) {
		call(fn);
		for await (const hit of results(this, fn, check(options))) if (hit) return true;
		return false;
	},
	async every(fn, options) {
		call(fn);
		for await (const hit of results(this, fn, check(options))) if (!hit) return false;
		return true;
	},
	async find(fn, options) {
		call(fn);
		for await (const value of kept(this, fn, check(options))) return value;
		return undefined;
	},
	async reduce(fn, ...rest) {
		if (typeof fn !== "function") throw invalidType("reducer", "of type function", fn);
		const { signal } = check(rest[1]);
		let value = rest[0], has = rest.length > 0;
		for await (const next of this) {
			if (signal.aborted) throw aborted(signal);
			value = has ? await fn(value, next, { signal }) : next;
			has = true;
		}
		if (!has) throw coded(TypeError, "ERR_MISSING_ARGS", "Reduce of an empty stream requires an initial value");
		return value;
	},
	compose(stream, options) { return compose(this, stream, options); },
};

// One stream of a writing and a reading end.
function join(input, output) {
	const joined = new Duplex({
		objectMode: true,
		write(chunk, encoding, done) {
			if (!input || input.write(chunk) !== false) done();
			else input.once("drain", done);
		},
		final(done) {
			if (input) input.end();
			done();
		},
		read() { output?.resume(); },
		destroy(error, done) {
			for (const end of [input, output]) if (end && !end.destroyed) end.destroy(error ?? undefined);
			done(error);
		},
	});
	for (const end of [input, output]) end?.on("error", (error) => joined.destroy(error));
	output?.on("data", (chunk) => { if (!joined.push(chunk)) output.pause(); });
	output?.on("end", () => joined.push(null));
	output?.pause();
	if (!output) joined.push(null);
	if (!input) joined.end();
	return joined;
}
const iterable = (v) => typeof v?.[Symbol.asyncIterator] === "function" || (typeof v?.[Symbol.iterator] === "function" && typeof v !== "string");
function duplexFrom(body) {
	if (body instanceof Duplex) return body;
	if (body instanceof Stream) return typeof body.write === "function" ? join(body, null) : join(null, body);
	if (typeof body === "function") {
		const input = new PassThrough({ objectMode: true });
		const out = body(input[Symbol.asyncIterator](), { signal: new AbortController().signal });
		if (iterable(out)) return join(input, Readable.from(out));
		if (typeof out?.then === "function") {
			const joined = join(input, null);
			out.then(() => {}, (error) => joined.destroy(error));
			return joined;
		}
		throw coded(TypeError, "ERR_INVALID_RETURN_VALUE", `Expected Iterable, AsyncIterable or AsyncFunction to be returned from the "body" function but got ${typeof out}.`);
	}
	if (typeof body?.getReader === "function") return join(null, fromWeb(body));
	if (typeof body === "string" || iterable(body)) return join(null, Readable.from(body));
	if (typeof body?.then === "function") return join(null, Readable.from((async function* () { const v = await body; if (v !== undefined && v !== null) yield v; })()));
	if (body?.readable || body?.writable) return join(body.writable ?? null, body.readable ?? null);
	throw invalidType("body", "of type function or an instance of Blob, ReadableStream, WritableStream, Stream, Iterable, AsyncIterable or Promise or { readable, writable } pair", body);
}
function compose(...streams) {
	if (streams.at(-1) === undefined || (streams.length > 1 && !(streams.at(-1) instanceof Stream) && typeof streams.at(-1) !== "function" && !iterable(streams.at(-1)))) streams.pop();
	const all = streams.map((s, i) => (typeof s === "function" || !(s instanceof Stream) ? duplexFrom(s, i) : s));
	const first = all[0], last = all.at(-1);
	if (all.length === 1) return duplexFrom(first);
	const joined = join(typeof first.write === "function" ? first : null, typeof last.read === "function" ? last : null);
	pipeline(...all, (error) => { if (error) joined.destroy(error); });
	return joined;
}
// The body of a response, and whatever else is read by a reader.
function fromWeb(web, options) {
	if (typeof web?.getReader !== "function") throw invalidType("readableStream", "an instance of ReadableStream", web);
	const reader = web.getReader();
	return new Readable({
		...options,
		read() { reader.read().then(({ done, value }) => this.push(done ? null : value)).catch((error) => this.destroy(error)); },
		destroy(error, done) { Promise.resolve(reader.cancel?.(error)).then(() => done(error), () => done(error)); },
	});
}
module.exports = { operators, duplexFrom, compose, fromWeb };
