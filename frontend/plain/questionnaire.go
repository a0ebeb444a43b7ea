package plain

import (
	"context"
	"fmt"
	"strings"

	"extui/internal/safetext"
	"extui/protocol"
)

// askQuestionnaire asks the questions of section "questionnaire" one after another and shows all
// answers before they are sent, unless there was but one choice to make.
func (f *Frontend) askQuestionnaire(ctx context.Context, q *open, d *protocol.Questionnaire) (protocol.Answer, error) {
	f.present(q, "questions", fmt.Sprintf("%d to answer", len(d.Questions)), nil, "")
	w := q.walk
	if w == nil {
		return nil, errDeclined
	}
	f.showWalk(w)
	for {
		line, err := f.dialogLine(ctx, q, w.prompt(), choosing)
		if err != nil {
			f.mu.Lock()
			q.unsent = append(describe(d, w.result()), q.unsent...)
			f.mu.Unlock()
			return nil, err
		}
		r := w.take(line)
		for _, l := range r.say {
			f.say("%s", l)
		}
		switch {
		case r.wrong && f.mode == Pipe:
			return nil, errDeclined
		case w.done:
			return w.result(), nil
		case r.preview > 0:
			f.showPreview(w, r.preview)
		case r.show:
			f.showWalk(w)
		}
	}
}

// showWalk shows what is asked now.
func (f *Frontend) showWalk(w *walk) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w.inReview() {
		f.showReview(w)
	} else {
		f.showQuestion(w)
	}
	f.refresh()
}

// showQuestion prints the question, and what can be typed. f.mu is held.
func (f *Frontend) showQuestion(w *walk) {
	q, choices := w.d.Questions[w.at], w.choices(w.at)
	hints := []string{}
	switch {
	case q.MultiSelect:
		hints = append(hints, "choose any number of options: their numbers with commas between them, such as 1,2, or "+noneWord)
	case len(choices) > 0:
		hints = append(hints, "choose one option: "+numbers(len(choices))+", or its text")
	}
	if w.mayOwn(w.at) {
		hints = append(hints, ownWord+" TEXT answers in your own words")
	}
	if !w.d.Ask {
		hints = append(hints, chatWord+" or "+chatWord+" TEXT talks about it instead")
	}
	more := skipWord + " leaves it open"
	if w.at > 0 {
		more += ", " + backWord + " goes back"
	}
	hints = append(hints, more+", "+cancelWord+" cancels all")
	head := fmt.Sprintf("question %d of %d", w.at+1, len(w.d.Questions))
	if q.Header != "" {
		head += ", " + safetext.Line(q.Header)
	}
	f.scr.block("", mark, head+": "+safetext.Block(q.Question))
	printChoices(&f.scr, choices)
	if a := w.answers[w.at]; a != nil {
		f.scr.block("your answer so far: ", mark, safetext.Line(answerText(*a)))
		hints = append([]string{keepWord + " keeps your answer so far"}, hints...)
	}
	for _, h := range hints {
		f.scr.block("", "", h)
	}
}

// showPreview shows the preview of the option with that number.
func (f *Frontend) showPreview(w *walk, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scr.line(fmt.Sprintf("preview of option %d:", n))
	f.scr.block(mark, mark, safetext.Block(*w.d.Questions[w.at].Options[n-1].Preview))
	f.refresh()
}

// showReview prints all answers. f.mu is held.
func (f *Frontend) showReview(w *walk) {
	f.scr.line("your answers:")
	for i, a := range w.answers {
		text := "no answer"
		if a != nil {
			text = answerText(*a)
		}
		f.scr.block(fmt.Sprintf("  %d. ", i+1), optionMark, safetext.Line(name(w.d.Questions[i]))+": "+safetext.Line(text))
	}
	f.scr.block("", "", fmt.Sprintf("%s sends them, %s goes back to that question, %s cancels all",
		sendWord, numbers(len(w.answers)), cancelWord))
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
		return `"` + strings.Join(a.Selected, `", "`) + `"`
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
