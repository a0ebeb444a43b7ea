package policy

import (
	"fmt"
	"maps"
	"regexp"

	"github.com/expr-lang/expr/ast"
)

// exprProof finds out what is certain of the dialogs for which an expression is true. It
// knows the forms that say which text there is; every other proves nothing.
type exprProof struct {
	names map[string]exprValue // of the variables around
	item  subject              // what # is
}

// exprValue is what a part of an expression may be: a condition, or a text of the dialog.
type exprValue struct {
	proof   proof
	subject subject
}

// subject is what a part of an expression looks at. The zero value is nothing known.
type subject struct {
	kind   subjectKind
	fields fields
	part   bool // of the text, not all of it
}

type subjectKind int

const (
	unknownSubject subjectKind = iota
	textSubject
	labelsSubject    // a list of labels
	questionsSubject // the list of questions
	questionSubject  // one of them
)

var exprSubjects = map[string]subject{
	"title": {kind: textSubject, fields: inTitle}, "message": {kind: textSubject, fields: inMessage},
	"placeholder": {kind: textSubject, fields: inPlaceholder}, "prefill": {kind: textSubject, fields: inPrefill},
	"options": {kind: labelsSubject, fields: inOptions}, "descriptions": {kind: labelsSubject, fields: inDescription}, "questions": {kind: questionsSubject},
}

var questionSubjects = map[string]subject{
	"question": {kind: textSubject, fields: inQuestion}, "header": {kind: textSubject, fields: inHeader},
	"options": {kind: labelsSubject, fields: inLabels}, "descriptions": {kind: labelsSubject, fields: inDescription},
	"previews": {kind: labelsSubject, fields: inDescription},
}

func unproven(format string, n ast.Node) proof {
	return proof{why: fmt.Sprintf(format, short(n.String()))}
}

const (
	whyNegation = "%s only says what is not there"
	whyNothing  = "%s says of no text what it is"
	whyAll      = "%s holds for an empty list as well"
)

// proof returns what is certain if n is true.
func (x exprProof) proof(n ast.Node) proof {
	switch n := n.(type) {
	case *ast.BoolNode:
		return proof{never: !n.Value, why: fmt.Sprintf(whyNothing, n.String())}
	case *ast.IdentifierNode:
		if v, ok := x.names[n.Value]; ok {
			return v.proof
		}
	case *ast.UnaryNode:
		return unproven(whyNegation, n)
	case *ast.BinaryNode:
		return x.binary(n)
	case *ast.BuiltinNode:
		return x.builtin(n)
	case *ast.ConditionalNode:
		return x.proof(n.Cond).and(x.proof(n.Exp1)).or(x.proof(n.Exp2))
	case *ast.VariableDeclaratorNode:
		inner := exprProof{names: maps.Clone(x.names), item: x.item}
		if inner.names == nil {
			inner.names = map[string]exprValue{}
		}
		inner.names[n.Name] = exprValue{x.proof(n.Value), x.subject(n.Value)}
		return inner.proof(n.Expr)
	case *ast.SequenceNode:
		if len(n.Nodes) > 0 {
			return x.proof(n.Nodes[len(n.Nodes)-1])
		}
	case *ast.PredicateNode:
		return x.proof(n.Node)
	}
	return unproven(whyNothing, n)
}

func (x exprProof) binary(n *ast.BinaryNode) proof {
	switch n.Operator {
	case "and", "&&":
		return x.proof(n.Left).and(x.proof(n.Right))
	case "or", "||":
		return x.proof(n.Left).or(x.proof(n.Right))
	case "==":
		left, right := n.Left, n.Right
		if _, ok := left.(*ast.StringNode); ok {
			left, right = right, left
		}
		if s := x.subject(left); s.kind == textSubject {
			if text, ok := right.(*ast.StringNode); ok {
				return s.is(text.Value)
			}
		}
	case "!=":
		return unproven(whyNegation, n)
	case "in":
		return x.in(n)
	case "contains", "startsWith", "endsWith":
		return x.holds(n, n.Left, n.Right, n.Operator)
	case "matches":
		pattern, ok := n.Right.(*ast.StringNode)
		if s := x.subject(n.Left); ok && s.kind == textSubject {
			re, err := regexp.Compile(pattern.Value)
			if err != nil {
				break
			}
			e := alternative{re: re}.evidence()
			if s.part && e.open == "" {
				e.open = "it looks at a part of the text"
			}
			return proves(s.fields, e, short(pattern.Value))
		}
	}
	return unproven(whyNothing, n)
}

