package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// Prompt is a text of the client that is no slash command, on its way through
// [Runtime.Prompt].
//
// A runtime that acts on the text and is done returns nil. One that streams an
// answer calls Start first: the client then gets its response before the events.
// Any error that is returned before Start fails the prompt.
type Prompt struct {
	Text    string
	Command *protocol.Command // as it came, for the fields that this package does not know
	Images  jsontext.Value    // its images, a JSON array as it came; nil for none

	agent   *Agent
	session *Session
	stream  *Stream // its answer, once that has begun
}

// Start answers the prompt with disposition "started"; the events of the answer
// follow, and get_state says that the agent is streaming until the answer settles, see
// [Prompt.Settle], or [Runtime.Prompt] returns. It fails if another prompt is streaming.
// It is called once, by the goroutine that runs Runtime.Prompt.
func (p *Prompt) Start(ctx context.Context) error {
	if p.stream != nil {
		return errors.New("start an answer: it was started already")
	}
	var err error
	if p.stream, err = p.session.BeginAnswer(); err != nil {
		return err
	}
	p.agent.out.post(success(p.Command, jsontext.Value(`{"disposition":"started"}`)))
	moveOn(ctx)
	return nil
}

// Settle ends the answer before [Runtime.Prompt] returns, and calls tell to say so, see
// [Stream.Settle]: whoever is told that the answer is complete can send the next prompt at
// once. It does nothing before Start. It is called by the goroutine that runs
// Runtime.Prompt.
func (p *Prompt) Settle(tell func()) {
	if p.stream != nil {
		p.stream.Settle(tell)
	}
}

var errStreaming = errors.New("agent is already processing: wait for agent_settled, or send abort first")

// prompt runs the command of that name.
func (a *Agent) prompt(c *protocol.Command) {
	text, err := c.Text("message")
	if err != nil {
		a.out.post(failure(c, err.Error()))
		return
	}
	name := "prompt"
	slash := strings.HasPrefix(text, "/")
	var command, args string
	if slash {
		// As pi: the name ends at the first space and at nothing else.
		command, args, _ = strings.Cut(text[1:], " ")
		name = "command /" + command
	}
	a.command(name, c, func(ctx context.Context, s *Session) {
		if slash && a.slash(ctx, s, c, command, args) {
			return
		}
		p := &Prompt{Text: text, Command: c, agent: a, session: s}
		if images, ok := c.Raw("images"); ok && images.Kind() == '[' {
			p.Images = images
		}
		a.plain(ctx, s, p)
	})
}

// slash runs a slash command and answers c, unless there is no such command.
func (a *Agent) slash(ctx context.Context, s *Session, c *protocol.Command, name, args string) bool {
	var found bool
	err := Protect(func() (err error) {
		found, err = a.rt.Command(ctx, s, name, args)
		return err
	})
	if !found && err == nil {
		return false
	}
	if err != nil && !unwound(ctx, err) {
		s.Report(ExtensionError("command:"+name, "command", err))
	}
	a.out.post(success(c, jsontext.Value(`{"disposition":"handled"}`)))
	return true
}

// unwound reports whether err says no more than that ctx has ended: code that was told
// to stop has stopped, which is no failure of its extension.
func unwound(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}

func (a *Agent) plain(ctx context.Context, s *Session, p *Prompt) {
	// What the client sends because it was told that an answer has settled comes behind it.
	if err := s.WaitSettled(ctx); err != nil {
		a.out.post(failure(p.Command, "aborted before it started"))
		return
	}
	err := Protect(func() error { return a.rt.Prompt(ctx, s, p) })
	switch {
	case p.stream != nil:
		p.stream.End()
		if err != nil && !unwound(ctx, err) {
			s.Report(ExtensionError("prompt", "prompt", err))
		}
	case err == nil:
		a.out.post(success(p.Command, jsontext.Value(`{"disposition":"handled"}`)))
	case errors.Is(err, ErrUnhandled):
		what := "there is no model"
		if strings.HasPrefix(p.Text, "/") {
			name, _, _ := strings.Cut(p.Text, " ")
			what = fmt.Sprintf("there is no command %s and no model", name)
		}
		a.out.post(failure(p.Command, fmt.Sprintf("%v: %s", err, what)))
	default:
		a.out.post(failure(p.Command, err.Error()))
	}
}

func (a *Agent) callTool(c *protocol.Command) {
	tool, err := c.Text("toolName")
	input, ok := c.Raw("input")
	if !ok {
		input = jsontext.Value(`{}`)
	}
	if err == nil && input.Kind() != '{' {
		err = &protocol.FieldError{Record: "call_tool command", Field: "input", Value: shorten(string(input)), Want: "an object"}
	}
	if err != nil {
		a.out.post(failure(c, err.Error()))
		return
	}
	a.command("tool "+tool, c, func(ctx context.Context, s *Session) {
		var result *ToolResult
		err := Protect(func() (err error) {
			result, err = a.rt.CallTool(ctx, s, ToolCall{ID: a.opts.NewID(), Tool: tool, Input: input})
			return err
		})
		switch {
		case err != nil:
			a.out.post(failure(c, fmt.Sprintf("call tool %q: %v", tool, err)))
		case result == nil:
			a.out.post(failure(c, fmt.Sprintf("call tool %q: it gave no result", tool)))
		default:
			a.out.post(success(c, result.AppendJSON(nil)))
		}
	})
}

// AppendJSON appends r as the data of call_tool has it.
func (r *ToolResult) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"content":[`...)
	for i, c := range r.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.appendJSON(dst)
	}
	dst = append(dst, ']')
	if r.Details != nil {
		dst = append(append(dst, `,"details":`...), r.Details...)
	}
	return append(fmt.Appendf(dst, `,"isError":%t`, r.IsError), '}')
}

func (c Content) appendJSON(dst []byte) []byte {
	typ := c.Type
	if typ == "" {
		typ = "text"
	}
	dst = protocol.AppendString(append(dst, `{"type":`...), typ)
	if c.Data != "" {
		dst = protocol.AppendString(append(dst, `,"data":`...), c.Data)
		dst = protocol.AppendString(append(dst, `,"mimeType":`...), c.MIMEType)
	} else {
		dst = protocol.AppendString(append(dst, `,"text":`...), c.Text)
	}
	return append(dst, '}')
}
