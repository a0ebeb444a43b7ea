// node:stream. Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished:
// what code that reads and writes in pieces needs, and no tuning of buffers.
const EventEmitter = require("node/events");
const { aborted, coded, invalidType, received } = require("node/errors");
const { guard } = internal;

function errorOf(code, message) { return Object.assign(new Error(message), { code }); }
const bytesOf = (chunk, encoding) => (typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
const sizeOf = (chunk, objects) => (objects ? 1 : chunk.length);

// The legacy base class, for instanceof.
class Stream extends EventEmitter {
	destroyed = false;
	closed = false;
	errored = null;
	destroy(error) {
		if (this.destroyed) return this;
		this.destroyed = true;
		const close = (failure) => {
			const cause = failure ?? error;
			queueMicrotask(() => guard("stream", () => {
				if (cause) {
					this.errored = cause;
					this.emit("error", cause);
				}
				this.closed = true;
				this.emit("close");
			}));
		};
		if (this._destroy) this._destroy(error ?? null, close);
		else close();
		return this;
	}
	[Symbol.asyncDispose]() { this.destroy(); return Promise.resolve(); }
}

class Readable extends Stream {
	#queue = [];
	#decoder = null;
	#ended = false; // null was pushed
	#reading = false;
	#scheduled = false;
	#objects;
	#limit;
	#taken = false; // something was read of it
	readableFlowing = null;
	readableEnded = false;
	readable = true;
	constructor(options = {}) {
		super();
		this.#objects = !!(options.objectMode || options.readableObjectMode);
		this.#limit = options.highWaterMark ?? options.readableHighWaterMark ?? (this.#objects ? 16 : 65536);
		if (options.read) this._read = options.read;
		if (options.destroy) this._destroy = options.destroy;
		if (options.encoding) this.setEncoding(options.encoding);
		if (options.signal) addAbortSignal(options.signal, this);
	}
	_read() {}
	get readableHighWaterMark() { return this.#limit; }
	get readableAborted() { return this.destroyed && !this.readableEnded; }
	get readableDidRead() { return this.#taken; }
	get readableObjectMode() { return this.#objects; }
	get readableLength() { return this.#queue.reduce((n, c) => n + sizeOf(c, this.#objects), 0); }
	setEncoding(encoding = "utf8") {
		this.#decoder = new (require("node/string_decoder").StringDecoder)(encoding);
		this.readableEncoding = this.#decoder.encoding;
		// What has come is text now, too.
		const bytes = this.#queue.splice(0);
		let text = bytes.map((c) => this.#decoder.write(bytesOf(c))).join("");
		if (this.#ended) text += this.#decoder.end();
		if (text) this.#queue.push(text);
		return this;
	}
	push(chunk, encoding) {
		this.#reading = false;
		if (this.destroyed) return false;
		if (this.#ended) {
			this.destroy(errorOf("ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
			return false;
		}
		if (chunk === null) {
			this.#ended = true;
			const rest = this.#decoder?.end();
			if (rest) this.#queue.push(rest);
		} else if (this.#objects || chunk.length > 0) {
			if (!this.#objects) {
				chunk = bytesOf(chunk, encoding);
				if (this.#decoder) chunk = this.#decoder.write(chunk);
				else if (!Buffer.isBuffer(chunk)) chunk = Buffer.from(chunk);
			}
			if (this.#objects || chunk.length > 0) this.#queue.push(chunk);
		}
		this.#schedule();
		return this.readableLength < this.#limit;
	}
	unshift(chunk) { if (chunk !== null) this.#queue.unshift(this.#objects ? chunk : bytesOf(chunk)); this.#schedule(); }
	#schedule() {
		if (this.#scheduled || this.destroyed) return;
		this.#scheduled = true;
		queueMicrotask(() => {
			this.#scheduled = false;
			guard("stream", () => this.#work());
		});
	}
	// Passes on what is there, and asks for more.
	#work() {
		while (this.readableFlowing && this.#queue.length > 0 && !this.destroyed) {
			this.#taken = true;
			this.emit("data", this.#queue.shift());
		}
		if (this.destroyed || this.readableFlowing === false) return;
		if (!this.readableFlowing && (this.#queue.length > 0 || this.#ended) && this.listenerCount("readable") > 0 && !this.readableEnded) this.emit("readable");
		if (this.#ended && this.#queue.length === 0) this.#finish();
		else this.#ask();
	}
	#ask() {
		if (this.#ended || this.#reading || this.readableLength >= this.#limit) return;
		if (!this.readableFlowing && this.listenerCount("readable") === 0) return;
		this.#reading = true;
		try {
			this._read(this.#limit);
		} catch (error) {
			this.destroy(error);
		}
	}
	#finish() {
		if (this.readableEnded || (!this.readableFlowing && this.listenerCount("readable") === 0)) return;
		this.readableEnded = true;
		this.readable = false;
		this.emit("end");
		if (this.writable !== true || this.writableFinished) this.destroy();
	}
	read(size) {
		this.#taken = true;
		let chunk = null;
		if (this.#queue.length > 0) {
			if (this.#objects) chunk = this.#queue.shift();
			else {
				const all = this.#decoder ? this.#queue.join("") : Buffer.concat(this.#queue);
				if (size === undefined || size === all.length || (size > all.length && this.#ended)) { chunk = all; this.#queue = []; }
				else if (size < all.length) { chunk = all.slice(0, size); this.#queue = [all.slice(size)]; }
			}
		}
		this.#schedule();
		return chunk;
	}
	#listens(name) {
		if (name === "data" && this.readableFlowing !== false) this.resume();
		if (name === "readable") this.#schedule();
		return this;
	}
	on(name, fn) { super.on(name, fn); return this.#listens(name); }
	addListener(name, fn) { return this.on(name, fn); }
	once(name, fn) { super.once(name, fn); return this.#listens(name); }
	resume() { this.readableFlowing = true; this.#schedule(); this.emit("resume"); return this; }
	pause() { this.readableFlowing = false; this.emit("pause"); return this; }
	isPaused() { return this.readableFlowing === false; }
	pipe(target, { end = true } = {}) {
		const data = (chunk) => {
			if (target.write(chunk) === false) {
				this.pause();
				target.once("drain", () => this.resume());
			}
		};
		this.once("end", () => { if (end && target !== process.stdout && target !== process.stderr) target.end(); });
		this.pipes = [...(this.pipes ?? []), { target, data }];
		target.emit("pipe", this);
		this.on("data", data);
		return target;
	}
	unpipe(target) {
		for (const p of this.pipes ?? []) if (target === undefined || p.target === target) this.off("data", p.data);
		this.pause();
		return this;
	}
	[Symbol.asyncIterator]() { return this.iterator(); }
	async *iterator({ destroyOnReturn = true } = {}) {
		this.#taken = true;
		let failed, wake = () => {};
		const again = () => wake();
		this.on("readable", again);
		this.on("end", again).on("close", again).on("error", (error) => { failed = error; wake(); });
		try {
			for (;;) {
				const chunk = this.#queue.length > 0 ? this.#queue.shift() : undefined;
				if (chunk !== undefined) yield chunk;
				else if (failed) throw failed;
				else if (this.#ended || this.destroyed) {
					this.#schedule();
					return;
				} else {
					const more = new Promise((resolve) => { wake = resolve; });
					this.#schedule();
					await more;
				}
			}
		} finally {
			if (destroyOnReturn ? !this.readableEnded : failed) this.destroy();
		}
	}
	async toArray(options) {
		const out = [];
		for await (const chunk of this) {
			if (options?.signal?.aborted) throw aborted(options.signal);
			out.push(chunk);
		}
		return out;
	}
	static fromWeb(web, options) { return require("node/stream_operators").fromWeb(web, options); }
	static toWeb() { throw new Error("Readable.toWeb of node:stream is not available in extui: there is no ReadableStream"); }
	static from(source, options) {
		if (typeof source === "string" || source instanceof Uint8Array) source = [source];
		if (typeof source?.[Symbol.asyncIterator] !== "function" && typeof source?.[Symbol.iterator] !== "function") throw invalidType("iterable", "an instance of Iterable", source);
		const iterator = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
		return new Readable({
			objectMode: true, ...options,
			read() {
				(async () => iterator.next())().then(async ({ done, value }) => this.push(done ? null : await value)).catch((error) => this.destroy(error));
			},
			destroy(error, done) { Promise.resolve(iterator.return?.()).then(() => done(), done); },
		});
	}
}

// The writing half, which Duplex has too: what it keeps stands in one property.
const half = Symbol("writable");
const writing = {
	write(chunk, encoding, done) {
		const w = this[half];
		if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
		const error = this.writableEnded ? errorOf("ERR_STREAM_WRITE_AFTER_END", "write after end") : this.destroyed ? errorOf("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed") : null;
		if (error) {
			queueMicrotask(() => { done?.(error); });
			if (this.writableEnded) this.destroy(error);
			return false;
		}
		if (chunk === null) throw Object.assign(new TypeError("May not write null values to stream"), { code: "ERR_STREAM_NULL_VALUES" });
		if (!w.objects && w.decode) chunk = bytesOf(chunk, encoding);
		const size = sizeOf(chunk, w.objects);
		w.length += size;
		w.queue.push({ chunk, encoding: typeof chunk === "string" ? (encoding ?? w.encoding) : "buffer", done, size });
		step(this);
		const room = w.length < w.limit;
		if (!room) w.drain = true;
		return room;
	},
	end(chunk, encoding, done) {
		if (typeof chunk === "function") [chunk, done] = [undefined, chunk];
		else if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
		if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
		if (done) this.once("finish", done);
		this[half].corked = 0;
		this.writableEnded = true;
		this.writable = false;
		step(this);
		return this;
	},
	cork() { this[half].corked++; },
	uncork() {
		const w = this[half];
		if (w.corked > 0 && --w.corked === 0) step(this);
	},
	setDefaultEncoding(encoding) { this[half].encoding = encoding; return this; },
};
// Writes the next chunk when the one before is written, and finishes after the last.
function step(stream) {
	const w = stream[half];
	if (w.busy || w.corked > 0 || stream.destroyed) return;
	const all = stream._writev && (w.queue.length > 1 || !stream._write) ? w.queue.splice(0) : w.queue.splice(0, 1);
	const next = all[0];
	const after = (then) => {
		let called = false;
		return (error) => {
			if (called) return;
			called = true;
			// In a turn of its own: a chunk that is written at once must not nest.
			queueMicrotask(() => guard("stream", () => then(error)));
		};
	};
	if (next) {
		w.busy = true;
		const written = after((error) => {
			w.busy = false;
			for (const { size, done } of all) {
				w.length -= size;
				done?.(error ?? null);
			}
			if (error) return stream.destroy(error);
			if (w.drain && w.queue.length === 0 && !stream.writableEnded) {
				w.drain = false;
				stream.emit("drain");
			}
			step(stream);
		});
		try {
			if (all.length > 1 || !stream._write) stream._writev(all.map(({ chunk, encoding }) => ({ chunk, encoding })), written);
			else stream._write(next.chunk, next.encoding, written);
		} catch (error) {
			written(error);
		}
		return;
	}
	if (!stream.writableEnded || w.finishing) return;
	w.finishing = true;
	const finished = after((error) => {
		if (error) return stream.destroy(error);
		stream.writableFinished = true;
		stream.emit("finish");
		if (!(stream instanceof Readable) || stream.readableEnded) stream.destroy();
	});
	if (stream._final) stream._final(finished);
	else finished();
}
function writable(stream, options) {
	const objects = !!(options.objectMode || options.writableObjectMode);
	const limit = options.highWaterMark ?? options.writableHighWaterMark ?? (objects ? 16 : 65536);
	Object.defineProperty(stream, half, { value: { queue: [], length: 0, objects, limit, decode: options.decodeStrings !== false, busy: false, drain: false, finishing: false, corked: 0, encoding: "utf8" } });
	Object.assign(stream, { writable: true, writableEnded: false, writableFinished: false });
	for (const name of ["write", "writev", "final", "destroy"]) if (options[name]) stream["_" + name] = options[name];
}
class Writable extends Stream {
	constructor(options = {}) {
		super();
		writable(this, options);
		if (options.signal) addAbortSignal(options.signal, this);
	}
	get writableLength() { return this[half].length; }
	_write(chunk, encoding, done) {
		if (this._writev) this._writev([{ chunk, encoding }], done);
		else done(errorOf("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented"));
	}
	static [Symbol.hasInstance](value) { return Function.prototype[Symbol.hasInstance].call(this, value) || (this === Writable && value instanceof Duplex); }
}
class Duplex extends Readable {
	constructor(options = {}) {
		super(options);
		writable(this, options);
	}
	get writableLength() { return this[half].length; }
	_write(chunk, encoding, done) {
		if (this._writev) this._writev([{ chunk, encoding }], done);
		else done(errorOf("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented"));
	}
}
const states = {
	writableHighWaterMark() { return this[half].limit; }, writableNeedDrain() { return this[half].drain && !this.destroyed && !this.writableEnded; },
	writableObjectMode() { return this[half].objects; }, writableCorked() { return this[half].corked; }, writableAborted() { return this.destroyed && !this.writableFinished; },
};
for (const Kind of [Writable, Duplex]) {
	for (const [name, get] of Object.entries(states)) Object.defineProperty(Kind.prototype, name, { get, configurable: true });
}
for (const name of ["map", "filter", "flatMap", "take", "drop", "forEach", "some", "every", "find", "reduce", "compose"]) {
	const fn = { [name](...args) { return require("node/stream_operators").operators[name].apply(this, args); } }[name];
	Object.defineProperty(Readable.prototype, name, { value: fn, writable: true, configurable: true });
}
Duplex.from = (body) => require("node/stream_operators").duplexFrom(body);
Object.defineProperties(Writable.prototype, hidden(writing));
Object.defineProperties(Duplex.prototype, hidden(writing));
function hidden(methods) {
	return Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value, writable: true, configurable: true }]));
}
class Transform extends Duplex {
	constructor(options = {}) {
		super(options);
		for (const name of ["transform", "flush"]) if (options[name]) this["_" + name] = options[name];
	}
	_transform(chunk, encoding, done) { done(errorOf("ERR_METHOD_NOT_IMPLEMENTED", "The _transform() method is not implemented")); }
	_write(chunk, encoding, done) {
		this._transform(chunk, encoding, (error, out) => {
			if (!error && out !== undefined && out !== null) this.push(out);
			done(error);
		});
	}
	_final(done) {
		const end = (error, out) => {
			if (error) return done(error);
			if (out !== undefined && out !== null) this.push(out);
			this.push(null);
			done();
		};
		if (this._flush) this._flush(end);
		else end();
	}
}
class PassThrough extends Transform {
	_transform(chunk, encoding, done) { done(null, chunk); }
}

// Calls done once, when the stream has ended, finished or failed.
function finished(stream, options, done) {
	if (typeof options === "function") [options, done] = [{}, options];
	let over = false;
	const end = (error) => {
		if (over) return;
		over = true;
		done.call(stream, error ?? undefined);
	};
	if (options.signal) {
		const abort = () => end(aborted(options.signal));
		if (options.signal.aborted) queueMicrotask(abort);
		else options.signal.addEventListener("abort", abort, { once: true });
	}
	const reads = options.readable !== false && typeof stream.read === "function", writes = options.writable !== false && typeof stream.write === "function";
	const complete = () => (!reads || stream.readableEnded) && (!writes || stream.writableFinished);
	if (complete()) queueMicrotask(end);
	stream.on("error", end);
	stream.on("end", () => { if (complete()) end(); });
	stream.on("finish", () => { if (complete()) end(); });
	stream.on("close", () => end(complete() ? undefined : errorOf("ERR_STREAM_PREMATURE_CLOSE", "Premature close")));
	return () => { over = true; };
}
// Destroys a stream once the signal is aborted.
function addAbortSignal(signal, stream) {
	if (typeof signal !== "object" || signal === null || !("aborted" in signal)) throw invalidType("signal", "an instance of AbortSignal", signal);
	const abort = () => stream.destroy(aborted(signal));
	if (signal.aborted) abort();
	else signal.addEventListener("abort", abort, { once: true });
	return stream;
}
const iterable = (v) => typeof v?.[Symbol.asyncIterator] === "function" || typeof v?.[Symbol.iterator] === "function";
// Each of a pipeline reads the one before: a stream by being written to, a function by
// going through it.
function pipeline(...streams) {
	const done = streams.pop();
	if (typeof done !== "function") throw invalidType("streams[stream.length - 1]", "of type function", done);
	return connect(streams, {}, done);
}
function connect(streams, { signal, end: ends = true }, done) {
	if (streams.length === 1 && Array.isArray(streams[0])) streams = streams[0];
	if (streams.length < 2) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "streams" argument must be specified');
	const made = [];
	let over = false;
	const end = (error, value) => {
		if (over) return;
		over = true;
		signal?.removeEventListener("abort", abort);
		if (error) for (const s of made) if (!s.destroyed) s.destroy();
		done(error, value);
	};
	const abort = () => end(aborted(signal));
	const watch = (stream) => {
		made.push(stream);
		stream.on("error", end);
		return stream;
	};
	const call = (fn, source, last, i) => {
		const out = source === null ? fn({ signal }) : fn(source, { signal });
		if (iterable(out) && typeof out !== "string") return watch(Readable.from(out));
		if (typeof out?.then !== "function" || !last) {
			const what = source === null ? "Iterable, AsyncIterable or Stream" : last ? "AsyncIterable or Promise" : "AsyncIterable";
			throw coded(TypeError, "ERR_INVALID_RETURN_VALUE", `Expected ${what} to be returned from the "${source === null ? "source" : `transform[${i - 1}]`}" function but got${received(out).replace("Received ", "")}.`);
		}
		out.then((value) => end(undefined, value), end);
		return null;
	};
	if (signal?.aborted) {
		for (const s of streams) if (s instanceof Stream) s.on("error", () => {}).destroy();
		queueMicrotask(abort);
		return streams.at(-1);
	}
	signal?.addEventListener("abort", abort, { once: true });
	let current = null;
	streams.forEach((stream, i) => {
		const last = i === streams.length - 1;
		if (typeof stream === "function") {
			current = call(stream, current, last, i);
			if (last && current) {
				finished(current, { writable: false }, end);
				current.resume();
			}
			return;
		}
		if (!(stream instanceof EventEmitter)) {
			if (current !== null || !iterable(stream)) throw invalidType(`streams[${i}]`, "of type function or an instance of Stream, Iterable, or AsyncIterable", stream);
			stream = Readable.from(stream);
		}
		watch(stream);
		if (current) {
			const from = current;
			from.on("close", () => { if (!from.readableEnded) end(errorOf("ERR_STREAM_PREMATURE_CLOSE", "Premature close")); });
			from.pipe(stream, { end: ends || !last });
			if (last && !ends) from.once("end", () => end());
		}
		current = stream;
		if (last) finished(stream, { readable: false }, end);
	});
	return current ?? streams.at(-1);
}
const promises = {
	pipeline: (...streams) => new Promise((resolve, reject) => {
		const last = streams.at(-1);
		const options = typeof last === "object" && last !== null && !(last instanceof EventEmitter) && !iterable(last) ? streams.pop() : {};
		connect(streams, options, (error, value) => (error ? reject(error) : resolve(value)));
	}),
	finished: (stream, options = {}) => new Promise((resolve, reject) => { finished(stream, options, (error) => (error ? reject(error) : resolve())); }),
};
for (const [name, fn] of Object.entries({ pipeline, finished })) fn[Symbol.for("nodejs.util.promisify.custom")] = promises[name];
module.exports = Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, promises, 
	isReadable: (s) => !!s?.readable && !s.destroyed, isWritable: (s) => !!s?.writable && !s.destroyed, isErrored: (s) => !!s?.errored, isDisturbed: (s) => !!s?.readableDidRead,
	addAbortSignal, destroy: (s, error) => s.destroy(error), compose: (...streams) => require("node/stream_operators").compose(...streams),
	getDefaultHighWaterMark: (objects) => (objects ? 16 : 65536),
});
