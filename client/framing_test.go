package client

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"extui/protocol"
)

// The framing rows as a client sees them. internal/jsonl has them in full.

// "LF only; U+2028, U+2029, U+0085 and NUL inside strings are data" (B01), and
// "any split of the byte stream gives the same records" (B03). What follows in
// the same turn is not lost (B02).
func TestContractClientFraming_SeparatorsAndSplits(t *testing.T) {
	w := attach(t, Options{})
	text := "a\u2028b\u2029c\u0085d é"
	var stream strings.Builder
	for i := range 11 {
		fmt.Fprintf(&stream, `{"type":"extension_ui_request","id":"n%d","method":"notify","message":"%s\u0000"}`+"\r\n", i, text)
	}
	fmt.Fprintf(&stream, "\n \n"+`{"type":"extension_ui_request",%s}`+"\n", reqConfirm)
	for i := range stream.Len() {
		if _, err := io.WriteString(w.out, stream.String()[i:i+1]); err != nil {
			t.Fatal(err)
		}
	}
	(<-w.front.asks).reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	for range 11 {
		if n := (<-w.front.shows).(*protocol.Notify); n.Message != text+"\x00" {
			t.Errorf("shown %q", n.Message)
		}
	}
	w.wantKinds()
}

// "The last record without LF at the end of the stream is delivered."
func TestContractClientFraming_LastRecord(t *testing.T) {
	w := attach(t, Options{})
	io.WriteString(w.out, `{"type":"extension_ui_request","id":"t","method":"setTitle","title":"bye"}`)
	w.out.Close()
	<-w.c.Done()
	if got := w.c.Mirror().Snapshot().Title; got != "bye" {
		t.Errorf("title %q", got)
	}
}

// "Not JSON, or JSON that is no object: counted and reported once, skipped."
// Lines before the first record are banner text, later ones are not (B02).
func TestContractClientFraming_NoObject(t *testing.T) {
	var events []string
	w := attach(t, Options{Subscribe: func(r []byte) { events = append(events, string(r)) }})
	w.say("Welcome to the agent")
	w.say("v1.2.3")
	w.say(`{"type":"agent_start"}`)
	for _, line := range []string{"null", "42", "[]", `"x"`, "{broken", `{"type":"x"`} {
		w.say(line)
	}
	w.request(`"id":"a","id":"b","method":"confirm","title":"two ids"`)
	w.request(reqConfirm)
	(<-w.front.asks).reply(protocol.Confirmed(true))
	w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
	w.wantKinds(KindBanner, KindBadRecord)
	counts := w.c.Counts()
	if b := counts[KindBanner]; b != (Count{2, 26}) {
		t.Errorf("banner count %+v", b)
	}
	if b := counts[KindBadRecord]; b.N != 7 {
		t.Errorf("bad record count %+v", b)
	}
	if want := []string{`{"type":"agent_start"}`}; !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
}

// "Invalid UTF-8 and lone surrogates: the dialog still works, and a select
// answer goes back as the very bytes of the option that was offered."
func TestContractClientFraming_BrokenText(t *testing.T) {
	w := attach(t, Options{})
	for i, option := range []string{`"bad \xff byte"`, `"half \ud83d"`, `"slash \/ é"`} {
		option = strings.ReplaceAll(option, `\xff`, "\xff")
		w.request(fmt.Sprintf(`"id":"%d","method":"select","title":"t","options":["x",%s]`, i, option))
		a := <-w.front.asks
		a.reply(protocol.Value(a.dialog.(*protocol.Select).Options[1].Answer()))
		w.want(fmt.Sprintf(`{"type":"extension_ui_response","id":"%d","value":%s}`, i, option))
	}
}

// "An oversize record alone is dropped up to its LF and reported; the next is
// handled" (B04, B05). No limit means none. A dialog that was dropped is
// cancelled, or its agent would wait for ever.
func TestContractClientFraming_Oversize(t *testing.T) {
	prefill := strings.Repeat("x", 11<<20)
	editor := `"id":"e1","method":"editor","title":"t","prefill":"` + prefill + `"`
	t.Run("B04", func(t *testing.T) {
		w := attach(t, Options{MaxRecord: 10 << 20})
		w.request(editor)
		w.want(cancelled("e1"))
		w.request(reqConfirm)
		(<-w.front.asks).reply(protocol.Confirmed(true))
		w.want(`{"type":"extension_ui_response","id":"c","confirmed":true}`)
		w.wantKinds(KindOversize)
	})
	t.Run("each kind", func(t *testing.T) {
		w := attach(t, Options{MaxRecord: 1000})
		long := strings.Repeat("y", 1000)
		w.say(`{"type":"x","data":"` + long + `"}`)
		w.say(`{"type":"x","data":"` + long + `"}`)
		w.request(`"id":"n","method":"notify","message":"` + long + `"`)
		w.request(`"method":"confirm","title":"` + long + `","id":"behind the cut"`)
		w.request(`"id":"u","method":"dance","x":"` + long + `"`)
		w.want(cancelled("u"))
		w.sync()
		w.wantKinds(KindOversize, KindOversize, KindOversize, KindOversize) // the second event is only counted
		if n := w.c.Counts()[KindOversize]; n.N != 5 || n.Bytes < 5000 {
			t.Errorf("count %+v", n)
		}
	})
	t.Run("no limit", func(t *testing.T) {
		w := attach(t, Options{})
		w.request(editor)
		a := <-w.front.asks
		if got := *a.dialog.(*protocol.Editor).Prefill; len(got) != len(prefill) {
			t.Errorf("prefill of %d bytes", len(got))
		}
		a.reply(protocol.Value("short"))
		w.want(`{"type":"extension_ui_response","id":"e1","value":"short"}`)
	})
}

// B09: what the agent wrote in one go is seen in that order.
func TestUpdatesKeepTheirOrder(t *testing.T) {
	var order []string
	f := &orderFront{order: &order}
	w := attach(t, Options{Frontend: f, Subscribe: func(r []byte) { order = append(order, string(r)) }})
	io.WriteString(w.out, `{"e":1}
{"e":2}
{"type":"extension_ui_request","id":"s","method":"setStatus","statusKey":"k","statusText":"busy"}
{"e":3}
`)
	w.sync()
	if want := []string{`{"e":1}`, `{"e":2}`, "setStatus", `{"e":3}`, "no such method"}; !slices.Equal(order, want) {
		t.Errorf("order %q", order)
	}
}

// orderFront notes what it is shown, in the reading goroutine.
type orderFront struct {
	frontFunc
	order *[]string
}

func (f *orderFront) Show(u protocol.Update) { *f.order = append(*f.order, string(u.Method())) }
