package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"extui/protocol"
)

// UI is ctx.ui: what an extension asks a person and shows them. It belongs to one
// [Session]. All methods may be called at once from any goroutine.
//
// The dialog methods (Select, Confirm, Input, Editor, Questionnaire, Ask) block
// until the client answers or something else ends the dialog. An error that matches
// [ErrNoAnswer] says that there is no answer and why; it is never consent. The
// update methods (Notify to SetEditorText, PasteToEditor, Send) wait only while the
// client does not read, until ctx ends; an update that needs no waiting is written
// even if ctx is over already, so that an aborted handler can say so.
//
// The zero UI has nobody attached: dialogs and updates return [ErrNoUI] at once.
type UI struct {
	session  *Session // nil for a zero UI
	expanded bool     // Atomic's tool expansion; guarded by session.mu
}

// DialogOptions are the choices of one dialog. The zero value, and nil, has no
// time limit.
type DialogOptions struct {
	// Timeout is how long the dialog stays open; the client learns of it in
	// milliseconds. 0 means no limit and is not written. Negative is an error of the
	// dialog method. However long it is, it is kept to.
	Timeout time.Duration
}

func (o *DialogOptions) timeout() (protocol.Timeout, error) {
	if o == nil || o.Timeout == 0 {
		return protocol.Timeout{}, nil
	}
	return protocol.After(o.Timeout)
}

// Select asks for one of options and returns it. Options may repeat; none at all is
// an error, and so is a negative timeout; nothing is written then. opts may be nil.
// Section "select" of both documents.
func (u *UI) Select(ctx context.Context, title string, options []string, opts *DialogOptions) (string, error) {
	timeout, err := opts.timeout()
	if err == nil && len(options) == 0 {
		err = errors.New("there are no options")
	}
	if err != nil {
		return "", dialogError(protocol.MethodSelect, title, err)
	}
	return u.text(ctx, &protocol.Select{Title: title, Options: protocol.Options(options...), Timeout: timeout})
}

// Confirm asks yes or no. It returns true for a yes and for nothing else: a no is
// false without an error, anything short of an answer false with one. opts may be
// nil. Section "confirm" of both documents.
func (u *UI) Confirm(ctx context.Context, title, message string, opts *DialogOptions) (bool, error) {
	timeout, err := opts.timeout()
	if err != nil {
		return false, dialogError(protocol.MethodConfirm, title, err)
	}
	answer, err := u.Ask(ctx, &protocol.Confirm{Title: title, Message: &message, Timeout: timeout})
	yes, _ := answer.(protocol.Confirmed)
	return bool(yes), err
}

// Input asks for one line of text. An empty answer is an answer. An empty
// placeholder is not written; opts may be nil. Section "input" of both documents.
func (u *UI) Input(ctx context.Context, title, placeholder string, opts *DialogOptions) (string, error) {
	timeout, err := opts.timeout()
	if err != nil {
		return "", dialogError(protocol.MethodInput, title, err)
	}
	return u.text(ctx, &protocol.Input{Title: title, Placeholder: optional(placeholder), Timeout: timeout})
}

// Editor asks for a text of any number of lines, starting from prefill. An empty
// answer is an answer. An empty prefill is not written; opts may be nil, and unlike
// in pi its timeout counts here too. Section "editor" of both documents.
func (u *UI) Editor(ctx context.Context, title, prefill string, opts *DialogOptions) (string, error) {
	timeout, err := opts.timeout()
	if err != nil {
		return "", dialogError(protocol.MethodEditor, title, err)
	}
	return u.text(ctx, &protocol.Editor{Title: title, Prefill: optional(prefill), Timeout: timeout})
}

// Questionnaire asks several questions at once and returns the answers, at most
// one a question, which fit the questions. The client must have turned the
// capability on, otherwise it returns [ErrNoQuestionnaire] at once. The questions
// themselves are not checked here. opts may be nil. Section "questionnaire" of
// Atomic's document.
func (u *UI) Questionnaire(ctx context.Context, questions []protocol.Question, opts *DialogOptions) ([]protocol.QuestionAnswer, error) {
	d := &protocol.Questionnaire{Questions: questions}
	timeout, err := opts.timeout()
	if err != nil {
		return nil, dialogError(d.Method(), d.DialogTitle(), err)
	}
	d.Timeout = timeout
	answer, err := u.Ask(ctx, d)
	answers, _ := answer.(protocol.Answers)
	return answers, err
}

