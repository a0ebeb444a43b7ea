package protocol

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// passive lists the methods of other agents that are known to want no answer.
// An unknown method that is not here has to be answered.
var passive = []string{
	"oauth_auth", "oauth_device_code", "oauth_progress", "oauth_info", "oauth_manual_code_cancel", // Atomic
	"question_updated", "question_resolved", "setHeader", "setFooter", "custom_unsupported", // senpi
}

// DecodeRequest reads one extension_ui_request, tolerantly: unknown members are
// kept, null counts as absent where a field may be absent, strings may hold
// what is no UTF-8. The result shares no memory with record.
//
// An error that matches [ErrNotObject] comes with a nil request, and so does the
// [*FieldError] of a record of another type. Any other error is a [*FieldError]
// and comes with the request as far as it could be read: an update can still be
// shown, a dialog should be cancelled under its ID, if it has one.
func DecodeRequest(record []byte) (Request, error) {
	o, err := parseObject(record, "request")
	if err != nil {
		return nil, err
	}
	defer o.release()
	if !o.isType(TypeRequest) {
		return nil, o.err
	}
	id := o.id("id")
	name := o.method()
	r := o.request(Method(name), id)
	if r == nil {
		r = &Unknown{ID: id, Name: name, Raw: bytes.Clone(trimSpace(record)), Passive: slices.Contains(passive, name)}
	} else if id.IsZero() {
		o.bad("id", nil, "a string")
	}
	return r, o.err
}

// methods are those of the documents, each with the name of its record, so that
// neither has to be put together for every request.
var methods = [...]struct{ name, record string }{
	{"select", "select request"}, {"confirm", "confirm request"}, {"input", "input request"}, {"editor", "editor request"},
	{"questionnaire", "questionnaire request"}, {"notify", "notify request"}, {"setStatus", "setStatus request"},
	{"setWidget", "setWidget request"}, {"setTitle", "setTitle request"}, {"set_editor_text", "set_editor_text request"},
}

func (o *object) method() string {
	v, _ := o.take("method")
	if v.Kind() != '"' {
		o.bad("method", v, "a string")
		return ""
	}
	for _, m := range methods {
		if string(v[1:len(v)-1]) == m.name {
			o.record = m.record
			return m.name
		}
	}
	name := unquote(v)
	o.record = name + " request"
	return name
}

// request reads the members of a known method, or returns nil.
func (o *object) request(method Method, id ID) Request {
	switch method {
	case MethodSelect:
		return &Select{ID: id, Title: o.str("title"), Options: o.options(), Timeout: o.timeout(), Extra: o.extra()}
	case MethodConfirm:
		return &Confirm{ID: id, Title: o.str("title"), Message: o.optional("message"), Timeout: o.timeout(), Extra: o.extra()}
	case MethodInput:
		return &Input{ID: id, Title: o.str("title"), Placeholder: o.optional("placeholder"), Timeout: o.timeout(), Extra: o.extra()}
	case MethodEditor:
		return &Editor{ID: id, Title: o.str("title"), Prefill: o.optional("prefill"), Timeout: o.timeout(), Extra: o.extra()}
	case MethodQuestionnaire, MethodAsk:
		ask := method == MethodAsk
		return &Questionnaire{ID: id, Questions: o.questions(ask), Timeout: o.timeout(), Ask: ask, Extra: o.extra()}
	case MethodNotify:
		return &Notify{ID: id, Message: o.str("message"), Type: NotifyType(o.text("notifyType")), Extra: o.extra()}
	case MethodSetStatus:
		return &SetStatus{ID: id, Key: o.str("statusKey"), Text: o.optional("statusText"), Extra: o.extra()}
	case MethodSetWidget:
		return &SetWidget{ID: id, Key: o.str("widgetKey"), Lines: o.strings("widgetLines"), Placement: Placement(o.text("widgetPlacement")), Extra: o.extra()}
	case MethodSetTitle:
		return &SetTitle{ID: id, Title: o.str("title"), Extra: o.extra()}
	case MethodSetEditorText, "setEditorText": // some agents spell it so
		return &SetEditorText{ID: id, Text: o.str("text"), Extra: o.extra()}
	case MethodOpenURL:
		return &OpenURL{ID: id, URL: o.str("url"), LaunchURL: o.text("launchUrl"), Instructions: o.text("instructions"), Extra: o.extra()}
	case MethodCancel:
		c := &Cancel{ID: id, TargetID: o.id("targetId"), Reason: o.text("reason"), Extra: o.extra()}
		if c.TargetID.IsZero() {
			o.bad("targetId", nil, "the id of a dialog")
		}
		return c
	}
	return nil
}

