package script

import (
	"fmt"
	"strings"
	"testing"
)

// Two extensions that answer the events of each other for ever are stopped, and that is
// told once. What is long but ends is not.
func TestEventsThatAnswerEachOther(t *testing.T) {
	ext := func(mine, other string) string {
		return write(t, mine+".ts", fmt.Sprintf(`let n = 0;
export default function (pi) {
	pi.events.on(%[1]q, async (left) => { await null; n++; if (left > 0) pi.events.emit(%[2]q, left - 1) });
	pi.events.on("many", (left) => n++);
	pi.registerCommand(%[1]q, { handler: async (args) => {
		n = 0;
		if (args === "many") for (let i = 0; i < 2000; i++) pi.events.emit("many", 0);
		else pi.events.emit(%[2]q, Number(args));
	} });
	pi.registerCommand("n" + %[1]q, { handler: async (_, ctx) => { ctx.ui.notify("n " + n); n = 0; } });
}`, mine, other))
	}
	c := serve(t, []string{ext("a", "b"), ext("b", "a")}, nil)
	c.prompt("/a 1e300")
	if got := c.next(); !strings.Contains(got, `"type":"extension_error"`) || !strings.Contains(got, "without an end") {
		t.Error(got)
	}
	for _, x := range []struct{ send, want string }{
		{"/na", `"message":"n 250"`}, {"/nb", `"message":"n 250"`},
	} {
		if got := c.prompt(x.send); len(got) != 2 || !strings.Contains(got[0], x.want) {
			t.Errorf("%s: %s, want %s and no more", x.send, got, x.want)
		}
	}
	c.prompt("/a many")
	if got := c.prompt("/nb"); len(got) != 2 || !strings.Contains(got[0], `"message":"n 2000"`) {
		t.Errorf("many: %s", got)
	}
}

// Data that other extensions do not get whole is told of, once for a channel; what JSON
// holds, and what nobody else listens to, is not.
func TestEventsThatAreNotCopiedWhole(t *testing.T) {
	c := serve(t, []string{
		write(t, "a.ts", `export default (pi) => pi.registerCommand("emit", { handler: async () => {
			for (let i = 0; i < 2; i++) pi.events.emit("ask", { deny() {} });
			pi.events.emit("set", { all: new Set() });
			pi.events.emit("plain", { list: [1, { a: null }] });
			pi.events.emit("nobody", () => {});
		} });`),
		write(t, "b.ts", `export default (pi) => { for (const name of ["ask", "set", "plain"]) pi.events.on(name, () => {}) };`),
	}, nil)
	c.prompt("/emit")
	got := c.stderr.String()
	if strings.Count(got, `"ask" holds a function`) != 1 || strings.Count(got, `"set" holds a Set`) != 1 || strings.Count(got, "\n") != 2 {
		t.Errorf("got %s", got)
	}
}
