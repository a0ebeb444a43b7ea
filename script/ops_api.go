package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"extui/agent"
	"extui/extension"
	"extui/internal/uuid"
	"extui/protocol"

	"github.com/go-json-experiment/json/jsontext"
)

// errNotStarted is what an extension gets that acts before its session has started.
var errNotStarted = errors.New("the session has not started yet")

// inRun makes a host function of one that acts on the current run: the first argument
// is the number of the session, so that what is left of an old one acts on nothing new.
func (u *unit) inRun(op func(r *run, a arguments) (any, error)) hostOp {
	return func(a arguments) (any, error) {
		u.mu.Lock()
		r := u.run
		u.mu.Unlock()
		if r == nil || r.number != a.integer(0) {
			return nil, nil
		}
		return op(r, a[1:])
	}
}

// sessionOp is a host function that needs a session that has started.
type sessionOp func(r *run, c *extension.Context, a arguments) (any, error)

func (u *unit) inSession(op sessionOp) hostOp {
	return u.inRun(func(r *run, a arguments) (any, error) {
		c := r.context(0)
		if c == nil {
			return nil, errNotStarted
		}
		return op(r, c, a)
	})
}

// addOps adds the host functions behind js/api.js.
func (u *unit) addOps(e *engine) {
	e.host["done"] = func(a arguments) (any, error) {
		e.succeeded(a.integer(0), jsontext.Value(a.text(1)))
		return nil, nil
	}
	e.host["failed"] = func(a arguments) (any, error) {
		e.failed(a.integer(0), e.fromDescription(a.text(1), a.text(2), a.text(3)))
		return nil, nil
	}
	e.host["setup"] = u.opSetup
	maps.Copy(e.host, u.lateOps(e))
	e.host["undialog"] = func(a arguments) (any, error) { u.undialog(a.integer(0)); return nil, nil }
	for name, op := range map[string]func(r *run, a arguments) (any, error){
		"on":       func(r *run, a arguments) (any, error) { r.handle(a.text(0), a.integer(1)); return nil, nil },
		"listen":   func(r *run, a arguments) (any, error) { r.listen(a.text(0)); return nil, nil },
		"flag":     func(r *run, a arguments) (any, error) { return r.addFlag(a.text(0), a.text(1)) },
		"command":  opCommand,
		"tool":     opTool,
		"dialog":   opDialog,
		"ask":      opAsk,
		"notify":   opNotify,
		"status":   opStatus,
		"update":   opUpdate,
		"degraded": opDegraded,
		"expired":  opExpired,
	} {
		e.host[name] = u.inRun(op)
	}
	for name, op := range map[string]sessionOp{
		"name": opName, "setname": opSetName, "append": opAppend, "active": opActive, "setactive": opSetActive, "send": opSend, "partial": opPartial,
		"streaming": func(_ *run, c *extension.Context, _ arguments) (any, error) { return c.Session.Streaming(), nil },
		"abort":     func(_ *run, c *extension.Context, _ arguments) (any, error) { c.Abort(); return nil, nil },
		"shutdown":  func(_ *run, c *extension.Context, _ arguments) (any, error) { c.Shutdown(); return nil, nil },
		"entries":   func(r *run, _ *extension.Context, _ arguments) (any, error) { return r.state.list(), nil },
		"leaf":      func(r *run, _ *extension.Context, _ arguments) (any, error) { return r.state.leaf(), nil },
		"tools": func(r *run, c *extension.Context, _ arguments) (any, error) {
			return u.loader.toolsJSON(r.state, c.Session)
		},
		"commands": func(r *run, c *extension.Context, _ arguments) (any, error) {
			return u.loader.commandsJSON(r.state, c.Session)
		},
		"emit": func(r *run, _ *extension.Context, a arguments) (any, error) {
			r.state.emit(r, a.text(0), a.text(1), a.text(2))
			return nil, nil
		},
	} {
		e.host[name] = u.inSession(op)
	}
	// These have the number of their promise in front.
	for name, op := range map[string]func(r *run, c *extension.Context, promise int, a arguments) error{
		"calltool": opCallTool, "newsession": opNewSession, "reload": opReload, "idle": opIdle, "fork": opFork, "navigate": opNavigate,
	} {
		e.host[name] = func(a arguments) (any, error) {
			return u.inSession(func(r *run, c *extension.Context, rest arguments) (any, error) {
				return nil, op(r, c, a.integer(0), rest)
			})(a[1:])
		}
	}
}

func opName(_ *run, c *extension.Context, _ arguments) (any, error) {
	if name := c.SessionName(); name != "" {
		return name, nil
	}
	return nil, nil
}

func opCommand(r *run, a arguments) (any, error) {
	name, description := a.text(0), a.text(1)
	r.command(name, description, a.flag(2))
	info := commandInfo{name, description, r.unit.path}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commands = append(r.commands, info)
	if r.state != nil {
		r.state.mu.Lock()
		defer r.state.mu.Unlock()
		r.state.cmds = append(r.state.cmds, info)
	}
	return nil, nil
}

