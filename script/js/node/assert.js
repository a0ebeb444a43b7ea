// node:assert. The message of a failure shows both values; the text of the failed
// expression, which Node.js reads from the file, is not shown.
const { inspect } = require("node/inspect");
const { same } = require("node/equal");
const { coded, invalidType, received } = require("node/errors");

const shown = (v) => inspect(v, { compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, maxStringLength: Infinity, showHidden: false, breakLength: Infinity, sorted: true });
const heads = {
	deepStrictEqual: "Expected values to be strictly deep-equal:", strictEqual: "Expected values to be strictly equal:",
	deepEqual: "Expected values to be loosely deep-equal:", notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
	notStrictEqual: 'Expected "actual" to be strictly unequal to:', notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
	partialDeepStrictEqual: "Expected values to be partially and strictly deep-equal:",
};
// The lines that both texts share, those that one has alone marked.
function difference(actual, expected) {
	const a = actual.split("\n"), b = expected.split("\n");
	const bare = (line) => line.replace(/,$/, ""); // the last of a list has no comma
	if (a.length * b.length > 1e6) return [...a.map((l) => `+ ${l}`), ...b.map((l) => `- ${l}`)];
	const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
	for (let i = a.length - 1; i >= 0; i--) for (let k = b.length - 1; k >= 0; k--) table[i][k] = bare(a[i]) === bare(b[k]) ? table[i + 1][k + 1] + 1 : Math.max(table[i + 1][k], table[i][k + 1]);
	const out = [];
	for (let i = 0, k = 0; i < a.length || k < b.length;) {
		if (i < a.length && k < b.length && bare(a[i]) === bare(b[k])) { out.push(`  ${a[i].length > b[k].length ? a[i] : b[k]}`); i++; k++; }
		else if (i < a.length && (k >= b.length || table[i + 1][k] >= table[i][k + 1])) out.push(`+ ${a[i++]}`);
		else out.push(`- ${b[k++]}`);
	}
	return out;
}
function messageOf(actual, expected, operator) {
	const head = heads[operator];
	if (operator === "deepStrictEqual" || operator === "strictEqual" || operator === "partialDeepStrictEqual") {
		const a = shown(actual), b = shown(expected);
		const simple = (v) => typeof v !== "object" || v === null, short = a.length + b.length <= 12 && actual !== 0 && expected !== 0;
		if (operator === "strictEqual" && typeof actual === "object" && actual !== null && a === b) return `Values have same structure but are not reference-equal:\n\n${a}\n`;
		if (!a.includes("\n") && !b.includes("\n") && simple(actual) && simple(expected) && short && a !== b) return `${head}\n\n${a} !== ${b}\n`;
		return `${head}\n+ actual - expected\n\n${difference(a, b).join("\n")}\n`;
	}
	if (operator === "notDeepStrictEqual" || operator === "notStrictEqual") {
		const text = shown(actual);
		const head2 = operator === "notStrictEqual" && typeof actual === "object" && actual !== null ? 'Expected "actual" not to be reference-equal to "expected":' : head;
		return text.includes("\n") ? `${head2}\n\n${text}\n` : `${head2}${text.length > 5 ? "\n\n" : " "}${text}`;
	}
	const line = (v) => inspect(v);
	if (operator === "deepEqual" || operator === "notDeepEqual") {
		const a = shown(actual), b = shown(expected);
		if (operator === "notDeepEqual") return `${head}\n\n${a}${a.includes("\n") ? "\n" : ""}`;
		return `${head}\n\n${a}\n\nshould loosely deep-equal\n\n${b}`;
	}
	return `${line(actual)} ${operator} ${line(expected)}`;
}
class AssertionError extends Error {
	constructor(options) {
		if (typeof options !== "object" || options === null) throw invalidType("options", "of type object", options);
		const { message, actual, expected, operator } = options;
		super(message !== undefined && message !== null ? String(message) : operator === undefined || operator === "fail" ? "Failed" : messageOf(actual, expected, operator));
		this.generatedMessage = message === undefined || message === null;
		Object.defineProperty(this, "name", { value: "AssertionError", writable: true, configurable: true });
		this.code = "ERR_ASSERTION";
		this.actual = actual;
		this.expected = expected;
		this.operator = operator;
		this.diff = options.diff ?? "simple";
	}
	toString() { return `${this.name} [${this.code}]: ${this.message}`; }
}
function failWith(options) {
	if (options.message instanceof Error) throw options.message;
	throw new AssertionError(options);
}
function given(names, args, least) {
	if (args.length < least) throw coded(TypeError, "ERR_MISSING_ARGS", `The ${names.map((n) => `"${n}"`).join(" and ")} argument${names.length > 1 ? "s" : ""} must be specified`);
}
function truthy(args) {
	if (args[0]) return;
	let message = args[1], generated = false;
	if (args.length === 0) { message = "No value argument passed to `assert.ok()`"; generated = true; }
	else if (message === undefined || message === null) { message = "The expression evaluated to a falsy value"; generated = true; }
	if (message instanceof Error) throw message;
	throw Object.assign(new AssertionError({ actual: args[0], expected: true, message, operator: "==" }), { generatedMessage: generated });
}
const compare = (operator, test) => {
	const fn = { [operator](...args) {
		given(["actual", "expected"], args, 2);
		const [actual, expected, message] = args;
		if (!test(actual, expected)) failWith({ actual, expected, message, operator });
	} }[operator];
	return fn;
};
const loosely = (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b)); // eslint-disable-line eqeqeq
// Whether the actual value has all of the expected one.
function partly(a, b) {
	if (typeof b !== "object" || b === null || typeof a !== "object" || a === null) return same(a, b, true);
	if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
	if (b instanceof Map) return [...b].every(([k, v]) => a.has(k) && partly(a.get(k), v));
	if (b instanceof Set) return [...b].every((v) => [...a].some((w) => partly(w, v)));
	if (Array.isArray(b)) {
		let at = 0;
		return b.every((v) => { while (at < a.length && !partly(a[at], v)) at++; return at++ < a.length; });
	}
	if (b instanceof Date || b instanceof RegExp || ArrayBuffer.isView(b)) return same(a, b, true);
	return Object.keys(b).every((k) => Object.hasOwn(a, k) && partly(a[k], b[k]));
}

