// node:process. Its standard output is the agent's stderr, for stdout carries the
// protocol, and it cannot end the agent.
const { host, load } = internal;
const info = JSON.parse(host("process"));
const EventEmitter = require("node/events");
const process = new EventEmitter();
class Stream extends EventEmitter {
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
Object.assign(process, {
	title: "extui", env: info.env, argv: ["extui", info.path], argv0: "extui", execPath: info.execPath, execArgv: [],
	platform: info.platform, arch: info.arch, pid: info.pid, ppid: info.ppid, exitCode: undefined,
	version: "v22.0.0", versions: { node: "22.0.0", quickjs: info.quickjs }, release: { name: "node" }, features: {}, config: {},
	stdout: new Stream(), stderr: new Stream(), stdin: Object.assign(new EventEmitter(), { isTTY: false, resume() {}, pause() {}, setEncoding() {} }),
	cwd: () => host("cwd"),
	chdir() { throw new Error("process.chdir: an extension cannot change the directory of the agent"); },
	exit(code = process.exitCode ?? 0) {
		const error = new Error(`process.exit(${code}): an extension cannot end the agent; ctx.shutdown() asks it to end`);
		throw Object.defineProperty(error, "name", { value: "ExitError" });
	},
	abort() { process.exit(134); },
	kill: (pid, signal = "SIGTERM") => host("kill", pid, String(signal)),
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
