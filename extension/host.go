package extension

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"extui/agent"

	"github.com/go-json-experiment/json/jsontext"
)

// Host holds extensions and is the [agent.Runtime] that runs them. Its fields are
// set before the agent serves; they are only read then. It may serve several agents.
type Host struct {
	// OnPrompt takes a text that is no slash command, after the input handlers; see
	// [agent.Prompt] and [Context.StartReply]. nil fails such prompts.
	OnPrompt func(ctx *Context, p *agent.Prompt) error
	// Cwd is the directory that extensions are told they work in.
	Cwd string
	// ToolActive says whether a tool of that name may be called in a session now: a call of
	// another fails like one of a tool that is not there. It is set before Serve and may be
	// called at once. nil lets all be called.
	ToolActive func(s *agent.Session, name string) bool

	extensions []Extension

	mu        sync.Mutex
	instances map[*agent.Session]*instance
}

// NewHost returns a Host of these extensions, loaded in that order.
func NewHost(extensions ...Extension) *Host {
	return &Host{extensions: slices.Clone(extensions), instances: map[*agent.Session]*instance{}}
}

// instance is the extensions as loaded for one session.
type instance struct {
	host    *Host
	session *agent.Session

	mu       sync.Mutex
	commands []registeredCommand // in the order of registration
	tools    []registeredTool
	hooks    hooks
	next     []string // messages for the next run, as JSON
}

type registeredCommand struct {
	Command
	api *API
}

type registeredTool struct {
	Tool
	api *API
}

func (i *instance) addTool(t Tool, a *API) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	for at, have := range i.tools {
		if have.Name == t.Name {
			switch {
			case have.api == a:
				i.tools[at].Tool = t
			case t.Fallback:
			case have.Fallback:
				i.tools[at] = registeredTool{t, a}
			default:
				return false
			}
			return true
		}
	}
	i.tools = append(i.tools, registeredTool{t, a})
	return true
}

func (i *instance) report(path, event string, err error) {
	i.session.Report(agent.ExtensionError(path, event, err))
}

func (h *Host) instance(s *agent.Session) *instance {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := h.instances[s]; i != nil {
		return i
	}
	// The session is over, or failed to load: nothing is registered.
	return &instance{host: h, session: s}
}

// Load runs the Setup of every extension. One that fails is left out, and the error
// says which and why.
func (h *Host) Load(_ context.Context, s *agent.Session) error {
	i := &instance{host: h, session: s}
	var failed []error
	for _, e := range h.extensions {
		if err := i.load(e); err != nil {
			failed = append(failed, fmt.Errorf("load extension %q: %w", e.path(), err))
		}
	}
	h.mu.Lock()
	h.instances[s] = i
	h.mu.Unlock()
	return errors.Join(failed...)
}

func (i *instance) load(e Extension) error {
	if e.Setup == nil {
		return errors.New("it has no Setup")
	}
	api := &API{instance: i, path: e.path(), loading: true}
	err := agent.Protect(func() error { return e.Setup(api) })
	i.mu.Lock()
	defer i.mu.Unlock()
	api.loading = false
	if err = errors.Join(append([]error{err}, api.problems...)...); err != nil {
		i.commands = slices.DeleteFunc(i.commands, func(c registeredCommand) bool { return c.api == api })
		i.tools = slices.DeleteFunc(i.tools, func(t registeredTool) bool { return t.api == api })
		i.hooks.remove(api)
	}
	return err
}

// Start fires session_start, and then resources_discover as pi does: there is nothing
// here that takes the files that its handlers name.
func (h *Host) Start(ctx context.Context, s *agent.Session, reason agent.Reason) {
	i := h.instance(s)
	e := &SessionStart{Reason: reason}
	c := i.context(ctx)
	fire(i, c, eventSessionStart, hooksOf(i, &i.hooks.sessionStart), e)
	why := "startup"
	if reason == agent.ReasonReload {
		why = "reload"
	}
	i.fireOther(c, eventResources, newEvent(eventResources, text("cwd", h.Cwd), text("reason", why)).Data)
}

