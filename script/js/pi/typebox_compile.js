// typebox/compile: a schema with what typebox/value does bound to it. Nothing is compiled.
const { Value } = require("pi/typebox_value");
class Validator {
	#names;
	#schema;
	constructor(names, schema) {
		this.#names = names;
		this.#schema = schema;
	}
	IsAccelerated() { return false; }
	Context() { return this.#names; }
	Type() { return this.#schema; }
	Code() { throw new Error("Code of typebox/compile is not available in extui: no code is made"); }
	Decode(value) { return Value.HasCodec(this.#names, this.#schema) ? Value.Decode(this.#names, this.#schema, value) : this.Parse(value); }
	Encode(value) { return Value.HasCodec(this.#names, this.#schema) ? Value.Encode(this.#names, this.#schema, value) : this.Parse(value); }
	Create() { return Value.Create(this.#names, this.#schema); }
}
for (const name of ["Check", "Parse", "Errors", "Clean", "Convert", "Default"]) {
	const fn = { [name](value) { return Value[name](this.Context(), this.Type(), value); } }[name];
	Object.defineProperty(Validator.prototype, name, { value: fn, writable: true, configurable: true });
}
const Compile = (...args) => {
	const [names, schema] = args.length > 1 ? args : [{}, args[0]];
	Value.Check(names, schema, undefined); // what is no schema fails here
	return new Validator(names, schema);
};
module.exports = { Compile, Validator, Code() { throw new Error("Code of typebox/compile is not available in extui: no code is made"); } };
Object.defineProperty(module.exports, "default", { value: Compile });
