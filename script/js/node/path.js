// node:path. Go says which of the two kinds this system has.
const { host } = internal;

function check(text, name) {
	if (typeof text !== "string") {
		const error = new TypeError(`The "${name}" argument must be of type string. Received ${text === null ? "null" : typeof text}`);
		error.code = "ERR_INVALID_ARG_TYPE";
		throw error;
	}
}
function make(windows) {
	const sep = windows ? "\\" : "/";
	const isSep = (c) => c === "/" || (windows && c === "\\");
	// The root of a path: "/", or on Windows also "C:\", "C:" and "\\server\share\".
	function rootOf(p) {
		if (!windows) return p.startsWith("/") ? "/" : "";
		const drive = /^[a-zA-Z]:/.exec(p)?.[0];
		if (drive) return isSep(p[2]) ? p.slice(0, 3) : drive;
		const share = /^[\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]?/.exec(p)?.[0];
		if (share) return share;
		return isSep(p[0]) ? p[0] : "";
	}
	const isAbsolute = (p) => { check(p, "path"); const r = rootOf(p); return r !== "" && isSep(r[r.length - 1]); };
	function parts(p, absolute) {
		const out = [];
		for (const part of p.split(windows ? /[\\/]+/ : /\/+/)) {
			if (part === "" || part === ".") continue;
			if (part !== "..") out.push(part);
			else if (out.length && out[out.length - 1] !== "..") out.pop();
			else if (!absolute) out.push("..");
		}
		return out;
	}
	function normalize(p) {
		check(p, "path");
		if (p === "") return ".";
		const root = rootOf(p);
		const absolute = isAbsolute(p);
		let rest = parts(p.slice(root.length), absolute).join(sep);
		if (rest && isSep(p[p.length - 1])) rest += sep;
		const head = windows ? root.replaceAll("/", "\\") : root;
		return head + rest || "." + (isSep(p[p.length - 1]) ? sep : "");
	}
	function join(...all) {
		for (const p of all) check(p, "path");
		const text = all.filter((p) => p !== "").join(sep);
		return text === "" ? "." : normalize(text);
	}
	function resolve(...all) {
		let out = "";
		for (let i = all.length - 1; i >= -1; i--) {
			const p = i >= 0 ? all[i] : host("cwd");
			check(p, "path");
			if (p === "") continue;
			out = out === "" ? p : p + sep + out;
			if (isAbsolute(p)) break;
		}
		const root = rootOf(out);
		return (windows ? root.replaceAll("/", "\\") : root) + parts(out.slice(root.length), true).join(sep);
	}
	// Without the separators at the end, but never shorter than the root.
	function trim(p) {
		const root = rootOf(p).length;
		let end = p.length;
		while (end > root && isSep(p[end - 1])) end--;
		return p.slice(0, end);
	}
	function lastSep(p) {
		for (let i = p.length - 1; i >= 0; i--) if (isSep(p[i])) return i;
		return -1;
	}
	function dirname(p) {
		check(p, "path");
		if (p === "") return ".";
		const root = rootOf(p);
		const text = trim(p);
		const at = lastSep(text.slice(root.length));
		if (at < 0) return root || ".";
		return trim(text.slice(0, root.length + at)) || root || ".";
	}
	function basename(p, suffix) {
		check(p, "path");
		const text = trim(p).slice(rootOf(p).length);
		const name = text.slice(lastSep(text) + 1);
		return suffix !== undefined && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
	}
	function extname(p) {
		const name = basename(p);
		const at = name.lastIndexOf(".");
		return at <= 0 || /^\.+$/.test(name.slice(0, at + 1)) && at === name.length - 1 && name === ".." ? "" : name.slice(at);
	}
	function relative(from, to) {
		check(from, "from");
		check(to, "to");
		from = resolve(from);
		to = resolve(to);
		const same = windows ? (a, b) => a.toLowerCase() === b.toLowerCase() : (a, b) => a === b;
		if (same(from, to)) return "";
		if (!same(rootOf(from), rootOf(to))) return to;
		const a = parts(from.slice(rootOf(from).length), true);
		const b = parts(to.slice(rootOf(to).length), true);
		let n = 0;
		while (n < a.length && n < b.length && same(a[n], b[n])) n++;
		return [...a.slice(n).map(() => ".."), ...b.slice(n)].join(sep);
	}
	function parse(p) {
		check(p, "path");
		const base = basename(p);
		const ext = extname(p);
		const dir = dirname(p);
		return {
			root: rootOf(p), dir: dir === "." && !p.startsWith(".") ? "" : base === "" ? rootOf(p) : dir,
			base, ext, name: ext ? base.slice(0, -ext.length) : base,
		};
	}
	function format(o) {
		const dir = o.dir || o.root;
		const base = o.base || (o.name ?? "") + (o.ext ? (o.ext.startsWith(".") ? "" : ".") + o.ext : "");
		return !dir ? base : dir === o.root ? dir + base : dir + sep + base;
	}
	return {
		sep, delimiter: windows ? ";" : ":", isAbsolute, normalize, join, resolve, dirname, basename, extname, relative, parse, format,
		toNamespacedPath: (p) => p,
		matchesGlob: (p, pattern) => host("glob", pattern, p),
	};
}
const posix = make(false);
const win32 = make(true);
posix.posix = win32.posix = posix;
posix.win32 = win32.win32 = win32;
module.exports = host("windows") ? win32 : posix;
