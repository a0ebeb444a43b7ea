package extension

import (
	"fmt"

	"extui/agent"
	"extui/protocol"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ParseToolResult reads a result as tools in other languages return it: an object
// with content, and details and isError where it has them.
func ParseToolResult(raw jsontext.Value) (ToolResult, error) {
	var r ToolResult
	o, err := object(raw, nil)
	if err != nil {
		return r, fmt.Errorf("tool result: %w", err)
	}
	if o["content"] == nil {
		return r, &protocol.FieldError{Record: "tool result", Field: "content", Want: "an array"}
	}
	return r, patch(&r, o)
}

// patch replaces those parts of r that o has.
func patch(r *ToolResult, o map[string]jsontext.Value) error {
	if v := o["content"]; v != nil {
		content, err := parseContent(v)
		if err != nil {
			return err
		}
		r.Content = content
	}
	if v := o["details"]; v != nil {
		r.Details = v.Clone()
	}
	if v := o["isError"]; v != nil {
		if v.Kind() != 't' && v.Kind() != 'f' {
			return &protocol.FieldError{Record: "tool result", Field: "isError", Value: string(v), Want: "true or false"}
		}
		r.IsError = v.Kind() == 't'
	}
	return nil
}

func parseContent(raw jsontext.Value) ([]agent.Content, error) {
	var parts []jsontext.Value
	if err := json.Unmarshal(raw, &parts, jsontext.AllowInvalidUTF8(true)); err != nil || raw.Kind() != '[' {
		return nil, &protocol.FieldError{Record: "tool result", Field: "content", Value: string(raw), Want: "an array"}
	}
	out := make([]agent.Content, 0, len(parts))
	for i, part := range parts {
		field := fmt.Sprintf("content[%d]", i)
		o, err := object(part, nil)
		if err != nil || part.Kind() != '{' {
			return nil, &protocol.FieldError{Record: "tool result", Field: field, Value: string(part), Want: "an object"}
		}
		var c agent.Content
		for name, to := range map[string]*string{"type": &c.Type, "text": &c.Text, "data": &c.Data, "mimeType": &c.MIMEType} {
			if *to, err = optionalText(o, name, ""); err != nil {
				return nil, fmt.Errorf("%s: %w", field, err)
			}
		}
		if c.Type != "text" && c.Type != "image" {
			return nil, &protocol.FieldError{Record: "tool result", Field: field + ".type", Value: string(o["type"]), Want: "text or image"}
		}
		out = append(out, c)
	}
	return out, nil
}
