// node:process. Its standard output is the agent's stderr, for stdout carries the
// protocol, and it cannot end the agent.
const { host, load } = internal;
const info = JSON.parse(host("process"));
const EventEmitter = require("node/events");
const { coded, invalidType } = require("node/errors");
const process = new EventEmitter();
class Stream extends EventEmitter {
	constructor(fd) { super(); this.fd = fd; }
	isTTY = false;
	columns = undefined;
	rows = undefined;
	writable = true;
	write(chunk, encoding, done) {
		host("write", typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
		const after = [encoding, done].find((f) => typeof f === "function");
		if (after) queueMicrotask(() => after());
		return true;
	}
	end(chunk) { if (chunk !== undefined) this.write(chunk); }
	getColorDepth() { return 1; }
	hasColors() { return false; }
}
const hrtime = (since) => {
	const ns = BigInt(Math.round(host("now") * 1e6));
	let s = Number(ns / 1000000000n), n = Number(ns % 1000000000n);
	if (since) { s -= since[0]; n -= since[1]; if (n < 0) { s--; n += 1e9; } }
	return [s, n];
};
hrtime.bigint = () => BigInt(Math.round(host("now") * 1e6));
// What is assigned becomes text, as in the environment of a process.
const environment = new Proxy(info.env, {
	set(env, name, value) {
		if (typeof name === "symbol" || typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
		env[name] = String(value);
		return true;
	},
	defineProperty(env, name, d) {
		if (!d.configurable || !d.writable || !d.enumerable) {
			throw coded(TypeError, "ERR_INVALID_OBJECT_DEFINE_PROPERTY", "'process.env' only accepts a configurable, writable, and enumerable data descriptor");
		}
		return Reflect.defineProperty(env, name, { ...d, value: String(d.value) });
	},
});
function kill(pid, signal = "SIGTERM") {
	if (typeof pid !== "number") throw invalidType("pid", "of type number", pid);
	const name = typeof signal === "number" ? String(signal) : String(signal).toUpperCase();
	if (!host("knowssignal", name)) throw coded(TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
	return host("kill", pid, name);
}
Object.assign(process, {
	title: "extui", env: environment, argv: ["extui", info.path], argv0: "extui", execPath: info.execPath, execArgv: [],
	platform: info.platform, arch: info.arch, pid: info.pid, ppid: info.ppid, exitCode: undefined,
	version: "v22.0.0", versions: { node: "22.0.0", quickjs: info.quickjs }, release: { name: "node" }, features: {}, config: {},
	stdout: new Stream(1), stderr: new Stream(2), stdin: Object.assign(new EventEmitter(), { fd: 0, isTTY: false, resume() {}, pause() {}, setEncoding() {} }),
	cwd: () => host("cwd"),
	chdir() { throw new Error("process.chdir: an extension cannot change the directory of the agent"); },
	exit(code = process.exitCode ?? 0) {
		const error = new Error(`process.exit(${code}): an extension cannot end the agent; ctx.shutdown() asks it to end`);
		throw Object.defineProperty(error, "name", { value: "ExitError" });
	},
	abort() { process.exit(134); },
	kill,
	nextTick: (fn, ...args) => queueMicrotask(() => fn(...args)),
	hrtime, uptime: () => host("now") / 1000,
	memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), { rss: () => 0 }),
	cpuUsage: () => ({ user: 0, system: 0 }), resourceUsage: () => ({}),
	getuid: () => info.uid, getgid: () => info.gid, geteuid: () => info.uid, getegid: () => info.gid, umask: () => 0o22,
	emitWarning: (w) => console.error(`Warning: ${w instanceof Error ? w.message : w}`),
	binding() { throw new Error("process.binding is not available in extui"); },
	getBuiltinModule: (name) => { try { return load("node/" + name.replace(/^node:/, "").replace("/", "_")); } catch { return undefined; } },
});
module.exports = process;
Object.defineProperty(module.exports, "process", { value: process, enumerable: false });
