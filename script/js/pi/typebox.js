// Our own small TypeBox: it makes the JSON Schemas that the real one makes. Optional
// is a mark that JSON does not show.
const kind = "~kind", optional = "~optional";
function schema(name, fields) {
	return Object.defineProperty(fields, kind, { value: name, enumerable: false, configurable: true });
}
function mark(s) {
	return Object.defineProperty(copy(s), optional, { value: true, enumerable: false, configurable: true });
}
function copy(s, without) {
	const out = {};
	for (const k of Reflect.ownKeys(s)) if (k !== without) Object.defineProperty(out, k, Object.getOwnPropertyDescriptor(s, k));
	return out;
}
const basic = (name, type) => (options = {}) => schema(name, { type, ...options });
function object(properties, options = {}) {
	const required = Object.keys(properties).filter((k) => !properties[k][optional]);
	return schema("Object", { type: "object", ...(required.length ? { required } : {}), properties, ...options });
}
const keysOf = (keys) => (Array.isArray(keys) ? keys : Type.Literals(keys));
const each = (s, change, options) => object(Object.fromEntries(Object.entries(s.properties).map(([k, v]) => [k, change(v)])), options);
const choose = (s, want, options) => object(Object.fromEntries(Object.entries(s.properties).filter(([k]) => want(k))), options);
const constOf = (v) => ({ type: typeof v, const: v });

const Type = {
	String: basic("String", "string"), Number: basic("Number", "number"), Integer: basic("Integer", "integer"), Boolean: basic("Boolean", "boolean"),
	Null: basic("Null", "null"), BigInt: basic("BigInt", "bigint"), Undefined: basic("Undefined", "undefined"), Void: basic("Void", "void"), Symbol: basic("Symbol", "symbol"),
	Any: (options = {}) => schema("Any", { ...options }), Unknown: (options = {}) => schema("Unknown", { ...options }),
	Never: (options = {}) => schema("Never", { not: {}, ...options }), Unsafe: (options = {}) => schema("Unsafe", { ...options }),
	Object: object,
	Array: (items, options = {}) => schema("Array", { type: "array", items, ...options }),
	Tuple: (items, options = {}) => schema("Tuple", { type: "array", additionalItems: false, items, minItems: items.length, ...options }),
	Literal: (v, options = {}) => schema("Literal", { ...constOf(v), ...options }),
	Union: (list, options = {}) => schema("Union", { anyOf: list, ...options }),
	Intersect: (list, options = {}) => schema("Intersect", { allOf: list, ...options }),
	Enum: (values, options = {}) => schema("Enum", {
		// An enum of TypeScript with numbers maps both ways; its values are behind the names.
		enum: Array.isArray(values) ? [...values] : Object.entries(values).filter(([k]) => !/^\d+$/.test(k)).map(([, v]) => v), ...options,
	}),
	Record(key, value, options = {}) {
		if (key[kind] === "Union" || key[kind] === "Literal") return object(Object.fromEntries(Type.Literals(key).map((k) => [k, value])), options);
		const pattern = key.type === "integer" ? "^(?:0|[1-9][0-9]*)$" : key.type === "number" ? "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$" : (key.pattern ?? "^.*$");
		return schema("Record", { type: "object", patternProperties: { [pattern]: value }, ...options });
	},
	Optional: mark,
	Required: (s, options) => each(s, (v) => copy(v, optional), options),
	Partial: (s, options) => each(s, (v) => (v[optional] ? v : mark(v)), options),
	Pick: (s, keys, options) => choose(s, (k) => keysOf(keys).includes(k), options),
	Omit: (s, keys, options) => choose(s, (k) => !keysOf(keys).includes(k), options),
	KeyOf: (s, options) => Type.Union(Object.keys(s.properties).map((k) => Type.Literal(k)), options),
	Index: (s, key) => s.properties[keysOf(key)[0]],
	Composite: (list, options) => object(Object.assign({}, ...list.map((s) => s.properties)), options),
	Readonly: (s) => s, ReadonlyOptional: mark,
	Ref: (name, options = {}) => schema("Ref", { $ref: typeof name === "string" ? name : name.$id, ...options }),
	Not: (s, options = {}) => schema("Not", { not: s, ...options }),
	Date: (options = {}) => schema("Date", { type: "Date", ...options }),
	Uint8Array: (options = {}) => schema("Uint8Array", { type: "Uint8Array", ...options }),
	RegExp: (r, options = {}) => schema("RegExp", { type: "string", pattern: typeof r === "string" ? r : r.source, ...options }),
	Function: (parameters, returns, options = {}) => schema("Function", { type: "function", parameters, returns, ...options }),
	Options: (s, options) => Object.assign(copy(s), options),
	Clone: (s) => copy(s),
};
Type.Const = Type.Literal;
Object.defineProperty(Type, "Literals", { value: (s) => (s.anyOf ? s.anyOf.map((v) => v.const) : [s.const]), enumerable: false });
const isKind = (name) => (s) => s?.[kind] === name;
module.exports = {
	Type, Kind: kind, Optional: Type.Optional, IsOptional: (s) => !!s?.[optional], IsSchema: (s) => typeof s === "object" && s !== null && kind in s,
	...Type,
};
for (const name of ["String", "Number", "Integer", "Boolean", "Object", "Array", "Union", "Literal", "Enum", "Null"]) module.exports["Is" + name] = isKind(name);
module.exports.default = Type;
Object.defineProperty(module.exports, "default", { enumerable: false });
