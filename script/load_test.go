package script

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"extui/agent"
	"extui/internal/long"
)

const many = `export default function (pi) {
	pi.registerCommand("one-by-one", { handler: async (args, ctx) => {
		let yes = 0;
		for (let i = 0; i < Number(args); i++) if (await ctx.ui.confirm("Sure?", "number " + i)) yes++;
		ctx.ui.notify("yes " + yes);
	} });
	pi.registerCommand("at-once", { handler: async (args, ctx) => {
		const all = await Promise.all(Array.from({ length: Number(args) }, (_, i) => ctx.ui.confirm("Sure?", "number " + i)));
		ctx.ui.notify("yes " + all.filter((x) => x).length);
	} });
	pi.registerCommand("notify", { handler: async (args, ctx) => {
		for (let i = 0; i < Number(args); i++) ctx.ui.notify("number " + i, "info");
	} });
}
`

// answer says yes to every confirm of one command, and returns what else is written.
func (c *talk) answer(message string, hold int) (rest []string) {
	c.send(`{"type":"prompt","id":"p","message":"` + message + `"}`)
	var held []string
	for {
		line := c.next()
		switch {
		case strings.HasPrefix(line, `{"id":"p",`):
			return rest
		case strings.Contains(line, `"method":"confirm"`):
			var r struct{ ID string }
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				c.t.Fatal(err)
			}
			held = append(held, r.ID)
			if len(held) < hold {
				continue
			}
			for _, id := range held {
				c.send(`{"type":"extension_ui_response","id":"` + id + `","confirmed":true}`)
			}
			held = nil
		default:
			rest = append(rest, line)
		}
	}
}

// Ten thousand dialogs, one after the other and all at once, in little memory: the
// limit is what the engine may hold, and what is on the Go side is compared.
func TestTenThousandDialogs(t *testing.T) {
	n := 10_000
	switch {
	case slowEngine:
		n = 300
	case !long.Wanted():
		n = 2000
	}
	c := serve(t, []string{write(t, "many.ts", many)}, func(o *Options, _ *agent.Options) { o.Limits.Memory = 24 << 20 })
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	// Once before: the runtime keeps what it needed for so many goroutines.
	c.answer(fmt.Sprintf("/at-once %d", n), n)
	before := heap()
	for _, test := range []struct {
		command string
		hold    int
	}{{"one-by-one", 1}, {"at-once", n}, {"one-by-one", 1}} {
		rest := c.answer(fmt.Sprintf("/%s %d", test.command, n), test.hold)
		if len(rest) != 1 || !strings.Contains(rest[0], fmt.Sprintf("yes %d", n)) {
			t.Errorf("/%s: %s", test.command, rest)
		}
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if s := c.agent.Stats(); s.OpenDialogs != 0 {
		t.Errorf("%d dialogs are left open", s.OpenDialogs)
	}
}

func BenchmarkConfirm(b *testing.B) {
	c := serveBench(b)
	b.ResetTimer()
	c.answer(fmt.Sprintf("/one-by-one %d", b.N), 1)
}

func BenchmarkNotify(b *testing.B) {
	c := serveBench(b)
	b.ResetTimer()
	c.answer(fmt.Sprintf("/notify %d", b.N), 1)
}

func serveBench(b *testing.B) *talk {
	return serve(b, []string{write(b, "many.ts", many)}, nil)
}
