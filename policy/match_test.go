package policy

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"extui/client"
	"extui/protocol"
)

// Which rule matches what: the first whose conditions all hold.
func TestConditions(t *testing.T) {
	prefill := "text"
	editor := &protocol.Editor{Title: "Edit", Prefill: &prefill}
	for _, test := range []struct {
		when   string
		dialog protocol.Dialog
		want   bool
	}{
		{`{}`, confirm("x", ""), true},
		{`{method: confirm}`, confirm("x", ""), true},
		{`{method: [input, confirm]}`, confirm("x", ""), true},
		{`{method: [input, select]}`, confirm("x", ""), false},
		{`{method: questionnaire}`, &protocol.Questionnaire{Ask: true}, true},
		{`{title: x}`, confirm("x", ""), true},
		{`{title: x}`, questions("x"), false},
		{`{title: [y, x]}`, confirm("x", ""), true},
		{`{title: {exact: "*"}}`, confirm("x", ""), false},
		{`{title: {glob: "a*c"}}`, confirm("abc", ""), true},
		{`{title: {glob: "a*c"}}`, confirm("abcd", ""), false},
		{`{title: {glob: "a*c"}}`, confirm("a\n\u202ec", ""), true}, // it denies here
		{`{title: {glob: "a?c"}}`, confirm("aäc", ""), true},
		{`{title: {glob: "a?c"}}`, confirm("ac", ""), false},
		{`{title: {glob: 'a\*[b].'}}`, confirm("a*[b].", ""), true},
		{`{title: {glob: 'a\*[b].'}}`, confirm("axb.", ""), false},
		{`{title: {regexp: "(?i)DELETE"}}`, confirm("please delete it", ""), true},
		{`{title: {regexp: "^delete"}}`, confirm("please delete it", ""), false},
		{`{message: m}`, confirm("x", "m"), true},
		{`{message: m}`, &protocol.Confirm{Title: "m"}, false},
		{`{prefill: {glob: "te*"}}`, editor, true},
		{`{placeholder: p}`, editor, false},
		{`{question: b}`, questions("a", "b"), true},
		{`{question: c}`, questions("a", "b"), false},
		{`{options: [A, B]}`, choose("x", "A", "B"), true},
		{`{options: [A]}`, choose("x", "A", "B"), false},
		{`{options: {contains: B}}`, choose("x", "A", "B"), true},
		{`{options: {contains: [{glob: "A*"}, B]}}`, choose("x", "A", "B"), true},
		{`{options: {contains: [C, B]}}`, choose("x", "A", "B"), false},
		{`{options: {contains: A}}`, confirm("A", ""), false},
		{`{status: {mode: auto}}`, confirm("x", ""), true},
		{`{status: {mode: {regexp: "^a"}, other: null}}`, confirm("x", ""), true},
		{`{status: {mode: null}}`, confirm("x", ""), false},
		{`{status: {other: x}}`, confirm("x", ""), false},
		{`{session: {glob: "ci-*"}}`, confirm("x", ""), true},
		{`{session: ci}`, confirm("x", ""), false},
		{`{open: 30s}`, confirm("x", ""), false},
		{`{expr: 'method == "confirm" && title == "x" && message == ""'}`, &protocol.Confirm{Title: "x"}, true},
		{`{expr: 'len(options) == 2 and any(options, # startsWith "B")'}`, choose("x", "A", "B"), true},
		{`{expr: 'any(questions, any(.options, # == "B") and not .multi)'}`, questions("x"), true},
		{`{expr: 'status["mode"] == "auto" and status["other"] == "" and session == "ci-7"'}`, confirm("x", ""), true},
		{`{expr: 'lower(title) contains "delete"'}`, confirm("DELETE all", ""), true},
		{`{expr: 'timeout > 0'}`, confirm("x", ""), false},
		{`{expr: 'timeout == 1.5'}`, decode(t, `"method":"input","title":"x","timeout":1500`), true},
		{`{title: x, message: n}`, confirm("x", "m"), false},
	} {
		rules := mustParse(t, `rules: [{when: `+test.when+`, cancel: true}]`)
		v := rules.Judge(test.dialog, map[string]string{"mode": "auto"}, "ci-7", 0)
		if (v.Rule == "rule 1") != test.want || v.Err != nil {
			t.Errorf("%s matches %#v: %v %v, want %v", test.when, test.dialog, v.Rule, v.Err, test.want)
		}
	}
}

