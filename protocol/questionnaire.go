package protocol

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// checkAnswers applies the rules of section "questionnaire": at most one answer
// a question, each with the index and the text of the same question and a
// payload that its kind and that question allow.
func checkAnswers(d *Questionnaire, answers Answers) error {
	seen := make([]bool, len(d.Questions))
	for i, a := range answers {
		bad := func(field string, value jsontext.Value, want string) error {
			return answerError(d, fmt.Sprintf("answers[%d].%s", i, field), value, want)
		}
		index := strconv.AppendInt(nil, int64(a.QuestionIndex), 10)
		if a.QuestionIndex < 0 || a.QuestionIndex >= len(d.Questions) {
			return bad("questionIndex", index, fmt.Sprintf("0 to %d", len(d.Questions)-1))
		}
		q := d.Questions[a.QuestionIndex]
		if a.Question != q.Question {
			return bad("question", AppendString(nil, a.Question), fmt.Sprintf("the text of question %d", a.QuestionIndex))
		}
		if seen[a.QuestionIndex] {
			return bad("questionIndex", index, "a question that has no answer yet")
		}
		seen[a.QuestionIndex] = true
		if field, value, want := q.check(a, d.Ask); want != "" {
			return bad(field, value, want)
		}
	}
	return nil
}

// check returns the field of a that does not fit q, what stands there and what
// should, or an empty want if all fits.
func (q Question) check(a QuestionAnswer, ask bool) (field string, value jsontext.Value, want string) {
	label := func(s string) bool {
		return slices.ContainsFunc(q.Options, func(o QuestionOption) bool { return o.Label == s })
	}
	if a.Kind != KindMulti && a.Selected != nil {
		return "selected", appendStrings(nil, a.Selected), "nothing but for kind multi"
	}
	switch a.Kind {
	case KindOption:
		if q.MultiSelect {
			return "kind", AppendString(nil, string(a.Kind)), "multi or chat, for the question takes several options"
		}
		if a.Answer == nil || !label(*a.Answer) {
			return "answer", show(a.Answer), q.labels()
		}
	case KindMulti:
		if !q.MultiSelect {
			return "kind", AppendString(nil, string(a.Kind)), "option, custom or chat, for the question takes one option"
		}
		if a.Answer != nil {
			return "answer", show(a.Answer), "null for kind multi"
		}
		for i, s := range a.Selected {
			if !label(s) {
				return fmt.Sprintf("selected[%d]", i), AppendString(nil, s), q.labels()
			}
			if slices.Contains(a.Selected[:i], s) {
				return fmt.Sprintf("selected[%d]", i), AppendString(nil, s), "a label that is not selected yet"
			}
		}
	case KindCustom:
		if !ask && q.MultiSelect {
			return "kind", AppendString(nil, string(a.Kind)), "multi or chat: a question that takes several options has no text of one's own"
		}
		if !ask && slices.ContainsFunc(q.Options, QuestionOption.HasPreview) {
			return "kind", AppendString(nil, string(a.Kind)), "option or chat: a question with previews has no text of one's own"
		}
		if a.Answer == nil || *a.Answer == "" {
			return "answer", show(a.Answer), "a text that is not empty"
		}
	case KindChat:
		if ask {
			return "kind", AppendString(nil, string(a.Kind)), "option, multi or custom: an ask has no other"
		}
	default:
		return "kind", AppendString(nil, string(a.Kind)), "option, multi, custom or chat"
	}
	return "", nil, ""
}

// labels says for an error what an option's label may be.
func (q Question) labels() string {
	b := []byte("one of the labels of the question ")
	b = append(AppendString(b, q.Question), ": "...)
	for i, o := range q.Options {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = AppendString(b, o.Label)
	}
	return string(b)
}

// HasPreview reports whether there is a preview to show. An empty one shows
// nothing and counts as none.
func (o QuestionOption) HasPreview() bool { return o.Preview != nil && *o.Preview != "" }

func show(s *string) jsontext.Value {
	if s == nil {
		return jsontext.Value("null")
	}
	return AppendString(nil, *s)
}

