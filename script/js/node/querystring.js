// node:querystring.
const { Buffer } = require("node/buffer");
function unescape(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return unescapeBuffer(text).toString();
	}
}
// Bytes of what cannot be decoded as a whole.
function unescapeBuffer(text) {
	const bytes = Buffer.from(String(text)), out = [];
	for (let i = 0; i < bytes.length; i++) {
		const hex = bytes[i] === 0x25 ? /^[0-9a-f]{2}$/i.exec(bytes.toString("latin1", i + 1, i + 3)) : null;
		out.push(hex ? parseInt(hex[0], 16) : bytes[i]);
		if (hex) i += 2;
	}
	return Buffer.from(out);
}
function escape(text) {
	if (typeof text !== "string") text = typeof text === "object" ? String(text) : text + "";
	try {
		return encodeURIComponent(text);
	} catch {
		throw Object.assign(new URIError("URI malformed"), { code: "ERR_INVALID_URI" });
	}
}
const shown = (v) => (typeof v === "string" ? v : typeof v === "bigint" || typeof v === "boolean" || (typeof v === "number" && Number.isFinite(v)) ? String(v) : "");
function stringify(object, separator = "&", equals = "=", options) {
	const encode = options?.encodeURIComponent ?? module.exports.escape;
	if (object === null || typeof object !== "object") return "";
	return Object.entries(object).flatMap(([k, v]) => (Array.isArray(v) ? v : [v]).map((x) => encode(shown(k)) + (equals || "=") + encode(shown(x)))).join(separator || "&");
}
function parse(text, separator = "&", equals = "=", options = {}) {
	const out = Object.create(null);
	if (typeof text !== "string" || text === "") return out;
	separator = separator ? String(separator) : "&";
	equals = equals ? String(equals) : "=";
	const decode = options?.decodeURIComponent ?? module.exports.unescape;
	const safe = (part) => {
		part = part.replaceAll("+", " ");
		try { return decode(part); } catch { return unescape(part); }
	};
	const most = typeof options?.maxKeys === "number" ? options.maxKeys : 1000;
	let parts = text.split(separator);
	if (most > 0) parts = parts.slice(0, most);
	for (const part of parts) {
		if (part === "") continue;
		const at = part.indexOf(equals);
		const k = safe(at < 0 ? part : part.slice(0, at)), v = at < 0 ? "" : safe(part.slice(at + equals.length));
		if (!(k in out)) out[k] = v;
		else if (Array.isArray(out[k])) out[k].push(v);
		else out[k] = [out[k], v];
	}
	return out;
}
module.exports = { parse, stringify, escape, unescape, unescapeBuffer, decode: parse, encode: stringify };
