// The session manager: the entries of a session, which live in Go.
const { host } = internal;

// What extensions get. source says where the entries are.
class SessionManager {
	#source;
	constructor(source) { this.#source = source; }
	#entries() { return JSON.parse(this.#source.entries()); }
	getCwd() { return this.#source.cwd; }
	getSessionDir() { return ""; }
	getSessionId() { return this.#source.id(); }
	getSessionFile() { return undefined; }
	isPersisted() { return false; }
	getSessionName() { return this.#source.name(); }
	getHeader() {
		const { began, cwd, parent } = this.#source;
		return { type: "session", version: 3, id: this.getSessionId(), timestamp: began, cwd, parentSession: parent?.() };
	}
	getEntries() { return this.#entries(); }
	getEntryCount() { return this.#entries().length; }
	getEntry(id) { return this.#entries().find((e) => e.id === id); }
	getChildren(id) { return this.#entries().filter((e) => e.parentId === id); }
	getLeafId() { return this.#source.leaf() ?? null; }
	getLeafEntry() { return this.getEntry(this.getLeafId()); }
	getLabel(id) { return this.#entries().findLast((e) => e.type === "label" && e.targetId === id)?.label || undefined; }
	getBranch(from) {
		let at = from ?? this.getLeafId();
		const branch = [];
		// Whatever an entry follows was there before it.
		for (const entry of this.#entries().reverse()) {
			if (entry.id !== at) continue;
			branch.unshift(entry);
			at = entry.parentId;
		}
		return branch;
	}
	buildContextEntries() { return this.getBranch().filter((e) => e.type === "message" || e.type === "custom_message" || e.type === "branch_summary"); }
	buildSessionContext() {
		const messages = [];
		let thinkingLevel = "off", model = null;
		for (const e of this.getBranch()) {
			if (e.type === "thinking_level_change") thinkingLevel = e.thinkingLevel;
			else if (e.type === "model_change") model = { provider: e.provider, modelId: e.modelId };
			else if (e.type === "message") messages.push(e.message);
			else if (e.type === "custom_message") messages.push({ role: "custom", customType: e.customType, content: e.content, display: e.display, details: e.details, timestamp: Date.parse(e.timestamp) });
			else if (e.type === "branch_summary") messages.push({ role: "branchSummary", summary: e.summary, fromId: e.fromId, timestamp: Date.parse(e.timestamp) });
		}
		return { messages, thinkingLevel, model };
	}
	getTree() {
		const roots = [];
		const nodes = new Map();
		for (const entry of this.#entries()) {
			const node = { entry, children: [], label: undefined, labelTimestamp: undefined };
			nodes.set(entry.id, node);
			(nodes.get(entry.parentId)?.children ?? roots).push(node);
			const named = entry.type === "label" ? nodes.get(entry.targetId) : undefined;
			if (named) {
				named.label = entry.label || undefined;
				named.labelTimestamp = entry.label ? entry.timestamp : undefined;
			}
		}
		return roots;
	}
}

// What the setup of ctx.newSession gets: the session that is about to start.
class WritableSessionManager extends SessionManager {
	#append;
	#name;
	#rename;
	constructor(number, info) {
		const ask = (what, arg) => host("setup", number, what, arg);
		super({ cwd: info.cwd, began: new Date().toISOString(), entries: () => ask("entries"), leaf: () => ask("leaf"), id: () => ask("id"), name: () => this.#name });
		this.#append = (entry) => ask("append", JSON.stringify(entry));
		this.#rename = (name) => ask("name", name);
	}
	appendMessage(message) { return this.#append({ type: "message", message }); }
	appendThinkingLevelChange(thinkingLevel) { return this.#append({ type: "thinking_level_change", thinkingLevel }); }
	appendModelChange(provider, modelId) { return this.#append({ type: "model_change", provider, modelId }); }
	appendCustomEntry(customType, data) { return this.#append({ type: "custom", customType, data }); }
	appendCustomMessageEntry(customType, content, display, details) { return this.#append({ type: "custom_message", customType, content, display, details }); }
	appendLabelChange(targetId, label) { return this.#append({ type: "label", targetId, label }); }
	appendSessionInfo(name) {
		const clean = String(name).replace(/[\r\n]+/g, " ").trim();
		this.#name = clean || undefined;
		this.#rename(clean);
		return this.#append({ type: "session_info", name: clean });
	}
}

module.exports = { SessionManager, WritableSessionManager };
