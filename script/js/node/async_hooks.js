// node:async_hooks. The engine does not tell which await goes on with what: what follows
// a call through promises is not there, and says so where it is made.
const absent = (name) => { throw new Error(`${name} of node:async_hooks is not available in extui: hand the value on as an argument instead`); };
class AsyncLocalStorage {
	constructor() { absent("AsyncLocalStorage"); }
	static bind(fn) { return fn; }
	static snapshot() { return (fn, ...args) => fn(...args); }
}
class AsyncResource {
	constructor(type) { this.type = type; }
	runInAsyncScope(fn, self, ...args) { return fn.apply(self, args); }
	emitDestroy() { return this; }
	asyncId() { return 1; }
	triggerAsyncId() { return 0; }
	bind(fn, self = this) { return (...args) => fn.apply(self, args); }
	static bind(fn) { return fn; }
}
module.exports = { AsyncLocalStorage, AsyncResource, executionAsyncId: () => 1, triggerAsyncId: () => 0, executionAsyncResource: () => ({}), createHook: () => absent("createHook") };
