package client

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"extui/protocol"
)

// 10,000 dialogs open at once, answered in random order: none lost, crossed or
// answered twice.
func TestTenThousandDialogs(t *testing.T) {
	const n = 10000
	type open struct {
		title string
		reply chan protocol.Answer
	}
	opened := make(chan open, n)
	f := frontFunc(func(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
		o := open{d.DialogTitle(), make(chan protocol.Answer)}
		opened <- o
		return <-o.reply, nil
	})
	w := attach(t, Options{Frontend: f})
	go func() {
		out := bufio.NewWriter(w.out)
		for i := range n {
			fmt.Fprintf(out, `{"type":"extension_ui_request","id":"%d","method":"input","title":"%d"}`+"\n", i, i)
		}
		out.Flush()
	}()
	all := make([]open, n)
	for i := range all {
		all[i] = <-opened
	}
	if got := len(w.c.Mirror().Snapshot().Dialogs); got != n {
		t.Fatalf("%d dialogs open", got)
	}
	rand.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	go func() {
		for _, o := range all {
			o.reply <- protocol.Value(o.title)
		}
	}()
	seen := make([]bool, n)
	for range n {
		r, err := protocol.DecodeResponse([]byte(w.hears()))
		if err != nil {
			t.Fatal(err)
		}
		var i int
		fmt.Sscan(r.ID.String(), &i)
		if want := fmt.Sprintf("%q", r.ID.String()); string(r.Value) != want || seen[i] {
			t.Fatalf("response to %s is %s, seen before: %v", r.ID, r.Value, seen[i])
		}
		seen[i] = true
	}
	w.sync()
	if got := len(w.c.Mirror().Snapshot().Dialogs); got != 0 {
		t.Errorf("%d dialogs still open", got)
	}
}

// Bursts that no front end sees are cancelled, also while the agent writes all
// of it before it reads anything.
func TestBurstIntoAnAgentThatDoesNotRead(t *testing.T) {
	w := attachBare(t, Options{})
	const n = 5000
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `{"type":"extension_ui_request","id":"%d-%s","method":"confirm","title":"t"}`+"\n", i, strings.Repeat("x", 500))
	}
	if _, err := io.WriteString(w.out, all.String()); err != nil { // 5 MB of answers fit into no buffer
		t.Fatal(err)
	}
	for range n {
		if line := w.hears(); !strings.HasSuffix(line, `,"cancelled":true}`) {
			t.Fatalf("got %.200s", line)
		}
	}
}
