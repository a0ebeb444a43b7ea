package policy

import (
	"fmt"
	"strings"
)

// fields is a set of places in a dialog where text stands.
type fields uint

const (
	inTitle fields = 1 << iota
	inMessage
	inQuestion
	inOptions
	inPlaceholder
	inPrefill
	inHeader
	inLabels      // of a question
	inDescription // of an option, or its preview

	inAsked = inTitle | inMessage | inQuestion // what says what is asked
)

var fieldNames = []string{"title", "message", "question", "options", "placeholder", "prefill", "header", "question's options", "description"}

// String is the names of the fields, for a sentence.
func (f fields) String() string {
	var names []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// proof is what is certain of each dialog for which a condition holds. What is not
// certain is not in it: it lists what a condition may be, never what it may not.
//
// The zero value proves nothing, which is what no condition proves.
type proof struct {
	never bool // there is no such dialog

	text  bool // some text of it holds a piece that was written, or is all written
	asked bool // that is so for one that says what is asked

	bound  fields // these texts hold such a piece, or are closed
	closed fields // these are all written, but for single words
	open   fields // these are looked at in a way that lets any other text stand beside; none of closed

	why  string // text is not true; "" if there is no condition
	wide string // in what way open is open
}

// and is what is certain if both conditions hold.
func (p proof) and(q proof) proof {
	out := proof{
		never: p.never || q.never, text: p.text || q.text, asked: p.asked || q.asked,
		bound: p.bound | q.bound, closed: p.closed | q.closed,
	}
	if p.open &^= out.closed; p.open != 0 {
		out.wide = p.wide
	}
	if q.open &^= out.closed; q.open != 0 && out.wide == "" {
		out.wide = q.wide
	}
	out.open = p.open | q.open
	if out.why = p.why; out.why == "" {
		out.why = q.why
	}
	return out
}

// or is what is certain if one of both conditions holds.
func (p proof) or(q proof) proof {
	switch {
	case p.never:
		return q
	case q.never:
		return p
	}
	out := proof{
		text: p.text && q.text, asked: p.asked && q.asked, bound: p.bound & q.bound, closed: p.closed & q.closed,
		open: p.open | q.open, why: p.why, wide: p.wide,
	}
	if out.why == "" || p.text && !q.text {
		out.why = q.why
	}
	if out.wide == "" {
		out.wide = q.wide
	}
	return out
}

// proves returns what is certain of a dialog with a text of which e is.
func proves(f fields, e evidence, source string) proof {
	p := proof{text: e.literal, asked: e.literal && f&inAsked != 0}
	if e.open == "" {
		p.closed, p.bound = f, f
	} else {
		p.open, p.wide = f, e.open
	}
	if e.literal {
		p.bound = f
	} else {
		p.why = fmt.Sprintf("%s takes texts that do not have %d letters or digits in a row in common", source, shortestPiece)
	}
	return p
}

// whole returns what is certain of a dialog with this text.
func whole(f fields, s string) proof {
	if blank(s) {
		return proof{closed: f, bound: f, why: fmt.Sprintf("an empty %v says nothing of the rest", f)}
	}
	return proves(f, evidence{literal: true}, "")
}

// piece returns what is certain of a dialog with a text that holds s.
func piece(f fields, s, how string) proof {
	p := proves(f, evidence{literal: pieces(s) >= shortestPiece, open: how}, "")
	if !p.text {
		p.why = fmt.Sprintf("many texts hold %s, which has no %d letters or digits in a row", short(s), shortestPiece)
	}
	return p
}

// proof returns what a pattern of a text proves.
func (p *pattern) proof(f fields) proof {
	out := proof{never: true}
	for _, a := range p.alternatives {
		one := whole(f, a.exact)
		if a.re != nil {
			one = proves(f, a.evidence(), short(a.source))
		}
		out = out.or(one)
	}
	return out
}

// proof returns what is certain of each dialog for which a condition holds. A method, a
// status, a session and a time prove nothing.
func (c *condition) proof() proof {
	var out proof
	for _, x := range c.patterns() {
		out = out.and(x.pattern.proof(x.fields))
	}
	for _, label := range c.options {
		out = out.and(whole(inOptions, label))
	}
	if c.expr != nil {
		out = out.and(c.expr.proof)
	}
	return out
}

// fieldPattern is a pattern and which text it is for.
type fieldPattern struct {
	fields  fields
	pattern *pattern
}

// patterns returns the patterns for what the dialog says.
func (c *condition) patterns() []fieldPattern {
	var all []fieldPattern
	for _, x := range []fieldPattern{
		{inTitle, c.title}, {inMessage, c.message}, {inPlaceholder, c.placeholder}, {inPrefill, c.prefill}, {inQuestion, c.question}, {inDescription, c.description},
	} {
		if x.pattern != nil {
			all = append(all, x)
		}
	}
	for _, p := range c.contains {
		all = append(all, fieldPattern{inOptions, p})
	}
	return all
}
