// Intl and the toLocale… methods, in American English: numbers, dates, lists, plurals,
// relative times, the order of texts. Go knows the time zones.
const { host } = internal;

function localeOf(locales) {
	for (const tag of locales === undefined ? [] : [locales].flat()) {
		if (typeof tag !== "string" && typeof tag !== "object") throw new TypeError("Language ID should be string or object.");
		if (!/^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(String(tag))) throw new RangeError(`Incorrect locale information provided`);
		return String(tag);
	}
	return "en-US";
}
function english(locales, what, others = false) {
	const tag = localeOf(locales);
	if (!(others ? /^en(?:-|$)/i : /^en(?:-US)?(?:-u-.*)?$/i).test(tag)) {
		throw new RangeError(`${what}: the locale "${tag}" is not available in extui, which formats in American English (en-US) only`);
	}
	return tag;
}
function choose(options, name, allowed, otherwise) {
	const v = options?.[name];
	if (v === undefined) return otherwise;
	if (!allowed.includes(v)) throw new RangeError(`Value ${v} out of range for Intl options property ${name}`);
	return v;
}
function digits(options, name, low, high) {
	const v = options?.[name];
	if (v === undefined) return undefined;
	const n = Number(v);
	if (!(n >= low && n <= high)) throw new RangeError(`${name} value is out of range.`);
	return Math.floor(n);
}

