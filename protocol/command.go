package protocol

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Command is one record of a client other than a response to a dialog: a prompt,
// for instance. The documents name the commands; this package knows only what is
// common to all of them.
type Command struct {
	ID     ID     // absent if the client wants no id in the response
	Type   string // "" if it is missing; the JSON text of a type that is no string
	Fields []Field
}

// DecodeCommand reads one command. The result shares no memory with record.
// Errors match [ErrNotObject].
func DecodeCommand(record []byte) (*Command, error) {
	o, err := parseObject(bytes.Clone(record), "command")
	if err != nil {
		return nil, err
	}
	defer o.release()
	c := &Command{ID: o.id("id")}
	if v, ok := o.take("type"); ok {
		if c.Type = string(v); v.Kind() == '"' {
			c.Type = unquote(v)
		}
	}
	for _, m := range o.members {
		if !m.taken {
			c.Fields = append(c.Fields, Field{string(m.name), m.value})
		}
	}
	return c, nil
}

// AppendCommand appends c as one compact JSON object without a line end. The
// values of its fields must be valid JSON.
func AppendCommand(dst []byte, c *Command) []byte {
	dst = AppendString(append(dst, `{"type":`...), c.Type)
	if !c.ID.IsZero() {
		dst = c.ID.AppendJSON(append(dst, `,"id":`...))
	}
	for _, f := range c.Fields {
		dst = append(AppendString(append(dst, ','), f.Name), ':')
		dst = appendRaw(dst, f.Value)
	}
	return append(dst, '}')
}

// StringField returns the field whose value is the string s.
func StringField(name, s string) Field { return Field{name, AppendString(nil, s)} }

// JSONField returns the field whose value is v as encoded by the json module.
// An error means that v cannot be encoded.
func JSONField(name string, v any) (Field, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return Field{}, fmt.Errorf("encode field %s: %w", shorten(name), err)
	}
	return Field{name, b}, nil
}

// Raw returns the JSON text of a field, and whether it is there.
func (c *Command) Raw(name string) (jsontext.Value, bool) {
	for _, f := range c.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return nil, false
}

// Text returns the value of a field that must be a string. The error is a
// [*FieldError].
func (c *Command) Text(name string) (string, error) {
	v, ok := c.Raw(name)
	if ok && v.Kind() == '"' {
		return unquote(v), nil
	}
	e := &FieldError{Record: c.Type + " command", Field: name, Want: "a string"}
	if ok {
		e.Value = excerpt(v)
	}
	return "", e
}

// CommandResponse answers one command.
type CommandResponse struct {
	ID      ID     // the command's; absent if that had none
	Command string // the command's type; "parse" if it could not be read; may be ""
	Success bool
	Data    jsontext.Value // nil if there is none; only with Success
	Error   string         // why not; only without Success
}

// AppendCommandResponse appends r as one compact JSON object without a line end,
// keys in pi's order. Data must be valid JSON.
func AppendCommandResponse(dst []byte, r *CommandResponse) []byte {
	dst = append(dst, '{')
	if !r.ID.IsZero() {
		dst = append(r.ID.AppendJSON(append(dst, `"id":`...)), ',')
	}
	e := encoder{dst: append(dst, `"type":"response"`...)}
	e.nonEmpty("command", r.Command)
	if r.Success {
		e.dst = append(e.dst, `,"success":true`...)
		if r.Data != nil {
			e.key("data")
			e.dst = appendRaw(e.dst, r.Data)
		}
	} else {
		e.dst = append(e.dst, `,"success":false`...)
		e.str("error", r.Error)
	}
	return append(e.dst, '}')
}

// DecodeCommandResponse reads one response record. The result shares no memory
// with record. Errors match [ErrNotObject] or are a [*FieldError].
func DecodeCommandResponse(record []byte) (*CommandResponse, error) {
	o, err := parseObject(record, "command response")
	if err != nil {
		return nil, err
	}
	defer o.release()
	if !o.isType(TypeCommandResponse) {
		return nil, o.err
	}
	r := &CommandResponse{ID: o.id("id"), Command: o.text("command"), Success: o.boolean("success"), Data: o.clone("data")}
	if v, ok := o.take("error"); ok {
		if r.Error = string(v); v.Kind() == '"' {
			r.Error = unquote(v)
		}
	}
	return r, o.err
}

// ExtensionError is the agent's report that an extension failed.
type ExtensionError struct {
	ExtensionPath string // the file, or "command:NAME"
	Event         string // what it was handling, such as "command" or "tool_call"
	Error         string
	Stack         string // where, if that is known
}

// AppendExtensionError appends e as one compact JSON object without a line end.
func AppendExtensionError(dst []byte, e *ExtensionError) []byte {
	enc := encoder{dst: append(dst, `{"type":"extension_error"`...)}
	enc.str("extensionPath", e.ExtensionPath)
	enc.str("event", e.Event)
	enc.str("error", e.Error)
	enc.nonEmpty("stack", e.Stack)
	return append(enc.dst, '}')
}

// DecodeExtensionError reads one extension_error record. Errors match
// [ErrNotObject] or are a [*FieldError], which comes with what could be read.
func DecodeExtensionError(record []byte) (*ExtensionError, error) {
	o, err := parseObject(record, "extension error")
	if err != nil {
		return nil, err
	}
	defer o.release()
	return &ExtensionError{
		ExtensionPath: o.text("extensionPath"), Event: o.text("event"), Error: o.text("error"), Stack: o.text("stack"),
	}, o.err
}

// Capabilities are what a client can do beyond the four plain dialogs. All are
// off until the client turns them on.
type Capabilities struct {
	Questionnaire bool // it shows questionnaires; section "questionnaire"
	Dismiss       bool // ours: it wants a [Cancel] for a dialog that ends without its answer
}

// TypeSetCapabilities is the type of the command that turns capabilities on.
const TypeSetCapabilities = "set_extension_ui_capabilities"

// Fields returns the capabilities that are on as fields of that command.
func (c Capabilities) Fields() []Field {
	var out []Field
	if c.Questionnaire {
		out = append(out, Field{"questionnaire", jsontext.Value("true")})
	}
	if c.Dismiss {
		out = append(out, Field{"dismiss", jsontext.Value("true")})
	}
	return out
}
