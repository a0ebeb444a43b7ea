package questionnaire

import (
	"context"
	_ "embed"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/protocol"
)

// ToolName is the name under which a model calls the tool.
const ToolName = "ask_user_question"

// Description tells a model when and how to call the tool.
const Description = "Ask the user one to four questions at once, each with two to four options, when their choice " +
	"decides how to go on and it cannot be found out otherwise. The user picks an option, writes an own text, leaves " +
	"questions open, or says that they would rather talk about it. Do not offer an option such as " +
	`"Other", "Type something.", "Chat about this" or "Next": the user always has these.`

//go:embed parameters.json
var parameters []byte

// Parameters returns the JSON Schema of the tool's input, as a model is given it.
// The caller may keep and change the copy.
func Parameters() jsontext.Value { return jsontext.Value(parameters).Clone() }

// Tool runs ask_user_question.
type Tool struct {
	// UI asks the person; an *agent.UI, usually. It must not be nil.
	UI Asker
	// Walk asks a client that cannot show questionnaires with plain dialogs
	// instead of failing; see [Walk].
	Walk bool
	// Timeout ends the questionnaire by itself; the zero value does not. A walk's
	// dialogs have none.
	Timeout protocol.Timeout
}

// Run checks input, asks the person and returns what a model should know of the
// outcome. It blocks until the person is done or ctx ends. It never fails
// otherwise than by a Result that says so, and it never chooses for the person.
func (t Tool) Run(ctx context.Context, input jsontext.Value) Result {
	questions, err := Parse(input)
	if err != nil {
		return badQuestions(err)
	}
	answers, err := t.ask(ctx, questions)
	return Outcome(questions, answers, err)
}

func (t Tool) ask(ctx context.Context, questions []protocol.Question) (protocol.Answers, error) {
	a, err := t.UI.Ask(ctx, &protocol.Questionnaire{Questions: questions, Timeout: t.Timeout})
	if errors.Is(err, agent.ErrNoQuestionnaire) && t.Walk {
		return Walk(ctx, t.UI, questions)
	}
	if err != nil {
		return nil, err
	}
	if answers, ok := a.(protocol.Answers); ok {
		return answers, nil
	}
	return nil, ErrDeclined
}
