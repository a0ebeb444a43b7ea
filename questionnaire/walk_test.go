package questionnaire_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"extui/agent"
	"extui/protocol"
	"extui/questionnaire"
)

// person answers each dialog of a walk with the next step.
type person struct {
	t     *testing.T
	steps []step
	shown []protocol.Dialog
}

// step expects a dialog of that method whose title contains what is said, and
// answers it: a select by the row that has the text in it, the others by the text.
// An empty text cancels.
type step struct {
	method protocol.Method
	title  string
	text   string
}

func (p *person) Ask(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
	p.t.Helper()
	if len(p.shown) >= len(p.steps) {
		p.t.Fatalf("one dialog too many: %s %q", d.Method(), d.DialogTitle())
	}
	s := p.steps[len(p.shown)]
	p.shown = append(p.shown, d)
	if d.Method() != s.method || !strings.Contains(d.DialogTitle(), s.title) {
		p.t.Fatalf("dialog %d is a %s %q, want a %s with %q", len(p.shown), d.Method(), d.DialogTitle(), s.method, s.title)
	}
	if s.text == "" {
		return protocol.Cancelled{}, nil
	}
	sel, ok := d.(*protocol.Select)
	if !ok {
		return protocol.Value(s.text), nil
	}
	for _, o := range sel.Options {
		if strings.Contains(o.Label, s.text) {
			return protocol.Value(o.Answer()), nil
		}
	}
	p.t.Fatalf("dialog %d offers %v, not %q", len(p.shown), sel.Options, s.text)
	return nil, nil
}

func option(i int, label string) protocol.QuestionAnswer {
	return protocol.QuestionAnswer{QuestionIndex: i, Question: asked[i].Question, Kind: protocol.KindOption, Answer: &label}
}

func multi(labels ...string) protocol.QuestionAnswer {
	return protocol.QuestionAnswer{QuestionIndex: 1, Question: asked[1].Question, Kind: protocol.KindMulti, Selected: labels}
}

func TestWalk(t *testing.T) {
	// long: a table of conversations
	const sel, in, ed = protocol.MethodSelect, protocol.MethodInput, protocol.MethodEditor
	for _, c := range []struct {
		name    string
		steps   []step
		want    protocol.Answers
		wantErr error
	}{
		{"all answered", []step{
			{sel, "[Storage] Which storage? (question 1 of 3)", "libSQL"},
			{sel, "Which checks?", "Several"},
			{in, "2. race", "3, 1"},
			{sel, "1. vet\n3. fuzz", "Yes"},
			{sel, "Preview of 1. wide:\n= = =", "tall"},
		}, protocol.Answers{option(0, "libSQL"), multi("vet", "fuzz"), option(2, "tall")}, nil},
		{"one of several without typing", []step{
			{sel, "storage", "Next"}, {sel, "checks", "2. race"}, {sel, "layout", "Next"},
		}, protocol.Answers{multi("race")}, nil},
		{"none of several", []step{
			{sel, "storage", "Next"}, {sel, "checks", "None"}, {sel, "layout", "Next"},
		}, protocol.Answers{multi()}, nil},
		{"a typo is named and the options stay in sight", []step{
			{sel, "storage", "Next"},
			{sel, "checks", "Several"},
			{in, "1. vet", "1-2"},
			{in, `"1-2" is not a number from 1 to 3`, "1,1"},
			{in, "1 stands there twice", "1,2"},
			{sel, "1. vet\n2. race", "again"},
			{in, "1. vet", "2"},
			{sel, "2. race", "Yes"},
			{sel, "layout", "Next"},
		}, protocol.Answers{multi("race")}, nil},
		{"cancelling a text goes back to its question", []step{
			{sel, "storage", "Type something."},
			{in, "2. libSQL — A server", ""},
			{sel, "storage", "Chat"},
			{ed, "1. SQLite — A file", ""},
			{sel, "storage", "Type something."},
			{in, "own answer", "Postgres"},
			{sel, "checks", "Several"},
			{in, "numbers", ""},
			{sel, "checks", "Next"},
			{sel, "layout", "Next"},
		}, protocol.Answers{{QuestionIndex: 0, Question: asked[0].Question, Kind: protocol.KindCustom, Answer: new("Postgres")}}, nil},
		{"cancelling the check of several asks again", []step{
			{sel, "storage", "Next"}, {sel, "checks", "Several"}, {in, "numbers", "1"}, {sel, "You have chosen", ""}, {in, "numbers", "2"},
			{sel, "2. race", "Yes"}, {sel, "layout", "Next"},
		}, protocol.Answers{multi("race")}, nil},
		{"cancelling a question keeps the answers before it", []step{
			{sel, "storage", "SQLite"}, {sel, "checks", ""},
		}, protocol.Answers{option(0, "SQLite")}, questionnaire.ErrDeclined},
		{"cancelling at once", []step{{sel, "storage", ""}}, protocol.Answers{}, questionnaire.ErrDeclined},
		{"back and another choice", []step{
			{sel, "storage", "SQLite"}, {sel, "checks", "Back"}, {sel, `answer so far: "SQLite"`, "libSQL"}, {sel, "checks", "Next"}, {sel, "layout", "wide"},
		}, protocol.Answers{option(0, "libSQL"), option(2, "wide")}, nil},
		{"back, and the answer kept", []step{
			{sel, "storage", "SQLite"}, {sel, "checks", "Back"}, {sel, "answer so far", "Keep"}, {sel, "checks", "Next"}, {sel, "layout", "Next"},
		}, protocol.Answers{option(0, "SQLite")}, nil},
		{"back, and the answer taken back", []step{
			{sel, "storage", "SQLite"}, {sel, "checks", "Back"}, {sel, "answer so far", "Next"}, {sel, "checks", "Next"}, {sel, "layout", "Next"},
		}, protocol.Answers{}, nil},
		{"talk about it", []step{
			{sel, "storage", "Chat"}, {ed, "talk", "is there a third?"}, {sel, "checks", "Next"}, {sel, "layout", "Next"},
		}, protocol.Answers{{QuestionIndex: 0, Question: asked[0].Question, Kind: protocol.KindChat, Answer: new("is there a third?")}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &person{t: t, steps: c.steps}
			got, err := questionnaire.Walk(t.Context(), p, asked)
			if !errors.Is(err, c.wantErr) || (err != nil) != (c.wantErr != nil) {
				t.Fatalf("error %v, want %v", err, c.wantErr)
			}
			if len(p.shown) != len(c.steps) {
				t.Errorf("%d dialogs, want %d", len(p.shown), len(c.steps))
			}
			if fmt.Sprint(texts(got)) != fmt.Sprint(texts(c.want)) {
				t.Errorf("got %v, want %v", texts(got), texts(c.want))
			}
			// What a walk brings must be what a questionnaire would accept.
			if _, err := protocol.Respond(&protocol.Questionnaire{Questions: asked}, got); err != nil {
				t.Error(err)
			}
		})
	}
}

