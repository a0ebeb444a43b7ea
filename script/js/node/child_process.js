// node:child_process. Go starts the processes; what they write comes in pieces.
const { host, start } = internal;
const { Buffer } = require("node/buffer");
const EventEmitter = require("node/events");
const { Readable, Writable, Duplex } = require("node/stream");
const util = require("node/util");
const { received, coded, aborted } = require("node/errors");

// Errors as Node.js makes them.
const failed = (message, fields) => Object.assign(new Error(message), fields);
function checkTimeout(timeout) {
	if (timeout === undefined || timeout === null || (Number.isInteger(timeout) && timeout >= 0)) return;
	throw Object.assign(new RangeError(`The value of "timeout" is out of range. It must be an unsigned integer. Received ${util.inspect(timeout)}`), { code: "ERR_OUT_OF_RANGE" });
}
// The signal as Go wants it, which knows the names that this system has.
function signalOf(signal) {
	if (signal === undefined || signal === null) return "SIGTERM";
	const name = typeof signal === "number" ? String(signal) : String(signal).toUpperCase();
	if (host("knowssignal", name)) return name;
	throw Object.assign(new TypeError(`Unknown signal: ${signal}`), { code: "ERR_UNKNOWN_SIGNAL" });
}

// The streams of a child, each with its number there.
const send = (id, at, chunk, end) => start("input", id, at, chunk, end);
const writes = (id, at) => ({
	write(chunk, _, done) { send(id, at, chunk.toBase64(), false).then(() => done(), done); },
	final(done) { send(id, at, "", true).then(() => done(), () => done()); },
});
class Input extends Writable {
	#id;
	constructor(id) {
		super(writes(id, 0));
		this.#id = id;
	}
	destroy(error) {
		// Whoever reads it learns that nothing more comes.
		if (!this.destroyed && !this.writableFinished) send(this.#id, 0, "", true).catch(() => {});
		return super.destroy(error);
	}
	ref() {}
	unref() {}
}
class Output extends Readable {
	ref() {}
	unref() {}
}
class Both extends Duplex {
	constructor(id, at) {
		super({ read() {}, ...writes(id, at) });
		this.once("end", () => this.end());
	}
	ref() {}
	unref() {}
}

const children = new Map();
let last = 0;
// What each stream of a child is: "pipe", "ignore", "inherit", the number of an open
// file, or a stream of another child.
function stdioOf(stdio) {
	const bad = (what = stdio) => { throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'stdio' is invalid. Received ${util.inspect(what, { depth: 0 })}`); };
	if (typeof stdio === "string" && !["pipe", "ignore", "inherit", "overlapped"].includes(stdio)) bad();
	const list = Array.isArray(stdio) ? [...stdio] : typeof stdio === "string" || stdio === undefined || stdio === null ? [stdio, stdio, stdio] : bad();
	while (list.length < 3) list.push(undefined);
	return list.map((what, i) => {
		if (what === undefined || what === null) return i < 3 ? "pipe" : "ignore";
		if (what === "overlapped") return "pipe";
		if (what === "pipe" || what === "ignore" || what === "inherit") return what;
		if (what === "ipc") throw new Error('child_process: stdio "ipc" is not available in extui: it needs Node.js');
		const fd = typeof what === "number" ? what : what.fd;
		if (Number.isInteger(fd) && fd >= 0) return String(fd);
		if ((i === 0 && what instanceof Output) || ((i === 1 || i === 2) && what instanceof Input)) return what;
		if (typeof what === "string" || ArrayBuffer.isView(what)) {
			throw coded(TypeError, "ERR_INVALID_SYNC_FORK_INPUT", `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: ${util.inspect(what)}`);
		}
		bad(what);
	});
}
const names = (stdio) => stdio.map((what) => (typeof what === "string" ? what : "pipe"));
// What is started for a command line, as Node.js tells it.
function shellOf(file, args, options) {
	if (!options.shell) return [String(file), args.map(String)];
	const line = [file, ...args].join(" ");
	if (process.platform === "win32") return [typeof options.shell === "string" ? options.shell : "cmd.exe", ["/d", "/s", "/c", `"${line}"`]];
	return [typeof options.shell === "string" ? options.shell : "/bin/sh", ["-c", line]];
}
function request(file, args, options, stdio) {
	const shell = options.shell ? (typeof options.shell === "string" ? options.shell : true) : false;
	return JSON.stringify({
		file: String(file), args: args.map(String), shell, cwd: options.cwd === undefined || options.cwd === null ? "" : String(options.cwd instanceof URL ? require("node/url").fileURLToPath(options.cwd) : options.cwd),
		env: Object.fromEntries(Object.entries(options.env || process.env).filter(([, v]) => v !== undefined).map(([k, v]) => [k, String(v)])),
		timeout: Number(options.timeout ?? 0), maxBuffer: Number(options.maxBuffer ?? 0), detached: !!options.detached,
		stdio: names(stdio), killSignal: signalOf(options.killSignal),
	});
}
class ChildProcess extends EventEmitter {
	exitCode = null;
	signalCode = null;
	killed = false;
	connected = false;
	between = new Map(); // what goes on in the streams of others, by its number
	outputs() { return [...this.stdio.slice(1), ...this.between.values()].filter((s) => s instanceof Readable); }
	output(i) { return this.stdio[i] ?? this.between.get(i); }
	kill(signal) {
		signal = signalOf(signal);
		const ok = this.pid !== undefined && this.exitCode === null && this.signalCode === null && host("signal", this.id, signal);
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
	if (typeof file !== "string" || file === "") {
		const what = file === "" ? `The argument 'file' cannot be empty. Received ''` : `The "file" argument must be of type string.${received(file)}`;
		throw Object.assign(new TypeError(what), { code: file === "" ? "ERR_INVALID_ARG_VALUE" : "ERR_INVALID_ARG_TYPE" });
	}
	checkTimeout(options.timeout);
	const child = new ChildProcess();
	const id = (child.id = ++last);
	for (const name of ["id", "between"]) Object.defineProperty(child, name, { enumerable: false });
	const stdio = stdioOf(options.stdio);
	child.stdio = stdio.map((what, i) => (what !== "pipe" ? null : i === 0 ? new Input(id) : i < 3 ? new Output() : new Both(id, i)));
	[child.stdin, child.stdout, child.stderr] = child.stdio;
	const [program, rest] = shellOf(file, args, options);
	child.spawnfile = program;
	child.spawnargs = [program, ...rest];
	const asked = request(file, args, options, stdio);
	// What goes between this child and others.
	const joints = stdio.map((what, i) => (typeof what === "string" ? null : i === 0 ? new Input(id) : new Output()));
	joints.forEach((joint, i) => { if (joint) child.between.set(i, joint); });
	children.set(id, child);
	try {
		child.pid = host("spawn", id, asked);
		queueMicrotask(() => internal.guard("child process", () => child.emit("spawn")));
	} catch (error) {
		children.delete(id);
		const code = error.code ?? "EINVAL";
		const failure = failed(`spawn ${program} ${code}`, { errno: error.errno ?? -22, code, syscall: `spawn ${program}`, path: program, spawnargs: rest });
		if (!["ENOENT", "EACCES", "EAGAIN", "EMFILE", "ENFILE"].includes(code)) throw failed(`spawn ${code}`, { errno: failure.errno, code, syscall: "spawn" });
		queueMicrotask(() => internal.guard("child process", () => {
			child.emit("error", failure);
			for (const stream of child.outputs()) stream.push(null);
			ended(child, failure.errno, null);
		}));
		return child;
	}
	joints.forEach((joint, i) => {
		if (joint && i === 0) stdio[i].pipe(joint);
		else if (joint) joint.pipe(stdio[i]);
	});
	if (options.timeout > 0) {
		const timer = setTimeout(() => child.kill(options.killSignal), options.timeout);
		child.once("exit", () => clearTimeout(timer));
	}
	const signal = options.signal;
	if (signal) {
		const abort = () => internal.guard("child process", () => {
			if (child.kill(options.killSignal)) child.emit("error", aborted(signal));
		});
		if (signal.aborted) queueMicrotask(abort);
		else {
			signal.addEventListener("abort", abort, { once: true });
			child.once("exit", () => signal.removeEventListener("abort", abort));
		}
	}
	return child;
}
// "close" comes when the process has ended and all that it wrote was taken.
function ended(child, code, signal) {
	const open = child.outputs().filter((s) => !s.closed);
	let left = open.length;
	const close = () => {
		children.delete(child.id);
		child.emit("close", code, signal);
	};
	if (child.stdin && !child.stdin.destroyed) child.stdin.destroy();
	for (const s of open) {
		s.once("close", () => { if (--left === 0) close(); });
		// Nobody reads it: what it holds must not keep the others waiting.
		if (s.readableFlowing === null && s.listenerCount("readable") === 0) s.resume();
	}
	if (left === 0) close();
}
require("api").kinds.child = (id, what, value, text) => {
	const child = children.get(id);
	if (!child) return;
	internal.guard("child process", () => {
		if (what === "end") child.output(value).push(null);
		else if (what === "exit") {
			child.exitCode = text ? null : value;
			child.signalCode = text || null;
			child.emit("exit", child.exitCode, child.signalCode);
			ended(child, child.exitCode, child.signalCode);
		} else child.output(value).push(Uint8Array.fromBase64(text));
	});
};

// The forms that collect the output.
function collect(file, args, options, done, shown) {
	const encoding = options.encoding === undefined ? "utf8" : options.encoding;
	const child = spawn(file, args, { ...options, timeout: undefined, stdio: undefined });
	const max = options.maxBuffer ?? 1024 * 1024;
	const out = { stdout: [], stderr: [] };
	let failure = null;
	let timer;
	// Others may hold its streams: nothing more is read of them.
	const stop = () => {
		child.stdout?.destroy();
		child.stderr?.destroy();
		child.kill(options.killSignal);
	};
	for (const name of ["stdout", "stderr"]) {
		let size = 0;
		child[name]?.on("data", (c) => {
			size += c.length;
			if (size > max) {
				if (size - c.length < max) out[name].push(c.subarray(0, max - size));
				if (failure) return;
				failure = Object.assign(new RangeError(`${name} maxBuffer length exceeded`), { code: "ERR_CHILD_PROCESS_STDIO_MAXBUFFER", cmd: shown });
				stop();
			} else out[name].push(c);
		});
	}
	checkTimeout(options.timeout);
	if (options.timeout > 0) timer = setTimeout(stop, options.timeout);
	const text = (name) => {
		const all = Buffer.concat(out[name]);
		return encoding === "buffer" || encoding === null ? all : all.toString(encoding);
	};
	child.on("error", (e) => {
		failure ??= e;
		stop();
	});
	child.on("close", (code, signal) => {
		clearTimeout(timer);
		const stdout = text("stdout"), stderr = text("stderr");
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
	checkTimeout(options.timeout);
	const input = options.input === undefined || options.input === null ? null : Buffer.from(options.input).toBase64();
	const [program, rest] = shellOf(file, args, options);
	const syscall = `spawnSync ${program}`;
	const failure = (code, errno) => failed(`${syscall} ${code}`, { errno, code, syscall, path: program, spawnargs: rest });
	const stdio = stdioOf(options.stdio);
	if (names(stdio).join() !== stdio.join()) throw new Error("child_process: a stream of another child as stdio of one that is waited for is not available in extui");
	const asked = request(file, args, options, stdio);
	let raw;
	try {
		raw = JSON.parse(host("spawnsync", asked, input));
	} catch (error) {
		return { error: failure(error.code ?? "EINVAL", error.errno ?? -22), status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
	}
	const make = (text) => {
		if (text === null) return null;
		const bytes = Buffer.from(text, "base64");
		return options.encoding && options.encoding !== "buffer" ? bytes.toString(options.encoding) : bytes;
	};
	const output = raw.output.map(make);
	const out = { pid: raw.pid, status: raw.signal ? null : raw.status, signal: raw.signal || null, output, stdout: output[1], stderr: output[2] };
	if (raw.timedOut) out.error = failure("ETIMEDOUT", -110);
	if (raw.tooMuch) out.error = failure("ENOBUFS", -105);
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
