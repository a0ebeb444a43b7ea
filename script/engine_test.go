package script

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"modernc.org/quickjs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// harness is an engine without an extension. Code that it runs can call tell(text).
type harness struct {
	*engine
	console bytes.Buffer

	mu      sync.Mutex
	told    chan string
	reports []*Error
}

func newHarness(t *testing.T, limits Limits) *harness {
	t.Helper()
	h := &harness{engine: newEngine(limits), told: make(chan string, 10000)}
	h.stderr = &h.console
	h.cwd = t.TempDir()
	h.path = "/ext/test.ts"
	h.report = func(event string, err *Error) {
		h.mu.Lock()
		h.reports = append(h.reports, err)
		h.mu.Unlock()
		h.told <- event + ": " + err.Error()
	}
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan error)
	h.post(func() {
		ready <- h.vm.RegisterHostFunc("tell", func(args []any) (any, error) { h.told <- fmt.Sprint(args...); return nil, nil })
	})
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	return h
}

// run runs code as the bundle would run, in a turn of its own, and returns what it
// threw.
func (h *harness) run(code string) *Error {
	failed := make(chan *Error, 1)
	h.post(func() {
		h.watch.arm(h.limits.Run)
		defer h.watch.disarm()
		_, err := h.vm.Eval(code, quickjs.EvalGlobal)
		e := h.scriptError(err)
		if jobs := h.runJobs(); e == nil {
			e = jobs
		}
		h.reportRejections()
		failed <- e
	})
	return <-failed
}

// expect runs code and waits for what it tells.
func (h *harness) expect(t *testing.T, code string, want ...string) {
	t.Helper()
	if err := h.run(code); err != nil {
		t.Fatalf("%s\nthrew %v\n%s", code, err, err.Stack)
	}
	for _, w := range want {
		select {
		case got := <-h.told:
			if got != w {
				t.Errorf("%s\ntold %q, want %q", code, got, w)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s\ntold nothing, want %q", code, w)
		}
	}
}

func TestEngine(t *testing.T) {
	h := newHarness(t, Limits{})
	for _, test := range []struct{ name, code, want string }{
		{"timers in order", `setTimeout(() => tell("b"), 50); setTimeout(() => tell("a"), 1); setTimeout(() => tell("c"), 50)`, "a b c"},
		{"interval", `let n = 0; const i = setInterval(() => { tell(++n); if (n === 3) clearInterval(i) }, 1)`, "1 2 3"},
		{"cleared", `const x = setTimeout(() => tell("no"), 1); clearTimeout(x); setTimeout(() => tell("yes"), 3)`, "yes"},
		{"immediate after microtask", `setImmediate(() => tell(2)); queueMicrotask(() => tell(1))`, "1 2"},
		{"await", `(async () => { await null; tell("done") })()`, "done"},
		{"abort", `const a = new AbortController(); a.signal.addEventListener("abort", () => tell(a.signal.reason.name)); a.abort()`, "AbortError"},
		{"clone", `const m = new Map([["k", { d: new Date(0) }]]); tell(structuredClone(m).get("k").d.getTime())`, "0"},
		{"base64", `tell(atob(btoa("héllo"))); tell(Buffer.from("aGk", "base64").toString())`, "héllo hi"},
		{"url", `const u = new URL("../b?x=1#h", "https://user@example.org:8443/a/c"); u.searchParams.set("y", "a b"); tell(u.href)`, "https://user@example.org:8443/b?x=1&y=a+b#h"},
		{"text", `tell(new TextDecoder().decode(new TextEncoder().encode("日本")))`, "日本"},
		{"lone surrogate", `tell("a\ud83d")`, "a\xed\xa0\xbd"},
		{"pair across the boundary", `tell("\ud83d" + "\ude00")`, "😀"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h.expect(t, "{"+test.code+"}", strings.Fields(test.want)...)
		})
	}
}
