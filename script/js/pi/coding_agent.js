// The values of pi-coding-agent that extensions use.
const path = require("node/path");
const os = require("node/os");
const tui = require("pi/tui");
const { Theme } = require("pi/theme");

const size = (text) => Buffer.byteLength(text);
const DEFAULT_MAX_LINES = 2000, DEFAULT_MAX_BYTES = 50 * 1024;
// Both ends of truncation: which lines are kept is counted from the one end.
function truncate(content, { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES } = {}, fromEnd) {
	const lines = content === "" ? [] : content.replace(/\n$/, "").split("\n");
	const result = {
		content, truncated: false, truncatedBy: null, totalLines: lines.length, totalBytes: size(content), outputLines: lines.length, outputBytes: size(content),
		lastLinePartial: false, firstLineExceedsLimit: false, maxLines, maxBytes,
	};
	if (lines.length <= maxLines && result.totalBytes <= maxBytes) return result;
	result.truncated = true;
	result.truncatedBy = "lines";
	const kept = [];
	let bytes = 0;
	for (const line of fromEnd ? lines.toReversed() : lines) {
		if (kept.length >= maxLines) break;
		const more = size(line) + (kept.length ? 1 : 0);
		if (bytes + more > maxBytes) {
			result.truncatedBy = "bytes";
			if (!kept.length && fromEnd) {
				// One line longer than all that may be kept: its end, from a whole character on.
				let tail = Buffer.from(line).subarray(-maxBytes);
				while (tail.length && (tail[0] & 0xc0) === 0x80) tail = tail.subarray(1);
				kept.push(tail.toString());
				result.lastLinePartial = true;
			}
			if (!kept.length) result.firstLineExceedsLimit = true;
			break;
		}
		kept.push(line);
		bytes += more;
	}
	if (fromEnd) kept.reverse();
	result.content = kept.join("\n");
	result.outputLines = kept.length;
	result.outputBytes = size(result.content);
	return result;
}
function sliceHead(text, max) {
	if (text.length <= max) return text;
	return /[\ud800-\udbff]/.test(text[max - 1] ?? "") ? text.slice(0, max - 1) : text.slice(0, max);
}
function sliceTail(text, max) {
	if (text.length <= max) return text;
	const tail = max > 0 ? text.slice(-max) : "";
	return /[\udc00-\udfff]/.test(tail[0] ?? "") ? tail.slice(1) : tail;
}

// What a model would read of a conversation.
const textOf = (content) => (typeof content === "string" ? content : (content ?? []).filter((c) => c.type === "text").map((c) => c.text).join(""));
function convertToLlm(messages) {
	return messages.flatMap((m) => {
		switch (m.role) {
			case "user": case "assistant": case "toolResult": return [m];
			case "custom": case "hookMessage": return [{ role: "user", content: typeof m.content === "string" ? [{ type: "text", text: m.content }] : m.content, timestamp: m.timestamp }];
			default: return [];
		}
	});
}
function serializeConversation(messages) {
	const parts = [];
	for (const m of messages) {
		const text = textOf(m.content);
		if (m.role === "user" && text) parts.push(`[User]: ${text}`);
		if (m.role === "assistant") {
			if (text) parts.push(`[Assistant]: ${text}`);
			const calls = (m.content ?? []).filter((c) => c.type === "toolCall").map((c) => `${c.name}(${Object.entries(c.arguments ?? {}).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(", ")})`);
			if (calls.length) parts.push(`[Assistant tool calls]: ${calls.join("; ")}`);
		}
		if (m.role === "toolResult" && text) parts.push(`[Tool result]: ${text}`);
	}
	return parts.join("\n\n");
}

const queues = new Map();
async function withFileMutationQueue(file, fn) {
	const key = path.resolve(file);
	const before = queues.get(key) ?? Promise.resolve();
	const mine = before.then(fn, fn);
	const settled = mine.catch(() => {});
	queues.set(key, settled);
	try {
		return await mine;
	} finally {
		if (queues.get(key) === settled) queues.delete(key);
	}
}

