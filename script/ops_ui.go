package script

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"extui/agent"
	"extui/extension"
	"extui/internal/uuid"
	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// opDialog opens a dialog: call, promise, method, members, timeout. The promise gets
// what pi's method returns: a text or undefined, or true or false.
func opDialog(r *run, a arguments) (any, error) {
	promise, method := a.integer(1), protocol.Method(a.text(2))
	d, err := r.dialog(method, a.text(3), a, 4)
	if err != nil {
		return nil, err
	}
	return r.open(a.integer(0), promise, method, d)
}

// opAsk opens a dialog of a title and one more text at most: call, promise, method,
// title, text, timeout.
func opAsk(r *run, a arguments) (any, error) {
	promise, method, title, more := a.integer(1), protocol.Method(a.text(2)), a.text(3), a.optional(4)
	timeout := r.timeout(method, a, 5)
	var d protocol.Dialog
	switch method {
	case protocol.MethodConfirm:
		d = &protocol.Confirm{Title: title, Message: more, Timeout: timeout}
	case protocol.MethodInput:
		d = &protocol.Input{Title: title, Placeholder: more, Timeout: timeout}
	default:
		d = &protocol.Editor{Title: title, Prefill: more, Timeout: timeout}
	}
	return r.open(a.integer(0), promise, method, d)
}

// open opens a dialog of a handler whose outcome settles the promise. It stays open
// when the handler has returned, for JavaScript may still wait for it.
func (r *run) open(number, promise int, method protocol.Method, d protocol.Dialog) (any, error) {
	c, cancel := r.outlive(number)
	if c == nil {
		return nil, errNotStarted
	}
	r.mu.Lock()
	r.dialogs[promise] = cancel
	r.mu.Unlock()
	// What JavaScript writes next must come behind the dialog.
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	r.engine.work.Add()
	c.UI.Begin(c, d, func(answer protocol.Answer, err error) {
		defer r.engine.work.Done()
		r.mu.Lock()
		delete(r.dialogs, promise)
		r.mu.Unlock()
		cancel()
		v, err := r.outcome(method, answer, err)
		r.engine.settle(promise, v, err)
	})
	return nil, nil
}

