package script

import (
	"bytes"
	"math"
	"net/url"
	"strconv"
	"strings"

	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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

func textValue(s string) jsontext.Value { return protocol.AppendString(nil, s) }

// find returns the member of that name, or nil.
func find(members []member, name string) jsontext.Value {
	for _, m := range members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// keywordsOf returns the members of a schema by name.
func keywordsOf(schema jsontext.Value) map[string]jsontext.Value {
	keywords := map[string]jsontext.Value{}
	for _, m := range membersOf(schema) {
		keywords[m.name] = m.value
	}
	return keywords
}

// itemSchemas returns the schemas of the first items of a list, one by one, and that of
// the others, which may be nil.
func itemSchemas(keywords map[string]jsontext.Value) (first []jsontext.Value, rest jsontext.Value) {
	if items := keywords["items"]; items.Kind() == '[' {
		return itemsOf(items), keywords["additionalItems"]
	}
	return itemsOf(keywords["prefixItems"]), keywords["items"]
}

// followRef returns what a schema refers to, or itself. What cannot be found is nil.
func followRef(root, schema jsontext.Value) jsontext.Value {
	for range deepest {
		ref := memberOf(schema, "$ref")
		if ref.Kind() != '"' {
			return schema
		}
		schema = resolveRef(root, textOf(ref))
	}
	return nil
}

// resolveRef finds what a reference means inside of a schema: a place, or the $id or
// $anchor of a part. It returns nil if there is no such.
func resolveRef(root jsontext.Value, ref string) jsontext.Value {
	pointer, isPlace := strings.CutPrefix(ref, "#")
	if isPlace && pointer == "" {
		return root
	}
	if isPlace && pointer[0] == '/' {
		at := root
		for part := range strings.SplitSeq(pointer[1:], "/") {
			if plain, err := url.PathUnescape(part); err == nil {
				part = plain
			}
			part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
			if i, err := strconv.Atoi(part); err == nil && at.Kind() == '[' {
				items := itemsOf(at)
				if i < 0 || i >= len(items) {
					return nil
				}
				at = items[i]
				continue
			}
			if at = memberOf(at, part); at == nil {
				return nil
			}
		}
		return at
	}
	name := "$id"
	if isPlace {
		name, ref = "$anchor", pointer
	}
	return named(root, name, ref)
}

// named finds the part of a schema that gives itself a name.
func named(v jsontext.Value, keyword, name string) jsontext.Value {
	switch v.Kind() {
	case '{':
		members := membersOf(v)
		if own := find(members, keyword); own.Kind() == '"' && textOf(own) == name {
			return v
		}
		for _, m := range members {
			if part := named(m.value, keyword, name); part != nil {
				return part
			}
		}
	case '[':
		for _, item := range itemsOf(v) {
			if part := named(item, keyword, name); part != nil {
				return part
			}
		}
	}
	return nil
}