// BeforeSwitch fires session_before_switch. A handler that fails cancels.
func (h *Host) BeforeSwitch(ctx context.Context, s *agent.Session, reason agent.Reason) bool {
	i := h.instance(s)
	c := i.context(ctx)
	for _, hook := range hooksOf(i, &i.hooks.beforeSwitch) {
		var cancel bool
		err := agent.Protect(func() (err error) {
			cancel, err = hook.fn(c, &SessionBeforeSwitch{Reason: reason})
			return err
		})
		if err != nil {
			i.report(hook.api.path, eventBeforeSwitch, err)
		}
		if cancel || err != nil {
			return true
		}
	}
	return false
}

// Shutdown fires session_shutdown.
func (h *Host) Shutdown(ctx context.Context, s *agent.Session, reason agent.Reason) {
	i := h.instance(s)
	fire(i, i.context(ctx), eventShutdown, hooksOf(i, &i.hooks.shutdown), &SessionShutdown{Reason: reason})
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.instances, s)
}

// Commands lists the slash commands under the names that invoke them.
func (h *Host) Commands(s *agent.Session) []agent.CommandInfo {
	var out []agent.CommandInfo
	for _, c := range h.instance(s).invocable() {
		out = append(out, agent.CommandInfo{Name: c.Name, Description: c.Description, Path: c.api.path})
	}
	return out
}

// invocable returns the commands with their names made unique by suffixes.
func (i *instance) invocable() []registeredCommand {
	i.mu.Lock()
	out := slices.Clone(i.commands)
	i.mu.Unlock()
	count := map[string]int{}
	for _, c := range out {
		count[c.Name]++
	}
	taken := map[string]bool{}
	for name, n := range count {
		taken[name] = n == 1
	}
	next := map[string]int{}
	for at := range out {
		name := out[at].Name
		if count[name] == 1 {
			continue
		}
		for {
			next[name]++
			suffixed := fmt.Sprintf("%s:%d", name, next[name])
			if !taken[suffixed] {
				taken[suffixed] = true
				out[at].Name = suffixed
				break
			}
		}
	}
	return out
}

func (i *instance) command(name string) (registeredCommand, bool) {
	for _, c := range i.invocable() {
		if c.Name == name {
			return c, true
		}
	}
	return registeredCommand{}, false
}

// Command runs a slash command.
func (h *Host) Command(ctx context.Context, s *agent.Session, name, args string) (found bool, err error) {
	i := h.instance(s)
	c, ok := i.command(name)
	if !ok {
		return false, nil
	}
	return true, agent.Protect(func() error { return c.Handler(i.context(ctx), args) })
}

