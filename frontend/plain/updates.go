package plain

import (
	"slices"
	"strings"
	"time"

	"extui/internal/safetext"
	"extui/protocol"
)

// Show prints an update as lines. It never waits for input, but is as slow as out. Of a status,
// widget or title that changes again and again, with nothing else printed in between, at most one
// value a second is printed, and always the last one; before anything else is.
func (f *Frontend) Show(u protocol.Update) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return
	}
	switch u := u.(type) {
	case *protocol.Notify:
		f.notify(string(u.Type.Level()), u.Message)
	case *protocol.SetStatus:
		name := "status " + safetext.Line(u.Key)
		if u.Text == nil {
			f.clearSlot("s"+u.Key, name+" cleared")
		} else {
			f.setSlot("s"+u.Key, name+": "+f.style.Line(*u.Text))
		}
	case *protocol.SetWidget:
		name := "widget " + safetext.Line(u.Key)
		if len(u.Lines) == 0 {
			f.clearSlot("w"+u.Key, name+" cleared")
		} else {
			lines := []string{name + ":"}
			for _, l := range u.Lines {
				for l := range strings.SplitSeq(f.style.Block(l), "\n") {
					lines = append(lines, mark+l)
				}
			}
			f.setSlot("w"+u.Key, lines...)
		}
	case *protocol.SetTitle:
		f.setSlot("title", "title: "+safetext.Line(u.Title))
	case *protocol.SetEditorText:
		f.setEditorText(u.Text)
	case *protocol.OpenURL:
		f.scr.line("open: " + oneWord(u.URL))
		if u.LaunchURL != "" && u.LaunchURL != u.URL {
			f.scr.line("  short: " + oneWord(u.LaunchURL))
		}
		if u.Instructions != "" {
			f.scr.block(mark, mark, safetext.Block(u.Instructions))
		}
	case *protocol.Unknown:
		f.unknown(u)
	case *protocol.Cancel: // ends its dialog, which prints that
	}
	f.refresh()
}

func (f *Frontend) notify(level, message string) {
	head := level + ":"
	if f.o.Color && level == string(protocol.NotifyWarning) {
		head = "\x1b[33m" + head + "\x1b[0m"
	} else if f.o.Color && level == string(protocol.NotifyError) {
		head = "\x1b[31m" + head + "\x1b[0m"
	}
	f.scr.block(head+" ", mark, f.style.Block(message))
}

// oneWord shows an address. It is not wrapped, so that it can be copied, and so must have no spaces
// with which a part of it could look like anything else where the terminal breaks it.
func oneWord(url string) string { return strings.ReplaceAll(safetext.Line(url), " ", "%20") }

// maxNames bounds the memory for unknown methods.
const maxNames = 100

// unknown says once for each method that it is not shown.
func (f *Frontend) unknown(u *protocol.Unknown) {
	if f.names[u.Name] || len(f.names) >= maxNames {
		return
	}
	f.names[u.Name] = true
	f.scr.line("the agent used " + safetext.Line(u.Name) + ", which this program does not know")
}

// setEditorText shows the text that the agent wants in the prompt, and in Keys mode puts it there.
// What stood there is shown and kept in the history. Enter counts only after a moment, for it may
// have been on its way to the old line.
func (f *Frontend) setEditorText(text string) {
	in := &f.input
	f.scr.block("editor text: ", mark, safetext.Block(text))
	if f.mode != Keys || in.line.text == text {
		return
	}
	if old := in.line.text; old != "" {
		f.scr.block("it replaces: ", mark, safetext.Block(old))
		f.remember(old)
	}
	in.line.set(text)
	in.pending = false // nobody is typing it
	in.lineSince = time.Now().Add(f.o.MinDelay)
}

// slot is what is shown under one name and changes in place elsewhere: here it can only be printed
// again, which must not become a flood.
type slot struct {
	shown []string    // the value that was printed last, nil for none or a cleared one
	next  *entry      // what is held back, nil for nothing
	timer *time.Timer // runs for a second after each print, nil otherwise
}

// entry is something to print in a slot.
type entry struct {
	// lines is called when it is to be printed; nil prints nothing.
	lines func(*slot) []string
	value bool // the lines are what the slot now shows, and need not be repeated
	// count is a line of ours that is about the moment in which it is printed. It has no order.
	count bool
}

// rate is the shortest time between two prints of a slot, if nothing else is printed.
const rate = time.Second

// coalesce prints e now or, if the slot was printed in the last second, once that is over or
// something else is about to be printed, unless something newer has come by then. f.mu is held.
func (f *Frontend) coalesce(name string, e entry) {
	sl := f.slots[name]
	if sl == nil {
		sl = &slot{}
		f.slots[name] = sl
	}
	if sl.next != nil && !e.count {
		i := slices.Index(f.due, name)
		f.due = slices.Delete(f.due, i, i+1)
	}
	sl.next = &e
	switch {
	case sl.timer == nil:
		f.printSlot(name, sl)
	case !e.count:
		f.due = append(f.due, name)
	}
}

func (f *Frontend) setSlot(name string, lines ...string) {
	f.coalesce(name, entry{value: true, lines: func(sl *slot) []string {
		if slices.Equal(lines, sl.shown) {
			return nil
		}
		return lines
	}})
}

// clearSlot says that a slot is empty now, if anything was shown in it.
func (f *Frontend) clearSlot(name, line string) {
	f.coalesce(name, entry{lines: func(sl *slot) []string {
		if sl.shown == nil {
			return nil
		}
		return []string{line}
	}})
}

// flushDue prints all values that are held back, in the order in which they came. The screen
// calls it before it prints anything else. f.mu is held.
func (f *Frontend) flushDue() {
	due := f.due
	f.due = nil // so that what is printed here does not come back here
	for _, name := range due {
		f.printSlot(name, f.slots[name])
	}
}

// printSlot prints what is held back and starts the timer, or lets an idle slot rest.
func (f *Frontend) printSlot(name string, sl *slot) {
	var lines []string
	if e := sl.next; e != nil {
		sl.next = nil
		if lines = e.lines(sl); lines != nil && e.value {
			sl.shown = lines
		} else if !e.value {
			sl.shown = nil
		}
	}
	if lines == nil {
		if sl.timer == nil && sl.shown == nil {
			delete(f.slots, name)
		}
		return
	}
	for _, l := range lines {
		f.scr.block("", mark, l)
	}
	if sl.timer != nil {
		sl.timer.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(rate, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.ctx.Err() != nil || sl.timer != timer {
			return
		}
		sl.timer = nil
		if e := sl.next; e != nil && !e.count {
			f.flushDue()
		} else {
			f.printSlot(name, sl)
		}
		f.refresh()
	})
	sl.timer = timer
}

// stopSlots prints what is held back and holds back nothing any more. f.mu is held.
func (f *Frontend) stopSlots() {
	f.flushDue()
	for _, sl := range f.slots {
		if sl.timer != nil {
			sl.timer.Stop()
		}
	}
}
