package extension

import (
	"fmt"
	"slices"

	"extui/agent"
	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is an event as pi's extensions see it, for handlers in other languages.
type Event struct {
	Name string
	// Data is the event object, "type" included. Where an event's members may be
	// changed (input of tool_call), the handler puts the changed object here.
	Data jsontext.Value
}

// EventHandler handles any event. What it returns is what pi's handlers return, as
// JSON: {"block":true,"reason":…} for tool_call, {"cancel":true} for
// session_before_switch, {"action":"handled"} or {"action":"transform","text":…} for
// input, the members to replace for tool_result. nil, null and "" mean nothing.
type EventHandler func(ctx *Context, e *Event) (jsontext.Value, error)

type otherEvent struct {
	name string
	fn   EventHandler
}

// On registers a handler of the event of that name, in one order with the typed
// registrations. Events that have no type in Go are resources_discover, those that a
// [Reply] fires, and those of [Context.Fire]; any name may be given.
// What a handler returns must have the members that pi gives it; anything else is an
// error, on which gates close.
func (a *API) On(event string, fn EventHandler) {
	switch event {
	case eventSessionStart:
		a.OnSessionStart(func(c *Context, e *SessionStart) error {
			return ignore(fn(c, newEvent(event, text("reason", string(e.Reason)))))
		})
	case eventShutdown:
		a.OnSessionShutdown(func(c *Context, e *SessionShutdown) error {
			return ignore(fn(c, newEvent(event, text("reason", string(e.Reason)))))
		})
	case eventBeforeSwitch:
		a.OnSessionBeforeSwitch(func(c *Context, e *SessionBeforeSwitch) (bool, error) {
			result, err := object(fn(c, newEvent(event, text("reason", string(e.Reason)))))
			return truthy(result["cancel"]), err
		})
	case eventToolCall:
		a.OnToolCall(func(c *Context, e *ToolCall) (*Block, error) { return genericToolCall(c, e, fn) })
	case eventToolResult:
		a.OnToolResult(func(c *Context, e *ToolResultEvent) error { return genericToolResult(c, e, fn) })
	case eventInput:
		a.OnInput(func(c *Context, e *Input) (bool, error) { return genericInput(c, e, fn) })
	case eventAgentStart:
		a.OnAgentStart(func(c *Context, e *AgentStart) error { return ignore(fn(c, newEvent(event))) })
	case eventAgentEnd:
		a.OnAgentEnd(func(c *Context, e *AgentEnd) error {
			return ignore(fn(c, newEvent(event, protocol.Field{Name: "messages", Value: e.messages})))
		})
	case eventPromptStart, eventPromptEnd:
		a.OnDialog(func(c *Context, e agent.DialogEvent) {
			if dialogEventName(e) != event {
				return
			}
			_, err := fn(c, newEvent(event, text("reason", "ui_prompt"), text("kind", string(e.Dialog.Method())),
				text("title", e.Dialog.DialogTitle()), text("id", e.Dialog.RequestID().String())))
			if err != nil {
				c.instance.report(a.path, event, err)
			}
		})
	default:
		register(a, &a.instance.hooks.other, otherEvent{event, fn})
	}
}

func dialogEventName(e agent.DialogEvent) string {
	if e.Open {
		return eventPromptStart
	}
	return eventPromptEnd
}

// listens reports whether somebody handles an event that this package does not know.
func (i *instance) listens(event string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.hooks.other, func(h hook[otherEvent]) bool { return h.fn.name == event })
}

// fireOther calls the handlers of an event that this package does not know.
func (i *instance) fireOther(c *Context, event string, data jsontext.Value) {
	if data == nil {
		data = newEvent(event).Data
	}
	for _, h := range hooksOf(i, &i.hooks.other) {
		if h.fn.name != event {
			continue
		}
		err := agent.Protect(func() error {
			return ignore(h.fn.fn(c, &Event{Name: event, Data: data.Clone()}))
		})
		if err != nil {
			i.report(h.api.path, event, err)
		}
	}
}

