package policy

import (
	"fmt"
	"slices"
	"strings"

	"extui/protocol"
)

// fieldsOf are the texts that a dialog of a method has, by the names of their conditions.
var fieldsOf = map[protocol.Method][]string{
	protocol.MethodSelect:        {"title", "options", "description", "descriptions"},
	protocol.MethodConfirm:       {"title", "message"},
	protocol.MethodInput:         {"title", "placeholder"},
	protocol.MethodEditor:        {"title", "prefill"},
	protocol.MethodQuestionnaire: {"question", "questions", "description"},
}

// has reports whether a dialog of a method has a field.
func has(m protocol.Method, field string) bool { return slices.Contains(fieldsOf[m], field) }

// never warns of a rule that cannot do what it says: one that denies is then no more than
// a comment, and a rule below it may approve.
func (p *parse) never(r *rule, where string) {
	c := &r.when
	methods := c.methods
	if methods == nil {
		methods = dialogMethods
	}
	seen := func(name string) bool {
		return slices.ContainsFunc(methods, func(m protocol.Method) bool { return has(m, name) })
	}
	switch {
	case len(c.possible()) == 0:
		p.warn(r.at, where, "this rule never matches: no dialog of the method %s has all of %s", list(methods), list(c.fieldNames()))
	case c.expr != nil && len(c.expr.names) > 0 && !slices.ContainsFunc(c.expr.names, seen):
		p.warn(c.expr.at, where+".when.expr", "no dialog of the method %s has any of %s, which are empty here", list(methods), list(c.expr.names))
	}
	if c.expr != nil && c.expr.proof.never {
		p.warn(c.expr.at, where+".when.expr", "this rule never matches: its condition is never true")
	}
	switch r.do.kind {
	case ActionAnswer:
		if n := times(c.options, r.do.option); c.options != nil && n != 1 {
			p.warn(r.at, where+".answer", "this rule always fails: its condition is that %s is offered %d times", short(r.do.option), n)
		}
	case ActionAnswers:
		p.neverAnswers(r, where)
	case ActionValue:
		p.dictated(r, where+".value")
	}
}

// dictated warns of a value that nothing but the agent chooses, and of one that no dialog
// has.
func (p *parse) dictated(r *rule, where string) {
	c := &r.when
	looks := c.looksAt()
	for i := 1; i < len(r.do.value.parts); i += 2 {
		name := r.do.value.parts[i]
		key, isStatus := strings.CutPrefix(name, "status.")
		switch {
		case isStatus:
			if !slices.ContainsFunc(c.statuses, func(s statusCondition) bool { return s.key == key && s.pattern != nil }) && (c.expr == nil || !c.expr.status) {
				p.warn(r.at, where, "{{%s}} is whatever the agent has put there; add a condition status: {%s: PATTERN}", name, key)
			}
		case name == "session" || strings.Contains(name, "."): // not the agent's, or a group of a condition
		case !slices.ContainsFunc(c.possible(), func(m protocol.Method) bool { return has(m, name) }):
			p.warn(r.at, where, "this rule always fails: no dialog that it matches has a %s for {{%s}}", name, name)
		case !slices.Contains(looks, name):
			p.warn(r.at, where, "{{%s}} is whatever the agent has put there; add a condition %s: PATTERN", name, name)
		}
	}
}

func (p *parse) neverAnswers(r *rule, where string) {
	if q := r.when.question; q != nil && !slices.ContainsFunc(r.do.answers, func(a questionRule) bool {
		_, _, ok := q.match(a.question, true)
		return ok
	}) {
		p.warn(r.at, where+".answers", "this rule always fails: it answers none of the questions that its condition asks for")
	}
	for i, a := range r.do.answers {
		for j, label := range a.selected {
			if slices.Contains(a.selected[:j], label) {
				p.warn(r.at, fmt.Sprintf("%s.answers[%d].options", where, i), "this rule always fails: it chooses %s twice", short(label))
			}
		}
	}
}

// fieldNames are the fields that a dialog must have for the condition to hold.
func (c *condition) fieldNames() []string {
	var names []string
	for _, f := range []struct {
		name  string
		there bool
	}{
		{"title", c.title != nil}, {"message", c.message != nil}, {"placeholder", c.placeholder != nil},
		{"prefill", c.prefill != nil}, {"options", c.options != nil || c.contains != nil}, {"question", c.question != nil}, {"description", c.description != nil},
	} {
		if f.there {
			names = append(names, f.name)
		}
	}
	return names
}