func opTool(r *run, a arguments) (any, error) {
	var t toolInfo
	if err := a.decode(0, &t); err != nil {
		return nil, err
	}
	t.path = r.unit.path
	r.tool(t)
	r.mu.Lock()
	state := r.state
	r.tools = append(r.tools, t)
	r.mu.Unlock()
	if state != nil {
		state.mu.Lock()
		defer state.mu.Unlock()
		state.addTool(t)
	}
	return nil, nil
}

// addFlag returns the value of a flag that was registered, nil if it has its default. What
// is wrong with it is told by FlagErrors while extensions are loaded, and here later on.
func (r *run) addFlag(name, kind string) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.flags == nil {
		r.flags = map[string]string{}
	}
	r.flags[name] = kind
	value, err := r.unit.loader.flagValue(name, kind)
	if r.base == nil {
		err = nil
	}
	return value, err
}

func (r *run) listen(channel string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.channels == nil {
		r.channels = map[string]bool{}
	}
	r.channels[channel] = true
}

func opSetName(r *run, c *extension.Context, a arguments) (any, error) {
	name := strings.TrimSpace(strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(a.text(0)))
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	if err := c.Session.SetName(c, name); err != nil {
		return nil, err
	}
	quoted := string(protocol.AppendString(nil, name))
	_, err := r.state.append(`{"type":"session_info","name":` + quoted + "}")
	data := `{"type":"session_info_changed"}`
	if name != "" {
		data = `{"type":"session_info_changed","name":` + quoted + "}"
	}
	c.Go("session_info_changed", func(ctx *extension.Context) {
		_ = ctx.Fire("session_info_changed", jsontext.Value(data)) // it is no event of the host's
	})
	return nil, err
}

// named adds the entry of a name that the client has given, unless another extension of
// the session has done that.
func (s *sessionState) named() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name := s.session.Name(); name != s.tree.name() {
		_, _ = s.tree.append(`{"type":"session_info","name":` + string(protocol.AppendString(nil, name)) + "}") // it is well-formed
	}
}

func opAppend(r *run, c *extension.Context, a arguments) (any, error) {
	e, err := r.state.append(a.text(0))
	if err != nil || !strings.HasPrefix(a.text(0), `{"type":"custom"`) {
		return nil, err
	}
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	return nil, c.Emit([]byte(`{"type":"entry_appended","entry":` + e.text() + `}`))
}

func opActive(r *run, _ *extension.Context, _ arguments) (any, error) {
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	return encodeJSON(r.state.activeTools())
}

func opSetActive(r *run, c *extension.Context, a arguments) (any, error) {
	var names []string
	if err := a.decode(0, &names); err != nil {
		return nil, err
	}
	var known []string
	if h := r.unit.loader.bound(); h != nil {
		for _, t := range h.Tools(c.Session) {
			known = append(known, t.Name)
		}
	}
	r.state.mu.Lock()
	defer r.state.mu.Unlock()
	for _, t := range r.state.tools {
		known = append(known, t.Name)
	}
	// As in pi, those that were active keep their places, and the others come behind them.
	before := r.state.activeTools()
	slices.SortStableFunc(names, func(a, b string) int {
		place := func(name string) int {
			if at := slices.Index(before, name); at >= 0 {
				return at
			}
			return len(before)
		}
		return place(a) - place(b)
	})
	r.state.active = []string{}
	for _, name := range names {
		if slices.Contains(known, name) && !slices.Contains(r.state.active, name) {
			r.state.active = append(r.state.active, name)
		}
	}
	return nil, nil
}

// opSend is pi.sendMessage and pi.sendUserMessage: kind, content, options.
func opSend(r *run, c *extension.Context, a arguments) (any, error) {
	m := Message{User: a.text(0) == "user", Raw: jsontext.Value(a.text(1)), Options: jsontext.Value(a.text(2))}
	m.Text = messageText(m.Raw, m.User)
	if !m.User {
		switch turn, delivery := delivered(m.Options); {
		case delivery == "nextTurn":
			return nil, c.AddToNextTurn(m.Raw)
		case !turn:
			return nil, showMessage(r, c, m.Raw)
		}
	}
	send := r.unit.loader.opts.Send
	name := "pi.sendMessage"
	if m.User {
		name = "pi.sendUserMessage"
	}
	c.Go(name, func(ctx *extension.Context) {
		// As in pi, what a handler of agent_settled sends comes behind that.
		if ctx.Session.WaitSettled(ctx) != nil {
			return
		}
		if m.User {
			var handled bool
			if m.Text, handled = ctx.FireInput(m.Text); handled {
				return
			}
		}
		if send != nil {
			if err := agent.Protect(func() error { return send(ctx, m) }); err != nil {
				ctx.Session.Report(agent.ExtensionError(r.unit.path, strings.TrimPrefix(name, "pi."), err))
			}
			return
		}
		text := fmt.Sprintf("%s: there is no model here that takes it: %s", name, m.Text)
		// An error means that the client is gone or does not read.
		_ = ctx.UI.Notify(ctx, text, protocol.NotifyWarning)
	})
	return nil, nil
}

