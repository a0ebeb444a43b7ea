package plain

import (
	"strings"
	"unicode/utf8"
)

type keyKind int

const (
	keyNone keyKind = iota // a key that has no meaning here
	keyInsert
	keyEnter
	keyTab
	keyEscape
	keyInterrupt // Ctrl-C
	keyEOF       // Ctrl-D, which deletes where there is something to delete
	keyUp
	keyDown
	keyRedraw
	keyBackspace
	keyDelete
	keyLeft
	keyRight
	keyHome
	keyEnd
	keyWordLeft
	keyWordRight
	keyDeleteWord
	keyDeleteToEnd
	keyDeleteToStart
)

// key is what a person did: pressed a key, or typed or pasted a text.
type key struct {
	kind keyKind
	text string // of keyInsert; only what was pasted can hold line breaks and tabs
}

// keyParser makes keys of a terminal's bytes, which may be cut anywhere.
type keyParser struct {
	held  []byte // the beginning of a sequence or character
	paste bool   // between the marks of a bracketed paste
}

var controls = map[byte]keyKind{
	'\r': keyEnter, '\n': keyEnter, '\t': keyTab, 0x7F: keyBackspace,
	1: keyHome, 2: keyLeft, 3: keyInterrupt, 4: keyEOF, 5: keyEnd, 6: keyRight, 8: keyBackspace,
	11: keyDeleteToEnd, 12: keyRedraw, 14: keyDown, 16: keyUp, 21: keyDeleteToStart, 23: keyDeleteWord,
}

var sequences = map[string]keyKind{
	"[A": keyUp, "[B": keyDown, "[C": keyRight, "[D": keyLeft, "[H": keyHome, "[F": keyEnd,
	"OA": keyUp, "OB": keyDown, "OC": keyRight, "OD": keyLeft, "OH": keyHome, "OF": keyEnd,
	"[1~": keyHome, "[4~": keyEnd, "[7~": keyHome, "[8~": keyEnd, "[3~": keyDelete,
	"[1;5D": keyWordLeft, "[1;3D": keyWordLeft, "b": keyWordLeft,
	"[1;5C": keyWordRight, "[1;3C": keyWordRight, "f": keyWordRight,
	"\x7f": keyDeleteWord, "\b": keyDeleteWord,
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// feed returns the keys in b and keeps an unfinished one.
func (p *keyParser) feed(b []byte) []key {
	data := append(p.held, b...)
	var keys []key
	var text strings.Builder
	add := func(k key) {
		if text.Len() > 0 {
			keys = append(keys, key{keyInsert, text.String()})
			text.Reset()
		}
		if k.kind != keyNone {
			keys = append(keys, k)
		}
	}
	for len(data) > 0 {
		var n int
		var k key
		if p.paste {
			n = p.pasted(data, &text)
		} else {
			k, n = p.typed(data, &text)
		}
		if n == 0 {
			break
		}
		if k.kind != keyNone {
			add(k)
		}
		data = data[n:]
	}
	add(key{})
	p.held = append([]byte(nil), data...)
	return keys
}

// escape ends a lone ESC, which is the Escape key if nothing follows it, and reports whether it
// was one.
func (p *keyParser) escape() bool {
	if p.paste || len(p.held) != 1 || p.held[0] != 0x1B {
		return false
	}
	p.held = nil
	return true
}

// typed reads one key and returns how many bytes it has, 0 for more wanted.
func (p *keyParser) typed(data []byte, text *strings.Builder) (key, int) {
	c := data[0]
	if c == 0x1B {
		return p.sequence(data)
	}
	if kind, ok := controls[c]; ok {
		if c == '\r' && len(data) > 1 && data[1] == '\n' {
			return key{kind: kind}, 2
		}
		return key{kind: kind}, 1
	}
	if c < ' ' {
		return key{}, 1
	}
	return key{}, rune1(data, text)
}

// rune1 appends the character that data begins with. Bytes that are none are dropped.
func rune1(data []byte, text *strings.Builder) int {
	if !utf8.FullRune(data) {
		return 0
	}
	r, n := utf8.DecodeRune(data)
	if r != utf8.RuneError || n > 1 {
		text.WriteRune(r)
	}
	return n
}

// maxSequence bounds what is taken for one key; no key is as long.
const maxSequence = 32

func (p *keyParser) sequence(data []byte) (key, int) {
	if len(data) == 1 {
		return key{}, 0
	}
	switch data[1] {
	case 0x1B: // Escape twice, or Escape and a sequence
		return key{kind: keyEscape}, 1
	case 'O':
		if len(data) < 3 {
			return key{}, 0
		}
		return key{kind: sequences[string(data[1:3])]}, 3
	case '[':
		for i := 2; i < len(data) && i < maxSequence; i++ {
			if data[i] >= 0x40 && data[i] <= 0x7E {
				if string(data[:i+1]) == pasteBegin {
					p.paste = true
				}
				return key{kind: sequences[string(data[1:i+1])]}, i + 1
			}
		}
		if len(data) < maxSequence {
			return key{}, 0
		}
		return key{}, maxSequence
	}
	return key{kind: sequences[string(data[1:2])]}, 2
}

// pasted reads one character of a pasted text. Nothing in it is a key.
func (p *keyParser) pasted(data []byte, text *strings.Builder) int {
	switch data[0] {
	case 0x1B:
		if n := min(len(data), len(pasteEnd)); string(data[:n]) != pasteEnd[:n] {
			text.WriteByte(0x1B)
			return 1
		} else if n < len(pasteEnd) {
			return 0
		}
		p.paste = false
		return len(pasteEnd)
	case '\r': // what terminals send for a line break
		text.WriteByte('\n')
		if len(data) > 1 && data[1] == '\n' {
			return 2
		}
		return 1
	}
	return rune1(data, text)
}
