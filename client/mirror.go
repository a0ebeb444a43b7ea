package client

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"extui/protocol"
)

// keepNotifications is how many notifications a mirror holds.
const keepNotifications = 200

// DialogEvent says that a dialog was handed to the front end, or that it is
// over. Each open is followed by exactly one close with the same Key; the spans
// of different dialogs overlap in any way.
type DialogEvent struct {
	Open bool
	// Key pairs the two and differs for every dialog of a client. Unlike the
	// agent's ids it never comes twice.
	Key      uint64
	Dialog   protocol.Dialog
	Deadline time.Time // when the agent stops waiting; zero: never
	// Answer is what was sent to the agent. nil in an open, and in a close
	// without an answer of the client.
	Answer protocol.Answer
	// Why is nil in an open and for an answer of the front end. Otherwise it is
	// the cause of the end, such as [ErrExpired], or the front end's failure.
	Why error
}

// Status is one entry of the status bar.
type Status struct{ Key, Text string }

// Widget is one block of lines.
type Widget struct {
	Key       string
	Lines     []string // never empty
	Placement protocol.Placement
}

// OpenDialog is a dialog that waits for an answer.
type OpenDialog struct {
	Key      uint64 // as in [DialogEvent]
	Dialog   protocol.Dialog
	Deadline time.Time // zero: none
}

// Notification is a message that the agent wanted shown.
type Notification struct {
	Message string
	Type    protocol.NotifyType
	At      time.Time // when it came
}

// Snapshot is what an agent's UI shows at one moment. It shares nothing that
// changes with the [Mirror] it came from.
type Snapshot struct {
	Title         string   // "" until the agent sets one
	Statuses      []Status // in the order in which they were first set
	Widgets       []Widget // likewise
	EditorText    *string  // what the agent last put into the editor; nil: nothing yet
	Dialogs       []OpenDialog
	Notifications []Notification // the last 200, oldest first
}

// Change is one step from one [Snapshot] to the next: either an update or a
// dialog that opened or closed.
type Change struct {
	Update protocol.Update // nil if it is about a dialog
	Dialog *DialogEvent    // nil if it is an update
	At     time.Time       // when it happened
}

// Apply makes one change to s, in place. A snapshot and the changes after it
// give what a later snapshot would be.
func (s *Snapshot) Apply(ch Change) {
	if d := ch.Dialog; d != nil {
		if d.Open {
			s.Dialogs = append(s.Dialogs, OpenDialog{d.Key, d.Dialog, d.Deadline})
		} else {
			s.Dialogs = slices.DeleteFunc(s.Dialogs, func(o OpenDialog) bool { return o.Key == d.Key })
		}
		return
	}
	switch u := ch.Update.(type) {
	case *protocol.Notify:
		s.Notifications = append(s.Notifications, Notification{u.Message, u.Type, ch.At})
		if n := len(s.Notifications); n > keepNotifications {
			s.Notifications = slices.Delete(s.Notifications, 0, n-keepNotifications)
		}
	case *protocol.SetTitle:
		s.Title = u.Title
	case *protocol.SetEditorText:
		s.EditorText = &u.Text
	case *protocol.SetStatus:
		i := slices.IndexFunc(s.Statuses, func(x Status) bool { return x.Key == u.Key })
		switch {
		case u.Text == nil && i >= 0:
			s.Statuses = slices.Delete(s.Statuses, i, i+1)
		case u.Text == nil:
		case i >= 0:
			s.Statuses[i].Text = *u.Text
		default:
			s.Statuses = append(s.Statuses, Status{u.Key, *u.Text})
		}
	case *protocol.SetWidget:
		i := slices.IndexFunc(s.Widgets, func(x Widget) bool { return x.Key == u.Key })
		w := Widget{u.Key, u.Lines, u.Placement}
		switch {
		case len(u.Lines) == 0 && i >= 0:
			s.Widgets = slices.Delete(s.Widgets, i, i+1)
		case len(u.Lines) == 0:
		case i >= 0:
			s.Widgets[i] = w
		default:
			s.Widgets = append(s.Widgets, w)
		}
	}
}

