package interop_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"extui/client"
	"extui/internal/long"
	"extui/interop"
	"extui/protocol"
)

// The npm package @juicesharp/rpiv-ask-user-question is an extension of pi that
// others wrote: it gives the model a tool that asks one to four questions. Outside
// pi's own terminal it asks them one by one with select and input dialogs, and
// those are what these tests are about.

// rpivQuestion is a question as the package's tool takes it.
type rpivQuestion struct {
	Question    string       `json:"question"`
	Header      string       `json:"header"`
	MultiSelect bool         `json:"multiSelect,omitempty"`
	Options     []rpivOption `json:"options"`
}

type rpivOption struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Preview     string `json:"preview,omitempty"`
}

// rpivDetails is what the tool's result says for programs.
type rpivDetails struct {
	Answers   []rpivAnswer
	Cancelled bool
}

type rpivAnswer struct {
	QuestionIndex  int
	Question, Kind string
	Answer         *string
	Selected       []string
	Preview        string
}

var (
	whichDatabase = rpivQuestion{
		Question: "Which database should it use?", Header: "Database",
		Options: []rpivOption{{Label: "SQLite (Recommended)", Description: "A local file"}, {Label: "Postgres", Description: "A server"}},
	}
	whatName = rpivQuestion{
		Question: "What should it be called?", Header: "Name",
		Options: []rpivOption{{Label: "app", Description: "Short"}, {Label: "planner", Description: "Says what it does"}},
	}
	whichChecks = rpivQuestion{
		Question: "Which checks should run?", Header: "Checks", MultiSelect: true,
		Options: []rpivOption{{Label: "vet", Description: "Fast"}, {Label: "race", Description: "Slow"}, {Label: "fuzz", Description: "Slower"}},
	}
	whichLayout = rpivQuestion{
		Question: "Which layout?", Header: "Layout",
		Options: []rpivOption{
			{Label: "Wide", Description: "For a desk", Preview: "+------+\n| wide |\n+------+"},
			{Label: "Narrow", Description: "For a phone", Preview: longPreview},
		},
	}
	longPreview = "x" + strings.Repeat("😀", 300)
)

// How the package asks them: the header in brackets, numbered options, one more
// for an answer in the person's own words, and the previews in the title. Of a
// preview it shows 600 UTF-16 units, which may be the half of a character.
var (
	asksDatabase = &protocol.Select{
		Title:   "[Database] Which database should it use?",
		Options: labels("1. SQLite (Recommended) — A local file", "2. Postgres — A server", "3. Type something."),
	}
	asksName = &protocol.Select{
		Title:   "[Name] What should it be called?",
		Options: labels("1. app — Short", "2. planner — Says what it does", "3. Type something."),
	}
	asksOwnName = &protocol.Input{
		Title:       "[Name] What should it be called?\n\nType your answer:",
		Placeholder: new(""),
	}
	asksChecks = &protocol.Input{
		Title: "[Checks] Which checks should run?\n\n1. vet — Fast\n2. race — Slow\n3. fuzz — Slower\n\n" +
			`Enter the numbers of all that apply, comma-separated (e.g. "1,3"), or type a custom answer as plain text.`,
		Placeholder: new("1,3"),
	}
	asksLayout = &protocol.Select{
		Title: "[Layout] Which layout?\n\n--- 1. Wide preview ---\n+------+\n| wide |\n+------+\n\n" +
			"--- 2. Narrow preview ---\nx" + strings.Repeat("😀", 299) + "\xed\xa0\xbd",
		Options: labels("1. Wide — For a desk", "2. Narrow — For a phone", "3. Type something."),
	}
)

func labels(texts ...string) []protocol.Option {
	var options []protocol.Option
	for _, text := range texts {
		options = append(options, protocol.Option{Label: text})
	}
	return options
}

const (
	rpivTool     = "ask_user_question"
	rpivDeclined = "User declined to answer questions"
)

// rpivAnswered is the tool's result with these answers, each one sentence.
func rpivAnswered(sentences ...string) string {
	return "User has answered your questions: " + strings.Join(sentences, " ") +
		" You can now continue with the user's answers in mind."
}

// rpivExchange is a dialog and what the person does with it.
type rpivExchange struct {
	dialog protocol.Dialog
	answer protocol.Answer
}

