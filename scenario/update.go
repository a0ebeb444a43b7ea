package scenario

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"extui/internal/yamlfile"
)

// accepted is a step and what came in its place.
type accepted struct {
	step *step
	got  value
	vars map[string]value // as they were then
}

// Update returns the text of the scenario's file with the steps that
// [Options.Update] accepted rewritten as what came, comments and all other lines
// as they are. ok is false if nothing was accepted, or the scenario failed
// elsewhere: half of an update would be none.
//
// A step keeps the members that it names, and of those the patterns that still match.
// Where other values in the same places are all that it takes, only these are replaced.
// Otherwise the step is written anew, if no comment and no anchor would get lost.
func (r *Report) Update() (source []byte, ok bool) {
	if len(r.accepted) == 0 || !r.Passed() {
		return nil, false
	}
	latest := map[*step]accepted{}
	for _, a := range r.accepted {
		latest[a.step] = a
	}
	all := slices.Collect(maps.Values(latest))
	source = r.Scenario.updated(all)
	return source, r.Scenario.sameBut(source, all)
}

// updated is the source with these steps rewritten.
func (s *Scenario) updated(all []accepted) []byte {
	lines := splitLines(s.source)
	lineEnd := lineEnd(lines)
	lines = s.edited(lines, all)
	all = slices.DeleteFunc(slices.Clone(all), s.inPlace)
	// From the end, so that line numbers before it stay.
	slices.SortFunc(all, func(a, b accepted) int { return b.step.at.Line - a.step.at.Line })
	comments := commentsOf(s.source)
	for _, a := range all {
		start := a.step.at.Line
		end := s.stepEnd(start, lines)
		indent, _ := s.indent(a.step)
		text := indent + a.rewritten(strings.Repeat(" ", len(indent))) + "\n"
		if behind := comments[start]; behind.text != "" {
			first, rest, _ := strings.Cut(text, "\n")
			text = first + behind.gap + behind.text + "\n" + rest
		}
		text = strings.ReplaceAll(text, "\n", lineEnd)
		lines = slices.Replace(lines, start-1, end, []byte(text))
	}
	return bytes.Join(lines, nil)
}

// comment is one with its #, and the blanks before it.
type comment struct{ gap, text string }

// commentsOf returns the comments of a file by their lines.
func commentsOf(source []byte) map[int]comment {
	source = yamlfile.Unified(source)
	lines := strings.Split(string(source), "\n")
	all := map[int]comment{}
	for _, t := range lexer.Tokenize(string(source)) {
		if t.Type != token.CommentType || t.Position.Line > len(lines) {
			continue
		}
		line := []rune(lines[t.Position.Line-1])
		if at := t.Position.Column - 1; at >= 0 && at < len(line) && line[at] == '#' {
			before := string(line[:at])
			all[t.Position.Line] = comment{before[len(strings.TrimRight(before, " \t")):], strings.TrimRight(string(line[at:]), " \t")}
		}
	}
	return all
}

// indent is what stands before a step on its line, such as "  - ". ok is false if
// that is anything else, so that the step shares its lines with others.
func (s *Scenario) indent(st *step) (indent string, ok bool) {
	line := []rune(string(splitLines(s.source)[st.at.Line-1]))
	indent = string(line[:min(st.at.Column-1, len(line))])
	if before, flow := strings.CutSuffix(strings.TrimRight(indent, " "), "{"); flow {
		indent = before
	}
	same := 0
	for _, edge := range s.edges {
		if edge == st.at.Line {
			same++
		}
	}
	return indent, strings.Trim(indent, " ") == "-" && same == 1
}

// stepEnd is the last line of the step that begins at line start: what stands
// before the next one, but for blank lines and comments.
func (s *Scenario) stepEnd(start int, lines [][]byte) int {
	end := len(lines)
	if i := slices.IndexFunc(s.edges, func(edge int) bool { return edge > start }); i >= 0 {
		end = s.edges[i] - 1
	}
	for end > start {
		line := bytes.TrimSpace(lines[end-1])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		end--
	}
	return end
}

