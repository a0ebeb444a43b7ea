package policy

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// The bounds of an expression. It looks at what an agent sent, so that its work has to
// stay within a second whatever that is; what goes beyond cancels the dialog.
const (
	maxExprNodes  = 300
	maxExprLoops  = 2
	maxExprMemory = 100_000 // items of lists that it makes
	maxExprWork   = 1 << 27 // bytes looked at: all texts, once for each turn of the innermost loop
)

// exprFunctions are the functions of an expression: none of them reads anything but its
// arguments, and none makes a large value of a small one.
var exprFunctions = []string{"all", "any", "none", "one", "count", "filter", "find", "len", "lower", "upper", "trim",
	"trimPrefix", "trimSuffix", "hasPrefix", "hasSuffix", "indexOf", "keys"}

// exprEnv is what an expression sees.
type exprEnv struct {
	Method      string   `expr:"method"`
	Title       string   `expr:"title"`
	Message     string   `expr:"message"`
	Placeholder string   `expr:"placeholder"`
	Prefill     string   `expr:"prefill"`
	Options     []string `expr:"options"`

	Descriptions []string `expr:"descriptions"` // of the options, "" for one that has none

	Questions []exprQuestion    `expr:"questions"`
	Status    map[string]string `expr:"status"`
	Session   string            `expr:"session"`
	Timeout   float64           `expr:"timeout"` // in seconds; 0: none
}

type exprQuestion struct {
	Question string   `expr:"question"`
	Header   string   `expr:"header"`
	Options  []string `expr:"options"`

	Descriptions []string `expr:"descriptions"`
	Previews     []string `expr:"previews"`

	Multi bool `expr:"multi"`
}

// expression is a compiled condition. It may be evaluated by several goroutines at once.
type expression struct {
	program *vm.Program
	at      Pos
	loops   int   // how deep its predicates stand in each other
	texts   bool  // it looks at what the dialog says
	folds   bool  // it puts texts in upper or lower case
	proof   proof // what is certain if it is true

	source string
	names  []string // of the dialog's texts that it looks at
	status bool     // it looks at statuses
	notes  []string // of what works, but hardly as it was meant
}

// exprError says where in an expression something is wrong.
type exprError struct {
	line, column int // from 1 and from 0; 0, 0 if nobody knows
	text         string
}

func (e *exprError) Error() string { return e.text }

func exprFault(err error) error {
	if f, ok := errors.AsType[*file.Error](err); ok {
		return &exprError{f.Line, f.Column, f.Message}
	}
	return &exprError{text: err.Error()}
}

// compileExpr checks and compiles an expression. Errors are [*exprError]s.
func compileExpr(source string) (*expression, error) {
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, exprFault(err)
	}
	check := &exprCheck{}
	check.node(tree.Node, 0)
	if check.err != nil {
		if f, ok := errors.AsType[*file.Error](check.err); ok {
			return nil, exprFault(f.Bind(tree.Source))
		}
	}
	options := []expr.Option{expr.Env(exprEnv{}), expr.AsBool(), expr.WarnOnAny(), expr.MaxNodes(maxExprNodes), expr.DisableAllBuiltins()}
	for _, name := range exprFunctions {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(source, options...)
	if err != nil {
		return nil, exprFault(err)
	}
	look := exprLook{vars: map[string]ast.Node{}}
	look.node(tree.Node)
	return &expression{
		program: program, loops: check.loops, texts: len(look.names) > 0, folds: check.folds, proof: exprProof{}.proof(tree.Node),
		source: source, names: look.names, status: look.status, notes: look.notes,
	}, nil
}

// exprCheck looks for what the compiler lets through.
type exprCheck struct {
	loops int
	folds bool
	err   error // the first; a *file.Error
}

func (c *exprCheck) fault(n ast.Node, format string, args ...any) {
	if c.err == nil {
		c.err = &file.Error{Location: n.Location(), Message: fmt.Sprintf(format, args...)}
	}
}

