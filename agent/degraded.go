package agent

import (
	"context"
	"fmt"
)

// The methods of this file need direct access to a terminal. In RPC mode they do
// what the two documents state, which is mostly nothing. The first use of each in a
// session is reported to [Options.Logger] and counted in [Stats]; ask [UI.Supports]
// before relying on one.

// Theme is a colour theme of a terminal user interface.
type Theme struct {
	Name string
}

// ThemeResult is what SetTheme returns.
type ThemeResult struct {
	Success bool
	Error   string // why not
}

// ChatRenderSettings is what GetChatRenderSettings returns.
type ChatRenderSettings struct {
	ToolOutputExpanded bool
}

// Mode returns "rpc".
func (u *UI) Mode() string { return "rpc" }

// HasUI reports whether dialogs and updates reach a client now. It says nothing of
// the methods that need a terminal; see [UI.Supports].
func (u *UI) HasUI() bool {
	if u.session == nil {
		return false
	}
	u.session.mu.Lock()
	defer u.session.mu.Unlock()
	return u.session.refuseDialogs == nil
}

// Supports reports whether a method does what its name says now. method is named as
// in the documents, such as "select", "setWidget", "questionnaire" or "custom".
// pasteToEditor counts as supported although it sets the text.
func (u *UI) Supports(method string) bool {
	if !u.HasUI() {
		return false
	}
	a := u.session.agent
	switch method {
	case "select", "confirm", "input", "editor",
		"notify", "setStatus", "setWidget", "setTitle", "setEditorText", "set_editor_text", "pasteToEditor":
		return true
	case "questionnaire":
		return a.capabilities().Questionnaire
	case "setToolsExpanded", "getToolsExpanded", "getChatRenderSettings":
		return a.opts.Dialect == Atomic
	}
	return false
}

// unsupported notes the use of a method, once a session.
func (u *UI) unsupported(method string) {
	s := u.session
	if s == nil {
		return
	}
	s.mu.Lock()
	first := !s.reported[method]
	s.reported[method] = true
	s.mu.Unlock()
	if first {
		s.agent.counts.unsupported.Add(1)
		s.agent.opts.Logger.Warn("an extension used a method that RPC mode does not support", "method", method)
	}
}

// Custom returns [ErrUnsupported]; the documents' custom() returns undefined. The
// component is not used.
func (u *UI) Custom(_ context.Context, component any) error {
	u.unsupported("custom")
	return fmt.Errorf("custom: %w", ErrUnsupported)
}

// OnTerminalInput never calls handler and returns a function that does nothing.
func (u *UI) OnTerminalInput(_ context.Context, handler func(data string)) (unsubscribe func()) {
	u.unsupported("onTerminalInput")
	return func() {}
}

// SetWorkingMessage does nothing.
func (u *UI) SetWorkingMessage(_ context.Context, message string) {
	u.unsupported("setWorkingMessage")
}

// SetWorkingVisible does nothing.
func (u *UI) SetWorkingVisible(_ context.Context, visible bool) { u.unsupported("setWorkingVisible") }

// SetWorkingIndicator does nothing.
func (u *UI) SetWorkingIndicator(_ context.Context, indicator any) {
	u.unsupported("setWorkingIndicator")
}

// SetHiddenThinkingLabel does nothing.
func (u *UI) SetHiddenThinkingLabel(_ context.Context, label string) {
	u.unsupported("setHiddenThinkingLabel")
}

// SetFooter does nothing.
func (u *UI) SetFooter(_ context.Context, component any) { u.unsupported("setFooter") }

// SetHeader does nothing.
func (u *UI) SetHeader(_ context.Context, component any) { u.unsupported("setHeader") }

// AddAutocompleteProvider does nothing.
func (u *UI) AddAutocompleteProvider(_ context.Context, provider any) {
	u.unsupported("addAutocompleteProvider")
}

// SetEditorComponent does nothing.
func (u *UI) SetEditorComponent(_ context.Context, component any) {
	u.unsupported("setEditorComponent")
}

// GetEditorComponent returns nil; the documents say undefined.
func (u *UI) GetEditorComponent(context.Context) any {
	u.unsupported("getEditorComponent")
	return nil
}

// GetEditorText returns "".
func (u *UI) GetEditorText(context.Context) string {
	u.unsupported("getEditorText")
	return ""
}

// SetToolsExpanded sets what GetToolsExpanded returns, in the Atomic dialect. In
// pi's it does nothing. Nothing is written.
func (u *UI) SetToolsExpanded(_ context.Context, expanded bool) {
	if u.session == nil || u.session.agent.opts.Dialect == Pi {
		u.unsupported("setToolsExpanded")
		return
	}
	u.session.mu.Lock()
	defer u.session.mu.Unlock()
	u.expanded = expanded
}

// GetToolsExpanded returns what SetToolsExpanded has set in this session, false at
// first, in the Atomic dialect. In pi's it returns false.
func (u *UI) GetToolsExpanded(context.Context) bool {
	if u.session == nil || u.session.agent.opts.Dialect == Pi {
		u.unsupported("getToolsExpanded")
		return false
	}
	return u.toolsExpanded()
}

func (u *UI) toolsExpanded() bool {
	u.session.mu.Lock()
	defer u.session.mu.Unlock()
	return u.expanded
}

// GetChatRenderSettings reports the tool expansion that GetToolsExpanded returns.
// pi has no such method; in its dialect the settings are zero.
func (u *UI) GetChatRenderSettings(context.Context) ChatRenderSettings {
	if u.session == nil || u.session.agent.opts.Dialect == Pi {
		u.unsupported("getChatRenderSettings")
		return ChatRenderSettings{}
	}
	return ChatRenderSettings{ToolOutputExpanded: u.toolsExpanded()}
}

// GetAllThemes returns an empty list.
func (u *UI) GetAllThemes(context.Context) []Theme {
	u.unsupported("getAllThemes")
	return []Theme{}
}

// GetTheme returns nil; the documents say undefined.
func (u *UI) GetTheme(_ context.Context, name string) *Theme {
	u.unsupported("getTheme")
	return nil
}

// SetTheme changes nothing and says so.
func (u *UI) SetTheme(_ context.Context, name string) ThemeResult {
	u.unsupported("setTheme")
	return ThemeResult{Error: "Theme switching not supported in RPC mode"}
}
