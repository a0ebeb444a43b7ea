package demo

import (
	"errors"
	"fmt"
	"regexp"
	"sync"

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
	pattern func() *regexp.Regexp
	why     string
}{
	{words(`\brm\b.*\s(-[a-z]*[rf]|--(recursive|force)\b)`), "deletes without asking"},
	{words(`\bfind\b.*\s-(delete|exec(dir)?\s+(\S*/)?rm)\b`), "deletes without asking"},
	{words(`\bxargs\b.*\brm\b`), "deletes without asking"},
	{words(`\bgit\b.*\bclean\b`), "deletes what is nowhere else"},
	{words(`\bgit\b.*\breset\b.*--hard\b`), "drops changes that are nowhere else"},
	{words(`\bgit\b.*\bpush\b.*(--force|--mirror|--delete|\s-[a-z]*[fd][a-z]*\b|\s\+\S)`), "rewrites a shared history"},
	{words(`\b(sudo|doas|pkexec|su)\b`), "runs as another user"},
	{words(`\bchmod\b.*(\b[0-7]?777\b|[\s,][ugo]*[ao][ugo]*[+=][rwxst]*w)`), "opens files to everybody"},
	{words(`\b(mkfs(\.\w+)?|mke2fs|wipefs|fdisk|parted|shred)\b`), "overwrites a disk"},
	{words(`\bdd\b.*\bof=`), "overwrites a file or a disk"},
	{words(`>\s*/dev/(sd|hd|vd|nvme|mmcblk|disk|mapper)`), "overwrites a disk"},
	{words(`\b(curl|wget|fetch)\b.*\|.*\b((ba|z|da|k|fi)?sh|python[0-9.]*|perl|ruby|node)\b`), "runs what it downloads"},
	{words(`\b(ba|z|da|k)?sh\b.*(<\(|\$\(|` + "`" + `)\s*(curl|wget)\b`), "runs what it downloads"},
}

// words is a pattern, compiled when it is first used, for a command that may go over several lines. The case
// of letters does not matter: some file systems find RM as well.
func words(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?is)" + pattern) })
}

// danger says why a command must be allowed first, "" if it need not.
func danger(command string) string {
	for _, d := range dangerous {
		if d.pattern().MatchString(command) {
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

// errNoCommand is what an input is that misses its only field.
var errNoCommand = errors.New(`field "command" is missing`)

// readCommand reads the input of the tool bash.
func readCommand(input jsontext.Value) (string, error) {
	var in struct {
		Command *string `json:"command"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return "", err
	}
	if in.Command == nil {
		return "", errNoCommand
	}
	return *in.Command, nil
}

// gate lets a dangerous command pass only if somebody chooses Allow. Everything
// else blocks it: Block, a dismissed or expired question, a client that is gone,
// an input that cannot be read.
func gate(ctx *extension.Context, call *extension.ToolCall) (*extension.Block, error) {
	if call.Tool != "bash" {
		return nil, nil
	}
	command, err := readCommand(call.Input)
	if err != nil {
		return &extension.Block{Reason: "The command cannot be read, so it is not run: " + err.Error()}, nil
	}
	why := danger(command)
	if why == "" {
		return nil, nil
	}
	choice, err := ctx.UI.Select(ctx, fmt.Sprintf("Dangerous command (%s): %s", why, command), []string{allow, block}, nil)
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
			command, err := readCommand(input)
			if err != nil {
				return extension.ToolResult{}, fmt.Errorf("read the input of bash: %w", err)
			}
			return *agent.TextResult("This is a demo: nothing was run. It would have been:\n" + command), nil
		},
	}
}
