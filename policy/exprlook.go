package policy

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"

	"extui/internal/safetext"
	"extui/protocol"
)

// exprTexts are the names of what the dialog says.
var exprTexts = []string{"title", "message", "placeholder", "prefill", "options", "descriptions", "questions"}

// exprLook looks for what an expression says and cannot mean: a comparison that never
// holds makes of a rule that denies a rule that does not.
type exprLook struct {
	vars   map[string]ast.Node // what names stand for
	names  []string            // those of exprTexts that are used
	status bool                // statuses are used
	notes  []string
}

func (l *exprLook) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

func (l *exprLook) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		l.status = l.status || n.Value == "status"
		if slices.Contains(exprTexts, n.Value) && !slices.Contains(l.names, n.Value) {
			l.names = append(l.names, n.Value)
		}
	case *ast.StringNode:
		if safetext.Block(n.Value) != strings.ReplaceAll(n.Value, "\r\n", "\n") {
			l.note(`the text %s holds characters that do not show themselves; in quotes \b is a backspace, \\b the edge of a word`, short(safetext.Block(n.Value)))
		}
	case *ast.VariableDeclaratorNode:
		l.vars[n.Name] = n.Value
	case *ast.BinaryNode:
		l.binary(n)
	case *ast.BuiltinNode:
		if len(n.Arguments) == 2 && (n.Name == "hasPrefix" || n.Name == "hasSuffix" || n.Name == "indexOf") {
			if text, ok := n.Arguments[1].(*ast.StringNode); ok {
				l.compare(n.Name, n.Arguments[0], text.Value)
			}
		}
	}
	for _, child := range children(n) {
		l.node(child)
	}
}

func (l *exprLook) binary(n *ast.BinaryNode) {
	switch n.Operator {
	case "==", "!=":
		if text, ok := n.Right.(*ast.StringNode); ok {
			l.compare("==", n.Left, text.Value)
		} else if text, ok := n.Left.(*ast.StringNode); ok {
			l.compare("==", n.Right, text.Value)
		}
	case "in":
		if text, ok := n.Left.(*ast.StringNode); ok {
			l.compare("==", n.Right, text.Value)
		}
		if all, ok := n.Right.(*ast.ArrayNode); ok {
			for _, item := range all.Nodes {
				if text, ok := item.(*ast.StringNode); ok {
					l.compare("==", n.Left, text.Value)
				}
			}
		}
	case "contains", "startsWith", "endsWith", "matches":
		if text, ok := n.Right.(*ast.StringNode); ok {
			l.compare(n.Operator, n.Left, text.Value)
		}
	}
}

// compare looks at the comparison of what n is with a text.
func (l *exprLook) compare(how string, n ast.Node, text string) {
	if how == "==" && (strings.HasPrefix(text, "*") || strings.HasSuffix(text, "*")) {
		l.note("%s is compared as it is, with its *; contains looks for a piece, and matches for a regular expression", short(text))
	}
	if id, ok := l.resolve(n).(*ast.IdentifierNode); ok && id.Value == "method" &&
		!slices.ContainsFunc(dialogMethods, func(m protocol.Method) bool { return holds(how, string(m), text) }) {
		l.note("no method is %s; there are %s", short(text), list(dialogMethods))
	}
	switch l.fold(n) {
	case "lower":
		if cased(how, text, unicode.IsUpper) {
			l.note("what lower returns has no capital letters, and %s has", short(text))
		}
	case "upper":
		if cased(how, text, unicode.IsLower) {
			l.note("what upper returns has no small letters, and %s has", short(text))
		}
	}
}

// resolve returns what a name stands for, and n if it is none.
func (l *exprLook) resolve(n ast.Node) ast.Node {
	for range len(l.vars) {
		id, ok := n.(*ast.IdentifierNode)
		if !ok || l.vars[id.Value] == nil {
			break
		}
		n = l.vars[id.Value]
	}
	return n
}

// fold returns which of lower and upper has made n, "" if neither.
func (l *exprLook) fold(n ast.Node) string {
	b, ok := l.resolve(n).(*ast.BuiltinNode)
	switch {
	case !ok || len(b.Arguments) == 0:
		return ""
	case b.Name == "lower", b.Name == "upper":
		return b.Name
	case strings.HasPrefix(b.Name, "trim"):
		return l.fold(b.Arguments[0])
	}
	return ""
}

// holds is what an expression would say of two texts.
func holds(how, text, other string) bool {
	switch how {
	case "contains", "indexOf":
		return strings.Contains(text, other)
	case "startsWith", "hasPrefix":
		return strings.HasPrefix(text, other)
	case "endsWith", "hasSuffix":
		return strings.HasSuffix(text, other)
	case "matches":
		re, err := regexp.Compile(other)
		return err == nil && re.MatchString(text)
	}
	return text == other
}

// cased reports whether a text, or what a regular expression must find, has a letter of a
// case.
func cased(how, text string, is func(rune) bool) bool {
	if how != "matches" {
		return strings.ContainsFunc(text, is)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	return err == nil && casedLiteral(tree, is)
}

func casedLiteral(re *syntax.Regexp, is func(rune) bool) bool {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0 && slices.ContainsFunc(re.Rune, is) {
		return true
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return casedLiteral(sub, is) })
}
