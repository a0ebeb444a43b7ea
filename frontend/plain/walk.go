package plain

import (
	"fmt"
	"slices"
	"strings"

	"extui/internal/safetext"
	"extui/protocol"
)

// The words of a questionnaire, besides cancelWord. None is a number, and each is only taken for
// itself at the beginning of a line, so no option is hidden by one: it has its number.
const (
	ownWord  = "/own"
	chatWord = "/chat"
	noneWord = "/none"
	skipWord = "/skip"
	backWord = "/back"
	sendWord = "send"
)

// walk is how far a questionnaire has been answered. It knows what each line does and nothing of
// where lines come from.
type walk struct {
	d        *protocol.Questionnaire
	answers  []*protocol.QuestionAnswer // by question, nil for none
	at       int                        // the question that is asked; len(answers) is the review
	own      bool                       // a text of one's own is wanted
	reviewed bool                       // a question that is answered again leads back to the review
	done     bool
}

// reply is what comes of a line.
type reply struct {
	say  []string // safe
	show bool     // what is asked now is to be shown
	// preview is the number of an option whose preview is to be shown, 0 for none.
	preview int
	wrong   bool // the line was no answer; see misunderstood
}

func say(format string, args ...any) reply { return reply{say: []string{fmt.Sprintf(format, args...)}} }

func wrong(format string, args ...any) reply {
	r := say(format, args...)
	r.wrong = true
	return r
}

func newWalk(d *protocol.Questionnaire) *walk {
	return &walk{d: d, answers: make([]*protocol.QuestionAnswer, len(d.Questions))}
}

// result holds the answers that were given.
func (w *walk) result() protocol.Answers {
	out := protocol.Answers{}
	for _, a := range w.answers {
		if a != nil {
			out = append(out, *a)
		}
	}
	return out
}

// inReview reports whether it is the review that is shown.
func (w *walk) inReview() bool { return w.at == len(w.answers) }

// prompt stands in front of the next line.
func (w *walk) prompt() string {
	switch {
	case w.inReview():
		return sendWord + "> "
	case w.own:
		return "own text> "
	}
	return fmt.Sprintf("answer %d> ", w.at+1)
}

// take applies a line.
func (w *walk) take(line string) reply {
	switch {
	case w.inReview():
		return w.takeReview(line)
	case w.own:
		w.own = false
		if trim(line) == "" {
			return reply{show: true}
		}
		return w.set(&protocol.QuestionAnswer{Kind: protocol.KindCustom, Answer: &line})
	}
	word, rest, _ := strings.Cut(trim(line), " ")
	rest = trim(rest)
	switch {
	case word == backWord && rest == "" && w.at == 0:
		return wrong("this is the first question")
	case word == backWord && rest == "":
		return w.goTo(w.at - 1)
	case word == keepWord && rest == "" && w.answers[w.at] != nil:
		return w.forward()
	case word == skipWord && rest == "":
		w.answers[w.at] = nil
		r := say("no answer to question %d", w.at+1)
		w.forward()
		r.show = true
		return r
	case strings.HasPrefix(word, "?"):
		return w.preview(trim(line)[1:])
	}
	return w.answer(line, word, rest)
}

func (w *walk) goTo(i int) reply {
	w.at = i
	w.reviewed = w.reviewed || w.inReview()
	return reply{show: true}
}

// forward goes on from a question, to the end if there was but one choice to make.
func (w *walk) forward() reply {
	n := len(w.answers)
	switch {
	case n == 1 && !w.d.Questions[0].MultiSelect:
		w.done = true
		return reply{}
	case w.reviewed:
		return w.goTo(n)
	}
	return w.goTo(w.at + 1)
}

// set answers the question that is asked.
func (w *walk) set(a *protocol.QuestionAnswer) reply {
	a.QuestionIndex, a.Question = w.at, w.d.Questions[w.at].Question
	w.answers[w.at] = a
	r := say("answered: %s", safetext.Line(answerLine(w.d, *a)))
	r.show = w.forward().show
	return r
}

// answer takes a line for an answer, or says why it is none.
func (w *walk) answer(line, word, rest string) reply {
	choices := w.choices(w.at)
	switch word {
	case chatWord:
		if w.d.Ask {
			return wrong("this agent cannot talk about a question: answer or skip it")
		}
		a := &protocol.QuestionAnswer{Kind: protocol.KindChat}
		if rest != "" {
			a.Answer = &rest
		}
		return w.set(a)
	case ownWord:
		if !w.mayOwn(w.at) {
			return wrong("this question takes no text of your own: choose from the options, or %s", w.otherwise())
		}
		if rest == "" {
			w.own = true
			return say("type your answer; an empty line goes back to the question")
		}
		return w.set(&protocol.QuestionAnswer{Kind: protocol.KindCustom, Answer: &rest})
	}
	if !w.d.Questions[w.at].MultiSelect {
		j, problem := choose(choices, line)
		if problem != "" {
			return wrong("%s", problem)
		}
		return w.set(&protocol.QuestionAnswer{Kind: protocol.KindOption, Answer: &choices[j].label})
	}
	a := &protocol.QuestionAnswer{Kind: protocol.KindMulti, Selected: []string{}}
	if word == noneWord && rest == "" {
		return w.set(a)
	}
	if trim(line) == "" {
		return wrong("an empty line chooses nothing: type numbers, or %s", noneWord)
	}
	chosen, problem := chooseSeveral(choices, line)
	if problem != "" {
		return wrong("%s", problem)
	}
	for _, j := range chosen {
		if slices.Contains(a.Selected, choices[j].label) {
			return wrong("two of these options have the same text, so only one of them can be chosen")
		}
		a.Selected = append(a.Selected, choices[j].label)
	}
	return w.set(a)
}

func (w *walk) choices(i int) []choice {
	q := w.d.Questions[i]
	out := make([]choice, len(q.Options))
	for j, o := range q.Options {
		out[j] = choice{label: o.Label, description: o.Description, answer: o.Label}
		if q.Recommended != nil && *q.Recommended == j {
			out[j].note += " (recommended)"
		}
		if o.HasPreview() {
			out[j].note += fmt.Sprintf(" (?%d shows a preview)", j+1)
		}
	}
	return out
}

// mayOwn reports whether question i can be answered by a text of one's own.
func (w *walk) mayOwn(i int) bool {
	q := w.d.Questions[i]
	preview := slices.ContainsFunc(q.Options, protocol.QuestionOption.HasPreview)
	return w.d.Ask || !q.MultiSelect && !preview
}

func (w *walk) otherwise() string {
	if w.d.Ask {
		return skipWord
	}
	return chatWord + " or " + skipWord
}

// preview asks for the preview of the option with that number.
func (w *walk) preview(digits string) reply {
	options := w.d.Questions[w.at].Options
	n, ok := number(trim(digits))
	switch {
	case !ok:
		return wrong("to preview an option type its number behind the question mark")
	case n > len(options):
		return wrong("there is no option %d to preview", n)
	case !options[n-1].HasPreview():
		return wrong("option %d has no preview", n)
	}
	return reply{preview: n}
}

func (w *walk) takeReview(line string) reply {
	n := len(w.answers)
	line = trim(line)
	if strings.ToLower(line) == sendWord {
		w.done = true
		return reply{}
	}
	if line == backWord {
		return w.goTo(n - 1)
	}
	if i, ok := number(line); ok && i <= n {
		return w.goTo(i - 1)
	}
	return wrong("type %s, %s, or %s", sendWord, numbers(n), cancelWord)
}
