// node:module. What is bundled needs none of it.
const { host } = internal;
const path = require("node/path");

exports.createRequire = (from) => {
	const name = from instanceof URL || String(from).startsWith("file:") ? require("node/url").fileURLToPath(from) : String(from);
	if (!path.isAbsolute(name)) {
		throw Object.assign(new TypeError(`The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received '${name}'`), { code: "ERR_INVALID_ARG_VALUE" });
	}
	return require("require").requireFor(name);
};
exports.isBuiltin = (id) => !!host("builtin", String(id));
exports.builtinModules = JSON.parse(host("builtins"));
