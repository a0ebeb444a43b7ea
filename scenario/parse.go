package scenario

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parseState is what Parse knows at one point of the file.
type parseState struct {
	*faults
	vars     map[string]bool // names that ${…} may stand for from here on
	commands []*step         // so far
	begun    []byte          // the line that bytes of the client have begun
}

// Parse reads one scenario; file is for messages. All that is wrong with it is in
// the error: [SyntaxError] values, joined. Relative paths stay as they are.
func Parse(file string, source []byte) (*Scenario, error) {
	f := &faults{file: file}
	s := &Scenario{
		File: file, Name: baseName(file), Within: DefaultWithin, source: slices.Clone(source),
		Flags: map[string]string{}, Tools: map[string]string{}, replies: map[string]value{},
	}
	root, ok := readYAML(source, f)
	if !ok {
		return nil, f.err()
	}
	p := &parseState{faults: f, vars: map[string]bool{}}
	if !p.is(root, object, "", "a scenario is a map with at least steps") {
		return nil, f.err()
	}
	for _, m := range root.members {
		s.edges = append(s.edges, m.at.Line)
		p.top(s, m)
	}
	if _, ok := root.get("steps"); !ok {
		p.add(root.at, "steps", "", "is missing: the conversation")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	for st := range allSteps(s.steps) {
		s.edges = append(s.edges, st.at.Line)
	}
	slices.Sort(s.edges)
	return s, nil
}

// topLevel are the keys of a file.
var topLevel = []string{"about", "rule", "extensions", "flags", "tools", "dialect", "env", "choices", "within", "ignore", "replies", "answers", "steps"}

func (p *parseState) top(s *Scenario, m member) {
	switch m.name {
	case "about":
		s.About = strings.TrimSpace(p.text(m.value, m.name))
	case "rule":
		s.Rule = p.rule(m.value)
	case "env":
		s.Env = p.environ(m.value)
	case "choices":
		s.Choices = p.choices(m.value)
	case "extensions":
		s.Extensions = p.texts(m.value, m.name)
		s.extensionsAt = m.value.items
	case "flags":
		s.Flags = p.textMap(m.value, m.name)
	case "tools":
		s.Tools = p.textMap(m.value, m.name)
	case "dialect":
		s.Dialect = p.text(m.value, m.name)
		if s.Dialect != "atomic" && s.Dialect != "pi" {
			p.add(m.value.at, m.name, m.value.short(), "atomic or pi")
		}
	case "within":
		s.Within = p.duration(m.value, m.name)
	case "ignore":
		s.ignore = p.ignores(m.value)
	case "replies":
		if p.is(m.value, object, m.name, "a map from a command to the data of its response") {
			for _, r := range m.value.members {
				s.replies[r.name] = p.pattern(r.value, m.name+"."+r.name)
			}
		}
	case "answers":
		if !p.is(m.value, array, m.name, "a list of {agent: …, answer: …}") {
			return
		}
		for i, v := range m.value.items {
			where := fmt.Sprintf("answers[%d]", i)
			st := p.step(v, where)
			if st != nil && (st.kind != speak || st.verb == nil || !st.verb.dialog || st.answer == nil) {
				p.add(v.at, where, "", "a dialog of the agent and its answer: {agent: {confirm: …}, answer: true}")
				continue
			}
			if st != nil {
				s.rules = append(s.rules, st)
			}
		}
	case "steps":
		s.steps = p.steps(m.value, m.name)
	default:
		p.add(m.at, m.name, "", "no such key; there are %s", strings.Join(topLevel, ", "))
	}
}

func (p *parseState) is(v value, k kind, where, want string) bool {
	if v.kind != k {
		p.add(v.at, where, v.short(), "%s", want)
		return false
	}
	return true
}

func (p *parseState) text(v value, where string) string {
	p.is(v, text, where, "a text")
	return v.text
}

func (p *parseState) texts(v value, where string) []string {
	if !p.is(v, array, where, "a list of texts") {
		return nil
	}
	var all []string
	for i, item := range v.items {
		all = append(all, p.text(item, fmt.Sprintf("%s[%d]", where, i)))
	}
	return all
}

func (p *parseState) textMap(v value, where string) map[string]string {
	all := map[string]string{}
	if p.is(v, object, where, "a map of texts") {
		for _, m := range v.members {
			if m.value.kind == object || m.value.kind == array || m.value.kind == null {
				p.add(m.value.at, where+"."+m.name, m.value.short(), "a text")
			}
			all[m.name] = m.value.text
		}
	}
	return all
}

func (p *parseState) duration(v value, where string) time.Duration {
	d, err := time.ParseDuration(v.text)
	if v.kind != text || err != nil || d <= 0 {
		p.add(v.at, where, v.short(), "a time such as 500ms, 30s or 2m")
	}
	return d
}

func (p *parseState) steps(v value, where string) []*step {
	if !p.is(v, array, where, "a list of steps") {
		return nil
	}
	if len(v.items) == 0 {
		p.add(v.at, where, "", "no steps")
	}
	var all []*step
	for i, item := range v.items {
		if st := p.step(item, fmt.Sprintf("%s[%d]", where, i)); st != nil {
			all = append(all, st)
		}
	}
	return all
}

// heads are the keys of which a step has exactly one.
var heads = []string{"client", "agent", "anyOrder", "never", "repeat", "wait"}

// modifiers are the keys that may stand beside them, and beside which.
var modifiers = map[string][]string{
	"as": {"client", "agent"}, "to": {"client", "agent"}, "within": {"client", "agent", "anyOrder", "never"},
	"save": {"client", "agent"}, "answer": {"agent"}, "raw": {"client", "agent"}, "end": {"client", "agent"}, "optional": {"client", "agent"}, "note": heads, "steps": {"repeat"},
}

func (p *parseState) step(v value, where string) *step {
	if !p.is(v, object, where, "a step such as {client: {prompt: /hello}}") {
		return nil
	}
	head := ""
	for _, m := range v.members {
		if slices.Contains(heads, m.name) {
			if head != "" {
				p.add(m.at, where, "", "%s and %s are two steps", head, m.name)
				return nil
			}
			head = m.name
		}
	}
	if head == "" {
		p.add(v.at, where, "", "a step is one of %s", strings.Join(heads, ", "))
		return nil
	}
	st := &step{at: v.at}
	before := len(p.all)
	m, _ := v.get(head)
	p.head(st, head, m, where+"."+head, v)
	// The answer last: it may use what the others name.
	for _, last := range []bool{false, true} {
		for _, m := range v.members {
			if m.name != head && (m.name == "answer") == last {
				p.modifier(st, head, m, where)
			}
		}
	}
	if len(p.all) > before {
		return nil
	}
	p.note(st)
	return st
}

// note keeps a command for the responses that come after it.
func (p *parseState) note(st *step) {
	if st.kind != speak || st.verb == nil {
		return
	}
	if st.isRaw() && st.who == Client { // an agent sends no commands
		// Whether a line is a command does not hang on how often something stands in it,
		// which may be millions of times.
		short := *st
		short.bytes = slices.Clone(st.bytes)
		for i := range short.bytes {
			short.bytes[i].times = min(short.bytes[i].times, 2)
		}
		var lines [][]byte
		lines, p.begun = short.rawLines(p.begun, nil)
		for _, line := range lines {
			v, err := decode(line)
			if err == nil && v.str("type") != "" && v.str("type") != "extension_ui_response" {
				p.commands = append(p.commands, st)
			}
		}
	}
	switch st.verb.id {
	case commandID:
		p.commands = append(p.commands, st)
	case responseID:
		for _, c := range slices.Backward(p.commands) {
			if st.to == "" || c.as == st.to {
				c.answered = true
				break
			}
		}
	}
}

func (p *parseState) head(st *step, head string, v value, where string, whole value) {
	switch head {
	case "client", "agent":
		p.speech(st, Role(head), v, where)
	case "wait":
		st.kind = pause
		st.within = p.duration(v, where)
	case "never":
		st.kind = never
		inner := p.step(v, where)
		if inner == nil {
			return
		}
		if inner.kind != speak || inner.verb.action || inner.name == "bytes" {
			p.add(v.at, where, "", "what must not come: {agent: {notify: …}}")
		}
		st.steps = []*step{inner}
	case "anyOrder":
		st.kind = anyOrder
		st.steps = p.steps(v, where)
		for i, inner := range st.steps {
			if inner.kind != speak || inner.verb.action || inner.who != st.steps[0].who {
				p.add(inner.at, fmt.Sprintf("%s[%d]", where, i), "", "only records of one end come in any order")
			}
		}
	case "repeat":
		st.kind = repeat
		n, err := strconv.Atoi(v.text)
		if v.kind != number || err != nil || n < 1 || n > math.MaxInt32 {
			p.add(v.at, where, v.short(), "how often: a number from 1 to %d", math.MaxInt32)
		}
		st.count = n
		steps, ok := whole.get("steps")
		if !ok {
			p.add(v.at, where, "", "needs steps beside it")
			return
		}
		outer := maps.Clone(p.vars)
		p.vars["n"] = true
		st.steps = p.steps(steps, strings.TrimSuffix(where, "repeat")+"steps")
		if !outer["n"] {
			delete(p.vars, "n")
		}
	}
}

func (p *parseState) modifier(st *step, head string, m member, where string) {
	at := where + "." + m.name
	allowed, known := modifiers[m.name]
	if !known {
		p.add(m.at, at, "", "no such key; beside %s may stand %s", head, strings.Join(modifiersOf(head), ", "))
		return
	}
	if !slices.Contains(allowed, head) {
		p.add(m.at, at, "", "has no meaning beside %s", head)
		return
	}
	switch m.name {
	case "as":
		st.as = p.name(m.value, at)
		p.vars[st.as] = true
	case "to":
		st.to = p.text(m.value, at)
		if st.to != "" && !p.vars[st.to] {
			p.add(m.value.at, at, st.to, "no step before this one has that name in as")
		}
	case "within":
		st.within = p.duration(m.value, at)
	case "raw":
		if st.verb == nil || st.verb.action || st.name == "bytes" {
			p.add(m.at, at, "", "only a record or a line has bytes to look at")
			return
		}
		st.raw, st.rawText = p.pieces(m.value, at), m.value
	case "end":
		if st.verb == nil || st.verb.action || st.name == "bytes" {
			p.add(m.at, at, "", "only a record or a line has an end")
			return
		}
		if st.end = p.text(m.value, at); st.end != "" && lineEnds[st.end] == "" {
			p.add(m.value.at, at, st.end, "lf or crlf")
		}
	case "note":
		st.note = p.text(m.value, at)
	case "optional":
		p.is(m.value, truth, at, "true or false")
		st.optional = m.value.text == "true"
	case "save":
		if p.is(m.value, object, at, "a map from a name to a path such as data.sessionId") {
			for _, s := range m.value.members {
				p.name(textAt(s.name, s.at), at)
				st.save = append(st.save, saved{s.name, p.savedPath(s.value, at+"."+s.name)})
				p.vars[s.name] = true
			}
		}
	case "answer":
		if st.verb == nil || !st.verb.dialog {
			p.add(m.at, at, "", "only a dialog has an answer")
			return
		}
		reply := &step{at: m.at, who: Client, name: "answer", verb: verbs[Client]["answer"], main: m.value}
		if m.value.kind == null {
			reply.name, reply.verb = "cancel", verbs[Client]["cancel"]
		}
		reply.record = reply.verb.template(reply.name, p.pattern(m.value, at), nil)
		st.answer = reply
		reply.where = where
		p.fits(st, m.value, at)
	}
}

func modifiersOf(head string) []string {
	var names []string
	for name, beside := range modifiers {
		if slices.Contains(beside, head) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func textAt(s string, at Pos) value { return value{kind: text, text: s, at: at} }

// name checks the name of a variable.
func (p *parseState) name(v value, where string) string {
	s := p.text(v, where)
	if !isName(s) {
		p.add(v.at, where, v.short(), "a name of letters, digits, - and _")
	}
	return s
}

func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) < 0
}

// speech reads what one end says.
func (p *parseState) speech(st *step, who Role, v value, where string) {
	st.who, st.where = who, where
	if v.kind == text && slices.Contains(bare, v.text) && verbs[who][v.text] != nil {
		v = value{kind: object, at: v.at, members: []member{{v.text, boolValue(true), v.at}}}
	}
	if !p.is(v, object, where, "what it says: a map such as {"+example(who)+"}") {
		return
	}
	var rest []member
	for _, m := range v.members {
		if st.verb == nil && verbs[who][m.name] != nil {
			st.name, st.verb, st.main = m.name, verbs[who][m.name], m.value
			continue
		}
		rest = append(rest, m)
	}
	if st.verb == nil {
		p.add(v.at, where, v.short(), "says none of %s", verbNames(who))
		return
	}
	for i, m := range rest {
		at := where + "." + m.name
		if st.name == "record" {
			p.add(m.at, at, "", "stands beside record, not in it")
		} else if st.verb.known != nil && !slices.Contains(st.verb.known, m.name) {
			p.add(m.at, at, "", "is no member of %s; record writes any", st.name)
		}
		rest[i].value = p.pattern(m.value, at)
	}
	p.main(st, where+"."+st.name)
	p.members(st, where, rest)
	if !st.verb.action && !st.isRaw() {
		st.record = st.verb.template(st.name, st.main, rest)
	}
}

func example(who Role) string {
	if who == Client {
		return "prompt: /hello"
	}
	return "notify: Hello"
}

// main checks what stands behind the verb.
func (p *parseState) main(st *step, where string) {
	switch st.name {
	case "line":
		if st.main.kind != text {
			st.bytes = p.pieces(st.main, where)
		}
	case "bytes":
		st.bytes = p.pieces(st.main, where)
	case "close", "cancel", "dismiss":
		if st.main.kind != truth || st.main.text != "true" {
			p.add(st.main.at, where, st.main.short(), "true")
		}
	case "kill":
		if st.main.kind != text || !slices.Contains(Signals, st.main.text) {
			p.add(st.main.at, where, st.main.short(), "one of %s", strings.Join(Signals, ", "))
		}
	case "exit":
		if n, err := strconv.Atoi(st.main.text); st.main.kind != number || err != nil || n < 0 || n > 255 {
			p.add(st.main.at, where, st.main.short(), "an exit code from 0 to 255")
		}
	case "record":
		p.is(st.main, object, where, "the whole record, an object")
		fallthrough
	default:
		st.main = p.pattern(st.main, where)
	}
}

// Signals are what a step may send with kill.
var Signals = []string{"INT", "TERM", "HUP", "KILL"}
