// structuredClone: what JSON cannot carry, and cycles.
const plain = [Boolean, Number, String, BigInt];
function clone(value, seen) {
	if (typeof value === "function" || typeof value === "symbol") {
		throw new DOMException(`${String(value)} could not be cloned.`, "DataCloneError");
	}
	if (typeof value !== "object" || value === null) return value;
	if (seen.has(value)) return seen.get(value);
	const keep = (copy) => { seen.set(value, copy); return copy; };
	if (Array.isArray(value)) {
		const copy = keep(new Array(value.length));
		for (const k of Object.keys(value)) copy[k] = clone(value[k], seen);
		return copy;
	}
	if (value instanceof Date) return keep(new Date(value.getTime()));
	if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
	if (value instanceof Map) {
		const copy = keep(new Map());
		for (const [k, v] of value) copy.set(clone(k, seen), clone(v, seen));
		return copy;
	}
	if (value instanceof Set) {
		const copy = keep(new Set());
		for (const v of value) copy.add(clone(v, seen));
		return copy;
	}
	if (value instanceof ArrayBuffer) return keep(value.slice(0));
	if (ArrayBuffer.isView(value)) {
		const buffer = value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
		const Kind = value instanceof Buffer ? Uint8Array : value.constructor;
		return keep(new Kind(buffer));
	}
	if (value instanceof Error) {
		const Kind = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }[value.name] ?? Error;
		const copy = keep(new Kind(value.message));
		copy.stack = value.stack;
		if ("cause" in value) copy.cause = clone(value.cause, seen);
		return copy;
	}
	if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
		throw new DOMException(`${Object.prototype.toString.call(value)} could not be cloned.`, "DataCloneError");
	}
	for (const Kind of plain) if (value instanceof Kind) return keep(Object(value.valueOf()));
	const copy = keep({});
	for (const k of Object.keys(value)) copy[k] = clone(value[k], seen);
	return copy;
}
exports.structuredClone = (value) => clone(value, new Map());
