// The theme of RPC mode: texts as they are, for no terminal is known.
const foregrounds = new Set(("accent border borderAccent borderMuted success error warning muted dim text thinkingText scrollbarTrack scrollbarThumb searchMatchText " +
	"userMessageText customMessageText customMessageLabel toolTitle toolOutput mdHeading mdLink mdLinkUrl mdCode mdCodeBlock mdCodeBlockBorder mdQuote mdQuoteBorder mdHr " +
	"mdListBullet toolDiffAdded toolDiffRemoved toolDiffContext syntaxComment syntaxKeyword syntaxFunction syntaxVariable syntaxString syntaxNumber syntaxType " +
	"syntaxOperator syntaxPunctuation thinkingOff thinkingMinimal thinkingLow thinkingMedium thinkingHigh thinkingXhigh thinkingMax bashMode").split(" "));
const backgrounds = new Set("selectedBg searchMatchBg userMessageBg customMessageBg toolPendingBg toolSuccessBg toolErrorBg".split(" "));
function known(colors, color) {
	if (!colors.has(color)) throw new Error(`Unknown theme color: ${color}`);
}
class Theme {
	name = "plain";
	sourcePath = undefined;
	appearance = "dark";
	get colors() { return {}; }
	style(text) { return text; }
	fg(color, text) { known(foregrounds, color); return text; }
	bg(color, text) { known(backgrounds, color); return text; }
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
