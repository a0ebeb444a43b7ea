// pi-ai without a provider: schemas, types and small helpers. What would call a model
// fails when it is called.
const { Type } = require("pi/typebox");
const { randomBytes } = require("node/crypto");
function uuidv7() {
	const b = randomBytes(16);
	let ms = Date.now();
	for (let i = 5; i >= 0; i--) { b[i] = ms % 256; ms = Math.floor(ms / 256); }
	b[6] = (b[6] & 0x0f) | 0x70;
	b[8] = (b[8] & 0x3f) | 0x80;
	return b.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
const needsModel = (name) => ({ [name]() { throw new Error(`${name} needs a model, and this agent has none`); } })[name];
module.exports = {
	Type, uuidv7,
	StringEnum: (values, options) => Type.Unsafe({
		type: "string", enum: [...values], ...(options?.description && { description: options.description }), ...(options?.default && { default: options.default }),
	}),
	getModel: () => undefined, getModels: () => [], getProviders: () => [], calculateCost: () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }),
	isContextOverflow: () => false, getEnvApiKey: () => undefined, supportsXhigh: () => false,
	validateToolArguments: (tool, call) => call.arguments,
};
for (const name of ["complete", "completeSimple", "stream", "streamSimple", "generateImage", "classify"]) module.exports[name] = needsModel(name);
