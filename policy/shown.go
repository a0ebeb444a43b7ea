package policy

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"extui/internal/safetext"
	"extui/protocol"
)

// recordShown reports whether all texts of a dialog's record show what they hold, those of
// members that nobody here knows among them: who shows or logs it may know them. Its id is
// no text.
func (c *condition) recordShown(s *situation) bool {
	record, err := s.record()
	if err != nil {
		return false
	}
	if !slices.ContainsFunc(record, func(b byte) bool { return b == '\\' || b < ' ' || b > '~' }) {
		return true
	}
	dec := jsontext.NewDecoder(bytes.NewReader(record), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	id := false
	for {
		if id {
			if err := dec.SkipValue(); err != nil {
				return false
			}
			id = false
		}
		t, err := dec.ReadToken()
		if err != nil {
			return dec.InputOffset() == int64(len(record)) // the end
		}
		if t.Kind() != '"' {
			continue
		}
		text := t.String()
		if _, n := dec.StackIndex(1); dec.StackDepth() == 1 && n%2 == 1 && text == "id" {
			id = true
		}
		// U+FFFD is what the decoder makes of broken UTF-8.
		if (!shows(text) || strings.ContainsRune(text, utf8.RuneError)) && !c.names(text) {
			return false
		}
	}
}

// shows reports whether a text, however long, hides nothing.
func shows(s string) bool {
	return !strings.ContainsFunc(s, likeASCII) && safetext.Block(s) == strings.ReplaceAll(s, "\r\n", "\n")
}

// errTwofold is why no rule judges a dialog: whoever reads it, and minds case or does not,
// may see another one.
var errTwofold = errors.New("two members of the dialog differ in case alone, so that a reader may take one for the other")

// twofold reports whether two members of an object in a dialog's record are told apart by
// case alone.
func (s *situation) twofold() bool {
	record, err := s.record()
	if err != nil {
		return true
	}
	dec := jsontext.NewDecoder(bytes.NewReader(record), jsontext.AllowInvalidUTF8(true))
	var open []map[string]bool // the names in each object that is open; nil for an array
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return dec.InputOffset() != int64(len(record))
		}
		switch kind, n := dec.StackIndex(dec.StackDepth()); t.Kind() {
		case '{':
			open = append(open, map[string]bool{})
		case '[':
			open = append(open, nil)
		case '}', ']':
			open = open[:len(open)-1]
		default:
			if kind != '{' || n%2 == 0 {
				continue // no name
			}
			names, name := open[len(open)-1], protocol.FoldName(t.String())
			if names[name] {
				return true
			}
			names[name] = true
		}
	}
}
