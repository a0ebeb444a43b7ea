// Runs a program and keeps what passes: tap.mjs LOG PROGRAM ARGS. LOG.in gets what the
// program is told, LOG.out what it says.
import { spawn } from "node:child_process";
import { openSync, writeSync } from "node:fs";
import { constants } from "node:os";

const [log, program, ...args] = process.argv.slice(2);
const told = openSync(`${log}.in`, "w");
const said = openSync(`${log}.out`, "w");
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
child.stdin.on("error", () => {});
process.stdin.on("data", (bytes) => {
	writeSync(told, bytes);
	child.stdin.write(bytes);
});
process.stdin.on("end", () => child.stdin.end());
child.stdout.on("data", (bytes) => {
	writeSync(said, bytes);
	process.stdout.write(bytes);
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("close", (code, signal) => {
	process.stdout.write("", () => process.exit(signal ? 128 + constants.signals[signal] : code));
});