// What a thrown error must be like: a class, an expression, a function or some members.
function expectedError(error, expected, message, operator) {
	if (expected === undefined) return;
	const bad = (text, shape) => {
		if (message instanceof Error) throw message;
		throw Object.assign(new AssertionError({ actual: error, expected, message: message ?? text, operator, ...shape }), { generatedMessage: message === undefined });
	};
	if (expected instanceof RegExp) {
		if (!expected.test(String(error))) bad(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`);
		return;
	}
	if (typeof expected === "object" && expected !== null) {
		const keys = Object.keys(expected);
		if (expected instanceof Error) keys.push("name", "message");
		if (keys.length === 0) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "The argument 'error' may not be an empty object. Received {}");
		const pick = (from) => Object.fromEntries(keys.filter((k) => from !== null && from !== undefined && k in Object(from)).map((k) => [k, from[k]]));
		for (const k of keys) {
			if (typeof error?.[k] === "string" && expected[k] instanceof RegExp && expected[k].test(error[k])) continue;
			if (!(k in Object(error)) || !same(error[k], expected[k], true)) {
				const want = pick(expected), have = pick(error);
				bad(`${heads.deepStrictEqual}\n+ actual - expected\n\n${difference(`Comparison ${shown(have)}`, `Comparison ${shown(want)}`).join("\n")}\n`);
			}
		}
		return;
	}
	if (expected.prototype !== undefined && error instanceof expected) return;
	if (Error.isPrototypeOf(expected) || expected === Error) {
		bad(`The error is expected to be an instance of "${expected.name}". Received ${error instanceof Error ? `"${error.name}"\n\nError message:\n\n${error.message}` : `"${inspect(error, { depth: -1 })}"`}`);
	}
	const result = expected.call({}, error);
	if (result !== true) {
		bad(`The ${expected.name ? `"${expected.name}" ` : ""}validation function is expected to return "true". Received ${inspect(result)}\n\nCaught error:\n\n${error instanceof Error ? error.stack : inspect(error)}`);
	}
}
function forms(args) {
	let [expected, message] = args;
	if (typeof expected === "string") {
		if (args.length === 2) throw invalidType("error", "of type function or an instance of Error, RegExp, or Object", expected);
		[expected, message] = [undefined, expected];
	}
	return [expected, message];
}
const none = Symbol("nothing was thrown");
function run(fn) {
	if (typeof fn !== "function") throw invalidType("fn", "of type function", fn);
	try { fn(); } catch (error) { return error; }
	return none;
}
async function wait(fn) {
	let promise = fn;
	if (typeof fn === "function") {
		promise = fn();
		if (typeof promise?.then !== "function") throw coded(TypeError, "ERR_INVALID_RETURN_VALUE", `Expected instance of Promise to be returned from the "promiseFn" function but got ${promise === null || promise === undefined ? promise : received(promise).replace(/^ Received /, "")}.`);
	} else if (typeof promise?.then !== "function") throw invalidType("promiseFn", "of type function or an instance of Promise", fn);
	try { await promise; } catch (error) { return error; }
	return none;
}
function mustFail(operator, error, args) {
	const [expected, message] = forms(args);
	if (error !== none) return expectedError(error, expected, message, operator);
	const name = expected?.name ? ` (${expected.name})` : "";
	if (message instanceof Error) throw message;
	throw new AssertionError({ actual: undefined, expected, operator, message: `Missing expected ${operator === "rejects" ? "rejection" : "exception"}${name}${message ? `: ${message}` : "."}` });
}
function mustNotFail(operator, error, args) {
	if (error === none) return;
	const [expected, message] = forms(args);
	const meant = expected === undefined || (expected instanceof RegExp ? expected.test(String(error)) : error instanceof expected);
	if (!meant) throw error;
	throw new AssertionError({ actual: error, expected, operator, message: `Got unwanted ${operator === "doesNotReject" ? "rejection" : "exception"}${message ? `: ${message}` : "."}\nActual message: "${error?.message}"` });
}
function matching(operator, wanted) {
	return { [operator](text, expression, message) {
		if (!(expression instanceof RegExp)) throw invalidType("regexp", "an instance of RegExp", expression);
		if (typeof text === "string" && expression.test(text) === wanted) return;
		if (message instanceof Error) throw message;
		const generated = message === undefined;
		message ??= typeof text !== "string" ? `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`
			: `${wanted ? "The input did not match the regular expression" : "The input was expected to not match the regular expression"} ${inspect(expression)}. Input:\n\n${inspect(text)}\n`;
		throw Object.assign(new AssertionError({ actual: text, expected: expression, message, operator }), { generatedMessage: generated });
	} }[operator];
}
const shared = {
	AssertionError,
	strictEqual: compare("strictEqual", Object.is), notStrictEqual: compare("notStrictEqual", (a, b) => !Object.is(a, b)),
	deepStrictEqual: compare("deepStrictEqual", (a, b) => same(a, b, true)), notDeepStrictEqual: compare("notDeepStrictEqual", (a, b) => !same(a, b, true)),
	partialDeepStrictEqual: compare("partialDeepStrictEqual", partly),
	match: matching("match", true), doesNotMatch: matching("doesNotMatch", false),
	throws(fn, ...args) { mustFail("throws", run(fn), args); }, doesNotThrow(fn, ...args) { mustNotFail("doesNotThrow", run(fn), args); },
	async rejects(fn, ...args) { mustFail("rejects", await wait(fn), args); }, async doesNotReject(fn, ...args) { mustNotFail("doesNotReject", await wait(fn), args); },
	fail(message) {
		if (message instanceof Error) throw message;
		throw Object.assign(new AssertionError({ message: message ?? "Failed", operator: "fail" }), { generatedMessage: message === undefined });
	},
	ifError(value) {
		if (value === null || value === undefined) return;
		const text = typeof value === "object" && typeof value.message === "string" ? (value.message.length === 0 && value.constructor ? value.constructor.name : value.message) : inspect(value);
		throw Object.assign(new AssertionError({ actual: value, expected: null, operator: "ifError", message: `ifError got unwanted exception: ${text}` }), { generatedMessage: false });
	},
};
function assert(...args) { truthy(args); }
function strict(...args) { truthy(args); }
const ok = function ok(...args) { truthy(args); };
const renamed = (fn, operator) => Object.defineProperty(fn, "name", { value: operator });
Object.assign(assert, shared, {
	ok, equal: compare("==", loosely), notEqual: compare("!=", (a, b) => !loosely(a, b)),
	deepEqual: compare("deepEqual", (a, b) => same(a, b, false)), notDeepEqual: compare("notDeepEqual", (a, b) => !same(a, b, false)), strict,
});
renamed(assert.equal, "equal");
renamed(assert.notEqual, "notEqual");
Object.assign(strict, assert, { equal: shared.strictEqual, notEqual: shared.notStrictEqual, deepEqual: shared.deepStrictEqual, notDeepEqual: shared.notDeepStrictEqual });
module.exports = assert;
