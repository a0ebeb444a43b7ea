package client

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// Event is one record of what the agent does, for a front end that shows it.
// It is one of the types below, as a value.
type Event interface{ isEvent() }

// The events of pi, Atomic and oh-my-pi that say how a run goes. A run has
// turns, a turn has one message of the model and the tools that it calls.
type (
	// AgentStart begins a run.
	AgentStart struct{}
	// AgentEnd ends a run, if WillRetry is false.
	AgentEnd struct{ WillRetry bool }
	// AgentSettled says that nothing is left to do: no retry, no queued prompt.
	AgentSettled struct{ Aborted bool }
	// TurnStart begins a turn.
	TurnStart struct{}
	// TurnEnd ends a turn.
	TurnEnd struct{}
	// MessageStart begins a message. Role is "assistant", "user", "toolResult" or
	// another of the agent's.
	MessageStart struct{ Role string }
	// MessageEnd has a message whole.
	MessageEnd struct {
		Role       string
		Text       string // its text parts in order, without thinking and tool calls
		StopReason string // assistant: "stop", "toolUse", "aborted", "error" and others
		Error      string // assistant: what went wrong, "" if nothing did
	}
	// TextDelta is the next piece of the assistant's text.
	TextDelta struct{ Text string }
	// ThinkingDelta is the next piece of its reasoning.
	ThinkingDelta struct{ Text string }
	// ToolStart begins a tool call.
	ToolStart struct {
		ID, Name string
		Args     jsontext.Value // JSON; nil if there are none
	}
	// ToolUpdate has all the output of a tool call so far.
	ToolUpdate struct{ ID, Name, Text string }
	// ToolEnd ends a tool call.
	ToolEnd struct {
		ID, Name string
		Text     string // the text parts of its result
		IsError  bool   // it failed, or was blocked
	}
	// ExtensionError says that an extension failed.
	ExtensionError struct{ ExtensionPath, Event, Message, Stack string }
)

func (AgentStart) isEvent()     {}
func (AgentEnd) isEvent()       {}
func (AgentSettled) isEvent()   {}
func (TurnStart) isEvent()      {}
func (TurnEnd) isEvent()        {}
func (MessageStart) isEvent()   {}
func (MessageEnd) isEvent()     {}
func (TextDelta) isEvent()      {}
func (ThinkingDelta) isEvent()  {}
func (ToolStart) isEvent()      {}
func (ToolUpdate) isEvent()     {}
func (ToolEnd) isEvent()        {}
func (ExtensionError) isEvent() {}

// DecodeEvent reads a record that [Client.Subscribe] hands out. It is nil,
// without an error, for the many records that are none of the events above. An
// error means that the record is one by its type but cannot be read. The result
// shares no memory with record.
func DecodeEvent(record []byte) (Event, error) {
	typ, ok := protocol.RecordType(record)
	if !ok {
		return nil, fmt.Errorf("decode event: %w", protocol.ErrNotObject)
	}
	var into interface{ event() Event }
	switch typ {
	case "agent_start":
		return AgentStart{}, nil
	case "turn_start":
		return TurnStart{}, nil
	case "turn_end":
		return TurnEnd{}, nil
	case "agent_end":
		into = new(runRecord)
	case "agent_settled":
		into = new(settledRecord)
	case "message_start", "message_end":
		into = &messageRecord{end: typ == "message_end"}
	case "message_update":
		into = new(deltaRecord)
	case "tool_execution_start", "tool_execution_update", "tool_execution_end":
		into = &toolRecord{typ: typ}
	case protocol.TypeExtensionError:
		e, err := protocol.DecodeExtensionError(record)
		if err != nil {
			return nil, fmt.Errorf("decode event: %w", err)
		}
		return ExtensionError{e.ExtensionPath, e.Event, e.Error, e.Stack}, nil
	default:
		return nil, nil
	}
	if err := json.Unmarshal(record, into, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("decode %s event: %w", typ, err)
	}
	return into.event(), nil
}

type runRecord struct {
	WillRetry bool `json:"willRetry"`
}

func (r *runRecord) event() Event { return AgentEnd(*r) }

type settledRecord struct {
	Aborted bool `json:"aborted"`
}

func (r *settledRecord) event() Event { return AgentSettled(*r) }

type messageRecord struct {
	end     bool
	Message struct {
		Role       string         `json:"role"`
		Content    jsontext.Value `json:"content"`
		StopReason string         `json:"stopReason"`
		Error      string         `json:"errorMessage"`
	} `json:"message"`
}

func (r *messageRecord) event() Event {
	m := &r.Message
	if !r.end {
		return MessageStart{m.Role}
	}
	return MessageEnd{m.Role, contentText(m.Content), m.StopReason, m.Error}
}

type deltaRecord struct {
	Event struct {
		Type  string `json:"type"`
		Delta string `json:"delta"`
	} `json:"assistantMessageEvent"`
}

func (r *deltaRecord) event() Event {
	switch r.Event.Type {
	case "text_delta":
		return TextDelta{r.Event.Delta}
	case "thinking_delta":
		return ThinkingDelta{r.Event.Delta}
	}
	return nil
}

type toolRecord struct {
	typ     string
	ID      string         `json:"toolCallId"`
	Name    string         `json:"toolName"`
	Args    jsontext.Value `json:"args"`
	IsError bool           `json:"isError"`
	Partial toolContent    `json:"partialResult"`
	Result  toolContent    `json:"result"`
}

type toolContent struct {
	Content jsontext.Value `json:"content"`
}

// UnmarshalJSON reads the content of a result. Results of any other shape, a
// plain string for instance, count as content themselves.
func (t *toolContent) UnmarshalJSON(b []byte) error {
	var object struct {
		Content jsontext.Value `json:"content"`
	}
	if jsontext.Value(b).Kind() == '{' {
		if err := json.Unmarshal(b, &object, jsontext.AllowInvalidUTF8(true)); err != nil {
			return err
		}
		t.Content = object.Content
		return nil
	}
	t.Content = jsontext.Value(b).Clone()
	return nil
}

func (r *toolRecord) event() Event {
	switch r.typ {
	case "tool_execution_start":
		return ToolStart{r.ID, r.Name, r.Args}
	case "tool_execution_update":
		return ToolUpdate{r.ID, r.Name, contentText(r.Partial.Content)}
	}
	return ToolEnd{r.ID, r.Name, contentText(r.Result.Content), r.IsError}
}
