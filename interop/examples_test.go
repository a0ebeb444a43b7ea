package interop_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"extui/internal/long"
	"extui/internal/vectors"
	"extui/interop"
)

// exampleTalk is one conversation that pi and extui agent have with the same
// extensions of pi's examples folder.
type exampleTalk struct {
	name     string
	examples []string
	// files are written into the working folder of both.
	files map[string]string
	git   bool // the working folder is a repository
	// say is what the client sends, in order: a command line, or a record if it
	// begins with a brace. Between them the client waits for the response.
	say  []string
	ends bool // the last of them ends the agent
	// answers go to the dialogs in the order in which they appear: the members of
	// the response.
	answers []string
	// differ lists the lines, as compared, that pi writes and we write differently.
	differ []exampleDifference
}

// exampleDifference is a deliberate difference. One that is not needed any more fails
// the test.
type exampleDifference struct {
	why  string
	pi   string   // a line of pi's
	ours []string // what stands in its place
}

const styled = "the theme is plain in RPC mode, for nobody knows the client's terminal"

var exampleTalks = []exampleTalk{
	{
		name: "commands",
		examples: []string{
			"rpc-demo.ts", "timed-confirm.ts", "status-line.ts", "widget-placement.ts", "titlebar-spinner.ts", "notify.ts", "hello.ts", "todo.ts",
			"commands.ts", "event-bus.ts", "session-name.ts", "bookmark.ts", "dynamic-tools.ts", "tools.ts", "claude-rules.ts", "input-transform.ts",
			"question.ts", "questionnaire.ts", "structured-output.ts", "with-deps/index.ts", "permission-gate.ts", "protected-paths.ts",
			"git-checkpoint.ts", "send-user-message.ts",
		},
		files: map[string]string{".claude/rules/style.md": "# Style\n", ".claude/rules/deep/more.md": "# More\n"},
		say: []string{
			"/rpc-input", "/rpc-input", "/rpc-editor", "/rpc-editor", "/rpc-prefill",
			"/timed", "/timed", "/timed-select", "/timed-select", "/timed-signal",
			"/session-name", "/session-name the name", "/session-name",
			"/bookmark", "/bookmark x", "/unbookmark",
			"/commands", "/commands skill", "/commands extension",
			"/emit", "/emit from here",
			"/add-echo-tool", "/add-echo-tool echo_two", "/add-echo-tool echo_two", "/add-echo-tool No Good",
			"/todos", "/tools", "/ask", "/steer", "/followup", "/askwith",
			"ping", "?quick ",
		},
		answers: []string{
			`"value":"hello"`, `"cancelled":true`, `"value":"a\nb"`, `"value":""`,
			`"confirmed":true`, `"confirmed":false`, `"value":"Option B"`, `"cancelled":true`, `"confirmed":true`,
			`"value":"/emit - Emit my:notification event (usage: /emit message)"`, `"confirmed":true`, `"cancelled":true`,
		},
		differ: []exampleDifference{{styled,
			`{"type":"extension_ui_request","id":"id-4","method":"setStatus","statusKey":"status-demo","statusText":"\u001b[39m\u001b[2mReady\u001b[22;39m"}`,
			[]string{`{"type":"extension_ui_request","id":"id-4","method":"setStatus","statusKey":"status-demo","statusText":"Ready"}`},
		}},
	},
	{
		name:     "plan-mode and preset",
		examples: []string{"plan-mode/index.ts", "preset.ts"},
		say:      []string{"/plan", "/todos", "/plan", "/preset", "/preset nothing"},
		differ: []exampleDifference{
			{styled,
				`{"type":"extension_ui_request","id":"id-5","method":"setStatus","statusKey":"plan-mode","statusText":"\u001b[38;5;3m⏸ plan\u001b[39m"}`,
				[]string{`{"type":"extension_ui_request","id":"id-5","method":"setStatus","statusKey":"plan-mode","statusText":"⏸ plan"}`},
			},
		},
	},
	{
		name: "terminal, messages, editors",
		examples: []string{
			"custom-footer.ts", "custom-header.ts", "debug-provider.ts", "entry-renderer.ts", "message-renderer.ts", "hidden-thinking-label.ts",
			"overlay-test.ts", "overlay-qa-tests.ts", "pirate.ts", "qna.ts", "handoff.ts", "snake.ts", "space-invaders.ts", "summarize.ts", "tic-tac-toe.ts",
			"trigger-compact.ts", "working-indicator.ts", "auto-commit-on-exit.ts", "model-status.ts", "github-issue-autocomplete.ts", "mac-system-theme.ts",
			"modal-editor.ts", "rainbow-editor.ts", "border-status-editor.ts", "prompt-customizer.ts", "provider-payload.ts", "system-prompt-header.ts",
			"working-message-test.ts", "truncated-tool.ts", "input-transform-streaming.ts", "inline-bash.ts", "interactive-shell.ts", "project-trust.ts",
			"subagent/index.ts", "jev-router.ts", "custom-compaction.ts", "custom-provider-gitlab-duo/index.ts",
			"custom-provider-anthropic/index.ts", "doom-overlay/index.ts", "git-merge-and-resolve.ts",
		},
		say: []string{
			"/footer", "/footer", "/builtin-header", "/debug-provider", "/debug-provider", "/status-card", "/status", "/thinking-label", "/thinking-label x",
			"/overlay-test", "/overlay-anchors", "/overlay-toggle", "/pirate", "/pirate", "/qna", "/handoff", "/handoff goal", "/snake", "/invaders", "/summarize",
			"/tic-tac-toe", "/working-indicator", "/working-indicator dot", "/working-indicator nothing", "/doom-overlay",
		},
		differ: []exampleDifference{
			{styled,
				`{"type":"extension_ui_request","id":"id-1","method":"setStatus","statusKey":"working-indicator","statusText":"\u001b[39m\u001b[2mIndicator: custom spinner\u001b[22;39m"}`,
				[]string{`{"type":"extension_ui_request","id":"id-1","method":"setStatus","statusKey":"working-indicator","statusText":"Indicator: custom spinner"}`},
			},
			{styled,
				`{"type":"extension_ui_request","id":"id-23","method":"setStatus","statusKey":"working-indicator","statusText":"\u001b[39m\u001b[2mIndicator: static dot\u001b[22;39m"}`,
				[]string{`{"type":"extension_ui_request","id":"id-23","method":"setStatus","statusKey":"working-indicator","statusText":"Indicator: static dot"}`},
			},
		},
	},
	{
		name:     "session replaced",
		examples: []string{"rpc-demo.ts", "confirm-destructive.ts", "dirty-repo-guard.ts", "reload-runtime.ts"},
		git:      true,
		files:    map[string]string{"dirty.txt": "not committed\n"},
		say: []string{
			`{"type":"new_session"}`, `{"type":"new_session"}`, `{"type":"new_session"}`, `{"type":"new_session"}`, "/reload-runtime", "/rpc-prefill",
		},
		answers: []string{
			`"confirmed":false`,
			`"confirmed":true`, `"cancelled":true`,
			`"confirmed":true`, `"confirmed":true`, `"value":"No, let me commit first"`,
			`"confirmed":true`, `"confirmed":true`, `"value":"Yes, proceed anyway"`,
		},
	},
	{
		name:     "shutdown",
		examples: []string{"shutdown-command.ts", "rpc-demo.ts"},
		say:      []string{"/rpc-prefill", "/quit"},
		ends:     true,
	},
}

