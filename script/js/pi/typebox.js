// Our own small TypeBox: it makes the JSON Schemas that the real one makes. What is said
// of a schema besides stands in marks that JSON does not show.
const { kind, optional, readonly, immutable, codec, refine, schemaOf: schema, copy, mark: markAs } = require("pi/typebox_marks");
const mark = (s) => markAs(s, optional);
const basic = (name, type) => (options = {}) => schema(name, { type, ...options });
function object(properties, options = {}) {
	const required = Object.keys(properties).filter((k) => !properties[k][optional]);
	return schema("Object", { type: "object", ...(required.length ? { required } : {}), properties, ...options });
}
const keysOf = (keys) => (Array.isArray(keys) ? keys : Type.Literals(keys));
const each = (s, change, options) => object(Object.fromEntries(Object.entries(s.properties).map(([k, v]) => [k, change(v)])), options);
const choose = (s, want, options) => object(Object.fromEntries(Object.entries(s.properties).filter(([k]) => want(k))), options);
const constOf = (v) => ({ type: typeof v, const: v });
const union = (list, options) => (list.length === 1 && !options ? list[0] : list.length === 0 ? Type.Never() : Type.Union(list, options));
const variants = (s) => (s[kind] === "Union" ? s.anyOf : s[kind] === "Enum" ? s.enum.map((v) => Type.Literal(v)) : [s]);
// Whether every value of a is one of b, for the kinds whose variants are told apart.
function within(a, b) {
	if (b[kind] === "Any" || b[kind] === "Unknown") return true;
	if (b[kind] === "Union" || b[kind] === "Enum") return variants(b).some((x) => within(a, x));
	if (a[kind] === "Literal") return b[kind] === "Literal" ? a.const === b.const : b.type === a.type;
	if (a[kind] === "Integer" && b[kind] === "Number") return true;
	return a[kind] === b[kind] && JSON.stringify(a) === JSON.stringify(b);
}
const spelled = (name, change) => {
	const fn = (s, options = {}) => {
		if (s[kind] === "Literal") return typeof s.const === "string" ? Type.Literal(change(s.const), options) : s;
		if (s[kind] === "Union") return Type.Union(s.anyOf.map((x) => fn(x)), options);
		throw notThere(`Type.${name} of a schema that is no literal or union of literals`);
	};
	return fn;
};
const notThere = (what) => new Error(`${what} of typebox is not available in extui`);
const numberPattern = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?", integerPattern = "-?(?:0|[1-9][0-9]*)";
const plain = (text) => String(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
// The pattern of one part of a template, without its ends.
function patternOf(s) {
	switch (s[kind]) {
		case "Literal": return plain(s.const);
		case "Union": return `(${s.anyOf.map(patternOf).join("|")})`;
		case "Enum": return `(${s.enum.map(plain).join("|")})`;
		case "String": return ".*";
		case "Number": return numberPattern;
		case "Integer": case "BigInt": return integerPattern;
		case "Boolean": return "(false|true)";
		case "TemplateLiteral": return s.pattern.slice(1, -1);
	}
	throw notThere(`Type.TemplateLiteral with a part of the kind ${s[kind]}`);
}
const named = { string: "String", number: "Number", integer: "Integer", bigint: "BigInt", boolean: "Boolean" };
function template(text) {
	return text.split(/(\$\{[^}]*\})/).map((part) => {
		const inside = /^\$\{([^}]*)\}$/.exec(part)?.[1];
		if (inside === undefined) return plain(part);
		const parts = inside.split("|").map((p) => p.trim()).map((p) => {
			const literal = /^(['"])(.*)\1$/.exec(p)?.[2] ?? (/^-?\d+(?:\.\d+)?$/.test(p) ? p : undefined);
			if (literal !== undefined) return Type.Literal(literal);
			if (!named[p]) throw notThere(`Type.TemplateLiteral with \${${inside}}`);
			return Type[named[p]]();
		});
		return parts.length === 1 ? patternOf(parts[0]) : `(${parts.map(patternOf).join("|")})`;
	}).join("");
}
const marked = (s, decode, encode) => {
	const before = s[codec];
	return markAs(s, codec, before ? { decode: (v) => decode(before.decode(v)), encode: (v) => before.encode(encode(v)) } : { decode, encode });
};
class EncodeBuilder {
	constructor(type, decode) { this.type = type; this.decode = decode; }
	Encode(encode) { return marked(this.type, this.decode, encode); }
}
class DecodeBuilder {
	constructor(type) { this.type = type; }
	Decode(decode) { return new EncodeBuilder(this.type, decode); }
}
const oneWay = (way) => () => { throw new Error(`${way} not implemented`); };

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
		if (key[kind] === "Union" || key[kind] === "Literal" || key[kind] === "Enum") return object(Object.fromEntries(Type.Literals(key).map((k) => [k, value])), options);
		const pattern = key.type === "integer" ? `^${integerPattern}$` : key.type === "number" ? `^${numberPattern}$` : (key.pattern ?? "^.*$");
		return schema("Record", { type: "object", patternProperties: { [pattern]: value }, ...options });
	},
	Optional: mark,
	Required: (s, options) => each(s, (v) => copy(v, optional), options),
	Partial: (s, options) => each(s, (v) => (v[optional] ? v : mark(v)), options),
	Pick: (s, keys, options) => choose(s, (k) => keysOf(keys).includes(k), options),
	Omit: (s, keys, options) => choose(s, (k) => !keysOf(keys).includes(k), options),
	KeyOf: (s, options) => union(Object.keys(s.properties).map((k) => Type.Literal(k)), options),
	Index: (s, key, options) => union(s[kind] === "Array" ? [s.items] : keysOf(key).map((k) => s.properties[k]).filter(Boolean), options),
	Composite: (list, options) => object(Object.assign({}, ...list.map((s) => s.properties)), options),
	Readonly: (s) => markAs(s, readonly), ReadonlyOptional: (s) => markAs(mark(s), readonly), ReadonlyType: (s) => s, ReadonlyObject: (s) => s, Immutable: (s) => markAs(s, immutable),
	Exclude: (s, out, options) => union(variants(s).filter((x) => !within(x, out)), options),
	Extract: (s, want, options) => union(variants(s).filter((x) => within(x, want)), options),
	NonNullable: (s, options) => union(variants(s).filter((x) => x[kind] !== "Null" && x[kind] !== "Undefined"), options),
	Capitalize: spelled("Capitalize", (t) => t.charAt(0).toUpperCase() + t.slice(1)), Uncapitalize: spelled("Uncapitalize", (t) => t.charAt(0).toLowerCase() + t.slice(1)),
	Uppercase: spelled("Uppercase", (t) => t.toUpperCase()), Lowercase: spelled("Lowercase", (t) => t.toLowerCase()),
	TemplateLiteral: (parts, options = {}) => schema("TemplateLiteral", { type: "string", pattern: `^${typeof parts === "string" ? template(parts) : parts.map(patternOf).join("")}$`, ...options }),
	Cyclic: (defs, name, options = {}) => schema("Cyclic", { $defs: Object.fromEntries(Object.entries(defs).map(([k, s]) => [k, Object.assign(copy(s), { $id: k })])), $ref: name, ...options }),
	This: (options = {}) => schema("This", { $ref: "#", ...options }),
	Interface: (bases, properties, options = {}) => object(Object.assign({}, ...bases.map((s) => s.properties), properties), options),
	RecordKey(s) {
		const pattern = Type.RecordPattern(s);
		return pattern === "^.*$" ? Type.String() : pattern === `^${numberPattern}$` ? Type.Number() : pattern === `^${integerPattern}$` ? Type.Integer() : Type.String({ pattern });
	},
	RecordPattern: (s) => Object.keys(s.patternProperties)[0], RecordValue: (s) => Object.values(s.patternProperties)[0],
	Codec: (s) => new DecodeBuilder(s), Decode: (s, decode) => marked(s, decode, oneWay("Encode")), Encode: (s, encode) => marked(s, oneWay("Decode"), encode),
	Refine: (s, check, error = () => "Refine Error") => markAs(s, refine, [...(s[refine] ?? []), { check, error: typeof error === "function" ? error : () => error }]),
	With: (s, options) => Object.assign(copy(s), options),
	Identifier: (name) => schema("Identifier", { name }),
	Constructor: (parameters, instanceType, options = {}) => schema("Constructor", { type: "constructor", parameters, instanceType, ...options }),
	Parameters: (s, options) => Type.Tuple(s.parameters, options), ConstructorParameters: (s, options) => Type.Tuple(s.parameters, options),
	ReturnType: (s) => s.returnType, InstanceType: (s) => s.instanceType,
	Ref: (name, options = {}) => schema("Ref", { $ref: typeof name === "string" ? name : name.$id, ...options }),
	Not: (s, options = {}) => schema("Not", { not: s, ...options }),
	Date: (options = {}) => schema("Date", { type: "Date", ...options }),
	Uint8Array: (options = {}) => schema("Uint8Array", { type: "Uint8Array", ...options }),
	RegExp: (r, options = {}) => schema("RegExp", { type: "string", pattern: typeof r === "string" ? r : r.source, ...options }),
	Function: (parameters, returnType, options = {}) => schema("Function", { type: "function", parameters, returnType, ...options }),
	Options: (s, options) => Object.assign(copy(s), options),
	Clone: (s) => copy(s),
};
Type.Const = Type.Literal;
Object.defineProperty(Type, "Literals", { value: (s) => (s.anyOf ? s.anyOf.map((v) => v.const) : [s.const]), enumerable: false });
// What is one of these, by the name that the schema has.
for (const name of ["Any", "Array", "BigInt", "Boolean", "Constructor", "Cyclic", "Enum", "Function", "Identifier", "Integer", "Intersect", "Literal", "Never", "Null", "Number", "Object",
	"Record", "Ref", "String", "Symbol", "TemplateLiteral", "This", "Tuple", "Undefined", "Union", "Unknown", "Void"]) Type["Is" + name] = (s) => s?.[kind] === name;
for (const [name, of] of Object.entries({ Optional: optional, Readonly: readonly, Immutable: immutable, Codec: codec, Refine: refine })) Type["Is" + name] = (s) => !!s?.[of];
Type.IsKind = (s, name) => s?.[kind] === name;
Type.IsSchema = (s) => typeof s === "object" && s !== null && !Array.isArray(s);
Type.IsUnsafe = (s) => s?.[kind] === "Unsafe";
// What the real one has besides, which says so when it is called.
for (const name of ["Call", "Conditional", "Dependent", "Evaluate", "Extends", "Generic", "Infer", "Instantiate", "Mapped", "Module", "Parameter", "Rest", "Script"]) {
	Type[name] = () => { throw notThere(`Type.${name}`); };
}
for (const name of ["Call", "Dependent", "EnumValue", "Generic", "Infer", "Parameter", "Rest"]) Type["Is" + name] = () => false;
module.exports = { Type, Kind: kind, ...Type };
module.exports.default = Type;
Object.defineProperty(module.exports, "default", { enumerable: false });
