package questionnaire_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"extui/agent"
	"extui/protocol"
	"extui/questionnaire"
)

// input is what a model would send for the questions.
func input(questions ...protocol.Question) jsontext.Value {
	record, err := protocol.AppendRequest(nil, &protocol.Questionnaire{Questions: questions})
	if err != nil {
		panic(err)
	}
	i := strings.Index(string(record), `"questions":`)
	return jsontext.Value("{" + string(record[i:]))
}

type fixed struct {
	answer protocol.Answer
	err    error
	asked  []protocol.Dialog
}

func (f *fixed) Ask(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
	f.asked = append(f.asked, d)
	return f.answer, f.err
}

// Each outcome is told apart, in the text that a model reads and in the details.
func TestResultTellsOutcomesApart(t *testing.T) {
	talk := protocol.QuestionAnswer{QuestionIndex: 0, Question: asked[0].Question, Kind: protocol.KindChat}
	talkText := talk
	talkText.Answer = new("what about backups?")
	invalid := fmt.Errorf("%w: %w", agent.ErrInvalidAnswer, &protocol.AnswerError{Method: "questionnaire", Field: "answers[1].answer", Value: `"x"`, Want: "the label of an option"})
	for _, c := range []struct {
		name    string
		answer  protocol.Answer
		err     error
		details string
		text    []string
		isError bool
	}{
		{"answered", protocol.Answers{option(0, "libSQL"), multi("vet"), option(2, "wide")}, nil,
			`{"outcome":"answered","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"libSQL"},{"questionIndex":1,"question":"Which checks?","kind":"multi","answer":null,"selected":["vet"]},{"questionIndex":2,"question":"Which layout?","kind":"option","answer":"wide","preview":"= = ="}],"cancelled":false}`,
			[]string{"The user answered:", `1. "Which storage?": "libSQL"`, `2. "Which checks?": "vet"`, `3. "Which layout?": "wide"`, "= = ="}, false},
		{"partly", protocol.Answers{option(0, "libSQL")}, nil,
			`{"outcome":"partial","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"libSQL"}],"cancelled":false}`,
			[]string{"1 of 3", `2. "Which checks?": not answered`}, false},
		{"in their own words", protocol.Answers{{QuestionIndex: 0, Question: asked[0].Question, Kind: protocol.KindCustom, Answer: new("first\nsecond 👩‍👩‍👧")}}, nil,
			`{"outcome":"partial","answers":[{"questionIndex":0,"question":"Which storage?","kind":"custom","answer":"first\nsecond 👩‍👩‍👧"}],"cancelled":false}`,
			[]string{"in their own words: \n    first\n    second 👩‍👩‍👧\n"}, false},
		{"not at all", protocol.Answers{}, nil, `{"outcome":"unanswered","answers":[],"cancelled":false}`, []string{"without answering any"}, false},
		{"talk", protocol.Answers{talk}, nil,
			`{"outcome":"chat","answers":[{"questionIndex":0,"question":"Which storage?","kind":"chat","answer":null}],"cancelled":false}`,
			[]string{"rather talk", `1. "Which storage?": wants to talk about it`}, false},
		{"talk with a text", protocol.Answers{talkText}, nil,
			`{"outcome":"chat","answers":[{"questionIndex":0,"question":"Which storage?","kind":"chat","answer":"what about backups?"}],"cancelled":false}`,
			[]string{"rather talk", `wants to talk about it: "what about backups?"`}, false},
		{"declined", nil, agent.ErrDismissed, `{"outcome":"declined","answers":[],"cancelled":true}`, []string{"declined"}, false},
		{"declined by a front end", protocol.Cancelled{}, nil, `{"outcome":"declined","answers":[],"cancelled":true}`, []string{"declined"}, false},
		{"a client without questionnaires", nil, agent.ErrNoQuestionnaire, `{"outcome":"failed","answers":[],"cancelled":true,"error":"questionnaire_unsupported"}`,
			[]string{"cannot show a questionnaire", "declined nothing"}, true},
		{"an invalid answer", nil, invalid, `{"outcome":"failed","answers":[],"cancelled":true,"error":"invalid_answer"}`,
			[]string{"answers[1].answer", `"x"`, "label of an option"}, true},
		{"time ran out", nil, agent.ErrTimedOut, `{"outcome":"failed","answers":[],"cancelled":true,"error":"timed_out"}`, []string{"in time"}, true},
		{"aborted", nil, agent.ErrAborted, `{"outcome":"failed","answers":[],"cancelled":true,"error":"aborted"}`, []string{"taken back"}, true},
		{"session replaced", nil, agent.ErrSessionReplaced, `{"outcome":"failed","answers":[],"cancelled":true,"error":"aborted"}`, []string{"taken back"}, true},
		{"nobody there", nil, agent.ErrDisconnected, `{"outcome":"failed","answers":[],"cancelled":true,"error":"no_ui"}`, []string{"nobody to ask"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ui := &fixed{answer: c.answer, err: c.err}
			got := questionnaire.Tool{UI: ui}.Run(t.Context(), input(asked...))
			if d := string(got.Details.AppendJSON(nil)); d != c.details {
				t.Errorf("details\n got %s\nwant %s", d, c.details)
			}
			for _, s := range c.text {
				if !strings.Contains(got.Text, s) {
					t.Errorf("text %q lacks %q", got.Text, s)
				}
			}
			if got.IsError != c.isError {
				t.Errorf("isError %v", got.IsError)
			}
			if len(ui.asked) != 1 {
				t.Errorf("%d dialogs, want the one questionnaire", len(ui.asked))
			}
		})
	}
}

