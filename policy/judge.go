package policy

import "slices"

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
	p.broad(c, where)
	p.narrow(r, where)
}

// broad warns of patterns that take more texts than their author can have seen.
func (p *parse) broad(c *condition, where string) {
	for _, x := range c.patterns() {
		for _, a := range x.pattern.alternatives {
			if a.re == nil {
				continue
			}
			if open := a.evidence().open; open != "" {
				p.warn(a.at, a.where, "this rule approves by a broad pattern: %s", open)
			}
		}
	}
	if c.expr == nil {
		return
	}
	// What a pattern beside it closes is not open.
	plain := *c
	plain.expr = nil
	if open := c.expr.proof.open &^ plain.proof().closed; open != 0 {
		p.warn(c.expr.at, where+".when.expr", "this rule approves by a broad condition on the %v: %s", open, c.expr.proof.wide)
	}
}

// narrow warns unless it is certain that the rule approves what somebody wrote down.
func (p *parse) narrow(r *rule, where string) {
	c := &r.when
	proof := c.proof()
	switch {
	case proof.never:
		return
	case !proof.text:
		at, field := c.place(r.at, where)
		p.warn(at, field, "nothing proves that this rule approves only what you have seen: %s; compare a whole text (title: TEXT, or title == \"TEXT\"), or ask for a piece of at least %d letters or digits in a row",
			proof.why, shortestPiece)
		return
	case !proof.asked:
		p.warn(r.at, where, "this rule approves whatever its question is; add a condition on the title, message or question")
	case r.do.kind == ActionAnswers && c.description == nil && !(c.expr != nil && slices.Contains(c.expr.names, "questions")):
		p.warn(r.at, where, "this rule answers by the questions and labels, and nothing proves what the headers, descriptions and previews are; add description: TEXT, or look at them with expr")
	case r.do.kind == ActionConfirmed:
		p.unread(r, where, proof.bound)
	}
	if titles := c.approved(); len(titles) > 1 {
		p.warn(r.at, where, "this rule would approve %d of %d questions that have nothing to do with each other, such as %s and %s",
			len(titles), len(unrelated), short(titles[0]), short(titles[1]))
	}
}

// unread warns of a rule that says yes to a confirm by its title: what is approved may
// stand in the message. So it is the other way round.
func (p *parse) unread(r *rule, where string, bound fields) {
	switch (inTitle | inMessage) &^ bound {
	case inMessage:
		p.warn(r.at, where, `this rule approves by the title, and nothing proves what the message is; add message: TEXT, or expr: 'message == ""' if there is none`)
	case inTitle:
		p.warn(r.at, where, "this rule approves by the message, and nothing proves what the title is; add title: TEXT")
	case inTitle | inMessage:
		p.warn(r.at, where, "this rule approves by the title in one case and by the message in another, and nothing proves what the other one is")
	}
}

// place is where the conditions on what is asked stand.
func (c *condition) place(at Pos, where string) (Pos, string) {
	if all := c.patterns(); len(all) > 0 {
		return all[0].pattern.at, all[0].pattern.where
	}
	if c.expr != nil {
		return c.expr.at, where + ".when.expr"
	}
	return at, where + ".when"
}

// readsText reports whether a condition depends on what the dialog says.
func (c *condition) readsText() bool {
	return len(c.patterns()) > 0 || c.options != nil || c.expr != nil && c.expr.texts
}

// unreachable warns of rules behind one that always matches.
func (p *parse) unreachable() {
	for i, r := range p.rules.rules {
		if r.when.always() && i < len(p.rules.rules)-1 {
			p.warn(p.rules.rules[i+1].at, "rules", "%s matches every dialog, so that neither this rule nor one below it is ever reached", r.name)
			return
		}
	}
}

// always reports whether a condition holds whatever comes.
func (c *condition) always() bool {
	return c.methods == nil && c.stage == 0 && !c.readsText() && c.statuses == nil && c.session == nil && c.expr == nil
}