func texts(answers protocol.Answers) string { return string(protocol.AppendAnswers(nil, answers)) }

// A question with previews, or with several choices, offers no text of one's own.
func TestWalkOffersOwnTextOnlyWhereAllowed(t *testing.T) {
	p := &person{t: t, steps: []step{{"select", "", "Next"}, {"select", "", "Next"}, {"select", "", "Next"}}}
	if _, err := questionnaire.Walk(t.Context(), p, asked); err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, d := range p.shown {
		got = append(got, strings.Contains(fmt.Sprint(d.(*protocol.Select).Options), questionnaire.LabelCustom))
	}
	if want := []bool{true, false, false}; !reflect.DeepEqual(got, want) {
		t.Errorf("offered %v, want %v", got, want)
	}
}

type failing struct{ err error }

func (f failing) Ask(context.Context, protocol.Dialog) (protocol.Answer, error) { return nil, f.err }

func TestWalkPassesOnErrors(t *testing.T) {
	for _, e := range []error{agent.ErrTimedOut, agent.ErrDisconnected} {
		if _, err := questionnaire.Walk(t.Context(), failing{e}, asked); !errors.Is(err, e) {
			t.Errorf("got %v, want %v", err, e)
		}
	}
	if _, err := questionnaire.Walk(t.Context(), failing{agent.ErrDismissed}, asked); !errors.Is(err, questionnaire.ErrDeclined) {
		t.Errorf("a dismissed question gave %v", err)
	}
}

func TestParseChoices(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // "" is refused
	}{
		{"1", "[0]"}, {"3,1", "[0 2]"}, {" 1 , 2 ", "[0 1]"}, {"1,2,3", "[0 1 2]"}, {"\t2", "[1]"},
		{"", ""}, {" ", ""}, {"0", ""}, {"4", ""}, {"1,", ""}, {",1", ""}, {"1,,2", ""}, {"1 2", ""}, {"1-2", ""}, {"+1", ""},
		{"-1", ""}, {"01", ""}, {"1.", ""}, {"1;2", ""}, {"all", ""}, {"1,1", ""}, {"１", ""}, {"99999999999999999999", ""}, {"1,x", ""},
	} {
		got, err := questionnaire.ParseChoices(c.text, 3)
		if (err == nil) != (c.want != "") || err == nil && fmt.Sprint(got) != c.want {
			t.Errorf("%q: %v, %v; want %q", c.text, got, err, c.want)
		}
	}
}
