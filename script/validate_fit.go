package script

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fit makes of a value what a schema wants, where that is plain. Everything else stays.
// As in pi, there are three rounds: an optional member that may not be null and is goes,
// values become what the schema names, and at last those that one of several types fits.
func fit(schema, v jsontext.Value, tried *patterns) jsontext.Value {
	f := fitter{newChecker(schema, v, tried)}
	return f.coerce(schema, f.convert(schema, f.dropNulls(schema, v)))
}

type fitter struct{ checker }

// eachMember makes an object anew. change returns nil for a member that goes.
func eachMember(v jsontext.Value, change func(m member) jsontext.Value) jsontext.Value {
	out := []byte{'{'}
	for _, m := range membersOf(v) {
		value := change(m)
		if value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(protocol.AppendString(out, m.name), ':'), value...)
	}
	return append(out, '}')
}

// eachItem makes a list anew.
func eachItem(keywords map[string]jsontext.Value, v jsontext.Value, change func(schema, item jsontext.Value) jsontext.Value) jsontext.Value {
	first, rest := itemSchemas(keywords)
	if keywords["items"].Kind() == '[' {
		rest = nil // pi leaves these alone
	}
	if len(first) == 0 && rest == nil {
		return v
	}
	out := []byte{'['}
	for i, item := range itemsOf(v) {
		if i > 0 {
			out = append(out, ',')
		}
		schema := rest
		if i < len(first) {
			schema = first[i]
		}
		out = append(out, change(schema, item)...)
	}
	return append(out, ']')
}

// through changes a member by each schema that speaks of it.
func (f *fitter) through(keywords map[string]jsontext.Value, m member, change func(schema, v jsontext.Value) jsontext.Value) jsontext.Value {
	v, known := m.value, false
	if property := memberOf(keywords["properties"], m.name); property != nil {
		v, known = change(property, v), true
	}
	for _, schema := range f.patternsFor(keywords, m.name) {
		v, known = change(schema, v), true
	}
	if more := keywords["additionalProperties"]; !known && more != nil {
		v = change(more, v)
	}
	return v
}

func declares(keywords map[string]jsontext.Value) bool {
	return keywords["properties"] != nil || keywords["patternProperties"] != nil || keywords["additionalProperties"] != nil
}

func (f *fitter) dropNulls(schema, v jsontext.Value) jsontext.Value {
	keywords := keywordsOf(schema)
	defer f.leave()
	if !f.enter() {
		return v
	}
	switch {
	case v.Kind() == '[':
		return eachItem(keywords, v, f.dropNulls)
	case v.Kind() != '{' || !declares(keywords):
		return v
	}
	required := textsOf(keywords["required"])
	return eachMember(v, func(m member) jsontext.Value {
		property := memberOf(keywords["properties"], m.name)
		if m.value.Kind() == 'n' && property.Kind() == '{' && !slices.Contains(required, m.name) && memberOf(property, "$ref") == nil && !f.fits(property, m.value) {
			return nil
		}
		return f.through(keywords, m, f.dropNulls)
	})
}

// convert makes of a value what the schema names.
func (f *fitter) convert(schema, v jsontext.Value) jsontext.Value {
	defer f.leave()
	if !f.enter() {
		return v
	}
	keywords := keywordsOf(schema)
	switch {
	case keywords["$ref"].Kind() == '"':
		return f.convert(resolveRef(f.root, textOf(keywords["$ref"])), v)
	case keywords["const"] != nil:
		return convertLiteral(keywords["const"], v)
	case keywords["enum"].Kind() == '[':
		return f.convertEnum(schema, itemsOf(keywords["enum"]), v)
	case keywords["anyOf"].Kind() == '[':
		return f.convertUnion(schema, keywords, itemsOf(keywords["anyOf"]), v)
	case keywords["oneOf"].Kind() == '[':
		return f.convertUnion(schema, keywords, itemsOf(keywords["oneOf"]), v)
	case keywords["allOf"].Kind() == '[':
		for _, form := range itemsOf(keywords["allOf"]) {
			v = f.convert(form, v)
		}
		return f.convertMembers(keywords, v)
	}
	kind := ""
	if t := keywords["type"]; t.Kind() == '"' {
		kind = textOf(t)
	} else if t != nil {
		return v
	}
	switch {
	case kind == "object", kind == "" && (keywords["properties"] != nil || keywords["patternProperties"] != nil):
		return f.convertObject(keywords, v)
	case kind == "array", kind == "" && (keywords["items"] != nil || keywords["prefixItems"] != nil):
		return f.convertArray(keywords, v)
	}
	if made := converted(kind, v); made != nil {
		return made
	}
	return v
}

