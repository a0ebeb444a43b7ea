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
// The legacy parser and its kin: they take any text, and keep what is not there null.
const slashed = new Set(["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"]);
class Url {
	protocol = null;
	slashes = null;
	auth = null;
	host = null;
	port = null;
	hostname = null;
	hash = null;
	search = null;
	query = null;
	pathname = null;
	path = null;
	href = null;
	format() { return formatLegacy(this); }
	parse(text, query, slashes) { return Object.assign(this, parse(text, query, slashes)); }
	resolve(to) { return resolve(this.href ?? this.format(), to); }
	resolveObject(to) { return parse(resolve(this.href ?? this.format(), to)); }
}
const quoted = (text) => text.replace(/[\t\n\r "'<>\\^`{|}]/g, (c) => (c === "'" ? "%27" : "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")));
function parse(text, withQuery = false, slashesDenoteHost = false) {
	if (text instanceof Url) return text;
	if (typeof text !== "string") throw require("node/errors").invalidType("url", "of type string", text);
	const out = new Url();
	let rest = text.trim();
	const mark = rest.search(/[?#]/);
	const head = mark < 0 ? rest : rest.slice(0, mark);
	rest = head.replaceAll("\\", "/") + (mark < 0 ? "" : rest.slice(mark));
	const scheme = /^([a-z0-9.+-]+:)/i.exec(rest);
	if (scheme) {
		out.protocol = scheme[1].toLowerCase();
		rest = rest.slice(scheme[1].length);
	}
	const script = out.protocol === "javascript:";
	if ((slashesDenoteHost || scheme || /^\/\/[^@/]+@[^@/]+/.test(rest)) && rest.startsWith("//") && !script) {
		out.slashes = true;
		rest = rest.slice(2);
	}
	if (!script && (out.slashes || (scheme && !slashed.has(out.protocol) ? false : out.slashes))) {
		const end = rest.search(/[/?#]/);
		let host = end < 0 ? rest : rest.slice(0, end);
		rest = end < 0 ? "" : rest.slice(end);
		const at = host.lastIndexOf("@");
		if (at >= 0) {
			out.auth = decodeURIComponent(host.slice(0, at));
			host = host.slice(at + 1);
		}
		const port = /:(\d*)$/.exec(host);
		if (port) {
			if (port[1] !== "") out.port = port[1];
			host = host.slice(0, -port[0].length);
		}
		let name = host.toLowerCase();
		if (/[^\u0000-\u007f]/.test(name)) { try { name = new URL("http://" + name).hostname; } catch { /* it stays */ } }
		out.host = name + (out.port ? `:${out.port}` : "");
		out.hostname = name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
	}
	if (!script) rest = quoted(rest);
	const hash = rest.indexOf("#");
	if (hash >= 0) { out.hash = rest.slice(hash); rest = rest.slice(0, hash); }
	// Of a scheme that is not known, what does not begin with / is no path in this parser.
	if (scheme && !out.slashes && !slashed.has(out.protocol) && !script && /^[a-z0-9.-]+$/i.test(rest)) {
		out.host = out.hostname = rest.toLowerCase();
		rest = "";
	}
	const question = rest.indexOf("?");
	if (question >= 0) {
		out.search = rest.slice(question);
		out.query = rest.slice(question + 1);
		rest = rest.slice(0, question);
	} else if (withQuery) out.search = null;
	if (withQuery) out.query = require("node/querystring").parse(out.query ?? "");
	if (rest) out.pathname = rest;
	if (slashed.has(out.protocol) && out.hostname && !out.pathname) out.pathname = "/";
	if (out.pathname || out.search) out.path = (out.pathname ?? "") + (out.search ?? "");
	out.href = formatLegacy(out);
	return out;
}
function formatLegacy(u) {
	let auth = u.auth ? encodeURIComponent(u.auth).replace(/%3A/i, ":") + "@" : "";
	let protocol = u.protocol ?? "", pathname = u.pathname ?? "", hash = u.hash ?? "", host = "";
	if (u.host) host = auth + u.host;
	else if (u.hostname) host = auth + (u.hostname.includes(":") && !u.hostname.startsWith("[") ? `[${u.hostname}]` : u.hostname) + (u.port ? `:${u.port}` : "");
	const query = u.query !== null && typeof u.query === "object" ? require("node/querystring").stringify(u.query) : "";
	let search = u.search || (query && `?${query}`) || "";
	if (protocol && !protocol.endsWith(":")) protocol += ":";
	pathname = pathname.replace(/[?#]/g, encodeURIComponent);
	if (u.slashes || slashed.has(protocol)) {
		if (u.slashes || host) {
			if (pathname && !pathname.startsWith("/")) pathname = `/${pathname}`;
			host = `//${host}`;
		} else if (protocol === "file:" || protocol === "http:" || protocol === "https:" || protocol === "ftp:") host = protocol === "file:" ? "//" : "";
	}
	if (hash && !hash.startsWith("#")) hash = `#${hash}`;
	if (search && !search.startsWith("?")) search = `?${search}`;
	return protocol + host + pathname + search.replaceAll("#", "%23") + hash;
}
function formatURL(u, { fragment = true, search = true, auth = true } = {}) {
	const user = auth && (u.username || u.password) ? `${u.username}${u.password ? `:${u.password}` : ""}@` : "";
	return `${u.protocol}${u.host || u.protocol === "file:" ? "//" : ""}${user}${u.host}${u.pathname}${search ? u.search : ""}${fragment ? u.hash : ""}`;
}
function format(u, options) {
	if (typeof u === "string") u = parse(u);
	else if (typeof u !== "object" || u === null) throw require("node/errors").invalidType("urlObject", "one of type object or string", u);
	return u instanceof URL ? formatURL(u, options) : formatLegacy(u);
}
// As a browser follows a link; what has no scheme stays without one.
function resolve(from, to) {
	const base = parse(String(from), false, true), target = parse(String(to), false, true);
	if (target.protocol && target.protocol !== base.protocol) {
		if (slashed.has(target.protocol) ? target.host !== null : true) return target.href;
	}
	try {
		const start = base.protocol ? new URL(base.href) : new URL(base.href.startsWith("//") ? `http:${base.href}` : base.href, base.href.startsWith("/") ? "http://x.invalid" : "http://x.invalid/");
		const full = new URL(String(to), start);
		if (base.protocol) return full.href;
		if (base.href.startsWith("//")) return full.href.replace(/^http:/, "");
		const out = full.pathname + full.search + full.hash;
		return base.href.startsWith("/") || String(to).startsWith("/") ? out : out.slice(1);
	} catch {
		return target.href;
	}
}
module.exports = {
	URL, URLSearchParams, Url, fileURLToPath, pathToFileURL, parse, format, resolve, resolveObject: (from, to) => parse(resolve(typeof from === "string" ? from : from.href, to)),
	domainToASCII: (d) => { try { return new URL("http://" + d).hostname; } catch { return ""; } },
	domainToUnicode() { throw new Error("domainToUnicode of node:url is not available in extui"); },
	urlToHttpOptions: (u) => ({
		__proto__: null, protocol: u.protocol, hostname: u.hostname.replace(/^\[(.*)\]$/, "$1"), hash: u.hash, search: u.search, pathname: u.pathname, path: u.pathname + u.search, href: u.href,
		...(u.port !== "" && { port: Number(u.port) }), ...((u.username || u.password) && { auth: `${decodeURIComponent(u.username)}:${decodeURIComponent(u.password)}` }),
	}),
};
