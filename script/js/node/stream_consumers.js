// node:stream/consumers: all of a stream, or of anything that is gone through in pieces.
async function buffer(stream) {
	const all = [];
	for await (const chunk of stream) all.push(typeof chunk === "string" ? Buffer.from(chunk) : ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.from(chunk));
	return Buffer.concat(all);
}
async function text(stream) {
	const decoder = new TextDecoder();
	let out = "";
	for await (const chunk of stream) out += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
	return out + decoder.decode();
}
module.exports = {
	buffer, text, json: async (stream) => JSON.parse(await text(stream)),
	async arrayBuffer(stream) { const b = await buffer(stream); return b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength); },
	blob: async (stream) => new Blob([await buffer(stream)]),
};
