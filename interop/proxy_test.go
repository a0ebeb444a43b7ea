package interop_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"extui/internal/long"
	"extui/interop"
)

// rpcPlan is a conversation of pi's own RpcClient; see testdata/rpcclient.mjs.
type rpcPlan struct {
	Args    []string `json:"args"`
	Steps   []any    `json:"steps"`
	Answers []any    `json:"answers"`
}

// rpcTalk is what passed in one: the bytes at the client's end, and those at the
// agent's.
type rpcTalk struct {
	client, agent rpcTap
	says          string // the client's own output
}

// rpcTap is what a program was told and said, as whole lines.
type rpcTap struct{ in, out []string }

// hold has the conversation with agent, which stands behind the program with these
// arguments, or for itself if there are none.
func (p rpcPlan) hold(t *testing.T, agent interop.Command, behind ...string) rpcTalk {
	t.Helper()
	folder := t.TempDir()
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	pi := interop.Pi(t)
	tap := []string{pi.Path, filepath.Join(testdata, "tap.mjs")}
	argv := slices.Concat(behind, tap, []string{filepath.Join(folder, "agent"), agent.Path}, agent.Args)
	words, err := json.Marshal(append([]string{filepath.Join(folder, "client")}, argv...))
	if err != nil {
		t.Fatal(err)
	}
	// RpcClient starts a file of JavaScript, with --mode rpc and the arguments behind it.
	cli := filepath.Join(folder, "cli.mjs")
	if err := os.WriteFile(cli, fmt.Appendf(nil, "process.argv.splice(2, Infinity, ...%s);\nawait import(%q);\n", words, tap[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	plan, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	rpcClient := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(interop.Example(t, "rpc-demo.ts")))), "dist", "modes", "rpc", "rpc-client.js")
	cmd := exec.CommandContext(t.Context(), pi.Path, filepath.Join(testdata, "rpcclient.mjs"), rpcClient, cli, string(plan))
	cmd.Dir = agent.Dir
	cmd.Env = append(slices.Clone(agent.Env), "PATH="+filepath.Dir(pi.Path)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.WaitDelay = 5 * time.Second
	var stderr strings.Builder
	cmd.Stderr = &stderr
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	says, err := cmd.Output()
	if err != nil {
		t.Fatalf("RpcClient: %v\n%s\n%s", err, says, &stderr)
	}
	read := func(name string) rpcTap {
		var tap rpcTap
		for i, of := range []*[]string{&tap.in, &tap.out} {
			b, err := os.ReadFile(filepath.Join(folder, name+[]string{".in", ".out"}[i]))
			if err != nil {
				t.Fatal(err)
			}
			*of = strings.SplitAfter(string(b), "\n")
		}
		return tap
	}
	return rpcTalk{read("client"), read("agent"), string(says)}
}

// without leaves out the lines that contain one of the texts.
func without(lines []string, texts ...string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(line, text) })
	})
}

// proxysOwn is in the lines that the proxy itself has to do with.
const proxysOwn = `"id":"extui-proxy-`

// demoPlan goes through all of rpc-demo.ts, with a model, sessions and errors.
func demoPlan() rpcPlan {
	odd := "h\u00f6he \u2028 \"quoted\" \\u0041 \U0001f600"
	return rpcPlan{
		Steps: []any{
			[]any{"getCommands"}, []any{"getState"},
			[]any{"prompt", "/rpc-input"}, []any{"prompt", "/rpc-input"}, []any{"prompt", "/rpc-editor"}, []any{"prompt", "/rpc-prefill"},
			[]any{"setSessionName", odd}, []any{"setSessionName", ""}, []any{"bash", "echo " + odd},
			map[string]any{"type": "no_such_command"}, map[string]any{"type": "set_extension_ui_capabilities", "dismiss": true},
			[]any{"promptAndWait", "Do it"}, []any{"promptAndWait", "Do it again"},
			[]any{"getMessages"}, []any{"abort"},
			[]any{"newSession"}, []any{"newSession"}, []any{"getSessionStats"},
		},
		Answers: []any{
			map[string]any{"value": odd}, map[string]any{"cancelled": true}, map[string]any{"value": "a\nb"},
			"Allow", "Block", map[string]any{"confirmed": false}, map[string]any{"confirmed": true},
		},
	}
}

