package plain

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// editLine is a line that is being typed in Keys mode. It may hold line breaks that were pasted.
//
// It is our own rather than that of golang.org/x/term: that one gives no access to what is typed,
// which must be kept when a dialog interrupts or its time runs out, takes every character to be one
// column wide, and makes one and the same end of input of Ctrl-C and Ctrl-D.
type editLine struct {
	text string
	pos  int // the cursor, in bytes, between two characters as people see them
}

func (l *editLine) set(s string) { l.text, l.pos = s, len(s) }

func (l *editLine) insert(s string) {
	l.text = l.text[:l.pos] + s + l.text[l.pos:]
	l.pos += len(s)
}

// before returns where the character in front of the cursor begins.
func (l *editLine) before() int {
	at, last := 0, 0
	g := displaywidth.StringGraphemes(l.text)
	for g.Next() && at < l.pos {
		last = at
		at += len(g.Value())
	}
	return last
}

// after returns where the character behind the cursor ends.
func (l *editLine) after() int {
	g := displaywidth.StringGraphemes(l.text[l.pos:])
	if g.Next() {
		return l.pos + len(g.Value())
	}
	return l.pos
}

func (l *editLine) wordBefore() int {
	return strings.LastIndexByte(strings.TrimRight(l.text[:l.pos], " "), ' ') + 1
}

func (l *editLine) wordAfter() int {
	rest := strings.TrimLeft(l.text[l.pos:], " ")
	if i := strings.IndexByte(rest, ' '); i >= 0 {
		return len(l.text) - len(rest) + i
	}
	return len(l.text)
}

// remove deletes from..to and puts the cursor there.
func (l *editLine) remove(from, to int) {
	l.text = l.text[:from] + l.text[to:]
	l.pos = from
}

// edit applies a key that moves or deletes and reports whether k is one.
func (l *editLine) edit(k keyKind) bool {
	switch k {
	case keyBackspace:
		l.remove(l.before(), l.pos)
	case keyDelete:
		l.remove(l.pos, l.after())
	case keyLeft:
		l.pos = l.before()
	case keyRight:
		l.pos = l.after()
	case keyHome:
		l.pos = 0
	case keyEnd:
		l.pos = len(l.text)
	case keyWordLeft:
		l.pos = l.wordBefore()
	case keyWordRight:
		l.pos = l.wordAfter()
	case keyDeleteWord:
		l.remove(l.wordBefore(), l.pos)
	case keyDeleteToEnd:
		l.text = l.text[:l.pos]
	case keyDeleteToStart:
		l.remove(0, l.pos)
	default:
		return false
	}
	return true
}
