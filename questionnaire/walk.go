package questionnaire

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"extui/agent"
	"extui/protocol"
)

// Asker asks a person one dialog and returns the answer. The agent's UI is one,
// and so is every client's front end.
type Asker interface {
	// Ask shows d, blocks until it is answered or ctx ends, and returns what was
	// decided: a cancellation as [protocol.Cancelled] or [agent.ErrDismissed].
	Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error)
}

// ErrDeclined is what [Walk] returns when the person cancelled a question.
var ErrDeclined = errors.New("the questions were declined")

// Rows of the walk's own dialogs beside the reserved labels.
const (
	rowSeveral = "Several of these"
	rowNone    = "None of these"
	rowBack    = "Back to the question before"
	rowKeep    = "Keep the answer so far"
	rowYes     = "Yes, these"
	rowAgain   = "Choose again"
)

// Walk asks questions as plain dialogs: a select for each question, an input for
// a text of one's own or for the numbers of several options, an editor for what
// the person wants to talk about. The questions must have passed [Validate].
//
// Every select also offers [LabelChat], [LabelNext] to leave the question open,
// and a way back; a question that was answered before can keep its answer.
// Cancelling a text returns to its question; cancelling a question cancels the
// whole: then the error is [ErrDeclined] and the answers so far are returned beside
// it, as they are with any error of ui.
func Walk(ctx context.Context, ui Asker, questions []protocol.Question) (protocol.Answers, error) {
	w := walk{ui: ui, questions: questions, answers: make([]*protocol.QuestionAnswer, len(questions))}
	for i := 0; i >= 0 && i < len(questions); {
		step, err := w.question(ctx, i)
		if err != nil {
			return w.given(), fmt.Errorf("ask question %d of %d: %w", i+1, len(questions), err)
		}
		i += step
	}
	return w.given(), nil
}

type walk struct {
	ui        Asker
	questions []protocol.Question
	answers   []*protocol.QuestionAnswer // nil: open
}

func (w *walk) given() protocol.Answers {
	out := protocol.Answers{}
	for _, a := range w.answers {
		if a != nil {
			out = append(out, *a)
		}
	}
	return out
}

// question asks question i until it is answered or left, and returns how far to
// go on from it.
func (w *walk) question(ctx context.Context, i int) (step int, err error) {
	q := w.questions[i]
	for {
		rows, options := w.rows(i)
		chosen, ok, err := w.text(ctx, &protocol.Select{Title: w.title(i, ""), Options: rows})
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, ErrDeclined
		}
		a := &protocol.QuestionAnswer{QuestionIndex: i, Question: q.Question}
		switch chosen {
		case rowKeep:
			return 1, nil
		case LabelNext:
			w.answers[i] = nil
			return 1, nil
		case rowBack:
			return -1, nil
		case LabelChat:
			a.Kind = protocol.KindChat
			ok, err = w.chat(ctx, i, a)
		case LabelCustom:
			a.Kind = protocol.KindCustom
			ok, err = w.custom(ctx, i, a)
		case rowSeveral:
			a.Kind = protocol.KindMulti
			ok, err = w.several(ctx, i, a)
		case rowNone:
			a.Kind, a.Selected = protocol.KindMulti, []string{}
		default:
			label, known := options[chosen]
			if !known {
				return 0, fmt.Errorf("the answer %q is not one of the rows", chosen)
			}
			if a.Kind = protocol.KindOption; q.MultiSelect {
				a.Kind, a.Selected = protocol.KindMulti, []string{label}
			} else {
				a.Answer = &label
			}
		}
		if err != nil {
			return 0, err
		}
		if ok {
			w.answers[i] = a
			return 1, nil
		}
	}
}

// rows returns the select's options for question i, and the label that each of
// the author's options stands for. The numbers keep rows apart even where one
// option's label is another's label and description.
func (w *walk) rows(i int) (rows []protocol.Option, options map[string]string) {
	q := w.questions[i]
	options = map[string]string{}
	preview := false
	for j, o := range q.Options {
		row := optionLine(j, o)
		options[row] = o.Label
		rows = append(rows, protocol.Option{Label: row})
		preview = preview || o.HasPreview()
	}
	var own []string
	switch {
	case q.MultiSelect:
		own = append(own, rowSeveral, rowNone)
	case !preview:
		own = append(own, LabelCustom)
	}
	own = append(own, LabelChat)
	if w.answers[i] != nil {
		own = append(own, rowKeep)
	}
	own = append(own, LabelNext)
	if i > 0 {
		own = append(own, rowBack)
	}
	return append(rows, protocol.Options(own...)...), options
}

