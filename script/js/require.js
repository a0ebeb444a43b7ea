// require, and import() of what is no literal, for code that runs: see late.go.
const { host, rawHost, stackOf } = internal;

const cache = {}; // as in Node, one for all
const failure = (code, message) => Object.assign(new Error(message), { code });

function find(id, from) {
	const name = id.startsWith("file:") ? require("node/url").fileURLToPath(id) : id;
	const found = host("resolve", name, from);
	if (!found) throw failure("MODULE_NOT_FOUND", `Cannot find module '${id}'\nRequire stack:\n- ${from}`);
	return found;
}
function get(id, from) {
	id = String(id);
	const ours = rawHost("builtin", id);
	if (ours) return __extui.builtin(ours, id);
	const unavailable = rawHost("unavailable", id);
	if (unavailable) throw failure("ERR_UNKNOWN_BUILTIN_MODULE", unavailable);
	const found = find(id, from);
	let module = cache[found];
	if (module) return module.exports;
	if (/\.json$/i.test(found)) {
		module = { id: found, filename: found, loaded: true, exports: undefined };
		try {
			module.exports = JSON.parse(require("node/fs").readFileSync(found, "utf8").replace(/^\ufeff/, ""));
		} catch (error) {
			error.message = `${found}: ${error.message}`;
			throw error;
		}
		cache[found] = module;
		return module.exports;
	}
	host("bundle", found);
	const run = globalThis.__module;
	delete globalThis.__module;
	module = cache[found] = { id: found, filename: found, loaded: false, exports: {} };
	try {
		run.call(module.exports, module, module.exports, exports.require);
	} catch (error) {
		delete cache[found];
		throw error;
	}
	module.loaded = true;
	return module.exports;
}
const resolve = (id, from) => (rawHost("builtin", String(id)) ? String(id) : find(String(id), from));

// The one that all files share: who calls it is found by the stack.
exports.require = Object.assign(
	function require(id) { return get(id, rawHost("caller", stackOf(new Error()))); },
	{ cache, resolve(id) { return resolve(id, rawHost("caller", stackOf(new Error()))); } },
);
exports.requireFor = (from) => Object.assign((id) => get(id, from), { cache, resolve: (id) => resolve(id, from) });