const getAgentDir = () => process.env.PI_CODING_AGENT_DIR || path.join(os.homedir(), ".pi", "agent");
// The language of a file, by the end of its name.
const languages = Object.fromEntries(Object.entries({
	typescript: "ts tsx", javascript: "js jsx mjs cjs", python: "py", ruby: "rb", rust: "rs", go: "go", java: "java", kotlin: "kt", swift: "swift", c: "c h", cpp: "cpp cc cxx hpp",
	csharp: "cs", php: "php", bash: "sh bash zsh", fish: "fish", powershell: "ps1", sql: "sql", html: "html htm", css: "css", scss: "scss", sass: "sass", less: "less", json: "json",
	yaml: "yaml yml", toml: "toml", xml: "xml", markdown: "md markdown", dockerfile: "dockerfile", makefile: "makefile", cmake: "cmake", lua: "lua", r: "r", scala: "scala", clojure: "clj",
	elixir: "ex exs", erlang: "erl", haskell: "hs", ocaml: "ml", vim: "vim", graphql: "graphql", protobuf: "proto", hcl: "tf hcl", dart: "dart", groovy: "groovy gradle", nix: "nix",
}).flatMap(([language, ends]) => ends.split(" ").map((end) => [end, language])));
const getLanguageFromPath = (p) => languages[p.split(".").pop().toLowerCase()] ?? languages[p.toLowerCase()];
// What pi says of its keys where it has no terminal: those of its own program have no names.
const keys = {
	"tui.select.up": "up", "tui.select.down": "down", "tui.select.confirm": "enter", "tui.select.cancel": "escape/ctrl+c", "tui.input.submit": "enter",
	"tui.input.newLine": "shift+enter/ctrl+j", "tui.input.tab": "tab",
};
const isResult = (name) => (e) => e.toolName === name;
const plain = (t) => t;
const plainTheme = new Proxy({}, { get: () => plain });
class DynamicBorder extends tui.Text {
	constructor() { super(""); }
	render(width = 80) { return ["─".repeat(Math.max(width, 1))]; }
}
class BorderedLoader extends tui.Container {
	#controller = new AbortController();
	onAbort = undefined;
	get signal() { return this.#controller.signal; }
}
class CustomEditor extends tui.Editor {}
function parseFrontmatter(content) {
	const text = String(content).replace(/\r\n?/g, "\n");
	const m = /^---\n([^]*?\n)??---(?:\n|$)([^]*)$/.exec(text);
	if (!m) return { frontmatter: {}, body: text };
	return { frontmatter: JSON.parse(internal.host("yaml", m[1] ?? "")) ?? {}, body: m[2].trim() };
}
module.exports = {
	VERSION: "1.6.0", CONFIG_DIR_NAME: ".pi", getAgentDir, getPackageDir: getAgentDir, getDocsPath: () => path.join(getAgentDir(), "docs"), getExamplesPath: () => path.join(getAgentDir(), "examples"),
	defineTool: (tool) => tool,
	isToolCallEventType: (name, event) => event.toolName === name,
	isBashToolResult: isResult("bash"), isReadToolResult: isResult("read"), isEditToolResult: isResult("edit"), isWriteToolResult: isResult("write"),
	isGrepToolResult: isResult("grep"), isFindToolResult: isResult("find"), isLsToolResult: isResult("ls"), isPowerShellToolResult: isResult("powershell"),
	DEFAULT_MAX_LINES, DEFAULT_MAX_BYTES, GREP_MAX_LINE_LENGTH: 500,
	truncateHead: (c, o) => truncate(c, o, false), truncateTail: (c, o) => truncate(c, o, true), sliceHead, sliceTail,
	truncateLine: (line, max = 500) => (line.length <= max ? { text: line, wasTruncated: false } : { text: `${sliceHead(line, max)}... [truncated]`, wasTruncated: true }),
	formatSize: (n) => (n < 1024 ? `${n}B` : n < 1024 * 1024 ? `${(n / 1024).toFixed(1)}KB` : `${(n / 1024 / 1024).toFixed(1)}MB`),
	convertToLlm, serializeConversation, withFileMutationQueue, parseFrontmatter, stripFrontmatter: (c) => parseFrontmatter(c).body,
	Theme, getMarkdownTheme: () => plainTheme, getSelectListTheme: () => plainTheme, getSettingsListTheme: () => plainTheme, getEditorTheme: () => plainTheme,
	highlightCode: (code) => code.split("\n"), getLanguageFromPath,
	keyHint: (key, text) => `${keys[key] ?? ""} ${text}`, keyText: (key) => keys[key] ?? "", rawKeyHint: (key, text) => `${key} ${text}`, appKeyHint: (k, key, text) => `${key} ${text}`, editorKey: (k) => k, appKey: (k) => k,
	DynamicBorder, BorderedLoader, CustomEditor,
	createEventBus() {
		const { EventEmitter } = require("node/events");
		const bus = new EventEmitter();
		return { emit: (c, d) => { bus.emit(c, d); }, on: (c, f) => { bus.on(c, f); return () => bus.off(c, f); }, clear: () => bus.removeAllListeners() };
	},
	copyToClipboard: async () => { throw new Error("copyToClipboard is not available in extui"); },
};
// Made when first asked for: few extensions wrap the built-in tools.
for (const tool of ["Bash", "Read", "Write", "Edit", "Ls", "Find", "Grep"]) {
	for (const kind of ["Tool", "ToolDefinition"]) {
		module.exports[`create${tool}${kind}`] = (...args) => require("pi/tools")[`create${tool}${kind}`](...args);
	}
}
for (const name of ["createCodingTools", "createReadOnlyTools", "createLocalBashOperations", "formatReadLineRange"]) {
	module.exports[name] = (...args) => require("pi/tools")[name](...args);
}
// The classes of pi whose static methods extensions call: each says what is missing by its
// whole name.
function absent(name) {
	const fail = (what) => { throw new Error(`${what} of @earendil-works/pi-coding-agent is not available in extui`); };
	return new Proxy(function () { fail(name); }, {
		get: (target, key) => (typeof key !== "string" || key in Function.prototype || key === "prototype" || key === "then" ? target[key] : () => fail(`${name}.${key}`)),
		construct: () => fail(`new ${name}`),
	});
}
for (const name of ["AgentSession", "AuthStorage", "DefaultPackageManager", "DefaultResourceLoader", "ExtensionRunner", "ModelRegistry", "ModelRuntime", "ProjectTrustStore", "RpcClient", "SessionManager", "SettingsManager"]) {
	module.exports[name] = absent(name);
}
