// node:buffer: Buffer is a Uint8Array with Node's encodings.
const { host } = internal;

function encodingOf(name) {
	if (name === undefined || name === null || name === "") return "utf8";
	const e = { "utf-8": "utf8", utf8: "utf8", hex: "hex", base64: "base64", base64url: "base64url", latin1: "latin1", binary: "latin1",
		ascii: "ascii", ucs2: "utf16le", "ucs-2": "utf16le", utf16le: "utf16le", "utf-16le": "utf16le" }[String(name).toLowerCase()];
	if (!e) {
		const error = new TypeError(`Unknown encoding: ${name}`);
		error.code = "ERR_UNKNOWN_ENCODING";
		throw error;
	}
	return e;
}
function bytesOf(text, encoding) {
	switch (encodingOf(encoding)) {
		case "utf8": return Uint8Array.fromBase64(host("encode", text.toWellFormed()));
		case "hex": {
			const whole = /^(?:[0-9a-f]{2})*/i.exec(text)[0];
			return Uint8Array.fromHex(whole);
		}
		case "base64":
		case "base64url": {
			const clean = text.replace(/[^A-Za-z0-9+/_-]/g, "").replaceAll("-", "+").replaceAll("_", "/");
			return Uint8Array.fromBase64(clean.length % 4 === 1 ? clean.slice(0, -1) : clean);
		}
		case "utf16le": {
			const out = new Uint8Array(text.length * 2);
			for (let i = 0; i < text.length; i++) { out[2 * i] = text.charCodeAt(i) & 255; out[2 * i + 1] = text.charCodeAt(i) >> 8; }
			return out;
		}
		default: {
			const out = new Uint8Array(text.length);
			for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
			return out;
		}
	}
}
function textOf(bytes, encoding) {
	switch (encodingOf(encoding)) {
		case "utf8": return host("decode", bytes.toBase64(), false);
		case "hex": return bytes.toHex();
		case "base64": return bytes.toBase64();
		case "base64url": return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
	}
	const wide = encodingOf(encoding) === "utf16le";
	const mask = encodingOf(encoding) === "ascii" ? 127 : 255;
	let out = "";
	if (wide) for (let i = 0; i + 1 < bytes.length; i += 2) out += String.fromCharCode(bytes[i] | (bytes[i + 1] << 8));
	else for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i] & mask);
	return out;
}

