package protocol

import (
	"errors"
	"reflect"
	"testing"
)

const (
	atomicQuestions = `,"questions":[` +
		`{"question":"Q?","header":"H","options":[{"label":"a","description":"A"},{"label":"b","description":"B"}]},` +
		`{"question":"R?","header":"","options":[{"label":"c","description":""},{"label":"d","description":""},{"label":"e","description":""}],"multiSelect":true},` +
		`{"question":"S?","header":"P","options":[{"label":"f","description":"F","preview":"# F"},{"label":"g","description":"G"}]}]`
	askQuestions = `,"questions":[` +
		`{"id":"q","question":"Q?","header":"H","options":[{"label":"a","description":"A"},{"label":"b"}],"recommended":1},` +
		`{"id":"r","question":"R?","options":[{"label":"c"},{"label":"d","preview":""}],"multi":true}]`
)

func questionnaire(t *testing.T, method, members string) *Questionnaire {
	t.Helper()
	r, err := DecodeRequest([]byte(req(method, members)))
	if err != nil {
		t.Fatal(err)
	}
	return r.(*Questionnaire)
}

func TestQuestionnaireRequests(t *testing.T) {
	d := questionnaire(t, "questionnaire", atomicQuestions+`,"timeout":5000`)
	want := &Questionnaire{ID: StringID("1"), Timeout: ms(t, 5000), Questions: []Question{
		{Question: "Q?", Header: "H", Options: []QuestionOption{{Label: "a", Description: "A"}, {Label: "b", Description: "B"}}},
		{Question: "R?", Options: []QuestionOption{{Label: "c"}, {Label: "d"}, {Label: "e"}}, MultiSelect: true},
		{Question: "S?", Header: "P", Options: []QuestionOption{{Label: "f", Description: "F", Preview: new("# F")}, {Label: "g", Description: "G"}}},
	}}
	if !reflect.DeepEqual(d, want) || d.Method() != MethodQuestionnaire {
		t.Errorf("got %+v, method %s", d, d.Method())
	}
	d = questionnaire(t, "ask", askQuestions)
	want = &Questionnaire{ID: StringID("1"), Ask: true, Questions: []Question{
		{ID: "q", Question: "Q?", Header: "H", Options: []QuestionOption{{Label: "a", Description: "A"}, {Label: "b"}}, Recommended: new(1)},
		{ID: "r", Question: "R?", Options: []QuestionOption{{Label: "c"}, {Label: "d", Preview: new("")}}, MultiSelect: true},
	}}
	if !reflect.DeepEqual(d, want) || d.Method() != MethodAsk {
		t.Errorf("got %+v, method %s", d, d.Method())
	}
	for _, record := range []string{
		req("questionnaire", atomicQuestions+`,"timeout":5000`),
		req("ask", askQuestions+`,"timeout":0`),
		req("questionnaire", `,"questions":[]`),
		req("questionnaire", `,"questions":[{"question":"","header":"","options":[],"icon":{"a":[1]}}],"toolCallId":"x"`),
		req("ask", `,"questions":[{"id":"","question":"","options":[{"label":"","icon":null}],"weight":2.0}]`),
	} {
		if got := reencode(t, []byte(record)); string(got) != record {
			t.Errorf("\n got %s\nwant %s", got, record)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	for in, want := range map[string]int{"0": 0, "1": 1, "1.0": 1, "1e0": 1, "10e-1": 1, "-0": 0, "0.0": 0} {
		d := questionnaire(t, "ask", `,"questions":[{"id":"q","question":"Q?","options":[],"recommended":`+in+`}]`)
		if got := d.Questions[0].Recommended; got == nil || *got != want {
			t.Errorf("%s: got %v", in, got)
		}
	}
	for _, in := range []string{"0.5", "1e99", "1e400", `"1"`, "true", "[]"} {
		if _, err := DecodeRequest([]byte(req("ask", `,"questions":[{"id":"q","question":"Q?","options":[],"recommended":`+in+`}]`))); err == nil {
			t.Errorf("%s: taken for a whole number", in)
		}
	}
}

// Answers that fit, in the form of both agents: from Go to the wire and back.
func TestAnswers(t *testing.T) {
	atomic, ask := questionnaire(t, "questionnaire", atomicQuestions), questionnaire(t, "ask", askQuestions)
	for _, c := range []struct {
		d    *Questionnaire
		in   Answers
		wire string
	}{
		{atomic, Answers{}, `[]`},
		{atomic, Answers{{QuestionIndex: 0, Question: "Q?", Kind: KindOption, Answer: new("b")}},
			`[{"questionIndex":0,"question":"Q?","kind":"option","answer":"b"}]`},
		{atomic, Answers{{QuestionIndex: 1, Question: "R?", Kind: KindMulti, Selected: []string{}}},
			`[{"questionIndex":1,"question":"R?","kind":"multi","answer":null,"selected":[]}]`},
		{atomic, Answers{
			{QuestionIndex: 2, Question: "S?", Kind: KindOption, Answer: new("f"), Preview: new("# F")},
			{QuestionIndex: 1, Question: "R?", Kind: KindMulti, Selected: []string{"e", "c"}},
			{QuestionIndex: 0, Question: "Q?", Kind: KindCustom, Answer: new("my own")}},
			`[{"questionIndex":2,"question":"S?","kind":"option","answer":"f","preview":"# F"},` +
				`{"questionIndex":1,"question":"R?","kind":"multi","answer":null,"selected":["e","c"]},` +
				`{"questionIndex":0,"question":"Q?","kind":"custom","answer":"my own"}]`},
		{atomic, Answers{{QuestionIndex: 1, Question: "R?", Kind: KindChat}, {QuestionIndex: 2, Question: "S?", Kind: KindChat, Answer: new("")}},
			`[{"questionIndex":1,"question":"R?","kind":"chat","answer":null},{"questionIndex":2,"question":"S?","kind":"chat","answer":""}]`},
		{ask, Answers{
			{QuestionIndex: 0, Question: "Q?", Kind: KindOption, Answer: new("a")},
			{QuestionIndex: 1, Question: "R?", Kind: KindMulti, Selected: []string{"d", "c"}}},
			`[{"id":"q","selectedOptions":["a"]},{"id":"r","selectedOptions":["d","c"]}]`},
		{ask, Answers{
			{QuestionIndex: 0, Question: "Q?", Kind: KindCustom, Answer: new("x")},
			{QuestionIndex: 1, Question: "R?", Kind: KindCustom, Answer: new("y")}},
			`[{"id":"q","selectedOptions":[],"customInput":"x"},{"id":"r","selectedOptions":[],"customInput":"y"}]`},
		// An ask has no way to leave a question of several options open.
		{ask, Answers{{QuestionIndex: 1, Question: "R?", Kind: KindMulti, Selected: []string{}}},
			`[{"id":"q","selectedOptions":[]},{"id":"r","selectedOptions":[]}]`},
	} {
		r, err := Respond(c.d, c.in)
		if err != nil || string(r.Answers) != c.wire {
			t.Errorf("\n got %v, %v\nwant %s", r, err, c.wire)
			continue
		}
		if got := AppendAnswers([]byte("before "), c.in); !c.d.Ask && string(got) != "before "+c.wire {
			t.Errorf("AppendAnswers: got %s", got)
		}
		back, err := DecodeResponse(AppendResponse(nil, r))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := back.Answer(c.d); !reflect.DeepEqual(a, c.in) || err != nil {
			t.Errorf("%s\n got %+v, %v\nwant %+v", c.wire, a, err, c.in)
		}
	}
	// The order on the wire is that of the questions, whatever that of the answers.
	r, err := Respond(ask, Answers{
		{QuestionIndex: 1, Question: "R?", Kind: KindMulti},
		{QuestionIndex: 0, Question: "Q?", Kind: KindOption, Answer: new("b")}})
	if want := `[{"id":"q","selectedOptions":["b"]},{"id":"r","selectedOptions":[]}]`; err != nil || string(r.Answers) != want {
		t.Errorf("got %s, %v", r.Answers, err)
	}
}

// Any answer that does not fit spoils the whole, and the error says which and why.
func TestContractQuestionnaire_OtherShapesAreRejected(t *testing.T) {
	atomic, ask := questionnaire(t, "questionnaire", atomicQuestions), questionnaire(t, "ask", askQuestions)
	const good = `{"questionIndex":0,"question":"Q?","kind":"option","answer":"a"}`
	for _, c := range []struct {
		d                  *Questionnaire
		wire, field, value string
	}{
		{atomic, `null`, "answers", "null"},
		{atomic, `{}`, "answers", "{}"},
		{atomic, `[1]`, "answers[0]", "1"},
		{atomic, `[{}]`, "answers[0].questionIndex", ""},
		{atomic, `[{"questionIndex":"0"}]`, "answers[0].questionIndex", `"0"`},
		{atomic, `[{"questionIndex":0.5}]`, "answers[0].questionIndex", `0.5`},
		{atomic, `[{"questionIndex":0,"kind":"option","answer":"a"}]`, "answers[0].question", ""},
		{atomic, `[{"questionIndex":0,"question":"Q?","answer":"a"}]`, "answers[0].kind", ""},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"","answer":"a"}]`, "answers[0].kind", `""`},
		{atomic, `[{"questionIndex":3,"question":"Q?","kind":"option","answer":"a"}]`, "answers[0].questionIndex", "3"},
		{atomic, `[{"questionIndex":-1,"question":"Q?","kind":"option","answer":"a"}]`, "answers[0].questionIndex", "-1"},
		{atomic, `[{"questionIndex":1,"question":"Q?","kind":"option","answer":"a"}]`, "answers[0].question", `"Q?"`},
		{atomic, `[` + good + `,` + good + `]`, "answers[1].questionIndex", "0"},
		{atomic, `[` + good + `,{"questionIndex":2,"question":"S?","kind":"maybe"}]`, "answers[1].kind", `"maybe"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"option","answer":"z"}]`, "answers[0].answer", `"z"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"option","answer":"f"}]`, "answers[0].answer", `"f"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"option","answer":null}]`, "answers[0].answer", "null"},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"option","answer":1}]`, "answers[0].answer", "1"},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"option","answer":"a","selected":["a"]}]`, "answers[0].selected", `["a"]`},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"option","answer":"c"}]`, "answers[0].kind", `"option"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"multi","answer":null,"selected":["a"]}]`, "answers[0].kind", `"multi"`},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"multi","answer":null}]`, "answers[0].selected", ""},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"multi","answer":"c","selected":["c"]}]`, "answers[0].answer", `"c"`},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"multi","answer":null,"selected":["c",1]}]`, "answers[0].selected[1]", "1"},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"multi","answer":null,"selected":["c","a"]}]`, "answers[0].selected[1]", `"a"`},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"multi","answer":null,"selected":["c","c"]}]`, "answers[0].selected[1]", `"c"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"custom","answer":""}]`, "answers[0].answer", `""`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"custom","answer":null}]`, "answers[0].answer", "null"},
		{atomic, `[{"questionIndex":1,"question":"R?","kind":"custom","answer":"x"}]`, "answers[0].kind", `"custom"`},
		{atomic, `[{"questionIndex":2,"question":"S?","kind":"custom","answer":"x"}]`, "answers[0].kind", `"custom"`},
		{atomic, `[{"questionIndex":0,"question":"Q?","kind":"chat","answer":[]}]`, "answers[0].answer", "[]"},
		{ask, `[]`, "answers", "[]"},
		{ask, `[{"id":"q","selectedOptions":["a"]}]`, "answers", `[{"id":"q","selectedOptions":["a"]}]`},
		{ask, `[{"id":"r","selectedOptions":[]},{"id":"q","selectedOptions":[]}]`, "answers[0].id", `"r"`},
		{ask, `[{"id":"q"},{"id":"r","selectedOptions":[]}]`, "answers[0].selectedOptions", ""},
		{ask, `[{"id":"q","selectedOptions":["a","b"]},{"id":"r","selectedOptions":[]}]`, "answers[0].selectedOptions[1]", `"b"`},
		{ask, `[{"id":"q","selectedOptions":["z"]},{"id":"r","selectedOptions":[]}]`, "answers[0].answer", `"z"`},
		{ask, `[{"id":"q","selectedOptions":["a"],"customInput":"x"},{"id":"r","selectedOptions":[]}]`, "answers[0].customInput", `"x"`},
		{ask, `[{"id":"q","selectedOptions":[],"customInput":""},{"id":"r","selectedOptions":[]}]`, "answers[0].answer", `""`},
	} {
		r, err := DecodeResponse([]byte(`{"type":"extension_ui_response","id":"1","answers":` + c.wire + `}`))
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.Answer(c.d)
		ae, ok := errors.AsType[*AnswerError](err)
		if a != nil || !ok || ae.Field != c.field || ae.Value != c.value || ae.Want == "" || ae.ID != c.d.ID || ae.Method != c.d.Method() {
			t.Errorf("%s\n got %v, %v\nwant field %s and value %s", c.wire, a, err, c.field, c.value)
		}
	}
}

