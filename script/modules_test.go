package script

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"extui/agent"
)

// TestModules runs pieces of code as an extension would have them, and compares what
// they return as JSON. The expectations are what Node prints for the same code.
func TestModules(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/echo" {
			body, _ := io.ReadAll(r.Body) // a test sees what is missing
			w.Header().Add("Set-Cookie", "a=1; Path=/")
			w.Header().Add("Set-Cookie", "b=2, x")
			w.Write([]byte(r.Method + " " + r.Header.Get("X-Test") + " " + string(body)))
			return
		}
		if r.URL.Path == "/says" {
			w.Write([]byte(strings.Join([]string{r.Header.Get("Accept"), r.Header.Get("User-Agent"), r.Header.Get("Accept-Language"), r.Header.Get("Sec-Fetch-Mode")}, " ")))
			return
		}
		if r.URL.Path == "/cut" {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("abc"))
			return
		}
		if r.URL.Path == "/drop" {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("X-Method", r.Method)
		w.Write([]byte(`{"got":"` + r.Header.Get("X-Test") + `"}`))
	}))
	defer server.Close()

	for name, tests := range moduleCases {
		// What runs in one goroutine is slow under the race detector, which finds nothing there.
		if slowEngine && name != "child_process" && name != "fetch" && name != "fs" && name != "zlib" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (name == "path" || name == "child_process") {
				t.Skip("written for POSIX paths and a shell")
			}
			var code strings.Builder
			code.WriteString(moduleImports)
			for _, test := range tests {
				code.WriteString("\ncases.push([" + quoteJS(test[0]) + ", async () => (" + test[0] + ")]);")
			}
			code.WriteString(moduleExtension)
			dir := t.TempDir()
			path := writeIn(t, dir, "modules.ts", strings.Replace(code.String(), "BASE", server.URL, 1))
			c := serve(t, []string{path}, func(o *Options, _ *agent.Options) { o.Cwd = filepath.Dir(path) })
			got := c.prompt("/go")
			if len(got) != len(tests)+1 {
				t.Fatalf("%d results for %d cases:\n%s", len(got)-1, len(tests), strings.Join(got, "\n"))
			}
			for i, test := range tests {
				want := `"message":` + quoteJS(test[1]) + `}`
				if !strings.HasSuffix(got[i], want) {
					t.Errorf("%s\ngot  %s\nwant %s", test[0], got[i], want)
				}
			}
		})
	}
}

