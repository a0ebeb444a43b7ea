package policy

import (
	"fmt"
	"slices"

	"extui/protocol"
)

// questionRule answers one question of a questionnaire.
type questionRule struct {
	question string
	skip     bool // it stays open
	kind     protocol.AnswerKind
	answer   *string
	selected []string
}

// answerQuestions answers exactly the questions that rules name. A question without a
// rule, and a rule without its question, are errors. Whether the answers may be given is
// left to [checkAnswers].
func answerQuestions(d *protocol.Questionnaire, rules []questionRule) (protocol.Answer, error) {
	answers := protocol.Answers{}
	used := make([]bool, len(rules))
	for i, q := range d.Questions {
		if slices.ContainsFunc(d.Questions[:i], func(other protocol.Question) bool { return other.Question == q.Question }) {
			return nil, fmt.Errorf("the question %s is asked twice", short(q.Question))
		}
		n := slices.IndexFunc(rules, func(r questionRule) bool { return r.question == q.Question })
		if n < 0 {
			return nil, fmt.Errorf("the rule has no answer to the question %s", short(q.Question))
		}
		r := rules[n]
		used[n] = true
		if r.skip {
			continue
		}
		answers = append(answers, protocol.QuestionAnswer{QuestionIndex: i, Question: q.Question, Kind: r.kind, Answer: r.answer, Selected: r.selected})
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("the question %s is not asked", short(rules[i].question))
	}
	return answers, nil
}

// checkAnswers makes sure of each answer to a question what is made sure of the answer to
// a select or an input. Those that do not belong to a question are left to
// [protocol.Respond].
func checkAnswers(d *protocol.Questionnaire, answers protocol.Answers) error {
	for _, a := range answers {
		if a.QuestionIndex < 0 || a.QuestionIndex >= len(d.Questions) {
			continue
		}
		q := d.Questions[a.QuestionIndex]
		chosen := a.Selected
		switch a.Kind {
		case protocol.KindOption:
			if a.Answer != nil {
				chosen = []string{*a.Answer}
			}
		case protocol.KindCustom, protocol.KindChat:
			if a.Answer != nil {
				if err := checkWords(q, *a.Answer); err != nil {
					return err
				}
			}
		}
		for _, label := range chosen {
			switch times(labels(q.Options), label) {
			case 1:
			case 0:
				return fmt.Errorf("the question %s does not offer %s", short(q.Question), short(label))
			default:
				return fmt.Errorf("the question %s offers %s twice", short(q.Question), short(label))
			}
		}
	}
	return nil
}

// checkWords makes sure of an answer in one's own words that it shows what it says, and
// is none of the options.
func checkWords(q protocol.Question, text string) error {
	switch {
	case len(text) > longestGranted:
		return fmt.Errorf("the text for the question %s has %d bytes, and %d are the most", short(q.Question), len(text), longestGranted)
	case !visible(text):
		return fmt.Errorf("the text for the question %s does not show all that it holds: %s", short(q.Question), short(text))
	case times(labels(q.Options), text) > 0:
		return fmt.Errorf("the text for the question %s is an option of it, %s, and may mean that", short(q.Question), short(text))
	}
	return nil
}

func labels(options []protocol.QuestionOption) []string {
	var all []string
	for _, o := range options {
		all = append(all, o.Label)
	}
	return all
}
