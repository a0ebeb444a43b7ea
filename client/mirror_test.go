package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"extui/protocol"
)

func TestMirror(t *testing.T) {
	w := attach(t, Options{})
	status := func(key, text string) {
		w.request(fmt.Sprintf(`"id":"x","method":"setStatus","statusKey":%q%s`, key, text))
	}
	status("a", `,"statusText":"1"`)
	status("b", `,"statusText":"2"`)
	status("c", `,"statusText":"3"`)
	status("b", ``)
	status("a", `,"statusText":"4"`)
	status("b", `,"statusText":"5"`)
	w.request(`"id":"x","method":"setWidget","widgetKey":"w","widgetLines":["l1","l2"],"widgetPlacement":"belowEditor"`)
	w.request(`"id":"x","method":"setWidget","widgetKey":"gone","widgetLines":["l"]`)
	w.request(`"id":"x","method":"setWidget","widgetKey":"gone","widgetLines":[]`)
	w.request(`"id":"x","method":"setTitle","title":"T"`)
	w.request(`"id":"x","method":"setEditorText","text":"draft"`)
	for i := range keepNotifications + 3 {
		w.request(fmt.Sprintf(`"id":"x","method":"notify","message":"%d"`, i))
	}
	w.request(reqConfirm)
	<-w.front.asks
	w.sync()
	s := w.c.Mirror().Snapshot()
	if want := []Status{{"a", "4"}, {"c", "3"}, {"b", "5"}}; !reflect.DeepEqual(s.Statuses, want) {
		t.Errorf("statuses %v", s.Statuses)
	}
	if want := []Widget{{"w", []string{"l1", "l2"}, protocol.BelowEditor}}; !reflect.DeepEqual(s.Widgets, want) {
		t.Errorf("widgets %v", s.Widgets)
	}
	if s.Title != "T" || s.EditorText == nil || *s.EditorText != "draft" {
		t.Errorf("title %q, editor %v", s.Title, s.EditorText)
	}
	if n := s.Notifications; len(n) != keepNotifications || n[0].Message != "3" || n[keepNotifications-1].Message != "202" || n[0].At.IsZero() {
		t.Errorf("%d notifications from %+v", len(n), n[0])
	}
	if len(s.Dialogs) != 1 || s.Dialogs[0].Dialog.DialogTitle() != "Clear?" || !s.Dialogs[0].Deadline.IsZero() {
		t.Errorf("dialogs %+v", s.Dialogs)
	}
}

// A snapshot and the changes after it come to the same as a later snapshot, also
// while the mirror changes from several sides.
func TestWatchIsComplete(t *testing.T) {
	m := newMirror()
	var wg sync.WaitGroup
	for side := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(side), 1))
			for i := range 250 {
				key, text := fmt.Sprint(r.IntN(5)), fmt.Sprint(side, i)
				var ch Change
				switch r.IntN(5) {
				case 0:
					ch.Update = &protocol.SetStatus{Key: key, Text: &text}
				case 1:
					ch.Update = &protocol.SetStatus{Key: key}
				case 2:
					ch.Update = &protocol.SetWidget{Key: key, Lines: []string{text}[r.IntN(2):]}
				case 3:
					ch.Update = &protocol.Notify{Message: text}
				case 4:
					ch.Dialog = &DialogEvent{Open: r.IntN(2) == 0, Key: uint64(r.IntN(20))}
					if ch.Dialog.Open {
						ch.Dialog.Key = uint64(side*1000 + i + 100) // keys open once
					}
				}
				m.record(ch)
				m.out.drain()
			}
		})
	}
	type viewer struct {
		mu  sync.Mutex
		now Snapshot
	}
	var viewers []*viewer
	for n := range 5 {
		v := &viewer{}
		v.mu.Lock()
		now, _ := m.Watch(func(ch Change) {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.now.Apply(ch)
			if n == 0 {
				m.Snapshot() // a watcher may use the mirror
			}
		})
		v.now = now
		v.mu.Unlock()
		viewers = append(viewers, v)
	}
	wg.Wait()
	m.out.drain()
	want := fmt.Sprint(m.Snapshot())
	for i, v := range viewers {
		if got := fmt.Sprint(v.now); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("viewer %d differs from the mirror at %.100q, want %.100q", i, got[at:], want[at:])
		}
	}
}

// A change that is in the snapshot already does not come once more.
func TestWatchBeginsBehindItsSnapshot(t *testing.T) {
	m := newMirror()
	m.Watch(func(Change) {})
	m.record(Change{Update: &protocol.SetTitle{Title: "1"}}) // still on its way
	now, _ := m.Watch(func(ch Change) { t.Errorf("told of %+v", ch.Update) })
	m.out.drain()
	if now.Title != "1" {
		t.Errorf("snapshot %+v", now)
	}
}

func TestWatchStops(t *testing.T) {
	m := newMirror()
	n := 0
	_, stop := m.Watch(func(Change) { n++ })
	m.record(Change{Update: &protocol.SetTitle{Title: "1"}})
	m.out.drain()
	stop()
	stop()
	m.record(Change{Update: &protocol.SetTitle{Title: "2"}})
	m.out.drain()
	if n != 1 {
		t.Errorf("%d calls", n)
	}
}

// B28: open and close come in pairs, with what was answered or why not.
func TestDialogEvents(t *testing.T) {
	w := attach(t, Options{})
	w.request(reqConfirm)
	a := <-w.front.asks
	w.request(reqInput)
	b := <-w.front.asks
	if a.dialog.Method() != protocol.MethodConfirm {
		a, b = b, a
	}
	a.reply(protocol.Confirmed(true))
	w.hears()
	b.fail(errors.New("broken"))
	w.hears()
	w.sync()
	if err := closeNow(w); err != nil {
		t.Error(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) != 4 {
		t.Fatalf("events %+v", w.events)
	}
	open1, open2, close1, close2 := w.events[0], w.events[1], w.events[2], w.events[3]
	if !open1.Open || !open2.Open || open1.Key == open2.Key || open1.Answer != nil || open1.Dialog.DialogTitle() != "Clear?" {
		t.Errorf("opened %+v %+v", open1, open2)
	}
	if close1.Open || close1.Key != open1.Key || close1.Answer != protocol.Confirmed(true) || close1.Why != nil {
		t.Errorf("closed %+v", close1)
	}
	if close2.Key != open2.Key || close2.Answer != (protocol.Cancelled{}) || close2.Why == nil {
		t.Errorf("closed %+v", close2)
	}
}

func closeNow(w *wire) error {
	w.out.Close()
	w.in.Close()
	return w.c.Close(context.Background())
}
