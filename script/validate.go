package script

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// checkInput checks the input of a tool against the JSON Schema that it was registered
// with, as pi does before anybody is asked about the call, and returns it as the schema
// wants it: models often send "42" for a number, one value for a list of one, or null
// for what they leave out. The error is the text that a model gets.
//
// It knows the keywords that tools use: type, properties, required,
// additionalProperties, items, enum, const, anyOf, oneOf, allOf, and the limits on
// numbers, texts and lists. Others are not looked at; a full validator would compile its
// own schemas at each start of the program.
func checkInput(tool string, schema, input jsontext.Value) (jsontext.Value, error) {
	fitted := fit(schema, input)
	var found problems
	found.check("", schema, fitted)
	if len(found) == 0 {
		return fitted, nil
	}
	shown := input.Clone()
	if shown.Indent(jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true)) != nil {
		shown = input
	}
	return nil, errors.New(fmt.Sprintf("Validation failed for tool %q:\n", tool) + strings.Join(found, "\n") + "\n\nReceived arguments:\n" + string(shown))
}

// problems are the things that are wrong with an input, one a line.
type problems []string

func (p *problems) say(path, format string, args ...any) {
	if path == "" {
		path = "root"
	}
	*p = append(*p, "  - "+path+": "+fmt.Sprintf(format, args...))
}

// check finds what is wrong with the value at a path.
func (p *problems) check(path string, schema, v jsontext.Value) {
	keywords := map[string]jsontext.Value{}
	for _, m := range membersOf(schema) {
		keywords[m.name] = m.value
	}
	if types := textsOf(keywords["type"]); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(t, v) }) {
		p.say(path, "expected %s, got %s", strings.Join(types, " or "), typeOf(v))
		return
	}
	if want := keywords["const"]; want != nil && !sameJSON(want, v) {
		p.say(path, "expected %s", want)
	}
	if list := keywords["enum"]; list != nil && !slices.ContainsFunc(itemsOf(list), func(x jsontext.Value) bool { return sameJSON(x, v) }) {
		p.say(path, "expected one of %s", list)
	}
	switch v.Kind() {
	case '"':
		p.text(path, keywords, textOf(v))
	case '0':
		p.number(path, keywords, v)
	case '[':
		p.list(path, keywords, itemsOf(v))
	case '{':
		p.object(path, keywords, membersOf(v))
	}
	for _, all := range itemsOf(keywords["allOf"]) {
		p.check(path, all, v)
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		forms := itemsOf(keywords[name])
		fits := 0
		var first problems
		for i, form := range forms {
			var found problems
			found.check(path, form, v)
			if len(found) == 0 {
				fits++
			} else if i == 0 {
				first = found
			}
		}
		switch {
		case len(forms) > 0 && fits == 0:
			*p = append(*p, first...)
		case name == "oneOf" && fits > 1:
			p.say(path, "fits more than one form")
		}
	}
}

func (p *problems) text(path string, keywords map[string]jsontext.Value, s string) {
	// The characters of JSON Schema are code points.
	length := float64(utf8.RuneCountInString(s))
	if n, ok := numberOf(keywords["minLength"]); ok && length < n {
		p.say(path, "expected at least %v characters", n)
	}
	if n, ok := numberOf(keywords["maxLength"]); ok && length > n {
		p.say(path, "expected at most %v characters", n)
	}
	if pattern := keywords["pattern"]; pattern.Kind() == '"' {
		// An expression that is JavaScript's alone is not looked at.
		if re, err := regexp.Compile(textOf(pattern)); err == nil && !re.MatchString(s) {
			p.say(path, "expected to match %s", textOf(pattern))
		}
	}
}

func (p *problems) number(path string, keywords map[string]jsontext.Value, v jsontext.Value) {
	f, _ := numberOf(v)
	for _, limit := range []struct {
		keyword, text string
		bad           func(n float64) bool
	}{
		{"minimum", ">= %s", func(n float64) bool { return f < n }},
		{"maximum", "<= %s", func(n float64) bool { return f > n }},
		{"exclusiveMinimum", "> %s", func(n float64) bool { return f <= n }},
		{"exclusiveMaximum", "< %s", func(n float64) bool { return f >= n }},
		{"multipleOf", "a multiple of %s", func(n float64) bool { q := f / n; return n > 0 && math.Abs(q-math.Round(q)) > 1e-9 }},
	} {
		if n, ok := numberOf(keywords[limit.keyword]); ok && limit.bad(n) {
			p.say(path, "expected "+limit.text, string(keywords[limit.keyword]))
		}
	}
}

func (p *problems) list(path string, keywords map[string]jsontext.Value, items []jsontext.Value) {
	if n, ok := numberOf(keywords["minItems"]); ok && float64(len(items)) < n {
		p.say(path, "expected at least %v items", n)
	}
	if n, ok := numberOf(keywords["maxItems"]); ok && float64(len(items)) > n {
		p.say(path, "expected at most %v items", n)
	}
	if keywords["uniqueItems"].Kind() == 't' {
		for i, item := range items {
			if slices.ContainsFunc(items[:i], func(x jsontext.Value) bool { return sameJSON(x, item) }) {
				p.say(path, "expected unique items")
				break
			}
		}
	}
	if each := keywords["items"]; each.Kind() == '{' {
		for i, item := range items {
			p.check(below(path, strconv.Itoa(i)), each, item)
		}
	}
}