// What the agent's end would refuse, the client's end does not send.
func TestRespondRefusesAnswers(t *testing.T) {
	atomic, ask := questionnaire(t, "questionnaire", atomicQuestions), questionnaire(t, "ask", askQuestions)
	for _, c := range []struct {
		d     *Questionnaire
		a     Answers
		field string
	}{
		{atomic, Answers{{Question: "Q?", Kind: KindOption, Answer: new("z")}}, "answers[0].answer"},
		{atomic, Answers{{Question: "Q?", Kind: KindOption}}, "answers[0].answer"},
		{atomic, Answers{{Question: "Q?"}}, "answers[0].kind"},
		{atomic, Answers{{QuestionIndex: 9, Question: "Q?", Kind: KindChat}}, "answers[0].questionIndex"},
		{ask, Answers{{Question: "Q?", Kind: KindChat}}, "answers[0].kind"},
	} {
		r, err := Respond(c.d, c.a)
		if ae, ok := errors.AsType[*AnswerError](err); r != nil || !ok || ae.Field != c.field {
			t.Errorf("%+v: got %v, %v", c.a, r, err)
		}
	}
}

// A Response that was put together in Go may hold anything.
func TestBrokenAnswersAreNoAnswer(t *testing.T) {
	d := questionnaire(t, "questionnaire", atomicQuestions)
	for _, raw := range []string{"", "[", `["\u12"]`, `[{"a"}]`, `[]x`, `[{"kind":1,"kind":2}]`} {
		if a, err := (&Response{Answers: []byte(raw)}).Answer(d); err == nil {
			t.Errorf("%s: got %v", raw, a)
		}
	}
	if a, err := (&Response{Answers: []byte(" [] ")}).Answer(d); err != nil || len(a.(Answers)) != 0 {
		t.Errorf("got %v, %v", a, err)
	}
}