// demoPi is the real pi with rpc-demo.ts and a model that follows a script.
func demoPi(t *testing.T) interop.Command {
	t.Helper()
	model, err := filepath.Abs(filepath.Join("testdata", "model.ts"))
	if err != nil {
		t.Fatal(err)
	}
	pi := interop.Pi(t, interop.Example(t, "rpc-demo.ts"), model)
	pi.Args = append(pi.Args, "--provider", "script", "--model", "script-1")
	return pi
}

// pi's own client has the same conversation with pi's own demo, with the proxy and
// without. What one end sends is what the other end gets, byte by byte, and the
// client cannot tell the difference.
func TestProxyIsNotSeen(t *testing.T) {
	t.Parallel()
	long.Test(t)
	pi := demoPi(t)
	program := buildProgram(t)
	plain := demoPlan().hold(t, pi)
	if want := "0 answers left, exit 0 null\n"; !strings.HasSuffix(plain.says, want) {
		t.Fatalf("without the proxy the client says %s", plain.says)
	}
	for _, way := range []string{"walk", "pass"} {
		t.Run(way, func(t *testing.T) {
			talk := demoPlan().hold(t, pi, program, "proxy", "--questionnaires", way, "--")
			ours := without(talk.agent.in, proxysOwn)
			if way == "walk" {
				// The client's own capabilities are passed with the proxy's.
				for i, line := range ours {
					ours[i] = strings.Replace(line, `{"type":"set_extension_ui_capabilities","id":"req_11","dismiss":true,"questionnaire":true}`,
						`{"dismiss":true,"type":"set_extension_ui_capabilities","id":"req_11"}`, 1)
				}
			} else if len(ours) != len(talk.agent.in) {
				t.Error("the proxy has said something itself")
			}
			equalLines(t, "the agent gets what the client says", talk.client.in, ours)
			equalLines(t, "the client gets what the agent says", without(talk.agent.out, proxysOwn), talk.client.out)
			if talk.says != plain.says {
				t.Errorf("the client says %s, without the proxy %s", talk.says, plain.says)
			}
			equalLines(t, "the same conversation, to the agent", hidden(plain.client.in), hidden(talk.client.in))
			equalLines(t, "the same conversation, from the agent", hidden(plain.client.out), hidden(talk.client.out))
		})
	}
}

