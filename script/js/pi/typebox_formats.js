// The formats of JSON Schema that are looked at; others pass.
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function date(text) {
	const m = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
	if (!m) return false;
	const [year, month, day] = m.slice(1).map(Number);
	const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
	return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && leap ? 29 : days[month - 1]);
}
function time(text) {
	const m = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
	if (!m) return false;
	const [hour, minute, second] = m.slice(1, 4).map(Number);
	const zone = m[4] ? (m[4] === "-" ? -1 : 1) * (Number(m[5]) * 60 + Number(m[6])) : 0;
	if (m[4] && (Number(m[5]) > 23 || Number(m[6]) > 59)) return false;
	if (hour > 23 || minute > 59 || second > 60) return false;
	// A leap second is the last of a day of UTC.
	return second < 60 || (hour * 60 + minute - zone + 2880) % 1440 === 1439;
}
const ipv4 = (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text) && !/(?:^|\.)0\d/.test(text);
const hostname = (text) => text.length <= 253 && text.split(".").every((part) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(part));
const uri = (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\u0080-\uffff]*$/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text);
const formats = {
	date, time,
	"date-time": (text) => { const at = text.search(/[t ]/i); return at > 0 && date(text.slice(0, at)) && time(text.slice(at + 1)); },
	duration: (text) => /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
	email: (text) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(text),
	uuid: (text) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
	ipv4, ipv6: (text) => /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`), hostname,
	uri, url: (text) => uri(text) && URL.canParse(text),
	regex: (text) => { try { new RegExp(text, "u"); return true; } catch { return false; } },
	"json-pointer": (text) => /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text),
};
module.exports = { formats };
