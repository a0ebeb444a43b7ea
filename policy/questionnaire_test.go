package policy

import (
	"context"
	"strings"
	"testing"

	"extui/protocol"
)

// An answer to a question of a questionnaire is as sure as one to a select or an input,
// whether a rule or a command gives it.
func TestQuestionnairesThatAreNotAnswered(t *testing.T) {
	const rule = `rules: [{when: {question: a}, answers: [{question: a, `
	preview := "\u202edrop"
	several := func(labels ...string) *protocol.Questionnaire {
		q := questions("a")
		q.Questions[0].MultiSelect = true
		q.Questions[0].Options = nil
		for _, l := range labels {
			q.Questions[0].Options = append(q.Questions[0].Options, protocol.QuestionOption{Label: l})
		}
		return q
	}
	one := func(labels ...string) *protocol.Questionnaire {
		q := several(labels...)
		q.Questions[0].MultiSelect = false
		return q
	}
	for name, test := range map[string]struct {
		dialog  *protocol.Questionnaire
		rule    string // of the question a; "": a command answers
		command string // what it prints as its answer to the question a
		why     string
	}{
		"label that is not offered":    {one("A", "B"), "option: C", `"kind":"option","answer":"C"`, `the question "a" does not offer "C"`},
		"label in another case":        {one("A", "B"), "option: b", `"kind":"option","answer":"b"`, `does not offer "b"`},
		"label that is offered twice":  {one("A", "A"), "option: A", `"kind":"option","answer":"A"`, `offers "A" twice`},
		"labels, one not offered":      {several("A", "B"), "options: [A, C]", `"kind":"multi","answer":null,"selected":["A","C"]`, `does not offer "C"`},
		"labels, one offered twice":    {several("A", "B", "B"), "options: [A, B]", `"kind":"multi","answer":null,"selected":["A","B"]`, `offers "B" twice`},
		"words that are an option":     {one("A", "B"), "text: A", `"kind":"custom","answer":"A"`, `an option of it, "A"`},
		"chat that is an option":       {one("A", "B"), "chat: A", `"kind":"chat","answer":"A"`, `an option of it, "A"`},
		"hidden words":                 {one("A"), "", `"kind":"custom","answer":"a\u200bb"`, "does not show all that it holds"},
		"hidden chat":                  {one("A"), "", `"kind":"chat","answer":"a\u202eb"`, "does not show all that it holds"},
		"long words":                   {one("A"), "", `"kind":"custom","answer":"` + strings.Repeat("x", longestGranted+1) + `"`, "has 65537 bytes, and 65536 are the most"},
		"hidden label":                 {one("A", "B\u200b"), "option: A", `"kind":"option","answer":"A"`, "no rule matches"},
		"one for several":              {several("A", "B"), "option: A", `"kind":"option","answer":"A"`, "takes several options"},
		"another question's index":     {one("A"), "", `"kind":"option","answer":"A","questionIndex":7`, "7"},
		"preview that hides something": {&protocol.Questionnaire{Questions: []protocol.Question{{Question: "a", Options: []protocol.QuestionOption{{Label: "A", Preview: &preview}}}}}, "option: A", `"kind":"option","answer":"A"`, "no rule matches"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.rule != "" {
				a, d := ask(t, rule+test.rule+"}]}]", test.dialog)
				if a != (protocol.Cancelled{}) || !strings.Contains(d.Why, test.why) {
					t.Errorf("rule: answer %#v: %s; want cancelled: %s", a, d.Why, test.why)
				}
			}
			var log decisions
			f := New(mustParse(t, "rules: [{when: {question: a}, run: [decide]}]"), &Options{OnDecision: log.add})
			f.run = func(context.Context, []string, []string, []byte) ([]byte, error) {
				answer := test.command
				if !strings.Contains(answer, "questionIndex") {
					answer += `,"questionIndex":0`
				}
				return []byte(`{"answers":[{"question":"a",` + answer + `}]}`), nil
			}
			a, err := f.Ask(t.Context(), test.dialog)
			d := log.last(t)
			// A label that is not offered fits no protocol at all.
			said := strings.Contains(d.Why, test.why) || strings.Contains(test.why, "not offer") && strings.Contains(d.Why, "want one of the labels")
			if err != nil || a != (protocol.Cancelled{}) || !said {
				t.Errorf("command: answer %#v, %v: %s; want cancelled: %s", a, err, d.Why, test.why)
			}
		})
	}
}

// A command's value for an input has one line, as a rule's has.
func TestCommandsValueOfTwoLines(t *testing.T) {
	for _, printed := range []string{`{"value":"a\nb"}`, `{"value":"a\rb"}`, `{"value":"a\u0000b"}`} {
		var log decisions
		f := New(mustParse(t, "rules: [{when: {title: x}, run: [decide]}]"), &Options{OnDecision: log.add})
		f.run = func(context.Context, []string, []string, []byte) ([]byte, error) { return []byte(printed), nil }
		a, _ := f.Ask(t.Context(), input("x"))
		if d := log.last(t); a != (protocol.Cancelled{}) || d.Outcome != Failed || !strings.Contains(d.Why, "one line") {
			t.Errorf("%s: %#v, %+v", printed, a, d)
		}
		f.run = func(context.Context, []string, []string, []byte) ([]byte, error) {
			return []byte(`{"value":"a\nb"}`), nil
		}
		if a, _ := f.Ask(t.Context(), &protocol.Editor{Title: "x"}); a != protocol.Value("a\nb") {
			t.Errorf("editor: %#v", a)
		}
	}
}
