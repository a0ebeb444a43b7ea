package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// operators are the keys of an object that says how to compare.
var operators = []string{"$is", "$matches", "$contains", "$any", "$absent", "$not", "$oneOf", "$anyOrder", "$length", "$json"}

// isOperator reports whether v says how to compare, and is no value itself.
func isOperator(v value) bool {
	return v.kind == object && len(v.members) > 0 && strings.HasPrefix(v.members[0].name, "$")
}

// operator returns the operator of v with its argument.
func operator(v value) (string, value) {
	for _, m := range v.members {
		if m.name != "$send" {
			return m.name, m.value
		}
	}
	return "$any", boolValue(true)
}

// shorthand returns the expression that a text such as /^Deployed/ stands for.
func shorthand(s string) (string, bool) {
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' {
		return s[1 : len(s)-1], true
	}
	return "", false
}

// pattern checks a value of a step, and puts what $json stands for in its place.
func (p *parseState) pattern(v value, where string) value {
	switch v.kind {
	case text:
		if expr, ok := shorthand(v.text); ok {
			p.regexp(expr, v, where)
		}
		p.variables(v, where)
	case array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = p.pattern(v.items[i], fmt.Sprintf("%s[%d]", where, i))
		}
	case object:
		if isOperator(v) {
			return p.operator(v, where)
		}
		v.members = slices.Clone(v.members)
		for i, m := range v.members {
			if strings.HasPrefix(m.name, "$") {
				p.add(m.at, where+"."+m.name, "", "an operator stands alone, not among other keys")
			}
			v.members[i].value = p.pattern(m.value, where+"."+m.name)
		}
	}
	return v
}

func (p *parseState) operator(v value, where string) value {
	name, arg := operator(v)
	at := where + "." + name
	others := 0
	v.members = slices.Clone(v.members)
	for i, m := range v.members {
		switch {
		case m.name == "$send":
			v.members[i].value = p.pattern(m.value, where+".$send")
		case !slices.Contains(operators, m.name):
			p.add(m.at, where+"."+m.name, "", "no such operator; there are %s and $send", strings.Join(operators, ", "))
		default:
			others++
		}
	}
	if others > 1 {
		p.add(v.at, where, "", "one operator at a time, with $send at most")
	}
	switch name {
	case "$matches":
		if p.is(arg, text, at, "a regular expression") {
			p.regexp(arg.text, arg, at)
		}
	case "$any", "$absent":
		if arg.kind != truth || arg.text != "true" {
			p.add(arg.at, at, arg.short(), "true")
		}
	case "$length":
		if n, err := strconv.Atoi(arg.text); arg.kind != number || err != nil || n < 0 {
			p.add(arg.at, at, arg.short(), "a number of items or characters")
		}
	case "$oneOf", "$anyOrder":
		p.is(arg, array, at, "a list")
		p.pattern(arg, at)
	case "$json":
		if !p.is(arg, text, at, "JSON as a text") {
			return v
		}
		parsed, err := decode([]byte(arg.text))
		if err != nil {
			p.add(arg.at, at, arg.short(), "not JSON: %v", err)
		}
		return literal(parsed, arg.at)
	case "$is":
		p.variables(arg, at)
	default:
		p.pattern(arg, at)
	}
	return v
}

// literal keeps the texts of a value from being taken for expressions and variables.
func literal(v value, at Pos) value {
	v.at = at
	switch v.kind {
	case text:
		_, expr := shorthand(v.text)
		if expr || strings.Contains(v.text, "${") {
			return value{kind: object, at: at, members: []member{{"$is", textAt(strings.ReplaceAll(v.text, "${", "$${"), at), at}}}
		}
	case array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			v.items[i] = literal(v.items[i], at)
		}
	case object:
		v.members = slices.Clone(v.members)
		for i := range v.members {
			v.members[i].value = literal(v.members[i].value, at)
			v.members[i].at = at
		}
	}
	return v
}

func (p *parseState) regexp(expr string, v value, where string) {
	if _, err := regexp.Compile(expr); err != nil {
		p.add(v.at, where, v.short(), "no regular expression: %v", err)
	}
}

var variable = lazily(`\$?\$\{([^}]*)\}`)

// variables checks that each ${name} in a text has been given a value before.
func (p *parseState) variables(v value, where string) {
	for _, m := range variable().FindAllStringSubmatch(v.text, -1) {
		if !strings.HasPrefix(m[0], "$$") && !p.vars[m[1]] {
			p.add(v.at, where, m[0], "no step before this one saves or names it; $${ is a plain ${")
		}
	}
}

// fill puts the values of variables into a text. A text that is nothing but one
// variable becomes its value, whatever that is.
func fill(v value, vars map[string]value) value {
	if v.kind != text || !strings.Contains(v.text, "${") {
		return v
	}
	if m := variable().FindString(v.text); m == v.text && !strings.HasPrefix(m, "$$") {
		return vars[m[2:len(m)-1]]
	}
	v.text = variable().ReplaceAllStringFunc(v.text, func(m string) string {
		if strings.HasPrefix(m, "$$") {
			return m[1:]
		}
		filled := vars[m[2:len(m)-1]]
		if filled.kind == text {
			return filled.text
		}
		return filled.String()
	})
	return v
}

// plain returns what to send for a pattern. ok is false if it is one that only
// compares; at is where.
func plain(v value, vars map[string]value) (out value, at Pos, ok bool) {
	switch v.kind {
	case text:
		if _, expr := shorthand(v.text); expr {
			return v, v.at, false
		}
		return fill(v, vars), v.at, true
	case array:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			if v.items[i], at, ok = plain(v.items[i], vars); !ok {
				return v, at, false
			}
		}
	case object:
		if isOperator(v) {
			if send, ok := v.get("$send"); ok {
				return plain(send, vars)
			}
			if name, arg := operator(v); name == "$is" {
				return fill(arg, vars), v.at, true
			}
			return v, v.at, false
		}
		members := v.members
		v.members = nil
		for _, m := range members {
			if name, _ := operator(m.value); isOperator(m.value) && name == "$absent" {
				continue
			}
			if m.value, at, ok = plain(m.value, vars); !ok {
				return v, at, false
			}
			v.members = append(v.members, m)
		}
	}
	return v, v.at, true
}

// lazily is a regular expression that is compiled when it is first used: most
// programs that link this package start without it.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
