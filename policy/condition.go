package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"extui/protocol"
)

// condition is the "when" of a rule: all that it says must hold. The zero value always
// holds.
type condition struct {
	methods []protocol.Method // nil: any

	title, message, placeholder, prefill, question, session *pattern // nil: any
	description                                             *pattern // matches that of some option; nil: any

	options  []string   // exactly these, in this order; nil: any
	contains []*pattern // each is matched by some option
	statuses []statusCondition
	open     time.Duration // 0: from the beginning
	stage    int           // the index of open among the times of the file, plus one; 0 without open
	expr     *expression
}

type statusCondition struct {
	key     string
	pattern *pattern // nil: the status is not set
}

// conditionKeys are the keys of "when".
var conditionKeys = []string{"method", "title", "message", "placeholder", "prefill", "question", "options", "description", "status", "session", "open", "expr"}

// dialogMethods are the values of "method".
var dialogMethods = []protocol.Method{protocol.MethodSelect, protocol.MethodConfirm, protocol.MethodInput,
	protocol.MethodEditor, protocol.MethodQuestionnaire}

func (p *parse) condition(v value, where string) condition {
	var c condition
	if !p.is(v, object, where) {
		return c
	}
	for _, m := range v.members {
		at := where + "." + m.name
		switch m.name {
		case "method":
			c.methods = p.methods(m.value, at)
		case "title":
			c.title = p.pattern(m.value, at)
		case "message":
			c.message = p.pattern(m.value, at)
		case "placeholder":
			c.placeholder = p.pattern(m.value, at)
		case "prefill":
			c.prefill = p.pattern(m.value, at)
		case "question":
			c.question = p.pattern(m.value, at)
		case "description":
			c.description = p.pattern(m.value, at)
		case "session":
			c.session = p.pattern(m.value, at)
		case "options":
			p.optionsCondition(&c, m.value, at)
		case "status":
			p.statusConditions(&c, m.value, at)
		case "open":
			c.open = p.duration(m.value, at)
		case "expr":
			c.expr = p.expression(m.value, at)
		default:
			p.unknown(m, at, conditionKeys)
		}
	}
	return c
}

func (p *parse) methods(v value, where string) []protocol.Method {
	items := v.items
	if v.kind == text {
		items = []value{v}
	} else if !p.is(v, array, where) {
		return nil
	}
	methods := []protocol.Method{} // not nil: an empty list is no condition that always holds
	for _, item := range items {
		m := protocol.Method(item.text)
		if item.kind != text || !slices.Contains(dialogMethods, m) {
			p.add(item.at, where, item.short(), "one of %s", list(dialogMethods))
		}
		methods = append(methods, m)
	}
	if len(methods) == 0 {
		p.add(v.at, where, "", "an empty list matches nothing")
	}
	return methods
}

func (p *parse) optionsCondition(c *condition, v value, where string) {
	if v.kind == array {
		c.options = p.texts(v, where)
		if len(c.options) == 0 {
			p.add(v.at, where, "", "an empty list matches nothing")
		}
		for i, item := range v.items {
			p.lineEnd(item, fmt.Sprintf("%s[%d]", where, i))
		}
		return
	}
	m, ok := v.get("contains")
	if v.kind != object || len(v.members) != 1 || !ok {
		p.add(v.at, where, v.short(), "a list of all options in their order, or {contains: …}")
		return
	}
	where += ".contains"
	if m.kind != array {
		c.contains = []*pattern{p.pattern(m, where)}
		return
	}
	for i, item := range m.items {
		c.contains = append(c.contains, p.pattern(item, fmt.Sprintf("%s[%d]", where, i)))
	}
	if len(m.items) == 0 {
		p.add(m.at, where, "", "an empty list says nothing")
	}
}

func (p *parse) statusConditions(c *condition, v value, where string) {
	if !p.is(v, object, where) {
		return
	}
	for _, m := range v.members {
		s := statusCondition{key: m.name}
		if m.value.kind != null {
			s.pattern = p.pattern(m.value, where+"."+m.name)
		}
		c.statuses = append(c.statuses, s)
	}
}