// What rules answer.
func TestAnswers(t *testing.T) {
	text := "old"
	for _, test := range []struct {
		rule   string
		dialog protocol.Dialog
		want   protocol.Answer
	}{
		{`{when: {title: x}, answer: B}`, choose("x", "A", "B"), protocol.Value("B")},
		{`{when: {title: x}, answer: Fast}`, decode(t, `"method":"select","title":"x","options":[{"label":"Fast","value":"Fast"},"Slow"]`), protocol.Value("Fast")},
		{`{when: {title: x}, confirmed: true}`, confirm("x", ""), protocol.Confirmed(true)},
		{`{confirmed: false}`, confirm("x", ""), protocol.Confirmed(false)},
		{`{cancel: true}`, confirm("x", ""), protocol.Cancelled{}},
		{`{when: {title: x}, value: ""}`, input("x"), protocol.Value("")},
		{`{when: {title: x}, value: "{{title}}-{{session}}-{{ status.mode }}"}`, input("x"), protocol.Value("x-ci-7-auto")},
		{`{when: {title: x}, value: '\{{title}} {{title}}'}`, input("x"), protocol.Value("{{title}} x")},
		{`{when: {title: {regexp: '^Type (?P<word>[a-z]+) to (.*)$'}}, value: "{{title.word}} {{title.2}}"}`, input("Type yes to {{title}}"), protocol.Value("yes {{title}}")},
		{`{when: {title: Edit}, value: "{{prefill}}\nmore"}`, &protocol.Editor{Title: "Edit", Prefill: &text}, protocol.Value("old\nmore")},
		{`{when: {question: a}, answers: [{question: a, option: B}, {question: b, skip: true}]}`, questions("a", "b"),
			protocol.Answers{{Question: "a", Kind: protocol.KindOption, Answer: new("B")}}},
		{`{when: {question: a}, answers: [{question: b, text: own}, {question: a, chat: null}]}`, questions("a", "b"),
			protocol.Answers{{Question: "a", Kind: protocol.KindChat}, {QuestionIndex: 1, Question: "b", Kind: protocol.KindCustom, Answer: new("own")}}},
	} {
		v := mustParse(t, `rules: [`+test.rule+`]`).Judge(test.dialog, map[string]string{"mode": "auto"}, "ci-7", 0)
		if v.Err != nil || !reflect.DeepEqual(v.Answer, test.want) {
			t.Errorf("%s answers %#v, %v; want %#v", test.rule, v.Answer, v.Err, test.want)
		}
	}
	// Of a question for several, any number of labels.
	q := questions("a")
	q.Questions[0].MultiSelect = true
	for _, labels := range []string{"", "A", "A, B"} {
		v := mustParse(t, `rules: [{when: {question: a}, answers: [{question: a, options: [`+labels+`]}]}]`).Judge(q, nil, "", 0)
		answers, ok := v.Answer.(protocol.Answers)
		if v.Err != nil || !ok || strings.Join(answers[0].Selected, ", ") != labels {
			t.Errorf("options [%s]: %#v, %v", labels, v.Answer, v.Err)
		}
	}
}

// A template is filled once: what an agent sends is no template.
func TestTemplatesAreNotEvaluated(t *testing.T) {
	v := mustParse(t, `rules: [{when: {title: {regexp: "^x"}}, value: "{{title}}"}]`).Judge(input("x{{session}}"), nil, "secret", 0)
	if v.Answer != protocol.Value("x{{session}}") {
		t.Errorf("%#v", v.Answer)
	}
}

// An expression has to look at whatever an agent sends within a second or so.
func TestExpressionsAreBounded(t *testing.T) {
	rules := mustParse(t, `rules: [{when: {expr: 'any(options, let o = lower(#); any(options, # == o))'}, cancel: true}]`)
	options := make([]string, 5000)
	for i := range options {
		options[i] = fmt.Sprintf("Option %d", i)
	}
	v := rules.Judge(choose(strings.Repeat("x", 1<<20), options...), nil, "", 0)
	if v.Err == nil || !strings.Contains(v.Err.Error(), "too large") {
		t.Errorf("verdict %+v", v)
	}
	start := time.Now()
	if v := rules.Judge(choose("x", options[:100]...), nil, "", 0); v.Err != nil {
		t.Errorf("verdict %+v", v)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("100 options take %v", took)
	}
}

// "open" holds while the dialog is with the next front end.
func TestOpen(t *testing.T) {
	const rules = `
rules:
  - {name: give up, when: {title: x, open: 2m}, cancel: true}
  - {name: no, when: {title: y, open: 1m}, confirmed: false}
  - {name: ask, ask: true}
`
	for title, want := range map[string]struct {
		rule   string
		after  time.Duration
		answer protocol.Answer
		told   string // the person
	}{
		"x": {"give up", 2 * time.Minute, protocol.Cancelled{}, "the policy has cancelled it, by give up (line 3)"},
		"y": {"no", time.Minute, protocol.Confirmed(false), "the policy has answered it, by no (line 4)"},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &person{answer: make(chan protocol.Answer)}
			var log decisions
			f := New(mustParse(t, rules), &Options{Next: p, OnDecision: log.add})
			start := time.Now()
			a, err := f.Ask(t.Context(), confirm(title, ""))
			if d := log.last(t); a != want.answer || err != nil || time.Since(start) != want.after || d.Rule != want.rule || d.Who != ByRule {
				t.Errorf("%s: %#v, %v after %v: %+v", title, a, err, time.Since(start), d)
			}
			if err := f.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(p.limits) != 1 || len(p.causes) != 1 {
				t.Errorf("the front end was asked %d times and ended %v; it is asked once, and let go", len(p.limits), p.causes)
			} else if why := p.causes[0]; why.Error() != want.told || !errors.Is(why, client.ErrAnsweredElsewhere) {
				t.Errorf("%s: the front end is told: %v; want %s", title, why, want.told)
			}
		})
	}
	// Without such a rule, and before its time, the person decides.
	synctest.Test(t, func(t *testing.T) {
		p := &person{answer: make(chan protocol.Answer, 1)}
		f := New(mustParse(t, rules), &Options{Next: p})
		time.AfterFunc(90*time.Second, func() { p.answer <- protocol.Confirmed(true) })
		if a, err := f.Ask(t.Context(), confirm("x", "")); a != protocol.Confirmed(true) || err != nil {
			t.Errorf("%#v, %v", a, err)
		}
	})
}

