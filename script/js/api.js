// What an extension gets: pi, ctx and ctx.ui. Go's half is in api.go and ui.go.
const { host, rawHost, rethrow, revived, start, pending, turn, describe, guard, uncaught } = internal;
const { stringify } = JSON;
const { matches } = require("patterns");
const text = (v) => v === undefined || typeof v === "string";

const stale = "This extension ctx is stale after session replacement or reload. Do not use a captured pi or command ctx after " +
	"ctx.newSession(), ctx.fork(), ctx.switchSession(), or ctx.reload(). For newSession, fork, and switchSession, move " +
	"post-replacement work into withSession and use the ctx passed to withSession. For reload, do not use the old ctx after await ctx.reload().";
const noModel = (what) => new Error(`${what} needs a model, and this agent has none`);

// One session of this extension. Go knows it by its number.
class Session {
	stale = false;
	loading = true;
	commands = new Map();
	tools = new Map();
	handlers = new Map();
	flags = new Map();
	shortcuts = new Map();
	channels = new Map();
	nextHandler = 0;
	constructor(number, info) {
		this.number = number;
		this.info = info;
		this.api = makeAPI(this);
	}
	check() { if (this.stale) throw new Error(stale); }
	act() {
		this.check();
		if (this.loading) throw new Error("Extension runtime not initialized. Action methods cannot be called during extension loading.");
	}
	host(op, ...args) { return host(op, this.number, ...args); }
}
let session = null;

// What a new promise is settled with, for whoever made it.
let held;
const hold = (resolve, reject) => { held = { resolve, reject }; };

// What the second argument of each dialog is called on the wire.
const second = { select: "options", confirm: "message", input: "placeholder", editor: "prefill" };