func (p *parse) expression(v value, where string) *expression {
	if !p.is(v, text, where) {
		return nil
	}
	e, err := compileExpr(v.text)
	if err == nil {
		p.hidden(v, where)
		for _, text := range e.notes {
			p.warn(v.at, where, "%s", text)
		}
		e.at = v.at
		return e
	}
	at := v.at
	if e, ok := err.(*exprError); ok && e.line > 0 {
		switch {
		case v.block:
			at = Pos{v.at.Line + e.line, 1}
		case e.line == 1:
			at.Column += e.column
			if v.quoted {
				at.Column++
			}
		}
	}
	p.add(at, where, v.short(), "no condition: %v", err)
	return nil
}

// found is what the groups of the patterns of a condition have matched, for templates. One
// that took no part is not there.
type found map[string]string

// match reports whether the condition holds. An error, which only an expression has,
// must cancel the dialog.
func (c *condition) match(s *situation, grants bool) (found, bool, error) {
	if c.methods != nil && !slices.Contains(c.methods, s.method) || c.stage > s.stage {
		return nil, false, nil
	}
	groups := found{}
	for _, field := range []struct {
		name    string
		pattern *pattern
		text    *string
	}{
		{"title", c.title, s.title}, {"message", c.message, s.message},
		{"placeholder", c.placeholder, s.placeholder}, {"prefill", c.prefill, s.prefill}, {"session", c.session, &s.session},
	} {
		if field.pattern == nil {
			continue
		}
		if field.text == nil {
			return nil, false, nil
		}
		matched, re, ok := field.pattern.match(*field.text, grants)
		if !ok {
			return nil, false, nil
		}
		for i, text := range matched {
			if text == nil {
				continue
			}
			groups[fmt.Sprintf("%s.%d", field.name, i)] = *text
			if name := re.SubexpNames()[i]; name != "" {
				groups[field.name+"."+name] = *text
			}
		}
	}
	if !c.matchOptions(s, grants) || !c.matchStatuses(s, grants) {
		return nil, false, nil
	}
	if c.question != nil && !slices.ContainsFunc(s.questions, func(q protocol.Question) bool {
		_, _, ok := c.question.match(q.Question, grants)
		return ok
	}) {
		return nil, false, nil
	}
	if c.description != nil && !slices.ContainsFunc(s.descriptions(), func(t string) bool {
		_, _, ok := c.description.match(t, grants)
		return ok
	}) {
		return nil, false, nil
	}
	if c.expr != nil {
		if ok, err := c.expr.match(s); !ok || err != nil {
			return nil, false, err
		}
	}
	return groups, !grants || c.shown(s), nil
}

// shown reports whether each text of a dialog shows all that it holds, whether the
// condition looks at it or not: what an approving rule does not look at may be what is
// approved. A text that the condition names exactly is one that its author has seen.
func (c *condition) shown(s *situation) bool {
	folds := c.expr != nil && c.expr.folds
	for t := range s.texts {
		if (!visible(t) || folds && strings.ContainsFunc(t, becomesASCII)) && !c.names(t) {
			return false
		}
	}
	if folds {
		for _, t := range s.statuses {
			if strings.ContainsFunc(t, becomesASCII) {
				return false
			}
		}
	}
	return c.recordShown(s)
}

// names reports whether a text stands in the condition as it is.
func (c *condition) names(t string) bool {
	for _, p := range append([]*pattern{c.title, c.message, c.placeholder, c.prefill, c.question, c.description}, c.contains...) {
		if p != nil && slices.ContainsFunc(p.alternatives, func(a alternative) bool { return a.re == nil && a.exact == t }) {
			return true
		}
	}
	return slices.Contains(c.options, t)
}

func (c *condition) matchOptions(s *situation, grants bool) bool {
	if c.options != nil && !slices.EqualFunc(c.options, s.options, func(want string, o protocol.Option) bool { return o.Label == want }) {
		return false
	}
	for _, p := range c.contains {
		if !slices.ContainsFunc(s.options, func(o protocol.Option) bool {
			_, _, ok := p.match(o.Label, grants)
			return ok
		}) {
			return false
		}
	}
	return true
}

func (c *condition) matchStatuses(s *situation, grants bool) bool {
	for _, want := range c.statuses {
		got, set := s.statuses[want.key]
		if want.pattern == nil {
			if set {
				return false
			}
			continue
		}
		if !set {
			return false
		}
		if _, _, ok := want.pattern.match(got, grants); !ok {
			return false
		}
	}
	return true
}
