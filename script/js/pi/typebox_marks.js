// The marks of typebox's schemas, which JSON does not show.
const kind = "~kind", optional = "~optional", readonly = "~readonly", immutable = "~immutable", codec = "~codec", refine = "~refine";
function schemaOf(name, fields) {
	return Object.defineProperty(fields, kind, { value: name, enumerable: false, configurable: true });
}
function copy(s, without) {
	const out = {};
	for (const k of Reflect.ownKeys(s)) if (k !== without) Object.defineProperty(out, k, Object.getOwnPropertyDescriptor(s, k));
	return out;
}
function mark(s, name, value = true) {
	return Object.defineProperty(copy(s), name, { value, enumerable: false, configurable: true });
}
module.exports = { kind, optional, readonly, immutable, codec, refine, schemaOf, copy, mark };