func (p *problems) object(path string, keywords map[string]jsontext.Value, members []member) {
	has := func(list []member, name string) int {
		return slices.IndexFunc(list, func(m member) bool { return m.name == name })
	}
	properties := membersOf(keywords["properties"])
	required := textsOf(keywords["required"])
	for _, name := range required {
		if has(members, name) < 0 {
			p.say(below(path, name), "missing")
		}
	}
	for _, property := range properties {
		if at := has(members, property.name); at >= 0 {
			p.check(below(path, property.name), property.value, members[at].value)
		}
	}
	more := keywords["additionalProperties"]
	for _, m := range members {
		switch {
		case has(properties, m.name) >= 0 || keywords["patternProperties"] != nil:
		case more.Kind() == 'f':
			p.say(below(path, m.name), "unknown field")
		case more.Kind() == '{':
			p.check(below(path, m.name), more, m.value)
		}
	}
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func numberOf(v jsontext.Value) (float64, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil
}

// sameJSON compares values without regard to spaces and the order of members.
func sameJSON(a, b jsontext.Value) bool {
	x, y := a.Clone(), b.Clone()
	if x.Canonicalize() != nil || y.Canonicalize() != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x, y)
}

func typeOf(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	}
	if isType("integer", v) {
		return "integer"
	}
	return "number"
}

// member is one member of a JSON object.
type member struct {
	name  string
	value jsontext.Value
}

// membersOf returns the members of an object in their order, none of anything else.
func membersOf(raw jsontext.Value) []member {
	if raw.Kind() != '{' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var out []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return out
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return out
		}
		m.value = value.Clone()
		out = append(out, m)
	}
	return out
}

func memberOf(raw jsontext.Value, name string) jsontext.Value {
	for _, m := range membersOf(raw) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func itemsOf(raw jsontext.Value) (out []jsontext.Value) {
	if raw.Kind() == '[' && json.Unmarshal(raw, &out, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return out
}

func textsOf(raw jsontext.Value) (out []string) {
	for _, v := range append(itemsOf(raw), raw) {
		if v.Kind() == '"' {
			out = append(out, textOf(v))
		}
	}
	return out
}

// fit makes of a value what a schema wants, where that is plain. Everything else stays.
func fit(schema, v jsontext.Value) jsontext.Value {
	types := textsOf(memberOf(schema, "type"))
	if len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(t, v) }) {
		v = convert(types[0], v)
	}
	switch v.Kind() {
	case '{':
		return fitObject(schema, v)
	case '[':
		items := memberOf(schema, "items")
		if items.Kind() != '{' {
			return v
		}
		out := []byte{'['}
		for i, item := range itemsOf(v) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, fit(items, item)...)
		}
		return append(out, ']')
	}
	return v
}

func fitObject(schema, v jsontext.Value) jsontext.Value {
	properties := membersOf(memberOf(schema, "properties"))
	required := textsOf(memberOf(schema, "required"))
	out := []byte{'{'}
	for _, m := range membersOf(v) {
		at := slices.IndexFunc(properties, func(p member) bool { return p.name == m.name })
		if at >= 0 {
			types := textsOf(memberOf(properties[at].value, "type"))
			if m.value.Kind() == 'n' && len(types) > 0 && !slices.Contains(types, "null") && !slices.Contains(required, m.name) {
				continue
			}
			m.value = fit(properties[at].value, m.value)
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(protocol.AppendString(out, m.name), ':'), m.value...)
	}
	return append(out, '}')
}

func isType(name string, v jsontext.Value) bool {
	switch name {
	case "string":
		return v.Kind() == '"'
	case "number":
		return v.Kind() == '0'
	case "integer":
		f, err := strconv.ParseFloat(string(v), 64)
		return v.Kind() == '0' && err == nil && f == math.Trunc(f)
	case "boolean":
		return v.Kind() == 't' || v.Kind() == 'f'
	case "array":
		return v.Kind() == '['
	case "object":
		return v.Kind() == '{'
	case "null":
		return v.Kind() == 'n'
	}
	return false
}

// convert makes a value one of the type, or returns it as it is.
func convert(to string, v jsontext.Value) jsontext.Value {
	k, text := v.Kind(), textOf(v)
	switch to {
	case "string":
		switch k {
		case 'n':
			return jsontext.Value(`""`)
		case '0', 't', 'f':
			return protocol.AppendString(nil, text)
		}
	case "number", "integer":
		if k == '{' || k == '[' {
			return v
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		switch {
		case k == 'n' || k == 'f' || strings.TrimSpace(text) == "":
			f = 0
		case k == 't':
			f = 1
		case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
			return v
		}
		if to == "integer" {
			f = math.Trunc(f)
		}
		if b, err := json.Marshal(f); err == nil {
			return b
		}
	case "boolean":
		switch {
		case k == 'n', text == "false", text == "0":
			return jsontext.Value("false")
		case text == "true", text == "1":
			return jsontext.Value("true")
		}
	case "null":
		if text == "" {
			return jsontext.Value("null")
		}
	case "array":
		if k != 'n' {
			return append(append([]byte{'['}, v...), ']')
		}
	}
	return v
}
