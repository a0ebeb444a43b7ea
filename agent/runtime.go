package agent

import (
	"context"

	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// Reason says why a session starts, is left, or ends.
type Reason string

// The reasons that this agent has. Sessions start with startup, new, reload or fork, are
// left for new, and end with new, reload, fork or quit.
const (
	ReasonStartup Reason = "startup"
	ReasonNew     Reason = "new"
	ReasonReload  Reason = "reload"
	ReasonFork    Reason = "fork"
	ReasonQuit    Reason = "quit"
)

// Runtime is what the command loop drives: the extensions. Package extension has
// one, extension.Host.
//
// Methods are called from goroutines that Serve owns, several at once for one
// session, and may block: the loop goes on reading. Their contexts end on an
// abort by the client, when the session is replaced, and when the agent ends; they
// should then return soon, see [Options.Grace]. A panic in a method is reported as
// an extension_error and its command is answered all the same.
type Runtime interface {
	// Load makes the extensions ready for a new session: they register their
	// commands and tools. It returns before anything else is called for s. An error
	// at the start ends Serve; in new_session it fails that command.
	Load(ctx context.Context, s *Session) error
	// Start tells that s has started; commands of the client may run beside it.
	Start(ctx context.Context, s *Session, reason Reason)
	// BeforeSwitch asks whether s may be left. Extensions may ask a person.
	BeforeSwitch(ctx context.Context, s *Session, reason Reason) (cancel bool)
	// Shutdown tells that s ends. All its dialogs are over and it can open no
	// more; updates are still written.
	Shutdown(ctx context.Context, s *Session, reason Reason)
	// Commands lists the slash commands of s. It must not block.
	Commands(s *Session) []CommandInfo
	// Command runs a slash command; args is all that stands behind the first space.
	// found is false if there is no such command, and nothing has happened then. An
	// error is reported as an extension_error of "command:NAME", unless it wraps
	// ctx.Err() after ctx has ended: who was told to stop, and did, has not failed.
	Command(ctx context.Context, s *Session, name, args string) (found bool, err error)
	// Prompt takes any other text. It returns [ErrUnhandled] if nobody wants it;
	// see [Prompt] for the rest.
	Prompt(ctx context.Context, s *Session, p *Prompt) error
	// CallTool runs a tool as a model would: handlers of tool_call first, which may
	// block it, then the tool, then handlers of tool_result. A blocked or failing
	// tool is a result with IsError. An error means that there was nothing to run;
	// it matches [ErrUnknownTool] if there is no such tool.
	CallTool(ctx context.Context, s *Session, call ToolCall) (*ToolResult, error)
}

// DialogWatcher is what a [Runtime] may implement besides, to know when a person
// is being waited for.
type DialogWatcher interface {
	// DialogChanged is called when a dialog opens and when it is over, in the
	// goroutine that asked. It must not block and must not ask. For one dialog the
	// calls come in order; those of different dialogs interleave.
	DialogChanged(s *Session, e DialogEvent)
}

// NameWatcher is what a [Runtime] may implement besides, to know when the client has
// named the session with set_session_name.
type NameWatcher interface {
	// SessionNamed is called after the client was told, in a goroutine of its own. name
	// is not empty.
	SessionNamed(ctx context.Context, s *Session, name string)
}

// DialogEvent is one of the two events in the life of a dialog.
type DialogEvent struct {
	Dialog protocol.Dialog // with its ID, which pairs the two; not to be changed
	Open   bool            // true: it was sent; false: it is over
	Err    error           // why there is no answer; nil while it is open or when it was answered
}

// CommandInfo describes one slash command, as get_commands lists it.
type CommandInfo struct {
	Name        string // without the slash
	Description string // may be empty
	Path        string // of the extension that has registered it
}

// ToolCall is one call of a tool.
type ToolCall struct {
	ID    string // names the call; made up by the agent
	Tool  string
	Input jsontext.Value // a JSON object
}

// ToolResult is what a tool gives back to the model.
type ToolResult struct {
	Content []Content
	Details jsontext.Value // for people and extensions; nil for none
	IsError bool
}

// Content is one part of a [ToolResult].
type Content struct {
	Type     string // "text" or "image"; empty means text
	Text     string // for text
	Data     string // for images, base64
	MIMEType string // for images
}

// TextResult returns the result that consists of one text.
func TextResult(text string) *ToolResult {
	return &ToolResult{Content: []Content{{Type: "text", Text: text}}}
}

// ErrorResult returns the failed result that consists of one text.
func ErrorResult(text string) *ToolResult {
	r := TextResult(text)
	r.IsError = true
	return r
}

// NoExtensions is a [Runtime] that has nothing. Embed it in one that has only some
// of the methods to say something in.
type NoExtensions struct{}

// Load does nothing.
func (NoExtensions) Load(context.Context, *Session) error { return nil }

// Start does nothing.
func (NoExtensions) Start(context.Context, *Session, Reason) {}

// BeforeSwitch objects to nothing.
func (NoExtensions) BeforeSwitch(context.Context, *Session, Reason) (cancel bool) { return false }

// Shutdown does nothing.
func (NoExtensions) Shutdown(context.Context, *Session, Reason) {}

// Commands returns none.
func (NoExtensions) Commands(*Session) []CommandInfo { return nil }

// Command knows none.
func (NoExtensions) Command(context.Context, *Session, string, string) (found bool, err error) {
	return false, nil
}

// Prompt returns [ErrUnhandled].
func (NoExtensions) Prompt(context.Context, *Session, *Prompt) error { return ErrUnhandled }

// CallTool returns [ErrUnknownTool].
func (NoExtensions) CallTool(context.Context, *Session, ToolCall) (*ToolResult, error) {
	return nil, ErrUnknownTool
}
