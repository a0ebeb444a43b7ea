package policy

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"extui/protocol"
)

// remembered is among how many different questions one still counts as coming again: an
// agent that goes in circles may ask two or three in turn.
const remembered = 8

// repeats notices that an agent asks the same again and again.
type repeats struct {
	same  streaks // equal questions, whatever rule answers them
	alike streaks // those that differ only in numbers, answered by one rule
	seen  streaks // those that differ only in numbers in what the one rule looks at that approves them
	rules streaks // all that one rule approves
}

// repeated is how often in a row an answer was given.
type repeated struct {
	same int    // to the same question
	what string // which is this one, for the log
	rule int    // by a rule that may approve, to whatever it was; 0 for the others
}

// count enters an answer of a rule.
func (r *repeats) count(by *rule, d protocol.Dialog, a protocol.Answer) repeated {
	s, answer := newSituation(d), answerText(d, a)
	seen := by.seenKey(s)
	same, other := r.same.count(questionKey(s, asIs), answerKey("", answer), seen)
	if other != nil {
		r.seen.forget(*other) // Another answer has ended that row, too.
	}
	n := repeated{same, "the same question", 0}
	most := func(m int, what string) {
		if m > n.same {
			n.same, n.what = m, what
		}
	}
	switch d.(type) {
	case *protocol.Input, *protocol.Editor:
		answer = withoutNumbers(answer) // What is filled in may count along.
	}
	byRule := answerKey(by.name, answer)
	alike, _ := r.alike.count(questionKey(s, withoutNumbers), byRule, seen)
	most(alike, "a question that differs only in its numbers")
	if !by.do.grants() {
		return n
	}
	if by.do.kind != ActionRun { // A command looks at all.
		looked, _ := r.seen.count(seen, byRule, seen)
		most(looked, "a question that differs only in what the rule does not look at")
	}
	name := sha256.Sum256([]byte(by.name))
	n.rule, _ = r.rules.count(name, name, seen)
	return n
}

// tooOften enters an answer of a rule, and says that it is one too often, "" if it is not.
func (f *Frontend) tooOften(by *rule, d protocol.Dialog, a protocol.Answer) string {
	r := f.rules
	if r.same == 0 && r.each == 0 {
		return ""
	}
	switch n := f.repeats.count(by, d, a); {
	case r.same > 0 && n.same > r.same:
		return fmt.Sprintf("%s would get the same answer %d times in a row", n.what, n.same)
	case r.each > 0 && n.rule > r.each:
		return fmt.Sprintf("the rule would answer %d times in a row", n.rule)
	}
	return ""
}

// seenKey is the same for dialogs that differ, but for numbers, only in what the rule does
// not look at.
func (r *rule) seenKey(s *situation) [sha256.Size]byte {
	key := put(put(nil, r.name), string(s.method))
	for _, field := range r.when.looksAt() {
		key = put(key, field)
		for _, t := range s.field(field) {
			key = put(key, withoutNumbers(t))
		}
	}
	return sha256.Sum256(key)
}

// field returns the texts of a field, by its name as a condition or in an expression.
func (s *situation) field(name string) (all []string) {
	one := func(t *string) {
		if t != nil {
			all = []string{*t}
		}
	}
	switch name {
	case "title":
		one(s.title)
	case "message":
		one(s.message)
	case "placeholder":
		one(s.placeholder)
	case "prefill":
		one(s.prefill)
	case "options":
		for _, o := range s.options {
			all = append(all, o.Label)
		}
	case "description", "descriptions":
		return s.descriptions()
	case "question":
		for _, q := range s.questions {
			all = append(all, q.Question)
		}
	case "questions":
		for t := range s.texts {
			all = append(all, t)
		}
	}
	return all
}

// streaks counts how often the same question was answered the same way in a row.
type streaks struct {
	mu   sync.Mutex
	last []streak // the latest question first; at most remembered
}

type streak struct {
	question, answer [sha256.Size]byte
	seen             [sha256.Size]byte // what the rule of the latest answer looks at
	n                int
}

// count enters an answer and returns how often in a row it was given. other is what the
// rule of the answer before looks at, if that was another answer.
func (s *streaks) count(question, answer, seen [sha256.Size]byte) (n int, other *[sha256.Size]byte) {
	now := streak{question, answer, seen, 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.last, func(x streak) bool { return x.question == now.question }); i >= 0 {
		if s.last[i].answer == now.answer {
			now.n = s.last[i].n + 1
		} else {
			other = new(s.last[i].seen)
		}
		s.last = slices.Delete(s.last, i, i+1)
	}
	s.last = slices.Insert(s.last, 0, now)
	s.last = s.last[:min(len(s.last), remembered)]
	return now.n, other
}

// forget ends the row of a question.
func (s *streaks) forget(question [sha256.Size]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = slices.DeleteFunc(s.last, func(x streak) bool { return x.question == question })
}

// questionKey is the same for dialogs that ask the same, once their texts are put as
// form puts them.
func questionKey(s *situation, form func(string) string) [sha256.Size]byte {
	key := put(nil, string(s.dialog.Method()))
	for t := range s.texts {
		key = put(key, form(t))
	}
	for _, o := range s.options {
		key = put(key, form(o.Answer()))
	}
	return sha256.Sum256(key)
}

// put adds a text to those of which a key is made: none runs into the next.
func put(key []byte, t string) []byte {
	return append(append(strconv.AppendInt(key, int64(len(t)), 10), ':'), t...)
}

// answerText is the response to a dialog, without its id.
func answerText(d protocol.Dialog, a protocol.Answer) string {
	r, err := protocol.Respond(d, a)
	if err != nil {
		r = &protocol.Response{Cancelled: true} // which is what will be sent
	}
	r.ID = protocol.ID{}
	return string(protocol.AppendResponse(nil, r))
}

// answerKey is the same for equal answers of one rule.
func answerKey(rule, answer string) [sha256.Size]byte {
	return sha256.Sum256(put(put(nil, rule), answer))
}

func asIs(s string) string { return s }

// numbers are what a counter, a clock or a name made by chance looks like, with the blanks
// that pad it: a UUID; a hexadecimal number with 0x in front or of seven digits and more;
// digits of any script, with signs between them and the ending of 1st or 2nd behind.
//
// It is compiled when a limit first needs it: most programs that link this start without.
var numbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` *(?:` +
		`\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b` +
		`|\b0[xX][0-9A-Fa-f]+` +
		`|\b[0-9A-Fa-f]{7,}\b(?:[.,:]\pN+)*` +
		`|\pN+(?:[.,:]\pN+)*(?:st|nd|rd|th)?\b` +
		`|\pN+)`)
})

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsNumber) }

// withoutNumbers returns s with one sign for each number. A text that is too long for a
// pattern to approve is left as it is.
func withoutNumbers(s string) string {
	if len(s) > longestGranted || !hasDigit(s) {
		return s
	}
	return numbers().ReplaceAllStringFunc(s, func(number string) string {
		if !hasDigit(number) && !strings.Contains(number, "-") {
			return number // a word such as "defaced"
		}
		return "#"
	})
}
