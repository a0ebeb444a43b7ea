// Patterns for paths: *, ?, [...], {a,b} and ** as Node.js has them.
const braces = (pattern) => {
	const m = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
	return m ? m[1].split(",").flatMap((part) => braces(pattern.slice(0, m.index) + part + pattern.slice(m.index + m[0].length))) : [pattern];
};
function segment(text) {
	let out = "";
	for (let i = 0; i < text.length; i++) {
		const c = text[i];
		const end = c === "[" ? text.indexOf("]", i + 2) : -1;
		if (c === "*") out += "[^/]*";
		else if (c === "?") out += "[^/]";
		else if (end > 0) {
			out += `[${text.slice(i + 1, end).replace(/^!/, "^").replaceAll("\\", "\\\\")}]`;
			i = end;
		} else out += c.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
	}
	return out;
}
// A name that begins with a dot is found only by a pattern that does.
const hidden = (text) => (/^[*?[]/.test(text) ? "(?!\\.)" : "");
function expression(pattern) {
	const parts = pattern.replace(/^\.\//, "").replace(/\/$/, "").split("/");
	let out = "";
	parts.forEach((part, i) => {
		const last = i === parts.length - 1;
		if (part === "**") out += last ? "(?:(?!\\.)[^/]+(?:/(?!\\.)[^/]+)*)?" : "(?:(?!\\.)[^/]+/)*";
		else out += hidden(part) + segment(part) + (last ? "" : "/");
	});
	return new RegExp(`^${out}$`);
}
// globTo returns what says whether a path matches.
exports.globTo = (pattern) => {
	const all = braces(String(pattern)).map(expression);
	return (p) => all.some((e) => e.test(p));
};
// globBase returns the folder that all matches lie in.
exports.globBase = (pattern) => {
	const parts = String(pattern).replace(/^\.\//, "").split("/");
	const at = parts.findIndex((p) => /[*?[{]/.test(p));
	const base = parts.slice(0, at < 0 ? parts.length : at).join("/");
	return base === "" && String(pattern).startsWith("/") ? "/" : base;
};