// convertMembers converts the members of an object that has forms besides.
func (f *fitter) convertMembers(keywords map[string]jsontext.Value, v jsontext.Value) jsontext.Value {
	if declares(keywords) {
		return f.convertObject(keywords, v)
	}
	return v
}

func (f *fitter) convertObject(keywords map[string]jsontext.Value, v jsontext.Value) jsontext.Value {
	if v.Kind() != '{' {
		return v
	}
	return eachMember(v, func(m member) jsontext.Value { return f.through(keywords, m, f.convert) })
}

func (f *fitter) convertArray(keywords map[string]jsontext.Value, v jsontext.Value) jsontext.Value {
	if first, _ := itemSchemas(keywords); v.Kind() != '[' && len(first) == 0 {
		v = slices.Concat([]byte{'['}, v, []byte{']'})
	}
	if v.Kind() != '[' {
		return v
	}
	return eachItem(keywords, v, f.convert)
}

func (f *fitter) convertEnum(schema jsontext.Value, values []jsontext.Value, v jsontext.Value) jsontext.Value {
	if slices.ContainsFunc(values, func(x jsontext.Value) bool { return sameJSON(x, v) }) {
		return v
	}
	for _, want := range values {
		if made := convertLiteral(want, v); !bytes.Equal(made, v) && f.fits(schema, made) {
			return made
		}
	}
	return v
}

func (f *fitter) convertUnion(schema jsontext.Value, keywords map[string]jsontext.Value, forms []jsontext.Value, v jsontext.Value) jsontext.Value {
	if slices.ContainsFunc(forms, func(form jsontext.Value) bool { return f.fits(form, v) }) {
		return f.convertMembers(keywords, v)
	}
	for _, form := range forms {
		if made := f.convertMembers(keywords, f.convert(form, v)); f.fits(schema, made) {
			return made
		}
	}
	return f.convertMembers(keywords, v)
}

// convertLiteral takes a constant for a value of another type that means exactly it.
func convertLiteral(want, v jsontext.Value) jsontext.Value {
	kind := map[jsontext.Kind]string{'"': "string", '0': "number", 't': "boolean", 'f': "boolean"}[want.Kind()]
	if made := converted(kind, v); made != nil && sameJSON(made, want) {
		return made
	}
	return v
}

// converted returns a value as one of another type, or nil if it means none.
func converted(to string, v jsontext.Value) jsontext.Value {
	k := v.Kind()
	if isType(to, v) {
		return v
	}
	text := ""
	if k == '"' {
		text = textOf(v)
	}
	lower := strings.ToLower(text)
	switch to {
	case "string":
		if k == 'n' || k == 't' || k == 'f' || k == '0' {
			return textValue(plainText(v))
		}
	case "number", "integer":
		n, ok := numberFrom(v)
		if !ok {
			return nil
		}
		if to == "integer" {
			n = math.Trunc(n)
		}
		return numberValue(n)
	case "boolean":
		n, isNumber := numberOf(v)
		switch {
		case k == 'n', lower == "false", text == "0", isNumber && n == 0:
			return jsontext.Value("false")
		case lower == "true", text == "1", isNumber && n == 1:
			return jsontext.Value("true")
		}
	case "null":
		n, isNumber := numberOf(v)
		if k == 'f' || isNumber && n == 0 || k == '"' && (lower == "undefined" || lower == "null" || text == "" || text == "0") {
			return jsontext.Value("null")
		}
	}
	return nil
}

// plainText is what String of JavaScript makes of a value that is no text.
func plainText(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Canonicalize() // a number that it cannot write stays as it is
	return string(v)
}

func numberValue(n float64) jsontext.Value {
	b, err := json.Marshal(n + 0) // no -0
	if err != nil {
		return jsontext.Value("null") // it is finite
	}
	return b
}

