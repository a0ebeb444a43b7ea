// node:zlib, without Brotli and Zstandard. Go does the work.
const { host, start } = internal;
const { Buffer, wrap } = require("node/buffer");

const constants = {
	Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9,
	Z_DEFAULT_COMPRESSION: -1, Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_DEFAULT_STRATEGY: 0, Z_OK: 0, Z_DATA_ERROR: -3, Z_BUF_ERROR: -5,
};
function bytes(value) {
	if (typeof value === "string") return Buffer.from(value).toBase64();
	if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).toBase64();
	if (value instanceof ArrayBuffer) return new Uint8Array(value).toBase64();
	throw Object.assign(new TypeError('The "buffer" argument must be of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer.'), { code: "ERR_INVALID_ARG_TYPE" });
}
const ask = (how, value, options) => [how, bytes(value), options?.level ?? -1, options?.maxOutputLength ?? 0];
const result = (text) => wrap(Uint8Array.fromBase64(text));
const numbered = (error) => Object.assign(error, error.code in constants ? { errno: constants[error.code] } : undefined);

exports.constants = constants;
Object.assign(exports, constants);
for (const [name, how] of Object.entries({
	gzip: "+gzip", deflate: "+zlib", deflateRaw: "+raw", gunzip: "-gzip", inflate: "-zlib", inflateRaw: "-raw", unzip: "-any",
})) {
	exports[name + "Sync"] = (value, options) => {
		try {
			return result(host("zlib", ...ask(how, value, options)));
		} catch (error) {
			throw numbered(error);
		}
	};
	exports[name] = (value, options, done = options) => {
		if (typeof done !== "function") throw Object.assign(new TypeError('The "callback" argument must be of type function.'), { code: "ERR_INVALID_ARG_TYPE" });
		start("zlibasync", ...ask(how, value, typeof options === "object" ? options : undefined))
			.then((out) => done(null, result(out)), (error) => done(numbered(error))).catch((error) => internal.uncaught("callback", error));
	};
	// As a stream it gathers what comes, and gives the whole at the end.
	exports["create" + name[0].toUpperCase() + name.slice(1)] = (options) => {
		const all = [];
		return new (require("node/stream").Transform)({
			transform(chunk, _, next) { all.push(chunk); next(); },
			flush(end) { exports[name](Buffer.concat(all), options ?? {}, end); },
		});
	};
}
exports.crc32 = (value, before = 0) => host("crc32", bytes(value), before);