// With rules, all is equal but for what the rules say: the dialogs that they cover.
func TestProxyIsSeenByItsRulesAlone(t *testing.T) {
	t.Parallel()
	long.Test(t)
	pi := demoPi(t)
	program := buildProgram(t)
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	rules := `{otherwise: ask, rules: [{name: gate, when: {method: select, title: {regexp: "^Dangerous command: rm .*"}}, answer: Block},` +
		`{name: clear, when: {method: confirm, title: "Clear session?"}, confirmed: true}]}`
	if err := os.WriteFile(policy, []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	plan := demoPlan()
	plan.Answers = plan.Answers[:3] // the rest is the rules'
	talk := plan.hold(t, pi, program, "proxy", "--questionnaires", "pass", "--policy", policy, "--")
	if want := "0 answers left, exit 0 null\n"; !strings.HasSuffix(talk.says, want) {
		t.Errorf("the client says %s", talk.says)
	}
	covered := []string{`"method":"select","title":"Dangerous command: `, `"method":"confirm","title":"Clear session?"`}
	equalLines(t, "the client gets what the agent says", without(talk.agent.out, covered...), talk.client.out)
	answers := []string{`"value":"Block"}`, `"confirmed":true}`}
	equalLines(t, "the agent gets what the client says", talk.client.in, without(talk.agent.in, answers...))
	if n := len(talk.agent.in) - len(talk.client.in); n != 4 {
		t.Errorf("the rules have answered %d dialogs, want 2 gates and 2 new sessions", n)
	}
	if n := strings.Count(strings.Join(talk.client.out, ""), "Command blocked by user"); n != 2 {
		t.Errorf("%d commands were blocked, want 2", n)
	}
}

// The proxy walks a questionnaire of extui agent for pi's own client, which knows four
// dialogs.
func TestProxyWalksForPlainClient(t *testing.T) {
	t.Parallel()
	agent := interop.Pi(t) // for its environment
	program := buildProgram(t)
	extension, err := filepath.Abs(filepath.Join("testdata", "questions.ts"))
	if err != nil {
		t.Fatal(err)
	}
	agent.Path, agent.Args = program, []string{"agent", "--extension", extension}
	questions := []any{
		map[string]any{"question": "Which storage?", "header": "Storage", "options": []any{
			map[string]any{"label": "SQLite", "description": "A local file"}, map[string]any{"label": "libSQL", "description": "A shared database"}}},
		map[string]any{"question": "Which checks?", "header": "Checks", "multiSelect": true, "options": []any{
			map[string]any{"label": "Unit", "description": "Fast"}, map[string]any{"label": "End to end", "description": "Slow"}}},
	}
	plan := rpcPlan{
		Steps: []any{
			[]any{"prompt", "/questions"},
			map[string]any{"type": "call_tool", "toolName": "ask_user_question", "input": map[string]any{"questions": questions}},
			[]any{"prompt", "/questions"},
		},
		Answers: []any{"libSQL", "SQLite", "End to end", map[string]any{"cancelled": true}},
	}
	talk := plan.hold(t, agent, program, "proxy", "--")
	if want := "0 answers left, exit 0 null\n"; talk.says != want {
		t.Errorf("the client says %q, want %q", talk.says, want)
	}
	out := strings.Join(talk.client.out, "")
	inOrder(t, out, `"method":"select","title":"[Storage] Which storage?"`, `"message":"answers [{\"questionIndex\":0,\"question\":\"Which storage?\",\"kind\":\"option\",\"answer\":\"libSQL\"}]"`,
		`"method":"select"`, `"method":"select"`, `"command":"call_tool","success":true`, "SQLite", "End to end", `"message":"answers undefined"`)
	for _, foreign := range []string{`"method":"questionnaire"`, "set_extension_ui_capabilities"} {
		if strings.Contains(out, foreign) {
			t.Errorf("the client gets %s:\n%s", foreign, out)
		}
	}
	if in := strings.Join(talk.agent.in, ""); strings.Count(in, `"answers":[`) != 2 || strings.Count(in, `"cancelled":true`) != 1 {
		t.Errorf("the agent gets %s", in)
	}
}

// The scenarios beside the policies, which say what a client behind the proxy sees, hold
// with the real pi.
func TestProxyPolicies(t *testing.T) {
	long.Test(t)
	t.Parallel()
	folder, err := filepath.Abs("../examples/policy")
	if err != nil {
		t.Fatal(err)
	}
	interop.Pi(t) // skips before anything is built
	program := buildProgram(t)
	for _, name := range []string{"ci", "bot"} {
		pi := interop.Pi(t, filepath.Join(folder, "release.ts"))
		args := []string{"test", "--within", "30s", filepath.Join(folder, name+".proxy.yaml"), "--", program, "proxy", "--policy", filepath.Join(folder, name+".policy.yaml"), "--", pi.Path}
		pi.Path, pi.Args = program, append(args, pi.Args...)
		if out, err := pi.Exec(t.Context()).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// changes are what differs between two runs of pi.
var changes = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`"timestamp":("[^"]*"|[0-9]+)`), `"timestamp":"$$TIME"`},
	{regexp.MustCompile(`"(durationMs|wall_time_seconds|duration)":[0-9.e-]+`), `"$1":0`},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), `$$UUID`},
	{regexp.MustCompile(`"id":"[0-9a-f]{8}"`), `"id":"$$ENTRY"`},
	{regexp.MustCompile(`"parentId":("[0-9a-f]{8}"|null)`), `"parentId":"$$ENTRY"`},
	{regexp.MustCompile(`pi-bash-[0-9a-f]+`), `$$BASH`},
}

// hidden are lines with names in the place of what differs from run to run. How a text
// is cut into deltas is chance.
func hidden(lines []string) []string {
	var out []string
	for _, line := range without(lines, `{"type":"message_update"`, `{"type":"tool_execution_update"`) {
		for _, c := range changes {
			line = c.pattern.ReplaceAllString(line, c.name)
		}
		out = append(out, line)
	}
	return out
}

func equalLines(t *testing.T, what string, want, got []string) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		w, g := "(nothing)", "(nothing)"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			t.Errorf("%s: line %d differs\n- %s+ %s", what, i+1, w, g)
			return
		}
	}
}
