package questionnaire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"extui/agent"
	"extui/protocol"
)

// Code says in a tool result's details why there are no answers.
type Code string

// Codes of questions that could not be asked.
const (
	CodeNoQuestions       Code = "no_questions"
	CodeTooManyQuestions  Code = "too_many_questions"
	CodeDuplicateQuestion Code = "duplicate_question"
	CodeOptionCount       Code = "option_count"
	CodeDuplicateLabel    Code = "duplicate_option_label"
	CodeReservedLabel     Code = "reserved_label"
	CodeHeaderTooLong     Code = "header_too_long"
	CodeLabelTooLong      Code = "label_too_long"
	CodeInvalidQuestion   Code = "invalid_question" // a member is missing or of the wrong type
)

// Codes of questions that brought no answer.
const (
	CodeUnsupported   Code = "questionnaire_unsupported" // the client has not opted in
	CodeInvalidAnswer Code = "invalid_answer"            // the client's answer breaks the rules
	CodeTimedOut      Code = "timed_out"
	CodeAborted       Code = "aborted"
	CodeNoUI          Code = "no_ui" // nobody is there, or the client has gone
	CodeFailed        Code = "failed"
)

// Result is what the tool returns to the model.
type Result struct {
	Text    string // for the model to read; never empty
	Details Details
	IsError bool // the call failed: nobody has decided anything
}

// Details is the same for programs.
type Details struct {
	Outcome   OutcomeKind
	Answers   protocol.Answers // those that were given; in a failure of a walk, those so far
	Cancelled bool             // the person declined, or was never asked
	Error     Code             // "" unless IsError
}

// OutcomeKind tells apart how a call ended.
type OutcomeKind string

// The outcomes. In all but the first the model must not take a choice for made.
const (
	OutcomeAnswered   OutcomeKind = "answered"   // every question
	OutcomePartial    OutcomeKind = "partial"    // some questions
	OutcomeUnanswered OutcomeKind = "unanswered" // sent back without an answer
	OutcomeChat       OutcomeKind = "chat"       // wants to talk about one question at least
	OutcomeDeclined   OutcomeKind = "declined"
	OutcomeFailed     OutcomeKind = "failed" // see Error
)

// AppendJSON appends the details as the tool result's "details" member.
func (d Details) AppendJSON(dst []byte) []byte {
	dst = protocol.AppendString(append(dst, `{"outcome":`...), string(d.Outcome))
	dst = protocol.AppendAnswers(append(dst, `,"answers":`...), d.Answers)
	dst = fmt.Appendf(dst, `,"cancelled":%t`, d.Cancelled)
	if d.Error != "" {
		dst = protocol.AppendString(append(dst, `,"error":`...), string(d.Error))
	}
	return append(dst, '}')
}

// Outcome turns what asking brought into a Result: answers and a nil error, or the
// error of the agent's UI or of [Walk], with the answers so far where there are
// any. The preview of a chosen option is repeated in its answer.
func Outcome(questions []protocol.Question, answers protocol.Answers, err error) Result {
	answers = withPreviews(questions, answers)
	if err != nil {
		return failure(questions, answers, err)
	}
	r := Result{Details: Details{Answers: answers, Outcome: OutcomeAnswered}}
	var b strings.Builder
	switch {
	case slices.ContainsFunc(answers, func(a protocol.QuestionAnswer) bool { return a.Kind == protocol.KindChat }):
		r.Details.Outcome = OutcomeChat
		b.WriteString("The user would rather talk before deciding. Reply to them first, and do not take the questions marked so for answered.")
	case len(answers) == 0:
		r.Details.Outcome = OutcomeUnanswered
		b.WriteString("The user sent the questions back without answering any of them. Nothing has been chosen.")
	case len(answers) < len(questions):
		r.Details.Outcome = OutcomePartial
		fmt.Fprintf(&b, "The user answered %d of %d questions and left the others open. For those nothing has been chosen.", len(answers), len(questions))
	default:
		b.WriteString("The user answered:")
	}
	writeAnswers(&b, questions, answers)
	r.Text = b.String()
	return r
}

func writeAnswers(b *strings.Builder, questions []protocol.Question, answers protocol.Answers) {
	for i, q := range questions {
		fmt.Fprintf(b, "\n%d. %s: ", i+1, quote(q.Question))
		j := slices.IndexFunc(answers, func(a protocol.QuestionAnswer) bool { return a.QuestionIndex == i })
		if j < 0 {
			b.WriteString("not answered")
			continue
		}
		b.WriteString(answerText(answers[j]))
		if p := answers[j].Preview; p != nil {
			fmt.Fprintf(b, "\nThe preview of that option:\n%s", *p)
		}
	}
}

