package client

import (
	"context"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"extui/protocol"
)

var errUnfinished = errors.New("not built yet")

// Group is what [First] returns.
type Group struct{}

// First asks several front ends at once.
func First(fs ...Frontend) *Group { return &Group{} }

// Ask implements [Frontend].
func (g *Group) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	return nil, errUnfinished
}

// Show implements [Frontend].
func (g *Group) Show(u protocol.Update) {}

// Capabilities implements [Capable].
func (g *Group) Capabilities() protocol.Capabilities { return protocol.Capabilities{} }

// Dropped implements [Dropped].
func (g *Group) Dropped(d protocol.Dialog, a protocol.Answer, why error) {}

// Close waits for front ends that are still in Ask.
func (g *Group) Close(ctx context.Context) error { return errUnfinished }

// Client is the client end.
type Client struct{}

// Start starts an agent.
func Start(ctx context.Context, cmd Command, opts *Options) (*Client, error) {
	return nil, errUnfinished
}

// Attach talks to an agent that runs already.
func Attach(r io.Reader, w io.Writer, opts *Options) *Client { return &Client{} }

// Close stops the agent.
func (c *Client) Close(ctx context.Context) error { return errUnfinished }

// Done is closed when the agent is gone.
func (c *Client) Done() <-chan struct{} { return nil }

// Err says why the agent is gone.
func (c *Client) Err() error { return errUnfinished }

// Counts counts diagnostics.
func (c *Client) Counts() map[DiagnosticKind]Count { return nil }

// Mirror returns the mirror of the agent's UI.
func (c *Client) Mirror() *Mirror { return nil }

// Subscribe hands on records.
func (c *Client) Subscribe(fn func(record []byte)) (stop func()) { return nil }

// Call sends a command and waits for its response.
func (c *Client) Call(ctx context.Context, command string, fields ...protocol.Field) (*protocol.CommandResponse, error) {
	return nil, errUnfinished
}

// Disposition is what became of a prompt.
type Disposition string

// What pi says became of a prompt.
const (
	Handled Disposition = "handled" // by an extension; its dialogs are over
	Started Disposition = "started" // a run begins; AgentSettled or AgentEnd ends it
	Queued  Disposition = "queued"
)

// Prompt sends what a person typed.
func (c *Client) Prompt(ctx context.Context, message string, fields ...protocol.Field) (Disposition, error) {
	return "", errUnfinished
}

// NewSession starts a new session; cancelled says that an extension refused.
func (c *Client) NewSession(ctx context.Context) (cancelled bool, err error) {
	return false, errUnfinished
}

// Abort stops what runs.
func (c *Client) Abort(ctx context.Context) error { return errUnfinished }

// State is the answer to get_state.
type State struct {
	SessionID, SessionName, SessionFile string
	IsStreaming                         bool
	MessageCount, PendingMessageCount   int
	Raw                                 jsontext.Value // all of it
}

// GetState asks for the agent's state.
func (c *Client) GetState(ctx context.Context) (*State, error) { return nil, errUnfinished }

// CommandInfo is one slash command.
type CommandInfo struct {
	Name        string // without the slash
	Description string // may be empty
	Source      string // "extension", "prompt", "skill"; may be empty
}

// GetCommands lists the slash commands.
func (c *Client) GetCommands(ctx context.Context) ([]CommandInfo, error) { return nil, errUnfinished }

// ToolResult is the outcome of [Client.CallTool].
type ToolResult struct {
	Text    string         // the text parts of Content
	Content jsontext.Value // as the tool gave it
	Details jsontext.Value // nil if there are none
	IsError bool
}

// CallTool runs a tool as a model would.
func (c *Client) CallTool(ctx context.Context, name string, input jsontext.Value) (*ToolResult, error) {
	return nil, errUnfinished
}

// Mirror is what the agent's UI shows.
type Mirror struct{}

// Snapshot returns what it shows now.
func (m *Mirror) Snapshot() Snapshot { return Snapshot{} }

// Watch returns a snapshot and hands on the changes after it.
func (m *Mirror) Watch(fn func(Change)) (Snapshot, func()) { return Snapshot{}, nil }

// Apply makes a change to s.
func (s *Snapshot) Apply(ch Change) {}

// DecodeEvent reads one event; nil for records that are none of [Event].
func DecodeEvent(record []byte) (Event, error) { return nil, errUnfinished }
