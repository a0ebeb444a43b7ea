function wait(ms, value, { signal } = {}) {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const stop = () => { clearTimeout(timer); reject(signal.reason); };
		const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(value); }, ms);
		signal?.addEventListener("abort", stop, { once: true });
	});
}
module.exports = {
	setTimeout: wait,
	setImmediate: (value) => new Promise((resolve) => setImmediate(resolve, value)),
	async *setInterval(ms, value, options) { for (;;) { await wait(ms, undefined, options); yield value; } },
	scheduler: { wait: (ms, options) => wait(ms, undefined, options), yield: () => new Promise((resolve) => setImmediate(resolve)) },
};