// Of all times that a dialog has, the rules' and the agent's, the shortest holds, and the
// person sees it from the beginning.
func TestShortestTimeHolds(t *testing.T) {
	for name, test := range map[string]struct {
		rules   string
		timeout time.Duration // of the request
		after   time.Duration
		rule    string
		over    bool // by the agent's time, so that nothing is sent
	}{
		"the rule's":            {"{name: a, ask: true, within: 1s}", 999 * time.Second, time.Second, "a", false},
		"the request's":         {"{name: a, ask: true, within: 999s}", time.Second, time.Second, "a", true},
		"a little shorter":      {"{name: a, ask: true, within: 1s}", 999 * time.Millisecond, 999 * time.Millisecond, "a", true},
		"the first rule's":      {"{name: b, when: {open: 500ms}, ask: true, within: 999s}, {name: a, ask: true, within: 1s}", 0, time.Second, "a", false},
		"the second rule's":     {"{name: b, when: {open: 500ms}, ask: true, within: 1s}, {name: a, ask: true, within: 999s}", 0, time.Second, "b", false},
		"the second's, passed":  {"{name: b, when: {open: 2s}, ask: true, within: 1s}, {name: a, ask: true}", 0, 2 * time.Second, "b", false},
		"open and a limit":      {"{name: b, when: {open: 1s}, cancel: true}, {name: a, ask: true, within: 999s}", 0, time.Second, "b", false},
		"a limit and open":      {"{name: b, when: {open: 999s}, cancel: true}, {name: a, ask: true, within: 1s}", 0, time.Second, "a", false},
		"the command's":         {"{name: a, when: {title: x}, run: [hang], within: 1s}", 999 * time.Second, time.Second, "a", false},
		"the request's, of two": {"{name: a, when: {title: x}, run: [hang], within: 999s}", time.Second, time.Second, "a", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &person{answer: make(chan protocol.Answer)}
				var log decisions
				f := New(mustParse(t, "rules: ["+test.rules+"]"), &Options{Next: p, OnDecision: log.add})
				f.run = func(ctx context.Context, _, _ []string, _ []byte) ([]byte, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				ctx := t.Context()
				if test.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeoutCause(ctx, test.timeout, client.ErrExpired)
					defer cancel()
				}
				start := time.Now()
				a, err := f.Ask(ctx, confirm("x", ""))
				d := log.last(t)
				if took := time.Since(start); took != test.after || d.Rule != test.rule || (err != nil) != test.over || (d.Outcome == Over) != test.over {
					t.Errorf("%#v, %v after %v: %+v", a, err, took, d)
				}
				if _, yes := a.(protocol.Confirmed); yes {
					t.Errorf("%#v", a)
				}
				if err := f.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// What a status becomes while a person is asked approves nothing.
func TestStatusChangesWhileAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &person{answer: make(chan protocol.Answer)}
		f := New(mustParse(t, `
rules:
  - {when: {title: x, status: {mode: auto}}, confirmed: true}
  - {when: {title: other, open: 1m}, cancel: true}
  - {ask: true, within: 2m}
`), &Options{Next: p})
		time.AfterFunc(time.Second, func() { f.Show(&protocol.SetStatus{Key: "mode", Text: new("auto")}) })
		if a, err := f.Ask(t.Context(), confirm("x", "")); a != (protocol.Cancelled{TimedOut: true}) || err != nil {
			t.Errorf("%#v, %v", a, err)
		}
		if a, err := f.Ask(t.Context(), confirm("x", "")); a != protocol.Confirmed(true) || err != nil {
			t.Errorf("asked anew: %#v, %v", a, err)
		}
		f.Show(&protocol.SetStatus{Key: "mode"})
		if v := f.situation(input("x")); len(v.statuses) != 0 || len(p.shown) != 2 {
			t.Errorf("statuses %v, shown %d", v.statuses, len(p.shown))
		}
	})
}

// A status comes from the agent as well.
func TestTemplateWithAHiddenStatus(t *testing.T) {
	rules := mustParse(t, `rules: [{when: {title: x}, value: "{{status.mode}}"}]`)
	v := rules.Judge(input("x"), map[string]string{"mode": "a\u202eb"}, "s", 0)
	if v.Err == nil || v.Answer == protocol.Value("a\u202eb") || !strings.Contains(v.Err.Error(), "status.mode") {
		t.Errorf("%+v", v)
	}
}