// With the walk turned on, a client without the capability is asked in plain
// dialogs, and what it answered before it cancelled stays in the result.
func TestToolWalks(t *testing.T) {
	p := &person{t: t, steps: []step{{"select", "storage", "SQLite"}, {"select", "checks", ""}}}
	ui := &plainClient{person: p}
	got := questionnaire.Tool{UI: ui, Walk: true}.Run(t.Context(), input(asked...))
	want := `{"outcome":"declined","answers":[{"questionIndex":0,"question":"Which storage?","kind":"option","answer":"SQLite"}],"cancelled":true}`
	if d := string(got.Details.AppendJSON(nil)); d != want {
		t.Errorf("details\n got %s\nwant %s", d, want)
	}
	if !strings.Contains(got.Text, `1. "Which storage?": "SQLite"`) || strings.Contains(got.Text, "Nothing has been chosen") || got.IsError {
		t.Errorf("got %+v", got)
	}
}

// plainClient refuses questionnaires, as an agent does for a client that has not
// opted in.
type plainClient struct{ *person }

func (p *plainClient) Ask(ctx context.Context, d protocol.Dialog) (protocol.Answer, error) {
	if d.Method() == protocol.MethodQuestionnaire {
		return nil, agent.ErrNoQuestionnaire
	}
	return p.person.Ask(ctx, d)
}

