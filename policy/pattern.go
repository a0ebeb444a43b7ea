package policy

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"extui/internal/safetext"
)

// longestGranted is how many bytes a text may have that an approving rule takes by a
// pattern: nobody who wrote one had a longer text in mind.
const longestGranted = 64 << 10

// pattern is a condition on one text: any of its alternatives.
type pattern struct {
	at           Pos
	where        string
	alternatives []alternative
}

// alternative is one text exactly, or one expression.
type alternative struct {
	at    Pos
	where string
	exact string
	re    *regexp.Regexp // of a glob or regexp; nil: exact

	isGlob bool
	source string // of a glob or regexp, as it was written
}

// patternForms are the keys of a pattern that is more than a text.
var patternForms = []string{"exact", "glob", "regexp"}

func (p *parse) pattern(v value, where string) *pattern {
	out := &pattern{at: v.at, where: where}
	if v.kind != array {
		out.alternatives = p.alternative(v, where)
		return out
	}
	if len(v.items) == 0 {
		p.add(v.at, where, "", "an empty list matches nothing")
	}
	for i, item := range v.items {
		out.alternatives = append(out.alternatives, p.alternative(item, fmt.Sprintf("%s[%d]", where, i))...)
	}
	return out
}

func (p *parse) alternative(v value, where string) []alternative {
	a := alternative{at: v.at, where: where}
	switch v.kind {
	case text:
		a.exact = v.text
		p.hidden(v, where)
		p.plain(v, where)
		return []alternative{a}
	case object:
		if len(v.members) != 1 || !slices.Contains(patternForms, v.members[0].name) {
			p.add(v.at, where, "", "one of {exact: TEXT}, {glob: PATTERN}, {regexp: EXPRESSION}")
			return nil
		}
		m := v.members[0]
		where += "." + m.name
		a.at, a.where = m.value.at, where
		if !p.is(m.value, text, where) {
			return nil
		}
		p.hidden(m.value, where)
		switch m.name {
		case "exact":
			a.exact = m.value.text
			p.lineEnd(m.value, where)
		case "glob":
			re, err := globRegexp(m.value.text)
			if err != nil {
				p.add(m.value.at, where, m.value.short(), "%v", err)
				return nil
			}
			p.lineEnd(m.value, where)
			a.isGlob, a.source, a.re = true, m.value.text, re
		case "regexp":
			re, err := regexp.Compile(m.value.text)
			if err != nil {
				p.add(m.value.at, where, m.value.short(), "no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
				return nil
			}
			p.lines(m.value, where)
			a.source, a.re = m.value.text, re
		}
		return []alternative{a}
	case number, truth:
		p.add(v.at, where, v.text, "a text; put quotes around it")
	default:
		p.add(v.at, where, v.short(), "a text, {glob: PATTERN}, {regexp: EXPRESSION}, or a list of these")
	}
	return nil
}

// hidden warns of a text that does not show all that it holds.
func (p *parse) hidden(v value, where string) {
	if shown := safetext.Block(v.text); shown != strings.ReplaceAll(v.text, "\r\n", "\n") {
		p.warn(v.at, where, "holds characters that do not show themselves: %s", short(shown))
	}
	p.cut(v, where)
}

// cut warns of a text without quotes that a comment ends: a # behind a blank was perhaps
// meant to be a part of it.
func (p *parse) cut(v value, where string) {
	if v.kind != text || v.quoted || v.block || v.at.Line < 1 || v.at.Line > len(p.text) {
		return
	}
	line := []rune(p.text[v.at.Line-1])
	if v.at.Column < 1 || v.at.Column > len(line) {
		return
	}
	rest, ok := strings.CutPrefix(string(line[v.at.Column-1:]), v.text)
	if comment := strings.TrimLeft(rest, " \t"); ok && comment != rest && strings.HasPrefix(comment, "#") {
		p.warn(v.at, where, "the text is %s, and %s a comment; put quotes around what belongs to the text", short(v.text), short(comment))
	}
}

// globRegexp returns the expression of a glob: * is any text, ? one character, and \ takes
// the meaning of the character behind it away.
func globRegexp(glob string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	escaped := false
	for _, r := range glob {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '*':
			b.WriteString(".*")
		case r == '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	if escaped {
		return nil, fmt.Errorf(`a \ at the end of a glob; \\ is a plain one`)
	}
	re, err := regexp.Compile(b.String() + `\z`)
	if err != nil {
		return nil, fmt.Errorf("a glob that is too long: %w", err)
	}
	return re, nil
}

// match reports whether s matches, and by which groups if by a regular expression; one that
// took no part is nil. For an
// approving rule, no expression matches a text that holds what does not show itself, or
// that is longer than [longestGranted].
func (p *pattern) match(s string, grants bool) (groups []*string, re *regexp.Regexp, ok bool) {
	for _, a := range p.alternatives {
		if a.re == nil {
			if a.exact == s {
				return nil, nil, true
			}
			continue
		}
		at := a.re.FindStringSubmatchIndex(s)
		if at == nil || grants && !visible(s) {
			continue
		}
		for i := 0; i < len(at); i += 2 {
			if at[i] < 0 {
				groups = append(groups, nil)
			} else {
				groups = append(groups, new(s[at[i]:at[i+1]]))
			}
		}
		return groups, a.re, true
	}
	return nil, nil, false
}

// likeASCII reports whether a character counts as an ASCII letter where the case of letters
// does not matter, and is none: the long s and the Kelvin sign.
func likeASCII(r rune) bool {
	if r < unicode.MaxASCII {
		return false
	}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f < unicode.MaxASCII {
			return true
		}
	}
	return false
}

