// node:events.
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
			throw require("node/errors").notFunction("listener", fn);
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
	rawListeners(name) { return this.listeners(name); }
	listenerCount(name) { return (EventEmitter.#of(this).get(name) ?? []).length; }
	eventNames() { return [...EventEmitter.#of(this).keys()]; }
	setMaxListeners() { return this; }
	getMaxListeners() { return EventEmitter.defaultMaxListeners; }
}
function once(emitter, name, { signal } = {}) {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const done = (...args) => { emitter.off("error", failed); resolve(args); };
		const failed = (error) => { emitter.off(name, done); reject(error); };
		signal?.addEventListener("abort", () => { emitter.off(name, done); emitter.off("error", failed); reject(signal.reason); }, { once: true });
		emitter.once(name, done);
		if (name !== "error") emitter.once("error", failed);
	});
}
Object.assign(EventEmitter, { EventEmitter, once });
module.exports = EventEmitter;
