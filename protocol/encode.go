package protocol

import "fmt"

// AppendRequest appends r as one compact JSON object without a line end: the
// keys in the documents' order, absent fields left out, nothing escaped but what
// JSON demands. The bytes are those that pi writes for the same request.
//
// An error means that r cannot be written: a member of its Extra is not valid
// JSON or would repeat a known key, or r is an [Unknown] without a record.
func AppendRequest(dst []byte, r Request) ([]byte, error) {
	if u, ok := r.(*Unknown); ok {
		if _, err := parseObject(u.Raw, "record"); err != nil {
			return dst, fmt.Errorf("encode %s request %s: %w", shorten(u.Name), shorten(u.ID.String()), err)
		}
		return appendRaw(dst, u.Raw), nil
	}
	e := encoder{dst: append(dst, `{"type":"extension_ui_request"`...)}
	if id := r.RequestID(); !id.IsZero() {
		e.dst = id.AppendJSON(append(e.dst, `,"id":`...))
	}
	e.str("method", string(r.Method()))
	var extra Extra
	switch r := r.(type) {
	case *Select:
		e.literal = r.literal
		e.str("title", r.Title)
		e.options(r.Options)
		e.timeout(r.Timeout)
		extra = r.Extra
	case *Confirm:
		e.literal = r.literal
		e.str("title", r.Title)
		e.optional("message", r.Message)
		e.timeout(r.Timeout)
		extra = r.Extra
	case *Input:
		e.literal = r.literal
		e.str("title", r.Title)
		e.optional("placeholder", r.Placeholder)
		e.timeout(r.Timeout)
		extra = r.Extra
	case *Editor:
		e.literal = r.literal
		e.str("title", r.Title)
		e.optional("prefill", r.Prefill)
		e.timeout(r.Timeout)
		extra = r.Extra
	case *Questionnaire:
		e.questions(r)
		e.timeout(r.Timeout)
		extra = r.Extra
	case *Notify:
		e.str("message", r.Message)
		e.nonEmpty("notifyType", string(r.Type))
		extra = r.Extra
	case *SetStatus:
		e.str("statusKey", r.Key)
		e.optional("statusText", r.Text)
		extra = r.Extra
	case *SetWidget:
		e.str("widgetKey", r.Key)
		if r.Lines != nil {
			e.strings("widgetLines", r.Lines)
		}
		e.nonEmpty("widgetPlacement", string(r.Placement))
		extra = r.Extra
	case *SetTitle:
		e.str("title", r.Title)
		extra = r.Extra
	case *SetEditorText:
		e.str("text", r.Text)
		extra = r.Extra
	case *OpenURL:
		e.str("url", r.URL)
		e.nonEmpty("launchUrl", r.LaunchURL)
		e.nonEmpty("instructions", r.Instructions)
		extra = r.Extra
	case *Cancel:
		if !r.TargetID.IsZero() {
			e.dst = r.TargetID.AppendJSON(append(e.dst, `,"targetId":`...))
		}
		e.nonEmpty("reason", r.Reason)
		extra = r.Extra
	}
	e.fields(extra)
	return e.finish(len(dst), string(r.Method())+" request")
}

// encoder appends the members of one object; the first is already there.
type encoder struct {
	dst []byte
	// extra says that members of somebody else's making have been written, so
	// that the whole must be looked over; err what is wrong with one of them.
	extra bool
	err   error

	literal literal // see Literal
}

func (e *encoder) key(name string) {
	e.dst = append(e.dst, ',')
	e.dst = append(AppendString(e.dst, name), ':')
}

func (e *encoder) str(name, value string) {
	if e.literally(name) {
		return
	}
	e.key(name)
	e.dst = AppendString(e.dst, value)
}

func (e *encoder) optional(name string, value *string) {
	if value != nil {
		e.str(name, *value)
		return
	}
	e.literally(name)
}

func (e *encoder) nonEmpty(name, value string) {
	if value != "" {
		e.str(name, value)
	}
}

func (e *encoder) timeout(t Timeout) {
	if e.literally("timeout") {
		return
	}
	if t.set {
		e.key("timeout")
		e.dst = t.appendJSON(e.dst)
	}
}

