package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"extui/internal/yamlfile"
)

// faults collects what is wrong with a file.
type faults struct {
	file string
	all  []error
}

func (f *faults) add(at Pos, where, got, format string, args ...any) {
	f.all = append(f.all, &SyntaxError{f.file, at, shorten(where), shorten(got), clip(fmt.Sprintf(format, args...), 2000)})
}

func (f *faults) err() error { return errors.Join(f.all...) }

// reader turns the tree of a YAML text into a value.
type reader struct {
	*faults
	anchors map[string]value
	// nodes is how many there are, aliases counted each time: a text of a few lines
	// can stand for billions.
	nodes int
}

const maxNodes = 200_000

// readYAML returns the one document of a YAML text.
func readYAML(source []byte, f *faults) (v value, ok bool) {
	root, fault := yamlfile.Parse(source, "scenario")
	if fault != nil {
		f.add(Pos(fault.Pos), "", "", "%s", fault.What)
		return value{}, false
	}
	r := reader{faults: f, anchors: map[string]value{}}
	v = r.value(root, "")
	return v, len(f.all) == 0
}

// splitLines returns the lines of a text, each with its end as it is.
func splitLines(source []byte) (lines [][]byte) {
	for len(source) > 0 {
		end := bytes.IndexAny(source, "\r\n") + 1
		switch {
		case end == 0:
			end = len(source)
		case source[end-1] == '\r' && end < len(source) && source[end] == '\n':
			end++
		}
		lines, source = append(lines, source[:end]), source[end:]
	}
	return lines
}

// lineEnd is what the lines of a text end with: LF if there is but one line.
func lineEnd(lines [][]byte) string {
	if len(lines) > 0 {
		if end := lines[0][len(bytes.TrimRight(lines[0], "\r\n")):]; len(end) > 0 {
			return string(end)
		}
	}
	return "\n"
}

func position(t *token.Token) Pos { return Pos(yamlfile.Position(t)) }

func (r *reader) value(n ast.Node, where string) value {
	at := position(n.GetToken())
	if r.nodes++; r.nodes > maxNodes {
		r.full(at)
		return value{kind: null, at: at}
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
		return value{kind: text, text: n.Value, at: at}
	case *ast.LiteralNode:
		return value{kind: text, text: n.Value.Value, at: at}
	case *ast.IntegerNode:
		return value{kind: number, text: jsonNumber(n.Token.Value, fmt.Sprint(n.Value)), at: at}
	case *ast.FloatNode:
		return value{kind: number, text: jsonNumber(n.Token.Value, strconv.FormatFloat(n.Value, 'g', -1, 64)), at: at}
	case *ast.BoolNode:
		return value{kind: truth, text: strconv.FormatBool(n.Value), at: at}
	case *ast.NullNode:
		return value{kind: null, at: at}
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
			r.full(at)
			return value{kind: null, at: at}
		}
		return v
	}
	r.add(at, where, n.String(), "a scenario has texts, numbers, true, false, null, lists and maps only")
	return value{kind: null, at: at}
}

var jsonSyntax = lazily(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// jsonNumber is a number as it stands there if JSON writes it so, and as value
// otherwise.
func jsonNumber(literal, value string) string {
	if jsonSyntax().MatchString(literal) {
		return literal
	}
	return value
}

// full reports once that the file is too large.
func (r *reader) full(at Pos) {
	if len(r.all) == 0 {
		r.add(at, "", "", "the file stands for more than %d values", maxNodes)
	}
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
		if i == 0 && len(entries) > 0 {
			v.at = keyAt
		}
		if entry.Key.IsMergeKey() {
			r.add(keyAt, where, "<<", "maps are not merged in a scenario")
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
