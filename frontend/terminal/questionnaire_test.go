package terminal

import (
	"reflect"
	"testing"
	"time"

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
		"nothing marked, nothing answered": {[]string{"enter", "tab", "enter", "enter", "tab", "enter"}, protocol.Answers{}},
		"partial":                          {[]string{"tab", "tab", "2", "enter", "enter"}, protocol.Answers{option(2, "Narrow")}},
		"none of several":                  {[]string{"tab", "4", "enter", "tab", "enter"}, protocol.Answers{multi()}},
		"none by space":                    {[]string{"tab", "4", "space", "enter", "tab", "enter"}, protocol.Answers{multi()}},
		"none taken back":                  {[]string{"tab", "4", "space", "space", "tab", "tab", "enter"}, protocol.Answers{}},
		"none, then one":                   {[]string{"tab", "4", "space", "2", "space", "tab", "tab", "enter"}, protocol.Answers{multi("lint")}},
		"one, then none":                   {[]string{"tab", "2", "space", "4", "enter", "tab", "enter"}, protocol.Answers{multi()}},
		"marked, not ticked":               {[]string{"tab", "1", "enter", "enter", "tab", "tab", "enter"}, protocol.Answers{}},
		"all unticked":                     {[]string{"tab", "1", "space", "space", "enter", "tab", "tab", "enter"}, protocol.Answers{}},
		"another one marked":               {[]string{"tab", "1", "space", "2", "enter", "tab", "enter"}, protocol.Answers{multi("vet")}},
		"ticked and unticked":              {[]string{"tab", "1", "space", "space", "2", "space", "tab", "tab", "enter"}, protocol.Answers{multi("lint")}},
		"ticked, then talk":                {[]string{"tab", "1", "space", "5", "enter", "enter", "tab", "enter"}, protocol.Answers{typed(1, protocol.KindChat, nil)}},
		"talk, then ticked":                {[]string{"tab", "5", "enter", "enter", "shift+tab", "1", "space", "tab", "tab", "enter"}, protocol.Answers{multi("vet")}},
		"nothing marked in it":             {[]string{"tab", "enter", "1", "enter", "enter"}, protocol.Answers{option(2, "Wide")}},
		"own words": {[]string{"3", "enter", "enter", "M", "y", "alt+enter", "?", "enter", "tab", "tab", "enter"},
			protocol.Answers{typed(0, protocol.KindCustom, new("My\n?"))}},
		"talk about it": {[]string{"4", "enter", "w", "h", "y", "enter", "tab", "3", "enter", "enter", "enter"},
			protocol.Answers{typed(0, protocol.KindChat, new("why")), typed(2, protocol.KindChat, nil)}},
		"talk about several": {[]string{"tab", "5", "enter", "enter", "tab", "enter"}, protocol.Answers{typed(1, protocol.KindChat, nil)}},
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
	s.wants("● Storage", "[○ Checks]", "any number of them", "4 [ ] None of these")
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
	s.keys("2", "enter", "5", "enter")
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

// Enter on an option of several that nobody has ticked says so and sends nothing;
// with nothing marked it leaves the question open and says that.
func TestQuestionnaireSaysThatNothingIsTicked(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(threeQuestions())
	s.settle()
	s.keys("tab", "1", "enter")
	s.wants("[○ Checks]", "nothing ticked: space ticks")
	s.keys("4", "space")
	s.wants("[● Checks]", "[x] None of these")
	s.keys("1", "enter")
	s.wants("[● Checks]", "nothing ticked: space ticks")
	s.keys("space")
	s.wants("[x] vet", "[ ] None of these")
	s.keys("space")
	s.wants("[○ Checks]")
	s.keys("5", "enter", "enter", "shift+tab")
	s.wants("[● Checks]", "[ ] vet", "(•) Chat about this")
	s = newScreen(t, 80, 24)
	s.ask(threeQuestions())
	s.settle()
	s.keys("tab", "enter")
	s.wants("○ Checks", "[○ Layout]", "nothing ticked: left open")
}

// Answers that do not fit the screen are not sent before they have been on it.
func TestQuestionnaireSendsOnlyWhatWasShown(t *testing.T) {
	s := newScreen(t, 40, 10)
	id := s.ask(threeQuestions())
	s.settle()
	s.keys("2", "enter", "tab", "1", "enter")
	s.settle()
	s.wants("pgdown read all, then send", "more")
	s.lacks("Wide")
	s.keys("enter")
	s.wants("read on first: pgdown")
	s.send(tea.WindowSizeMsg{Width: 44, Height: 10})
	for range 5 {
		s.keys("pgdown")
	}
	s.wants("Wide", "enter send")
	s.send(tea.WindowSizeMsg{Width: 40, Height: 10}) // wrapped anew: nobody knows what was seen
	s.wants("more")
	s.keys("enter")
	if a, sent := s.answers[id]; sent {
		t.Fatalf("sent %v unseen", a)
	}
	for range 5 {
		s.keys("pgdown")
	}
	s.keys("enter")
	if len(s.answers) != 1 {
		t.Errorf("not sent after all was shown:\n%s", s.picture())
	}
}

// Enter counts once the review has been on the screen for a moment, and after a
// pause if somebody types there.
func TestQuestionnaireReviewIsGuarded(t *testing.T) {
	s := newScreen(t, 80, 24)
	id := s.ask(threeQuestions())
	sent := func() bool { _, ok := s.answers[id]; return ok }
	s.settle()
	s.keys("1", "enter", "tab", "1", "enter", "enter")
	s.wants("Enter sends these answers", "that came too soon: enter again")
	for range 4 {
		s.wait(200 * time.Millisecond)
		s.keys("enter")
	}
	if sent() {
		t.Fatal("sent by an Enter without a pause")
	}
	s.settle()
	s.keys("o", "k", "enter")
	s.settle()
	s.send(tea.PasteMsg{Content: "a prompt"})
	s.keys("enter")
	s.settle()
	s.keys("left", "1", "enter", "enter") // shown once more
	if sent() {
		t.Fatal("sent by an Enter behind typing")
	}
	s.settle()
	s.keys("enter")
	if !sent() {
		t.Errorf("not sent after a pause:\n%s", s.picture())
	}
}

// Escape cancels all, and what was chosen and typed can be called back, also the
// text that is no answer.
func TestQuestionnaireEscapeKeepsTheWords(t *testing.T) {
	s := newScreen(t, 80, 24)
	id := s.ask(threeQuestions())
	s.settle()
	s.keys("4", "enter", "w", "h", "y", "esc", "1", "enter", "5", "enter", "h", "m", "enter", "esc")
	if s.answers[id] != (protocol.Cancelled{}) {
		t.Fatalf("escape gave %v", s.answers[id])
	}
	s.wants("cancelled", "ctrl+r puts what was typed or chosen into the editor")
	s.keys("ctrl+r")
	if got := s.m.prompt.box.text(); got != "Which storage?\nSQLite\nwhy\nWhich checks?\ntalk about it: hm" {
		t.Errorf("kept %q", got)
	}
	s = newScreen(t, 80, 24)
	s.ask(threeQuestions())
	s.settle()
	s.keys("esc")
	s.lacks("ctrl+r")
}

// Where the names of all tabs do not fit, their numbers stand there.
func TestQuestionnaireTabsOnSmallScreens(t *testing.T) {
	s := newScreen(t, 40, 12)
	d := threeQuestions()
	s.ask(d)
	s.settle()
	s.keys("2", "enter")
	s.wants(" ●1  [○2 Checks]  ○3   ✓")
	s.keys("tab", "tab")
	s.wants(" ●1   ○2   ○3  [Review]")
	for len(d.Questions) < 12 {
		d.Questions = append(d.Questions, d.Questions[0])
	}
	d.Questions[0].Header = "A header that is too long for a screen of forty columns"
	s = newScreen(t, 40, 12)
	s.ask(d)
	s.wants("[○1 A header that is too long fo…] of 12")
}

// Two options of one label are one answer, which is what the protocol allows.
func TestQuestionnaireSameLabelTwice(t *testing.T) {
	d := &protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Header: "W", MultiSelect: true,
		Options: []protocol.QuestionOption{{Label: "A"}, {Label: "A"}}}}}
	want := protocol.Answers{{Question: "Which?", Kind: protocol.KindMulti, Selected: []string{"A"}}}
	if got := answered(t, d, "1", "space", "2", "space", "enter", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// An option whose preview is empty has none, so that own words are allowed.
func TestQuestionnaireEmptyPreview(t *testing.T) {
	s := newScreen(t, 100, 24)
	s.ask(&protocol.Questionnaire{Questions: []protocol.Question{{Question: "Which?", Header: "W",
		Options: []protocol.QuestionOption{{Label: "A", Preview: new("")}, {Label: "B"}}}}})
	s.wants("Type something.")
	s.lacks("mark an option to see")
}

// The row of one's own words shows what would be sent, not what was typed since
// and given up.
func TestQuestionnaireShowsTheTextThatIsSent(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask(threeQuestions())
	s.settle()
	s.keys("3", "enter", "A", "enter", "shift+tab", "enter", "B", "esc")
	s.wants("(•) Type something.\n         A\n")
	s.lacks("AB")
}
