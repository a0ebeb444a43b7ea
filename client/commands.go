package client

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

// Disposition is what became of a prompt. Atomic does not say; it is "" then.
type Disposition string

// The dispositions of pi, and one of ours.
const (
	Handled  Disposition = "handled"  // by an extension's command, whose dialogs are over
	Started  Disposition = "started"  // a run begins; [AgentSettled] or [AgentEnd] ends it
	Queued   Disposition = "queued"   // behind the run that is under way
	Finished Disposition = "finished" // oh-my-pi: the run is over as well
)

// Prompt sends what a person typed, slash commands too, and waits until the
// agent says what becomes of it. It blocks as [Client.Call] does and has the
// same errors. fields are further fields of the command, such as
// streamingBehavior.
//
// pi and Atomic answer a slash command when its handler has ended, and any other
// prompt at once. oh-my-pi answers both early and sends a prompt_result when all
// is done; Prompt waits for that, so that a handler's dialogs are over in either
// case.
func (c *Client) Prompt(ctx context.Context, message string, fields ...protocol.Field) (Disposition, error) {
	const command = "prompt"
	k := &call{replies: make(chan reply, 4)}
	id, err := c.begin(ctx, command, k, append([]protocol.Field{protocol.StringField("message", message)}, fields...))
	if err != nil {
		return "", err
	}
	defer c.forget(id)
	r, err := c.await1(ctx, command, k)
	if err != nil {
		return "", err
	}
	var data struct {
		Disposition  Disposition `json:"disposition"`
		AgentInvoked *bool       `json:"agentInvoked"`
	}
	if err := decodeData(command, r, &data); err != nil {
		return "", err
	}
	if !c.ohMyPi.Load() {
		return data.Disposition, nil
	}
	if data.AgentInvoked != nil && !*data.AgentInvoked {
		return Handled, nil
	}
	for {
		next, err := c.reply(ctx, command, k)
		switch {
		case err != nil:
			return "", err
		case next.err != nil:
			return "", fmt.Errorf("command %s: %w", command, next.err)
		case next.response != nil && !next.response.Success:
			return "", &CommandError{command, next.response.Error}
		case next.result == nil: // the response once more
		case next.result.Error != "":
			return "", &CommandError{command, next.result.Error}
		default:
			return Finished, nil
		}
	}
}

// promptResult is oh-my-pi's word on how a prompt ended.
type promptResult struct{ Error string }

// promptResult takes one prompt_result.
func (c *Client) promptResult(record []byte) {
	var r struct {
		ID     string         `json:"id"`
		Status string         `json:"status"`
		Error  jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(record, &r, jsontext.AllowInvalidUTF8(true)); err != nil {
		c.note(Diagnostic{Kind: KindBadResponse, Bytes: int64(len(record)), Err: fmt.Errorf("prompt_result: %w", err)})
		return
	}
	result := &promptResult{}
	if k := r.Error.Kind(); k != 0 && k != 'n' {
		if text, err := protocol.Unquote(r.Error); err == nil {
			result.Error = text
		} else {
			result.Error = string(r.Error)
		}
	}
	if result.Error == "" && r.Status == "error" {
		result.Error = "the run failed"
	}
	c.deliver(protocol.StringID(r.ID), reply{result: result})
}

// decodeData reads a response's data, which may be absent.
func decodeData(command string, r *protocol.CommandResponse, into any) error {
	if r.Data == nil {
		return nil
	}
	if err := json.Unmarshal(r.Data, into, jsontext.AllowInvalidUTF8(true)); err != nil {
		return fmt.Errorf("command %s: read data: %w", command, err)
	}
	return nil
}

// NewSession starts a new session. cancelled means that an extension refused,
// after asking the person perhaps. It blocks as [Client.Call] does and has the
// same errors.
func (c *Client) NewSession(ctx context.Context) (cancelled bool, err error) {
	r, err := c.Call(ctx, "new_session")
	if err != nil {
		return false, err
	}
	var data struct {
		Cancelled bool `json:"cancelled"`
	}
	err = decodeData("new_session", r, &data)
	return data.Cancelled, err
}

// Abort stops what the agent is doing. Agents may answer only when the open
// dialogs of what they abort are over. It blocks as [Client.Call] does and has
// the same errors.
func (c *Client) Abort(ctx context.Context) error {
	_, err := c.Call(ctx, "abort")
	return err
}

// State is what an agent says about itself. Fields that it leaves out are zero.
type State struct {
	SessionID           string         `json:"sessionId"`
	SessionName         string         `json:"sessionName"`
	SessionFile         string         `json:"sessionFile"` // path; "" for a session that is not kept
	IsStreaming         bool           `json:"isStreaming"` // a run is under way
	MessageCount        int            `json:"messageCount"`
	PendingMessageCount int            `json:"pendingMessageCount"` // queued prompts
	Raw                 jsontext.Value `json:"-"`                   // all of it, as it came
}

// GetState asks for the agent's state. It blocks as [Client.Call] does and has
// the same errors.
func (c *Client) GetState(ctx context.Context) (*State, error) {
	r, err := c.Call(ctx, "get_state")
	if err != nil {
		return nil, err
	}
	s := &State{Raw: r.Data}
	if err := decodeData("get_state", r, s); err != nil {
		return nil, err
	}
	return s, nil
}

// CommandInfo is one slash command of the agent.
type CommandInfo struct {
	Name        string `json:"name"`        // without the slash
	Description string `json:"description"` // may be empty
	Source      string `json:"source"`      // "extension", "prompt" or "skill"; may be empty
}

// GetCommands lists the slash commands, in the agent's order. It blocks as
// [Client.Call] does and has the same errors.
func (c *Client) GetCommands(ctx context.Context) ([]CommandInfo, error) {
	command := "get_commands"
	if c.ohMyPi.Load() {
		command = "get_available_commands" // oh-my-pi's name for it
	}
	r, err := c.Call(ctx, command)
	if err != nil {
		return nil, err
	}
	var data struct {
		Commands []CommandInfo `json:"commands"`
	}
	if err := decodeData(command, r, &data); err != nil {
		return nil, err
	}
	return data.Commands, nil
}

// ToolResult is what a tool gave back.
type ToolResult struct {
	Content jsontext.Value `json:"content"` // an array of parts, as the tool gave it
	Details jsontext.Value `json:"details"` // nil if it gave none
	IsError bool           `json:"isError"` // it failed, or was blocked
}

// Text returns the text parts of the content, joined.
func (r *ToolResult) Text() string { return contentText(r.Content) }

// CallTool has the agent run a tool as a model would, permission gates included.
// input is a JSON object. Only our agent knows this command; others answer with
// what matches [ErrUnknownCommand]. It blocks as [Client.Call] does and has the
// same errors.
func (c *Client) CallTool(ctx context.Context, name string, input jsontext.Value) (*ToolResult, error) {
	const command = "call_tool"
	r, err := c.Call(ctx, command, protocol.StringField("toolName", name), protocol.Field{Name: "input", Value: input})
	if err != nil {
		return nil, err
	}
	t := &ToolResult{}
	if err := decodeData(command, r, t); err != nil {
		return nil, err
	}
	return t, nil
}

// contentText joins the text parts of a message's or result's content, which is
// an array of parts or one string.
func contentText(content jsontext.Value) string {
	if content.Kind() == '"' {
		s, _ := protocol.Unquote(content) // an invalid one is no text
		return s
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(content, &parts, jsontext.AllowInvalidUTF8(true)); err != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
