// node:fs and, as its promises, node:fs/promises. One table makes the three forms of
// each function: sync, callback, promise. Go does the work.
const { host, start } = internal;
const { Buffer } = require("node/buffer");
const path = require("node/path");
const EventEmitter = require("node/events");

const constants = {
	F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, COPYFILE_EXCL: 1, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024,
	S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000,
};
function text(p) {
	if (typeof p === "string") return p;
	if (p instanceof URL) return require("node/url").fileURLToPath(p);
	if (p instanceof Uint8Array) return Buffer.from(p).toString();
	const error = new TypeError(`The "path" argument must be of type string or an instance of Buffer or URL. Received ${p === null ? "null" : typeof p}`);
	error.code = "ERR_INVALID_ARG_TYPE";
	throw error;
}
const encodingOf = (o) => (typeof o === "string" ? o : o?.encoding) ?? null;
const isText = (e) => e !== null && /^utf-?8$/i.test(e);
const modeOf = (o, otherwise) => {
	const m = typeof o === "object" && o !== null ? o.mode : o;
	return m === undefined || m === null ? otherwise : typeof m === "string" ? parseInt(m, 8) : m;
};
function data(value, options) {
	if (typeof value === "string") {
		const e = encodingOf(options);
		return e === null || isText(e) ? ["text", value.toWellFormed()] : ["bytes", Buffer.from(value, e).toBase64()];
	}
	if (ArrayBuffer.isView(value)) return ["bytes", new Uint8Array(value.buffer, value.byteOffset, value.byteLength).toBase64()];
	const error = new TypeError('The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.');
	error.code = "ERR_INVALID_ARG_TYPE";
	throw error;
}

class Stats {
	constructor(raw) {
		Object.assign(this, JSON.parse(raw));
		for (const t of ["atime", "mtime", "ctime", "birthtime"]) this[t] = new Date(this[t + "Ms"]);
	}
	#is(kind) { return (this.mode & constants.S_IFMT) === kind; }
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
const table = {
	readFile: [(p, o) => ["read", text(p), isText(encodingOf(o))], (v, p, o) => {
		const e = encodingOf(o);
		return isText(e) ? v : e === null || e === "buffer" ? require("node/buffer").wrap(Uint8Array.fromBase64(v)) : Buffer.from(v, "base64").toString(e);
	}],
	writeFile: [(p, v, o) => ["write", text(p), ...data(v, o), (typeof o === "object" && o?.flag) || "w", modeOf(typeof o === "object" ? o : null, 0o666)]],
	appendFile: [(p, v, o) => ["write", text(p), ...data(v, o), "a", modeOf(typeof o === "object" ? o : null, 0o666)]],
	access: [(p, mode = 0) => ["access", text(p), mode]],
	stat: [(p) => ["stat", text(p), true], (v) => new Stats(v)],
	lstat: [(p) => ["stat", text(p), false], (v) => new Stats(v)],
	readdir: [(p, o) => ["readdir", text(p), !!o?.recursive], (v, p, o) => {
		const list = JSON.parse(v);
		if (o?.withFileTypes) return list.map((d) => new Dirent(d));
		return list.map((d) => (o?.recursive ? path.relative(text(p), path.join(d.parentPath, d.name)) : d.name));
	}],
	mkdir: [(p, o) => ["mkdir", text(p), !!o?.recursive, modeOf(o, 0o777)]],
	mkdtemp: [(p) => ["mkdtemp", text(p)]],
	rm: [(p, o) => ["rm", text(p), !!o?.recursive, !!o?.force]],
	rmdir: [(p, o) => ["rmdir", text(p), !!o?.recursive]],
	unlink: [(p) => ["unlink", text(p)]],
	rename: [(a, b) => ["rename", text(a), text(b)]],
	copyFile: [(a, b, flags = 0) => ["copy", text(a), text(b), !!(flags & constants.COPYFILE_EXCL)]],
	realpath: [(p) => ["realpath", text(p)]],
	readlink: [(p) => ["readlink", text(p)]],
	symlink: [(to, p) => ["symlink", text(to), text(p)]],
	link: [(a, b) => ["link", text(a), text(b)]],
	chmod: [(p, m) => ["chmod", text(p), modeOf(m, 0)]],
	truncate: [(p, n = 0) => ["truncate", text(p), n]],
	utimes: [(p, a, m) => ["utimes", text(p), Number(a), Number(m)]],
	cp: [(a, b, o) => ["cp", text(a), text(b), !!o?.recursive]],
};
const promises = { constants };
for (const [name, [ask, make = (v) => v]] of Object.entries(table)) {
	exports[name + "Sync"] = (...args) => make(host("fs", ...ask(...args)), ...args);
	const promise = async (...args) => {
		args.at(-1)?.signal?.throwIfAborted?.();
		return make(await start("fsasync", ...ask(...args)), ...args);
	};
	promises[name] = promise;
	exports[name] = (...args) => {
		const done = args.pop();
		if (typeof done !== "function") throw new TypeError('The "cb" argument must be of type function.');
		promise(...args).then((v) => done(null, v), (e) => done(e)).catch((e) => internal.uncaught("callback", e));
	};
}
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
exports.realpathSync.native = exports.realpathSync;
exports.promises = promises;
exports.constants = constants;
Object.assign(exports, { Stats, Dirent, F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4 });

// Streams of files. The whole file is read at once, and comes in pieces.
exports.createReadStream = (p, options) => {
	const { Readable } = require("node/stream");
	const { start: first = 0, end: last = Infinity, highWaterMark = 65536, encoding } = typeof options === "string" ? { encoding: options } : (options ?? {});
	let at = first;
	const whole = promises.readFile(p);
	const stream = new Readable({
		encoding: encoding ?? undefined, highWaterMark, signal: options?.signal,
		read() {
			whole.then((all) => {
				const piece = all.subarray(at, Math.min(at + highWaterMark, last + 1));
				at += piece.length;
				this.push(piece.length > 0 ? piece : null);
			}, () => {});
		},
	});
	whole.then(() => stream.emit("open"), (error) => stream.destroy(error));
	stream.path = text(p);
	return stream;
};
exports.createWriteStream = (p, options) => {
	const { Writable } = require("node/stream");
	const { flags = "w", encoding, mode } = typeof options === "string" ? { encoding: options } : (options ?? {});
	const begin = promises.writeFile(p, "", { flag: flags, mode });
	const stream = new Writable({
		write(chunk, _, done) { begin.then(() => promises.appendFile(p, chunk, encoding)).then(() => { this.bytesWritten += chunk.length; done(); }, done); },
		final(done) { begin.then(() => done(), done); },
	});
	begin.then(() => stream.emit("open"), (error) => stream.destroy(error));
	stream.path = text(p);
	stream.bytesWritten = 0;
	return stream;
};

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
	exports.accessSync(p);
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
