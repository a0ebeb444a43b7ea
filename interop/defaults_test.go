package interop_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/interop"
)

const defaults = `import five, { x } from "five";
import made from "made";
import object from "object";
import none from "none";
import plain from "plain";
import real from "real";
import file from "./file.cjs";
import es from "./es.ts";
const shape = (v: any): string => v === null || typeof v !== "object" ? typeof v + " " + (typeof v === "function" ? v.name : v)
	: "{" + Object.keys(v).sort().map((k) => k + ": " + shape(v[k])).join(", ") + "}";
export default (pi: any) => pi.registerCommand("go", { handler: async (_: string, ctx: any) => {
	ctx.ui.notify(String(x));
	for (const v of [five, made, object, none, plain, real, file, es]) ctx.ui.notify(shape(v));
	for (const name of ["five", "made", "object", "none", "plain", "real", "./file.cjs", "./es.ts"]) {
		const m = await import(name);
		ctx.ui.notify(name + " " + shape(m.default) + " " + m.x);
	}
	ctx.ui.notify(shape((await import("five")).default) + shape(require("five")));
} });
`

// TestDefaultImports compares what the default import of modules of all kinds is, by a
// name that is written out and by one that is not. Of one compiled to CommonJS it is the
// default only if that is a function.
func TestDefaultImports(t *testing.T) {
	t.Parallel()
	long.Test(t)
	interop.Pi(t) // skips before anything is built
	dir := t.TempDir()
	const compiled = `Object.defineProperty(exports, "__esModule", { value: true }); exports.x = 1; `
	for name, text := range map[string]string{
		"ext.ts":                         defaults,
		"file.cjs":                       compiled + `exports.default = 5;`,
		"es.ts":                          `export const x = 1; export default 5;`,
		"node_modules/five/index.js":     compiled + `exports.default = 5;`,
		"node_modules/made/index.js":     compiled + `exports.default = function made() {};`,
		"node_modules/object/index.js":   compiled + `exports.default = { a: 1 };`,
		"node_modules/none/index.js":     compiled,
		"node_modules/plain/index.js":    `exports.x = 1; exports.default = function made() {};`,
		"node_modules/real/package.json": `{"name":"real","type":"module","exports":"./index.js"}`,
		"node_modules/real/index.js":     `export const x = 1; export default 5;`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ext := filepath.Join(dir, "ext.ts")
	ours := interop.Pi(t, ext)
	ours.Path, ours.Args = buildProgram(t), []string{"agent", "--dialect", "pi", "-e", ext}
	var said [2][]string
	for i, command := range []interop.Command{interop.Pi(t, ext), ours} {
		p := startExampleAgent(t, command, nil)
		p.call(`{"type":"prompt","message":"/go"}`)
		said[i] = slices.DeleteFunc(p.end(), func(line string) bool { return !strings.Contains(line, `"notify"`) })
	}
	if len(said[0]) < 18 || !slices.Equal(said[0], said[1]) {
		t.Errorf("they differ (- pi, + ours):\n%s", diffLines(said[0], said[1]))
	}
}
