package demo

import (
	"extui/extension"
	"extui/protocol"
	"extui/questionnaire"
)

// questions are those of /ask: one with previews, one for any number of options,
// and one that may be answered in one's own words.
var questions = []protocol.Question{
	{
		Question: "Which storage should runs use?",
		Header:   "Storage",
		Options: []protocol.QuestionOption{
			{Label: "SQLite", Description: "A local file", Preview: new("```sh\nsqlite3 runs.db\n```\nOne file beside the project.")},
			{Label: "libSQL", Description: "A shared database", Preview: new("```sh\nlibsql://runs.local\n```\nOne server for the whole team.")},
		},
	},
	{
		Question:    "Which checks should run before each commit?",
		Header:      "Checks",
		MultiSelect: true,
		Options: []protocol.QuestionOption{
			{Label: "vet", Description: "Finds common mistakes"},
			{Label: "race", Description: "Finds data races, takes longer"},
			{Label: "fuzz", Description: "Looks for surprising input"},
		},
	},
	{
		Question: "How long should runs be kept?",
		Header:   "Retention",
		Options: []protocol.QuestionOption{
			{Label: "A week", Description: "Enough to look into a failure"},
			{Label: "For ever", Description: "Needs a disk that grows"},
		},
	},
}

// askQuestions asks several questions in one dialog. What comes of it is told in
// the words that a model would read as the result of ask_user_question.
func askQuestions(ctx *extension.Context, _ string) error {
	answers, err := ctx.UI.Questionnaire(ctx, questions, nil)
	if ctx.Err() != nil {
		return nil
	}
	result := questionnaire.Outcome(questions, answers, err)
	severity := protocol.NotifyInfo
	if result.IsError {
		severity = protocol.NotifyError
	}
	return ctx.UI.Notify(ctx, result.Text, severity)
}
