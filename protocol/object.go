package protocol

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// object is a decoded record: its members in order, still as JSON text that
// aliases the record.
type object struct {
	record  string // what it is, for errors
	path    string // where it stands in its record, "" at the top
	members []member
	err     error // the first bad field
}

// objects are reused: nothing that is decoded lives in one.
var objects = sync.Pool{New: func() any { return new(object) }}

// release ends the use of o, whose error has been taken.
func (o *object) release() {
	clear(o.members) // they alias the record
	if cap(o.members) > 64 {
		o.members = nil // a rare size is not worth keeping
	}
	*o = object{members: o.members[:0]}
	objects.Put(o)
}

type member struct {
	name  []byte
	value jsontext.Value
	taken bool // somebody has asked for it
}

// parseObject splits one JSON object into its members; see validate for what is
// refused.
func parseObject(raw []byte, record string) (*object, error) {
	if err := validate(raw); err != nil {
		return nil, fmt.Errorf("%s: %w: %s: %w", record, ErrNotObject, shorten(raw), err)
	}
	v := trimSpace(raw)
	if v[0] != '{' {
		return nil, fmt.Errorf("%s: %w: %s", record, ErrNotObject, shorten(raw))
	}
	return split(v, record, ""), nil
}

// split takes apart an object that validate has passed.
func split(v jsontext.Value, record, path string) *object {
	o := objects.Get().(*object)
	o.record, o.path = record, path
	for name, value := range members(v) {
		o.members = append(o.members, member{name: keyText(name), value: value})
	}
	return o
}

// nested opens an object inside o's record.
func (o *object) nested(path string, v jsontext.Value) *object {
	return split(v, o.record, o.path+path+".")
}

// adopt takes over the first error of a nested object, whose use ends.
func (o *object) adopt(m *object) {
	if o.err == nil {
		o.err = m.err
	}
	m.release()
}

// isType reports whether the record has this type, and notes if it has not.
func (o *object) isType(want string) bool {
	v, ok := o.take("type")
	if typ, isString := typeValue(v, 0); ok && isString && v.Kind() == '"' && typ == want {
		return true
	}
	o.bad("type", v, string(AppendString(nil, want)))
	return false
}

// take returns the member of that name and marks it as known.
func (o *object) take(name string) (jsontext.Value, bool) {
	for i := range o.members {
		if m := &o.members[i]; string(m.name) == name {
			m.taken = true
			return m.value, true
		}
	}
	return nil, false
}

// extra returns copies of the members that nobody took.
func (o *object) extra() Extra {
	var out Extra
	for _, m := range o.members {
		if !m.taken {
			out = append(out, Field{string(m.name), m.value.Clone()})
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

// array returns an array for elements to split; nil if it is absent or null,
// which required makes an error.
func (o *object) array(name, want string, required bool) jsontext.Value {
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
	return v
}

// integer returns nil for a number that is absent or null.
func (o *object) integer(name string) *int {
	v, ok := o.take(name)
	if !ok || v.Kind() == 'n' {
		return nil
	}
	// JSON knows one kind of number: 1, 1.0 and 1e0 are the same.
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
		o.bad(name, v, "a whole number")
		return nil
	}
	return new(int(f))
}
