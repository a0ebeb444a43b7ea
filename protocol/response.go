package protocol

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Response is one extension_ui_response: an answer in its envelope, as it is on
// the wire. What it means depends on the dialog it answers: see
// [Response.Answer]. Section "Extension UI Responses" of both documents.
type Response struct {
	ID        ID
	Cancelled bool // false and null count as absent, all else as true: in doubt nothing is approved
	TimedOut  bool // oh-my-pi, beside Cancelled

	// The payloads as JSON text, nil where absent. A well-behaved client sends
	// one of them.
	Value     jsontext.Value // select, input, editor
	Confirmed jsontext.Value // confirm
	Answers   jsontext.Value // questionnaire

	Extra Extra
}

// DecodeResponse reads one extension_ui_response. Nothing in it but the type is
// required, for only its dialog can tell what is missing. The result shares no
// memory with record. Errors match [ErrNotObject] or are a [*FieldError].
func DecodeResponse(record []byte) (*Response, error) {
	o, err := parseObject(record, "response")
	if err != nil {
		return nil, err
	}
	defer o.release()
	if !o.isType(TypeResponse) {
		return nil, o.err
	}
	r := &Response{ID: o.id("id")}
	r.Value = o.clone("value")
	r.Confirmed = o.clone("confirmed")
	if v, ok := o.take("cancelled"); ok {
		r.Cancelled = v.Kind() != 'f' && v.Kind() != 'n'
	}
	if v, ok := o.take("timedOut"); ok {
		r.TimedOut = v.Kind() == 't'
	}
	r.Answers = o.clone("answers")
	r.Extra = o.extra()
	return r, nil
}

func (o *object) clone(name string) jsontext.Value {
	v, ok := o.take(name)
	if !ok {
		return nil
	}
	return v.Clone()
}

// AppendResponse appends r as one compact JSON object without a line end. Its
// payloads must be valid JSON, as those of [Respond] and [DecodeResponse] are.
func AppendResponse(dst []byte, r *Response) []byte {
	dst = append(dst, `{"type":"extension_ui_response"`...)
	if !r.ID.IsZero() {
		dst = r.ID.AppendJSON(append(dst, `,"id":`...))
	}
	for _, f := range [...]Field{{"value", r.Value}, {"confirmed", r.Confirmed}, {"answers", r.Answers}} {
		if f.Value != nil {
			dst = append(dst, ',', '"')
			dst = append(dst, f.Name...)
			dst = append(dst, '"', ':')
			dst = appendRaw(dst, f.Value)
		}
	}
	if r.Cancelled {
		dst = append(dst, `,"cancelled":true`...)
	}
	if r.TimedOut {
		dst = append(dst, `,"timedOut":true`...)
	}
	for _, f := range r.Extra {
		dst = append(AppendString(append(dst, ','), f.Name), ':')
		dst = appendRaw(dst, f.Value)
	}
	return append(dst, '}')
}

// Respond returns the response that carries a to the agent that asked d. It is
// the client's end: an answer that does not fit the dialog, such as a [Value]
// that no option has, is a [*AnswerError] and nothing that could be sent.
//
// A select is answered with the very bytes of the option that was offered, also
// where these are no UTF-8.
func Respond(d Dialog, a Answer) (*Response, error) {
	r := &Response{ID: d.RequestID()}
	if c, ok := a.(Cancelled); ok {
		r.Cancelled, r.TimedOut = true, c.TimedOut
		return r, nil
	}
	switch d := d.(type) {
	case *Select:
		if v, ok := a.(Value); ok {
			i := slices.IndexFunc(d.Options, func(o Option) bool { return o.Answer() == string(v) })
			if i < 0 {
				return nil, answerError(d, "value", AppendString(nil, string(v)), "one of the options")
			}
			r.Value = d.Options[i].appendAnswer(nil)
			return r, nil
		}
	case *Confirm:
		if c, ok := a.(Confirmed); ok {
			r.Confirmed = jsontext.Value(fmt.Sprint(bool(c)))
			return r, nil
		}
	case *Input, *Editor:
		if v, ok := a.(Value); ok {
			r.Value = AppendString(nil, string(v))
			return r, nil
		}
	case *Questionnaire:
		if as, ok := a.(Answers); ok {
			if err := checkAnswers(d, as); err != nil {
				return nil, err
			}
			r.Answers = appendAnswers(nil, d, as)
			return r, nil
		}
	}
	return nil, answerError(d, payloadField(d), nil, fmt.Sprintf("%s, not a %T", payloadWant(d), a))
}

// Answer returns what r means as an answer to d. It is the agent's end, and it
// never takes for consent what is not: a cancellation wins over all that stands
// beside it, a confirm is true only for "confirmed":true, and a select's value
// must be one of its options. What does not fit is a [*AnswerError].
func (r *Response) Answer(d Dialog) (Answer, error) {
	if r.Cancelled {
		return Cancelled{TimedOut: r.TimedOut}, nil
	}
	switch d := d.(type) {
	case *Confirm:
		return Confirmed(string(r.Confirmed) == "true"), nil
	case *Select:
		for _, o := range d.Options {
			if w := o.wire(); w.answer != nil && bytes.Equal(w.answer, r.Value) {
				return Value(o.Answer()), nil
			}
		}
		v, err := r.text(d)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(d.Options, func(o Option) bool { return o.Answer() == v }) {
			return nil, answerError(d, "value", r.Value, "one of the options")
		}
		return Value(v), nil
	case *Questionnaire:
		return r.answers(d)
	}
	v, err := r.text(d)
	if err != nil {
		return nil, err
	}
	return Value(v), nil
}

func (r *Response) text(d Dialog) (string, error) {
	if r.Value.Kind() != '"' {
		return "", answerError(d, "value", r.Value, "a string")
	}
	s, err := Unquote(r.Value)
	if err != nil {
		return "", answerError(d, "value", r.Value, "a string")
	}
	return s, nil
}

func payloadField(d Dialog) string {
	switch d.(type) {
	case *Confirm:
		return "confirmed"
	case *Questionnaire:
		return "answers"
	}
	return "value"
}

func payloadWant(d Dialog) string {
	switch d.(type) {
	case *Confirm:
		return "true or false"
	case *Questionnaire:
		return "the answers to its questions"
	case *Select:
		return "one of the options"
	}
	return "a text"
}

func answerError(d Dialog, field string, value jsontext.Value, want string) *AnswerError {
	e := &AnswerError{Method: d.Method(), ID: d.RequestID(), Field: field, Want: want}
	if value != nil {
		e.Value = excerpt(value)
	}
	return e
}
