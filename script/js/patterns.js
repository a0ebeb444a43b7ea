// The regular expressions of JSON Schema. They belong to this engine: what an extension
// makes of RegExp does not reach them.
const Expression = RegExp;
const { exec } = RegExp.prototype;
const ask = Function.prototype.call.bind(exec);
const cache = new Map();

// As in pi, a pattern of a tool that is none with the flag u may be one without. But one that
// speaks of properties of characters or their numbers would then say another thing: it
// may be newer than this engine.
function loose(pattern) {
	try {
		return new Expression(pattern, "u");
	} catch (error) {
		if (/\\[pPu]\{/.test(pattern)) throw error;
		return new Expression(pattern);
	}
}
// As V8 words it.
function strict(pattern) {
	try {
		return new Expression(pattern, "u");
	} catch (error) {
		throw new SyntaxError(`Invalid regular expression: /${pattern}/u: ${error.message}`);
	}
}
function cached(make, pattern) {
	const key = make.name + pattern;
	let re = cache.get(key);
	if (!re) {
		if (cache.size >= 1000) cache.clear();
		cache.set(key, (re = make(pattern)));
	}
	return re;
}
exports.expression = (pattern) => cached(strict, pattern);

// Answers Go, which checks the inputs of tools: pairs of a pattern and a text.
exports.matches = (pairs) => pairs.map(([pattern, text]) => {
	try {
		return ask(cached(loose, pattern), text) !== null;
	} catch (error) {
		throw new SyntaxError(`the pattern ${pattern} cannot be tried: ${error.message}`);
	}
});
