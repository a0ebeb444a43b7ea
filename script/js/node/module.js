// node:module. What is bundled needs none of it; createRequire gets JSON files, and the
// modules that are ours.
const { host } = internal;
const fs = require("node/fs");
const path = require("node/path");

const cache = {}; // as in Node, one for all
const failure = (code, message) => Object.assign(new Error(message), { code });
function isFile(p) { return !!fs.statSync(p, { throwIfNoEntry: false })?.isFile(); }
// The files that Node would try for a path.
function file(p) { return [p, p + ".js", p + ".json"].find(isFile); }

exports.createRequire = (from) => {
	const name = from instanceof URL || String(from).startsWith("file:") ? require("node/url").fileURLToPath(from) : String(from);
	if (!path.isAbsolute(name)) {
		throw Object.assign(new TypeError(`The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received '${name}'`), { code: "ERR_INVALID_ARG_VALUE" });
	}
	const dir = path.dirname(name);
	const find = (id) => {
		let found;
		if (/^\.{0,2}\//.test(id) || id === "." || id === ".." || path.isAbsolute(id)) found = file(path.resolve(dir, id));
		else {
			for (let at = dir; ; at = path.dirname(at)) {
				if ((found = file(path.join(at, "node_modules", id))) || at === path.dirname(at)) break;
			}
		}
		if (!found) throw failure("MODULE_NOT_FOUND", `Cannot find module '${id}'\nRequire stack:\n- ${name}`);
		return found;
	};
	const get = (id) => {
		id = String(id);
		const ours = host("builtin", id);
		if (ours) return __extui.builtin(ours, id);
		if (id.startsWith("node:")) throw failure("ERR_UNKNOWN_BUILTIN_MODULE", `the module "${id}" of Node.js is not available to extensions here`);
		const found = find(id);
		if (found in cache) return cache[found].exports;
		if (!/\.json$/i.test(found)) {
			throw failure("ERR_REQUIRE_ESM", `require("${id}") in ${name}: while an extension runs, only JSON files and the modules of extui can be required; import ${found} instead`);
		}
		let exports;
		try {
			exports = JSON.parse(fs.readFileSync(found, "utf8").replace(/^\ufeff/, ""));
		} catch (error) {
			error.message = `${found}: ${error.message}`;
			throw error;
		}
		cache[found] = { id: found, filename: found, loaded: true, exports };
		return exports;
	};
	get.cache = cache;
	get.resolve = (id) => (host("builtin", String(id)) ? String(id) : find(String(id)));
	return get;
};
exports.isBuiltin = (id) => !!host("builtin", String(id));
exports.builtinModules = JSON.parse(host("builtins"));