// answerText is one answer in words.
func answerText(a protocol.QuestionAnswer) string {
	text := ""
	if a.Answer != nil {
		text = *a.Answer
	}
	switch a.Kind {
	case protocol.KindMulti:
		if len(a.Selected) == 0 {
			return "none of the options"
		}
		quoted := make([]string, len(a.Selected))
		for i, s := range a.Selected {
			quoted[i] = quote(s)
		}
		return strings.Join(quoted, ", ")
	case protocol.KindCustom:
		return "in their own words: " + quote(text)
	case protocol.KindChat:
		if text == "" {
			return "wants to talk about it"
		}
		return "wants to talk about it: " + quote(text)
	}
	return quote(text)
}

// quote sets a text apart without changing it: a model should read what the person
// wrote. Several lines are a block of their own.
func quote(text string) string {
	if !strings.Contains(text, "\n") {
		return `"` + text + `"`
	}
	return "\n    " + strings.ReplaceAll(text, "\n", "\n    ")
}

func withPreviews(questions []protocol.Question, answers protocol.Answers) protocol.Answers {
	answers = slices.Clone(answers)
	for i, a := range answers {
		answers[i].Preview = nil // the author's, never the client's
		if a.Kind != protocol.KindOption || a.Answer == nil || a.QuestionIndex < 0 || a.QuestionIndex >= len(questions) {
			continue
		}
		for _, o := range questions[a.QuestionIndex].Options {
			if o.Label == *a.Answer && o.HasPreview() {
				answers[i].Preview = o.Preview
			}
		}
	}
	return answers
}

func badQuestions(err error) Result {
	code := CodeInvalidQuestion
	if e, ok := errors.AsType[*QuestionError](err); ok {
		code = e.Code
	}
	return Result{
		Text:    "The questions were not asked. Mend the call and try again:\n" + err.Error(),
		Details: Details{Outcome: OutcomeFailed, Cancelled: true, Error: code},
		IsError: true,
	}
}

func failure(questions []protocol.Question, answers protocol.Answers, err error) Result {
	d := Details{Outcome: OutcomeFailed, Answers: answers, Cancelled: true}
	why := ""
	switch {
	case errors.Is(err, ErrDeclined), errors.Is(err, agent.ErrDismissed):
		d.Outcome = OutcomeDeclined
		why = "The user declined to answer."
	case errors.Is(err, agent.ErrNoQuestionnaire):
		d.Error = CodeUnsupported
		why = "The questions were not shown: this client cannot show a questionnaire. The user has declined nothing. Ask in plain text instead."
	case errors.Is(err, agent.ErrInvalidAnswer):
		d.Error = CodeInvalidAnswer
		why = "The client sent an answer that does not fit: " + misfit(err) + "."
	case errors.Is(err, agent.ErrTimedOut):
		d.Error = CodeTimedOut
		why = "Nobody answered in time."
	case errors.Is(err, agent.ErrAborted), errors.Is(err, agent.ErrSessionReplaced), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		d.Error = CodeAborted
		why = "The questions were taken back before they were answered."
	case errors.Is(err, agent.ErrNoUI), errors.Is(err, agent.ErrDisconnected):
		d.Error = CodeNoUI
		why = "There is nobody to ask: no client is connected."
	default:
		d.Error = CodeFailed
		why = fmt.Sprintf("The questions could not be asked: %v.", err)
	}
	var b strings.Builder
	b.WriteString(why)
	if len(answers) == 0 {
		b.WriteString(" Nothing has been chosen.")
	} else {
		fmt.Fprintf(&b, " %d of %d questions had been answered before; nothing has been chosen for the others:", len(answers), len(questions))
		writeAnswers(&b, questions, answers)
	}
	return Result{Text: b.String(), Details: d, IsError: d.Error != ""}
}

// misfit says which part of an answer does not fit, without the ids and methods
// that mean nothing to a model.
func misfit(err error) string {
	e, ok := errors.AsType[*protocol.AnswerError](err)
	if !ok {
		return err.Error()
	}
	if e.Value == "" {
		return fmt.Sprintf("%s is missing, it should be %s", e.Field, e.Want)
	}
	return fmt.Sprintf("%s is %s, it should be %s", e.Field, e.Value, e.Want)
}
