package main

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/extension"
)

// standIn is a tool that pi has of its own and that an agent of extensions alone lacks:
// without it, a gate in front of it could not be tried.
type standIn struct {
	name, about string
	active      bool   // without being turned on
	input       string // the properties of its schema
	required    string
}

var piTools = []standIn{
	{"read", "Read a file", true, `"path":{"type":"string"},"offset":{"type":"number"},"limit":{"type":"number"}`, `"path"`},
	{"bash", "Run a command in a shell", true, `"command":{"type":"string"},"timeout":{"type":"number"}`, `"command"`},
	{"edit", "Replace texts in a file", true,
		`"path":{"type":"string"},"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"}},"required":["oldText","newText"]}}`, `"path","edits"`},
	{"write", "Write a file", true, `"path":{"type":"string"},"content":{"type":"string"}`, `"path","content"`},
	{"grep", "Search in files", false, `"pattern":{"type":"string"},"path":{"type":"string"},"glob":{"type":"string"}`, `"pattern"`},
	{"find", "Find files by name", false, `"pattern":{"type":"string"},"path":{"type":"string"}`, `"pattern"`},
	{"ls", "List a directory", false, `"path":{"type":"string"}`, ``},
}

// standInExtension has those tools, which do nothing and say so.
func standInExtension() extension.Extension {
	return extension.Extension{Name: "stand-ins", Setup: func(api *extension.API) error {
		for _, s := range piTools {
			api.RegisterTool(extension.Tool{
				Name: s.name, Label: s.name, Fallback: true,
				Description: s.about + ": a stand-in that does nothing",
				Parameters:  jsontext.Value(`{"type":"object","properties":{` + s.input + `},"required":[` + s.required + `]}`),
				Execute: func(*extension.Context, jsontext.Value) (extension.ToolResult, error) {
					return *agent.TextResult(fmt.Sprintf("Nothing was done: %s is a stand-in here for the tool of that name.", s.name)), nil
				},
			})
		}
		return nil
	}}
}

// activeStandIns are the names of those that need not be turned on.
func activeStandIns() []string {
	var out []string
	for _, s := range piTools {
		if s.active {
			out = append(out, s.name)
		}
	}
	return out
}
