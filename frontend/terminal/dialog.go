package terminal

import (
	"fmt"
	"math"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

// body is the inside of a dialog. It knows its own keys; when they count,
// when the dialog ends and where it stands is not its business.
type body interface {
	// key handles a key press. The answer is nil until the person has decided.
	key(k tea.KeyPressMsg) (a protocol.Answer, handled bool)
	paste(s string)
	// view draws at most height rows; fewer if it needs no more.
	view(l *look, width, height int) pane
	// draft is what has been typed and would be lost, "" if nothing.
	draft() string
	// hints are the keys to name below the dialog, the important ones first.
	hints() []key.Binding
}

// pane is a part of the screen.
type pane struct {
	rows         []string
	cursor       *tea.Position // relative to the pane; nil: none
	above, below int           // rows that are not shown
	titled       bool          // these are rows of the title; a text below it has its own signs
	note         string        // a hint for the person, "" for none
	place        string        // where the cursor is, named where there is room; "" for nowhere
}

// dialog is one that is open.
type dialog struct {
	id       int
	key      uint64 // the agent's order, see askMsg
	request  protocol.Dialog
	body     body
	opened   time.Time
	deadline time.Time // zero: none
	guard    guard
	stray    bool // the last keys were a text that is not for this dialog
	// review is for Enter on a page that shows what is about to be sent. It is zero
	// while no such page is to be on the screen.
	review  guard
	tooSoon bool      // the last key was an Enter that came too soon
	pressed time.Time // when a character was typed or a key has moved the mark
	// text is when the last character of a text was typed that is not for this dialog;
	// zero: none is being typed.
	text time.Time
}

// composing is how long a pause may be within a text that somebody types. A slow
// typist who does not look at the screen takes a second for a letter.
const composing = 2 * time.Second

// typingOn reports whether a text that is not for this dialog is still being typed.
// open says that a key has counted for it, with which a text of its own begins.
func (d *dialog) typingOn(t time.Time, open bool) bool {
	return !(open && d.takesText()) && !d.text.IsZero() && t.Sub(d.text) < composing
}

// reading keeps track of how much of a text has been on the screen.
type reading struct{ width, upTo int }

// show says that the rows from one to another are shown at a width. Rows count as
// read once all before them do.
func (r *reading) show(width, from, to int) {
	if r.width != width {
		*r = reading{width: width}
	}
	if from <= r.upTo {
		r.upTo = max(r.upTo, to)
	}
}

// readOn is the hint for a yes to what has not been read.
const readOn = "read on first: pgdown"

// reviewer is a body with a page that shows what Enter there sends.
type reviewer interface{ review() bool }

// reviewing keeps track of whether such a page is to be on the screen.
func (d *dialog) reviewing() bool {
	r, ok := d.body.(reviewer)
	switch {
	case !ok || !r.review():
		d.review = guard{}
		return false
	case d.review == (guard{}):
		d.review.renew()
	}
	return true
}

// takesText reports whether the keys are being typed into a text.
func (d *dialog) takesText() bool {
	switch b := d.body.(type) {
	case *inputBody, *editorBody:
		return true
	case *questionnaireBody:
		return b.typing != nil
	}
	return false
}

// takesNoPaste reports whether there is no place for a text at the moment.
func (d *dialog) takesNoPaste() bool {
	switch b := d.body.(type) {
	case *confirmBody:
		return true
	case *selectBody:
		return b.filter == nil
	case *questionnaireBody:
		return b.typing == nil
	}
	return false
}

// mark is what Enter would choose, for those that have one mark.
func (d *dialog) mark() int {
	switch b := d.body.(type) {
	case *confirmBody:
		if b.yes {
			return 1
		}
	case *selectBody:
		return b.mark
	}
	return 0
}

// unmark takes back what a letter or a number may have marked that turned out to
// be a part of a text.
func (d *dialog) unmark() {
	switch b := d.body.(type) {
	case *confirmBody:
		b.yes = false
	case *selectBody:
		b.mark = -1
	}
}

// hasty reports whether an Enter at t comes right behind the key that marked
// what it would choose. Nobody looks that quickly: it is the end of a line that was
// typed or pasted for something else, or a habit, such as Tab and Enter.
func (d *dialog) hasty(t time.Time, delay time.Duration) bool {
	switch d.body.(type) {
	case *confirmBody, *selectBody:
		return !d.pressed.IsZero() && t.Sub(d.pressed) < delay/2
	}
	return false
}

// newBody returns the inside for a request, nil for one that is not known.
func newBody(d protocol.Dialog) body {
	switch d := d.(type) {
	case *protocol.Select:
		return newSelect(d)
	case *protocol.Confirm:
		return &confirmBody{d: d}
	case *protocol.Input:
		return newInput(d)
	case *protocol.Editor:
		return newEditor(d)
	case *protocol.Questionnaire:
		return newQuestionnaire(d)
	}
	return nil
}

// bar returns how much time is left, in words and as a bar.
func (d *dialog) bar(t time.Time, cells int) string {
	if d.deadline.IsZero() {
		return ""
	}
	left, all := d.deadline.Sub(t), d.deadline.Sub(d.opened)
	left = max(left, 0)
	full := 0
	if all > 0 {
		full = int(math.Ceil(float64(cells) * float64(left) / float64(all)))
	}
	full = min(full, cells)
	return remaining(left) + " " + strings.Repeat("█", full) + strings.Repeat("░", cells-full)
}

// remaining is a duration in words, rounded up.
func remaining(d time.Duration) string {
	switch s := int64(math.Ceil(d.Seconds())); {
	case s < 100:
		return fmt.Sprintf("%d s", s)
	case s < 6000:
		return fmt.Sprintf("%d min", (s+59)/60)
	case s < 100*3600:
		return fmt.Sprintf("%d h", (s+3599)/3600)
	default:
		return fmt.Sprintf("%d days", (s+86399)/86400)
	}
}

// page is a text that may be longer than the room there is for it.
type page struct{ top int }

// view returns the h rows that begin at the page's top. keep is a row that must
// be among them after it was moved to, -1 for none.
func (p *page) view(rows []string, h int, from, to int) (out []string, above, below int) {
	h = max(h, 1)
	if from >= 0 {
		if to >= p.top+h {
			p.top = to - h + 1
		}
		if from < p.top {
			p.top = from
		}
	}
	p.top = max(0, min(p.top, len(rows)-h))
	end := min(p.top+h, len(rows))
	return rows[p.top:end], p.top, len(rows) - end
}

// viewMark is view for a list whose marked entry is the rows from one to another,
// -1 if none is. It follows a mark that has moved; inView tells whether any of the
// entry is shown.
func (p *page) viewMark(rows []string, h, from, to int, moved bool) (out []string, above, below int, inView bool) {
	keepFrom, keepTo := -1, -1
	if moved {
		keepFrom, keepTo = from, min(to, from+h-1) // too tall to be seen whole: begin at its top
	}
	out, above, below = p.view(rows, h, keepFrom, keepTo)
	return out, above, below, from >= 0 && from < above+len(out) && to >= above
}

// hintMarked answers an Enter on an entry that had been scrolled away.
const hintMarked = "marked is this one: again"

// scroll handles the keys that move a page and reports whether k is one.
func (p *page) scroll(stroke string, step int) bool {
	switch stroke {
	case "pgdown":
		p.top += step
	case "pgup":
		p.top = max(0, p.top-step)
	case "alt+down":
		p.top++
	case "alt+up":
		p.top = max(0, p.top-1)
	default:
		return false
	}
	return true
}

// bind makes a line of help.
func bind(keys, does string) key.Binding {
	return key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(keys, does))
}
