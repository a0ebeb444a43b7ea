package interop_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"extui/internal/long"
	"extui/interop"
)

// toolCall is one call of a tool, by pi's model or by call_tool.
type toolCall struct {
	Tool  string         `json:"tool"`
	Input map[string]any `json:"input"`
	Ends  bool           `json:"ends"` // the tool ends the model's turn
}

var gatedCalls = []toolCall{
	{Tool: "hello", Input: map[string]any{"name": "world"}},
	{Tool: "bash", Input: map[string]any{"command": "echo harmless"}},
	{Tool: "bash", Input: map[string]any{"command": "rm -rf ./no-such-folder && echo gone"}},
	{Tool: "bash", Input: map[string]any{"command": "rm -rf ./no-such-folder"}},
	{Tool: "bash", Input: map[string]any{"command": "rm -rf ./no-such-folder"}},
	{Tool: "write", Input: map[string]any{"path": "fine.txt", "content": "text"}},
	{Tool: "write", Input: map[string]any{"path": ".env", "content": "SECRET=1"}},
	{Tool: "todo", Input: map[string]any{"action": "list"}},
	{Tool: "todo", Input: map[string]any{"action": "add", "text": "first"}},
	{Tool: "todo", Input: map[string]any{"action": "add", "text": "second"}},
	{Tool: "todo", Input: map[string]any{"action": "toggle", "id": 1}},
	{Tool: "todo", Input: map[string]any{"action": "toggle", "id": 9}},
	{Tool: "todo", Input: map[string]any{"action": "list"}},
	{Tool: "echo_session", Input: map[string]any{"message": "said"}},
	{Tool: "parse_duration", Input: map[string]any{"duration": "2 days"}},
	{Tool: "parse_duration", Input: map[string]any{"duration": "no time"}},
	{Tool: "question", Input: map[string]any{"question": "Which?", "options": []any{map[string]any{"label": "a"}, map[string]any{"label": "b"}}}},
	{Tool: "matching", Input: map[string]any{"not": "rm -rf"}},
	{Tool: "matching", Input: map[string]any{"not": "ls", "twice": "aa", "ahead": "aé", "line": "ls x", "solid": "ab", "alpha": "a]", "space": "a\u00a0b"}},
	{Tool: "matching", Input: map[string]any{"twice": "ab"}},
	{Tool: "matching", Input: map[string]any{"ahead": "a1"}},
	{Tool: "matching", Input: map[string]any{"line": "ls x\rrm -rf y"}},
	{Tool: "matching", Input: map[string]any{"solid": "a\u00a0b"}},
	{Tool: "matching", Input: map[string]any{"alpha": "abc"}},
	{Tool: "matching", Input: map[string]any{"names": map[string]any{"a": "1"}}},
	{Tool: "matching", Input: map[string]any{"names": map[string]any{"xa": 1}}},
	{Tool: "matching", Input: map[string]any{"n": 9007199254740993}},
	{Tool: "structured_output", Input: map[string]any{"headline": "h", "summary": "s", "actionItems": []any{"x"}}, Ends: true},
}

// TestToolCalls has the same tools called in the real pi, by a model that follows a
// list, and in extui agent by call_tool: the same dialogs appear, and the same results
// come back, whether a gate blocks the call, the tool fails or it succeeds.
func TestToolCalls(t *testing.T) {
	t.Parallel()
	long.Test(t)
	interop.Pi(t) // skips before anything is built
	var paths []string
	for _, name := range []string{
		"permission-gate.ts", "protected-paths.ts", "hello.ts", "todo.ts", "dynamic-tools.ts", "with-deps/index.ts", "question.ts", "structured-output.ts",
	} {
		paths = append(paths, interop.Example(t, name))
	}
	for _, name := range []string{"tools.ts", "calls.ts"} {
		path, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	calls, err := json.Marshal(gatedCalls)
	if err != nil {
		t.Fatal(err)
	}
	answers := []string{`"value":"Yes"`, `"value":"No"`, `"cancelled":true`}

	pi := interop.Pi(t, paths...)
	pi.Args = append(pi.Args, "--provider", "calls", "--model", "calls-1")
	pi.Env = append(pi.Env, "EXTUI_CALLS="+string(calls))
	p := startExampleAgent(t, pi, slices.Clone(answers))
	for range gatedCalls {
		p.converse(`{"type":"prompt","message":"go on"}`, `{"type":"agent_settled"`)
	}
	theirs := outcomes(t, p.end())

	ours := interop.Pi(t, paths[:len(paths)-1]...)
	ours.Path, ours.Args = buildProgram(t), []string{"agent", "--dialect", "pi"}
	for _, path := range paths[:len(paths)-1] {
		ours.Args = append(ours.Args, "-e", path)
	}
	q := startExampleAgent(t, ours, slices.Clone(answers))
	for _, c := range gatedCalls {
		input, err := json.Marshal(c.Input)
		if err != nil {
			t.Fatal(err)
		}
		q.call(fmt.Sprintf(`{"type":"call_tool","toolName":%q,"input":%s}`, c.Tool, input))
	}
	got := outcomes(t, q.end())
	if !slices.Equal(got, theirs) {
		t.Errorf("dialogs and results differ (- pi, + ours):\n%s", diffLines(theirs, got))
	}
}

// converse sends a record and reads up to a line that begins with end.
func (p *exampleAgent) converse(record, end string) {
	if _, err := fmt.Fprintln(p.stdin, record); err != nil {
		p.t.Fatal(err)
	}
	for p.out.Scan() {
		p.take(p.out.Text())
		if strings.HasPrefix(p.out.Text(), end) {
			return
		}
	}
	p.t.Fatalf("%s ended\n%s", p.command.Path, &p.stderr)
}

// outcomes keeps what a person and a model see: UI requests, without the ids, and tool
// results, in a form that both agents' records come to.
func outcomes(t *testing.T, lines []string) []string {
	t.Helper()
	var out []string
	for _, line := range lines {
		if strings.HasPrefix(line, `{"type":"extension_ui_request"`) {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatal(err)
			}
			delete(m, "id")
			out = append(out, fmt.Sprint(m))
			continue
		}
		var record struct {
			Type, Command, Error string
			Success              bool
			Result               map[string]any // pi
			IsError              bool
			Data                 map[string]any // ours
		}
		if json.Unmarshal([]byte(line), &record) != nil {
			continue
		}
		switch {
		case record.Type == "tool_execution_end":
			out = append(out, outcome(record.Result, record.IsError))
		case record.Command == "call_tool" && record.Success:
			out = append(out, outcome(record.Data, record.Data["isError"] == true))
		case record.Command == "call_tool":
			out = append(out, "failed: "+record.Error)
		}
	}
	return out
}

func outcome(result map[string]any, isError bool) string {
	details := result["details"]
	if reflect.DeepEqual(details, map[string]any{}) {
		details = nil // a tool that failed has none, or an empty object
	}
	return fmt.Sprintf("result %v details %v error %v", result["content"], details, isError)
}
