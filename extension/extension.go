package extension

import (
	"errors"
	"fmt"

	"extui/agent"

	"github.com/go-json-experiment/json/jsontext"
)

// Extension is one extension before it is loaded.
type Extension struct {
	// Name is for messages to people.
	Name string
	// Path names the extension in extension_error records and in get_commands. For
	// one that is no file, empty means Name.
	Path string
	// Setup registers what the extension has. It runs once for each session, before
	// the session starts; there is nobody to ask yet. An error, or a panic, means
	// that the extension is not loaded.
	Setup func(*API) error
}

func (e Extension) path() string {
	if e.Path == "" {
		return e.Name
	}
	return e.Path
}

// API is what an extension registers with, in Setup or later in its session. Its
// methods may be called at once and do not block. A mistake in a registration, such
// as a missing name, makes Setup fail; later it is an extension_error.
type API struct {
	instance *instance
	path     string // names the extension

	// loading and problems belong to instance.mu.
	loading  bool
	problems []error
}

// Command is a slash command.
type Command struct {
	// Name is what is typed after the slash, not empty. One with a space is listed but
	// no prompt runs it: the name in a prompt ends at the first space. If several
	// extensions take one name, each gets a suffix in load order, as in pi:
	// review:1, review:2. Within one extension the last registration counts.
	Name        string
	Description string // one line; may be empty
	// Handler runs the command; args is all that was typed behind the first space,
	// as it is. The client gets its response when Handler has returned.
	Handler func(ctx *Context, args string) error
	// Complete proposes arguments that go on from prefix. It may be nil.
	Complete func(ctx *Context, prefix string) ([]Completion, error)
}

// Completion is a proposed argument of a command.
type Completion struct {
	Value string // what is put in
	Label string // what is shown; may be empty
}

// Tool is something that a model, or a call_tool command, can call.
type Tool struct {
	// Name is not empty. If several extensions take one name, the first counts and
	// the others fail; see Fallback.
	Name        string
	Label       string // for people; may be empty
	Description string // for the model; may be empty
	// Parameters is the JSON Schema of the input, an object; nil for none. The input
	// is not checked against it here; Prepare may.
	Parameters jsontext.Value
	// Prepare returns the input as the tool wants it, before the handlers of tool_call
	// see it. An error, or a panic, is the result of the call, with IsError: nobody is
	// asked then, and nothing runs. It may be nil.
	Prepare func(ctx *Context, input jsontext.Value) (jsontext.Value, error)
	// Fallback makes room for a tool of the same name that another extension has, before
	// or after this one.
	Fallback bool
	// Execute runs the tool. input is a JSON object. An error, or a panic, becomes a
	// result with IsError.
	Execute func(ctx *Context, input jsontext.Value) (ToolResult, error)
}

// ToolResult is what a tool gives back; see [agent.TextResult].
type ToolResult = agent.ToolResult

// RegisterCommand adds a slash command.
func (a *API) RegisterCommand(c Command) {
	switch {
	case c.Name == "":
		a.problem(errors.New("register command: it has no name"))
		return
	case c.Handler == nil:
		a.problem(fmt.Errorf("register command %q: it has no handler", c.Name))
		return
	}
	i := a.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	for at, have := range i.commands {
		if have.api == a && have.Name == c.Name {
			i.commands[at].Command = c
			return
		}
	}
	i.commands = append(i.commands, registeredCommand{c, a})
}

// RegisterTool adds a tool.
func (a *API) RegisterTool(t Tool) {
	switch {
	case t.Name == "":
		a.problem(errors.New("register tool: it has no name"))
		return
	case t.Execute == nil:
		a.problem(fmt.Errorf("register tool %q: it has no Execute", t.Name))
		return
	case t.Parameters != nil && (t.Parameters.Kind() != '{' || !t.Parameters.IsValid()):
		a.problem(fmt.Errorf("register tool %q: its parameters are not a JSON object", t.Name))
		return
	}
	if !a.instance.addTool(t, a) {
		a.problem(fmt.Errorf("register tool %q: another extension has a tool of that name", t.Name))
	}
}

// problem keeps err for the end of Setup, or reports it if that is over.
func (a *API) problem(err error) {
	i := a.instance
	i.mu.Lock()
	if a.loading {
		a.problems = append(a.problems, err)
		i.mu.Unlock()
		return
	}
	i.mu.Unlock()
	i.report(a.path, "register", err)
}
