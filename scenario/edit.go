package scenario

import (
	"bytes"
	"slices"
	"strings"
)

// edit is a value of a file that is replaced where it stands, so that all around it,
// comments and the way the step is written, stays.
type edit struct {
	at   Pos
	want value // what stands there
	got  value // what came in its place
}

// edits are those that make a step expect what came. ok is false if it takes more than
// other values in the same places.
func (a accepted) edits() (all []edit, ok bool) {
	ok = a.gather(a.step.record, a.got, &all)
	return all, ok && len(all) > 0
}

func (a accepted) gather(want, got value, all *[]edit) bool {
	switch {
	case len(match(want, got, a.vars)) == 0:
		return true
	case isOperator(want):
		return false
	case want.kind == object && got.kind == object:
		for _, m := range want.members {
			g, ok := got.get(m.name)
			if !ok || !a.gather(m.value, g, all) {
				return false
			}
		}
		return true
	case want.kind == array && got.kind == array && len(want.items) == len(got.items):
		for i := range want.items {
			if !a.gather(want.items[i], got.items[i], all) {
				return false
			}
		}
		return true
	case want.at.Line == 0 || want.kind == object:
		return false
	}
	*all = append(*all, edit{want.at, want, got})
	return true
}

// replaceAll applies edits to lines, and says whether that could be done: each value must
// stand on one line and be no other's, by an anchor.
func replaceAll(lines []string, all []edit) bool {
	all = slices.Clone(all)
	// From the end, so that places before it stay.
	slices.SortFunc(all, func(a, b edit) int {
		if a.at.Line != b.at.Line {
			return b.at.Line - a.at.Line
		}
		return b.at.Column - a.at.Column
	})
	for _, e := range all {
		if e.at.Line > len(lines) {
			return false
		}
		line := []rune(lines[e.at.Line-1])
		begin := e.at.Column - 1
		if begin >= len(line) || anchored().MatchString(string(line[:begin])) {
			return false
		}
		length := extent(string(line[begin:]), e.want)
		if length == 0 {
			return false
		}
		after := string(line[begin:])[length:]
		lines[e.at.Line-1] = string(line[:begin]) + literal(e.got, Pos{}).yaml() + after
	}
	return true
}

var (
	anchored   = lazily(`[&!][^\s]*\s+$`)
	anchorMark = lazily(`(?:^|[\s\[{,:-])[&*][A-Za-z0-9_]`)
)

// extent is how many bytes at the beginning of s are v; 0 if that cannot be said.
func extent(s string, v value) int {
	switch {
	case v.kind == array:
		return flowExtent(s)
	case strings.HasPrefix(s, `"`), strings.HasPrefix(s, "'"):
		return quotedExtent(s)
	case v.text != "" && strings.HasPrefix(s, v.text):
		return len(v.text)
	case v.kind == null && strings.HasPrefix(s, "null"):
		return len("null")
	}
	return 0
}

// quotedExtent is the length of the quoted text at the beginning of s; 0 if it does not
// end in this line.
func quotedExtent(s string) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] != quote:
		case quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}

// flowExtent is the length of the list in brackets at the beginning of s; 0 if there is
// none, or it does not end in this line, or has an anchor.
func flowExtent(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"', '\'':
			if before := s[i-1]; i > 0 && strings.IndexByte(" [{,:", before) >= 0 {
				n := quotedExtent(s[i:])
				if n == 0 {
					return 0
				}
				i += n - 1
			}
		case '#':
			return 0
		}
		if depth == 0 {
			if i == 0 || anchorMark().MatchString(s[:i]) {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// inPlace reports whether the step can be updated by replacing values where they stand.
func (s *Scenario) inPlace(a accepted) bool {
	edits, ok := a.edits()
	return ok && replaceAll(textLines(splitLines(s.source)), edits)
}

// textLines are lines without their ends, and without a byte order mark.
func textLines(lines [][]byte) []string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = strings.TrimRight(string(line), "\r\n")
	}
	if len(texts) > 0 {
		texts[0] = strings.TrimPrefix(texts[0], byteOrderMark)
	}
	return texts
}

const byteOrderMark = "\uFEFF"

// edited are lines in which values are replaced where they stand, for those steps where
// that can be done.
func (s *Scenario) edited(lines [][]byte, all []accepted) [][]byte {
	texts := textLines(lines)
	before := slices.Clone(texts)
	var edits []edit
	for _, a := range all {
		if own, ok := a.edits(); ok && s.inPlace(a) {
			edits = append(edits, own...)
		}
	}
	replaceAll(texts, edits)
	lines = slices.Clone(lines)
	for i := range lines {
		if texts[i] != before[i] {
			// The end of the line, and a mark at its beginning, stay.
			lines[i] = bytes.Replace(lines[i], []byte(before[i]), []byte(texts[i]), 1)
		}
	}
	return lines
}

// unwritable says why a step that has to be written anew as a whole is not; "" if it can
// be. What else stands among its lines would get lost, or say something of another line.
func (s *Scenario) unwritable(st *step) string {
	lines := textLines(splitLines(s.source))
	comments := commentsOf(s.source)
	end := s.stepEnd(st.at.Line, splitLines(s.source))
	for line := st.at.Line; line <= end; line++ {
		c := comments[line].text
		if line > st.at.Line && c != "" {
			return "it is not rewritten: a comment stands among its lines, " + shorten(c)
		}
		if anchorMark().MatchString(strings.TrimSuffix(lines[line-1], c)) {
			return "it is not rewritten: it has an anchor or an alias"
		}
	}
	return ""
}

// sameBut reports whether source is s but for steps that expect what came.
func (s *Scenario) sameBut(source []byte, all []accepted) bool {
	changed, err := Parse(s.File, source)
	if err != nil {
		return false
	}
	became := slices.Collect(allSteps(changed.steps))
	i := 0
	for st := range allSteps(s.steps) {
		if i >= len(became) || became[i].kind != st.kind || became[i].name != st.name {
			return false
		}
		if at := slices.IndexFunc(all, func(a accepted) bool { return a.step == st }); at < 0 {
			if !equal(became[i].record, st.record) {
				return false
			}
		} else if len(match(became[i].record, all[at].got, all[at].vars)) > 0 {
			return false
		}
		if (st.answer == nil) != (became[i].answer == nil) || st.answer != nil && !equal(st.answer.record, became[i].answer.record) {
			return false
		}
		i++
	}
	return i == len(became)
}
