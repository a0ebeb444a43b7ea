// node:url.
const path = require("node/path");
const windows = internal.host("windows");
function fileURLToPath(url) {
	if (typeof url === "string") url = new URL(url);
	if (url.protocol !== "file:") {
		const error = new TypeError("The URL must be of scheme file");
		error.code = "ERR_INVALID_URL_SCHEME";
		throw error;
	}
	const p = decodeURIComponent(url.pathname);
	if (!windows) return p;
	return url.host ? `\\\\${url.host}${p.replaceAll("/", "\\")}` : p.slice(1).replaceAll("/", "\\");
}
function pathToFileURL(p) {
	let full = path.resolve(p);
	if (/[\\/]$/.test(p) && !full.endsWith(path.sep)) full += path.sep;
	const clean = (windows ? "/" + full.replaceAll("\\", "/") : full);
	return new URL("file://" + clean.split("/").map((s) => encodeURIComponent(s).replaceAll("%3A", ":")).join("/"));
}
module.exports = {
	URL, URLSearchParams, fileURLToPath, pathToFileURL,
	format: (u) => (u instanceof URL ? u.href : `${u.protocol ?? ""}${u.slashes || u.host ? "//" : ""}${u.host ?? u.hostname ?? ""}${u.pathname ?? ""}${u.search ?? ""}${u.hash ?? ""}`),
	parse(text) {
		try {
			const u = new URL(text);
			return { href: u.href, protocol: u.protocol, host: u.host, hostname: u.hostname, port: u.port || null, pathname: u.pathname, search: u.search, query: u.search.slice(1), hash: u.hash };
		} catch {
			const at = text.indexOf("?");
			return { href: text, protocol: null, host: null, hostname: null, port: null, pathname: at < 0 ? text : text.slice(0, at), search: at < 0 ? null : text.slice(at), query: at < 0 ? null : text.slice(at + 1), hash: null };
		}
	},
	resolve: (from, to) => new URL(to, from).href,
	domainToASCII: (d) => { try { return new URL("http://" + d).hostname; } catch { return ""; } },
	urlToHttpOptions: (u) => ({ protocol: u.protocol, hostname: u.hostname, port: u.port, path: u.pathname + u.search }),
};