func TestContractQuestionnaire_Questions(t *testing.T) {
	long := strings.Repeat("ü", 61)
	mutate := func(f func(q *protocol.Question)) jsontext.Value {
		q := asked[0]
		q.Options = append([]protocol.QuestionOption(nil), q.Options...)
		f(&q)
		return input(q)
	}
	numbered := func(n int) []protocol.Question {
		var out []protocol.Question
		for i := range n {
			q := asked[0]
			q.Question = fmt.Sprint("Question ", i, "?")
			out = append(out, q)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		input jsontext.Value
		code  questionnaire.Code // "" is accepted
		text  string             // what the model is told
	}{
		{"one question", input(asked[0]), "", ""},
		{"four questions", input(numbered(4)...), "", ""},
		{"no question", input(), questionnaire.CodeNoQuestions, "questions"},
		{"five questions", input(numbered(5)...), questionnaire.CodeTooManyQuestions, "1 to 4 questions"},
		{"the same question twice", input(asked[0], asked[0]), questionnaire.CodeDuplicateQuestion, "questions[1].question"},
		{"two options", input(asked[0]), "", ""},
		{"one option", mutate(func(q *protocol.Question) { q.Options = q.Options[:1] }), questionnaire.CodeOptionCount, "questions[0].options"},
		{"four options", mutate(func(q *protocol.Question) {
			q.Options = append(q.Options, protocol.QuestionOption{Label: "c"}, protocol.QuestionOption{Label: "d"})
		}), "", ""},
		{"five options", mutate(func(q *protocol.Question) {
			q.Options = append(q.Options, protocol.QuestionOption{Label: "c"}, protocol.QuestionOption{Label: "d"}, protocol.QuestionOption{Label: "e"})
		}), questionnaire.CodeOptionCount, "2 to 4 options"},
		{"header of 16 characters", mutate(func(q *protocol.Question) { q.Header = long[:32] }), "", ""},
		{"header of 17 characters", mutate(func(q *protocol.Question) { q.Header = long[:34] }), questionnaire.CodeHeaderTooLong, "not 17"},
		{"label of 60 characters", mutate(func(q *protocol.Question) { q.Options[0].Label = long[:120] }), "", ""},
		{"label of 61 characters", mutate(func(q *protocol.Question) { q.Options[0].Label = long }), questionnaire.CodeLabelTooLong, "not 61"},
		{"the same label twice", mutate(func(q *protocol.Question) { q.Options[1] = q.Options[0] }), questionnaire.CodeDuplicateLabel, `questions[0].options[1].label is "SQLite"`},
		{"the same label in two questions", input(numbered(2)...), "", ""},
		{"label Other", mutate(func(q *protocol.Question) { q.Options[1].Label = "Other" }), questionnaire.CodeReservedLabel, "client's own"},
		{"label Type something.", mutate(func(q *protocol.Question) { q.Options[1].Label = "Type something." }), questionnaire.CodeReservedLabel, "client's own"},
		{"label Chat about this", mutate(func(q *protocol.Question) { q.Options[1].Label = "Chat about this" }), questionnaire.CodeReservedLabel, "client's own"},
		{"label Next", mutate(func(q *protocol.Question) { q.Options[1].Label = "Next" }), questionnaire.CodeReservedLabel, "client's own"},
		{"label Otherwise", mutate(func(q *protocol.Question) { q.Options[1].Label = "Otherwise" }), "", ""},
		{"label empty", mutate(func(q *protocol.Question) { q.Options[1].Label = "" }), questionnaire.CodeInvalidQuestion, "questions[0].options[1].label"},
		{"label of a space", mutate(func(q *protocol.Question) { q.Options[1].Label = " " }), questionnaire.CodeInvalidQuestion, "can be seen"},
		{"label of zero width", mutate(func(q *protocol.Question) { q.Options[1].Label = "\u200b" }), questionnaire.CodeInvalidQuestion, "can be seen"},
		{"question empty", mutate(func(q *protocol.Question) { q.Question = "" }), questionnaire.CodeInvalidQuestion, "questions[0].question"},
		{"no questions member", jsontext.Value(`{}`), questionnaire.CodeInvalidQuestion, `questions`},
		{"no input", nil, questionnaire.CodeInvalidQuestion, `questions`},
		{"input null", jsontext.Value(`null`), questionnaire.CodeInvalidQuestion, "input is null"},
		{"questions no array", jsontext.Value(`{"questions":"Which?"}`), questionnaire.CodeInvalidQuestion, `questions is "Which?"`},
		{"a question no object", jsontext.Value(`{"questions":["Which?"]}`), questionnaire.CodeInvalidQuestion, `questions[0]`},
		{"header missing", jsontext.Value(`{"questions":[{"question":"A?","options":[{"label":"a","description":""},{"label":"b","description":""}]}]}`), questionnaire.CodeInvalidQuestion, "questions[0].header is missing"},
		{"description missing", jsontext.Value(`{"questions":[{"question":"A?","header":"A","options":[{"label":"a","description":""},{"label":"b"}]}]}`), questionnaire.CodeInvalidQuestion, "questions[0].options[1].description is missing"},
		{"label a number", jsontext.Value(`{"questions":[{"question":"A?","header":"A","options":[{"label":1,"description":""},{"label":"b","description":""}]}]}`), questionnaire.CodeInvalidQuestion, "questions[0].options[0].label is 1"},
		{"a key twice", jsontext.Value(`{"questions":[],"questions":[]}`), questionnaire.CodeInvalidQuestion, "questions"},
		{"an envelope in the input", jsontext.Value(`{"method":"confirm","id":7,` + string(input(asked[0])[1:])), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ui := &fixed{answer: protocol.Answers{}}
			got := questionnaire.Tool{UI: ui}.Run(t.Context(), c.input)
			if c.code == "" {
				if len(ui.asked) != 1 || got.IsError {
					t.Fatalf("refused: %s", got.Text)
				}
				return
			}
			if len(ui.asked) != 0 {
				t.Fatal("asked all the same")
			}
			if got.Details.Error != c.code || !got.IsError || !got.Details.Cancelled || !strings.Contains(got.Text, c.text) {
				t.Errorf("got %+v, want code %s and %q in the text", got, c.code, c.text)
			}
		})
	}
}

// All that is wrong is said at once.
func TestValidateReportsEverything(t *testing.T) {
	err := questionnaire.Validate([]protocol.Question{{Question: "A?", Header: strings.Repeat("h", 17), Options: []protocol.QuestionOption{{Label: "Next"}}}})
	for _, s := range []string{"header", "options is an array of 1", "client's own"} {
		if err == nil || !strings.Contains(err.Error(), s) {
			t.Errorf("%v lacks %q", err, s)
		}
	}
}

// The schema that a model is given and the validator agree on the table of
// questions wherever a schema can tell.
func TestParametersIsASchema(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("parameters.json"))
	if err != nil {
		t.Fatal(err)
	}
	if string(questionnaire.Parameters()) != string(b) || !jsontext.Value(b).IsValid() {
		t.Error("Parameters is not the valid JSON of parameters.json")
	}
	copied := questionnaire.Parameters()
	copied[0] = 'x'
	if questionnaire.Parameters()[0] != '{' {
		t.Error("a caller can change the schema")
	}
}
