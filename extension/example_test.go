package extension_test

import (
	"context"
	"fmt"
	"strings"

	"extui/agent"
	"extui/extension"

	"github.com/go-json-experiment/json/jsontext"
)

// A tool and a gate before it. Without anybody to answer, the gate stays closed.
func Example() {
	gate := extension.Extension{Name: "gate", Setup: func(api *extension.API) error {
		api.RegisterTool(extension.Tool{
			Name: "bash",
			Execute: func(ctx *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
				return *agent.TextResult("ran " + string(input)), nil
			},
		})
		api.OnToolCall(func(ctx *extension.Context, call *extension.ToolCall) (*extension.Block, error) {
			choice, _ := ctx.UI.Select(ctx, "Run "+string(call.Input)+"?", []string{"Allow", "Block"}, nil)
			if choice != "Allow" {
				return &extension.Block{Reason: "Blocked by user"}, nil
			}
			return nil, nil
		})
		return nil
	}}

	// The client sends one command and leaves.
	var out strings.Builder
	in := strings.NewReader(`{"type":"call_tool","toolName":"bash","input":{"command":"ls"}}`)
	err := agent.New(extension.NewHost(gate), nil).Serve(context.Background(), in, &out)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(lines[len(lines)-1])
	fmt.Println(err)
	// Output:
	// {"type":"response","command":"call_tool","success":true,"data":{"content":[{"type":"text","text":"Blocked by user"}],"details":{},"isError":true}}
	// <nil>
}

// Commands are plain functions, and prompts that are none go to the host.
func ExampleHost() {
	hello := extension.Extension{Name: "hello", Setup: func(api *extension.API) error {
		api.RegisterCommand(extension.Command{
			Name: "hello",
			Handler: func(ctx *extension.Context, args string) error {
				return ctx.UI.SetTitle(ctx, "Hello, "+args)
			},
		})
		return nil
	}}
	host := extension.NewHost(hello)
	host.OnPrompt = func(ctx *extension.Context, p *agent.Prompt) error {
		return ctx.UI.SetTitle(ctx, "You said "+p.Text)
	}

	var out strings.Builder
	in := strings.NewReader(`{"type":"prompt","message":"/hello Ada"}` + "\n" + `{"type":"prompt","message":"good morning"}`)
	err := agent.New(host, &agent.Options{NewID: func() string { return "1" }}).Serve(context.Background(), in, &out)
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "setTitle") {
			fmt.Print(line)
		}
	}
	fmt.Println(err)
	// Output:
	// {"type":"extension_ui_request","id":"1","method":"setTitle","title":"Hello, Ada"}
	// {"type":"extension_ui_request","id":"1","method":"setTitle","title":"You said good morning"}
	// <nil>
}