func genericToolCall(c *Context, e *ToolCall, fn EventHandler) (*Block, error) {
	ev := newEvent(eventToolCall, text("toolCallId", e.ID), text("toolName", e.Tool), protocol.Field{Name: "input", Value: e.Input})
	result, err := object(fn(c, ev))
	if err != nil {
		return nil, err
	}
	after, err := object(ev.Data, nil)
	if err != nil {
		return nil, fmt.Errorf("the event: %w", err)
	}
	e.Input = after["input"]
	if !truthy(result["block"]) {
		return nil, nil
	}
	reason, err := optionalText(result, "reason", "")
	return &Block{Reason: reason}, err
}

func genericInput(c *Context, e *Input, fn EventHandler) (handled bool, err error) {
	fields := []protocol.Field{text("text", e.Text)}
	if e.Images != nil {
		fields = append(fields, protocol.Field{Name: "images", Value: e.Images})
	}
	result, err := object(fn(c, newEvent(eventInput, append(fields, text("source", e.Source))...)))
	if err != nil {
		return false, err
	}
	action, err := optionalText(result, "action", "continue")
	if err != nil {
		return false, err
	}
	switch action {
	case "continue":
	case "handled":
		return true, nil
	case "transform":
		e.Text, err = optionalText(result, "text", e.Text)
		if images := result["images"]; images.Kind() == '[' {
			e.Images = images
		}
	default:
		err = fmt.Errorf("action %q: not continue, transform or handled", action)
	}
	return false, err
}

func genericToolResult(c *Context, e *ToolResultEvent, fn EventHandler) error {
	before, err := object(e.Result.AppendJSON(nil), nil)
	if err != nil {
		return fmt.Errorf("the tool's result: %w", err)
	}
	fields := []protocol.Field{text("toolCallId", e.ID), text("toolName", e.Tool), {Name: "input", Value: e.Input}, {Name: "content", Value: before["content"]}}
	if e.Result.Details != nil {
		fields = append(fields, protocol.Field{Name: "details", Value: e.Result.Details})
	}
	fields = append(fields, protocol.Field{Name: "isError", Value: before["isError"]})
	result, err := object(fn(c, newEvent(eventToolResult, fields...)))
	if err != nil {
		return err
	}
	changed := *e.Result
	if err := patch(&changed, result); err != nil {
		return err
	}
	*e.Result = changed
	return nil
}

// newEvent makes the event object of pi.
func newEvent(name string, fields ...protocol.Field) *Event {
	return &Event{Name: name, Data: protocol.AppendCommand(nil, &protocol.Command{Type: name, Fields: fields})}
}

func text(name, value string) protocol.Field { return protocol.StringField(name, value) }

func ignore(_ jsontext.Value, err error) error { return err }

// object reads a JSON object; nothing and null are an empty one.
func object(raw jsontext.Value, err error) (map[string]jsontext.Value, error) {
	if err != nil || len(raw) == 0 || raw.Kind() == 'n' {
		return nil, err
	}
	if raw.Kind() != '{' {
		return nil, fmt.Errorf("a handler returned %s, want an object", kindNames[raw.Kind()])
	}
	var out map[string]jsontext.Value
	// Strings may hold lone surrogates.
	if err := json.Unmarshal(raw, &out, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("a handler returned what is not an object: %w", err)
	}
	return out, nil
}

var kindNames = map[jsontext.Kind]string{'t': "true", 'f': "false", '"': "a string", '0': "a number", '[': "a list"}

// truthy is JavaScript's idea of true: a gate that returns "yes" means to block.
func truthy(v jsontext.Value) bool {
	switch v.Kind() {
	case 0, 'n', 'f':
		return false
	case '0':
		return string(v) != "0"
	case '"':
		return string(v) != `""`
	}
	return true
}

func optionalText(o map[string]jsontext.Value, name, otherwise string) (string, error) {
	v := o[name]
	switch v.Kind() {
	case 0, 'n':
		return otherwise, nil
	case '"':
		return protocol.Unquote(v)
	}
	return "", &protocol.FieldError{Record: "handler's result", Field: name, Value: string(v), Want: "a string"}
}
