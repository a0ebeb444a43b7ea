// node:perf_hooks.
const absent = (name) => ({ [name]() { throw new Error(`${name} of node:perf_hooks is not available in extui`); } })[name];
module.exports = {
	...require("performance"), constants: { NODE_PERFORMANCE_GC_MAJOR: 4, NODE_PERFORMANCE_GC_MINOR: 1, NODE_PERFORMANCE_GC_INCREMENTAL: 8, NODE_PERFORMANCE_GC_WEAKCB: 16 },
	monitorEventLoopDelay: absent("monitorEventLoopDelay"), createHistogram: absent("createHistogram"),
};
