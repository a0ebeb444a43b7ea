// node:readline, for lines of a stream. There is no terminal: the standard input of the
// agent is the protocol's.
const EventEmitter = require("node/events");
const { aborted } = require("node/errors");

class Interface extends EventEmitter {
	#input;
	#output;
	#rest = "";
	#cr = false; // a CR was the end of a line, and its LF is still to come
	#asked = null;
	#lines = null; // what the iterator has not taken; null: nobody iterates
	#wake = () => {};
	closed = false;
	line = "";
	constructor(input, output) {
		super();
		const options = input?.input === undefined ? { input, output } : input;
		this.#input = options.input;
		this.#output = options.output;
		if (typeof this.#input?.on !== "function") throw new TypeError('The "input" argument must be a stream.');
		const decoder = new TextDecoder();
		this.#input.on("data", (chunk) => this.#take(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })));
		this.#input.on("end", () => {
			if (this.#rest) this.#tell(this.#rest);
			this.#rest = "";
			this.close();
		});
		options.signal?.addEventListener("abort", () => this.close(), { once: true });
	}
	#take(text) {
		if (this.#cr && text.startsWith("\n")) text = text.slice(1);
		this.#cr = text.endsWith("\r");
		const parts = (this.#rest + text).split(/\r\n|\n|\r|\u2028|\u2029/);
		this.#rest = parts.pop();
		for (const line of parts) this.#tell(line);
	}
	#tell(line) {
		if (this.closed) return;
		if (this.#asked) {
			const asked = this.#asked;
			this.#asked = null;
			asked(line);
			return;
		}
		this.#lines?.push(line);
		this.#wake();
		this.emit("line", line);
	}
	question(text, options, done) {
		if (typeof options === "function") done = options;
		this.#output?.write(text);
		this.#asked = done;
	}
	forget() { this.#asked = null; }
	close() {
		if (this.closed) return;
		this.closed = true;
		this.#input.pause?.();
		this.emit("close");
		this.#wake();
	}
	pause() { this.#input.pause?.(); this.emit("pause"); return this; }
	resume() { this.#input.resume?.(); this.emit("resume"); return this; }
	write() {}
	setPrompt(text) { this.prefix = text; }
	getPrompt() { return this.prefix ?? "> "; }
	prompt() { this.#output?.write(this.getPrompt()); }
	[Symbol.dispose]() { this.close(); }
	[Symbol.asyncIterator]() {
		const lines = (this.#lines ??= []);
		const failed = [];
		this.#input.on("error", (error) => { failed.push(error); this.#wake(); });
		const self = this;
		return (async function* () {
			try {
				for (;;) {
					if (lines.length > 0) yield lines.shift();
					else if (failed.length > 0) throw failed[0];
					else if (self.closed) return;
					else await new Promise((resolve) => { self.#wake = resolve; });
				}
			} finally {
				self.close();
			}
		})();
	}
}
Interface.prototype.question[Symbol.for("nodejs.util.promisify.custom")] = function question(text, options = {}) {
	const { signal } = options;
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(aborted(signal));
		const abort = () => { this.forget(); reject(aborted(signal)); };
		signal?.addEventListener("abort", abort, { once: true });
		this.question(text, (answer) => { signal?.removeEventListener("abort", abort); resolve(answer); });
	});
};
const ask = Interface.prototype.question[Symbol.for("nodejs.util.promisify.custom")];
class PromiseInterface extends Interface {
	question(text, options) { return ask.call({ question: (...args) => super.question(...args), forget: () => this.forget() }, text, options); }
}
module.exports = {
	Interface,
	createInterface: (...args) => new Interface(...args),
	promises: { Interface: PromiseInterface, createInterface: (...args) => new PromiseInterface(...args) },
};
