// Deep equality, as node:assert and util.isDeepStrictEqual have it.
const types = require("node/util_types");
const enumerable = (v) => Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s));
// Whether a value may be of a kind of its own. To ask all of util.types costs an exception
// each, and those cost more the deeper the stack is.
const kinds = [Date, RegExp, Error, ArrayBuffer, SharedArrayBuffer, DataView, Object.getPrototypeOf(Uint8Array), Map, Set, WeakMap, WeakSet, Promise, Number, String, Boolean, BigInt, Symbol];
const tags = new Set(["Date", "RegExp", "Error", "Number", "String", "Boolean"].map((name) => `[object ${name}]`));
const special = (v) => kinds.some((Kind) => v instanceof Kind) || tags.has(Object.prototype.toString.call(v));
function primitive(a, b, strict) {
	if (strict) return Object.is(a, b);
	return a == b || (Number.isNaN(a) && Number.isNaN(b)); // eslint-disable-line eqeqeq
}
function same(a, b, strict, seen = new Map()) {
	if (Object.is(a, b)) return true;
	if (strict ? typeof a !== "object" || typeof b !== "object" : typeof a !== "object" && typeof b !== "object") return primitive(a, b, strict);
	if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return strict ? a === b : primitive(a, b, strict);
	if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
	if (seen.get(a) === b) return true;
	const before = seen.get(a);
	seen.set(a, b);
	const equal = parts(a, b, strict, seen);
	if (before === undefined) seen.delete(a);
	else seen.set(a, before);
	return equal;
}
function parts(a, b, strict, seen) {
	if (!special(a) && !special(b)) { /* only members count */ }
	else if (types.isDate(a)) { if (!types.isDate(b) || !Object.is(a.getTime(), b.getTime())) return false; }
	else if (types.isRegExp(a)) { if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false; }
	else if (a instanceof Error) {
		if (!(b instanceof Error) || a.message !== b.message || a.name !== b.name) return false;
		for (const name of ["cause", "errors"]) {
			if (Object.hasOwn(a, name) !== Object.hasOwn(b, name) || !same(a[name], b[name], strict, seen)) return false;
		}
	} else if (ArrayBuffer.isView(a) || types.isAnyArrayBuffer(a)) {
		const bytes = (v) => (ArrayBuffer.isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : new Uint8Array(v));
		if (!strict && types.isTypedArray(a) && /Float/.test(a.constructor.name)) { if (a.length !== b.length || !a.every((v, i) => v === b[i] || (Number.isNaN(v) && Number.isNaN(b[i])))) return false; }
		else {
			const x = bytes(a), y = bytes(b);
			if (x.length !== y.length || !x.every((v, i) => v === y[i])) return false;
		}
		return own(a, b, strict, seen, (k) => !/^\d+$/.test(k));
	} else if (types.isBoxedPrimitive(a)) { if (!types.isBoxedPrimitive(b) || !Object.is(a.valueOf(), b.valueOf())) return false; }
	else if (types.isSet(a)) { if (!types.isSet(b) || !sets(a, b, strict, seen)) return false; }
	else if (types.isMap(a)) { if (!types.isMap(b) || !maps(a, b, strict, seen)) return false; }
	else if (types.isWeakMap(a) || types.isWeakSet(a) || types.isPromise(a)) return false; // what they hold cannot be seen
	if (Array.isArray(a) && a.length !== b.length) return false;
	return own(a, b, strict, seen, () => true);
}
function own(a, b, strict, seen, counts) {
	const keys = (v) => [...Object.keys(v).filter(counts), ...(strict ? enumerable(v) : [])];
	const mine = keys(a);
	return mine.length === keys(b).length && mine.every((k) => Object.prototype.propertyIsEnumerable.call(b, k) && same(a[k], b[k], strict, seen));
}
// Each of a set has one of the other for itself.
function sets(a, b, strict, seen) {
	if (a.size !== b.size) return false;
	const left = new Set(b);
	const later = [];
	for (const v of a) if (!left.delete(v)) later.push(v);
	return later.every((v) => {
		for (const w of left) if ((typeof v === "object" || !strict) && same(v, w, strict, seen)) return left.delete(w);
		return false;
	});
}
function maps(a, b, strict, seen) {
	if (a.size !== b.size) return false;
	const left = new Map(b);
	const later = [];
	for (const [k, v] of a) {
		if (left.has(k) && same(v, left.get(k), strict, seen)) left.delete(k);
		else if (typeof k !== "object" && strict) return false;
		else later.push([k, v]);
	}
	return later.every(([k, v]) => {
		for (const [l, w] of left) if (same(k, l, strict, seen) && same(v, w, strict, seen)) return left.delete(l);
		return false;
	});
}
module.exports = { same };