// delivered returns when a message of pi.sendMessage is for a model: at once, or as its
// delivery says.
func delivered(options jsontext.Value) (turn bool, delivery string) {
	var o struct {
		TriggerTurn jsontext.Value `json:"triggerTurn"`
		DeliverAs   jsontext.Value `json:"deliverAs"`
	}
	if (arguments{string(options)}).decode(0, &o) != nil {
		return false, ""
	}
	if o.DeliverAs.Kind() == '"' {
		delivery, _ = protocol.Unquote(o.DeliverAs) // what is no text is no delivery
	}
	return o.TriggerTurn.Kind() == 't', delivery
}

// showMessage does what pi does with a message that starts no turn: it becomes an entry
// of the session, and the client is told of it.
func showMessage(r *run, c *extension.Context, raw jsontext.Value) error {
	var m struct {
		CustomType jsontext.Value `json:"customType"`
		Content    jsontext.Value `json:"content"`
		Display    jsontext.Value `json:"display"`
		Details    jsontext.Value `json:"details"`
	}
	if err := (arguments{string(raw)}).decode(0, &m); err != nil {
		return err
	}
	if m.Content == nil || m.Content.Kind() == 'n' {
		m.Content = jsontext.Value("[]")
	}
	var members []byte
	for _, f := range []protocol.Field{{Name: "customType", Value: m.CustomType}, {Name: "content", Value: m.Content}, {Name: "display", Value: m.Display}, {Name: "details", Value: m.Details}} {
		if f.Value != nil {
			members = append(append(members, `,"`+f.Name+`":`...), f.Value...)
		}
	}
	if _, err := r.state.append(`{"type":"custom_message"` + string(members) + "}"); err != nil {
		return err
	}
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	message := fmt.Sprintf(`"message":{"role":"custom"%s,"timestamp":%d}}`, members, time.Now().UnixMilli())
	return errors.Join(c.Emit([]byte(`{"type":"message_start",`+message)), c.Emit([]byte(`{"type":"message_end",`+message)))
}

// messageText returns the text of a message: a string, a list of parts, or an object
// whose content is one of them.
func messageText(raw jsontext.Value, user bool) string {
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if !user {
		var custom struct {
			Content jsontext.Value `json:"content"`
		}
		if (arguments{string(raw)}).decode(0, &custom) != nil {
			return ""
		}
		raw = custom.Content
	}
	if raw.Kind() == '"' {
		text, err := protocol.Unquote(raw)
		if err != nil {
			return ""
		}
		return text
	}
	if (arguments{string(raw)}).decode(0, &parts) != nil {
		return ""
	}
	var out []string
	for _, p := range parts {
		if p.Type == "text" {
			out = append(out, p.Text)
		}
	}
	return strings.Join(out, "\n")
}

// opPartial is what a tool tells before its end: name, id, input, partial result.
func opPartial(r *run, c *extension.Context, a arguments) (any, error) {
	record := protocol.AppendString([]byte(`{"type":"tool_execution_update","toolCallId":`), a.text(1))
	record = protocol.AppendString(append(record, `,"toolName":`...), a.text(0))
	record = append(append(record, `,"args":`...), a.text(2)...)
	record = append(append(record, `,"partialResult":`...), a.text(3)...)
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	return nil, c.Emit(append(record, '}'))
}

// opCallTool runs another tool with its gates: call, name, input.
func opCallTool(r *run, _ *extension.Context, promise int, a arguments) error {
	h := r.unit.loader.bound()
	if h == nil {
		return errors.New("ctx.executeTool: the program has not bound its host")
	}
	c, cancel := r.outlive(a.integer(0))
	call := agent.ToolCall{ID: uuid.New(), Tool: a.text(1), Input: jsontext.Value(a.text(2))}
	r.engine.async(promise, func() (any, error) {
		defer cancel()
		result, err := h.CallTool(c, c.Session, call)
		if err != nil {
			return nil, nodeError("Tool " + call.Tool + " not found: " + err.Error())
		}
		out := protocol.AppendString([]byte(`{"toolCall":{"type":"toolCall","id":`), call.ID)
		out = protocol.AppendString(append(out, `,"name":`...), call.Tool)
		out = append(append(out, `,"arguments":`...), call.Input...)
		out = append(append(out, `},"result":`...), result.AppendJSON(nil)...)
		return string(fmt.Appendf(out, `,"isError":%t}`, result.IsError)), nil
	})
	return nil
}

// opIdle waits until no answer streams.
func opIdle(r *run, c *extension.Context, promise int, _ arguments) error {
	r.engine.async(promise, func() (any, error) { return nil, c.Session.WaitForIdle(r.engine.ctx) })
	return nil
}