func (e *encoder) strings(name string, values []string) {
	e.key(name)
	e.dst = appendStrings(e.dst, values)
}

func appendStrings(dst []byte, values []string) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, v)
	}
	return append(dst, ']')
}

// options writes plain strings wherever it can, since that is all that the
// documents know: descriptions go into oh-my-pi's optionDetails beside them,
// which other clients ignore. Only a value of its own makes an option an object.
func (e *encoder) options(options []Option) {
	if e.literally("options") {
		return
	}
	e.key("options")
	e.dst = append(e.dst, '[')
	details := false
	for i, o := range options {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		w := o.wire()
		details = details || w.detail != nil
		switch {
		case w.option != nil:
			e.dst = appendRaw(e.dst, w.option)
		case o.Value != nil:
			e.dst = AppendString(append(e.dst, `{"label":`...), o.Label)
			e.nonEmpty("description", o.Description)
			e.str("value", *o.Value)
			e.dst = append(e.dst, '}')
		default:
			e.dst = AppendString(e.dst, o.Label)
			details = details || o.Description != ""
		}
	}
	e.dst = append(e.dst, ']')
	if details {
		e.optionDetails(options)
	}
}

func (e *encoder) optionDetails(options []Option) {
	e.key("optionDetails")
	e.dst = append(e.dst, '[')
	for i, o := range options {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		switch w := o.wire(); {
		case w.detail != nil:
			e.dst = appendRaw(e.dst, w.detail)
		case o.Description != "" && o.Value == nil && w.option.Kind() != '{':
			e.dst = append(AppendString(append(e.dst, `{"description":`...), o.Description), '}')
		default:
			e.dst = append(e.dst, "{}"...)
		}
	}
	e.dst = append(e.dst, ']')
}

func (e *encoder) questions(r *Questionnaire) {
	e.key("questions")
	e.dst = append(e.dst, '[')
	for i, q := range r.Questions {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		if r.Ask {
			e.dst = AppendString(append(e.dst, `{"id":`...), q.ID)
			e.str("question", q.Question)
			e.nonEmpty("header", q.Header)
		} else {
			e.dst = AppendString(append(e.dst, `{"question":`...), q.Question)
			e.str("header", q.Header)
		}
		e.key("options")
		e.dst = append(e.dst, '[')
		for j, o := range q.Options {
			if j > 0 {
				e.dst = append(e.dst, ',')
			}
			e.dst = AppendString(append(e.dst, `{"label":`...), o.Label)
			if !r.Ask || o.Description != "" {
				e.str("description", o.Description)
			}
			e.optional("preview", o.Preview)
			e.fields(o.Extra)
			e.dst = append(e.dst, '}')
		}
		e.dst = append(e.dst, ']')
		if q.MultiSelect {
			e.key(map[bool]string{false: "multiSelect", true: "multi"}[r.Ask])
			e.dst = append(e.dst, "true"...)
		}
		if r.Ask && q.Recommended != nil {
			e.dst = fmt.Appendf(e.dst, `,"recommended":%d`, *q.Recommended)
		}
		e.fields(q.Extra)
		e.dst = append(e.dst, '}')
	}
	e.dst = append(e.dst, ']')
}

// fields appends members that this package does not know.
func (e *encoder) fields(extra Extra) {
	for _, f := range extra {
		if err := validate(f.Value); err != nil && e.err == nil {
			e.err = fmt.Errorf("field %s in Extra is %s: %w", shorten(f.Name), shorten(f.Value), err)
		}
		e.key(f.Name)
		e.dst = appendRaw(e.dst, f.Value)
		e.extra = true
	}
}

// finish closes the object that starts at offset start.
func (e *encoder) finish(start int, record string) ([]byte, error) {
	e.dst = append(e.dst, '}')
	if e.extra && e.err == nil {
		if err := validate(e.dst[start:]); err != nil {
			e.err = fmt.Errorf("the fields in Extra do not fit it: %w", err)
		}
	}
	if e.err != nil {
		return e.dst[:start], fmt.Errorf("encode %s: %w", record, e.err)
	}
	return e.dst, nil
}
