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

// answer returns what an action other than ask and run answers to a dialog for which the
// condition c holds. An error
// says why it cannot be given; the dialog must then be cancelled.
func (a *action) answer(s *situation, c *condition, groups found) (protocol.Answer, error) {
	switch a.kind {
	case ActionAnswer:
		d, ok := s.dialog.(*protocol.Select)
		if !ok {
			return nil, fmt.Errorf("answer is for a select, not for %s", s.method)
		}
		return chooseOption(d, a.option, c)
	case ActionConfirmed:
		return protocol.Confirmed(a.confirmed), nil
	case ActionValue:
		text, err := a.value.fill(s, groups)
		if err != nil {
			return nil, err
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
// label, which alone the author of the rule has seen. So it does for a description that the
// condition c does not look at.
func chooseOption(d *protocol.Select, label string, c *condition) (protocol.Answer, error) {
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
	if t := chosen.Description; t != "" && !c.describes(t) {
		return nil, fmt.Errorf("the option %s has a description that the rule does not look at, %s; a condition description: %s does", short(label), short(t), short(t))
	}
	return protocol.Value(label), nil
}

// describes reports whether a condition that holds has looked at a description.
func (c *condition) describes(t string) bool {
	if c.description != nil {
		_, _, ok := c.description.match(t, true)
		return ok
	}
	return c.expr != nil && slices.Contains(c.expr.names, "descriptions")
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

// checkAnswer makes sure that an answer of a rule or a command fits its dialog, and that
// it means one thing only.
func checkAnswer(d protocol.Dialog, a protocol.Answer) error {
	if a == nil {
		return errors.New("no answer")
	}
	if q, ok := d.(*protocol.Questionnaire); ok {
		if answers, ok := a.(protocol.Answers); ok {
			if err := checkAnswers(q, answers); err != nil {
				return err
			}
		}
	}
	if _, err := protocol.Respond(d, a); err != nil {
		return err
	}
	v, isValue := a.(protocol.Value)
	if !isValue {
		return nil
	}
	switch d := d.(type) {
	case *protocol.Select:
		return checkOption(d, string(v))
	case *protocol.Input:
		if strings.ContainsAny(string(v), "\r\n\x00") {
			return fmt.Errorf("an input takes one line, and the value would be %s", short(string(v)))
		}
	}
	return nil
}

// checkOption makes sure that a value chooses one option only.
func checkOption(s *protocol.Select, value string) error {
	var chosen *protocol.Option
	n := 0
	for i := range s.Options {
		if o := &s.Options[i]; o.Answer() == value {
			chosen = o
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("the option %s is offered %d times", short(value), n)
	}
	for i := range s.Options {
		if o := &s.Options[i]; o != chosen && (o.Label == value || o.Label == chosen.Label || o.Answer() == chosen.Label) {
			return fmt.Errorf("%s may mean the option %s or the option %s", short(value), short(chosen.Label), short(o.Label))
		}
	}
	return nil
}