// A number as decimal digits: 0.d₁d₂… times ten to the power of point.
function decimalOf(v) {
	let text = String(v).replace(/^-/, ""), exponent = 0;
	const e = text.indexOf("e");
	if (e >= 0) { exponent = Number(text.slice(e + 1)); text = text.slice(0, e); }
	const [whole, part = ""] = text.split(".");
	const all = whole + part, digits = all.replace(/^0+/, "");
	return { digits, point: digits === "" ? 0 : whole.length + exponent - (all.length - digits.length) };
}
// Rounds to so many digits behind the point; half goes away from zero.
function round({ digits, point }, places) {
	const keep = point + places;
	if (keep < 0) return { digits: "", point: 0 };
	if (keep >= digits.length) return { digits, point };
	let kept = digits.slice(0, keep);
	if (digits[keep] >= "5") {
		kept = String(BigInt("1" + (kept || "")) + 1n);
		if (kept[0] === "2") return { digits: ("1" + kept.slice(1)), point: point + 1 };
		kept = kept.slice(1);
	}
	return { digits: kept, point };
}
function plain({ digits, point }, least) {
	const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
	const part = point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
	return [whole, part.replace(/0+$/, "").padEnd(least, "0")];
}
const symbols = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", CAD: "CA$", AUD: "A$", MXN: "MX$", NZD: "NZ$", BRL: "R$", ILS: "₪", VND: "₫", HKD: "HK$", TWD: "NT$" };
const noCents = ["JPY", "KRW", "VND", "CLP", "ISK"];
class NumberFormat {
	#o;
	constructor(locales, options = {}) {
		const locale = english(locales, "Intl.NumberFormat", true);
		const style = choose(options, "style", ["decimal", "percent", "currency", "unit"], "decimal");
		if (style === "unit") throw new RangeError('Intl.NumberFormat: the style "unit" is not available in extui');
		const currency = options.currency === undefined ? undefined : String(options.currency).toUpperCase();
		if (style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
		if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) throw new RangeError(`Invalid currency code : ${options.currency}`);
		const notation = choose(options, "notation", ["standard", "compact", "scientific", "engineering"], "standard");
		if (notation === "scientific" || notation === "engineering") throw new RangeError(`Intl.NumberFormat: the notation "${notation}" is not available in extui`);
		const cents = noCents.includes(currency) ? 0 : 2;
		const minS = digits(options, "minimumSignificantDigits", 1, 21), maxS = digits(options, "maximumSignificantDigits", minS ?? 1, 21);
		let min = digits(options, "minimumFractionDigits", 0, 100), max = digits(options, "maximumFractionDigits", 0, 100);
		const given = min !== undefined || max !== undefined;
		const usual = style === "currency" ? [cents, cents] : style === "percent" ? [0, 0] : [0, 3];
		if (min === undefined) min = max === undefined ? usual[0] : Math.min(usual[0], max);
		else if (max !== undefined && min > max) throw new RangeError("maximumFractionDigits value is out of range.");
		max ??= Math.max(usual[1], min);
		this.#o = {
			locale, style, currency, notation, min, max, minS, maxS, whole: digits(options, "minimumIntegerDigits", 1, 21) ?? 1, compactRound: notation === "compact" && !given && minS === undefined && maxS === undefined,
			display: choose(options, "currencyDisplay", ["symbol", "narrowSymbol", "code", "name"], "symbol"),
			grouping: options.useGrouping === undefined ? (notation === "compact" ? "min2" : "auto") : options.useGrouping === "false" ? "auto" : options.useGrouping,
			sign: choose(options, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto"), long: options.compactDisplay === "long",
		};
		this.format = (v) => this.formatToParts(v).map((p) => p.value).join("");
	}
	#number(v) {
		const o = this.#o;
		let d = decimalOf(v), suffix = "";
		if (o.style === "percent" && d.digits) d.point += 2;
		const rounded = (d) => {
			if (o.compactRound) return round(d, Math.max(0, 2 - d.point));
			if (o.minS !== undefined || o.maxS !== undefined) return round(d, (o.maxS ?? 21) - d.point);
			return round(d, o.max);
		};
		if (o.notation === "compact") {
			let power = Math.min(Math.max(Math.floor((d.point - 1) / 3), 0), 4);
			const r = rounded({ ...d, point: d.point - 3 * power });
			if (r.point > 3 && power < 4) power++;
			d = { ...d, point: d.point - 3 * power };
			suffix = (o.long ? ["", " thousand", " million", " billion", " trillion"] : ["", "K", "M", "B", "T"])[power];
		}
		const r = rounded(d);
		const least = o.minS !== undefined ? Math.max(0, o.minS - Math.max(r.point, r.digits ? r.point : 1)) : o.compactRound || o.maxS !== undefined ? 0 : o.min;
		const [whole, part] = plain(r, least);
		return { whole: whole.padStart(o.whole, "0"), part, suffix, zero: !/[1-9]/.test(whole + part) };
	}
	formatToParts(v) {
		const o = this.#o;
		if (typeof v !== "bigint") v = typeof v === "string" && v.trim() !== "" && Number.isFinite(Number(v)) && /^\s*-?\d+(\.\d+)?\s*$/.test(v) ? v.trim() : Number(v);
		const parts = [];
		const add = (type, value) => { if (value) parts.push({ type, value }); };
		const nan = Number.isNaN(v), infinite = v === Infinity || v === -Infinity;
		const n = nan || infinite ? null : this.#number(v);
		const negative = !nan && (String(v).startsWith("-") || Object.is(v, -0));
		const zero = nan || n?.zero;
		const minus = negative && o.sign !== "never" && !(zero && (o.sign === "negative" || o.sign === "exceptZero"));
		if (minus) add("minusSign", "-");
		else if (!negative && (o.sign === "always" || (o.sign === "exceptZero" && !zero))) add("plusSign", "+");
		if (o.style === "currency" && o.display !== "name") {
			const sign = o.display === "code" ? o.currency : (o.display === "narrowSymbol" ? (symbols[o.currency] ?? o.currency).replace(/^[A-Z]+(?=[^A-Z])/, "") : (symbols[o.currency] ?? o.currency));
			add("currency", sign);
			if (/[A-Z]$/.test(sign)) add("literal", "\u00a0");
		}
		if (nan) add("nan", "NaN");
		else if (infinite) add("infinity", "∞");
		else {
			const group = o.grouping !== false && !(o.grouping === "min2" && n.whole.length < 5);
			const groups = group ? n.whole.replace(/\B(?=(\d{3})+$)/g, ",").split(",") : [n.whole];
			groups.forEach((g, i) => { if (i) add("group", ","); add("integer", g); });
			if (n.part) { add("decimal", "."); add("fraction", n.part); }
			if (n.suffix.startsWith(" ")) add("literal", " ");
			add("compact", n.suffix.trim());
		}
		if (o.style === "percent") add("percentSign", "%");
		if (o.style === "currency" && o.display === "name") { add("literal", " "); add("currency", o.currency); }
		return parts;
	}
	resolvedOptions() {
		const o = this.#o;
		return {
			locale: o.locale, numberingSystem: "latn", style: o.style, ...(o.currency && { currency: o.currency }), minimumIntegerDigits: o.whole,
			minimumFractionDigits: o.min, maximumFractionDigits: o.max, useGrouping: o.grouping, notation: o.notation, signDisplay: o.sign,
		};
	}
}

