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
	var seen keys
	seen.names = seen.first[:0]
	seen.value(raw, skipSpace(raw, 0))
	if seen.twice != nil {
		return fmt.Errorf("the key %s comes twice", shorten(seen.twice))
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

// keys walks a valid JSON text once and looks for an object with a key twice.
type keys struct {
	names [][]byte   // of the objects around the current place, innermost last
	first [24][]byte // room for names, so that an ordinary record allocates nothing
	twice []byte
}

// many is the number of keys from which a set is quicker than looking at each.
const many = 32

// value walks the value that starts at i and returns the index behind it. The
// json module has made sure that it is at most 10,000 deep.
func (k *keys) value(b []byte, i int) int {
	switch b[i] {
	case '"':
		end, _ := stringEnd(b, i)
		return end
	case '[':
		for i = skipSpace(b, i+1); b[i] != ']'; {
			if i = skipSpace(b, k.value(b, i)); b[i] == ',' {
				i = skipSpace(b, i+1)
			}
		}
		return i + 1
	case '{':
		return k.object(b, i)
	}
	return literalEnd(b, i)
}

func (k *keys) object(b []byte, i int) int {
	start := len(k.names)
	var set map[string]bool
	for i = skipSpace(b, i+1); b[i] != '}'; {
		end, _ := stringEnd(b, i)
		name := keyText(b[i:end])
		if set == nil && len(k.names)-start >= many {
			set = make(map[string]bool)
			for _, n := range k.names[start:] {
				set[string(n)] = true
			}
		}
		if set != nil {
			if set[string(name)] {
				k.twice = name
			}
			set[string(name)] = true
		} else {
			for _, n := range k.names[start:] {
				if bytes.Equal(n, name) {
					k.twice = name
				}
			}
			k.names = append(k.names, name)
		}
		i = skipSpace(b, skipSpace(b, end)+1) // behind the colon
		if i = skipSpace(b, k.value(b, i)); b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	k.names = k.names[:start]
	return i + 1
}

// keyText returns the text of a key, which aliases it where that is possible.
func keyText(token []byte) []byte {
	if bytes.IndexByte(token, '\\') >= 0 || surrogatePair(token) >= 0 {
		return []byte(unquote(token))
	}
	return token[1 : len(token)-1]
}
