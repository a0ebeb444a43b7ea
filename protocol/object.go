package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a decoded record: its members in order, still as JSON text that
// aliases the record.
type object struct {
	record string // what it is, for errors
	path   string // where it stands in its record, "" at the top
	fields []Field
	taken  []bool
	err    error // the first bad field
}

var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(bytes.NewReader(nil)) }}

// parseObject splits one JSON object into its members. Invalid UTF-8 and lone
// surrogates are let through, for the dialog must still work; a key that comes
// twice is refused, for nobody can say which of the two was meant.
func parseObject(raw []byte, record string) (*object, error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(raw), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		if _, err := dec.ReadValue(); err != nil {
			return nil, notObject(record, raw, err)
		}
		return nil, fmt.Errorf("%s: %w: %s", record, ErrNotObject, shorten(raw))
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, notObject(record, raw, err)
	}
	o := &object{record: record}
	for dec.PeekKind() == '"' {
		name, err := readValue(dec, raw)
		if err != nil {
			return nil, notObject(record, raw, err)
		}
		value, err := readValue(dec, raw)
		if err != nil {
			return nil, notObject(record, raw, err)
		}
		o.fields = append(o.fields, Field{unquote(name), value})
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, notObject(record, raw, err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("more than one value")
		}
		return nil, notObject(record, raw, err)
	}
	o.taken = make([]bool, len(o.fields))
	return o, nil
}

// readValue returns the next value as a part of raw, which is all that dec reads:
// what the decoder itself returns is only good until its next call.
func readValue(dec *jsontext.Decoder, raw []byte) (jsontext.Value, error) {
	v, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(dec.InputOffset())
	return raw[end-len(v) : end : end], nil
}

func notObject(record string, raw []byte, err error) error {
	return fmt.Errorf("%s: %w: %s: %w", record, ErrNotObject, shorten(raw), err)
}

// take returns the member of that name and marks it as known.
func (o *object) take(name string) (jsontext.Value, bool) {
	for i := range o.fields {
		if o.fields[i].Name == name {
			o.taken[i] = true
			return o.fields[i].Value, true
		}
	}
	return nil, false
}

// extra returns copies of the members that nobody took.
func (o *object) extra() Extra {
	var out Extra
	for i, f := range o.fields {
		if !o.taken[i] {
			out = append(out, Field{f.Name, f.Value.Clone()})
		}
	}
	return out
}

// bad notes that a field is not as it should be; the first one is kept.
func (o *object) bad(field string, value jsontext.Value, want string) {
	if o.err != nil {
		return
	}
	e := &FieldError{Record: o.record, Field: o.path + field, Want: want}
	if value != nil {
		e.Value = excerpt(value)
	}
	o.err = e
}

// excerpt is a JSON text cut to what an error message can hold.
func excerpt(v jsontext.Value) string {
	if len(v) <= 80 {
		return string(v)
	}
	return shorten(v)
}

func (o *object) str(name string) string {
	v, ok := o.take(name)
	if !ok || v.Kind() != '"' {
		o.bad(name, v, "a string")
		return ""
	}
	return unquote(v)
}

// optional reads a string that may be absent or null.
func (o *object) optional(name string) *string {
	v, ok := o.take(name)
	if !ok || v.Kind() == 'n' {
		return nil
	}
	if v.Kind() != '"' {
		o.bad(name, v, "a string")
		return nil
	}
	return new(unquote(v))
}

// text is optional for fields whose absence and emptiness mean the same.
func (o *object) text(name string) string {
	if p := o.optional(name); p != nil {
		return *p
	}
	return ""
}

func (o *object) boolean(name string) bool {
	v, ok := o.take(name)
	if !ok || v.Kind() == 'n' {
		return false
	}
	if v.Kind() != 't' && v.Kind() != 'f' {
		o.bad(name, v, "true or false")
	}
	return v.Kind() == 't'
}

func (o *object) timeout() Timeout {
	v, ok := o.take("timeout")
	if !ok || v.Kind() == 'n' {
		return Timeout{}
	}
	t, ok := parseTimeout(v)
	if !ok {
		o.bad("timeout", v, "a number of milliseconds, 0 or more")
	}
	return t
}

func (o *object) id(name string) ID {
	v, ok := o.take(name)
	if !ok {
		return ID{}
	}
	return parseID(v)
}

// array returns the elements of an array; nil if it is absent or null, which
// required makes an error.
func (o *object) array(name, want string, required bool) []jsontext.Value {
	v, ok := o.take(name)
	if !ok || v.Kind() == 'n' {
		if required {
			o.bad(name, v, want)
		}
		return nil
	}
	if v.Kind() != '[' {
		o.bad(name, v, want)
		return nil
	}
	return elements(v)
}

// elements splits an array that parseObject has found valid. It never returns nil.
func elements(array jsontext.Value) []jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewBuffer(array), jsontext.AllowInvalidUTF8(true))
	out := []jsontext.Value{}
	if _, err := dec.ReadToken(); err != nil {
		return out
	}
	for {
		if k := dec.PeekKind(); k == ']' || k == 0 {
			return out
		}
		v, err := readValue(dec, array)
		if err != nil {
			return out
		}
		out = append(out, v)
	}
}
