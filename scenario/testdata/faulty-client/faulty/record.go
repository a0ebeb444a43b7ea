package faulty

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// record is one line that is an object.
type record map[string]jsontext.Value

// parse reads a line; nil if it is no object.
func parse(line []byte) record {
	var r record
	err := json.Unmarshal(line, &r, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil
	}
	return r
}

func (r record) line() []byte {
	b, err := json.Marshal(r, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(fmt.Sprintf("write a record that was read: %v", err))
	}
	return b
}

// str is a member that is a text, "" if it is none.
func (r record) str(name string) string {
	v := r[name]
	if v.Kind() != '"' {
		return ""
	}
	b, _ := jsontext.AppendUnquote(nil, v) // What is invalid is replaced.
	return string(b)
}

func (r record) has(name string) bool { return r[name] != nil }

func (r record) is(name, text string) bool { return r.has(name) && r.str(name) == text }

func (r record) request() bool { return r.is("type", "extension_ui_request") }

func (r record) answer() bool { return r.is("type", "extension_ui_response") }

// dialog reports whether r is a request that wants an answer by the documents.
func (r record) dialog() bool {
	return r.request() && slices.Contains([]string{"select", "confirm", "input", "editor", "questionnaire"}, r.str("method"))
}

func quote(s string) jsontext.Value { return protocol.AppendString(nil, s) }

// cancelled is a cancellation of the dialog r.
func (r record) cancelled() []byte {
	return record{"type": quote("extension_ui_response"), "id": r["id"], "cancelled": jsontext.Value("true")}.line()
}

// Kinds of faults.

// dropped does not hear the records for which is says so.
func dropped(is func(r record) bool) func(*layer, []byte) []byte {
	return func(_ *layer, line []byte) []byte {
		if r := parse(line); r != nil && is(r) {
			return nil
		}
		return line
	}
}

// heard changes the requests that it hears.
func heard(change func(s *layer, r record)) func(*layer, []byte) []byte {
	return func(s *layer, line []byte) []byte {
		r := parse(line)
		if r == nil || !r.request() {
			return line
		}
		change(s, r)
		return r.line()
	}
}

// said changes the answers.
func said(change func(s *layer, r record)) func(*layer, []byte) []byte {
	return func(s *layer, line []byte) []byte {
		r := parse(line)
		if r == nil || !r.answer() {
			return line
		}
		change(s, r)
		return r.line()
	}
}

// dies hears nothing more from the line on for which at says so.
func dies(at func(s *layer, line []byte) bool) func(*layer, []byte) []byte {
	return func(s *layer, line []byte) []byte {
		if s.dead || at(s, line) {
			s.dead = true
			return nil
		}
		return line
	}
}

// diesAt is dies for requests.
func diesAt(is func(r record) bool) func(*layer, []byte) []byte {
	return dies(func(_ *layer, line []byte) bool {
		r := parse(line)
		return r != nil && is(r)
	})
}

// text changes the value of an answer that has one.
func text(change func(string) string) func(*layer, []byte) []byte {
	return said(func(_ *layer, r record) {
		if r.has("value") {
			r["value"] = quote(change(r.str("value")))
		}
	})
}

// replaced is b with s in the place of what is no UTF-8.
func replaced(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("\uFFFD")) }
