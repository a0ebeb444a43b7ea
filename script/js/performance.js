// The clock, and what is measured with it.
const { host, guard } = internal;
const { invalidType } = require("node/errors");
const origin = Date.now() - host("now");

class PerformanceEntry {
	constructor(name, entryType, startTime, duration, detail) { Object.assign(this, { name, entryType, startTime, duration, detail }); }
	toJSON() { return { name: this.name, entryType: this.entryType, startTime: this.startTime, duration: this.duration, detail: this.detail }; }
}
class PerformanceMark extends PerformanceEntry {
	constructor(name, { startTime = host("now"), detail = null } = {}) {
		if (typeof startTime !== "number") throw invalidType("options.startTime", "of type number", startTime);
		super(String(name), "mark", startTime, 0, structuredClone(detail));
	}
}
class PerformanceMeasure extends PerformanceEntry {}
// The entries, in the order of their time; the oldest go when they are very many.
let entries = [];
const most = 100000;
const observers = new Set();
function add(entry) {
	let at = entries.length;
	while (at > 0 && entries[at - 1].startTime > entry.startTime) at--;
	entries.splice(at, 0, entry);
	if (entries.length > most) entries.shift();
	for (const o of observers) o.take(entry);
	return entry;
}
function timeOf(mark) {
	if (typeof mark === "number") return mark;
	const found = entries.findLast((e) => e.entryType === "mark" && e.name === String(mark));
	if (!found) throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
	return found.startTime;
}
function measure(name, from, to) {
	let start, end, detail = null;
	if (typeof from === "object" && from !== null) {
		detail = from.detail ?? null;
		end = from.end !== undefined ? timeOf(from.end) : from.start !== undefined && from.duration !== undefined ? timeOf(from.start) + from.duration : host("now");
		start = from.start !== undefined ? timeOf(from.start) : from.duration !== undefined ? end - from.duration : 0;
	} else {
		end = to === undefined ? host("now") : timeOf(to);
		start = from === undefined ? 0 : timeOf(from);
	}
	return add(new PerformanceMeasure(String(name), "measure", start, end - start, structuredClone(detail)));
}
const clear = (type) => (name) => { entries = entries.filter((e) => e.entryType !== type || (name !== undefined && e.name !== String(name))); };
class Performance extends EventTarget {
	get timeOrigin() { return origin; }
	now() { return host("now"); }
	mark(name, options) { return add(new PerformanceMark(name, options)); }
	measure(name, from, to) { return measure(name, from, to); }
	clearMarks(name) { clear("mark")(name); }
	clearMeasures(name) { clear("measure")(name); }
	clearResourceTimings() {}
	setResourceTimingBufferSize() {}
	getEntries() { return [...entries]; }
	getEntriesByName(name, type) { return entries.filter((e) => e.name === String(name) && (type === undefined || e.entryType === type)); }
	getEntriesByType(type) { return entries.filter((e) => e.entryType === type); }
	eventLoopUtilization() { return { idle: 0, active: 0, utilization: 0 }; }
	timerify(fn) {
		if (typeof fn !== "function") throw invalidType("fn", "of type function", fn);
		const timed = function (...args) {
			const start = host("now");
			const done = () => { for (const o of observers) o.take(new PerformanceEntry(fn.name, "function", start, host("now") - start, args)); };
			const out = new.target ? Reflect.construct(fn, args, fn) : fn.apply(this, args);
			if (typeof out?.finally === "function") return out.finally(done);
			done();
			return out;
		};
		return Object.defineProperties(timed, { name: { value: `timerified ${fn.name}` }, length: { value: fn.length } });
	}
	get nodeTiming() { return { name: "node", entryType: "node", startTime: 0, duration: host("now"), nodeStart: 0, v8Start: 0, bootstrapComplete: 0, environment: 0, loopStart: 0, loopExit: -1, idleTime: 0 }; }
	toJSON() { return { nodeTiming: this.nodeTiming, timeOrigin: origin, eventLoopUtilization: this.eventLoopUtilization() }; }
	get [Symbol.toStringTag]() { return "Performance"; }
}
class PerformanceObserver {
	static supportedEntryTypes = ["function", "mark", "measure"];
	#callback;
	#types = new Set();
	#entries = [];
	constructor(callback) {
		if (typeof callback !== "function") throw invalidType("callback", "of type function", callback);
		this.#callback = callback;
	}
	observe({ entryTypes, type, buffered } = {}) {
		if (entryTypes === undefined && type === undefined) throw Object.assign(new TypeError('The "options.entryTypes" and "options.type" arguments must be specified'), { code: "ERR_MISSING_ARGS" });
		for (const t of entryTypes ?? [type]) this.#types.add(t);
		observers.add(this);
		if (buffered && type) for (const e of entries) this.take(e);
	}
	disconnect() { observers.delete(this); this.#entries = []; this.#types.clear(); }
	takeRecords() { return this.#entries.splice(0); }
	take(entry) {
		if (!this.#types.has(entry.entryType)) return;
		this.#entries.push(entry);
		if (this.#entries.length > 1) return;
		setImmediate(() => {
			const list = this.takeRecords();
			if (list.length === 0) return;
			const shown = {
				getEntries: () => [...list], getEntriesByType: (t) => list.filter((e) => e.entryType === t),
				getEntriesByName: (n, t) => list.filter((e) => e.name === n && (t === undefined || e.entryType === t)),
			};
			guard("performance observer", this.#callback, shown, this);
		});
	}
}
module.exports = { performance: new Performance(), Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver };
