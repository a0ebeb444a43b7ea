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
		const error = new TypeError("The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.");
		error.code = "ERR_INVALID_ARG_TYPE";
		throw error;
	}
	static alloc(size, fill, encoding) {
		const out = new Buffer(size);
		return fill === undefined || fill === 0 ? out : out.fill(fill, encoding);
	}
	static allocUnsafe(size) { return new Buffer(size); }
	static allocUnsafeSlow(size) { return new Buffer(size); }
	static isBuffer(v) { return v instanceof Buffer; }
	static isEncoding(e) { try { return typeof e === "string" && e !== "" && !!encodingOf(e); } catch { return false; } }
	static byteLength(v, encoding) { return typeof v === "string" ? bytesOf(v, encoding).length : v.byteLength; }
	static concat(list, total = list.reduce((n, b) => n + b.length, 0)) {
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
	compare(other) { return Buffer.compare(this, other); }
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
	includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }
}
const view = (b) => new DataView(b.buffer, b.byteOffset, b.byteLength);
for (const [name, method, little] of [
	["UInt8", "Uint8"], ["Int8", "Int8"],
	["UInt16LE", "Uint16", true], ["UInt16BE", "Uint16"], ["Int16LE", "Int16", true], ["Int16BE", "Int16"],
	["UInt32LE", "Uint32", true], ["UInt32BE", "Uint32"], ["Int32LE", "Int32", true], ["Int32BE", "Int32"],
	["FloatLE", "Float32", true], ["FloatBE", "Float32"], ["DoubleLE", "Float64", true], ["DoubleBE", "Float64"],
	["BigInt64LE", "BigInt64", true], ["BigInt64BE", "BigInt64"], ["BigUInt64LE", "BigUint64", true], ["BigUInt64BE", "BigUint64"],
]) {
	const size = parseInt(/\d+/.exec(method)[0], 10) / 8;
	const read = function (at = 0) { return view(this)["get" + method](at, !!little); };
	const write = function (value, at = 0) { view(this)["set" + method](at, value, !!little); return at + size; };
	for (const n of new Set([name, name.replace("UInt", "Uint")])) {
		Object.defineProperty(Buffer.prototype, "read" + n, { value: read, writable: true, configurable: true });
		Object.defineProperty(Buffer.prototype, "write" + n, { value: write, writable: true, configurable: true });
	}
}
function wrap(bytes) { return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
module.exports = {
	Buffer, constants: { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 29 }, kMaxLength: 2 ** 31 - 1,
	get Blob() { return globalThis.Blob; }, btoa, atob,
	isUtf8(b) { try { host("decode", new Uint8Array(b).toBase64(), true); return true; } catch { return false; } },
};
for (const [name, value] of Object.entries({ wrap, encodingOf })) Object.defineProperty(module.exports, name, { value, enumerable: false });
