// What every engine runs first. Its value is the one function through which Go calls
// JavaScript: entry(kind, ...args), once a turn. It throws only if a limit stops it.
(function () {
	"use strict";
	const rawHost = globalThis.__host;
	delete globalThis.__host;

	// An error of Go comes as a message of U+0001 and JSON: see failure in boundary.go.
	function revive(text) {
		if (text.charCodeAt(0) !== 1) return new Error(text);
		if (text[1] !== "{") text = rawHost("text", Number(text.slice(1)));
		const fields = JSON.parse(text.slice(1));
		const error = new Error(fields.message);
		if (fields.code === "ABORT_ERR") error.name = "AbortError";
		delete fields.message;
		return Object.assign(error, fields);
	}
	const revived = (error) => (typeof error?.message === "string" && error.message.charCodeAt(0) === 1 ? revive(error.message) : error);
	function rethrow(error) {
		throw revived(error);
	}
	function host(...args) {
		try {
			return rawHost(...args);
		} catch (error) {
			rethrow(error);
		}
	}

	// Where Go's clock is not that of the system, Date has Go's too.
	if (host("otherclock")) {
		const System = Date, origin = System.now() - host("now");
		const now = () => Math.floor(origin + host("now"));
		const clock = new Proxy(System, {
			construct: (_, args, target) => Reflect.construct(System, args.length > 0 ? args : [now()], target === clock ? System : target),
			apply: () => new System(now()).toString(),
		});
		System.now = now;
		Object.defineProperty(System.now, "name", { value: "now" });
		System.prototype.constructor = clock;
		globalThis.Date = clock;
	}

	// What Go works on for us: promises by number.
	const pending = new Map();
	let lastID = 0;
	// The call of Go that this turn works for, 0 for none: what it begins goes on for that.
	const turn = { call: 0 };
	function start(op, ...args) {
		const id = ++lastID;
		const { promise, resolve, reject } = Promise.withResolvers();
		pending.set(id, { resolve, reject, call: turn.call });
		try {
			host(op, id, ...args);
		} catch (error) {
			pending.delete(id);
			reject(error);
		}
		return promise;
	}

	// What QuickJS lacks of the language. These come before all that uses them.
	for (const name of ["dispose", "asyncDispose"]) {
		if (!Symbol[name]) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
	}
	// Leaving an iterator early must not ask for a method that the one beneath lacks.
	const helper = Object.getPrototypeOf([].values().map((x) => x));
	const leave = helper.return;
	Object.defineProperty(helper, "return", {
		value: function () {
			try {
				return leave.call(this);
			} catch (error) {
				if (error.message !== "not a function") throw error;
				return { value: undefined, done: true };
			}
		}, writable: true, configurable: true,
	});
	// What a WeakRef is made of or gives lives until the turn is over.
	let kept = [];
	const Weak = WeakRef;
	const deref = Weak.prototype.deref;
	Weak.prototype.deref = function () {
		const value = deref.call(this);
		if (value !== undefined) kept.push(value);
		return value;
	};
	define("WeakRef", new Proxy(Weak, {
		construct(_, args, kind) {
			kept.push(args[0]);
			return Reflect.construct(Weak, args, kind);
		},
	}));
	Object.defineProperty(Weak.prototype, "constructor", { value: WeakRef });

	// A stack that overflows is a RangeError, as in Node.js.
	const innerError = InternalError.prototype;
	Object.setPrototypeOf(innerError, RangeError.prototype);
	Object.defineProperty(innerError, "name", {
		configurable: true,
		get() { return this.message === "stack overflow" ? "RangeError" : "InternalError"; },
		set(value) { Object.defineProperty(this, "name", { value, writable: true, configurable: true }); },
	});

	// QuickJS leaves stacks in a property of another name, see innards.go. What an
	// extension reads is made when it does: the error itself, and places in its files.
	const raw = "\x07\x0b\x87\xe1N";
	const describeHead = Error.prototype.toString;
	function setStack(error, value) {
		delete error[raw];
		Object.defineProperty(error, "stack", { value, writable: true, configurable: true, enumerable: false });
	}
	function frames(error) {
		const text = rawHost("places", error[raw]);
		const limit = Error.stackTraceLimit;
		return typeof limit === "number" ? text.split("\n").slice(0, limit + 1).join("\n") : text;
	}
	Object.defineProperty(Error.prototype, "stack", {
		configurable: true,
		get() {
			if (!Object.hasOwn(this, raw)) return undefined;
			// Nothing may be called now that the time or the memory is up.
			if (this.name === "InternalError") return this[raw];
			setStack(this, describeHead.call(this) + frames(this));
			return this.stack;
		},
		set(value) { setStack(this, value); },
	});
	Error.stackTraceLimit = 10;
	Object.defineProperty(Error, "captureStackTrace", {
		value(target, above) {
			let stack = new Error()[raw];
			// Functions that do not want to be seen name the last of them.
			const hidden = above?.name ? stack.indexOf(`    at ${above.name} (`) : -1;
			if (hidden >= 0) stack = stack.slice(stack.indexOf("\n", hidden) + 1);
			Object.defineProperty(target, raw, { value: stack, configurable: true });
			setStack(target, describeHead.call(target) + frames(target));
		}, writable: true, configurable: true,
	});
	const namesOf = Object.getOwnPropertyNames;
	Object.defineProperty(Object, "getOwnPropertyNames", {
		value: function getOwnPropertyNames(object) {
			if (object instanceof Error) void object.stack;
			return namesOf(object);
		}, writable: true, configurable: true,
	});

	// Errors on their way to Go. Reading one may run code of the extension, which may throw.
	function attempt(read, otherwise) {
		try {
			return read();
		} catch {
			return otherwise;
		}
	}
	function describe(error) {
		const unreadable = "(an error that cannot be read)";
		if (attempt(() => error instanceof Error, false)) {
			return [attempt(() => String(error.name), "Error"), attempt(() => String(error.message), unreadable), attempt(() => String(error[raw] ?? error.stack ?? ""), "")];
		}
		return ["", attempt(() => String(error), undefined) ?? attempt(() => Object.prototype.toString.call(error), unreadable), ""];
	}
	// Listeners of process take what nobody else does, as in Node.js, but not the end of a
	// limit or of the program.
	function uncaught(where, error, promise) {
		const rejected = where === "unhandledRejection";
		const process = modules.get("node/process")?.exports;
		if (process && !["InternalError", "ExitError"].includes(attempt(() => error?.name))) {
			const [event, origin] = rejected && process.listenerCount(where) ? [where, promise] : ["uncaughtException", rejected ? where : "uncaughtException"];
			if (process.listenerCount(event)) {
				try {
					process.emit(event, error, origin);
					return;
				} catch (second) {
					error = second;
				}
			}
		}
		host("uncaught", where, ...describe(error));
	}
	function guard(where, fn, ...args) {
		try {
			return fn(...args);
		} catch (error) {
			uncaught(where, error);
		}
	}

	// Our own modules, loaded when first asked for.
	const modules = new Map();
	function load(name) {
		let module = modules.get(name);
		if (!module) {
			module = { exports: {} };
			modules.set(name, module);
			const wrap = (0, eval)("(function (module, exports, require, internal) {" + host("source", name) + "\n})");
			wrap(module, module.exports, load, internal);
		}
		return module.exports;
	}

	// Timers.
	const timers = new Map();
	let lastTimer = 0;
	// What timers and immediates share. The agent does not end for want of them, so that a
	// reference is only remembered.
	class Handle {
		#ref = true;
		ref() { this.#ref = true; return this; }
		unref() { this.#ref = false; return this; }
		hasRef() { return this.#ref; }
	}
	class Timeout extends Handle {
		constructor(id) { super(); this.id = id; }
		refresh() {
			const t = timers.get(this.id);
			if (t) { host("untimer", this.id); host("timer", this.id, t.delay); }
			return this;
		}
		close() { clear(this); return this; }
		[Symbol.toPrimitive]() { return this.id; }
		[Symbol.dispose]() { clear(this); }
	}
	function setTimer(fn, delay, repeat, args) {
		if (typeof fn !== "function") throw load("node/errors").invalidType("callback", "of type function", fn);
		delay = Number(delay);
		const id = ++lastTimer;
		timers.set(id, { fn, args, delay, repeat, call: turn.call });
		host("timer", id, delay);
		return new Timeout(id);
	}
	function clear(timer) {
		const id = timer instanceof Timeout ? timer.id : Number(timer);
		if (timers.delete(id)) host("untimer", id);
	}
	function fire(id) {
		const t = timers.get(id);
		if (!t) return;
		if (t.repeat) host("timer", id, t.delay);
		else timers.delete(id);
		turn.call = t.call;
		guard("timer", t.fn, ...t.args);
	}
	class Immediate extends Handle {
		[Symbol.dispose]() { globals.clearImmediate(this); }
	}
	const immediates = [];
	function setImmediate(fn, ...args) {
		if (typeof fn !== "function") throw load("node/errors").invalidType("callback", "of type function", fn);
		const job = new Immediate();
		job.fn = fn;
		job.args = args;
		job.call = turn.call;
		immediates.push(job);
		if (immediates.length === 1) host("soon");
		return job;
	}

	const globals = {
		setTimeout: (fn, delay, ...args) => setTimer(fn, delay, false, args),
		setInterval: (fn, delay, ...args) => setTimer(fn, delay, true, args),
		clearTimeout: clear,
		clearInterval: clear,
		setImmediate,
		clearImmediate: (job) => {
			const at = immediates.indexOf(job);
			if (at >= 0) immediates[at] = { fn() {}, args: [], call: 0 };
		},
		queueMicrotask: (fn) => {
			if (typeof fn !== "function") throw load("node/errors").invalidType("callback", "of type function", fn);
			Promise.resolve().then(() => guard("microtask", fn));
		},
		structuredClone: (value, options) => load("clone").structuredClone(value, options),
		btoa: (text) => load("web").btoa(text),
		atob: (text) => load("web").atob(text),
		fetch: (...args) => load("fetch").fetch(...args),
	};
	for (const [name, value] of Object.entries(globals)) {
		Object.defineProperty(value, "name", { value: name });
		define(name, value);
	}
	function define(name, value) {
		Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
	}
	// Globals that few extensions use are made when they are first read.
	function lazily(module, ...names) {
		for (const name of names) {
			Object.defineProperty(globalThis, name, {
				configurable: true,
				get() {
					const value = load(module)[name];
					define(name, value);
					return value;
				},
				set(value) { define(name, value); },
			});
		}
	}
	lazily("intl", "Intl");
	const local = (kind, name, method, length) => {
		const fn = { [name](...args) { return load("intl").methods[method](this, ...args); } }[name];
		Object.defineProperty(fn, "length", { value: length });
		Object.defineProperty(kind.prototype, name, { value: fn, writable: true, configurable: true });
	};
	local(Number, "toLocaleString", "number", 0);
	local(BigInt, "toLocaleString", "number", 0);
	for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) local(Date, name, name, 0);
	// As V8: with the name of the time zone, of which we know one.
	let utc;
	for (const name of ["toString", "toTimeString"]) {
		const short = Date.prototype[name];
		const fn = { [name]() {
			const text = short.call(this);
			utc ??= /GMT\+0000$/.test(text) && new Intl.DateTimeFormat().resolvedOptions().timeZone === "UTC";
			return utc && !Number.isNaN(this.getTime()) ? `${text} (Coordinated Universal Time)` : text;
		} }[name];
		Object.defineProperty(Date.prototype, name, { value: fn, writable: true, configurable: true });
	}
	local(String, "localeCompare", "localeCompare", 1);
	lazily("console", "console");
	lazily("abort", "AbortController", "AbortSignal", "Event", "EventTarget", "CustomEvent", "DOMException");
	lazily("web", "TextEncoder", "TextDecoder", "performance", "navigator");
	lazily("url", "URL", "URLSearchParams");
	lazily("fetch", "Headers", "Request", "Response", "Blob", "File", "FormData");
	lazily("node/buffer", "Buffer");
	lazily("node/crypto", "crypto");
	lazily("node/process", "process");
	lazily("require", "require");
	define("global", globalThis);
	if (!Array.fromAsync) {
		Object.defineProperty(Array, "fromAsync", {
			async value(items, map) {
				const out = [];
				for await (const item of items) out.push(map ? await map(item, out.length) : item);
				return out;
			}, writable: true, configurable: true,
		});
	}

	// The modules that a bundle takes from us; a name that the real one has and ours does
	// not fails when it is called, not when it is imported.
	function builtin(name, label) {
		const exports = load(name);
		if (typeof exports === "object" && Object.getPrototypeOf(exports) === Object.prototype) {
			Object.setPrototypeOf(exports, new Proxy({}, {
				get(_, key, receiver) {
					if (key in Object.prototype) return Object.prototype[key];
					if (typeof key !== "string" || key === "__esModule" || key === "then" || key === "default") return undefined;
					// What Node.js lacks as well can be asked for. Of pi's modules only who has the module itself can.
					if (!(load("lacks").lacks(name, key) ?? receiver !== exports)) return undefined;
					function missing() {
						throw new Error(`${key} of ${label} is not available in extui`);
					}
					return missing;
				},
				has: () => false,
			}));
		}
		return exports;
	}
	define("__extui", { builtin });

	const internal = { stackOf: (error) => error[raw], host, rawHost, rethrow, revived, start, pending, turn, nextID: () => ++lastID, describe, uncaught, guard, load, loaded: (name) => modules.get(name)?.exports, revive, define };

	const kinds = {
		settle(id, value) {
			const p = pending.get(id);
			pending.delete(id);
			turn.call = p?.call ?? 0;
			p?.resolve(value);
		},
		fail(id, text) {
			const p = pending.get(id);
			pending.delete(id);
			turn.call = p?.call ?? 0;
			p?.reject(revive(text));
		},
		timer: fire,
		preload: load,
		soon() {
			for (const { fn, args, call } of immediates.splice(0)) {
				turn.call = call;
				guard("immediate", fn, ...args);
			}
		},
		rejected() {
			const { __rejection: reason, __rejected: promise } = globalThis;
			delete globalThis.__rejection;
			delete globalThis.__rejected;
			uncaught("unhandledRejection", reason, promise);
		},
	};
	return function entry(kind, a, b, c, d, e) {
		// At the end of a turn Go asks for whom it was.
		if (kind === "call") return turn.call;
		if (kind !== "rejected") turn.call = 0;
		if (kept.length > 0) kept = [];
		(kinds[kind] ?? load("api").kinds[kind])(a, b, c, d, e);
	};
})();
