package script

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"extui/agent"
)

// good is an extension that must go on whatever another does.
const good = `export default function (pi) {
	pi.registerCommand("good", { handler: async (args, ctx) => ctx.ui.notify("good " + args) });
}
`

// bad has a command for each way to go wrong. Lines matter: tests name them.
const bad = `import { helper } from "./helper";

export default function (pi: any) {
	const cmd = (name: string, f: (ctx: any) => any) => pi.registerCommand(name, { handler: async (_: string, ctx: any) => f(ctx) });
	cmd("loop", () => {
		for (;;) {
			try { for (;;) {} } catch {}
		}
	});
	cmd("loop-later", async () => {
		await new Promise((r) => setTimeout(r, 1));
		while (true) {}
	});
	cmd("loop-lost", () => { (async () => { await null; for (;;) {} })(); });
	cmd("loop-timer", () => { setTimeout(() => { for (;;) {} }, 1); });
	cmd("hog", () => {
		const all: any[] = [];
		for (;;) all.push(new Uint8Array(1 << 20));
	});
	cmd("throws", () => helper({ nothing: null }));
	cmd("throws-later", async () => { await null; helper({ nothing: null }); });
	cmd("lost", () => {
		Promise.reject(new TypeError("nobody listens"));
	});
	cmd("handled-late", async () => {
		const p = Promise.reject(new Error("no"));
		await p.catch(() => {});
	});
	cmd("timer", () => setTimeout(() => { throw new RangeError("in a timer"); }, 1));
	cmd("exit", () => { process.exit(3); });
	cmd("deep", () => { const f = (): number => f() + 1; return f(); });
	cmd("never", () => new Promise(() => {}));
	cmd("loop-jobs", async () => {
		for (;;) await null;
	});
	cmd("loop-then", () => { const again = () => { Promise.resolve().then(again); }; again(); });
	cmd("hog-texts", async () => { const all: string[] = []; while (true) all.push("abc" + all.length); });
	cmd("hog-names", () => { const all: any = {}; for (let i = 0; ; i++) all["k" + i] = { i }; });
	cmd("hog-timer", () => { setTimeout(() => { const all: any[] = []; for (let i = 0; ; i++) all.push([i]); }, 1); });
	cmd("hog-chain", async () => { await null; let o: any = null; for (;;) o = { o }; });
	cmd("fine", (ctx) => ctx.ui.notify("fine"));
}
`

const helper = `// The first line is a comment.
interface Thing { nothing: any }
export function helper(t: Thing) {
	return t.nothing.at.all;
}
`

// trouble is an agent with the two extensions.
func trouble(t *testing.T, limits Limits) *talk {
	t.Helper()
	path := write(t, "bad.ts", bad)
	dir := filepath.Dir(path)
	writeIn(t, dir, "helper.ts", helper)
	return serve(t, []string{path, write(t, "good.ts", good)}, func(o *Options, _ *agent.Options) { o.Limits = limits })
}

func TestWhatGoesWrongStaysInItsExtension(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, want, file string }{
		{"loop", "stopped: it ran for 200ms without a pause", "bad.ts:6)"},
		{"loop-later", "stopped: it ran for 200ms without a pause", "bad.ts:12)"},
		{"loop-lost", "stopped: it ran for 200ms without a pause", "bad.ts:14)"},
		{"loop-timer", "stopped: it ran for 200ms without a pause", "bad.ts:15)"},
		{"loop-jobs", "stopped: it ran for 200ms without a pause", "bad.ts:34)"},
		{"loop-then", "stopped: it ran for 200ms without a pause", "bad.ts:36)"},
		{"hog", "stopped: it needs more than its 8 MB of memory", "bad.ts:18)"},
		{"hog-texts", "stopped: it needs more than its 8 MB of memory", "bad.ts:37)"},
		{"hog-names", "stopped: it needs more than its 8 MB of memory", "bad.ts:38)"},
		{"hog-timer", "stopped: it needs more than its 8 MB of memory", "bad.ts:39)"},
		{"hog-chain", "stopped: it needs more than its 8 MB of memory", "bad.ts:40)"},
		{"lost", "unhandled rejection: nobody listens", "bad.ts:23"},
		{"timer", "in a timer", "bad.ts:29"},
		{"exit", "process.exit(3): an extension cannot end the agent; ctx.shutdown() asks it to end (", "bad.ts:30)"},
		{"deep", "Maximum call stack size exceeded (", "bad.ts:31)"},
		{"throws", "cannot read property 'at' of null", ""},
	} {
		if slowEngine && strings.HasPrefix(test.command, "hog") && test.command != "hog" {
			continue // slow, and nothing but one goroutine that computes
		}
		t.Run(test.command, func(t *testing.T) {
			limits := Limits{Memory: 8 << 20}
			if strings.HasPrefix(test.command, "loop") {
				limits.Run = 200 * time.Millisecond
			}
			c := trouble(t, limits)
			c.send(`{"type":"prompt","id":"p","message":"/` + test.command + `"}`)
			var report, response bool
			for !report || !response {
				line := c.next()
				switch {
				case strings.HasPrefix(line, `{"id":"p",`):
					response = true
				case strings.Contains(line, `"extension_error"`):
					report = true
					if !strings.Contains(line, test.want) || !strings.Contains(line, test.file) {
						t.Errorf("got %s, want in it %q and %q", line, test.want, test.file)
					}
				default:
					t.Errorf("unexpected: %s", line)
				}
			}
			// Both go on, at once.
			for _, command := range []string{"good x", "fine"} {
				lines := c.prompt("/" + command)
				if len(lines) != 2 || !strings.Contains(lines[0], `"message":"`+command[:4]) {
					t.Errorf("/%s afterwards: %s", command, lines)
				}
			}
		})
	}
}