// undialog ends the dialog of that promise, whose signal was aborted.
func (u *unit) undialog(promise int) {
	u.mu.Lock()
	r := u.run
	u.mu.Unlock()
	if r == nil {
		return
	}
	r.mu.Lock()
	cancel := r.dialogs[promise]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// outcome is what JavaScript sees of the end of a dialog. Whatever is no answer is
// what pi gives for none; only a mistake, such as a question that cannot be written,
// is thrown.
func (r *run) outcome(method protocol.Method, answer protocol.Answer, err error) (any, error) {
	if err != nil && !errors.Is(err, agent.ErrNoAnswer) {
		return nil, err
	}
	switch answer := answer.(type) {
	case protocol.Value:
		return string(answer), nil
	case protocol.Confirmed:
		return bool(answer), nil
	case protocol.Answers:
		return string(protocol.AppendAnswers(nil, answer)), nil
	}
	if method == protocol.MethodConfirm {
		return false, nil
	}
	return nil, nil
}

// dialog makes the request of members, a JSON object, and of the timeout that is
// argument at. As with pi, what is no text stands on the wire as what it is; the
// request then holds the text of its JSON, which is what chooses an option.
func (r *run) dialog(method protocol.Method, members string, a arguments, at int) (protocol.Dialog, error) {
	timeout := r.timeout(method, a, at)
	var m struct {
		Title, Message, Placeholder, Prefill, Options, Questions, Timeout jsontext.Value
	}
	if err := json.Unmarshal([]byte(members), &m, jsontext.AllowInvalidUTF8(true), json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var literal []protocol.Field
	add := func(name string, v jsontext.Value, isText bool) {
		if !isText {
			literal = append(literal, protocol.Field{Name: name, Value: v})
		}
	}
	if method != protocol.MethodQuestionnaire {
		add("title", m.Title, m.Title.Kind() == '"')
		add("timeout", m.Timeout, m.Timeout == nil)
	}
	title := textOf(m.Title)
	var d protocol.Dialog
	switch method {
	case protocol.MethodSelect:
		options, texts, err := optionsOf(m.Options)
		if err != nil {
			return nil, err
		}
		add("options", m.Options, texts)
		d = &protocol.Select{Title: title, Options: options, Timeout: timeout}
	case protocol.MethodConfirm:
		add("message", m.Message, m.Message == nil || m.Message.Kind() == '"')
		d = &protocol.Confirm{Title: title, Message: optionalOf(m.Message), Timeout: timeout}
	case protocol.MethodInput:
		add("placeholder", m.Placeholder, m.Placeholder == nil || m.Placeholder.Kind() == '"')
		d = &protocol.Input{Title: title, Placeholder: optionalOf(m.Placeholder), Timeout: timeout}
	case protocol.MethodEditor:
		add("prefill", m.Prefill, m.Prefill == nil || m.Prefill.Kind() == '"')
		d = &protocol.Editor{Title: title, Prefill: optionalOf(m.Prefill), Timeout: timeout}
	default:
		return questionnaireOf(m.Questions, timeout)
	}
	if literal == nil {
		return d, nil
	}
	return protocol.Literal(d, literal...)
}

// questionnaireOf reads a questionnaire as any client would read it.
func questionnaireOf(questions jsontext.Value, timeout protocol.Timeout) (protocol.Dialog, error) {
	record := append([]byte(`{"type":"extension_ui_request","id":"","method":"questionnaire","questions":`), questions...)
	req, err := protocol.DecodeRequest(append(record, '}'))
	q, ok := req.(*protocol.Questionnaire)
	if err != nil || !ok {
		return nil, fmt.Errorf("questionnaire: %w", err)
	}
	q.Timeout = timeout
	return q, nil
}

// timeout returns the timeout that argument at is. What is no time means none and is
// told once a session. JavaScript passes no negative one, see opExpired.
func (r *run) timeout(method protocol.Method, a arguments, at int) protocol.Timeout {
	if at >= len(a) {
		return protocol.Timeout{}
	}
	switch a[at].(type) {
	case int, int32, int64, float64:
	default:
		return protocol.Timeout{}
	}
	ms := a.number(at)
	t, err := protocol.Milliseconds(ms)
	if err != nil {
		r.tellTimeout("a dialog has no timeout, because its timeout is no time", method, ms)
		return protocol.Timeout{}
	}
	return t
}

// opExpired tells of a dialog whose time was over before it was opened, once a session:
// method, timeout. Such a timeout is what is left of a deadline that has passed; the
// dialog must not wait, and nobody may approve it any more.
func opExpired(r *run, a arguments) (any, error) {
	r.tellTimeout("a dialog was not opened, because its timeout is negative", protocol.Method(a.text(0)), a.number(1))
	return nil, nil
}

// tellTimeout logs each text once a session.
func (r *run) tellTimeout(text string, method protocol.Method, ms float64) {
	r.mu.Lock()
	told := slices.Contains(r.toldTimeouts, text)
	if !told {
		r.toldTimeouts = append(r.toldTimeouts, text)
	}
	r.mu.Unlock()
	if !told {
		r.unit.loader.opts.Logger.Warn(text, "extension", r.unit.path, "method", method, "timeout", strconv.FormatFloat(ms, 'g', -1, 64))
	}
}

// textOf returns a text, and for any other value its JSON. Absent is the empty one.
func textOf(v jsontext.Value) string {
	if v.Kind() == '"' {
		if s, err := protocol.Unquote(v); err == nil {
			return s
		}
	}
	return string(v)
}

func optionalOf(v jsontext.Value) *string {
	if v == nil {
		return nil
	}
	return new(textOf(v))
}

// optionsOf reads the options of a select, and says whether all of them are texts. An
// object with a label is read as clients read it that show such; of what is no array
// nothing can be chosen.
func optionsOf(v jsontext.Value) (options []protocol.Option, texts bool, err error) {
	var list []jsontext.Value
	if v.Kind() != '[' {
		return nil, false, nil
	}
	if err := json.Unmarshal(v, &list, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, false, fmt.Errorf("select: read the options: %w", err)
	}
	texts = true
	record := []byte(`{"type":"extension_ui_request","id":"","method":"select","title":"","options":[`)
	for i, o := range list {
		if i > 0 {
			record = append(record, ',')
		}
		texts = texts && o.Kind() == '"'
		if o.Kind() == '{' {
			record = append(record, o...)
		} else {
			record = protocol.AppendString(record, textOf(o))
		}
	}
	req, err := protocol.DecodeRequest(append(record, "]}"...))
	s, ok := req.(*protocol.Select)
	if !ok || len(s.Options) != len(list) {
		return nil, false, fmt.Errorf("select: read the options: %w", err)
	}
	for i, o := range list {
		// An object that is no option is chosen by what it is.
		if o.Kind() == '{' && s.Options[i].Label == "" {
			s.Options[i] = protocol.Options(string(o))[0]
		}
	}
	return s.Options, texts, nil
}

// send writes an update of the current handler. What cannot reach the client because
// nobody is there is no error to JavaScript, as in pi. While the client does not
// read, JavaScript waits.
func (r *run) send(number int, up protocol.Update) (any, error) {
	c := r.context(number)
	if c == nil {
		return nil, errNotStarted
	}
	r.engine.watch.pause()
	defer r.engine.watch.resume()
	err := c.UI.Send(c, up)
	if err == nil || errors.Is(err, agent.ErrNoAnswer) || c.Err() != nil {
		return nil, nil
	}
	return nil, err
}

func opNotify(r *run, a arguments) (any, error) {
	return r.send(a.integer(0), &protocol.Notify{Message: a.text(1), Type: protocol.NotifyType(a.text(2))})
}

func opStatus(r *run, a arguments) (any, error) {
	return r.send(a.integer(0), &protocol.SetStatus{Key: a.text(1), Text: a.optional(2)})
}

// opUpdate writes an update with the members that JavaScript gives it, whatever they
// are, as pi does: call, method, members.
func opUpdate(r *run, a arguments) (any, error) {
	record := protocol.AppendString([]byte(`{"type":"extension_ui_request","id":`), uuid.New())
	record = protocol.AppendString(append(record, `,"method":`...), a.text(1))
	if members := a.text(2); members != "{}" {
		record = append(append(record, ','), members[1:]...)
	} else {
		record = append(record, '}')
	}
	return r.send(a.integer(0), &protocol.Unknown{Name: a.text(1), Raw: record})
}

// opDegraded is a method that needs a terminal: method, argument. The agent says what
// it returns, and counts its use.
func opDegraded(r *run, a arguments) (any, error) {
	c := r.context(0)
	if c == nil {
		return nil, errNotStarted
	}
	return degraded(c, a.text(0), a.flag(1))
}

func degraded(c *extension.Context, method string, on bool) (any, error) {
	ui := c.UI
	switch method {
	case "custom":
		_ = ui.Custom(c, nil) // always ErrUnsupported, which JavaScript sees as undefined
	case "onTerminalInput":
		ui.OnTerminalInput(c, nil)
	case "setWorkingMessage":
		ui.SetWorkingMessage(c, "")
	case "setWorkingVisible":
		ui.SetWorkingVisible(c, on)
	case "setWorkingIndicator":
		ui.SetWorkingIndicator(c, nil)
	case "setHiddenThinkingLabel":
		ui.SetHiddenThinkingLabel(c, "")
	case "setFooter":
		ui.SetFooter(c, nil)
	case "setHeader":
		ui.SetHeader(c, nil)
	case "addAutocompleteProvider":
		ui.AddAutocompleteProvider(c, nil)
	case "setEditorComponent":
		ui.SetEditorComponent(c, nil)
	case "getEditorComponent":
		ui.GetEditorComponent(c)
	case "getEditorText":
		return ui.GetEditorText(c), nil
	case "getAllThemes":
		ui.GetAllThemes(c)
	case "getTheme":
		ui.GetTheme(c, "")
	case "setTheme":
		return ui.SetTheme(c, "").Error, nil
	case "getToolsExpanded":
		return ui.GetToolsExpanded(c), nil
	case "setToolsExpanded":
		ui.SetToolsExpanded(c, on)
	case "getChatRenderSettings":
		return ui.GetChatRenderSettings(c).ToolOutputExpanded, nil
	}
	return nil, nil
}