// rpivRuns are calls of the tool, by name of the run, which is also the prompt.
var rpivRuns = []struct {
	name      string
	questions []rpivQuestion
	dialogs   []rpivExchange
	result    string
	details   rpivDetails
}{
	{
		"all four kinds",
		[]rpivQuestion{whichDatabase, whatName, whichChecks, whichLayout},
		[]rpivExchange{
			{asksDatabase, protocol.Value("2. Postgres — A server")},
			{asksName, protocol.Value("3. Type something.")},
			{asksOwnName, protocol.Value(`the "日本" one`)},
			{asksChecks, protocol.Value("1, 3")},
			{asksLayout, protocol.Value("2. Narrow — For a phone")},
		},
		rpivAnswered(`"Which database should it use?"="Postgres".`, `"What should it be called?"="the "日本" one".`,
			`"Which checks should run?"="vet, fuzz".`, `"Which layout?"="Narrow". selected preview: `+longPreview+`.`),
		rpivDetails{Answers: []rpivAnswer{
			{0, whichDatabase.Question, "option", new("Postgres"), nil, ""},
			{1, whatName.Question, "custom", new(`the "日本" one`), nil, ""},
			{2, whichChecks.Question, "multi", nil, []string{"vet", "fuzz"}, ""},
			{3, whichLayout.Question, "option", new("Narrow"), nil, longPreview},
		}},
	},
	{
		// A number out of range makes all of it a text.
		"several in own words",
		[]rpivQuestion{whichChecks},
		[]rpivExchange{{asksChecks, protocol.Value(" 1, 13 ")}},
		rpivAnswered(`"Which checks should run?"="1, 13".`),
		rpivDetails{Answers: []rpivAnswer{{0, whichChecks.Question, "custom", new("1, 13"), nil, ""}}},
	},
	{
		// The empty text is an answer: none of them.
		"several and none chosen",
		[]rpivQuestion{whichChecks},
		[]rpivExchange{{asksChecks, protocol.Value("")}},
		rpivAnswered(`"Which checks should run?"="(no input)".`),
		rpivDetails{Answers: []rpivAnswer{{0, whichChecks.Question, "multi", nil, []string{}, ""}}},
	},
	{
		// The questions behind the cancelled one are not asked.
		"cancelled at the second question",
		[]rpivQuestion{whichDatabase, whatName, whichChecks},
		[]rpivExchange{
			{asksDatabase, protocol.Value("1. SQLite (Recommended) — A local file")},
			{asksName, protocol.Value("3. Type something.")},
			{asksOwnName, protocol.Cancelled{}},
		},
		rpivDeclined,
		rpivDetails{[]rpivAnswer{{0, whichDatabase.Question, "option", new("SQLite (Recommended)"), nil, ""}}, true},
	},
	{
		// The package would take any text that begins with a number of an option. The
		// client lets through an option only, and cancels instead.
		"answered with no option",
		[]rpivQuestion{whichDatabase, whatName},
		[]rpivExchange{{asksDatabase, protocol.Value("2")}},
		rpivDeclined,
		rpivDetails{[]rpivAnswer{}, true},
	},
}

// rpivServer is a model that asks the questions of the runs.
func rpivServer(t *testing.T) *chatServer {
	t.Helper()
	calls := make(map[string]any)
	for _, run := range rpivRuns {
		calls[run.name] = map[string]any{"questions": run.questions}
	}
	return newChatServer(t, rpivTool, calls)
}

// rpivExtension returns the absolute path of the package's entry, or does what
// interop.Pi does if pi is not installed.
func rpivExtension(t *testing.T) string {
	t.Helper()
	interop.Pi(t) // skips
	path, err := filepath.Abs("node_modules/@juicesharp/rpiv-ask-user-question/index.ts")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		const how = "interop/install brings node_modules up to date"
		if os.Getenv(interop.RequireVariable) == "1" {
			t.Fatalf("%s=1, but: %v; %s", interop.RequireVariable, err, how)
		}
		t.Skipf("NOT TESTED WITH rpiv-ask-user-question, it is not installed: %v; %s", err, how)
	}
	return path
}

