package faulty

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// value is an argument of the probe, with its markers in the place of what they stand
// for. kind is that of JSON, or one of these.
type value struct {
	kind   jsontext.Kind
	raw    jsontext.Value
	text   string
	number float64
	list   []value
	fields record
	// after is for a signal: in how many milliseconds it is aborted, 0 being before.
	after float64
}

const (
	undefined jsontext.Kind = 'u'
	function  jsontext.Kind = 'F'
	signal    jsontext.Kind = 'S'
)

// resolve reads an argument. n is the number of the call.
func resolve(raw jsontext.Value, n int) value {
	v := value{kind: raw.Kind(), raw: raw}
	switch v.kind {
	case '"':
		v.text = unquote(raw)
	case '0':
		v.number, _ = strconv.ParseFloat(string(raw), 64)
	case '[':
		for _, item := range elements(raw) {
			v.list = append(v.list, resolve(item, n))
		}
	case '{':
		v.fields = parse(raw)
		if len(v.fields) == 1 && strings.HasPrefix(v.fields[0].Name, "$") {
			return marker(v.fields[0].Name, v.fields[0].Value, n)
		}
	}
	return v
}

func marker(name string, arg jsontext.Value, n int) value {
	switch name {
	case "$signal":
		ms, _ := strconv.ParseFloat(string(arg), 64) // "aborted" is 0
		return value{kind: signal, after: ms}
	case "$number":
		return value{kind: '0', number: map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}[unquote(arg)]}
	case "$codes":
		var b strings.Builder
		for _, code := range elements(arg) {
			unit, _ := strconv.Atoi(string(code))
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		return value{kind: '"', text: unquote(jsontext.Value(`"` + b.String() + `"`))}
	case "$repeat":
		parts := elements(arg)
		times, _ := strconv.Atoi(string(parts[1]))
		return value{kind: '"', text: strings.Repeat(unquote(parts[0]), times)}
	case "$function":
		return value{kind: function}
	case "$n":
		return value{kind: '"', text: unquote(arg) + strconv.Itoa(n)}
	}
	return value{kind: undefined}
}

// elements are those of a list.
func elements(raw jsontext.Value) []jsontext.Value {
	d := jsontext.NewDecoder(strings.NewReader(string(raw)), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '[' {
		return nil
	}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var all []jsontext.Value
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		all = append(all, v.Clone())
	}
	return all
}

// option is a member of a dialog's options, undefined if there is none.
func (v value) option(name string) value {
	if raw := v.fields.get(name); raw != nil {
		return resolve(raw, 0)
	}
	return value{kind: undefined}
}

// optional is a text that may be missing.
func (v value) optional() *string {
	if v.kind == undefined {
		return nil
	}
	return new(v.text)
}

// texts are those of a list; never nil.
func (v value) texts() []string {
	all := []string{}
	for _, item := range v.list {
		all = append(all, item.text)
	}
	return all
}
