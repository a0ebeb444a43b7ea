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
// An error that matches [ErrNotObject] comes with a nil request. Any other error
// is a [*FieldError] and comes with the request as far as it could be read: an
// update can still be shown, a dialog should be cancelled under its ID.
func DecodeRequest(record []byte) (Request, error) {
	o, err := parseObject(record, "request")
	if err != nil {
		return nil, err
	}
	if typ, ok := o.take("type"); !ok || typ.Kind() != '"' || unquote(typ) != TypeRequest {
		o.bad("type", typ, `"extension_ui_request"`)
		return nil, o.err
	}
	id := o.id("id")
	method, _ := o.take("method")
	name := ""
	if method.Kind() == '"' {
		name = unquote(method)
	} else {
		o.bad("method", method, "a string")
	}
	o.record = name + " request"
	r := o.request(Method(name), id)
	if r == nil {
		r = &Unknown{ID: id, Name: name, Raw: bytes.Clone(record), Passive: slices.Contains(passive, name)}
	} else if id.IsZero() {
		o.bad("id", nil, "a string")
	}
	return r, o.err
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
		c := &Cancel{ID: id, TargetID: o.id("targetId"), Reason: o.text("reason")}
		if c.TargetID.IsZero() {
			o.bad("targetId", nil, "the id of a dialog")
		}
		c.Extra = o.extra()
		return c
	}
	return nil
}

// strings reads an array of strings that may be absent or null. Elements that
// are no strings are reported and left out.
func (o *object) strings(name string) []string {
	values := o.array(name, "an array of strings", false)
	if values == nil {
		return nil
	}
	out := make([]string, 0, len(values))
	for i, v := range values {
		if v.Kind() != '"' {
			o.bad(fmt.Sprintf("%s[%d]", name, i), v, "a string")
			continue
		}
		out = append(out, unquote(v))
	}
	return out
}

func (o *object) options() []Option {
	values := o.array("options", "an array of strings", true)
	out := make([]Option, len(values))
	for i, v := range values {
		out[i] = o.option(i, v)
	}
	details := o.array("optionDetails", "an array of objects", false)
	for i, v := range details {
		path := fmt.Sprintf("optionDetails[%d]", i)
		if v.Kind() != '{' || i >= len(out) {
			o.bad(path, v, "an object for an option")
			return out
		}
		d := o.nested(path, v)
		out[i].Description = d.text("description")
		o.adopt(d)
	}
	return out
}

func (o *object) option(i int, v jsontext.Value) Option {
	if v.Kind() == '"' {
		opt := Option{Label: unquote(v)}
		if !bytes.Equal(AppendString(nil, opt.Label), v) {
			opt.raw = v.Clone()
			opt.rawAnswer = opt.raw
		}
		return opt
	}
	path := fmt.Sprintf("options[%d]", i)
	if v.Kind() != '{' {
		o.bad(path, v, "a string, or an object with a label")
		return Option{}
	}
	m := o.nested(path, v)
	opt := Option{raw: v.Clone()}
	answer, _ := m.take("label")
	if answer == nil {
		if text, ok := m.take("text"); ok && text.Kind() == '"' { // seen in the wild instead of label
			answer, opt.Label = text, unquote(text)
		}
	}
	if opt.Label == "" {
		opt.Label = m.str("label")
	}
	opt.Description = m.text("description")
	if opt.Value = m.optional("value"); opt.Value != nil {
		answer, _ = m.take("value")
	}
	opt.rawAnswer = answer.Clone()
	o.adopt(m)
	return opt
}

// nested opens an object inside o's record. v must be a valid object.
func (o *object) nested(path string, v jsontext.Value) *object {
	m, err := parseObject(v, o.record)
	if err != nil {
		o.bad(path, v, "an object that has no key twice")
		m = &object{}
	}
	m.record, m.path = o.record, o.path+path+"."
	return m
}

// adopt takes over the first error of a nested object.
func (o *object) adopt(m *object) {
	if o.err == nil {
		o.err = m.err
	}
}

func (o *object) questions(ask bool) []Question {
	values := o.array("questions", "an array of questions", true)
	out := make([]Question, len(values))
	for i, v := range values {
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
		options := m.array("options", "an array of options", true)
		q.Options = make([]QuestionOption, len(options))
		for j, v := range options {
			path := fmt.Sprintf("options[%d]", j)
			if v.Kind() != '{' {
				m.bad(path, v, "an object with a label")
				continue
			}
			opt := m.nested(path, v)
			q.Options[j] = QuestionOption{Label: opt.str("label"), Description: opt.text("description"), Preview: opt.optional("preview")}
			m.adopt(opt)
		}
		o.adopt(m)
		out[i] = q
	}
	return out
}