// TestExamples has the same conversations with the real pi and with extui agent, and
// requires them to be equal but for ids, paths, times and the listed differences.
func TestExamples(t *testing.T) {
	t.Parallel()
	long.Test(t)
	interop.Pi(t) // skips before anything is built
	program := buildProgram(t)
	for _, talk := range exampleTalks {
		t.Run(talk.name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for _, name := range talk.examples {
				paths = append(paths, interop.Example(t, name))
			}
			talk.compare(t, program, paths)
		})
	}
}

// compare has the conversation with pi and with program, and compares.
func (e *exampleTalk) compare(t *testing.T, program string, paths []string) {
	t.Helper()
	var flags []string
	for _, path := range paths {
		flags = append(flags, "--extension", path)
	}
	theirs := e.hold(t, interop.Pi(t, paths...))
	ours := interop.Pi(t, paths...)
	ours.Path, ours.Args = program, append([]string{"agent", "--dialect", "pi"}, flags...)
	got := e.hold(t, ours)
	want := e.expect(t, theirs)
	if !slices.Equal(got, want) {
		t.Errorf("transcripts differ (- pi with the listed differences, + ours):\n%s", diffLines(want, got))
	}
}

// expect is pi's transcript with the listed differences.
func (e *exampleTalk) expect(t *testing.T, theirs []string) []string {
	for _, d := range e.differ {
		if !slices.Contains(theirs, d.pi) {
			t.Errorf("listed difference that is gone (%s): pi did not write\n%s", d.why, d.pi)
		}
	}
	var out []string
	for _, line := range theirs {
		i := slices.IndexFunc(e.differ, func(d exampleDifference) bool { return d.pi == line })
		if i < 0 {
			out = append(out, line)
		} else {
			out = append(out, e.differ[i].ours...)
		}
	}
	return out
}

