// node:string_decoder: text of bytes that come in pieces, cut anywhere.
const { Buffer, encodingOf } = require("node/buffer");
const { invalidType } = require("node/errors");
// How many of the bytes are whole characters.
const whole = {
	utf8: (bytes) => require("web").wholeUTF8(bytes),
	utf16le(bytes) {
		const even = bytes.length & ~1;
		// The first half of a pair waits for the second.
		return even > 0 && (bytes[even - 1] & 0xfc) === 0xd8 ? even - 2 : even;
	},
	base64: (bytes) => bytes.length - (bytes.length % 3),
	base64url: (bytes) => bytes.length - (bytes.length % 3),
};
class StringDecoder {
	#rest = Buffer.alloc(0);
	constructor(encoding) { this.encoding = encodingOf(encoding); }
	write(chunk) {
		if (typeof chunk === "string") return chunk;
		if (!ArrayBuffer.isView(chunk)) throw invalidType("buf", "an instance of Buffer, TypedArray, or DataView", chunk);
		const bytes = Buffer.concat([this.#rest, new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)]);
		const n = whole[this.encoding]?.(bytes) ?? bytes.length;
		this.#rest = bytes.subarray(n);
		return bytes.toString(this.encoding, 0, n);
	}
	end(chunk) {
		const text = chunk === undefined ? "" : this.write(chunk);
		const rest = this.#rest;
		this.#rest = Buffer.alloc(0);
		return text + rest.toString(this.encoding);
	}
	text(bytes, from) { this.#rest = Buffer.alloc(0); return this.write(bytes.subarray(from)); }
	get lastNeed() { return 0; }
}
module.exports = { StringDecoder };
