package script

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/agent"
)

// A file of an untrusted project is refused however it gets into an extension.
func TestTrustCannotBeEvaded(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	t.Setenv("HOME", home)
	project := filepath.Join(home, "project")
	sub := filepath.Join(project, "a", "b")
	const code = "export default () => {};\n"
	theirs := writeIn(t, project, ".pi/extensions/x.ts", code)
	other := writeIn(t, project, ".atomic/y.ts", code)
	plain := writeIn(t, sub, "plain.ts", code)
	reexport := writeIn(t, sub, "again.ts", "export { default } from '../../.pi/extensions/x';\n")
	elsewhere := writeIn(t, dir, "elsewhere.ts", "import f from './home/project/.atomic/y';\nexport default f;\n")
	own := writeIn(t, home, ".pi/agent/extensions/own.ts", code)
	link := filepath.Join(sub, "link.ts")
	if err := os.Symlink(theirs, link); err != nil {
		t.Skip(err)
	}
	out := writeIn(t, dir, "out.ts", code)
	linkOut := filepath.Join(project, ".pi", "out.ts")
	if err := os.Symlink(out, linkOut); err != nil {
		t.Fatal(err)
	}
	for _, cwd := range []string{project, sub} {
		for file, refused := range map[string]bool{theirs: true, other: true, reexport: true, elsewhere: true, link: true, linkOut: true, plain: false, own: false, out: false} {
			l := NewLoader(&Options{Cwd: cwd})
			_, err := l.Load(file)
			if errors.Is(err, ErrUntrusted) != refused || !refused && err != nil {
				t.Errorf("%s in %s: %v, refused %t", file, cwd, err, refused)
			}
			l.Close()
			if slowEngine {
				continue
			}
			l = NewLoader(&Options{Cwd: cwd, Trusted: true})
			if _, err := l.Load(file); err != nil {
				t.Errorf("trusted, %s in %s: %v", file, cwd, err)
			}
			l.Close()
		}
	}
	// Nor by a change of the file.
	l := NewLoader(&Options{Cwd: project})
	defer l.Close()
	if _, err := l.Load(plain); err != nil {
		t.Fatal(err)
	}
	writeIn(t, sub, "plain.ts", "export { default } from './again';\n")
	if err := l.Rebundle(); !errors.Is(err, ErrUntrusted) {
		t.Errorf("rebundled: %v", err)
	}
	if needsTrust(sub) || !needsTrust(project) {
		t.Error("the project needs trust, the folder below does not")
	}
}

// As in pi, an extension may read settings of a project that has none which need trust.
func TestIsProjectTrusted(t *testing.T) {
	path := write(t, "ext.ts", `export default (pi: any) => pi.registerCommand("trusted", { handler: async (_: string, ctx: any) => ctx.ui.notify(String(ctx.isProjectTrusted())) });`)
	for _, want := range []string{"true", "false"} {
		c := serve(t, []string{path}, nil)
		if got := c.prompt("/trusted"); !strings.Contains(got[0], `"message":"`+want+`"`) {
			t.Errorf("%s, want %s", got, want)
		}
		c.end()
		writeIn(t, filepath.Dir(path), ".pi/settings.json", "{}")
	}
}

// A load that waits for what cannot come fails at once, and one that hangs in its time.
func TestALoadThatNeverEnds(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"await new Promise(() => {});\nexport default () => {};\n":                            "for something that never comes",
		"export default () => new Promise(() => {});\n":                                       "for something that never comes",
		"await new Promise((r) => setTimeout(r, 1e6));\nexport default () => {};\n":           "it was not loaded within 300ms",
		"await new Promise((r) => setTimeout(r, 20));\nexport default () => { throw 'x' };\n": "x",
	} {
		c := prepare(t, []string{write(t, "ext.ts", code)}, func(o *Options, _ *agent.Options) { o.Limits.Run = 100 * time.Millisecond })
		c.start(t)
		for range c.lines {
		}
		if err := <-c.served; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", code, err, want)
		}
		c.loader.Close()
	}
}

