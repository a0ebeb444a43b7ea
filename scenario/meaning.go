package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// memberKinds are what the members of requests are, where a text or a number in their
// place is a mistake. What is wrong on purpose is written with $is.
var memberKinds = map[string]kind{
	"timeout": number, "initialIndex": number,
	"options": array, "optionDetails": array, "questions": array, "widgetLines": array,
	"title": text, "message": text, "placeholder": text, "prefill": text, "statusKey": text, "statusText": text,
	"widgetKey": text, "widgetPlacement": text, "notifyType": text, "text": text, "url": text,
}

// kindNames are the kinds for a message.
var kindNames = map[kind]string{number: "a number", array: "a list", text: "a text: in quotes, where YAML takes it for something else"}

// members checks the kinds of what a request says. where is the path of what it says.
func (p *parseState) members(st *step, where string, rest []member) {
	if st.verb.who != Agent || st.verb.id != dialogID {
		return
	}
	p.memberKind(st.verb.main, st.main, where+"."+st.name)
	for _, m := range rest {
		p.memberKind(m.name, m.value, where+"."+m.name)
	}
}

func (p *parseState) memberKind(name string, v value, where string) {
	want, known := memberKinds[name]
	if !known || v.kind == want || v.kind == null || isOperator(v) || hasVariable(v) {
		return
	}
	said := kindNames[want]
	if name == "timeout" {
		said = "milliseconds, a number such as 30000"
	}
	p.add(v.at, where, v.short(), "%s; {$is: …} says it on purpose", said)
}

// hasVariable reports whether a text holds a ${name}, which stands for any value.
func hasVariable(v value) bool {
	if v.kind != text {
		return false
	}
	return slices.ContainsFunc(variable().FindAllString(v.text, -1), func(m string) bool { return !strings.HasPrefix(m, "$$") })
}

// fits checks that the answer beside a dialog can be one to it, as far as the file says
// what both are.
func (p *parseState) fits(st *step, answer value, where string) {
	reply := st.answer
	if reply.name != "answer" || reply.asMembers() || isOperator(answer) || hasVariable(answer) {
		return
	}
	dialog := st.record
	if options, ok := dialog.get("options"); ok && !allPlain(options) {
		dialog = without(dialog, "options")
	}
	record, _, ok := plain(reply.record, nil)
	if !ok {
		return
	}
	if why := misfit(dialog, record); why != "" {
		p.add(answer.at, where, answer.short(), "%s; {value: …} or {confirmed: …} sends what is wrong on purpose", why)
	}
}

// allPlain reports whether v is a list of texts that stand for themselves.
func allPlain(v value) bool {
	return v.kind == array && !slices.ContainsFunc(v.items, func(o value) bool {
		_, expr := shorthand(o.text)
		return o.kind != text || expr || strings.Contains(o.text, "${")
	})
}

// ignored are the names that ignore takes and that a slip of the finger is measured by.
// Agents and clients may have others.
func ignored() []string {
	names := []string{"response", "extension_error", "extension_ui_request", "extension_ui_response", "cancel", "prompt"}
	for name, v := range verbs[Agent] {
		if v.id == dialogID {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ignores reads the key ignore.
func (p *parseState) ignores(v value) []string {
	all := p.texts(v, "ignore")
	known := ignored()
	for i, name := range all {
		if slices.Contains(known, name) {
			continue
		}
		if j := slices.IndexFunc(known, func(k string) bool { return nearly(name, k) }); j >= 0 {
			p.add(v.items[i].at, fmt.Sprintf("ignore[%d]", i), v.items[i].short(), "no type or method of that name; there is %s", known[j])
		}
	}
	return all
}

// nearly reports whether two names differ in case, or in one character that is wrong,
// missing, too many or in the place of its neighbour.
func nearly(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// savedPath checks where a value that is saved stands.
func (p *parseState) savedPath(v value, where string) string {
	path := p.text(v, where)
	if v.kind == text && slices.Contains(strings.Split(path, "."), "") {
		p.add(v.at, where, v.short(), "a path such as data.sessionId, or data.items.0 for the first of a list")
	}
	return path
}

// pathIn finds the value of a step that stands at a place, as a path of the file.
func (s *step) pathIn(at Pos) string {
	if path, ok := pathAt(s.main, at, s.where+"."+s.name); ok {
		return path
	}
	if path, ok := pathAt(s.record, at, s.where); ok {
		return path
	}
	return s.where
}

func pathAt(v value, at Pos, path string) (string, bool) {
	for _, m := range v.members {
		if found, ok := pathAt(m.value, at, path+"."+m.name); ok && !isOperator(v) {
			return found, true
		}
	}
	for i, item := range v.items {
		if found, ok := pathAt(item, at, fmt.Sprintf("%s[%d]", path, i)); ok {
			return found, true
		}
	}
	return path, v.at == at
}
