package client

import "github.com/go-json-experiment/json/jsontext"

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
