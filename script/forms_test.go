package script

import (
	"context"
	"io"
	"strings"
	"testing"

	"extui/agent"
)

// What compilers and hands write as an extension's entry. The last word is whether pi
// loads it.
func TestEntryForms(t *testing.T) {
	const body = `(pi) { pi.registerCommand("go", { handler: async (_, ctx) => ctx.ui.notify("ran") }); }`
	const compiled = "\"use strict\";\nObject.defineProperty(exports, \"__esModule\", { value: true });\n"
	for _, test := range []struct {
		name, file, text string
		loads            bool
	}{
		{"compiled by tsc", "e.js", compiled + "exports.default = f;\nfunction f" + body, true},
		{"the same with another ending", "e.cjs", compiled + "exports.other = 1;\nexports.default = function " + body, true},
		{"module.exports", "e.cjs", "module.exports = function " + body, true},
		{"export =", "e.cts", "export = function " + body, true},
		{"a default in the default", "e.ts", "export default { default" + body + " }", true},
		{"one deeper", "e.ts", "export default { default: { default" + body + " } }", false},
		{"exports.default that says of itself no more", "e.js", "exports.default = function " + body, false},
		{"another name", "e.ts", "export function setup" + body, false},
		{"no function", "e.js", compiled + "exports.default = 3;", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, test.file, test.text)
			if test.loads {
				if got := serve(t, []string{path}, nil).prompt("/go"); len(got) != 2 || !strings.Contains(got[0], `"message":"ran"`) {
					t.Errorf("got %s", got)
				}
				return
			}
			c := prepare(t, []string{path}, nil)
			defer c.loader.Close()
			err := agent.New(c.host, c.opts).Serve(context.Background(), strings.NewReader(""), io.Discard)
			if err == nil || !strings.Contains(err.Error(), "does not export a valid factory function: "+path) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// import.meta is what it is in code, and stays what it is in a text.
func TestImportMeta(t *testing.T) {
	t.Parallel()
	path := write(t, "meta.ts", `const text = "how to use import.meta";
	export default (pi) => pi.registerCommand("go", { description: 'import.meta', handler: async (_, ctx) => {
		const { url } = import.meta;
		ctx.ui.notify(JSON.stringify([text, `+"`import.meta ${typeof import.meta.url}`"+`, { "import.meta": 1 }, /import.meta/.source]));
		ctx.ui.notify(JSON.stringify([import . meta.url === url, import.meta["filename"], import/* */.meta.resolve("./a").endsWith("/a")]));
	} });`)
	c := serve(t, []string{path}, nil)
	for i, want := range []string{
		`["how to use import.meta","import.meta string",{"import.meta":1},"import.meta"]`,
		`[true,` + quoteJS(path) + `,true]`,
	} {
		if got := c.prompt("/go")[i]; !strings.Contains(got, `"message":`+quoteJS(want)) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	c.send(`{"type":"get_commands","id":"p"}`)
	if got := c.until(`{"id":"p"`); !strings.Contains(got[0], `"description":"import.meta"`) {
		t.Errorf("got %s", got)
	}
}