// appendAnswers writes answers that checkAnswers has passed.
func appendAnswers(dst []byte, d *Questionnaire, answers Answers) []byte {
	if d.Ask {
		return appendAskAnswers(dst, d, answers)
	}
	dst = append(dst, '[')
	for i, a := range answers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"questionIndex":`...), int64(a.QuestionIndex), 10)
		e := encoder{dst: dst}
		e.str("question", a.Question)
		e.str("kind", string(a.Kind))
		e.key("answer")
		e.dst = append(e.dst, show(a.Answer)...)
		if a.Kind == KindMulti {
			e.strings("selected", a.Selected)
		}
		e.optional("preview", a.Preview)
		dst = append(e.dst, '}')
	}
	return append(dst, ']')
}

// appendAskAnswers writes one answer a question in their order, as oh-my-pi
// wants it; a question that was left open has nothing selected.
func appendAskAnswers(dst []byte, d *Questionnaire, answers Answers) []byte {
	dst = append(dst, '[')
	for i, q := range d.Questions {
		if i > 0 {
			dst = append(dst, ',')
		}
		e := encoder{dst: AppendString(append(dst, `{"id":`...), q.ID)}
		j := slices.IndexFunc(answers, func(a QuestionAnswer) bool { return a.QuestionIndex == i })
		var selected []string
		var custom *string
		if j >= 0 {
			switch a := answers[j]; a.Kind {
			case KindOption:
				selected = []string{*a.Answer}
			case KindMulti:
				selected = a.Selected
			case KindCustom:
				custom = a.Answer
			}
		}
		e.strings("selectedOptions", selected)
		e.optional("customInput", custom)
		dst = append(e.dst, '}')
	}
	return append(dst, ']')
}

// answers reads and checks the answers of a response.
func (r *Response) answers(d *Questionnaire) (Answer, error) {
	if r.Answers.Kind() != '[' || validate(r.Answers) != nil {
		return nil, answerError(d, "answers", r.Answers, "an array of answers")
	}
	out := Answers{}
	n := 0
	for i, v := range elements(trimSpace(r.Answers)) {
		n++
		path := fmt.Sprintf("answers[%d]", i)
		if v.Kind() != '{' {
			return nil, answerError(d, path, v, "an object")
		}
		o := (&object{record: "response"}).nested(path, v)
		var a QuestionAnswer
		if d.Ask {
			a = o.askAnswer(d, i)
		} else {
			a = o.answer()
		}
		if err, ok := o.err.(*FieldError); ok {
			return nil, answerError(d, err.Field, jsontext.Value(err.Value), err.Want)
		}
		if a.Kind != "" {
			out = append(out, a)
		}
	}
	if d.Ask && n != len(d.Questions) {
		return nil, answerError(d, "answers", r.Answers, fmt.Sprintf("%d answers, one for each question", len(d.Questions)))
	}
	if err := checkAnswers(d, out); err != nil {
		return nil, err
	}
	return out, nil
}

func (o *object) answer() QuestionAnswer {
	var a QuestionAnswer
	if n := o.integer("questionIndex"); n != nil {
		a.QuestionIndex = *n
	} else {
		o.bad("questionIndex", nil, "the index of a question")
	}
	a.Question = o.str("question")
	a.Kind = AnswerKind(o.str("kind"))
	if a.Kind == "" {
		o.bad("kind", jsontext.Value(`""`), "option, multi, custom or chat")
	}
	a.Answer = o.optional("answer")
	selected, ok := o.take("selected")
	if ok && selected.Kind() != 'n' {
		a.Selected = o.strings("selected")
	} else if a.Kind == KindMulti {
		o.bad("selected", selected, "an array of labels")
	}
	a.Preview = o.optional("preview")
	return a
}

// askAnswer reads answer i of an ask; its kind is empty if nothing was chosen.
func (o *object) askAnswer(d *Questionnaire, i int) QuestionAnswer {
	if i >= len(d.Questions) {
		return QuestionAnswer{}
	}
	q := d.Questions[i]
	a := QuestionAnswer{QuestionIndex: i, Question: q.Question}
	if id := o.str("id"); id != q.ID {
		o.bad("id", AppendString(nil, id), fmt.Sprintf("%s, the id of question %d", AppendString(nil, q.ID), i))
	}
	o.array("selectedOptions", "an array of labels", true)
	selected := o.strings("selectedOptions")
	custom := o.optional("customInput")
	switch {
	case custom != nil && len(selected) > 0:
		o.bad("customInput", AppendString(nil, *custom), "nothing beside selected options")
	case custom != nil:
		a.Kind, a.Answer = KindCustom, custom
	case q.MultiSelect:
		a.Kind, a.Selected = KindMulti, selected
	case len(selected) == 1:
		a.Kind, a.Answer = KindOption, &selected[0]
	case len(selected) > 1:
		o.bad("selectedOptions[1]", AppendString(nil, selected[1]), "one label, for the question takes one option")
	}
	return a
}
