package terminal

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"extui/protocol"
)

func threeQuestions() *protocol.Questionnaire {
	return &protocol.Questionnaire{Questions: []protocol.Question{
		{Question: "Which storage?", Header: "Storage", Options: []protocol.QuestionOption{
			{Label: "SQLite", Description: "A local file"}, {Label: "libSQL", Description: "A shared database"}}},
		{Question: "Which checks?", Header: "Checks", MultiSelect: true, Options: []protocol.QuestionOption{
			{Label: "vet"}, {Label: "lint"}, {Label: "race"}}},
		{Question: "Which layout?", Header: "Layout", Options: []protocol.QuestionOption{
			{Label: "Wide", Preview: new("# Wide\n\nvery")}, {Label: "Narrow", Preview: new("```\nnarrow code\n```")}}},
	}}
}

func TestQuestionnaire(t *testing.T) {
	d := threeQuestions()
	option := func(i int, label string) protocol.QuestionAnswer {
		return protocol.QuestionAnswer{QuestionIndex: i, Question: d.Questions[i].Question, Kind: protocol.KindOption, Answer: &label}
	}
	multi := func(labels ...string) protocol.QuestionAnswer {
		return protocol.QuestionAnswer{QuestionIndex: 1, Question: d.Questions[1].Question, Kind: protocol.KindMulti, Selected: append([]string{}, labels...)}
	}
	typed := func(i int, kind protocol.AnswerKind, text *string) protocol.QuestionAnswer {
		return protocol.QuestionAnswer{QuestionIndex: i, Question: d.Questions[i].Question, Kind: kind, Answer: text}
	}
	for name, c := range map[string]struct {
		keys []string
		want protocol.Answers
	}{
		"all": {[]string{"2", "enter", "1", "space", "3", "space", "enter", "down", "enter", "enter"},
			protocol.Answers{option(0, "libSQL"), multi("vet", "race"), option(2, "Wide")}},
		"nothing marked, nothing answered": {[]string{"enter", "tab", "enter", "tab", "enter", "tab", "enter"}, protocol.Answers{}},
		"partial":                          {[]string{"tab", "tab", "2", "enter", "enter"}, protocol.Answers{option(2, "Narrow")}},
		"none of several":                  {[]string{"tab", "1", "enter", "tab", "enter"}, protocol.Answers{multi()}},
		"ticked and unticked":              {[]string{"tab", "1", "space", "space", "2", "space", "tab", "tab", "enter"}, protocol.Answers{multi("lint")}},
		"own words": {[]string{"3", "enter", "enter", "M", "y", "alt+enter", "?", "enter", "tab", "tab", "enter"},
			protocol.Answers{typed(0, protocol.KindCustom, new("My\n?"))}},
		"talk about it": {[]string{"4", "enter", "w", "h", "y", "enter", "tab", "3", "enter", "enter", "enter"},
			protocol.Answers{typed(0, protocol.KindChat, new("why")), typed(2, protocol.KindChat, nil)}},
		"talk about several": {[]string{"tab", "4", "enter", "enter", "tab", "enter"}, protocol.Answers{typed(1, protocol.KindChat, nil)}},
		"changed":            {[]string{"1", "enter", "shift+tab", "2", "enter", "tab", "tab", "enter"}, protocol.Answers{option(0, "libSQL")}},
		"left open again":    {[]string{"1", "enter", "shift+tab", "backspace", "tab", "tab", "tab", "enter"}, protocol.Answers{}},
		"own words given up": {[]string{"3", "enter", "x", "esc", "tab", "tab", "tab", "enter"}, protocol.Answers{}},
	} {
		if got := answered(t, d, c.keys...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
	if got := answered(t, d, "1", "enter", "esc"); got != (protocol.Cancelled{}) {
		t.Errorf("escape: %v", got)
	}
}

func TestQuestionnaireScreens(t *testing.T) {
	s := newScreen(t, 100, 30)
	s.ask(threeQuestions())
	s.settle()
	s.wants("[○ Storage]", "○ Checks", "Review", "A local file", "3 ( ) Type something.", "4 ( ) Chat about this")
	s.keys("2", "enter")
	s.wants("● Storage", "[○ Checks]", "any number of them")
	s.lacks("Type something.")
	s.keys("tab")
	s.wants("mark an option to see what it means")
	s.lacks("Type something.")
	s.keys("2")
	s.wants(" │   narrow code")
	s.keys("tab")
	s.wants("Enter sends these answers: 1 of 3, the rest stays open", "libSQL", "not answered")

	s = newScreen(t, 60, 30)
	s.ask(threeQuestions())
	s.settle()
	s.keys("tab", "tab", "2")
	s.wants("── Narrow ──", "narrow code")
	s.lacks(" │   narrow code")
}

// What was typed and chosen is kept if the questionnaire ends by itself.
func TestQuestionnaireThatEndsKeepsWhatWasSaid(t *testing.T) {
	s := newScreen(t, 80, 30)
	id := s.ask(threeQuestions())
	s.settle()
	s.keys("2", "enter", "4", "enter")
	s.send(tea.PasteMsg{Content: "long thought"})
	s.send(endMsg{id, nil})
	s.wants("Which storage?", "libSQL", "long thought")
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "Which storage?\nlibSQL\nWhich checks?\nlong thought" {
		t.Errorf("kept %q", got)
	}
}

// oh-my-pi's ask has no "talk about it", takes own words anywhere, and may point
// out an option, which marks nothing.
func TestQuestionnaireAsAsk(t *testing.T) {
	d := &protocol.Questionnaire{Ask: true, Questions: []protocol.Question{{ID: "q", Question: "Which?", MultiSelect: true,
		Options: []protocol.QuestionOption{{Label: "A"}, {Label: "B"}}, Recommended: new(1)}}}
	s := newScreen(t, 80, 24)
	s.ask(d)
	s.wants("Question 1", "B (recommended)", "Type something.")
	s.lacks("Chat about this", "▸")
	want := protocol.Answers{{Question: "Which?", Kind: protocol.KindCustom, Answer: new("C")}}
	if got := answered(t, d, "3", "enter", "C", "enter", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
