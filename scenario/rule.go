package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Rule is what a scenario of a conformance suite judges, the key rule of its file.
type Rule struct {
	// ID names the rule for good: letters and a number, such as FRAME-3.
	ID string
	// Says is the rule in one sentence.
	Says     string
	Severity Severity
	// Section is the heading under which reports list it.
	Section string
	// Source is where the rule comes from; at least one, such as "pi".
	Source []string
	// Needs are the features without which the other end cannot be judged; may be empty.
	Needs []string
	// Why explains the rule; may be empty.
	Why string
}

// Severity is how much a rule binds.
type Severity string

// The severities, in the words of RFC 2119.
const (
	Must   Severity = "must"
	Should Severity = "should"
	May    Severity = "may"
)

// Severities are all of them, the strictest first.
var Severities = []Severity{Must, Should, May}

// Choice is what a person would choose in one dialog of a client under test, an entry
// of the key choices.
type Choice struct {
	// For is the title of the dialog, or "": the next one.
	For string
	// Kind is the member that says what: one of value, option, confirmed, answers,
	// cancelled, wait, fail and stop.
	Kind string
	// JSON is the whole entry as a JSON object.
	JSON string
}

// choiceKinds are the members of which a choice has exactly one.
var choiceKinds = []string{"value", "option", "confirmed", "answers", "cancelled", "wait", "fail", "stop"}

var ruleID = lazily(`^[A-Z][A-Z]*-[1-9][0-9]*$`)

// ruleKeys are the keys of a rule; those it cannot do without come first.
var ruleKeys = []string{"id", "says", "severity", "section", "source", "needs", "why"}

const neededRuleKeys = 5

// rule reads the key rule.
func (p *parseState) rule(v value) *Rule {
	if !p.is(v, object, "rule", "a map with "+strings.Join(ruleKeys[:neededRuleKeys], ", ")) {
		return nil
	}
	r := &Rule{}
	for _, m := range v.members {
		at := "rule." + m.name
		switch m.name {
		case "id":
			if r.ID = p.text(m.value, at); m.value.kind == text && !ruleID().MatchString(r.ID) {
				p.add(m.value.at, at, m.value.short(), "capital letters and a number, such as FRAME-3")
			}
		case "says":
			r.Says = p.filled(m.value, at)
		case "severity":
			if r.Severity = Severity(p.text(m.value, at)); m.value.kind == text && !slices.Contains(Severities, r.Severity) {
				p.add(m.value.at, at, m.value.short(), "must, should or may")
			}
		case "section":
			r.Section = p.filled(m.value, at)
		case "source":
			r.Source = p.oneOrMore(m.value, at)
		case "needs":
			r.Needs = p.oneOrMore(m.value, at)
		case "why":
			r.Why = p.filled(m.value, at)
		default:
			p.add(m.at, at, "", "no such key; there are %s", strings.Join(ruleKeys, ", "))
		}
	}
	for _, key := range ruleKeys[:neededRuleKeys] {
		if _, ok := v.get(key); !ok {
			p.add(v.at, "rule."+key, "", "is missing")
		}
	}
	return r
}

// filled is a text that says something, its line breaks as spaces.
func (p *parseState) filled(v value, where string) string {
	s := strings.Join(strings.Fields(p.text(v, where)), " ")
	if v.kind == text && s == "" {
		p.add(v.at, where, v.short(), "a text that says something")
	}
	return s
}

// oneOrMore is a text or a list of texts.
func (p *parseState) oneOrMore(v value, where string) []string {
	if v.kind == text {
		return []string{p.filled(v, where)}
	}
	if v.kind == array && len(v.items) == 0 {
		p.add(v.at, where, v.short(), "a text, or a list of texts")
	}
	return p.texts(v, where)
}

// choices reads the key choices.
func (p *parseState) choices(v value) []Choice {
	if !p.is(v, array, "choices", "a list such as [{value: staging}, {cancelled: true}]") {
		return nil
	}
	all := []Choice{}
	for i, item := range v.items {
		where := fmt.Sprintf("choices[%d]", i)
		if !p.is(item, object, where, "one of "+strings.Join(choiceKinds, ", ")+", with for and after at most") {
			continue
		}
		c := Choice{JSON: item.String()}
		for _, m := range item.members {
			at := where + "." + m.name
			switch {
			case m.name == "for":
				c.For = p.filled(m.value, at)
			case m.name == "after":
				p.natural(m.value, at, "how many milliseconds a person takes")
			case !slices.Contains(choiceKinds, m.name):
				p.add(m.at, at, "", "no such key; there are %s, for and after", strings.Join(choiceKinds, ", "))
			case c.Kind != "":
				p.add(m.at, at, "", "%s and %s are two choices", c.Kind, m.name)
			default:
				c.Kind = m.name
				p.choice(m, at)
			}
		}
		if c.Kind == "" {
			p.add(item.at, where, "", "chooses nothing: one of %s", strings.Join(choiceKinds, ", "))
		}
		all = append(all, c)
	}
	return all
}

// choice checks what stands behind the kind of a choice.
func (p *parseState) choice(m member, where string) {
	switch m.name {
	case "value":
		p.is(m.value, text, where, "a text: the option, or what is typed")
	case "option":
		p.natural(m.value, where, "which option of a select; 0 is the first")
	case "confirmed":
		p.is(m.value, truth, where, "true or false")
	case "answers":
		p.is(m.value, array, where, "a list of answers to a questionnaire")
	default:
		if m.value.kind != truth || m.value.text != "true" {
			p.add(m.value.at, where, m.value.short(), "true")
		}
	}
}

func (p *parseState) natural(v value, where, want string) {
	if n, err := strconv.Atoi(v.text); v.kind != number || err != nil || n < 0 {
		p.add(v.at, where, v.short(), "%s", want)
	}
}

// environ reads the key env.
func (p *parseState) environ(v value) map[string]string {
	all := p.textMap(v, "env")
	for _, m := range v.members {
		if m.name == "" || strings.ContainsAny(m.name, "=\x00") {
			p.add(m.at, "env", strconv.Quote(m.name), "no name of an environment variable")
		}
	}
	return all
}

// Environ returns env, lines such as NAME=VALUE as [os.Environ] gives them, with the
// variables of the file added, or put in the place of others. env stays as it is.
func (s *Scenario) Environ(env []string) []string {
	out := slices.Clone(env)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		out = SetEnv(out, name, s.Env[name])
	}
	return out
}

// SetEnv returns env with one variable added, or put in the place of one of that name.
// It may change env.
func SetEnv(env []string, name, value string) []string {
	env = slices.DeleteFunc(env, func(line string) bool { return strings.HasPrefix(line, name+"=") })
	return append(env, name+"="+value)
}
