package extension

import (
	"slices"

	"extui/agent"

	"github.com/go-json-experiment/json/jsontext"
)

// The events that a Host fires.
const (
	eventSessionStart = "session_start"
	eventBeforeSwitch = "session_before_switch"
	eventShutdown     = "session_shutdown"
	eventToolCall     = "tool_call"
	eventToolResult   = "tool_result"
	eventInput        = "input"
	eventAgentStart   = "agent_start"
	eventAgentEnd     = "agent_end"
	eventPromptStart  = "ui_prompt_start"
	eventPromptEnd    = "ui_prompt_end"
)

// Events that have no type in Go. A [Reply] fires those of an answer, the Host the
// rest; a program that answers in another way may fire them with [Context.Fire].
const (
	eventResources        = "resources_discover"
	eventBeforeAgentStart = "before_agent_start"
	eventTurnStart        = "turn_start"
	eventTurnEnd          = "turn_end"
	eventAgentSettled     = "agent_settled"
	eventInfoChanged      = "session_info_changed"
)

// known are the events that only the Host fires.
var known = map[string]bool{
	eventSessionStart: true, eventBeforeSwitch: true, eventShutdown: true, eventToolCall: true, eventToolResult: true,
	eventInput: true, eventAgentStart: true, eventAgentEnd: true, eventPromptStart: true, eventPromptEnd: true, eventResources: true,
}

// SessionStart is the event session_start.
type SessionStart struct {
	Reason agent.Reason // startup, new, reload or fork
}

// SessionBeforeSwitch is the event session_before_switch.
type SessionBeforeSwitch struct {
	Reason agent.Reason // new
}

// SessionShutdown is the event session_shutdown.
type SessionShutdown struct {
	Reason agent.Reason // new, reload, fork or quit
}

// ToolCall is the event tool_call: a tool is about to run.
type ToolCall struct {
	ID    string // of the call
	Tool  string
	Input jsontext.Value // a JSON object; a handler may put another in its place
}

// Block is what a handler of tool_call returns to keep the tool from running.
type Block struct {
	Reason string // the text of the tool's result; may be empty
}

// ToolResultEvent is the event tool_result: a tool has run.
type ToolResultEvent struct {
	ID     string // of the call
	Tool   string
	Input  jsontext.Value
	Result *ToolResult // never nil; a handler may change it
}

// Input is the event input: somebody has sent a text that is no slash command.
type Input struct {
	Text   string         // a handler may change it
	Images jsontext.Value // a JSON array as it came, nil for none; a handler may change it
	Source string         // "rpc" for the client, "extension" for [Context.FireInput]
}

// AgentStart is the event agent_start: an answer begins.
type AgentStart struct{}

// AgentEnd is the event agent_end: an answer is complete, or was aborted.
type AgentEnd struct {
	Text    string // the whole answer
	Aborted bool

	messages jsontext.Value // of the run, for handlers in other languages
}

// hook is one handler and who registered it.
type hook[F any] struct {
	api *API
	fn  F
}

// notifier is a handler of an event that it can do no more than learn of.
type notifier[E any] = func(*Context, *E) error

// hooks are the handlers of one instance, in the order of registration. They belong
// to instance.mu.
type hooks struct {
	sessionStart []hook[notifier[SessionStart]]
	shutdown     []hook[notifier[SessionShutdown]]
	toolResult   []hook[notifier[ToolResultEvent]]
	agentStart   []hook[notifier[AgentStart]]
	agentEnd     []hook[notifier[AgentEnd]]
	beforeSwitch []hook[func(*Context, *SessionBeforeSwitch) (bool, error)]
	toolCall     []hook[func(*Context, *ToolCall) (*Block, error)]
	input        []hook[func(*Context, *Input) (bool, error)]
	dialog       []hook[func(*Context, agent.DialogEvent)]
	other        []hook[otherEvent]
}

