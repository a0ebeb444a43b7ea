// pi's built-in tools, for extensions that wrap or replace them: they do what they
// say, in JavaScript. A tool and its definition are the same object here.
const fs = require("node/fs");
const path = require("node/path");
const { spawn } = require("node/child_process");
const { Type } = require("pi/typebox");

const say = (text, details) => ({ content: [{ type: "text", text }], details });
const at = (cwd, p) => path.resolve(cwd, String(p ?? ".").replace(/^@/, "").replace(/^~(?=$|[\\/])/, () => require("node/os").homedir()));
const cut = () => require("pi/coding_agent");

const localShell = {
	exec: (command, cwd, { onData, signal, timeout, env }) => new Promise((resolve, reject) => {
		const child = spawn(command, [], { shell: true, cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"] });
		let late = false;
		const timer = timeout ? setTimeout(() => { late = true; child.kill(); }, timeout * 1000) : undefined;
		const stop = () => child.kill();
		signal?.addEventListener("abort", stop, { once: true });
		if (signal?.aborted) stop();
		child.stdout.on("data", onData);
		child.stderr.on("data", onData);
		const end = () => { clearTimeout(timer); signal?.removeEventListener("abort", stop); };
		child.on("error", (e) => { end(); reject(e); });
		child.on("close", (code) => {
			end();
			if (signal?.aborted) reject(new Error("aborted"));
			else if (late) reject(new Error(`timeout:${timeout}`));
			else resolve({ exitCode: code });
		});
	}),
};
const localFiles = {
	readFile: (p) => fs.promises.readFile(p), access: (p) => fs.promises.access(p, fs.constants.R_OK),
	writeFile: (p, text) => fs.promises.writeFile(p, text), mkdir: (p) => fs.promises.mkdir(p, { recursive: true }).then(() => {}),
};

const makers = {
	bash: (cwd, { operations = localShell, spawnHook, commandPrefix } = {}) => ({
		description: "Run a shell command in the working directory and return its output, standard output and standard error together.",
		parameters: Type.Object({ command: Type.String({ description: "Command to run" }), timeout: Type.Optional(Type.Number({ description: "Timeout in seconds" })) }),
		async execute(id, { command, timeout }, signal, onUpdate) {
			let context = { command: commandPrefix ? `${commandPrefix}\n${command}` : command, cwd, env: { ...process.env } };
			if (spawnHook) context = spawnHook(context);
			const decoder = new TextDecoder();
			let output = "";
			const onData = (data) => {
				output += decoder.decode(data, { stream: true });
				onUpdate?.(say(cut().truncateTail(output).content, {}));
			};
			let code;
			try {
				({ exitCode: code } = await operations.exec(context.command, context.cwd, { onData, signal, timeout, env: context.env }));
			} catch (error) {
				const why = error.message === "aborted" ? "Command aborted" : error.message.startsWith("timeout:") ? `Command timed out after ${timeout} seconds` : error.message;
				throw new Error((output ? output + "\n\n" : "") + why);
			}
			const truncation = cut().truncateTail(output);
			const text = truncation.content || "(no output)";
			if (code !== 0) throw new Error(`${text}\n\nCommand exited with code ${code}`);
			return say(text, truncation.truncated ? { truncation } : undefined);
		},
	}),
	read: (cwd, { operations = localFiles } = {}) => ({
		description: "Read a text file.",
		parameters: Type.Object({ path: Type.String({ description: "Path of the file" }), offset: Type.Optional(Type.Number({ description: "First line, from 1" })), limit: Type.Optional(Type.Number({ description: "Number of lines" })) }),
		async execute(id, { path: p, offset, limit }) {
			await operations.access(at(cwd, p));
			const lines = (await operations.readFile(at(cwd, p))).toString("utf-8").split("\n");
			const from = Math.max((offset ?? 1) - 1, 0);
			if (from >= lines.length) throw new Error(`Offset ${offset} is beyond end of file (${lines.length} lines total)`);
			const truncation = cut().truncateHead(lines.slice(from, limit === undefined ? undefined : from + limit).join("\n"));
			return say(truncation.content, truncation.truncated ? { truncation } : undefined);
		},
	}),
	write: (cwd, { operations = localFiles } = {}) => ({
		description: "Write a file, and the folders that it needs.",
		parameters: Type.Object({ path: Type.String({ description: "Path of the file" }), content: Type.String({ description: "What to write" }) }),
		async execute(id, { path: p, content }) {
			await operations.mkdir(path.dirname(at(cwd, p)));
			await operations.writeFile(at(cwd, p), content);
			return say(`Successfully wrote to ${p}`, undefined);
		},
	}),
	edit: (cwd, { operations = localFiles } = {}) => ({
		description: "Replace texts in a file, each of which must stand in it exactly once.",
		parameters: Type.Object({
			path: Type.String({ description: "Path of the file" }),
			edits: Type.Array(Type.Object({ oldText: Type.String({ description: "Text to replace" }), newText: Type.String({ description: "What to put in its place" }) })),
		}),
		async execute(id, { path: p, edits, oldText, newText }) {
			await operations.access(at(cwd, p));
			const before = (await operations.readFile(at(cwd, p))).toString("utf-8");
			let after = before;
			for (const e of edits ?? [{ oldText, newText }]) {
				const parts = after.split(e.oldText);
				if (parts.length === 1) throw new Error(`Could not find the exact text in ${p}.`);
				if (parts.length > 2) throw new Error(`Found ${parts.length - 1} occurrences of the text in ${p}. The text must be unique.`);
				after = parts.join(e.newText);
			}
			if (after === before) throw new Error(`No changes made to ${p}.`);
			await operations.writeFile(at(cwd, p), after);
			return say(`Successfully replaced text in ${p}.`, { diff: "" });
		},
	}),
	ls: (cwd) => ({
		description: "List a folder.",
		parameters: Type.Object({ path: Type.Optional(Type.String({ description: "Folder" })), limit: Type.Optional(Type.Number()) }),
		async execute(id, { path: p, limit = 500 }) {
			const list = await fs.promises.readdir(at(cwd, p), { withFileTypes: true });
			const names = list.map((e) => e.name + (e.isDirectory() ? "/" : "")).sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1);
			return say(names.slice(0, limit).join("\n") || "(empty directory)", undefined);
		},
	}),
	find: (cwd) => ({
		description: "Find files by a pattern of their names.",
		parameters: Type.Object({ pattern: Type.String({ description: "Pattern such as *.ts" }), path: Type.Optional(Type.String()), limit: Type.Optional(Type.Number()) }),
		async execute(id, { pattern, path: p, limit = 1000 }) {
			const base = pattern.split("/").at(-1);
			const found = walk(at(cwd, p)).filter((f) => path.matchesGlob(path.basename(f), base));
			return say(found.slice(0, limit).map((f) => path.relative(at(cwd, p), f)).join("\n") || "No files found matching pattern", undefined);
		},
	}),
	grep: (cwd) => ({
		description: "Search files for a regular expression.",
		parameters: Type.Object({
			pattern: Type.String({ description: "Regular expression" }), path: Type.Optional(Type.String()), glob: Type.Optional(Type.String()),
			ignoreCase: Type.Optional(Type.Boolean()), literal: Type.Optional(Type.Boolean()), limit: Type.Optional(Type.Number()),
		}),
		async execute(id, { pattern, path: p, glob, ignoreCase, literal, limit = 100 }) {
			const search = new RegExp(literal ? pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : pattern, ignoreCase ? "i" : "");
			const root = at(cwd, p);
			const files = fs.statSync(root).isDirectory() ? walk(root) : [root];
			const out = [];
			for (const file of files) {
				if (out.length >= limit) break;
				if (glob && !path.matchesGlob(path.basename(file), glob.split("/").at(-1))) continue;
				const text = fs.readFileSync(file, "utf8");
				if (text.includes("\0")) continue;
				text.split("\n").forEach((line, i) => {
					if (out.length < limit && search.test(line)) out.push(`${path.relative(root, file) || path.basename(file)}:${i + 1}: ${cut().truncateLine(line).text}`);
				});
			}
			return say(out.join("\n") || "No matches found", undefined);
		},
	}),
};
function walk(dir) {
	const out = [];
	for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
		if (e.name === ".git" || e.name === "node_modules") continue;
		const full = path.join(dir, e.name);
		if (e.isDirectory()) out.push(...walk(full));
		else if (e.isFile()) out.push(full);
	}
	return out;
}
const exported = { createLocalBashOperations: () => localShell };
for (const [name, make] of Object.entries(makers)) {
	const create = (cwd, options) => ({ name, label: name, ...make(cwd, options) });
	const title = name === "ls" ? "Ls" : name[0].toUpperCase() + name.slice(1);
	exported[`create${title}Tool`] = create;
	exported[`create${title}ToolDefinition`] = create;
}
const all = (names) => (cwd) => names.map((n) => exported[`create${n}Tool`](cwd));
exported.createCodingTools = all(["Read", "Bash", "Edit", "Write"]);
exported.createReadOnlyTools = all(["Read", "Grep", "Find", "Ls"]);
exported.formatReadLineRange = ({ offset, limit } = {}) => (offset === undefined && limit === undefined ? "" : `:${offset ?? 1}${limit === undefined ? "" : `-${(offset ?? 1) + limit - 1}`}`);
module.exports = exported;
