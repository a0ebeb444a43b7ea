// Text and base64 as browsers have them, and the clock.
const { host } = internal;

exports.btoa = (text) => {
	text = String(text);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) {
		const c = text.charCodeAt(i);
		if (c > 255) throw new DOMException("Invalid character", "InvalidCharacterError");
		bytes[i] = c;
	}
	return bytes.toBase64();
};
exports.atob = (text) => {
	let bytes;
	try {
		bytes = Uint8Array.fromBase64(String(text).replace(/[\t\n\f\r ]/g, ""));
	} catch {
		throw new DOMException(/[^A-Za-z0-9+/=\t\n\f\r ]/.test(text) ? "Invalid character" : "The string to be decoded is not correctly encoded.", "InvalidCharacterError");
	}
	let out = "";
	for (const b of bytes) out += String.fromCharCode(b);
	return out;
};

class TextEncoder {
	get encoding() { return "utf-8"; }
	encode(text = "") { return Uint8Array.fromBase64(host("encode", String(text).toWellFormed())); }
	encodeInto(text, target) {
		let read = 0, written = 0;
		for (const c of String(text)) {
			const bytes = this.encode(c);
			if (written + bytes.length > target.length) break;
			target.set(bytes, written);
			written += bytes.length;
			read += c.length;
		}
		return { read, written };
	}
}
const labels = {
	"utf-8": "utf-8", utf8: "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16le": "utf-16le", "utf-16": "utf-16le",
	latin1: "latin1", ascii: "latin1", "us-ascii": "latin1", "iso-8859-1": "latin1", "windows-1252": "latin1",
};
class TextDecoder {
	#rest = new Uint8Array(0);
	constructor(label = "utf-8", options = {}) {
		this.encoding = labels[String(label).trim().toLowerCase()];
		if (!this.encoding) throw Object.assign(new RangeError(`The "${label}" encoding is not supported`), { code: "ERR_ENCODING_NOT_SUPPORTED" });
		this.fatal = !!options.fatal;
		this.ignoreBOM = !!options.ignoreBOM;
	}
	decode(input, { stream = false } = {}) {
		if (input !== undefined && !ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer) && !(input instanceof SharedArrayBuffer)) {
			throw Object.assign(new TypeError('The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.'), { code: "ERR_INVALID_ARG_TYPE" });
		}
		let bytes = input === undefined ? new Uint8Array(0)
			: ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
		if (this.#rest.length) {
			const joined = new Uint8Array(this.#rest.length + bytes.length);
			joined.set(this.#rest);
			joined.set(bytes, this.#rest.length);
			bytes = joined;
			this.#rest = new Uint8Array(0);
		}
		if (stream) {
			const whole = this.encoding === "utf-8" ? wholeUTF8(bytes) : this.encoding === "utf-16le" ? bytes.length & ~1 : bytes.length;
			this.#rest = bytes.slice(whole);
			bytes = bytes.subarray(0, whole);
		}
		if (this.encoding !== "utf-8") return Buffer.from(bytes).toString(this.encoding);
		let text;
		try {
			text = host("decode", bytes.toBase64(), this.fatal);
		} catch {
			throw Object.assign(new TypeError("The encoded data was not valid for encoding utf-8"), { code: "ERR_ENCODING_INVALID_ENCODED_DATA" });
		}
		return !this.ignoreBOM && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
	}
}
// How many bytes stand before a character that is cut off at the end.
function wholeUTF8(bytes) {
	for (let back = 1; back <= 3 && back <= bytes.length; back++) {
		const b = bytes[bytes.length - back];
		if ((b & 0xc0) === 0x80) continue;
		const need = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc0 ? 2 : 1;
		return need > back ? bytes.length - back : bytes.length;
	}
	return bytes.length;
}
exports.wholeUTF8 = wholeUTF8;
exports.TextEncoder = TextEncoder;
exports.TextDecoder = TextDecoder;

Object.defineProperty(exports, "performance", { get: () => require("performance").performance, enumerable: true });
exports.navigator = { userAgent: "extui", language: "en-US", hardwareConcurrency: 1 };
