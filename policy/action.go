package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"extui/protocol"
)

// ActionKind is what a rule does.
type ActionKind string

// The kinds of actions, named as in the file.
const (
	ActionAnswer    ActionKind = "answer"    // chooses an option of a select
	ActionConfirmed ActionKind = "confirmed" // says yes or no to a confirm
	ActionValue     ActionKind = "value"     // gives a text to an input or editor
	ActionAnswers   ActionKind = "answers"   // answers a questionnaire
	ActionCancel    ActionKind = "cancel"
	ActionAsk       ActionKind = "ask" // hands the dialog on to the next front end
	ActionRun       ActionKind = "run" // runs a command, without a shell or with one
)

// action is what a rule does with a dialog.
type action struct {
	kind      ActionKind
	option    string // answer
	confirmed bool
	value     template
	answers   []questionRule
	argv      []string      // run
	within    time.Duration // run, and ask, where 0 is no limit
}

// defaultCommandTime is how long a command has that no rule gives a time.
const defaultCommandTime = 10 * time.Second

// methods are the dialogs that an action is for; nil: all.
func (a *action) methods() []protocol.Method {
	switch a.kind {
	case ActionAnswer:
		return []protocol.Method{protocol.MethodSelect}
	case ActionConfirmed:
		return []protocol.Method{protocol.MethodConfirm}
	case ActionValue:
		return []protocol.Method{protocol.MethodInput, protocol.MethodEditor}
	case ActionAnswers:
		return []protocol.Method{protocol.MethodQuestionnaire}
	}
	return nil
}

// grants reports whether an action may be a yes. Only a person knows what an option or
// a value means, so they all may.
func (a *action) grants() bool {
	switch a.kind {
	case ActionConfirmed:
		return a.confirmed
	case ActionCancel, ActionAsk:
		return false
	}
	return true
}

// questionRule answers one question of a questionnaire.
type questionRule struct {
	question string
	skip     bool // it stays open
	kind     protocol.AnswerKind
	answer   *string
	selected []string
}

// answer returns what an action other than ask and run answers to a dialog. An error
// says why it cannot be given; the dialog must then be cancelled.
func (a *action) answer(s *situation, groups found) (protocol.Answer, error) {
	switch a.kind {
	case ActionAnswer:
		d, ok := s.dialog.(*protocol.Select)
		if !ok {
			return nil, fmt.Errorf("answer is for a select, not for %s", s.method)
		}
		return chooseOption(d, a.option)
	case ActionConfirmed:
		return protocol.Confirmed(a.confirmed), nil
	case ActionValue:
		text, err := a.value.fill(s, groups)
		if err != nil {
			return nil, err
		}
		if s.method == protocol.MethodInput && strings.ContainsAny(text, "\r\n\x00") {
			return nil, fmt.Errorf("an input takes one line, and the value would be %s", short(text))
		}
		return protocol.Value(text), nil
	case ActionAnswers:
		d, ok := s.dialog.(*protocol.Questionnaire)
		if !ok {
			return nil, fmt.Errorf("answers are for a questionnaire, not for %s", s.method)
		}
		return answerQuestions(d, a.answers)
	}
	return protocol.Cancelled{}, nil
}

// chooseOption returns the answer that chooses the one option with this very label. It
// refuses where something else could be meant by the agent: another option with the same
// label, one that is answered by the same text, or a text to answer that differs from the
// label, which alone the author of the rule has seen.
func chooseOption(d *protocol.Select, label string) (protocol.Answer, error) {
	var chosen *protocol.Option
	for i, o := range d.Options {
		if o.Label != label {
			continue
		}
		if chosen != nil {
			return nil, fmt.Errorf("the option %s is offered twice", short(label))
		}
		chosen = &d.Options[i]
	}
	if chosen == nil {
		return nil, fmt.Errorf("the option %s is not offered%s", short(label), near(d, label))
	}
	for i := range d.Options {
		o := &d.Options[i]
		if o != chosen && (o.Answer() == chosen.Answer() || o.Answer() == label) {
			return nil, fmt.Errorf("the options %s and %s are answered by the same text", short(label), short(o.Label))
		}
	}
	if chosen.Answer() != label {
		return nil, fmt.Errorf("the option %s would be answered by another text, %s, that the rule does not name", short(label), short(chosen.Answer()))
	}
	return protocol.Value(label), nil
}

// near says, for the person who wrote the rule, which option differs only slightly. It
// decides nothing.
func near(d *protocol.Select, label string) string {
	for _, o := range d.Options {
		if strings.EqualFold(strings.TrimSpace(o.Label), strings.TrimSpace(label)) {
			return "; there is " + short(o.Label)
		}
	}
	return ""
}

// answerQuestions answers exactly the questions that rules name. A question without a
// rule, and a rule without its question, are errors.
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
		chosen := r.selected
		if r.kind == protocol.KindOption {
			chosen = []string{*r.answer}
		}
		for _, label := range chosen {
			switch times(q.Options, label) {
			case 1:
			case 0:
				return nil, fmt.Errorf("the question %s does not offer %s", short(q.Question), short(label))
			default:
				return nil, fmt.Errorf("the question %s offers %s twice", short(q.Question), short(label))
			}
		}
		answers = append(answers, protocol.QuestionAnswer{QuestionIndex: i, Question: q.Question, Kind: r.kind, Answer: r.answer, Selected: r.selected})
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("the question %s is not asked", short(rules[i].question))
	}
	return answers, nil
}

func times(options []protocol.QuestionOption, label string) int {
	n := 0
	for _, o := range options {
		if o.Label == label {
			n++
		}
	}
	return n
}

// checkAnswer makes sure that an answer fits its dialog, and chooses one option only.
func checkAnswer(d protocol.Dialog, a protocol.Answer) error {
	if a == nil {
		return errors.New("no answer")
	}
	if _, err := protocol.Respond(d, a); err != nil {
		return err
	}
	s, isSelect := d.(*protocol.Select)
	v, isValue := a.(protocol.Value)
	if !isSelect || !isValue {
		return nil
	}
	var chosen *protocol.Option
	n := 0
	for i := range s.Options {
		if o := &s.Options[i]; o.Answer() == string(v) {
			chosen = o
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("the option %s is offered %d times", short(string(v)), n)
	}
	for i := range s.Options {
		if o := &s.Options[i]; o != chosen && (o.Label == string(v) || o.Label == chosen.Label || o.Answer() == chosen.Label) {
			return fmt.Errorf("%s may mean the option %s or the option %s", short(string(v)), short(chosen.Label), short(o.Label))
		}
	}
	return nil
}
