// node:child_process. Go starts the processes; what they write comes in pieces.
const { host, start } = internal;
const { Buffer, wrap } = require("node/buffer");
const EventEmitter = require("node/events");
const util = require("node/util");

class Readable extends EventEmitter {
	#decoder;
	#ended = false;
	#queue = [];
	readable = true;
	setEncoding() { this.#decoder = new TextDecoder(); return this; }
	push(bytes) {
		if (bytes === null) {
			this.#ended = true;
			this.emit("end");
			this.emit("close");
			return;
		}
		const chunk = this.#decoder ? this.#decoder.decode(bytes, { stream: true }) : wrap(bytes);
		if (chunk.length) this.emit("data", chunk);
	}
	pipe(target) {
		this.on("data", (c) => target.write(c));
		this.on("end", () => { if (target !== process.stdout && target !== process.stderr) target.end(); });
		return target;
	}
	resume() { return this; }
	pause() { return this; }
	destroy() { return this; }
	unref() {}
	[Symbol.asyncIterator]() {
		const waiting = [];
		const queue = this.#queue;
		const wake = () => { for (const w of waiting.splice(0)) w(); };
		this.on("data", (c) => { queue.push(c); wake(); });
		this.on("end", wake);
		const self = this;
		return (async function* () {
			for (;;) {
				if (queue.length) yield queue.shift();
				else if (self.#ended) return;
				else await new Promise((resolve) => waiting.push(resolve));
			}
		})();
	}
}
class Writable extends EventEmitter {
	#id;
	writable = true;
	constructor(id) { super(); this.#id = id; }
	write(chunk, encoding, done) {
		if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
		const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
		start("stdin", this.#id, bytes.toBase64(), false).then(() => done?.(), (e) => { done?.(e); if (this.listenerCount("error")) this.emit("error", e); });
		return true;
	}
	end(chunk, encoding, done) {
		if (typeof chunk === "function") [chunk, done] = [undefined, chunk];
		if (chunk !== undefined) this.write(chunk, encoding);
		this.writable = false;
		start("stdin", this.#id, "", true).then(() => { this.emit("finish"); done?.(); }, () => {});
	}
	destroy() { this.end(); return this; }
	unref() {}
}

const children = new Map();
let last = 0;
function stdioOf(stdio) {
	const list = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
	return [0, 1, 2].map((i) => (list[i] === "ignore" || list[i] === "inherit" ? list[i] : "pipe"));
}
function request(file, args, options) {
	const shell = options.shell ? (typeof options.shell === "string" ? options.shell : true) : false;
	return JSON.stringify({
		file: String(file), args: args.map(String), shell, cwd: options.cwd === undefined || options.cwd === null ? "" : String(options.cwd instanceof URL ? require("node/url").fileURLToPath(options.cwd) : options.cwd),
		env: options.env ? Object.fromEntries(Object.entries(options.env).filter(([, v]) => v !== undefined).map(([k, v]) => [k, String(v)])) : null,
		timeout: Number(options.timeout ?? 0), maxBuffer: Number(options.maxBuffer ?? 0), detached: !!options.detached,
		stdio: stdioOf(options.stdio), killSignal: String(options.killSignal ?? "SIGTERM"),
	});
}
class ChildProcess extends EventEmitter {
	exitCode = null;
	signalCode = null;
	killed = false;
	connected = false;
	kill(signal = "SIGTERM") {
		const ok = this.exitCode === null && this.signalCode === null && host("signal", this.id, String(signal));
		if (ok) this.killed = true;
		return ok;
	}
	ref() {}
	unref() {}
	disconnect() {}
	[Symbol.dispose]() { this.kill(); }
}
function arrange(args, options) { return Array.isArray(args) ? [args, options ?? {}] : [[], args ?? {}]; }
function spawn(file, args, options) {
	[args, options] = arrange(args, options);
	const child = new ChildProcess();
	const id = (child.id = ++last);
	Object.defineProperty(child, "id", { enumerable: false });
	const stdio = stdioOf(options.stdio);
	child.stdin = stdio[0] === "pipe" ? new Writable(id) : null;
	child.stdout = stdio[1] === "pipe" ? new Readable() : null;
	child.stderr = stdio[2] === "pipe" ? new Readable() : null;
	child.stdio = [child.stdin, child.stdout, child.stderr];
	child.spawnfile = String(file);
	child.spawnargs = [String(file), ...args.map(String)];
	children.set(id, child);
	const abort = () => child.kill(options.killSignal);
	if (options.signal?.aborted) queueMicrotask(abort);
	options.signal?.addEventListener("abort", abort, { once: true });
	start("spawn", id, request(file, args, options)).then((pid) => {
		child.pid = pid;
		child.emit("spawn");
	}, (error) => {
		children.delete(id);
		error.path ??= String(file);
		error.spawnargs = args.map(String);
		error.syscall = `spawn ${file}`;
		if (error.code === "ENOENT") error.message = `spawn ${file} ENOENT`;
		for (const s of [child.stdout, child.stderr]) s?.push(null);
		child.emit("error", error);
		child.emit("close", -2, null);
	}).catch((e) => internal.uncaught("child process", e));
	child.once("close", () => options.signal?.removeEventListener("abort", abort));
	return child;
}
require("api").kinds.child = (id, what, value, signal) => {
	const child = children.get(id);
	if (!child) return;
	internal.guard("child process", () => {
		if (what === "exit") {
			children.delete(id);
			child.exitCode = signal ? null : value;
			child.signalCode = signal || null;
			child.emit("exit", child.exitCode, child.signalCode);
			for (const s of [child.stdout, child.stderr]) s?.push(null);
			child.emit("close", child.exitCode, child.signalCode);
		} else child[what]?.push(Uint8Array.fromBase64(value));
	});
};

// The forms that collect the output.
function collect(file, args, options, done, shown) {
	const encoding = options.encoding === undefined ? "utf8" : options.encoding;
	const child = spawn(file, args, options);
	const max = options.maxBuffer ?? 1024 * 1024;
	const out = { stdout: [], stderr: [] };
	let failure = null;
	let timer;
	for (const name of ["stdout", "stderr"]) {
		let size = 0;
		child[name]?.on("data", (c) => {
			size += c.length;
			if (size > max && !failure) {
				failure = Object.assign(new RangeError(`${name} maxBuffer length exceeded`), { code: "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" });
				child.kill(options.killSignal);
			}
			out[name].push(c);
		});
	}
	if (options.timeout > 0) timer = setTimeout(() => child.kill(options.killSignal), options.timeout);
	const text = (name) => {
		const all = Buffer.concat(out[name]);
		return encoding === "buffer" || encoding === null ? all : all.toString(encoding);
	};
	child.on("error", (e) => { failure ??= e; });
	child.on("close", (code, signal) => {
		clearTimeout(timer);
		const stdout = text("stdout"), stderr = text("stderr");
		if (options.signal?.aborted) failure = Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR", cause: options.signal.reason });
		if (!failure && (code !== 0 || signal)) {
			failure = Object.assign(new Error(`Command failed: ${shown}\n${Buffer.concat(out.stderr)}`), { code, killed: child.killed, signal, cmd: shown });
		}
		if (failure) Object.assign(failure, { stdout, stderr });
		done?.(failure, stdout, stderr);
	});
	return child;
}
function exec(command, options, done) {
	if (typeof options === "function") [options, done] = [{}, options];
	return collect(command, [], { shell: true, ...options }, done, command);
}
function execFile(file, args, options, done) {
	if (typeof args === "function") [args, options, done] = [[], {}, args];
	else if (typeof options === "function") [args, options, done] = Array.isArray(args) ? [args, {}, options] : [[], args, options];
	[args, options] = arrange(args, options);
	return collect(file, args, options, done, [file, ...args].join(" "));
}
for (const fn of [exec, execFile]) {
	fn[util.promisify.custom] = (...args) => {
		let child;
		const promise = new Promise((resolve, reject) => {
			child = fn(...args, (error, stdout, stderr) => (error ? reject(error) : resolve({ stdout, stderr })));
		});
		promise.child = child;
		return promise;
	};
}

function spawnSync(file, args, options) {
	[args, options] = arrange(args, options);
	const input = options.input === undefined || options.input === null ? null : Buffer.from(options.input).toBase64();
	let raw;
	try {
		raw = JSON.parse(host("spawnsync", request(file, args, options), input));
	} catch (error) {
		if (error.code === "ENOENT") error.message = `spawnSync ${file} ENOENT`;
		Object.assign(error, { syscall: `spawnSync ${file}`, path: String(file), spawnargs: args });
		return { pid: 0, status: null, signal: null, output: null, stdout: null, stderr: null, error };
	}
	const make = (name, text) => {
		if (text === null) return null;
		const bytes = Buffer.from(text, "base64");
		return options.encoding && options.encoding !== "buffer" ? bytes.toString(options.encoding) : bytes;
	};
	const stdout = make("stdout", raw.stdout), stderr = make("stderr", raw.stderr);
	const out = { pid: raw.pid, status: raw.signal ? null : raw.status, signal: raw.signal || null, output: [null, stdout, stderr], stdout, stderr };
	if (raw.timedOut) out.error = Object.assign(new Error(`spawnSync ${file} ETIMEDOUT`), { code: "ETIMEDOUT", syscall: `spawnSync ${file}` });
	if (raw.tooMuch) out.error = Object.assign(new Error(`spawnSync ${file} ENOBUFS`), { code: "ENOBUFS", syscall: `spawnSync ${file}` });
	return out;
}
function checked(result, shown, options) {
	if (result.stderr?.length && options.stdio === undefined) host("write", result.stderr.toString());
	if (result.error) throw Object.assign(result.error, { ...result, error: undefined });
	if (result.status !== 0) throw Object.assign(new Error(`Command failed: ${shown}${result.stderr?.length ? "\n" + result.stderr : ""}`), result);
	return result.stdout;
}
module.exports = {
	spawn, exec, execFile, spawnSync, ChildProcess,
	execSync: (command, options = {}) => checked(spawnSync(command, [], { maxBuffer: 1024 * 1024, ...options, shell: options.shell ?? true }), command, options),
	execFileSync(file, args, options) {
		[args, options] = arrange(args, options);
		return checked(spawnSync(file, args, { maxBuffer: 1024 * 1024, ...options }), [file, ...args].join(" "), options);
	},
	fork() { throw new Error("child_process.fork is not available in extui: it needs Node.js"); },
};
