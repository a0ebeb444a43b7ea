// pi-tui without a terminal: the text functions work, components can be made and
// nested, render lines without styles, and are never shown.
const { stripVTControlCharacters } = require("node/util");

// How many columns a character takes: none for marks, two for wide ones.
const zero = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const emoji = /\p{Extended_Pictographic}/u;
function widthOf(c) {
	const code = c.codePointAt(0);
	if (code < 32 || (code >= 127 && code < 160)) return 0;
	if (code < 0x300) return 1;
	if (zero.test(c)) return 0;
	const wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0x303e) || (code >= 0x3041 && code <= 0xa4cf) ||
		(code >= 0xa960 && code <= 0xa97f) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) ||
		(code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f900 && code <= 0x1f9ff) ||
		(code >= 0x20000 && code <= 0x3fffd);
	return wide || (code >= 0x1f000 && emoji.test(c)) ? 2 : 1;
}
function visibleWidth(text) {
	let width = 0;
	for (const c of stripVTControlCharacters(String(text)).replaceAll("\t", "   ")) width += widthOf(c);
	return width;
}
const sequence = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/;
function* pieces(text) {
	while (text) {
		const escape = sequence.exec(text)?.[0];
		const piece = escape ?? String.fromCodePoint(text.codePointAt(0));
		yield [piece, escape ? 0 : widthOf(piece)];
		text = text.slice(piece.length);
	}
}
const reset = "\u001b[0m";
// The start of a text that has room, and how wide it is.
function headOf(text, room) {
	let out = "", width = 0;
	for (const [piece, w] of pieces(text)) {
		if (width + w > room) break;
		out += piece;
		width += w;
	}
	return [out, width];
}
function truncateToWidth(text, max, ellipsis = "...", pad = false) {
	text = String(text);
	if (max <= 0) return "";
	let out = text, width = visibleWidth(text);
	if (width > max) {
		const dots = visibleWidth(ellipsis);
		if (dots >= max) {
			[out, width] = headOf(ellipsis, max);
			out = reset + out + reset;
		} else {
			[out, width] = headOf(text, max - dots);
			out += reset + (ellipsis && ellipsis + reset);
			width += dots;
		}
	}
	return pad && width < max ? out + " ".repeat(max - width) : out;
}
// The styles that are still on at the end of a line.
const styleCodes = /\u001b\[[\d;]*m/g;
function stylesAfter(before, line) {
	let on = before;
	for (const code of line.match(styleCodes) ?? []) on = /^\u001b\[0?m$/.test(code) ? "" : on + code;
	return on;
}
function wrapTextWithAnsi(text, width) {
	const lines = [];
	let on = "";
	const put = (line) => {
		lines.push(on + line);
		on = stylesAfter(on, line);
	};
	for (const line of String(text).split("\n")) {
		let out = "";
		for (const word of line.split(/(?<= )/)) {
			if (out && visibleWidth(out) + visibleWidth(word.trimEnd()) > width) {
				put(out.trimEnd());
				out = "";
			}
			out += word;
			while (visibleWidth(out.trimEnd()) > width) {
				const [head] = headOf(out, width);
				put(head);
				out = out.slice(head.length);
				if (head === "") break;
			}
		}
		put(out.trimEnd());
	}
	return lines;
}
// Lines with room around them, each as wide as what it is in.
function padded(lines, width, x, y) {
	const empty = Array(y).fill(" ".repeat(width));
	const full = lines.map((l) => " ".repeat(x) + l + " ".repeat(Math.max(width - x - visibleWidth(l), 0)));
	return [...empty, ...full, ...empty];
}

class Component {
	focused = false;
	invalidate() {}
	handleInput() {}
	render() { return []; }
	dispose() {}
}
class Container extends Component {
	children = [];
	addChild(c) { this.children.push(c); }
	removeChild(c) { this.children = this.children.filter((x) => x !== c); }
	clear() { this.children = []; }
	invalidate() { for (const c of this.children) c.invalidate?.(); }
	render(width) { return this.children.flatMap((c) => c.render?.(width) ?? []); }
}
class Text extends Component {
	constructor(text = "", paddingX = 1, paddingY = 1) { super(); Object.assign(this, { text, paddingX, paddingY }); }
	setText(text) { this.text = text; }
	setCustomBgFn() {}
	render(width = 80) {
		if (!String(this.text ?? "").trim()) return [];
		return padded(wrapTextWithAnsi(String(this.text).replaceAll("\t", "   "), Math.max(width - 2 * this.paddingX, 1)), width, this.paddingX, this.paddingY);
	}
}
class TruncatedText extends Text {
	constructor(text = "", paddingX = 0, paddingY = 0) { super(text, paddingX, paddingY); }
	render(width = 80) {
		return padded([truncateToWidth(String(this.text).split("\n")[0], Math.max(width - 2 * this.paddingX, 1))], width, this.paddingX, this.paddingY);
	}
}
class Markdown extends Text {
	constructor(text, paddingX, paddingY, theme) { super(text, paddingX, paddingY); this.theme = theme; }
}
class Spacer extends Component {
	constructor(lines = 1) { super(); this.lines = lines; }
	setLines(n) { this.lines = n; }
	render() { return Array(this.lines).fill(""); }
}
class Box extends Container {
	constructor(paddingX = 1, paddingY = 1) { super(); Object.assign(this, { paddingX, paddingY }); }
	setBgFn() {}
	render(width = 80) {
		const lines = super.render(Math.max(width - 2 * this.paddingX, 1));
		return lines.length ? padded(lines, width, this.paddingX, this.paddingY) : [];
	}
}
class SelectList extends Component {
	constructor(items = [], maxVisible = 10) { super(); Object.assign(this, { items, maxVisible, selected: 0 }); }
	setFilter() {}
	setSelectedIndex(i) { this.selected = i; }
	getSelectedItem() { return this.items[this.selected] ?? null; }
	render(width) { return this.items.map((i, at) => truncateToWidth(`${at === this.selected ? "> " : "  "}${i.label ?? i.value}`, width)); }
}
class SettingsList extends Component {
	constructor(items = []) { super(); this.items = items; }
	updateValue(id, value) { const item = this.items.find((i) => i.id === id); if (item) item.currentValue = value; }
	render(width) { return this.items.map((i) => truncateToWidth(`  ${i.label}: ${i.currentValue}`, width)); }
}
class Input extends Component {
	value = "";
	getValue() { return this.value; }
	setValue(v) { this.value = v; }
	render(width) { return [truncateToWidth("> " + this.value, width)]; }
}
class Editor extends Component {
	text = "";
	getText() { return this.text; }
	setText(t) { this.text = t; }
	setAutocompleteProvider() {}
	insertTextAtCursor(t) { this.text += t; }
	addToHistory() {}
	render() { return this.text.split("\n"); }
}
class Loader extends Text {
	constructor(ui, spinner, style, message = "Loading...") { super(message, 1, 0); }
	start() {}
	stop() {}
	setMessage(m) { this.text = m; }
}
class CancellableLoader extends Loader {
	#controller = new AbortController();
	get signal() { return this.#controller.signal; }
	get aborted() { return this.signal.aborted; }
}
class TUI extends Container {
	requestRender() {}
	setFocus() {}
	start() {}
	stop() {}
	get terminal() { return { columns: 80, rows: 24 }; }
}
const named = ["escape", "esc", "enter", "return", "tab", "space", "backspace", "delete", "home", "end", "up", "down", "left", "right", "pageUp", "pageDown"];
const modifier = (prefix) => new Proxy({}, { get: (_, k) => (key) => `${prefix}${String(k)}+${key}` });
const Key = Object.assign(Object.create(null), Object.fromEntries(named.map((k) => [k, k])), {
	ctrl: (k) => `ctrl+${k}`, shift: (k) => `shift+${k}`, alt: (k) => `alt+${k}`,
	ctrlShift: (k) => `ctrl+shift+${k}`, shiftCtrl: (k) => `shift+ctrl+${k}`, ctrlAlt: (k) => `ctrl+alt+${k}`, altCtrl: (k) => `alt+ctrl+${k}`, shiftAlt: (k) => `shift+alt+${k}`, altShift: (k) => `alt+shift+${k}`,
	super: (k) => `super+${k}`,
});
const codes = {
	escape: "\u001b", esc: "\u001b", enter: "\r", return: "\r", tab: "\t", space: " ", backspace: "\u007f", delete: "\u001b[3~",
	up: "\u001b[A", down: "\u001b[B", right: "\u001b[C", left: "\u001b[D", home: "\u001b[H", end: "\u001b[F", pageUp: "\u001b[5~", pageDown: "\u001b[6~",
};
function matchesKey(data, key) {
	if (codes[key] !== undefined) return data === codes[key];
	const ctrl = /^ctrl\+([a-z])$/.exec(key);
	if (ctrl) return data === String.fromCharCode(ctrl[1].charCodeAt(0) - 96);
	const alt = /^alt\+(.)$/.exec(key);
	if (alt) return data === "\u001b" + alt[1];
	return data === key;
}
function fuzzyMatch(query, text) {
	let at = 0, score = 0;
	const lower = String(text).toLowerCase();
	for (const c of String(query).toLowerCase()) {
		const next = lower.indexOf(c, at);
		if (next < 0) return { matches: false, score: 0 };
		score += next - at;
		at = next + 1;
	}
	return { matches: true, score };
}
module.exports = {
	visibleWidth, truncateToWidth, wrapTextWithAnsi, stripAnsi: stripVTControlCharacters, sliceByColumn: (t, from, n) => truncateToWidth(t.slice(from), n, ""),
	Container, Text, TruncatedText, Markdown, Spacer, Box, SelectList, SettingsList, Input, Editor, Loader, CancellableLoader, TUI,
	Image: class Image extends Component {}, DynamicBorder: class DynamicBorder extends Component {},
	Key, matchesKey, isKeyRelease: () => false, isKeyRepeat: () => false, parseKey: (d) => Object.keys(codes).find((k) => codes[k] === d),
	fuzzyMatch, fuzzyFilter: (items, query, text = (x) => x) => items.map((i) => [fuzzyMatch(query, text(i)), i]).filter(([m]) => m.matches).sort((a, b) => a[0].score - b[0].score).map(([, i]) => i),
	CURSOR_MARKER: "", renderFakeCursor: (text = " ") => text, isFocusable: (c) => !!c && "focused" in c,
	getKeybindings: () => ({ matches: matchesKey, getKeys: () => [] }), setKeybindings() {}, getCapabilities: () => ({ images: null, trueColor: false, hyperlinks: false }),
	CombinedAutocompleteProvider: class CombinedAutocompleteProvider { async getSuggestions() { return null; } applyCompletion(lines, line, col) { return { lines, cursorLine: line, cursorCol: col }; } },
	hyperlink: (text) => text,
};