func (h *hooks) remove(a *API) {
	removeFrom(&h.sessionStart, a)
	removeFrom(&h.shutdown, a)
	removeFrom(&h.toolResult, a)
	removeFrom(&h.agentStart, a)
	removeFrom(&h.agentEnd, a)
	removeFrom(&h.beforeSwitch, a)
	removeFrom(&h.toolCall, a)
	removeFrom(&h.input, a)
	removeFrom(&h.dialog, a)
	removeFrom(&h.other, a)
}

func removeFrom[F any](list *[]hook[F], a *API) {
	*list = slices.DeleteFunc(*list, func(h hook[F]) bool { return h.api == a })
}

// hooksOf returns a list as it is now; handlers may register more while it runs.
func hooksOf[F any](i *instance, list *[]hook[F]) []hook[F] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(*list)
}

func register[F any](a *API, list *[]hook[F], fn F) {
	a.instance.mu.Lock()
	defer a.instance.mu.Unlock()
	*list = append(*list, hook[F]{a, fn})
}

// fire calls the handlers of an event that nobody can stop.
func fire[E any](i *instance, c *Context, event string, hooks []hook[notifier[E]], e *E) {
	for _, h := range hooks {
		if err := agent.Protect(func() error { return h.fn(c, e) }); err != nil {
			i.report(h.api.path, event, err)
		}
	}
}

// OnSessionStart registers a handler of session_start. It may ask; the client need
// not have sent anything yet.
func (a *API) OnSessionStart(fn func(*Context, *SessionStart) error) {
	register(a, &a.instance.hooks.sessionStart, fn)
}

// OnSessionBeforeSwitch registers a handler of session_before_switch. It may ask.
// true keeps the session, and so does an error.
func (a *API) OnSessionBeforeSwitch(fn func(*Context, *SessionBeforeSwitch) (cancel bool, err error)) {
	register(a, &a.instance.hooks.beforeSwitch, fn)
}

// OnSessionShutdown registers a handler of session_shutdown. It can send updates,
// but dialogs get their default at once.
func (a *API) OnSessionShutdown(fn func(*Context, *SessionShutdown) error) {
	register(a, &a.instance.hooks.shutdown, fn)
}

// OnToolCall registers a handler of tool_call, a gate. It may ask. A Block keeps the
// tool from running, and so does an error; nil and nil lets it pass. Later handlers
// see the input as earlier ones have changed it.
func (a *API) OnToolCall(fn func(*Context, *ToolCall) (*Block, error)) {
	register(a, &a.instance.hooks.toolCall, fn)
}

// OnToolResult registers a handler of tool_result, which may change the result. It
// is not called for a tool that was blocked.
func (a *API) OnToolResult(fn func(*Context, *ToolResultEvent) error) {
	register(a, &a.instance.hooks.toolResult, fn)
}

// OnInput registers a handler of input. It may change the text, or return true if
// it has dealt with it; later handlers and [Host.OnPrompt] then do not see it.
func (a *API) OnInput(fn func(*Context, *Input) (handled bool, err error)) {
	register(a, &a.instance.hooks.input, fn)
}

// OnAgentStart registers a handler of agent_start.
func (a *API) OnAgentStart(fn func(*Context, *AgentStart) error) {
	register(a, &a.instance.hooks.agentStart, fn)
}

// OnAgentEnd registers a handler of agent_end.
func (a *API) OnAgentEnd(fn func(*Context, *AgentEnd) error) {
	register(a, &a.instance.hooks.agentEnd, fn)
}

// OnDialog registers a handler that learns when a person is being waited for:
// ui_prompt_start and ui_prompt_end. Each dialog has one of each, paired by its ID;
// those of different dialogs interleave. The handler must return at once and must
// not ask.
func (a *API) OnDialog(fn func(*Context, agent.DialogEvent)) {
	register(a, &a.instance.hooks.dialog, fn)
}
