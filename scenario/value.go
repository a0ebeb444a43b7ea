package scenario

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// kind is the JSON type of a value.
type kind byte

const (
	object kind = 'o'
	array  kind = 'a'
	text   kind = 's'
	number kind = 'n'
	truth  kind = 'b'
	null   kind = '0'
)

// value is a JSON value with its members in order and its strings as JavaScript
// has them (see protocol.AppendString), and where in a scenario it stands.
type value struct {
	kind    kind
	text    string // of text, the string; of number and truth, the JSON text
	members []member
	items   []value
	at      Pos
}

type member struct {
	name  string
	value value
	at    Pos
}

func textValue(s string) value { return value{kind: text, text: s} }

func boolValue(b bool) value { return value{kind: truth, text: strconv.FormatBool(b)} }

func objectOf(members ...member) value { return value{kind: object, members: members} }

func field(name string, v value) member { return member{name: name, value: v} }

// get returns a member of an object.
func (v *value) get(name string) (value, bool) {
	for i := range v.members {
		if v.members[i].name == name {
			return v.members[i].value, true
		}
	}
	return value{}, false
}

// str returns the string that member name is, "" otherwise.
func (v *value) str(name string) string {
	if m, ok := v.get(name); ok && m.kind == text {
		return m.text
	}
	return ""
}

// at follows a path such as data.content.0.text.
func (v value) path(path string) (value, bool) {
	for part := range strings.SplitSeq(path, ".") {
		if v.kind == array {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v.items) {
				return value{}, false
			}
			v = v.items[i]
			continue
		}
		next, ok := v.get(part)
		if !ok {
			return value{}, false
		}
		v = next
	}
	return v, true
}

// append writes v as compact JSON.
func (v value) append(dst []byte) []byte {
	switch v.kind {
	case object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = protocol.AppendString(dst, m.name)
			dst = append(dst, ':')
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	case array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	case text:
		return protocol.AppendString(dst, v.text)
	case number, truth:
		return append(dst, v.text...)
	default:
		return append(dst, "null"...)
	}
}

func (v value) String() string { return string(v.append(nil)) }

// short is v for a message.
func (v value) short() string { return shorten(v.String()) }

// shorten cuts a text that would hide the rest of a message.
func shorten(s string) string { return clip(s, 300) }

// clip is what is left of a text in limit bytes.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

var errNotOneValue = errors.New("more than one JSON value")

// decode reads one JSON text. Twice the same key and broken UTF-8 are accepted: it
// is for steps to judge them.
func decode(raw []byte) (value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := decodeNext(d)
	if err != nil {
		return value{}, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return value{}, errNotOneValue
	}
	return v, nil
}

func decodeNext(d *jsontext.Decoder) (value, error) {
	switch d.PeekKind() {
	case '{':
		return decodeObject(d)
	case '[':
		if _, err := d.ReadToken(); err != nil {
			return value{}, err
		}
		v := value{kind: array}
		for d.PeekKind() != ']' {
			item, err := decodeNext(d)
			if err != nil {
				return value{}, err
			}
			v.items = append(v.items, item)
		}
		_, err := d.ReadToken()
		return v, err
	}
	raw, err := d.ReadValue()
	if err != nil {
		return value{}, err
	}
	switch raw.Kind() {
	case '"':
		s, err := protocol.Unquote(raw)
		return textValue(s), err
	case 'n':
		return value{kind: null}, nil
	case 't', 'f':
		return value{kind: truth, text: string(raw)}, nil
	default:
		return value{kind: number, text: string(raw)}, nil
	}
}

func decodeObject(d *jsontext.Decoder) (value, error) {
	if _, err := d.ReadToken(); err != nil {
		return value{}, err
	}
	v := value{kind: object}
	for d.PeekKind() != '}' {
		raw, err := d.ReadValue()
		if err != nil {
			return value{}, err
		}
		name, err := protocol.Unquote(raw)
		if err != nil {
			return value{}, err
		}
		m, err := decodeNext(d)
		if err != nil {
			return value{}, err
		}
		v.members = append(v.members, field(name, m))
	}
	_, err := d.ReadToken()
	return v, err
}

// lasts is v with the last of the members of each name alone, at any depth, and adds the
// names of those that stand more than once to twice.
func (v value) lasts(twice *[]string) value {
	for i, item := range v.items {
		v.items[i] = item.lasts(twice)
	}
	if v.kind != object {
		return v
	}
	last := make(map[string]int, len(v.members))
	for i, m := range v.members {
		if _, again := last[m.name]; again && !slices.Contains(*twice, m.name) {
			*twice = append(*twice, m.name)
		}
		last[m.name] = i
	}
	kept := make([]member, 0, len(last))
	for i, m := range v.members {
		if last[m.name] == i {
			m.value = m.value.lasts(twice)
			kept = append(kept, m)
		} else {
			m.value.lasts(twice)
		}
	}
	v.members = kept
	return v
}

// equal compares exactly, but for the order of members.
func equal(a, b value) bool {
	if a.kind != b.kind || len(a.members) != len(b.members) || len(a.items) != len(b.items) {
		return false
	}
	if a.kind == number {
		x, errX := strconv.ParseFloat(a.text, 64)
		y, errY := strconv.ParseFloat(b.text, 64)
		return errX == nil && errY == nil && x == y || a.text == b.text
	}
	for _, m := range a.members {
		other, ok := b.get(m.name)
		if !ok || !equal(m.value, other) {
			return false
		}
	}
	for i := range a.items {
		if !equal(a.items[i], b.items[i]) {
			return false
		}
	}
	return a.text == b.text
}
