const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
module.exports = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, get promises() { return require("node/timers_promises"); } };
