package extension

import (
	"context"
	"fmt"

	"extui/agent"

	"github.com/go-json-experiment/json/jsontext"
)

// Context is what every command, tool and handler gets: a context that ends when
// the client aborts, when the session is replaced or when the agent ends, and what
// there is to work with.
type Context struct {
	context.Context
	UI      *agent.UI
	Session *agent.Session
	Cwd     string // [Host.Cwd]
	Mode    string // "rpc"
	HasUI   bool   // dialogs and updates reached a client when the handler began
	// ToolCallID names the call in a tool and in handlers of tool_call and
	// tool_result; "" elsewhere.
	ToolCallID string

	instance *instance
}

func (i *instance) context(ctx context.Context) *Context {
	ui := i.session.UI()
	return &Context{
		Context: ctx, UI: ui, Session: i.session, Cwd: i.host.Cwd,
		Mode: ui.Mode(), HasUI: ui.HasUI(), instance: i,
	}
}

// WithContext returns a copy of c that has another context, such as one with a
// deadline.
func (c *Context) WithContext(ctx context.Context) *Context {
	out := *c
	out.Context = ctx
	return &out
}

// Abort does what the client's abort does: open dialogs get their default, and the
// contexts of all that runs end, this one included.
func (c *Context) Abort() { c.Session.Abort() }

// Shutdown asks the agent to end, as at the end of its input; commands that run are
// answered. It returns at once.
func (c *Context) Shutdown() { c.Session.Shutdown() }

// SessionName returns the session's display name, "" if it has none.
func (c *Context) SessionName() string { return c.Session.Name() }

// SetSessionName sets the session's display name and tells the client; "" takes it
// away. It blocks while the client does not read.
func (c *Context) SetSessionName(name string) error { return c.Session.SetName(c, name) }

// Emit writes an event record to the client, one JSON object. It blocks while the
// client does not read.
func (c *Context) Emit(record []byte) error { return c.Session.Emit(c, record) }

// Go runs fn beside the handler, until the session ends; an abort does not end it.
// name is for the report if it does not return then. It returns false if the agent
// is ending.
func (c *Context) Go(name string, fn func(ctx *Context)) bool {
	return c.Session.Go(name, func(ctx context.Context) { fn(c.WithContext(ctx)) })
}

// Fire calls the handlers of an event that the extensions define among themselves,
// or that the one who runs the model has, such as turn_start. data is a JSON object
// or nil. Handlers that fail are reported; what they return is ignored. The events
// that this package fires itself are refused.
func (c *Context) Fire(event string, data jsontext.Value) error {
	if known[event] {
		return fmt.Errorf("fire %q: that event is fired by the host", event)
	}
	c.instance.fireOther(c, event, data)
	return nil
}

// FireInput fires input for a text that an extension sends in the user's name, and
// returns what the handlers have made of it. handled means that one of them has dealt
// with it and that nobody else should.
func (c *Context) FireInput(text string) (changed string, handled bool) {
	e := &Input{Text: text, Source: "extension"}
	handled = c.instance.fireInput(c, e)
	return e.Text, handled
}

// FireBefore fires an event that asks whether something may happen which the Host does
// not do itself, such as session_before_fork. A handler that returns {"cancel":true},
// or fails, cancels it and is the last that is asked. Otherwise result is what the
// last handler returned that returned anything, nil for none.
func (c *Context) FireBefore(event string, data jsontext.Value) (result jsontext.Value, cancelled bool) {
	i := c.instance
	for _, h := range hooksOf(i, &i.hooks.other) {
		if h.fn.name != event {
			continue
		}
		var answer map[string]jsontext.Value
		err := agent.Protect(func() (err error) {
			raw, err := h.fn.fn(c, &Event{Name: event, Data: data.Clone()})
			if answer, err = object(raw, err); answer != nil {
				result = raw
			}
			return err
		})
		if err != nil {
			i.report(h.api.path, event, err)
		}
		if err != nil || truthy(answer["cancel"]) {
			return result, true
		}
	}
	return result, false
}
