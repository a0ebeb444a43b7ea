package scenario

import (
	"context"
	"fmt"
	"slices"
)

// say sends what a step says, or expects it if the step is the other end's. about is
// the dialog that it answers, if that is not the usual one.
func (p *player) say(st *step, about *dialog) bool {
	if st.who != p.me {
		return p.expect(st, about)
	}
	if st.isRaw() {
		return p.sayRaw(st)
	}
	record, _, _ := plain(st.record, p.vars) // CheckRole has found it plain.
	record.members = slices.Clone(record.members)
	if why := p.address(st, &record, about); why != "" {
		return p.fail(st, "%s", why)
	}
	line := record.append(nil)
	if len(st.rawDifferences(line, p.vars)) > 0 {
		return p.fail(st, "what raw says is not in what is sent: %s", shorten(string(line)))
	}
	opened := p.passed(p.me, record, st)
	if err := p.write(line, st.end); err != nil {
		return p.fail(st, "%v", err)
	}
	for _, s := range st.save {
		v, ok := record.path(s.path)
		if !ok {
			return p.fail(st, "nothing stands at %s, which is to be saved as %s", s.path, s.name)
		}
		p.vars[s.name] = v
	}
	if !p.result(st, OK, nil, "") {
		return false
	}
	if st.answer != nil {
		return p.say(st.answer, opened)
	}
	return true
}

// address puts the id into a record that is to be sent, where pi has it.
func (p *player) address(st *step, record *value, about *dialog) string {
	_, has := record.get("id")
	switch st.verb.id {
	case commandID:
		if !has {
			record.members = slices.Insert(record.members, 0, field("id", p.newID("c")))
		}
	case dialogID, targetID:
		if !has {
			record.members = slices.Insert(record.members, 1, field("id", p.newID("d")))
		}
		if st.verb.id == dialogID {
			return ""
		}
		d := p.dialog(st.to)
		if d == nil {
			return "no dialog is open that it could be for"
		}
		record.members = slices.Insert(record.members, 3, field("targetId", d.id))
	case answerID:
		if about == nil {
			about = p.dialog(st.to)
		}
		if about == nil {
			return "no dialog is open that it could be for"
		}
		if st.name == "answer" && !st.asMembers() {
			if why := misfit(about.record, *record); why != "" {
				return why + "; the members of the response, such as {value: …}, are sent as they are"
			}
		}
		record.members = slices.Insert(record.members, 1, field("id", about.id))
	case responseID:
		c := p.command(st.to)
		if c == nil {
			return "no command came before that it could be for"
		}
		if _, ok := record.get("command"); !ok {
			record.members = slices.Insert(record.members, 1, field("command", textValue(c.kind)))
		}
		if c.id.kind != null {
			record.members = slices.Insert(record.members, 0, field("id", c.id))
		}
	}
	return ""
}

// asMembers reports whether an answer is written as the members of the response: such
// may be wrong on purpose.
func (s *step) asMembers() bool { return s.main.kind == object && !isOperator(s.main) }

// misfit says why an answer cannot be one to a dialog, "" if it can.
func misfit(dialog, answer value) string {
	said, _ := answer.get("value")
	switch method := dialog.str("method"); method {
	case "confirm":
		if yes, ok := answer.get("confirmed"); !ok || yes.kind != truth {
			return "a confirm is answered with true or false"
		}
	case "select":
		options, listed := dialog.get("options")
		switch {
		case said.kind != text:
			return "a select is answered with one of its options, a text"
		case listed && options.kind == array && !slices.ContainsFunc(options.items, func(o value) bool { return equal(o, said) }):
			return fmt.Sprintf("%s is none of the options %s", said.short(), options.short())
		}
	case "input", "editor":
		if said.kind != text {
			return "an " + method + " is answered with a text; a number or a word that YAML takes for something else needs quotes"
		}
	case "questionnaire":
		if list, ok := answer.get("answers"); !ok || list.kind != array {
			return "a questionnaire is answered with a list"
		}
	}
	return ""
}

// newID makes the next id of ours: the same in each play.
func (p *player) newID(prefix string) value {
	p.ids++
	return textValue(fmt.Sprintf("%s%d", prefix, p.ids))
}

// write sends one line. end is a key of lineEnds, "" for a line feed.
func (p *player) write(line []byte, end string) error {
	if p.closed {
		return fmt.Errorf("the %s has closed its side before", p.me)
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.s.Within)
	defer cancel()
	p.wire(p.me, line)
	if end == "crlf" {
		line = append(slices.Clip(line), '\r')
	}
	if err := p.out.Write(ctx, line); err != nil {
		return fmt.Errorf("the %s does not read: %w", p.me.other(), err)
	}
	if err := p.out.Flush(ctx); err != nil {
		return fmt.Errorf("the %s does not read: %w", p.me.other(), err)
	}
	return nil
}
