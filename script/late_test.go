package script

import (
	"strings"
	"testing"

	"extui/agent"
)

// What is asked for while an extension runs is found beside the file that asks, packages
// as pi finds them, and what is not there can be caught.
func TestModulesWhileRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sub/in.ts":                      `export const here = (name: string) => import(name);`,
		"sub/next.ts":                    "import { x } from './x.js';\nexport default (n: number) => {\n\tif (n) throw new Error('of next');\n\treturn import.meta.url.endsWith('/sub/next.ts') && x;\n};",
		"sub/x.js":                       `export const x = "x";`,
		"dep.cjs":                        `exports.own = require("./da" + "ta.json").data; exports.file = __filename.endsWith("dep.cjs");`,
		"data.json":                      `{"data":1}`,
		"node_modules/two/package.json":  `{"main":"./main.js","module":"./module.mjs"}`,
		"node_modules/two/main.js":       `exports.which = "main";`,
		"node_modules/two/module.mjs":    `export const which = "module";`,
		"node_modules/cond/package.json": `{"exports":{"browser":"./b.js","import":"./i.mjs","require":"./r.cjs"}}`,
		"node_modules/cond/i.mjs":        `export const which = "import";`,
		"node_modules/cond/r.cjs":        `exports.which = "require";`,
		"node_modules/tsc/package.json":  `{"main":"i.js"}`,
		"node_modules/tsc/i.js":          `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = function made() {};`,
		"node_modules/five/package.json": `{"main":"index.js"}`,
		"node_modules/five/index.js":     `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = 5; exports.x = 1;`,
		"number.ts":                      `export default 5; export const x = 1;`,
		"await.ts":                       `export const a = await Promise.resolve(1);`,
		"package.json":                   `{"type":"module"}`,
	} {
		writeIn(t, dir, name, text)
	}
	cases := [][2]string{
		{`Object.keys(await import("node:" + word("os"))).includes("EOL")`, `true`},
		{`(await (await here("./" + word("next.ts"))).default(0))`, `"x"`},
		{`await here("./" + word("next.ts")).then((m) => m.default(1)).catch((e) => e.stack.includes("/sub/next.ts:3:"))`, `true`},
		{`(await import(new URL("./sub/" + word("x.js"), import.meta.url).href)).x`, `"x"`},
		{`require("./" + word("dep.cjs"))`, `{"own":1,"file":true}`},
		{`createRequire(import.meta.url)("two").which + require(word("two")).which + two`, `"mainmainmain"`},
		{`[cond, require("cond").which, require(word("cond")).which]`, `["import","require","require"]`},
		{`[typeof made, typeof (await import(word("tsc"))).default]`, `["function","function"]`},
		{`[five, (await import(word("five"))).default, (await import("five")).default]`, `[{"default":5,"x":1},{"default":5,"x":1},{"default":5,"x":1}]`},
		{`(await import(word("./number.ts"))).default`, `5`},
		{`await import(word("./await.ts")).catch((e) => e.message.replace(/.*: /, ""))`, `"import it by a name that is written out"`},
		{`(() => { try { require("node:fs").readFileSync("/no/" + "a".repeat(200) + "/" + "b".repeat(200)) } catch (e) { return [e.code, e.path.length, e.message.length] } })()`, `["ENOENT",405,447]`},
		{`require.resolve(word("two")).endsWith("/two/main.js")`, `true`},
		{`await import("gone").catch((e) => [e.name, e.code, e.message.split("\n")[0]])`, `["Error","MODULE_NOT_FOUND","Cannot find module 'gone'"]`},
		{`await import("./gone.ts").catch((e) => e.code)`, `"MODULE_NOT_FOUND"`},
		{`await import("node:net").catch((e) => e.code)`, `"ERR_UNKNOWN_BUILTIN_MODULE"`},
		{`(() => { try { require("gone") } catch (e) { return e.code } })()`, `"MODULE_NOT_FOUND"`},
	}
	var code strings.Builder
	code.WriteString(`import { createRequire } from "node:module";
import { here } from "./sub/in.ts";
import { which as two } from "two";
import { which as cond } from "cond";
import made from "tsc";
import five from "five";
const word = (s: any) => s;
export default (pi: any) => pi.registerCommand("go", { handler: async (_: string, ctx: any) => {
`)
	for _, c := range cases {
		code.WriteString("ctx.ui.notify(JSON.stringify(" + c[0] + "));\n")
	}
	code.WriteString("} });")
	c := serve(t, []string{writeIn(t, dir, "ext.ts", code.String())}, nil)
	got := c.prompt("/go")
	for i, test := range cases {
		if i >= len(got) || !strings.HasSuffix(got[i], `"message":`+quoteJS(test[1])+"}") {
			t.Fatalf("%s\ngot  %s\nwant %s", test[0], got[min(i, len(got)-1)], test[1])
		}
	}
	if files := strings.Join(c.loader.Files(), " "); !strings.Contains(files, "next.ts") {
		t.Errorf("files: %s", files)
	}
}

// A file that needs trust does not get in while an extension runs either.
func TestModulesWhileRunningAreTrusted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	writeIn(t, dir, ".pi/extensions/evil.js", `exports.evil = 1;`)
	path := writeIn(t, dir, "ext.ts", `const at = ["./.pi", "extensions/evil.js"].join("/");
	export default (pi: any) => pi.registerCommand("go", { handler: async (_: string, ctx: any) => {
		ctx.ui.notify(await import(at).then((m) => "evil " + m.evil, (e) => e.message));
	} });`)
	for _, trusted := range []bool{false, true} {
		c := serve(t, []string{path}, func(o *Options, _ *agent.Options) { o.Trusted = trusted })
		if got := c.prompt("/go")[0]; strings.Contains(got, "evil 1") != trusted || !trusted && !strings.Contains(got, "trust") {
			t.Errorf("trusted %t: %s", trusted, got)
		}
		c.end()
	}
}

// Decorators are those of TypeScript's experimentalDecorators, as in pi.
func TestDecorators(t *testing.T) {
	path := write(t, "ext.ts", `const log: any[] = [];
	const f = (target: any, key: string, d?: any) => { log.push([typeof target, key, typeof d]); };
	class X { @f a = 1; @f m() {} }
	export default (pi: any) => pi.registerCommand("go", { handler: async (_: string, ctx: any) => ctx.ui.notify(JSON.stringify([log, new X().a])) });`)
	if got, want := serve(t, []string{path}, nil).prompt("/go")[0], `[[["object","a","undefined"],["object","m","object"]],1]`; !strings.HasSuffix(got, quoteJS(want)+"}") {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A date says which zone it is of, where its long name is known.
func TestDateWithZone(t *testing.T) {
	h := newHarness(t, Limits{})
	h.env = []string{"TZ=UTC"}
	h.expect(t, `tell([String(new Date(0)), new Date(0).toTimeString(), String(new Date(NaN)), +new Date(String(new Date(5000)))].join("|"))`,
		"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)|00:00:00 GMT+0000 (Coordinated Universal Time)|Invalid Date|5000")
}