// looksAt are the names of what the condition looks at in a dialog, sorted and each once:
// those of [condition.fieldNames], and those that its expression uses.
func (c *condition) looksAt() []string {
	names := c.fieldNames()
	if c.expr != nil {
		names = append(names, c.expr.names...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// times counts how often a text is one of several.
func times(all []string, text string) int {
	n := 0
	for _, t := range all {
		if t == text {
			n++
		}
	}
	return n
}

// plain warns of an exact text that looks like a pattern. {exact: TEXT} says that it is none.
func (p *parse) plain(v value, where string) {
	switch t := v.text; {
	case strings.HasPrefix(t, "^"), strings.HasPrefix(t, "(?"), strings.Contains(t, ".*"), strings.Contains(t, `\b`):
		p.warn(v.at, where, "it is compared as it is, though it looks like a regular expression: {regexp: EXPRESSION} is one, and {exact: TEXT} says that this is none")
	case strings.Contains(t, "*"):
		p.warn(v.at, where, "it is compared as it is, with its *: {glob: PATTERN} lets * be any text, and {exact: TEXT} says that it is none")
	}
	p.lineEnd(v, where)
}

// lineEnd warns of a block text that keeps a line end which nobody sees.
func (p *parse) lineEnd(v value, where string) {
	if v.block && strings.HasSuffix(v.text, "\n") {
		p.warn(v.at, where, "it ends with a line break, as block texts do; |- and >- leave that out")
	}
}

// lines warns of line breaks and blanks in a regular expression that come from how it is
// laid out.
func (p *parse) lines(v value, where string) {
	p.lineEnd(v, where)
	t := strings.TrimSuffix(v.text, "\n")
	if v.block && (strings.Contains(t, "\n") || strings.Contains(t, "| ") || strings.Contains(t, " |")) {
		p.warn(v.at, where, "the line breaks and blanks of a block text are part of the expression")
	}
}

// shadowed warns of rules that match nothing which a rule above them does not match.
func (p *parse) shadowed() {
	for i, r := range p.rules.rules {
		for _, above := range p.rules.rules[:i] {
			if !above.when.covers(&r.when) {
				continue
			}
			rest := ""
			if possible := r.when.possible(); above.when.methods != nil && !within(possible, above.when.methods) {
				if !above.do.grants() || r.do.grants() {
					continue // Two rules for two kinds of dialogs.
				}
				rest = " about a " + list(above.when.methods)
			}
			if above.do.grants() && !r.do.grants() {
				rest += ", but for dialogs that hide something"
			}
			p.warn(r.at, fmt.Sprintf("rules[%d]", i), "this rule decides nothing%s: %s (line %d), above it, matches whatever it matches", rest, above.name, above.at.Line)
			break
		}
	}
}

// possible returns the methods of dialogs that have all that the condition looks at.
func (c *condition) possible() []protocol.Method {
	methods := c.methods
	if methods == nil {
		methods = dialogMethods
	}
	fields := c.fieldNames()
	return slices.DeleteFunc(slices.Clone(methods), func(m protocol.Method) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return !has(m, f) })
	})
}

// within reports whether all of some methods are among others.
func within(some, others []protocol.Method) bool {
	return !slices.ContainsFunc(some, func(m protocol.Method) bool { return !slices.Contains(others, m) })
}

// covers reports whether c certainly holds wherever d does, where the dialog is of one of
// c's methods, and but for what [visible] keeps from a rule that approves.
func (c *condition) covers(d *condition) bool {
	if c.stage > d.stage || c.always() {
		return false // That one rule matches everything is said of the first below it.
	}
	if c.methods != nil && !slices.ContainsFunc(d.possible(), func(m protocol.Method) bool { return slices.Contains(c.methods, m) }) {
		return false
	}
	for _, x := range [][2]*pattern{
		{c.title, d.title}, {c.message, d.message}, {c.placeholder, d.placeholder}, {c.prefill, d.prefill},
		{c.question, d.question}, {c.description, d.description}, {c.session, d.session},
	} {
		if !x[0].covers(x[1]) {
			return false
		}
	}
	if c.options != nil && !slices.Equal(c.options, d.options) || c.expr != nil && (d.expr == nil || d.expr.source != c.expr.source) {
		return false
	}
	return c.coversContains(d) && c.coversStatuses(d)
}

func (c *condition) coversContains(d *condition) bool {
	return !slices.ContainsFunc(c.contains, func(x *pattern) bool {
		return !slices.ContainsFunc(d.contains, x.covers) && !slices.ContainsFunc(d.options, func(label string) bool {
			_, _, ok := x.match(label, false)
			return ok
		})
	})
}

func (c *condition) coversStatuses(d *condition) bool {
	return !slices.ContainsFunc(c.statuses, func(x statusCondition) bool {
		return !slices.ContainsFunc(d.statuses, func(y statusCondition) bool {
			return x.key == y.key && (x.pattern == nil) == (y.pattern == nil) && x.pattern.covers(y.pattern)
		})
	})
}

// covers reports whether p certainly matches whatever q does. nil matches everything.
func (p *pattern) covers(q *pattern) bool {
	if p == nil {
		return true
	}
	return q != nil && !slices.ContainsFunc(q.alternatives, func(a alternative) bool {
		if a.re == nil {
			_, _, ok := p.match(a.exact, false)
			return !ok
		}
		return !slices.ContainsFunc(p.alternatives, func(b alternative) bool { return b.re != nil && b.re.String() == a.re.String() })
	})
}
