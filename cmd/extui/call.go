package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"extui/client"
	"extui/protocol"
)

// mainField names the field that bare text stands for, for each built-in tool of
// pi that is mostly called with one string. The protocol has no command that
// lists tools and their schemas, so that this cannot be asked of the agent.
var mainField = map[string]string{
	"bash": "command",
	"read": "path",
	"ls":   "path",
	"find": "pattern",
	"grep": "pattern",
}

// toolInput makes the input of a tool from what stands behind its name: a JSON
// object as it is, bare text as the tool's main field, nothing as an empty object.
func toolInput(tool, text string) (jsontext.Value, error) {
	text = strings.TrimSpace(text)
	value := jsontext.Value(text)
	if value.Kind() == '{' && value.IsValid() {
		return value, nil
	}
	field := mainField[tool]
	switch {
	case field != "" && text == "":
		return nil, fmt.Errorf("tool %s needs its %s: /call %s %s", tool, field, tool, strings.ToUpper(field))
	case field != "":
		input := protocol.AppendString(append(protocol.AppendString([]byte{'{'}, field), ':'), text)
		return append(input, '}'), nil
	case text == "":
		return jsontext.Value("{}"), nil
	}
	known := strings.Join(slices.Sorted(maps.Keys(mainField)), ", ")
	return nil, fmt.Errorf("tool %s: plain text is taken for %s only; any other tool, if the agent has it, needs a JSON object such as {\"path\":\"x\"}, not %q",
		tool, known, text)
}

// describeToolResult returns what a tool gave back as text to show.
func describeToolResult(tool string, r *client.ToolResult) string {
	verdict := "done"
	if r.IsError {
		verdict = "failed"
	}
	return fmt.Sprintf("[tool %s %s] %s", tool, verdict, strings.TrimSuffix(r.Text(), "\n"))
}
