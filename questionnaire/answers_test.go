package questionnaire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"extui/protocol"
)

// Question 0 takes one option, question 1 several, question 2 one with previews.
var asked = []protocol.Question{
	{Question: "Which storage?", Header: "Storage", Options: []protocol.QuestionOption{
		{Label: "SQLite", Description: "A file"}, {Label: "libSQL", Description: "A server"},
	}},
	{Question: "Which checks?", Header: "Checks", MultiSelect: true, Options: []protocol.QuestionOption{
		{Label: "vet"}, {Label: "race"}, {Label: "fuzz"},
	}},
	{Question: "Which layout?", Header: "Layout", Options: []protocol.QuestionOption{
		{Label: "wide", Preview: new("= = =")}, {Label: "tall"},
	}},
}

// answer joins the members of one answer: those of question 0, if none are given.
func answer(members string) string { return "[{" + members + "}]" }

const (
	q0 = `"questionIndex":0,"question":"Which storage?",`
	q1 = `"questionIndex":1,"question":"Which checks?",`
	q2 = `"questionIndex":2,"question":"Which layout?",`
)

// shapes are payloads of "answers". An empty field means that the shape is
// accepted; otherwise the error must name that field.
var shapes = []struct{ name, answers, field string }{
	{"nothing answered", `[]`, ""},
	{"an option", answer(q0 + `"kind":"option","answer":"libSQL"`), ""},
	{"the other option", answer(q0 + `"kind":"option","answer":"SQLite"`), ""},
	{"an option, members in another order", answer(`"answer":"libSQL","kind":"option",` + `"question":"Which storage?","questionIndex":0`), ""},
	{"an option with members that nobody knows", answer(q0 + `"kind":"option","answer":"libSQL","notes":"n","x":[1]`), ""},
	{"an option with its preview repeated", answer(q2 + `"kind":"option","answer":"wide","preview":"= = ="`), ""},
	{"an option without a preview beside one that has it", answer(q2 + `"kind":"option","answer":"tall"`), ""},
	{"an option with selected null", answer(q0 + `"kind":"option","answer":"libSQL","selected":null`), ""},
	{"an option, escaped", answer(q0 + `"kind":"option","answer":"lib\u0053QL"`), ""},
	{"several", answer(q1 + `"kind":"multi","answer":null,"selected":["vet","fuzz"]`), ""},
	{"several, in another order", answer(q1 + `"kind":"multi","answer":null,"selected":["fuzz","vet"]`), ""},
	{"all of several", answer(q1 + `"kind":"multi","answer":null,"selected":["vet","race","fuzz"]`), ""},
	{"none of several", answer(q1 + `"kind":"multi","answer":null,"selected":[]`), ""},
	{"several, answer absent", answer(q1 + `"kind":"multi","selected":["vet"]`), ""},
	{"own text", answer(q0 + `"kind":"custom","answer":"Postgres"`), ""},
	{"own text that equals a label", answer(q0 + `"kind":"custom","answer":"libSQL"`), ""},
	{"own text of one space", answer(q0 + `"kind":"custom","answer":" "`), ""},
	{"own text of two lines", answer(q0 + `"kind":"custom","answer":"a\nb"`), ""},
	{"talk with a text", answer(q0 + `"kind":"chat","answer":"why?"`), ""},
	{"talk with null", answer(q0 + `"kind":"chat","answer":null`), ""},
	{"talk with nothing", answer(q0 + `"kind":"chat"`), ""},
	{"talk with an empty text", answer(q0 + `"kind":"chat","answer":""`), ""},
	{"talk about several", answer(q1 + `"kind":"chat","answer":null`), ""},
	{"talk about previews", answer(q2 + `"kind":"chat","answer":"x"`), ""},
	{"all three", `[{` + q0 + `"kind":"option","answer":"SQLite"},{` + q1 + `"kind":"multi","selected":["vet"]},{` + q2 + `"kind":"option","answer":"tall"}]`, ""},
	{"all three, last first", `[{` + q2 + `"kind":"option","answer":"tall"},{` + q1 + `"kind":"multi","selected":["vet"]},{` + q0 + `"kind":"option","answer":"SQLite"}]`, ""},
	{"the last alone", answer(q2 + `"kind":"option","answer":"wide"`), ""},

	{"null", `null`, "answers"},
	{"an object", `{}`, "answers"},
	{"a string", `"libSQL"`, "answers"},
	{"true", `true`, "answers"},
	{"a label instead of an answer", `["libSQL"]`, "answers[0]"},
	{"null among the answers", `[null]`, "answers[0]"},
	{"an array among the answers", `[[]]`, "answers[0]"},
	{"an empty answer", `[{}]`, "answers[0].questionIndex"},
	{"no index", answer(`"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index that is null", answer(`"questionIndex":null,"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index that is a string", answer(`"questionIndex":"0","question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index with a fraction", answer(`"questionIndex":0.5,"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index below 0", answer(`"questionIndex":-1,"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index past the end", answer(`"questionIndex":3,"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"an index that no integer holds", answer(`"questionIndex":1e99,"question":"Which storage?","kind":"option","answer":"libSQL"`), "answers[0].questionIndex"},
	{"no question", answer(`"questionIndex":0,"kind":"option","answer":"libSQL"`), "answers[0].question"},
	{"a question that is null", answer(`"questionIndex":0,"question":null,"kind":"option","answer":"libSQL"`), "answers[0].question"},
	{"another question's text", answer(`"questionIndex":0,"question":"Which checks?","kind":"option","answer":"libSQL"`), "answers[0].question"},
	{"the text in lower case", answer(`"questionIndex":0,"question":"which storage?","kind":"option","answer":"libSQL"`), "answers[0].question"},
	{"the text with a space behind", answer(`"questionIndex":0,"question":"Which storage? ","kind":"option","answer":"libSQL"`), "answers[0].question"},
	{"no kind", answer(q0 + `"answer":"libSQL"`), "answers[0].kind"},
	{"an empty kind", answer(q0 + `"kind":"","answer":"libSQL"`), "answers[0].kind"},
	{"a kind that nobody knows", answer(q0 + `"kind":"other","answer":"libSQL"`), "answers[0].kind"},
	{"a kind in upper case", answer(q0 + `"kind":"Option","answer":"libSQL"`), "answers[0].kind"},
	{"a kind that is no string", answer(q0 + `"kind":1,"answer":"libSQL"`), "answers[0].kind"},
	{"an option for several", answer(q1 + `"kind":"option","answer":"vet"`), "answers[0].kind"},
	{"a label that was not offered", answer(q0 + `"kind":"option","answer":"MySQL"`), "answers[0].answer"},
	{"a label in lower case", answer(q0 + `"kind":"option","answer":"sqlite"`), "answers[0].answer"},
	{"a label with a space before", answer(q0 + `"kind":"option","answer":" SQLite"`), "answers[0].answer"},
	{"another question's label", answer(q0 + `"kind":"option","answer":"vet"`), "answers[0].answer"},
	{"a label's description", answer(q0 + `"kind":"option","answer":"A file"`), "answers[0].answer"},
	{"an option's number", answer(q0 + `"kind":"option","answer":1`), "answers[0].answer"},
	{"an option that is empty", answer(q0 + `"kind":"option","answer":""`), "answers[0].answer"},
	{"an option that is null", answer(q0 + `"kind":"option","answer":null`), "answers[0].answer"},
	{"an option without answer", answer(q0 + `"kind":"option"`), "answers[0].answer"},
	{"an option with selected", answer(q0 + `"kind":"option","answer":"libSQL","selected":["libSQL"]`), "answers[0].selected"},
	{"an option with nothing selected", answer(q0 + `"kind":"option","answer":"libSQL","selected":[]`), "answers[0].selected"},
	{"several for one", answer(q0 + `"kind":"multi","answer":null,"selected":["libSQL"]`), "answers[0].kind"},
	{"several without selected", answer(q1 + `"kind":"multi","answer":null`), "answers[0].selected"},
	{"several with selected null", answer(q1 + `"kind":"multi","answer":null,"selected":null`), "answers[0].selected"},
	{"several as one string", answer(q1 + `"kind":"multi","answer":null,"selected":"vet"`), "answers[0].selected"},
	{"several with an answer", answer(q1 + `"kind":"multi","answer":"vet","selected":["vet"]`), "answers[0].answer"},
	{"several with an empty answer", answer(q1 + `"kind":"multi","answer":"","selected":["vet"]`), "answers[0].answer"},
	{"several, one not offered", answer(q1 + `"kind":"multi","answer":null,"selected":["vet","lint"]`), "answers[0].selected[1]"},
	{"several, one twice", answer(q1 + `"kind":"multi","answer":null,"selected":["vet","vet"]`), "answers[0].selected[1]"},
	{"several, one no string", answer(q1 + `"kind":"multi","answer":null,"selected":["vet",2]`), "answers[0].selected[1]"},
	{"own text for several", answer(q1 + `"kind":"custom","answer":"lint"`), "answers[0].kind"},
	{"own text beside previews", answer(q2 + `"kind":"custom","answer":"round"`), "answers[0].kind"},
	{"own text that is empty", answer(q0 + `"kind":"custom","answer":""`), "answers[0].answer"},
	{"own text that is null", answer(q0 + `"kind":"custom","answer":null`), "answers[0].answer"},
	{"own text that is a number", answer(q0 + `"kind":"custom","answer":7`), "answers[0].answer"},
	{"own text with selected", answer(q0 + `"kind":"custom","answer":"x","selected":["SQLite"]`), "answers[0].selected"},
	{"talk with a number", answer(q0 + `"kind":"chat","answer":7`), "answers[0].answer"},
	{"talk with selected", answer(q0 + `"kind":"chat","answer":null,"selected":["SQLite"]`), "answers[0].selected"},
	{"a preview that is no string", answer(q2 + `"kind":"option","answer":"wide","preview":1`), "answers[0].preview"},
	{"one question twice", `[{` + q0 + `"kind":"option","answer":"SQLite"},{` + q0 + `"kind":"option","answer":"libSQL"}]`, "answers[1].questionIndex"},
	{"the second one wrong", `[{` + q0 + `"kind":"option","answer":"SQLite"},{` + q1 + `"kind":"multi","selected":["x"]}]`, "answers[1].selected[0]"},
	{"more answers than questions", `[` + strings.Repeat(`{`+q0+`"kind":"chat"},`, 4) + `{}]`, "answers[1].questionIndex"},
}

// Each shape of answers is accepted, or rejected as a whole for a reason that
// names the answer and its field. (Contract: any other shape is rejected and
// nothing is guessed.)
func TestContractQuestionnaire_AnswerShapes(t *testing.T) {
	if len(shapes) < 60 {
		t.Fatalf("%d shapes", len(shapes))
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			got, err := read(t, s.answers)
			if s.field == "" {
				if err != nil {
					t.Fatalf("rejected: %v", err)
				}
				if _, ok := got.(protocol.Answers); !ok {
					t.Fatalf("got %#v", got)
				}
				return
			}
			ae, ok := errors.AsType[*protocol.AnswerError](err)
			if !ok {
				t.Fatalf("got %#v, %v; want an *AnswerError for %s", got, err, s.field)
			}
			if ae.Field != s.field && !(s.name == "more answers than questions") {
				t.Errorf("rejected for %s (%v), want %s", ae.Field, ae, s.field)
			}
			if got != nil {
				t.Errorf("rejected, but an answer came along: %#v", got)
			}
		})
	}
}

func read(t testing.TB, answers string) (protocol.Answer, error) {
	t.Helper()
	r, err := protocol.DecodeResponse([]byte(`{"type":"extension_ui_response","id":"q","answers":` + answers + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return r.Answer(&protocol.Questionnaire{ID: protocol.StringID("q"), Questions: asked})
}

// FuzzAnswers compares the validator with a plain model of the rules, written on
// decoded JSON and sharing nothing with it.
func FuzzAnswers(f *testing.F) {
	for _, s := range shapes {
		f.Add([]byte(s.answers))
	}
	f.Fuzz(func(t *testing.T, answers []byte) {
		record := fmt.Appendf(nil, `{"type":"extension_ui_response","id":"q","answers":%s}`, answers)
		r, err := protocol.DecodeResponse(record)
		if err != nil || bytes.Contains(answers, []byte(`\u`)) || !json.Valid(answers) {
			return // not one JSON value, or a text on whose decoding the two may differ
		}
		if r.Cancelled || r.Value != nil {
			return // the input broke out of its member
		}
		_, err = r.Answer(&protocol.Questionnaire{ID: protocol.StringID("q"), Questions: asked})
		if want := model(answers); (err == nil) != (want == "") {
			t.Fatalf("%s: validator says %v, the rules say %q", answers, err, want)
		}
	})
}

// model returns the rule that answers break, or "".
func model(answers []byte) string {
	var v any
	if err := json.Unmarshal(answers, &v); err != nil {
		return "not JSON"
	}
	list, ok := v.([]any)
	if !ok {
		return "not an array"
	}
	seen := map[float64]bool{}
	for _, e := range list {
		a, ok := e.(map[string]any)
		if !ok {
			return "not an object"
		}
		index, ok := a["questionIndex"].(float64)
		if !ok || index != float64(int(index)) || index < 0 || int(index) >= len(asked) {
			return "questionIndex"
		}
		if seen[index] {
			return "twice"
		}
		seen[index] = true
		if rule := modelOne(a, asked[int(index)]); rule != "" {
			return rule
		}
	}
	return ""
}

func modelOne(a map[string]any, q protocol.Question) string {
	labels, previews := map[string]bool{}, false
	for _, o := range q.Options {
		labels[o.Label] = true
		previews = previews || o.Preview != nil
	}
	if a["question"] != q.Question {
		return "question"
	}
	text, isText := a["answer"].(string)
	if !isText && a["answer"] != nil {
		return "answer"
	}
	if _, ok := a["preview"].(string); !ok && a["preview"] != nil {
		return "preview"
	}
	selected, isList := a["selected"].([]any)
	if !isList && a["selected"] != nil {
		return "selected"
	}
	if a["kind"] != "multi" && isList {
		return "selected beside another kind"
	}
	switch a["kind"] {
	case "option":
		if q.MultiSelect || !isText || !labels[text] {
			return "option"
		}
	case "multi":
		if !q.MultiSelect || isText || !isList {
			return "multi"
		}
		once := map[any]bool{}
		for _, s := range selected {
			if label, ok := s.(string); !ok || !labels[label] || once[s] {
				return "selected"
			}
			once[s] = true
		}
	case "custom":
		if q.MultiSelect || previews || text == "" {
			return "custom"
		}
	case "chat":
	default:
		return "kind"
	}
	return ""
}