// rewritten is the step as it came, as YAML whose lines but the first begin with indent.
func (a accepted) rewritten(indent string) string {
	st := a.step
	said := objectOf(field(st.name, a.accept(st.main, a.main())))
	for _, m := range st.record.members {
		if st.name == "record" || m.name == st.verb.main || slices.ContainsFunc(st.verb.fixed, func(f member) bool { return f.name == m.name }) {
			continue
		}
		if st.verb.id == responseID && m.name != "error" && m.name != "data" || st.name == "result" {
			continue
		}
		if got, ok := a.got.get(m.name); ok {
			said.members = append(said.members, field(m.name, a.accept(m.value, got)))
		}
	}
	if st.name == "result" {
		for _, name := range []string{"isError", "details"} {
			want, stated := st.record.path("data." + name)
			if got, ok := a.got.path("data." + name); ok && stated {
				said.members = append(said.members, field(name, a.accept(want, got)))
			}
		}
	}
	out := string(st.who) + ": " + said.yaml()
	if st.main.at.Line > st.at.Line {
		// As it was, a member a line.
		out = string(st.who) + ":"
		for _, m := range said.members {
			out += "\n" + indent + "  " + string(appendScalar(nil, m.name)) + ": " + m.value.yaml()
		}
	}
	add := func(name, text string) { out += "\n" + indent + name + ": " + text }
	if st.as != "" {
		add("as", st.as)
	}
	if st.to != "" {
		add("to", textValue(st.to).yaml())
	}
	if st.within > 0 {
		add("within", st.within.String())
	}
	if len(st.raw) > 0 {
		add("raw", st.rawText.yaml())
	}
	if st.end != "" {
		add("end", st.end)
	}
	if len(st.save) > 0 {
		v := value{kind: object}
		for _, s := range st.save {
			v.members = append(v.members, field(s.name, textValue(s.path)))
		}
		add("save", v.yaml())
	}
	if st.answer != nil {
		add("answer", st.answer.main.yaml())
	}
	if st.optional {
		add("optional", "true")
	}
	if st.note != "" {
		add("note", textValue(st.note).yaml())
	}
	return out
}

// main is what came in the place of what stands behind the verb.
func (a accepted) main() value {
	switch a.step.name {
	case "record":
		return a.got
	case "response":
		v, _ := a.got.get("success")
		return v
	case "result":
		if a.step.main.kind == array {
			v, _ := a.got.path("data.content")
			return v
		}
		v, _ := a.got.path("data.content.0.text")
		return v
	}
	v, _ := a.got.get(a.step.verb.main)
	return v
}

// accept is the pattern want where it matches, and got where it does not; of an
// object only the members that want names.
func (a accepted) accept(want, got value) value {
	if len(match(want, got, a.vars)) == 0 {
		return want
	}
	if want.kind != object || isOperator(want) || got.kind != object {
		return literal(got, want.at)
	}
	v := value{kind: object}
	for _, m := range want.members {
		if g, ok := got.get(m.name); ok {
			v.members = append(v.members, field(m.name, a.accept(m.value, g)))
		}
	}
	return v
}

// round keeps what came for a step that may be rewritten, and says why that would be
// wrong: what is written must be what came, each time that it came.
func (p *player) round(a accepted) (why string) {
	if lost := lostVariable(a.step.record, a.got, a.vars); lost != "" {
		return lost + " is not rewritten: the value of a variable may be another the next time"
	}
	if !p.s.inPlace(a) && len(match(a.step.record, a.got, a.vars)) > 0 {
		if why := p.s.unwritable(a.step); why != "" {
			return why
		}
	}
	text := a.rewritten("")
	if before, again := p.rounds[a.step]; again && before != text {
		return "it is not rewritten: it came differently before, as " + shorten(before)
	}
	p.rounds[a.step] = text
	return ""
}

// lostVariable is the text of a pattern with a variable that does not match, and that
// an update would therefore replace; "" if there is none.
func lostVariable(want, got value, vars map[string]value) string {
	if len(match(want, got, vars)) == 0 {
		return ""
	}
	if want.kind == object && !isOperator(want) && got.kind == object {
		for _, m := range want.members {
			g, _ := got.get(m.name)
			if lost := lostVariable(m.value, g, vars); lost != "" {
				return lost
			}
		}
		return ""
	}
	for _, m := range variable().FindAllString(want.String(), -1) {
		if !strings.HasPrefix(m, "$$") {
			return want.short()
		}
	}
	return ""
}