func optionLine(j int, o protocol.QuestionOption) string {
	line := fmt.Sprintf("%d. %s", j+1, o.Label)
	if o.Description != "" {
		line += " — " + o.Description
	}
	return line
}

// title is the question with all that belongs to it. A typed answer needs the
// options in it, so that they stay in sight; note says what was wrong before.
func (w *walk) title(i int, note string) string {
	q := w.questions[i]
	var b strings.Builder
	if note != "" {
		b.WriteString(note + "\n\n")
	}
	if q.Header != "" {
		fmt.Fprintf(&b, "[%s] ", q.Header)
	}
	b.WriteString(q.Question)
	if n := len(w.questions); n > 1 {
		fmt.Fprintf(&b, " (question %d of %d)", i+1, n)
	}
	if a := w.answers[i]; a != nil {
		fmt.Fprintf(&b, "\nYour answer so far: %s", answerText(*a))
	}
	for j, o := range q.Options {
		if o.HasPreview() {
			fmt.Fprintf(&b, "\n\nPreview of %d. %s:\n%s", j+1, o.Label, *o.Preview)
		}
	}
	return b.String()
}

func (w *walk) titleWithOptions(i int, note, instruction string) string {
	lines := []string{w.title(i, note), ""}
	for j, o := range w.questions[i].Options {
		lines = append(lines, optionLine(j, o))
	}
	return strings.Join(append(lines, "", instruction), "\n")
}

func (w *walk) custom(ctx context.Context, i int, a *protocol.QuestionAnswer) (bool, error) {
	text, ok, err := w.text(ctx, &protocol.Input{Title: w.titleWithOptions(i, "", "Your own answer:")})
	if !ok || err != nil || text == "" {
		return false, err
	}
	a.Answer = &text
	return true, nil
}

func (w *walk) chat(ctx context.Context, i int, a *protocol.QuestionAnswer) (bool, error) {
	text, ok, err := w.text(ctx, &protocol.Editor{Title: w.titleWithOptions(i, "", "What do you want to talk about? It may stay empty.")})
	if !ok || err != nil {
		return false, err
	}
	if text != "" {
		a.Answer = &text
	}
	return true, nil
}

func (w *walk) several(ctx context.Context, i int, a *protocol.QuestionAnswer) (bool, error) {
	q := w.questions[i]
	note := ""
	for {
		text, ok, err := w.text(ctx, &protocol.Input{
			Title:       w.titleWithOptions(i, note, "The numbers of all that you choose, with commas between them:"),
			Placeholder: new("1,2"),
		})
		if !ok || err != nil {
			return false, err
		}
		chosen, err := ParseChoices(text, len(q.Options))
		if err != nil {
			note = err.Error()
			continue
		}
		a.Selected = []string{}
		lines := []string{"You have chosen:"}
		for _, j := range chosen {
			a.Selected = append(a.Selected, q.Options[j].Label)
			lines = append(lines, optionLine(j, q.Options[j]))
		}
		yes, ok, err := w.text(ctx, &protocol.Select{Title: strings.Join(lines, "\n"), Options: protocol.Options(rowYes, rowAgain)})
		if err != nil {
			return false, err
		}
		if ok && yes == rowYes {
			return true, nil
		}
		note = ""
	}
}

// text asks a dialog that is answered by a text. ok is false if it was cancelled.
func (w *walk) text(ctx context.Context, d protocol.Dialog) (text string, ok bool, err error) {
	a, err := w.ui.Ask(ctx, d)
	if errors.Is(err, agent.ErrDismissed) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	switch a := a.(type) {
	case protocol.Value:
		return string(a), true, nil
	case protocol.Cancelled:
		return "", false, nil
	}
	return "", false, fmt.Errorf("a %s was answered by a %T", d.Method(), a)
}

// ParseChoices reads a typed choice among n options: their numbers, counted from
// 1, in decimal, separated by commas; spaces around them do not matter. Nothing
// else is understood: no ranges, no words, no number twice. It returns the indices
// in the options' order. The error tells a person what to type.
func ParseChoices(text string, n int) ([]int, error) {
	chosen := make([]bool, n)
	for part := range strings.SplitSeq(text, ",") {
		part = strings.Trim(part, " \t")
		number, err := strconv.ParseUint(part, 10, 16)
		if err != nil || part[0] == '+' || part[0] == '0' || number > uint64(n) {
			return nil, fmt.Errorf("%q is not a number from 1 to %d; type numbers such as 1,2", part, n)
		}
		if chosen[number-1] {
			return nil, fmt.Errorf("%d stands there twice; type each number once", number)
		}
		chosen[number-1] = true
	}
	var out []int
	for i, c := range chosen {
		if c {
			out = append(out, i)
		}
	}
	return out, nil
}