// Dates.
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const space = "\u202f"; // what stands before AM and PM
const dateFields = ["weekday", "year", "month", "day"], timeFields = ["hour", "minute", "second", "fractionalSecondDigits"];
const styles = {
	full: { weekday: "long", year: "numeric", month: "long", day: "numeric" }, long: { year: "numeric", month: "long", day: "numeric" },
	medium: { year: "numeric", month: "short", day: "numeric" }, short: { year: "2-digit", month: "numeric", day: "numeric" },
};
// A time zone at a time: its name, its short name then, and its offset in seconds.
function zoneOf(name, ms) {
	const found = host("zone", name, ms);
	if (found === undefined) throw new RangeError(`Invalid time zone specified: ${name}`);
	return JSON.parse(found);
}
class DateTimeFormat {
	#o;
	constructor(locales, options = {}, required = "any", defaults = "date") {
		const locale = english(locales, "Intl.DateTimeFormat");
		const o = (this.#o = { locale });
		for (const name of ["era", "dayPeriod"]) if (options[name] !== undefined) throw new RangeError(`Intl.DateTimeFormat: the option "${name}" is not available in extui`);
		const number = ["numeric", "2-digit"], text = ["long", "short", "narrow"];
		o.weekday = choose(options, "weekday", text);
		o.year = choose(options, "year", number);
		o.month = choose(options, "month", [...number, ...text]);
		for (const name of ["day", "hour", "minute", "second"]) o[name] = choose(options, name, number);
		o.fractionalSecondDigits = digits(options, "fractionalSecondDigits", 1, 3);
		o.timeZoneName = choose(options, "timeZoneName", ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"]);
		const dateStyle = choose(options, "dateStyle", Object.keys(styles)), timeStyle = choose(options, "timeStyle", Object.keys(styles));
		const some = [...dateFields, ...timeFields].some((f) => o[f] !== undefined);
		if (dateStyle || timeStyle) {
			if (some) throw new TypeError(`Can't set option ${[...dateFields, ...timeFields].find((f) => o[f] !== undefined)} when ${dateStyle ? "dateStyle" : "timeStyle"} is used`);
			Object.assign(o, dateStyle && styles[dateStyle], timeStyle && { hour: "numeric", minute: "2-digit" }, timeStyle && timeStyle !== "short" && { second: "2-digit" });
			if (timeStyle === "long" || timeStyle === "full") o.timeZoneName = timeStyle === "long" ? "short" : "long";
			o.at = dateStyle === "full" || dateStyle === "long";
		} else {
			const has = (fields) => fields.some((f) => o[f] !== undefined);
			const missing = required === "date" ? !has(dateFields) : required === "time" ? !has(timeFields) : !some;
			if (missing && defaults !== "time") Object.assign(o, { year: "numeric", month: "numeric", day: "numeric" });
			if (missing && defaults !== "date") Object.assign(o, { hour: "numeric", minute: "numeric", second: "numeric" });
		}
		const cycle = choose(options, "hourCycle", ["h11", "h12", "h23", "h24"], "h12");
		o.cycle = options.hour12 === undefined ? cycle : options.hour12 ? "h12" : "h23";
		o.zone = options.timeZone === undefined ? undefined : zoneOf(String(options.timeZone), 0).name;
		// As V8: the space before AM and PM is a narrow one in the parts alone.
		this.format = (date) => this.formatToParts(date).map((p) => p.value).join("").replaceAll(space, " ");
	}
	// The fields of a time in the zone.
	#fields(ms) {
		const d = new Date(ms), zone = this.#o.zone;
		if (zone === undefined) return { y: d.getFullYear(), m: d.getMonth(), d: d.getDate(), w: d.getDay(), h: d.getHours(), i: d.getMinutes(), s: d.getSeconds(), ms: d.getMilliseconds() };
		const u = new Date(ms + (zone === "UTC" ? 0 : zoneOf(zone, ms).offset * 1000));
		return { y: u.getUTCFullYear(), m: u.getUTCMonth(), d: u.getUTCDate(), w: u.getUTCDay(), h: u.getUTCHours(), i: u.getUTCMinutes(), s: u.getUTCSeconds(), ms: u.getUTCMilliseconds() };
	}
	formatToParts(date) {
		const ms = date === undefined ? Date.now() : Number(date);
		if (!Number.isFinite(ms)) throw new RangeError("Invalid time value");
		const o = this.#o, f = this.#fields(ms), parts = [];
		const add = (type, value) => { if (value !== "") parts.push({ type, value: String(value) }); };
		const two = (n) => String(n).padStart(2, "0");
		const name = (list, i, form) => (form === "long" ? list[i] : form === "short" ? list[i].slice(0, 3) : list[i][0]);
		const year = o.year && (o.year === "2-digit" ? two(f.y % 100) : String(f.y)), day = o.day && (o.day === "2-digit" ? two(f.d) : String(f.d));
		const words = o.month && !["numeric", "2-digit"].includes(o.month);
		const month = o.month && (words ? name(months, f.m, o.month) : o.month === "2-digit" ? two(f.m + 1) : String(f.m + 1));
		const list = [];
		if (words) {
			if (o.weekday) list.push(["weekday", name(days, f.w, o.weekday), month || day || year ? ", " : ""]);
			list.push(["month", month, day ? " " : year ? " " : ""]);
			if (day) list.push(["day", day, year ? ", " : ""]);
			if (year) list.push(["year", year, ""]);
		} else if (o.weekday && day && !month && !year) list.push(["day", day, " "], ["weekday", name(days, f.w, o.weekday), ""]);
		else {
			const numbers = [["month", month], ["day", day], ["year", year]].filter(([, v]) => v);
			if (o.weekday) list.push(["weekday", name(days, f.w, o.weekday), numbers.length ? ", " : ""]);
			numbers.forEach(([type, v], i) => list.push([type, v, i < numbers.length - 1 ? "/" : ""]));
		}
		for (const [type, value, after] of list) { add(type, value); add("literal", after); }
		const clock = o.hour || o.minute || o.second || o.fractionalSecondDigits;
		if (list.length && clock) add("literal", o.at ? " at " : list.length === 1 && o.weekday ? " " : ", ");
		if (o.hour) {
			const h = o.cycle === "h12" ? f.h % 12 || 12 : o.cycle === "h11" ? f.h % 12 : o.cycle === "h24" ? f.h || 24 : f.h;
			add("hour", o.hour === "2-digit" || o.cycle === "h23" || o.cycle === "h24" ? two(h) : h);
		}
		if (o.minute) { if (o.hour) add("literal", ":"); add("minute", o.hour || o.second ? two(f.i) : f.i); }
		if (o.second) { if (o.minute || o.hour) add("literal", ":"); add("second", o.minute || o.hour ? two(f.s) : o.second === "2-digit" && o.fractionalSecondDigits ? two(f.s) : f.s); }
		if (o.fractionalSecondDigits) { if (o.second) add("literal", "."); add("fractionalSecond", String(f.ms).padStart(3, "0").slice(0, o.fractionalSecondDigits)); }
		if (o.hour && (o.cycle === "h12" || o.cycle === "h11")) { add("literal", space); add("dayPeriod", f.h < 12 ? "AM" : "PM"); }
		if (o.timeZoneName) {
			const zone = zoneOf(o.zone ?? "", ms);
			const offset = (long) => {
				const m = Math.abs(zone.offset) / 60, sign = zone.offset < 0 ? "-" : "+";
				if (m === 0) return "GMT";
				const h = Math.floor(m / 60), rest = m % 60;
				return `GMT${sign}${long ? two(h) : h}${rest || long ? `:${two(rest)}` : ""}`;
			};
			if (o.timeZoneName.startsWith("long") && o.timeZoneName !== "longOffset" && zone.name !== "UTC") throw new RangeError(`Intl.DateTimeFormat: the long name of the time zone "${zone.name}" is not available in extui`);
			const text = o.timeZoneName.endsWith("Offset") ? offset(o.timeZoneName === "longOffset") : zone.name === "UTC" ? (o.timeZoneName === "long" ? "Coordinated Universal Time" : "UTC")
				: /^[ECMPH][SD]T$|^AK[SD]T$/.test(zone.short) ? zone.short : offset(false);
			add("literal", parts.length ? (clock ? " " : ", ") : "");
			add("timeZoneName", text);
		}
		return parts;
	}
	resolvedOptions() {
		const o = this.#o, out = { locale: o.locale, calendar: "gregory", numberingSystem: "latn", timeZone: o.zone ?? zoneOf("", 0).name };
		if (o.hour) Object.assign(out, { hourCycle: o.cycle, hour12: o.cycle === "h12" || o.cycle === "h11" });
		for (const name of [...dateFields, ...timeFields, "timeZoneName"]) if (o[name] !== undefined) out[name] = o[name];
		return out;
	}
}

// The order of texts: by letters, then by accents, then small before capital. Letters
// have the order of their code points, with Latin ones put to their base letter.
const marks = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const bases = { "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o\u0338", "Ø": "O\u0338", "ł": "l\u0335", "Ł": "L\u0335", "đ": "d\u0335", "Đ": "D\u0335" };
function weightsOf(text, numeric) {
	const primary = [], accents = [], cases = [];
	const chars = [...text.normalize("NFD").replace(/[ßæÆœŒøØłŁđĐ]/g, (c) => bases[c])];
	for (let i = 0; i < chars.length; i++) {
		const c = chars[i], code = c.codePointAt(0);
		if (code < 9 || (code > 13 && code < 32)) continue;
		if (/\p{Mn}/u.test(c)) {
			if (primary.length) accents[primary.length - 1] += c;
			continue;
		}
		const at = marks.indexOf(c);
		let weight;
		if (at >= 0) weight = at;
		else if (/\d/.test(c)) {
			weight = 0x200000 + (code - 48);
			if (numeric) {
				let run = c;
				while (/^\d$/.test(chars[i + 1] ?? "")) run += chars[++i];
				run = run.replace(/^0+(?=\d)/, "");
				primary.push(0x200000 + run.length);
				accents.push("");
				cases.push(0);
				weight = Number(`0.${run}`);
			}
		} else if (/\p{L}/u.test(c)) weight = 0x400000 + c.toLowerCase().codePointAt(0);
		else weight = 0x100 + code;
		primary.push(weight);
		accents.push("");
		cases.push(c === c.toLowerCase() ? 0 : 1);
	}
	return { primary, accents, cases };
}
function compareLists(a, b) {
	for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
	return Math.sign(a.length - b.length);
}
function collate(a, b, numeric, sensitivity) {
	if (a === b) return 0;
	const x = weightsOf(a, numeric), y = weightsOf(b, numeric);
	let order = compareLists(x.primary, y.primary);
	if (!order && (sensitivity === "accent" || sensitivity === "variant")) order = compareLists(x.accents, y.accents);
	if (!order && (sensitivity === "case" || sensitivity === "variant")) order = compareLists(x.cases, y.cases);
	return order;
}
class Collator {
	#o;
	constructor(locales, options = {}) {
		const o = (this.#o = {
			locale: localeOf(locales), usage: choose(options, "usage", ["sort", "search"], "sort"), sensitivity: choose(options, "sensitivity", ["base", "accent", "case", "variant"], "variant"),
			ignorePunctuation: !!options.ignorePunctuation, numeric: !!options.numeric, caseFirst: choose(options, "caseFirst", ["upper", "lower", "false"], "false"),
		});
		if (o.caseFirst === "upper" || o.ignorePunctuation) throw new RangeError(`Intl.Collator: ${o.ignorePunctuation ? "ignorePunctuation" : 'the caseFirst "upper"'} is not available in extui`);
		this.compare = (a, b) => collate(String(a), String(b), o.numeric, o.sensitivity);
	}
	resolvedOptions() { return { ...this.#o, collation: "default" }; }
}
class PluralRules {
	#ordinal;
	constructor(locales, options = {}) {
		english(locales, "Intl.PluralRules", true);
		this.#ordinal = choose(options, "type", ["cardinal", "ordinal"], "cardinal") === "ordinal";
	}
	select(n) {
		n = Number(n);
		if (!this.#ordinal) return n === 1 ? "one" : "other";
		const ten = n % 10, hundred = n % 100;
		return ten === 1 && hundred !== 11 ? "one" : ten === 2 && hundred !== 12 ? "two" : ten === 3 && hundred !== 13 ? "few" : "other";
	}
	resolvedOptions() { return { locale: "en-US", type: this.#ordinal ? "ordinal" : "cardinal" }; }
}
class ListFormat {
	#type;
	#style;
	constructor(locales, options = {}) {
		english(locales, "Intl.ListFormat");
		this.#type = choose(options, "type", ["conjunction", "disjunction", "unit"], "conjunction");
		this.#style = choose(options, "style", ["long", "short", "narrow"], "long");
	}
	format(list) {
		const all = [...list];
		for (const v of all) if (typeof v !== "string") throw new TypeError("Iterable yielded a non-String value");
		const unit = this.#type === "unit", narrow = this.#style === "narrow";
		const word = unit ? "" : this.#type === "disjunction" ? "or " : this.#style === "long" ? "and " : this.#style === "short" ? "& " : "";
		if (all.length < 2) return all.join("");
		if (unit && narrow) return all.join(" ");
		if (all.length === 2) return word ? `${all[0]} ${word}${all[1]}` : all.join(", ");
		return `${all.slice(0, -1).join(", ")}, ${word}${all.at(-1)}`;
	}
}
class RelativeTimeFormat {
	#auto;
	#short;
	constructor(locales, options = {}) {
		english(locales, "Intl.RelativeTimeFormat");
		this.#auto = choose(options, "numeric", ["always", "auto"], "always") === "auto";
		if (choose(options, "style", ["long", "short", "narrow"], "long") === "narrow") throw new RangeError('Intl.RelativeTimeFormat: the style "narrow" is not available in extui');
		this.#short = options.style === "short";
	}
	format(value, unit) {
		unit = String(unit).replace(/s$/, "");
		if (!["second", "minute", "hour", "day", "week", "month", "quarter", "year"].includes(unit)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
		const n = Number(value);
		if (!Number.isFinite(n)) throw new RangeError("Invalid time value");
		if (this.#auto) {
			const words = { day: { "-1": "yesterday", 0: "today", 1: "tomorrow" }, second: { 0: "now" } }[unit];
			if (words && n in words) return words[n];
			const brief = this.#short ? { week: "wk.", month: "mo.", quarter: "qtr.", year: "yr." }[unit] ?? unit : unit;
			if (n === 0) return `this ${unit === "minute" || unit === "hour" ? unit : brief}`;
			if (Math.abs(n) === 1 && ["week", "month", "quarter", "year"].includes(unit)) return `${n < 0 ? "last" : "next"} ${brief}`;
		}
		const amount = new NumberFormat("en").format(Math.abs(n)), one = Math.abs(n) === 1;
		const shorts = { second: "sec.", minute: "min.", hour: "hr.", week: "wk.", month: "mo.", year: "yr.", quarter: one ? "qtr." : "qtrs." };
		const word = this.#short && shorts[unit] ? shorts[unit] : one ? unit : unit + "s";
		return n < 0 || Object.is(n, -0) ? `${amount} ${word} ago` : `in ${amount} ${word}`;
	}
}
function called(Kind) {
	Kind.supportedLocalesOf = (locales) => [locales].flat().filter((l) => /^en(?:-US)?$/i.test(l));
	Object.defineProperty(Kind.prototype, Symbol.toStringTag, { value: `Intl.${Kind.name}`, configurable: true });
	// Some may be called without new.
	return ["NumberFormat", "DateTimeFormat", "Collator"].includes(Kind.name) ? new Proxy(Kind, { apply: (_, self, args) => new Kind(args[0], args[1]) }) : Kind;
}
exports.Intl = { getCanonicalLocales: (locales) => (locales === undefined ? [] : [locales].flat().map((l) => localeOf(l))) };
for (const Kind of [NumberFormat, DateTimeFormat, Collator, PluralRules, ListFormat, RelativeTimeFormat]) exports.Intl[Kind.name] = called(Kind);
for (const name of ["Segmenter", "DisplayNames", "Locale", "DurationFormat"]) {
	exports.Intl[name] = class { constructor() { throw new Error(`Intl.${name} is not available in extui`); } };
}
Object.defineProperty(exports.Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

// The methods of values.
const date = (required, defaults) => (self, locales, options) => {
	const ms = Date.prototype.getTime.call(self);
	return Number.isNaN(ms) ? "Invalid Date" : new DateTimeFormat(locales, options ?? {}, required, defaults).format(ms);
};
exports.methods = {
	number: (self, locales, options) => new NumberFormat(locales, options).format(self.valueOf()),
	toLocaleString: date("any", "all"), toLocaleDateString: date("date", "date"), toLocaleTimeString: date("time", "time"),
	localeCompare: (self, other, locales, options) => new Collator(locales, options).compare(self, other),
};
