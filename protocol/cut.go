package protocol

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Beginning makes an object of those first members of a record that are whole, for a
// record that was cut because it is too long: type, id and method are near the front. It
// is nil if the record does not begin as an object, and never an alias of cut.
func Beginning(cut []byte) []byte {
	dec := jsontext.NewDecoder(bytes.NewReader(cut), jsontext.AllowInvalidUTF8(true))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	out := []byte{'{'}
	for {
		name, err := dec.ReadValue()
		if err != nil || name.Kind() != '"' {
			break
		}
		member := append(name.Clone(), ':')
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, member...), value...)
	}
	return append(out, '}')
}