// node visits n, which stands in so many predicates.
func (c *exprCheck) node(n ast.Node, loops int) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			c.fault(n, "$env has names that only show themselves when it is evaluated")
		}
	case *ast.BinaryNode:
		c.binary(n)
	case *ast.BuiltinNode:
		c.folds = c.folds || n.Name == "lower" || n.Name == "upper"
	case *ast.PredicateNode:
		if loops++; loops > maxExprLoops {
			c.fault(n, "more than %d predicates within each other", maxExprLoops)
		}
		c.loops = max(c.loops, loops)
	case *ast.CallNode, *ast.MapNode:
		c.fault(n, "there is nothing to call and no map to make in a condition")
	}
	for _, child := range children(n) {
		c.node(child, loops)
	}
}

func (c *exprCheck) binary(n *ast.BinaryNode) {
	switch n.Operator {
	case "matches":
		pattern, ok := n.Right.(*ast.StringNode)
		if !ok {
			c.fault(n.Right, "a regular expression stands there as a text, and is not put together")
			return
		}
		if _, err := regexp.Compile(pattern.Value); err != nil {
			c.fault(n.Right, "no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	case "..":
		c.fault(n, "no ranges: an expression looks at what is there")
	case "+":
		c.fault(n, "no sums: an expression looks at what is there")
	}
}

// children returns the nodes directly below n.
func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.ChainNode:
		return []ast.Node{n.Node}
	case *ast.MemberNode:
		return []ast.Node{n.Node, n.Property}
	case *ast.SliceNode:
		return nodes(n.Node, n.From, n.To)
	case *ast.CallNode:
		return append([]ast.Node{n.Callee}, n.Arguments...)
	case *ast.BuiltinNode:
		return n.Arguments
	case *ast.PredicateNode:
		return []ast.Node{n.Node}
	case *ast.VariableDeclaratorNode:
		return []ast.Node{n.Value, n.Expr}
	case *ast.SequenceNode:
		return n.Nodes
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.ArrayNode:
		return n.Nodes
	case *ast.MapNode:
		return n.Pairs
	case *ast.PairNode:
		return []ast.Node{n.Key, n.Value}
	}
	return nil
}

func nodes(all ...ast.Node) []ast.Node {
	out := all[:0]
	for _, n := range all {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

// errTooLarge is why an expression does not judge a dialog.
var errTooLarge = errors.New("the dialog is too large for an expression to judge")

// match evaluates the expression. An error must cancel the dialog: the expression may have
// been there to deny it.
func (e *expression) match(s *situation) (bool, error) {
	bytes, items := s.size()
	if work := float64(bytes+1) * math.Pow(float64(items+1), float64(e.loops)); work > maxExprWork {
		return false, errTooLarge
	}
	machine := vm.VM{MemoryBudget: maxExprMemory}
	result, err := machine.Run(e.program, s.env())
	if err != nil {
		return false, exprFault(err)
	}
	return result == true, nil
}

// env is the situation as expressions see it.
func (s *situation) env() exprEnv {
	deref := func(t *string) string {
		if t == nil {
			return ""
		}
		return *t
	}
	env := exprEnv{
		Method: string(s.method), Title: deref(s.title), Message: deref(s.message), Placeholder: deref(s.placeholder),
		Prefill: deref(s.prefill), Status: s.statuses, Session: s.session,
	}
	if limit, ok := s.dialog.DialogTimeout().Duration(); ok {
		env.Timeout = limit.Seconds()
	}
	for _, o := range s.options {
		env.Options = append(env.Options, o.Label)
		env.Descriptions = append(env.Descriptions, o.Description)
	}
	for _, q := range s.questions {
		eq := exprQuestion{Question: q.Question, Header: q.Header, Multi: q.MultiSelect}
		for _, o := range q.Options {
			eq.Options = append(eq.Options, o.Label)
			eq.Descriptions = append(eq.Descriptions, o.Description)
			eq.Previews = append(eq.Previews, deref(o.Preview))
		}
		env.Questions = append(env.Questions, eq)
	}
	return env
}