func TestAHandledRejectionIsNotReported(t *testing.T) {
	c := trouble(t, Limits{})
	if lines := c.prompt("/handled-late"); len(lines) != 1 {
		t.Errorf("got %s", lines)
	}
}

// The place of an ordinary error is in the log, for the record is pi's.
func TestWhereAnErrorWasThrown(t *testing.T) {
	c := trouble(t, Limits{})
	for _, command := range []string{"throws", "throws-later"} {
		if lines := c.prompt("/" + command); len(lines) != 2 || strings.Contains(lines[0], "stack") {
			t.Errorf("/%s: %s", command, lines)
		}
	}
	if log := c.log.String(); strings.Count(log, "helper.ts:4:") != 2 {
		t.Errorf("the log names helper.ts:4 not twice:\n%s", log)
	}
}

// While one extension loops, the other answers.
func TestALoopHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	c := trouble(t, Limits{Run: time.Second})
	c.send(`{"type":"prompt","id":"slow","message":"/loop"}`)
	began := time.Now()
	c.prompt("/good")
	if waited := time.Since(began); waited > 900*time.Millisecond {
		t.Errorf("the other extension took %v", waited)
	}
	c.until(`{"id":"slow",`)
}

// A handler that waits for what never comes ends with the agent, without a stuck
// goroutine.
func TestAPromiseThatNeverSettles(t *testing.T) {
	t.Parallel()
	c := trouble(t, Limits{})
	c.send(`{"type":"prompt","id":"never","message":"/never"}`)
	c.prompt("/good")
	began := time.Now()
	c.end()
	if waited := time.Since(began); waited > 3*time.Second {
		t.Errorf("the end took %v", waited)
	}
}