// As in pi, what is wrong with a manifest leaves the index.
func TestBrokenManifests(t *testing.T) {
	for _, manifest := range []string{"{", `{"pi":{"extensions":["./gone.ts"]}}`, `{"pi":7}`} {
		dir := t.TempDir()
		writeIn(t, dir, "package.json", manifest)
		if got, err := Entries(dir); err == nil {
			t.Errorf("%s without an index: %s", manifest, got)
		}
		index := writeIn(t, dir, "index.ts", "")
		if got, err := Entries(dir); err != nil || len(got) != 1 || got[0] != index {
			t.Errorf("%s: %s, %v", manifest, got, err)
		}
	}
	dir := t.TempDir()
	there := writeIn(t, dir, "there.ts", "")
	writeIn(t, dir, "package.json", `{"pi":{"extensions":["./gone.ts","./there.ts"]}}`)
	if got, err := Entries(dir); err != nil || len(got) != 1 || got[0] != there {
		t.Errorf("one of two: %s, %v", got, err)
	}
}

// A flag's value is what it looks like or an error, and never something else in silence.
func TestFlagValues(t *testing.T) {
	path := write(t, "ext.ts", `export default (pi: any) => {
		pi.registerFlag("b", { type: "boolean", default: false });
		pi.registerFlag("s", { type: "string", default: "d" });
		pi.registerCommand("go", { handler: async (_: string, ctx: any) => ctx.ui.notify(JSON.stringify([pi.getFlag("b"), pi.getFlag("s")])) });
	};`)
	for _, test := range []struct {
		values      map[string]string
		bare        []string
		want, wrong string
	}{
		{nil, nil, `[false,"d"]`, ""},
		{map[string]string{"b": "true", "s": ""}, nil, `[true,""]`, ""},
		{map[string]string{"b": "false", "s": "true"}, nil, `[false,"true"]`, ""},
		{nil, []string{"b"}, `[true,"d"]`, ""},
		{nil, []string{"s"}, `[false,"d"]`, `extension flag "s" needs a value`},
		{map[string]string{"b": "no"}, nil, `[false,"d"]`, `extension flag "b" is true or false: invalid value "no"`},
		{map[string]string{"b": "0"}, nil, `[false,"d"]`, `extension flag "b" is true or false: invalid value "0"`},
		{map[string]string{"b": "FALSE"}, nil, `[false,"d"]`, `extension flag "b" is true or false: invalid value "FALSE"`},
		{map[string]string{"b": ""}, nil, `[false,"d"]`, `extension flag "b" is true or false: invalid value ""`},
	} {
		c := serve(t, []string{path}, func(o *Options, _ *agent.Options) { o.Flags, o.BareFlags = test.values, test.bare })
		if got := c.prompt("/go"); !strings.Contains(got[0], `"message":`+quoteJS(test.want)) {
			t.Errorf("%v %s: got %s, want %s", test.values, test.bare, got[0], test.want)
		}
		if err := errors.Join(c.loader.FlagErrors()...); (err == nil) != (test.wrong == "") || err != nil && err.Error() != test.wrong {
			t.Errorf("%v %s: error %v, want %q", test.values, test.bare, err, test.wrong)
		}
		c.end()
	}
}

func TestUnknownFlags(t *testing.T) {
	path := write(t, "ext.ts", `export default (pi: any) => pi.registerFlag("known", { type: "string" });`)
	c := serve(t, []string{path}, func(o *Options, _ *agent.Options) {
		o.Flags, o.BareFlags = map[string]string{"known": "1"}, []string{"nope"}
	})
	c.send(`{"type":"get_commands","id":"g"}`)
	c.next()
	if got := c.loader.UnknownFlags(); len(got) != 1 || got[0] != "nope" {
		t.Errorf("unknown: %s", got)
	}
}