// strings reads an array of strings that may be absent or null. Elements that
// are no strings are reported and left out.
func (o *object) strings(name string) []string {
	array := o.array(name, "an array of strings", false)
	if array == nil {
		return nil
	}
	out := []string{}
	for i, v := range elements(array) {
		if v.Kind() != '"' {
			o.bad(fmt.Sprintf("%s[%d]", name, i), v, "a string")
			continue
		}
		out = append(out, unquote(v))
	}
	return out
}

func (o *object) options() []Option {
	out := make([]Option, 0, 4) // more are rare
	for i, v := range elements(o.array("options", "an array of strings", true)) {
		out = append(out, o.option(i, v))
	}
	for i, v := range elements(o.array("optionDetails", "an array of objects", false)) {
		path := fmt.Sprintf("optionDetails[%d]", i)
		if i >= len(out) || v.Kind() != '{' && v.Kind() != 'n' {
			o.bad(path, v, "an object for an option")
			break
		}
		opt := &out[i]
		if opt.came == nil {
			opt.came = &cameOption{}
		}
		opt.came.detail = v.Clone()
		if v.Kind() == '{' {
			d := o.nested(path, v)
			if text := d.text("description"); text != "" {
				opt.Description = text
			}
			o.adopt(d)
		}
		opt.came.label, opt.came.description, opt.came.value = opt.Label, opt.Description, opt.Answer()
	}
	return out
}

func (o *object) option(i int, v jsontext.Value) Option {
	if v.Kind() == '"' {
		opt := Option{Label: unquote(v)}
		if bytes.IndexByte(v, '\\') >= 0 || bytes.IndexByte(v, surrogateLead) >= 0 {
			if raw := v.Clone(); !bytes.Equal(AppendString(nil, opt.Label), raw) {
				opt.came = &cameOption{option: raw, answer: raw, label: opt.Label, value: opt.Label}
			}
		}
		return opt
	}
	path := fmt.Sprintf("options[%d]", i)
	if v.Kind() != '{' {
		o.bad(path, v, "a string, or an object with a label")
		return Option{}
	}
	v = v.Clone()
	m := o.nested(path, v)
	opt := Option{}
	answer, ok := m.take("label")
	if text, isText := m.take("text"); !ok && isText && text.Kind() == '"' { // seen in the wild instead of label
		answer, opt.Label = text, unquote(text)
	} else {
		opt.Label = m.str("label")
	}
	opt.Description = m.text("description")
	if value, ok := m.take("value"); ok && value.Kind() != 'n' {
		answer = value
		if value.Kind() == '"' {
			opt.Value = new(unquote(value))
		} else {
			opt.Value = new(string(value))
		}
	}
	o.adopt(m)
	opt.came = &cameOption{option: v, answer: answer, label: opt.Label, description: opt.Description, value: opt.Answer()}
	return opt
}

func (o *object) questions(ask bool) []Question {
	out := []Question{}
	for i, v := range elements(o.array("questions", "an array of questions", true)) {
		path := fmt.Sprintf("questions[%d]", i)
		if v.Kind() != '{' {
			o.bad(path, v, "an object")
			continue
		}
		m := o.nested(path, v)
		q := Question{Question: m.str("question"), Header: m.text("header")}
		if ask {
			q.ID = m.str("id")
			q.MultiSelect = m.boolean("multi")
			q.Recommended = m.integer("recommended")
		} else {
			q.MultiSelect = m.boolean("multiSelect")
		}
		q.Options = []QuestionOption{}
		for j, v := range elements(m.array("options", "an array of options", true)) {
			path := fmt.Sprintf("options[%d]", j)
			if v.Kind() != '{' {
				m.bad(path, v, "an object with a label")
				continue
			}
			opt := m.nested(path, v)
			q.Options = append(q.Options, QuestionOption{Label: opt.str("label"), Description: opt.text("description"),
				Preview: opt.optional("preview"), Extra: opt.extra()})
			m.adopt(opt)
		}
		q.Extra = m.extra()
		o.adopt(m)
		out = append(out, q)
	}
	return out
}