func (u *UI) text(ctx context.Context, d protocol.Dialog) (string, error) {
	answer, err := u.Ask(ctx, d)
	value, _ := answer.(protocol.Value)
	return string(value), err
}

// Ask opens any dialog as it is given, whatever the typed methods would refuse or
// leave out: a select without options, a timeout of 0 on the wire, an absent
// message. d is not changed; its ID is ignored, for the agent makes one up. The
// answer fits d; it is nil exactly if there is an error.
func (u *UI) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	if u.session == nil {
		return nil, dialogError(d.Method(), d.DialogTitle(), ErrNoUI)
	}
	id := protocol.StringID(u.session.agent.opts.NewID())
	answer, err := u.session.ask(ctx, protocol.WithID(d, id).(protocol.Dialog))
	if err != nil {
		return nil, dialogError(d.Method(), d.DialogTitle(), err)
	}
	return answer, nil
}

// Notify shows a message. An empty type is not written and means info. Section
// "notify" of both documents.
func (u *UI) Notify(ctx context.Context, message string, t protocol.NotifyType) error {
	return u.Send(ctx, &protocol.Notify{Message: message, Type: t})
}

// SetStatus sets the entry of key in the status bar; the empty text is a text.
// Section "setStatus" of both documents.
func (u *UI) SetStatus(ctx context.Context, key, text string) error {
	return u.Send(ctx, &protocol.SetStatus{Key: key, Text: &text})
}

// ClearStatus removes the entry of key from the status bar.
func (u *UI) ClearStatus(ctx context.Context, key string) error {
	return u.Send(ctx, &protocol.SetStatus{Key: key})
}

// SetWidget sets the block of lines of key. nil and empty lines are written as an
// empty list, which clients take as cleared. An empty placement is not written and
// means above the editor. Section "setWidget" of both documents.
func (u *UI) SetWidget(ctx context.Context, key string, lines []string, placement protocol.Placement) error {
	if lines == nil {
		lines = []string{}
	}
	return u.Send(ctx, &protocol.SetWidget{Key: key, Lines: lines, Placement: placement})
}

// ClearWidget removes the block of lines of key.
func (u *UI) ClearWidget(ctx context.Context, key string) error {
	return u.Send(ctx, &protocol.SetWidget{Key: key})
}

// SetTitle sets the title of the window or tab. Section "setTitle" of both
// documents.
func (u *UI) SetTitle(ctx context.Context, title string) error {
	return u.Send(ctx, &protocol.SetTitle{Title: title})
}

// SetEditorText sets the text of the prompt that the person is typing. Section
// "set_editor_text" of both documents.
func (u *UI) SetEditorText(ctx context.Context, text string) error {
	return u.Send(ctx, &protocol.SetEditorText{Text: text})
}

// PasteToEditor does what SetEditorText does: in RPC mode there is no paste.
func (u *UI) PasteToEditor(ctx context.Context, text string) error {
	return u.SetEditorText(ctx, text)
}

// Send writes any update as it is given. up is not changed; its ID is ignored, for
// the agent makes one up, except in a *[protocol.Unknown], whose record is written
// as it is. The error matches [ErrNoUI], [ErrSessionReplaced] or
// [ErrDisconnected], or is the context's, in which case nothing was written.
func (u *UI) Send(ctx context.Context, up protocol.Update) error {
	if u.session == nil {
		return fmt.Errorf("%s: %w", up.Method(), ErrNoUI)
	}
	a := u.session.agent
	room := takeRoom()
	defer room.giveBack()
	record, err := room.encode(protocol.WithID(up, protocol.StringID(a.opts.NewID())))
	if err != nil {
		return err
	}
	if err := u.session.send(ctx, record); err != nil {
		return fmt.Errorf("%s: %w", up.Method(), err)
	}
	a.counts.updates.Add(1)
	return nil
}

// dialogError says which dialog err is about.
func dialogError(m protocol.Method, title string, err error) error {
	return fmt.Errorf("%s %q: %w", m, shorten(title), err)
}

// shorten cuts a text to what an error message can hold.
func shorten(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "…"
}

// optional returns nil for the empty text.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
