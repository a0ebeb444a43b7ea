// What stands before the cases, in Node.js and in extui.
import path from "node:path";
import * as fs from "fs";
import * as fsp from "node:fs/promises";
import * as util from "util";
import * as cp from "child_process";
import EventEmitter from "node:events";
import * as url from "node:url";
import * as events from "node:events";
import * as timers from "node:timers/promises";
import assert from "node:assert";
import * as querystring from "node:querystring";
import * as perf from "node:perf_hooks";
import * as consumers from "node:stream/consumers";
import { StringDecoder } from "node:string_decoder";
import { AsyncResource } from "node:async_hooks";
import tty from "node:tty";
import types from "node:util/types";
import * as stream from "node:stream";
import * as streamp from "node:stream/promises";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { Compile } from "typebox/compile";
import { Readable, Writable } from "node:stream";
const cases = [];
// S is a value as JSON in which undefined can be seen.
const S = (v) => {
	try {
		return JSON.stringify(v, (k, x) => (x === undefined ? "__undef" : typeof x === "bigint" ? x + "n" : x)) ?? String(v);
	} catch {
		return String(v);
	}
};
const failure = (e) => [e.name, e.code, e.errno, e.syscall, e.path, e.dest, e.message];
// E is what f gives or throws, A what its promise does.
const E = (f) => { try { return S(f()); } catch (e) { return failure(e); } };
const A = async (f) => { try { return S(await f()); } catch (e) { return failure(e); } };
const until = (emitter, name, ms = 5000) => Promise.race([new Promise((ok) => emitter.on(name, (...args) => ok(args))), new Promise((ok) => setTimeout(ok, ms, "nothing"))]);
async function results() {
	const all = [];
	for (const run of cases) {
		try {
			all.push(S(await run()));
		} catch (e) {
			all.push(`threw ${e.name} ${e.code} ${e.message}`);
		}
	}
	return all;
}
