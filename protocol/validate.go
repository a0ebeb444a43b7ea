package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// validate reports why raw is not one JSON value that this package reads.
// Invalid UTF-8 and lone surrogates are let through, for the dialog must still
// work; a key that comes twice in one object, however deep, is refused, for
// nobody can say which of the two was meant.
func validate(raw []byte) error {
	if !jsontext.Value(raw).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
		return syntaxError(raw)
	}
	// The json module would take two keys with different lone surrogates for one
	// key, since it compares what has become of them.
	var room [24][]byte // so that an ordinary record allocates nothing
	if _, twice := walk(raw, skipSpace(raw, 0), room[:0]); twice != nil {
		return fmt.Errorf("the key %s comes twice", shorten(twice))
	}
	return nil
}

func syntaxError(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadValue(); err != nil {
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	return errors.New("more than one value")
}

// walk goes once through the valid value that starts at i and looks for an object
// that has a key twice. It returns the index behind the value, and that key. The
// room is for the names of the objects within. The json module has made sure that
// the value is at most 10,000 deep.
func walk(b []byte, i int, room [][]byte) (end int, twice []byte) {
	switch b[i] {
	case '"':
		end, _ := stringEnd(b, i)
		return end, nil
	case '[':
		for i = skipSpace(b, i+1); b[i] != ']'; {
			if i, twice = walk(b, i, room); twice != nil {
				return i, twice
			}
			if i = skipSpace(b, i); b[i] == ',' {
				i = skipSpace(b, i+1)
			}
		}
		return i + 1, nil
	case '{':
		return walkObject(b, i, room)
	}
	return literalEnd(b, i), nil
}

// many is the number of keys from which a set is quicker than looking at each.
const many = 32

func walkObject(b []byte, i int, names [][]byte) (end int, twice []byte) {
	start := len(names)
	var set map[string]bool
	for i = skipSpace(b, i+1); b[i] != '}'; {
		end, _ := stringEnd(b, i)
		name := keyText(b[i:end])
		if set == nil && len(names)-start >= many {
			set = make(map[string]bool)
			for _, n := range names[start:] {
				set[string(n)] = true
			}
		}
		if set != nil {
			if set[string(name)] {
				return end, append([]byte{}, name...)
			}
			set[string(name)] = true
		} else {
			for _, n := range names[start:] {
				if bytes.Equal(n, name) {
					return end, append([]byte{}, name...)
				}
			}
			names = append(names, name)
		}
		i = skipSpace(b, skipSpace(b, end)+1) // behind the colon
		// What is inside may use the room behind our names, for they are added later.
		if i, twice = walk(b, i, names); twice != nil {
			return i, twice
		}
		if i = skipSpace(b, i); b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	return i + 1, nil
}

// keyText returns the text of a key, which aliases it where that is possible.
func keyText(token []byte) []byte {
	if bytes.IndexByte(token, '\\') >= 0 || surrogatePair(token) >= 0 {
		return []byte(unquote(token))
	}
	return token[1 : len(token)-1]
}