// ctx.ui. call is the handler that it belongs to: an abort of that ends its dialogs.
class UI {
	#session;
	#call;
	#theme;
	constructor(session, call) { this.#session = session; this.#call = call; }
	#dialog(none, method, title, more, options) {
		const signal = options?.signal;
		if (signal?.aborted) return Promise.resolve(none);
		const timeout = options?.timeout;
		let ms = typeof timeout === "number" ? timeout : timeout ? Number(timeout) : undefined;
		// What is no number is on the wire what it is, and waits as setTimeout does.
		const odd = timeout !== undefined && typeof timeout !== "number" && method !== "editor";
		if (odd && Number.isNaN(ms)) ms = 1;
		if (ms < 0) {
			host("expired", this.#session.number, method, ms);
			return Promise.resolve(none);
		}
		const answer = new Promise(hold);
		const id = internal.nextID();
		held.call = turn.call || this.#call;
		pending.set(id, held);
		try {
			// The common case without JSON: a title and one more text.
			if (!odd && method !== "select" && method !== "questionnaire" && typeof title === "string" && text(more)) {
				rawHost("ask", this.#session.number, this.#call, id, method, title, more, ms);
			} else {
				const fields = method === "questionnaire" ? { questions: more } : { title, [second[method]]: more, timeout: odd ? timeout : undefined };
				rawHost("dialog", this.#session.number, this.#call, id, method, JSON.stringify(fields), ms);
			}
		} catch (error) {
			pending.delete(id);
			return Promise.reject(revived(error));
		}
		if (typeof signal?.addEventListener !== "function") return answer;
		const abort = () => host("undialog", id);
		signal.addEventListener("abort", abort, { once: true });
		return answer.finally(() => signal.removeEventListener("abort", abort));
	}
	select(title, options, opts) { return this.#dialog(undefined, "select", title, options, opts); }
	confirm(title, message, opts) { return this.#dialog(false, "confirm", title, message, opts); }
	input(title, placeholder, opts) { return this.#dialog(undefined, "input", title, placeholder, opts); }
	editor(title, prefill, opts) { return this.#dialog(undefined, "editor", title, prefill, opts); }
	// Atomic: the whole of an ask_user_question call.
	questionnaire(questions, opts) { return this.#dialog(undefined, "questionnaire", undefined, questions, opts).then((v) => (v === undefined ? v : JSON.parse(v))); }

	#update(method, fields) { host("update", this.#session.number, this.#call, method, JSON.stringify(fields)); }
	notify(message, type) {
		if (typeof message === "string" && text(type)) {
			try {
				rawHost("notify", this.#session.number, this.#call, message, type);
			} catch (error) {
				rethrow(error);
			}
		} else this.#update("notify", { message, notifyType: type });
	}
	setStatus(key, value) {
		if (typeof key === "string" && text(value)) {
			try {
				rawHost("status", this.#session.number, this.#call, key, value);
			} catch (error) {
				rethrow(error);
			}
		} else this.#update("setStatus", { statusKey: key, statusText: value });
	}
	setWidget(key, content, options) {
		if (content !== undefined && !Array.isArray(content)) return;
		this.#update("setWidget", { widgetKey: key, widgetLines: content, widgetPlacement: options?.placement });
	}
	setTitle(title) { this.#update("setTitle", { title }); }
	setEditorText(text) { this.#update("set_editor_text", { text }); }
	pasteToEditor(text) { this.setEditorText(text); }

	#degraded(method, arg) { return host("degraded", this.#session.number, method, arg); }
	async custom() { this.#degraded("custom"); return undefined; }
	onTerminalInput() { this.#degraded("onTerminalInput"); return () => {}; }
	setWorkingMessage() { this.#degraded("setWorkingMessage"); }
	setWorkingVisible() { this.#degraded("setWorkingVisible"); }
	setWorkingIndicator() { this.#degraded("setWorkingIndicator"); }
	setHiddenThinkingLabel() { this.#degraded("setHiddenThinkingLabel"); }
	setFooter() { this.#degraded("setFooter"); }
	setHeader() { this.#degraded("setHeader"); }
	addAutocompleteProvider() { this.#degraded("addAutocompleteProvider"); }
	setEditorComponent() { this.#degraded("setEditorComponent"); }
	getEditorComponent() { this.#degraded("getEditorComponent"); return undefined; }
	getEditorText() { this.#degraded("getEditorText"); return ""; }
	get theme() { return (this.#theme ??= require("pi/theme").theme); }
	getAllThemes() { this.#degraded("getAllThemes"); return []; }
	getTheme() { this.#degraded("getTheme"); return undefined; }
	setTheme() { return { success: false, error: this.#degraded("setTheme") }; }
	getToolsExpanded() { return this.#degraded("getToolsExpanded"); }
	setToolsExpanded(expanded) { this.#degraded("setToolsExpanded", !!expanded); }
	getChatRenderSettings() { return { toolOutputExpanded: this.#degraded("getChatRenderSettings") }; }
}

// pi's ctx and ctx.ui have their methods and getters as properties of
// their own, so that they can be taken out of them and copied.
const memberLists = new Map();
function membersOf(kind, inner) {
	let list = memberLists.get(kind);
	if (!list) {
		list = Object.entries(Object.getOwnPropertyDescriptors(kind.prototype)).filter(([name]) => name !== "constructor");
		memberLists.set(kind, list);
	}
	const out = {};
	for (const [name, d] of list) {
		if (d.get) Object.defineProperty(out, name, { enumerable: true, configurable: true, get: d.get.bind(inner) });
		else out[name] = d.value.bind(inner);
	}
	return out;
}

function managerOf(s) {
	return new (require("session").SessionManager)({
		cwd: s.info.cwd, began: s.info.began, id: () => s.info.sessionId, parent: () => s.info.parent || undefined,
		entries: () => s.host("entries"), leaf: () => s.host("leaf"), name: () => s.host("name"),
	});
}
// The setup functions of ctx.newSession that are wanted by Go, by number.
const setups = new Map();
const modelRegistry = {
	getAll: () => [], getAvailable: () => [], find: () => undefined, getError: () => undefined, refresh() {}, hasConfiguredAuth: () => false,
	isUsingOAuth: () => false, getProviderAuthStatus: () => ({ configured: false }),
	async getApiKey() { return undefined; }, async getApiKeyForProvider() { return undefined; },
	async getApiKeyAndHeaders() { return { ok: false, error: "this agent has no model" }; },
	registerProvider() {}, unregisterProvider() {},
};

// What pi says is the model when it has none.
const unknownModel = () => ({
	id: "unknown", name: "unknown", api: "unknown", provider: "unknown", baseUrl: "", reasoning: false, input: [],
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 0, maxTokens: 0,
});

// An argument of a method that is not what it must be: the method, the argument, what it
// must be, and what came.
function wrong(method, name, wanted, value) {
	const { received } = require("node/errors");
	return Object.assign(new TypeError(`${method}: ${name} must be ${wanted}.${received(value)}`), { code: "ERR_INVALID_ARG_TYPE" });
}

// ctx. A new one for each call of a handler.
class Context {
	#session;
	#call;
	#ui;
	#signal;
	constructor(session, call, signal) { this.#session = session; this.#call = call; this.#signal = signal; }
	get ui() { this.#session.check(); return (this.#ui ??= membersOf(UI, new UI(this.#session, this.#call))); }
	get mode() { this.#session.check(); return "rpc"; }
	get hasUI() { this.#session.check(); return true; }
	get cwd() { this.#session.check(); return this.#session.info.cwd; }
	get sessionManager() { this.#session.check(); return (this.#session.manager ??= managerOf(this.#session)); }
	get modelRegistry() { this.#session.check(); return modelRegistry; }
	get model() { this.#session.check(); return unknownModel(); }
	get scopedModels() { this.#session.check(); return []; }
	get thinkingLevel() { this.#session.check(); return this.#session.thinkingLevel ?? "off"; }
	get signal() { this.#session.check(); return this.#session.host("streaming") ? this.#signal() : undefined; }
	isIdle() { this.#session.check(); return !this.#session.host("streaming"); }
	isProjectTrusted() { this.#session.check(); return !!this.#session.info.trusted; }
	abort() { this.#session.check(); this.#session.host("abort"); }
	hasPendingMessages() { this.#session.check(); return false; }
	shutdown() { this.#session.check(); this.#session.host("shutdown"); }
	getContextUsage() { this.#session.check(); return undefined; }
	compact(options) {
		this.#session.check();
		const error = noModel("ctx.compact");
		if (options?.onError) queueMicrotask(() => guard("compact", options.onError, error));
	}
	getSystemPrompt() { this.#session.check(); return ""; }
	get tools() { this.#session.check(); return []; }
	async executeTool(name, args) {
		this.#session.check();
		return JSON.parse(await start("calltool", this.#session.number, this.#call, name, JSON.stringify(args ?? {})));
	}
	getSystemPromptOptions() { this.#session.check(); return { cwd: this.#session.info.cwd }; }
	async waitForIdle() { this.#session.check(); await start("idle", this.#session.number); }
	async #replace(options, op, ...args) {
		this.#session.check();
		const before = this.#session.number;
		const outcome = JSON.parse(await start(op, this.#session.number, ...args));
		if (!outcome.cancelled && options?.withSession && session?.number !== before) {
			const next = session;
			const ctx = contextOf(next, 0, () => undefined);
			await options.withSession(Object.assign(ctx, {
				sendMessage: async (...args) => next.api.sendMessage(...args),
				sendUserMessage: async (...args) => next.api.sendUserMessage(...args),
			}));
		}
		return outcome;
	}
	async newSession(options) {
		this.#session.check();
		const info = this.#session.info;
		const number = typeof options?.setup === "function" ? internal.nextID() : 0;
		if (number) setups.set(number, () => options.setup(new (require("session").WritableSessionManager)(number, info)));
		try {
			return await this.#replace(options, "newsession", options?.parentSession === undefined ? "" : String(options.parentSession), number);
		} finally {
			setups.delete(number);
		}
	}
	async reload() { await this.#replace(undefined, "reload"); }
	async fork(id, options) { return this.#replace(options, "fork", String(id), options?.position === "at" ? "at" : "before"); }
	async navigateTree(id, options) {
		this.#session.check();
		return JSON.parse(await start("navigate", this.#session.number, String(id), JSON.stringify(options ?? {})));
	}
	async switchSession() { this.#session.check(); throw new Error("ctx.switchSession is not available in extui: it keeps no session files"); }
}
const contextOf = (session, call, signal) => membersOf(Context, new Context(session, call, signal));

function makeAPI(s) {
	const send = (kind) => (content, options) => {
		s.act();
		if (kind === "message" && (typeof content !== "object" || content === null)) throw wrong("pi.sendMessage", "message", "an object", content);
		if (kind === "user" && typeof content !== "string" && !Array.isArray(content)) throw wrong("pi.sendUserMessage", "content", "a string or a list of parts", content);
		s.host("send", kind, JSON.stringify(content), JSON.stringify(options ?? {}));
	};
	const accept = () => s.check();
	return {
		on(event, handler) {
			s.check();
			if (typeof handler !== "function") throw new TypeError(`pi.on("${event}"): the handler is not a function`);
			const id = ++s.nextHandler;
			s.handlers.set(id, handler);
			s.host("on", String(event), id);
			return () => { s.handlers.delete(id); };
		},
		registerCommand(name, options) {
			s.check();
			if (typeof name !== "string" || name.length === 0) {
				throw new Error(`Command registered by extension "${s.info.path}" must have a non-empty string name. Use pi.registerCommand("name", { description, handler }).`);
			}
			if (typeof options?.handler !== "function") throw new Error(`Command "/${name}" registered by extension "${s.info.path}" must define handler().`);
			s.commands.set(name, options);
			s.host("command", name, options.description === undefined ? undefined : String(options.description), typeof options.getArgumentCompletions === "function");
		},
		registerTool(tool) {
			s.check();
			if (typeof tool?.parameters !== "object" || tool.parameters === null || Array.isArray(tool.parameters)) {
				throw new Error(`Tool "${tool?.name}" registered by extension "${s.info.path}" must define an object parameter schema.`);
			}
			s.tools.set(tool.name, tool);
			s.host("tool", JSON.stringify({
				name: tool.name, label: tool.label, description: tool.description, parameters: tool.parameters, promptGuidelines: tool.promptGuidelines,
				exposure: tool.exposure ?? "direct", active: tool.defaultActive !== false, prepares: typeof tool.prepareArguments === "function",
			}));
		},
		registerShortcut(shortcut, options) { s.check(); s.shortcuts.set(shortcut, options); },
		registerFlag(name, options) {
			s.check();
			if (typeof options !== "object" || options === null) throw wrong("pi.registerFlag", "options", "an object", options);
			if (options.default !== undefined && typeof options.default !== options.type) {
				throw new Error(`Invalid default for flag "${name}": expected ${options.type}, got ${typeof options.default}`);
			}
			s.flags.set(name, { default: options.default, given: s.host("flag", String(name), String(options.type)) });
		},
		getFlag(name) {
			s.check();
			const flag = s.flags.get(name);
			if (!flag) return undefined;
			return flag.given ?? flag.default;
		},
		registerMessageRenderer: accept, registerMarkdownTransformer: accept, registerEntryRenderer: accept, registerToolRenderer: accept,
		sendMessage: send("message"),
		sendUserMessage: send("user"),
		appendEntry(type, data) { s.act(); s.host("append", JSON.stringify({ type: "custom", customType: type, data })); },
		setSessionName(name) {
			s.act();
			if (typeof name !== "string") throw wrong("pi.setSessionName", "name", "a string", name);
			s.host("setname", name);
		},
		getSessionName() { s.act(); return s.host("name"); },
		setLabel(id, label) {
			s.act();
			if (typeof id !== "string") throw wrong("pi.setLabel", "entryId", "a string", id);
			s.host("append", JSON.stringify({ type: "label", targetId: id, label }));
		},
		exec(command, args = [], options = {}) {
			s.check();
			if (typeof command !== "string") throw wrong("pi.exec", "command", "a string", command);
			if (!Array.isArray(args)) throw wrong("pi.exec", "args", "a list of strings", args);
			return exec(s, command, args, options);
		},
		getActiveTools() { s.act(); return JSON.parse(s.host("active")); },
		setActiveTools(names) {
			s.act();
			if (!Array.isArray(names) || names.some((n) => typeof n !== "string")) throw wrong("pi.setActiveTools", "names", "a list of strings", names);
			s.host("setactive", JSON.stringify(names));
		},
		getAllTools() { s.act(); return JSON.parse(s.host("tools")); },
		getSettings() { s.act(); return {}; },
		getCommands() { s.act(); return JSON.parse(s.host("commands")); },
		async setModel() { s.act(); return false; },
		getThinkingLevel() { s.act(); return s.thinkingLevel ?? "off"; },
		// Without a model there is no level but off.
		setThinkingLevel() { s.act(); },
		registerProvider(provider, config) {
			s.check();
			if (typeof provider === "string" && !config) throw new Error("Provider config is required when registering by name");
		},
		unregisterProvider: accept, registerMcpServer: accept, unregisterMcpServer: accept, registerVirtualModel: accept, unregisterVirtualModel: accept,
		getMcpServers() { s.check(); return []; },
		events: {
			emit(channel, data) {
				s.check();
				deliver(s, channel, data);
				let lost = ""; // what a copy does not have
				const text = JSON.stringify(data, (_, value) => {
					if (typeof value === "function") lost = "a function";
					else if (value instanceof Map || value instanceof Set) lost = `a ${value.constructor.name}`;
					return value;
				});
				s.host("emit", String(channel), text ?? "", lost);
			},
			on(channel, handler) {
				s.check();
				if (typeof handler !== "function") throw wrong("pi.events.on", "handler", "a function", handler);
				const list = s.channels.get(channel) ?? [];
				const entry = { handler };
				s.channels.set(channel, [...list, entry]);
				s.host("listen", String(channel));
				return () => s.channels.set(channel, s.channels.get(channel).filter((e) => e !== entry));
			},
		},
	};
}
// Handlers of the event bus run at once; those of other extensions get a copy, in a
// turn of their own.
function deliver(s, channel, data) {
	for (const { handler } of s.channels.get(channel) ?? []) {
		(async () => {
			try {
				await handler(data);
			} catch (error) {
				uncaught(`events:${channel}`, error);
			}
		})();
	}
}

// The environment as the extension has changed it; undefined if it has not looked at it.
function changedEnv() {
	const process = internal.loaded("node/process");
	return process && Object.fromEntries(Object.entries(process.env).filter(([, v]) => v !== undefined).map(([k, v]) => [k, String(v)]));
}
async function exec(s, command, args, options) {
	const signal = options.signal;
	const cancel = host("newcancel");
	const abort = () => host("cancel", cancel);
	if (signal?.aborted) abort();
	signal?.addEventListener("abort", abort, { once: true });
	try {
		return JSON.parse(await start("exec", cancel, JSON.stringify({
			file: command, args: args.map(String), cwd: options.cwd === undefined ? s.info.cwd : String(options.cwd),
			timeout: Number(options.timeout ?? 0), maxBuffer: options.maxBuffer ?? 256 * 1024 * 1024,
			env: changedEnv(),
		})));
	} finally {
		signal?.removeEventListener("abort", abort);
		host("uncancel", cancel);
	}
}

// Calls from Go: each has a number, under which its end is told. What fn calls has to be in
// an async function: if it runs for too long, that one is stopped and nothing around it.
const calls = new Map();
async function run(call, fn) {
	turn.call = call;
	let text;
	try {
		const value = await fn();
		text = value === undefined ? "" : stringify(value);
	} catch (error) {
		calls.delete(call);
		host("failed", call, ...describe(error));
		return;
	}
	calls.delete(call);
	host("done", call, text ?? "");
}

// What handlers and tools return is read member by member, as pi reads it: a member may
// be a getter or inherited, and an object may have a toJSON that tells something else.
// One that cannot be read throws, and a gate that throws closes.
const members = {
	tool_call: { block: Boolean, reason: keep },
	tool_result: { content: parts, details: keep, isError: Boolean },
	input: { action: keep, text: keep, images: parts },
	before_agent_start: { systemPrompt: keep, message: (v) => read(v, { customType: keep, content: parts, display: keep, details: keep }) },
	session_before_switch: { cancel: Boolean },
	session_before_fork: { cancel: Boolean, skipConversationRestore: keep },
	session_before_compact: { cancel: Boolean, compaction: keep },
	session_before_tree: { cancel: Boolean, label: keep, summary: (v) => read(v, { summary: keep, details: keep }), customInstructions: keep, replaceInstructions: keep },
	context: { messages: keep },
};
const part = { type: keep, text: keep, data: keep, mimeType: keep };
function keep(value) { return value; }
function parts(value) { return Array.isArray(value) ? Array.from(value, (p) => read(p, part, true)) : value; }
// read returns the named members of an object, and with all those of its own beside them.
function read(value, names, all) {
	if (typeof value === "symbol" || typeof value === "bigint") throw new TypeError(`a handler returned a ${typeof value}, and not an object`);
	if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
	const out = Object.create(null);
	if (all) Object.assign(out, value);
	for (const name in names) {
		const member = value[name];
		if (member !== undefined) out[name] = names[name](member);
	}
	if (typeof out.toJSON === "function") delete out.toJSON;
	return out;
}
function signalOf(call) {
	return () => {
		let c = calls.get(call);
		if (!c) { c = new AbortController(); calls.set(call, c); }
		return c.signal;
	};
}
const find = (number) => (session?.number === number ? session : null);

// The function that an extension exports. As in pi, it may stand once deeper: in the
// default of a default, and in what a compiler made of an ES module.
function factoryOf({ default: value, __extui_commonjs: plain }) {
	return typeof value === "function" || (plain && !value?.__esModule) ? value : value?.default;
}

exports.kinds = {
	// Loads the extension for a session; its modules stay from the one before.
	load(call, number, info) {
		run(call, async () => {
			if (session) session.stale = true;
			const s = (session = new Session(number, JSON.parse(info)));
			const factory = factoryOf(await import("extension"));
			if (typeof factory !== "function") throw new Error(`Extension does not export a valid factory function: ${s.info.path}`);
			await factory(s.api);
		});
	},
	// The others are loaded too: from here on the extension may act.
	bound(number, id, parent) { const s = find(number); if (s) { s.loading = false; s.info.sessionId = id; s.info.parent = parent; } },
	setup(call, number) { run(call, async () => { await setups.get(number)?.(); }); },
	stale(number) { const s = find(number); if (s) s.stale = true; },
	abort(call) {
		const controller = calls.get(call);
		controller?.abort();
	},
	command(call, number, name, args) {
		run(call, async () => {
			const s = find(number);
			await s?.commands.get(name)?.handler(args, contextOf(s, call, signalOf(call)));
		});
	},
	complete(call, number, name, prefix) {
		run(call, async () => find(number)?.commands.get(name)?.getArgumentCompletions(prefix));
	},
	event(call, number, id, text) {
		run(call, async () => {
			const s = find(number);
			const handler = s?.handlers.get(id);
			if (!handler) return undefined;
			const event = JSON.parse(text);
			if (event.type === "session_before_compact" || event.type === "session_before_tree") event.signal = signalOf(call)();
			const { type, input } = event;
			// As in pi, the false of a "condition && {…}" is no answer.
			const result = (await handler(event, contextOf(s, call, signalOf(call)))) || undefined;
			// What an event without answer is answered with is nobody's business.
			const out = Object.create(null);
			if (Object.hasOwn(members, type)) out.result = read(result, members[type]);
			// A gate may change the input of the tool in place. Another object in its place
			// changes nothing.
			if (type === "tool_call") out.event = read({ input }, { input: (v) => read(v, {}, true) });
			return out;
		});
	},
	matches(call, text) { run(call, async () => matches(JSON.parse(text))); },
	prepare(call, number, name, text) {
		run(call, async () => find(number)?.tools.get(name)?.prepareArguments(JSON.parse(text)));
	},
	tool(call, number, name, id, text) {
		run(call, async () => {
			const s = find(number);
			const tool = s?.tools.get(name);
			if (!tool) throw new Error(`Tool ${name} not found`);
			const input = JSON.parse(text);
			const update = (partial) => host("partial", number, name, id, text, JSON.stringify(partial) ?? "null");
			return read(await tool.execute(id, input, signalOf(call)(), update, contextOf(s, call, signalOf(call))), members.tool_result, true);
		});
	},
	bus(number, channel, text) {
		const s = find(number);
		if (s) deliver(s, channel, text === "" ? undefined : JSON.parse(text));
	},
	shortcut(call, number, key) {
		run(call, async () => { const s = find(number); return s?.shortcuts.get(key)?.handler(contextOf(s, call, signalOf(call))); });
	},
};