var (
	decimalText = regexp.MustCompile(`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`)
	bigText     = regexp.MustCompile(`^-?(?:0|[1-9]\d*)n$`)
)

// numberFrom returns what a value means as a number.
func numberFrom(v jsontext.Value) (float64, bool) {
	switch v.Kind() {
	case '0':
		return numberOf(v)
	case 'n', 'f':
		return 0, true
	case 't':
		return 1, true
	case '"':
	default:
		return 0, false
	}
	text := strings.TrimSpace(textOf(v))
	if n, ok := numberFromText(text); ok {
		return n, true
	}
	switch {
	case strings.EqualFold(textOf(v), "false"):
		return 0, true
	case strings.EqualFold(textOf(v), "true"):
		return 1, true
	case bigText.MatchString(textOf(v)):
		n, err := strconv.ParseInt(strings.TrimSuffix(textOf(v), "n"), 10, 54)
		return float64(n), err == nil
	}
	return 0, false
}

// numberFromText is Number of JavaScript, for a text without spaces around it.
func numberFromText(text string) (float64, bool) {
	switch {
	case text == "":
		return 0, true
	case decimalText.MatchString(text):
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && !math.IsInf(n, 0)
	case len(text) > 2 && text[0] == '0' && strings.ContainsRune("xXoObB", rune(text[1])) && !strings.Contains(text, "_"):
		n, err := strconv.ParseUint(text, 0, 64)
		return float64(n), err == nil
	}
	return 0, false
}

// coerce makes of a value the first of a schema's types that it plainly means, where
// convert has left it.
func (f *fitter) coerce(schema, v jsontext.Value) jsontext.Value {
	defer f.leave()
	if !f.enter() {
		return v
	}
	keywords := keywordsOf(schema)
	for _, form := range itemsOf(keywords["allOf"]) {
		v = f.coerce(form, v)
	}
	v = f.coerceUnion(itemsOf(keywords["anyOf"]), v)
	v = f.coerceUnion(itemsOf(keywords["oneOf"]), v)
	types := textsOf(keywords["type"])
	if len(types) < 2 || !slices.ContainsFunc(types, func(t string) bool { return isType(t, v) }) {
		for _, t := range types {
			if made := coerced(t, v); made != nil {
				v = made
				break
			}
		}
	}
	switch {
	case v.Kind() == '{' && slices.Contains(types, "object") && declares(keywords):
		return eachMember(v, func(m member) jsontext.Value { return f.through(keywords, m, f.coerce) })
	case v.Kind() == '[' && slices.Contains(types, "array"):
		return eachItem(keywords, v, f.coerce)
	}
	return v
}

func (f *fitter) coerceUnion(forms []jsontext.Value, v jsontext.Value) jsontext.Value {
	if slices.ContainsFunc(forms, func(form jsontext.Value) bool { return f.fits(form, v) }) {
		return v
	}
	for _, form := range forms {
		if made := f.coerce(form, v); f.fits(form, made) {
			return made
		}
	}
	return v
}

// coerced is converted for less: nil if nothing changes.
func coerced(to string, v jsontext.Value) jsontext.Value {
	k := v.Kind()
	n, isNumber := numberOf(v)
	switch to {
	case "number", "integer":
		switch k {
		case 'n', 'f':
			return jsontext.Value("0")
		case 't':
			return jsontext.Value("1")
		case '"':
			text := strings.TrimSpace(textOf(v))
			if n, ok := numberFromText(text); ok && text != "" && (to == "number" || n == math.Trunc(n)) {
				return numberValue(n)
			}
		}
	case "boolean":
		switch {
		case k == 'n', k == '"' && textOf(v) == "false", isNumber && n == 0:
			return jsontext.Value("false")
		case k == '"' && textOf(v) == "true", isNumber && n == 1:
			return jsontext.Value("true")
		}
	case "string":
		switch k {
		case 'n':
			return jsontext.Value(`""`)
		case 't', 'f', '0':
			return textValue(plainText(v))
		}
	case "null":
		if k == 'f' || isNumber && n == 0 || k == '"' && textOf(v) == "" {
			return jsontext.Value("null")
		}
	}
	return nil
}