// is proves that s is this text.
func (s subject) is(text string) proof {
	if s.part {
		return piece(s.fields, text, "it looks at a part of the text")
	}
	return whole(s.fields, text)
}

// holds proves that a text holds another one.
func (x exprProof) holds(n, text, other ast.Node, how string) proof {
	s := x.subject(text)
	part, ok := other.(*ast.StringNode)
	if s.kind != textSubject || !ok {
		return unproven(whyNothing, n)
	}
	return piece(s.fields, part.Value, how+" lets any other text stand beside; == compares whole texts")
}

// in proves that a text is one of several, or that a label is one of those that are
// offered.
func (x exprProof) in(n *ast.BinaryNode) proof {
	if text, ok := n.Left.(*ast.StringNode); ok {
		if s := x.subject(n.Right); s.kind == labelsSubject {
			return whole(s.fields, text.Value)
		}
	}
	s := x.subject(n.Left)
	list, ok := n.Right.(*ast.ArrayNode)
	if s.kind != textSubject || !ok {
		return unproven(whyNothing, n)
	}
	out := proof{never: true}
	for _, item := range list.Nodes {
		text, ok := item.(*ast.StringNode)
		if !ok {
			return unproven(whyNothing, n)
		}
		out = out.or(s.is(text.Value))
	}
	return out
}

func (x exprProof) builtin(n *ast.BuiltinNode) proof {
	if len(n.Arguments) == 2 {
		switch n.Name {
		case "hasPrefix", "hasSuffix":
			return x.holds(n, n.Arguments[0], n.Arguments[1], n.Name)
		case "any", "one":
			return exprProof{x.names, x.subject(n.Arguments[0]).item()}.proof(n.Arguments[1])
		case "none":
			return unproven(whyNegation, n)
		case "all":
			return unproven(whyAll, n)
		}
	}
	return unproven(whyNothing, n)
}

// item is one of a list.
func (s subject) item() subject {
	switch s.kind {
	case labelsSubject:
		return subject{kind: textSubject, fields: s.fields}
	case questionsSubject:
		return subject{kind: questionSubject}
	}
	return subject{}
}

// subject returns which text, or which list of texts, n is.
func (x exprProof) subject(n ast.Node) subject {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if v, ok := x.names[n.Value]; ok {
			return v.subject
		}
		return exprSubjects[n.Value]
	case *ast.PointerNode:
		if n.Name == "" {
			return x.item
		}
	case *ast.ChainNode:
		return x.subject(n.Node)
	case *ast.MemberNode:
		of := x.subject(n.Node)
		switch p := n.Property.(type) {
		case *ast.IntegerNode:
			return of.item()
		case *ast.StringNode:
			if of.kind == questionSubject {
				return questionSubjects[p.Value]
			}
		}
	case *ast.SliceNode:
		if s := x.subject(n.Node); s.kind == textSubject {
			s.part = true
			return s
		}
	case *ast.BuiltinNode:
		return x.changed(n)
	}
	return subject{}
}

// changed is a text after a function: with other letters or without blanks it is as good
// as whole, without something else it is a part.
func (x exprProof) changed(n *ast.BuiltinNode) subject {
	if len(n.Arguments) == 0 {
		return subject{}
	}
	s := x.subject(n.Arguments[0])
	if s.kind != textSubject {
		return subject{}
	}
	switch n.Name {
	case "lower", "upper":
		return s
	case "trim", "trimPrefix", "trimSuffix":
		s.part = s.part || n.Name != "trim" || len(n.Arguments) > 1
		return s
	}
	return subject{}
}
