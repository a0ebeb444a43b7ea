// The theme of RPC mode: texts as they are, for no terminal is known.
class Theme {
	name = "plain";
	sourcePath = undefined;
	appearance = "dark";
	get colors() { return {}; }
	style(text) { return text; }
	fg(color, text) { return text; }
	bg(color, text) { return text; }
	bold(text) { return text; }
	dim(text) { return text; }
	italic(text) { return text; }
	underline(text) { return text; }
	inverse(text) { return text; }
	strikethrough(text) { return text; }
	getFgAnsi() { return ""; }
	getBgAnsi() { return ""; }
	getColorMode() { return "none"; }
	getThinkingBorderColor() { return (text) => text; }
	getBashModeBorderColor() { return (text) => text; }
}
exports.Theme = Theme;
exports.theme = new Theme();
