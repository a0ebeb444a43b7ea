package policy

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"extui/internal/yamlfile"
	"extui/protocol"
)

// kind is what a value of the file is.
type kind string

const (
	object kind = "a map"
	array  kind = "a list"
	text   kind = "a text"
	number kind = "a number"
	truth  kind = "true or false"
	null   kind = "null"
)

// value is one value of the file and where it stands.
type value struct {
	kind    kind
	text    string // of a text, number or truth
	members []member
	items   []value
	at      Pos
	block   bool // a text of several lines, which begins in the line below at
	quoted  bool // a text in quotes, whose first character is behind at
}

type member struct {
	name  string
	value value
	at    Pos
}

func (v value) get(name string) (value, bool) {
	for _, m := range v.members {
		if m.name == name {
			return m.value, true
		}
	}
	return value{}, false
}

// short is v for a message.
func (v value) short() string {
	switch v.kind {
	case text:
		return short(v.text)
	case number, truth, null:
		return v.text
	}
	return string(v.kind)
}

// short quotes a text for a message, and cuts one that would hide the rest.
func short(s string) string {
	const limit = 80
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return string(protocol.AppendString(nil, s))
}

// reader turns the tree of a YAML text into a value.
type reader struct {
	*faults
	anchors map[string]value
	nodes   int // so far, aliases counted each time: a few lines can stand for billions
}

const maxNodes = 100_000

// readYAML returns the one document of a YAML text.
func readYAML(source []byte, f *faults) (v value, ok bool) {
	if !utf8.Valid(source) {
		f.add(Pos{1, 1}, "", "", "not UTF-8")
		return value{}, false
	}
	if line, ok := directive(source); ok {
		f.add(Pos{line, 1}, "", "", "no directives (%%): a policy is read as YAML 1.2, and means the same to everybody")
		return value{}, false
	}
	root, fault := yamlfile.Parse(source, "policy")
	if fault != nil {
		f.add(Pos(fault.Pos), "", "", "%s", fault.What)
		return value{}, false
	}
	r := reader{faults: f, anchors: map[string]value{}}
	v = r.value(root, "")
	return v, len(f.all) == 0
}

// directive finds a line such as %YAML 1.1, by which other words would be true or false.
// It can only stand above the document.
func directive(source []byte) (line int, ok bool) {
	for l := range bytes.Lines(yamlfile.Unified(source)) {
		line++
		if l[0] == '%' {
			return line, true
		}
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' {
			break
		}
	}
	return 0, false
}

func position(t *token.Token) Pos { return Pos(yamlfile.Position(t)) }

func (r *reader) value(n ast.Node, where string) value {
	at := position(n.GetToken())
	if r.nodes++; r.nodes > maxNodes {
		return r.full(at)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.mapping(n.Values, at, where)
	case *ast.MappingValueNode:
		return r.mapping([]*ast.MappingValueNode{n}, at, where)
	case *ast.SequenceNode:
		v := value{kind: array, at: at}
		for i, item := range n.Values {
			v.items = append(v.items, r.value(item, fmt.Sprintf("%s[%d]", where, i)))
		}
		return v
	case *ast.StringNode:
		quoted := n.Token.Type == token.DoubleQuoteType || n.Token.Type == token.SingleQuoteType
		return r.string(value{kind: text, text: n.Value, at: at, quoted: quoted}, where)
	case *ast.LiteralNode:
		return r.string(value{kind: text, text: n.Value.Value, at: at, block: true}, where)
	case *ast.IntegerNode:
		return value{kind: number, text: n.Token.Value, at: at}
	case *ast.FloatNode:
		return value{kind: number, text: n.Token.Value, at: at}
	case *ast.BoolNode:
		return value{kind: truth, text: strconv.FormatBool(n.Value), at: at}
	case *ast.NullNode:
		return value{kind: null, text: "null", at: at}
	case *ast.AnchorNode:
		v := r.value(n.Value, where)
		r.anchors[n.Name.String()] = v
		return v
	case *ast.AliasNode:
		v, ok := r.anchors[n.Value.String()]
		if !ok {
			r.add(at, where, n.Value.String(), "no anchor of that name stands before it")
		}
		if r.nodes += count(v); r.nodes > maxNodes {
			return r.full(at)
		}
		return v
	}
	r.add(at, where, n.String(), "a policy has texts, numbers, true, false, null, lists and maps only")
	return value{kind: null, at: at}
}

// string refuses a text with U+FFFD. That is what an escape for half a character
// becomes, and a rule must not mean another text than the one that was written.
func (r *reader) string(v value, where string) value {
	if strings.ContainsRune(v.text, utf8.RuneError) {
		r.add(v.at, where, v.short(), "a text with U+FFFD, which stands for what cannot be written")
	}
	return v
}

func (r *reader) full(at Pos) value {
	if len(r.all) == 0 {
		r.add(at, "", "", "the file stands for more than %d values", maxNodes)
	}
	return value{kind: null, at: at}
}

func count(v value) int {
	n := 1
	for _, m := range v.members {
		n += count(m.value)
	}
	for _, item := range v.items {
		n += count(item)
	}
	return n
}

func (r *reader) mapping(entries []*ast.MappingValueNode, at Pos, where string) value {
	v := value{kind: object, at: at}
	for i, entry := range entries {
		keyAt := position(entry.Key.GetToken())
		if i == 0 {
			v.at = keyAt
		}
		if entry.Key.IsMergeKey() {
			r.add(keyAt, where, "<<", "maps are not merged in a policy")
			continue
		}
		key := entry.Key.GetToken().Value
		child := key
		if where != "" {
			child = where + "." + key
		}
		if _, twice := v.get(key); twice {
			r.add(keyAt, child, "", "stands here for the second time")
			continue
		}
		v.members = append(v.members, member{key, r.value(entry.Value, child), keyAt})
	}
	return v
}
