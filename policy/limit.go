package policy

import (
	"crypto/sha256"
	"fmt"
	"hash"
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
}

// count enters an answer of a rule. It returns how often in a row the same one was given
// and, for the log, to what.
func (r *repeats) count(rule string, d protocol.Dialog, a protocol.Answer) (n int, what string) {
	same := r.same.count(questionKey(d, asIs), answerKey("", d, a, asIs))
	number := asIs
	switch d.(type) {
	case *protocol.Input, *protocol.Editor:
		number = withoutNumbers // What is filled in may count along.
	}
	alike := r.alike.count(questionKey(d, withoutNumbers), answerKey(rule, d, a, number))
	if same >= alike {
		return same, "the same question"
	}
	return alike, "a question that differs only in its numbers"
}

// tooOften says that an answer was given too often.
func tooOften(n int, what string) string {
	return fmt.Sprintf("%s would get the same answer %d times in a row", what, n)
}

// streaks counts how often the same question was answered the same way in a row.
type streaks struct {
	mu   sync.Mutex
	last []streak // the latest question first; at most remembered
}

type streak struct {
	question, answer [sha256.Size]byte
	n                int
}

// count enters an answer and returns how often in a row it was given.
func (s *streaks) count(question, answer [sha256.Size]byte) int {
	now := streak{question, answer, 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.last, func(x streak) bool { return x.question == now.question }); i >= 0 {
		if s.last[i].answer == now.answer {
			now.n = s.last[i].n + 1
		}
		s.last = slices.Delete(s.last, i, i+1)
	}
	s.last = slices.Insert(s.last, 0, now)
	s.last = s.last[:min(len(s.last), remembered)]
	return now.n
}

// questionKey is the same for dialogs that ask the same, once their texts are put as
// form puts them.
func questionKey(d protocol.Dialog, form func(string) string) [sha256.Size]byte {
	h := sha256.New()
	put(h, string(d.Method()))
	s := newSituation(d)
	for t := range s.texts {
		put(h, form(t))
	}
	for _, o := range s.options {
		put(h, form(o.Answer()))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func put(h hash.Hash, t string) {
	h.Write(strconv.AppendInt(nil, int64(len(t)), 10))
	h.Write([]byte{':'})
	h.Write([]byte(t))
}

// answerKey is the same for equal answers of one rule.
func answerKey(rule string, d protocol.Dialog, a protocol.Answer, form func(string) string) [sha256.Size]byte {
	r, err := protocol.Respond(d, a)
	if err != nil {
		r = &protocol.Response{Cancelled: true} // which is what will be sent
	}
	r.ID = protocol.ID{}
	h := sha256.New()
	put(h, rule)
	put(h, form(string(protocol.AppendResponse(nil, r))))
	return [sha256.Size]byte(h.Sum(nil))
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
