// util.parseArgs.
const { coded, invalidType } = require("node/errors");
const { inspect } = require("node/inspect");

// The arguments one by one, as what they are.
function tokensOf(args, options) {
	const shorts = Object.fromEntries(Object.entries(options).filter(([, o]) => o.short).map(([name, o]) => [o.short, name]));
	const takes = (name) => options[name]?.type === "string";
	const tokens = [];
	const rest = args.map((text, index) => ({ text, index }));
	const value = () => (rest.length > 0 && rest[0].text !== undefined ? rest.shift().text : undefined);
	while (rest.length > 0) {
		const { text, index } = rest.shift();
		if (text === "--") {
			tokens.push({ kind: "option-terminator", index }, ...rest.splice(0).map((r) => ({ kind: "positional", index: r.index, value: r.text })));
		} else if (/^--[^]/.test(text)) {
			const at = text.indexOf("=", 3), name = at < 0 ? text.slice(2) : text.slice(2, at);
			const inline = at >= 0;
			const v = inline ? text.slice(at + 1) : takes(name) ? value() : undefined;
			tokens.push({ kind: "option", name, rawName: `--${name}`, index, value: v, inlineValue: v === undefined ? undefined : inline });
		} else if (/^-[^-]/.test(text)) {
			for (let i = 1; i < text.length; i++) {
				const name = shorts[text[i]] ?? text[i];
				if (takes(name)) {
					const inline = i + 1 < text.length;
					const v = inline ? text.slice(i + 1) : value();
					tokens.push({ kind: "option", name, rawName: `-${text[i]}`, index, value: v, inlineValue: v === undefined ? undefined : inline });
					break;
				}
				tokens.push({ kind: "option", name, rawName: `-${text[i]}`, index, value: undefined, inlineValue: undefined });
			}
		} else tokens.push({ kind: "positional", index, value: text });
	}
	return tokens;
}
function checkOption(token, options, allowNegative, allowPositionals) {
	const { name, rawName, value } = token;
	const option = options[name];
	const shown = option?.short ? `-${option.short}, --${name}` : `--${name}`;
	if (!option) {
		const hint = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(rawName)}` : "";
		throw coded(TypeError, "ERR_PARSE_ARGS_UNKNOWN_OPTION", `Unknown option '${rawName}'${hint}`);
	}
	const bad = (text) => { throw coded(TypeError, "ERR_PARSE_ARGS_INVALID_OPTION_VALUE", text); };
	if (option.type === "string" && typeof value !== "string") bad(`Option '${shown} <value>' argument missing`);
	if (option.type === "boolean" && value !== undefined) bad(`Option '${shown}' does not take an argument`);
	if (option.type === "string" && !token.inlineValue && /^-./.test(value)) {
		const example = rawName.startsWith("--") ? `'${rawName}=-XYZ'` : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
		bad(`Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use ${example}.`);
	}
}
module.exports = function parseArgs({ args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict, allowNegative = false, tokens: wantTokens = false } = {}) {
	for (const [name, o] of Object.entries(options)) {
		if (o?.type !== "string" && o?.type !== "boolean") throw invalidType(`options.${name}.type`, "one of 'string' or 'boolean'", o?.type);
		if (o.short !== undefined && [...String(o.short)].length !== 1) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The property 'options.${name}.short' must be a single character. Received ${inspect(o.short)}`);
	}
	const tokens = tokensOf(args, options), values = Object.create(null), positionals = [];
	for (const token of tokens) {
		if (token.kind === "positional") {
			if (!allowPositionals) throw coded(TypeError, "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL", `Unexpected argument '${token.value}'. This command does not take positional arguments`);
			positionals.push(token.value);
		}
		if (token.kind !== "option") continue;
		let { name, value } = token, set = value ?? true;
		if (allowNegative && value === undefined && name.startsWith("no-") && !options[name] && options[name.slice(3)]?.type !== "string") {
			name = name.slice(3);
			set = false;
			Object.assign(token, { name });
		}
		if (strict) checkOption({ ...token, name }, options, allowNegative, allowPositionals);
		if (name === "__proto__") continue;
		if (options[name]?.multiple) (values[name] ??= []).push(set);
		else values[name] = set;
	}
	for (const [name, o] of Object.entries(options)) if (o.default !== undefined && !(name in values)) values[name] = o.default;
	return { values, positionals, ...(wantTokens && { tokens }) };
};