// Every dialog arrives whole, every answer in the tool's result, and the result
// at the model and at the client.
func TestRpivAsksItsQuestions(t *testing.T) {
	t.Parallel()
	long.Test(t)
	extension := rpivExtension(t)
	model := rpivServer(t)
	c := runPi(t, model.pi(extension))
	records := make(chan []byte, 100)
	defer c.Subscribe(func(record []byte) {
		if isType(record, "tool_execution_end") || isType(record, "agent_settled") {
			records <- bytes.Clone(record)
		}
	})()

	for _, run := range rpivRuns {
		if got := wait(c, c.prompt(run.name)); got.err != nil || got.what != client.Started {
			t.Fatalf("%s: prompt: %q, %v, want a run", run.name, got.what, got.err)
		}
		for i, step := range run.dialogs {
			q := wait(c, c.person.questions)
			if got := withoutID(q.dialog); !reflect.DeepEqual(got, step.dialog) {
				t.Errorf("%s: dialog %d:\n%+v\nwant\n%+v", run.name, i+1, got, step.dialog)
			}
			q.reply(step.answer)
		}
		select {
		case told := <-model.told:
			if told != run.result {
				t.Errorf("%s: the model was told\n%s\nwant\n%s", run.name, told, run.result)
			}
		case q := <-c.person.questions:
			t.Fatalf("%s: then it asked %+v, want no dialog more", run.name, q.dialog)
		case <-time.After(patience):
			t.Fatalf("%s: the model was told nothing", run.name)
		}
		rpivEnded(c, run.name, wait(c, records), run.result, run.details)
		if last := wait(c, records); !isType(last, "agent_settled") {
			t.Errorf("%s: then %s, want the end of the run", run.name, last)
		}
	}
	if n := len(c.person.questions) + len(c.person.updates); n != 0 {
		t.Errorf("%d dialogs and updates too many", n)
	}
	c.diagnosed(client.KindFrontend) // of the last run

	// What the model said last is what it was told.
	c.mu.Lock()
	defer c.mu.Unlock()
	said := slices.ContainsFunc(c.events, func(e client.Event) bool {
		m, ok := e.(client.MessageEnd)
		return ok && m.Role == "assistant" && m.Text == "I was told: "+rpivRuns[0].result
	})
	if !said {
		t.Errorf("the model's text about the first run is not among the events %+v", c.events)
	}
}

// withoutID is a copy of the dialog, without what is new in each.
func withoutID(d protocol.Dialog) protocol.Dialog {
	switch d := d.(type) {
	case *protocol.Select:
		c := *d
		c.ID = protocol.ID{}
		return &c
	case *protocol.Input:
		c := *d
		c.ID = protocol.ID{}
		return &c
	}
	return d
}

// rpivEnded requires that the record ends a call of the tool that went well, with
// this result.
func rpivEnded(c *piClient, run string, record []byte, text string, details rpivDetails) {
	c.t.Helper()
	event, err := client.DecodeEvent(record)
	end, ok := event.(client.ToolEnd)
	if err != nil || !ok || end.Name != rpivTool || end.IsError || end.Text != text {
		c.t.Errorf("%s: %s\nwant the end of the tool with\n%s", run, record, text)
	}
	var raw struct{ Result struct{ Details rpivDetails } }
	if err := json.Unmarshal(record, &raw); err != nil {
		c.t.Errorf("%s: %s: %v", run, record, err)
	}
	if got := raw.Result.Details; !reflect.DeepEqual(got, details) {
		c.t.Errorf("%s: details %+v, want %+v", run, got, details)
	}
}

// The program asks the same from a pipe. An option is chosen by its number, since
// the package's own numbers are those of the front end.
func TestRpivAsksItsQuestionsInTheProgram(t *testing.T) {
	t.Parallel()
	long.Test(t)
	extension := rpivExtension(t)
	model := rpivServer(t)
	pi := model.pi(extension)
	program := buildProgram(t)
	full, middle := rpivRuns[0], rpivRuns[3]
	args := []string{"run", "--prompt", full.name, "--prompt", middle.name, "--exit-when-idle", "--", pi.Path}
	cmd := exec.CommandContext(t.Context(), program, append(args, pi.Args...)...)
	cmd.Env, cmd.Dir = pi.Env, pi.Dir
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		"2",
		"3", `the "日本" one`,
		"1, 3",
		"2. Narrow — For a phone",
		// The second run.
		"1",
		"3", "/cancel",
		"never an answer",
	}, "\n"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("the program ended with %v, want exit code 0\nstandard error:\n%s", err, &stderr)
	}
	for _, want := range []string{full.result, middle.result} {
		select {
		case told := <-model.told:
			if told != want {
				t.Errorf("the model was told\n%s\nwant\n%s", told, want)
			}
		default:
			t.Fatalf("the model was not told %q; standard output:\n%s\nstandard error:\n%s", want, &stdout, &stderr)
		}
	}
	inOrder(t, stdout.String(),
		"[Database] Which database should it use?", "1. SQLite (Recommended) — A local file", "2. Postgres — A server", "3. Type something.",
		"[Name] What should it be called?", "2. planner — Says what it does",
		"[Name] What should it be called?", "Type your answer:",
		"[Checks] Which checks should run?", "1. vet — Fast", "2. race — Slow", "3. fuzz — Slower", "or type a custom answer as plain text.", "1,3",
		"[Layout] Which layout?", "--- 1. Wide preview ---", "| wide |", "--- 2. Narrow preview ---", "3. Type something.",
		"I was told: ", `"Which database should it use?"="Postgres".`,
		"[Database]", "[Name]", "Type your answer:",
		"I was told: "+rpivDeclined)
	if strings.Contains(stdout.String(), "never an answer") {
		t.Errorf("the program took a line too many:\n%s", &stdout)
	}
}