func quoteJS(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

const moduleImports = `
import path from "node:path";
import * as fs from "fs";
import * as fsp from "node:fs/promises";
import * as util from "util";
import * as url from "node:url";
import * as crypto from "node:crypto";
import * as cp from "child_process";
import EventEmitter from "node:events";
import { Buffer } from "node:buffer";
import { Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished } from "node:stream";
import * as streams from "stream/promises";
import * as readline from "node:readline";
import readlinep from "node:readline/promises";
import zlib from "node:zlib";
import module, { createRequire } from "node:module";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { Value as OldValue } from "@sinclair/typebox/value";
import { StringEnum } from "@earendil-works/pi-ai";
import { visibleWidth, truncateToWidth, wrapTextWithAnsi, Text, Container, Box, TruncatedText } from "@mariozechner/pi-tui";
import { parseFrontmatter, Theme, truncateHead, truncateTail, formatSize, createAgentSession, createBashTool, getLanguageFromPath, keyHint, keyText, rawKeyHint, SessionManager, SettingsManager } from "@earendil-works/pi-coding-agent";
const base = "BASE";
const cases: [string, () => any][] = [];
let pi: any;
`

const moduleExtension = `
export default function (api: any) {
	pi = api;
	api.registerCommand("go", { handler: async (_: string, ctx: any) => {
		for (const [name, f] of cases) {
			let text;
			try { text = JSON.stringify(await f()); } catch (e: any) { text = "threw " + (e?.stack ?? e) + e?.message; }
			ctx.ui.notify(text);
		}
	} });
}
`

// moduleCases are expressions and the JSON of what they give.
var moduleCases = map[string][][2]string{
	"path": {
		{`path.join("/a", "../b", "./c.txt")`, `"/b/c.txt"`},
		{`path.join("")`, `"."`},
		{`path.resolve("/x", "y/../z")`, `"/x/z"`},
		{`path.relative("/a/b/c", "/a/d")`, `"../../d"`},
		{`[path.dirname("/a/b"), path.dirname("a"), path.dirname("/a"), path.dirname("/")]`, `["/a",".","/","/"]`},
		{`[path.basename("/a/b.txt"), path.basename("b.txt", ".txt"), path.basename("/")]`, `["b.txt","b",""]`},
		{`[path.extname("a.tar.gz"), path.extname(".bashrc"), path.extname("a."), path.extname("a")]`, `[".gz","",".",""]`},
		{`path.parse("/home/u/f.txt")`, `{"root":"/","dir":"/home/u","base":"f.txt","ext":".txt","name":"f"}`},
		{`path.win32.join("C:\\a", "..", "b")`, `"C:\\b"`},
		{`[path.isAbsolute("/a"), path.isAbsolute("a"), path.normalize("a//b/../c/")]`, `[true,false,"a/c/"]`},
	},
	"buffer": {
		{`Buffer.from("héllo").toString("hex")`, `"68c3a96c6c6f"`},
		{`Buffer.concat([Buffer.from("a"), Buffer.from([98])]).toString()`, `"ab"`},
		{`Buffer.from("ff00", "hex").readUInt16BE(0)`, `65280`},
		{`JSON.stringify(Buffer.from("a"))`, `"{\"type\":\"Buffer\",\"data\":[97]}"`},
		{`Buffer.from([0xff, 0x61, 0xe2, 0x82]).toString()`, "\"\ufffda\ufffd\""},
		{`Buffer.from("a-_", "base64url").toString("base64")`, `"a+8="`},
		{`[Buffer.isBuffer(Buffer.alloc(2)), Buffer.byteLength("日本"), Buffer.from("abc").indexOf("c")]`, `[true,6,2]`},
	},
	"events": {
		{`(() => { const e = new EventEmitter(), out = []; e.once("x", (v) => out.push(v)); e.on("x", (v) => out.push(-v)); e.emit("x", 1); e.emit("x", 2); return out })()`, `[1,-1,-2]`},
		{`(() => { try { new EventEmitter().emit("error", new Error("no")) } catch (e) { return e.message } })()`, `"no"`},
	},
	"util": {
		{`util.format("%s is %d, %j", "x", 4, { a: 1 }, "more")`, `"x is 4, {\"a\":1} more"`},
		{`util.inspect({ a: [1, "two", { b: null }], f() {} })`, `"{ a: [ 1, 'two', { b: null } ], f: [Function: f] }"`},
		{`util.inspect(new Map([["k", new Set([1])]]))`, `"Map(1) { 'k' => Set(1) { 1 } }"`},
		{`await util.promisify((a, done) => done(null, a + 1))(1)`, `2`},
		{`util.isDeepStrictEqual({ a: [1] }, { a: [1] })`, `true`},
		{`util.stripVTControlCharacters("\u001b[31mred\u001b[0m")`, `"red"`},
	},
	"crypto": {
		{`crypto.createHash("sha256").update("a").update("b").digest("hex").slice(0, 16)`, `"fb8e20fc2e4c3f24"`},
		{`crypto.createHmac("sha1", "k").update("v").digest("base64")`, `"lPxqL36JuBls904QeajBHrZ5pVI="`},
		{`/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(crypto.randomUUID()) && crypto.randomBytes(5).length`, `5`},
		{`crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("a"))`, `true`},
	},
	"fs": {
		{`(fs.writeFileSync("a.txt", "one"), fs.appendFileSync("a.txt", "two"), fs.readFileSync("a.txt", "utf8"))`, `"onetwo"`},
		{`(() => { try { fs.readFileSync("none") } catch (e) { return [e.code, e.syscall, e.errno, e.message.startsWith("ENOENT: no such file or directory, open '")] } })()`, `["ENOENT","open",-2,true]`},
		{`await fsp.readFile("none").catch((e) => e.code)`, `"ENOENT"`},
		{`(fs.mkdirSync("d/e", { recursive: true }), fs.writeFileSync("d/e/f", ""), fs.readdirSync("d", { recursive: true }))`, `["e","e/f"]`},
		{`fs.readdirSync("d", { withFileTypes: true }).map((e) => [e.name, e.isDirectory()])`, `[["e",true]]`},
		{`[fs.existsSync("d"), fs.statSync("d").isDirectory(), fs.statSync("nope", { throwIfNoEntry: false }) === undefined]`, `[true,true,true]`},
		{`await new Promise((r) => fs.readFile("a.txt", (e, b) => r([e, b.length])))`, `[null,6]`},
		{`(fs.rmSync("d", { recursive: true }), fs.existsSync("d"))`, `false`},
	},
	"child_process": {
		{`cp.execSync("echo out; echo err >&2").toString()`, `"out\n"`},
		{`(() => { try { cp.execSync("echo bad >&2; exit 3", { stdio: "pipe" }) } catch (e) { return [e.status, e.stderr.toString(), e.message] } })()`, `[3,"bad\n","Command failed: echo bad >&2; exit 3\nbad\n"]`},
		{`cp.spawnSync("cat", [], { input: "fed", encoding: "utf8" }).stdout`, `"fed"`},
		{`cp.spawnSync("no-such-program").error.code`, `"ENOENT"`},
		{`await new Promise((r) => cp.exec("echo $X", { env: { X: "y" } }, (e, out) => r([e, out])))`, `[null,"y\n"]`},
		{`await new Promise((r) => { const c = cp.spawn("cat"); let out = ""; c.stdout.on("data", (d) => out += d); c.on("close", (code) => r([code, out])); c.stdin.write("a"); c.stdin.end("b") })`, `[0,"ab"]`},
		{`await new Promise((r) => { const c = cp.spawn("sleep", ["20"]); c.on("close", (code, signal) => r([code, signal])); c.kill() })`, `[null,"SIGTERM"]`},
		{`await new Promise((r) => cp.spawn("no-such-program").on("error", (e) => r([e.code, e.message])))`, `["ENOENT","spawn no-such-program ENOENT"]`},
		{`await util.promisify(cp.execFile)("echo", ["x"])`, `{"stdout":"x\n","stderr":""}`},
		{`await pi.exec("sh", ["-c", "echo a; echo b >&2; exit 4"])`, `{"stdout":"a\n","stderr":"b\n","code":4,"killed":false,"truncated":false}`},
		{`(await pi.exec("sleep", ["20"], { timeout: 30 })).killed`, `true`},
		{`(process.env.CHANGED = 1, (await pi.exec("sh", ["-c", "echo $CHANGED"])).stdout)`, `"1\n"`},
		{`(process.env = { PATH: process.env.PATH, CHANGED: 2 }, (await pi.exec("sh", ["-c", "echo $CHANGED"])).stdout)`, `"2\n"`},
	},
	"stream": {
		{`await Readable.from(["a", "b"]).toArray()`, `["a","b"]`},
		{`await (async () => { const r = new Readable({ read() {} }); r.push("é"); r.push(null); const out = []; for await (const c of r) out.push(c); return out.map(String) })()`, `["é"]`},
		{`await new Promise((r) => { let out = "", n = 0; const s = new Readable({ read() { this.push(n < 3 ? String(n++) : null) } }); s.setEncoding("utf8"); s.on("data", (c) => (out += c)).on("end", () => r(out)) })`, `"012"`},
		{`await (async () => { const r = new Readable({ read() {} }); setTimeout(() => { r.push(Buffer.from([0xc3])); setTimeout(() => { r.push(Buffer.from([0xa9])); r.push(null) }, 1) }, 1); r.setEncoding("utf8"); let out = ""; for await (const c of r) out += c; return out })()`, `"é"`},
		{`await new Promise((r) => { const got = []; const w = new Writable({ write(c, e, done) { got.push(c.toString()); setTimeout(done, 1) } }); w.write("a"); w.write("b"); w.end("c", () => r([got, w.writableFinished])) })`, `[["a","b","c"],true]`},
		{`await new Promise((r) => { const w = new Writable({ highWaterMark: 2, write(c, e, done) { setTimeout(done, 1) } }); const full = w.write("abc"); w.on("drain", () => r([full, "drained"])) })`, `[false,"drained"]`},
		{`await (async () => { const up = new Transform({ transform(c, e, done) { done(null, c.toString().toUpperCase()) }, flush(done) { done(null, "!") } }); let out = ""; await streams.pipeline(Readable.from(["a", "b"]), up, async (source) => { for await (const c of source) out += c }); return out })()`, `"AB!"`},
		{`await streams.pipeline(Readable.from(["a"]), new Transform({ transform(c, e, done) { done(new Error("no")) } }), new PassThrough()).catch((e) => e.message)`, `"no"`},
		{`await new Promise((r) => { const s = new Readable({ read() {} }); s.on("error", (e) => r([e.message, s.destroyed])); s.destroy(new Error("gone")) })`, `["gone",true]`},
		{`await new Promise((r) => finished(new PassThrough().resume().end("x"), (e) => r(e ?? "fine")))`, `"fine"`},
		{`await new Promise((r) => { const w = new PassThrough(); w.end(); w.on("error", (e) => r(e.code)); w.write("late") })`, `"ERR_STREAM_WRITE_AFTER_END"`},
		{`[new PassThrough() instanceof Writable, new PassThrough() instanceof Readable, new Readable() instanceof Writable, new Duplex() instanceof EventEmitter]`, `[true,true,false,true]`},
		{`(fs.writeFileSync("s.txt", "one\ntwo"), await fs.createReadStream("s.txt", { encoding: "utf8", start: 1, end: 4 }).toArray())`, `["ne\nt"]`},
		{`await new Promise((r) => fs.createReadStream("none").on("error", (e) => r(e.code)))`, `"ENOENT"`},
		{`(await streams.pipeline(fs.createReadStream("s.txt"), fs.createWriteStream("t.txt")), fs.readFileSync("t.txt", "utf8"))`, `"one\ntwo"`},
	},
	"readline": {
		{`await Array.fromAsync(readline.createInterface({ input: Readable.from(["a\nb", "c\r", "\nd\r\n", "\n", "end"]) }))`, `["a","bc","d","","end"]`},
		{`await new Promise((r) => { const lines = []; readline.createInterface({ input: Readable.from([Buffer.from("x\ny")]) }).on("line", (l) => lines.push(l)).on("close", () => r(lines)) })`, `["x","y"]`},
		{`(fs.writeFileSync("r.txt", "1\n2\n3\n"), await Array.fromAsync(readline.createInterface({ input: fs.createReadStream("r.txt"), crlfDelay: Infinity })))`, `["1","2","3"]`},
		{`await (async () => { for await (const line of readline.createInterface({ input: Readable.from(["a\nb\n"]) })) return line })()`, `"a"`},
		{`await Array.fromAsync(readline.createInterface({ input: fs.createReadStream("none") })).catch((e) => e.code)`, `"ENOENT"`},
		{`await new Promise((r) => readline.createInterface({ input: Readable.from(["me\n"]) }).question("who? ", r))`, `"me"`},
		{`await readlinep.createInterface({ input: Readable.from(["you\n"]) }).question("who? ")`, `"you"`},
	},
	"zlib": {
		{`zlib.gunzipSync(zlib.gzipSync("héllo")).toString()`, `"héllo"`},
		{`zlib.gunzipSync(Buffer.from("H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==", "base64")).toString()`, `"hello"`},
		{`zlib.inflateSync(Buffer.from("eJzLSM3JyQcABiwCFQ==", "base64")).toString() + zlib.inflateRawSync(zlib.deflateRawSync("raw", { level: 9 }))`, `"helloraw"`},
		{`[zlib.unzipSync(zlib.gzipSync("g")), zlib.unzipSync(zlib.deflateSync(new Uint8Array([122])))].join()`, `"g,z"`},
		{`await new Promise((r) => zlib.gzip("a", (e, b) => zlib.gunzip(b, {}, (e2, c) => r([e, e2, c.toString()]))))`, `[null,null,"a"]`},
		{`(await util.promisify(zlib.deflate)(Buffer.alloc(1000))).length < 50`, `true`},
		{`(() => { try { zlib.gunzipSync("no") } catch (e) { return e.code } })()`, `"Z_DATA_ERROR"`},
		{`(() => { try { zlib.gunzipSync(zlib.gzipSync("half of it").subarray(0, 20)) } catch (e) { return [e.code, e.errno, e.message] } })()`, `["Z_BUF_ERROR",-5,"unexpected end of file"]`},
		{`(() => { try { zlib.gunzipSync("this is not it") } catch (e) { return [e.code, e.errno, e.message] } })()`, `["Z_DATA_ERROR",-3,"incorrect header check"]`},
		{`(() => { try { zlib.inflateSync(zlib.deflateSync(Buffer.alloc(100)), { maxOutputLength: 99 }) } catch (e) { return e.code } })()`, `"ERR_BUFFER_TOO_LARGE"`},
		{`(() => { try { zlib.brotliCompressSync("") } catch (e) { return e.message } })()`, `"brotliCompressSync of node:zlib is not available in extui"`},
		{`[zlib.crc32("hello"), zlib.crc32("lo", zlib.crc32("hel")), zlib.constants.Z_BEST_SPEED]`, `[907060870,907060870,1]`},
		{`(await Readable.from([Buffer.from("pi"), Buffer.from("pe")]).pipe(zlib.createGzip()).pipe(zlib.createGunzip()).toArray()).join("")`, `"pipe"`},
	},
	"module": {
		{`(fs.mkdirSync("node_modules/p", { recursive: true }), fs.writeFileSync("node_modules/p/package.json", '{"version":"1.2"}'), createRequire(import.meta.url)("p/package.json").version)`, `"1.2"`},
		{`(fs.writeFileSync("d.json", "[1]"), createRequire(__filename)("./d.json") === createRequire(__filename)("./d"))`, `true`},
		{`(() => { const require = createRequire(import.meta.url); return [require("./d"), require("./d") === require("./d.json"), require.resolve("./d") === path.resolve("d.json")] })()`, `[[1],true,true]`},
		{`[createRequire("/x/y.js")("node:path") === path, createRequire("/x/y.js")("fs").existsSync("/"), createRequire("/x/y.js").resolve("fs")]`, `[true,true,"fs"]`},
		{`(() => { try { createRequire("/x/y.js")("./none") } catch (e) { return [e.code, e.message] } })()`, `["MODULE_NOT_FOUND","Cannot find module './none'\nRequire stack:\n- /x/y.js"]`},
		{`(() => { try { createRequire("/x/y.js")("node:net") } catch (e) { return [e.code, e.message] } })()`, `["ERR_UNKNOWN_BUILTIN_MODULE","the module \"node:net\" of Node.js is not available to extensions here"]`},
		{`(fs.writeFileSync("m.js", "exports.m = module.exports === exports && __filename.endsWith(\"m.js\")"), createRequire(path.resolve("x"))("./m.js"))`, `{"m":true}`},
		{`(() => { try { createRequire("relative") } catch (e) { return [e.name, e.code] } })()`, `["TypeError","ERR_INVALID_ARG_VALUE"]`},
		{`[module.isBuiltin("node:fs"), module.isBuiltin("net"), module.builtinModules.includes("fs/promises")]`, `[true,false,true]`},
	},
	"url": {
		{`url.fileURLToPath("file:///a%20b/c")`, `"/a b/c"`},
		{`url.pathToFileURL("/a b").href`, `"file:///a%20b"`},
		{`[...new URLSearchParams("a=1&b=%20x+y")].join()`, `"a,1,b, x y"`},
		{`URL.canParse("no")`, `false`},
	},
	"fetch": {
		{`await (await fetch(base, { method: "POST", headers: { "x-test": "v" }, body: "b" })).json()`, `{"got":"v"}`},
		{`await fetch(base + "/missing").then((r) => [r.ok, r.status, r.headers.get("content-type")])`, `[false,404,"text/plain; charset=utf-8"]`},
		{`await fetch("http://127.0.0.1:1").catch((e) => [e.name, e.message, e.cause.code, e.cause.message])`, `["TypeError","fetch failed","ECONNREFUSED","connect ECONNREFUSED 127.0.0.1:1"]`},
		{`await (await fetch(new Request(base + "/echo", { method: "POST", body: "b", headers: { "x-test": "v" } }))).text()`, `"POST v b"`},
		{`await (await fetch(new Request(base + "/echo", { method: "POST", body: "b" }), { method: "PUT" })).text()`, `"PUT  b"`},
		{`[await (await fetch(base + "/says")).text(), await (await fetch(base + "/says", { headers: { accept: "a/b", "user-agent": "me" } })).text()]`, `["*/* undici * cors","a/b me * cors"]`},
		{`(await fetch(base + "/echo")).headers.getSetCookie()`, `["a=1; Path=/","b=2, x"]`},
		{`await (async () => { const f = new FormData(); f.append("k", "v"); f.append("f", new Blob(["zz"]), "x.txt"); return (await (await fetch(base + "/echo", { method: "POST", body: f })).text()).replace(/--[-\w]+/g, "B") })()`, `"POST  B\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\nB\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\nContent-Type: application/octet-stream\r\n\r\nzz\r\nB\r\n"`},
		{`await (await fetch(base + "/cut")).text().catch((e) => [e.name, e.message, e.cause.code])`, `["TypeError","terminated","UND_ERR_SOCKET"]`},
		{`await fetch(base + "/drop").catch((e) => [e.message, e.cause.code])`, `["fetch failed","UND_ERR_SOCKET"]`},
		{`await fetch(base, { signal: AbortSignal.abort() }).catch((e) => e.name)`, `"AbortError"`},
	},
	"pi": {
		{`StringEnum(["a", "b"], { description: "d" })`, `{"type":"string","enum":["a","b"],"description":"d"}`},
		{`Type.Object({ a: Type.String(), b: Type.Optional(Type.Array(Type.Union([Type.Literal("x"), Type.Null()]))) })`, `{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"array","items":{"anyOf":[{"type":"string","const":"x"},{"type":"null"}]}}}}`},
		{`(({ content, truncatedBy, outputLines }) => [content, truncatedBy, outputLines])(truncateHead("a\nb\nc", { maxLines: 2 }))`, `["a\nb","lines",2]`},
		{`(({ content, truncatedBy, lastLinePartial }) => [content, truncatedBy, lastLinePartial])(truncateTail("aé", { maxBytes: 2 }))`, `["é","bytes",true]`},
		{`[formatSize(10), formatSize(2048), visibleWidth("日本\u001b[1mx"), truncateToWidth("abcdef", 5)]`, `["10B","2.0KB",5,"ab\u001b[0m...\u001b[0m"]`},
		{`parseFrontmatter("---\na: 1\nb: [x, y]\nc:\n  d: true\n---\nbody\n")`, `{"frontmatter":{"a":1,"b":["x","y"],"c":{"d":true}},"body":"body"}`},
		{`[new Text("a\nb", 0, 0).render(4), new Text("a", 1, 1).render(4), new TruncatedText("ab", 1, 0).render(5)]`, `[["a   ","b   "],["    "," a  ","    "],[" ab  "]]`},
		{`(() => { const c = new Container(), b = new Box(1, 0); b.addChild(new Text("z", 0, 0)); c.addChild(b); return [c.render(4), new Box().render(4)] })()`, `[[" z  "],[]]`},
		{`[truncateToWidth("abc", 5, "...", true), truncateToWidth("abcdef", 2), truncateToWidth("abcdef", 3, "")]`, `["abc  ","\u001b[0m..\u001b[0m","abc\u001b[0m"]`},
		{`wrapTextWithAnsi("\u001b[31mhello world\u001b[0m", 6)`, `["\u001b[31mhello","\u001b[31mworld\u001b[0m"]`},
		{`[new Theme().fg("accent", "x"), new Theme().bg("toolErrorBg", "y"), (() => { try { new Theme().fg("nope", "x") } catch (e) { return e.message } })()]`, `["x","y","Unknown theme color: nope"]`},
		{`(() => { try { pi.setActiveTools("x") } catch (e) { return [e.name, e.message] } })()`, `["TypeError","pi.setActiveTools: names must be a list of strings. Received type string ('x')"]`},
		{`(() => { try { pi.setSessionName(undefined) } catch (e) { return [e.name, e.message] } })()`, `["TypeError","pi.setSessionName: name must be a string. Received undefined"]`},
		{`(() => { try { createAgentSession() } catch (e) { return e.message } })()`, `"createAgentSession of @earendil-works/pi-coding-agent is not available in extui"`},
		{`(await createBashTool(process.cwd()).execute("1", { command: "echo hi" })).content`, `[{"type":"text","text":"hi\n"}]`},
	},
	"helpers": {
		{`["a.ts", "a.zig", "Dockerfile", "x/y.YML", "a.mjs", "README", "a.h"].map((p) => getLanguageFromPath(p) ?? null)`, `["typescript",null,"dockerfile","yaml","javascript",null,"c"]`},
		{`[keyHint("tui.select.confirm", "to pick"), keyText("tui.select.cancel"), keyHint("app.clear", "d"), rawKeyHint("ctrl+x", "y")]`, `["enter to pick","escape/ctrl+c"," d","ctrl+x y"]`},
		{`(pi.registerTool({ name: "t1", parameters: {}, execute() {} }), pi.registerTool({ name: "t2", parameters: {}, execute() {} }), pi.registerTool({ name: "t3", parameters: {}, execute() {} }), pi.setActiveTools(["t3", "t1"]), [pi.getActiveTools(), (pi.setActiveTools(["t2", "t3", "t1"]), pi.getActiveTools())])`, `[["t1","t3"],["t1","t3","t2"]]`},
	},
	"typebox": {
		{`(() => { try { Type.Script("string") } catch (e) { return e.message } })()`, `"Type.Script of typebox is not available in extui"`},
		{`(() => { try { Value.Diff(1, 2) } catch (e) { return e.message } })()`, `"Value.Diff of typebox/value is not available in extui"`},
		{`(() => { try { SessionManager.inMemory() } catch (e) { return e.message } })()`, `"SessionManager.inMemory of @earendil-works/pi-coding-agent is not available in extui"`},
		{`(() => { try { new SettingsManager() } catch (e) { return e.message } })()`, `"new SettingsManager of @earendil-works/pi-coding-agent is not available in extui"`},
		{`Value.Check(Type.String({ pattern: "^(?!rm)\\S+$" }), "a\u00a0b")`, `false`},
		{`(() => { try { return Value.Check(Type.String({ pattern: "a\\-b" }), "a-b") } catch (e) { return e.name + e.message.slice(0, 35) } })()`, `"SyntaxErrorInvalid regular expression: /a\\-b/u"`},
		{`[Value === OldValue, Value.Check(Type.String(), "s")]`, `[true,true]`},
	},
	"globals": {
		{`[typeof globalThis.process, typeof performance.now(), typeof navigator, typeof __dirname, typeof import.meta.url]`, `["object","number","object","string","string"]`},
		{`await (async () => { const out = []; for await (const x of (async function* () { yield 1; yield 2 })()) out.push(x); return out })()`, `[1,2]`},
		{`(() => { const l = []; { using a = { [Symbol.dispose]() { l.push("a") } }; using b = { [Symbol.dispose]() { l.push("b") } }; l.push("body") } return l })()`, `["body","b","a"]`},
		{`await (async () => { const l = []; { await using a = { async [Symbol.asyncDispose]() { l.push("a") } }; l.push("body") } return l })()`, `["body","a"]`},
		{`[[1, 2, 3].values().map((x) => x * 2).take(2).toArray(), [1, 2, 3].values().drop(1).take(2).toArray(), [..."abc"].values().filter(Boolean).take(1).toArray()]`, `[[2,4],[2,3],["a"]]`},
		{`[new WeakRef({ a: 1 }).deref()?.a, new WeakRef({}) instanceof WeakRef, Object.prototype.toString.call(new WeakRef({}))]`, `[1,true,"[object WeakRef]"]`},
		{`(() => { const t = setTimeout(() => {}, 1), had = [t.hasRef(), t.unref().hasRef(), t.ref().hasRef(), setImmediate(() => {}).unref().hasRef()]; clearTimeout(t); return had })()`, `[true,false,true,false]`},
		{`(() => { const l = [], c = new AbortController(); c.signal.addEventListener("abort", () => l.push(1)); c.signal.onabort = () => l.push("old"); c.signal.onabort = () => l.push("on"); c.signal.addEventListener("abort", () => l.push(2)); c.abort(); return l })()`, `[1,"on",2]`},
		{`(() => { const l = [], c = new AbortController(); c.signal.onabort = () => l.push("on"); c.signal.onabort = null; c.abort(); return [l, c.signal.onabort] })()`, `[[],null]`},
		{`[path, fs, util].map((m: any) => [typeof m.newAPI, typeof m.toJSON, "newAPI" in m])`, `[["undefined","undefined",false],["undefined","undefined",false],["undefined","undefined",false]]`},
		{`(() => { try { (fs as any).openAsBlob("x") } catch (e) { return e.message } })()`, `"openAsBlob of fs is not available in extui"`},
		{`structuredClone({ d: new Date(0), u: new Uint8Array([1]), e: new RangeError("m") }).e.message`, `"m"`},
		{`await new Promise((r) => { const t = setInterval(() => { clearInterval(t); r("tick") }, 1) })`, `"tick"`},
		{`(() => { try { structuredClone(() => 1) } catch (e) { return e.name } })()`, `"DataCloneError"`},
	},
}
