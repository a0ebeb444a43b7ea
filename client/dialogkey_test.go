package client_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"extui/client"
	"extui/protocol"
)

// keyed is a front end that hands on the keys of its dialogs and cancels them.
type keyed struct{ seen chan keyedDialog }

type keyedDialog struct {
	title string
	key   uint64
}

func (k keyed) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	k.seen <- keyedDialog{d.DialogTitle(), client.DialogKey(inner)}
	return protocol.Cancelled{}, nil
}

func (k keyed) Show(protocol.Update) {}

// The keys grow as the agent asks, whichever call of Ask begins first.
func TestDialogKey(t *testing.T) {
	const n = 20
	out, agent := io.Pipe()
	front := keyed{make(chan keyedDialog, n)}
	c := client.Attach(out, io.Discard, &client.Options{Frontend: front, Dialect: client.Pi})
	for i := range n {
		fmt.Fprintf(agent, `{"type":"extension_ui_request","id":"%d","method":"confirm","title":"%02d"}`+"\n", i, i)
	}
	keys := map[string]uint64{}
	for range n {
		d := <-front.seen
		keys[d.title] = d.key
	}
	for i := 1; i < n; i++ {
		if a, b := keys[fmt.Sprintf("%02d", i-1)], keys[fmt.Sprintf("%02d", i)]; a == 0 || a >= b {
			t.Errorf("dialog %d has key %d, the next one %d", i-1, a, b)
		}
	}
	agent.Close()
	c.Close(t.Context())
	if key := client.DialogKey(context.WithValue(t.Context(), keyedDialog{}, 1)); key != 0 {
		t.Errorf("a context that is no dialog's has key %d", key)
	}
}

// replacing is a front end that says of each dialog whether it replaces another.
type replacing struct{ seen chan string }

func (r replacing) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	r.seen <- fmt.Sprint(d.DialogTitle(), " ", client.Replaces(inner))
	<-ctx.Done()
	return nil, ctx.Err()
}

func (r replacing) Show(protocol.Update) {}

// A front end learns that a dialog has the id of one that was open, and of no other.
func TestReplaces(t *testing.T) {
	out, agent := io.Pipe()
	front := replacing{make(chan string)}
	c := client.Attach(out, io.Discard, &client.Options{Frontend: front, Dialect: client.Pi})
	for _, test := range []struct{ id, title, want string }{
		{"1", "a", "a false"}, {"2", "b", "b false"}, {"1", "c", "c true"}, {"1", "d", "d true"}, {"3", "e", "e false"},
	} {
		fmt.Fprintf(agent, `{"type":"extension_ui_request","id":%q,"method":"confirm","title":%q}`+"\n", test.id, test.title)
		if got := <-front.seen; got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	agent.Close()
	c.Close(t.Context())
	if client.Replaces(t.Context()) {
		t.Error("a context that is no dialog's")
	}
}