// Mirror holds what an agent's UI shows, for viewers that come late. All its
// methods may be called at once and do not block.
//
// It keeps what the agent last said, through new sessions as well: when a
// session is replaced, the new one's extensions speak before the command that
// replaced it is answered, so there is no moment at which clearing would lose
// nothing. Agents that want an entry gone clear it.
type Mirror struct {
	out relay[step]

	mu       sync.Mutex
	version  uint64 // of the newest change
	title    string
	editor   *string
	statuses ordered[string, string]
	widgets  ordered[string, Widget]
	dialogs  ordered[uint64, OpenDialog]
	notes    []Notification // a ring once it is full
	oldest   int            // index in notes
	watchers map[*watcher]bool
}

type watcher struct {
	fn    func(Change)
	after uint64 // the version of its snapshot
}

// step is a change on its way to the watchers.
type step struct {
	version uint64
	change  Change
}

func newMirror() *Mirror {
	m := &Mirror{watchers: map[*watcher]bool{}}
	m.out.fn = m.deliver
	return m
}

// Snapshot returns what is shown now.
func (m *Mirror) Snapshot() Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.snapshot()
}

func (m *Mirror) snapshot() Snapshot {
	s := Snapshot{Title: m.title, EditorText: m.editor}
	m.statuses.each(func(key, text string) { s.Statuses = append(s.Statuses, Status{key, text}) })
	m.widgets.each(func(_ string, w Widget) { s.Widgets = append(s.Widgets, w) })
	m.dialogs.each(func(_ uint64, d OpenDialog) { s.Dialogs = append(s.Dialogs, d) })
	s.Notifications = append(append(s.Notifications, m.notes[m.oldest:]...), m.notes[:m.oldest]...)
	return s
}

// Watch returns what is shown now and from then on calls fn with every change
// after it, none missing, in order and one at a time. fn is called from various
// goroutines, the one that reads the agent among them, so it must not block; it
// may use the Mirror. stop ends the calls; one that is under way may still be.
func (m *Mirror) Watch(fn func(Change)) (now Snapshot, stop func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &watcher{fn, m.version}
	m.watchers[w] = true
	return m.snapshot(), func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.watchers, w)
	}
}

// record makes a change and queues it for the watchers. Drain out afterwards.
func (m *Mirror) record(ch Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := ch.Dialog; d != nil {
		if d.Open {
			m.dialogs.set(d.Key, OpenDialog{d.Key, d.Dialog, d.Deadline})
		} else {
			m.dialogs.remove(d.Key)
		}
	} else {
		m.update(ch)
	}
	m.version++
	if len(m.watchers) > 0 {
		m.out.add(step{m.version, ch}) // under the lock, or two changes could change places
	}
}

func (m *Mirror) update(ch Change) {
	switch u := ch.Update.(type) {
	case *protocol.Notify:
		n := Notification{u.Message, u.Type, ch.At}
		if len(m.notes) < keepNotifications {
			m.notes = append(m.notes, n)
			return
		}
		m.notes[m.oldest] = n
		m.oldest = (m.oldest + 1) % keepNotifications
	case *protocol.SetTitle:
		m.title = u.Title
	case *protocol.SetEditorText:
		m.editor = &u.Text
	case *protocol.SetStatus:
		if u.Text == nil {
			m.statuses.remove(u.Key)
		} else {
			m.statuses.set(u.Key, *u.Text)
		}
	case *protocol.SetWidget:
		if len(u.Lines) == 0 {
			m.widgets.remove(u.Key)
		} else {
			m.widgets.set(u.Key, Widget{u.Key, u.Lines, u.Placement})
		}
	}
}

func (m *Mirror) deliver(s step) {
	m.mu.Lock()
	var fns []func(Change)
	for w := range m.watchers {
		if w.after < s.version {
			fns = append(fns, w.fn)
		}
	}
	m.mu.Unlock()
	for _, fn := range fns {
		fn(s.change)
	}
}

// ordered is a map that remembers the order in which its keys were first set.
type ordered[K comparable, V any] struct {
	at   map[K]*list.Element // of *entry
	list list.List
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func (o *ordered[K, V]) set(key K, value V) {
	if e, ok := o.at[key]; ok {
		e.Value.(*entry[K, V]).value = value
		return
	}
	if o.at == nil {
		o.at = map[K]*list.Element{}
	}
	o.at[key] = o.list.PushBack(&entry[K, V]{key, value})
}

func (o *ordered[K, V]) remove(key K) {
	if e, ok := o.at[key]; ok {
		o.list.Remove(e)
		delete(o.at, key)
	}
}

func (o *ordered[K, V]) each(f func(K, V)) {
	for e := o.list.Front(); e != nil; e = e.Next() {
		x := e.Value.(*entry[K, V])
		f(x.key, x.value)
	}
}
