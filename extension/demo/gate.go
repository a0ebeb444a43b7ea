package demo

import (
	"fmt"
	"regexp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/extension"
	"extui/protocol"
)

// dangerous holds a reason for each kind of command that somebody must allow. It
// is an example: a list of what is bad can always be got round, so that a gate
// for real use lists what is harmless and asks about all else.
var dangerous = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\brm\b.*\s(-[a-zA-Z]*[rRf]|--(recursive|force))`), "deletes without asking"},
	{regexp.MustCompile(`\b(sudo|doas)\b`), "runs as another user"},
	{regexp.MustCompile(`\b(chmod|chown)\b.*\b0?777\b`), "opens files to everybody"},
	{regexp.MustCompile(`\b(mkfs|dd|shred)\b`), "overwrites a disk"},
	{regexp.MustCompile(`\bgit\b.*\bpush\b.*(--force|\s-f)\b`), "rewrites a shared history"},
	{regexp.MustCompile(`\b(curl|wget)\b.*\|\s*(ba|z)?sh\b`), "runs what it downloads"},
	{regexp.MustCompile(`>\s*/dev/(sd|nvme|disk)`), "overwrites a disk"},
}

// danger says why a command must be allowed first, "" if it need not.
func danger(command string) string {
	for _, d := range dangerous {
		if d.pattern.MatchString(command) {
			return d.why
		}
	}
	return ""
}

// The two answers to the gate's question. Only the first opens it.
const (
	allow = "Allow"
	block = "Block"
)

// command is the input of the tool bash.
type command struct {
	Command string `json:"command"`
}

// gate lets a dangerous command pass only if somebody chooses Allow. Everything
// else blocks it: Block, a dismissed or expired question, a client that is gone,
// an input that cannot be read.
func gate(ctx *extension.Context, call *extension.ToolCall) (*extension.Block, error) {
	if call.Tool != "bash" {
		return nil, nil
	}
	var input command
	if err := json.Unmarshal(call.Input, &input); err != nil {
		return &extension.Block{Reason: "The command cannot be read, so it is not run: " + err.Error()}, nil
	}
	why := danger(input.Command)
	if why == "" {
		return nil, nil
	}
	choice, err := ctx.UI.Select(ctx, fmt.Sprintf("Dangerous command (%s): %s", why, input.Command), []string{allow, block}, nil)
	if err == nil && choice == allow {
		return nil, ctx.UI.Notify(ctx, "Command allowed.", protocol.NotifyInfo)
	}
	reason := "Blocked by user"
	if err != nil {
		reason = fmt.Sprintf("Blocked: nobody allowed it (%v)", err)
	}
	// The command is blocked whether or not anybody can be told.
	_ = ctx.UI.Notify(ctx, "Command blocked.", protocol.NotifyWarning)
	return &extension.Block{Reason: reason}, nil
}

// bash is a tool with the name and the input of pi's, which runs nothing.
func bash() extension.Tool {
	return extension.Tool{
		Name:        "bash",
		Label:       "bash",
		Description: "Says which shell command it would run. It runs nothing.",
		Parameters: jsontext.Value(`{"type":"object","properties":{"command":{"type":"string",` +
			`"description":"The command"}},"required":["command"]}`),
		Execute: func(_ *extension.Context, input jsontext.Value) (extension.ToolResult, error) {
			var in command
			if err := json.Unmarshal(input, &in); err != nil {
				return extension.ToolResult{}, fmt.Errorf("read the input of bash: %w", err)
			}
			return *agent.TextResult("This is a demo: nothing was run. It would have been:\n" + in.Command), nil
		},
	}
}
