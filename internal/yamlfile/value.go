package yamlfile

import (
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Kind is what a value of a file is, as a message calls it.
type Kind string

// The kinds of values.
const (
	Map    Kind = "a map"
	List   Kind = "a list"
	Text   Kind = "a text"
	Number Kind = "a number"
	Truth  Kind = "true or false"
	Null   Kind = "null"
)

// Value is one value of a file and where it stands. Its anchors and aliases are
// resolved.
type Value struct {
	Kind    Kind
	Text    string   // of a text; of a number as it is written; true or false of a truth; else ""
	Number  any      // of a number what YAML takes it for: uint64, int64 or float64; else nil
	Members []Member // of a map, in their order and each name once
	Items   []Value  // of a list
	At      Pos
	Block   bool // a text of several lines, which begins in the line below At
	Quoted  bool // a text in quotes, whose first character is behind At
}

// Member is one entry of a map.
type Member struct {
	Name  string
	Value Value
	At    Pos // of the name
}

// Options say how [Read] reads a file.
type Options struct {
	// Kind is what the file is called in messages, such as "scenario".
	Kind string
	// MaxValues is how many values the file may stand for, aliases counted each time
	// that they are used: a few lines can stand for billions.
	MaxValues int
	// Report is told what is wrong, and may be told several things: where, the path of
	// the field or "", what stands there or "", and what is wrong with it.
	Report func(at Pos, field, got, want string)
	// Text sees each text and the path of its field. It may be nil.
	Text func(at Pos, field, text string)
}

// Read returns the one document of a file as a tree of values. ok is false if
// something was reported.
func Read(source []byte, opts Options) (v Value, ok bool) {
	root, fault := Parse(source, opts.Kind)
	if fault != nil {
		opts.Report(fault.Pos, "", "", fault.What)
		return Value{}, false
	}
	r := reader{Options: opts, anchors: map[string]Value{}}
	v = r.value(root, "")
	return v, !r.failed
}

type reader struct {
	Options
	anchors map[string]Value
	values  int // so far
	failed  bool
}

func (r *reader) fail(at Pos, field, got, want string) {
	r.failed = true
	r.Report(at, field, got, want)
}

// full is what stands for a value that is too many.
func (r *reader) full(at Pos) Value {
	if !r.failed {
		r.fail(at, "", "", fmt.Sprintf("the file stands for more than %d values", r.MaxValues))
	}
	return Value{Kind: Null, At: at}
}

func (r *reader) value(n ast.Node, field string) Value {
	at := Position(n.GetToken())
	if r.values++; r.values > r.MaxValues {
		return r.full(at)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.mapping(n.Values, at, field)
	case *ast.MappingValueNode:
		return r.mapping([]*ast.MappingValueNode{n}, at, field)
	case *ast.SequenceNode:
		v := Value{Kind: List, At: at}
		for i, item := range n.Values {
			v.Items = append(v.Items, r.value(item, fmt.Sprintf("%s[%d]", field, i)))
		}
		return v
	case *ast.StringNode:
		quoted := n.Token.Type == token.DoubleQuoteType || n.Token.Type == token.SingleQuoteType
		return r.text(Value{Kind: Text, Text: n.Value, At: at, Quoted: quoted}, field)
	case *ast.LiteralNode:
		return r.text(Value{Kind: Text, Text: n.Value.Value, At: at, Block: true}, field)
	case *ast.IntegerNode:
		return Value{Kind: Number, Text: n.Token.Value, Number: n.Value, At: at}
	case *ast.FloatNode:
		return Value{Kind: Number, Text: n.Token.Value, Number: n.Value, At: at}
	case *ast.BoolNode:
		return Value{Kind: Truth, Text: strconv.FormatBool(n.Value), At: at}
	case *ast.NullNode:
		return Value{Kind: Null, At: at}
	case *ast.AnchorNode:
		v := r.value(n.Value, field)
		r.anchors[n.Name.String()] = v
		return v
	case *ast.AliasNode:
		v, ok := r.anchors[n.Value.String()]
		if !ok {
			r.fail(at, field, n.Value.String(), "no anchor of that name stands before it")
		}
		if r.values += count(v); r.values > r.MaxValues {
			return r.full(at)
		}
		return v
	}
	r.fail(at, field, n.String(), "a "+r.Kind+" has texts, numbers, true, false, null, lists and maps only")
	return Value{Kind: Null, At: at}
}

func (r *reader) text(v Value, field string) Value {
	if r.Options.Text != nil {
		r.Options.Text(v.At, field, v.Text)
	}
	return v
}

func (r *reader) mapping(entries []*ast.MappingValueNode, at Pos, field string) Value {
	v := Value{Kind: Map, At: at}
	seen := map[string]bool{}
	for i, entry := range entries {
		keyAt := Position(entry.Key.GetToken())
		if i == 0 {
			v.At = keyAt
		}
		if entry.Key.IsMergeKey() {
			r.fail(keyAt, field, "<<", "maps are not merged in a "+r.Kind)
			continue
		}
		key := entry.Key.GetToken().Value
		child := key
		if field != "" {
			child = field + "." + key
		}
		if seen[key] {
			r.fail(keyAt, child, "", "stands here for the second time")
			continue
		}
		seen[key] = true
		v.Members = append(v.Members, Member{key, r.value(entry.Value, child), keyAt})
	}
	return v
}

func count(v Value) int {
	n := 1
	for _, m := range v.Members {
		n += count(m.Value)
	}
	for _, item := range v.Items {
		n += count(item)
	}
	return n
}
