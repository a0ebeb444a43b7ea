package faulty

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// record is one line that is an object, its members in order.
type record []protocol.Field

// parse reads a line; nil if it is no object. Of two members of one name both stay.
func parse(line []byte) record {
	d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		return nil
	}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	r := record{}
	for d.PeekKind() != '}' {
		raw, err := d.ReadValue()
		if err != nil {
			return nil
		}
		name := unquote(raw)
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		r = append(r, protocol.Field{Name: name, Value: slices.Clone(v)})
	}
	return r
}

func unquote(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	s, err := protocol.Unquote(v)
	if err != nil {
		return ""
	}
	return s
}

func quote(s string) jsontext.Value { return protocol.AppendString(nil, s) }

func (r record) line() []byte {
	out := []byte{'{'}
	for i, f := range r {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(protocol.AppendString(out, f.Name), ':'), f.Value...)
	}
	return append(out, '}')
}

// get is the last member of that name, nil if there is none.
func (r record) get(name string) jsontext.Value {
	for _, f := range slices.Backward(r) {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

func (r record) has(name string) bool { return r.get(name) != nil }

// str is a member that is a text, "" if it is none.
func (r record) str(name string) string { return unquote(r.get(name)) }

// is reports whether a member is that JSON text.
func (r record) is(name, value string) bool { return string(r.get(name)) == value }

// set changes a member, or adds it at the end.
func (r *record) set(name, value string) {
	for i := range *r {
		if (*r)[i].Name == name {
			(*r)[i].Value = jsontext.Value(value)
			return
		}
	}
	*r = append(*r, protocol.Field{Name: name, Value: jsontext.Value(value)})
}

func (r *record) del(name string) {
	*r = slices.DeleteFunc(*r, func(f protocol.Field) bool { return f.Name == name })
}

func (r record) rename(from, to string) {
	for i := range r {
		if r[i].Name == from {
			r[i].Name = to
		}
	}
}

func (r record) request(method string) bool {
	return r.str("type") == "extension_ui_request" && (method == "" || r.str("method") == method)
}

func (r record) dialog() bool {
	return r.request("") && slices.Contains([]string{"select", "confirm", "input", "editor", "questionnaire"}, r.str("method"))
}

func (r record) answer() bool { return r.str("type") == "extension_ui_response" }

func (r record) response(command string) bool {
	return r.str("type") == "response" && (command == "" || r.str("command") == command)
}
