package extension

import (
	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/questionnaire"
)

// Questions is the extension that gives a model the tool ask_user_question: one to
// four questions in one dialog. It fails for a client that has not turned the
// questionnaire capability on, as Atomic's document says, unless walk is true:
// then such a client is asked with plain dialogs, one after the other.
func Questions(walk bool) Extension {
	return Extension{Name: questionnaire.ToolName, Setup: func(api *API) error {
		api.RegisterTool(Tool{
			Name:        questionnaire.ToolName,
			Label:       "Ask the user",
			Description: questionnaire.Description,
			Parameters:  questionnaire.Parameters(),
			Execute: func(ctx *Context, input jsontext.Value) (ToolResult, error) {
				r := questionnaire.Tool{UI: ctx.UI, Walk: walk}.Run(ctx, input)
				return ToolResult{
					Content: []agent.Content{{Type: "text", Text: r.Text}},
					Details: r.Details.AppendJSON(nil),
					IsError: r.IsError,
				}, nil
			},
		})
		return nil
	}}
}