// Complete proposes arguments of a slash command that go on from prefix: none if
// there is no such command or it proposes none. It blocks as long as the extension
// does.
func (h *Host) Complete(ctx context.Context, s *agent.Session, command, prefix string) (out []Completion, err error) {
	i := h.instance(s)
	c, ok := i.command(command)
	if !ok || c.Complete == nil {
		return nil, nil
	}
	err = agent.Protect(func() (err error) {
		out, err = c.Complete(i.context(ctx), prefix)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("complete /%s: %w", command, err)
	}
	return out, nil
}

// Prompt fires input, and hands what is left to OnPrompt.
func (h *Host) Prompt(ctx context.Context, s *agent.Session, p *agent.Prompt) error {
	i := h.instance(s)
	c := i.context(ctx)
	e := &Input{Text: p.Text, Images: p.Images, Source: "rpc"}
	if i.fireInput(c, e) {
		return nil
	}
	if h.OnPrompt == nil {
		return agent.ErrUnhandled
	}
	p.Text, p.Images = e.Text, e.Images
	return h.OnPrompt(c, p)
}

// fireInput asks the input handlers, who may change e, and reports whether one of them
// has dealt with it.
func (i *instance) fireInput(c *Context, e *Input) (handled bool) {
	for _, hook := range hooksOf(i, &i.hooks.input) {
		var handled bool
		err := agent.Protect(func() (err error) {
			handled, err = hook.fn(c, e)
			return err
		})
		if err != nil {
			i.report(hook.api.path, eventInput, err)
			continue
		}
		if handled {
			return true
		}
	}
	return false
}

// DialogChanged fires ui_prompt_start and ui_prompt_end.
func (h *Host) DialogChanged(s *agent.Session, e agent.DialogEvent) {
	i := h.instance(s)
	ctx := i.session.Context()
	for _, hook := range hooksOf(i, &i.hooks.dialog) {
		err := agent.Protect(func() error { hook.fn(i.context(ctx), e); return nil })
		if err != nil {
			i.report(hook.api.path, dialogEventName(e), err)
		}
	}
}

// SessionNamed fires session_info_changed for a name that the client has given.
func (h *Host) SessionNamed(ctx context.Context, s *agent.Session, name string) {
	i := h.instance(s)
	i.fireOther(i.context(ctx), eventInfoChanged, newEvent(eventInfoChanged, text("name", name)).Data)
}

// Tools lists the tools in the order of registration.
func (h *Host) Tools(s *agent.Session) []Tool {
	i := h.instance(s)
	i.mu.Lock()
	defer i.mu.Unlock()
	var out []Tool
	for _, t := range i.tools {
		out = append(out, t.Tool)
	}
	return out
}

// CallTool runs a tool with its gates; see [agent.Runtime].
func (h *Host) CallTool(ctx context.Context, s *agent.Session, call agent.ToolCall) (*ToolResult, error) {
	i := h.instance(s)
	i.mu.Lock()
	at := slices.IndexFunc(i.tools, func(t registeredTool) bool { return t.Name == call.Tool })
	var tool registeredTool
	if at >= 0 {
		tool = i.tools[at]
	}
	i.mu.Unlock()
	if at < 0 {
		return nil, agent.ErrUnknownTool
	}
	if h.ToolActive != nil && !h.ToolActive(s, call.Tool) {
		return failed("Tool " + call.Tool + " not found"), nil // as pi says it
	}
	c := i.context(ctx)
	c.ToolCallID = call.ID
	if tool.Prepare != nil {
		err := agent.Protect(func() (err error) {
			call.Input, err = tool.Prepare(c, call.Input)
			return err
		})
		if err != nil {
			return failed(err.Error()), nil
		}
	}
	input, why := i.gate(c, call)
	if why != "" {
		return failed(why), nil
	}
	var result ToolResult
	err := agent.Protect(func() (err error) {
		result, err = tool.Execute(c, input)
		return err
	})
	if err != nil {
		result = *agent.ErrorResult(err.Error())
	}
	e := &ToolResultEvent{ID: call.ID, Tool: call.Tool, Input: input, Result: &result}
	fire(i, c, eventToolResult, hooksOf(i, &i.hooks.toolResult), e)
	return e.Result, nil
}

// failed is the result of a tool that has not run.
func failed(why string) *ToolResult {
	r := agent.ErrorResult(why)
	r.Details = jsontext.Value(`{}`)
	return r
}

// gate asks the tool_call handlers. why says what blocks the call, "" if nothing
// does; input is what the handlers have made of it.
func (i *instance) gate(c *Context, call agent.ToolCall) (input jsontext.Value, why string) {
	e := &ToolCall{ID: call.ID, Tool: call.Tool, Input: call.Input}
	noting, broken := agent.NoteBreaks(c)
	c = c.WithContext(noting)
	for _, hook := range hooksOf(i, &i.hooks.toolCall) {
		var block *Block
		err := agent.Protect(func() (err error) {
			block, err = hook.fn(c, e)
			return err
		})
		if err == nil && (e.Input.Kind() != '{' || !e.Input.IsValid(jsontext.AllowInvalidUTF8(true))) {
			err = errors.New("it left an input that is not a JSON object")
		}
		switch {
		case err != nil:
			i.report(hook.api.path, eventToolCall, err)
			return nil, fmt.Sprintf("Blocked, because a tool_call handler failed: %v", err)
		case block != nil && block.Reason == "":
			return nil, "Blocked by an extension"
		case block != nil:
			return nil, block.Reason
		}
	}
	// A gate that was aborted may have taken its default for leave to go on.
	if c.Err() != nil || broken() {
		return nil, "Operation aborted"
	}
	return e.Input, ""
}
