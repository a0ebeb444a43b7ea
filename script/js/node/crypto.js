// node:crypto, and the global crypto: hashes, random numbers, UUIDs.
const { host } = internal;
const { Buffer, wrap } = require("node/buffer");
const bytesOf = (v, encoding) => (typeof v === "string" ? Buffer.from(v, encoding) : new Uint8Array(v.buffer ?? v, v.byteOffset, v.byteLength));

class Hash {
	#parts = [];
	#name;
	#key;
	#done = false;
	constructor(name, key) {
		this.#name = String(name).toLowerCase().replace("-", "");
		this.#key = key;
		host("hash", this.#name, "", key ?? null);
	}
	update(v, encoding) {
		if (this.#done) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
		this.#parts.push(Buffer.from(bytesOf(v, encoding)));
		return this;
	}
	digest(encoding) {
		if (this.#done) throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
		this.#done = true;
		const out = wrap(Uint8Array.fromBase64(host("hash", this.#name, Buffer.concat(this.#parts).toBase64(), this.#key ?? null)));
		return encoding && encoding !== "buffer" ? out.toString(encoding) : out;
	}
	copy() { const h = new Hash(this.#name, this.#key); for (const p of this.#parts) h.update(p); return h; }
}
function randomBytes(size, done) {
	const out = wrap(Uint8Array.fromBase64(host("random", size)));
	if (!done) return out;
	queueMicrotask(() => done(null, out));
}
function randomFillSync(view) {
	const raw = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
	raw.set(randomBytes(raw.length));
	return view;
}
const randomUUID = () => host("uuid");
function randomInt(min, max, done) {
	if (typeof max !== "number") [min, max, done] = [0, min, max];
	const range = max - min;
	// As many bytes as 2⁴⁸ needs; a value past the last whole range is drawn again.
	const limit = 2 ** 48 - (2 ** 48 % range);
	let n;
	do n = randomBytes(6).reduce((a, b) => a * 256 + b, 0); while (n >= limit);
	const out = min + (n % range);
	if (!done) return out;
	queueMicrotask(() => done(null, out));
}
function timingSafeEqual(a, b) {
	if (a.byteLength !== b.byteLength) throw Object.assign(new RangeError("Input buffers must have the same byte length"), { code: "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH" });
	const x = bytesOf(a), y = bytesOf(b);
	let different = 0;
	for (let i = 0; i < x.length; i++) different |= x[i] ^ y[i];
	return different === 0;
}
const subtle = {
	async digest(algorithm, v) {
		const out = new Hash(algorithm.name ?? algorithm).update(v).digest();
		return out.buffer.slice(out.byteOffset, out.byteOffset + out.byteLength);
	},
};
module.exports = {
	createHash: (name) => new Hash(name), createHmac: (name, key) => new Hash(name, bytesOf(key).toBase64()),
	hash: (name, v, encoding = "hex") => new Hash(name).update(v).digest(encoding),
	getHashes: () => ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
	randomBytes, randomFillSync, randomUUID, randomInt, timingSafeEqual, Hash, subtle,
	getRandomValues: randomFillSync, pseudoRandomBytes: randomBytes,
};
module.exports.webcrypto = { subtle, getRandomValues: randomFillSync, randomUUID };
Object.defineProperty(module.exports, "crypto", { value: module.exports.webcrypto, enumerable: false });
