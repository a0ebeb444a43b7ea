// node:stream. Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished:
// what code that reads and writes in pieces needs, and no tuning of buffers.
const EventEmitter = require("node/events");
const { guard } = internal;

function errorOf(code, message) { return Object.assign(new Error(message), { code }); }
const bytesOf = (chunk, encoding) => (typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
const sizeOf = (chunk, objects) => (objects ? 1 : chunk.length);

// The legacy base class, for instanceof.
class Stream extends EventEmitter {
	destroyed = false;
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
		options.signal?.addEventListener("abort", () => this.destroy(options.signal.reason), { once: true });
	}
	_read() {}
	get readableObjectMode() { return this.#objects; }
	get readableLength() { return this.#queue.reduce((n, c) => n + sizeOf(c, this.#objects), 0); }
	setEncoding(encoding = "utf8") {
		this.readableEncoding = encoding;
		this.#decoder = /^utf-?8$/i.test(encoding) ? new TextDecoder() : { decode: (bytes) => (bytes ? Buffer.from(bytes).toString(encoding) : "") };
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
			const rest = this.#decoder?.decode();
			if (rest) this.#queue.push(rest);
		} else if (this.#objects || chunk.length > 0) {
			if (!this.#objects) {
				chunk = bytesOf(chunk, encoding);
				if (this.#decoder) chunk = this.#decoder.decode(chunk, { stream: true });
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
		while (this.readableFlowing && this.#queue.length > 0 && !this.destroyed) this.emit("data", this.#queue.shift());
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
	async *[Symbol.asyncIterator]() {
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
			if (!this.#ended) this.destroy();
		}
	}
	async toArray() { return Array.fromAsync(this); }
	static from(source, options) {
		if (typeof source === "string" || source instanceof Uint8Array) source = [source];
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
		w.queue.push({ chunk, encoding: typeof chunk === "string" ? (encoding ?? "utf8") : "buffer", done, size });
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
		this.writableEnded = true;
		this.writable = false;
		step(this);
		return this;
	},
	cork() {},
	uncork() {},
	setDefaultEncoding() { return this; },
};
// Writes the next chunk when the one before is written, and finishes after the last.
function step(stream) {
	const w = stream[half];
	if (w.busy || stream.destroyed) return;
	const next = w.queue.shift();
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
			w.length -= next.size;
			next.done?.(error ?? null);
			if (error) return stream.destroy(error);
			if (w.drain && w.queue.length === 0 && !stream.writableEnded) {
				w.drain = false;
				stream.emit("drain");
			}
			step(stream);
		});
		try {
			stream._write(next.chunk, next.encoding, written);
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
	Object.defineProperty(stream, half, { value: { queue: [], length: 0, objects, limit, decode: options.decodeStrings !== false, busy: false, drain: false, finishing: false } });
	Object.assign(stream, { writable: true, writableEnded: false, writableFinished: false });
	for (const name of ["write", "final", "destroy"]) if (options[name]) stream["_" + name] = options[name];
}
class Writable extends Stream {
	constructor(options = {}) {
		super();
		writable(this, options);
		options.signal?.addEventListener("abort", () => this.destroy(options.signal.reason), { once: true });
	}
	get writableLength() { return this[half].length; }
	_write(chunk, encoding, done) { done(errorOf("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented")); }
	static [Symbol.hasInstance](value) { return Function.prototype[Symbol.hasInstance].call(this, value) || (this === Writable && value instanceof Duplex); }
}
class Duplex extends Readable {
	constructor(options = {}) {
		super(options);
		writable(this, options);
	}
	get writableLength() { return this[half].length; }
	_write(chunk, encoding, done) { done(errorOf("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented")); }
}
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
	const reads = options.readable !== false && typeof stream.read === "function", writes = options.writable !== false && typeof stream.write === "function";
	const complete = () => (!reads || stream.readableEnded) && (!writes || stream.writableFinished);
	if (complete()) queueMicrotask(end);
	stream.on("error", end);
	stream.on("end", () => { if (complete()) end(); });
	stream.on("finish", () => { if (complete()) end(); });
	stream.on("close", () => end(complete() ? undefined : errorOf("ERR_STREAM_PREMATURE_CLOSE", "Premature close")));
	return () => { over = true; };
}
function pipeline(...streams) {
	const done = streams.pop();
	if (Array.isArray(streams[0])) streams = streams[0];
	let over = false;
	const end = (error, value) => {
		if (over) return;
		over = true;
		if (error) for (const s of made) if (s instanceof Stream && !s.destroyed) s.destroy();
		done(error, value);
	};
	const made = [];
	let current = null;
	streams.forEach((stream, i) => {
		const last = i === streams.length - 1;
		if (typeof stream === "function") {
			const out = stream(current);
			if (last && typeof out?.then === "function") return void out.then((value) => end(undefined, value), end);
			stream = out;
		}
		if (!(stream instanceof EventEmitter)) stream = Readable.from(stream);
		made.push(stream);
		stream.on("error", end);
		if (current) current.pipe(stream);
		current = stream;
		if (last) finished(stream, { readable: false }, end);
	});
	return current;
}
const promises = {
	pipeline: (...streams) => new Promise((resolve, reject) => {
		pipeline(...streams, (error, value) => (error ? reject(error) : resolve(value)));
	}),
	finished: (stream, options = {}) => new Promise((resolve, reject) => { finished(stream, options, (error) => (error ? reject(error) : resolve())); }),
};
for (const [name, fn] of Object.entries({ pipeline, finished })) fn[Symbol.for("nodejs.util.promisify.custom")] = promises[name];
module.exports = Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, promises, isReadable: (s) => !!s?.readable, isErrored: (s) => !!s?.errored });
