package policy

import (
	"fmt"
	"slices"
	"strings"
)

// template is a value with {{name}} in it. What a name stands for is put in as it is:
// nothing in a template is ever evaluated.
type template struct {
	// parts are texts and names in turn, beginning with a text.
	parts []string
}

// templateNames are the names of every template, beside "status.KEY" and the groups of
// the rule's regular expressions, such as "title.1".
var templateNames = []string{"title", "message", "placeholder", "prefill", "session"}

// template reads a value. The when of its rule says which groups there are.
func (p *parse) template(v value, where string, when *condition) template {
	var t template
	if !p.is(v, text, where) {
		return t
	}
	p.hidden(v, where)
	rest, plain := v.text, ""
	for {
		i := strings.Index(rest, "{{")
		if i < 0 {
			t.parts = append(t.parts, plain+rest)
			return t
		}
		if strings.HasSuffix(rest[:i], `\`) {
			plain += rest[:i-1] + "{{"
			rest = rest[i+2:]
			continue
		}
		name, after, ok := strings.Cut(rest[i+2:], "}}")
		if !ok {
			p.add(v.at, where, v.short(), `{{ without }}; \{{ is a plain {{`)
			return t
		}
		name = strings.TrimSpace(name)
		if !when.provides(name) {
			p.add(v.at, where, "{{"+name+"}}", "no such name; there are %s, status.KEY, and the groups of this rule's regular expressions, such as title.1",
				strings.Join(templateNames, ", "))
		}
		t.parts = append(t.parts, plain+rest[:i], name)
		rest, plain = after, ""
	}
}

// provides reports whether a template beside c may use name.
func (c *condition) provides(name string) bool {
	if slices.Contains(templateNames, name) || strings.HasPrefix(name, "status.") && name != "status." {
		return true
	}
	field, group, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	p := map[string]*pattern{"title": c.title, "message": c.message, "placeholder": c.placeholder, "prefill": c.prefill, "session": c.session}[field]
	// Of several alternatives, the one that matches might have no such group.
	if p == nil || len(p.alternatives) != 1 || p.alternatives[0].re == nil || p.alternatives[0].isGlob {
		return false
	}
	for i, known := range p.alternatives[0].re.SubexpNames() {
		if group == fmt.Sprint(i) || known != "" && group == known {
			return true
		}
	}
	return false
}

// fill puts the values in. An error names what the dialog does not have, or
// has with hidden characters in it.
func (t template) fill(s *situation, groups found) (string, error) {
	var b strings.Builder
	for i, part := range t.parts {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		text, ok := s.named(part, groups)
		if !ok {
			if strings.Contains(part, ".") && !strings.HasPrefix(part, "status.") {
				return "", fmt.Errorf("the group {{%s}} took no part in what matched", part)
			}
			return "", fmt.Errorf("the dialog has no %s to put in place of {{%s}}", part, part)
		}
		// The session's name is not the agent's.
		if part != "session" && !strings.HasPrefix(part, "session.") && !visible(text) {
			return "", fmt.Errorf("%s, put in place of {{%s}}, does not show all that it holds, or is too long: %s", part, part, short(text))
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// named returns what a name of a template stands for.
func (s *situation) named(name string, groups found) (string, bool) {
	var t *string
	switch name {
	case "title":
		t = s.title
	case "message":
		t = s.message
	case "placeholder":
		t = s.placeholder
	case "prefill":
		t = s.prefill
	case "session":
		return s.session, true
	default:
		if key, ok := strings.CutPrefix(name, "status."); ok {
			text, ok := s.statuses[key]
			return text, ok
		}
		text, ok := groups[name]
		return text, ok
	}
	if t == nil {
		return "", false
	}
	return *t, true
}