// hold has the conversation with one agent and returns what it wrote.
func (e *exampleTalk) hold(t *testing.T, command interop.Command) []string {
	t.Helper()
	for name, text := range e.files {
		path := filepath.Join(command.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if e.git {
		init := exec.Command("git", "init", "-q")
		init.Dir = command.Dir
		if out, err := init.CombinedOutput(); err != nil {
			t.Fatalf("make a repository: %v\n%s", err, out)
		}
	}
	p := startExampleAgent(t, command, e.answers)
	for i, say := range e.say {
		if strings.HasPrefix(say, "{") {
			p.call(say)
		} else {
			p.call(fmt.Sprintf(`{"type":"prompt","message":%s}`, `"`+say+`"`))
		}
		if e.ends && i == len(e.say)-1 {
			return p.end() // whether it still reads another command is chance
		}
		// What it does afterwards on its own account comes before this.
		p.call(`{"type":"abort"}`)
	}
	// Not first: pi answers it when session_start has run, and we at once.
	p.call(`{"type":"get_commands"}`)
	return p.end()
}

// exampleAgent is one side of the comparison.
type exampleAgent struct {
	t       *testing.T
	command interop.Command
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	out     *bufio.Scanner
	stderr  strings.Builder
	ids     vectors.IDs
	answers []string
	calls   int
	wrote   []string
	over    bool
}

func startExampleAgent(t *testing.T, command interop.Command, answers []string) *exampleAgent {
	t.Helper()
	p := &exampleAgent{t: t, command: command, cmd: command.Exec(t.Context()), answers: answers}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(stdout)
	p.out.Buffer(nil, 1<<24)
	// An agent that hangs must not hang the test.
	timer := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	t.Cleanup(func() { timer.Stop() })
	return p
}

// call sends a command and reads up to its response, answering dialogs.
func (p *exampleAgent) call(record string) {
	if p.over {
		return
	}
	p.calls++
	id := fmt.Sprintf(`"id":"call-%d"`, p.calls)
	if _, err := io.WriteString(p.stdin, `{`+id+`,`+record[1:]+"\n"); err != nil {
		p.over = true // it has shut down; what it wrote shows whether it should
		return
	}
	for p.out.Scan() {
		p.take(p.out.Text())
		if strings.HasPrefix(p.out.Text(), `{`+id+`,"type":"response"`) {
			return
		}
	}
	p.over = true
}

var dialogRecord = regexp.MustCompile(`^\{"type":"extension_ui_request","id":("[^"]*"),"method":"(select|confirm|input|editor)"`)

func (p *exampleAgent) take(line string) {
	p.wrote = append(p.wrote, p.hide(line))
	m := dialogRecord.FindStringSubmatch(line)
	if m == nil {
		return
	}
	answer := `"cancelled":true`
	if len(p.answers) > 0 {
		answer, p.answers = p.answers[0], p.answers[1:]
	} else {
		p.wrote = append(p.wrote, "(no answer is left for this dialog)")
	}
	if _, err := fmt.Fprintf(p.stdin, `{"type":"extension_ui_response","id":%s,%s}`+"\n", m[1], answer); err != nil {
		p.over = true
	}
}

var changing = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`"timestamp":("[^"]*"|[0-9]+)`), `"timestamp":"$$TIME"`},
	{regexp.MustCompile(`(No API key found for the selected model\.)[^"]*`), `$1`}, // where pi's own documents are
	{regexp.MustCompile(`"id":"[0-9a-f]{8}"`), `"id":"$$ENTRY"`},
	{regexp.MustCompile(`"parentId":("[0-9a-f]{8}"|null)`), `"parentId":"$$ENTRY"`},
}

// hide puts names in the place of what differs from run to run.
func (p *exampleAgent) hide(line string) string {
	line = string(p.ids.Hide([]byte(line)))
	line = strings.ReplaceAll(line, p.command.Dir, "$DIR")
	line = strings.ReplaceAll(line, filepath.Dir(p.command.Dir), "$HOME")
	for _, c := range changing {
		line = c.pattern.ReplaceAllString(line, c.name)
	}
	return line
}

// end closes the agent's input and returns all that it wrote.
func (p *exampleAgent) end() []string {
	p.stdin.Close()
	for p.out.Scan() {
		p.take(p.out.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%s ended with %v, want exit code 0\nstandard error:\n%s", p.command.Path, err, &p.stderr)
	}
	return append(p.wrote, fmt.Sprintf("(%d answers left)", len(p.answers)))
}

// diffLines shows two transcripts against each other, the longest common part kept.
func diffLines(want, got []string) string {
	common := make([][]int, len(want)+1)
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var b strings.Builder
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&b, "- %s\n", want[i])
			i++
		default:
			fmt.Fprintf(&b, "+ %s\n", got[j])
			j++
		}
	}
	return b.String()
}
