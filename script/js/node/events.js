// node:events.
const { invalidType, outOfRange, aborted } = require("node/errors");
class EventEmitter {
	static defaultMaxListeners = 10;
	// Made on first use, for subclasses that forget super().
	static #lists = new WeakMap();
	static #of(self) {
		let map = EventEmitter.#lists.get(self);
		if (!map) EventEmitter.#lists.set(self, (map = new Map()));
		return map;
	}
	#add(name, fn, once, first) {
		if (typeof fn !== "function") {
			throw invalidType("listener", "of type function", fn);
		}
		const map = EventEmitter.#of(this);
		if (name !== "newListener" && map.has("newListener")) this.emit("newListener", name, fn);
		const list = map.get(name) ?? [];
		map.set(name, first ? [{ fn, once }, ...list] : [...list, { fn, once }]);
		return this;
	}
	on(name, fn) { return this.#add(name, fn, false, false); }
	addListener(name, fn) { return this.#add(name, fn, false, false); }
	once(name, fn) { return this.#add(name, fn, true, false); }
	prependListener(name, fn) { return this.#add(name, fn, false, true); }
	prependOnceListener(name, fn) { return this.#add(name, fn, true, true); }
	off(name, fn) {
		const map = EventEmitter.#of(this);
		const list = map.get(name) ?? [];
		const at = list.findLastIndex((l) => l.fn === fn);
		if (at >= 0) {
			if (list.length === 1) map.delete(name);
			else map.set(name, list.toSpliced(at, 1));
			if (map.has("removeListener")) this.emit("removeListener", name, fn);
		}
		return this;
	}
	removeListener(name, fn) { return this.off(name, fn); }
	removeAllListeners(name) {
		if (name === undefined) EventEmitter.#of(this).clear();
		else EventEmitter.#of(this).delete(name);
		return this;
	}
	emit(name, ...args) {
		const list = EventEmitter.#of(this).get(name);
		if (name === "error" && EventEmitter.#of(this).has(EventEmitter.errorMonitor)) this.emit(EventEmitter.errorMonitor, ...args);
		if (!list) {
			if (name !== "error") return false;
			if (args[0] instanceof Error) throw args[0];
			throw Object.assign(new Error(`Unhandled error. (${require("node/inspect").inspect(args[0])})`), { code: "ERR_UNHANDLED_ERROR", context: args[0] });
		}
		for (const { fn, once } of list) {
			if (once) this.off(name, fn);
			fn.apply(this, args);
		}
		return true;
	}
	listeners(name) { return (EventEmitter.#of(this).get(name) ?? []).map((l) => l.fn); }
	rawListeners(name) {
		return (EventEmitter.#of(this).get(name) ?? []).map(({ fn, once }) => {
			if (!once) return fn;
			const raw = (...args) => { this.off(name, fn); return fn.apply(this, args); };
			return Object.assign(raw, { listener: fn });
		});
	}
	listenerCount(name, fn) {
		const list = EventEmitter.#of(this).get(name) ?? [];
		return fn === undefined ? list.length : list.filter((l) => l.fn === fn).length;
	}
	eventNames() { return [...EventEmitter.#of(this).keys()]; }
	setMaxListeners(n) { limits.set(this, count(n)); return this; }
	getMaxListeners() { return limits.get(this) ?? EventEmitter.defaultMaxListeners; }
	static errorMonitor = Symbol("events.errorMonitor");
	static captureRejectionSymbol = Symbol.for("nodejs.rejection");
	static captureRejections = false;
	static usingDomains = false;
}
const limits = new WeakMap();
function count(n) {
	if (typeof n !== "number") throw invalidType("setMaxListeners", "of type number", n);
	if (!(n >= 0)) throw outOfRange("setMaxListeners", ">= 0", n);
	return n;
}
// Emitters and event targets alike: adds a listener and returns what takes it away.
function listen(emitter, name, fn) {
	if (typeof emitter?.on === "function") {
		emitter.on(name, fn);
		return () => { emitter.off?.(name, fn); emitter.removeListener?.(name, fn); };
	}
	if (typeof emitter?.addEventListener !== "function") throw invalidType("emitter", "an instance of EventEmitter", emitter);
	emitter.addEventListener(name, fn);
	return () => emitter.removeEventListener(name, fn);
}
function checkSignal(signal) {
	if (signal !== undefined && (typeof signal !== "object" || signal === null || !("aborted" in signal))) throw invalidType("options.signal", "an instance of AbortSignal", signal);
	if (signal?.aborted) throw aborted(signal);
}
function on(emitter, name, options = {}) {
	const { signal, close = [] } = options;
	checkSignal(signal);
	const events = [], waiting = [], undo = [];
	let over = false, failure = null;
	const end = () => {
		if (over) return;
		over = true;
		for (const f of undo.splice(0)) f();
		for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
	};
	const fail = (error) => {
		const next = waiting.shift();
		if (next) next.reject(error);
		else failure = error;
		end();
	};
	undo.push(listen(emitter, name, (...args) => {
		const next = waiting.shift();
		if (next) next.resolve({ value: args, done: false });
		else events.push(args);
	}));
	if (name !== "error" && typeof emitter.on === "function") undo.push(listen(emitter, "error", fail));
	for (const e of close) undo.push(listen(emitter, e, end));
	if (signal) undo.push(listen(signal, "abort", () => fail(aborted(signal))));
	return Object.setPrototypeOf({
		async next() {
			if (events.length) return { value: events.shift(), done: false };
			if (failure) {
				const error = failure;
				failure = null;
				throw error;
			}
			if (over) return { value: undefined, done: true };
			return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
		},
		async return() { end(); return { value: undefined, done: true }; },
		throw(error) {
			if (!(error instanceof Error)) throw invalidType("EventEmitter.AsyncIterator", "an instance of Error", error);
			fail(error);
		},
		[Symbol.asyncIterator]() { return this; },
	}, Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)));
}
const statics = {
	on,
	getEventListeners(emitter, name) {
		if (typeof emitter?.listeners === "function") return emitter.listeners(name);
		if (emitter instanceof EventTarget) return require("abort").listenersOf(emitter, name);
		throw invalidType("emitter", "an instance of EventEmitter or EventTarget", emitter);
	},
	listenerCount: (emitter, name) => emitter.listenerCount(name),
	getMaxListeners(emitter) {
		if (typeof emitter?.getMaxListeners === "function") return emitter.getMaxListeners();
		return limits.get(emitter) ?? EventEmitter.defaultMaxListeners;
	},
	setMaxListeners(n = EventEmitter.defaultMaxListeners, ...emitters) {
		count(n);
		if (emitters.length === 0) EventEmitter.defaultMaxListeners = n;
		for (const e of emitters) limits.set(e, n);
	},
	addAbortListener(signal, listener) {
		if (typeof signal?.addEventListener !== "function") throw invalidType("signal", "an instance of AbortSignal", signal);
		if (typeof listener !== "function") throw invalidType("listener", "of type function", listener);
		let undo = () => {};
		if (signal.aborted) queueMicrotask(() => listener());
		else {
			signal.addEventListener("abort", listener, { once: true });
			undo = () => signal.removeEventListener("abort", listener);
		}
		return { [Symbol.dispose]: undo };
	},
};
function once(emitter, name, options = {}) {
	return new Promise((resolve, reject) => {
		const { signal } = options;
		checkSignal(signal);
		const undo = [];
		const settle = (fn) => (...args) => {
			for (const f of undo.splice(0)) f();
			fn(args);
		};
		undo.push(listen(emitter, name, settle(resolve)));
		if (name !== "error" && typeof emitter.on === "function") undo.push(listen(emitter, "error", settle(([error]) => reject(error))));
		if (signal) undo.push(listen(signal, "abort", settle(() => reject(aborted(signal)))));
	});
}
Object.assign(EventEmitter, { EventEmitter, once }, statics);
module.exports = EventEmitter;
