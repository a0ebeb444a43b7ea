// node:fs and, as its promises, node:fs/promises. One table makes the three forms of
// each function: sync, callback, promise. Go does the work.
const { host, start } = internal;
const { Buffer } = require("node/buffer");
const path = require("node/path");
const EventEmitter = require("node/events");

const constants = {
	F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024,
	S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000,
};
const { coded, invalidType, notFunction, aborted } = require("node/errors");
const { inspect, promisify } = require("node/util");
function text(p, name = "path") {
	const plain = textOf(p, name);
	if (plain.includes("\0")) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received ${inspect(p)}`);
	return plain;
}
function textOf(p, name) {
	if (typeof p === "string") return p;
	if (p instanceof URL) return require("node/url").fileURLToPath(p);
	if (p instanceof Uint8Array) return Buffer.from(p).toString();
	throw invalidType(name, "of type string or an instance of Buffer or URL", p);
}
function encodingOf(o) {
	const e = (typeof o === "string" ? o : o?.encoding) ?? null;
	if (e !== null && e !== "buffer" && !Buffer.isEncoding(e)) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'encoding' is invalid encoding. Received ${inspect(e)}`);
	return e;
}
const isText = (e) => e !== null && /^utf-?8$/i.test(e);
const modeOf = (o, otherwise) => {
	const m = typeof o === "object" && o !== null ? o.mode : o;
	return m === undefined || m === null ? otherwise : typeof m === "string" ? parseInt(m, 8) : m;
};
function data(value, options, name = "data") {
	if (typeof value === "string") {
		const e = encodingOf(options);
		return e === null || isText(e) ? ["text", value.toWellFormed()] : ["bytes", Buffer.from(value, e).toBase64()];
	}
	if (ArrayBuffer.isView(value)) return ["bytes", new Uint8Array(value.buffer, value.byteOffset, value.byteLength).toBase64()];
	throw invalidType(name, "of type string or an instance of Buffer, TypedArray, or DataView", value);
}
// Flags of open, as words and as numbers.
const words = { r: 0, "r+": 2, w: 577, "w+": 578, a: 1089, "a+": 1090 };
function flagsOf(flags, otherwise) {
	flags ??= otherwise;
	if (typeof flags === "number") return flags;
	const plain = words[String(flags).replace(/[xs]/, "")];
	if (plain === undefined || (/^r/.test(flags) && /x/.test(flags))) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'flags' is invalid. Received ${inspect(flags)}`);
	return /x/.test(flags) ? plain | constants.O_EXCL : plain;
}
function fdOf(fd) {
	if (typeof fd !== "number") throw invalidType("fd", "of type number", fd);
	return fd;
}

class Stats {
	constructor(raw, big) {
		Object.assign(this, JSON.parse(raw));
		const times = ["atime", "mtime", "ctime", "birthtime"];
		const dates = times.map((t) => new Date(this[t + "Ms"]));
		if (big) {
			const exact = times.map((t) => BigInt(Math.round(this[t + "Ms"] * 1e3)) * 1000n);
			for (const k of Object.keys(this)) this[k] = BigInt(Math.floor(this[k]));
			times.forEach((t, i) => { this[t + "Ns"] = exact[i]; });
		}
		times.forEach((t, i) => Object.defineProperty(this, t, { value: dates[i], writable: true, configurable: true }));
	}
	#is(kind) { return (Number(this.mode) & constants.S_IFMT) === kind; }
	isFile() { return this.#is(constants.S_IFREG); }
	isDirectory() { return this.#is(constants.S_IFDIR); }
	isSymbolicLink() { return this.#is(constants.S_IFLNK); }
	isFIFO() { return this.#is(0o010000); }
	isSocket() { return this.#is(0o140000); }
	isBlockDevice() { return this.#is(0o060000); }
	isCharacterDevice() { return this.#is(0o020000); }
}
class Dirent {
	constructor({ name, parentPath, mode }) { this.name = name; this.parentPath = this.path = parentPath; Object.defineProperty(this, "mode", { value: mode }); }
}
for (const name of ["isFile", "isDirectory", "isSymbolicLink", "isFIFO", "isSocket", "isBlockDevice", "isCharacterDevice"]) {
	Dirent.prototype[name] = Stats.prototype[name];
}
for (const [name, kind] of Object.entries({ isFile: 0o100000, isDirectory: 0o040000, isSymbolicLink: 0o120000, isFIFO: 0o010000, isSocket: 0o140000, isBlockDevice: 0o060000, isCharacterDevice: 0o020000 })) {
	Dirent.prototype[name] = function () { return (this.mode & constants.S_IFMT) === kind; };
}

// Each entry: what to ask of Go, and what to make of the result.
const content = (v, p, o) => {
	const e = encodingOf(o);
	return isText(e) ? v : e === null || e === "buffer" ? require("node/buffer").wrap(Uint8Array.fromBase64(v)) : Buffer.from(v, "base64").toString(e);
};
const named = (o) => (name) => ((typeof o === "string" ? o : o?.encoding) === "buffer" ? Buffer.from(name) : name);
const stats = (v, p, o) => new Stats(v, o?.bigint);
const write = (flag) => (p, v, o) => {
	const bytes = data(v, o);
	if (typeof p === "number") return ["fdwrite", p, ...bytes, -1];
	return ["write", text(p), ...bytes, flagsOf(typeof o === "object" ? o?.flag : undefined, flag), modeOf(typeof o === "object" ? o : null, 0o666)];
};
const length = (v, n, name) => {
	if (!Number.isInteger(v)) throw invalidType(name, "of type number", v);
	if (v < 0 || v > n) throw coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "${name}" is out of range. It must be >= 0 && <= ${n}. Received ${v}`);
	return v;
};
// The arguments of read: in order, or the last ones as an object.
function reading(buffer, offset, size, position) {
	if (typeof offset === "object" && offset !== null) ({ offset = 0, length: size, position } = offset);
	if (buffer && !ArrayBuffer.isView(buffer)) ({ buffer, offset = 0, length: size, position } = buffer);
	buffer ??= Buffer.alloc(16384);
	offset = length(offset ?? 0, buffer.byteLength, "offset");
	return { buffer, offset, size: length(size ?? buffer.byteLength - offset, buffer.byteLength - offset, "length"), position: typeof position === "bigint" ? Number(position) : (position ?? -1) };
}
// What a write of a part of a buffer, or of a text at a position, comes to.
function writing(v, a, b, c) {
	if (typeof v === "string") return [...data(v, b), typeof a === "number" ? a : -1];
	if (!ArrayBuffer.isView(v)) throw invalidType("buffer", "of type string or an instance of Buffer, TypedArray, or DataView", v);
	if (typeof a === "object" && a !== null) [a, b, c] = [a.offset, a.length, a.position];
	const offset = length(a ?? 0, v.byteLength, "offset");
	const size = length(b ?? v.byteLength - offset, v.byteLength - offset, "length");
	return [...data(new Uint8Array(v.buffer, v.byteOffset + offset, size)), typeof c === "number" ? c : -1];
}
const table = {
	readFile: [(p, o) => {
		const asText = isText(encodingOf(o));
		if (typeof p === "number") return ["fdreadall", p, asText];
		if (o?.flag !== undefined && o.flag !== "r") exports.closeSync(exports.openSync(p, o.flag));
		return ["read", text(p), asText];
	}, content],
	writeFile: [write("w")],
	appendFile: [write("a")],
	access: [(p, mode = 0) => ["access", text(p), mode]],
	stat: [(p) => ["stat", text(p)], stats],
	lstat: [(p) => ["lstat", text(p)], stats],
	fstat: [(fd) => ["fstat", fdOf(fd)], stats],
	readdir: [(p, o) => ["readdir", text(p), !!o?.recursive], (v, p, o) => {
		const list = JSON.parse(v);
		if (o?.withFileTypes) return list.map((d) => new Dirent(d));
		return list.map((d) => (o?.recursive ? path.relative(text(p), path.join(d.parentPath, d.name)) : d.name)).map(named(o));
	}],
	opendir: [(p, o) => ["opendir", text(p), !!o?.recursive], (v, p) => new Dir(text(p), JSON.parse(v))],
	mkdir: [(p, o) => ["mkdir", text(p), !!o?.recursive, modeOf(o, 0o777)]],
	mkdtemp: [(p) => ["mkdtemp", text(p, "prefix")], (v, p) => text(p) + v],
	rm: [(p, o) => ["rm", text(p), !!o?.recursive, !!o?.force, text(p)]],
	rmdir: [(p, o) => ["rmdir", text(p), !!o?.recursive]],
	unlink: [(p) => ["unlink", text(p)]],
	rename: [(a, b) => ["rename", text(a, "oldPath"), text(b, "newPath")]],
	copyFile: [(a, b, flags = 0) => ["copy", text(a, "src"), text(b, "dest"), !!(flags & constants.COPYFILE_EXCL)]],
	realpath: [(p) => ["realpath", text(p)]],
	readlink: [(p) => ["readlink", text(p)]],
	symlink: [(to, p) => ["symlink", text(to, "target"), text(p)]],
	link: [(a, b) => ["link", text(a, "existingPath"), text(b, "newPath")]],
	chmod: [(p, m) => ["chmod", text(p), modeOf(m, 0)]],
	chown: [(p, u, g) => ["chown", text(p), u, g]],
	truncate: [(p, n = 0) => ["truncate", text(p), n]],
	utimes: [(p, a, m) => ["utimes", text(p), seconds(a), seconds(m)]],
	cp: [(a, b, o) => ["cp", text(a, "src"), text(b, "dest"), !!o?.recursive, text(a)]],
	open: [(p, flags, mode) => ["open", text(p), flagsOf(flags, "r"), modeOf(mode, 0o666)]],
	close: [(fd) => ["close", fdOf(fd)]],
	ftruncate: [(fd, n = 0) => ["ftruncate", fdOf(fd), n]],
	fsync: [(fd) => ["fsync", fdOf(fd)]],
	fdatasync: [(fd) => ["fsync", fdOf(fd)]],
	fchmod: [(fd, m) => ["fchmod", fdOf(fd), modeOf(m, 0)]],
	fchown: [(fd, u, g) => ["fchown", fdOf(fd), u, g]],
	futimes: [(fd, a, m) => ["futimes", fdOf(fd), seconds(a), seconds(m)]],
	write: [(fd, ...rest) => ["fdwrite", fdOf(fd), ...writing(...rest)]],
	read: [(fd, ...rest) => {
		const { size, position } = reading(...rest);
		return ["fdread", fdOf(fd), size, position];
	}, (v, fd, ...rest) => {
		const { buffer, offset } = reading(...rest);
		const bytes = Uint8Array.fromBase64(v);
		new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, offset);
		return bytes.length;
	}],
};
const seconds = (t) => (t instanceof Date ? t.getTime() / 1000 : Number(t));
const promises = { constants };
const onlyOpen = new Set(["close", "read", "write", "fstat", "ftruncate", "fsync", "fdatasync", "fchmod", "fchown", "futimes"]);
const asked = {}; // the promise forms, those that take open files too
for (const [name, [ask, make = (v) => v]] of Object.entries(table)) {
	exports[name + "Sync"] = (...args) => make(host("fs", ...ask(...args)), ...args);
	const promise = async (...args) => {
		if (args.at(-1)?.signal?.aborted) throw aborted(args.at(-1).signal);
		return make(await start("fsasync", ...ask(...args)), ...args);
	};
	asked[name] = promise;
	if (!onlyOpen.has(name)) promises[name] = promise;
	exports[name] = (...args) => {
		const done = args.pop();
		if (typeof done !== "function") throw notFunction("cb", args.length ? done : undefined);
		promise(...args).then((v) => done(null, v), (e) => done(e)).catch((e) => internal.uncaught("callback", e));
	};
}
// What is written may come in pieces.
async function gathered(v, o) {
	if (typeof v === "string" || ArrayBuffer.isView(v) || (typeof v?.[Symbol.asyncIterator] !== "function" && typeof v?.[Symbol.iterator] !== "function")) return v;
	const all = [];
	for await (const piece of v) {
		if (o?.signal?.aborted) throw aborted(o.signal);
		if (typeof piece !== "string" && !ArrayBuffer.isView(piece)) throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", piece);
		all.push(typeof piece === "string" ? Buffer.from(piece, encodingOf(o) ?? "utf8") : new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
	}
	return Buffer.concat(all);
}
for (const name of ["writeFile", "appendFile"]) {
	const whole = asked[name];
	asked[name] = async (p, v, o) => {
		if (p instanceof FileHandle) return p[name](v, o);
		return whole(p, await gathered(v, o), o);
	};
	promises[name] = asked[name];
}
promises.realpath = async (p) => await start("fsasync", "realpath", text(p), true);
// read and write tell their callback what they were about, too.
for (const name of ["read", "write"]) {
	exports[name] = (fd, ...args) => {
		const done = args.pop();
		if (typeof done !== "function") throw notFunction("cb", done);
		if (name === "read" && !ArrayBuffer.isView(args[0]) && !ArrayBuffer.isView(args[0]?.buffer)) args = [{ ...args[0], buffer: Buffer.alloc(16384) }];
		const about = name === "read" && !ArrayBuffer.isView(args[0]) ? args[0].buffer : args[0];
		asked[name](fd, ...args).then((n) => done(null, n, about), (e) => done(e)).catch((e) => internal.uncaught("callback", e));
	};
}

// What fsPromises.open gives.
class FileHandle extends EventEmitter {
	#fd;
	constructor(fd) { super(); this.#fd = fd; }
	get fd() { return this.#fd; }
	async close() {
		if (this.#fd === -1) return;
		const fd = this.#fd;
		this.#fd = -1;
		await asked.close(fd);
		this.emit("close");
	}
	async #do(name, ...args) {
		if (this.#fd === -1) throw Object.assign(new Error("file closed"), { code: "EBADF", syscall: name });
		return asked[name](this.#fd, ...args);
	}
	async read(...args) {
		if (!ArrayBuffer.isView(args[0]) && !ArrayBuffer.isView(args[0]?.buffer)) args = [{ ...args[0], buffer: Buffer.alloc(16384) }];
		const bytesRead = await this.#do("read", ...args);
		return { bytesRead, buffer: ArrayBuffer.isView(args[0]) ? args[0] : args[0].buffer };
	}
	async write(...args) { return { bytesWritten: await this.#do("write", ...args), buffer: args[0] }; }
	readFile(options) { return this.#do("readFile", options); }
	writeFile(v, options) { return this.#do("writeFile", v, options); }
	appendFile(v, options) { return this.#do("appendFile", v, options); }
	stat(options) { return this.#do("fstat", options); }
	truncate(n) { return this.#do("ftruncate", n); }
	sync() { return this.#do("fsync"); }
	datasync() { return this.#do("fsync"); }
	chmod(m) { return this.#do("fchmod", m); }
	chown(u, g) { return this.#do("fchown", u, g); }
	utimes(a, m) { return this.#do("futimes", a, m); }
	createReadStream(options) { return exports.createReadStream(null, { ...options, fd: this }); }
	createWriteStream(options) { return exports.createWriteStream(null, { ...options, fd: this }); }
	readLines(options) { return require("node/readline").createInterface({ input: this.createReadStream(options), crlfDelay: Infinity }); }
	[Symbol.asyncDispose]() { return this.close(); }
}
promises.open = async (...args) => new FileHandle(await asked.open(...args));

// A folder that is gone through: its entries are read at once.
class Dir {
	#list;
	#closed = false;
	constructor(p, list) { this.path = p; this.#list = list.map((d) => new Dirent(d)); }
	#check() { if (this.#closed) throw coded(Error, "ERR_DIR_CLOSED", "Directory handle was closed"); }
	readSync() { this.#check(); return this.#list.shift() ?? null; }
	closeSync() { this.#check(); this.#closed = true; }
	async read(done) {
		const entry = this.readSync();
		if (done) queueMicrotask(() => done(null, entry));
		return entry;
	}
	async close(done) {
		this.closeSync();
		if (done) queueMicrotask(() => done(null));
	}
	async *[Symbol.asyncIterator]() {
		try {
			for (let e; (e = this.readSync()) !== null;) yield e;
		} finally {
			if (!this.#closed) this.closeSync();
		}
	}
	[Symbol.asyncDispose]() { return this.close(); }
}

// glob: the files below a folder whose path matches.
function globbed(patterns, { cwd = process.cwd(), withFileTypes = false, exclude } = {}) {
	const { globTo, globBase } = require("node/glob");
	const found = new Map();
	for (const pattern of [patterns].flat()) {
		const matches = globTo(pattern);
		const base = globBase(pattern);
		const visit = (relative) => {
			const full = path.resolve(text(cwd), relative || ".");
			const s = exports.lstatSync(full, { throwIfNoEntry: false });
			if (!s) return;
			const entry = new Dirent({ name: path.basename(full), parentPath: path.dirname(full), mode: s.mode });
			if (exclude && relative && (typeof exclude === "function" ? exclude(withFileTypes ? entry : relative) : [exclude].flat().some((x) => globTo(x)(relative)))) return;
			if (matches(relative || ".")) found.set(relative || ".", entry);
			if (!s.isDirectory()) return;
			let names = [];
			try { names = exports.readdirSync(full); } catch { /* what may not be read holds nothing */ }
			for (const name of names) visit(relative === "/" ? `/${name}` : relative ? `${relative}/${name}` : name);
		};
		visit(base);
	}
	return [...found].map(([name, entry]) => (withFileTypes ? entry : name));
}
exports.globSync = (patterns, options) => globbed(patterns, options);
exports.glob = (patterns, options, done = options) => {
	if (typeof done !== "function") throw notFunction("callback", done);
	const given = typeof options === "function" ? {} : options;
	(async () => globbed(patterns, given))().then((v) => done(null, v), (e) => done(e)).catch((e) => internal.uncaught("callback", e));
};
promises.glob = async function* glob(patterns, options) { yield* globbed(patterns, options); };
const quietStat = (sync) => (p, o) => {
	try {
		return sync(p, o);
	} catch (error) {
		if (o?.throwIfNoEntry === false && error.code === "ENOENT") return undefined;
		throw error;
	}
};
exports.statSync = quietStat(exports.statSync);
exports.lstatSync = quietStat(exports.lstatSync);
exports.existsSync = (p) => {
	try { return host("fs", "exists", text(p)); } catch { return false; }
};
exports.exists = (p, done) => done(exports.existsSync(p));
exports.exists[promisify.custom] = async (p) => exports.existsSync(p);
exports.read[promisify.parts] = ["bytesRead", "buffer"];
exports.write[promisify.parts] = ["bytesWritten", "buffer"];
exports.realpathSync.native = exports.realpathSync;
exports.promises = promises;
exports.constants = constants;
Object.assign(exports, { Stats, Dirent, Dir, F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4 });

// Streams of files. fd is a number or a FileHandle.
function opened(p, options, flags) {
	const fd = options.fd;
	const file = fd === undefined || fd === null ? promises.open(p, options.flags ?? flags, options.mode) : Promise.resolve(typeof fd === "number" ? new FileHandle(fd) : fd);
	file.catch(() => {}); // whoever reads or writes is told
	return file;
}
function attach(stream, p, file, options) {
	if (p !== null && p !== undefined) stream.path = text(p) === p ? p : text(p);
	stream.fd = null;
	stream.pending = true;
	stream.close = (done) => { if (done) stream.once("close", done); stream.destroy(); };
	file.then((h) => internal.guard("stream", () => {
		stream.fd = h.fd;
		stream.pending = false;
		stream.emit("open", h.fd);
		stream.emit("ready");
	}), (error) => stream.destroy(error));
	stream._destroy = (error, done) => {
		if (options.autoClose === false) return done(error);
		file.then((h) => h.close()).then(() => done(error), () => done(error));
	};
	if (options.signal) require("node/stream").addAbortSignal(options.signal, stream);
	return stream;
}
exports.createReadStream = (p, options) => {
	const { Readable } = require("node/stream");
	options = typeof options === "string" ? { encoding: options } : (options ?? {});
	if (p !== null) text(p);
	const { start: first, end: last = Infinity, highWaterMark = 65536, encoding } = options;
	let at = first ?? 0;
	const file = opened(p, options, "r");
	const stream = new Readable({
		encoding: encoding ?? undefined, highWaterMark,
		read() {
			const size = Math.min(highWaterMark, last + 1 - at);
			if (size <= 0) return void queueMicrotask(() => this.push(null));
			file.then((h) => h.read(Buffer.alloc(size), 0, size, first === undefined ? null : at)).then(({ bytesRead, buffer }) => {
				at += bytesRead;
				this.bytesRead += bytesRead;
				this.push(bytesRead > 0 ? buffer.subarray(0, bytesRead) : null);
			}).catch((error) => this.destroy(error));
		},
	});
	stream.bytesRead = 0;
	return attach(stream, p, file, options);
};
exports.createWriteStream = (p, options) => {
	const { Writable } = require("node/stream");
	options = typeof options === "string" ? { encoding: options } : (options ?? {});
	if (p !== null) text(p);
	let at = options.start;
	const file = opened(p, options, "w");
	const stream = new Writable({
		highWaterMark: options.highWaterMark,
		write(chunk, _, done) {
			const bytes = typeof chunk === "string" ? Buffer.from(chunk, options.encoding) : chunk;
			file.then((h) => h.write(bytes, 0, bytes.length, at)).then(() => {
				if (at !== undefined) at += bytes.length;
				this.bytesWritten += bytes.length;
				done();
			}).catch(done);
		},
		final(done) { file.then(() => done(), done); },
	});
	stream.bytesWritten = 0;
	return attach(stream, p, file, options);
};
exports.ReadStream = function ReadStream(p, options) { return exports.createReadStream(p, options); };
exports.WriteStream = function WriteStream(p, options) { return exports.createWriteStream(p, options); };

// Watching looks at the file four times a second.
const every = 250;
function look(p) {
	try {
		const s = exports.statSync(p);
		return { s, mark: `${s.ino}:${s.mtimeMs}:${s.size}`, names: s.isDirectory() ? exports.readdirSync(p).map((n) => `${n}:${mtime(path.join(p, n))}`) : null };
	} catch {
		return { s: null, mark: "", names: null };
	}
}
function mtime(p) { try { const s = exports.statSync(p); return `${s.mtimeMs}:${s.size}`; } catch { return ""; } }
exports.watch = (p, options, listener) => {
	if (typeof options === "function") listener = options;
	p = text(p);
	try {
		exports.accessSync(p);
	} catch (error) {
		const text = error.message.replace(/, access /, ", watch ");
		throw Object.assign(new Error(text), { code: error.code, errno: error.errno, syscall: "watch", path: p, filename: p });
	}
	const watcher = new EventEmitter();
	let last = look(p);
	const timer = setInterval(() => {
		const now = look(p);
		if (now.names || last.names) {
			const before = new Map((last.names ?? []).map(split)), after = new Map((now.names ?? []).map(split));
			for (const [n, m] of after) if (before.get(n) !== m) watcher.emit("change", before.has(n) ? "change" : "rename", n);
			for (const n of before.keys()) if (!after.has(n)) watcher.emit("change", "rename", n);
		} else if (now.mark !== last.mark) {
			watcher.emit("change", now.s && last.s && now.s.ino === last.s.ino ? "change" : "rename", path.basename(p));
		}
		last = now;
	}, every);
	const split = (e) => { const at = e.indexOf(":"); return [e.slice(0, at), e.slice(at)]; };
	watcher.close = () => { clearInterval(timer); watcher.emit("close"); };
	watcher.ref = watcher.unref = () => watcher;
	if (listener) watcher.on("change", listener);
	options?.signal?.addEventListener("abort", () => watcher.close(), { once: true });
	return watcher;
};
const watched = new Map();
exports.watchFile = (p, options, listener = options) => {
	p = text(p);
	let last = look(p);
	const timer = setInterval(() => {
		const now = look(p);
		if (now.mark !== last.mark) listener(now.s ?? last.s, last.s ?? now.s);
		last = now;
	}, options?.interval ?? every);
	watched.set(p, [...(watched.get(p) ?? []), timer]);
};
exports.unwatchFile = (p) => {
	for (const timer of watched.get(text(p)) ?? []) clearInterval(timer);
	watched.delete(text(p));
};
