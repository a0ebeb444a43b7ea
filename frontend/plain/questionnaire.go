package plain

import (
	"context"
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

// form is a questionnaire that is being answered.
type form struct {
	f       *Frontend
	q       *open
	d       *protocol.Questionnaire
	answers []*protocol.QuestionAnswer // by question, nil for none
}

// askQuestionnaire asks the questions of section "questionnaire" one after another and shows all
// answers before they are sent, unless there was but one choice to make.
func (f *Frontend) askQuestionnaire(ctx context.Context, q *open, d *protocol.Questionnaire) (protocol.Answer, error) {
	w := &form{f, q, d, make([]*protocol.QuestionAnswer, len(d.Questions))}
	n := len(d.Questions)
	f.present(q, "questions", fmt.Sprintf("%d to answer", n), nil, "")
	if n == 0 {
		return nil, errCancelled
	}
	review := n > 1 || d.Questions[0].MultiSelect
	reviewed := false // a question that is answered again leads back to the review
	for i := 0; ; {
		var err error
		if i < n {
			next := 0
			if next, err = w.question(ctx, i); next > i && reviewed {
				next = n
			}
			i = next
		} else if !review {
			return w.result(), nil
		} else {
			reviewed = true
			i, err = w.review(ctx)
		}
		if err != nil {
			f.mu.Lock()
			q.unsent = append(describe(d, w.result()), q.unsent...)
			f.mu.Unlock()
			return nil, err
		}
		if i > n {
			return w.result(), nil
		}
	}
}

func (w *form) result() protocol.Answers {
	out := protocol.Answers{}
	for _, a := range w.answers {
		if a != nil {
			out = append(out, *a)
		}
	}
	return out
}

func (w *form) choices(i int) []choice {
	q := w.d.Questions[i]
	out := make([]choice, len(q.Options))
	for j, o := range q.Options {
		out[j] = choice{label: o.Label, description: o.Description, answer: o.Label}
		if q.Recommended != nil && *q.Recommended == j {
			out[j].note += " (recommended)"
		}
		if o.Preview != nil {
			out[j].note += fmt.Sprintf(" (?%d shows a preview)", j+1)
		}
	}
	return out
}

// mayOwn reports whether question i can be answered by a text of one's own.
func (w *form) mayOwn(i int) bool {
	q := w.d.Questions[i]
	preview := slices.ContainsFunc(q.Options, func(o protocol.QuestionOption) bool { return o.Preview != nil })
	return w.d.Ask || !q.MultiSelect && !preview
}

// question asks question i and returns which one comes next.
func (w *form) question(ctx context.Context, i int) (next int, err error) {
	choices := w.choices(i)
	w.show(i, choices)
	for {
		line, err := w.f.dialogLine(ctx, w.q, fmt.Sprintf("answer %d> ", i+1), false)
		if err != nil {
			return 0, err
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == backWord && rest == "" && i == 0:
			w.f.say("this is the first question")
		case word == backWord && rest == "":
			return i - 1, nil
		case word == keepWord && rest == "" && w.answers[i] != nil:
			return i + 1, nil
		case word == skipWord && rest == "":
			w.answers[i] = nil
			w.f.say("no answer to question %d", i+1)
			return i + 1, nil
		case strings.HasPrefix(word, "?"):
			w.preview(i, strings.TrimSpace(line)[1:])
		default:
			a, problem, err := w.answer(ctx, i, choices, line, word, rest)
			switch {
			case err != nil:
				return 0, err
			case problem != "":
				w.f.say("%s", problem)
			case a == nil: // back from a text of one's own
				w.show(i, choices)
			default:
				w.set(i, a)
				w.f.say("%s", safetext.Line(answerLine(w.d, *a)))
				return i + 1, nil
			}
		}
	}
}

func (w *form) set(i int, a *protocol.QuestionAnswer) {
	a.QuestionIndex, a.Question = i, w.d.Questions[i].Question
	w.answers[i] = a
}

// answer reads a line as an answer to question i; problem says why it is none, and all nil means
// that a person thought better of typing a text.
func (w *form) answer(ctx context.Context, i int, choices []choice, line, word, rest string) (a *protocol.QuestionAnswer, problem string, err error) {
	switch word {
	case chatWord:
		if w.d.Ask {
			return nil, "this agent cannot talk about a question: answer or skip it", nil
		}
		a := &protocol.QuestionAnswer{Kind: protocol.KindChat}
		if rest != "" {
			a.Answer = &rest
		}
		return a, "", nil
	case ownWord:
		if !w.mayOwn(i) {
			return nil, "this question takes no text of your own: choose from the options, or " + w.otherwise(), nil
		}
		if rest == "" {
			w.f.say("type your answer; an empty line goes back to the question")
			if rest, err = w.f.dialogLine(ctx, w.q, "own text> ", false); err != nil || rest == "" {
				return nil, "", err
			}
		}
		return &protocol.QuestionAnswer{Kind: protocol.KindCustom, Answer: &rest}, "", nil
	}
	if !w.d.Questions[i].MultiSelect {
		j, problem := choose(choices, line)
		if problem != "" {
			return nil, problem, nil
		}
		return &protocol.QuestionAnswer{Kind: protocol.KindOption, Answer: &choices[j].label}, "", nil
	}
	a = &protocol.QuestionAnswer{Kind: protocol.KindMulti, Selected: []string{}}
	if word == noneWord && rest == "" {
		return a, "", nil
	}
	if strings.TrimSpace(line) == "" {
		return nil, "an empty line chooses nothing: type numbers, or " + noneWord, nil
	}
	chosen, problem := chooseSeveral(choices, line)
	for _, j := range chosen {
		if slices.Contains(a.Selected, choices[j].label) {
			return nil, "two of these options have the same text, so only one of them can be chosen", nil
		}
		a.Selected = append(a.Selected, choices[j].label)
	}
	return a, problem, nil
}

func (w *form) otherwise() string {
	if w.d.Ask {
		return skipWord
	}
	return chatWord + " or " + skipWord
}

// show prints a question, and what can be typed.
func (w *form) show(i int, choices []choice) {
	q := w.d.Questions[i]
	hints := []string{}
	switch {
	case q.MultiSelect:
		hints = append(hints, "choose any number of options: their numbers with commas between them, such as 1,2, or "+noneWord)
	case len(choices) > 0:
		hints = append(hints, "choose one option: "+numbers(len(choices))+", or its text")
	}
	if w.mayOwn(i) {
		hints = append(hints, ownWord+" TEXT answers in your own words")
	}
	if !w.d.Ask {
		hints = append(hints, chatWord+" or "+chatWord+" TEXT talks about it instead")
	}
	more := skipWord + " leaves it open"
	if i > 0 {
		more += ", " + backWord + " goes back"
	}
	hints = append(hints, more+", "+cancelWord+" cancels all")
	f := w.f
	f.mu.Lock()
	defer f.mu.Unlock()
	head := fmt.Sprintf("question %d of %d", i+1, len(w.d.Questions))
	if q.Header != "" {
		head += ", " + safetext.Line(q.Header)
	}
	f.scr.block(head+": ", "  ", safetext.Block(q.Question))
	printChoices(&f.scr, choices)
	if a := w.answers[i]; a != nil {
		f.scr.block("your answer so far: ", "  ", safetext.Line(answerText(*a)))
		hints = append([]string{keepWord + " keeps your answer so far"}, hints...)
	}
	for _, h := range hints {
		f.scr.block("", "  ", h)
	}
	f.refresh()
}

// preview shows the preview of the option with that number.
func (w *form) preview(i int, digits string) {
	options := w.d.Questions[i].Options
	n, ok := number(strings.TrimSpace(digits))
	switch {
	case !ok:
		w.f.say("to preview an option type its number behind the question mark")
	case n > len(options):
		w.f.say("there is no option %d to preview", n)
	case options[n-1].Preview == nil:
		w.f.say("option %d has no preview", n)
	default:
		f := w.f
		f.mu.Lock()
		defer f.mu.Unlock()
		f.scr.line(fmt.Sprintf("preview of option %d:", n))
		f.scr.block("  ", "  ", safetext.Block(*options[n-1].Preview))
		f.refresh()
	}
}

// review shows all answers and returns the question to go back to, or a number behind all
// questions for sending them.
func (w *form) review(ctx context.Context) (next int, err error) {
	f, n := w.f, len(w.d.Questions)
	f.mu.Lock()
	f.scr.line("your answers:")
	for i := range w.answers {
		text := "no answer"
		if a := w.answers[i]; a != nil {
			text = answerText(*a)
		}
		f.scr.block(fmt.Sprintf("  %d. ", i+1), "     ", safetext.Line(name(w.d.Questions[i]))+": "+safetext.Line(text))
	}
	f.scr.block("", "  ", fmt.Sprintf("%s sends them, %s goes back to that question, %s cancels all", sendWord, numbers(n), cancelWord))
	f.refresh()
	f.mu.Unlock()
	for {
		line, err := f.dialogLine(ctx, w.q, "send> ", false)
		if err != nil {
			return 0, err
		}
		line = strings.TrimSpace(line)
		if strings.ToLower(line) == sendWord {
			return n + 1, nil
		}
		if line == backWord && n > 0 {
			return n - 1, nil
		}
		if i, ok := number(line); ok && i <= n {
			return i - 1, nil
		}
		f.say("type %s, %s, or %s", sendWord, numbers(n), cancelWord)
	}
}

// name is what a question is called in a list.
func name(q protocol.Question) string {
	if q.Header != "" {
		return q.Header
	}
	return q.Question
}

// answerLine is an answer with the name of its question.
func answerLine(d *protocol.Questionnaire, a protocol.QuestionAnswer) string {
	title := a.Question
	if d != nil && a.QuestionIndex >= 0 && a.QuestionIndex < len(d.Questions) {
		title = name(d.Questions[a.QuestionIndex])
	}
	return title + ": " + answerText(a)
}

// answerText says what was answered.
func answerText(a protocol.QuestionAnswer) string {
	text := ""
	if a.Answer != nil {
		text = *a.Answer
	}
	switch a.Kind {
	case protocol.KindMulti:
		if len(a.Selected) == 0 {
			return "none of them"
		}
		return strings.Join(a.Selected, ", ")
	case protocol.KindCustom:
		return "in your own words: " + text
	case protocol.KindChat:
		if text == "" {
			return "talk about it"
		}
		return "talk about it: " + text
	}
	return text
}