func TestLoadErrorsNameFileLineAndCause(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"syntax", "export default function (pi) {\n\tconst x = ;\n}\n", "ext.ts:2:12: Unexpected \";\""},
		{"node:net", "\nimport net from \"node:net\";\nexport default () => net;\n", `ext.ts:2:17: the module "node:net" of Node.js is not available`},
		{"dns", "import { lookup } from 'dns';\nexport default () => lookup;\n", `ext.ts:1:24: the module "dns" of Node.js is not available`},
		{"not installed", "import x from 'left-pad-of-nobody';\nexport default () => x;\n", `ext.ts:1:15: Could not resolve "left-pad-of-nobody"`},
		{"no such file", "import x from './nowhere';\nexport default () => x;\n", `ext.ts:1:15: Could not resolve "./nowhere"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := newLoader(t, nil).Load(write(t, "ext.ts", test.code))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want in it %s", err, test.want)
			}
			if _, ok := errors.AsType[*LoadError](err); !ok {
				t.Errorf("%T is no *LoadError", err)
			}
		})
	}
}

func TestTypeImportsVanish(t *testing.T) {
	code := "import type { A } from 'not-installed';\nimport { type B } from 'not-installed-either';\nexport default (pi: A & B) => { pi.registerCommand('x', { handler() {} }) };\n"
	if _, err := newLoader(t, nil).Load(write(t, "ext.ts", code)); err != nil {
		t.Error(err)
	}
}

func TestThrowsAtLoad(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"its 8 MB of memory (D/ext.ts:3)":          "const a: any[] = [];\nconst y = 2;\nfor (;;) a.push([1]);\nexport default () => {};\n",
		"its 8 MB of memory (D/ext.ts:4)":          "export default () => {\n\tconst a: any[] = [];\n\tfor (;;)\n\t\ta.push([1]);\n};\n",
		"a pause (D/ext.ts:1)":                     "while(true){}\nexport default () => {};\n",
		"a pause (D/ext.ts:4)":                     "const a: number = 1;\nfunction other() { for (;;) {} }\nfunction go() {\n  for (;;) {}\n}\ngo();\nexport default () => other;\n",
		"a pause (D/ext.ts:5)":                     "const x = 1;\nconst y = 2;\nfunction other() { if (x) { for (;;) {} } }\n// c\nfor (;;) {\n  x + y;\n}\nexport default () => other;\n",
		"ext.ts:3":                                 "// one\nexport default function () {\n\tthrow new Error(\"not today\");\n}\n",
		"ext.ts:2":                                 "const x: any = undefined;\nx.y;\nexport default () => {};\n",
		"does not export a valid factory function": "export const x = 1;\n",
	} {
		if slowEngine && strings.Contains(name, "memory") {
			continue
		}
		path := write(t, "ext.ts", code)
		c := prepare(t, []string{path}, func(o *Options, _ *agent.Options) {
			o.Limits.Memory = 8 << 20
			if strings.HasPrefix(name, "a pause") {
				o.Limits.Run = 200 * time.Millisecond
			}
		})
		c.start(t)
		for range c.lines {
		}
		err := <-c.served
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), filepath.Dir(path), "D"), name) {
			t.Errorf("serve: %v, want in it %s", err, name)
		}
		c.loader.Close()
	}
}

func TestUntrusted(t *testing.T) {
	dir := t.TempDir()
	path := writeIn(t, dir, filepath.Join(".pi", "extensions", "x.ts"), good)
	if _, err := newLoader(t, &Options{Cwd: dir}).Load(path); !errors.Is(err, ErrUntrusted) {
		t.Errorf("got %v, want ErrUntrusted", err)
	}
	if _, err := newLoader(t, &Options{Cwd: dir, Trusted: true}).Load(path); err != nil {
		t.Errorf("trusted: %v", err)
	}
	if _, err := newLoader(t, &Options{Cwd: t.TempDir()}).Load(path); err != nil {
		t.Errorf("of another project: %v", err)
	}
}

// newLoader returns a loader that ends with the test.
func newLoader(t *testing.T, opts *Options) *Loader {
	t.Helper()
	l := NewLoader(opts)
	t.Cleanup(l.Close)
	return l
}

// Memory that is held for good leaves nothing to run in: the extension says so at each
// call, and the next session gets a new engine.
// Where exactly it ends, in an object or in the error that says so, is chance.
func TestMemoryThatIsHeldForGood(t *testing.T) {
	for _, size := range []int64{14<<20 + 77_000, 15<<20 + 333_000, 16 << 20} {
		if slowEngine && size != 16<<20 {
			continue // QuickJS is slow then
		}
		t.Run(fmt.Sprint(size), func(t *testing.T) { memoryHeld(t, size) })
	}
}

func memoryHeld(t *testing.T, size int64) {
	path := write(t, "hog.ts", `const keep: any[] = [];
export default function (pi: any) {
	pi.registerCommand("hog", { handler: async (_: string, ctx: any) => {
		await null;
		for (;;) keep.push({ more: [1, 2, 3] });
	} });
	pi.registerCommand("ok", { handler: async (_: string, ctx: any) => ctx.ui.notify("ok") });
}
`)
	c := serve(t, []string{path, write(t, "good.ts", good)}, func(o *Options, _ *agent.Options) { o.Limits.Memory = size })
	var all []string
	for range 3 {
		all = append(all, c.prompt("/hog")...)
	}
	if got := strings.Join(all, "\n"); !strings.Contains(got, fmt.Sprintf("it needs more than its %d MB of memory", size>>20)) {
		t.Errorf("got %s", got)
	}
	if lines := c.prompt("/good x"); len(lines) != 2 {
		t.Errorf("the other extension: %s", lines)
	}
	c.send(`{"type":"new_session","id":"n"}`)
	c.until(`{"id":"n"`)
	// What the old engine still had to say may come first.
	if lines := c.prompt("/ok"); !strings.Contains(strings.Join(lines, "\n"), `"message":"ok"`) {
		t.Errorf("after a new session: %s", lines)
	}
}

// JavaScript may call about as deep as in Node.js, and one that calls deeper can catch
// what it catches there.
func TestDeepCalls(t *testing.T) {
	plain, nested, levels := 8000, 2300, 8000
	overflow := `try { (function f() { return f() + 1; })(); } catch (e) {
			tell([e instanceof RangeError, e.name, String(e), plain(100)].join());
		}`
	want := []string{"true,RangeError,RangeError: stack overflow,100", "mineInternalError"}
	if slowEngine { // A deep stack is moved for minutes then.
		plain, nested, levels, overflow, want = 500, 150, 500, "", want[1:]
	}
	h := newHarness(t, Limits{})
	h.expect(t, fmt.Sprintf(`{
		const plain = (n) => (n === 0 ? 0 : 1 + plain(n - 1));
		const map = (n) => (n === 0 ? 0 : [0].map(() => map(n - 1)).length);
		tell(plain(%d) + " " + map(%d) + " " + JSON.stringify(JSON.parse("[".repeat(%[3]d) + "]".repeat(%[3]d))).length);
		%s
		const other = new InternalError("m");
		other.name = "mine";
		tell(other.name + new InternalError("m").name);
	}`, plain, nested, levels, overflow), append([]string{fmt.Sprintf("%d 1 %d", plain, 2*levels)}, want...)...)
}
