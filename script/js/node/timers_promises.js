// node:timers/promises.
const { aborted, invalidType } = require("node/errors");
// check returns why the options of one of them are wrong, or null.
function check(options) {
	if (options === undefined) return null;
	if (typeof options !== "object" || options === null) return invalidType("options", "of type object", options);
	const { signal, ref } = options;
	if (signal !== undefined && (typeof signal !== "object" || signal === null || !("aborted" in signal))) return invalidType("options.signal", "an instance of AbortSignal", signal);
	if (ref !== undefined && typeof ref !== "boolean") return invalidType("options.ref", "of type boolean", ref);
	return signal?.aborted ? aborted(signal) : null;
}
function wait(begin, stop, value, options) {
	return new Promise((resolve, reject) => {
		const wrong = check(options);
		if (wrong) return reject(wrong);
		const signal = options?.signal;
		const abort = () => { stop(timer); reject(aborted(signal)); };
		const timer = begin(() => { signal?.removeEventListener("abort", abort); resolve(value); });
		signal?.addEventListener("abort", abort, { once: true });
	});
}
const { setTimeout: later, setInterval: often, setImmediate: soon, clearTimeout, clearInterval, clearImmediate } = globalThis;
const setTimeout = (ms, value, options) => wait((fn) => later(fn, ms), clearTimeout, value, options);
const setImmediate = (value, options) => wait(soon, clearImmediate, value, options);
async function* setInterval(ms, value, options) {
	const wrong = check(options);
	if (wrong) throw wrong;
	const signal = options?.signal;
	let due = 0, wake = () => {};
	const abort = () => wake();
	const timer = often(() => { due++; wake(); }, ms);
	signal?.addEventListener("abort", abort, { once: true });
	try {
		for (;;) {
			for (; due > 0; due--) yield value;
			if (signal?.aborted) throw aborted(signal);
			await new Promise((resolve) => { wake = resolve; });
		}
	} finally {
		clearInterval(timer);
		signal?.removeEventListener("abort", abort);
	}
}
module.exports = { setTimeout, setImmediate, setInterval, scheduler: { wait: (ms, options) => setTimeout(ms, undefined, options), yield: () => setImmediate() } };
