// What Node.js says of an argument of the wrong type.
function received(value) {
	if (value === undefined || value === null) return ` Received ${value}`;
	if (typeof value === "function") return ` Received function ${value.name}`;
	if (typeof value === "object") {
		const name = value.constructor?.name;
		return name ? ` Received an instance of ${name}` : ` Received ${require("node/util").inspect(value, { depth: -1 })}`;
	}
	let text = require("node/util").inspect(value);
	if (text.length > 28) text = `${text.slice(0, 25)}...`;
	return ` Received type ${typeof value} (${text})`;
}
// An error about an argument: the kind of it, its code and its text.
const coded = (Kind, code, message) => Object.assign(new Kind(message), { code });
const kindOf = (name) => (name.includes(".") ? "property" : "argument");
const invalidType = (name, wanted, value) => coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" ${kindOf(name)} must be ${wanted}.${received(value)}`);
const outOfRange = (name, wanted, value) => coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "${name}" is out of range. It must be ${wanted}. Received ${require("node/util").inspect(value)}`);
const invalidValue = (name, why, value) => coded(TypeError, "ERR_INVALID_ARG_VALUE", `The ${kindOf(name)} '${name}' ${why}. Received ${require("node/util").inspect(value)}`);
// What whatever takes a signal fails with once that is aborted.
const aborted = (signal) => Object.assign(new Error("The operation was aborted", { cause: signal?.reason }), { name: "AbortError", code: "ABORT_ERR" });
const notFunction = (name, value) => invalidType(name, "of type function", value);
module.exports = { received, coded, invalidType, invalidValue, outOfRange, notFunction, aborted };
