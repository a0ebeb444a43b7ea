package policy

import (
	"slices"

	"extui/protocol"
)

// judge refuses a rule that would approve whatever is asked, and warns of one that
// approves more than its author can have seen.
func (p *parse) judge(r *rule, where string) {
	if !r.do.grants() {
		return
	}
	if r.when.open > 0 {
		p.add(r.at, where, "", "approves because time has passed, which is never consent; with open, a rule may cancel, ask, or say confirmed: false")
		return
	}
	c := &r.when
	switch command := r.do.kind == ActionRun; {
	case (!c.readsText() || c.matchesAnything()) && command:
		p.warn(r.at, where, "the command decides about every dialog that the rules above it leave")
		return
	case !c.readsText():
		p.add(r.at, where, "", "approves whatever is asked; it needs a condition on title, message, question or options")
		return
	case c.matchesAnything():
		p.add(r.at, where, "", "approves whatever is asked; its patterns match any text")
		return
	}
	for _, pattern := range append([]*pattern{c.title, c.message, c.placeholder, c.prefill, c.question}, c.contains...) {
		if pattern == nil {
			continue
		}
		for _, a := range pattern.alternatives {
			if why := a.broad(); why != "" {
				p.warn(a.at, a.where, "this rule approves by a broad pattern: %s", why)
			}
		}
	}
	if c.expr != nil && c.expr.loose != "" {
		p.warn(r.at, where+".when.expr", "this rule approves by a broad condition: %s", c.expr.loose)
	}
	if c.title == nil && c.message == nil && c.question == nil && (c.expr == nil || !c.expr.texts) {
		p.warn(r.at, where, "this rule approves whatever its question is")
	}
}

// readsText reports whether a condition depends on what the dialog says.
func (c *condition) readsText() bool {
	for _, p := range []*pattern{c.title, c.message, c.placeholder, c.prefill, c.question} {
		if p != nil {
			return true
		}
	}
	return c.options != nil || c.contains != nil || c.expr != nil && c.expr.texts
}

// nonsense are texts that no rule was written for.
var nonsense = []string{"Zq xw", "0 \u2603 1", "-"}

// matchesAnything reports whether a condition holds for a dialog that nobody can have had
// in mind.
func (c *condition) matchesAnything() bool {
	probe := *c
	probe.statuses, probe.session, probe.stage = nil, nil, 0
	methods := c.methods
	if methods == nil {
		methods = dialogMethods
	}
	return slices.ContainsFunc(methods, func(m protocol.Method) bool {
		return !slices.ContainsFunc(nonsense, func(s string) bool {
			_, ok, err := probe.match(newSituation(nonsenseDialog(m, s)), true)
			return !ok || err != nil
		})
	})
}

func nonsenseDialog(m protocol.Method, s string) protocol.Dialog {
	switch m {
	case protocol.MethodSelect:
		return &protocol.Select{Title: s, Options: protocol.Options(s, s+s)}
	case protocol.MethodConfirm:
		return &protocol.Confirm{Title: s, Message: &s}
	case protocol.MethodInput:
		return &protocol.Input{Title: s, Placeholder: &s}
	case protocol.MethodEditor:
		return &protocol.Editor{Title: s, Prefill: &s}
	}
	options := []protocol.QuestionOption{{Label: s}, {Label: s + s}}
	return &protocol.Questionnaire{Questions: []protocol.Question{{Question: s, Header: s, Options: options}}}
}

// unreachable warns of rules behind one that always matches.
func (p *parse) unreachable() {
	for i, r := range p.rules.rules {
		c := &r.when
		always := c.methods == nil && c.stage == 0 && !c.readsText() && c.statuses == nil && c.session == nil && c.expr == nil
		if always && i < len(p.rules.rules)-1 {
			p.warn(p.rules.rules[i+1].at, "rules", "%s matches every dialog, so that neither this rule nor one below it is ever reached", r.name)
			return
		}
	}
}
