package policy

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// shortestPiece is how many letters or digits in a row make a piece of a text one that
// other texts do not hold by chance.
const shortestPiece = 4

// maxVariants is how many different literal texts still count as one that was written:
// (build|deploy) is that, and every letter of the alphabet after the other is not.
const maxVariants = 64

// maxWild is how many characters of any kind a pattern may leave open: too few for
// another command.
const maxWild = 3

// pieces returns the length of the longest run of letters and digits in s.
func pieces(s string) int { return literal([]rune(s)).best }

// blank reports whether a text shows nothing.
func blank(s string) bool { return strings.TrimSpace(s) == "" }

// runs says which letters and digits in a row every text that an expression matches holds.
// All lengths are lower bounds.
type runs struct {
	best, before, after int // the longest, the one at the beginning, the one at the end

	full     bool // nothing but that one run
	variants int  // how many different texts it stands for at most, if each is literal; 0: others too
}

func literal(text []rune) runs {
	r := runs{full: true, variants: 1}
	for _, c := range text {
		one := runs{variants: 1}
		if unicode.IsLetter(c) || unicode.IsNumber(c) {
			one = runs{1, 1, 1, true, 1}
		}
		r = r.then(one)
	}
	return r
}

// then is r with b behind it.
func (r runs) then(b runs) runs {
	out := runs{best: max(r.best, b.best), before: r.before, after: b.after, variants: r.variants * b.variants}
	if r.variants > 0 && b.variants > 0 && out.variants > maxVariants {
		return runs{best: out.best}
	}
	out.best = max(out.best, r.after+b.before)
	if r.full {
		out.before += b.before
	}
	if b.full {
		out.after += r.after
	}
	out.full = r.full && b.full
	return out
}

// or is either r or b.
func (r runs) or(b runs) runs {
	out := runs{best: min(r.best, b.best), before: min(r.before, b.before), after: min(r.after, b.after), full: r.full && b.full}
	if r.variants > 0 && b.variants > 0 {
		out.variants = r.variants + b.variants
	}
	if out.variants == 0 || out.variants > maxVariants {
		return runs{best: out.best}
	}
	return out
}

// required returns what every match of an expression holds. Whatever it does not know
// holds nothing.
func required(re *syntax.Regexp) runs {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re.Rune)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return literal(nil)
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpCharClass:
		return requiredOf(re.Rune)
	case syntax.OpPlus, syntax.OpRepeat:
		if re.Op == syntax.OpRepeat && re.Min == 0 {
			break
		}
		return runs{best: required(re.Sub[0]).best}
	case syntax.OpConcat:
		all := literal(nil)
		for _, sub := range re.Sub {
			all = all.then(required(sub))
		}
		return all
	case syntax.OpAlternate:
		all := required(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			all = all.or(required(sub))
		}
		return all
	}
	return runs{}
}

// requiredOf is required for a class of characters, given as pairs of bounds. The parser
// makes classes of alternatives that differ in one letter.
func requiredOf(class []rune) runs {
	var all runs
	n := 0
	for i := 0; i < len(class); i += 2 {
		for c := class[i]; c <= class[i+1]; c++ {
			if n++; n > 8 {
				return runs{}
			}
			if one := literal([]rune{c}); n == 1 {
				all = one
			} else {
				all = all.or(one)
			}
		}
	}
	return all
}

// wild returns how many characters that were not written may stand in a match, beside
// those of one word; it stops counting beyond maxWild. repeated says that re itself
// stands there any number of times, so that a blank of it divides words of any number.
func wild(re *syntax.Regexp, repeated bool) int {
	switch re.Op {
	case syntax.OpLiteral:
		if repeated && slices.ContainsFunc(re.Rune, func(c rune) bool { return !inWord(c, c) }) {
			return 1
		}
		return 0
	case syntax.OpCharClass:
		if classInWord(re) {
			return 0
		}
		return 1
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpNoMatch:
		return 0
	case syntax.OpCapture, syntax.OpQuest:
		return wild(re.Sub[0], repeated)
	case syntax.OpStar, syntax.OpPlus:
		if wild(re.Sub[0], true) > 0 {
			return maxWild + 1
		}
		return 0
	case syntax.OpRepeat:
		n := wild(re.Sub[0], repeated || re.Max != 1)
		if re.Max < 0 && n > 0 {
			return maxWild + 1
		}
		return min(n*max(re.Max, 0), maxWild+1)
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n = min(n+wild(sub, repeated), maxWild+1)
		}
		return n
	case syntax.OpAlternate:
		n := 0
		for _, sub := range re.Sub {
			n = max(n, wild(sub, repeated))
		}
		return n
	}
	return 1
}

// inWord reports whether all characters between two are those of a name, a number or a
// path: no blank, and nothing with which another command begins.
func inWord(from, to rune) bool {
	const signs = "_-./:@+"
	for c := from; c <= to; c++ {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsMark(c) && !strings.ContainsRune(signs, c) {
			return false
		}
	}
	return true
}
