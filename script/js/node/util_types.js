// node:util/types.
const tag = (v) => Object.prototype.toString.call(v).slice(8, -1);
const object = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
// By what a built-in getter or method takes, which a subclass or a tag does not change.
const by = (method) => (v) => { try { method.call(v); return object(v); } catch { return false; } };
const getter = (Kind, name) => Object.getOwnPropertyDescriptor(Kind.prototype, name).get;
const typed = getter(Object.getPrototypeOf(Uint8Array), Symbol.toStringTag);
const array = (name) => (v) => typed.call(v) === name;
const types = {
	isDate: by(Date.prototype.getTime), isRegExp: by((() => { const source = getter(RegExp, "source"); return function () { if (this === RegExp.prototype) throw new TypeError(); source.call(this); }; })()),
	isMap: by(getter(Map, "size")), isSet: by(getter(Set, "size")),
	isWeakMap: by(function () { WeakMap.prototype.has.call(this, {}); }), isWeakSet: by(function () { WeakSet.prototype.has.call(this, {}); }),
	isPromise: (v) => v instanceof Promise, isNativeError: (v) => v instanceof Error,
	isArrayBuffer: by(getter(ArrayBuffer, "byteLength")), isSharedArrayBuffer: by(getter(SharedArrayBuffer, "byteLength")),
	isAnyArrayBuffer: (v) => types.isArrayBuffer(v) || types.isSharedArrayBuffer(v),
	isArrayBufferView: (v) => ArrayBuffer.isView(v), isTypedArray: (v) => object(v) && typed.call(v) !== undefined, isDataView: by(getter(DataView, "byteLength")),
	isAsyncFunction: (v) => typeof v === "function" && ["AsyncFunction", "AsyncGeneratorFunction"].includes(tag(v)),
	isGeneratorFunction: (v) => typeof v === "function" && ["GeneratorFunction", "AsyncGeneratorFunction"].includes(tag(v)),
	isGeneratorObject: (v) => ["Generator", "AsyncGenerator"].includes(tag(v)), isMapIterator: (v) => tag(v) === "Map Iterator", isSetIterator: (v) => tag(v) === "Set Iterator",
	isNumberObject: (v) => object(v) && by(Number.prototype.valueOf)(v), isStringObject: (v) => object(v) && by(String.prototype.valueOf)(v),
	isBooleanObject: (v) => object(v) && by(Boolean.prototype.valueOf)(v), isBigIntObject: (v) => object(v) && by(BigInt.prototype.valueOf)(v),
	isSymbolObject: (v) => object(v) && by(Symbol.prototype.valueOf)(v),
	isBoxedPrimitive: (v) => types.isNumberObject(v) || types.isStringObject(v) || types.isBooleanObject(v) || types.isBigIntObject(v) || types.isSymbolObject(v),
	isArgumentsObject: (v) => object(v) && tag(v) === "Arguments" && !(Symbol.toStringTag in v), isModuleNamespaceObject: (v) => tag(v) === "Module" && object(v) && Object.getPrototypeOf(v) === null,
	isExternal: () => false, isProxy: () => false, isCryptoKey: () => false, isKeyObject: () => false,
};
for (const name of ["Uint8", "Uint8Clamped", "Uint16", "Uint32", "Int8", "Int16", "Int32", "Float16", "Float32", "Float64", "BigInt64", "BigUint64"]) {
	types[`is${name}Array`] = array(`${name}Array`);
}
for (const [name, fn] of Object.entries(types)) Object.defineProperty(fn, "name", { value: name });
module.exports = types;