function sized(size) {
	const { invalidType, outOfRange } = require("node/errors");
	if (typeof size !== "number") throw invalidType("size", "of type number", size);
	if (!(size >= 0 && size <= Number.MAX_SAFE_INTEGER)) throw outOfRange("size", ">= 0 && <= 9007199254740991", size);
}
class Buffer extends Uint8Array {
	static from(value, encoding, length) {
		if (typeof value === "string") return wrap(bytesOf(value, encoding));
		if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Buffer(value, encoding, length);
		if (ArrayBuffer.isView(value)) {
			const out = new Buffer(value.length);
			out.set(value);
			return out;
		}
		if (value?.type === "Buffer" && Array.isArray(value.data)) return Buffer.from(value.data);
		if (typeof value === "object" && value !== null) {
			const primitive = value.valueOf();
			if (primitive !== value && primitive != null) return Buffer.from(primitive, encoding, length);
			const list = Array.from(value);
			const out = new Buffer(list.length);
			for (let i = 0; i < list.length; i++) out[i] = list[i];
			return out;
		}
		const { coded, received } = require("node/errors");
		throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.${received(value)}`);
	}
	static poolSize = 8192;
	static copyBytesFrom(view, offset = 0, length = view.length - offset) {
		const part = view.subarray(offset, offset + length);
		return Buffer.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
	}
	static alloc(size, fill, encoding) {
		sized(size);
		const out = new Buffer(size);
		return fill === undefined || fill === 0 ? out : out.fill(fill, encoding);
	}
	static allocUnsafe(size) { sized(size); return new Buffer(size); }
	static allocUnsafeSlow(size) { sized(size); return new Buffer(size); }
	static isBuffer(v) { return v instanceof Buffer; }
	static isEncoding(e) { try { return typeof e === "string" && e !== "" && !!encodingOf(e); } catch { return false; } }
	static byteLength(v, encoding) {
		if (typeof v === "string") return bytesOf(v, encoding).length;
		if (!ArrayBuffer.isView(v) && !(v instanceof ArrayBuffer) && !(v instanceof SharedArrayBuffer)) throw require("node/errors").invalidType("string", "of type string or an instance of Buffer or ArrayBuffer", v);
		return v.byteLength;
	}
	static concat(list, total) {
		if (!Array.isArray(list)) throw require("node/errors").invalidType("list", "an instance of Array", list);
		return this.#joined(list, total);
	}
	static #joined(list, total = list.reduce((n, b) => n + b.length, 0)) {
		const out = new Buffer(total);
		let at = 0;
		for (const b of list) {
			if (at >= total) break;
			out.set(b.subarray(0, total - at), at);
			at += b.length;
		}
		return out;
	}
	static compare(a, b) {
		for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
		return Math.sign(a.length - b.length);
	}
	toString(encoding, from = 0, to = this.length) { return textOf(this.subarray(Math.max(from, 0), to), encoding); }
	toLocaleString(encoding) { return this.toString(encoding); }
	toJSON() { return { type: "Buffer", data: Array.from(this) }; }
	equals(other) { return Buffer.compare(this, other) === 0; }
	compare(other, from = 0, to = other.length, mine = 0, end = this.length) { return Buffer.compare(this.subarray(mine, end), other.subarray(from, to)); }
	slice(from, to) { return this.subarray(from, to); }
	write(text, offset = 0, length, encoding) {
		if (typeof offset === "string") [encoding, offset, length] = [offset, 0, undefined];
		else if (typeof length === "string") [encoding, length] = [length, undefined];
		const bytes = bytesOf(text, encoding).subarray(0, Math.min(length ?? Infinity, this.length - offset));
		this.set(bytes, offset);
		return bytes.length;
	}
	copy(target, at = 0, from = 0, to = this.length) {
		const part = this.subarray(from, Math.min(to, from + target.length - at));
		target.set(part, at);
		return part.length;
	}
	fill(value, from = 0, to = this.length, encoding) {
		if (typeof from === "string") [encoding, from] = [from, 0];
		if (typeof value === "number") return super.fill(value, from, to);
		const bytes = typeof value === "string" ? bytesOf(value, encoding) : value;
		for (let i = from; i < to && bytes.length; i++) this[i] = bytes[(i - from) % bytes.length];
		return this;
	}
	indexOf(value, from = 0, encoding) {
		if (typeof value === "number") return super.indexOf(value, from);
		const want = typeof value === "string" ? bytesOf(value, encoding) : value;
		outer: for (let i = Math.max(from < 0 ? this.length + from : from, 0); i <= this.length - want.length; i++) {
			for (let k = 0; k < want.length; k++) if (this[i + k] !== want[k]) continue outer;
			return i;
		}
		return -1;
	}
	lastIndexOf(value, from = this.length, encoding) {
		if (typeof from === "string") [encoding, from] = [from, this.length];
		if (typeof value === "number") return super.lastIndexOf(value, from);
		const want = typeof value === "string" ? bytesOf(value, encoding) : value;
		for (let i = Math.min(from < 0 ? this.length + from : from, this.length - want.length); i >= 0; i--) {
			if (want.every((b, k) => this[i + k] === b)) return i;
		}
		return -1;
	}
	includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }
}
const view = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength);
// The place of a number of so many bytes, or what is wrong with it.
function place(buffer, at, size) {
	const { coded, invalidType, outOfRange } = require("node/errors");
	if (typeof at !== "number") throw invalidType("offset", "of type number", at);
	if (Number.isInteger(at) && at >= 0 && at + size <= buffer.length) return at;
	if (!Number.isInteger(at)) throw outOfRange("offset", "an integer", at);
	if (buffer.length - size < 0) throw coded(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
	throw outOfRange("offset", `>= 0 and <= ${buffer.length - size}`, at);
}
function within(value, low, high, words) {
	if (value < low || value > high) throw require("node/errors").outOfRange("value", words, value);
}
const method = (name, value) => {
	for (const n of new Set([name, name.replace("UInt", "Uint")])) Object.defineProperty(Buffer.prototype, n, { value, writable: true, configurable: true });
};
for (const [name, kind, little] of [
	["UInt8", "Uint8"], ["Int8", "Int8"],
	["UInt16LE", "Uint16", true], ["UInt16BE", "Uint16"], ["Int16LE", "Int16", true], ["Int16BE", "Int16"],
	["UInt32LE", "Uint32", true], ["UInt32BE", "Uint32"], ["Int32LE", "Int32", true], ["Int32BE", "Int32"],
	["FloatLE", "Float32", true], ["FloatBE", "Float32"], ["DoubleLE", "Float64", true], ["DoubleBE", "Float64"],
	["BigInt64LE", "BigInt64", true], ["BigInt64BE", "BigInt64"], ["BigUInt64LE", "BigUint64", true], ["BigUInt64BE", "BigUint64"],
]) {
	const bits = parseInt(/\d+/.exec(kind)[0], 10), size = bits / 8, signed = !/^(Big)?Uint/.test(kind), big = kind.startsWith("Big");
	const low = signed ? -(2 ** (bits - 1)) : 0, high = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
	method("read" + name, function (at = 0) { return view(this)["get" + kind](place(this, at, size), !!little); });
	method("write" + name, function (value, at = 0) {
		if (big) {
			if (typeof value !== "bigint") throw require("node/errors").invalidType("value", "of type bigint", value);
			within(value, signed ? -(2n ** 63n) : 0n, signed ? 2n ** 63n - 1n : 2n ** 64n - 1n, signed ? ">= -(2n ** 63n) and < 2n ** 63n" : ">= 0n and < 2n ** 64n");
		} else {
			value = +value;
			if (!kind.startsWith("Float")) within(value, low, high, size > 2 && !signed ? `>= 0 and <= ${high}` : `>= ${low} and <= ${high}`);
		}
		view(this)["set" + kind](place(this, at, size), value, !!little);
		return at + size;
	});
}
// Numbers of one to six bytes.
function checkBytes(n) {
	const { invalidType, outOfRange } = require("node/errors");
	if (typeof n !== "number") throw invalidType("byteLength", "of type number", n);
	if (!Number.isInteger(n) || n < 1 || n > 6) throw outOfRange("byteLength", Number.isInteger(n) ? ">= 1 and <= 6" : "an integer", n);
}
for (const little of [true, false]) {
	for (const signed of [true, false]) {
		const name = `${signed ? "Int" : "UInt"}${little ? "LE" : "BE"}`;
		method("read" + name, function (at, n) {
			checkBytes(n);
			place(this, at, n);
			let value = 0;
			for (let i = 0; i < n; i++) value = value * 256 + this[at + (little ? n - 1 - i : i)];
			return signed && value >= 2 ** (8 * n - 1) ? value - 2 ** (8 * n) : value;
		});
		method("write" + name, function (value, at, n) {
			checkBytes(n);
			value = +value;
			const high = signed ? 2 ** (8 * n - 1) - 1 : 2 ** (8 * n) - 1;
			const power = signed ? 8 * n - 1 : 8 * n;
			within(value, signed ? -high - 1 : 0, high, n > 4 || n === 3 ? (signed ? `>= -(2 ** ${power}) and < 2 ** ${power}` : `>= 0 and < 2 ** ${power}`) : `>= ${signed ? -high - 1 : 0} and <= ${high}`);
			place(this, at, n);
			let rest = value < 0 ? value + 2 ** (8 * n) : value;
			for (let i = 0; i < n; i++) {
				this[at + (little ? i : n - 1 - i)] = rest % 256;
				rest = Math.floor(rest / 256);
			}
			return at + n;
		});
	}
}
for (const size of [2, 4, 8]) {
	method(`swap${size * 8}`, function () {
		if (this.length % size !== 0) throw require("node/errors").coded(RangeError, "ERR_INVALID_BUFFER_SIZE", `Buffer size must be a multiple of ${size * 8}-bits`);
		for (let i = 0; i < this.length; i += size) this.subarray(i, i + size).reverse();
		return this;
	});
}
for (const encoding of ["utf8", "latin1", "ascii", "hex", "base64", "base64url", "ucs2"]) {
	method(`${encoding}Slice`, function (from, to) { return this.toString(encoding, from, to); });
	method(`${encoding}Write`, function (text, at = 0, length = undefined) { return this.write(text, at, length, encoding); });
}
function wrap(bytes) { return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
module.exports = {
	Buffer, constants: { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 29 }, kMaxLength: 2 ** 31 - 1,
	get Blob() { return globalThis.Blob; }, btoa, atob,
	isUtf8(b) { try { host("decode", new Uint8Array(b).toBase64(), true); return true; } catch { return false; } },
};
for (const [name, value] of Object.entries({ wrap, encodingOf })) Object.defineProperty(module.exports, name, { value, enumerable: false });
