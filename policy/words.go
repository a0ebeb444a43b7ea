package policy

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// maxOpenWords is how many words that were not written a pattern may hold: more of them
// make another sentence, whatever was written between.
const maxOpenWords = 3

// edge is how an open word, one that was not written, stands at an end of a match. Both may
// be so.
type edge struct {
	touches bool // it reaches the end
	apart   bool // between the two are signs that divide words, and no written letter
}

func (e edge) or(f edge) edge { return edge{e.touches || f.touches, e.apart || f.apart} }

// words says where a match may hold open words.
type words struct {
	n           int  // how many, at most; no more than maxOpenWords+1
	row         bool // two of them may follow each other, with nothing written between them
	first, last edge
	empty       bool // the match may hold nothing, or only signs that are part of a word
	signs       bool // it may hold nothing but signs, and one that divides words
}

// then is w with x behind it.
func (w words) then(x words) words {
	joined := func(far, near edge, through words) edge {
		if through.empty {
			near = near.or(far)
		}
		if through.signs && (far.touches || far.apart) {
			near.apart = true
		}
		return near
	}
	n := w.n + x.n
	if w.last.touches && x.first.touches {
		n-- // Both are parts of one word.
	}
	return words{
		n:   min(n, maxOpenWords+1),
		row: w.row || x.row || w.last.touches && x.first.apart || w.last.apart && (x.first.touches || x.first.apart),

		first: joined(x.first, w.first, w), last: joined(w.last, x.last, x),
		empty: w.empty && x.empty, signs: w.signs && (x.signs || x.empty) || w.empty && x.signs,
	}
}

// or is either w or x.
func (w words) or(x words) words {
	return words{max(w.n, x.n), w.row || x.row, w.first.or(x.first), w.last.or(x.last), w.empty || x.empty, w.signs || x.signs}
}

// openWords returns where the matches of an expression hold open words.
func openWords(re *syntax.Regexp) words {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.ContainsFunc(re.Rune, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return words{}
		}
		divides := slices.ContainsFunc(re.Rune, func(r rune) bool { return !inWord(r, r) })
		return words{empty: !divides, signs: divides}
	case syntax.OpCharClass:
		return words{empty: true, signs: re.Rune != nil && !classInWord(re)}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return words{empty: true, signs: true}
	case syntax.OpCapture:
		return openWords(re.Sub[0])
	case syntax.OpQuest:
		return openWords(re.Sub[0]).or(words{empty: true})
	case syntax.OpStar:
		return repeatedWords(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		return repeatedWords(re.Sub[0], 1, -1)
	case syntax.OpRepeat:
		return repeatedWords(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		all := words{empty: true}
		for _, sub := range re.Sub {
			all = all.then(openWords(sub))
		}
		return all
	case syntax.OpAlternate:
		all := openWords(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			all = all.or(openWords(sub))
		}
		return all
	}
	return words{empty: true} // an edge of something, which holds nothing
}

// repeatedWords is openWords of an expression that stands there least to most times; most
// is negative if there is no limit.
func repeatedWords(re *syntax.Regexp, least, most int) words {
	var w words
	one := uncaptured(re)
	switch {
	case most == 0:
		return words{empty: true}
	case most == 1:
		w = openWords(re)
	case one.Op == syntax.OpCharClass || one.Op == syntax.OpAnyChar || one.Op == syntax.OpAnyCharNotNL:
		if one.Op == syntax.OpCharClass && !classHas(one, unicode.IsLetter) {
			break // a number is no word, nor are signs
		}
		at := edge{touches: true}
		w = words{n: 1, first: at, last: at}
	default:
		w = openWords(re)
		if most < 0 {
			most = maxOpenWords + 1
		}
		for range min(most, maxOpenWords+1) - 1 {
			w = w.then(openWords(re))
		}
	}
	w.empty = w.empty || least == 0
	return w
}

func uncaptured(re *syntax.Regexp) *syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	return re
}

// classHas reports whether a class holds a character of a kind, as far as it is not very
// large.
func classHas(class *syntax.Regexp, is func(rune) bool) bool {
	for i := 0; i < len(class.Rune); i += 2 {
		for c := class.Rune[i]; c <= min(class.Rune[i+1], class.Rune[i]+1000); c++ {
			if is(c) {
				return true
			}
		}
	}
	return false
}

// classInWord reports whether all characters of a class are those of a word.
func classInWord(class *syntax.Regexp) bool {
	for i := 0; i < len(class.Rune); i += 2 {
		if !inWord(class.Rune[i], class.Rune[i+1]) {
			return false
		}
	}
	return true
}

// openPath reports whether a word that was not written may be a path to anywhere, or a flag:
// it may hold a /, or begin with a dot or a hyphen. begins says that re stands where a word
// begins.
func openPath(re *syntax.Regexp, begins bool) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		one := uncaptured(re.Sub[0])
		if one.Op != syntax.OpCharClass || re.Op == syntax.OpRepeat && re.Max >= 0 && re.Max <= 1 {
			return openPath(re.Sub[0], begins)
		}
		if !classHas(one, unicode.IsLetter) {
			return false
		}
		return classHas(one, func(r rune) bool { return r == '/' || begins && (r == '.' || r == '-') })
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if openPath(sub, begins) {
				return true
			}
			begins = beginsBehind(sub, begins)
		}
		return false
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return openPath(sub, begins) })
}

// beginsBehind reports whether a word may begin behind re; before says whether one may
// begin where re stands.
func beginsBehind(re *syntax.Regexp, before bool) bool {
	switch re.Op {
	case syntax.OpLiteral:
		last := re.Rune[len(re.Rune)-1]
		return !inWord(last, last)
	case syntax.OpCharClass:
		return !classInWord(re)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCapture, syntax.OpPlus, syntax.OpRepeat:
		return beginsBehind(re.Sub[0], before) || re.Op == syntax.OpRepeat && re.Min == 0 && before
	case syntax.OpQuest, syntax.OpStar:
		return before || beginsBehind(re.Sub[0], before)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			before = beginsBehind(sub, before)
		}
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return beginsBehind(sub, before) })
	}
	return before
}

// sentence says in what way the open words of an expression make more of it than its
// author can have seen, "" if they do not.
func sentence(tree *syntax.Regexp) string {
	switch w := openWords(tree); {
	case w.row:
		return "words that nobody wrote follow each other in it, which is another sentence; write one between them, or list them"
	case w.n > maxOpenWords:
		return "so many words of it stand open that it is another sentence"
	case openPath(tree, true):
		return "a word of it may be any path or a flag, such as /, .. or -rf; begin it with a letter, and leave / out"
	}
	return ""
}
