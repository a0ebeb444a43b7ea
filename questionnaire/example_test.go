package questionnaire_test

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
	"extui/questionnaire"
)

// first always takes the first option of a select.
type first struct{}

func (first) Ask(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
	if s, ok := d.(*protocol.Select); ok {
		return protocol.Value(s.Options[0].Answer()), nil
	}
	return protocol.Cancelled{}, nil
}

// A person who answers each plain dialog of a walk.
func ExampleWalk() {
	questions, err := questionnaire.Parse(jsontext.Value(`{"questions":[{"question":"Which storage?","header":"Storage",
		"options":[{"label":"SQLite","description":"A file"},{"label":"libSQL","description":"A server"}]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answers, err := questionnaire.Walk(context.Background(), first{}, questions)
	fmt.Println(questionnaire.Outcome(questions, answers, err).Text)
	// Output:
	// The user answered:
	// 1. "Which storage?": "SQLite"
}
