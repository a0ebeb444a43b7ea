// Events, abort signals and DOMException.
const { guard } = internal;

const codes = Object.fromEntries(["IndexSizeError", "", "HierarchyRequestError", "WrongDocumentError", "InvalidCharacterError", "", "NoModificationAllowedError", "NotFoundError",
	"NotSupportedError", "InUseAttributeError", "InvalidStateError", "SyntaxError", "InvalidModificationError", "NamespaceError", "InvalidAccessError", "", "TypeMismatchError",
	"SecurityError", "NetworkError", "AbortError", "URLMismatchError", "QuotaExceededError", "TimeoutError", "InvalidNodeTypeError", "DataCloneError"].map((name, i) => [name, i + 1]));
class DOMException extends Error {
	#name;
	constructor(message = "", name = "Error") {
		super(message);
		this.#name = typeof name === "object" ? (name?.name ?? "Error") : String(name);
	}
	get name() { return this.#name; }
	get code() { return codes[this.#name] ?? 0; }
}

class Event {
	#prevented = false;
	constructor(type, init = {}) {
		this.type = String(type);
		this.cancelable = !!init.cancelable;
		this.bubbles = !!init.bubbles;
		this.target = null;
		this.currentTarget = null;
		this.timeStamp = internal.host("now");
	}
	get defaultPrevented() { return this.#prevented; }
	preventDefault() { if (this.cancelable) this.#prevented = true; }
	stopPropagation() {}
	stopImmediatePropagation() { this.stopped = true; }
}
class CustomEvent extends Event {
	constructor(type, init = {}) {
		super(type, init);
		this.detail = init.detail ?? null;
	}
}

class EventTarget {
	#listeners = new Map();
	addEventListener(type, listener, options) {
		if (!listener) return;
		const { once = false, signal } = typeof options === "object" && options ? options : {};
		if (signal?.aborted) return;
		const list = this.#listeners.get(type) ?? [];
		if (list.some((l) => l.listener === listener)) return;
		list.push({ listener, once });
		this.#listeners.set(type, list);
		signal?.addEventListener("abort", () => this.removeEventListener(type, listener));
	}
	removeEventListener(type, listener) {
		const list = this.#listeners.get(type);
		const at = list ? list.findIndex((l) => l.listener === listener) : -1;
		// A copy, for an event may be on its way through the list.
		if (at >= 0) this.#listeners.set(type, list.toSpliced(at, 1));
	}
	static listenersOf(target, type) { return (target.#listeners.get(type) ?? []).map((l) => l.listener); }
	dispatchEvent(event) {
		event.target = event.currentTarget = this;
		for (const { listener, once } of this.#listeners.get(event.type) ?? []) {
			if (once) this.removeEventListener(event.type, listener);
			guard(`event ${event.type}`, () => {
				if (typeof listener === "function") listener.call(this, event);
				else listener.handleEvent(event);
			});
			if (event.stopped) break;
		}
		return !event.defaultPrevented;
	}
}

exports.listenersOf = EventTarget.listenersOf;
delete EventTarget.listenersOf;

const key = Symbol("signal");
class AbortSignal extends EventTarget {
	#aborted = false;
	#reason;
	#onabort = null;
	get onabort() { return this.#onabort; }
	// Among the other listeners it has the place of when it was first set.
	set onabort(fn) {
		if (typeof fn !== "function") {
			this.#onabort = null;
			this.removeEventListener("abort", this.#callback);
			return;
		}
		this.#onabort = fn;
		this.addEventListener("abort", this.#callback);
	}
	#callback = (event) => this.#onabort.call(this, event);
	constructor(secret) {
		super();
		if (secret !== key) throw new TypeError("Illegal constructor");
	}
	get aborted() { return this.#aborted; }
	get reason() { return this.#reason; }
	throwIfAborted() { if (this.#aborted) throw this.#reason; }
	static trigger(signal, reason) {
		if (signal.#aborted) return;
		signal.#aborted = true;
		signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
		const event = new Event("abort");
		signal.dispatchEvent(event);
	}
	static abort(reason) {
		const signal = new AbortSignal(key);
		trigger(signal, reason);
		return signal;
	}
	static timeout(ms) {
		const signal = new AbortSignal(key);
		setTimeout(() => trigger(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
		return signal;
	}
	static any(signals) {
		const signal = new AbortSignal(key);
		for (const s of signals) {
			if (s.aborted) { trigger(signal, s.reason); break; }
			s.addEventListener("abort", () => trigger(signal, s.reason), { once: true });
		}
		return signal;
	}
	get [Symbol.toStringTag]() { return "AbortSignal"; }
}
const trigger = AbortSignal.trigger;
delete AbortSignal.trigger;

class AbortController {
	#signal = new AbortSignal(key);
	get signal() { return this.#signal; }
	abort(reason) { trigger(this.#signal, reason); }
}
for (const [Kind, name] of [[AbortSignal, "aborted"], [AbortController, "signal"]]) {
	Object.defineProperty(Kind.prototype, Symbol.for("nodejs.util.inspect.custom"), {
		value(depth, options, inspect) {
			if (typeof depth === "number" && depth < 0) return Kind === AbortSignal ? "[AbortSignal]" : this;
			return `${Kind.name} ${inspect({ [name]: this[name] }, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
		}, writable: true, configurable: true,
	});
}
Object.assign(exports, { DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController });
