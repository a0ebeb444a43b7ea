package protocol

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ID names one request, or one command. It is comparable, so it can be a map
// key. Agents write strings; an id of any other JSON type is kept as it came
// and is written back exactly so, which a string field could not do.
//
// The zero ID is an absent one: it is not written at all.
type ID struct {
	text string // the string's value, or the JSON text of anything else
	kind idKind
}

type idKind uint8

const (
	idAbsent idKind = iota
	idString
	idOther
)

// StringID returns the ID that travels as the JSON string s. The empty string
// is an id as well and differs from the absent one.
func StringID(s string) ID { return ID{text: s, kind: idString} }

// parseID reads an id from its JSON text, which must be a valid value.
func parseID(raw jsontext.Value) ID {
	if raw.Kind() == '"' {
		return StringID(unquote(raw))
	}
	return ID{text: string(raw), kind: idOther}
}

// String returns the text of a string id, the JSON text of any other, and ""
// for an absent one. It is meant for people; compare IDs with ==.
func (id ID) String() string { return id.text }

// Key returns what some reader of JSON may take the id for, so that two ids with equal keys
// may be one and the same to it: 1, 1.0 and "1" are to who keeps ids as names of members,
// 9007199254740992 and 9007199254740993 to who keeps numbers as floating point, texts that
// are no UTF-8 to who mends them, and all objects and arrays. The key of an absent id is "".
func (id ID) Key() string {
	if id.kind != idOther {
		return strings.ToValidUTF8(id.text, "\ufffd")
	}
	switch v := jsontext.Value(id.text); v.Kind() {
	case '{', '[':
		return "[object Object]"
	case '0':
		f, err := strconv.ParseFloat(strings.TrimSpace(id.text), 64)
		if err != nil || math.IsInf(f, 0) {
			return "Infinity" // Its sign is of no use to anybody.
		}
		v = strconv.AppendFloat(nil, f, 'g', -1, 64)
		if err := v.Canonicalize(); err != nil {
			return id.text
		}
		return string(v)
	}
	return id.text // true, false or null
}

// IsString reports whether the id is a JSON string, as the protocol wants.
func (id ID) IsString() bool { return id.kind == idString }

// IsZero reports whether the id is absent.
func (id ID) IsZero() bool { return id.kind == idAbsent }

// AppendJSON appends the id as JSON. It must not be absent.
func (id ID) AppendJSON(dst []byte) []byte {
	if id.kind == idOther {
		return appendRaw(dst, []byte(id.text))
	}
	return AppendString(dst, id.text)
}
