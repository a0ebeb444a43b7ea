// typebox/value: checks values of JavaScript by a schema, and makes of them what it wants.
const { kind, optional, codec, refine, schemaOf } = require("pi/typebox_marks");
const { formats } = require("pi/typebox_formats");
const { expression } = require("patterns");

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const isSchema = (s) => typeof s === "boolean" || isObject(s);
function equal(a, b) {
	if (Object.is(a, b) || a === b) return true;
	if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
	if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
	const keys = Object.keys(a);
	return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}
function clone(v) {
	if (Array.isArray(v)) return v.map(clone);
	if (v instanceof Date) return new Date(v);
	if (v instanceof Map) return new Map([...v].map(([k, x]) => [clone(k), clone(x)]));
	if (v instanceof Set) return new Set([...v].map(clone));
	if (ArrayBuffer.isView(v) && !(v instanceof DataView)) return v.slice();
	const proto = isObject(v) ? Object.getPrototypeOf(v) : undefined;
	if (proto !== null && proto !== Object.prototype) return v;
	return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, clone(x)]));
}

const types = {
	object: isObject, array: Array.isArray, string: (v) => typeof v === "string", number: Number.isFinite, integer: Number.isInteger,
	boolean: (v) => typeof v === "boolean", null: (v) => v === null, bigint: (v) => typeof v === "bigint", symbol: (v) => typeof v === "symbol",
	undefined: (v) => v === undefined, void: (v) => v === undefined, function: (v) => typeof v === "function", constructor: (v) => typeof v === "function",
};
// A schema inside another, with what its references mean.
function refer(scope, ref) {
	if (Object.hasOwn(scope.names, ref)) return scope.names[ref];
	if (ref === "#") return scope.root;
	if (ref.startsWith("#/")) {
		let at = scope.root;
		for (const part of ref.slice(2).split("/")) at = at?.[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
		return at;
	}
	return undefined;
}
function scopeOf(names, root) { return { names: { ...names }, root }; }
function inside(scope, s) { return s.$defs ? { names: { ...scope.names, ...s.$defs }, root: scope.root } : scope; }

// Each rule says what is wrong with a value of its kind: [keyword, when it applies, check].
// A check calls say(params) for what is wrong itself, and sub for what is inside.
const limit = (comparison, text, bad) => [text, (s, v, at) => { if (bad(v, s[text])) at.say({ comparison, limit: s[text] }); }];
const size = (text, of, bad) => [text, (s, v, at) => { if (bad(of(v), s[text])) at.say({ limit: s[text] }); }];
const points = (text) => [...text].length;
const more = (a, b) => a > b, less = (a, b) => a < b;
const known = (s, key) => Object.hasOwn(s.properties ?? {}, key) || Object.keys(s.patternProperties ?? {}).some((p) => expression(p).test(key));
const each = (s, v, keys, at, keyword) => {
	const bad = keys.filter((k) => !at.sub(s[keyword], v[k], keyword, k));
	if (bad.length) at.say({ [keyword]: bad });
};
const rules = {
	any: [["type", (s, v, at) => { if (![s.type].flat().some((t) => types[t]?.(v) ?? true)) at.say({ type: s.type }); }]],
	object: [
		["required", (s, v, at) => { const missing = s.required.filter((k) => !(k in v)); if (missing.length) at.say({ requiredProperties: missing }); }],
		["additionalProperties", (s, v, at) => each(s, v, Object.keys(v).filter((k) => !known(s, k)), at, "additionalProperties")],
		["dependentRequired", (s, v, at) => {
			for (const [k, list] of Object.entries(s.dependentRequired)) if (k in v && list.some((x) => !(x in v))) at.say({ property: k, dependencies: list });
		}],
		["dependentSchemas", (s, v, at) => { for (const [k, x] of Object.entries(s.dependentSchemas)) if (k in v) at.sub(x, v, `dependentSchemas/${k}`); }],
		["patternProperties", (s, v, at) => {
			for (const [p, x] of Object.entries(s.patternProperties)) for (const k of Object.keys(v)) if (expression(p).test(k)) at.sub(x, v[k], `patternProperties/${p}`, k);
		}],
		["properties", (s, v, at) => {
			for (const [k, x] of Object.entries(s.properties)) if (k in v && (v[k] !== undefined || s.required?.includes(k))) at.sub(x, v[k], `properties/${k}`, k);
		}],
		["propertyNames", (s, v, at) => { const bad = Object.keys(v).filter((k) => !at.sub(s.propertyNames, k, "propertyNames", k)); if (bad.length) at.say({ propertyNames: bad }); }],
		size("minProperties", (v) => Object.keys(v).length, less), size("maxProperties", (v) => Object.keys(v).length, more),
	],
	array: [
		["additionalItems", (s, v, at) => {
			if (Array.isArray(s.items) && v.slice(s.items.length).filter((x, i) => !at.sub(s.additionalItems, x, "additionalItems", s.items.length + i)).length) at.bad();
		}],
		["contains", (s, v, at) => { if (s.minContains !== 0 && !v.some((x) => at.fits(s.contains, x))) at.say({ minContains: 1 }); }],
		["items", (s, v, at) => {
			if (Array.isArray(s.items)) s.items.forEach((x, i) => { if (i < v.length) at.sub(x, v[i], `items/${i}`, i); });
			else v.forEach((x, i) => { if (i >= (s.prefixItems?.length ?? 0)) at.sub(s.items, x, "items", i); });
		}],
		["maxContains", (s, v, at) => { if (s.contains && v.filter((x) => at.fits(s.contains, x)).length > s.maxContains) at.say({ minContains: s.minContains ?? 1, maxContains: s.maxContains }, "contains"); }],
		size("maxItems", (v) => v.length, more),
		["minContains", (s, v, at) => { if (s.contains && v.filter((x) => at.fits(s.contains, x)).length < s.minContains) at.say({ minContains: s.minContains }, "contains"); }],
		size("minItems", (v) => v.length, less),
		["prefixItems", (s, v, at) => s.prefixItems.forEach((x, i) => { if (i < v.length) at.sub(x, v[i], `prefixItems/${i}`, i); })],
		["uniqueItems", (s, v, at) => { const twice = v.flatMap((x, i) => (v.slice(0, i).some((y) => equal(x, y)) ? [i] : [])); if (s.uniqueItems && twice.length) at.say({ duplicateItems: twice }); }],
	],
	string: [
		size("maxLength", points, more), size("minLength", points, less),
		["format", (s, v, at) => { if (formats[s.format] && !formats[s.format](v)) at.say({ format: s.format }); }],
		["pattern", (s, v, at) => { const re = s.pattern instanceof RegExp ? s.pattern : expression(s.pattern); if (!re.test(v)) at.say({ pattern: s.pattern }); }],
	],
	number: [
		limit("<", "exclusiveMaximum", (v, n) => v >= n), limit(">", "exclusiveMinimum", (v, n) => v <= n),
		limit("<=", "maximum", more), limit(">=", "minimum", less),
		["multipleOf", (s, v, at) => {
			const n = s.multipleOf;
			if (typeof v === "bigint" || typeof n === "bigint" ? BigInt(v) % BigInt(n) !== 0n : Math.abs(v / n - Math.round(v / n)) > 1e-9) at.say({ multipleOf: n });
		}],
	],
	last: [
		["$ref", (s, v, at) => {
			const to = refer(at.scope, s.$ref);
			if (to === undefined || !at.sub(to, v, null)) at.bad();
		}],
		["const", (s, v, at) => { if (!equal(s.const, v)) at.say({ allowedValue: s.const }); }],
		["enum", (s, v, at) => { if (!s.enum.some((x) => equal(x, v))) at.say({ allowedValues: s.enum }); }],
		["if", (s, v, at) => {
			const branch = at.fits(s.if, v) ? "then" : "else";
			if (s[branch] !== undefined && !at.fits(s[branch], v)) at.say({ failingKeyword: branch });
		}],
		["not", (s, v, at) => { if (at.fits(s.not, v)) at.say({}); }],
		["allOf", (s, v, at) => s.allOf.forEach((x, i) => at.sub(x, v, `allOf/${i}`))],
		["anyOf", (s, v, at) => { if (!s.anyOf.some((x) => at.fits(x, v))) { s.anyOf.forEach((x, i) => at.sub(x, v, `anyOf/${i}`)); at.say({}); } }],
		["oneOf", (s, v, at) => {
			const fitting = s.oneOf.flatMap((x, i) => (at.fits(x, v) ? [i] : []));
			if (fitting.length === 1) return;
			if (fitting.length === 0) s.oneOf.forEach((x, i) => at.sub(x, v, `oneOf/${i}`));
			at.say({ passingSchemas: fitting });
		}],
		["unevaluatedProperties", (s, v, at) => {
			if (!isObject(v)) return;
			const seen = evaluated(at, s, v);
			const bad = Object.keys(v).filter((k) => !seen(k) && !at.fits(s.unevaluatedProperties, v[k]));
			if (bad.length) at.say({ unevaluatedProperties: bad });
		}],
	],
};
// Which members of a value the forms of a schema speak of.
function evaluated(at, s, v) {
	const forms = [s, ...(s.allOf ?? []), ...[...(s.anyOf ?? []), ...(s.oneOf ?? [])].filter((x) => at.fits(x, v))].map((x) => (x.$ref && refer(at.scope, x.$ref)) || x);
	return (key) => forms.some((f) => known(f, key) || (f.additionalProperties !== undefined && f !== s));
}
const kindsOf = (v) => [
	...rules.any, ...(isObject(v) ? rules.object : Array.isArray(v) ? rules.array : typeof v === "string" ? rules.string : typeof v === "number" || typeof v === "bigint" ? rules.number : []), ...rules.last,
];
// examine reports whether a value fits, and adds to found what does not, up to eight.
const most = 8;
function examine(scope, s, v, place, path, found) {
	if (s === true) return true;
	const add = (keyword, params, message) => { if (found && found.length < most) found.push({ keyword, schemaPath: place, instancePath: path, params, message }); };
	if (s === false) { add("boolean", {}, "schema is false"); return false; }
	const at = {
		ok: true, scope: inside(scope, s),
		bad() { at.ok = false; },
		say(params, keyword = at.keyword) { at.ok = false; add(keyword, params, texts[keyword](params)); },
		fits: (x, value) => examine(at.scope, x, value, "", "", null),
		sub(x, value, below, key) {
			const ok = examine(at.scope, x, value, below === null ? "#" : `${place}/${below}`, key === undefined ? path : `${path}/${key}`, found);
			if (!ok) at.ok = false;
			return ok;
		},
	};
	for (const [keyword, rule] of kindsOf(v)) {
		if (s[keyword] === undefined) continue;
		at.keyword = keyword;
		rule(s, v, at);
		if (!at.ok && !found) return false;
	}
	if (at.ok) {
		for (const [i, r] of (s[refine] ?? []).entries()) {
			if (!r.check(v)) { at.ok = false; add(refine, { index: i, message: r.error(v) }, r.error(v)); }
		}
	}
	return at.ok;
}
const count = (what) => ({ limit }) => `must not have ${what[0] === "-" ? "fewer" : "more"} than ${limit} ${what.slice(1)}`;
const compared = ({ comparison, limit }) => `must be ${comparison} ${limit}`;
const texts = {
	type: ({ type }) => (Array.isArray(type) ? `must be either ${type.join(" or ")}` : `must be ${type}`),
	required: ({ requiredProperties: list }) => `must have required properties ${list.join(", ")}`,
	additionalProperties: () => "must not have additional properties",
	unevaluatedProperties: () => "must not have unevaluated properties",
	dependentRequired: ({ property, dependencies }) => `must have properties ${dependencies.join(", ")} when property ${property} is present`,
	propertyNames: ({ propertyNames }) => `property names ${propertyNames.join(", ")} are invalid`,
	minProperties: count("-properties"), maxProperties: count("+properties"), minItems: count("-items"), maxItems: count("+items"),
	minLength: count("-characters"), maxLength: count("+characters"),
	contains: () => "must contain at least 1 valid item", uniqueItems: () => "must not have duplicate items",
	format: ({ format }) => `must match format "${format}"`, pattern: ({ pattern }) => `must match pattern "${pattern}"`,
	exclusiveMaximum: compared, exclusiveMinimum: compared, maximum: compared, minimum: compared,
	multipleOf: ({ multipleOf }) => `must be multiple of ${multipleOf}`,
	const: () => "must be equal to constant", enum: () => "must be equal to one of the allowed values",
	if: ({ failingKeyword }) => `must match "${failingKeyword}" schema`, not: () => "must not be valid",
	anyOf: () => "must match a schema in anyOf", oneOf: () => "must match exactly one schema in oneOf",
};
const check = (scope, s, v) => examine(scope, s, v, "#", "", null);
function errors(scope, s, v) {
	const found = [];
	examine(scope, s, v, "#", "", found);
	return found;
}

// What a schema is made of, for all that go through a value with it: change(schema, value)
// is what they do with what is inside.
function members(scope, s, v, change, rest) {
	for (const k of Object.keys(v)) {
		const own = Object.hasOwn(s.properties ?? {}, k) ? s.properties[k] : Object.entries(s.patternProperties ?? {}).find(([p]) => expression(p).test(k))?.[1];
		if (own !== undefined) {
			if (v[k] !== undefined || !own[optional]) v[k] = change(own, v[k]);
		} else rest(k);
	}
	return v;
}
// The members of an intersection as one object, or null if it is none.
function merged(scope, s) {
	const parts = s.allOf.map((x) => (x.$ref && refer(scope, x.$ref)) || x).map((x) => (x[kind] === "Intersect" ? merged(scope, x) : x));
	if (!parts.every((x) => x && x[kind] === "Object")) return null;
	const fields = { type: "object", properties: Object.assign({}, ...parts.map((x) => x.properties)) };
	const required = [...new Set(parts.flatMap((x) => x.required ?? []))];
	if (s.unevaluatedProperties !== undefined) fields.additionalProperties = s.unevaluatedProperties;
	return schemaOf("Object", { ...fields, required });
}

const none = Symbol("none");
const whole = (text) => (/^-?(?:0|[1-9]\d*)n$/.test(text) ? BigInt(text.slice(0, -1)) : /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? BigInt(text.split(".")[0]) : none);
const nothing = (v) => v === null || v === undefined || v === false || v === 0 || v === 0n || (typeof v === "string" && ["undefined", "null", "", "0"].includes(v.toLowerCase()));
const truth = { true: 1, false: 0 };
const as = {
	string: (v) => (v === undefined ? "" : v === null || ["number", "boolean", "bigint"].includes(typeof v) ? String(v) : none),
	number(v) {
		if (v === null || v === undefined) return 0;
		if (typeof v === "boolean") return v ? 1 : 0;
		if (typeof v === "string" && v.toLowerCase() in truth) return truth[v.toLowerCase()];
		const n = typeof v === "string" ? (Number.isFinite(+v) ? +v : whole(v)) : v;
		if (typeof n === "bigint") return Number.isSafeInteger(Number(n)) ? Number(n) : none;
		return Number.isFinite(n) ? n : none;
	},
	integer(v) { const n = as.number(v); return n === none ? none : Math.trunc(n); },
	bigint(v) {
		if (typeof v === "string") return v.toLowerCase() in truth ? BigInt(truth[v.toLowerCase()]) : whole(v);
		const n = typeof v === "bigint" ? v : as.number(v);
		return n === none ? none : BigInt(typeof n === "number" ? Math.trunc(n) : n);
	},
	boolean(v) {
		if (v === null || v === undefined) return false;
		const text = typeof v === "object" ? "" : String(v).toLowerCase();
		return ["true", "1"].includes(text) ? true : ["false", "0"].includes(text) ? false : none;
	},
	null: (v) => (nothing(v) ? null : none),
	undefined: (v) => (nothing(v) ? undefined : none),
};
as.void = as.undefined;
const scalars = { String: "string", TemplateLiteral: "string", Number: "number", Integer: "integer", BigInt: "bigint", Boolean: "boolean", Null: "null", Undefined: "undefined", Void: "void" };
function convert(scope, s, v) {
	const within = inside(scope, s), change = (x, value) => convert(within, x, value);
	const to = scalars[s[kind]];
	if (to !== undefined) {
		const made = types[to](v) ? v : as[to](v);
		return made === none ? v : made;
	}
	const select = (list) => {
		if (list.some((x) => check(within, x, v))) return v;
		const made = list.map((x) => change(x, clone(v))).find((x) => check(within, s, x));
		return made === undefined ? v : made;
	};
	const literal = (want) => (as[want === null ? "null" : typeof want]?.(v) === want ? want : v);
	switch (s[kind]) {
		case "Literal": return literal(s.const);
		case "Enum": return s.enum.includes(v) ? v : (s.enum.find((x) => literal(x) === x) ?? v);
		case "Union": return select(s.anyOf);
		case "Intersect": { const one = merged(within, s); return one ? change(one, v) : s.allOf.reduce((x, t) => change(t, x), v); }
		case "Array": return (Array.isArray(v) ? v : [v]).map((x) => change(s.items, x));
		case "Tuple": return Array.isArray(v) ? v.map((x, i) => (i < s.items.length ? change(s.items[i], x) : x)) : v;
		case "Object": case "Record":
			return isObject(v) ? members(within, s, v, change, (k) => { if (isObject(s.additionalProperties)) v[k] = change(s.additionalProperties, v[k]); }) : v;
		case "Ref": case "Cyclic": case "This": { const next = refer(within, s.$ref); return next ? change(next, v) : v; }
	}
	return v;
}
function clean(scope, s, v) {
	const within = inside(scope, s), change = (x, value) => clean(within, x, value);
	switch (s[kind]) {
		case "Union": for (const x of s.anyOf) { const made = change(x, clone(v)); if (check(within, x, made)) return made; } return v;
		case "Intersect": { const one = merged(within, s); return one ? change(one, v) : v; }
		case "Array": return Array.isArray(v) ? v.map((x) => change(s.items, x)) : v;
		case "Tuple": return Array.isArray(v) ? v.slice(0, s.items.length).map((x, i) => change(s.items[i], x)) : v;
		case "Object": case "Record": {
			const extra = s.additionalProperties;
			return isObject(v) ? members(within, s, v, change, (k) => {
				if (isObject(extra) && check(within, extra, v[k])) v[k] = change(extra, v[k]);
				else if (extra !== true && (s[kind] === "Object" || extra !== undefined)) delete v[k];
			}) : v;
		}
		case "Ref": case "Cyclic": case "This": { const next = refer(within, s.$ref); return next ? change(next, v) : v; }
	}
	return v;
}
const defaultOf = (s) => (typeof s.default === "function" ? s.default() : clone(s.default));
function fill(scope, s, v) {
	const within = inside(scope, s), change = (x, value) => fill(within, x, value);
	if (v === undefined && "default" in s) v = defaultOf(s);
	switch (s[kind]) {
		case "Union": for (const x of s.anyOf) { const made = change(x, clone(v)); if (check(within, x, made)) return made; } return v;
		case "Intersect": { const one = merged(within, s); return one ? change(one, v) : v; }
		case "Array": return Array.isArray(v) ? v.map((x) => change(s.items, x)) : v;
		case "Tuple": return Array.isArray(v) ? Array.from({ length: Math.max(v.length, s.items.length) }, (_, i) => (i < s.items.length ? change(s.items[i], v[i]) : v[i])) : v;
		case "Object": case "Record":
			if (!isObject(v)) return v;
			for (const [k, x] of Object.entries(s.properties ?? {})) {
				const made = change(x, v[k]);
				if (made !== undefined || (!x[optional] && "default" in x)) v[k] = made;
			}
			for (const k of Object.keys(v)) {
				const x = Object.entries(s.patternProperties ?? {}).find(([p]) => expression(p).test(k))?.[1] ?? (known(s, k) ? undefined : s.additionalProperties);
				if (isObject(x) && (s[kind] === "Object" || "default" in x)) v[k] = change(x, v[k]);
			}
			return v;
		case "Ref": case "Cyclic": case "This": { const next = refer(within, s.$ref); return next ? change(next, v) : v; }
	}
	return v;
}
// The codecs of a schema: from the inside out when a value is decoded, and back.
function run(way, scope, s, v) {
	if (!isObject(s)) return v;
	const within = inside(scope, s), change = (x, value) => run(way, within, x, value);
	const call = (value) => (s[codec] ? s[codec][way](value) : value);
	const through = (value) => {
		switch (s[kind]) {
			case "Array": return Array.isArray(value) ? value.map((x) => change(s.items, x)) : value;
			case "Tuple": return Array.isArray(value) ? value.map((x, i) => (i < s.items.length ? change(s.items[i], x) : x)) : value;
			case "Object": case "Record":
				return isObject(value) ? members(within, s, value, change, (k) => { if (isObject(s.additionalProperties)) value[k] = change(s.additionalProperties, value[k]); }) : value;
			case "Intersect": return s.allOf.reduce((x, t) => change(t, x), value);
			case "Union":
				for (const x of s.anyOf) {
					if (way === "decode" && check(within, x, value)) return change(x, value);
					if (way === "encode") {
						let made;
						try { made = change(x, clone(value)); } catch { continue; } // a codec of another form
						if (check(within, x, made)) return made;
					}
				}
				return value;
			case "Ref": case "Cyclic": case "This": { const next = refer(within, s.$ref); return next ? change(next, value) : value; }
		}
		return value;
	};
	return way === "decode" ? call(through(v)) : through(call(v));
}
function hasCodec(scope, s, seen = new Set()) {
	if (!isObject(s) || seen.has(s)) return false;
	seen.add(s);
	if (s[codec]) return true;
	const below = [s.items, s.additionalProperties, s.$ref && refer(inside(scope, s), s.$ref), ...(s.anyOf ?? []), ...(s.allOf ?? []), ...Object.values(s.properties ?? {}), ...Object.values(s.patternProperties ?? {})];
	return below.flat().some((x) => hasCodec(inside(scope, s), x, seen));
}
function create(scope, s) {
	const within = inside(scope, s), make = (x) => create(within, x);
	if ("default" in s) return defaultOf(s);
	switch (s[kind]) {
		case "String":
			if (s.pattern !== undefined || s.format !== undefined) throw new Error("Strings with format or pattern constraints must specify default");
			return " ".repeat(s.minLength ?? 0);
		case "Number": case "Integer": return s.exclusiveMinimum !== undefined ? s.exclusiveMinimum + 1 : (s.minimum ?? 0);
		case "BigInt": return BigInt(s.minimum ?? 0);
		case "Boolean": return false;
		case "Null": return null;
		case "Undefined": case "Void": return undefined;
		case "Literal": return s.const;
		case "Enum": return s.enum[0];
		case "Union": return make(s.anyOf[0]);
		case "Array": return Array.from({ length: s.minItems ?? 0 }, () => make(s.items));
		case "Tuple": return s.items.map(make);
		case "Record": return {};
		case "Object": return Object.fromEntries((s.required ?? []).map((k) => [k, make(s.properties[k])]));
		case "Intersect": { const one = merged(within, s); if (one) return make(one); break; }
		case "Any": case "Unknown": return {};
		case "Ref": case "Cyclic": case "This": { const next = refer(within, s.$ref); if (next) return make(next); }
	}
	throw new Error(`Value.Create: a value of the kind ${s[kind] ?? "of this schema"} cannot be made in extui; give the schema a default`);
}

class AssertError extends Error {
	constructor(source, value, list) {
		super(source);
		Object.defineProperty(this, "cause", { value: { source, errors: list, value } });
	}
}
class ParseError extends AssertError { constructor(value, list) { super("Parse", value, list); } }
class DecodeError extends AssertError { constructor(value, list) { super("Decode", value, list); } }
class EncodeError extends AssertError { constructor(value, list) { super("Encode", value, list); } }
class CreateError extends Error {}
// Each may have names for references before the schema.
const withScope = (length, fn) => (...args) => {
	const [names, s, v] = args.length > length ? args : [{}, ...args];
	if (!isSchema(s)) throw new TypeError(`typebox/value: the schema must be an object. Received ${s === null ? "null" : typeof s}`);
	return fn(scopeOf(names, s), s, v);
};
const insist = (Kind) => (scope, s, v) => {
	if (!check(scope, s, v)) throw new Kind(v, errors(scope, s, v));
	return v;
};
const tidy = (scope, s, v) => clean(scope, s, convert(scope, s, fill(scope, s, v)));
const Value = {
	Assert: withScope(2, (scope, s, v) => { if (!check(scope, s, v)) throw new AssertError("Assert", v, errors(scope, s, v)); }),
	Check: withScope(2, check), Errors: withScope(2, errors), Clean: withScope(2, clean), Convert: withScope(2, convert), Default: withScope(2, fill),
	Create: withScope(1, create), Parse: withScope(2, insist(ParseError)),
	Decode: withScope(2, (scope, s, v) => run("decode", scope, s, insist(DecodeError)(scope, s, tidy(scope, s, clone(v))))),
	Encode: withScope(2, (scope, s, v) => insist(EncodeError)(scope, s, tidy(scope, s, run("encode", scope, s, clone(v))))),
	HasCodec: withScope(1, (scope, s) => hasCodec(scope, s)),
	Repair: withScope(2, (scope, s, v) => {
		const made = tidy(scope, s, clone(v));
		return check(scope, s, made) ? made : create(scope, s);
	}),
	Equal: equal, Clone: clone,
};
for (const name of ["Diff", "Hash", "Patch", "Pointer", "Mutate"]) {
	const missing = () => { throw new Error(`Value.${name} of typebox/value is not available in extui`); };
	Value[name] = name === "Pointer" ? Object.fromEntries(["Get", "Set", "Has", "Delete", "Indices"].map((n) => [n, missing])) : missing;
}
module.exports = { Value, ...Value, AssertError, ParseError, DecodeError, EncodeError, CreateError, DecodeUnsafe: (names, s, v) => run("decode", scopeOf(names, s), s, v), EncodeUnsafe: (names, s, v) => run("encode", scopeOf(names, s), s, v) };
module.exports.Pipeline = (steps) => (...args) => {
	const [names, s, v] = args.length > 2 ? args : [{}, ...args];
	return steps.reduce((value, step) => step(names, s, value), v);
};
Object.defineProperty(module.exports, "default", { value: Value });
