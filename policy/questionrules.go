package policy

import (
	"fmt"
	"slices"

	"extui/internal/safetext"
	"extui/protocol"
)

// questionKeys are the keys of which an answer to a question has exactly one.
var questionKeys = []string{"option", "options", "text", "chat", "skip"}

func (p *parse) questionRules(v value, where string) []questionRule {
	if !p.is(v, array, where) {
		return nil
	}
	var all []questionRule
	for i, item := range v.items {
		all = append(all, p.questionRule(item, fmt.Sprintf("%s[%d]", where, i), all))
	}
	if len(all) == 0 {
		p.add(v.at, where, "", "an answer for each question: [{question: TEXT, option: LABEL}]")
	}
	return all
}

func (p *parse) questionRule(v value, where string, before []questionRule) (r questionRule) {
	if !p.is(v, object, where) {
		return r
	}
	n := 0
	for _, m := range v.members {
		at := where + "." + m.name
		if slices.Contains(questionKeys, m.name) {
			n++
		}
		switch m.name {
		case "question":
			if p.is(m.value, text, at) {
				p.hidden(m.value, at)
				p.lineEnd(m.value, at)
			}
			r.question = m.value.text
		case "option":
			r.kind, r.answer = protocol.KindOption, new(p.label(m.value, at))
		case "options":
			r.kind, r.selected = protocol.KindMulti, p.texts(m.value, at)
			if r.selected == nil {
				r.selected = []string{} // none of them, which is an answer
			}
		case "text":
			if p.is(m.value, text, at) && m.value.text == "" {
				p.add(m.value.at, at, `""`, "a text that is not empty")
			}
			p.words(m.value, at)
			r.kind, r.answer = protocol.KindCustom, new(m.value.text)
		case "chat":
			r.kind = protocol.KindChat
			if m.value.kind == text {
				p.words(m.value, at)
				r.answer = new(m.value.text)
			} else if m.value.kind != null {
				p.add(m.value.at, at, m.value.short(), "a text, or null")
			}
		case "skip":
			r.skip = p.isTrue(m.value, at)
		default:
			p.unknown(m, at, append([]string{"question"}, questionKeys...))
		}
	}
	if _, ok := v.get("question"); !ok {
		p.add(v.at, where+".question", "", "is missing: the text of the question")
	}
	if n != 1 {
		p.add(v.at, where, "", "one of %s", list(questionKeys))
	}
	if slices.ContainsFunc(before, func(b questionRule) bool { return b.question == r.question }) {
		p.add(v.at, where+".question", short(r.question), "is answered twice")
	}
	return r
}

// words checks an answer in one's own words, which is not given if [checkWords] refuses it.
func (p *parse) words(v value, where string) {
	if len(v.text) > longestGranted {
		p.add(v.at, where, v.short(), "a text of %d bytes at most", longestGranted)
	} else if !visible(v.text) {
		p.add(v.at, where, short(safetext.Block(v.text)), "a text that shows all that it holds")
	}
}