// becomesASCII reports whether a character becomes an ASCII letter in upper or lower case,
// and is none: those of likeASCII, the dotless i and the I with a dot.
func becomesASCII(r rune) bool {
	return r > unicode.MaxASCII && (unicode.ToUpper(r) < unicode.MaxASCII || unicode.ToLower(r) < unicode.MaxASCII || likeASCII(r))
}

// visible reports whether an approving pattern may match s.
func visible(s string) bool {
	return len(s) <= longestGranted && shows(s)
}

// evidence is what a pattern proves of each text that it matches.
type evidence struct {
	literal bool   // it holds a piece that was written, or is all written
	open    string // in what way it may hold more than its author can have seen, "" if in none
}

// evidence returns what an alternative proves.
func (a alternative) evidence() evidence {
	if a.re == nil {
		return evidence{literal: !blank(a.exact)}
	}
	tree, err := syntax.Parse(a.re.String(), syntax.Perl)
	if err != nil {
		return evidence{open: "nobody can say what it takes"}
	}
	holds := required(tree)
	e := evidence{literal: holds.best >= shortestPiece}
	switch wide := wild(tree, false) > maxWild; {
	case a.isGlob && wide:
		e.open = "* stands for any text, of several lines too"
		if !hasOp(tree, syntax.OpStar) {
			e.open = "so many ? stand for nearly any text"
		}
	case !anchored(tree, syntax.OpBeginText, false):
		e.open = "it matches in the middle of a text; ^ in front ties it to the beginning"
	case !anchored(tree, syntax.OpEndText, true):
		e.open = "any text may follow; $ at the end ties it to the end"
	case wide:
		e.open = "a part of it stands for any text"
	case !a.isGlob && sentence(tree) != "":
		e.open = sentence(tree)
	default:
		e.literal = e.literal || holds.variants > 0 && holds.best > 0
	}
	return e
}

// hasOp reports whether op is somewhere in an expression.
func hasOp(re *syntax.Regexp, op syntax.Op) bool {
	return re.Op == op || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasOp(sub, op) })
}

// anchored reports whether each alternative of an expression begins, or ends, with op.
func anchored(re *syntax.Regexp, op syntax.Op, last bool) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture:
		return anchored(re.Sub[0], op, last)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !anchored(s, op, last) })
	case syntax.OpConcat:
		if last {
			return anchored(re.Sub[len(re.Sub)-1], op, last)
		}
		return anchored(re.Sub[0], op, last)
	}
	return false
}
